/* A game as lines of text: prints the board, reads turns and commands line by line. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <os/terminal.h>

#include "drawing.h"
#include "play_views.h"

/* ---- Showing ------------------------------------------------------------------------------------------------ */

/* Whether a point belongs to the last turn as where its man came from or went to. */
static bool marked(const struct play *play, unsigned point)
{
	const struct mrl_ply *last = play_last(play);

	return point != MRL_NO_POINT && last != NULL && (last->turn.to == point || last->turn.from == point);
}

static bool taken_last(const struct play *play, unsigned point)
{
	const struct mrl_ply *last = play_last(play);

	for (unsigned i = 0; last != NULL && i < mrl_turn_takes(&last->turn); i++) {
		if (last->turn.take[i] == point)
			return true;
	}
	return false;
}

/* The mark of a hint beside a point; NULL when it is no part of one. */
static const char *hint_mark(const struct play *play, unsigned point)
{
	mrl_points go;
	mrl_points take;

	play_hinted(play, &go, &take);
	if (point == MRL_NO_POINT)
		return NULL;
	if (go & mrl_point_bit(point))
		return "*";
	return take & mrl_point_bit(point) ? "x" : NULL;
}

/* One character of the board: a point, a mark of a turn beside one, or a line. x may be one outside. */
static const char *cell(const struct play *play, const struct drawing *drawing, const struct mrl_position *shown, int x,
			int y)
{
	unsigned point = drawing_point_at(drawing, x, y);

	if (point != MRL_NO_POINT) {
		if (shown->men[MRL_WHITE] & mrl_point_bit(point))
			return "W";
		if (shown->men[MRL_BLACK] & mrl_point_bit(point))
			return "B";
		return taken_last(play, point) ? "x" : ".";
	}
	const char *hint = hint_mark(play, drawing_point_at(drawing, x + 1, y));

	if (hint == NULL)
		hint = hint_mark(play, drawing_point_at(drawing, x - 1, y));
	if (hint != NULL)
		return hint;
	if (marked(play, drawing_point_at(drawing, x + 1, y)))
		return "[";
	if (marked(play, drawing_point_at(drawing, x - 1, y)))
		return "]";
	struct drawing_strokes strokes = drawing_strokes_at(drawing, shown->men[MRL_WHITE], x, y);

	strokes.heavy |= drawing_strokes_at(drawing, shown->men[MRL_BLACK], x, y).heavy;
	return drawing_glyph(strokes, mrl_terminal_utf8());
}

static void print_board(const struct play *play)
{
	const struct mrl_board *board = &play->rules->board;
	struct drawing drawing = {.board = board, .step_x = 4, .step_y = 2};
	struct mrl_position shown;

	play_shown(play, &shown);
	putchar('\n');
	for (unsigned y = 0; y < drawing_height(&drawing); y++) {
		if (y % drawing.step_y == 0)
			printf("%3u ", board->rank_count - y / drawing.step_y);
		else
			printf("    ");
		for (int x = -1; x <= (int)drawing_width(&drawing); x++)
			fputs(cell(play, &drawing, &shown, x, (int)y), stdout);
		putchar('\n');
	}
	printf("    ");
	for (unsigned file = 0; file < board->file_count; file++)
		printf(" %c  ", 'a' + (int)file);
	printf("\n\n");
	for (unsigned side = 0; side < 2; side++) {
		const char *seat = play_seat(play, side);

		printf("%s%s%s%s: %u in hand, %u lost\n", words_side(side), seat[0] != '\0' ? " (" : "", seat,
		       seat[0] != '\0' ? ")" : "", shown.hand[side], play_lost(play, &shown, side));
	}
}

static void print_sentence(const struct play *play)
{
	char buffer[WORDS_SIZE];
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	words_counter(&text, play->rules, &play->game.game.position);
	if (text.length > 0 && play->stage != PLAY_OVER)
		puts(buffer);
	text = mrl_text_in(buffer, sizeof(buffer));
	play_sentence(play, &text);
	puts(buffer);
}

static void print_all(const struct play *play)
{
	print_board(play);
	print_sentence(play);
}

static void print_help(void)
{
	puts("A turn is written d6 (place), d6-d7 (move), with a take d6xa1 or d6-d7xa1; several may\n"
	     "stand on one line. Other commands:\n"
	     "  board     the board again\n"
	     "  legal     the legal turns\n"
	     "  hint      the turn that the computer would play\n"
	     "  undo      take the last turn back\n"
	     "  new       a new game\n"
	     "  help      this\n"
	     "  quit      end");
}

static void print_legal(const struct play *play)
{
	for (size_t i = 0; i < play->legal.count; i++)
		printf("%s%s", i > 0 ? " " : "", play->legal.turn[i].text);
	puts(play->legal.count > 0 ? "" : "There are none, the game is over.");
}

/* ---- Playing ------------------------------------------------------------------------------------------------ */

static int computers_turn(struct play *play, struct play_computer *computer)
{
	struct mrl_turn turn;
	char text[MRL_TURN_TEXT_SIZE];
	unsigned side = play->game.game.position.side;

	(void)fflush(stdout);
	if (play_computer_think(computer, play, NULL, NULL, &turn) != MRL_OK || play_turn(play, &turn, NULL) != MRL_OK)
		return cli_no_memory(&cli_play);
	(void)mrl_turn_write(&play->rules->board, &turn, text);
	printf("%s plays %s.\n", words_side(side), text);
	print_all(play);
	return CLI_GO_ON;
}

static int give_hint(struct play *play, struct play_computer *computer)
{
	struct mrl_turn turn;
	char text[MRL_TURN_TEXT_SIZE];
	char buffer[WORDS_SIZE];
	struct mrl_text sentence = mrl_text_in(buffer, sizeof(buffer));

	if (play->stage == PLAY_OVER) {
		puts("The game is over: undo, new or quit.");
		return CLI_GO_ON;
	}
	(void)fflush(stdout);
	if (play_computer_hint(computer, play, NULL, NULL, &turn) != MRL_OK)
		return cli_no_memory(&cli_play);
	play_show_hint(play, &turn);
	print_board(play);
	(void)mrl_turn_write(&play->rules->board, &turn, text);
	words_hint(&sentence, &play->rules->board, &turn, false, 0);
	printf("%s\nThat is written %s.\n", buffer, text);
	return CLI_GO_ON;
}

/* The computer's turns until a person is to move or the game is over. */
static int computers_turns(struct play *play, struct play_computer *computer)
{
	int code = CLI_GO_ON;

	while (code == CLI_GO_ON && play_computers_turn(play))
		code = computers_turn(play, computer);
	return code;
}

/*
 * Plays the turns of a line, with the computer's between them; stops at the first that cannot be played, which is
 * said, and shows the board after each turn.
 */
static int play_line(struct play *play, struct play_computer *computer, const char *line, size_t length)
{
	size_t at = 0;

	while (at < length) {
		struct mrl_turn turn;
		struct mrl_error error = {0};
		size_t consumed = 0;

		if (play->stage == PLAY_OVER) {
			puts("The game is over: undo, new or quit.");
			return CLI_GO_ON;
		}
		enum mrl_status status = mrl_turn_next(play->rules, &play->game.game.position, line + at, length - at,
						       &consumed, &turn, &error);

		if (status == MRL_OK && turn.to == MRL_NO_POINT)
			return CLI_GO_ON;
		if (status == MRL_OK)
			status = play_turn(play, &turn, &error);
		if (status == MRL_SYSTEM)
			return cli_no_memory(&cli_play);
		if (status != MRL_OK) {
			printf("%s%s\n", error.message,
			       error.message[0] != '\0' && error.message[strlen(error.message) - 1] == '.' ? "" : ".");
			return CLI_GO_ON;
		}
		at += consumed;
		print_all(play);
		int code = computers_turns(play, computer);

		if (code != CLI_GO_ON)
			return code;
	}
	return CLI_GO_ON;
}

static bool is_command(const char *line, size_t length, const char *name)
{
	if (strlen(name) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (tolower((unsigned char)line[i]) != name[i])
			return false;
	}
	return true;
}

/* CLI_GOOD to end, CLI_GO_ON, or an error's exit code. */
static int obey(struct play *play, struct play_computer *computer, const char *line, size_t length)
{
	while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL)
		length--;
	while (length > 0 && strchr(" \t", line[0]) != NULL) {
		line++;
		length--;
	}
	if (length == 0)
		return CLI_GO_ON;
	if (is_command(line, length, "quit") || is_command(line, length, "exit"))
		return CLI_GOOD;
	if (is_command(line, length, "help") || is_command(line, length, "?")) {
		print_help();
	} else if (is_command(line, length, "board")) {
		print_all(play);
	} else if (is_command(line, length, "legal")) {
		print_legal(play);
	} else if (is_command(line, length, "hint")) {
		return give_hint(play, computer);
	} else if (is_command(line, length, "undo")) {
		enum mrl_status status = play_back(play);

		if (status == MRL_SYSTEM)
			return cli_no_memory(&cli_play);
		if (status != MRL_OK)
			puts("There is no turn to take back.");
		print_all(play);
		return computers_turns(play, computer);
	} else if (is_command(line, length, "new")) {
		if (!play_restart(play))
			return cli_no_memory(&cli_play);
		play_computer_clear(computer);
		print_all(play);
		return computers_turns(play, computer);
	} else {
		return play_line(play, computer, line, length);
	}
	return CLI_GO_ON;
}

/* A line of standard input without its end, in memory that grows with it. */
struct line {
	char *data; /* owned */
	size_t length;
	size_t size;
};

enum { LONGEST_LINE = 1 << 20 };

/* CLI_GO_ON with a line, CLI_GOOD at the end of input, or an error's exit code. A last line needs no end. */
static int read_line(struct line *line)
{
	int c;

	line->length = 0;
	while ((c = getchar()) != EOF && c != '\n') {
		if (line->length == LONGEST_LINE) {
			cli_complain(&cli_play, "standard input: a line is longer than %d bytes", LONGEST_LINE);
			return CLI_NO;
		}
		if (line->length == line->size) {
			size_t size = line->size == 0 ? 256 : 2 * line->size;
			char *data = realloc(line->data, size);

			if (data == NULL)
				return cli_no_memory(&cli_play);
			line->data = data;
			line->size = size;
		}
		line->data[line->length++] = (char)c;
	}
	if (ferror(stdin)) {
		cli_complain(&cli_play, "standard input cannot be read: %s", strerror(errno));
		return CLI_SYSTEM;
	}
	return c == EOF && line->length == 0 ? CLI_GOOD : CLI_GO_ON;
}

int play_plain(struct play *play, struct play_computer *computer)
{
	struct line line = {0};
	bool prompt = mrl_terminal_input();

	print_all(play);
	int code = computers_turns(play, computer);

	/* Nobody is there to say what comes next. */
	if (code == CLI_GO_ON && play->computer[MRL_WHITE] && play->computer[MRL_BLACK])
		code = CLI_GOOD;
	while (code == CLI_GO_ON) {
		if (prompt)
			fputs("> ", stdout);
		(void)fflush(stdout);
		code = read_line(&line);
		if (code == CLI_GO_ON)
			code = obey(play, computer, line.data, line.length);
		else if (code == CLI_GOOD && prompt)
			putchar('\n');
	}
	free(line.data);
	return code;
}
