/* Several servers on one database: who may append to a game, and who may take it. On SQLite: who is alone has all. */
#include "support.h"

#include <merels/store_node.h>
#include <os/clock.h>
#include <os/socket.h>
#include <os/thread.h>

enum { GAME = 77, OTHER = 78, LEASE_MS = 1500 };

static bool has_nodes(void)
{
	return getenv("MERELS_TEST_POSTGRES") != NULL;
}

static void rest(unsigned ms)
{
	(void)mrl_socket_wait(-1, false, false, mrl_clock_now() + (uint64_t)ms * 1000000);
}

/* ---- Nodes -------------------------------------------------------------------------------------------------- */

static enum mrl_status open_node(const struct home *home, const char *name, uint64_t id, struct mrl_store **store,
				 struct mrl_error *error)
{
	char alive[PATH_BYTES + 32];
	struct mrl_store_settings settings = home_settings(home);

	(void)snprintf(alive, sizeof(alive), "%s/alive-%llu", home->folder, (unsigned long long)id);
	settings.alive = alive;
	settings.node = name;
	settings.node_id = id;
	settings.lease_ms = LEASE_MS;
	return mrl_store_open(store, &settings, error);
}

static struct mrl_store *node(const struct home *home, const char *name, uint64_t id)
{
	struct mrl_store *store = NULL;
	struct mrl_error error = {0};

	if (open_node(home, name, id, &store, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return store;
}

static enum mrl_status beat(struct mrl_store *store, uint64_t t)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_beat(change, t, false, "");
	return commit(store, change, NULL);
}

/* Both say that they are there for so long. */
static void live(struct mrl_store *one, struct mrl_store *other, unsigned ms)
{
	for (unsigned passed = 0; passed < ms; passed += 250) {
		if (one != NULL)
			assert_int_equal(beat(one, 1000 + passed), MRL_OK);
		if (other != NULL)
			assert_int_equal(beat(other, 5000 + passed), MRL_OK);
		rest(250);
	}
}

static enum mrl_status append(struct mrl_store *store, uint64_t game, uint32_t number, uint64_t t, uint64_t fence)
{
	struct mrl_store_change *change = mrl_change_new();
	const struct mrl_store_event event = {.number = number, .t = t, .wall = 1, .text = "e", .fence = fence};

	mrl_change_append(change, game, &event);
	return commit(store, change, NULL);
}

static void make(struct mrl_store *store, uint64_t game)
{
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game made = some_game(game, 0, 0);
	const struct mrl_store_event event = {.number = 1, .t = 10, .wall = 1, .text = "e", .fence = 1};

	mrl_change_add_game(change, &made);
	mrl_change_append(change, game, &event);
	must(store, change);
}

static void keep_owner(void *context, const struct mrl_store_answer *answer)
{
	struct mrl_store_owner *owner = context;

	*owner = answer->owner_count > 0 ? answer->owners[0] : (struct mrl_store_owner){0};
	owner->name = NULL;
}

static struct mrl_store_owner take(struct mrl_store *store, uint64_t game, uint64_t t)
{
	struct mrl_store_owner owner = {0};
	struct look look = {.at = keep_owner, .context = &owner};
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_take(change, game, t);
	expect_answer(store, &look, mrl_store_submit(store, change, look_done, &look, NULL), MRL_OK);
	return owner;
}

static void release(struct mrl_store *store, uint64_t game, uint64_t fence, uint64_t t)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_release(change, game, fence, t);
	must(store, change);
}

/* ---- The rules ---------------------------------------------------------------------------------------------- */

static void who_is_alone_owns_what_it_takes(void **state)
{
	struct mrl_store *store = store_open(*state);

	make(store, GAME);
	struct mrl_store_owner owner = take(store, GAME, 50);

	assert_int_equal(mrl_store_node_id(store), 0);
	assert_int_equal(owner.fence, 1);
	assert_int_equal(owner.node, 0);
	assert_true(owner.alive);
	assert_int_equal(append(store, GAME, 2, 60, owner.fence), MRL_OK);
	assert_int_equal(beat(store, 70), MRL_OK);
	release(store, GAME, 1, 80);
	assert_int_equal(append(store, GAME, 3, 90, 1), MRL_OK);
	mrl_store_close(store);
}

static void a_file_has_no_nodes(void **state)
{
	struct mrl_store *store = NULL;
	struct mrl_error error = {0};

	if (has_nodes())
		return;
	assert_int_equal(open_node(*state, "a", 1, &store, &error), MRL_UNSUPPORTED);
	assert_non_null(strstr(error.message, "PostgreSQL"));
}

static void who_makes_a_game_owns_it(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);

	make(a, GAME);
	assert_int_equal(append(b, GAME, 2, 20, 1), MRL_TAKEN);
	struct mrl_store_owner owner = take(b, GAME, 0);

	assert_int_equal(owner.node, 11);
	assert_true(owner.alive);
	assert_int_equal(append(a, GAME, 2, 20, 1), MRL_OK);
	assert_int_equal(append(b, GAME, 3, 20, owner.fence), MRL_TAKEN);
	assert_int_equal(count_events(a, GAME), 2);
	assert_int_equal(mrl_store_club(a), mrl_store_club(b));
	assert_int_not_equal(mrl_store_club(a), 0);
	mrl_store_close(a);
	mrl_store_close(b);
}

static void a_released_game_goes_on_where_it_stood(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);

	make(a, GAME);
	release(a, GAME, 1, 4321);
	assert_int_equal(append(a, GAME, 2, 20, 1), MRL_TAKEN);
	rest(50);
	struct mrl_store_owner owner = take(b, GAME, 100);

	assert_int_equal(owner.node, 12);
	assert_int_equal(owner.t, 4321);
	assert_true(owner.fence > 1);
	/* The fence counts too, and not the owner alone. */
	assert_int_equal(append(b, GAME, 2, 4400, 1), MRL_TAKEN);
	assert_int_equal(append(b, GAME, 2, 4400, owner.fence), MRL_OK);
	assert_int_equal(append(a, GAME, 3, 4400, owner.fence), MRL_TAKEN);
	mrl_store_close(a);
	mrl_store_close(b);
}

static void a_paused_node_loses_its_games_and_writes_nothing(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);

	make(a, GAME);
	live(a, b, 2250);
	assert_int_equal(take(b, GAME, 0).node, 11);
	assert_int_equal(beat(a, 9000), MRL_OK);
	/* Nothing is heard of a for longer than its lease. */
	live(NULL, b, LEASE_MS + 500);
	struct mrl_store_owner owner = take(b, GAME, 100);

	assert_int_equal(owner.node, 12);
	/* As far as a said it was, which is later than the last event. */
	assert_int_equal(owner.t, 9000);
	assert_int_equal(append(a, GAME, 2, 99000, 1), MRL_TAKEN);
	assert_int_equal(append(b, GAME, 2, 9100, owner.fence), MRL_OK);
	/* It is well again, and may not take back what lives elsewhere. */
	assert_int_equal(beat(a, 99000), MRL_OK);
	assert_int_equal(append(a, GAME, 3, 99000, 1), MRL_TAKEN);
	assert_int_equal(take(a, GAME, 99000).node, 12);
	assert_int_equal(count_events(a, GAME), 2);
	mrl_store_close(a);
	mrl_store_close(b);
}

/* As when PostgreSQL was away: all leases have run out, and whoever comes first must not take everything. */
static void who_was_away_itself_takes_nothing_at_once(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);

	make(a, GAME);
	live(a, b, 500);
	rest(LEASE_MS + 200);
	assert_int_equal(beat(b, 7000), MRL_OK);
	struct mrl_store_owner owner = take(b, GAME, 7000);

	assert_int_equal(owner.node, 11);
	assert_false(owner.alive);
	assert_int_equal(append(a, GAME, 2, 20, 1), MRL_OK);
	mrl_store_close(a);
	mrl_store_close(b);
}

/* Nobody has taken its place, though another one came, or came back, when its lease had run out. */
static void who_was_away_without_games_is_still_a_node(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);

	assert_int_equal(beat(a, 1000), MRL_OK);
	rest(LEASE_MS + 200);
	struct mrl_store *b = node(*state, "b", 12);

	assert_int_equal(beat(a, 2000), MRL_OK);
	mrl_store_close(a);
	mrl_store_close(b);
}

static void games_of_a_node_that_is_gone_are_adopted(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);
	struct look look = {0};
	struct mrl_store_owner owner = {0};

	make(a, GAME);
	make(a, OTHER);
	live(a, b, 250);
	live(NULL, b, LEASE_MS + 2500);
	look.at = keep_owner;
	look.context = &owner;
	for (unsigned i = 0; i < 2; i++) {
		struct mrl_store_change *change = mrl_change_new();

		mrl_change_adopt(change, 11, 1, 0);
		expect_answer(b, &look, mrl_store_submit(b, change, look_done, &look, NULL), MRL_OK);
		assert_int_equal(owner.node, 12);
	}
	assert_int_equal(append(a, GAME, 2, 20, 1), MRL_TAKEN);
	assert_int_equal(append(a, OTHER, 2, 20, 1), MRL_TAKEN);
	mrl_store_close(a);
	mrl_store_close(b);
}

static void two_nodes_of_one_name_are_not(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *other = NULL;
	struct mrl_error error = {0};

	/* Opening waits a little longer than a lease, in case the first was killed: so it must be said to be there. */
	mrl_store_close(a);
	struct mrl_store_settings settings = home_settings(*state);

	settings.node = "a";
	settings.node_id = 13;
	settings.lease_ms = 60000;
	assert_int_equal(mrl_store_open(&a, &settings, &error), MRL_OK);
	assert_int_equal(open_node(*state, "a", 14, &other, &error), MRL_BUSY);
	assert_non_null(strstr(error.message, "name"));
	mrl_store_close(a);
}

struct opening {
	const struct home *home;
	const char *name;
	uint64_t id;
	struct mrl_store *store;
	enum mrl_status status;
	struct mrl_error error;
};

static void open_one(void *context)
{
	struct opening *opening = context;

	opening->status = open_node(opening->home, opening->name, opening->id, &opening->store, &opening->error);
}

/* One of them makes the tables, and the others wait for that. */
static void nodes_may_be_started_together_on_an_empty_database(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	struct opening openings[3] = {{0}};
	struct mrl_thread *threads[3];

	if (!has_nodes())
		return;
	for (unsigned i = 0; i < 3; i++) {
		openings[i].home = *state;
		openings[i].name = names[i];
		openings[i].id = 11 + i;
		threads[i] = mrl_thread_start(open_one, &openings[i]);
		assert_non_null(threads[i]);
	}
	for (unsigned i = 0; i < 3; i++)
		mrl_thread_join(threads[i]);
	for (unsigned i = 0; i < 3; i++) {
		if (openings[i].status != MRL_OK)
			fail_msg("node %s: %s", names[i], openings[i].error.message);
		mrl_store_close(openings[i].store);
	}
}

static void nodes_and_a_server_alone_do_not_mix(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *other = NULL;
	struct mrl_error error = {0};
	struct mrl_store_settings settings = home_settings(*state);

	assert_int_equal(mrl_store_open(&other, &settings, &error), MRL_BUSY);
	mrl_store_close(a);
	struct mrl_store *alone = store_open(*state);

	assert_int_equal(open_node(*state, "a", 15, &other, &error), MRL_BUSY);
	assert_non_null(strstr(error.message, "alone"));
	mrl_store_close(alone);
}

static void keep_owners(void *context, const struct mrl_store_answer *answer)
{
	struct mrl_store_owner *kept = context;

	for (size_t i = 0; i < answer->owner_count; i++) {
		struct mrl_store_owner *one = &kept[answer->owners[i].game == GAME ? 0 : 1];

		assert_int_equal(one->game, 0);
		*one = answer->owners[i];
	}
}

/* What a node has to know after it heard nothing for a while, of all its games at once. */
static void owners_and_last_events_are_told_of_many_games_at_once(void **state)
{
	static const uint64_t games[] = {GAME, OTHER, 79};
	struct mrl_store_owner found[2] = {{0}};
	struct look look = {.at = keep_owners, .context = found};

	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);

	make(a, GAME);
	make(a, OTHER);
	assert_int_equal(append(a, GAME, 2, 20, 1), MRL_OK);
	release(a, OTHER, 1, 30);
	expect_answer(a, &look, mrl_store_find_owners(a, games, 3, look_done, &look), MRL_OK);
	assert_int_equal(found[0].node, 11);
	assert_int_equal(found[0].number, 2);
	assert_int_equal(found[0].fence, 1);
	assert_true(found[0].alive);
	assert_int_equal(found[1].node, 0);
	assert_int_equal(found[1].number, 1);
	assert_int_equal(found[1].t, 30);
	assert_false(found[1].alive);
	assert_int_equal(mrl_store_find_owners(a, games, 0, look_done, &look), MRL_RANGE);
	mrl_store_close(a);
}

static void the_lobby_has_one_owner(void **state)
{
	if (!has_nodes())
		return;
	struct mrl_store *a = node(*state, "a", 11);
	struct mrl_store *b = node(*state, "b", 12);

	assert_int_equal(take(a, MRL_STORE_LOBBY, 0).node, 11);
	assert_int_equal(take(b, MRL_STORE_LOBBY, 0).node, 11);
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_leave(change, 0);
	must(a, change);
	assert_int_equal(take(b, MRL_STORE_LOBBY, 0).node, 12);
	mrl_store_close(a);
	mrl_store_close(b);
}

int main(void)
{
#define RULE(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    RULE(who_is_alone_owns_what_it_takes),
	    RULE(a_file_has_no_nodes),
	    RULE(who_makes_a_game_owns_it),
	    RULE(a_released_game_goes_on_where_it_stood),
	    RULE(a_paused_node_loses_its_games_and_writes_nothing),
	    RULE(who_was_away_itself_takes_nothing_at_once),
	    RULE(who_was_away_without_games_is_still_a_node),
	    RULE(games_of_a_node_that_is_gone_are_adopted),
	    RULE(two_nodes_of_one_name_are_not),
	    RULE(nodes_may_be_started_together_on_an_empty_database),
	    RULE(nodes_and_a_server_alone_do_not_mix),
	    RULE(owners_and_last_events_are_told_of_many_games_at_once),
	    RULE(the_lobby_has_one_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
