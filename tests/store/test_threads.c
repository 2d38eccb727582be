/* What waits: order, bounds, being woken, closing in the middle, and two who want the same database. */
#include "support.h"

#include <os/thread.h>

enum { ANNA = 11, GAME = 77, MANY = 400, THREADS = 4 };

static struct mrl_store *open_with(const struct home *home, struct mrl_store_settings settings)
{
	struct mrl_store *store = NULL;
	struct mrl_error error = {0};

	settings.place = home->place;
	settings.alive = home_settings(home).alive;
	if (mrl_store_open(&store, &settings, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return store;
}

static void add_game(struct mrl_store *store, uint64_t id)
{
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_game(id, 0, 0);

	mrl_change_add_game(change, &game);
	must(store, change);
}

static struct mrl_store_change *one_event(uint64_t game, uint32_t number)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_append(change, game, &(struct mrl_store_event){.number = number, .t = number, .text = "turn"});
	return change;
}

struct order {
	struct mrl_store *store;
	unsigned next;
	unsigned wrong;
	unsigned refused; /* submitted from within a callback, and not taken */
	bool submit;
};

struct item {
	struct order *order;
	unsigned number;
	enum mrl_status status;
};

static void note_order(void *user, const struct mrl_store_answer *answer)
{
	struct item *item = user;
	struct order *order = item->order;

	item->status = answer->status;
	order->wrong += item->number != order->next;
	order->next++;
	if (order->submit && mrl_store_submit(order->store, one_event(GAME, 1), NULL, NULL, NULL) == MRL_STOPPED)
		order->refused++;
}

static struct order order_of;
static struct item items[MANY];

/* Submits many events of one game, in order, without polling. */
static void submit_many(struct mrl_store *store)
{
	order_of = (struct order){.store = store};
	for (unsigned i = 0; i < MANY; i++) {
		items[i] = (struct item){.order = &order_of, .number = i, .status = MRL_SYNTAX};
		assert_int_equal(mrl_store_submit(store, one_event(GAME, i + 1), note_order, &items[i], NULL), MRL_OK);
	}
}

static void answers_come_in_the_order_of_the_writes(void **state)
{
	struct mrl_store *store = open_with(*state, (struct mrl_store_settings){.serve = true, .most_group = 7});

	add_game(store, GAME);
	submit_many(store);
	mrl_store_wait(store);
	assert_int_equal(order_of.next, MANY);
	assert_int_equal(order_of.wrong, 0);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(items[i].status, MRL_OK);
	assert_int_equal(mrl_store_waiting(store), 0);
	assert_int_equal(count_events(store, GAME), MANY);
	mrl_store_close(store);
}

static void closing_commits_what_waits_and_answers_it(void **state)
{
	struct mrl_store *store = open_with(*state, (struct mrl_store_settings){.serve = true, .most_group = 7});

	add_game(store, GAME);
	submit_many(store);
	order_of.submit = true;
	mrl_store_close(store);
	assert_int_equal(order_of.next, MANY);
	assert_int_equal(order_of.wrong, 0);
	/* Who wants to write more meanwhile is told. */
	assert_int_equal(order_of.refused, MANY);
	store = store_open(*state);
	assert_int_equal(count_events(store, GAME), MANY);
	mrl_store_close(store);
}

static void closing_answers_reads_that_wait(void **state)
{
	static struct look looks[MANY];
	struct mrl_store *store = store_open(*state);
	struct mrl_store_search search = {0};

	add_game(store, GAME);
	memset(looks, 0, sizeof(looks));
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(i % 2 == 0 ? mrl_store_load_game(store, GAME, 1, look_done, &looks[i])
					    : mrl_store_list_games(store, &search, true, NULL, 9, look_done, &looks[i]),
				 MRL_OK);
	mrl_store_close(store);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(looks[i].asked, 1);
		assert_true(looks[i].status == MRL_OK || looks[i].status == MRL_STOPPED);
	}
}

static void too_many_writes_are_refused_and_the_others_are_done(void **state)
{
	struct mrl_store *store = open_with(*state, (struct mrl_store_settings){.serve = true, .most_writes = 3});
	struct mrl_error error = {0};
	struct look look = {0};
	unsigned taken = 0;
	enum mrl_status status = MRL_OK;

	add_game(store, GAME);
	/* Memory is filled faster than a disk is synced; sooner or later there are three. */
	while (status == MRL_OK) {
		status = mrl_store_submit(store, one_event(GAME, taken + 1), look_done, &look, &error);
		taken += status == MRL_OK;
	}
	assert_int_equal(status, MRL_BUSY);
	assert_string_equal(error.message, "too much is waiting to be stored; try again later");
	mrl_store_wait(store);
	assert_int_equal(look.asked, taken);
	assert_int_equal(count_events(store, GAME), taken);
	/* Then there is room again. */
	assert_int_equal(commit(store, one_event(GAME, taken + 1), NULL), MRL_OK);
	mrl_store_close(store);
}

static void too_many_bytes_are_refused(void **state)
{
	struct mrl_store *store = open_with(*state, (struct mrl_store_settings){.serve = true, .most_bytes = 100000});
	static char value[MRL_STORE_VALUE_MOST + 1];
	enum mrl_status status = MRL_OK;

	add_account(store, ANNA, "Anna");
	memset(value, 'x', sizeof(value) - 1);
	while (status == MRL_OK) {
		struct mrl_store_change *change = mrl_change_new();

		mrl_change_set_setting(change, ANNA, "key", value);
		mrl_change_set_setting(change, ANNA, "other", value);
		status = mrl_store_submit(store, change, NULL, NULL, NULL);
	}
	assert_int_equal(status, MRL_BUSY);
	mrl_store_close(store);
}

static void too_many_reads_are_refused(void **state)
{
	struct mrl_store *store = open_with(*state, (struct mrl_store_settings){.serve = true, .most_reads = 2});
	struct mrl_store_search search = {0};
	struct look look = {0};
	unsigned taken = 0;
	enum mrl_status status = MRL_OK;

	while (status == MRL_OK) {
		status = mrl_store_list_games(store, &search, false, NULL, 1, look_done, &look);
		taken += status == MRL_OK;
	}
	assert_int_equal(status, MRL_BUSY);
	mrl_store_wait(store);
	assert_int_equal(look.asked, taken);
	mrl_store_close(store);
}

/* ---- Threads ------------------------------------------------------------------------------------------------ */

struct bell {
	struct mrl_monitor *monitor;
	bool rung;
	unsigned times;
};

static void ring(void *context)
{
	struct bell *bell = context;

	mrl_monitor_enter(bell->monitor);
	bell->rung = true;
	bell->times++;
	mrl_monitor_wake(bell->monitor);
	mrl_monitor_leave(bell->monitor);
}

static void wait_for(struct bell *bell)
{
	mrl_monitor_enter(bell->monitor);
	while (!bell->rung)
		mrl_monitor_wait(bell->monitor);
	bell->rung = false;
	mrl_monitor_leave(bell->monitor);
}

struct submitter {
	struct mrl_store *store;
	uint64_t game;
	unsigned answered; /* the polling thread's */
	unsigned good;
};

static void count_good(void *user, const struct mrl_store_answer *answer)
{
	struct submitter *submitter = user;

	submitter->answered++;
	submitter->good += answer->status == MRL_OK;
}

static void submit_from_thread(void *of)
{
	struct submitter *submitter = of;

	for (uint32_t i = 0; i < MANY; i++) {
		if (mrl_store_submit(submitter->store, one_event(submitter->game, i + 1), count_good, submitter,
				     NULL) != MRL_OK)
			return;
		if (i % 8 == 0 && mrl_store_load_game(submitter->store, submitter->game, 1, NULL, NULL) != MRL_OK)
			return;
	}
}

static void any_thread_may_submit_and_a_wake_is_enough_to_hear_of_it(void **state)
{
	struct bell bell = {.monitor = mrl_monitor_new()};
	struct mrl_store *store =
	    open_with(*state, (struct mrl_store_settings){.serve = true, .wake = ring, .context = &bell});
	struct submitter submitters[THREADS];
	struct mrl_thread *threads[THREADS];
	unsigned answered = 0;

	for (unsigned i = 0; i < THREADS; i++)
		add_game(store, GAME + i);
	mrl_monitor_enter(bell.monitor);
	bell.rung = false;
	mrl_monitor_leave(bell.monitor);
	for (unsigned i = 0; i < THREADS; i++) {
		submitters[i] = (struct submitter){.store = store, .game = GAME + i};
		threads[i] = mrl_thread_start(submit_from_thread, &submitters[i]);
		assert_non_null(threads[i]);
	}
	/* Only ever polled when told to: what came without a bell would be missed for ever. */
	while (answered < THREADS * MANY) {
		wait_for(&bell);
		(void)mrl_store_poll(store);
		mrl_store_keep_time(store, answered);
		answered = 0;
		for (unsigned i = 0; i < THREADS; i++)
			answered += submitters[i].answered;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		mrl_thread_join(threads[i]);
		assert_int_equal(submitters[i].good, MANY);
	}
	mrl_store_wait(store);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(count_events(store, GAME + i), MANY);
	mrl_store_close(store);
	mrl_monitor_free(bell.monitor);
}

struct reread {
	struct mrl_store *store;
	struct look look;
	size_t events;
};

static void keep_count(void *context, const struct mrl_store_answer *answer)
{
	*(size_t *)context = answer->games[0].event_count;
}

static void read_at_once(void *user, const struct mrl_store_answer *answer)
{
	struct reread *reread = user;

	assert_int_equal(answer->status, MRL_OK);
	assert_int_equal(mrl_store_load_game(reread->store, GAME, 1, look_done, &reread->look), MRL_OK);
}

static void a_read_sees_every_write_that_was_answered(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct reread reread = {.store = store};

	add_game(store, GAME);
	reread.look = (struct look){.at = keep_count, .context = &reread.events};
	for (uint32_t i = 1; i <= 50; i++) {
		assert_int_equal(mrl_store_submit(store, one_event(GAME, i), read_at_once, &reread, NULL), MRL_OK);
		mrl_store_wait(store);
		assert_int_equal(reread.events, i);
	}
	mrl_store_close(store);
}

/* ---- Two who want the same database ------------------------------------------------------------------------- */

static void a_second_server_is_refused_and_a_tool_is_not(void **state)
{
	const struct home *home = *state;
	struct mrl_store *store = store_open(home);
	struct mrl_store *other = NULL;
	struct mrl_store_settings settings = home_settings(home);
	struct mrl_error error = {0};

	add_game(store, GAME);
	assert_int_equal(mrl_store_open(&other, &settings, &error), MRL_BUSY);
	assert_non_null(strstr(error.message, "another server is using this database"));
	other = open_with(home, (struct mrl_store_settings){.serve = false});
	assert_int_equal(commit(other, one_event(GAME, 1), NULL), MRL_OK);
	assert_int_equal(commit(store, one_event(GAME, 2), NULL), MRL_OK);
	assert_int_equal(commit(other, one_event(GAME, 2), NULL), MRL_CONFLICT);
	assert_int_equal(count_events(other, GAME), 2);
	mrl_store_close(other);
	mrl_store_close(store);
	store = store_open(home);
	assert_int_equal(count_events(store, GAME), 2);
	mrl_store_close(store);
}

static void a_place_that_cannot_be_is_said(void **state)
{
	struct mrl_store *store = NULL;
	struct mrl_error error = {0};
	struct mrl_store_settings settings = {.place = "/nowhere/at/all.db", .serve = true};

	(void)state;
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "/nowhere/at/all.db"));
	settings.serve = false;
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_SYSTEM);
	settings.place = "sqlite:";
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_NAME);
	settings.place = "postgres:";
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_NAME);
	settings.place = "postgres:host=/nowhere/at/all dbname=club password=secret";
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "PostgreSQL cannot be reached"));
	assert_null(strstr(error.message, "secret"));
	/* There is no place beside it for the file of service time. */
	settings.serve = true;
	assert_int_equal(mrl_store_open(&store, &settings, &error), MRL_NAME);
	assert_non_null(strstr(error.message, "needs a file for its time"));
	assert_null(store);
	mrl_store_close(NULL);
}

static void a_place_is_shown_without_its_password(void **state)
{
	static const char *const places[][2] = {
	    {"sqlite:club.db", "sqlite:club.db"},
	    {"./club:a.db", "./club:a.db"},
	    {"postgresql://anna:secret@db/club", "postgresql://anna@db/club"},
	    {"postgres://anna@db:5433/club?sslmode=require", "postgres://anna@db:5433/club"},
	    {"postgresql:///club?password=secret&host=/run&user=a", "postgresql:///club?host=/run&user=a"},
	    {"postgres:postgresql://:secret@/club", "postgresql://@/club"},
	    {"postgresql://db:5433/club", "postgresql://db:5433/club"},
	    {"postgres:host=/run dbname=club password=secret port=1", "PostgreSQL host=/run dbname=club port=1"},
	    {"postgres:host=/run password = secret", "PostgreSQL host=/run"},
	    {"postgres:host=/run password='a user=secret' dbname=club", "PostgreSQL host=/run"},
	    {"postgres:dbname=postgres://a:secret@h/club", "PostgreSQL"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char text[100];

		mrl_store_show_place(places[i][0], text, sizeof(text));
		assert_string_equal(text, places[i][1]);
		assert_int_equal(mrl_store_check_place(places[i][0], NULL), MRL_OK);
	}
	assert_int_equal(mrl_store_check_place("club:a.db", NULL), MRL_NAME);
	assert_int_equal(mrl_store_check_place("c:a.db", NULL), MRL_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(answers_come_in_the_order_of_the_writes),
	    TEST(closing_commits_what_waits_and_answers_it),
	    TEST(closing_answers_reads_that_wait),
	    TEST(too_many_writes_are_refused_and_the_others_are_done),
	    TEST(too_many_bytes_are_refused),
	    TEST(too_many_reads_are_refused),
	    TEST(any_thread_may_submit_and_a_wake_is_enough_to_hear_of_it),
	    TEST(a_read_sees_every_write_that_was_answered),
	    TEST(a_second_server_is_refused_and_a_tool_is_not),
	    TEST(a_place_that_cannot_be_is_said),
	    TEST(a_place_is_shown_without_its_password),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
