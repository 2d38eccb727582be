/* The network: reads positions right, and computes what plain arithmetic does, without overflow. */
#include "support.h"

#include <stdlib.h>

#include "evaluate.h"
#include "network.h"

static struct mrl_rules nine;
static struct network_eye eye;

static int plain_state(const struct mrl_position *position, mrl_points mill)
{
	static const int power[3] = {1, 3, 9};
	int state = 0;
	int digit = 0;

	for (unsigned point = 0; point < nine.board.point_count; point++)
		if ((mill & (mrl_points)1 << point) != 0) {
			if ((position->men[position->side] & (mrl_points)1 << point) != 0)
				state += power[digit];
			if ((position->men[position->side ^ 1U] & (mrl_points)1 << point) != 0)
				state += 2 * power[digit];
			digit++;
		}
	return state;
}

static void each_mill_picks_the_row_of_its_state(void **state)
{
	uint64_t random = test_seed();

	(void)state;
	assert_int_equal(nine.board.mill_count, NETWORK_MILLS);
	for (unsigned n = 0; n < 2000; n++) {
		struct mrl_position position = test_random_position(&nine, &random, 60);
		struct network_view view;

		mrl__network_see(&eye, &position, &view);
		assert_true(view.stage < NETWORK_STAGES);
		for (unsigned mill = 0; mill < NETWORK_MILLS; mill++)
			assert_int_equal(view.row[mill], NETWORK_STATES * mill +
							     (unsigned)plain_state(&position, nine.board.mill[mill]));
		for (unsigned i = NETWORK_MILLS; i < NETWORK_INPUTS; i++)
			assert_true(view.row[i] < NETWORK_ROWS);
	}
}

static int64_t clip(int64_t value)
{
	return value < 0 ? 0 : value > NETWORK_FULL ? NETWORK_FULL : value;
}

static int64_t plain_judgement(const struct network *network, const struct network_view *view)
{
	int64_t value = network->third_bias[view->stage];

	for (unsigned j = 0; j < NETWORK_SECOND; j++) {
		unsigned neuron = view->stage * NETWORK_SECOND + j;
		int64_t second = network->second_bias[neuron];

		for (unsigned k = 0; k < NETWORK_FIRST; k++) {
			int64_t first = 0;

			for (unsigned i = 0; i < NETWORK_INPUTS; i++)
				first += network->rows[view->row[i] * NETWORK_FIRST + k];
			second += clip(first) * network->second[neuron * NETWORK_FIRST + k];
		}
		value += clip(second / NETWORK_ONE) * network->third[neuron];
	}
	return value * NETWORK_SCALE / (NETWORK_FULL * NETWORK_ONE);
}

static void it_judges_as_plain_arithmetic_does(void **state)
{
	uint64_t random = test_seed();
	int least = 0;
	int most = 0;

	(void)state;
	for (unsigned n = 0; n < 2000; n++) {
		struct mrl_position position = test_random_position(&nine, &random, 60);
		struct network_view view;
		int value;

		mrl__network_see(&eye, &position, &view);
		value = mrl__network_judge(&mrl__network, &view);
		assert_int_equal(value, plain_judgement(&mrl__network, &view));
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	assert_true(least < -100 && most > 100);
}

static void no_position_can_overflow_it(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETWORK_FIRST; k++) {
		int sum = 0;

		for (unsigned mill = 0; mill < NETWORK_MILLS + 4; mill++) {
			unsigned first = mill < NETWORK_MILLS
					     ? mill * NETWORK_STATES
					     : NETWORK_MILLS * NETWORK_STATES + (mill - NETWORK_MILLS) * NETWORK_COUNTS;
			unsigned rows = mill < NETWORK_MILLS ? NETWORK_STATES : NETWORK_COUNTS;
			int largest = 0;

			for (unsigned row = first; row < first + rows; row++)
				if (abs(mrl__network.rows[row * NETWORK_FIRST + k]) > largest)
					largest = abs(mrl__network.rows[row * NETWORK_FIRST + k]);
			sum += largest;
		}
		assert_true(sum <= INT16_MAX);
	}
	for (unsigned stage = 0; stage < NETWORK_STAGES; stage++) {
		int64_t value = llabs(mrl__network.third_bias[stage]);

		for (unsigned j = 0; j < NETWORK_SECOND; j++)
			value += NETWORK_FULL * abs(mrl__network.third[stage * NETWORK_SECOND + j]);
		assert_true(value * NETWORK_SCALE <= INT32_MAX);
		assert_true(value * NETWORK_SCALE / (NETWORK_FULL * NETWORK_ONE) < 10000); /* never near a win */
	}
}

static bool judged_by_network(const char *name)
{
	static struct evaluator evaluator;
	struct mrl_rules rules;

	test_rules(&rules, name);
	mrl__evaluator_init(&evaluator, &rules);
	return evaluator.has_network;
}

static void it_judges_nine_and_what_differs_only_in_counters_or_has_fewer_men(void **state)
{
	(void)state;
	assert_true(judged_by_network("nine"));
	assert_true(judged_by_network("nine,no-mill=50"));
	assert_true(judged_by_network("nine,men=6"));
	assert_false(judged_by_network("nine,fly=0"));
	assert_false(judged_by_network("nine,take=any"));
	assert_false(judged_by_network("twelve"));
	assert_false(judged_by_network("lasker"));
	assert_false(judged_by_network("six"));
}

/* What the network replaces finds the same threats on its way. */
static void threats_are_those_that_the_features_find(void **state)
{
	static struct evaluator evaluator;
	uint64_t random = test_seed();

	(void)state;
	mrl__evaluator_init(&evaluator, &nine);
	for (unsigned n = 0; n < 2000; n++) {
		struct mrl_position position = test_random_position(&nine, &random, 60);
		struct features features;
		mrl_points found[2];
		mrl_points threats[2];

		mrl__features(&evaluator, &position, &features, threats);
		(void)mrl__evaluate(&evaluator, &position, found);
		assert_true(found[0] == threats[0] && found[1] == threats[1]);
	}
}

/* As players of the lower levels do. */
static void who_does_not_ask_it_weighs_the_features(void **state)
{
	static struct evaluator evaluator;
	uint64_t random = test_seed();
	unsigned differ = 0;

	(void)state;
	mrl__evaluator_init(&evaluator, &nine);
	for (unsigned n = 0; n < 500; n++) {
		struct mrl_position position = test_random_position(&nine, &random, 60);
		struct features features;
		mrl_points threats[2];
		int sum = 0;
		int asked;
		int weighed;

		mrl__features(&evaluator, &position, &features, threats);
		for (unsigned i = 0; i < FEATURES; i++)
			sum += mrl__weights[features.role[0]][i] * features.of[0][i] -
			       mrl__weights[features.role[1]][i] * features.of[1][i];
		evaluator.asks_network = false;
		weighed = mrl__evaluate(&evaluator, &position, threats);
		evaluator.asks_network = true;
		asked = mrl__evaluate(&evaluator, &position, threats);
		assert_int_equal(weighed, sum / WEIGHT_UNIT != 0 ? sum / WEIGHT_UNIT : 1);
		differ += asked != weighed;
	}
	assert_true(differ > 250);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_mill_picks_the_row_of_its_state),
	    cmocka_unit_test(it_judges_as_plain_arithmetic_does),
	    cmocka_unit_test(no_position_can_overflow_it),
	    cmocka_unit_test(it_judges_nine_and_what_differs_only_in_counters_or_has_fewer_men),
	    cmocka_unit_test(threats_are_those_that_the_features_find),
	    cmocka_unit_test(who_does_not_ask_it_weighs_the_features),
	};

	test_rules(&nine, "nine");
	mrl__network_eye_init(&eye, &nine.board);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
