/* Records that are refused: where, why, and that the next game is found. */
#include "notation_support.h"

#include <merels/text.h>

#include <stdlib.h>
#include <string.h>

#define CLOSED "by the rules the game ended 1-0 mill"

static const struct refusal refusals[] = {
    /* The form of tags. */
    {"", TEXT("["), MRL_SYNTAX, 1, 2, "expected the name of a tag, as in [Event \"...\"]; found the end of the text"},
    {"", TEXT("[1 \"x\"]*"), MRL_SYNTAX, 1, 2, "expected the name of a tag, as in [Event \"...\"]; found \"1\""},
    {"", TEXT("[\0 \"x\"]*"), MRL_SYNTAX, 1, 2, "expected the name of a tag, as in [Event \"...\"]; found a NUL byte"},
    {"", TEXT("[Event x]*"), MRL_SYNTAX, 1, 8, "expected the value of the tag between \" and \"; found \"x]*\""},
    {"", TEXT("[Event \xe2\x80\x9cx\xe2\x80\x9d]*"), MRL_SYNTAX, 1, 8,
     "expected the value of the tag between \" and \"; found a typographic quotation mark (write \")"},
    {"", TEXT("[Event \"x]\n*"), MRL_SYNTAX, 1, 11,
     "expected \" at the end of the tag's value, in the same line; found the end of the line"},
    {"", TEXT("[Event \"x]\r\n*"), MRL_SYNTAX, 1, 11,
     "expected \" at the end of the tag's value, in the same line; found the end of the line"},
    {"", TEXT("[Event \"x"), MRL_SYNTAX, 1, 10,
     "expected \" at the end of the tag's value, in the same line; found the end of the text"},
    {"", TEXT("[Event \"a\0b\"]*"), MRL_SYNTAX, 1, 10,
     "expected \" at the end of the tag's value, in the same line; found a NUL byte"},
    {"", TEXT("[Event \"a\tb\"]*"), MRL_SYNTAX, 1, 10,
     "expected \" at the end of the tag's value, in the same line; found a tab"},
    {"",
     TEXT("[Event \"a\xe4"
	  "b\"]*"),
     MRL_SYNTAX, 1, 10, "expected text in UTF-8; found \"\\xe4b\\\"]*\""},
    {"", TEXT("[Event \"x\"\n*"), MRL_SYNTAX, 2, 1, "expected ] at the end of the tag; found \"*\""},
    {"", TEXT("[Event \"x\" \"y\"]*"), MRL_SYNTAX, 1, 12, "expected ] at the end of the tag; found \"\\\"y\\\"]*\""},
    {"", TEXT("[White \"x\"]\n[White \"y\"]\n*"), MRL_SYNTAX, 2, 2, "the tag White stands here for the second time"},
    {"", TEXT("\xff\xfe[\0"), MRL_SYNTAX, 1, 1,
     "expected a turn, a comment, a variation or the result; found a byte order mark of UTF-16"},

    /* What tags mean. */
    {"", TEXT("[Event \"x\"]\n[Rules \"nin\"]\n*"), MRL_NAME, 2, 9, NULL},
    {"", TEXT("[Rules \"nine,fly=x\"]*"), MRL_RANGE, 1, 18, NULL},
    {"", TEXT("[Rules \"nine,feathers=3\"]*"), MRL_NAME, 1, 14, NULL},
    {"", TEXT("[Position \".../.../... w 9,9\"]*"), MRL_SYNTAX, 1, 23,
     "Position: too few ranks: expected \"/\" and rank 4; found a space"},
    {"", TEXT("[SetUp \"1\"]\n[FEN \"*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4\"]*"), MRL_POSITION, 2, 40,
     "FEN: White has 14 men on the board and -6 in hand: more men than the 9 of the rule set, and a hand cannot be "
     "negative; Black has 8 men on the board and -4 in hand: a hand cannot be negative"},
    {"", TEXT("[Rules \"six\"][Position \".../.../.../....../.../.../... w 9,9 0 0\"]*"), MRL_SYNTAX, 1, 33,
     "Position: too few points in rank 3: expected 4, found 3"},
    {"", TEXT("[Position \"W../.../.../....../.../.../... w 8,9\"]*"), MRL_POSITION, 1, 12,
     "Position: with White to move Black must have as many men in hand as White; found White 8, Black 9"},
    {"", TEXT("[SetUp \"yes\"]*"), MRL_SYNTAX, 1, 9, "SetUp must be 0 or 1"},
    {"", TEXT("[SetUp \"1\"]*"), MRL_SYNTAX, 1, 9, "SetUp is 1, but there is no tag Position"},
    {"", TEXT("[SetUp \"0\"][Position \"x\"]*"), MRL_SYNTAX, 1, 9, "SetUp is 0, but there is a position to start from"},
    {"", TEXT("[FEN \"x\"][Position \"x\"]*"), MRL_SYNTAX, 1, 7,
     "the tags Position and FEN both give a start; one is enough"},
    {"", TEXT("[Result \"2-0\"]*"), MRL_SYNTAX, 1, 10, "Result must be 1-0, 0-1, 1/2-1/2 or *; found \"2-0\""},

    /* The result against itself and against the rules. */
    {"", TEXT("[Result \"1-0\"]\n1. d6 0-1"), MRL_SYNTAX, 2, 7, "the result is 0-1, but the tag Result says otherwise"},
    {"", TEXT("[Rules \"three\"]\n1. c2 a3 2. c3 a1 3. c1 0-1"), MRL_SYNTAX, 2, 25, "the result is 0-1, but " CLOSED},
    {"", TEXT("[Rules \"three\"]\n1. c2 a3 2. c3 a1 3. c1 *"), MRL_SYNTAX, 2, 25, "the result is *, but " CLOSED},
    {"", TEXT("[Rules \"three\"][Result \"1/2-1/2\"]\n1. c2 a3 2. c3 a1 3. c1 1/2-1/2"), MRL_SYNTAX, 2, 25,
     "the result is 1/2-1/2, but " CLOSED},
    {"", TEXT("[Rules \"three\"]\n[Termination \"few-men\"]\n1. c2 a3 2. c3 a1 3. c1 1-0"), MRL_SYNTAX, 2, 15,
     "Termination is few-men, but " CLOSED},
    {"", TEXT("[Rules \"three\"]\n[Termination \"resign\"]\n1. c2 a3 2. c3 a1 3. c1 1-0"), MRL_SYNTAX, 2, 15,
     "Termination is resign, but " CLOSED},
    {"", TEXT("[Termination \"few-men\"]\n1. d6 1-0"), MRL_SYNTAX, 1, 15,
     "Termination is few-men, but by the rules the game is not over"},
    {"", TEXT("[Termination \"repetition\"]\n1. d6 1/2-1/2"), MRL_SYNTAX, 1, 15,
     "Termination is repetition, but by the rules the game is not over"},
    {"", TEXT("[Termination \"resign\"]\n1. d6 *"), MRL_SYNTAX, 1, 15,
     "Termination is resign, but with resign the result must be 1-0 or 0-1"},
    {"", TEXT("[Termination \"time\"]\n1. d6 1/2-1/2"), MRL_SYNTAX, 1, 15,
     "Termination is time, but with time the result must be 1-0 or 0-1"},
    {"", TEXT("[Termination \"agreement\"]\n1. d6 1-0"), MRL_SYNTAX, 1, 15,
     "Termination is agreement, but with agreement the result must be 1/2-1/2"},
    {"", TEXT("[Termination \"aborted\"]\n1. d6 1-0"), MRL_SYNTAX, 1, 15,
     "Termination is aborted, but with aborted the result must be *"},
    {"", TEXT("1. d6"), MRL_SYNTAX, 1, 6,
     "expected the result of the game, 1-0, 0-1, 1/2-1/2 or * when it has none; found the end of the text"},
    {"", TEXT("1. d6\n\n[Event \"x\"] *"), MRL_SYNTAX, 3, 1,
     "expected the result of the game, 1-0, 0-1, 1/2-1/2 or * when it has none; found \"[Event\""},
    {"", TEXT("[Event \"x\"]\n"), MRL_SYNTAX, 2, 1,
     "expected the result of the game, 1-0, 0-1, 1/2-1/2 or * when it has none; found the end of the text"},

    /* Turns. */
    {"", TEXT("1. d6 f4\n2. d6 *"), MRL_ILLEGAL, 2, 4, "d6 is not legal: d6 is occupied by a white man"},
    {"", TEXT("1. b6 a7 2. d6 d7 3. a1 g7 *"), MRL_ILLEGAL, 1, 25,
     "g7 is not legal: g7 closes a mill, so a man must be taken: one of a1 b6 d6"},
    {"", TEXT("[Position \"W../.W./..W/.....B/.../.BB/W.. w 0,0\"] a4 *"), MRL_AMBIGUOUS, 1, 51,
     "a4 is ambiguous: a1-a4 or a7-a4"},
    {"", TEXT("[Rules \"three\"]\n1. c2 a3 2. c3 a1 3. c1 b2 1-0"), MRL_DECIDED, 2, 25,
     "\"b2\" is played after the end: the game is over, 1-0 mill"},
    {"", TEXT("[Rules \"three\"]\n1. c2 a3 2. c3 a1 3. b2 (3. c1 b2) 1-0"), MRL_DECIDED, 2, 32,
     "\"b2\" is played after the end: the game is over, 1-0 mill"},
    {"", TEXT("1. d6 (1. d7 a1 2. a1) *"), MRL_ILLEGAL, 1, 20, "a1 is not legal: a1 is occupied by a black man"},
    {"", TEXT("1. d4 *"), MRL_SYNTAX, 1, 4, "\"d4\" is no point of the board ring24"},
    {"", TEXT("1. Nf3 *"), MRL_SYNTAX, 1, 4, "expected a point, a letter and a number as in d6; found \"Nf3\""},
    {"", TEXT("1. d6, f4 *"), MRL_SYNTAX, 1, 6, "expected the end of the turn; found \",\""},
    {"",
     TEXT("1. d6\xe2\x80\x93"
	  "d7 *"),
     MRL_SYNTAX, 1, 6, "expected the end of the turn; found a Unicode dash (write -)"},
    {"", TEXT("1. d6 -- *"), MRL_SYNTAX, 1, 7, "expected a turn, a comment, a variation or the result; found \"--\""},
    {"", TEXT("1d6 *"), MRL_SYNTAX, 1, 1,
     "expected a turn, its number as in 1. or the result of the game; found \"1d6\""},
    {"", TEXT("1. d6 1:0"), MRL_SYNTAX, 1, 7,
     "expected a turn, its number as in 1. or the result of the game; found \"1:0\""},
    {"",
     TEXT("1. d6 1\xe2\x80\x93"
	  "0"),
     MRL_SYNTAX, 1, 7, "expected a turn, its number as in 1. or the result of the game; found \"1\\xe2\\x80\\x930\""},
    {"", TEXT("1. d6 \0 *"), MRL_SYNTAX, 1, 7,
     "expected a turn, a comment, a variation or the result; found a NUL byte"},
    {"", TEXT("1. d6\0 *"), MRL_SYNTAX, 1, 6, "expected the end of the turn; found a NUL byte"},
    {"", TEXT("1. d6 \xef\xbb\xbf f4 *"), MRL_SYNTAX, 1, 7,
     "expected a turn, a comment, a variation or the result; found a byte order mark"},
    {"", TEXT("1. d6 # *"), MRL_SYNTAX, 1, 7, "expected a turn, a comment, a variation or the result; found \"#\""},

    /* Variations. */
    {"", TEXT("(1. d6) *"), MRL_SYNTAX, 1, 1, "expected a turn before the variation that replaces it; found \"(1.\""},
    {"", TEXT("1. d6 ((1. d7) f4) *"), MRL_SYNTAX, 1, 8,
     "expected a turn before the variation that replaces it; found \"(1.\""},
    {"", TEXT("1. d6 () *"), MRL_SYNTAX, 1, 8, "expected a turn in the variation; found \")\""},
    {"", TEXT("1. d6 ({x}) *"), MRL_SYNTAX, 1, 11, "expected a turn in the variation; found \")\""},
    {"", TEXT("1. d6 ) *"), MRL_SYNTAX, 1, 7, "expected ( before a ); found \")\""},
    {"", TEXT("1. d6 (1. d7 (1. a1) *"), MRL_SYNTAX, 1, 7,
     "the variation that begins here is not closed by ), but the result of the game follows"},
    {"", TEXT("1. d6\n (1. d7\n (1. a1"), MRL_SYNTAX, 3, 2, "the variation that begins here is never closed by )"},

    /* Comments and marks. */
    {"", TEXT("1. d6 {no end\n\n *"), MRL_SYNTAX, 1, 7, "the comment that begins here is never closed by }"},
    {"", TEXT("1. d6 } *"), MRL_SYNTAX, 1, 7, "expected { before a }; found \"}\""},
    {"", TEXT("1. d6 {a\0b} *"), MRL_SYNTAX, 1, 9, "expected text in a comment; found a NUL byte"},
    {"", TEXT("1. d6 {a\x1b[m} *"), MRL_SYNTAX, 1, 9, "expected text in a comment; found an escape character"},
    {"", TEXT("1. d6 {a\n\xc0\x80} *"), MRL_SYNTAX, 2, 1, "expected text in UTF-8; found \"\\xc0\\x80}\""},
    {"", TEXT("1. d6 {\xed\xa0\x80} *"), MRL_SYNTAX, 1, 8, "expected text in UTF-8; found \"\\xed\\xa0\\x80}\""},
    {"", TEXT("1. d6 {[%clk 1:00]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk 0:61:00]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk 0:01:00.]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk 0:01:00.1234]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk 9999999999:00:00]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk]} *"), MRL_SYNTAX, 1, 7,
     "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]"},
    {"", TEXT("1. d6 {[%clk 0:01:00} *"), MRL_SYNTAX, 1, 7, "[%clk] is not closed by ]"},
    {"", TEXT("1. d6 {[%clk 0:01:00]} {[%clk 0:01:00]} *"), MRL_SYNTAX, 1, 24, "a second [%clk] for the same turn"},
    {"", TEXT("1. d6 {[%eval 1} *"), MRL_SYNTAX, 1, 7, "[%eval] is not closed by ]"},
    {"", TEXT("1. d6 {[%eval ]} *"), MRL_SYNTAX, 1, 7, "[%eval] must hold one value as in [%eval 0.13]"},
    {"", TEXT("1. d6 {[%eval 1 2]} *"), MRL_SYNTAX, 1, 7, "[%eval] must hold one value as in [%eval 0.13]"},
    {"", TEXT("1. d6 {[%eval 1][%eval 2]} *"), MRL_SYNTAX, 1, 7, "a second [%eval] for the same turn"},
    {"", TEXT("$1 1. d6 *"), MRL_SYNTAX, 1, 1, "expected a turn before the mark that annotates it; found \"$1\""},
    {"", TEXT("1. d6 (! d7) *"), MRL_SYNTAX, 1, 8, "expected a turn before the mark that annotates it; found \"!\""},
    {"", TEXT("1. d6 $ *"), MRL_SYNTAX, 1, 7, "expected $ and a number from 0 to 255; found \"$\""},
    {"", TEXT("1. d6 $256 *"), MRL_SYNTAX, 1, 7, "expected $ and a number from 0 to 255; found \"$256\""},
    {"", TEXT("1. d6 $4294967297 *"), MRL_SYNTAX, 1, 7, "expected $ and a number from 0 to 255; found \"$4294967297\""},
    {"", TEXT("1. d6 !!! *"), MRL_SYNTAX, 1, 7, "expected one of ! ? !! ?? !? ?!; found \"!!!\""},
    {"", TEXT("{only a comment}"), MRL_SYNTAX, 1, 17,
     "expected the result of the game, 1-0, 0-1, 1/2-1/2 or * when it has none; found the end of the text"},
};

static char memory[1 << 18];

static void what_is_no_record_is_refused_with_place_and_reason(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct refusal refusal = refusals[i];
		struct mrl_record_reader reader;
		struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
		struct mrl_record *record = (struct mrl_record *)(void *)memory;
		struct mrl_error error = {0};
		enum mrl_status status;

		mrl_record_reader_init(&reader, guarded(refusal.text, refusal.length), refusal.length);
		status = mrl_record_read(&reader, &arena, &record, &error);
		if (refusal.message == NULL)
			refusal.message = error.message; /* of the rules room, after the tag's name */
		wrong += !refused(&refusal, status, &error);
		assert_null(record);
		assert_int_equal(arena.used, 0);
		assert_int_equal(reader.games, 1);
		assert_true(reader.at > 0);
		mrl_record_reader_init(&reader, guarded(refusal.text, refusal.length), refusal.length);
		assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL), status);
	}
	assert_int_equal(wrong, 0);
}

static void a_rule_set_that_is_none_is_refused_with_the_name_of_its_tag(void **state)
{
	struct mrl_record_reader reader;
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_record *record;
	struct mrl_error error;

	(void)state;
	mrl_record_reader_init(&reader, TEXT("[Rules \"nin\"] *"));
	assert_int_equal(mrl_record_read(&reader, &arena, &record, &error), MRL_NAME);
	assert_memory_equal(error.message, "Rules: ", 7);
}

static void an_empty_text_has_no_game(void **state)
{
	static const char *const texts[] = {"", " \r\n\t", "\xef\xbb\xbf", "% a line", "\n% a line\n%another\n"};
	struct mrl_record_reader reader;
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_record *record;
	struct mrl_error error;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		mrl_record_reader_init(&reader, guarded(texts[i], strlen(texts[i])), strlen(texts[i]));
		assert_false(mrl_record_more(&reader));
		assert_int_equal(mrl_record_read(&reader, &arena, &record, &error), MRL_SYNTAX);
		assert_string_equal(error.message, "expected a game; found the end of the text");
		assert_int_equal(reader.games, 0);
	}
}

/* One line for each game: its turns, or the error. */
static void check_games(const char *text, const char *expected)
{
	char found[2048] = "";
	struct mrl_text out = mrl_text_in(found, sizeof found);
	struct mrl_record_reader reader;

	mrl_record_reader_init(&reader, guarded(text, strlen(text)), strlen(text));
	while (mrl_record_more(&reader)) {
		struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
		struct mrl_record *record;
		struct mrl_error error;
		size_t before = reader.at;

		if (mrl_record_read(&reader, &arena, &record, &error) == MRL_OK) {
			mrl_text_number(&out, record->count);
			mrl_text_add(&out, " good\n");
		} else {
			mrl_text_number(&out, error.line);
			mrl_text_char(&out, ':');
			mrl_text_number(&out, error.column);
			mrl_text_char(&out, '\n');
		}
		assert_true(reader.at > before);
	}
	assert_string_equal(found, expected);
}

static void after_an_error_in_the_turns_the_next_game_is_read(void **state)
{
	(void)state;
	check_games("1. d6 d6 f4 *\n1. d7 *\n", "1:7\n1 good\n");
	check_games("1. d6 d6 {1-0 is no end here} (f4 *\n1. d7 *\n", "1:7\n1 good\n");
	check_games("[Event \"a\"]\n1. d6 d6\n\n[Event \"b\"]\n1. d7 *\n", "2:7\n1 good\n");
	check_games("[Event \"a\"]\n1. d6 {open\n\n[Event \"b\"]\n1. d7 *\n", "2:7\n1 good\n");
	check_games("1. d6 {[Site] is\n[Site] no tag line} d6 *\n1. d7 *", "2:21\n1 good\n");
	check_games("1. d6\n\n[Event \"b\"]\n1. d7 *\n", "3:1\n1 good\n");
	check_games("1. d6 ) * 1. d7 * ( * 1. a1 *", "1:7\n1 good\n1:19\n1 good\n");
}

static void after_an_error_in_the_tags_the_next_game_is_read(void **state)
{
	(void)state;
	check_games("[Event \"a]\n[Site \"x\"]\n\n1. d6 *\n\n[Event \"b\"]\n1. d7 *\n", "1:11\n1 good\n");
	check_games("[Rules \"none\"]\n\n1. d6 *\n1. d7 *\n", "1:9\n1 good\n");
	check_games("[Event \"a\"]\n[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n1. d7 *\n", "2:2\n1 good\n");
}

static void after_a_wrong_result_the_next_game_follows_at_once(void **state)
{
	(void)state;
	check_games("[Result \"1-0\"] 1. d6 0-1 1. d7 *", "1:22\n1 good\n");
}

static void every_bad_game_of_a_text_is_reported_once(void **state)
{
	(void)state;
	check_games(
	    "1. x *\n1. d6 *\n[SetUp \"1\"]\n*\n[Event \"a\"]\n[Rules \"three\"]\n1. a1 d4 *\n1. a1 d1 1-0\n1. a1 d1",
	    "1:4\n1 good\n3:9\n7:7\n2 good\n9:9\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_no_record_is_refused_with_place_and_reason),
	    cmocka_unit_test(a_rule_set_that_is_none_is_refused_with_the_name_of_its_tag),
	    cmocka_unit_test(an_empty_text_has_no_game),
	    cmocka_unit_test(after_an_error_in_the_turns_the_next_game_is_read),
	    cmocka_unit_test(after_an_error_in_the_tags_the_next_game_is_read),
	    cmocka_unit_test(after_a_wrong_result_the_next_game_follows_at_once),
	    cmocka_unit_test(every_bad_game_of_a_text_is_reported_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
