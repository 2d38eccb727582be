/* Every position that can be reached in small rule sets, against a solver that shares nothing with the real one. */
#include <stdio.h>

#include <merels/notation.h>

#include "reference.h"
#include "support.h"

/* Small games, and each parameter in every value. */
static const char *const rule_sets[] = {
    "three",
    "tapatan",
    "nine-holes",
    "achi",
    "four",
    "four,fly=3",
    "four,fly=4,take=any",
    "four,take=any",
    "four,take=free-only",
    "four,take-count=per-mill",
    "four,take-count=per-mill,take=any,fly=3",
    "four,stuck=draw",
    "four,men=5",
    "four,men=5,full-board=draw",
    "four,men=5,stuck=draw",
    "four,move-early=on",
    "four,move-early=on,fly=3,take-count=per-mill",
    "four,mill=win",
    "three,move-early=on",
    "achi,men=5,full-board=draw",
    "five,men=3",
    "five,men=3,move-early=on,fly=3",
    "five,men=3,take=any,stuck=draw",
    "seven,men=3,take-count=per-mill,fly=3",
    "seven,men=3,move-early=on",
};

static void check_position(struct mrl_tables *tables, const struct mrl_rules *rules, const char *name,
			   const struct mrl_position *position, uint32_t plies, bool distances)
{
	struct mrl_table_value value;
	struct mrl_error error = {0};
	bool draw = plies == REFERENCE_DRAW;
	enum mrl_table_result result = draw ? MRL_TABLE_DRAW : plies % 2 == 1 ? MRL_TABLE_WIN : MRL_TABLE_LOSS;

	if (mrl_tables_probe(tables, position, &value, &error) != MRL_OK)
		fail_msg("%s: %s", name, error.message);
	if (value.result != result || (distances && !draw && value.plies != plies)) {
		char text[MRL_POSITION_TEXT_SIZE];

		mrl_position_write(rules, position, text);
		fail_msg("%s: %s is %u in %u, not %u in %u", name, text, value.result, value.plies, result, plies);
	}
}

static void check_rules(const char *name)
{
	static struct mrl_rules rules;
	static const enum mrl_table_metric metrics[] = {MRL_TABLE_VALUE, MRL_TABLE_DISTANCE};
	struct reference reference;

	test_rules(&rules, name);
	reference_solve(&reference, &rules);
	for (unsigned m = 0; m < 4; m++) {
		char folder[FOLDER_SIZE];
		struct mrl_tables *tables;

		test_folder(folder);
		if (m < 2)
			test_build(&rules, folder, metrics[m % 2], 2);
		else
			test_build_half(&rules, folder, metrics[m % 2]);
		tables = test_open(&rules, folder);
		assert_int_equal(mrl_tables_have_plies(tables), metrics[m % 2] == MRL_TABLE_DISTANCE);
		for (size_t i = 0; i < reference.count; i++)
			check_position(tables, &rules, name, &reference.positions[i], reference.plies[i],
				       metrics[m % 2] == MRL_TABLE_DISTANCE);
		mrl_tables_close(tables);
		test_remove_folder(folder);
	}
	printf("%s: %zu positions, the longest line %u plies\n", name, reference.count, reference_longest(&reference));
	reference_release(&reference);
}

static void every_value_and_distance_is_that_of_a_plain_solver(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rule_sets) / sizeof(rule_sets[0]); i += EVERY)
		check_rules(rule_sets[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_value_and_distance_is_that_of_a_plain_solver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
