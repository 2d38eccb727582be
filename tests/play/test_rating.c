/* Glicko-2 against its author's example and against what must hold for any two players. */
#include "support.h"

static void assert_about(int32_t value, double expected, double parts, double tolerance)
{
	double difference = value / parts - expected;

	if (difference > tolerance || difference < -tolerance)
		fail_msg("%.6f, expected %.6f", value / parts, expected);
}

static void glickmans_example_comes_out(void **state)
{
	const struct mrl_rating player = {1500000, 200000, 60000000};
	const struct mrl_rating_game games[] = {
	    {{1400000, 30000, 60000000}, 2},
	    {{1550000, 100000, 60000000}, 0},
	    {{1700000, 300000, 60000000}, 0},
	};
	struct mrl_rating after = mrl_rating_after(&player, games, 3);

	(void)state;
	/* As printed there: 1464.06, 151.52, 0.05999; he rounds on the way. */
	assert_about(after.rating, 1464.06, 1000, 0.02);
	assert_about(after.deviation, 151.52, 1000, 0.01);
	assert_about(after.volatility, 0.05999, 1e9, 0.00001);
}

static void without_a_game_only_the_deviation_grows(void **state)
{
	const struct mrl_rating player = {1500000, 200000, 60000000};
	struct mrl_rating after = mrl_rating_after(&player, NULL, 0);

	(void)state;
	assert_int_equal(after.rating, player.rating);
	assert_int_equal(after.volatility, player.volatility);
	/* The root of 200^2 + (0.06 * 173.7178)^2. */
	assert_about(after.deviation, 200.2714, 1000, 0.001);
}

static void equals_who_draw_keep_their_ratings(void **state)
{
	const struct mrl_rating before[2] = {MRL_RATING_START, MRL_RATING_START};
	struct mrl_rating after[2];

	(void)state;
	mrl_rating_play(before, 1, after);
	assert_int_equal(after[0].rating, 1500000);
	assert_int_equal(after[1].rating, 1500000);
	assert_true(after[0].deviation < 350000);
	assert_int_equal(after[0].deviation, after[1].deviation);
}

static void a_win_lifts_and_a_loss_lowers(void **state)
{
	static const struct mrl_rating players[] = {
	    {1500000, 350000, 60000000}, {1200000, 60000, 60000000}, {2400000, 45000, 30000000},
	    {100000, 350000, 150000000}, {4000000, 1000, 10000000},  {1800000, 110000, 59999000},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(players); i++) {
		for (size_t j = 0; j < COUNT(players); j++) {
			const struct mrl_rating before[2] = {players[i], players[j]};
			struct mrl_rating won[2];
			struct mrl_rating drawn[2];
			struct mrl_rating lost[2];

			mrl_rating_play(before, 2, won);
			mrl_rating_play(before, 1, drawn);
			mrl_rating_play(before, 0, lost);
			assert_true(won[0].rating >= before[0].rating && lost[0].rating <= before[0].rating);
			assert_true(won[0].rating >= drawn[0].rating && drawn[0].rating >= lost[0].rating);
			assert_true(won[1].rating <= before[1].rating && lost[1].rating >= before[1].rating);
			for (unsigned seat = 0; seat < 2; seat++)
				assert_true(mrl_rating_valid(&won[seat]) && mrl_rating_valid(&drawn[seat]) &&
					    mrl_rating_valid(&lost[seat]));
		}
	}
}

static void the_seats_may_be_told_in_either_order(void **state)
{
	const struct mrl_rating one[2] = {{1500000, 350000, 60000000}, {1900000, 60000, 60000000}};
	const struct mrl_rating other[2] = {one[1], one[0]};
	struct mrl_rating after[2];
	struct mrl_rating swapped[2];

	(void)state;
	mrl_rating_play(one, 2, after);
	mrl_rating_play(other, 0, swapped);
	assert_int_equal(after[0].rating, swapped[1].rating);
	assert_int_equal(after[1].rating, swapped[0].rating);
	assert_int_equal(after[0].volatility, swapped[1].volatility);
}

static void ratings_find_the_truth_and_settle(void **state)
{
	struct mrl_rating pair[2] = {MRL_RATING_START, MRL_RATING_START};
	uint64_t random = 12345;
	int64_t apart = 0;

	(void)state;
	/* The first is 200 points better: he scores 0.76 on the long run. */
	for (int i = 0; i < 4000; i++) {
		struct mrl_rating after[2];

		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		mrl_rating_play(pair, (random >> 33) % 1000 < 760 ? 2 : 0, after);
		pair[0] = after[0];
		pair[1] = after[1];
		if (i >= 2000)
			apart += pair[0].rating - pair[1].rating;
	}
	/* Any one day they are off by what a deviation of 60 allows; on average they are right. */
	assert_about((int32_t)(apart / 2000), 200, 1000, 25);
	assert_about(pair[0].rating + pair[1].rating, 3000, 1000, 100);
	assert_about(pair[0].deviation, 60, 1000, 15);
	assert_false(mrl_rating_provisional(&pair[0]));
	assert_true(mrl_rating_provisional(&MRL_RATING_START));
}

static void expectation_is_between_none_and_all(void **state)
{
	const struct mrl_rating low = {1200000, 50000, 60000000};
	const struct mrl_rating high = {1600000, 50000, 60000000};

	(void)state;
	assert_int_equal(mrl_rating_expected(&low, &low), 500);
	assert_int_equal(mrl_rating_expected(&low, &high) + mrl_rating_expected(&high, &low), 1000);
	assert_in_range(mrl_rating_expected(&high, &low), 890, 915); /* 10 to 1 before the deviations */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(glickmans_example_comes_out),
	    cmocka_unit_test(without_a_game_only_the_deviation_grows),
	    cmocka_unit_test(equals_who_draw_keep_their_ratings),
	    cmocka_unit_test(a_win_lifts_and_a_loss_lowers),
	    cmocka_unit_test(the_seats_may_be_told_in_either_order),
	    cmocka_unit_test(ratings_find_the_truth_and_settle),
	    cmocka_unit_test(expectation_is_between_none_and_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
