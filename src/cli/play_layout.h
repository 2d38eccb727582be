/* Where everything goes on a screen of a given size. Pure arithmetic; rows and columns count from 0. */
#ifndef MERELS_CLI_PLAY_LAYOUT_H
#define MERELS_CLI_PLAY_LAYOUT_H

#include <stdbool.h>

#include "drawing.h"

struct play_layout {
	struct drawing drawing; /* as large as there is room for */
	bool fits;              /* if not, only the next two hold */
	int need_rows;          /* the smallest screen for this board */
	int need_columns;
	int left;      /* first column of all that is shown */
	int width;     /* columns of all that is shown */
	int board_row; /* where the drawing's (0, 0) is */
	int board_column;
	bool beside; /* players and turns to the right of the board; if not, a row for each player */
	int panel_column;
	int panel_width;
	int far_row;  /* the player at the top */
	int near_row; /* the player at the bottom */
	int turns_row;
	int turns_rows; /* 0: no room for the list of turns */
	int sentence_row;
	int sentence_rows;
	int hints_row;
};

struct play_layout play_layout(const struct mrl_board *board, bool flipped, int rows, int columns);

#endif
