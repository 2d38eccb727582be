/*
 * Weaker players. A player of a level scores every turn by a short search, but with some probability it does not see
 * the opponent's answers to a turn, and judges by what the board looks like at once. So it takes what it can take,
 * closes the mills it sees, and walks into the opponent's, as people do.
 */
#include "search_internal.h"

#include <merels/builtins.h>

struct level {
	uint8_t depth;  /* plies looked ahead */
	uint8_t blind;  /* turns in a hundred whose answers are overlooked */
	uint8_t unsure; /* hundredths of a man within which turns look alike */
	bool trained;   /* judges by the network; the others by features that people look at too */
	uint32_t nodes; /* positions visited at most */
};

static const struct level levels[MRL_LEVELS] = {
    {1, 100, 40, false, 20000}, {2, 55, 30, false, 20000}, {2, 22, 22, false, 20000}, {3, 26, 19, false, 20000},
    {4, 17, 16, false, 30000},  {5, 10, 12, false, 40000}, {6, 5, 9, false, 80000},   {7, 1, 6, false, 120000},
    {8, 1, 5, true, 200000},    {0, 0, 0, true, 0},
};

/* The next of a sequence of random numbers (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int below(uint64_t *state, unsigned limit)
{
	return limit == 0 ? 0 : (int)((next_random(state) >> 33) % limit);
}

static void sort_root(struct mrl_search *search)
{
	for (size_t i = 1; i < search->root_count; i++) {
		struct root_turn turn = search->root[i];
		size_t at = i;

		for (; at > 0 && search->root[at - 1].score < turn.score; at--)
			search->root[at] = search->root[at - 1];
		search->root[at] = turn;
	}
}

/* Scores every root turn `depth` plies deep, down to `margin` below the best. False when stopped. */
static bool score_root(struct mrl_search *search, int depth, int margin)
{
	int best = -INFINITE_SCORE;

	for (size_t i = 0; i < search->root_count; i++) {
		int alpha = best > -INFINITE_SCORE + margin ? best - margin : -INFINITE_SCORE;
		int score;

		mrl__enter(search, 0, &search->root[i].turn);
		if (mrl__must_stop(search))
			return false;
		score = -mrl__look(search, 1, depth - 1, -INFINITE_SCORE, -alpha, false);
		if (search->stopped)
			return false;
		search->root[i].score = score;
		if (score > best)
			best = score;
	}
	sort_root(search);
	return true;
}

/* What a root turn looks like to somebody who does not think of an answer. */
static int glance(struct mrl_search *search, const struct mrl_turn *turn)
{
	int score;

	mrl__enter(search, 0, turn);
	if (mrl__decided(search, 1, &score))
		return -score;
	return -mrl__evaluate(&search->evaluator, &search->way[1].position, search->way[1].threats);
}

static size_t choose(struct mrl_search *search, const struct level *level, uint64_t seed)
{
	uint64_t state = seed ^ search->way[0].position.hash;
	int best_score = -2 * INFINITE_SCORE;
	size_t best = 0;

	for (size_t i = 0; i < search->root_count; i++) {
		const struct mrl_turn *turn = &search->root[i].turn;
		bool blind = below(&state, 100) < level->blind;
		int score = blind ? glance(search, turn) : search->root[i].score;

		if (score < MRL_SCORE_DECIDED && score > -MRL_SCORE_DECIDED) {
			score += below(&state, level->unsure);
			score -= below(&state, level->unsure);
			score += score == 0; /* which would be a draw */
		}
		if (score > best_score) {
			best_score = score;
			best = i;
		}
	}
	search->root[best].score = best_score;
	return best;
}

enum mrl_status mrl_level_run(struct mrl_search *search, const struct mrl_game *game, unsigned level_number,
			      uint64_t seed, const struct mrl_search_limits *limits, struct mrl_search_result *result)
{
	const struct level *level;
	struct mrl_search_limits own_limits;
	enum mrl_status status;
	size_t chosen;

	if (level_number < 1 || level_number >= MRL_LEVELS)
		return mrl_search_run(search, game, limits, result);
	level = &levels[level_number - 1];
	own_limits = (struct mrl_search_limits){.nodes = level->nodes,
						.only = limits->only,
						.only_count = limits->only_count,
						.stop = limits->stop,
						.context = limits->context};
	/* A player of a level knows nothing of what better ones, or it itself, have seen before. */
	mrl__forget_order(search);
	search->disguise = next_random(&seed);
	status = mrl__begin(search, game, &own_limits, result);
	if (status != MRL_OK)
		return status;
	if (!level->trained)
		search->evaluator.asks_network = false;
	for (unsigned depth = 1; depth <= level->depth; depth++) {
		if (!score_root(search, (int)depth, 4 * level->unsure))
			break;
		result->depth = depth;
	}
	search->stopped = false; /* the choice itself takes no time */
	chosen = choose(search, level, seed);
	mrl__publish(search, chosen, result);
	return result->depth > 0 ? MRL_OK : MRL_STOPPED;
}
