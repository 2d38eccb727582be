/*
 * The computer player: looks ahead and says which turn is best.
 *
 * Everything is in memory that the caller sizes and owns; nothing is allocated, no clock is read, no thread is started.
 * A struct mrl_search belongs to one thread at a time; several may work on one position together, sharing the
 * transposition table of the first (mrl_search_join). With one thread the same position, memory and limits give the
 * same answer on every machine.
 *
 *     struct mrl_search *search = mrl_search_init(memory, size);
 *     struct mrl_search_limits limits = {.depth = 10};
 *     struct mrl_search_result result;
 *
 *     if (mrl_search_run(search, &game, &limits, &result) == MRL_OK)
 *             play(result.lines[0].turns[0]);
 */
#ifndef MERELS_SEARCH_H
#define MERELS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

#define MRL_MAX_DEPTH 64
#define MRL_MAX_MULTI_PV 16

/*
 * Scores are for the side to move, in hundredths of a man. A win is MRL_SCORE_WIN minus the plies until the game is
 * won, a loss the negative of that; anything beyond +-MRL_SCORE_DECIDED is such a score. Between +-MRL_SCORE_KNOWN and
 * that the game is won or lost by a table that does not say in how many plies. 0 is a draw: the line ends in one by the
 * rules, or a table says so; where nothing is decided a score is never 0.
 */
#define MRL_SCORE_WIN 30000
#define MRL_SCORE_DECIDED 29000
#define MRL_SCORE_KNOWN 27000

struct mrl_search; /* opaque, at the start of the caller's memory */

/* ---- Exact values from elsewhere ---------------------------------------------------------------------------- */

/* What a table knows of a position, for the side to move, with unlimited patience (no counters, no repetition). */
struct mrl_exact {
	int value;    /* 1 won, 0 drawn, -1 lost */
	int distance; /* plies to the end of a won or lost position; -1: not known */
};

/* Asks a table; false when it does not know the position. Called from every searching thread at once. */
typedef bool (*mrl_probe)(void *context, const struct mrl_rules *rules, const struct mrl_position *position,
			  struct mrl_exact *exact);

/* ---- Searching ---------------------------------------------------------------------------------------------- */

/* A line of play and what it is worth. */
struct mrl_search_line {
	int score;
	unsigned length;
	struct mrl_turn turns[MRL_MAX_DEPTH];
};

struct mrl_search_result {
	unsigned depth;           /* of the last iteration that was finished */
	unsigned selective_depth; /* the deepest ply that was looked at */
	uint64_t nodes;           /* positions visited by this thread */
	uint64_t probes;          /* positions that a table knew */
	unsigned full;            /* share of the transposition table in use, in thousandths */
	unsigned line_count;
	struct mrl_search_line lines[MRL_MAX_MULTI_PV]; /* best first; lines[0].turns[0] is the turn to play */
};

struct mrl_search_limits {
	unsigned depth;  /* plies, 1..MRL_MAX_DEPTH; 0: no limit */
	uint64_t nodes;  /* positions visited; 0: no limit */
	unsigned lines;  /* how many lines are wanted, best first, 1..MRL_MAX_MULTI_PV; 0 is 1 */
	unsigned worker; /* 0 for the thread whose result counts; others vary their way on purpose */
	bool keep_going; /* go on when the result is certain, until told to stop (analysis, pondering) */
	/* Only these turns at the root; NULL: all. */
	const struct mrl_turn *only;
	size_t only_count;
	/* Asked at least every 1024 positions; true stops the search. NULL: never. Called by the searching thread. */
	bool (*stop)(void *context);
	/* Told after each iteration; `result` is good until it returns. NULL: not. */
	void (*report)(void *context, const struct mrl_search_result *result);
	mrl_probe probe; /* NULL: no tables */
	void *context;   /* of stop and report */
	void *probe_context;
};

/* The smallest memory that mrl_search_init() accepts; everything above it becomes transposition table. */
size_t mrl_search_minimum(void);

/* Makes a search in memory[0 .. size), aligned to 64 bytes for speed; NULL when that is too small. */
struct mrl_search *mrl_search_init(void *memory, size_t size);

/* Memory for a search that shares the transposition table of another, and such a search. */
size_t mrl_search_join_size(void);
struct mrl_search *mrl_search_join(void *memory, size_t size, struct mrl_search *leader);

/* Forgets what was learned. Running another rule set does so by itself. Not while a search that shares it runs. */
void mrl_search_clear(struct mrl_search *search);

/*
 * Looks for the best turn of the game's position, history and counters included. Deepens until a limit, a stop or a
 * certain result. MRL_DECIDED when the game is over, MRL_STOPPED when not even one ply was finished; lines[0] then
 * holds a legal turn all the same.
 */
MRL_MUST_USE enum mrl_status mrl_search_run(struct mrl_search *search, const struct mrl_game *game,
					    const struct mrl_search_limits *limits, struct mrl_search_result *result);

/* ---- Weaker players ----------------------------------------------------------------------------------------- */

#define MRL_LEVELS 10

/*
 * Chooses a turn as a player of a level from 1 (a child that knows the rules) to 10 (mrl_search_run itself) does. The
 * lower levels look less far ahead, and now and then overlook what the opponent can do next; they never overlook a mill
 * of their own. `seed` is any number: with another one they may choose otherwise. Of the limits, stop and only count at
 * every level, the others at level 10 alone. lines[0] has the turn, with the score that the player believes in.
 */
MRL_MUST_USE enum mrl_status mrl_level_run(struct mrl_search *search, const struct mrl_game *game, unsigned level,
					   uint64_t seed, const struct mrl_search_limits *limits,
					   struct mrl_search_result *result);

/* Positions visited so far by a search that may be running in another thread. */
uint64_t mrl_search_nodes(const struct mrl_search *search);

/* What a position is worth without looking ahead, for the side to move; 0 when it is decided. */
int mrl_search_evaluate(struct mrl_search *search, const struct mrl_rules *rules, const struct mrl_position *position);

#endif
