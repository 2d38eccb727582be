#include "play_layout.h"

enum {
	MARGIN_LEFT = 4,  /* rank, a space, the mark and the edge of a man */
	MARGIN_RIGHT = 3, /* edge and mark of a man */
	TITLE = 1,
	FILES = 1,
	SENTENCE = 2,
	SENTENCE_MOST = 4,
	HINTS = 1,
	GAP = 2,
	PANEL_LEAST = 24,
	PANEL_MOST = 40,
	PLAYER_ROWS = 3,   /* of a player beside the board */
	STACKED_LEAST = 38 /* "> Black (computer): 12 in hand, 12 lost" */
};

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int board_columns(const struct drawing *drawing)
{
	return (int)drawing_width(drawing) + MARGIN_LEFT + MARGIN_RIGHT;
}

static int board_rows(const struct drawing *drawing)
{
	return (int)drawing_height(drawing) + FILES;
}

static void beside(struct play_layout *layout, int rows, int columns)
{
	int board = board_columns(&layout->drawing);

	layout->fits = true;
	layout->beside = true;
	layout->panel_width = smaller(columns - board - GAP, PANEL_MOST);
	layout->width = board + GAP + layout->panel_width;
	layout->left = (columns - layout->width) / 2;
	layout->board_row = TITLE;
	layout->board_column = layout->left + MARGIN_LEFT;
	layout->panel_column = layout->left + board + GAP;
	layout->far_row = TITLE;
	layout->near_row = TITLE + larger(board_rows(&layout->drawing) - FILES, 2 * PLAYER_ROWS) - PLAYER_ROWS;
	layout->turns_row = layout->far_row + PLAYER_ROWS + 1;
	layout->turns_rows = larger(layout->near_row - 1 - layout->turns_row, 0);
	layout->sentence_row = TITLE + larger(board_rows(&layout->drawing), 2 * PLAYER_ROWS);
	layout->sentence_rows = smaller(rows - HINTS - layout->sentence_row, SENTENCE_MOST);
	layout->hints_row = layout->sentence_row + layout->sentence_rows;
}

static void stacked(struct play_layout *layout, int rows, int columns)
{
	layout->fits = true;
	layout->beside = false;
	layout->width = larger(board_columns(&layout->drawing), smaller(columns, PANEL_LEAST + PANEL_MOST));
	layout->left = (columns - layout->width) / 2;
	layout->far_row = TITLE;
	layout->board_row = TITLE + 1;
	layout->board_column = layout->left + MARGIN_LEFT + (layout->width - board_columns(&layout->drawing)) / 2;
	layout->near_row = layout->board_row + board_rows(&layout->drawing);
	layout->panel_column = layout->left;
	layout->panel_width = layout->width;
	layout->turns_rows = 0;
	layout->sentence_row = layout->near_row + 1;
	layout->sentence_rows = smaller(rows - HINTS - layout->sentence_row, SENTENCE_MOST);
	layout->hints_row = layout->sentence_row + layout->sentence_rows;
}

struct play_layout play_layout(const struct mrl_board *board, bool flipped, int rows, int columns)
{
	static const unsigned steps[][2] = {{12, 6}, {10, 5}, {8, 4}, {6, 3}, {4, 2}};
	enum { STEPS = sizeof(steps) / sizeof(steps[0]) };
	struct play_layout layout = {.drawing = {.board = board, .flipped = flipped}};

	for (int i = 0; i < STEPS; i++) {
		layout.drawing.step_x = steps[i][0];
		layout.drawing.step_y = steps[i][1];
		int high = TITLE + larger(board_rows(&layout.drawing), 2 * PLAYER_ROWS) + SENTENCE + HINTS;

		if (high <= rows && board_columns(&layout.drawing) + GAP + PANEL_LEAST <= columns) {
			beside(&layout, rows, columns);
			return layout;
		}
	}
	for (int i = 0; i < STEPS; i++) {
		layout.drawing.step_x = steps[i][0];
		layout.drawing.step_y = steps[i][1];
		layout.need_rows = TITLE + 2 + board_rows(&layout.drawing) + SENTENCE + HINTS;
		layout.need_columns = larger(board_columns(&layout.drawing), STACKED_LEAST);
		if (layout.need_rows <= rows && layout.need_columns <= columns) {
			stacked(&layout, rows, columns);
			return layout;
		}
	}
	return layout;
}
