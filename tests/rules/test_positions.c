/* Which positions can occur. */
#include "support.h"

#include <string.h>

static void assert_impossible(const char *rules_text, const char *white, const char *black, enum mrl_side side,
			      unsigned white_hand, unsigned black_hand, const char *message)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_error error;

	test_rules(&rules, rules_text);
	position = test_position(&rules, white, black, side, white_hand, black_hand);
	assert_int_equal(mrl_position_check(&rules, &position, &error), MRL_POSITION);
	if (strstr(error.message, message) == NULL)
		fail_msg("%s", error.message);
}

static void assert_possible(const char *rules_text, const char *white, const char *black, enum mrl_side side,
			    unsigned white_hand, unsigned black_hand)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_error error;

	test_rules(&rules, rules_text);
	position = test_position(&rules, white, black, side, white_hand, black_hand);
	if (mrl_position_check(&rules, &position, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

static void more_men_than_the_rule_set_has_are_impossible(void **state)
{
	(void)state;
	assert_impossible("nine", "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4", "", MRL_WHITE, 0, 0,
			  "White has 10 men on the board and 0 in hand, more than the 9");
	assert_impossible("nine", "a1", "b2 d2", MRL_WHITE, 8, 8, "Black has 2 men on the board and 8 in hand");
	assert_possible("nine", "a1 d1 g1 b2 d2 f2 c3 d3 e3", "a4 b4 c4", MRL_WHITE, 0, 0);
}

static void hands_tell_whose_turn_it_is(void **state)
{
	(void)state;
	assert_possible("nine", "", "", MRL_WHITE, 9, 9);
	assert_impossible("nine", "", "", MRL_BLACK, 9, 9, "Black must have one man more in hand than White");
	assert_possible("nine", "a1", "", MRL_BLACK, 8, 9);
	assert_impossible("nine", "a1", "", MRL_WHITE, 8, 9, "as many men in hand as White");
	assert_possible("nine", "a1 d1 g1", "b2 d2 f2", MRL_BLACK, 0, 1);
	assert_impossible("nine", "a1 d1 g1", "b2 d2 f2", MRL_WHITE, 0, 1, "found White 0, Black 1");
	assert_impossible("nine", "a1 d1 g1", "b2 d2 f2", MRL_WHITE, 1, 0, "found White 1, Black 0");
	assert_possible("nine", "a1 d1 g1", "b2 d2 f2", MRL_WHITE, 0, 0);
	assert_possible("nine", "a1 d1 g1", "b2 d2 f2", MRL_BLACK, 0, 0);
}

static void with_move_early_the_hands_are_free(void **state)
{
	(void)state;
	assert_possible("lasker", "a1", "b2 d2 f2", MRL_WHITE, 9, 5);
	assert_possible("lasker", "a1", "b2 d2 f2", MRL_BLACK, 9, 0);
	assert_impossible("lasker", "a1", "b2 d2 f2", MRL_BLACK, 10, 0, "White has 1 man on the board and 10 in hand");
}

static void a_lost_side_makes_a_finished_position_not_an_impossible_one(void **state)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_verdict verdict;

	(void)state;
	assert_possible("nine", "a1 d1", "b2 d2 f2", MRL_WHITE, 0, 0);
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1", "b2 d2 f2", MRL_WHITE, 0, 0);
	verdict = mrl_position_verdict(&rules, &position);
	assert_int_equal(verdict.outcome, MRL_BLACK_WINS);
	assert_int_equal(verdict.reason, MRL_REASON_FEW_MEN);
	assert_int_equal(mrl_turns(&rules, &position, NULL, 0), 0);
	/* The same when the side that has too few is not to move. */
	position = test_position(&rules, "a1 d1", "b2 d2 f2", MRL_BLACK, 0, 0);
	verdict = mrl_position_verdict(&rules, &position);
	assert_int_equal(verdict.outcome, MRL_BLACK_WINS);
	assert_int_equal(mrl_turns(&rules, &position, NULL, 0), 0);
}

static void men_in_hand_count_against_few_men(void **state)
{
	static struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1", "b2 d2", MRL_WHITE, 2, 2);
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_ONGOING);
	position = test_position(&rules, "a1", "b2 d2", MRL_WHITE, 1, 1);
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_FEW_MEN);
}

static void nonsense_in_the_fields_is_named(void **state)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_error error;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1", "a1", MRL_WHITE, 8, 8);
	assert_int_equal(mrl_position_check(&rules, &position, &error), MRL_POSITION);
	assert_string_equal(error.message, "two men stand on one point");
	position.men[1] = (mrl_points)1 << 30;
	assert_int_equal(mrl_position_check(&rules, &position, &error), MRL_POSITION);
	assert_string_equal(error.message, "a man stands off the board");
	position.side = 2;
	assert_int_equal(mrl_position_check(&rules, &position, &error), MRL_POSITION);
	assert_string_equal(error.message, "the side to move is neither White nor Black");
	assert_int_equal(mrl_position_check(&rules, &position, NULL), MRL_POSITION);
}

static void a_counter_that_has_run_out_decides_a_position(void **state)
{
	static struct mrl_rules rules;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "morabaraba");
	position = test_position(&rules, "a1 d1 g1", "b4 d2 f2 f4", MRL_WHITE, 0, 0);
	position.no_mill = 99;
	position.three_men = 19;
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_ONGOING);
	position.three_men = 20;
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_THREE_MEN);
	position.no_mill = 100;
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_NO_MILL);
	test_rules(&rules, "nine,no-mill=0,three-men=0");
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_ONGOING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(more_men_than_the_rule_set_has_are_impossible),
	    cmocka_unit_test(hands_tell_whose_turn_it_is),
	    cmocka_unit_test(with_move_early_the_hands_are_free),
	    cmocka_unit_test(a_lost_side_makes_a_finished_position_not_an_impossible_one),
	    cmocka_unit_test(men_in_hand_count_against_few_men),
	    cmocka_unit_test(nonsense_in_the_fields_is_named),
	    cmocka_unit_test(a_counter_that_has_run_out_decides_a_position),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
