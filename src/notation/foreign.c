/* What the foreign position formats have in common: the three rings, and what they cannot say. */
#include <merels/builtins.h>

#include "formats.h"

/* Clockwise from the upper left corner: does the point lie at the low edge (0), in the middle (1), at the high edge
 * (2)? */
static const uint8_t ring_file[8] = {0, 1, 2, 2, 2, 1, 0, 0};
static const uint8_t ring_rank[8] = {2, 2, 2, 1, 0, 0, 0, 1};

unsigned mrl__ring_point(const struct mrl_board *board, unsigned ring, unsigned k)
{
	const unsigned edge[3] = {ring, 3, 6 - ring};

	return mrl_point_at(board, edge[ring_file[k]], edge[ring_rank[k]]);
}

bool mrl__has_rings(const struct mrl_board *board)
{
	if (board->point_count != 24)
		return false;
	for (unsigned i = 0; i < 24; i++)
		if (mrl__ring_point(board, i / 8, i % 8) == MRL_NO_POINT)
			return false;
	return true;
}

enum mrl_status mrl__need_rings(const struct mrl__scan *scan, const struct mrl_board *board, const char *format,
				struct mrl_error *error)
{
	struct mrl_text text;

	if (mrl__has_rings(board))
		return MRL_OK;
	text = scan != NULL ? mrl__fail(scan, scan->at, MRL_UNSUPPORTED, error)
			    : mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);
	mrl_text_add(&text, format);
	mrl_text_add(&text, " has the 24 points of ring24 and ring24x; it cannot say a position of ");
	mrl_text_add(&text, board->name);
	return MRL_UNSUPPORTED;
}

enum mrl_status mrl__need_no_three_men(const struct mrl_position *position, const char *format, struct mrl_error *error)
{
	struct mrl_text text;

	if (position->three_men == 0)
		return MRL_OK;
	text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);
	mrl_text_add(&text, format);
	mrl_text_add(&text, " has no field for the three-men counter, which is ");
	mrl_text_number(&text, position->three_men);
	mrl_text_add(&text, " here; only a position with 0 can be written");
	return MRL_UNSUPPORTED;
}

unsigned mrl__least_plies(const struct mrl_rules *rules, const struct mrl_position *position)
{
	unsigned plies = 2U * rules->men - position->hand[MRL_WHITE] - position->hand[MRL_BLACK] + position->no_mill;

	/* White has the even plies. */
	return plies % 2 == position->side ? plies : plies + 1;
}
