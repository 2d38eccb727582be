/* Service time: where it goes on after a stop, a damaged file, and games that know better. */
#include "support.h"

#include <os/disk.h>

enum { GAME = 77 };

static void alive_path(const struct home *home, char path[PATH_BYTES])
{
	(void)snprintf(path, PATH_BYTES, "%.400s/merels.db-alive", home->folder);
}

static uint64_t first_time(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	uint64_t t = mrl_store_first_time(store);

	mrl_store_close(store);
	return t;
}

static void keep(const struct home *home, uint64_t first, uint64_t last)
{
	struct mrl_store *store = store_open(home);

	for (uint64_t t = first; t <= last; t++)
		mrl_store_keep_time(store, t);
	mrl_store_close(store);
}

/* Writes bytes over those of the file. */
static void damage(const struct home *home, uint64_t offset, const void *bytes, size_t count)
{
	char path[PATH_BYTES];
	struct mrl_disk_file *file;

	alive_path(home, path);
	assert_int_equal(mrl_disk_open(&file, path, MRL_DISK_UPDATE, NULL), MRL_OK);
	assert_int_equal(mrl_disk_write(file, offset, bytes, count, NULL), MRL_OK);
	mrl_disk_close(file);
}

static void time_begins_with_0_and_goes_on_where_it_stood(void **state)
{
	assert_int_equal(first_time(*state), 0);
	keep(*state, 1, 1000);
	assert_int_equal(first_time(*state), 1000);
	assert_int_equal(first_time(*state), 1000);
	keep(*state, 1001, 1001);
	assert_int_equal(first_time(*state), 1001);
}

static void a_slot_that_was_being_written_does_not_count(void **state)
{
	static const char torn[4] = {'t', 'o', 'r', 'n'};

	/* Slots are written in turn, the first one first, at 8 and 24. */
	keep(*state, 5000, 5001);
	damage(*state, 24, torn, sizeof(torn));
	assert_int_equal(first_time(*state), 5000);
	keep(*state, 6000, 6001);
	damage(*state, 24 + 8, torn, sizeof(torn));
	assert_int_equal(first_time(*state), 6000);
	keep(*state, 7000, 7001);
	damage(*state, 8, torn, sizeof(torn));
	assert_int_equal(first_time(*state), 7001);
	/* Both: nothing is known. */
	damage(*state, 24, torn, sizeof(torn));
	assert_int_equal(first_time(*state), 0);
}

static void a_file_that_is_none_of_ours_begins_anew(void **state)
{
	char path[PATH_BYTES];
	struct mrl_disk_file *file;

	keep(*state, 1000, 1001);
	damage(*state, 0, "SOMEBODY", 8);
	assert_int_equal(first_time(*state), 0);
	keep(*state, 1000, 1001);
	assert_int_equal(first_time(*state), 1001);
	alive_path(*state, path);
	assert_int_equal(mrl_disk_open(&file, path, MRL_DISK_UPDATE, NULL), MRL_OK);
	assert_int_equal(mrl_disk_cut(file, 3, NULL), MRL_OK);
	mrl_disk_close(file);
	assert_int_equal(first_time(*state), 0);
	assert_int_equal(mrl_disk_remove(path, NULL), MRL_OK);
	assert_int_equal(first_time(*state), 0);
}

static void put(struct mrl_store *store, uint64_t game, uint64_t t, bool over)
{
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game summary = over ? some_ended(game, 0, 0, 9, MRL_STORE_DRAW) : some_game(game, 0, 0);

	mrl_change_add_game(change, &summary);
	mrl_change_append(change, game, &(struct mrl_store_event){.number = 1, .t = 1, .text = "x"});
	mrl_change_append(change, game, &(struct mrl_store_event){.number = 2, .t = t, .text = "x"});
	must(store, change);
}

static void time_never_begins_before_an_event_of_a_game_that_goes_on(void **state)
{
	struct mrl_store *store = store_open(*state);

	put(store, GAME, 4000, false);
	put(store, GAME + 1, 3000, false);
	put(store, GAME + 2, 9000, true);
	mrl_store_keep_time(store, 2000);
	mrl_store_close(store);
	assert_int_equal(first_time(*state), 4000);
	keep(*state, 4001, 5000);
	assert_int_equal(first_time(*state), 5000);
}

static void a_tool_does_not_touch_time(void **state)
{
	const struct home *home = *state;
	struct mrl_store_settings settings = {.place = home->place};
	struct mrl_store *store = NULL;

	keep(home, 1000, 1000);
	assert_int_equal(mrl_store_open(&store, &settings, NULL), MRL_OK);
	assert_int_equal(mrl_store_first_time(store), 0);
	mrl_store_keep_time(store, 5);
	mrl_store_close(store);
	assert_int_equal(first_time(home), 1000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(time_begins_with_0_and_goes_on_where_it_stood),
	    TEST(a_slot_that_was_being_written_does_not_count),
	    TEST(a_file_that_is_none_of_ours_begins_anew),
	    TEST(time_never_begins_before_an_event_of_a_game_that_goes_on),
	    TEST(a_tool_does_not_touch_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
