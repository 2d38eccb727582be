/* Versions of the database: every one leads to the latest, none is skipped or done twice, and what is newer is refused.
 */
#include "support.h"

#include <sqlite.h>

/* A history of versions that never was: the mechanism is tried with more steps than the program has. */
static const char *const step_1[] = {"CREATE TABLE a(x INTEGER) STRICT", "INSERT INTO a VALUES(1)", NULL};
static const char *const step_2[] = {"ALTER TABLE a ADD COLUMN y INTEGER", "UPDATE a SET y = x + 10", NULL};
static const char *const step_3[] = {"CREATE TABLE b(z INTEGER) STRICT", "INSERT INTO b SELECT y * 2 FROM a", NULL};
static const char *const step_wrong[] = {"CREATE TABLE c(z INTEGER) STRICT", "INSERT INTO nowhere VALUES(1)", NULL};
static const struct sqlite_step steps[] = {{step_1}, {step_2}, {step_3}};
static const struct sqlite_step steps_wrong[] = {{step_1}, {step_2}, {step_wrong}};

static const char *path_of(const struct home *home)
{
	return home->place + strlen("sqlite:");
}

static struct sqlite *connect(const struct home *home)
{
	struct sqlite *db = NULL;
	struct mrl_error error = {0};

	if (sqlite_open(&db, path_of(home), MODE_MAKE, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return db;
}

static int64_t ask(struct sqlite *db, const char *sql)
{
	int64_t number = sqlite_number(db, sql, WITHOUT, -1);

	assert_int_equal(sqlite_status(db, NULL), MRL_OK);
	return number;
}

static void every_version_leads_to_the_latest(void **state)
{
	(void)state;
	for (unsigned from = 0; from <= 3; from++) {
		void *home = NULL;
		struct sqlite *db;

		assert_int_equal(home_make(&home), 0);
		db = connect(home);
		assert_int_equal(sqlite_migrate(db, steps, from, NULL), MRL_OK);
		sqlite_close(db);
		db = connect(home);
		assert_int_equal(ask(db, "PRAGMA user_version"), from);
		assert_int_equal(sqlite_migrate(db, steps, 3, NULL), MRL_OK);
		assert_int_equal(ask(db, "PRAGMA user_version"), 3);
		assert_int_equal(ask(db, "SELECT sum(z) FROM b"), 22);
		/* Again is nothing. */
		assert_int_equal(sqlite_migrate(db, steps, 3, NULL), MRL_OK);
		assert_int_equal(ask(db, "SELECT count(*) FROM b"), 1);
		sqlite_close(db);
		assert_int_equal(home_remove(&home), 0);
	}
}

static void a_step_that_fails_leaves_the_version_before(void **state)
{
	struct sqlite *db = connect(*state);
	struct mrl_error error = {0};

	assert_int_equal(sqlite_migrate(db, steps_wrong, 3, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "nowhere"));
	sqlite_clear(db);
	assert_int_equal(ask(db, "PRAGMA user_version"), 2);
	assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'c'"), 0);
	assert_int_equal(sqlite_migrate(db, steps, 3, NULL), MRL_OK);
	assert_int_equal(ask(db, "SELECT sum(z) FROM b"), 22);
	sqlite_close(db);
}

static void set_version(const struct home *home, const char *pragma)
{
	struct sqlite *db = connect(home);

	assert_int_equal(sqlite3_exec(db->handle, pragma, NULL, NULL, NULL), SQLITE_OK);
	sqlite_close(db);
}

static void a_newer_database_is_refused_with_both_versions(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = store_open(home);
	struct mrl_store_settings settings = {.place = home->place, .serve = true};
	struct mrl_error error = {0};
	char pragma[64];
	char words[128];

	mrl_store_close(store);
	(void)snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %u", sqlite_step_count + 4);
	set_version(home, pragma);
	(void)snprintf(words, sizeof(words),
		       "has version %u, and this program knows versions up to %u: use a newer program",
		       sqlite_step_count + 4, sqlite_step_count);
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, words));
	settings.serve = false;
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, words));
	/* And it is as it was. */
	struct sqlite *db = connect(home);

	assert_int_equal(ask(db, "PRAGMA user_version"), sqlite_step_count + 4);
	sqlite_close(db);
}

static void a_database_of_another_program_is_refused(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = NULL;
	struct mrl_store_settings settings = {.place = home->place, .serve = true};
	struct mrl_error error = {0};

	set_version(home, "CREATE TABLE bookmarks(url TEXT)");
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "is a database of another program"));
	struct sqlite *db = connect(home);

	assert_int_equal(ask(db, "SELECT count(*) FROM sqlite_schema"), 1);
	sqlite_close(db);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = NULL;
	struct mrl_store_settings settings = {.place = home->place, .serve = true};
	struct mrl_error error = {0};
	FILE *file = fopen(path_of(home), "wb");

	assert_non_null(file);
	for (unsigned i = 0; i < 1000; i++)
		(void)fputs("No database at all. ", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "not a database"));
}

/* Each version that there ever was, made by its own steps, is opened by the store as it is now and can be used. */
static void the_store_opens_every_version_of_its_own(void **state)
{
	(void)state;
	for (unsigned from = 0; from <= sqlite_step_count; from++) {
		void *home = NULL;
		struct mrl_store_change *change = mrl_change_new();
		struct mrl_store_game game = some_game(7, 0, 0);
		struct sqlite *db;

		assert_int_equal(home_make(&home), 0);
		db = connect(home);
		assert_int_equal(sqlite_migrate(db, sqlite_steps, from, NULL), MRL_OK);
		sqlite_close(db);
		struct mrl_store *store = store_open(home);

		mrl_change_add_game(change, &game);
		must(store, change);
		assert_int_equal(count_events(store, 7), 0);
		mrl_store_close(store);
		db = connect(home);
		assert_int_equal(ask(db, "PRAGMA user_version"), sqlite_step_count);
		assert_int_equal(ask(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
				 0);
		assert_int_equal(ask(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
		sqlite_close(db);
		assert_int_equal(home_remove(&home), 0);
	}
}

/* What a server of an older version would be: one that holds the lock on a database that is not yet as it must be. */
static void a_tool_does_not_migrate_under_a_running_server(void **state)
{
	const struct home *home = *state;
	struct mrl_store *server = store_open(home);
	struct mrl_store *tool = NULL;
	struct mrl_store_settings settings = {.place = home->place};
	struct mrl_error error = {0};

	set_version(home, "PRAGMA user_version = 0");
	assert_int_equal(mrl_store_open(&tool, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "has version 0"));
	assert_non_null(strstr(error.message, "stop that server first"));
	mrl_store_close(server);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(every_version_leads_to_the_latest),
	    TEST(a_step_that_fails_leaves_the_version_before),
	    TEST(a_newer_database_is_refused_with_both_versions),
	    TEST(a_database_of_another_program_is_refused),
	    TEST(a_file_that_is_no_database_is_refused),
	    TEST(the_store_opens_every_version_of_its_own),
	    TEST(a_tool_does_not_migrate_under_a_running_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
