/* The user's own tables: built when first wanted, by one process at a time, and done without where they cannot be. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHE = 1 << 22, LONG = 600000 };

static struct mrl_rules rules;
static char cache[FOLDER_SIZE];

static int make_cache(void **state)
{
	(void)state;
	test_folder(cache);
	return setenv("XDG_CACHE_HOME", cache, 1);
}

static int remove_cache(void **state)
{
	static const char *const names[] = {"tapatan", "six", "seven", "four", "nine"};
	char path[FOLDER_SIZE + 64];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/merels/tables/%s", cache, names[i]);
		if (access(path, F_OK) == 0)
			test_remove_folder(path);
	}
	(void)snprintf(path, sizeof(path), "%s/merels/tables", cache);
	(void)rmdir(path);
	(void)snprintf(path, sizeof(path), "%s/merels", cache);
	(void)rmdir(path);
	return rmdir(cache);
}

static struct mrl_table_keeper *keep(const char *name)
{
	struct mrl_table_keeper *keeper;

	test_rules(&rules, name);
	keeper = mrl_table_keeper_new(&rules, &(struct mrl_keeper_wish){.cache = CACHE});
	assert_non_null(keeper);
	return keeper;
}

static struct mrl_table_value start_value(struct mrl_table_keeper *keeper)
{
	struct mrl_table_value value;
	struct mrl_position start;

	mrl_position_start(&rules, &start);
	assert_non_null(mrl_table_keeper_tables(keeper));
	assert_int_equal(mrl_tables_probe(mrl_table_keeper_tables(keeper), &start, &value, NULL), MRL_OK);
	return value;
}

static void small_tables_are_built_once(void **state)
{
	struct mrl_table_keeper *keeper = keep("tapatan");
	struct mrl_table_value value;

	(void)state;
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	value = start_value(keeper);
	assert_int_equal(value.result, MRL_TABLE_WIN);
	assert_int_equal(value.plies, 9);
	mrl_table_keeper_free(keeper);
	keeper = keep("tapatan");
	assert_int_equal(mrl_table_keeper_state(keeper, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
}

static void two_who_want_the_same_wait_for_each_other(void **state)
{
	struct mrl_table_keeper *one = keep("six");
	struct mrl_table_keeper *other = keep("six");

	(void)state;
	assert_int_equal(mrl_table_keeper_wait(one, LONG, NULL), MRL_KEEPER_READY);
	assert_int_equal(mrl_table_keeper_wait(other, LONG, NULL), MRL_KEEPER_READY);
	assert_int_equal(start_value(one).result, MRL_TABLE_DRAW);
	assert_int_equal(start_value(other).result, MRL_TABLE_DRAW);
	mrl_table_keeper_free(one);
	mrl_table_keeper_free(other);
}

static void a_keeper_that_goes_leaves_its_work_to_the_next(void **state)
{
	struct mrl_table_keeper *keeper = keep("six");

	(void)state;
	mrl_table_keeper_free(keeper);
	keeper = keep("six");
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
}

static void small_tables_of_values_get_their_distances(void **state)
{
	struct mrl_table_keeper *keeper;
	char folder[MRL_TABLE_FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "four");
	assert_int_equal(mrl_tables_home(&rules, folder, NULL), MRL_OK);
	test_build(&rules, folder, MRL_TABLE_VALUE, 1);
	keeper = keep("four");
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	assert_int_equal(start_value(keeper).plies, 13);
	mrl_table_keeper_free(keeper);
}

static void damaged_tables_are_built_again(void **state)
{
	struct mrl_table_keeper *keeper = keep("four");
	char path[FOLDER_SIZE + 64];

	(void)state;
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
	(void)snprintf(path, sizeof(path), "%s/merels/tables/four/0-0-4-4.values", cache);
	test_write_file(path, (const unsigned char *)"noise", 5);
	keeper = keep("four");
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	assert_int_equal(start_value(keeper).plies, 13);
	mrl_table_keeper_free(keeper);
}

static void large_tables_are_not_built_unasked(void **state)
{
	struct mrl_table_keeper *keeper = keep("nine");
	struct mrl_error error = {0};

	(void)state;
	assert_int_equal(mrl_table_keeper_state(keeper, &error), MRL_KEEPER_NONE);
	assert_non_null(strstr(error.message, "there is no such file"));
	assert_null(mrl_table_keeper_tables(keeper));
	mrl_table_keeper_free(keeper);
}

static void a_folder_that_cannot_be_written_is_told(void **state)
{
	struct mrl_table_keeper *keeper;
	struct mrl_error error = {0};

	(void)state;
	assert_int_equal(setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), 0);
	keeper = keep("tapatan");
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, &error), MRL_KEEPER_FAILED);
	assert_non_null(strstr(error.message, "/proc/nowhere: the folder cannot be made"));
	assert_null(mrl_table_keeper_tables(keeper));
	mrl_table_keeper_free(keeper);
}

static void without_a_home_there_are_none(void **state)
{
	struct mrl_table_keeper *keeper;
	struct mrl_error error = {0};
	char *home = strdup(getenv("HOME") != NULL ? getenv("HOME") : "/");

	(void)state;
	assert_int_equal(setenv("XDG_CACHE_HOME", "not/absolute", 1), 0);
	assert_int_equal(unsetenv("HOME"), 0);
	keeper = keep("tapatan");
	assert_int_equal(mrl_table_keeper_state(keeper, &error), MRL_KEEPER_FAILED);
	assert_non_null(strstr(error.message, "neither XDG_CACHE_HOME nor HOME"));
	mrl_table_keeper_free(keeper);
	assert_int_equal(setenv("HOME", home, 1), 0);
	free(home);
}

static void counters_share_a_folder(void **state)
{
	char one[MRL_TABLE_FOLDER_SIZE];
	char other[MRL_TABLE_FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "six,fly=3,no-mill=30,repetition=5");
	assert_int_equal(mrl_tables_home(&rules, one, NULL), MRL_OK);
	test_rules(&rules, "six,fly=3");
	assert_int_equal(mrl_tables_home(&rules, other, NULL), MRL_OK);
	assert_string_equal(one, other);
	assert_non_null(strstr(one, "/merels/tables/six,fly=3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(small_tables_are_built_once, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(two_who_want_the_same_wait_for_each_other, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(a_keeper_that_goes_leaves_its_work_to_the_next, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(small_tables_of_values_get_their_distances, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(damaged_tables_are_built_again, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(large_tables_are_not_built_unasked, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_written_is_told, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(without_a_home_there_are_none, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(counters_share_a_folder, make_cache, remove_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
