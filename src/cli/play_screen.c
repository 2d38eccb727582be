/* A game on the whole screen: keys and mouse go in, play_paint.c shows what has become of it. */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <os/clock.h>

#include "play_paint.h"
#include "play_terminal.h"
#include "play_views.h"

/* Some mice report a press and a release as one. */
static const mmask_t CLICKED = BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED;

enum { KEY_ESCAPE = 27, ESCAPE_MILLISECONDS = 25, WAIT_MILLISECONDS = 250, MOST_ERRORS = 100, MOST_EVENTS = 8 };

struct screen {
	struct play *play;
	struct play_computer *computer;
	struct play_scene scene;
	char notice[WORDS_SIZE];
	int asked;   /* the key that has to be pressed again, or 0 */
	int pending; /* a key that came while the computer was thinking, or ERR */
	bool wants_hint;
	unsigned pressed; /* the point under the mouse button, or MRL_NO_POINT */
	int errors;       /* in a row, of reading the keyboard */
	bool quit;
	bool no_memory;
};

static void say(struct screen *screen, const char *notice)
{
	(void)snprintf(screen->notice, sizeof(screen->notice), "%s", notice);
}

/* ---- What keys do ------------------------------------------------------------------------------------------- */

static void pick(struct screen *screen, unsigned point)
{
	struct mrl_text text = mrl_text_in(screen->notice, sizeof(screen->notice));

	switch (play_pick(screen->play, point)) {
	case MRL_OK:
		break;
	case MRL_SYSTEM:
		screen->no_memory = true;
		break;
	default:
		play_why_not(screen->play, point, &text);
	}
}

/* Whether to go on with what ends this game: at once when nothing is lost, else when the key is pressed again. */
static bool sure(struct screen *screen, int key, int asked, const char *question)
{
	if (screen->play->stage == PLAY_OVER || screen->play->game.game.count == 0 || asked == key)
		return true;
	screen->asked = key;
	say(screen, question);
	return false;
}

static void new_game(struct screen *screen)
{
	screen->no_memory = !play_restart(screen->play);
	play_computer_clear(screen->computer);
}

static void take_back(struct screen *screen)
{
	if (play_cancel(screen->play))
		return;
	enum mrl_status status = play_back(screen->play);

	if (status == MRL_SYSTEM)
		screen->no_memory = true;
	else if (status != MRL_OK)
		say(screen, "There is no turn to take back.");
}

/* The next point that may be picked, after the cursor in the order of the points, or before it. */
static void next_choice(struct screen *screen, bool back)
{
	unsigned count = screen->play->rules->board.point_count;
	mrl_points choices = play_choices(screen->play);

	for (unsigned i = 1; i <= count; i++) {
		unsigned point = (screen->scene.cursor + (back ? count - i : i)) % count;

		if (choices & mrl_point_bit(point)) {
			screen->scene.cursor = point;
			return;
		}
	}
}

static void walk(struct screen *screen, int right, int up)
{
	screen->scene.cursor = drawing_walk(&screen->scene.layout.drawing, screen->scene.cursor, right, up);
}

static void hand_over(struct screen *screen)
{
	struct play *play = screen->play;

	if (play->stage == PLAY_OVER)
		return;
	bool *computer = &play->computer[play->game.game.position.side];

	(void)play_cancel(play);
	*computer = !*computer;
}

static void mouse_event(struct screen *screen, const MEVENT *event)
{
	const struct play_layout *layout = &screen->scene.layout;
	unsigned point =
	    drawing_point_near(&layout->drawing, event->x - layout->board_column, event->y - layout->board_row);

	if (event->bstate & (BUTTON1_PRESSED | CLICKED)) {
		screen->pressed = event->bstate & BUTTON1_PRESSED ? point : MRL_NO_POINT;
		if (point == MRL_NO_POINT)
			return;
		screen->scene.cursor = point;
		pick(screen, point);
	} else if (event->bstate & BUTTON1_RELEASED) {
		/* Let go elsewhere: the man was dragged there. */
		if (point != MRL_NO_POINT && screen->pressed != MRL_NO_POINT && point != screen->pressed &&
		    screen->play->stage == PLAY_TO) {
			screen->scene.cursor = point;
			pick(screen, point);
		}
		screen->pressed = MRL_NO_POINT;
	}
}

/* Reads the mouse events of one KEY_MOUSE: several when they arrived together, the last of them first. */
static unsigned read_mouse(MEVENT events[MOST_EVENTS])
{
	unsigned count = 0;

	while (count < MOST_EVENTS && getmouse(&events[count]) == OK)
		count++;
	return count;
}

static void mouse(struct screen *screen)
{
	MEVENT events[MOST_EVENTS];

	for (unsigned i = read_mouse(events); i > 0; i--) {
		if (screen->scene.layout.fits && !play_computers_turn(screen->play))
			mouse_event(screen, &events[i - 1]);
	}
}

/* Keys that change nothing but what is seen, so that they may be pressed at any time. */
static bool look(struct screen *screen, int key)
{
	switch (key) {
	case KEY_UP:
		walk(screen, 0, 1);
		return true;
	case KEY_DOWN:
		walk(screen, 0, -1);
		return true;
	case KEY_LEFT:
		walk(screen, -1, 0);
		return true;
	case KEY_RIGHT:
		walk(screen, 1, 0);
		return true;
	case KEY_HOME:
	case KEY_A1:
		walk(screen, -1, 1);
		return true;
	case KEY_PPAGE:
	case KEY_A3:
		walk(screen, 1, 1);
		return true;
	case KEY_END:
	case KEY_C1:
		walk(screen, -1, -1);
		return true;
	case KEY_NPAGE:
	case KEY_C3:
		walk(screen, 1, -1);
		return true;
	case 'f':
		screen->scene.flipped = !screen->scene.flipped;
		return true;
	case KEY_RESIZE:
		return true;
	default:
		return false;
	}
}

static void obey(struct screen *screen, int key)
{
	int asked = screen->asked;

	screen->asked = 0;
	screen->notice[0] = '\0';
	if (screen->scene.help) {
		screen->scene.help = key == KEY_RESIZE;
		return;
	}
	if (look(screen, key))
		return;
	switch (key) {
	case '\n':
	case '\r':
	case KEY_ENTER:
	case ' ':
		if (!play_computers_turn(screen->play))
			pick(screen, screen->scene.cursor);
		break;
	case KEY_ESCAPE:
		(void)play_cancel(screen->play);
		break;
	case '\t':
		next_choice(screen, false);
		break;
	case KEY_BTAB:
		next_choice(screen, true);
		break;
	case KEY_MOUSE:
		mouse(screen);
		break;
	case 'u':
		take_back(screen);
		break;
	case 'c':
		hand_over(screen);
		break;
	case 'n':
		if (sure(screen, key, asked, "Leave this game and begin a new one? Press n again."))
			new_game(screen);
		break;
	case 'q':
		if (sure(screen, key, asked, "Leave this game? Press q again."))
			screen->quit = true;
		break;
	case 'h':
		/* About the whole turn, or about what to take when the man is down. */
		if (screen->play->stage == PLAY_TO)
			(void)play_cancel(screen->play);
		if (screen->play->stage == PLAY_OVER)
			say(screen, "The game is over.");
		else
			screen->wants_hint = !play_computers_turn(screen->play);
		break;
	case '?':
		screen->scene.help = true;
		break;
	default:
		break;
	}
}

/* ---- The two who play --------------------------------------------------------------------------------------- */

/* A key that waits to be read and does more than change what is seen; ERR for none. */
static int waiting_key(struct screen *screen)
{
	timeout(0);
	int key = getch();

	timeout(-1);
	if (key == ERR || !look(screen, key))
		return key;
	play_paint(&screen->scene);
	return ERR;
}

/* Called while the computer thinks; true when a key has to be obeyed first. */
static bool poll_keys(void *context)
{
	struct screen *screen = context;
	int key = waiting_key(screen);

	if (key == ERR)
		return false;
	/* Nothing on the board can be picked now; a click is forgotten. */
	if (key == KEY_MOUSE) {
		MEVENT events[MOST_EVENTS];

		(void)read_mouse(events);
		return false;
	}
	if (strchr("ucnq?", key < 0 || key > 127 ? 0 : key) == NULL || key == 0)
		return false;
	screen->pending = key;
	return true;
}

static void computers_turn(struct screen *screen)
{
	struct mrl_turn turn;

	screen->pending = ERR;
	switch (play_computer_think(screen->computer, screen->play, poll_keys, screen, &turn)) {
	case MRL_OK:
		screen->notice[0] = '\0';
		screen->asked = 0;
		if (play_turn(screen->play, &turn, NULL) != MRL_OK)
			screen->no_memory = true;
		else
			screen->scene.cursor = turn.to;
		break;
	case MRL_STOPPED:
		obey(screen, screen->pending);
		break;
	default:
		screen->no_memory = true;
	}
}

/* The same for a hint, which any key ends: it is the person's turn. */
static bool poll_any_key(void *context)
{
	struct screen *screen = context;
	int key = waiting_key(screen);

	if (key == ERR || key == 'h')
		return false;
	screen->pending = key;
	return true;
}

static void give_hint(struct screen *screen)
{
	struct play *play = screen->play;
	struct mrl_turn turn;
	struct mrl_text text = mrl_text_in(screen->notice, sizeof(screen->notice));

	screen->wants_hint = false;
	screen->pending = ERR;
	say(screen, "Looking for a hint ...");
	play_paint(&screen->scene);
	switch (play_computer_hint(screen->computer, play, poll_any_key, screen, &turn)) {
	case MRL_OK:
		play_show_hint(play, &turn);
		words_hint(&text, &play->rules->board, &turn, play->stage == PLAY_TAKE, play->takes);
		break;
	case MRL_STOPPED:
		obey(screen, screen->pending);
		break;
	default:
		screen->no_memory = true;
	}
}

/*
 * Waits for a key, but not for ever: a change of the window's size that comes just before curses begins to wait is
 * noticed only when it begins anew.
 */
static void persons_key(struct screen *screen)
{
	uint64_t begin = mrl_clock_now();

	timeout(WAIT_MILLISECONDS);
	int key = getch();

	timeout(-1);
	if (key != ERR) {
		screen->errors = 0;
		obey(screen, key);
	} else if (mrl_clock_since(begin) > (double)WAIT_MILLISECONDS / 2000.0) {
		screen->errors = 0;
	} else if (++screen->errors > MOST_ERRORS) {
		/* No answer at once, again and again: the terminal has gone away. */
		screen->quit = true;
	}
}

static void run(struct screen *screen)
{
	while (!screen->quit && !screen->no_memory) {
		play_paint(&screen->scene);
		if (screen->wants_hint)
			give_hint(screen);
		else if (play_computers_turn(screen->play) && !screen->scene.help && screen->asked == 0)
			computers_turn(screen);
		else
			persons_key(screen);
	}
}

int play_screen(struct play *play, struct play_computer *computer)
{
	struct screen screen = {
	    .play = play,
	    .computer = computer,
	    .scene = {.play = play, .flipped = play_reader(play) == WORDS_BLACK},
	    .pending = ERR,
	    .pressed = MRL_NO_POINT,
	};
	SCREEN *terminal = play_terminal_known() ? newterm(NULL, stdout, stdin) : NULL;

	if (terminal == NULL)
		return play_plain(play, computer);
	screen.scene.notice = screen.notice;
	set_escdelay(ESCAPE_MILLISECONDS);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | CLICKED, NULL);
	mouseinterval(0);
	play_paint_begin();
	run(&screen);
	endwin();
	delscreen(terminal);
	return screen.no_memory ? cli_no_memory(&cli_play) : CLI_GOOD;
}
