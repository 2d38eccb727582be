/* Positions in the formats of other programs: Sanmill's FEN and MFEN/1.0. */
#include "notation_support.h"

#include <string.h>

static const char *written(const struct mrl_rules *rules, const struct mrl_position *position,
			   enum mrl_position_format format)
{
	static char text[MRL_POSITION_TEXT_SIZE];
	static struct mrl_error error;

	if (mrl_position_write_as(rules, position, format, text, &error) != MRL_OK)
		return error.message;
	return text;
}

#define EMPTY_FEN "********/********/********"
#define EMPTY_MFEN "......../......../........"

/* ---- Sanmill's FEN ------------------------------------------------------------------------------------------ */

static void each_point_of_a_fen_is_the_point_of_that_name(void **state)
{
	static const char *const order[24] = {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", "d6", "f6", "f4", "f2",
					      "d2", "b2", "b4", "b6", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"};
	struct mrl_rules rules;

	(void)state;
	test_rules(&rules, "nine");
	for (unsigned i = 0; i < 24; i++) {
		char text[] = EMPTY_FEN " b p p 1 8 0 9 0 0 0 0 0 0 0 0 1";
		struct mrl_position position;

		text[i + i / 8] = 'O';
		position = position_of(&rules, text);
		assert_int_equal(position.men[MRL_WHITE], mrl_point_bit(test_point(&rules, order[i])));
		assert_int_equal(position.men[MRL_BLACK], 0);
		assert_string_equal(written(&rules, &position, MRL_FORMAT_SANMILL), text);
	}
}

static void a_fen_is_read_in_each_of_its_lengths(void **state)
{
	static const char *const forms[] = {
	    EMPTY_FEN " w p p 0 9 0 9",
	    EMPTY_FEN " w r p 0 9 0 9 0 0",
	    EMPTY_FEN " w p p 0 9 0 9 0 0 0 1",
	    EMPTY_FEN " w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
	    EMPTY_FEN " w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
	    "  " EMPTY_FEN "  w p p 0 9 0 9\r\n",
	};
	struct mrl_rules rules;
	struct mrl_position start;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &start);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct mrl_position position = position_of(&rules, forms[i]);

		assert_true(mrl_position_same(&position, &start));
		assert_int_equal(position.hash, start.hash);
	}
}

static void the_clock_of_a_fen_is_the_no_mill_counter(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = position_of(&rules, "OOO*****/@@@*****/******** b m s 3 0 3 0 0 0 17 30");
	assert_int_equal(position.no_mill, 17);
	position = position_of(&rules, "OOO*****/@@@*****/******** b m s 3 0 3 0 0 0 0 0 0 0 0 23 30");
	assert_int_equal(position.no_mill, 23);
	assert_string_equal(written(&rules, &position, MRL_FORMAT_SANMILL),
			    "OOO*****/@@@*****/******** b m s 3 0 3 0 0 0 0 0 0 0 0 23 21");
}

static void a_fen_of_twelve_men_reads_on_the_board_with_diagonals(void **state)
{
	struct mrl_rules rules;
	struct mrl_position start;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "twelve");
	mrl_position_start(&rules, &start);
	assert_string_equal(written(&rules, &start, MRL_FORMAT_SANMILL),
			    EMPTY_FEN " w p p 0 12 0 12 0 0 0 0 0 0 0 0 1");
	position = position_of(&rules, EMPTY_FEN " w p p 0 12 0 12");
	assert_true(mrl_position_same(&position, &start));
}

/* ---- MFEN --------------------------------------------------------------------------------------------------- */

static void each_point_of_an_mfen_is_the_point_of_that_name(void **state)
{
	static const char *const order[24] = {"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", "b6", "d6", "f6", "f4",
					      "f2", "d2", "b2", "b4", "c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"};
	struct mrl_rules rules;

	(void)state;
	test_rules(&rules, "nine");
	for (unsigned i = 0; i < 24; i++) {
		char text[] = "MFEN/1.0 mill24-state-v1 " EMPTY_MFEN " b p p 8,9 - 0 1 -";
		struct mrl_position position;

		text[25 + i + i / 8] = 'W';
		position = position_of(&rules, text);
		assert_int_equal(position.men[MRL_WHITE], mrl_point_bit(test_point(&rules, order[i])));
		assert_int_equal(position.men[MRL_BLACK], 0);
		assert_string_equal(written(&rules, &position, MRL_FORMAT_MFEN), text);
	}
}

static void the_start_is_written_as_mfen(void **state)
{
	struct mrl_rules rules;
	struct mrl_position start;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &start);
	assert_string_equal(written(&rules, &start, MRL_FORMAT_MFEN),
			    "MFEN/1.0 mill24-state-v1 " EMPTY_MFEN " w p p 9,9 - 0 0 -");
}

static void a_finished_mfen_has_the_loser_to_move(void **state)
{
	static const char text[] =
	    "MFEN/1.0 mill24-state-v1 WW....../..BBB.../........ - o o 0,0 - 3 21 b:fewer-than-minimum";
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = position_of(&rules, text);
	assert_int_equal(position.side, MRL_WHITE);
	assert_int_equal(position.no_mill, 3);
	assert_string_equal(
	    written(&rules, &position, MRL_FORMAT_MFEN),
	    "MFEN/1.0 mill24-state-v1 WW....../..BBB.../........ - o o 0,0 - 3 22 b:fewer-than-minimum");
	test_rules(&rules, "nine,mill=win");
	position = position_of(&rules, "WWW/.../.../....../.../.../BB. b 6,7 0 0");
	assert_string_equal(written(&rules, &position, MRL_FORMAT_MFEN),
			    "MFEN/1.0 mill24-state-v1 WWW..BB./......../........ - o o 6,7 - 0 5 w:x-mill");
}

/* ---- What a format cannot say ------------------------------------------------------------------------------- */

static void a_foreign_format_says_no_other_board(void **state)
{
	struct mrl_rules rules;
	struct mrl_position start;

	(void)state;
	test_rules(&rules, "six");
	mrl_position_start(&rules, &start);
	assert_string_equal(
	    written(&rules, &start, MRL_FORMAT_SANMILL),
	    "Sanmill's FEN has the 24 points of ring24 and ring24x; it cannot say a position of ring16");
	assert_string_equal(written(&rules, &start, MRL_FORMAT_MFEN),
			    "MFEN/1.0 has the 24 points of ring24 and ring24x; it cannot say a position of ring16");
}

static void a_three_men_counter_is_not_lost_in_silence(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "morabaraba");
	position = position_of(&rules, "WWW/.../.../....../.../.../BBB b 0,0 7 5");
	assert_string_equal(
	    written(&rules, &position, MRL_FORMAT_SANMILL),
	    "Sanmill's FEN has no field for the three-men counter, which is 5 here; only a position with "
	    "0 can be written");
	assert_string_equal(
	    written(&rules, &position, MRL_FORMAT_MFEN),
	    "MFEN/1.0 has no field for the three-men counter, which is 5 here; only a position with 0 can "
	    "be written");
}

static void mfen_does_not_write_a_draw_since_it_would_lose_whose_turn_it_is(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = position_of(&rules, "WWW/.../.../....../.../.../BBB b 0,0 100 0");
	assert_string_equal(written(&rules, &position, MRL_FORMAT_MFEN),
			    "the position is decided (1/2-1/2 no-mill), and MFEN would not say whose turn it is");
	assert_string_equal(written(&rules, &position, MRL_FORMAT_MERELS),
			    "WWW/.../.../....../.../.../BBB b 0,0 100 0");
}

static void an_unknown_format_is_refused(void **state)
{
	struct mrl_rules rules;
	struct mrl_position start;

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &start);
	assert_string_equal(written(&rules, &start, (enum mrl_position_format)77), "there is no such position format");
}

#define TAKE "): here a take is part of the turn, so write the position before or after the whole turn"
#define MFEN "MFEN/1.0 mill24-state-v1 "

static const struct refusal refusals[] = {
    {"nine", TEXT("*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4"), MRL_POSITION, 1, 34,
     "White has 14 men on the board and -6 in hand: more men than the 9 of the rule set, and a hand cannot be "
     "negative; "
     "Black has 8 men on the board and -4 in hand: a hand cannot be negative"},
    {"six", TEXT(EMPTY_FEN " w p p 0 6 0 6"), MRL_UNSUPPORTED, 1, 1,
     "Sanmill's FEN has the 24 points of ring24 and ring24x; it cannot say a position of ring16"},
    {"nine", TEXT("*****/********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 1,
     "expected 8 points of the inner ring, found 5"},
    {"nine", TEXT("********/*********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 10,
     "expected 8 points of the middle ring, found 9"},
    {"nine", TEXT("********/********/**** w p p 0 9 0 9"), MRL_SYNTAX, 1, 19,
     "expected 8 points of the outer ring, found 4"},
    {"nine", TEXT("********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 18,
     "expected three rings of 8 points, / between them; found a space"},
    {"nine", TEXT(EMPTY_FEN "/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 27,
     "expected three rings of 8 points, / between them; found \"/\""},
    {"nine", TEXT("***B****/********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 4,
     "expected O, @ or * for a point; found \"B\""},
    {"nine", TEXT("***0****/********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 4,
     "expected O, @ or * for a point; found \"0\""},
    {"nine", TEXT("***\0****/********/******** w p p 0 9 0 9"), MRL_SYNTAX, 1, 4,
     "expected O, @ or * for a point; found a NUL byte"},
    {"nine", TEXT("***X****/********/******** w p p 0 9 0 9"), MRL_UNSUPPORTED, 1, 4,
     "a man marked to be removed later (X) is of a rule that is not played here"},
    {"nine", TEXT("OOOOOOOO/@@@@@@@@/OOOOOOOOO w p p 17 0 8 0"), MRL_POSITION, 1, 1,
     "25 men on a board that has 24 points"},
    {"nine", TEXT(EMPTY_FEN), MRL_SYNTAX, 1, 27, "expected the side to move, one of w b; found the end of the text"},
    {"nine", TEXT(EMPTY_FEN " x"), MRL_SYNTAX, 1, 28, "expected the side to move, one of w b; found \"x\""},
    {"nine", TEXT(EMPTY_FEN " w q p 0 9 0 9"), MRL_SYNTAX, 1, 30, "expected the phase, one of r p m o n; found \"q\""},
    {"nine", TEXT(EMPTY_FEN " w p place 0 9 0 9"), MRL_SYNTAX, 1, 32,
     "expected the action, one of p s r ?; found \"place\""},
    {"nine", TEXT(EMPTY_FEN " w p p"), MRL_SYNTAX, 1, 33,
     "expected 4, 6, 8 or 13 numbers behind the action, found 0, then the end of the text"},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0"), MRL_SYNTAX, 1, 39,
     "expected 4, 6, 8 or 13 numbers behind the action, found 3, then the end of the text"},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 here"), MRL_SYNTAX, 1, 44,
     "expected 4, 6, 8 or 13 numbers behind the action, found 5, then \"here\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9x 0 9"), MRL_SYNTAX, 1, 37,
     "expected a whole number; behind its digits found \"x\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 0 1 trailing"), MRL_SYNTAX, 1, 50,
     "the position is complete, but more follows: \"trailing\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 0 0 0 0 0 0 1 2"), MRL_SYNTAX, 1, 60,
     "the position is complete, but more follows: \"2\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 0 0 0 0 0 0 1 c:w-1-8|b-0-"), MRL_UNSUPPORTED, 1, 60,
     "this extension is of a rule that is not played here: \"c:w-1-8|b-0-\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 10 0 9"), MRL_POSITION, 1, 34,
     "White has 0 men on the board and 10 in hand: more men than the 9 of the rule set"},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 -1"), MRL_RANGE, 1, 38,
     "Black has 0 men on the board and -1 in hand: a hand cannot be negative"},
    {"nine", TEXT(EMPTY_FEN " w p p 0 99999999999999999999 0 9"), MRL_POSITION, 1, 34,
     "White has 0 men on the board and 1000000000000000000 in hand: more men than the 9 of the rule set"},
    {"nine", TEXT("O*******/********/******** b p p 2 7 0 9"), MRL_SYNTAX, 1, 34,
     "the text says that White has 2 men on the board, but 1 stand on it"},
    {"nine", TEXT("OOO*****/@@@*****/******** b m r 3 0 3 0"), MRL_POSITION, 1, 32,
     "this is the middle of a take (action r" TAKE},
    {"nine", TEXT("OOO*****/@@@*****/******** w m s 3 0 3 0 1 0"), MRL_POSITION, 1, 42,
     "this is the middle of a take (men to remove are not 0 0" TAKE},
    {"nine", TEXT("OOO*****/@@@*****/******** w m s 3 0 3 0 0 1 0 1"), MRL_POSITION, 1, 44,
     "this is the middle of a take (men to remove are not 0 0" TAKE},
    {"nine", TEXT(EMPTY_FEN " w m s 0 9 0 9"), MRL_SYNTAX, 1, 30,
     "the phase is m (moving), but there are men in hand; expected p"},
    {"nine", TEXT("OOO*****/@@@*****/******** w p s 3 0 3 0"), MRL_SYNTAX, 1, 30,
     "the phase is p or r (placing), but no man is in hand; expected m"},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 -5 1"), MRL_RANGE, 1, 46,
     "the no-progress counter cannot be negative: \"-5\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 0 32 0 0 0 0 1"), MRL_RANGE, 1, 48,
     "expected a point of the last mill, -1 to 31; found \"32\""},
    {"nine", TEXT(EMPTY_FEN " w p p 0 9 0 9 0 0 0 0 0 0 0 0 -1"), MRL_RANGE, 1, 58,
     "expected the number of the move, not negative; found \"-1\""},
    {"nine", TEXT("O*******/********/******** w p p 1 8 0 9"), MRL_POSITION, 1, 1,
     "with White to move Black must have as many men in hand as White; found White 8, Black 9"},

    {"six", TEXT(MFEN EMPTY_MFEN " w p p 6,6 - 0 0 -"), MRL_UNSUPPORTED, 1, 1,
     "MFEN/1.0 has the 24 points of ring24 and ring24x; it cannot say a position of ring16"},
    {"nine", TEXT("MFEN/2.0 mill24-state-v1 " EMPTY_MFEN " w p p 9,9 - 0 0 -"), MRL_UNSUPPORTED, 1, 1,
     "of the versions of MFEN only MFEN/1.0 is read; found \"MFEN/2.0\""},
    {"nine", TEXT("MFEN/1.0"), MRL_SYNTAX, 1, 9,
     "expected the state profile, mill24-state-v1; found the end of the text"},
    {"nine", TEXT("MFEN/1.0 mill24-state-v2"), MRL_UNSUPPORTED, 1, 10,
     "of the state profiles only mill24-state-v1 is read; found \"mill24-state-v2\""},
    {"nine", TEXT(MFEN "......../......./........ w"), MRL_SYNTAX, 1, 42,
     "expected W, B or . for a point, 8 in each of three rings; found \"/........\""},
    {"nine", TEXT(MFEN "........./......../........ w"), MRL_SYNTAX, 1, 34,
     "expected / behind the 8 points of a ring; found \"./......../........\""},
    {"nine", TEXT(MFEN EMPTY_MFEN "/ w"), MRL_SYNTAX, 1, 52,
     "expected the end of the board behind three rings of 8 points; found \"/\""},
    {"nine", TEXT(MFEN "....w.../......../........ w"), MRL_UNSUPPORTED, 1, 30,
     "a man to be removed later (w, b) is of a rule that is not played here; found \"w.../......../........\""},
    {"nine", TEXT(MFEN "WWWWWWWW/BBBBBBBB/BBBBBBBBB w"), MRL_POSITION, 1, 26, "25 men on a board that has 24 points"},
    {"nine", TEXT(MFEN EMPTY_MFEN " W"), MRL_SYNTAX, 1, 53,
     "expected the side to move, w or b, or - when the game is over; found \"W\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w x"), MRL_SYNTAX, 1, 55, "expected the phase, p, m or o; found \"x\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p"), MRL_SYNTAX, 1, 56,
     "expected the action, p, m, r or o; found the end of the text"},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9"), MRL_SYNTAX, 1, 60,
     "expected the men in hand, White's then Black's as in 9,9; found the end of the text"},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p -1,9 - 0 0 -"), MRL_RANGE, 1, 59,
     "White cannot have a negative number of men in hand; found \"-1,9\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,10 - 0 0 -"), MRL_POSITION, 1, 59,
     "Black has more men in hand than the rule set has; found \"9,10\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9"), MRL_SYNTAX, 1, 62,
     "expected the obligations, - for none; found the end of the text"},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 -"), MRL_SYNTAX, 1, 64,
     "expected the no-progress counter, a whole number; found the end of the text"},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 70000 0 -"), MRL_RANGE, 1, 65,
     "the no-progress counter is too large, at most 65535: \"70000\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 0 -2 -"), MRL_SYNTAX, 1, 67,
     "expected the plies so far, a whole number; found \"-2\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 0 0"), MRL_SYNTAX, 1, 68,
     "expected the outcome, - for none; found the end of the text"},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 0 0 - lm=-,-;-,-"), MRL_UNSUPPORTED, 1, 71,
     "this extension is of a rule that is not played here; found \"lm=-,-;-,-\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 0 0 - more"), MRL_SYNTAX, 1, 71,
     "the position is complete, but more follows: \"more\""},
    {"nine", TEXT(MFEN "WWW...../BBB...../........ w m r 0,0 - 0 0 -"), MRL_POSITION, 1, 57,
     "this is the middle of a take (action r" TAKE},
    {"nine", TEXT(MFEN "WWW...../BBB...../........ w m m 0,0 w:mill:b:b:1:000700:b 0 0 -"), MRL_POSITION, 1, 63,
     "this is the middle of a take (obligations" TAKE},
    {"nine", TEXT(MFEN EMPTY_MFEN " - p p 9,9 - 0 0 -"), MRL_SYNTAX, 1, 53,
     "expected w or b for the side to move; found \"-\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w o o 9,9 - 0 0 -"), MRL_SYNTAX, 1, 53,
     "expected - for the side to move, as the phase is o; found \"w\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p m 9,9 - 0 0 -"), MRL_SYNTAX, 1, 57,
     "expected the action to be the same as the phase; found \"m\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w p p 9,9 - 0 0 w:resignation"), MRL_SYNTAX, 1, 69,
     "expected - for the outcome, as the game goes on; found \"w:resignation\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " w m m 9,9 - 0 0 -"), MRL_SYNTAX, 1, 55,
     "expected the phase p, as the side to move has men in hand; found \"m\""},
    {"nine", TEXT(MFEN "WWW...../BBB...../........ w p p 0,0 - 0 0 -"), MRL_SYNTAX, 1, 55,
     "expected the phase m, as the side to move has no man in hand; found \"p\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " - o o 9,9 - 0 0 -"), MRL_SYNTAX, 1, 69,
     "expected the outcome of a finished game, as in w:fewer-than-minimum; found \"-\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " - o o 9,9 - 0 0 d:agreement"), MRL_UNSUPPORTED, 1, 69,
     "a drawn position in MFEN does not say whose turn it is; found \"d:agreement\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " - o o 9,9 - 0 0 w:resignation"), MRL_UNSUPPORTED, 1, 69,
     "a finished position in MFEN with this outcome does not say whose turn it is; found \"w:resignation\""},
    {"nine", TEXT(MFEN EMPTY_MFEN " - o o 9,9 - 0 0 b:fewer-than-minimum"), MRL_POSITION, 1, 69,
     "the outcome is \"b:fewer-than-minimum\", but by the rules the position is *, not decided"},
    {"nine", TEXT(MFEN "WW....../BBB...../........ - o o 0,0 - 0 0 b:no-legal-move"), MRL_POSITION, 1, 69,
     "the outcome is \"b:no-legal-move\", but by the rules the position is 0-1 few-men"},
    {"nine", TEXT(MFEN EMPTY_MFEN " b p p 9,9 - 0 0 -"), MRL_POSITION, 1, 1,
     "with Black to move Black must have one man more in hand than White; found White 9, Black 9"},
};

static void what_is_no_foreign_position_is_refused_with_place_and_reason(void **state)
{
	struct mrl_rules rules;
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		const struct refusal *refusal = &refusals[i];
		struct mrl_position position;
		struct mrl_position untouched;
		struct mrl_error error = {0};
		enum mrl_status status;

		test_rules(&rules, refusal->rules);
		memset(&position, 0x5a, sizeof position);
		memset(&untouched, 0x5a, sizeof untouched);
		status = mrl_position_read(&rules, guarded(refusal->text, refusal->length), refusal->length, &position,
					   &error);
		wrong += !refused(refusal, status, &error);
		assert_memory_equal(&position, &untouched, sizeof position);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_point_of_a_fen_is_the_point_of_that_name),
	    cmocka_unit_test(a_fen_is_read_in_each_of_its_lengths),
	    cmocka_unit_test(the_clock_of_a_fen_is_the_no_mill_counter),
	    cmocka_unit_test(a_fen_of_twelve_men_reads_on_the_board_with_diagonals),
	    cmocka_unit_test(each_point_of_an_mfen_is_the_point_of_that_name),
	    cmocka_unit_test(the_start_is_written_as_mfen),
	    cmocka_unit_test(a_finished_mfen_has_the_loser_to_move),
	    cmocka_unit_test(a_foreign_format_says_no_other_board),
	    cmocka_unit_test(a_three_men_counter_is_not_lost_in_silence),
	    cmocka_unit_test(mfen_does_not_write_a_draw_since_it_would_lose_whose_turn_it_is),
	    cmocka_unit_test(an_unknown_format_is_refused),
	    cmocka_unit_test(what_is_no_foreign_position_is_refused_with_place_and_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
