/* Two processes on one bus, as far as a test is concerned: over a hub or over NATS. Failures are cmocka's. */
#ifndef MERELS_TESTS_BUS_SUPPORT_H
#define MERELS_TESTS_BUS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <merels/bus.h>

#include "nats_server.h"

enum { MOST_HEARD = 512, TEXT_SIZE = 32 };

/* What somebody hears, in order; what asks for an answer gets "re:" and itself unless `silent`. */
struct ear {
	struct mrl_bus *bus;
	bool silent;
	size_t count;
	char texts[MOST_HEARD][TEXT_SIZE];
};

struct answer {
	unsigned asked;
	enum mrl_status status;
	char text[TEXT_SIZE];
};

struct party {
	struct mrl_bus *bus;
	unsigned news[4]; /* how often each was told */
	char said[400];   /* the last sentence */
	int watched;      /* what it is to wait for; -1: nothing, or threads do it */
	bool room;        /* for room to write too */
};

struct scene {
	struct nats_server nats;
	struct mrl_bus_hub *hub; /* NULL: over NATS */
	bool watches;            /* whose connections this thread reads and writes */
	struct party a;
	struct party b;
};

/* cmocka's set-up and tear-down: two parties, connected. */
int scene_hub(void **state);
int scene_nats(void **state);
int scene_watched(void **state);
int scene_remove(void **state);

/* A further one, not waited for; `settings` as far as they are not the party's. */
void party_open(struct party *party, struct mrl_bus_settings settings);
void party_close(struct party *party);

/* Polls both until a condition holds, which must be soon. */
#define UNTIL(scene, condition)                            \
	do {                                               \
		unsigned tries_ = 0;                       \
		while (!(condition) && tries_++ < 6000)    \
			scene_step(scene);                 \
		if (!(condition))                          \
			fail_msg("never: %s", #condition); \
	} while (0)

void scene_step(struct scene *scene);
void party_step(struct party *party, int ms);
void on_watch(void *context, int descriptor, bool writes);

/* Everything that was sent until now has been heard by both. */
void scene_settle(struct scene *scene);

uint64_t listen(struct mrl_bus *bus, const char *subject, const char *group, struct ear *ear);
void say(struct mrl_bus *bus, const char *subject, const char *text);
uint64_t ask(struct mrl_bus *bus, const char *subject, const char *text, unsigned ms, struct answer *answer);

void on_heard(void *user, const struct mrl_bus_message *message);
void on_answered(void *user, enum mrl_status status, const struct mrl_bus_message *message);

#endif
