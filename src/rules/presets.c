/* The table of presets, docs/RULES.md. */
#include "presets.h"

static const struct preset_row rows[] = {
    {{"three", "grid9", "Three men's morris: three in a row wins. Men slide."}, "men=3,mill=win"},
    {{"tapatan", "grid9x", "Three men's morris with diagonals."}, "men=3,mill=win"},
    {{"nine-holes", "grid9", "Three men each on nine holes, and a man may move to any of them."},
     "men=3,fly=3,mill=win"},
    {{"achi", "grid9x", "Four men each with diagonals: three in a row wins."}, "men=4,mill=win"},
    {{"four", "grid9x", "Four men each on the small board, but a mill takes a man."}, "men=4"},
    {{"five", "ring16", "Five men each on two squares: smaller merels."}, "men=5"},
    {{"six", "ring16", "Six men's morris: two squares, no flying."}, "men=6"},
    {{"seven", "ring17", "Seven men each on two squares with a cross through the middle."}, "men=7"},
    {{"nine", "ring24", "Nine men's morris, the classic: three squares, and three men fly."}, "men=9,fly=3"},
    {{"lasker", "ring24", "Ten men each, and you may slide before all are placed."}, "men=10,fly=3,move-early=on"},
    {{"eleven", "ring24x", "Eleven men each, with diagonals."}, "men=11,fly=3,full-board=draw"},
    {{"twelve", "ring24x", "Twelve men's morris: diagonals, and a full board is a draw."},
     "men=12,fly=3,full-board=draw"},
    {{"morabaraba", "ring24x", "Twelve men's morris; a draw after ten moves each with three men."},
     "men=12,fly=3,full-board=draw,three-men=20"},
};

const struct preset_row *mrl__preset_row(size_t index)
{
	return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

const struct mrl_preset *mrl_preset(size_t index)
{
	const struct preset_row *row = mrl__preset_row(index);

	return row != NULL ? &row->shown : NULL;
}
