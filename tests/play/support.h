/*
 * What the tests of src/play share: a table at which two play, with a clock that the test turns on. Every event goes
 * the way it goes on a server: written as a line, read back, applied; and after every command the game is built again
 * from its lines and must be the same.
 */
#ifndef MERELS_TEST_PLAY_SUPPORT_H
#define MERELS_TEST_PLAY_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <merels/play.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ANNA UINT64_C(1001)  /* an account; owns the game */
#define BELA UINT64_C(1002)  /* an account; the friend */
#define GUEST UINT64_C(1003) /* looks on */
#define GAME UINT64_C(77)

struct table {
	struct mrl_rules rules;
	struct mrl_play_game game;
	uint64_t time;
	uint64_t random;
	uint64_t commands; /* so that each has an id of its own */
	uint64_t presses;  /* ids for rematches */
	char (*lines)[MRL_PLAY_EVENT_TEXT_SIZE];
	size_t line_count;
	size_t line_capacity;
	struct mrl_play_batch batch;   /* of the last command or tick */
	struct mrl_play_answer answer; /* of the last command */
	bool quick;                    /* does not build the game again after every command */
};

/* How a game is to be; all zero: nine, no clock, casual, the owner has White. */
struct plan {
	const char *rules;
	const char *tempo; /* as mrl_play_tempo_read() takes it */
	bool rated;
	bool unlisted;
	bool phrases;
	enum mrl_play_first first;
	bool alone; /* nobody sits on the friend's seat yet */
};

/* A player with this id; the hash of the seat's secret is of the id too. */
struct mrl_play_player player_of(uint64_t person, enum mrl_play_player_kind kind);
void hash_of(uint64_t secret, uint8_t hash[MRL_PLAY_HASH_SIZE]);

/* Makes a game and applies its first events. The link's secret is 5. To be cleared away with table_release(). */
void table_open(struct table *table, const struct plan *plan);
void table_release(struct table *table);

/* Applies and keeps a batch. */
void table_keep(struct table *table, const struct mrl_play_batch *batch);

/* Builds the game again from its lines, as after a restart, and goes on with that one; both seats then are gone. */
void table_restart(struct table *table);

/* Lets time pass, and lets the timers that are over say so. */
void table_wait(struct table *table, uint64_t milliseconds);

/* Gives a command as it is (an id is added when it has none) and keeps what follows. */
enum mrl_play_code table_give(struct table *table, struct mrl_play_command command);

/* Commands in short. A turn is the side's to move, for the ply it is. */
enum mrl_play_code table_turn(struct table *table, const char *turn);
enum mrl_play_code table_do(struct table *table, enum mrl_play_seat seat, enum mrl_play_verb verb);
enum mrl_play_code table_offer(struct table *table, enum mrl_play_seat seat, enum mrl_play_verb verb,
			       enum mrl_play_offer offer);
enum mrl_play_code table_say(struct table *table, enum mrl_play_seat seat, enum mrl_play_room room, const char *text);
enum mrl_play_code table_join(struct table *table, uint64_t person, enum mrl_play_player_kind kind, uint64_t secret);

/* Plays turns, spaces between them; each takes so many milliseconds. */
void table_play(struct table *table, const char *turns, uint64_t each);

struct mrl_play_view table_view(const struct table *table, unsigned viewer);

/* Whether the last batch has exactly these kinds, in this order. */
bool table_happened(const struct table *table, size_t count, const enum mrl_play_kind *kinds);
#define HAPPENED(table, ...)                                                        \
	table_happened((table), COUNT(((const enum mrl_play_kind[]){__VA_ARGS__})), \
		       (const enum mrl_play_kind[]){__VA_ARGS__})

void assert_code(const struct table *table, enum mrl_play_code code);
void assert_ended(const struct table *table, enum mrl_outcome outcome, enum mrl_reason reason);

#endif
