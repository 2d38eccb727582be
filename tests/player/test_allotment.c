/* How a turn's share of the clock is reckoned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <merels/player.h>

static const uint64_t times[] = {0,    1,     2,      10,      39,       40,         41,        100,
				 1000, 60000, 300000, 7200000, 86400000, UINT32_MAX, UINT64_MAX};
static const unsigned turns[] = {0, 1, 2, 3, 10, 24, 25, 100000, UINT32_MAX};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct mrl_player_allotment allot(uint64_t left, uint64_t increment, unsigned turns_left)
{
	struct mrl_player_clock clock = {.left = left, .increment = increment, .turns = turns_left};

	return mrl_player_allot(&clock);
}

/* Calls `check` for every clock of the tables. */
static void for_all(void (*check)(uint64_t left, uint64_t increment, unsigned turns_left))
{
	for (size_t i = 0; i < COUNT(times); i++)
		for (size_t j = 0; j < COUNT(times); j++)
			for (size_t k = 0; k < COUNT(turns); k++)
				check(times[i], times[j], turns[k]);
}

static void check_order(uint64_t left, uint64_t increment, unsigned turns_left)
{
	struct mrl_player_allotment a = allot(left, increment, turns_left);

	assert_true(a.soft <= a.hard);
	assert_true(a.hard >= 1);
}

static void the_soft_limit_is_never_past_the_hard_one(void **state)
{
	(void)state;
	for_all(check_order);
}

static void check_reserve(uint64_t left, uint64_t increment, unsigned turns_left)
{
	struct mrl_player_allotment a = allot(left, increment, turns_left);

	if (left > 40)
		assert_true(a.hard <= left - 20);
	else
		assert_true(a.hard <= (left / 2 > 1 ? left / 2 : 1));
}

static void no_turn_may_use_up_the_clock(void **state)
{
	(void)state;
	for_all(check_reserve);
}

static void more_time_is_never_less_thought(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(turns); k++) {
		struct mrl_player_allotment before = {0, 0};

		for (uint64_t left = 0; left < 20000; left += 7) {
			struct mrl_player_allotment now = allot(left, 100, turns[k]);

			/* But for one step, where the reserve is set aside. */
			if (left > 47)
				assert_true(now.soft >= before.soft && now.hard >= before.hard);
			before = now;
		}
	}
}

static void the_last_turn_before_more_time_may_use_nearly_all(void **state)
{
	struct mrl_player_allotment last = allot(10000, 0, 1);
	struct mrl_player_allotment rest = allot(10000, 0, 0);

	(void)state;
	assert_true(last.hard > 9000);
	assert_true(rest.hard < 5000);
}

static void a_game_of_fifty_turns_fits_into_the_clock(void **state)
{
	uint64_t left = 60000;

	(void)state;
	/* Each turn thinks for as long as it may without being cut, and some more. */
	for (unsigned turn = 0; turn < 50; turn++) {
		struct mrl_player_allotment a = allot(left, 0, 0);
		uint64_t used = a.soft * 2 < a.hard ? a.soft * 2 : a.hard;

		assert_true(used < left);
		left -= used;
	}
	assert_true(left > 1000);
}

static void an_increment_is_spent_and_not_hoarded(void **state)
{
	uint64_t left = 5000;

	(void)state;
	for (unsigned turn = 0; turn < 500; turn++) {
		struct mrl_player_allotment a = allot(left, 1000, 0);

		assert_true(a.soft < left);
		left = left - a.soft + 1000;
	}
	assert_true(left < 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_soft_limit_is_never_past_the_hard_one),
	    cmocka_unit_test(no_turn_may_use_up_the_clock),
	    cmocka_unit_test(more_time_is_never_less_thought),
	    cmocka_unit_test(the_last_turn_before_more_time_may_use_nearly_all),
	    cmocka_unit_test(a_game_of_fifty_turns_fits_into_the_clock),
	    cmocka_unit_test(an_increment_is_spent_and_not_hoarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
