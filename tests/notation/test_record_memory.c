/* Records and memory: too small an arena, games and lines and nesting without a cap. */
#include "notation_support.h"
#include "record_equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *memory;
static const size_t memory_size = (size_t)512 << 20;

static int set_up(void **state)
{
	(void)state;
	memory = malloc(memory_size);
	return memory == NULL;
}

static int tear_down(void **state)
{
	(void)state;
	free(memory);
	return 0;
}

/* Reads the only game of a text into the large memory. */
static enum mrl_status read_large(const char *text, size_t length, struct mrl_record **record, struct mrl_error *error)
{
	struct mrl_arena arena = mrl_arena_in(memory, memory_size);
	struct mrl_record_reader reader;

	mrl_record_reader_init(&reader, text, length);
	return mrl_record_read(&reader, &arena, record, error);
}

static const char whole[] =
    "[Event \"x\"]\n[Other \"y\"]\n{before} 1. d6 {a} $1 (1. d7 {b} (1. a1 a4)) {c} f4 {[%eval 1] [%clk "
    "0:00:01]} ({d} d2 b2) d2 b4 a7 *";

static void in_too_small_an_arena_nothing_happens_and_a_larger_one_succeeds(void **state)
{
	struct mrl_record *expected = record_of(whole, strlen(whole));
	size_t needed = 0;

	(void)state;
	for (size_t size = 0; needed == 0; size += 16) {
		struct mrl_record_reader reader;
		struct mrl_arena arena;
		struct mrl_record *record = NULL;
		struct mrl_error error;
		char *small = malloc(size + 1);
		enum mrl_status status;

		assert_non_null(small);
		arena = mrl_arena_in(small, size);
		mrl_record_reader_init(&reader, guarded(whole, strlen(whole)), strlen(whole));
		status = mrl_record_read(&reader, &arena, &record, &error);
		if (status == MRL_OK) {
			assert_null(record_difference(record, expected));
			needed = size;
		} else {
			assert_int_equal(status, MRL_SPACE);
			assert_int_equal(error.status, MRL_SPACE);
			assert_string_equal(error.message, "the memory for the record is too small");
			assert_int_equal(error.line, 0);
			assert_null(record);
			assert_int_equal(arena.used, 0);
			assert_int_equal(reader.at, 0);
			assert_int_equal(reader.games, 0);
			/* The same reader, given more, reads the same game. */
			arena = mrl_arena_in(memory, memory_size);
			assert_int_equal(mrl_record_read(&reader, &arena, &record, &error), MRL_OK);
			assert_null(record_difference(record, expected));
		}
		free(small);
	}
	assert_true(needed > sizeof(struct mrl_rules));
	assert_true(needed < sizeof(struct mrl_rules) + 8192);
}

static void an_arena_need_not_be_aligned(void **state)
{
	(void)state;
	for (size_t skip = 0; skip < 20; skip++) {
		struct mrl_arena arena = mrl_arena_in(memory + skip, 65536 + skip);
		struct mrl_record_reader reader;
		struct mrl_record *record;

		mrl_record_reader_init(&reader, TEXT("1. d6 {x} f4 *"));
		assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL), MRL_OK);
		assert_int_equal((uintptr_t)record % 8, 0);
		assert_string_equal(text_of(record), "[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 {x} 1... f4 *\n");
	}
	assert_int_equal(mrl_arena_in(memory + 1, 3).size, 0);
}

static void no_memory_is_an_arena_that_is_too_small(void **state)
{
	struct mrl_arena arena = mrl_arena_in(NULL, 0);
	struct mrl_record_reader reader;
	struct mrl_record *record;

	(void)state;
	mrl_record_reader_init(&reader, TEXT("1. d6 *"));
	assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL), MRL_SPACE);
	arena = mrl_arena_in(memory, memory_size);
	assert_int_equal(mrl_record_read(&reader, &arena, &record, NULL), MRL_OK);
}

static void a_text_of_nothing_may_be_no_pointer(void **state)
{
	struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_turn turn;
	struct mrl_record_reader reader;
	size_t consumed = 9;

	(void)state;
	test_rules(&rules, "nine");
	assert_int_equal(mrl_position_read(&rules, NULL, 0, &position, NULL), MRL_SYNTAX);
	mrl_position_start(&rules, &position);
	assert_int_equal(mrl_turn_read(&rules, &position, NULL, 0, &turn, NULL), MRL_SYNTAX);
	assert_int_equal(mrl_turn_next(&rules, &position, NULL, 0, &consumed, &turn, NULL), MRL_OK);
	assert_int_equal(consumed, 0);
	mrl_record_reader_init(&reader, NULL, 0);
	assert_false(mrl_record_more(&reader));
}

static void several_records_share_an_arena(void **state)
{
	struct mrl_arena arena = mrl_arena_in(memory, 1 << 20);
	struct mrl_record_reader reader;
	struct mrl_record *first;
	struct mrl_record *second;

	(void)state;
	mrl_record_reader_init(&reader, TEXT("1. d6 {x} f4 * 1. a1 *"));
	assert_int_equal(mrl_record_read(&reader, &arena, &first, NULL), MRL_OK);
	assert_int_equal(mrl_record_read(&reader, &arena, &second, NULL), MRL_OK);
	assert_string_equal(text_of(first), "[Result \"*\"]\n[Rules \"nine\"]\n\n1. d6 {x} 1... f4 *\n");
	assert_string_equal(text_of(second), "[Result \"*\"]\n[Rules \"nine\"]\n\n1. a1 *\n");
}

static void a_word_of_ten_megabytes_is_refused_with_its_length(void **state)
{
	size_t length = (size_t)10 << 20;
	char *text = malloc(length);
	struct mrl_record *record;
	struct mrl_error error;

	(void)state;
	assert_non_null(text);
	memset(text, 'a', length);
	memcpy(text, "1. ", 3);
	assert_int_equal(read_large(text, length, &record, &error), MRL_SYNTAX);
	assert_int_equal(error.line, 1);
	assert_int_equal(error.column, 4);
	assert_string_equal(error.message, "a word of 10485757 characters is longer than any turn: "
					   "\"aaaaaaaaaaaaaaaaaaaaaaaa...\"");
	free(text);
}

static void a_line_of_ten_megabytes_is_read(void **state)
{
	size_t length = (size_t)10 << 20;
	char *text = malloc(length + 16);
	struct mrl_record *record;
	struct mrl_error error;

	(void)state;
	assert_non_null(text);
	memset(text, 'w', length);
	memcpy(text, "1. d6 {", 7);
	memcpy(text + length, "} *", 3);
	assert_int_equal(read_large(text, length + 3, &record, &error), MRL_OK);
	assert_int_equal(strlen(record->line.first->after->text), length - 7);
	memcpy(text, "[Tag \"w", 7);
	memcpy(text + length, "\"] *", 4);
	assert_int_equal(read_large(text, length + 4, &record, &error), MRL_OK);
	assert_int_equal(strlen(mrl_record_tag(record, "Tag")), length - 6);
	free(text);
}

static void lists_of_a_million_things_are_read(void **state)
{
	static const char *const things[] = {"{x}", "$1", "(d7)", "[A \"b\"]\n"};
	size_t count = 1000000;
	char *text = malloc(count * 16);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 4; i++) {
		struct mrl_record *record;
		struct mrl_error error;
		size_t length = 0;

		if (i < 3)
			length = (size_t)sprintf(text, "1. d6 ");
		for (size_t n = 0; n < count; n++)
			length += (size_t)sprintf(text + length, "%s", things[i]);
		length += (size_t)sprintf(text + length, "*");
		if (read_large(text, length, &record, &error) != MRL_OK)
			fail_msg("%s", error.message);
		assert_true(mrl_record_write(record, NULL, 0) > count);
	}
	free(text);
}

static void variations_nest_a_hundred_thousand_deep(void **state)
{
	size_t depth = 100000;
	char *text = malloc(depth * 16);
	char *written;
	struct mrl_record *record;
	struct mrl_record *again;
	struct mrl_error error;
	struct mrl_arena arena = mrl_arena_in(memory + memory_size / 2, memory_size / 2);
	struct mrl_record_reader reader;
	size_t length = 0;
	size_t needed;

	(void)state;
	assert_non_null(text);
	length += (size_t)sprintf(text + length, "d6");
	for (size_t i = 0; i < depth; i++)
		length += (size_t)sprintf(text + length, "(%s", i % 2 == 0 ? "d7" : "d6");
	for (size_t i = 0; i < depth; i++)
		length += (size_t)sprintf(text + length, ")");
	length += (size_t)sprintf(text + length, "*");
	if (read_large(text, length, &record, &error) != MRL_OK)
		fail_msg("%s", error.message);
	needed = mrl_record_write(record, NULL, 0);
	written = malloc(needed + 1);
	assert_non_null(written);
	assert_int_equal(mrl_record_write(record, written, needed + 1), needed);
	mrl_record_reader_init(&reader, written, needed);
	assert_int_equal(mrl_record_read(&reader, &arena, &again, &error), MRL_OK);
	assert_null(record_difference(record, again));
	free(written);
	free(text);
}

static void a_game_of_two_hundred_thousand_turns_is_read(void **state)
{
	/* Without counters and repetition two men may go to and fro for ever. */
	static const char head[] = "[Rules \"nine,repetition=0,no-mill=0\"]\n"
				   "[Position \"W.W/.../.B./.W..W./.B./.../B.B w 0,0 0 0\"]\n";
	size_t count = 50000;
	char *text = malloc(sizeof head + count * 32);
	struct mrl_record *record;
	struct mrl_error error;
	size_t length = (size_t)sprintf(text, "%s", head);

	(void)state;
	for (size_t i = 0; i < count; i++)
		length += (size_t)sprintf(text + length, "a7-d7 a1-d1 d7-a7 d1-a1 ");
	length += (size_t)sprintf(text + length, "*");
	if (read_large(text, length, &record, &error) != MRL_OK)
		fail_msg("%s", error.message);
	assert_int_equal(record->count, 4 * count);
	assert_int_equal(record->line.last->ply, 4 * count - 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(in_too_small_an_arena_nothing_happens_and_a_larger_one_succeeds),
	    cmocka_unit_test(an_arena_need_not_be_aligned),
	    cmocka_unit_test(no_memory_is_an_arena_that_is_too_small),
	    cmocka_unit_test(a_text_of_nothing_may_be_no_pointer),
	    cmocka_unit_test(several_records_share_an_arena),
	    cmocka_unit_test(a_word_of_ten_megabytes_is_refused_with_its_length),
	    cmocka_unit_test(a_line_of_ten_megabytes_is_read),
	    cmocka_unit_test(lists_of_a_million_things_are_read),
	    cmocka_unit_test(variations_nest_a_hundred_thousand_deep),
	    cmocka_unit_test(a_game_of_two_hundred_thousand_turns_is_read),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
