/*
 * Perfect play: what each legal turn of a game is worth by exact tables, and which are best.
 *
 * The tables know nothing of counters and repetition; here they are heeded, as the game's history has them. The best
 * turns are
 *
 *   - with a win: those of the shortest win that the counters and repetition allow. A win of n plies is allowed without
 *     further ado when the no-mill counter cannot run out in n plies, and no position that would be a draw when it
 *     comes again is nearer to the end; a longer one when a bounded search finds a way to a mill in time, whatever the
 *     opponent does. When none is proved, the shortest win is best. The three-men counter counts from when it runs.
 *     With tables of values alone: a turn that wins at once, else those that force a mill soonest and keep the win,
 *     else those to positions that have not been there; so that there is progress.
 *   - with a loss: those that put it off longest; among them, those that leave the winner the fewest replies that win.
 *   - with a draw: those that leave the opponent the most ways to go wrong. Each legal reply that loses counts as
 *     n / (n + 8), n plies being left to the end, for a loss that comes soon is seen by everybody (as 1 when distances
 *     are not known); `traps` is the sum, in thousandths of the number of replies. Turns that end the game at once
 *     come last.
 *
 * Where several are best, it is for the caller to choose, by the score of a search without tables for example.
 */
#ifndef MERELS_PERFECT_H
#define MERELS_PERFECT_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/rules.h>
#include <merels/status.h>
#include <merels/table.h>

struct mrl_perfect_turn {
	struct mrl_turn turn;
	struct mrl_table_value value; /* for the side that plays it, this ply counted; a draw by counters is one */
	bool ends;                    /* the game is over after it */
	bool proved;                  /* a win that counters and repetition are proved to allow; best turns are asked */
	unsigned traps; /* of a draw, see above; of a loss, the share of replies that do not win; thousandths */
};

struct mrl_perfect {
	struct mrl_table_value value;   /* of the best turns */
	size_t count;                   /* of legal turns, at least 1 */
	size_t best;                    /* turns[0 .. best) are equally good, at least 1 */
	struct mrl_perfect_turn *turns; /* owned; wins by length, then draws, then losses */
};

/*
 * Rates the legal turns of the game's position. The tables must be for its rule set, up to counters. MRL_DECIDED when
 * the game is over, MRL_POSITION when such men are in no table, MRL_MISSING when the tables know but endings
 * and this is none, MRL_SYSTEM for files that cannot be read and no memory;
 * then there is nothing to release. Thread-safe as mrl_tables_probe() is. Takes some thousand probes.
 */
MRL_MUST_USE enum mrl_status mrl_perfect_rate(struct mrl_tables *tables, const struct mrl_game *game,
					      struct mrl_perfect *perfect, struct mrl_error *error);

void mrl_perfect_release(struct mrl_perfect *perfect);

#endif
