/* The order in which turns are tried. */
#include "search_internal.h"

#include <merels/builtins.h>

enum {
	ORDER_FIRST = 1 << 30,
	ORDER_WIN = 1 << 29,
	ORDER_TAKE = 1 << 27,
	ORDER_BLOCK = 1 << 15,
	ORDER_KILLER = 1 << 16,
	ORDER_REPLY = 3 << 14,
	HISTORY_LIMIT = 1 << 14
};

static unsigned from_index(const struct mrl_turn *turn)
{
	return turn->from == MRL_NO_POINT ? HAND : turn->from;
}

/* How useful a man is to its side: the mills it can still help to make, more where it has company. */
static int use_of_man(const struct mrl_board *board, mrl_points own, mrl_points others, unsigned point)
{
	int use = 0;

	for (unsigned i = 0; i < board->partner_count[point]; i++) {
		mrl_points partners = board->partners[point][i];

		if ((partners & others) == 0)
			use += 1 + 3 * (int)mrl_popcount(partners & own);
	}
	return use;
}

struct ordering {
	struct mrl_search *search;
	const struct mrl_position *position;
	const struct mrl_turn *first;
	const struct mrl_turn *killers;
	const struct mrl_turn *reply;
	mrl_points dangers; /* where the enemy would close a mill */
};

static int32_t order_of(const struct ordering *ordering, const struct mrl_turn *turn)
{
	const struct mrl_rules *rules = ordering->search->rules;
	const struct mrl_position *position = ordering->position;
	unsigned side = position->side;
	mrl_points own = position->men[side];
	mrl_points enemies = position->men[side ^ 1U];
	mrl_points others = turn->from == MRL_NO_POINT ? own : own & ~mrl_point_bit(turn->from);
	int32_t order;

	if (ordering->first != NULL && mrl_turn_equal(turn, ordering->first))
		return ORDER_FIRST;
	if (mrl__takes(turn))
		return ORDER_TAKE + 64 * use_of_man(&rules->board, enemies, own, turn->take[0]) +
		       use_of_man(&rules->board, others, enemies, turn->to);
	if (rules->mill_wins && mrl_mills_closed(&rules->board, others, turn->to) > 0)
		return ORDER_WIN;
	order = ordering->search->history[side][from_index(turn)][turn->to];
	if (ordering->dangers & mrl_point_bit(turn->to))
		order += ORDER_BLOCK;
	if (mrl_turn_equal(turn, &ordering->killers[0]) || mrl_turn_equal(turn, &ordering->killers[1]))
		order += ORDER_KILLER;
	else if (mrl_turn_equal(turn, ordering->reply))
		order += ORDER_REPLY;
	return order;
}

static size_t list_turns(struct mrl_search *search, unsigned ply)
{
	size_t found = mrl_turns(search->rules, &search->way[ply].position, search->buffer, MRL_TURNS_USUAL);
	size_t room = POOL_TURNS - search->pool_used;

	if (found > MRL_TURNS_USUAL)
		found = MRL_TURNS_USUAL;
	return found < room ? found : room;
}

static struct mrl_turn *reply_of(struct mrl_search *search, unsigned ply)
{
	const struct step *step = &search->way[ply];

	return &search->replies[step->position.side][from_index(&step->turn)][step->turn.to];
}

struct ordered_turn *mrl__turns_ordered(struct mrl_search *search, unsigned ply, const struct mrl_turn *first,
					size_t *count)
{
	static const struct mrl_turn none = {0};
	struct ordered_turn *turns = search->pool + search->pool_used;
	const struct mrl_position *position = &search->way[ply].position;
	size_t found = list_turns(search, ply);
	struct ordering ordering = {.search = search,
				    .position = position,
				    .first = first,
				    .killers = search->killers[ply],
				    .reply = ply > 0 ? reply_of(search, ply) : &none,
				    .dangers = search->way[ply].threats[position->side ^ 1U]};

	for (size_t i = 0; i < found; i++) {
		turns[i].turn = search->buffer[i];
		turns[i].order = order_of(&ordering, &search->buffer[i]);
	}
	search->pool_used += found;
	*count = found;
	return turns;
}

struct ordered_turn *mrl__takes_ordered(struct mrl_search *search, unsigned ply, size_t *count)
{
	struct ordered_turn *turns = search->pool + search->pool_used;
	struct ordering ordering = {.search = search, .position = &search->way[ply].position};
	size_t listed = list_turns(search, ply);
	size_t found = 0;

	for (size_t i = 0; i < listed; i++) {
		if (!mrl__takes(&search->buffer[i]))
			continue;
		turns[found].turn = search->buffer[i];
		turns[found++].order = order_of(&ordering, &search->buffer[i]);
	}
	search->pool_used += found;
	*count = found;
	return turns;
}

void mrl__pick(struct ordered_turn *turns, size_t at, size_t count)
{
	size_t best = at;
	struct ordered_turn swapped;

	for (size_t i = at + 1; i < count; i++)
		if (turns[i].order > turns[best].order)
			best = i;
	swapped = turns[at];
	turns[at] = turns[best];
	turns[best] = swapped;
}

/* Moves a history value towards +-HISTORY_LIMIT, the less the nearer it is. */
static void adjust(int16_t *value, int bonus)
{
	int size = bonus < 0 ? -bonus : bonus;

	*value = (int16_t)(*value + bonus - *value * size / HISTORY_LIMIT);
}

void mrl__remember(struct mrl_search *search, unsigned ply, int depth, const struct ordered_turn *turns, size_t index)
{
	const struct mrl_turn *turn = &turns[index].turn;
	unsigned side = search->way[ply].position.side;
	int bonus = depth * depth * 8 < 1600 ? depth * depth * 8 : 1600;

	if (mrl__takes(turn))
		return;
	if (!mrl_turn_equal(turn, &search->killers[ply][0])) {
		search->killers[ply][1] = search->killers[ply][0];
		search->killers[ply][0] = *turn;
	}
	if (ply > 0)
		*reply_of(search, ply) = *turn;
	adjust(&search->history[side][from_index(turn)][turn->to], bonus);
	for (size_t i = 0; i < index; i++)
		if (!mrl__takes(&turns[i].turn))
			adjust(&search->history[side][from_index(&turns[i].turn)][turns[i].turn.to], -bonus);
}
