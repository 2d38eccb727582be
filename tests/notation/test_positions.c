/* Position text in our own format. */
#include "notation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_start_of_nine_is_written_as_the_formats_page_says(void **state)
{
	struct mrl_rules rules;
	struct mrl_position start;
	char text[MRL_POSITION_TEXT_SIZE];

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &start);
	assert_int_equal(mrl_position_write(&rules, &start, text), 40);
	assert_string_equal(text, ".../.../.../....../.../.../... w 9,9 0 0");
}

static void ranks_are_read_from_the_highest_and_points_from_file_a(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = position_of(&rules, "W../.B./..W/B....W/.../.../..B w 6,6 0 0");
	assert_int_equal(position.men[MRL_WHITE], test_points(&rules, "a7 e5 g4"));
	assert_int_equal(position.men[MRL_BLACK], test_points(&rules, "d6 a4 g1"));
	assert_int_equal(position.hash, mrl_position_hash(&rules, &position));
}

static void the_rows_have_the_shape_of_each_board(void **state)
{
	static const char *const shapes[][2] = {{"three", ".../.../... w 3,3 0 0"},
						{"achi", ".../.../... w 4,4 0 0"},
						{"six", ".../.../..../.../... w 6,6 0 0"},
						{"seven", ".../.../...../.../... w 7,7 0 0"},
						{"lasker", ".../.../.../....../.../.../... w 10,10 0 0"},
						{"twelve", ".../.../.../....../.../.../... w 12,12 0 0"}};
	struct mrl_rules rules;
	struct mrl_position start;
	struct mrl_position read;
	char text[MRL_POSITION_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		test_rules(&rules, shapes[i][0]);
		mrl_position_start(&rules, &start);
		mrl_position_write(&rules, &start, text);
		assert_string_equal(text, shapes[i][1]);
		read = position_of(&rules, text);
		assert_true(mrl_position_same(&read, &start));
	}
}

static void the_counters_may_be_left_out(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "morabaraba");
	position = position_of(&rules, "WWW/.../.../....../.../.../BBB b 0,0");
	assert_int_equal(position.no_mill, 0);
	assert_int_equal(position.three_men, 0);
	position = position_of(&rules, "WWW/.../.../....../.../.../BBB b 0,0 7");
	assert_int_equal(position.no_mill, 7);
	position = position_of(&rules, "WWW/.../.../....../.../.../BBB b 0,0 7 5");
	assert_int_equal(position.no_mill, 7);
	assert_int_equal(position.three_men, 5);
}

static void white_space_around_and_between_the_fields_is_free(void **state)
{
	struct mrl_rules rules;
	struct mrl_position plain;
	struct mrl_position spaced;

	(void)state;
	test_rules(&rules, "nine");
	plain = position_of(&rules, "W../.../.../....../.../.../... b 8,9 0 0");
	spaced = position_of(&rules, "\r\n  W../.../.../....../.../.../...\tb   8,9\t0 0 \r\n");
	assert_true(mrl_position_same(&plain, &spaced));
}

static void a_decided_position_is_a_position(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = position_of(&rules, "WW./.../.../....../.../.../BBB w 0,0 0 0");
	assert_int_equal(mrl_men_verdict(&rules, &position).reason, MRL_REASON_FEW_MEN);
}

#define BOARD ".../.../.../....../.../.../..."

static const struct refusal refusals[] = {
    {"nine", TEXT(""), MRL_SYNTAX, 1, 1, "the text is empty; expected a position, the points of rank 7 first"},
    {"nine", TEXT(" \t\r\n"), MRL_SYNTAX, 2, 1, "the text is empty; expected a position, the points of rank 7 first"},
    {"nine", TEXT("../.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 1,
     "too few points in rank 7: expected 3, found 2"},
    {"nine", TEXT(".../.../.../..../.../.../... w 9,9"), MRL_SYNTAX, 1, 13,
     "too few points in rank 4: expected 6, found 4"},
    {"nine", TEXT(".../..../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 5,
     "too many points in rank 6: expected 3, found 4"},
    {"nine", TEXT(".../.../.../....../.../... w 9,9"), MRL_SYNTAX, 1, 27,
     "too few ranks: expected \"/\" and rank 1; found a space"},
    {"nine", TEXT(".../.../..."), MRL_SYNTAX, 1, 12,
     "too few ranks: expected \"/\" and rank 4; found the end of the text"},
    {"nine", TEXT(BOARD "/... w 9,9"), MRL_SYNTAX, 1, 31, "too many ranks: the board ring24 has 7"},
    {"nine", TEXT("..w/.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 3,
     "expected W, B or . for a point of rank 7; found \"w\""},
    {"nine", TEXT(".../X../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 5,
     "expected W, B or . for a point of rank 6; found \"X\""},
    {"nine", TEXT("..\0/.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 3,
     "expected W, B or . for a point of rank 7; found a NUL byte"},
    {"nine", TEXT("\xef\xbb\xbf" BOARD " w 9,9"), MRL_SYNTAX, 1, 1,
     "expected W, B or . for a point of rank 7; found a byte order mark"},
    {"nine", TEXT("..\xe2\x80\x93/.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 3,
     "expected W, B or . for a point of rank 7; found a Unicode dash (write -)"},
    {"nine", TEXT("..\x07/.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 3,
     "expected W, B or . for a point of rank 7; found a control character (0x07)"},
    {"nine", TEXT("..\xc3\xa4/.../.../....../.../.../... w 9,9"), MRL_SYNTAX, 1, 3,
     "expected W, B or . for a point of rank 7; found \"\\xc3\\xa4\""},
    {"nine", TEXT("WBW/BWB/WBW/BWBWBW/BWB/WBW/BWBW w 0,0"), MRL_POSITION, 1, 1, "25 men on a board that has 24 points"},
    {"nine", TEXT(BOARD), MRL_SYNTAX, 1, 31, "expected the side to move, w or b; found the end of the text"},
    {"nine", TEXT(BOARD " W 9,9"), MRL_SYNTAX, 1, 32, "expected the side to move, w or b; found \"W\""},
    {"nine", TEXT(BOARD " white 9,9"), MRL_SYNTAX, 1, 32, "expected the side to move, w or b; found \"white\""},
    {"nine", TEXT(BOARD "\xc2\xa0w 9,9"), MRL_SYNTAX, 1, 31,
     "expected W, B or . for a point of rank 1; found a no-break space"},
    {"nine", TEXT(BOARD " w"), MRL_SYNTAX, 1, 33,
     "expected the men in hand, White's then Black's as in 9,9; found the end of the text"},
    {"nine", TEXT(BOARD " w 9"), MRL_SYNTAX, 1, 35,
     "expected the men in hand, White's then Black's as in 9,9; found the end of the text"},
    {"nine", TEXT(BOARD " w 9, 9"), MRL_SYNTAX, 1, 36,
     "expected the men in hand, White's then Black's as in 9,9; found a space"},
    {"nine", TEXT(BOARD " w 9;9"), MRL_SYNTAX, 1, 35,
     "expected the men in hand, White's then Black's as in 9,9; found \";9\""},
    {"nine", TEXT(BOARD " w nine,9"), MRL_SYNTAX, 1, 34,
     "expected the men in hand, White's then Black's as in 9,9; found \"nine,9\""},
    {"nine", TEXT(BOARD " w -1,9"), MRL_RANGE, 1, 34,
     "White cannot have a negative number of men in hand; found \"-1,9\""},
    {"nine", TEXT(BOARD " w 9,-6"), MRL_RANGE, 1, 34,
     "Black cannot have a negative number of men in hand; found \"9,-6\""},
    {"nine",
     TEXT(BOARD " w 9,\xe2\x88\x92"
		"6"),
     MRL_SYNTAX, 1, 36,
     "expected the men in hand, White's then Black's as in 9,9; found a Unicode minus sign (write -)"},
    {"nine", TEXT(BOARD " w 10,9"), MRL_POSITION, 1, 34,
     "White has more men in hand than the 9 of the rule set; found \"10,9\""},
    {"nine", TEXT(BOARD " w 9,99999999999999999999999999"), MRL_POSITION, 1, 34,
     "Black has more men in hand than the 9 of the rule set; found \"9,9999999999999999999999...\""},
    {"nine", TEXT(BOARD " w 9,9 x"), MRL_SYNTAX, 1, 38, "expected the no-mill counter, a whole number; found \"x\""},
    {"nine", TEXT(BOARD " w 9,9 1.5"), MRL_SYNTAX, 1, 39, "expected the no-mill counter, a whole number; found \".5\""},
    {"nine", TEXT(BOARD " w 9,9 -1"), MRL_RANGE, 1, 38, "the no-mill counter cannot be negative: \"-1\""},
    {"nine", TEXT(BOARD " w 9,9 65536"), MRL_RANGE, 1, 38,
     "the no-mill counter is too large, at most 65535: \"65536\""},
    {"nine", TEXT(BOARD " w 9,9 99999999999999999999"), MRL_RANGE, 1, 38,
     "the no-mill counter is too large, at most 65535: \"99999999999999999999\""},
    {"nine", TEXT(BOARD " w 9,9 0 1"), MRL_RANGE, 1, 40,
     "the rule set has no three-men rule, so the three-men counter must be 0; found \"1\""},
    {"morabaraba", TEXT(BOARD " w 12,12 0 -3"), MRL_RANGE, 1, 42, "the three-men counter cannot be negative: \"-3\""},
    {"nine", TEXT(BOARD " w 9,9 0 0 more"), MRL_SYNTAX, 1, 42, "the position is complete, but more follows: \"more\""},
    {"nine", TEXT(BOARD " w 9,9 0 0\n" BOARD " w 9,9 0 0"), MRL_SYNTAX, 2, 1,
     "the position is complete, but more follows: \".../.../.../....../.../....\""},
    {"nine", TEXT(BOARD " w 9,9 0 0\0"), MRL_SYNTAX, 1, 41,
     "expected the three-men counter, a whole number; found a NUL byte"},
    {"nine", TEXT("\n\n" BOARD " w 9,9 0 oh"), MRL_SYNTAX, 3, 40,
     "expected the three-men counter, a whole number; found \"oh\""},
    {"nine", TEXT("WWW/WWW/WWW/W...../.../.../... w 0,0 0 0"), MRL_POSITION, 1, 1,
     "White has 10 men on the board and 0 in hand, more than the 9 of the rule set"},
    {"nine", TEXT("  WW./.../.../....../.../.../... w 9,9 0 0"), MRL_POSITION, 1, 3,
     "White has 2 men on the board and 9 in hand, more than the 9 of the rule set"},
    {"nine", TEXT("W../.../.../....../.../.../... w 8,9 0 0"), MRL_POSITION, 1, 1,
     "with White to move Black must have as many men in hand as White; found White 8, Black 9"},
};

static void what_is_no_position_is_refused_with_place_and_reason(void **state)
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
		assert_int_equal(mrl_position_read(&rules, guarded(refusal->text, refusal->length), refusal->length,
						   &position, NULL),
				 status);
	}
	assert_int_equal(wrong, 0);
}

static void every_position_of_the_vectors_reads_and_writes_itself(void **state)
{
	FILE *file = fopen(TEST_VECTORS "/positions.txt", "r");
	char line[4096];
	size_t count = 0;
	char last[sizeof line] = "";
	struct mrl_rules rules;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		char *bar = strstr(line, " | ");
		char *text = bar + 3;
		char written[MRL_POSITION_TEXT_SIZE];
		struct mrl_position position;

		if (line[0] == '#' || bar == NULL)
			continue;
		*bar = '\0';
		*strstr(text, " | ") = '\0';
		if (strcmp(last, line) != 0)
			test_rules(&rules, line);
		strcpy(last, line);
		position = position_of(&rules, text);
		mrl_position_write(&rules, &position, written);
		assert_string_equal(written, text);
		count++;
	}
	(void)fclose(file);
	assert_true(count > 500);
}

static void a_format_is_told_by_its_shape(void **state)
{
	(void)state;
	assert_int_equal(mrl_position_format(TEXT(BOARD " w 9,9 0 0")), MRL_FORMAT_MERELS);
	assert_int_equal(mrl_position_format(TEXT("")), MRL_FORMAT_MERELS);
	assert_int_equal(mrl_position_format(TEXT("what is this")), MRL_FORMAT_MERELS);
	assert_int_equal(mrl_position_format(TEXT("\n********/********/******** w p p")), MRL_FORMAT_SANMILL);
	assert_int_equal(mrl_position_format(TEXT("@@@@")), MRL_FORMAT_SANMILL);
	assert_int_equal(mrl_position_format(TEXT(" MFEN/1.0 mill24-state-v1")), MRL_FORMAT_MFEN);
	assert_int_equal(mrl_position_format(TEXT("MFEN/2")), MRL_FORMAT_MFEN);
	assert_int_equal(mrl_position_format(TEXT("MFEN")), MRL_FORMAT_MERELS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_start_of_nine_is_written_as_the_formats_page_says),
	    cmocka_unit_test(ranks_are_read_from_the_highest_and_points_from_file_a),
	    cmocka_unit_test(the_rows_have_the_shape_of_each_board),
	    cmocka_unit_test(the_counters_may_be_left_out),
	    cmocka_unit_test(white_space_around_and_between_the_fields_is_free),
	    cmocka_unit_test(a_decided_position_is_a_position),
	    cmocka_unit_test(what_is_no_position_is_refused_with_place_and_reason),
	    cmocka_unit_test(every_position_of_the_vectors_reads_and_writes_itself),
	    cmocka_unit_test(a_format_is_told_by_its_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
