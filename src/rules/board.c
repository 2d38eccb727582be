/* A board from its lines: points, neighbours, mills, and what can be asked of a set of men. */
#include "rules_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

#define MAX_RANK 64

/* Reads "d6" at *text; false when there is no point name. */
static bool read_place(const char **text, struct mrl_place *place)
{
	const char *at = *text;
	unsigned rank = 0;

	if (*at < 'a' || *at > 'z')
		return false;
	place->file = (uint8_t)(*at++ - 'a');
	if (*at < '1' || *at > '9')
		return false;
	while (*at >= '0' && *at <= '9' && rank <= MAX_RANK)
		rank = rank * 10 + (unsigned)(*at++ - '0');
	if (rank > MAX_RANK)
		return false;
	place->rank = (uint8_t)(rank - 1);
	*text = at;
	return true;
}

static enum mrl_status refuse(struct mrl_error *error, const char *reason, size_t column)
{
	struct mrl_text text = mrl_error_open(error, MRL_BOARD, 1, column);

	mrl_text_add(&text, reason);
	return MRL_BOARD;
}

static bool place_before(struct mrl_place a, struct mrl_place b)
{
	return a.rank != b.rank ? a.rank < b.rank : a.file < b.file;
}

/* Inserts a place where its order is; false when the board is full. */
static bool add_place(struct mrl_board *board, struct mrl_place place)
{
	unsigned at = board->point_count;

	if (mrl_point_at(board, place.file, place.rank) != MRL_NO_POINT)
		return true;
	if (board->point_count == MRL_MAX_POINTS)
		return false;
	while (at > 0 && place_before(place, board->place[at - 1])) {
		board->place[at] = board->place[at - 1];
		at--;
	}
	board->place[at] = place;
	board->point_count++;
	if (place.file >= board->file_count)
		board->file_count = (uint8_t)(place.file + 1);
	if (place.rank >= board->rank_count)
		board->rank_count = (uint8_t)(place.rank + 1);
	return true;
}

/* First pass: every point that is named, in order. */
static enum mrl_status read_points(struct mrl_board *board, const char *lines, struct mrl_error *error)
{
	for (const char *at = lines; *at != '\0';) {
		struct mrl_place place;
		const char *start = at;

		if (!read_place(&at, &place))
			return refuse(error, "expected a point, a letter and a number from 1 to 64",
				      (size_t)(start - lines) + 1);
		if (!add_place(board, place))
			return refuse(error, "more than 64 points", (size_t)(start - lines) + 1);
		if (*at == ' ' || *at == '/')
			at++;
		else if (*at != '\0')
			return refuse(error, "expected a space or a slash after a point", (size_t)(at - lines) + 1);
	}
	return MRL_OK;
}

/* Second pass, now that the points have their numbers: the lines. */
static enum mrl_status read_lines(struct mrl_board *board, const char *lines, struct mrl_error *error)
{
	const char *at = lines;

	while (*at != '\0') {
		struct mrl_line *line = &board->line[board->line_count];
		mrl_points seen = 0;

		if (board->line_count == MRL_MAX_LINES)
			return refuse(error, "more than 48 lines", (size_t)(at - lines) + 1);
		board->line_count++;
		for (;;) {
			struct mrl_place place;
			unsigned point;
			size_t column = (size_t)(at - lines) + 1;

			if (!read_place(&at, &place))
				return refuse(error, "expected a point after the space", column);
			point = mrl_point_at(board, place.file, place.rank);
			if (seen & mrl_point_bit(point))
				return refuse(error, "a point stands twice on one line", column);
			if (line->length == MRL_MAX_LINE_POINTS)
				return refuse(error, "more than 9 points on one line", column);
			seen |= mrl_point_bit(point);
			line->point[line->length++] = (uint8_t)point;
			if (*at != ' ')
				break;
			at++;
		}
		if (line->length < 2)
			return refuse(error, "a line with one point", (size_t)(at - lines) + 1);
		if (*at == '/')
			at++;
	}
	return MRL_OK;
}

static bool add_mill(struct mrl_board *board, mrl_points mill)
{
	for (unsigned i = 0; i < board->mill_count; i++)
		if (board->mill[i] == mill)
			return true;
	if (board->mill_count == MRL_MAX_MILLS)
		return false;
	board->mill[board->mill_count++] = mill;
	for (mrl_points rest = mill; rest != 0; rest &= rest - 1) {
		unsigned point = mrl_lowest(rest);

		if (board->partner_count[point] == MRL_MAX_MILLS_OF_POINT)
			return false;
		board->partners[point][board->partner_count[point]++] = mill & ~mrl_point_bit(point);
	}
	return true;
}

static enum mrl_status derive(struct mrl_board *board, struct mrl_error *error)
{
	for (unsigned i = 0; i < board->line_count; i++) {
		const struct mrl_line *line = &board->line[i];

		for (unsigned k = 1; k < line->length; k++) {
			board->neighbours[line->point[k - 1]] |= mrl_point_bit(line->point[k]);
			board->neighbours[line->point[k]] |= mrl_point_bit(line->point[k - 1]);
		}
		for (unsigned k = 2; k < line->length; k++)
			if (!add_mill(board, mrl_point_bit(line->point[k - 2]) | mrl_point_bit(line->point[k - 1]) |
						 mrl_point_bit(line->point[k])))
				return refuse(error, "more than 64 mills, or more than 6 through one point", 0);
	}
	for (unsigned point = 0; point < board->point_count; point++)
		if (mrl_popcount(board->neighbours[point]) > MRL_MAX_NEIGHBOURS)
			return refuse(error, "a point with more than 8 neighbours", 0);
	return MRL_OK;
}

enum mrl_status mrl_board_init(struct mrl_board *board, const char *name, const char *lines, struct mrl_error *error)
{
	enum mrl_status status;

	mrl_fill(board, 0, sizeof *board);
	board->name = name;
	if (*lines == '\0')
		return refuse(error, "a board needs at least one line", 1);
	status = read_points(board, lines, error);
	if (status == MRL_OK)
		status = read_lines(board, lines, error);
	if (status == MRL_OK)
		status = derive(board, error);
	if (status != MRL_OK)
		return status;
	board->all = board->point_count == 64 ? ~(mrl_points)0 : mrl_point_bit(board->point_count) - 1;
	if (!mrl__find_symmetries(board))
		return refuse(error, "more than 96 symmetries", 0);
	return MRL_OK;
}

size_t mrl_point_name(const struct mrl_board *board, unsigned point, char name[4])
{
	struct mrl_text text = mrl_text_in(name, 4);

	mrl_text_char(&text, (char)('a' + board->place[point].file));
	mrl_text_number(&text, board->place[point].rank + 1U);
	return text.length;
}

unsigned mrl_point_at(const struct mrl_board *board, unsigned file, unsigned rank)
{
	for (unsigned point = 0; point < board->point_count; point++)
		if (board->place[point].file == file && board->place[point].rank == rank)
			return point;
	return MRL_NO_POINT;
}

mrl_points mrl_points_map(const struct mrl_board *board, unsigned s, mrl_points points)
{
	mrl_points image = 0;

	for (; points != 0; points &= points - 1)
		image |= mrl_point_bit(board->symmetry[s][mrl_lowest(points)]);
	return image;
}

mrl_points mrl_points_in_mills(const struct mrl_board *board, mrl_points men)
{
	mrl_points inside = 0;

	for (unsigned i = 0; i < board->mill_count; i++)
		if ((men & board->mill[i]) == board->mill[i])
			inside |= board->mill[i];
	return inside;
}

unsigned mrl_mills_closed(const struct mrl_board *board, mrl_points others, unsigned point)
{
	unsigned closed = 0;

	for (unsigned i = 0; i < board->partner_count[point]; i++)
		closed += (others & board->partners[point][i]) == board->partners[point][i];
	return closed;
}
