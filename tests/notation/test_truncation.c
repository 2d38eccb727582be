/* Texts that end too early, at each of their bytes, and texts with one byte wrong, at the edge of a guard page. */
#include "notation_support.h"

#include <stdlib.h>
#include <string.h>

static void check_error(const struct mrl_error *error, enum mrl_status status, size_t length)
{
	assert_true(status < 0);
	assert_int_equal(error->status, status);
	assert_true(error->line >= 1);
	assert_in_range(error->column, 1, length + 1);
	assert_true(error->message[0] != '\0');
	for (const char *c = error->message; *c != '\0'; c++)
		assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f);
}

struct sample {
	const char *rules;
	const char *position; /* for a turn; NULL for a position or record */
	const char *text;
	size_t shortest; /* prefixes from this length on may be good */
};

static const struct sample positions[] = {
    {"nine", NULL, "W../.B./..W/B....W/.../.../..B w 6,6 10 0", 36},
    {"morabaraba", NULL, "W../.B./..W/B....W/.../.../..B w 9,9 10 11", 36},
    {"nine", NULL, "O*******/********/*******@ w p p 1 8 1 8", 40},
    {"nine", NULL, "O*******/********/*******@ w p p 1 8 1 8 0 0 0 0 0 0 0 7 12 ids:nodes", 40},
    {"nine", NULL, "MFEN/1.0 mill24-state-v1 W......./......../.......B w p p 8,8 - 0 12 -", 70},
};

static void a_position_cut_short_is_refused_or_read_at_every_byte(void **state)
{
	static struct mrl_rules rules;

	(void)state;
	for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
		size_t whole = strlen(positions[i].text);

		test_rules(&rules, positions[i].rules);
		for (size_t length = 0; length <= whole; length++) {
			struct mrl_position position;
			struct mrl_error error;
			enum mrl_status status =
			    mrl_position_read(&rules, guarded(positions[i].text, length), length, &position, &error);

			if (status != MRL_OK)
				check_error(&error, status, length);
			if (length < positions[i].shortest)
				assert_int_not_equal(status, MRL_OK);
			if (length == whole)
				assert_int_equal(status, MRL_OK);
		}
	}
}

static const char odd_bytes[] = {'\0', '\n', ' ', '/', '-', '9', 'W', 'x', '\x7f', '\x80', '\xc3', '\xff', '"', '{'};

static void a_position_with_a_wrong_byte_is_refused_or_read(void **state)
{
	static struct mrl_rules rules;

	(void)state;
	for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
		size_t length = strlen(positions[i].text);
		char text[256];

		test_rules(&rules, positions[i].rules);
		for (size_t at = 0; at < length; at++) {
			for (size_t b = 0; b < sizeof odd_bytes; b++) {
				struct mrl_position position;
				struct mrl_error error;
				enum mrl_status status;

				memcpy(text, positions[i].text, length);
				text[at] = odd_bytes[b];
				status = mrl_position_read(&rules, guarded(text, length), length, &position, &error);
				if (status != MRL_OK)
					check_error(&error, status, length);
				else
					assert_int_equal(mrl_position_check(&rules, &position, NULL), MRL_OK);
			}
		}
	}
}

static const struct sample turns[] = {
    {"nine", ".../.../.../....../.../.../... w 9,9", "d6", 2},
    {"nine", "W.W/.W./.../B...../..W/.B./..B w 0,0", "d6-d7xa4", 8},
    {"nine", "W.W/.W./.../B...../..W/.B./..B w 0,0", "d6-d7  xa4", 10},
    {"nine,take-count=per-mill", "W.W/.W./.W./....../B../B.B/B.. w 5,5", "d7xb2\txa1", 9},
};

static void a_turn_cut_short_or_with_a_wrong_byte_is_refused(void **state)
{
	static struct mrl_rules rules;

	(void)state;
	for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
		size_t whole = strlen(turns[i].text);
		struct mrl_position position;
		struct mrl_error error;
		struct mrl_turn turn;
		enum mrl_status status;
		char text[64];

		test_rules(&rules, turns[i].rules);
		position = position_of(&rules, turns[i].position);
		for (size_t length = 0; length <= whole; length++) {
			status =
			    mrl_turn_read(&rules, &position, guarded(turns[i].text, length), length, &turn, &error);
			assert_int_equal(status == MRL_OK, length >= turns[i].shortest);
			if (status != MRL_OK)
				check_error(&error, status, length);
		}
		for (size_t at = 0; at < whole; at++) {
			for (size_t b = 0; b < sizeof odd_bytes; b++) {
				memcpy(text, turns[i].text, whole);
				text[at] = odd_bytes[b];
				status = mrl_turn_read(&rules, &position, guarded(text, whole), whole, &turn, &error);
				if (status != MRL_OK)
					check_error(&error, status, whole);
			}
		}
	}
}

static const char record_text[] =
    "[Event \"a \\\"b\\\" \xc3\xa4\"]\n[Rules \"nine,fly=0\"]\n[SetUp \"1\"]\n"
    "[Position \"W.W/.W./.../B...../..W/.B./B.B b 0,0 4 0\"]\n[Termination \"resign\"]\n\n"
    "{first} 1... a4-b4 $1 {[%clk 0:04:59.5] [%eval -0.13] text \xe2\x80\x94 more} 2. d6-d7\nxb4 (2. d6-d5?! {x} d2-d3 "
    "(2... d2-f2)) ; rest\n2... g1-d1\n% for others\n1-0";

/* Reads all games; every error is well formed and the reader always moves on. Returns the good ones. */
static size_t read_all(const char *text, size_t length)
{
	static char memory[1 << 18];
	struct mrl_record_reader reader;
	size_t good = 0;

	mrl_record_reader_init(&reader, guarded(text, length), length);
	while (mrl_record_more(&reader)) {
		struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
		struct mrl_record *record;
		struct mrl_error error;
		size_t before = reader.at;
		enum mrl_status status = mrl_record_read(&reader, &arena, &record, &error);

		assert_int_not_equal(status, MRL_SPACE);
		assert_true(reader.at > before);
		if (status != MRL_OK)
			check_error(&error, status, length);
		good += status == MRL_OK;
	}
	return good;
}

static void a_record_cut_short_is_refused_at_every_byte(void **state)
{
	size_t whole = sizeof record_text - 1;

	(void)state;
	for (size_t length = 0; length <= whole; length++)
		assert_int_equal(read_all(record_text, length), length == whole ? 1 : 0);
}

static void a_record_with_a_wrong_byte_is_refused_or_read(void **state)
{
	static char text[sizeof record_text];
	size_t whole = sizeof record_text - 1;

	(void)state;
	for (size_t at = 0; at < whole; at++) {
		for (size_t b = 0; b < sizeof odd_bytes; b++) {
			memcpy(text, record_text, sizeof text);
			text[at] = odd_bytes[b];
			(void)read_all(text, whole);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_position_cut_short_is_refused_or_read_at_every_byte),
	    cmocka_unit_test(a_position_with_a_wrong_byte_is_refused_or_read),
	    cmocka_unit_test(a_turn_cut_short_or_with_a_wrong_byte_is_refused),
	    cmocka_unit_test(a_record_cut_short_is_refused_at_every_byte),
	    cmocka_unit_test(a_record_with_a_wrong_byte_is_refused_or_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
