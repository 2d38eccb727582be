/*
 * What is PostgreSQL's alone: its versions, connections that are lost at the worst moment, databases that cannot be
 * written to.
 */
#include "support.h"

#include <os/clock.h>
#include <os/socket.h>
#include <postgres.h>

#include "between.h"

enum { GAME = 77, ROUNDS = 20 };

/* ---- Asking PostgreSQL itself ------------------------------------------------------------------------------- */

static const char *address_of(const struct home *home)
{
	return home->place + strlen("postgres:");
}

static struct postgres *connect_to(const struct home *home)
{
	struct postgres *db = NULL;
	struct mrl_error error = {0};

	if (postgres_open(&db, address_of(home), POSTGRES_MIGRATES, NULL, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return db;
}

static int64_t ask(const struct home *home, const char *sql)
{
	struct postgres *db = connect_to(home);
	int64_t number = postgres_number(db, sql, WITHOUT, -1);
	struct mrl_error error = {0};

	if (postgres_status(db, &error) != MRL_OK)
		fail_msg("%s", error.message);
	postgres_close(db);
	return number;
}

static void tell(const struct home *home, const char *sql)
{
	struct postgres *db = connect_to(home);
	struct mrl_error error = {0};

	postgres_do(db, sql);
	if (postgres_status(db, &error) != MRL_OK)
		fail_msg("%s", error.message);
	postgres_close(db);
}

/* ---- Versions ----------------------------------------------------------------------------------------------- */

/* A history of versions that never was: the mechanism is tried with more steps than the program has. */
static const char *const step_1[] = {"CREATE TABLE a(x bigint)", "INSERT INTO a VALUES(1)", NULL};
static const char *const step_2[] = {"ALTER TABLE a ADD COLUMN y bigint", "UPDATE a SET y = x + 10", NULL};
static const char *const step_3[] = {"CREATE TABLE b(z bigint)", "INSERT INTO b SELECT y * 2 FROM a", NULL};
static const char *const step_wrong[] = {"CREATE TABLE c(z bigint)", "INSERT INTO nowhere VALUES(1)", NULL};
static const struct postgres_step steps[] = {{step_1}, {step_2}, {step_3}};
static const struct postgres_step steps_wrong[] = {{step_1}, {step_2}, {step_wrong}};

static enum mrl_status migrate(const struct home *home, const struct postgres_step *to, unsigned count,
			       struct mrl_error *error)
{
	struct postgres *db = connect_to(home);
	enum mrl_status status = postgres_migrate(db, to, count, error);

	postgres_close(db);
	return status;
}

static void every_version_leads_to_the_latest(void **state)
{
	(void)state;
	for (unsigned from = 0; from <= 3; from++) {
		void *home = NULL;

		assert_int_equal(home_make(&home), 0);
		assert_int_equal(migrate(home, steps, from, NULL), MRL_OK);
		assert_int_equal(migrate(home, steps, 3, NULL), MRL_OK);
		assert_int_equal(ask(home, "SELECT version FROM merels_version"), 3);
		assert_int_equal(ask(home, "SELECT sum(z)::bigint FROM b"), 22);
		/* Again is nothing. */
		assert_int_equal(migrate(home, steps, 3, NULL), MRL_OK);
		assert_int_equal(ask(home, "SELECT count(*) FROM b"), 1);
		assert_int_equal(home_remove(&home), 0);
	}
}

static void a_step_that_fails_leaves_the_version_before(void **state)
{
	struct mrl_error error = {0};

	assert_int_equal(migrate(*state, steps_wrong, 3, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "nowhere"));
	assert_int_equal(ask(*state, "SELECT version FROM merels_version"), 2);
	assert_int_equal(ask(*state, "SELECT (to_regclass('c') IS NULL)::int"), 1);
	assert_int_equal(migrate(*state, steps, 3, NULL), MRL_OK);
	assert_int_equal(ask(*state, "SELECT sum(z)::bigint FROM b"), 22);
}

static void the_store_opens_every_version_of_its_own(void **state)
{
	(void)state;
	for (unsigned from = 0; from <= postgres_step_count; from++) {
		void *home = NULL;
		struct mrl_store_change *change = mrl_change_new();
		struct mrl_store_game game = some_game(GAME, 0, 0);

		assert_int_equal(home_make(&home), 0);
		assert_int_equal(migrate(home, postgres_steps, from, NULL), MRL_OK);
		struct mrl_store *store = store_open(home);

		mrl_change_add_game(change, &game);
		must(store, change);
		assert_int_equal(count_events(store, GAME), 0);
		mrl_store_close(store);
		assert_int_equal(ask(home, "SELECT version FROM merels_version"), postgres_step_count);
		assert_int_equal(home_remove(&home), 0);
	}
}

static void a_newer_database_is_refused_with_both_versions(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store_settings settings = home_settings(*state);
	struct mrl_error error = {0};
	char words[128];

	mrl_store_close(store);
	tell(*state, "UPDATE merels_version SET version = 99");
	(void)snprintf(words, sizeof(words), "has version 99, and this program knows versions up to %u: use a newer",
		       postgres_step_count);
	for (unsigned i = 0; i < 2; i++) {
		settings.serve = i == 0;
		assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
		assert_non_null(strstr(error.message, words));
	}
	assert_int_equal(ask(*state, "SELECT version FROM merels_version"), 99);
}

static void a_schema_of_another_program_is_refused(void **state)
{
	struct mrl_store *store = NULL;
	struct mrl_store_settings settings = home_settings(*state);
	struct mrl_error error = {0};

	tell(*state, "CREATE TABLE bookmarks(url text)");
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "has tables of another program"));
	assert_int_equal(ask(*state, "SELECT (to_regclass('people') IS NULL)::int"), 1);
}

static void a_tool_does_not_migrate_under_a_running_server(void **state)
{
	struct mrl_store *server = store_open(*state);
	struct mrl_store *tool = NULL;
	struct mrl_store_settings settings = home_settings(*state);
	struct mrl_error error = {0};

	tell(*state, "UPDATE merels_version SET version = 0");
	settings.serve = false;
	assert_int_equal(mrl_store_open(&tool, &settings, &error), MRL_BUSY);
	assert_non_null(strstr(error.message, "another server is using this database"));
	assert_int_equal(ask(*state, "SELECT version FROM merels_version"), 0);
	mrl_store_close(server);
}

/* On another machine: the file that they would meet at is not the same. */
static void a_second_server_with_its_own_folder_is_refused(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store *other = NULL;
	struct mrl_store_settings settings = home_settings(*state);
	struct mrl_error error = {0};
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "%.400s/other-alive", ((struct home *)*state)->folder);
	settings.alive = path;
	assert_int_equal(mrl_store_open(&other, &settings, &error), MRL_BUSY);
	assert_non_null(strstr(error.message, "another server is using this database"));
	mrl_store_close(store);
	assert_int_equal(mrl_store_open(&other, &settings, &error), MRL_OK);
	mrl_store_close(other);
}

static void a_database_that_cannot_hold_every_text_is_refused(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = NULL;
	struct mrl_store_settings settings = home_settings(home);
	struct mrl_error error = {0};
	char place[PATH_BYTES];
	char sql[128];

	(void)snprintf(sql, sizeof(sql), "CREATE DATABASE %s ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'",
		       home->schema);
	tell(home, sql);
	(void)snprintf(place, sizeof(place), "%.300s dbname=%s", home->place, home->schema);
	settings.place = place;
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "another encoding than UTF8"));
	(void)snprintf(sql, sizeof(sql), "DROP DATABASE %s", home->schema);
	tell(home, sql);
}

/* ---- Connections that are lost ------------------------------------------------------------------------------ */

/* A store that speaks to PostgreSQL through somebody. */
struct line {
	struct between *between;
	char place[PATH_BYTES];
	struct mrl_store *store;
	uint32_t next;
};

static struct line make_line(const struct home *home, unsigned patience_ms)
{
	struct line line = {.next = 1};
	struct mrl_store_settings settings = home_settings(home);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_game(GAME, 0, 0);
	struct mrl_error error = {0};
	char there[PATH_BYTES] = "";

	(void)sscanf(home->place, "postgres:host=%400s", there);
	line.between = between_start(there, home->folder);
	assert_non_null(line.between);
	/* What is said last counts. */
	(void)snprintf(line.place, sizeof(line.place), "%.300s host=%.150s", home->place, home->folder);
	settings.place = line.place;
	settings.patience_ms = patience_ms;
	if (mrl_store_open(&line.store, &settings, &error) != MRL_OK)
		fail_msg("%s", error.message);
	mrl_change_add_game(change, &game);
	must(line.store, change);
	return line;
}

static void end_line(struct line *line)
{
	mrl_store_close(line->store);
	between_end(line->between);
}

static enum mrl_status append(struct line *line, struct mrl_error *error)
{
	struct mrl_store_change *change = mrl_change_new();
	const struct mrl_store_event event = {.number = line->next, .t = line->next, .wall = 1, .text = "turn"};

	mrl_change_append(change, GAME, &event);
	enum mrl_status status = commit(line->store, change, error);

	line->next += status == MRL_OK;
	return status;
}

static int64_t events_there(const struct home *home)
{
	return ask(home, "SELECT count(*) FROM events");
}

/* The database has it, and nobody was told: the writer finds out, and does not write it again. */
static void a_commit_whose_answer_was_lost_is_found_and_answered(void **state)
{
	struct line line = make_line(*state, 0);
	struct mrl_error error = {0};

	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(append(&line, NULL), MRL_OK);
		between_set(line.between, BETWEEN_DEAFENS);
		if (append(&line, &error) != MRL_OK)
			fail_msg("%s", error.message);
		assert_int_equal(between_cuts(line.between), i + 1);
		assert_int_equal(events_there(*state), line.next - 1);
	}
	assert_int_equal(mrl_store_trouble(line.store, NULL), MRL_OK);
	assert_int_equal(count_events(line.store, GAME), 6);
	end_line(&line);
}

/* The database never heard of it: it is written again. */
static void a_group_that_was_cut_off_is_written_again(void **state)
{
	struct line line = make_line(*state, 0);
	struct mrl_error error = {0};

	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(append(&line, NULL), MRL_OK);
		between_set(line.between, BETWEEN_MUTES);
		if (append(&line, &error) != MRL_OK)
			fail_msg("%s", error.message);
		assert_int_equal(between_cuts(line.between), i + 1);
		assert_int_equal(events_there(*state), line.next - 1);
	}
	assert_int_equal(count_events(line.store, GAME), 6);
	end_line(&line);
}

static void ignore(void *user, const struct mrl_store_answer *answer)
{
	unsigned *refused = user;

	*refused += answer->status != MRL_OK;
}

/* Groups of many, of which some cannot be, cut off anywhere. */
static void what_fails_alone_fails_alone_on_the_next_connection_too(void **state)
{
	struct line line = make_line(*state, 0);
	enum between_mood moods[] = {BETWEEN_MUTES, BETWEEN_DEAFENS};

	for (unsigned round = 0; round < 6; round++) {
		unsigned refused = 0;

		between_set(line.between, moods[round % 2]);
		for (unsigned i = 0; i < 90; i++) {
			struct mrl_store_change *change = mrl_change_new();
			bool right = i % 3 != 0;
			const struct mrl_store_event event = {
			    .number = right ? line.next++ : line.next + 7, .t = 1, .wall = 1, .text = "turn"};

			mrl_change_append(change, GAME, &event);
			assert_int_equal(mrl_store_submit(line.store, change, ignore, &refused, NULL), MRL_OK);
		}
		mrl_store_wait(line.store);
		assert_int_equal(refused, 30);
		assert_int_equal(events_there(*state), line.next - 1);
	}
	assert_int_equal(count_events(line.store, GAME), 360);
	end_line(&line);
}

static void sessions_that_are_ended_are_replaced_and_nobody_notices(void **state)
{
	static const char end[] = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
				  "WHERE application_name = 'merels' AND pid <> pg_backend_pid()";
	struct line line = make_line(*state, 0);

	for (unsigned round = 0; round < ROUNDS; round++) {
		if (round % 5 == 2)
			assert_true(ask(*state, end) >= 1); /* those that were needed since */
		assert_int_equal(append(&line, NULL), MRL_OK);
		assert_int_equal(count_events(line.store, GAME), line.next - 1);
	}
	end_line(&line);
}

static void wait_until_well(struct mrl_store *store)
{
	uint64_t until = mrl_clock_now() + UINT64_C(30000000000);

	while (mrl_store_trouble(store, NULL) != MRL_OK) {
		assert_true(mrl_clock_now() < until);
		(void)mrl_socket_wait(-1, false, false, mrl_clock_now() + 10 * POSTGRES_MS);
	}
}

static void a_database_that_stays_away_is_told_and_refused_at_once(void **state)
{
	struct line line = make_line(*state, 300);
	struct mrl_error error = {0};
	struct look look = {0};

	between_set(line.between, BETWEEN_REFUSES);
	assert_int_equal(append(&line, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "PostgreSQL"));
	assert_int_equal(mrl_store_trouble(line.store, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "PostgreSQL"));
	/* Having waited in vain once, it does not wait for each: hundreds are refused in no time. */
	for (unsigned i = 0; i < 200; i++)
		assert_int_equal(append(&line, NULL), MRL_SYSTEM);
	expect_answer(line.store, &look, mrl_store_load_game(line.store, GAME, 1, look_done, &look), MRL_SYSTEM);
	assert_int_equal(events_there(*state), 0);
	/* It comes back by itself, without anything to write. */
	between_set(line.between, BETWEEN_PASSES);
	wait_until_well(line.store);
	assert_int_equal(append(&line, NULL), MRL_OK);
	assert_int_equal(events_there(*state), 1);
	end_line(&line);
}

static void what_waits_for_a_database_that_is_away_is_refused_when_the_store_closes(void **state)
{
	struct line line = make_line(*state, 600000);
	struct mrl_store_change *change = mrl_change_new();
	unsigned refused = 0;

	between_set(line.between, BETWEEN_REFUSES);
	mrl_change_append(change, GAME, &(struct mrl_store_event){.number = 1, .t = 1, .text = "turn"});
	assert_int_equal(mrl_store_submit(line.store, change, ignore, &refused, NULL), MRL_OK);
	mrl_store_close(line.store);
	assert_int_equal(refused, 1);
	assert_int_equal(events_there(*state), 0);
	between_end(line.between);
}

/* ---- Databases that cannot be written to -------------------------------------------------------------------- */

static void a_database_that_is_read_only_is_told_and_is_well_again_by_itself(void **state)
{
	static const char end[] = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
				  "WHERE application_name = 'merels' AND pid <> pg_backend_pid()";
	struct line line = make_line(*state, 300);
	struct home writable = *(struct home *)*state;
	struct mrl_error error = {0};

	tell(*state, "ALTER ROLE merels SET default_transaction_read_only = on");
	(void)ask(*state, end);
	assert_int_equal(append(&line, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "PostgreSQL is read-only"));
	assert_int_equal(mrl_store_trouble(line.store, NULL), MRL_SYSTEM);
	/* What is there can be read all the while. */
	assert_int_equal(count_events(line.store, GAME), 0);
	/* Or nobody could say so. */
	(void)snprintf(writable.place, sizeof(writable.place), "%.400s\\ -cdefault_transaction_read_only=off",
		       ((struct home *)*state)->place);
	tell(&writable, "ALTER ROLE merels RESET default_transaction_read_only");
	wait_until_well(line.store);
	assert_int_equal(append(&line, NULL), MRL_OK);
	assert_int_equal(count_events(line.store, GAME), 1);
	end_line(&line);
}

static void a_version_that_changed_meanwhile_stops_the_writing(void **state)
{
	static const char end[] = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
				  "WHERE application_name = 'merels' AND pid <> pg_backend_pid()";
	struct line line = make_line(*state, 300);
	struct mrl_error error = {0};

	tell(*state, "UPDATE merels_version SET version = 99");
	(void)ask(*state, end);
	assert_int_equal(append(&line, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "has version 99"));
	assert_int_equal(events_there(*state), 0);
	end_line(&line);
}

/* An index that is gone, say: nothing is done by halves. */
static void a_table_that_is_missing_is_told(void **state)
{
	struct line line = make_line(*state, 300);
	struct mrl_error error = {0};

	tell(*state, "ALTER TABLE events RENAME TO gone");
	assert_int_equal(append(&line, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "events"));
	tell(*state, "ALTER TABLE gone RENAME TO events");
	assert_int_equal(append(&line, NULL), MRL_OK);
	end_line(&line);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(every_version_leads_to_the_latest),
	    TEST(a_step_that_fails_leaves_the_version_before),
	    TEST(the_store_opens_every_version_of_its_own),
	    TEST(a_newer_database_is_refused_with_both_versions),
	    TEST(a_schema_of_another_program_is_refused),
	    TEST(a_tool_does_not_migrate_under_a_running_server),
	    TEST(a_second_server_with_its_own_folder_is_refused),
	    TEST(a_database_that_cannot_hold_every_text_is_refused),
	    TEST(a_commit_whose_answer_was_lost_is_found_and_answered),
	    TEST(a_group_that_was_cut_off_is_written_again),
	    TEST(what_fails_alone_fails_alone_on_the_next_connection_too),
	    TEST(sessions_that_are_ended_are_replaced_and_nobody_notices),
	    TEST(a_database_that_stays_away_is_told_and_refused_at_once),
	    TEST(what_waits_for_a_database_that_is_away_is_refused_when_the_store_closes),
	    TEST(a_database_that_is_read_only_is_told_and_is_well_again_by_itself),
	    TEST(a_version_that_changed_meanwhile_stops_the_writing),
	    TEST(a_table_that_is_missing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
