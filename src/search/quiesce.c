#include "search_internal.h"

int mrl__quiesce(struct mrl_search *search, unsigned ply, int alpha, int beta, unsigned plies_left)
{
	struct step *step = &search->way[ply];
	const struct mrl_position *position = &step->position;
	size_t pool = search->pool_used;
	size_t count;
	int best;
	struct ordered_turn *turns;

	search->line_length[ply] = 0;
	if (ply > search->selective_depth)
		search->selective_depth = ply;
	if (mrl__decided(search, ply, &best))
		return best;
	best = mrl__evaluate(&search->evaluator, position, step->threats);
	if (mrl__next_mill_decides(search, ply, &best))
		return best;
	if (best >= beta || plies_left == 0 || ply >= MAX_PLY || step->threats[position->side] == 0)
		return best;
	if (best > alpha)
		alpha = best;
	turns = mrl__takes_ordered(search, ply, &count);
	for (size_t i = 0; i < count && best < beta; i++) {
		int score;

		mrl__pick(turns, i, count);
		mrl__enter(search, ply, &turns[i].turn);
		if (mrl__must_stop(search))
			break;
		score = -mrl__quiesce(search, ply + 1, -beta, -alpha, plies_left - 1);
		if (score > best)
			best = score;
		if (score > alpha) {
			alpha = score;
			mrl__extend_line(search, ply, &turns[i].turn);
		}
	}
	search->pool_used = pool;
	return best;
}
