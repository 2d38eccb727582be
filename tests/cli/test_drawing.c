/* Boards on a grid of characters, and the layout of the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drawing.h"
#include "play_layout.h"

static struct mrl_board boards[16];
static size_t board_count;

static int make_boards(void **state)
{
	(void)state;
	for (board_count = 0; mrl_board_name(board_count) != NULL; board_count++) {
		assert_true(board_count < 16);
		assert_int_equal(mrl_board_init(&boards[board_count], mrl_board_name(board_count),
						mrl_board_lines(board_count), NULL),
				 MRL_OK);
	}
	assert_true(board_count >= 6);
	return 0;
}

/* Calls `each` for every board in every scale, both ways round. */
static void for_drawings(void (*each)(const struct drawing *drawing))
{
	for (size_t i = 0; i < board_count; i++) {
		for (unsigned step = 2; step <= 6; step++) {
			for (int flipped = 0; flipped < 2; flipped++) {
				struct drawing drawing = {&boards[i], 2 * step, step, flipped != 0};

				each(&drawing);
			}
		}
	}
}

static void check_places(const struct drawing *drawing)
{
	for (unsigned point = 0; point < drawing->board->point_count; point++) {
		unsigned x;
		unsigned y;

		drawing_place(drawing, point, &x, &y);
		assert_true(x < drawing_width(drawing));
		assert_true(y < drawing_height(drawing));
		assert_int_equal(drawing_point_at(drawing, (int)x, (int)y), point);
		assert_int_equal(drawing_point_near(drawing, (int)x, (int)y), point);
		assert_int_equal(drawing_point_near(drawing, (int)x + 1, (int)y), point);
		assert_int_equal(drawing_strokes_at(drawing, 0, (int)x, (int)y).all, 0);
	}
	assert_int_equal(drawing_point_near(drawing, -100, -100), MRL_NO_POINT);
}

static void every_point_has_a_place_of_its_own_and_is_found_there(void **state)
{
	(void)state;
	for_drawings(check_places);
}

/* Follows the characters from a point towards a neighbour: none may be blank. */
static void check_line_is_drawn(const struct drawing *drawing, unsigned from, unsigned to)
{
	unsigned x0;
	unsigned y0;
	unsigned x1;
	unsigned y1;

	drawing_place(drawing, from, &x0, &y0);
	drawing_place(drawing, to, &x1, &y1);
	int dx = (int)x1 - (int)x0;
	int dy = (int)y1 - (int)y0;
	int steps = dy == 0 ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);

	for (int i = 1; i < steps; i++) {
		struct drawing_strokes strokes =
		    drawing_strokes_at(drawing, 0, (int)x0 + dx * i / steps, (int)y0 + dy * i / steps);

		assert_true(strokes.all != 0);
		assert_int_equal(strokes.heavy, 0);
		assert_string_not_equal(drawing_glyph(strokes, false), " ");
		assert_string_not_equal(drawing_glyph(strokes, true), " ");
	}
}

static void check_lines(const struct drawing *drawing)
{
	const struct mrl_board *board = drawing->board;

	for (unsigned l = 0; l < board->line_count; l++) {
		for (unsigned i = 0; i + 1 < board->line[l].length; i++)
			check_line_is_drawn(drawing, board->line[l].point[i], board->line[l].point[i + 1]);
	}
}

static void every_line_is_drawn_from_point_to_point(void **state)
{
	(void)state;
	for_drawings(check_lines);
}

static void check_mills(const struct drawing *drawing)
{
	const struct mrl_board *board = drawing->board;
	unsigned heavy = 0;

	for (int y = 0; y < (int)drawing_height(drawing); y++) {
		for (int x = 0; x < (int)drawing_width(drawing); x++)
			heavy += drawing_strokes_at(drawing, board->mill[0], x, y).heavy != 0;
	}
	assert_true(heavy > 0);
	/* Without one of its men it is no mill. */
	mrl_points two = board->mill[0] & (board->mill[0] - 1);

	for (int y = 0; y < (int)drawing_height(drawing); y++) {
		for (int x = 0; x < (int)drawing_width(drawing); x++)
			assert_int_equal(drawing_strokes_at(drawing, two, x, y).heavy, 0);
	}
}

static void a_mill_is_drawn_heavy_and_two_men_are_not(void **state)
{
	(void)state;
	for_drawings(check_mills);
}

/* The points that are reached from one with the given keys. */
static mrl_points reached(const struct drawing *drawing, unsigned start, const int keys[][2], unsigned key_count)
{
	mrl_points found = mrl_point_bit(start);
	mrl_points before;

	do {
		before = found;
		for (unsigned point = 0; point < drawing->board->point_count; point++) {
			if ((found & mrl_point_bit(point)) == 0)
				continue;
			for (unsigned i = 0; i < key_count; i++)
				found |= mrl_point_bit(drawing_walk(drawing, point, keys[i][0], keys[i][1]));
		}
	} while (found != before);
	return found;
}

static void check_walks(const struct drawing *drawing)
{
	static const int keys[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

	for (unsigned point = 0; point < drawing->board->point_count; point++) {
		assert_true(reached(drawing, point, keys, 4) == drawing->board->all);
		for (unsigned i = 0; i < 4; i++) {
			unsigned to = drawing_walk(drawing, point, keys[i][0], keys[i][1]);

			assert_true(to == point || (drawing->board->neighbours[point] & mrl_point_bit(to)) != 0);
		}
	}
}

static void the_arrow_keys_reach_every_point_along_lines_only(void **state)
{
	(void)state;
	for_drawings(check_walks);
}

static void arrow_keys_go_where_they_point_also_on_a_flipped_board(void **state)
{
	(void)state;
	struct mrl_board board;
	struct drawing drawing = {&board, 6, 3, false};

	assert_int_equal(mrl_board_init(&board, "ring24", mrl_board_lines(4), NULL), MRL_OK);
	assert_string_equal(mrl_board_name(4), "ring24");
	for (int flipped = 0; flipped < 2; flipped++) {
		drawing.flipped = flipped != 0;
		for (unsigned point = 0; point < board.point_count; point++) {
			unsigned x;
			unsigned y;
			unsigned to_x;
			unsigned to_y;

			drawing_place(&drawing, point, &x, &y);
			drawing_place(&drawing, drawing_walk(&drawing, point, 1, 0), &to_x, &to_y);
			assert_true(to_x >= x && to_y == y);
			drawing_place(&drawing, drawing_walk(&drawing, point, 0, 1), &to_x, &to_y);
			assert_true(to_x == x && to_y <= y);
		}
	}
}

static void check_layout(const struct mrl_board *board, int rows, int columns)
{
	struct play_layout layout = play_layout(board, false, rows, columns);

	if (!layout.fits) {
		assert_true(rows < layout.need_rows || columns < layout.need_columns);
		return;
	}
	int right = layout.board_column + (int)drawing_width(&layout.drawing) - 1 + 3;
	int files = layout.board_row + (int)drawing_height(&layout.drawing);

	assert_true(layout.left >= 0 && layout.left + layout.width <= columns);
	assert_true(layout.board_column >= layout.left + 4 && right < columns);
	assert_true(layout.board_row >= 1 && files < layout.sentence_row);
	assert_true(layout.sentence_rows >= 2 && layout.hints_row < rows);
	if (layout.beside) {
		assert_true(layout.panel_column > right && layout.panel_column + layout.panel_width <= columns);
		assert_true(layout.near_row + 3 <= layout.sentence_row && layout.far_row + 3 <= layout.near_row);
		assert_true(layout.turns_rows == 0 || layout.turns_row + layout.turns_rows <= layout.near_row);
	} else {
		assert_true(layout.far_row < layout.board_row && layout.near_row > files - 1);
		assert_true(layout.near_row < layout.sentence_row);
	}
}

static void nothing_on_the_screen_overlaps_at_any_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < board_count; i++) {
		for (int rows = 1; rows < 70; rows++) {
			for (int columns = 1; columns < 160; columns++)
				check_layout(&boards[i], rows, columns);
		}
	}
}

static void every_board_fits_a_terminal_of_80_by_24_with_its_turns_beside(void **state)
{
	(void)state;
	for (size_t i = 0; i < board_count; i++) {
		struct play_layout layout = play_layout(&boards[i], false, 24, 80);

		assert_true(layout.fits && layout.beside && layout.turns_rows >= 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_point_has_a_place_of_its_own_and_is_found_there),
	    cmocka_unit_test(every_line_is_drawn_from_point_to_point),
	    cmocka_unit_test(a_mill_is_drawn_heavy_and_two_men_are_not),
	    cmocka_unit_test(the_arrow_keys_reach_every_point_along_lines_only),
	    cmocka_unit_test(arrow_keys_go_where_they_point_also_on_a_flipped_board),
	    cmocka_unit_test(nothing_on_the_screen_overlaps_at_any_size),
	    cmocka_unit_test(every_board_fits_a_terminal_of_80_by_24_with_its_turns_beside),
	};

	return cmocka_run_group_tests(tests, make_boards, NULL);
}
