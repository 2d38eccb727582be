#define _DEFAULT_SOURCE /* strdup */
/* Records: what is read, and the canonical form in which it is written. */
#include "notation_support.h"
#include "record_equal.h"

#include <stdlib.h>
#include <string.h>

/* Reads a text and compares its canonical form; that must read back equal and write itself. */
static void check_canonical(const char *text, const char *canonical)
{
	char *first = strdup(text_of(record_of(text, strlen(text))));
	struct mrl_record *again;

	assert_non_null(first);
	assert_string_equal(first, canonical);
	again = record_of(first, strlen(first));
	assert_string_equal(text_of(again), canonical);
	free(first);
}

static void the_record_of_the_formats_page_is_canonical(void **state)
{
	static const char text[] = "[Event \"Casual game\"]\n"
				   "[Site \"...\"]\n"
				   "[Date \"2026.11.30\"]\n"
				   "[White \"...\"]\n"
				   "[Black \"...\"]\n"
				   "[Result \"0-1\"]\n"
				   "[Rules \"nine\"]\n"
				   "[Termination \"resign\"]\n"
				   "[TimeControl \"300+3\"]\n"
				   "\n"
				   "1. b2 b6 2. g7 a7 0-1\n";

	(void)state;
	check_canonical(text, text);
}

static void tags_are_written_in_a_fixed_order_and_unknown_ones_keep_theirs(void **state)
{
	(void)state;
	check_canonical(
	    "[Zeta \"1\"] [TimeControl \"-\"] [Black \"B\"]\n[alpha_2 \"\"]\n[White \"A\"]\n[Round \"3\"]\n[Zeta "
	    "\"2\"]\n* ",
	    "[Round \"3\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[Rules \"nine\"]\n[TimeControl \"-\"]\n"
	    "[Zeta \"1\"]\n[alpha_2 \"\"]\n[Zeta \"2\"]\n\n*\n");
}

static void quotation_marks_and_backslashes_in_tags_are_escaped(void **state)
{
	static const char text[] = "[ Event\t\"a \\\"b\\\" \\\\ c\\d\" ]*";
	const struct mrl_record *record;

	(void)state;
	record = record_of(text, strlen(text));
	assert_string_equal(mrl_record_tag(record, "Event"), "a \"b\" \\ c\\d");
	assert_null(mrl_record_tag(record, "Site"));
	check_canonical(text, "[Event \"a \\\"b\\\" \\\\ c\\\\d\"]\n[Result \"*\"]\n[Rules \"nine\"]\n\n*\n");
}

static void without_the_tag_rules_it_is_nine(void **state)
{
	const struct mrl_record *record;
	char rules[MRL_RULES_NAME_SIZE];

	(void)state;
	record = record_of(TEXT("1. d6 *"));
	mrl_rules_write(record->rules, rules);
	assert_string_equal(rules, "nine");
	record = record_of(TEXT("[Rules \"nine,fly=0,men=9\"] 1. d6 *"));
	mrl_rules_write(record->rules, rules);
	assert_string_equal(rules, "nine,fly=0");
}

static void a_record_says_how_the_rules_ended_it(void **state)
{
	static const char text[] = "[Rules \"three\"] 1. c2 a3 2. c3 a1 3. c1 1-0";
	const struct mrl_record *record;

	(void)state;
	record = record_of(text, strlen(text));
	assert_int_equal(record->outcome, MRL_WHITE_WINS);
	assert_int_equal(record->reason, MRL_REASON_MILL);
	assert_int_equal(record->verdict.reason, MRL_REASON_MILL);
	assert_int_equal(record->count, 5);
	check_canonical(text,
			"[Result \"1-0\"]\n[Rules \"three\"]\n[Termination \"mill\"]\n\n1. c2 a3 2. c3 a1 3. c1 1-0\n");
}

static void a_termination_of_other_programs_is_kept(void **state)
{
	(void)state;
	check_canonical("[Termination \"time forfeit\"]\n1. d6 1-0",
			"[Result \"1-0\"]\n[Rules \"nine\"]\n[Termination \"time forfeit\"]\n\n1. d6 1-0\n");
}

static void a_termination_of_other_programs_yields_to_the_reason_of_the_rules(void **state)
{
	(void)state;
	check_canonical("[Rules \"three\"][Termination \"normal\"] 1. c2 a3 2. c3 a1 3. c1 1-0",
			"[Result \"1-0\"]\n[Rules \"three\"]\n[Termination \"mill\"]\n\n1. c2 a3 2. c3 a1 3. c1 1-0\n");
}

static void each_reason_that_is_not_of_the_rules_goes_with_its_results(void **state)
{
	static const char *const good[] = {
	    "[Termination \"resign\"] d6 1-0",        "[Termination \"resign\"] d6 0-1",
	    "[Termination \"time\"] d6 0-1",          "[Termination \"abandoned\"] d6 0-1",
	    "[Termination \"agreement\"] d6 1/2-1/2", "[Termination \"aborted\"] d6 *"};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_int_not_equal(record_of(good[i], strlen(good[i]))->reason, MRL_REASON_NONE);
}

static void a_game_may_start_from_a_position(void **state)
{
	static const char canonical[] = "[Result \"*\"]\n[Rules \"nine\"]\n[SetUp \"1\"]\n"
					"[Position \"W.W/.W./.../B...../..W/.B./B.B b 0,0 4 0\"]\n\n"
					"1... a4-b4 2. d6-d7xb4 *\n";

	(void)state;
	check_canonical("[SetUp \"1\"][Position \"W.W/.W./.../B...../..W/.B./B.B b 0,0 4\"] 1... a4-b4 d6-d7 xb4 *",
			canonical);
	check_canonical("[Position \"W.W/.W./.../B...../..W/.B./B.B b 0,0 4\"] a4-b4 d6-d7 xb4 *", canonical);
	check_canonical("[SetUp \"1\"][FEN \"****O***/O***@***/OO*@**@* b m s 4 0 3 0 0 0 0 0 0 0 0 4 9\"] *",
			"[Result \"*\"]\n[Rules \"nine\"]\n[SetUp \"1\"]\n"
			"[Position \".WW/.W./.../B...../.W./.B./..B b 0,0 4 0\"]\n\n*\n");
	check_canonical("[SetUp \"1\"][Position \".../.../.../....../.../.../... w 9,9\"] 1. d6 *",
			"[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 *\n");
	check_canonical("[SetUp \"0\"] 1. d6 *", "[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 *\n");
}

static void a_decided_position_is_a_record_of_its_own(void **state)
{
	(void)state;
	check_canonical("[Position \"WW./.../.../....../.../.../BBB w 0,0\"] 0-1",
			"[Result \"0-1\"]\n[Rules \"nine\"]\n[Termination \"few-men\"]\n[SetUp \"1\"]\n"
			"[Position \"WW./.../.../....../.../.../BBB w 0,0 0 0\"]\n\n0-1\n");
}

static void numbers_of_turns_may_be_anything_or_missing(void **state)
{
	static const char canonical[] = "[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 f4 2. d2 b4 *\n";

	(void)state;
	check_canonical("d6 f4 d2 b4 *", canonical);
	check_canonical("1.d6 f4 2.d2 b4*", canonical);
	check_canonical("1. d6 1... f4 2. d2 2... b4 *", canonical);
	check_canonical("1 . d6 ... f4 17 d2 99999999999999999999. b4 *", canonical);
	check_canonical("1.\nD6\r\nF4\t2. d2\n\n\nB4\n*", canonical);
}

static void comments_keep_their_place_and_lose_their_line_breaks(void **state)
{
	const struct mrl_record *record;

	(void)state;
	record = record_of(
	    TEXT("{ opening  words } 1. d6 { good\n\tmove } {second} f4 ; to the end } of the line\n d2 {} *"));
	assert_string_equal(record->line.first->before->text, "opening words");
	assert_string_equal(record->line.first->after->text, "good move");
	assert_string_equal(record->line.first->after->next->text, "second");
	assert_string_equal(record->line.first->next->after->text, "to the end ) of the line");
	assert_null(record->line.last->after);
	check_canonical("{ opening  words } 1. d6 { good\n\tmove } {second} f4 ; to the end } of the line\n d2 {} *",
			"[Result \"*\"]\n[Rules \"nine\"]\n\n{opening words} 1. d6 {good move} {second} 1... f4 {to "
			"the end ) of the line} 2.\n"
			"d2 *\n");
}

static void comments_of_a_game_without_turns_are_kept(void **state)
{
	(void)state;
	check_canonical("{nobody} {came} *", "[Result \"*\"]\n[Rules \"nine\"]\n\n{nobody} {came} *\n");
}

static void comments_are_utf8(void **state)
{
	(void)state;
	check_canonical("1. d6 {M\xc3\xbchle \xe2\x80\x94 \xf0\x9f\x98\x80} *",
			"[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 {M\xc3\xbchle \xe2\x80\x94 \xf0\x9f\x98\x80} *\n");
}

static void clock_and_evaluation_are_taken_out_of_comments(void **state)
{
	const struct mrl_record_turn *turn;

	(void)state;
	turn = record_of(TEXT("1. d6 {a [%clk 1:02:03.45] b [%eval -0.13 ] c [%cal Ga1]} f4 {[%clk 0:00:00]} *"))
		   ->line.first;
	assert_int_equal(turn->clock, 3723450);
	assert_string_equal(turn->evaluation, "-0.13");
	assert_string_equal(turn->after->text, "a b c [%cal Ga1]");
	assert_int_equal(turn->next->clock, 0);
	assert_null(turn->next->evaluation);
	assert_null(turn->next->after);
	check_canonical("1. d6 {a} {[%eval #3] [%clk 10:00:00.120]} f4 {[%eval 0.00]x} d2{y[%clk 0:00:07]z} *",
			"[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 {[%clk 10:00:00.12] [%eval #3] a} 1... f4 {[%eval "
			"0.00] x} 2. d2\n"
			"{[%clk 0:00:07] y z} *\n");
}

static void annotation_marks_are_numbers(void **state)
{
	(void)state;
	check_canonical("1. d6! f4? 2. d2!! b4?? 3. b6!? f6?! 4. g7 $14 $0$255 a1 ! *",
			"[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 $1 f4 $2 2. d2 $3 b4 $4 3. b6 $5 f6 $6 4. g7 $14 $0 "
			"$255 a1 $1 *\n");
}

static void variations_nest_and_end_anywhere(void **state)
{
	static const char text[] =
	    "1. d6 (1. d7 {x} (1. a1 a4 (1... a7)) 1... d1) ({y} d5) {z} f4 (d2 ({deep} f4 2. a7 (a4)) {end}) 2. d2 *";
	const struct mrl_record *record;
	const struct mrl_record_line *variation;

	(void)state;
	record = record_of(text, strlen(text));
	assert_int_equal(record->count, 3);
	variation = record->line.first->variations;
	assert_ptr_equal(variation->replaces, record->line.first);
	assert_ptr_equal(variation->first->line, variation);
	assert_int_equal(variation->first->ply, 0);
	assert_int_equal(variation->last->ply, 1);
	assert_int_equal(variation->first->variations->last->variations->first->ply, 1);
	assert_non_null(variation->next);
	assert_null(variation->next->next);
	check_canonical(text, "[Result \"*\"]\n[Rules \"nine\"]\n\n"
			      "1. d6 (1. d7 {x} (1. a1 a4 (1... a7)) 1... d1) ({y} 1. d5) {z} 1... f4 (1... d2\n"
			      "{end} ({deep} 1... f4 2. a7 (2. a4))) 2. d2 *\n");
}

static void behind_a_variation_the_game_is_where_it_was(void **state)
{
	/* The variation takes a man and goes on; the game must stand as before, hash and history included. */
	static const char text[] = "1. a7 b6 2. d7 b2 3. f4 (3. g7xb6 f6 4. a4 d6 5. a1xd6) 3... f2 4. g7xb2 *";

	(void)state;
	check_canonical(text, "[Result \"*\"]\n[Rules \"nine\"]\n\n"
			      "1. a7 b6 2. d7 b2 3. f4 (3. g7xb6 f6 4. a4 d6 5. a1xd6) 3... f2 4. g7xb2 *\n");
}

static void repetition_counts_along_the_line_that_is_read(void **state)
{
	/* In the variation the position after the first turn comes for the third time, in the game the start does. */
#define TO_AND_FRO                                             \
	"[Position \"W.W/.../.B./.W..W./.B./.../B.B w 0,0\"] " \
	"1. a7-d7 a1-d1 2. d7-a7 d1-a1 3. a7-d7 a1-d1 4. d7-a7 (4. d7-d6 d1-a1 5. d6-d7"
	static const char good[] = TO_AND_FRO ") d1-a1 1/2-1/2";
	static const char bad[] = TO_AND_FRO " a1-d1) d1-a1 1/2-1/2";
	const struct mrl_record *record;
	struct mrl_record_reader reader;
	static char memory[1 << 17];
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_record *none;
	struct mrl_error error;

	(void)state;
	record = record_of(good, strlen(good));
	assert_int_equal(record->outcome, MRL_DRAW);
	assert_int_equal(record->reason, MRL_REASON_REPETITION);
	assert_int_equal(record->count, 8);
	mrl_record_reader_init(&reader, bad, strlen(bad));
	assert_int_equal(mrl_record_read(&reader, &arena, &none, &error), MRL_DECIDED);
	assert_string_equal(error.message, "\"a1-d1\" is played after the end: the game is over, 1/2-1/2 repetition");
}

static void a_byte_order_mark_and_crlf_are_no_matter(void **state)
{
	(void)state;
	check_canonical("\xef\xbb\xbf[Event \"x\"]\r\n\r\n1. d6\r\n*\r\n",
			"[Event \"x\"]\n[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 *\n");
}

static void lines_that_begin_with_a_percent_sign_are_for_others(void **state)
{
	(void)state;
	check_canonical("% a line\n[Event \"x\"]\n%[White \"y\"]\n1. d6\n%f4 (((\n*\n%end",
			"[Event \"x\"]\n[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 *\n");
}

static void several_games_follow_one_another_with_or_without_tags(void **state)
{
	static const char text[] = "1. d6 * 1. d7 d6 1-0\n[Event \"third\"]\n*[Event \"fourth\"]\n1. a1 *\n\n";
	struct mrl_record_reader reader;
	static char memory[1 << 18];
	size_t counts[4];
	size_t games = 0;

	(void)state;
	mrl_record_reader_init(&reader, text, strlen(text));
	while (mrl_record_more(&reader)) {
		struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
		struct mrl_record *record;

		assert_true(games < 4);
		assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL), MRL_OK);
		counts[games++] = record->count;
	}
	assert_int_equal(games, 4);
	assert_int_equal(reader.games, 4);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], 2);
	assert_int_equal(counts[2], 0);
	assert_int_equal(counts[3], 1);
}

static void each_game_of_a_text_has_its_own_rule_set(void **state)
{
	static const char text[] = "1. g7 *\n[Rules \"three\"] 1. c3 *\n[Rules \"three\"] 1. c3 *\n1. g7 *\n"
				   "[Rules \"none\"] *\n1. g7 *\n[Rules \"nine,fly=0\"] 1. g7 *\n";
	static const char *const expected[] = {"nine", "three", "three", "nine", NULL, "nine", "nine,fly=0"};
	struct mrl_record_reader reader;
	static char memory[1 << 18];

	(void)state;
	mrl_record_reader_init(&reader, text, strlen(text));
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
		struct mrl_record *record;
		char name[MRL_RULES_NAME_SIZE];

		assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL) == MRL_OK, expected[i] != NULL);
		if (expected[i] == NULL)
			continue;
		mrl_rules_write(record->rules, name);
		assert_string_equal(name, expected[i]);
	}
	assert_false(mrl_record_more(&reader));
}

static void lines_have_at_most_80_bytes(void **state)
{
	char text[8192] = "[Event \"x\"]\n";
	struct mrl_record *record;

	(void)state;
	for (unsigned i = 0; i < 9; i++) {
		static const char *const turns[] = {"a7", "b6", "c5", "d7", "e5", "f6", "g7", "a4", "b4"};

		strcat(text, turns[i]);
		strcat(text,
		       " $1 {some words of a comment that goes on for longer than a line can hold them all} ($7) ");
		*strstr(text, " ($7)") = '\0';
		strcat(text, " {[%clk 0:04:59.5] [%eval 0.25]} ");
	}
	strcat(text, "*");
	record = record_of(text, strlen(text));
	for (const char *line = text_of(record); *line != '\0';) {
		size_t length = strcspn(line, "\n");

		assert_true(length <= 80);
		line += length + 1;
	}
}

static void a_word_longer_than_a_line_stands_alone_on_its_line(void **state)
{
	char text[400] = "1. d6 {short ";
	const char *written;
	const char *line;

	(void)state;
	memset(text + strlen(text), 'w', 200);
	strcat(text, " short} *");
	written = text_of(record_of(text, strlen(text)));
	line = strstr(written, "ww");
	assert_int_equal(line[-1], '\n');
	assert_int_equal(strspn(line, "w"), 200);
	assert_int_equal(line[200], '\n');
}

static void writing_into_too_little_room_says_how_much_it_takes(void **state)
{
	struct mrl_record *record = record_of(TEXT("[Event \"x\"] 1. d6 {hello} (1. d7) f4 *"));
	const char *whole = text_of(record);
	size_t length = strlen(whole);

	(void)state;
	for (size_t size = 0; size <= length + 1; size++) {
		char *room = malloc(size + 1);

		assert_non_null(room);
		room[size] = '#';
		assert_int_equal(mrl_record_write(record, room, size), length);
		assert_int_equal(room[size], '#');
		if (size > 0) {
			assert_int_equal(strlen(room), size - 1 < length ? size - 1 : length);
			assert_memory_equal(room, whole, strlen(room));
		}
		free(room);
	}
}

/* ---- Records that are made ---------------------------------------------------------------------------------- */

static void a_game_that_was_played_becomes_a_record(void **state)
{
	static char memory[1 << 17];
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_rules rules;
	struct mrl_ply plies[16];
	struct mrl_game game;
	struct mrl_record *record = NULL;
	struct mrl_error error;

	(void)state;
	test_rules(&rules, "three");
	mrl_game_init(&game, &rules, NULL, plies, 16);
	test_play(&game, "c2 a3 c3 a1 c1");
	assert_int_equal(mrl_record_make(&arena, &game, &record), MRL_OK);
	assert_int_equal(mrl_record_set_tag(&arena, record, "White", "A \"B\"", &error), MRL_OK);
	assert_int_equal(mrl_record_set_tag(&arena, record, "Opening", "none", &error), MRL_OK);
	assert_int_equal(mrl_record_set_tag(&arena, record, "White", "C", &error), MRL_OK);
	assert_string_equal(text_of(record),
			    "[White \"C\"]\n[Result \"1-0\"]\n[Rules \"three\"]\n[Termination \"mill\"]\n"
			    "[Opening \"none\"]\n\n1. c2 a3 2. c3 a1 3. c1 1-0\n");
	assert_int_equal(mrl_record_set_result(record, MRL_BLACK_WINS, MRL_REASON_RESIGN, &error), MRL_RANGE);
	assert_string_equal(error.message, "the result cannot be 0-1 resign: by the rules the game ended 1-0 mill");
	assert_int_equal(mrl_record_set_result(record, MRL_WHITE_WINS, MRL_REASON_NONE, &error), MRL_OK);
	assert_int_equal(record->reason, MRL_REASON_MILL);
}

static void a_game_that_goes_on_can_be_given_a_result(void **state)
{
	static char memory[1 << 17];
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_rules rules;
	struct mrl_ply plies[16];
	struct mrl_game game;
	struct mrl_position start;
	struct mrl_record *record = NULL;
	struct mrl_error error;

	(void)state;
	test_rules(&rules, "nine");
	start = position_of(&rules, "W../.../.../....../.../.../... b 8,9 0 0");
	mrl_game_init(&game, &rules, &start, plies, 16);
	test_play(&game, "d6 f4");
	assert_int_equal(mrl_record_make(&arena, &game, &record), MRL_OK);
	assert_int_equal(mrl_record_set_result(record, MRL_DRAW, MRL_REASON_RESIGN, &error), MRL_RANGE);
	assert_string_equal(error.message,
			    "the result cannot be 1/2-1/2 resign: with resign the result must be 1-0 or 0-1");
	assert_int_equal(mrl_record_set_result(record, MRL_DRAW, MRL_REASON_REPETITION, &error), MRL_RANGE);
	assert_string_equal(error.message,
			    "the result cannot be 1/2-1/2 repetition: by the rules the game is not over");
	assert_int_equal(record->outcome, MRL_ONGOING);
	assert_int_equal(mrl_record_set_result(record, MRL_WHITE_WINS, MRL_REASON_TIME, NULL), MRL_OK);
	assert_string_equal(text_of(record),
			    "[Result \"1-0\"]\n[Rules \"nine\"]\n[Termination \"time\"]\n[SetUp \"1\"]\n"
			    "[Position \"W../.../.../....../.../.../... b 8,9 0 0\"]\n\n1... d6 2. f4 1-0\n");
}

static void tags_that_cannot_be_are_refused(void **state)
{
	static char memory[1 << 17];
	struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
	struct mrl_rules rules;
	struct mrl_game game;
	struct mrl_record *record = NULL;
	struct mrl_error error;
	size_t used;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, NULL, 0);
	assert_int_equal(mrl_record_make(&arena, &game, &record), MRL_OK);
	used = arena.used;
	assert_int_equal(mrl_record_set_tag(&arena, record, "Result", "*", &error), MRL_NAME);
	assert_string_equal(error.message, "\"Result\" is written from the record itself and not to be set as a tag");
	assert_int_equal(mrl_record_set_tag(&arena, record, "Termination", "resign", &error), MRL_NAME);
	assert_int_equal(mrl_record_set_tag(&arena, record, "4x", "*", &error), MRL_NAME);
	assert_string_equal(error.message, "\"4x\" is no tag name, which is letters, digits and _, a letter first");
	assert_int_equal(mrl_record_set_tag(&arena, record, "", "*", &error), MRL_NAME);
	assert_int_equal(mrl_record_set_tag(&arena, record, "A", "two\nlines", &error), MRL_SYNTAX);
	assert_string_equal(error.message,
			    "the value of a tag must be UTF-8 without control characters; found \"\\x0a\"");
	assert_int_equal(mrl_record_set_tag(&arena, record, "A", "\xff", &error), MRL_SYNTAX);
	assert_int_equal(arena.used, used);
	assert_null(record->tags);
	assert_int_equal(mrl_record_set_tag(&arena, record, "Termination", "unterminated", &error), MRL_OK);
	arena.size = arena.used;
	assert_int_equal(mrl_record_set_tag(&arena, record, "A", "b", &error), MRL_SPACE);
	assert_string_equal(error.message, "the memory for the record is too small for another tag");
	assert_int_equal(mrl_record_make(&arena, &game, &record), MRL_SPACE);
	assert_null(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_record_of_the_formats_page_is_canonical),
	    cmocka_unit_test(tags_are_written_in_a_fixed_order_and_unknown_ones_keep_theirs),
	    cmocka_unit_test(quotation_marks_and_backslashes_in_tags_are_escaped),
	    cmocka_unit_test(without_the_tag_rules_it_is_nine),
	    cmocka_unit_test(a_record_says_how_the_rules_ended_it),
	    cmocka_unit_test(a_termination_of_other_programs_is_kept),
	    cmocka_unit_test(a_termination_of_other_programs_yields_to_the_reason_of_the_rules),
	    cmocka_unit_test(each_reason_that_is_not_of_the_rules_goes_with_its_results),
	    cmocka_unit_test(a_game_may_start_from_a_position),
	    cmocka_unit_test(a_decided_position_is_a_record_of_its_own),
	    cmocka_unit_test(numbers_of_turns_may_be_anything_or_missing),
	    cmocka_unit_test(comments_keep_their_place_and_lose_their_line_breaks),
	    cmocka_unit_test(comments_of_a_game_without_turns_are_kept),
	    cmocka_unit_test(comments_are_utf8),
	    cmocka_unit_test(clock_and_evaluation_are_taken_out_of_comments),
	    cmocka_unit_test(annotation_marks_are_numbers),
	    cmocka_unit_test(variations_nest_and_end_anywhere),
	    cmocka_unit_test(behind_a_variation_the_game_is_where_it_was),
	    cmocka_unit_test(repetition_counts_along_the_line_that_is_read),
	    cmocka_unit_test(a_byte_order_mark_and_crlf_are_no_matter),
	    cmocka_unit_test(lines_that_begin_with_a_percent_sign_are_for_others),
	    cmocka_unit_test(several_games_follow_one_another_with_or_without_tags),
	    cmocka_unit_test(each_game_of_a_text_has_its_own_rule_set),
	    cmocka_unit_test(lines_have_at_most_80_bytes),
	    cmocka_unit_test(a_word_longer_than_a_line_stands_alone_on_its_line),
	    cmocka_unit_test(writing_into_too_little_room_says_how_much_it_takes),
	    cmocka_unit_test(a_game_that_was_played_becomes_a_record),
	    cmocka_unit_test(a_game_that_goes_on_can_be_given_a_result),
	    cmocka_unit_test(tags_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
