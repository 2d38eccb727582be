/* What results mean, against values that others have computed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "match_stats.h"

static void near(double found, double expected, double within)
{
	if (!(fabs(found - expected) <= within))
		fail_msg("found %.6f, expected %.6f", found, expected);
}

static struct match_tally tally_of(uint64_t wins, uint64_t draws, uint64_t losses, const uint64_t pairs[5])
{
	struct match_tally tally = {.wins = wins, .draws = draws, .losses = losses};

	if (pairs != NULL)
		memcpy(tally.pairs, pairs, sizeof(tally.pairs));
	return tally;
}

static void elo_and_score_are_inverse(void **state)
{
	(void)state;
	near(match_score_of(0), 0.5, 1e-12);
	near(match_score_of(400), 10.0 / 11, 1e-12);
	near(match_elo_of(0.75), 190.848502, 1e-6);
	for (double elo = -800; elo <= 800; elo += 37)
		near(match_elo_of(match_score_of(elo)), elo, 1e-8);
	assert_true(match_elo_of(1) == HUGE_VAL);
	assert_true(match_elo_of(0) == -HUGE_VAL);
}

/* Results of matches that were published with their Elo and 95 % interval, from pairs. */
static void elo_of_published_matches(void **state)
{
	static const struct {
		uint64_t results[3]; /* wins, draws, losses */
		uint64_t pairs[5];
		double elo;
		double error;
	} matches[] = {
	    {{597, 222, 495}, {73, 79, 296, 91, 118}, 27.02, 15.81},
	    {{450, 342, 366}, {40, 67, 295, 123, 54}, 25.25, 13.92},
	    {{566, 104, 330}, {19, 23, 269, 81, 108}, 83.57, 16.15},
	    {{3691, 4045, 3788}, {578, 1352, 1985, 1283, 564}, -2.92, 5.02},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
		const uint64_t *r = matches[i].results;
		struct match_tally tally = tally_of(r[0], r[1], r[2], matches[i].pairs);
		struct match_elo elo = match_elo(&tally);

		near(elo.elo, matches[i].elo, 0.01);
		near(elo.error, matches[i].error, 0.02);
	}
	/* And the likelihood of superiority of the last: 12.65 %. */
	struct match_tally last = tally_of(0, 0, 0, matches[3].pairs);

	near(match_elo(&last).superiority, 0.1265, 0.0005);
}

static void elo_of_nothing_and_of_extremes(void **state)
{
	const uint64_t all_won[5] = {0, 0, 0, 0, 10};
	const uint64_t all_drawn[5] = {0, 0, 10, 0, 0};
	struct match_tally none = {0};
	struct match_tally won = tally_of(20, 0, 0, all_won);
	struct match_tally drawn = tally_of(0, 20, 0, all_drawn);
	struct match_tally single = tally_of(3, 0, 1, NULL);

	(void)state;
	near(match_elo(&none).elo, 0, 0);
	assert_true(match_elo(&none).error == HUGE_VAL);
	assert_true(match_elo(&won).elo == HUGE_VAL);
	near(match_elo(&won).superiority, 1, 0);
	near(match_elo(&drawn).elo, 0, 0);
	near(match_elo(&drawn).superiority, 0.5, 0);
	/* Without a finished pair the games themselves: 75 %. */
	near(match_elo(&single).elo, 190.848502, 1e-6);
}

static void the_other_side_sees_the_opposite(void **state)
{
	const uint64_t pairs[5] = {1, 2, 3, 4, 5};
	struct match_tally tally = tally_of(9, 5, 7, pairs);
	struct match_tally other = match_tally_reverse(&tally);

	(void)state;
	near(match_elo(&tally).elo, -match_elo(&other).elo, 1e-9);
	near(match_elo(&tally).error, match_elo(&other).error, 1e-9);
	assert_int_equal(other.pairs[0], 5);
	assert_int_equal(other.wins, 7);
	assert_int_equal(match_tally_games(&other), 21);
}

/* Elo that is worth `t` of the standard deviation of a game, in which published tests state their bounds. */
static double from_normalized(double normalized, const uint64_t pairs[5])
{
	double count = 0;
	double mean = 0;
	double variance = 0;

	for (unsigned i = 0; i < 5; i++) {
		count += (double)pairs[i];
		mean += (double)pairs[i] * i / 4;
	}
	mean /= count;
	for (unsigned i = 0; i < 5; i++)
		variance += (double)pairs[i] * (i / 4.0 - mean) * (i / 4.0 - mean) / count;
	return match_elo_of(0.5 + normalized * log(10) / 800 * sqrt(2 * variance));
}

/* Log likelihood ratios that were published for normalized Elo; to some per cent, as the deviation is estimated. */
static void ratios_of_published_tests(void **state)
{
	static const struct {
		uint64_t pairs[5];
		double elo1;
		double ratio;
	} tests[] = {
	    {{73, 79, 296, 91, 118}, 10, 2.95},
	    {{40, 67, 295, 123, 54}, 10, 2.95},
	    {{598, 1553, 2651, 1569, 648}, 5, 0.74},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		struct match_sprt sprt = {0, from_normalized(tests[i].elo1, tests[i].pairs), 0.05, 0.05};

		near(match_sprt_ratio(&sprt, tests[i].pairs), tests[i].ratio, 0.02 * tests[i].ratio);
	}
}

/* For small differences the ratio goes to n (s1 - s0) (2 s - s0 - s1) / (2 v). */
static void the_ratio_has_its_known_limit(void **state)
{
	const uint64_t pairs[5] = {500, 2100, 5000, 2300, 550};
	struct match_sprt sprt = {0, 2, 0.05, 0.05};
	double s0 = match_score_of(0);
	double s1 = match_score_of(2);
	double count = 0;
	double mean = 0;
	double square = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		count += (double)pairs[i];
		mean += (double)pairs[i] * i / 4;
		square += (double)pairs[i] * i * i / 16;
	}
	mean /= count;
	double variance = square / count - mean * mean;

	near(match_sprt_ratio(&sprt, pairs), count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), 0.005);
}

/* Two outcomes leave but one distribution for each mean, so the ratio is that of two coins. */
static void two_outcomes_are_a_coin(void **state)
{
	const uint64_t pairs[5] = {40, 0, 0, 0, 60};
	struct match_sprt sprt = {0, 50, 0.05, 0.05};
	double s1 = match_score_of(50);

	(void)state;
	near(match_sprt_ratio(&sprt, pairs), 60 * log(s1 / 0.5) + 40 * log((1 - s1) / 0.5), 0.02);
}

static void the_bounds_are_wald_s(void **state)
{
	struct match_sprt sprt = {0, 5, 0.05, 0.05};
	struct match_sprt skew = {0, 5, 0.01, 0.1};

	(void)state;
	near(match_sprt_lower(&sprt), -2.944439, 1e-6);
	near(match_sprt_upper(&sprt), 2.944439, 1e-6);
	near(match_sprt_lower(&skew), log(0.1 / 0.99), 1e-9);
	near(match_sprt_upper(&skew), log(0.9 / 0.01), 1e-9);
}

static void a_test_decides_for_the_value_that_is_nearer(void **state)
{
	struct match_sprt sprt = {0, 20, 0.05, 0.05};
	const uint64_t none[5] = {0};
	const uint64_t few[5] = {1, 2, 3, 2, 2};
	const uint64_t better[5] = {100, 300, 900, 450, 180};
	const uint64_t equal[5] = {150, 400, 900, 400, 150};
	const uint64_t won[5] = {0, 0, 0, 0, 60};
	const uint64_t drawn[5] = {0, 0, 3000, 0, 0};

	(void)state;
	assert_int_equal(match_sprt_decide(&sprt, none), MATCH_GO_ON);
	assert_int_equal(match_sprt_decide(&sprt, few), MATCH_GO_ON);
	assert_int_equal(match_sprt_decide(&sprt, better), MATCH_ELO1);
	assert_int_equal(match_sprt_decide(&sprt, equal), MATCH_ELO0);
	assert_int_equal(match_sprt_decide(&sprt, won), MATCH_ELO1);
	assert_int_equal(match_sprt_decide(&sprt, drawn), MATCH_ELO0);
}

static void ratings_of_two_are_their_difference(void **state)
{
	struct match_tally results[4] = {0};
	double elo[2];
	double error[2];

	(void)state;
	results[1] = tally_of(750, 0, 250, NULL);
	results[2] = tally_of(250, 0, 750, NULL);
	match_ratings(2, results, elo, error);
	near(elo[0] - elo[1], 190.85, 0.3); /* a draw more than was played */
	near(elo[0] + elo[1], 0, 1e-9);
	/* 1.96 / sqrt(1001 x 0.75 x 0.25) in Elo: all games decided. */
	near(error[0], 1.96 * 173.72 / sqrt(1001 * 0.1875), 0.5);
}

static void ratings_of_three_that_fit_are_found(void **state)
{
	/* Expected scores of 100, 0, -100 in 10000 games each. */
	const double true_elo[3] = {100, 0, -100};
	struct match_tally results[9] = {0};
	double elo[3];
	double error[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		for (unsigned j = 0; j < 3; j++)
			if (i != j) {
				uint64_t wins = (uint64_t)(10000 * match_score_of(true_elo[i] - true_elo[j]) + 0.5);

				results[3 * i + j] = tally_of(wins, 0, 10000 - wins, NULL);
			}
	match_ratings(3, results, elo, error);
	for (unsigned i = 0; i < 3; i++) {
		near(elo[i], true_elo[i], 0.2);
		assert_true(error[i] > 1 && error[i] < 10);
	}
}

static void who_never_scored_has_a_rating_all_the_same(void **state)
{
	struct match_tally results[9] = {0};
	double elo[3];
	double error[3];

	(void)state;
	for (unsigned j = 0; j < 2; j++) {
		results[2 * 3 + j] = tally_of(0, 0, 20, NULL);
		results[j * 3 + 2] = tally_of(20, 0, 0, NULL);
	}
	match_ratings(3, results, elo, error);
	assert_true(isfinite(elo[2]) && elo[2] < elo[0] - 300);
	near(elo[0], elo[1], 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(elo_and_score_are_inverse),
	    cmocka_unit_test(elo_of_published_matches),
	    cmocka_unit_test(elo_of_nothing_and_of_extremes),
	    cmocka_unit_test(the_other_side_sees_the_opposite),
	    cmocka_unit_test(ratios_of_published_tests),
	    cmocka_unit_test(the_ratio_has_its_known_limit),
	    cmocka_unit_test(two_outcomes_are_a_coin),
	    cmocka_unit_test(the_bounds_are_wald_s),
	    cmocka_unit_test(a_test_decides_for_the_value_that_is_nearer),
	    cmocka_unit_test(ratings_of_two_are_their_difference),
	    cmocka_unit_test(ratings_of_three_that_fit_are_found),
	    cmocka_unit_test(who_never_scored_has_a_rating_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
