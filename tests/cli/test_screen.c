/* merels play on the screen of a terminal, driven by keys and mouse as a person would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terminal.h"

#define UP "\033OA"
#define DOWN "\033OB"
#define RIGHT "\033OC"
#define LEFT "\033OD"
#define ESCAPE "\033"

static struct terminal terminal;

static const char *const ascii[] = {"TERM=xterm-256color", "LC_ALL=C", NULL};

/* The game is on the screen, whole: the row of hints is painted last, then the cursor goes back to the board. */
static void wait_for_game(void)
{
	terminal_wait(&terminal, "q quit");
	terminal_wait_leave(&terminal, terminal_find(&terminal, "q quit"));
}

/* Starts the program with up to eight options. */
static void play_in(int rows, int columns, const char *const environment[], const char *const options[])
{
	const char *argv[16] = {MERELS, "play"};

	for (int i = 0; i < 12 && options[i] != NULL; i++)
		argv[2 + i] = options[i];
	terminal_start(&terminal, rows, columns, argv, environment);
	wait_for_game();
}

#define PLAY(...) play_in(24, 80, ascii, (const char *const[]){__VA_ARGS__, NULL})

/* All keys sent before have been obeyed once the help has come and gone. */
static void settle(void)
{
	terminal_send(&terminal, "?");
	terminal_wait(&terminal, "Any key goes back");
	terminal_send(&terminal, "x");
	wait_for_game();
}

static void keys(const char *bytes)
{
	terminal_send(&terminal, bytes);
	settle();
}

static void shows(const char *text)
{
	if (terminal_find(&terminal, text) < 0) {
		terminal_print(&terminal);
		fail_msg("the screen does not show \"%s\"", text);
	}
}

static void shows_not(const char *text)
{
	if (terminal_find(&terminal, text) >= 0) {
		terminal_print(&terminal);
		fail_msg("the screen shows \"%s\"", text);
	}
}

/* The row that names the files: letters and spaces alone, from a on. */
static int files_row(void)
{
	for (int row = 0; row < terminal.rows; row++) {
		char letters[TERMINAL_COLUMNS + 1];
		size_t count = 0;

		for (int column = 0; column < terminal.columns; column++) {
			if (terminal.cell[row][column] != ' ')
				letters[count++] = terminal.cell[row][column];
		}
		letters[count] = '\0';
		if (count >= 3 && (strncmp("abcdefgh", letters, count) == 0 || strcmp(letters, "gfedcba") == 0 ||
				   strcmp(letters, "cba") == 0 || strcmp(letters, "edcba") == 0))
			return row;
	}
	terminal_print(&terminal);
	fail_msg("the screen names no files");
	return -1;
}

/* Where a point is on the screen, from the names of files and ranks. */
static void find_point(const char *name, int *row, int *column)
{
	int files = files_row();
	int left = 0;

	while (terminal.cell[files][left] == ' ')
		left++;
	*column = 0;
	while (terminal.cell[files][*column] != name[0] && *column < terminal.columns - 1)
		(*column)++;
	*row = 0;
	while (terminal.cell[*row][left - 4] != name[1] && *row < files)
		(*row)++;
	assert_true(*row < files);
}

static char at(const char *name)
{
	int row;
	int column;

	find_point(name, &row, &column);
	return terminal.cell[row][column];
}

static void mouse(const char *name, char what)
{
	char bytes[32];
	int row;
	int column;

	find_point(name, &row, &column);
	(void)snprintf(bytes, sizeof(bytes), "\033[<0;%d;%d%c", column + 1, row + 1, what);
	terminal_send(&terminal, bytes);
}

static void click(const char *name)
{
	mouse(name, 'M');
	mouse(name, 'm');
	settle();
}

/* Walks to a point that may be picked with Tab alone and picks it with Enter. */
static void pick_by_key(const char *name)
{
	int row;
	int column;
	int tabs = 0;

	find_point(name, &row, &column);
	while (terminal.row != row || terminal.column != column) {
		keys("\t");
		assert_true(++tabs < 70);
	}
	keys("\n");
}

/* Picks the points of a turn in their order: "d6-d7xa1". */
static void pick_turn(const char *turn, void (*pick)(const char *name))
{
	char name[3] = "";

	for (; *turn != '\0'; turn++) {
		if (*turn == '-' || *turn == 'x')
			continue;
		name[0] = turn[0];
		name[1] = turn[1];
		turn++;
		pick(name);
	}
}

/* Leaves the game; the exit code must be 0 and the last lines say where it was. */
static void quit(const char *last)
{
	terminal_send(&terminal, "qq");
	int code = terminal_end(&terminal);

	shows(last);
	assert_int_equal(code, 0);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static void a_game_is_played_with_the_arrow_keys(void **state)
{
	(void)state;
	PLAY("--rules", "three", "--black", "human");
	shows("White: place a man.");
	shows("3 in hand");
	keys(RIGHT RIGHT UP "\n");
	assert_int_equal(at("c2"), 'W');
	shows("Black: place a man.");
	keys(UP LEFT LEFT "\n");
	assert_int_equal(at("a3"), 'B');
	keys(RIGHT RIGHT " ");
	assert_int_equal(at("c3"), 'W');
	keys(DOWN DOWN LEFT LEFT "\r");
	assert_int_equal(at("a1"), 'B');
	keys(RIGHT RIGHT "\n");
	shows("White closed a mill. White won.");
	terminal_send(&terminal, "q");
	assert_int_equal(terminal_end(&terminal), 0);
	shows("B.W/..W/B.W b 0,1 0 0");
	shows("1-0 mill");
}

static void a_take_is_chosen_with_the_mouse_and_marked_before(void **state)
{
	(void)state;
	PLAY("--black", "human");
	for (const char *turns = "d6 f4 d2 b4 d7 d1 d5 "; *turns != '\0'; turns += 3)
		click((const char[]){turns[0], turns[1], '\0'});
	shows("White closed d5 d6 d7. Take a black man.");
	shows("x(B)x");
	shows("5 in hand");
	click("a1");
	shows("White closed d5 d6 d7. Take a black man.");
	shows_not("d5x");
	click("b4");
	assert_int_equal(at("b4"), 'o');
	shows("1 lost");
	shows("d5xb4");
	shows("Black: place a man.");
	quit("*");
}

static void a_man_is_dragged_and_legal_points_are_shown(void **state)
{
	(void)state;
	PLAY("--black", "human", "--position", "W.W/.W./.../W....B/.../.B./B.B w 0,0 0 0");
	shows("White: move a man along a line.");
	shows("{(W)}");
	mouse("a7", 'M');
	settle();
	shows("White: move the man on a7 to a marked point.");
	shows("<(W)>");
	assert_int_equal(at("d7"), 'o');
	assert_int_equal(at("b2"), '.');
	mouse("d7", 'm');
	settle();
	assert_int_equal(at("d7"), 'W');
	assert_int_equal(at("a7"), '.');
	shows("a7-d7");
	shows("Black: move a man along a line.");
	/* As fast as nobody can: press and release arrive together. */
	mouse("g4", 'M');
	mouse("f4", 'm');
	settle();
	assert_int_equal(at("f4"), 'B');
	quit("*");
}

static void escape_puts_the_man_back_and_undo_takes_the_turn_back(void **state)
{
	(void)state;
	PLAY("--black", "human", "--position", "W.W/.W./.../W....B/.../.B./B.B w 0,0 0 0");
	click("a7");
	shows("White: move the man on a7");
	terminal_send(&terminal, ESCAPE);
	terminal_wait(&terminal, "White: move a man along a line.");
	click("a7");
	click("d7");
	shows("Black: move");
	keys("u");
	shows("White: move");
	assert_int_equal(at("a7"), 'W');
	keys("u");
	shows("White: move");
	terminal_send(&terminal, "u");
	terminal_wait(&terminal, "There is no turn to take back.");
	quit("*");
}

static void a_point_that_may_not_be_picked_says_why(void **state)
{
	(void)state;
	PLAY("--black", "human");
	click("d6");
	mouse("d6", 'M');
	terminal_wait(&terminal, "d6 is occupied");
	mouse("d6", 'm');
	settle();
	shows("Black: place a man.");
	quit("*");
}

static void a_new_game_and_leaving_one_are_asked_twice(void **state)
{
	(void)state;
	PLAY("--black", "human");
	click("d6");
	terminal_send(&terminal, "n");
	terminal_wait(&terminal, "Press n again.");
	terminal_send(&terminal, "x");
	terminal_wait(&terminal, "Black: place a man.");
	assert_int_equal(at("d6"), 'W');
	terminal_send(&terminal, "n");
	terminal_wait(&terminal, "Press n again.");
	terminal_send(&terminal, "n");
	terminal_wait(&terminal, "White: place a man.");
	assert_int_equal(at("d6"), 'o');
	click("d6");
	terminal_send(&terminal, "q");
	terminal_wait(&terminal, "Press q again.");
	terminal_send(&terminal, "q");
	assert_int_equal(terminal_end(&terminal), 0);
	shows(".../.W./.../....../.../.../... b 8,9 0 0");
}

static void the_board_turns_round(void **state)
{
	(void)state;
	int row;
	int column;
	int flipped_row;
	int flipped_column;

	PLAY("--black", "human");
	click("a1");
	find_point("a1", &row, &column);
	keys("f");
	find_point("a1", &flipped_row, &flipped_column);
	assert_true(flipped_row < row && flipped_column > column);
	assert_int_equal(at("a1"), 'W');
	click("g1");
	assert_int_equal(at("g1"), 'B');
	quit("*");
}

static void the_screen_follows_the_size_of_the_window(void **state)
{
	(void)state;
	PLAY("--black", "human");
	click("d6");
	terminal_resize(&terminal, 10, 30);
	terminal_wait(&terminal, "This board needs 38 columns");
	terminal_resize(&terminal, 20, 38);
	terminal_wait(&terminal, "Black: 9 in hand, 0 lost");
	settle();
	assert_int_equal(at("d6"), 'W');
	terminal_resize(&terminal, 60, 160);
	terminal_wait(&terminal, "n new");
	settle();
	assert_int_equal(at("d6"), 'W');
	click("f4");
	assert_int_equal(at("f4"), 'B');
	terminal_resize(&terminal, 24, 80);
	terminal_wait(&terminal, "q quit");
	settle();
	click("d2");
	assert_int_equal(at("d2"), 'W');
	quit("*");
}

static void start_in_a_window_that_is_too_small(void **state)
{
	(void)state;
	const char *const argv[] = {MERELS, "play", "--black", "human", NULL};

	terminal_start(&terminal, 5, 20, argv, ascii);
	terminal_wait(&terminal, "This board needs");
	terminal_resize(&terminal, 24, 80);
	terminal_wait(&terminal, "White: place a man.");
	quit("*");
}

/* A point picked while the computer thinks means nothing; undo, quit and the like do at once. */
static void the_computer_can_be_interrupted_at_any_time(void **state)
{
	(void)state;
	PLAY("--time", "3600", "--level", "10");
	shows("Your turn: place a man.");
	terminal_send(&terminal, "\n");
	terminal_wait(&terminal, "The computer is thinking.");
	keys(RIGHT UP "f");
	shows("The computer is thinking.");
	terminal_resize(&terminal, 40, 120);
	settle();
	shows("The computer is thinking.");
	terminal_send(&terminal, "u");
	terminal_wait(&terminal, "Your turn: place a man.");
	terminal_send(&terminal, "\n");
	terminal_wait(&terminal, "The computer is thinking.");
	/* The person takes the computer's seat. */
	terminal_send(&terminal, "c");
	terminal_wait(&terminal, "Black: place a man.");
	terminal_send(&terminal, "c");
	terminal_wait(&terminal, "The computer is thinking.");
	terminal_send(&terminal, "q");
	terminal_wait(&terminal, "Press q again.");
	terminal_send(&terminal, "q");
	assert_int_equal(terminal_end(&terminal), 0);
}

static void a_person_plays_against_the_computer(void **state)
{
	(void)state;
	/* White has a mill in one; then nothing is left to think about. */
	PLAY("--rules", "three", "--time", "0.05", "--position", "BB./.../WW. w 1,1 0 0");
	shows("White (you)");
	shows("Black (computer)");
	click("c1");
	terminal_wait(&terminal, "You closed a mill. You won.");
	terminal_send(&terminal, "u");
	terminal_wait(&terminal, "Your turn: place a man.");
	/* Another turn, and the computer sees its own mill; it has no other way to win. */
	mouse("c2", 'M');
	terminal_wait(&terminal, "Black closed a mill. You lost.");
	quit("0-1 mill");
}

static void a_hint_is_said_and_marked_until_the_turn_is_played(void **state)
{
	(void)state;
	/* White wins by one turn; Black has a mill in one. */
	PLAY("--rules", "three", "--black", "human", "--position", "BB./.../WW. w 1,1 0 0");
	terminal_send(&terminal, "h");
	terminal_wait(&terminal, "Hint: place a man on c1.");
	shows("*o*");
	keys("f");
	shows("*o*");
	click("a2");
	shows_not("*o*");
	terminal_send(&terminal, "h");
	terminal_wait(&terminal, "Hint: place a man on c3.");
	terminal_send(&terminal, "u");
	terminal_wait(&terminal, "White: place a man.");
	shows_not("*o*");
	quit("*");
}

static void a_hint_goes_on_with_the_turn_in_the_making(void **state)
{
	(void)state;
	PLAY("--black", "human", "--position", "W.W/.W./.../.....B/.../BB./... w 0,0 0 0");
	click("d6");
	click("d7");
	shows("x(B)x");
	terminal_send(&terminal, "h");
	terminal_wait(&terminal, "Hint: take the man on ");
	shows("*(B)*");
	terminal_send(&terminal, "\t");
	terminal_wait(&terminal, "White closed a7 d7 g7. Take a black man");
	quit("*");
}

static void any_key_ends_the_search_for_a_hint(void **state)
{
	(void)state;
	PLAY("--black", "human");
	terminal_send(&terminal, "h");
	terminal_wait(&terminal, "Looking for a hint");
	terminal_send(&terminal, "\n");
	terminal_wait(&terminal, "Black: place a man.");
	quit("*");
}

static void two_computers_play_to_the_end(void **state)
{
	(void)state;
	PLAY("--rules", "three", "--time", "0.02", "--white", "computer", "--black", "computer");
	terminal_wait_either(&terminal, "won.", "draw.");
	terminal_send(&terminal, "q");
	assert_int_equal(terminal_end(&terminal), 0);
}

static void play_vector_game(const char *line)
{
	char text[8192];
	char *result = strstr(line, " | ");

	assert_true(result != NULL && strlen(line) < sizeof(text));
	(void)snprintf(text, sizeof(text), "%.*s", (int)(result - line), line);
	char *rest = NULL;
	const char *rules = strtok_r(text, " ", &rest);
	bool by_mouse = false;

	PLAY("--rules", rules, "--black", "human");
	for (const char *turn = strtok_r(NULL, " ", &rest); turn != NULL; turn = strtok_r(NULL, " ", &rest)) {
		pick_turn(turn, by_mouse ? click : pick_by_key);
		by_mouse = !by_mouse;
	}
	char end[64];
	char position[128];

	assert_int_equal(sscanf(result + 3, "%63[^|] | %127[^\n]", end, position), 2);
	end[strlen(end) - 1] = '\0';
	terminal_send(&terminal, "q");
	assert_int_equal(terminal_end(&terminal), 0);
	shows(end);
	shows(position);
}

/* The shortest game of each rule set, turns by key and by mouse in turn. */
static void every_rule_set_plays_from_first_turn_to_result(void **state)
{
	(void)state;
	enum { MOST_RULES = 64, LONGEST = 8192 };
	static char shortest[MOST_RULES][LONGEST];
	static char line[65536];
	size_t count = 0;
	FILE *file = fopen(VECTORS "/games.txt", "r");

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		size_t name = strcspn(line, " ") + 1;
		size_t i = 0;

		if (strstr(line, " | ") == NULL)
			continue;
		while (i < count && strncmp(shortest[i], line, name) != 0)
			i++;
		assert_true(i < MOST_RULES);
		if (strlen(line) >= LONGEST || (i < count && strlen(shortest[i]) <= strlen(line)))
			continue;
		strcpy(shortest[i], line);
		if (i == count)
			count++;
	}
	assert_int_equal(fclose(file), 0);
	assert_true(count >= 13);
	for (size_t i = 0; i < count; i++)
		play_vector_game(shortest[i]);
}

static void terminals_with_few_or_no_colours_show_the_same(void **state)
{
	(void)state;
	static const char *const kinds[][4] = {
	    {"TERM=xterm", "LC_ALL=C", NULL},
	    {"TERM=vt100", "LC_ALL=C", NULL},
	    {"TERM=xterm-256color", "LC_ALL=C", "NO_COLOR=1", NULL},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		play_in(24, 80, kinds[i], (const char *const[]){"--rules", "six", "--black", "human", NULL});
		keys(UP RIGHT "\n");
		shows("[(W)]");
		shows("Black: place a man.");
		quit("*");
	}
}

static void a_terminal_with_unicode_draws_lines_and_men(void **state)
{
	(void)state;
	static const char *const unicode[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", NULL};

	play_in(24, 80, unicode, (const char *const[]){"--rules", "six", "--black", "human", NULL});
	keys(UP RIGHT "\n");
	shows("[?W?]");
	/* The lines take one column each: the names below stand where the points are. */
	assert_int_equal(at("b3"), 'W');
	quit("*");
}

static void a_terminal_that_can_do_nothing_gets_lines_of_text(void **state)
{
	(void)state;
	static const char *const dumb[] = {"TERM=dumb", "LC_ALL=C", NULL};
	static const char *const unknown[] = {"TERM=no-such-terminal", "LC_ALL=C", NULL};
	const char *const argv[] = {MERELS, "play", "--rules", "three", "--black", "human", NULL};

	for (int i = 0; i < 2; i++) {
		terminal_start(&terminal, 24, 80, argv, i == 0 ? dumb : unknown);
		terminal_wait(&terminal, "> ");
		terminal_send(&terminal, "c2\n");
		terminal_wait(&terminal, "Black: place a man.");
		terminal_send(&terminal, "\004");
		assert_int_equal(terminal_end(&terminal), 0);
		shows(".../..W/... b 2,3 0 0");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_game_is_played_with_the_arrow_keys),
	    cmocka_unit_test(a_take_is_chosen_with_the_mouse_and_marked_before),
	    cmocka_unit_test(a_man_is_dragged_and_legal_points_are_shown),
	    cmocka_unit_test(escape_puts_the_man_back_and_undo_takes_the_turn_back),
	    cmocka_unit_test(a_point_that_may_not_be_picked_says_why),
	    cmocka_unit_test(a_new_game_and_leaving_one_are_asked_twice),
	    cmocka_unit_test(the_board_turns_round),
	    cmocka_unit_test(the_screen_follows_the_size_of_the_window),
	    cmocka_unit_test(start_in_a_window_that_is_too_small),
	    cmocka_unit_test(the_computer_can_be_interrupted_at_any_time),
	    cmocka_unit_test(a_person_plays_against_the_computer),
	    cmocka_unit_test(a_hint_is_said_and_marked_until_the_turn_is_played),
	    cmocka_unit_test(a_hint_goes_on_with_the_turn_in_the_making),
	    cmocka_unit_test(any_key_ends_the_search_for_a_hint),
	    cmocka_unit_test(two_computers_play_to_the_end),
	    cmocka_unit_test(every_rule_set_plays_from_first_turn_to_result),
	    cmocka_unit_test(terminals_with_few_or_no_colours_show_the_same),
	    cmocka_unit_test(a_terminal_with_unicode_draws_lines_and_men),
	    cmocka_unit_test(a_terminal_that_can_do_nothing_gets_lines_of_text),
	};

	cmocka_set_test_filter(getenv("TEST_FILTER"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
