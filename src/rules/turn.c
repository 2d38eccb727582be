/* Legal turns: listed, and counted without listing. */
#include "generate.h"

bool mrl_turn_equal(const struct mrl_turn *a, const struct mrl_turn *b)
{
	return mrl_compare(a, b, sizeof *a) == 0;
}

unsigned mrl_turn_takes(const struct mrl_turn *turn)
{
	unsigned count = 0;

	while (count < MRL_MAX_MILLS_OF_POINT && turn->take[count] != MRL_NO_POINT)
		count++;
	return count;
}

struct mrl_turn mrl_turn_map(const struct mrl_board *board, unsigned s, const struct mrl_turn *turn)
{
	struct mrl_turn image = turn_without_take(turn->from, board->symmetry[s][turn->to]);

	if (turn->from != MRL_NO_POINT)
		image.from = board->symmetry[s][turn->from];
	for (unsigned i = 0; i < mrl_turn_takes(turn); i++)
		image.take[i] = board->symmetry[s][turn->take[i]];
	return image;
}

mrl_points mrl_takeable(const struct mrl_rules *rules, mrl_points enemies)
{
	mrl_points free;

	if (rules->take == MRL_TAKE_ANY)
		return enemies;
	free = enemies & ~mrl_points_in_mills(&rules->board, enemies);
	return free != 0 || rules->take == MRL_TAKE_FREE_ONLY ? free : enemies;
}

struct list {
	struct mrl_turn *turns;
	size_t capacity;
	size_t count;
};

static inline void append(void *context, const struct mrl_turn *turn)
{
	struct list *list = context;

	if (list->count < list->capacity)
		list->turns[list->count] = *turn;
	list->count++;
}

size_t mrl_turns(const struct mrl_rules *rules, const struct mrl_position *position, struct mrl_turn *turns,
		 size_t capacity)
{
	struct list list = {turns, capacity, 0};

	visit_turns(rules, position, append, &list);
	return list.count;
}

/* The empty points where one man more would complete a mill. */
static mrl_points closing_points(const struct mrl_board *board, mrl_points own, mrl_points empty)
{
	mrl_points closing = 0;

	for (unsigned i = 0; i < board->mill_count; i++) {
		mrl_points missing = board->mill[i] & ~own;

		closing |= (missing & (missing - 1)) == 0 ? missing : 0;
	}
	return closing & empty;
}

/* The movers among `candidates` that would close a mill at `to`: those that are not part of the mill themselves. */
static mrl_points closing_men(const struct mrl_board *board, mrl_points own, mrl_points candidates, unsigned to)
{
	mrl_points closing = 0;

	for (unsigned i = 0; i < board->partner_count[to]; i++) {
		mrl_points partners = board->partners[to][i];

		if ((own & partners) == partners)
			closing |= candidates & ~partners;
	}
	return closing;
}

/* Placements and moves without takes, and among them those that close a mill. */
struct landings {
	uint64_t all;
	uint64_t closing;
};

static struct landings count_moves(const struct mrl_board *board, mrl_points own, mrl_points empty, mrl_points closing,
				   bool flies)
{
	struct landings count = {0, 0};

	if (flies) {
		count.all = (uint64_t)mrl_popcount(own) * mrl_popcount(empty);
	} else {
		for (mrl_points to = empty; to != 0; to &= to - 1)
			count.all += mrl_popcount(board->neighbours[mrl_lowest(to)] & own);
	}
	for (mrl_points to = closing; to != 0; to &= to - 1) {
		unsigned point = mrl_lowest(to);
		mrl_points candidates = flies ? own : own & board->neighbours[point];

		count.closing += mrl_popcount(closing_men(board, own, candidates, point));
	}
	return count;
}

uint64_t mrl_turn_count(const struct mrl_rules *rules, const struct mrl_position *position)
{
	const struct mrl_board *board = &rules->board;
	unsigned side = position->side;
	mrl_points own = position->men[side];
	mrl_points enemies = position->men[side ^ 1U];
	mrl_points empty = board->all & ~(own | enemies);
	struct landings landings = {0, 0};
	mrl_points closing;
	uint64_t takeable;

	/* One turn may take several men here, in any order: count them one by one. */
	if (rules->take_per_mill && !rules->mill_wins)
		return mrl_turns(rules, position, NULL, 0);
	if (mrl_men_verdict(rules, position).outcome != MRL_ONGOING)
		return 0;
	closing = closing_points(board, own, empty);
	if (position->hand[side] > 0) {
		landings.all = mrl_popcount(empty);
		landings.closing = mrl_popcount(closing);
	}
	if (position->hand[side] == 0 || rules->move_early) {
		struct landings moves =
		    count_moves(board, own, empty, closing, mrl_may_fly(rules, position, (enum mrl_side)side));

		landings.all += moves.all;
		landings.closing += moves.closing;
	}
	if (landings.closing == 0 || rules->mill_wins)
		return landings.all;
	takeable = mrl_popcount(mrl_takeable(rules, enemies));
	return takeable == 0 ? landings.all : landings.all - landings.closing + landings.closing * takeable;
}
