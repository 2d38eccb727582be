/* Ten thousand games at one server, in seconds. The invariants are checked as they are played, see day.h. */
#include "day.h"

#include <stdlib.h>

#define SEED UINT64_C(20261130)

static uint64_t seed(void)
{
	const char *given = getenv("MRL_SEED");
	uint64_t value = given != NULL ? strtoull(given, NULL, 10) : SEED;

	print_message("MRL_SEED=%llu\n", (unsigned long long)value);
	return value;
}

static void a_day_of_ten_thousand_games_breaks_nothing(void **state)
{
	static const enum mrl_reason expected[] = {
	    MRL_REASON_MILL,      MRL_REASON_FEW_MEN,    MRL_REASON_NO_MOVES, MRL_REASON_NO_MILL,
	    MRL_REASON_THREE_MEN, MRL_REASON_REPETITION, MRL_REASON_RESIGN,   MRL_REASON_TIME,
	    MRL_REASON_ABANDONED, MRL_REASON_AGREEMENT,  MRL_REASON_ABORTED,
	};
	struct day_result result;
	size_t ended = 0;

	(void)state;
	day_live(seed(), 10000, &result);
	print_message("%zu games, %zu turns, %zu events, %zu repeats, %zu takebacks, %zu rematches, %zu restarts, "
		      "%zu refused, %.1f hours\n",
		      result.games, result.turns, result.events, result.repeats, result.takebacks, result.rematches,
		      result.restarts, result.refused, (double)result.time / 3600000);
	for (unsigned i = 0; i < DAY_REASONS; i++) {
		print_message("  %s %zu\n", mrl_reason_text((enum mrl_reason)i), result.by_reason[i]);
		ended += result.by_reason[i];
	}
	assert_true(result.games >= 10000);
	assert_int_equal(ended, result.games);
	assert_true(result.repeats > 1000 && result.takebacks > 100 && result.rematches > 100 && result.restarts > 1);
	for (size_t i = 0; i < COUNT(expected); i++)
		assert_true(result.by_reason[expected[i]] > 0);
}

static void the_same_seed_is_the_same_day(void **state)
{
	struct day_result one;
	struct day_result same;
	struct day_result other;

	(void)state;
	day_live(7, 300, &one);
	day_live(7, 300, &same);
	day_live(8, 300, &other);
	assert_true(one.checksum == same.checksum && one.events == same.events && one.time == same.time);
	assert_true(one.checksum != other.checksum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_day_of_ten_thousand_games_breaks_nothing),
	    cmocka_unit_test(the_same_seed_is_the_same_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
