/* Endings alone: what whole tables say of the same positions, nothing of others, and as hard to break. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <merels/perfect.h>

static struct mrl_rules rules;

static enum mrl_status build_endings(const char *folder, struct mrl_endings endings, unsigned threads,
				     struct mrl_error *error)
{
	struct mrl_table_build build = {
	    .folder = folder, .endings = endings, .metric = MRL_TABLE_DISTANCE, .hasty = true, .threads = threads};

	return mrl_table_build(&rules, &build, error);
}

static void must_build(const char *folder, unsigned men, unsigned against)
{
	struct mrl_error error = {0};

	if (build_endings(folder, (struct mrl_endings){men, against}, 2, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

enum { COUNTS_AT = 448, COUNTS_BYTES = 48, BLOCKS_AT = 504 };

struct comparison {
	const char *whole;
	unsigned sectors;
};

/* Of a sector's file all but the words of its head is the same: what was counted, and every cell. */
static void compare_file(const char *path, void *context)
{
	struct comparison *comparison = context;
	const char *name = strrchr(path, '/') + 1;
	char other[FOLDER_SIZE + 64];
	unsigned char *data[2];
	size_t length[2];

	if (strcmp(name, "endings") == 0)
		return;
	(void)snprintf(other, sizeof(other), "%s/%s", comparison->whole, name);
	data[0] = test_read_file(path, &length[0]);
	data[1] = test_read_file(other, &length[1]);
	assert_int_equal(length[0], length[1]);
	assert_memory_equal(data[0] + COUNTS_AT, data[1] + COUNTS_AT, COUNTS_BYTES);
	assert_memory_equal(data[0] + BLOCKS_AT, data[1] + BLOCKS_AT, length[0] - BLOCKS_AT);
	comparison->sectors++;
	free(data[0]);
	free(data[1]);
}

static void every_cell_is_that_of_the_whole_tables(void **state)
{
	static const struct {
		const char *rules;
		unsigned men;
		unsigned against;
		unsigned sectors;
	} games[] = {
	    {"three", 3, 3, 1},
	    {"four", 4, 3, 3},
	    {"four", 4, 4, 4},
	    {"four,take-count=per-mill,take=any,fly=3", 4, 4, 4},
	    {"four,take=free-only,fly=4", 4, 4, 4},
	    {"four,stuck=draw", 4, 3, 3},
	    {"four,men=5", 5, 4, 2},
	    {"four,men=5,full-board=draw", 5, 4, 2},
	    {"four,mill=win", 4, 4, 1},
	    {"four,move-early=on", 4, 4, 4},
	    {"five,fly=3", 5, 4, 8},
	    {"seven,men=4,take-count=per-mill", 4, 3, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
		char whole[FOLDER_SIZE];
		char folder[FOLDER_SIZE];
		struct comparison comparison = {whole, 0};

		test_rules(&rules, games[i].rules);
		test_folder(whole);
		test_folder(folder);
		must_build(whole, 0, 0);
		must_build(folder, games[i].against, games[i].men);
		test_each_file(folder, compare_file, &comparison);
		if (comparison.sectors != 2 * games[i].sectors)
			fail_msg("%s: %u files", games[i].rules, comparison.sectors);
		test_remove_folder(whole);
		test_remove_folder(folder);
	}
}

static void what_is_no_such_ending_is_not_known(void **state)
{
	struct mrl_error error = {0};
	struct mrl_perfect perfect;
	char folder[FOLDER_SIZE];
	struct mrl_position start;
	struct mrl_table_value value;
	struct mrl_tables *tables;
	struct mrl_game game;
	uint64_t random = test_seed();

	(void)state;
	test_rules(&rules, "five");
	test_folder(folder);
	must_build(folder, 5, 3);
	tables = test_open(&rules, folder);
	assert_int_equal(mrl_tables_endings(tables).men, 5);
	assert_int_equal(mrl_tables_endings(tables).against, 3);
	assert_true(mrl_tables_have_plies(tables));
	assert_int_equal(mrl_tables_check(tables, NULL), MRL_OK);
	mrl_position_start(&rules, &start);
	test_message(mrl_tables_probe(tables, &start, &value, &error), MRL_MISSING, &error,
		     "of at most 5 men against 3");
	mrl_game_init(&game, &rules, &start, NULL, 0);
	assert_int_equal(mrl_perfect_rate(tables, &game, &perfect, &error), MRL_MISSING);
	for (unsigned i = 0; i < 1000; i++) {
		unsigned white = 3 + (unsigned)(test_random(&random) % 3);
		unsigned black = 3 + (unsigned)(test_random(&random) % 3);
		struct mrl_position position;
		bool known;

		test_draw(&rules, white, black, &random, &position);
		position.side = (uint8_t)(i % 2);
		known = white == 3 || black == 3 || mrl_men_verdict(&rules, &position).outcome != MRL_ONGOING;
		assert_int_equal(mrl_tables_probe(tables, &position, &value, NULL), known ? MRL_OK : MRL_MISSING);
	}
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void they_are_verified_as_whole_tables_are(void **state)
{
	char folder[FOLDER_SIZE];
	struct mrl_tables *tables;
	uint64_t checked = 0;

	(void)state;
	test_rules(&rules, "six,fly=3");
	test_folder(folder);
	must_build(folder, 4, 3);
	tables = test_open(&rules, folder);
	assert_int_equal(mrl_tables_sectors(tables), 3);
	for (size_t i = 0; i < mrl_tables_sectors(tables); i++) {
		struct mrl_table_check check;

		assert_int_equal(mrl_tables_verify(tables, i, &check, NULL, NULL, NULL), MRL_OK);
		assert_int_equal(check.wrong, 0);
		checked += check.checked;
	}
	assert_true(checked > 50000);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void rule_sets_that_differ_before_the_ending_share_them(void **state)
{
	static struct mrl_rules other;
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};
	char folder[FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "five");
	test_folder(folder);
	must_build(folder, 4, 3);
	test_rules(&other, "five,men=6,move-early=on,no-mill=7");
	assert_int_equal(mrl_tables_open(&tables, folder, &other, 0, &error), MRL_OK);
	mrl_tables_close(tables);
	test_rules(&other, "five,fly=3");
	test_message(mrl_tables_open(&tables, folder, &other, 0, &error), MRL_NAME, &error,
		     "endings of another rule set");
	test_rules(&other, "five,men=3");
	assert_int_not_equal(mrl_tables_open(&tables, folder, &other, 0, &error), MRL_OK);
	test_remove_folder(folder);
}

/* ---- Folders ------------------------------------------------------------------------------------------------ */

static void a_build_that_is_stopped_goes_on_to_the_same_files(void **state)
{
	uint64_t random = test_seed();
	char whole[FOLDER_SIZE];
	char pieces[FOLDER_SIZE];
	enum mrl_status status = MRL_STOPPED;
	unsigned stops = 0;

	(void)state;
	test_rules(&rules, "five,fly=3");
	test_folder(whole);
	test_folder(pieces);
	must_build(whole, 5, 4);
	while (status == MRL_STOPPED) {
		struct test_fuse fuse;
		struct mrl_error error = {0};
		struct mrl_tables *tables = NULL;
		struct mrl_table_build build = {.folder = pieces,
						.endings = {5, 4},
						.metric = MRL_TABLE_DISTANCE,
						.threads = 1 + stops % 3,
						.watch = test_burn,
						.context = &fuse};

		/* Nothing is served before it is whole. */
		assert_int_not_equal(mrl_tables_open(&tables, pieces, &rules, 0, NULL), MRL_OK);
		atomic_init(&fuse.left, (int)(2 * stops + test_random(&random) % 6));
		status = mrl_table_build(&rules, &build, &error);
		if (status != MRL_OK && status != MRL_STOPPED)
			fail_msg("%s", error.message);
		stops++;
	}
	assert_true(stops > 3);
	assert_int_equal(test_folder_sum(whole), test_folder_sum(pieces));
	test_remove_folder(whole);
	test_remove_folder(pieces);
}

static void a_folder_holds_one_kind_of_tables(void **state)
{
	struct mrl_table_build whole = {.metric = MRL_TABLE_VALUE, .threads = 1};
	struct mrl_error error = {0};
	char folder[FOLDER_SIZE];
	char fresh[FOLDER_SIZE];
	uint64_t sum;

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	whole.folder = folder;
	must_build(folder, 4, 3);
	sum = test_folder_sum(folder);
	must_build(folder, 3, 4);
	assert_int_equal(test_folder_sum(folder), sum);
	/* More may be built in it, fewer would be a loss. */
	test_folder(fresh);
	must_build(fresh, 4, 4);
	must_build(folder, 4, 4);
	assert_int_equal(test_folder_sum(folder), test_folder_sum(fresh));
	test_remove_folder(fresh);
	test_message(build_endings(folder, (struct mrl_endings){4, 3}, 1, &error), MRL_NAME, &error,
		     "holds the endings of 4 men against 4, which cannot become fewer");
	test_message(mrl_table_build(&rules, &whole, &error), MRL_NAME, &error, "is a table of endings alone");
	test_remove_folder(folder);
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_VALUE, 1);
	sum = test_folder_sum(folder);
	test_message(build_endings(folder, (struct mrl_endings){4, 3}, 1, &error), MRL_NAME, &error,
		     "endings and whole tables do not go into one folder");
	assert_int_equal(test_folder_sum(folder), sum);
	test_remove_folder(folder);
}

static void endings_that_do_not_occur_are_refused(void **state)
{
	struct mrl_error error = {0};
	uint64_t memory;
	uint64_t positions;

	(void)state;
	test_rules(&rules, "six");
	test_message(build_endings("/proc/nowhere", (struct mrl_endings){6, 2}, 1, &error), MRL_RANGE, &error,
		     "with fewer than three men a game is over");
	test_message(build_endings("/proc/nowhere", (struct mrl_endings){4, 7}, 1, &error), MRL_RANGE, &error,
		     "7 men against 4 do not occur in six: a side does not have so many men");
	test_message(build_endings("/proc/nowhere", (struct mrl_endings){6, 4}, 1, &error), MRL_SYSTEM, &error,
		     "/proc/nowhere");
	/* Where mills win nobody takes a man. */
	test_rules(&rules, "achi");
	test_message(mrl_table_estimate(&rules, (struct mrl_endings){4, 3}, 1, &memory, &positions, &error), MRL_RANGE,
		     &error, "do not occur in achi");
	test_rules(&rules, "nine");
	assert_int_equal(mrl_tables_small_endings(&rules).men, 6);
	assert_int_equal(mrl_tables_small_endings(&rules).against, 4);
	test_rules(&rules, "nine,mill=win");
	assert_int_equal(mrl_tables_small_endings(&rules).men, 0);
}

static void damage(const char *folder, const char *name, size_t at)
{
	char path[FOLDER_SIZE + 64];
	unsigned char *data;
	size_t length;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	data = test_read_file(path, &length);
	assert_true(at < length);
	data[at] ^= 1;
	test_write_file(path, data, length);
	free(data);
}

static void damage_is_noticed(void **state)
{
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 64];
	uint64_t sum;

	(void)state;
	test_rules(&rules, "five");
	test_folder(folder);
	must_build(folder, 4, 3);
	sum = test_folder_sum(folder);
	damage(folder, "endings", 3);
	test_message(mrl_tables_open(&tables, folder, &rules, 0, &error), MRL_SYSTEM, &error, "endings: is damaged");
	must_build(folder, 4, 3);
	assert_int_equal(test_folder_sum(folder), sum);
	damage(folder, "3-4-0-0.values", 470); /* in its head: the whole is not opened */
	test_message(mrl_tables_open(&tables, folder, &rules, 0, &error), MRL_SYSTEM, &error, "3-4-0-0.values");
	must_build(folder, 4, 3);
	assert_int_equal(test_folder_sum(folder), sum);
	damage(folder, "4-3-0-0.plies", 530); /* in a block: found when it is looked for */
	tables = test_open(&rules, folder);
	test_message(mrl_tables_check(tables, &error), MRL_SYSTEM, &error, "4-3-0-0.plies: is damaged: a block");
	mrl_tables_close(tables);
	(void)snprintf(path, sizeof(path), "%s/4-3-0-0.plies", folder);
	assert_int_equal(unlink(path), 0);
	must_build(folder, 4, 3);
	assert_int_equal(test_folder_sum(folder), sum);
	test_remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_cell_is_that_of_the_whole_tables),
	    cmocka_unit_test(what_is_no_such_ending_is_not_known),
	    cmocka_unit_test(they_are_verified_as_whole_tables_are),
	    cmocka_unit_test(rule_sets_that_differ_before_the_ending_share_them),
	    cmocka_unit_test(a_build_that_is_stopped_goes_on_to_the_same_files),
	    cmocka_unit_test(a_folder_holds_one_kind_of_tables),
	    cmocka_unit_test(endings_that_do_not_occur_are_refused),
	    cmocka_unit_test(damage_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
