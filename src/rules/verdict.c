/* How a game ends, as far as one position tells. docs/RULES.md has the order. */
#include "rules_internal.h"

#include <merels/builtins.h>

static struct mrl_verdict won_by(unsigned side, enum mrl_reason reason)
{
	return (struct mrl_verdict){side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS, reason};
}

static unsigned men_left(const struct mrl_position *position, unsigned side)
{
	return mrl_popcount(position->men[side]) + position->hand[side];
}

/* Whether the side to move has any turn, were the game not decided otherwise. */
static bool can_move(const struct mrl_rules *rules, const struct mrl_position *position)
{
	mrl_points own = position->men[position->side];
	mrl_points empty = rules->board.all & ~(position->men[0] | position->men[1]);

	if (empty == 0)
		return false;
	if (position->hand[position->side] > 0)
		return true;
	if (mrl_may_fly(rules, position, (enum mrl_side)position->side))
		return own != 0;
	for (; own != 0; own &= own - 1)
		if (rules->board.neighbours[mrl_lowest(own)] & empty)
			return true;
	return false;
}

struct mrl_verdict mrl_men_verdict(const struct mrl_rules *rules, const struct mrl_position *position)
{
	unsigned side = position->side;
	unsigned mover = side ^ 1U; /* the side that made the last turn */

	if (rules->mill_wins) {
		if (mrl_points_in_mills(&rules->board, position->men[mover]) != 0)
			return won_by(mover, MRL_REASON_MILL);
		if (mrl_points_in_mills(&rules->board, position->men[side]) != 0)
			return won_by(side, MRL_REASON_MILL);
	}
	if (mrl_unlikely(men_left(position, side) < 3))
		return won_by(mover, MRL_REASON_FEW_MEN);
	if (mrl_unlikely(men_left(position, mover) < 3))
		return won_by(side, MRL_REASON_FEW_MEN);
	if (mrl_likely(can_move(rules, position)))
		return (struct mrl_verdict){MRL_ONGOING, MRL_REASON_NONE};
	if (rules->full_board_draws && (position->men[0] | position->men[1]) == rules->board.all)
		return (struct mrl_verdict){MRL_DRAW, MRL_REASON_FULL_BOARD};
	if (rules->stuck_draws)
		return (struct mrl_verdict){MRL_DRAW, MRL_REASON_NO_MOVES};
	return won_by(mover, MRL_REASON_NO_MOVES);
}

struct mrl_verdict mrl_position_verdict(const struct mrl_rules *rules, const struct mrl_position *position)
{
	struct mrl_verdict verdict = mrl_men_verdict(rules, position);

	if (verdict.outcome != MRL_ONGOING)
		return verdict;
	if (rules->no_mill != 0 && position->no_mill >= rules->no_mill)
		return (struct mrl_verdict){MRL_DRAW, MRL_REASON_NO_MILL};
	if (rules->three_men != 0 && position->three_men >= rules->three_men)
		return (struct mrl_verdict){MRL_DRAW, MRL_REASON_THREE_MEN};
	return verdict;
}

const char *mrl_outcome_text(enum mrl_outcome outcome)
{
	static const char *const texts[] = {"*", "1-0", "0-1", "1/2-1/2"};

	return (unsigned)outcome < sizeof texts / sizeof texts[0] ? texts[outcome] : "?";
}

const char *mrl_reason_text(enum mrl_reason reason)
{
	static const char *const texts[] = {
#define REASON(name, text) text,
	    MRL_REASON_TABLE(REASON)
#undef REASON
	};

	return (unsigned)reason < sizeof texts / sizeof texts[0] ? texts[reason] : "?";
}
