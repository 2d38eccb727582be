/* The user's own tables: built when first wanted, by one process at a time, and done without where they cannot be. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <merels/search.h>
#include <os/thread.h>

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
	static const char *const names[] = {"tapatan",      "six",    "seven", "four", "nine", "endings/seven,men=8",
					    "endings/nine", "endings"};
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
	struct mrl_table_keeper *keeper;
	struct mrl_error error = {0};

	(void)state;
	test_rules(&rules, "nine");
	keeper = mrl_table_keeper_new(&rules, &(struct mrl_keeper_wish){.cache = CACHE, .no_endings = true});
	assert_non_null(keeper);
	assert_int_equal(mrl_table_keeper_endings(keeper).men, 0);
	assert_int_equal(mrl_table_keeper_state(keeper, &error), MRL_KEEPER_NONE);
	assert_non_null(strstr(error.message, "there is no such file"));
	assert_null(mrl_table_keeper_tables(keeper));
	mrl_table_keeper_free(keeper);
}

/* ---- Endings ------------------------------------------------------------------------------------------------ */

/* A rule set too large for whole tables, and endings of it that take a moment. */
static struct mrl_table_keeper *keep_endings(void (*ended)(void *context, struct mrl_endings endings,
							   const struct mrl_error *error),
					     void *context)
{
	struct mrl_keeper_wish wish = {.cache = CACHE, .endings = {5, 3}, .ended = ended, .context = context};
	struct mrl_table_keeper *keeper;

	test_rules(&rules, "seven,men=8");
	keeper = mrl_table_keeper_new(&rules, &wish);
	assert_non_null(keeper);
	return keeper;
}

/* Five men against three that are won in some plies, White to move. */
static void won_ending(struct mrl_tables *tables, struct mrl_position *position, struct mrl_table_value *value)
{
	uint64_t random = test_seed();

	do {
		test_draw(&rules, 5, 3, &random, position);
		assert_int_equal(mrl_tables_probe(tables, position, value, NULL), MRL_OK);
	} while (value->result != MRL_TABLE_WIN || value->plies < 3);
}

static bool probe(void *context, const struct mrl_rules *of, const struct mrl_position *position,
		  struct mrl_exact *exact)
{
	struct mrl_table_value value;

	(void)of;
	if (mrl_tables_probe(context, position, &value, NULL) != MRL_OK)
		return false;
	exact->value = value.result == MRL_TABLE_WIN ? 1 : value.result == MRL_TABLE_LOSS ? -1 : 0;
	exact->distance = value.plies == MRL_TABLE_NO_PLIES ? -1 : (int)value.plies;
	return true;
}

/* Both sides are played by a search that may look one ply ahead; the tables do the rest. */
static void play_out(struct mrl_tables *tables, const struct mrl_position *start, unsigned plies)
{
	enum { MOST_PLIES = 200, MEMORY = 1 << 21 };
	static struct mrl_ply played[MOST_PLIES];
	struct mrl_search_limits limits = {.probe = probe, .probe_context = tables};
	void *memory = malloc(MEMORY);
	struct mrl_search *search = memory != NULL ? mrl_search_init(memory, MEMORY) : NULL;
	struct mrl_search_result result;
	struct mrl_game game;

	assert_non_null(search);
	mrl_game_init(&game, &rules, start, played, MOST_PLIES);
	while (game.verdict.outcome == MRL_ONGOING) {
		assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
		assert_int_equal(result.depth, 1); /* it knows, and looks no further */
		assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[0], NULL), MRL_OK);
	}
	assert_int_equal(game.verdict.outcome, MRL_WHITE_WINS);
	assert_int_equal(game.count, plies);
	free(memory);
}

static void where_all_is_too_much_there_are_endings_and_a_game_is_won_by_them(void **state)
{
	struct mrl_table_keeper *keeper = keep_endings(NULL, NULL);
	struct mrl_position position;
	struct mrl_table_value value;

	(void)state;
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	assert_int_equal(mrl_table_keeper_endings(keeper).men, 5);
	for (unsigned i = 0; i < 10; i++) {
		won_ending(mrl_table_keeper_tables(keeper), &position, &value);
		play_out(mrl_table_keeper_tables(keeper), &position, value.plies);
	}
	mrl_table_keeper_free(keeper);
	keeper = keep_endings(NULL, NULL);
	assert_int_equal(mrl_table_keeper_state(keeper, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
}

static void endings_are_left_and_gone_on_with_by_several_at_once(void **state)
{
	struct mrl_table_keeper *keepers[3];

	(void)state;
	mrl_table_keeper_free(keep_endings(NULL, NULL));
	for (unsigned i = 0; i < 3; i++)
		keepers[i] = keep_endings(NULL, NULL);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(mrl_table_keeper_wait(keepers[i], LONG, NULL), MRL_KEEPER_READY);
	for (unsigned i = 0; i < 3; i++)
		mrl_table_keeper_free(keepers[i]);
}

/* Whoever hurries finds what was done before: at once, in the middle, when all is done, and twice. */
static void who_needs_them_now_has_them_built_in_a_hurry(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct mrl_table_keeper *keeper = keep_endings(NULL, NULL);
		struct mrl_position position;
		struct mrl_table_value value;
		char path[FOLDER_SIZE + 64];

		(void)mrl_table_keeper_wait(keeper, 100 * i, NULL);
		mrl_table_keeper_hurry(keeper);
		mrl_table_keeper_hurry(keeper);
		assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
		mrl_table_keeper_hurry(keeper);
		won_ending(mrl_table_keeper_tables(keeper), &position, &value);
		play_out(mrl_table_keeper_tables(keeper), &position, value.plies);
		mrl_table_keeper_free(keeper);
		(void)snprintf(path, sizeof(path), "%s/merels/tables/endings/seven,men=8", cache);
		test_remove_folder(path);
	}
}

/* How many threads of this process run behind others, as Linux tells it. */
static unsigned standing_back(void)
{
	enum { FIELDS_TO_NICE = 17, BEHIND = 10 }; /* behind the name in brackets */
	DIR *folder = opendir("/proc/self/task");
	unsigned count = 0;

	for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		char path[320];
		char text[1024] = "";

		(void)snprintf(path, sizeof(path), "/proc/self/task/%s/stat", entry->d_name);
		FILE *file = fopen(path, "r");

		if (file == NULL)
			continue;
		char *at = fgets(text, sizeof(text), file) != NULL ? strrchr(text, ')') : NULL;

		for (unsigned i = 0; at != NULL && i < FIELDS_TO_NICE; i++)
			at = strchr(at + 1, ' ');
		count += at != NULL && strtol(at, NULL, 10) == BEHIND;
		(void)fclose(file);
	}
	if (folder != NULL)
		(void)closedir(folder);
	return count;
}

/* The endings of `nine` take long enough to be looked at while they are built. */
static void a_build_stands_back_until_it_is_hurried(void **state)
{
	const struct mrl_keeper_wish wish = {.cache = CACHE, .only_endings = true};
	struct mrl_table_keeper *keeper;

	(void)state;
#if !defined(__linux__)
	skip();
#endif
	if (getpriority(PRIO_PROCESS, 0) >= 10)
		skip(); /* the test itself stands back */
	test_rules(&rules, "nine");
	keeper = mrl_table_keeper_new(&rules, &wish);
	assert_non_null(keeper);
	assert_int_equal(mrl_table_keeper_endings(keeper).men, 6);
	while (standing_back() == 0)
		assert_int_equal(mrl_table_keeper_wait(keeper, 1, NULL), MRL_KEEPER_BUILDING);
	mrl_table_keeper_hurry(keeper);
	while (standing_back() > 0)
		assert_int_equal(mrl_table_keeper_wait(keeper, 1, NULL), MRL_KEEPER_BUILDING);
	assert_int_equal(mrl_table_keeper_wait(keeper, 1, NULL), MRL_KEEPER_BUILDING);
	mrl_table_keeper_free(keeper);
}

static void who_goes_need_not_wait_for_the_hurry(void **state)
{
	struct mrl_table_keeper *keeper = keep_endings(NULL, NULL);

	(void)state;
	mrl_table_keeper_hurry(keeper);
	mrl_table_keeper_free(keeper);
	keeper = keep_endings(NULL, NULL);
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
}

static void damaged_endings_are_built_again(void **state)
{
	static const char *const names[] = {"endings", "5-3-0-0.values", "3-5-0-0.plies"};
	static const size_t places[] = {5, 100, 600}; /* the last in a block of cells, which opening does not read */
	struct mrl_table_keeper *keeper = keep_endings(NULL, NULL);

	(void)state;
	assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
	for (unsigned i = 0; i < 3; i++) {
		char path[FOLDER_SIZE + 96];
		unsigned char *data;
		size_t length;

		(void)snprintf(path, sizeof(path), "%s/merels/tables/endings/seven,men=8/%s", cache, names[i]);
		data = test_read_file(path, &length);
		assert_true(places[i] < length);
		data[places[i]] ^= 0x10;
		test_write_file(path, data, length);
		free(data);
		keeper = keep_endings(NULL, NULL);
		assert_int_equal(mrl_table_keeper_wait(keeper, LONG, NULL), MRL_KEEPER_READY);
		assert_int_equal(mrl_tables_check(mrl_table_keeper_tables(keeper), NULL), MRL_OK);
		mrl_table_keeper_free(keeper);
	}
}

struct told {
	struct mrl_monitor *monitor;
	unsigned count;
	unsigned men;
	char message[MRL_ERROR_MESSAGE_SIZE];
};

static void take_note(void *context, struct mrl_endings endings, const struct mrl_error *error)
{
	struct told *told = context;

	mrl_monitor_enter(told->monitor);
	told->count++;
	told->men = endings.men;
	(void)snprintf(told->message, sizeof(told->message), "%s", error != NULL ? error->message : "");
	mrl_monitor_wake(told->monitor);
	mrl_monitor_leave(told->monitor);
}

static void wait_until_told(struct told *told, unsigned times)
{
	mrl_monitor_enter(told->monitor);
	while (told->count < times)
		mrl_monitor_wait(told->monitor);
	mrl_monitor_leave(told->monitor);
}

static void who_wants_to_know_is_told_when_they_are_built(void **state)
{
	struct told told = {.monitor = mrl_monitor_new()};
	struct mrl_table_keeper *keeper = keep_endings(take_note, &told);

	(void)state;
	wait_until_told(&told, 1);
	assert_int_equal(told.men, 5);
	assert_string_equal(told.message, "");
	assert_int_equal(mrl_table_keeper_state(keeper, NULL), MRL_KEEPER_READY);
	mrl_table_keeper_free(keeper);
	assert_int_equal(setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), 0);
	keeper = keep_endings(take_note, &told);
	wait_until_told(&told, 2);
	assert_int_equal(mrl_table_keeper_state(keeper, NULL), MRL_KEEPER_FAILED);
	mrl_table_keeper_free(keeper);
	assert_non_null(strstr(told.message, "/proc/nowhere: the folder cannot be made"));
	mrl_monitor_free(told.monitor);
}

/* ---- No folder ---------------------------------------------------------------------------------------------- */

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
	    cmocka_unit_test_setup_teardown(where_all_is_too_much_there_are_endings_and_a_game_is_won_by_them,
					    make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(endings_are_left_and_gone_on_with_by_several_at_once, make_cache,
					    remove_cache),
	    cmocka_unit_test_setup_teardown(who_needs_them_now_has_them_built_in_a_hurry, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(a_build_stands_back_until_it_is_hurried, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(who_goes_need_not_wait_for_the_hurry, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(damaged_endings_are_built_again, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(who_wants_to_know_is_told_when_they_are_built, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_written_is_told, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(without_a_home_there_are_none, make_cache, remove_cache),
	    cmocka_unit_test_setup_teardown(counters_share_a_folder, make_cache, remove_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
