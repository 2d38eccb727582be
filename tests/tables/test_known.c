/* Values that others have published. */
#include "support.h"

static struct mrl_rules rules;

static void assert_start(const char *name, enum mrl_table_result result, unsigned plies)
{
	char folder[FOLDER_SIZE];
	struct mrl_tables *tables;
	struct mrl_position start;
	struct mrl_table_value value;

	test_rules(&rules, name);
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_DISTANCE, 2);
	tables = test_open(&rules, folder);
	mrl_position_start(&rules, &start);
	assert_int_equal(mrl_tables_probe(tables, &start, &value, NULL), MRL_OK);
	if (value.result != result || value.plies != plies)
		fail_msg("%s: %u in %u", name, value.result, value.plies);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void the_small_games_have_their_known_values(void **state)
{
	(void)state;
	assert_start("three", MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES);
	assert_start("nine-holes", MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES);
	assert_start("tapatan", MRL_TABLE_WIN, 9);
	assert_start("achi", MRL_TABLE_WIN, 11);
	assert_start("four", MRL_TABLE_WIN, 13);
	assert_start("five", MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES);
}

static struct mrl_table_sector count(struct mrl_tables *tables, unsigned own, unsigned enemy)
{
	struct mrl_table_sector sector = {0};

	for (size_t i = 0; i < mrl_tables_sectors(tables); i++) {
		assert_int_equal(mrl_tables_count(tables, i, false, &sector, NULL), MRL_OK);
		if (sector.own == own && sector.enemy == enemy && sector.own_hand + sector.enemy_hand == 0)
			return sector;
	}
	fail_msg("there is no sector %u-%u", own, enemy);
	return sector;
}

static void flying_with_three_men_has_its_known_counts(void **state)
{
	char folder[FOLDER_SIZE];
	struct mrl_tables *tables;
	struct mrl_table_sector sector;
	struct mrl_table_value value;

	(void)state;
	test_rules(&rules, "nine,men=4");
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_DISTANCE, 2);
	tables = test_open(&rules, folder);
	sector = count(tables, 3, 3);
	assert_int_equal(sector.positions, 169626);
	assert_int_equal(sector.wins, 140621);
	assert_int_equal(sector.draws, 269);
	assert_int_equal(sector.losses, 28736);
	assert_int_equal(sector.longest, 26);
	assert_int_equal(mrl_tables_probe(tables, &sector.longest_position, &value, NULL), MRL_OK);
	assert_int_equal(value.result, MRL_TABLE_LOSS);
	assert_int_equal(value.plies, 26);
	sector = count(tables, 3, 4);
	assert_int_equal(sector.positions, 760398);
	assert_int_equal(sector.wins, 102281);
	assert_int_equal(sector.draws, 658117);
	assert_int_equal(sector.losses, 0);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_small_games_have_their_known_values),
	    cmocka_unit_test(flying_with_three_men_has_its_known_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
