/*
 * The symmetry group of a board: all permutations of its points that keep neighbours and mills.
 *
 * Points are given their images one after the other; an image must have the same number of neighbours and mills and
 * the same neighbours among the points placed so far. A complete assignment must map every mill to a mill.
 */
#include "rules_internal.h"

#include <merels/builtins.h>

static bool is_mill(const struct mrl_board *board, mrl_points points)
{
	for (unsigned i = 0; i < board->mill_count; i++)
		if (board->mill[i] == points)
			return true;
	return false;
}

static bool keeps_mills(const struct mrl_board *board, const uint8_t *image)
{
	for (unsigned i = 0; i < board->mill_count; i++) {
		mrl_points mapped = 0;

		for (mrl_points rest = board->mill[i]; rest != 0; rest &= rest - 1)
			mapped |= mrl_point_bit(image[mrl_lowest(rest)]);
		if (!is_mill(board, mapped))
			return false;
	}
	return true;
}

/* Whether `target` can be the image of `point`, the points before it having theirs. */
static bool fits(const struct mrl_board *board, const uint8_t *image, unsigned point, unsigned target)
{
	if (mrl_popcount(board->neighbours[point]) != mrl_popcount(board->neighbours[target]) ||
	    board->partner_count[point] != board->partner_count[target])
		return false;
	for (unsigned earlier = 0; earlier < point; earlier++) {
		bool near = (board->neighbours[point] & mrl_point_bit(earlier)) != 0;
		bool image_near = (board->neighbours[target] & mrl_point_bit(image[earlier])) != 0;

		if (near != image_near)
			return false;
	}
	return true;
}

bool mrl__find_symmetries(struct mrl_board *board)
{
	uint8_t image[MRL_MAX_POINTS] = {0};
	uint8_t next[MRL_MAX_POINTS] = {0}; /* the next image to try, for each point */
	mrl_points used = 0;
	unsigned point = 0;

	for (;;) {
		unsigned target = next[point];

		while (target < board->point_count &&
		       ((used & mrl_point_bit(target)) || !fits(board, image, point, target)))
			target++;
		if (target == board->point_count) {
			if (point == 0)
				return true;
			point--;
			used &= ~mrl_point_bit(image[point]);
			continue;
		}
		next[point] = (uint8_t)(target + 1);
		image[point] = (uint8_t)target;
		if (point + 1U < board->point_count) {
			used |= mrl_point_bit(target);
			next[++point] = 0;
			continue;
		}
		if (keeps_mills(board, image)) {
			if (board->symmetry_count == MRL_MAX_SYMMETRIES)
				return false;
			mrl_copy(board->symmetry[board->symmetry_count++], image, sizeof image);
		}
	}
}
