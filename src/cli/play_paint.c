#include "play_paint.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <os/terminal.h>

/* ---- Colours ------------------------------------------------------------------------------------------------ */

/*
 * One meaning a colour: red, mills and takes; green, whose turn and where one may go; amber, the last turn. Each has a
 * form of its own as well, for terminals without colour and eyes that do not tell them apart.
 */
enum style {
	STYLE_PLAIN,
	STYLE_LINE,
	STYLE_WHITE,      /* the middle of a man */
	STYLE_WHITE_EDGE, /* its sides, and its likeness in a list */
	STYLE_BLACK,
	STYLE_BLACK_EDGE,
	STYLE_GO,
	STYLE_LAST,
	STYLE_MILL,
	STYLES
};

struct colour {
	short text;
	short ground;
	attr_t more;
};

static const struct colour many_colours[STYLES] = {
    [STYLE_LINE] = {244, -1, 0},       [STYLE_WHITE] = {235, 223, A_BOLD}, [STYLE_WHITE_EDGE] = {223, -1, 0},
    [STYLE_BLACK] = {231, 95, A_BOLD}, [STYLE_BLACK_EDGE] = {95, -1, 0},   [STYLE_GO] = {35, -1, A_BOLD},
    [STYLE_LAST] = {172, -1, A_BOLD},  [STYLE_MILL] = {167, -1, A_BOLD},
};

static const struct colour few_colours[STYLES] = {
    [STYLE_LINE] = {-1, -1, 0},
    [STYLE_WHITE] = {COLOR_BLACK, COLOR_WHITE, 0},
    [STYLE_WHITE_EDGE] = {COLOR_WHITE, -1, 0},
    [STYLE_BLACK] = {COLOR_WHITE, COLOR_BLUE, A_BOLD},
    [STYLE_BLACK_EDGE] = {COLOR_BLUE, -1, 0},
    [STYLE_GO] = {COLOR_GREEN, -1, A_BOLD},
    [STYLE_LAST] = {COLOR_YELLOW, -1, A_BOLD},
    [STYLE_MILL] = {COLOR_RED, -1, A_BOLD},
};

static const attr_t no_colours[STYLES] = {
    [STYLE_WHITE] = A_REVERSE | A_BOLD,
    [STYLE_BLACK] = A_BOLD,
    [STYLE_GO] = A_BOLD,
    [STYLE_LAST] = A_BOLD,
    [STYLE_MILL] = A_BOLD,
};

/* Whether colours are in use: the terminal has them, and nobody asked to do without. */
static bool coloured(void)
{
	return COLORS >= 8 && COLOR_PAIRS > STYLES;
}

/* Whether the men have solid sides; if not, they are letters between brackets. */
static bool solid(void)
{
	return coloured() && mrl_terminal_utf8();
}

void play_paint_begin(void)
{
	const char *no_colour = getenv("NO_COLOR");

	if (!has_colors() || (no_colour != NULL && no_colour[0] != '\0'))
		return;
	/* COLORS and COLOR_PAIRS are 0 until here. */
	start_color();
	if (!coloured())
		return;
	bool own_ground = use_default_colors() == OK;

	for (short style = STYLE_LINE; style < STYLES; style++) {
		const struct colour *colour = COLORS >= 256 ? &many_colours[style] : &few_colours[style];
		short text = colour->text;
		short ground = colour->ground;

		if (!own_ground && text < 0)
			text = COLOR_WHITE;
		if (!own_ground && ground < 0)
			ground = COLOR_BLACK;
		init_pair(style, text, ground);
	}
}

static void use(enum style style)
{
	if (!coloured()) {
		attrset((int)no_colours[style]);
		return;
	}
	attr_t more = COLORS >= 256 ? many_colours[style].more : few_colours[style].more;

	attr_set(style == STYLE_PLAIN ? 0 : more, style == STYLE_PLAIN ? 0 : (short)style, NULL);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* Puts ASCII text, cut to `width`; returns the columns used. */
static int put(int row, int column, int width, const char *text)
{
	int length = (int)strlen(text);

	if (length > width)
		length = width;
	if (length > 0)
		mvaddnstr(row, column, text, length);
	return length > 0 ? length : 0;
}

/* Puts text broken at spaces into at most `rows` rows; what does not fit ends in "...". */
static void put_wrapped(int row, int column, int width, int rows, const char *text)
{
	for (int i = 0; i < rows && *text != '\0'; i++) {
		size_t length = strlen(text);

		if (length <= (size_t)width) {
			mvaddstr(row + i, column, text);
			return;
		}
		length = (size_t)width;
		if (i == rows - 1) {
			mvaddnstr(row + i, column, text, (int)length - 3);
			addstr("...");
			return;
		}
		while (length > 0 && text[length] != ' ')
			length--;
		if (length == 0)
			length = (size_t)width;
		mvaddnstr(row + i, column, text, (int)length);
		text += length;
		while (*text == ' ')
			text++;
	}
}

/* ---- The board ---------------------------------------------------------------------------------------------- */

/* What the board shows about a point besides the man on it; the first that holds. */
enum mark { MARK_NONE, MARK_HINT, MARK_HINT_TAKE, MARK_TAKE, MARK_PICKED, MARK_LAST, MARK_CHOICE, MARK_TAKEN };

/* The turn whose points are marked as the last: the one in the making once it is on the board, else the last one. */
static const struct mrl_turn *marked_turn(const struct play *play)
{
	const struct mrl_ply *last = play_last(play);

	if (play->stage == PLAY_TAKE)
		return &play->draft;
	return last != NULL ? &last->turn : NULL;
}

static enum mark mark_of(const struct play *play, mrl_points choices, unsigned point)
{
	const struct mrl_turn *last = marked_turn(play);
	bool choice = (choices & mrl_point_bit(point)) != 0;
	mrl_points go;
	mrl_points take;

	play_hinted(play, &go, &take);
	if (go & mrl_point_bit(point))
		return MARK_HINT;
	if (take & mrl_point_bit(point))
		return MARK_HINT_TAKE;
	if (choice && play->stage == PLAY_TAKE)
		return MARK_TAKE;
	if (play->stage == PLAY_TO && play->draft.from == point)
		return MARK_PICKED;
	if (last != NULL && (last->to == point || (last->from == point && !choice)))
		return MARK_LAST;
	if (choice)
		return MARK_CHOICE;
	for (unsigned i = 0; last != NULL && i < mrl_turn_takes(last); i++) {
		if (last->take[i] == point)
			return MARK_TAKEN;
	}
	return MARK_NONE;
}

/* Whether there is room for a mark beside the edges of a man; if not, it stands in their place. */
static bool roomy(const struct play_scene *scene)
{
	return scene->layout.drawing.step_x >= 6;
}

static void put_edges(int row, int column, enum style edge)
{
	use(edge);
	mvaddstr(row, column - 1, solid() ? "▐" : "(");
	mvaddstr(row, column + 1, solid() ? "▌" : ")");
}

/* The characters to the left and the right of a man that say what it is marked for. */
static void put_mark(int row, int column, int away, enum mark mark)
{
	bool utf8 = mrl_terminal_utf8();
	const char *left = "";
	const char *right = "";
	enum style style = STYLE_PLAIN;

	switch (mark) {
	case MARK_HINT:
		left = right = "*";
		style = STYLE_GO;
		break;
	case MARK_HINT_TAKE:
		left = right = "*";
		style = STYLE_MILL;
		break;
	case MARK_TAKE:
		left = right = utf8 ? "×" : "x";
		style = STYLE_MILL;
		break;
	case MARK_PICKED:
		left = "<";
		right = ">";
		style = STYLE_GO;
		break;
	case MARK_LAST:
		left = "[";
		right = "]";
		style = STYLE_LAST;
		break;
	case MARK_CHOICE:
		left = "{";
		right = "}";
		style = STYLE_GO;
		break;
	case MARK_TAKEN:
	case MARK_NONE:
		return;
	}
	use(style);
	mvaddstr(row, column - away, left);
	mvaddstr(row, column + away, right);
}

static void put_man(const struct play_scene *scene, int row, int column, unsigned side, enum mark mark)
{
	bool white = side == MRL_WHITE;

	put_edges(row, column, white ? STYLE_WHITE_EDGE : STYLE_BLACK_EDGE);
	use(white ? STYLE_WHITE : STYLE_BLACK);
	mvaddch(row, column, white ? 'W' : 'B');
	put_mark(row, column, roomy(scene) ? 2 : 1, mark);
}

static void put_empty(int row, int column, enum mark mark)
{
	bool utf8 = mrl_terminal_utf8();

	switch (mark) {
	case MARK_HINT:
		use(STYLE_GO);
		mvaddstr(row, column - 1, utf8 ? "*○*" : "*o*");
		break;
	case MARK_CHOICE:
		use(STYLE_GO);
		mvaddstr(row, column, utf8 ? "○" : "o");
		break;
	case MARK_LAST:
		use(STYLE_LAST);
		mvaddstr(row, column - 1, utf8 ? "[·]" : "[.]");
		break;
	case MARK_TAKEN:
		use(STYLE_MILL);
		mvaddstr(row, column, utf8 ? "×" : "x");
		break;
	default:
		use(STYLE_LINE);
		mvaddstr(row, column, utf8 ? "•" : ".");
	}
}

static void paint_point(const struct play_scene *scene, const struct mrl_position *shown, mrl_points choices,
			unsigned point)
{
	mrl_points bit = mrl_point_bit(point);
	enum mark mark = mark_of(scene->play, choices, point);
	unsigned x;
	unsigned y;

	drawing_place(&scene->layout.drawing, point, &x, &y);
	int row = scene->layout.board_row + (int)y;
	int column = scene->layout.board_column + (int)x;

	if (shown->men[MRL_WHITE] & bit)
		put_man(scene, row, column, MRL_WHITE, mark);
	else if (shown->men[MRL_BLACK] & bit)
		put_man(scene, row, column, MRL_BLACK, mark);
	else
		put_empty(row, column, mark);
}

static void paint_lines(const struct play_scene *scene, const struct mrl_position *shown)
{
	const struct drawing *drawing = &scene->layout.drawing;
	bool utf8 = mrl_terminal_utf8();

	for (int y = 0; y < (int)drawing_height(drawing); y++) {
		for (int x = 0; x < (int)drawing_width(drawing); x++) {
			struct drawing_strokes strokes = drawing_strokes_at(drawing, shown->men[MRL_WHITE], x, y);

			if (strokes.all == 0)
				continue;
			strokes.heavy |= drawing_strokes_at(drawing, shown->men[MRL_BLACK], x, y).heavy;
			use(strokes.heavy != 0 ? STYLE_MILL : STYLE_LINE);
			mvaddstr(scene->layout.board_row + y, scene->layout.board_column + x,
				 drawing_glyph(strokes, utf8));
		}
	}
}

static void paint_names(const struct play_scene *scene)
{
	const struct drawing *drawing = &scene->layout.drawing;
	int files = drawing->board->file_count;
	int ranks = drawing->board->rank_count;
	int step_x = (int)drawing->step_x;
	int step_y = (int)drawing->step_y;

	use(STYLE_LINE);
	for (int i = 0; i < files; i++) {
		int file = drawing->flipped ? files - 1 - i : i;

		mvaddch(scene->layout.board_row + (int)drawing_height(drawing), scene->layout.board_column + i * step_x,
			(chtype)('a' + file));
	}
	for (int i = 0; i < ranks; i++) {
		int rank = drawing->flipped ? i : ranks - 1 - i;

		mvprintw(scene->layout.board_row + i * step_y, scene->layout.board_column - 4, "%d", rank + 1);
	}
}

static void paint_cursor(const struct play_scene *scene, const struct mrl_position *shown)
{
	bool occupied = ((shown->men[MRL_WHITE] | shown->men[MRL_BLACK]) & mrl_point_bit(scene->cursor)) != 0;
	bool utf8 = mrl_terminal_utf8();
	unsigned x;
	unsigned y;

	drawing_place(&scene->layout.drawing, scene->cursor, &x, &y);
	int row = scene->layout.board_row + (int)y;
	int column = scene->layout.board_column + (int)x;
	int away = occupied && roomy(scene) ? 3 : 2;

	use(STYLE_PLAIN);
	attron(A_BOLD);
	mvaddstr(row, column - away, utf8 ? "▸" : ">");
	mvaddstr(row, column + away, utf8 ? "◂" : "<");
	/* The terminal's own cursor as well: screen readers and magnifiers follow it. */
	move(row, column);
}

/* ---- Players, turns, words ---------------------------------------------------------------------------------- */

static void put_player_name(const struct play_scene *scene, int row, unsigned side)
{
	const struct play *play = scene->play;
	bool to_move = play->stage != PLAY_OVER && play->game.game.position.side == side;
	const char *seat = play_seat(play, side);
	int column = scene->layout.panel_column;

	use(to_move ? STYLE_GO : STYLE_PLAIN);
	if (to_move)
		mvaddstr(row, column, mrl_terminal_utf8() ? "▶" : ">");
	attron(A_BOLD);
	mvprintw(row, column + 2, "%s", words_side(side));
	use(STYLE_PLAIN);
	if (seat[0] != '\0')
		printw(" (%s)", seat);
}

/* The men in hand, one sign each, as far as they fit. */
static void put_hand(const struct play_scene *scene, unsigned side, unsigned hand)
{
	int row;
	int column;
	int end = scene->layout.panel_column + scene->layout.panel_width;

	getyx(stdscr, row, column);
	(void)row;
	use(side == MRL_WHITE ? STYLE_WHITE_EDGE : STYLE_BLACK_EDGE);
	for (unsigned i = 0; i < hand && column + (int)i < end; i++)
		addstr(solid() ? "●" : side == MRL_WHITE ? "W" : "B");
	use(STYLE_PLAIN);
}

static void paint_player(const struct play_scene *scene, const struct mrl_position *shown, int row, unsigned side)
{
	unsigned lost = play_lost(scene->play, shown, side);
	unsigned hand = shown->hand[side];

	put_player_name(scene, row, side);
	if (!scene->layout.beside) {
		printw(": %u in hand, %u lost", hand, lost);
		return;
	}
	mvprintw(row + 1, scene->layout.panel_column + 2, "%2u in hand  ", hand);
	put_hand(scene, side, hand);
	mvprintw(row + 2, scene->layout.panel_column + 2, "%2u lost", lost);
}

/* The turns in two columns, White's and Black's, the last ones if there is not room for all. */
static void paint_turns(const struct play_scene *scene)
{
	enum { NUMBER = 5, COLUMN = 12 };
	const struct mrl_game *game = &scene->play->game.game;
	const struct mrl_board *board = &scene->play->rules->board;
	const struct play_layout *layout = &scene->layout;
	size_t shift = scene->play->start.side == MRL_BLACK; /* Black began: the first place is empty */
	size_t pairs = (game->count + shift + 1) / 2;
	size_t rows = (size_t)layout->turns_rows;
	size_t first = pairs > rows ? pairs - rows : 0;

	for (size_t pair = first; pair < pairs; pair++) {
		int row = layout->turns_row + (int)(pair - first);

		use(STYLE_LINE);
		mvprintw(row, layout->panel_column + 1, "%3zu", pair + 1);
		for (size_t half = 0; half < 2; half++) {
			size_t place = 2 * pair + half;
			char text[MRL_TURN_TEXT_SIZE];
			int column = NUMBER + (int)half * COLUMN;

			if (place < shift || place - shift >= game->count)
				continue;
			(void)mrl_turn_write(board, &game->plies[place - shift].turn, text);
			use(place - shift + 1 == game->count ? STYLE_LAST : STYLE_PLAIN);
			/* A turn with several takes may be longer than its column; the last row shows it whole. */
			(void)put(row, layout->panel_column + column, layout->panel_width - column, text);
		}
	}
}

static void paint_sentence(const struct play_scene *scene)
{
	const struct play_layout *layout = &scene->layout;
	char buffer[WORDS_SIZE];
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	if (scene->notice[0] != '\0') {
		mrl_text_add(&text, scene->notice);
	} else {
		play_sentence(scene->play, &text);
		if (scene->play->stage == PLAY_BEGIN) {
			mrl_text_char(&text, ' ');
			words_counter(&text, scene->play->rules, &scene->play->game.game.position);
		}
	}
	use(STYLE_PLAIN);
	attron(A_BOLD);
	put_wrapped(layout->sentence_row, layout->left, layout->width, layout->sentence_rows, buffer);
}

static void paint_frame(const struct play_scene *scene)
{
	const struct play_layout *layout = &scene->layout;
	char name[MRL_RULES_NAME_SIZE];
	static const char hints[] = "Enter pick  Esc put back  h hint  u undo  n new  f flip  ? help  q quit";
	static const char few_hints[] = "Enter pick  ? help  q quit";

	use(STYLE_PLAIN);
	attron(A_BOLD);
	int used = put(0, layout->left, layout->width, "Merels");

	use(STYLE_LINE);
	mrl_rules_write(scene->play->rules, name);
	(void)put(0, layout->left + used + 2, layout->width - used - 2, name);
	(void)put(layout->hints_row, layout->left, layout->width,
		  (int)sizeof(hints) - 1 <= layout->width ? hints : few_hints);
}

static void paint_help(void)
{
	static const char *const lines[] = {
	    "Arrow keys      walk along the lines",
	    "Home PgUp       along diagonals, up",
	    "End PgDn        along diagonals, down",
	    "Tab             next point that may be picked",
	    "Enter or Space  pick the point",
	    "mouse           pick a point, drag a man",
	    "Esc             put the man back",
	    "h               a hint: what the computer would play",
	    "u               take the last turn back",
	    "n               new game",
	    "f               flip the board",
	    "c               computer plays this side, or not",
	    "q               quit",
	    "",
	    "{W} o  where you may go   <W> picked up",
	    "[W]    the last turn      xBx may be taken",
	    "*W* *o* the hint          *B* its take",
	    "",
	    "Any key goes back to the game.",
	};
	int rows = getmaxy(stdscr);
	int columns = getmaxx(stdscr);

	use(STYLE_PLAIN);
	for (int i = 0; i < (int)(sizeof(lines) / sizeof(lines[0])) && i < rows; i++)
		(void)put(i, 0, columns, lines[i]);
	move(0, 0);
}

static void paint_too_small(const struct play_layout *layout, int rows, int columns)
{
	char text[128];

	(void)snprintf(text, sizeof(text), "This board needs %d columns and %d rows; the window has %d and %d.",
		       layout->need_columns, layout->need_rows, columns, rows);
	use(STYLE_PLAIN);
	put_wrapped(0, 0, columns, rows, text);
}

void play_paint(struct play_scene *scene)
{
	const struct play *play = scene->play;
	int rows = getmaxy(stdscr);
	int columns = getmaxx(stdscr);
	struct mrl_position shown;

	scene->layout = play_layout(&play->rules->board, scene->flipped, rows, columns);
	erase();
	if (scene->help) {
		paint_help();
	} else if (!scene->layout.fits) {
		paint_too_small(&scene->layout, rows, columns);
	} else {
		mrl_points choices = play_computers_turn(play) ? 0 : play_choices(play);
		unsigned far_side = scene->flipped ? MRL_WHITE : MRL_BLACK;

		play_shown(play, &shown);
		paint_frame(scene);
		paint_names(scene);
		paint_lines(scene, &shown);
		for (unsigned point = 0; point < play->rules->board.point_count; point++)
			paint_point(scene, &shown, choices, point);
		paint_player(scene, &shown, scene->layout.far_row, far_side);
		paint_player(scene, &shown, scene->layout.near_row, 1 - far_side);
		paint_turns(scene);
		paint_sentence(scene);
		paint_cursor(scene, &shown);
	}
	refresh();
}
