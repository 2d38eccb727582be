/* Turn text: every form that is read, every reason for which one is not. */
#include "notation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum mrl_status read_turn(const struct mrl_rules *rules, const struct mrl_position *position, const char *text,
				 size_t length, struct mrl_turn *turn, struct mrl_error *error)
{
	return mrl_turn_read(rules, position, guarded(text, length), length, turn, error);
}

/* The canonical text of what was read, or the error. */
static const char *reads_as(const char *rules_text, const char *position_text, const char *text)
{
	static char written[MRL_TURN_TEXT_SIZE];
	static struct mrl_error error;
	struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_turn turn;
	size_t length;

	test_rules(&rules, rules_text);
	if (position_text != NULL)
		position = position_of(&rules, position_text);
	else
		mrl_position_start(&rules, &position);
	if (read_turn(&rules, &position, text, strlen(text), &turn, &error) != MRL_OK)
		return error.message;
	length = mrl_turn_write(&rules.board, &turn, written);
	assert_int_equal(length, strlen(written));
	return written;
}

/* White to move and about to close a7 d7 g7 by d6-d7. */
#define CLOSING "W.W/.W./.../B...../..W/.B./..B w 0,0"
/* White to place g7, which closes a7 d7 g7; Black has men on b2, d2, f2 (a mill) and a1. */
#define PLACING "WW./.../.../....../.../BBB/B.. w 5,5"

static void a_placement_is_a_point(void **state)
{
	(void)state;
	assert_string_equal(reads_as("nine", NULL, "d6"), "d6");
}

static void a_move_is_from_and_to(void **state)
{
	(void)state;
	assert_string_equal(reads_as("nine", CLOSING, "d6-d5"), "d6-d5");
}

static void a_take_stands_behind_an_x(void **state)
{
	(void)state;
	assert_string_equal(reads_as("nine", CLOSING, "d6-d7xa4"), "d6-d7xa4");
}

static void case_is_free(void **state)
{
	(void)state;
	assert_string_equal(reads_as("nine", NULL, "D6"), "d6");
	assert_string_equal(reads_as("nine", CLOSING, "D6-d7XA4"), "d6-d7xa4");
}

static void a_take_may_stand_apart(void **state)
{
	(void)state;
	assert_string_equal(reads_as("nine", CLOSING, "d6-d7 xa4"), "d6-d7xa4");
	assert_string_equal(reads_as("nine", CLOSING, "  d6-d7\t\r\n xa4\n"), "d6-d7xa4");
	assert_string_equal(reads_as("nine", CLOSING, "D6-D7 XA4"), "d6-d7xa4");
}

static void takes_of_several_mills_are_read_in_any_spacing(void **state)
{
	/* d7 closes a7 d7 g7 and d5 d6 d7. */
	static const char two[] = "W.W/.W./.W./....../.../BBB/B.. w 2,2";

	(void)state;
	assert_string_equal(reads_as("nine,take-count=per-mill", "W.W/.W./.W./....../B../B.B/B.. w 5,5", "d7xa1xb2"),
			    "d7xa1xb2");
	assert_string_equal(reads_as("nine,take-count=per-mill", "W.W/.W./.W./....../B../B.B/B.. w 5,5", "d7xb2 xa1"),
			    "d7xb2xa1");
	assert_string_equal(reads_as("nine,take-count=per-mill", "W.W/.W./.W./....../B../B.B/B.. w 5,5", "d7 xb2 xa1"),
			    "d7xb2xa1");
	assert_string_equal(
	    reads_as("nine,take-count=per-mill", two, "d7xa1"),
	    "d7xa1 is not legal: d7 closes more than one mill, so another man must be taken: one of b2 d2 f2");
}

static void with_move_early_and_men_in_hand_a_point_alone_places(void **state)
{
	(void)state;
	assert_string_equal(reads_as("lasker", "W.W/.../.../....../.../.../B.B w 8,8", "d7xa1"), "d7xa1");
	assert_string_equal(reads_as("lasker", "W../.../.../....../.../.../B.. w 9,9", "a4"), "a4");
	assert_string_equal(reads_as("lasker", "W../.../.../....../.../.../B.. w 9,9", "a7-a4"), "a7-a4");
}

/* ---- Inputs that other programs got wrong ------------------------------------------------------------------- */

/* Plays the turns of a text, all of which must be good, and then reads one more: its text or why it is refused. */
static const char *then(const char *rules_text, const char *turns, const char *last)
{
	static char written[MRL_TURN_TEXT_SIZE];
	static struct mrl_error error;
	struct mrl_rules rules;
	struct mrl_ply plies[64];
	struct mrl_game game;
	struct mrl_turn turn;
	size_t length = strlen(turns);

	test_rules(&rules, rules_text);
	mrl_game_init(&game, &rules, NULL, plies, 64);
	for (;;) {
		size_t consumed = 0;

		if (mrl_turn_next(&rules, &game.position, guarded(turns, length), length, &consumed, &turn, &error) !=
			MRL_OK ||
		    (turn.to != MRL_NO_POINT && mrl_game_play(&game, &turn, &error) != MRL_OK))
			fail_msg("%s: %s", turns, error.message);
		if (turn.to == MRL_NO_POINT)
			break;
		turns += consumed;
		length -= consumed;
	}
	if (read_turn(&rules, &game.position, last, strlen(last), &turn, &error) != MRL_OK)
		return error.message;
	mrl_turn_write(&rules.board, &turn, written);
	return written;
}

static void the_last_placement_may_close_a_mill_and_takes_in_the_same_turn(void **state)
{
	static const char turns[] = "b4 d6 g4 g1 d7 b6 d1 d5 e3 d3 a7 b2 a4 g7 c5 f2 f4";

	(void)state;
	assert_string_equal(
	    then("nine", turns, "f6"),
	    "f6 is not legal: f6 closes a mill, so a man must be taken: one of d1 e3 a4 b4 f4 g4 c5 a7 d7");
	assert_string_equal(then("nine", turns, "f6xb4"), "f6xb4");
	assert_string_equal(then("nine", "b4 d6 g4 g1 d7 b6 d1 d5 e3 d3 a7 b2 a4 g7 c5 f2 f4 f6xb4", "a4-b4"), "a4-b4");
}

static void when_all_men_stand_in_mills_any_may_be_taken(void **state)
{
	(void)state;
	assert_string_equal(then("nine", "b6 a7 d6 d7 a1 g7xa1", "f6"),
			    "f6 is not legal: f6 closes a mill, so a man must be taken: one of a7 d7 g7");
	assert_string_equal(then("nine", "b6 a7 d6 d7 a1 g7xa1", "f6 xd7"), "f6xd7");
}

static void who_is_shut_in_after_the_last_placement_has_lost(void **state)
{
	(void)state;
	assert_string_equal(then("nine", "e5 a7 a4 g7 e4 d5 g4 b4 d3 f4 b2 c3 f2 e3 a1 d2 d1 g1", "a1-d1"),
			    "a1-d1 comes too late: the game is over: 0-1 no-moves");
}

static void diagonals_are_of_the_board_not_of_the_text(void **state)
{
	(void)state;
	assert_string_equal(
	    reads_as("nine", CLOSING, "a7-b6"),
	    "a7-b6 is not legal: b6 is not next to a7 on a line (next to it: a4 d7), and White may not fly "
	    "with 4 men");
	assert_string_equal(reads_as("twelve", CLOSING, "a7-b6"), "a7-b6");
}

static void two_mills_closed_with_one_man_take_one_or_two_men(void **state)
{
	static const char turns[] = "g4 a7 f2 c5 f6 d2 e4 d5";

	(void)state;
	assert_string_equal(then("nine", turns, "f4xa7"), "f4xa7");
	assert_string_equal(then("nine", turns, "f4xa7xc5"),
			    "f4xa7xc5 is not legal: the turn takes more men than it may");
	assert_string_equal(then("nine,take-count=per-mill", turns, "f4xa7xc5"), "f4xa7xc5");
	assert_string_equal(
	    then("nine,take-count=per-mill", turns, "f4xa7"),
	    "f4xa7 is not legal: f4 closes more than one mill, so another man must be taken: one of d2 c5 d5");
}

/* ---- What is no turn ---------------------------------------------------------------------------------------- */

struct bad_turn {
	const char *position;
	struct refusal refusal;
};

#define LONG_WORD "d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6d6"

static const struct bad_turn bad_turns[] = {
    {NULL,
     {"nine", TEXT(""), MRL_SYNTAX, 1, 1,
      "expected a point, a letter and a number as in d6; found the end of the text"}},
    {NULL,
     {"nine", TEXT("\n "), MRL_SYNTAX, 2, 2,
      "expected a point, a letter and a number as in d6; found the end of the text"}},
    {NULL, {"nine", TEXT("d"), MRL_SYNTAX, 1, 1, "expected a point, a letter and a number as in d6; found \"d\""}},
    {NULL, {"nine", TEXT("6d"), MRL_SYNTAX, 1, 1, "expected a point, a letter and a number as in d6; found \"6d\""}},
    {NULL,
     {"nine", TEXT("\0"), MRL_SYNTAX, 1, 1, "expected a point, a letter and a number as in d6; found a NUL byte"}},
    {NULL, {"nine", TEXT("d6\0"), MRL_SYNTAX, 1, 3, "expected the end of the turn; found a NUL byte"}},
    {NULL,
     {"nine",
      TEXT("\xef\xbb\xbf"
	   "d6"),
      MRL_SYNTAX, 1, 1, "expected a point, a letter and a number as in d6; found a byte order mark"}},
    {NULL, {"nine", TEXT("d4"), MRL_SYNTAX, 1, 1, "\"d4\" is no point of the board ring24"}},
    {NULL, {"nine", TEXT("h1"), MRL_SYNTAX, 1, 1, "\"h1\" is no point of the board ring24"}},
    {NULL, {"nine", TEXT("a0"), MRL_SYNTAX, 1, 1, "\"a0\" is no point of the board ring24"}},
    {NULL, {"nine", TEXT("a01"), MRL_SYNTAX, 1, 1, "\"a01\" is no point of the board ring24"}},
    {NULL, {"nine", TEXT("a77"), MRL_SYNTAX, 1, 1, "\"a77\" is no point of the board ring24"}},
    {NULL, {"nine", TEXT("a4294967297"), MRL_SYNTAX, 1, 1, "\"a4294967297\" is no point of the board ring24"}},
    {NULL, {"three", TEXT("d4"), MRL_SYNTAX, 1, 1, "\"d4\" is no point of the board grid9"}},
    {NULL, {"nine", TEXT("d6 f4"), MRL_SYNTAX, 1, 4, "expected the end of the turn; found \"f4\""}},
    {NULL, {"nine", TEXT("d6,"), MRL_SYNTAX, 1, 3, "expected the end of the turn; found \",\""}},
    {NULL,
     {"nine", TEXT("d6x"), MRL_SYNTAX, 1, 4, "expected a point behind x, as in d6xa1; found the end of the text"}},
    {NULL, {"nine", TEXT("d6 x"), MRL_SYNTAX, 1, 4, "expected the end of the turn; found \"x\""}},
    {NULL, {"nine", TEXT("xa1"), MRL_SYNTAX, 1, 1, "expected a turn before its take, as in d6xa1; found \"xa1\""}},
    {NULL,
     {"nine", TEXT("d6-"), MRL_SYNTAX, 1, 4,
      "expected a point, a letter and a number as in d6; found the end of the text"}},
    {NULL, {"nine", TEXT("d6 - d7"), MRL_SYNTAX, 1, 4, "expected the end of the turn; found \"-\""}},
    {NULL,
     {"nine", TEXT("d6d7"), MRL_SYNTAX, 1, 3,
      "expected - before the point a man goes to, or x before one that is taken; found \"d7\""}},
    {NULL,
     {"nine", TEXT("d6-d7-d5"), MRL_SYNTAX, 1, 6,
      "expected - before the point a man goes to, or x before one that is taken; found \"-d5\""}},
    {NULL,
     {"nine",
      TEXT("d6\xe2\x80\x93"
	   "d7"),
      MRL_SYNTAX, 1, 3, "expected the end of the turn; found a Unicode dash (write -)"}},
    {NULL,
     {"nine",
      TEXT("d6\xe2\x80\x94"
	   "d7"),
      MRL_SYNTAX, 1, 3, "expected the end of the turn; found a Unicode dash (write -)"}},
    {NULL,
     {"nine",
      TEXT("d6\xe2\x88\x92"
	   "d7"),
      MRL_SYNTAX, 1, 3, "expected the end of the turn; found a Unicode minus sign (write -)"}},
    {NULL,
     {"nine",
      TEXT("d6\xe2\x80\x91"
	   "d7"),
      MRL_SYNTAX, 1, 3, "expected the end of the turn; found a Unicode hyphen (write -)"}},
    {NULL,
     {"nine",
      TEXT("d6\xc3\x97"
	   "a1"),
      MRL_SYNTAX, 1, 3, "expected the end of the turn; found a multiplication sign (write x)"}},
    {NULL, {"nine", TEXT("d6xa1xa1xa1xa1xa1xa1xa1"), MRL_ILLEGAL, 1, 21, "no turn takes more than 6 men"}},
    {NULL,
     {"nine", TEXT(LONG_WORD), MRL_SYNTAX, 1, 1,
      "a word of 52 characters is longer than any turn: \"d6d6d6d6d6d6d6d6d6d6d6d6...\""}},

    {NULL, {"nine", TEXT("d6xa1"), MRL_ILLEGAL, 1, 1, "d6xa1 is not legal: d6 closes no mill, so no man may be taken"}},
    {NULL,
     {"nine", TEXT(" D6-d7"), MRL_ILLEGAL, 1, 2,
      "d6-d7 is not legal: White still has 9 men in hand and must place one before any man moves"}},
    {"W../.../.../....../.../.../... b 8,9",
     {"nine", TEXT("a7"), MRL_ILLEGAL, 1, 1, "a7 is not legal: a7 is occupied by a white man"}},
    {CLOSING,
     {"nine", TEXT("d6-d7"), MRL_ILLEGAL, 1, 1,
      "d6-d7 is not legal: d7 closes a mill, so a man must be taken: one of g1 d2 a4"}},
    {CLOSING,
     {"nine", TEXT("d6-d7xa7"), MRL_ILLEGAL, 1, 1,
      "d6-d7xa7 is not legal: there is no enemy man to take on a7; may be taken: g1 d2 a4"}},
    {CLOSING,
     {"nine", TEXT("d6-d7 xg1 xd2"), MRL_ILLEGAL, 1, 1,
      "d6-d7xg1xd2 is not legal: the turn takes more men than it may"}},
    {PLACING,
     {"nine", TEXT("g7"), MRL_ILLEGAL, 1, 1, "g7 is not legal: g7 closes a mill, so a man must be taken: one of a1"}},
    {PLACING,
     {"nine", TEXT("g7xd2"), MRL_ILLEGAL, 1, 1,
      "g7xd2 is not legal: the man on d2 stands in a mill and may not be taken; may be taken: a1"}},

    /* A point alone where a man has to move. */
    {"W../.W./..W/.....B/.../.BB/W.. w 0,0",
     {"nine", TEXT("a4"), MRL_AMBIGUOUS, 1, 1, "a4 is ambiguous: a1-a4 or a7-a4"}},
    {"W../.W./..W/.....B/.../.BB/W.. w 0,0",
     {"nine", TEXT(" A4"), MRL_AMBIGUOUS, 1, 2, "a4 is ambiguous: a1-a4 or a7-a4"}},
    {"W../.W./..W/.....B/.../.BB/.W. w 0,0",
     {"nine", TEXT("a4"), MRL_ILLEGAL, 1, 1, "a4 does not say which man moves: write a7-a4"}},
    {"W../.W./..W/.....B/.../.BB/W.. w 0,0",
     {"nine", TEXT("a4xd2"), MRL_AMBIGUOUS, 1, 1, "a4 is ambiguous: a1-a4 or a7-a4"}},
    {"W../.W./..W/.....B/.../.BB/W.. w 0,0",
     {"nine", TEXT("e3"), MRL_ILLEGAL, 1, 1,
      "e3 does not say which man moves, and White has no man that can go there; a move is written from-to"}},
    {"W../.W./..W/.....B/.../.BB/W.. w 0,0",
     {"nine", TEXT("g4"), MRL_ILLEGAL, 1, 1,
      "g4 does not say which man moves, and the point is occupied; a move is written from-to"}},
    {"W../.W./..W/.....B/.../.BB/... w 0,0",
     {"nine", TEXT("e3"), MRL_AMBIGUOUS, 1, 1, "e3 is ambiguous: e5-e3 or d6-e3 or a7-e3"}},
    {"WWW/W../.../....../.../.../BBB w 0,3",
     {"lasker", TEXT("a4"), MRL_ILLEGAL, 1, 1, "a4 does not say which man moves: write a7-a4"}},

    {"WW./.../.../....../.../.../BBB w 0,0",
     {"nine", TEXT("d6"), MRL_DECIDED, 1, 1, "d6 comes too late: the game is over: 0-1 few-men"}},
    {"WW./.../.../....../.../.../BBB w 0,0",
     {"nine", TEXT("d7-d6"), MRL_DECIDED, 1, 1, "d7-d6 comes too late: the game is over: 0-1 few-men"}},
};

static void what_is_no_turn_is_refused_with_place_and_reason(void **state)
{
	struct mrl_rules rules;
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof bad_turns / sizeof bad_turns[0]; i++) {
		const struct refusal *refusal = &bad_turns[i].refusal;
		struct mrl_position position;
		struct mrl_turn turn;
		struct mrl_turn untouched;
		struct mrl_error error = {0};
		enum mrl_status status;

		test_rules(&rules, refusal->rules);
		if (bad_turns[i].position != NULL)
			position = position_of(&rules, bad_turns[i].position);
		else
			mrl_position_start(&rules, &position);
		memset(&turn, 0x5a, sizeof turn);
		memset(&untouched, 0x5a, sizeof untouched);
		status = read_turn(&rules, &position, refusal->text, refusal->length, &turn, &error);
		wrong += !refused(refusal, status, &error);
		assert_memory_equal(&turn, &untouched, sizeof turn);
	}
	assert_int_equal(wrong, 0);
}

/* ---- Several turns ------------------------------------------------------------------------------------------ */

static void the_next_turn_of_a_text_takes_its_takes_along_and_leaves_the_rest(void **state)
{
	static const char text[] = " d6  a1\tb6 a4 f6  xa1 g7";
	static const size_t ends[] = {3, 7, 10, 13, 21, 24};
	struct mrl_rules rules;
	struct mrl_position position;
	size_t at = 0;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &position);
	for (size_t i = 0; i < 6; i++) {
		size_t length = strlen(text) - at;
		struct mrl_error error;
		struct mrl_turn turn;
		size_t consumed = 0;

		if (mrl_turn_next(&rules, &position, guarded(text + at, length), length, &consumed, &turn, &error) !=
		    MRL_OK)
			fail_msg("%s", error.message);
		at += consumed;
		assert_int_equal(at, ends[i]);
		assert_int_not_equal(turn.to, MRL_NO_POINT);
		mrl_apply(&rules, &position, &turn, NULL);
	}
	assert_int_equal(position.men[MRL_BLACK], test_points(&rules, "a4 g7"));
}

static void at_the_end_of_a_text_there_is_no_turn(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_turn turn = {0};
	size_t consumed = 99;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &position);
	assert_int_equal(mrl_turn_next(&rules, &position, guarded(" \n", 2), 2, &consumed, &turn, NULL), MRL_OK);
	assert_int_equal(consumed, 2);
	assert_int_equal(turn.to, MRL_NO_POINT);
	assert_int_equal(mrl_turn_next(&rules, &position, guarded("", 0), 0, &consumed, &turn, NULL), MRL_OK);
	assert_int_equal(consumed, 0);
}

static void a_word_that_goes_on_behind_the_turn_is_no_turn(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_turn turn;
	size_t consumed = 99;
	struct mrl_error error;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &position);
	assert_int_equal(mrl_turn_next(&rules, &position, guarded("d6, f4", 6), 6, &consumed, &turn, &error),
			 MRL_SYNTAX);
	assert_int_equal(consumed, 99);
	assert_int_equal(error.column, 3);
	assert_string_equal(error.message, "expected the end of the turn; found \",\"");
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static void the_longest_turn_fits_its_buffer(void **state)
{
	struct mrl_board board;
	struct mrl_turn turn;
	char text[MRL_TURN_TEXT_SIZE];

	(void)state;
	assert_int_equal(mrl_board_init(&board, "tall", "a64 b64 c64/x62 x63 x64", NULL), MRL_OK);
	memset(&turn, (int)mrl_point_at(&board, 0, 63), sizeof turn);
	assert_int_equal(mrl_turn_write(&board, &turn, text), 31);
	assert_string_equal(text, "a64-a64xa64xa64xa64xa64xa64xa64");
}

static void a_turn_of_any_content_is_written(void **state)
{
	struct mrl_rules rules;
	struct mrl_turn turn;
	char text[MRL_TURN_TEXT_SIZE];

	(void)state;
	test_rules(&rules, "nine");
	memset(&turn, 200, sizeof turn);
	mrl_turn_write(&rules.board, &turn, text);
	assert_string_equal(text, "?-?x?x?x?x?x?x?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_placement_is_a_point),
	    cmocka_unit_test(a_move_is_from_and_to),
	    cmocka_unit_test(a_take_stands_behind_an_x),
	    cmocka_unit_test(case_is_free),
	    cmocka_unit_test(a_take_may_stand_apart),
	    cmocka_unit_test(takes_of_several_mills_are_read_in_any_spacing),
	    cmocka_unit_test(with_move_early_and_men_in_hand_a_point_alone_places),
	    cmocka_unit_test(the_last_placement_may_close_a_mill_and_takes_in_the_same_turn),
	    cmocka_unit_test(when_all_men_stand_in_mills_any_may_be_taken),
	    cmocka_unit_test(who_is_shut_in_after_the_last_placement_has_lost),
	    cmocka_unit_test(diagonals_are_of_the_board_not_of_the_text),
	    cmocka_unit_test(two_mills_closed_with_one_man_take_one_or_two_men),
	    cmocka_unit_test(what_is_no_turn_is_refused_with_place_and_reason),
	    cmocka_unit_test(the_next_turn_of_a_text_takes_its_takes_along_and_leaves_the_rest),
	    cmocka_unit_test(at_the_end_of_a_text_there_is_no_turn),
	    cmocka_unit_test(a_word_that_goes_on_behind_the_turn_is_no_turn),
	    cmocka_unit_test(the_longest_turn_fits_its_buffer),
	    cmocka_unit_test(a_turn_of_any_content_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
