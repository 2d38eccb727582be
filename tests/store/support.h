/* A store in a folder of its own, and waiting for its answers. Nothing here knows what stands behind the store. */
#ifndef MERELS_TESTS_STORE_SUPPORT_H
#define MERELS_TESTS_STORE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <merels/store.h>

enum { PATH_BYTES = 512 };

/*
 * A new folder, and the place of a database in it; or, when MERELS_TEST_POSTGRES has the place of a database of
 * PostgreSQL, a new schema of that.
 */
struct home {
	char folder[PATH_BYTES];
	char place[PATH_BYTES];
	char schema[32]; /* "": a file */
	char time[PATH_BYTES];
};

/* cmocka's setup and teardown: *state is a struct home. */
int home_make(void **state);
int home_remove(void **state);

/* Settings that open it as a server. */
struct mrl_store_settings home_settings(const struct home *home);

struct mrl_store *store_open(const struct home *home);

/* Submits and waits; the status of the answer. The sentence is in *error, which may be NULL. */
enum mrl_status commit(struct mrl_store *store, struct mrl_store_change *change, struct mrl_error *error);

/* The same, and it must succeed. */
void must(struct mrl_store *store, struct mrl_store_change *change);

/*
 * Answers live only as long as their callback: a test hands in what looks at one, and it is called within. `asked`
 * counts answers, `status` is the last one's.
 */
struct look {
	void (*at)(void *context, const struct mrl_store_answer *answer);
	void *context;
	unsigned asked;
	enum mrl_status status;
	uint64_t affected;
	char message[MRL_ERROR_MESSAGE_SIZE];
};

void look_done(void *look, const struct mrl_store_answer *answer);

/* Waits for a read that was submitted with look_done; its status must be this. */
void expect_answer(struct mrl_store *store, struct look *look, enum mrl_status submitted, enum mrl_status expected);

/* ---- Things to store ---------------------------------------------------------------------------------------- */

void add_account(struct mrl_store *store, uint64_t id, const char *name);
void add_guest(struct mrl_store *store, uint64_t id, const char *name);

/* A game being played, white against black, `nine`; and the same ended. */
struct mrl_store_game some_game(uint64_t id, uint64_t white, uint64_t black);
struct mrl_store_game some_ended(uint64_t id, uint64_t white, uint64_t black, int64_t ended,
				 enum mrl_store_outcome outcome);

/* How many events a game has, checking that they are 1, 2, 3 ...; the game must be there. */
size_t count_events(struct mrl_store *store, uint64_t game);

uint64_t next_random(uint64_t *state);

#endif
