/* Paints a game on the ncurses screen. Decides nothing; curses must have been started. */
#ifndef MERELS_CLI_PLAY_PAINT_H
#define MERELS_CLI_PLAY_PAINT_H

#include <stdbool.h>

#include "play.h"
#include "play_layout.h"

/* What is painted beside the game itself. */
struct play_scene {
	const struct play *play;
	struct play_layout layout;
	unsigned cursor;    /* a point */
	bool flipped;       /* half a turn, Black at the bottom */
	bool help;          /* the list of keys instead of the game */
	const char *notice; /* said instead of what is to do; "" for none */
};

/* Chooses colours, or none when the terminal has none or NO_COLOR is set. Once, after curses was started. */
void play_paint_begin(void);

/* Paints everything for the present size of the screen, and brings the scene's layout up to date with it. */
void play_paint(struct play_scene *scene);

#endif
