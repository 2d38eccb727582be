/*
 * The computer player: looks ahead and says which turn is best.
 *
 * Everything is in memory that the caller sizes and owns (mrl_search_init); nothing is allocated, no clock is read.
 * A struct mrl_search belongs to one thread at a time. The same position, memory and limits give the same answer.
 */
#ifndef MERELS_SEARCH_H
#define MERELS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

#define MRL_MAX_DEPTH 64

/*
 * Scores are for the side to move, in hundredths of a man. A win is MRL_SCORE_WIN minus the plies until the game is
 * won, a loss the negative of that; anything beyond +-MRL_SCORE_DECIDED is such a score.
 */
#define MRL_SCORE_WIN 30000
#define MRL_SCORE_DECIDED 29000

struct mrl_search; /* opaque, at the start of the caller's memory */

struct mrl_search_limits {
	unsigned depth; /* plies, 1..MRL_MAX_DEPTH; 0: no limit */
	uint64_t nodes; /* positions visited; 0: no limit */
	/* Asked every thousand nodes or so; true stops the search. NULL: never. May be called from the searching thread
	 * only. */
	bool (*stop)(void *context);
	void *context;
};

struct mrl_search_result {
	struct mrl_turn best;
	int score;
	unsigned depth; /* of the last iteration that was finished */
	uint64_t nodes;
	unsigned length;                     /* of the line */
	struct mrl_turn line[MRL_MAX_DEPTH]; /* best play, line[0] is `best` */
};

/* The smallest memory that mrl_search_init() accepts; everything above it becomes transposition table. */
size_t mrl_search_minimum(void);

/* Makes a search in memory[0 .. size), aligned as for any object; NULL when that is too small. */
struct mrl_search *mrl_search_init(void *memory, size_t size);

/* Forgets what was learned, for a new game or other rules. */
void mrl_search_clear(struct mrl_search *search);

/*
 * Looks for the best turn of the game's position, history and counters included. Deepens until a limit, a stop or a
 * certain result. MRL_DECIDED when the game is over, MRL_STOPPED when not even one ply was finished (`best` is
 * then a legal turn all the same).
 */
MRL_MUST_USE enum mrl_status mrl_search_run(struct mrl_search *search, const struct mrl_game *game,
					    const struct mrl_search_limits *limits, struct mrl_search_result *result);

#endif
