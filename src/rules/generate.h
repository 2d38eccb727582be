/*
 * The generator of legal turns, as an inline walk that calls `visit` for each. Shared by the list of turns and by
 * perft, which both want it compiled into their own loop.
 */
#ifndef MERELS_GENERATE_H
#define MERELS_GENERATE_H

#include "rules_internal.h"

#include <merels/builtins.h>

typedef void (*turn_visit)(void *context, const struct mrl_turn *turn);

static inline struct mrl_turn turn_without_take(unsigned from, unsigned to)
{
	struct mrl_turn turn = {(uint8_t)from, (uint8_t)to, {0}};

	mrl_fill(turn.take, MRL_NO_POINT, sizeof turn.take);
	return turn;
}

/* take-count=per-mill: each take is chosen after the one before has left the board. */
static inline void visit_takes_per_mill(const struct mrl_rules *rules, mrl_points enemies, unsigned left,
					struct mrl_turn *turn, turn_visit visit, void *context)
{
	/* The men that may still be tried at each depth; a walk over a tree of at most six levels. */
	mrl_points untried[MRL_MAX_MILLS_OF_POINT];
	unsigned depth = 0;

	untried[0] = mrl_takeable(rules, enemies);
	if (untried[0] == 0) {
		visit(context, turn);
		return;
	}
	for (;;) {
		unsigned point;
		mrl_points next;

		if (untried[depth] == 0) {
			if (depth == 0)
				return;
			depth--;
			enemies |= mrl_point_bit(turn->take[depth]);
			turn->take[depth] = MRL_NO_POINT;
			continue;
		}
		point = mrl_lowest(untried[depth]);
		untried[depth] &= untried[depth] - 1;
		turn->take[depth] = (uint8_t)point;
		next = depth + 1 < left ? mrl_takeable(rules, enemies & ~mrl_point_bit(point)) : 0;
		if (next == 0) {
			visit(context, turn);
			turn->take[depth] = MRL_NO_POINT;
			continue;
		}
		enemies &= ~mrl_point_bit(point);
		untried[++depth] = next;
	}
}

/* Visits the turns that bring a man from `from` (or the hand) to `to`; `others` are the mover's other men. */
static inline void visit_landing(const struct mrl_rules *rules, mrl_points others, mrl_points enemies,
				 mrl_points takeable, unsigned from, unsigned to, turn_visit visit, void *context)
{
	struct mrl_turn turn = turn_without_take(from, to);
	unsigned closed = mrl_mills_closed(&rules->board, others, to);

	if (mrl_likely(closed == 0) || rules->mill_wins || takeable == 0) {
		visit(context, &turn);
		return;
	}
	if (rules->take_per_mill && closed > 1) {
		visit_takes_per_mill(rules, enemies, closed, &turn, visit, context);
		return;
	}
	for (mrl_points rest = takeable; rest != 0; rest &= rest - 1) {
		turn.take[0] = (uint8_t)mrl_lowest(rest);
		visit(context, &turn);
	}
}

static inline void visit_turns(const struct mrl_rules *rules, const struct mrl_position *position, turn_visit visit,
			       void *context)
{
	const struct mrl_board *board = &rules->board;
	unsigned side = position->side;
	mrl_points own = position->men[side];
	mrl_points enemies = position->men[side ^ 1U];
	mrl_points empty = board->all & ~(own | enemies);
	mrl_points takeable;
	bool flies;

	if (mrl_men_verdict(rules, position).outcome != MRL_ONGOING)
		return;
	takeable = mrl_takeable(rules, enemies);
	if (position->hand[side] > 0) {
		for (mrl_points to = empty; to != 0; to &= to - 1)
			visit_landing(rules, own, enemies, takeable, MRL_NO_POINT, mrl_lowest(to), visit, context);
		if (!rules->move_early)
			return;
	}
	flies = mrl_may_fly(rules, position, (enum mrl_side)side);
	for (mrl_points men = own; men != 0; men &= men - 1) {
		unsigned from = mrl_lowest(men);
		mrl_points others = own & ~mrl_point_bit(from);
		mrl_points targets = flies ? empty : empty & board->neighbours[from];

		for (mrl_points to = targets; to != 0; to &= to - 1)
			visit_landing(rules, others, enemies, takeable, from, mrl_lowest(to), visit, context);
	}
}

#endif
