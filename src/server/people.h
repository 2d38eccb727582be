/*
 * Who is who: the person behind a cookie or a bearer token, guests that are made, sessions that begin and end. What the
 * store knows is remembered for a minute, so that a busy person costs no look-up each time.
 *
 * All on the thread of the loop. Callbacks come later or at once.
 */
#ifndef MERELS_SERVER_PEOPLE_H
#define MERELS_SERVER_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play_event.h>
#include <merels/status.h>
#include <merels/store_values.h>

#include "secret.h"

struct mrl__server;
struct mrl_store_answer;

struct mrl__person {
	uint64_t id;          /* 0: nobody */
	uint8_t kind;         /* an enum mrl_store_kind */
	int64_t banned_until; /* wall ms; 0: not */
	char name[MRL_PLAY_NAME_SIZE];
};

/* Whom a person does not want to hear. */
struct mrl__mutes {
	uint64_t *ids; /* owned */
	size_t count;
};

bool mrl__mutes_has(const struct mrl__mutes *mutes, uint64_t person);

/* Adds those of an answer of the store; without memory they are heard. */
void mrl__mutes_take(struct mrl__mutes *mutes, const struct mrl_store_answer *answer);
void mrl__mutes_add(struct mrl__mutes *mutes, uint64_t person);
void mrl__mutes_remove(struct mrl__mutes *mutes, uint64_t person);
void mrl__mutes_release(struct mrl__mutes *mutes);

struct mrl__session_memory;

#define MRL__SESSION_BUCKETS 4096

struct mrl__people {
	struct mrl__session_memory *buckets[MRL__SESSION_BUCKETS];
	size_t count;
};

/*
 * MRL_OK with the person of a session; MRL_MISSING when there is none, or for a cookie's session where a bearer is
 * wanted and the other way round; anything else when the store could not be asked.
 */
typedef void mrl__person_found(void *user, enum mrl_status status, const struct mrl__person *person);

void mrl__people_find(struct mrl__server *server, const unsigned char hash[MRL__HASH_SIZE], bool bearer,
		      mrl__person_found *found, void *user);

/* Forgets what is remembered of a person's sessions; 0: of everybody's. */
void mrl__people_forget(struct mrl__server *server, uint64_t person);
/* Without telling other nodes. */
void mrl__people_forget_here(struct mrl__server *server, uint64_t person);

/* Has the store forget sessions that have expired and guests that were last seen a month ago and never played. */
void mrl__people_tidy(struct mrl__server *server);

/* Forgets what is too old; to be called now and then. */
void mrl__people_sweep(struct mrl__server *server);
void mrl__people_release(struct mrl__server *server);

/* A new guest with a new cookie, committed when `made` is called. */
typedef void mrl__guest_made(void *user, enum mrl_status status, const struct mrl__person *person,
			     const char cookie[MRL__SECRET_SIZE], const unsigned char hash[MRL__HASH_SIZE]);
void mrl__people_make_guest(struct mrl__server *server, mrl__guest_made *made, void *user);

/* A session for the person, to be put into a change; `secret` gets what its owner keeps. */
void mrl__session_new(uint64_t person, enum mrl_store_session_kind kind, struct mrl_store_session *session,
		      char secret[MRL__SECRET_SIZE]);

/* The kind of a person as a game knows it, and the player that a person is, without a secret. */
struct mrl_play_player mrl__player_of(const struct mrl__person *person);

/* "guest", "account", "bot", "deleted". */
const char *mrl__kind_text(unsigned kind);

#endif
