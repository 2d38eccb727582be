/*
 * Whether a won position can be won in time: before the no-mill counter runs out, and without a position coming again
 * that would then be a draw.
 *
 * With distances the winning side nears the end with each turn of the shortest win, so that plies left plus plies
 * counted never grow. A position is *safe* when that sum does not pass the limit and no dreaded position is nearer to
 * the end. For others a bounded search looks for a way to a safe one against every reply. With values alone a position
 * is safe when a mill has just been closed.
 */
#ifndef MERELS_TABLES_HUNT_H
#define MERELS_TABLES_HUNT_H

#include <merels/table.h>

/* Positions that would be a draw if they came again. */
enum { HUNT_MOST_DREADED = 32 };

struct hunt {
	struct mrl_tables *tables;
	const struct mrl_game *game;
	bool distances;
	unsigned dreaded_count;
	struct mrl_position dreaded[HUNT_MOST_DREADED];
	unsigned dreaded_plies[HUNT_MOST_DREADED]; /* to the end; MRL_TABLE_NO_PLIES: not by winning for this side */
	uint64_t budget;                           /* positions that may still be looked up */
	bool failed;                               /* a table could not be read */
};

/* Prepares for the side to move, which wins. */
MRL_MUST_USE enum mrl_status hunt_init(struct hunt *hunt, struct mrl_tables *tables, const struct mrl_game *game,
				       struct mrl_error *error);

/* How the game stands after a turn of it or of a line from it: men, counters, repetition as the game's own history has
 * it. */
struct mrl_verdict hunt_verdict(const struct mrl_game *game, const struct mrl_position *position);

/*
 * Whether the position, in which the losing side is to move and is lost in `plies`, is proved to be won in time by a
 * search of at most `depth` plies more. False too when the budget is used up.
 */
bool hunt_holds(struct hunt *hunt, const struct mrl_position *position, unsigned plies, unsigned depth);

#endif
