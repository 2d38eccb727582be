/* What holds in every position of every rule set, tried on random ones; the seed is printed. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>

#define POSITIONS_A_RULE_SET 300
#define MANY_TURNS 65536

static struct mrl_turn turns[MANY_TURNS];
static struct mrl_turn other_turns[MANY_TURNS];

static size_t all_turns(const struct mrl_rules *rules, const struct mrl_position *position, struct mrl_turn *into)
{
	size_t count = mrl_turns(rules, position, into, MANY_TURNS);

	assert_true(count <= MANY_TURNS);
	return count;
}

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct mrl_turn));
}

static bool equal_positions(const struct mrl_position *a, const struct mrl_position *b)
{
	return mrl_position_same(a, b) && a->hash == b->hash && a->no_mill == b->no_mill &&
	       a->three_men == b->three_men;
}

typedef void (*property)(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random);

static void for_random_positions(property holds)
{
	static struct mrl_rules rules;
	uint64_t random = test_seed();

	for (size_t i = 0; rule_sets[i] != NULL; i++) {
		test_rules(&rules, rule_sets[i]);
		for (unsigned n = 0; n < POSITIONS_A_RULE_SET; n++) {
			struct mrl_position position = test_random_position(&rules, &random, n % 2 != 0 ? 120 : 40);

			holds(&rules, &position, &random);
		}
	}
}

static void undo_holds(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	size_t count = all_turns(rules, position, turns);

	(void)random;
	for (size_t i = 0; i < count; i++) {
		struct mrl_position copy = *position;
		struct mrl_undo undo;

		mrl_apply(rules, &copy, &turns[i], &undo);
		assert_int_equal(copy.hash, mrl_position_hash(rules, &copy));
		assert_int_equal(mrl_position_check(rules, &copy, NULL), MRL_OK);
		mrl_undo(rules, &copy, &turns[i], &undo);
		assert_true(equal_positions(&copy, position));
	}
}

static void apply_then_undo_restores_every_field_and_the_hash_is_kept_up(void **state)
{
	(void)state;
	for_random_positions(undo_holds);
}

static void count_holds(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	size_t count = all_turns(rules, position, turns);

	(void)random;
	assert_int_equal(mrl_turn_count(rules, position), count);
	assert_int_equal(mrl_perft(rules, position, 1), count);
	assert_int_equal(mrl_perft(rules, position, 0), 1);
	qsort(turns, count, sizeof turns[0], by_bytes);
	for (size_t i = 1; i < count; i++)
		assert_false(mrl_turn_equal(&turns[i - 1], &turns[i]));
	assert_int_equal(count > 0, mrl_men_verdict(rules, position).outcome == MRL_ONGOING);
}

static void counting_agrees_with_listing_and_no_turn_is_listed_twice(void **state)
{
	(void)state;
	for_random_positions(count_holds);
}

static void symmetry_holds(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	size_t count = all_turns(rules, position, turns);
	unsigned s = test_below(random, rules->board.symmetry_count);
	struct mrl_position image;
	struct mrl_verdict verdict = mrl_position_verdict(rules, position);
	size_t image_count;

	mrl_position_map(rules, s, position, &image);
	assert_int_equal(mrl_position_verdict(rules, &image).outcome, verdict.outcome);
	assert_int_equal(mrl_position_verdict(rules, &image).reason, verdict.reason);
	image_count = all_turns(rules, &image, other_turns);
	assert_int_equal(image_count, count);
	for (size_t i = 0; i < count; i++)
		turns[i] = mrl_turn_map(&rules->board, s, &turns[i]);
	qsort(turns, count, sizeof turns[0], by_bytes);
	qsort(other_turns, count, sizeof turns[0], by_bytes);
	assert_memory_equal(turns, other_turns, count * sizeof turns[0]);
}

static void legal_turns_and_verdict_are_the_same_under_every_symmetry(void **state)
{
	(void)state;
	for_random_positions(symmetry_holds);
}

static bool listed(const struct mrl_turn *turn, size_t count)
{
	return bsearch(turn, turns, count, sizeof *turn, by_bytes) != NULL;
}

/* Every combination of points, legal or not: the check and the list, which share no code, must agree. */
static void check_holds(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	size_t count = all_turns(rules, position, turns);
	unsigned points = rules->board.point_count;
	size_t legal = 0;

	qsort(turns, count, sizeof turns[0], by_bytes);
	for (unsigned from = 0; from <= points; from++)
		for (unsigned to = 0; to < points; to++)
			for (unsigned take = 0; take <= points; take++) {
				struct mrl_turn turn;

				memset(&turn, MRL_NO_POINT, sizeof turn);
				turn.from = from < points ? (uint8_t)from : MRL_NO_POINT;
				turn.to = (uint8_t)to;
				turn.take[0] = take < points ? (uint8_t)take : MRL_NO_POINT;
				if (mrl_turn_check(rules, position, &turn, NULL) == MRL_OK) {
					assert_true(listed(&turn, count));
					legal++;
				} else {
					assert_false(listed(&turn, count));
				}
			}
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(mrl_turn_check(rules, position, &turns[i], NULL), MRL_OK);
		legal += mrl_turn_takes(&turns[i]) > 1;
	}
	assert_int_equal(legal, count);
	for (unsigned n = 0; n < 100; n++) {
		struct mrl_turn noise;
		struct mrl_error error;
		uint64_t bits = test_random(random);
		enum mrl_status status;

		memcpy(&noise, &bits, sizeof noise);
		status = mrl_turn_check(rules, position, &noise, &error);
		if (status != MRL_OK)
			assert_true(strlen(error.message) > 0);
		assert_int_equal(status == MRL_OK, listed(&noise, count));
	}
}

static void the_check_of_a_turn_agrees_with_the_list_of_turns(void **state)
{
	(void)state;
	for_random_positions(check_holds);
}

static void a_short_list_still_counts_everything(void **state)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct mrl_turn few[3];

	(void)state;
	test_rules(&rules, "nine");
	mrl_position_start(&rules, &position);
	memset(few, 0, sizeof few);
	assert_int_equal(mrl_turns(&rules, &position, few, 2), 24);
	assert_int_equal(few[2].to, 0);
	assert_int_equal(few[2].from, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(apply_then_undo_restores_every_field_and_the_hash_is_kept_up),
	    cmocka_unit_test(counting_agrees_with_listing_and_no_turn_is_listed_twice),
	    cmocka_unit_test(legal_turns_and_verdict_are_the_same_under_every_symmetry),
	    cmocka_unit_test(the_check_of_a_turn_agrees_with_the_list_of_turns),
	    cmocka_unit_test(a_short_list_still_counts_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
