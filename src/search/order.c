/* The order in which turns are tried: the table's, takes, killers, then what has been good elsewhere. */
#include "search_internal.h"

#include <merels/builtins.h>

enum { ORDER_FIRST = 1 << 30, ORDER_TAKE = 1 << 28, ORDER_KILLER = 1 << 27 };

static uint32_t *history_of(struct mrl_search *search, unsigned side, const struct mrl_turn *turn)
{
	unsigned from = turn->from == MRL_NO_POINT ? MRL_MAX_POINTS : turn->from;

	return &search->history[side][from][turn->to];
}

static int32_t order_of(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn,
			const struct mrl_turn *first)
{
	const struct mrl_position *position = &search->way[ply].position;
	const struct mrl_board *board = &search->rules->board;

	if (first != NULL && mrl_turn_equal(turn, first))
		return ORDER_FIRST;
	if (turn->take[0] != MRL_NO_POINT) {
		/* Better to take a man out of a line he shares with another. */
		mrl_points enemies = position->men[position->side ^ 1U];
		int32_t worth = 0;

		for (unsigned i = 0; i < board->partner_count[turn->take[0]]; i++)
			worth += (board->partners[turn->take[0]][i] & enemies) != 0;
		return ORDER_TAKE + worth;
	}
	for (unsigned i = 0; i < KILLERS; i++)
		if (mrl_turn_equal(turn, &search->killers[ply][i]))
			return ORDER_KILLER - (int32_t)i;
	return (int32_t)*history_of(search, position->side, turn);
}

struct scored_turn *mrl__turns_ordered(struct mrl_search *search, unsigned ply, const struct mrl_turn *first,
				       size_t *count)
{
	struct scored_turn *turns = search->pool + search->pool_used;
	size_t room = POOL_TURNS - search->pool_used;
	size_t found = mrl_turns(search->rules, &search->way[ply].position, search->buffer, MRL_TURNS_USUAL);

	if (found > MRL_TURNS_USUAL)
		found = MRL_TURNS_USUAL;
	if (found > room)
		found = room;
	for (size_t i = 0; i < found; i++)
		turns[i] = (struct scored_turn){search->buffer[i], order_of(search, ply, &search->buffer[i], first)};
	search->pool_used += found;
	*count = found;
	return turns;
}

void mrl__pick(struct scored_turn *turns, size_t at, size_t count)
{
	size_t best = at;
	struct scored_turn swapped;

	for (size_t i = at + 1; i < count; i++)
		if (turns[i].order > turns[best].order)
			best = i;
	swapped = turns[at];
	turns[at] = turns[best];
	turns[best] = swapped;
}

void mrl__remember(struct mrl_search *search, unsigned ply, unsigned depth, const struct mrl_turn *turn)
{
	unsigned side = search->way[ply].position.side;
	uint32_t *history = history_of(search, side, turn);

	if (turn->take[0] != MRL_NO_POINT)
		return;
	if (!mrl_turn_equal(turn, &search->killers[ply][0])) {
		search->killers[ply][1] = search->killers[ply][0];
		search->killers[ply][0] = *turn;
	}
	*history += depth * depth;
	if (*history >= (1U << 26))
		for (unsigned from = 0; from <= MRL_MAX_POINTS; from++)
			for (unsigned to = 0; to < MRL_MAX_POINTS; to++)
				search->history[side][from][to] /= 2;
}
