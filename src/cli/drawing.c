#include "drawing.h"

#include <stdlib.h>

unsigned drawing_width(const struct drawing *drawing)
{
	return (drawing->board->file_count - 1u) * drawing->step_x + 1;
}

unsigned drawing_height(const struct drawing *drawing)
{
	return (drawing->board->rank_count - 1u) * drawing->step_y + 1;
}

void drawing_place(const struct drawing *drawing, unsigned point, unsigned *x, unsigned *y)
{
	const struct mrl_board *board = drawing->board;
	unsigned file = board->place[point].file;
	unsigned rank = board->place[point].rank;

	*x = (drawing->flipped ? board->file_count - 1u - file : file) * drawing->step_x;
	*y = (drawing->flipped ? rank : board->rank_count - 1u - rank) * drawing->step_y;
}

unsigned drawing_point_at(const struct drawing *drawing, int x, int y)
{
	for (unsigned point = 0; point < drawing->board->point_count; point++) {
		unsigned px;
		unsigned py;

		drawing_place(drawing, point, &px, &py);
		if ((int)px == x && (int)py == y)
			return point;
	}
	return MRL_NO_POINT;
}

unsigned drawing_point_near(const struct drawing *drawing, int x, int y)
{
	unsigned nearest = MRL_NO_POINT;
	int least = 0;

	for (unsigned point = 0; point < drawing->board->point_count; point++) {
		unsigned px;
		unsigned py;

		drawing_place(drawing, point, &px, &py);
		int away_x = abs(x - (int)px);
		int away_y = abs(y - (int)py);

		if (2 * away_x > (int)drawing->step_x || 2 * away_y > (int)drawing->step_y)
			continue;
		/* A row is about as high as two columns are wide. */
		int distance = away_x * away_x + 4 * away_y * away_y;

		if (nearest == MRL_NO_POINT || distance < least) {
			nearest = point;
			least = distance;
		}
	}
	return nearest;
}

/* The stroke that the straight line between two points puts at a character; 0 when it does not come by. */
static unsigned segment_at(const struct drawing *drawing, unsigned from, unsigned to, int x, int y)
{
	unsigned ux;
	unsigned uy;

	drawing_place(drawing, from, &ux, &uy);
	int x0 = (int)ux;
	int y0 = (int)uy;

	drawing_place(drawing, to, &ux, &uy);
	int dx = (int)ux - x0;
	int dy = (int)uy - y0;

	if (dy == 0)
		return y == y0 && (x - x0) * (x - x0 - dx) < 0 ? STROKE_FLAT : 0;
	if (dx == 0)
		return x == x0 && (y - y0) * (y - y0 - dy) < 0 ? STROKE_UPRIGHT : 0;

	/* One character a row, as `/` looks right when it climbs one row in two columns; more where it is flatter. */
	int steps = abs(dx) / 2 > abs(dy) ? abs(dx) / 2 : abs(dy);

	for (int i = 1; i < steps; i++) {
		if (x == x0 + (dx * i) / steps && y == y0 + (dy * i) / steps)
			return (dx > 0) == (dy > 0) ? STROKE_FALLING : STROKE_RISING;
	}
	return 0;
}

/* Whether the part from point i to i + 1 of a line belongs to a mill of `men`. */
static bool in_mill(const struct mrl_line *line, unsigned i, mrl_points men)
{
	for (unsigned first = i > 0 ? i - 1 : 0; first <= i && first + 2 < line->length; first++) {
		mrl_points mill = mrl_point_bit(line->point[first]) | mrl_point_bit(line->point[first + 1]) |
				  mrl_point_bit(line->point[first + 2]);

		if ((mill & ~men) == 0)
			return true;
	}
	return false;
}

struct drawing_strokes drawing_strokes_at(const struct drawing *drawing, mrl_points men, int x, int y)
{
	struct drawing_strokes strokes = {0, 0};

	for (unsigned l = 0; l < drawing->board->line_count; l++) {
		const struct mrl_line *line = &drawing->board->line[l];

		for (unsigned i = 0; i + 1 < line->length; i++) {
			unsigned stroke = segment_at(drawing, line->point[i], line->point[i + 1], x, y);

			strokes.all |= stroke;
			if (stroke != 0 && in_mill(line, i, men))
				strokes.heavy |= stroke;
		}
	}
	return strokes;
}

const char *drawing_glyph(struct drawing_strokes strokes, bool utf8)
{
	bool heavy = strokes.heavy != 0;

	switch (strokes.all) {
	case 0:
		return " ";
	case STROKE_FLAT:
		return utf8 ? (heavy ? "━" : "─") : (heavy ? "=" : "-");
	case STROKE_UPRIGHT:
		return utf8 ? (heavy ? "┃" : "│") : (heavy ? "#" : "|");
	case STROKE_RISING:
		return utf8 ? "╱" : "/";
	case STROKE_FALLING:
		return utf8 ? "╲" : "\\";
	case STROKE_RISING | STROKE_FALLING:
		return utf8 ? "╳" : "X";
	default:
		return utf8 ? "┼" : "+";
	}
}

unsigned drawing_walk(const struct drawing *drawing, unsigned point, int right, int up)
{
	const struct mrl_board *board = drawing->board;
	int sign = drawing->flipped ? -1 : 1;
	unsigned best = point;
	long best_along = 0;
	long best_across = 0;

	for (unsigned other = 0; other < board->point_count; other++) {
		if ((board->neighbours[point] & mrl_point_bit(other)) == 0)
			continue;
		long dx = sign * (board->place[other].file - board->place[point].file);
		long dy = sign * (board->place[other].rank - board->place[point].rank);
		long along = dx * right + dy * up;
		long across = labs(dx * up - dy * right);

		/* Within an eighth of a turn of the key's direction; the straightest wins. */
		if (along <= 0 || across > along)
			continue;
		if (best == point || across * best_along < best_across * along) {
			best = other;
			best_along = along;
			best_across = across;
		}
	}
	return best;
}
