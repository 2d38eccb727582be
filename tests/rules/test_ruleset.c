/* The written form of rule sets. */
#include "support.h"

#include <string.h>

static void assert_written(const char *text, const char *canonical)
{
	static struct mrl_rules rules;
	char name[MRL_RULES_NAME_SIZE];

	test_rules(&rules, text);
	mrl_rules_write(&rules, name);
	assert_string_equal(name, canonical);
}

static void presets_are_those_of_the_rules(void **state)
{
	static const struct {
		const char *name, *board;
		unsigned men, fly;
		bool early, wins, full_board_draws;
		unsigned three_men;
	} expected[] = {
	    {"three", "grid9", 3, 0, false, true, false, 0},
	    {"tapatan", "grid9x", 3, 0, false, true, false, 0},
	    {"nine-holes", "grid9", 3, 3, false, true, false, 0},
	    {"achi", "grid9x", 4, 0, false, true, false, 0},
	    {"four", "grid9x", 4, 0, false, false, false, 0},
	    {"five", "ring16", 5, 0, false, false, false, 0},
	    {"six", "ring16", 6, 0, false, false, false, 0},
	    {"seven", "ring17", 7, 0, false, false, false, 0},
	    {"nine", "ring24", 9, 3, false, false, false, 0},
	    {"lasker", "ring24", 10, 3, true, false, false, 0},
	    {"eleven", "ring24x", 11, 3, false, false, true, 0},
	    {"twelve", "ring24x", 12, 3, false, false, true, 0},
	    {"morabaraba", "ring24x", 12, 3, false, false, true, 20},
	};
	static struct mrl_rules rules;

	(void)state;
	for (size_t i = 0; i < 13; i++) {
		assert_string_equal(mrl_preset(i)->name, expected[i].name);
		test_rules(&rules, expected[i].name);
		assert_string_equal(rules.board.name, expected[i].board);
		assert_string_equal(mrl_preset(i)->board, expected[i].board);
		assert_int_equal(rules.men, expected[i].men);
		assert_int_equal(rules.fly, expected[i].fly);
		assert_int_equal(rules.move_early, expected[i].early);
		assert_int_equal(rules.mill_wins, expected[i].wins);
		assert_int_equal(rules.full_board_draws, expected[i].full_board_draws);
		assert_int_equal(rules.three_men, expected[i].three_men);
		assert_int_equal(rules.no_mill, 100);
		assert_int_equal(rules.repetition, 3);
		assert_int_equal(rules.take, MRL_TAKE_FREE_FIRST);
		assert_false(rules.take_per_mill);
		assert_false(rules.stuck_draws);
	}
	assert_null(mrl_preset(13));
}

static void the_canonical_form_lists_what_differs_in_the_tables_order(void **state)
{
	(void)state;
	assert_written("nine", "nine");
	assert_written("nine,fly=3", "nine");
	assert_written("nine,no-mill=50,fly=0", "nine,fly=0,no-mill=50");
	assert_written("nine,men=9,take=free-first,stuck=lose", "nine");
	assert_written("three,mill=take", "three,mill=take");
	assert_written("morabaraba,three-men=0,full-board=stuck", "morabaraba,full-board=stuck,three-men=0");
	assert_written("morabaraba,three-men=9999,no-mill=9999,repetition=9999,full-board=stuck,stuck=draw,"
		       "take-count=per-mill,take=free-only,mill=win,move-early=on,fly=24,men=24",
		       "morabaraba,men=24,fly=24,move-early=on,mill=win,take=free-only,take-count=per-mill,stuck=draw,"
		       "full-board=stuck,repetition=9999,no-mill=9999,three-men=9999");
}

static void what_is_written_reads_back_equal(void **state)
{
	static struct mrl_rules a;
	static struct mrl_rules b;
	char name[MRL_RULES_NAME_SIZE];

	(void)state;
	for (size_t i = 0; rule_sets[i] != NULL; i++) {
		test_rules(&a, rule_sets[i]);
		mrl_rules_write(&a, name);
		test_rules(&b, name);
		assert_true(mrl_rules_equal(&a, &b));
	}
	test_rules(&a, "eleven,men=12");
	test_rules(&b, "twelve");
	assert_true(mrl_rules_equal(&a, &b)); /* another spelling of the same game */
	test_rules(&a, "tapatan,men=4");
	test_rules(&b, "achi");
	assert_true(mrl_rules_equal(&a, &b));
	test_rules(&a, "three");
	test_rules(&b, "tapatan");
	assert_false(mrl_rules_equal(&a, &b)); /* another board */
}

static void a_bad_text_says_which_word_and_what_would_be_right(void **state)
{
	static const struct {
		const char *text;
		enum mrl_status status;
		size_t column;
		const char *message;
	} bad[] = {
	    {"", MRL_NAME, 1, "no rule set is named nothing"},
	    {"Nine", MRL_NAME, 1, "no rule set is named \"Nine\"; there are three, tapatan"},
	    {"nine ", MRL_NAME, 1, "\"nine \""},
	    {"ten,fly=0", MRL_NAME, 1, "\"ten\""},
	    {"nine,", MRL_SYNTAX, 6, "expected key=value"},
	    {"nine,,fly=0", MRL_SYNTAX, 6, "expected key=value"},
	    {"nine,fly=0,", MRL_SYNTAX, 12, "expected key=value"},
	    {"nine,fly", MRL_SYNTAX, 9, "expected = and a value after \"fly\""},
	    {"nine,flyy=3", MRL_NAME, 6, "no parameter is named \"flyy\"; there are men, fly"},
	    {"nine,=3", MRL_NAME, 6, "no parameter is named nothing"},
	    {"nine,fly=0,fly=3", MRL_SYNTAX, 12, "given twice: \"fly\""},
	    {"nine,fly=2", MRL_RANGE, 10, "found \"2\" for fly, expected 0, or 3 to 24"},
	    {"nine,fly=25", MRL_RANGE, 10, "found \"25\" for fly"},
	    {"nine,fly=-3", MRL_RANGE, 10, "found \"-3\" for fly"},
	    {"nine,fly=03", MRL_RANGE, 10, "found \"03\" for fly"},
	    {"nine,fly=", MRL_RANGE, 10, "found nothing for fly"},
	    {"nine,men=2", MRL_RANGE, 10, "found \"2\" for men, expected 3 to 24"},
	    {"nine,men=0", MRL_RANGE, 10, "found \"0\" for men"},
	    {"nine,men=25", MRL_RANGE, 10, "found \"25\" for men"},
	    {"nine,repetition=2", MRL_RANGE, 17, "found \"2\" for repetition"},
	    {"nine,no-mill=10000", MRL_RANGE, 14, "for no-mill, expected 0 to 9999"},
	    {"nine,no-mill=99999999999999999999999", MRL_RANGE, 14, "for no-mill"},
	    {"nine,take=all", MRL_RANGE, 11, "for take, expected free-first, any or free-only"},
	    {"nine,move-early=yes", MRL_RANGE, 17, "for move-early, expected off or on"},
	    {"nine\n,fly=0", MRL_NAME, 1, "\"nine\\x0a\""},
	};
	static struct mrl_rules rules;
	struct mrl_error error;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(mrl_rules_parse(&rules, bad[i].text, strlen(bad[i].text), &error), bad[i].status);
		assert_int_equal(error.status, bad[i].status);
		assert_int_equal(error.column, bad[i].column);
		if (strstr(error.message, bad[i].message) == NULL)
			fail_msg("%s: %s", bad[i].text, error.message);
		assert_int_equal(mrl_rules_parse(&rules, bad[i].text, strlen(bad[i].text), NULL), bad[i].status);
	}
	assert_int_equal(mrl_rules_parse(&rules, "nine\0,fly=0", 11, &error), MRL_NAME);
	assert_non_null(strstr(error.message, "\\x00"));
}

static void parameters_are_listed_with_their_values(void **state)
{
	static struct mrl_rules rules;
	struct mrl_parameter parameter;
	size_t count = 0;

	(void)state;
	test_rules(&rules, "nine,no-mill=50");
	for (; mrl_rules_parameter(&rules, count, &parameter); count++) {
		assert_true(strlen(parameter.meaning) > 0);
		assert_int_equal(parameter.preset_value, strcmp(parameter.key, "no-mill") != 0);
		if (strcmp(parameter.key, "no-mill") == 0)
			assert_string_equal(parameter.value, "50");
		if (strcmp(parameter.key, "take") == 0)
			assert_string_equal(parameter.value, "free-first");
	}
	assert_int_equal(count, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(presets_are_those_of_the_rules),
	    cmocka_unit_test(the_canonical_form_lists_what_differs_in_the_tables_order),
	    cmocka_unit_test(what_is_written_reads_back_equal),
	    cmocka_unit_test(a_bad_text_says_which_word_and_what_would_be_right),
	    cmocka_unit_test(parameters_are_listed_with_their_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
