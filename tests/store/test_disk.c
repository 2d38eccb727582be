/*
 * A disk that fails or is full, at every moment there is: nothing acknowledged is lost, what is refused is not there,
 * the reason is said, and all is well when the disk is.
 */
#include "support.h"

#include "faulty.h"
#include "sqlite.h"

enum { GAMES = 5, ROUNDS = 4, ANNA = 11 };

static struct mrl_store_change *one_event(uint64_t game, uint32_t number)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_append(change, game, &(struct mrl_store_event){.number = number, .t = number, .text = "turn d2"});
	return change;
}

struct write {
	enum mrl_status status;
	char message[MRL_ERROR_MESSAGE_SIZE];
};

static void keep_status(void *user, const struct mrl_store_answer *answer)
{
	struct write *write = user;

	write->status = answer->status;
	(void)snprintf(write->message, sizeof(write->message), "%s", answer->message);
}

/* How many events of each game were acknowledged. */
struct ledger {
	uint32_t events[GAMES + 1];
	unsigned refused;
	struct write last_refused;
};

/*
 * Appends to every game at once, a few times, as long as `rounds` says. What is refused is not counted, so the next
 * round asks for the same number again.
 */
static void play(struct mrl_store *store, struct ledger *ledger, unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++) {
		struct write writes[GAMES + 1];

		for (uint64_t game = 1; game <= GAMES; game++)
			assert_int_equal(mrl_store_submit(store, one_event(game, ledger->events[game] + 1), keep_status,
							  &writes[game], NULL),
					 MRL_OK);
		mrl_store_wait(store);
		for (uint64_t game = 1; game <= GAMES; game++) {
			if (writes[game].status == MRL_OK) {
				ledger->events[game]++;
				continue;
			}
			ledger->refused++;
			ledger->last_refused = writes[game];
		}
	}
}

static void expect_ledger(struct mrl_store *store, const struct ledger *ledger)
{
	for (uint64_t game = 1; game <= GAMES; game++)
		assert_int_equal(count_events(store, game), ledger->events[game]);
}

static struct mrl_store *with_games(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	struct mrl_store_change *change = mrl_change_new();

	add_account(store, ANNA, "Anna");
	for (uint64_t id = 1; id <= GAMES; id++) {
		struct mrl_store_game game = some_game(id, 0, 0);

		mrl_change_add_game(change, &game);
	}
	must(store, change);
	return store;
}

static void copy_file(const char *from, const char *to)
{
	static char buffer[1 << 16];
	FILE *in = fopen(from, "rb");
	FILE *out = fopen(to, "wb");
	size_t count;

	if (in != NULL) {
		assert_non_null(out);
		while ((count = fread(buffer, 1, sizeof(buffer), in)) > 0)
			assert_int_equal(fwrite(buffer, 1, count, out), count);
		(void)fclose(in);
	}
	if (out != NULL)
		assert_int_equal(fclose(out), 0);
}

/* What a process that is killed now would leave: the files as they are, opened by another. */
static void expect_ledger_after_a_kill(const struct home *home, const struct ledger *ledger)
{
	struct home left = *home;
	char from[PATH_BYTES];
	char to[PATH_BYTES];

	(void)snprintf(left.place, sizeof(left.place), "%.400s/left.db", home->folder);
	copy_file(home->place + strlen("sqlite:"), left.place);
	(void)snprintf(from, sizeof(from), "%.400s/merels.db-wal", home->folder);
	(void)snprintf(to, sizeof(to), "%.400s/left.db-wal", home->folder);
	copy_file(from, to);
	(void)snprintf(to, sizeof(to), "%.400s/left.db-shm", home->folder);
	(void)remove(to);
	struct mrl_store *store = store_open(&left);

	expect_ledger(store, ledger);
	mrl_store_close(store);
}

/* One fault at the `after`-th operation; false when there was none so late. */
static bool fail_once(const struct home *home, enum fault fault, unsigned after, unsigned times,
		      enum mrl_status expected, const char *words)
{
	struct mrl_store *store = with_games(home);
	struct ledger ledger = {0};
	struct mrl_error error = {0};

	play(store, &ledger, 1);
	faulty_fail(fault, after, times);
	play(store, &ledger, ROUNDS);
	bool failed = faulty_heal() > 0;

	if (failed && ledger.refused > 0) {
		if (ledger.last_refused.status != expected)
			fail_msg("%s: %s", mrl_status_name(ledger.last_refused.status), ledger.last_refused.message);
		assert_non_null(strstr(ledger.last_refused.message, words));
	}
	expect_ledger(store, &ledger);
	unsigned refused = ledger.refused;

	play(store, &ledger, 2);
	assert_int_equal(ledger.refused, refused);
	assert_int_equal(mrl_store_trouble(store, &error), MRL_OK);
	expect_ledger(store, &ledger);
	expect_ledger_after_a_kill(home, &ledger);
	mrl_store_close(store);
	store = store_open(home);
	expect_ledger(store, &ledger);
	mrl_store_close(store);
	return failed;
}

static void fail_everywhere(enum fault fault, unsigned times, enum mrl_status expected, const char *words)
{
	unsigned after = 0;
	bool failed = true;

	while (failed) {
		void *state = NULL;

		assert_int_equal(home_make(&state), 0);
		failed = fail_once(state, fault, ++after, times, expected, words);
		assert_int_equal(home_remove(&state), 0);
	}
	/* Each round has something written and synced. */
	assert_true(after > ROUNDS);
}

static void a_write_that_fails_loses_nothing(void **state)
{
	(void)state;
	fail_everywhere(FAULT_WRITE, 1, MRL_SYSTEM, "disk I/O error");
	fail_everywhere(FAULT_WRITE, 7, MRL_SYSTEM, "disk I/O error");
}

static void a_write_that_fails_in_the_middle_loses_nothing(void **state)
{
	(void)state;
	fail_everywhere(FAULT_TORN, 1, MRL_SYSTEM, "disk I/O error");
}

static void a_sync_that_fails_loses_nothing(void **state)
{
	(void)state;
	fail_everywhere(FAULT_SYNC, 1, MRL_SYSTEM, "disk I/O error");
	fail_everywhere(FAULT_SYNC, 2, MRL_SYSTEM, "disk I/O error");
}

static void a_full_disk_loses_nothing_and_is_called_full(void **state)
{
	(void)state;
	fail_everywhere(FAULT_FULL, 1, MRL_FULL, "the disk is full");
	fail_everywhere(FAULT_FULL, 9, MRL_FULL, "the disk is full");
}

static void see_unsynced(void *user, const struct mrl_store_answer *answer)
{
	assert_int_equal(answer->status, MRL_OK);
	*(unsigned *)user = faulty_unsynced();
}

static void an_answer_comes_when_the_log_is_synced(void **state)
{
	struct mrl_store *store = with_games(*state);

	/* One at a time, so that what is not synced can only be its own. */
	for (uint32_t number = 1; number <= 50; number++) {
		unsigned unsynced = 1;

		assert_int_equal(mrl_store_submit(store, one_event(1, number), see_unsynced, &unsynced, NULL), MRL_OK);
		mrl_store_wait(store);
		assert_int_equal(unsynced, 0);
	}
	mrl_store_close(store);
}

static void trouble_is_told_until_it_is_over(void **state)
{
	struct mrl_store *store = with_games(*state);
	struct ledger ledger = {0};
	struct mrl_error error = {0};

	assert_int_equal(mrl_store_trouble(store, &error), MRL_OK);
	assert_string_equal(error.message, "");
	faulty_fail(FAULT_FULL, 1, 1000000);
	play(store, &ledger, 3);
	assert_int_equal(ledger.refused, 3 * GAMES);
	assert_int_equal(mrl_store_trouble(store, &error), MRL_FULL);
	assert_non_null(strstr(error.message, "the disk is full"));
	/* What can be read can be read. */
	expect_ledger(store, &ledger);
	(void)faulty_heal();
	play(store, &ledger, 1);
	assert_int_equal(mrl_store_trouble(store, &error), MRL_OK);
	assert_int_equal(ledger.events[1], 1);
	mrl_store_close(store);
}

static void a_disk_that_is_gone_for_a_while_comes_back(void **state)
{
	struct mrl_store *store = with_games(*state);
	struct ledger ledger = {0};

	/* The connection that failed is opened anew, which fails as well, until it does not. */
	faulty_fail(FAULT_OPEN, 1, 1000000);
	play(store, &ledger, 3);
	assert_int_equal(ledger.refused, 3 * GAMES);
	assert_int_equal(ledger.last_refused.status, MRL_SYSTEM);
	assert_non_null(strstr(ledger.last_refused.message, "unable to open"));
	(void)faulty_heal();
	play(store, &ledger, 2);
	assert_int_equal(ledger.refused, 3 * GAMES);
	expect_ledger(store, &ledger);
	mrl_store_close(store);
}

static void writing_back_may_fail_as_long_as_the_log_can_be_written(void **state)
{
	static char value[MRL_STORE_VALUE_MOST + 1];
	struct mrl_store *store = with_games(*state);
	struct ledger ledger = {0};

	memset(value, 'x', sizeof(value) - 1);
	faulty_fail(FAULT_HOME, 1, 1000000);
	/* Enough for the log to be written back several times. */
	for (unsigned i = 0; i < 1200; i++) {
		char key[16];
		struct mrl_store_change *change = mrl_change_new();

		(void)snprintf(key, sizeof(key), "key%u", i);
		mrl_change_set_setting(change, ANNA, key, value);
		assert_int_equal(mrl_store_submit(store, change, NULL, NULL, NULL), MRL_OK);
	}
	play(store, &ledger, 2);
	assert_int_equal(ledger.refused, 0);
	assert_true(faulty_heal() > 0);
	expect_ledger_after_a_kill(*state, &ledger);
	play(store, &ledger, 2);
	mrl_store_close(store);
	store = store_open(*state);
	expect_ledger(store, &ledger);
	mrl_store_close(store);
}

/* How often the log has begun anew: four bytes of its header. */
static unsigned log_age(const struct home *home)
{
	unsigned char header[16] = {0};
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "%.400s/merels.db-wal", home->folder);
	FILE *log = fopen(path, "rb");

	assert_non_null(log);
	assert_int_equal(fread(header, 1, sizeof(header), log), sizeof(header));
	(void)fclose(log);
	return (unsigned)header[12] << 24 | (unsigned)header[13] << 16 | (unsigned)header[14] << 8 | header[15];
}

/* Some megabytes of settings, in groups. */
static void write_much(struct mrl_store *store, unsigned count)
{
	static char value[MRL_STORE_VALUE_MOST + 1];
	static unsigned written;

	for (unsigned i = 0; i < count; i++, written++) {
		char key[16];
		struct mrl_store_change *change = mrl_change_new();

		/* Pages that stay as they are would not be written. */
		memset(value, 'a' + (int)(written % 26), sizeof(value) - 1);
		(void)snprintf(key, sizeof(key), "key%u", written % 500);
		mrl_change_set_setting(change, ANNA, key, value);
		while (mrl_store_waiting(store) >= 48)
			(void)mrl_store_poll(store);
		assert_int_equal(mrl_store_submit(store, change, NULL, NULL, NULL), MRL_OK);
	}
	mrl_store_wait(store);
}

static void the_log_begins_anew_when_no_reader_needs_it(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = with_games(home);
	struct sqlite *reader = NULL;
	unsigned age = log_age(home);

	/* Somebody who reads for a long time needs all that was written since. */
	assert_int_equal(sqlite_open(&reader, home->place + strlen("sqlite:"), MODE_READ, NULL), MRL_OK);
	assert_int_equal(sqlite3_exec(reader->handle, "BEGIN; SELECT count(*) FROM games", NULL, NULL, NULL),
			 SQLITE_OK);
	write_much(store, 2200);
	assert_int_equal(log_age(home), age);
	sqlite_close(reader);
	/* The log is more than twice as long as it should be, and is tried again after an eighth of that. */
	write_much(store, 600);
	assert_true(log_age(home) > age);
	mrl_store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(a_write_that_fails_loses_nothing),
	    TEST(a_write_that_fails_in_the_middle_loses_nothing),
	    TEST(a_sync_that_fails_loses_nothing),
	    TEST(a_full_disk_loses_nothing_and_is_called_full),
	    TEST(an_answer_comes_when_the_log_is_synced),
	    TEST(trouble_is_told_until_it_is_over),
	    TEST(a_disk_that_is_gone_for_a_while_comes_back),
	    TEST(writing_back_may_fail_as_long_as_the_log_can_be_written),
	    TEST(the_log_begins_anew_when_no_reader_needs_it),
	};

	faulty_register();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
