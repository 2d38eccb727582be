/* What a position is worth: men, freedom, mills made and mills in the making. */
#include "search_internal.h"

#include <merels/builtins.h>

enum {
	WORTH_MAN = 100,
	WORTH_FREEDOM = 3,  /* a point that a man may slide to */
	WORTH_MILL = 14,    /* a closed mill */
	WORTH_PAIR = 10,    /* two men on a mill whose third point is empty */
	WORTH_JUNCTION = 2, /* a neighbour, occupied or not, of a man: standing where many lines meet */
};

static int freedom(const struct mrl_board *board, mrl_points own, mrl_points empty)
{
	unsigned count = 0;

	for (; own != 0; own &= own - 1)
		count += mrl_popcount(board->neighbours[mrl_lowest(own)] & empty);
	return (int)count;
}

static int side_worth(const struct mrl_rules *rules, const struct mrl_position *position, unsigned side)
{
	const struct mrl_board *board = &rules->board;
	mrl_points own = position->men[side];
	mrl_points empty = board->all & ~(own | position->men[side ^ 1U]);
	int worth = WORTH_MAN * (int)(mrl_popcount(own) + position->hand[side]);

	for (unsigned i = 0; i < board->mill_count; i++) {
		mrl_points missing = board->mill[i] & ~own;

		if (missing == 0)
			worth += WORTH_MILL;
		else if ((missing & (missing - 1)) == 0 && (missing & empty) != 0)
			worth += WORTH_PAIR;
	}
	if (!mrl_may_fly(rules, position, (enum mrl_side)side))
		worth += WORTH_FREEDOM * freedom(board, own, empty);
	if (position->hand[0] + position->hand[1] > 0)
		worth += WORTH_JUNCTION * freedom(board, own, board->all);
	return worth;
}

int mrl__evaluate(const struct mrl_rules *rules, const struct mrl_position *position)
{
	return side_worth(rules, position, position->side) - side_worth(rules, position, position->side ^ 1U);
}
