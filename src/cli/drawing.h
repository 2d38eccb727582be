/*
 * Where a board's points and lines fall on a grid of characters, from the lines alone.
 *
 * x counts columns from the left, y rows from the top. Nothing is stored but the scale; every question is answered
 * from the board, which must outlive the drawing.
 */
#ifndef MERELS_CLI_DRAWING_H
#define MERELS_CLI_DRAWING_H

#include <stdbool.h>

#include <merels/rules.h>

struct drawing {
	const struct mrl_board *board;
	unsigned step_x; /* columns from one file to the next, 2.. */
	unsigned step_y; /* rows from one rank to the next, 1.. */
	bool flipped;    /* turned by half a turn: rank 1 is at the top */
};

/* The directions in which lines cross a character, as bits. */
enum { STROKE_FLAT = 1, STROKE_UPRIGHT = 2, STROKE_RISING = 4, STROKE_FALLING = 8 };

struct drawing_strokes {
	unsigned all;   /* every line that crosses here */
	unsigned heavy; /* those that belong to a mill of `men` */
};

/* The size from the first point to the last, both included. */
unsigned drawing_width(const struct drawing *drawing);
unsigned drawing_height(const struct drawing *drawing);

/* Where a point is. */
void drawing_place(const struct drawing *drawing, unsigned point, unsigned *x, unsigned *y);

/* The point at just this character, or MRL_NO_POINT. */
unsigned drawing_point_at(const struct drawing *drawing, int x, int y);

/* The point nearest to a character, but no further than half-way to its neighbours; or MRL_NO_POINT. */
unsigned drawing_point_near(const struct drawing *drawing, int x, int y);

/* The lines that cross a character between points. A part is heavy when it joins men of `men` that form a mill. */
struct drawing_strokes drawing_strokes_at(const struct drawing *drawing, mrl_points men, int x, int y);

/* The character for strokes, as UTF-8 or as ASCII; " " for none. */
const char *drawing_glyph(struct drawing_strokes strokes, bool utf8);

/* The next point from `point` along the drawn lines to the right (+1, 0), up (0, +1) and so on; `point` if none. */
unsigned drawing_walk(const struct drawing *drawing, unsigned point, int right, int up);

#endif
