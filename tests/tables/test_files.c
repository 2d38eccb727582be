/* Tables on disk: the same whatever happens on the way, and nothing wrong ever served from what is damaged. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <os/disk.h>

static struct mrl_rules rules;

static void files_are_the_same_at_any_number_of_threads(void **state)
{
	static const char *const names[] = {"five,men=4", "four,move-early=on"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t sums[3];

		test_rules(&rules, names[i]);
		for (unsigned threads = 1; threads <= 3; threads++) {
			char folder[FOLDER_SIZE];

			test_folder(folder);
			test_build(&rules, folder, MRL_TABLE_DISTANCE, threads);
			sums[threads - 1] = test_folder_sum(folder);
			test_remove_folder(folder);
		}
		assert_int_equal(sums[0], sums[1]);
		assert_int_equal(sums[0], sums[2]);
	}
}

/* Stops a build again and again, a little later each time, until it is whole. */
static void build_in_pieces(const char *folder, enum mrl_table_metric metric, int first, int more, uint64_t *random)
{
	enum mrl_status status;
	int step = first;

	do {
		struct test_fuse fuse;
		struct mrl_table_build build = {
		    .folder = folder, .metric = metric, .threads = 2, .watch = test_burn, .context = &fuse};
		struct mrl_error error = {0};

		atomic_init(&fuse.left, step + (int)(test_random(random) % (unsigned)more));
		status = mrl_table_build(&rules, &build, &error);
		if (status != MRL_OK && status != MRL_STOPPED)
			fail_msg("%s", error.message);
		step += more;
	} while (status == MRL_STOPPED);
}

static void a_build_that_is_stopped_goes_on_to_the_same_files(void **state)
{
	static const char *const names[] = {"five,men=4", "four,move-early=on", "four"};
	uint64_t random = test_seed();

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		enum mrl_table_metric metric = i < 3 ? MRL_TABLE_DISTANCE : MRL_TABLE_VALUE;
		char whole[FOLDER_SIZE];
		char pieces[FOLDER_SIZE];

		test_rules(&rules, names[i % 3]);
		test_folder(whole);
		test_folder(pieces);
		test_build(&rules, whole, metric, 2);
		build_in_pieces(pieces, metric, 1, 40, &random);
		assert_int_equal(test_folder_sum(whole), test_folder_sum(pieces));
		test_remove_folder(whole);
		test_remove_folder(pieces);
	}
}

/* What a kill leaves: a journal that ends anywhere, or with rubbish. */
static void cut_journal(const char *path, void *context)
{
	uint64_t *random = context;
	size_t length;
	unsigned char *data;

	if (strstr(path, ".journal") == NULL)
		return;
	data = test_read_file(path, &length);
	if (length > 0 && test_random(random) % 2 == 0)
		data[test_random(random) % length] ^= (unsigned char)(1U << test_random(random) % 8);
	test_write_file(path, data, (size_t)(test_random(random) % (length + 1)));
	free(data);
}

static void a_journal_that_is_cut_or_damaged_does_no_harm(void **state)
{
	uint64_t random = test_seed();
	char whole[FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "five,men=3");
	test_folder(whole);
	test_build(&rules, whole, MRL_TABLE_DISTANCE, 2);
	for (unsigned i = 0; i < 20; i++) {
		char folder[FOLDER_SIZE];
		struct test_fuse fuse;
		struct mrl_table_build build = {
		    .folder = folder, .metric = MRL_TABLE_DISTANCE, .threads = 2, .watch = test_burn, .context = &fuse};

		test_folder(folder);
		atomic_init(&fuse.left, (int)(test_random(&random) % 300));
		if (mrl_table_build(&rules, &build, NULL) == MRL_STOPPED)
			test_each_file(folder, cut_journal, &random);
		test_build(&rules, folder, MRL_TABLE_DISTANCE, 2);
		assert_int_equal(test_folder_sum(whole), test_folder_sum(folder));
		test_remove_folder(folder);
	}
	test_remove_folder(whole);
}

/* Whether everything can be read: all sectors counted, and verified from their turns. */
static enum mrl_status read_all(const char *folder, struct mrl_error *error, uint64_t *wrong)
{
	struct mrl_tables *tables = NULL;
	enum mrl_status status = mrl_tables_open(&tables, folder, &rules, 0, error);

	for (size_t i = 0; status == MRL_OK && i < mrl_tables_sectors(tables); i++) {
		struct mrl_table_sector sector;
		struct mrl_table_check check;

		status = mrl_tables_count(tables, i, true, &sector, error);
		if (status == MRL_OK)
			status = mrl_tables_verify(tables, i, &check, NULL, NULL, error);
		if (status == MRL_OK)
			*wrong += check.wrong;
	}
	mrl_tables_close(tables);
	return status;
}

static void assert_counts(const char *folder)
{
	struct mrl_tables *tables = test_open(&rules, folder);

	for (size_t i = 0; i < mrl_tables_sectors(tables); i++) {
		struct mrl_table_sector stored;
		struct mrl_table_sector counted;

		assert_int_equal(mrl_tables_count(tables, i, false, &stored, NULL), MRL_OK);
		assert_int_equal(mrl_tables_count(tables, i, true, &counted, NULL), MRL_OK);
		assert_int_equal(stored.positions, counted.positions);
		assert_int_equal(stored.wins, counted.wins);
		assert_int_equal(stored.draws, counted.draws);
		assert_int_equal(stored.losses, counted.losses);
		assert_int_equal(stored.longest, counted.longest);
		assert_int_equal(stored.positions, stored.wins + stored.draws + stored.losses);
	}
	mrl_tables_close(tables);
}

static void the_counts_in_a_file_are_those_of_its_cells(void **state)
{
	static const char *const names[] = {"three", "four,move-early=on", "four", "five,men=3"};

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		enum mrl_table_metric metric = i % 2 == 0 ? MRL_TABLE_VALUE : MRL_TABLE_DISTANCE;
		char folder[FOLDER_SIZE];

		test_rules(&rules, names[i / 4]);
		test_folder(folder);
		if (i / 2 % 2 == 0)
			test_build(&rules, folder, metric, 2);
		else
			test_build_half(&rules, folder, metric);
		assert_counts(folder);
		test_remove_folder(folder);
	}
}

struct damage {
	const char *folder;
	uint64_t random;
	unsigned files;
};

static void assert_refused(const struct damage *damage, const char *path, const char *how)
{
	struct mrl_error error = {0};
	uint64_t wrong = 0;
	enum mrl_status status = read_all(damage->folder, &error, &wrong);

	if (status != MRL_SYSTEM && status != MRL_NAME)
		fail_msg("%s: %s is not noticed (%s)", path, how, mrl_status_name(status));
	if (strstr(error.message, path) == NULL)
		fail_msg("the message does not name %s: %s", path, error.message);
}

static void damage_file(const char *path, void *context)
{
	struct damage *damage = context;
	size_t length;
	unsigned char *data;

	/* The start's distances tell whether there are any; without them the others are not asked. */
	if (strstr(path, "0-0-4-4.plies") != NULL)
		return;
	data = test_read_file(path, &length);
	for (unsigned i = 0; i < 12; i++) {
		size_t at = (size_t)(test_random(&damage->random) % length);
		unsigned char bit = (unsigned char)(1U << test_random(&damage->random) % 8);

		data[at] ^= bit;
		test_write_file(path, data, length);
		assert_refused(damage, path, "a flipped bit");
		data[at] ^= bit;
	}
	test_write_file(path, data, (size_t)(test_random(&damage->random) % length));
	assert_refused(damage, path, "a missing end");
	test_write_file(path, data, length);
	free(data);
	damage->files++;
}

static void a_flipped_bit_or_a_missing_end_is_always_noticed(void **state)
{
	char folder[FOLDER_SIZE];
	struct damage damage = {.folder = folder, .random = test_seed()};
	struct mrl_error error = {0};
	uint64_t wrong = 0;

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_DISTANCE, 2);
	test_each_file(folder, damage_file, &damage);
	assert_true(damage.files > 20);
	assert_int_equal(read_all(folder, &error, &wrong), MRL_OK);
	assert_int_equal(wrong, 0);
	test_remove_folder(folder);
}

static void tables_of_other_rules_are_refused_by_name(void **state)
{
	static struct mrl_rules other;
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};
	char folder[FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_VALUE, 1);
	test_rules(&other, "four,take=any");
	test_message(mrl_tables_open(&tables, folder, &other, 0, &error), MRL_NAME, &error,
		     "is a table for the rule set \"four\", not for four,take=any");
	/* Counters and repetition are no part of a table. */
	test_rules(&other, "four,no-mill=50,repetition=0");
	assert_int_equal(mrl_tables_open(&tables, folder, &other, 0, &error), MRL_OK);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void what_cannot_be_built_is_said(void **state)
{
	struct mrl_error error = {0};
	struct mrl_table_build build = {.folder = "/proc/merels/tables", .threads = 1};
	char folder[FOLDER_SIZE];
	struct mrl_tables *tables = NULL;

	(void)state;
	test_rules(&rules, "nine,men=3");
	test_message(mrl_table_build(&rules, &build, &error), MRL_SYSTEM, &error, "/proc/merels");
	test_folder(folder);
	build.folder = folder;
	build.memory = (uint64_t)1 << 20;
	test_message(mrl_table_build(&rules, &build, &error), MRL_SPACE, &error, "MB may be used");
	test_message(mrl_tables_open(&tables, folder, &rules, 0, &error), MRL_SYSTEM, &error,
		     "0-0-3-3.values: cannot be opened: there is no such file");
	build.threads = 0;
	test_message(mrl_table_build(&rules, &build, &error), MRL_RANGE, &error, "from 1 to 256");
	test_remove_folder(folder);
}

/* What is there is not taken for what is wanted: cells left out, damage, another rule set. */
static void a_build_completes_what_is_there(void **state)
{
	static const enum mrl_table_metric metrics[] = {MRL_TABLE_VALUE, MRL_TABLE_DISTANCE};
	struct mrl_table_build build = {.threads = 1};
	static struct mrl_rules other;
	struct mrl_error error = {0};
	char whole[FOLDER_SIZE];
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 32];

	(void)state;
	test_rules(&rules, "four");
	test_rules(&other, "four,take=any");
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		test_folder(whole);
		test_folder(folder);
		test_build(&rules, whole, metrics[i], 1);
		test_build_half(&rules, folder, metrics[i]);
		assert_true(test_folder_sum(folder) != test_folder_sum(whole));
		test_build(&rules, folder, metrics[i], 1);
		assert_true(test_folder_sum(folder) == test_folder_sum(whole));
		(void)snprintf(path, sizeof(path), "%s/3-3-0-0.values", folder);
		test_write_file(path, (const unsigned char *)"MRLTABLE", 8);
		test_build(&rules, folder, metrics[i], 1);
		assert_true(test_folder_sum(folder) == test_folder_sum(whole));
		build.folder = folder;
		test_message(mrl_table_build(&other, &build, &error), MRL_NAME, &error,
			     "is a table for the rule set \"four\", not for four,take=any");
		assert_true(test_folder_sum(folder) == test_folder_sum(whole));
		test_remove_folder(whole);
		test_remove_folder(folder);
	}
}

/* /dev/full says of every write that the disk is full. */
static void a_full_disk_is_said_and_what_was_finished_is_kept(void **state)
{
	static const char *const full[] = {"4-3-0-0.values.part", "3-3-1-1.plies.part"};
	struct mrl_error error = {0};
	char whole[FOLDER_SIZE];

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip();
	test_rules(&rules, "four");
	test_folder(whole);
	test_build(&rules, whole, MRL_TABLE_DISTANCE, 1);
	for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++) {
		char folder[FOLDER_SIZE];
		char path[FOLDER_SIZE + 64];
		struct mrl_table_build build = {.folder = folder, .metric = MRL_TABLE_DISTANCE, .threads = 1};
		struct mrl_tables *tables = NULL;

		test_folder(folder);
		(void)snprintf(path, sizeof(path), "%s/%s", folder, full[i]);
		assert_int_equal(symlink("/dev/full", path), 0);
		test_message(mrl_table_build(&rules, &build, &error), MRL_SYSTEM, &error, "the disk is full");
		assert_non_null(strstr(error.message, path));
		/* Nothing is served that is not whole, and with room again it goes on. */
		assert_int_not_equal(mrl_tables_open(&tables, folder, &rules, 0, NULL), MRL_OK);
		(void)unlink(path);
		test_build(&rules, folder, MRL_TABLE_DISTANCE, 1);
		assert_true(test_folder_sum(folder) == test_folder_sum(whole));
		test_remove_folder(folder);
	}
	test_remove_folder(whole);
}

static void a_folder_without_permission_is_said(void **state)
{
	char folder[FOLDER_SIZE];
	struct mrl_table_build build = {.folder = folder, .threads = 1};
	struct mrl_error error = {0};

	(void)state;
	if (geteuid() == 0)
		skip(); /* who may do anything is told nothing */
	test_rules(&rules, "four");
	test_folder(folder);
	assert_int_equal(chmod(folder, 0500), 0);
	test_message(mrl_table_build(&rules, &build, &error), MRL_SYSTEM, &error, "permission denied");
	assert_int_equal(chmod(folder, 0700), 0);
	test_remove_folder(folder);
}

static void two_builds_do_not_share_a_folder(void **state)
{
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 16];
	struct mrl_table_build build = {.folder = folder, .threads = 1};
	struct mrl_disk_file *lock = NULL;
	struct mrl_error error = {0};

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	(void)snprintf(path, sizeof(path), "%s/.build", folder);
	assert_int_equal(mrl_disk_open(&lock, path, MRL_DISK_UPDATE, NULL), MRL_OK);
	assert_int_equal(mrl_disk_lock(lock, "", NULL), MRL_OK);
	test_message(mrl_table_build(&rules, &build, &error), MRL_BUSY, &error, "another build is at work");
	mrl_disk_close(lock);
	test_build(&rules, folder, MRL_TABLE_VALUE, 1);
	test_remove_folder(folder);
}

static void what_is_there_is_thrown_away_only_under_the_lock(void **state)
{
	char folder[FOLDER_SIZE];
	char lock_path[FOLDER_SIZE + 16];
	char path[FOLDER_SIZE + 32];
	struct mrl_table_build build = {.folder = folder, .threads = 1, .anew = true};
	struct mrl_disk_file *lock = NULL;
	struct mrl_tables *tables;

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	(void)snprintf(lock_path, sizeof(lock_path), "%s/.build", folder);
	(void)snprintf(path, sizeof(path), "%s/0-0-4-4.values", folder);
	test_write_file(path, (const unsigned char *)"noise", 5);
	assert_int_equal(mrl_disk_open(&lock, lock_path, MRL_DISK_UPDATE, NULL), MRL_OK);
	assert_int_equal(mrl_disk_lock(lock, "", NULL), MRL_OK);
	assert_int_equal(mrl_table_build(&rules, &build, NULL), MRL_BUSY);
	assert_int_equal(access(path, F_OK), 0);
	mrl_disk_close(lock);
	assert_int_equal(mrl_table_build(&rules, &build, NULL), MRL_OK);
	tables = test_open(&rules, folder);
	assert_int_equal(mrl_tables_check(tables, NULL), MRL_OK);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void a_position_that_no_game_has_is_refused(void **state)
{
	struct mrl_error error = {0};
	struct mrl_position position = {.men = {7, 0x100}, .hand = {0, 4}, .side = MRL_WHITE};
	struct mrl_table_value value;
	struct mrl_tables *tables;
	char folder[FOLDER_SIZE];

	(void)state;
	test_rules(&rules, "four");
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_VALUE, 1);
	tables = test_open(&rules, folder);
	test_message(mrl_tables_probe(tables, &position, &value, &error), MRL_POSITION, &error,
		     "the tables have no such position");
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(files_are_the_same_at_any_number_of_threads),
	    cmocka_unit_test(a_build_that_is_stopped_goes_on_to_the_same_files),
	    cmocka_unit_test(a_journal_that_is_cut_or_damaged_does_no_harm),
	    cmocka_unit_test(the_counts_in_a_file_are_those_of_its_cells),
	    cmocka_unit_test(a_flipped_bit_or_a_missing_end_is_always_noticed),
	    cmocka_unit_test(tables_of_other_rules_are_refused_by_name),
	    cmocka_unit_test(what_cannot_be_built_is_said),
	    cmocka_unit_test(a_build_completes_what_is_there),
	    cmocka_unit_test(a_full_disk_is_said_and_what_was_finished_is_kept),
	    cmocka_unit_test(a_folder_without_permission_is_said),
	    cmocka_unit_test(two_builds_do_not_share_a_folder),
	    cmocka_unit_test(what_is_there_is_thrown_away_only_under_the_lock),
	    cmocka_unit_test(a_position_that_no_game_has_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
