/*
 * The computer player at work: a search on several threads, with a clock, that can be told to stop.
 *
 * A struct mrl_player owns its memory (transposition table, one search a thread), allocated once when it is made. One
 * thread, the owner's, makes it, starts searches, waits and frees; mrl_player_stop(), mrl_player_ponder_hit() and
 * mrl_player_busy() may be called by any thread. With one thread, and limits of depth or nodes, the same searches in
 * the same order give the same answers.
 *
 *     struct mrl_player *player = mrl_player_new(2, 64);
 *     struct mrl_player_limits limits = {.time = 1000};
 *     struct mrl_player_report report;
 *
 *     if (mrl_player_think(player, &game, &limits, &report) == MRL_OK)
 *             play(report.result.lines[0].turns[0]);
 *     mrl_player_free(player);
 *
 * All times are in milliseconds.
 */
#ifndef MERELS_PLAYER_H
#define MERELS_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/search.h>
#include <merels/status.h>

#define MRL_PLAYER_MAX_THREADS 256
#define MRL_PLAYER_MAX_MEGABYTES 65536

struct mrl_player;

/* ---- What is wanted ----------------------------------------------------------------------------------------- */

/* The clock of the side to move. */
struct mrl_player_clock {
	uint64_t left;      /* until the time is over */
	uint64_t increment; /* that each turn gives */
	unsigned turns;     /* to be played in `left`; 0: all the rest of the game */
};

struct mrl_player_report;

/* Several limits may be set: the first that is reached ends the search. None: it goes on until it is told to stop. */
struct mrl_player_limits {
	unsigned depth; /* plies; 0: no limit */
	uint64_t nodes; /* positions visited by all threads; 0: no limit */
	uint64_t time;  /* for this turn; 0: no limit */
	bool has_clock; /* the player sees to it that the clock lasts */
	struct mrl_player_clock clock;
	unsigned win;   /* a win in so many plies is enough; 0: not asked */
	bool infinite;  /* no answer before it is told to stop, whatever is found */
	bool ponder;    /* as infinite, until mrl_player_ponder_hit(): from then on the limits hold */
	unsigned level; /* as in mrl_level_run(), which has limits of its own below the highest; 0: the highest */
	uint64_t seed;  /* of the choices of a lower level */
	unsigned lines; /* as in struct mrl_search_limits */
	const struct mrl_turn *only;
	size_t only_count;
	mrl_probe probe;
	void *probe_context;
	void *context; /* of what follows, both called in the searching thread */
	void (*report)(void *context, const struct mrl_player_report *report); /* each iteration; NULL: not */
	void (*done)(void *context, enum mrl_status status, const struct mrl_player_report *report);
};

struct mrl_player_report {
	uint64_t elapsed;
	uint64_t nodes;                  /* by all threads */
	uint64_t per_second;             /* nodes a second */
	uint64_t probes;                 /* positions that a table knew */
	struct mrl_search_result result; /* of the thread that counts */
};

/* ---- The player --------------------------------------------------------------------------------------------- */

/* NULL when there is not so much memory on the machine, or a number is 0 or above its limit. */
struct mrl_player *mrl_player_new(unsigned threads, unsigned megabytes);

/* Nothing may be running. NULL is allowed. */
void mrl_player_free(struct mrl_player *player);

/* Forgets what was learned, for a new game. Nothing may be running. */
void mrl_player_clear(struct mrl_player *player);

/*
 * Searches in the calling thread (and its helpers) and returns the outcome of mrl_search_run(). `done` is not called.
 */
MRL_MUST_USE enum mrl_status mrl_player_think(struct mrl_player *player, const struct mrl_game *game,
					      const struct mrl_player_limits *limits, struct mrl_player_report *report);

/*
 * Begins a search in threads of its own; it ends with one call of `done`. What `game` and `limits` point to must stay
 * as it is until mrl_player_wait(), which must follow before the next search. MRL_SYSTEM when no thread could be
 * started: then `done` is not called.
 */
MRL_MUST_USE enum mrl_status mrl_player_start(struct mrl_player *player, const struct mrl_game *game,
					      const struct mrl_player_limits *limits);

/* Waits until the search that was started has ended and `done` has returned; at once when there is none. */
void mrl_player_wait(struct mrl_player *player);

/* The search ends as soon as every thread has looked up, some 1000 positions later; at once when there is none. */
void mrl_player_stop(struct mrl_player *player);

/* The turn that was pondered on was played: the limits count from now on, time already spent helps. */
void mrl_player_ponder_hit(struct mrl_player *player);

/* Whether a search is running and its answer is still open; false from just before `done` is called. */
bool mrl_player_busy(const struct mrl_player *player);

/* ---- The clock ---------------------------------------------------------------------------------------------- */

struct mrl_player_allotment {
	uint64_t soft; /* past this no further iteration is begun */
	uint64_t hard; /* past this the search is cut */
};

/*
 * How long to think, by the clock alone: soft <= hard, hard at least 1, and hard never more than what is left less a
 * reserve for the way of the answer, while there is such a reserve.
 */
struct mrl_player_allotment mrl_player_allot(const struct mrl_player_clock *clock);

#endif
