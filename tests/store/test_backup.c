/* Copies of a live database. */
#include "support.h"

#include <os/disk.h>

enum { GAMES = 8 };

static struct mrl_store_change *one_round(uint32_t number)
{
	struct mrl_store_change *change = mrl_change_new();

	for (uint64_t game = 1; game <= GAMES; game++)
		mrl_change_append(change, game,
				  &(struct mrl_store_event){.number = number, .t = number, .text = "turn"});
	return change;
}

static struct mrl_store *with_games(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	struct mrl_store_change *change = mrl_change_new();

	for (uint64_t id = 1; id <= GAMES; id++) {
		struct mrl_store_game game = some_game(id, 0, 0);

		mrl_change_add_game(change, &game);
	}
	must(store, change);
	return store;
}

static struct home copy_of(const struct home *home, const char *name)
{
	struct home copy = *home;

	(void)snprintf(copy.place, sizeof(copy.place), "%.400s/%s", home->folder, name);
	return copy;
}

/* More than is copied at once: some megabytes. */
static void add_ballast(struct mrl_store *store)
{
	static char value[MRL_STORE_VALUE_MOST + 1];
	struct mrl_store_change *change = mrl_change_new();

	memset(value, 'x', sizeof(value) - 1);
	add_account(store, 11, "Anna");
	for (unsigned i = 0; i < 600; i++) {
		char key[16];

		(void)snprintf(key, sizeof(key), "key%u", i);
		mrl_change_set_setting(change, 11, key, value);
	}
	must(store, change);
}

/* Keeps writing until the backup is there, so that writes go on all the while. */
struct writing {
	struct mrl_store *store;
	uint32_t next;
	unsigned failed;
	struct look *backup;
};

static void write_on(void *user, const struct mrl_store_answer *answer)
{
	struct writing *writing = user;

	writing->failed += answer->status != MRL_OK;
	if (writing->backup->asked == 0 &&
	    mrl_store_submit(writing->store, one_round(++writing->next), write_on, writing, NULL) != MRL_OK)
		writing->failed++;
}

static void a_backup_is_of_one_moment_while_writes_go_on(void **state)
{
	struct mrl_store *store = with_games(*state);
	struct home copy = copy_of(*state, "copy.db");
	struct look look = {0};
	struct writing writing = {.store = store, .backup = &look};
	size_t before = 50;

	add_ballast(store);
	for (uint32_t number = 1; number <= before; number++)
		must(store, one_round(number));
	writing.next = (uint32_t)before + 1;
	assert_int_equal(mrl_store_submit(store, one_round(writing.next), write_on, &writing, NULL), MRL_OK);
	assert_int_equal(mrl_store_backup(store, copy.place, look_done, &look), MRL_OK);
	/* One at a time. */
	assert_int_equal(mrl_store_backup(store, copy.place, look_done, &look), MRL_BUSY);
	mrl_store_wait(store);
	assert_int_equal(look.asked, 1);
	assert_string_equal(look.message, "");
	assert_int_equal(look.status, MRL_OK);
	assert_int_equal(writing.failed, 0);
	assert_int_equal(count_events(store, 1), writing.next);
	mrl_store_close(store);
	store = store_open(&copy);
	/* Every change added to all games: in a copy of one moment all are as long. */
	size_t events = count_events(store, 1);

	assert_true(events >= before && events <= writing.next);
	for (uint64_t game = 2; game <= GAMES; game++)
		assert_int_equal(count_events(store, game), events);
	/* It is a database like any. */
	must(store, one_round((uint32_t)events + 1));
	mrl_store_close(store);
}

static void a_backup_replaces_nothing(void **state)
{
	struct mrl_store *store = with_games(*state);
	struct home copy = copy_of(*state, "copy.db");
	struct look look = {0};

	expect_answer(store, &look, mrl_store_backup(store, copy.place, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_backup(store, copy.place, look_done, &look), MRL_CONFLICT);
	assert_string_equal(look.message, "there is a file of this name already");
	expect_answer(store, &look, mrl_store_backup(store, "/nowhere/at/all.db", look_done, &look), MRL_SYSTEM);
	assert_int_equal(mrl_store_backup(store, "", look_done, &look), MRL_RANGE);
	mrl_store_close(store);
}

static void a_backup_that_is_cut_short_leaves_no_file(void **state)
{
	struct mrl_store *store = with_games(*state);
	struct home copy = copy_of(*state, "copy.db");
	struct home part = copy_of(*state, "copy.db.part");
	struct look look = {0};

	assert_int_equal(mrl_store_backup(store, copy.place, look_done, &look), MRL_OK);
	mrl_store_close(store);
	assert_int_equal(look.asked, 1);
	assert_true(look.status == MRL_OK || look.status == MRL_STOPPED);
	assert_int_equal(mrl_disk_exists(copy.place), look.status == MRL_OK);
	assert_false(mrl_disk_exists(part.place));
}

static void a_tool_makes_a_backup_beside_the_server(void **state)
{
	const struct home *home = *state;
	struct mrl_store *server = with_games(home);
	struct mrl_store *tool = NULL;
	struct mrl_store_settings settings = {.place = home->place};
	struct home copy = copy_of(home, "copy.db");
	struct look look = {0};

	must(server, one_round(1));
	assert_int_equal(mrl_store_open(&tool, &settings, NULL), MRL_OK);
	expect_answer(tool, &look, mrl_store_backup(tool, copy.place, look_done, &look), MRL_OK);
	mrl_store_close(tool);
	must(server, one_round(2));
	mrl_store_close(server);
	server = store_open(&copy);
	assert_int_equal(count_events(server, 1), 1);
	mrl_store_close(server);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(a_backup_is_of_one_moment_while_writes_go_on),
	    TEST(a_backup_replaces_nothing),
	    TEST(a_backup_that_is_cut_short_leaves_no_file),
	    TEST(a_tool_makes_a_backup_beside_the_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
