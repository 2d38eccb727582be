/* Games, their events and ratings: in order, once, and all of a change or nothing. */
#include "support.h"

enum { ANNA = 11, BERT = 12, GAME = 77 };

static struct mrl_store *with_game(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	struct mrl_store_game game = some_game(GAME, ANNA, BERT);
	struct mrl_store_change *change = mrl_change_new();

	add_account(store, ANNA, "Anna");
	add_account(store, BERT, "Bert");
	mrl_change_add_game(change, &game);
	must(store, change);
	return store;
}

static void append(struct mrl_store_change *change, uint64_t game, uint32_t number, const char *text)
{
	mrl_change_append(change, game,
			  &(struct mrl_store_event){.number = number, .t = number * 10, .wall = 5, .text = text});
}

static enum mrl_status append_one(struct mrl_store *store, uint64_t game, uint32_t number)
{
	struct mrl_store_change *change = mrl_change_new();

	append(change, game, number, "turn d2");
	return commit(store, change, NULL);
}

static void numbers_have_no_gap_and_come_once(void **state)
{
	struct mrl_store *store = with_game(*state);

	assert_int_equal(append_one(store, GAME, 2), MRL_CONFLICT);
	assert_int_equal(append_one(store, GAME, 1), MRL_OK);
	assert_int_equal(append_one(store, GAME, 1), MRL_CONFLICT);
	assert_int_equal(append_one(store, GAME, 3), MRL_CONFLICT);
	assert_int_equal(append_one(store, GAME, 2), MRL_OK);
	assert_int_equal(append_one(store, GAME + 1, 1), MRL_MISSING);
	assert_int_equal(append_one(store, GAME + 1, 2), MRL_MISSING);
	assert_int_equal(count_events(store, GAME), 2);
	mrl_store_close(store);
}

static void look_at_game(void *context, const struct mrl_store_answer *answer)
{
	const struct mrl_store_game *game = answer->games;

	(void)context;
	assert_int_equal(answer->game_count, 1);
	assert_int_equal(game->id, UINT64_C(0xfedcba9876543210));
	assert_int_equal(game->state, MRL_STORE_ENDED);
	assert_string_equal(game->rules, "nine,fly=0");
	assert_int_equal(game->owner, 0);
	assert_true(game->rated);
	assert_true(game->is_private);
	assert_int_equal(game->speed, 3);
	assert_int_equal(game->base_ms, 0);
	assert_int_equal(game->increment_ms, 0);
	assert_int_equal(game->days, 7);
	assert_int_equal(game->created, 1);
	assert_int_equal(game->started, 2);
	assert_int_equal(game->ended, 3);
	assert_int_equal(game->outcome, MRL_STORE_BLACK_WINS);
	assert_string_equal(game->reason, "stuck");
	assert_int_equal(game->plies, 61);
	assert_string_equal(game->opening, "d2 f4xa1");
	assert_int_equal(game->white.kind, MRL_STORE_PERSON);
	assert_int_equal(game->white.person, ANNA);
	assert_string_equal(game->white.name, "Anna");
	assert_int_equal(game->white.person_kind, MRL_STORE_ACCOUNT);
	assert_true(game->white.has_rating && game->white.has_change);
	assert_true(game->white.rating == 1512.25 && game->white.deviation == 80.5 && game->white.change == -7.75);
	assert_int_equal(game->black.kind, MRL_STORE_COMPUTER);
	assert_int_equal(game->black.person, 0);
	assert_int_equal(game->black.level, 9);
	assert_false(game->black.has_rating || game->black.has_change);
	assert_int_equal(game->event_count, 2);
	assert_int_equal(game->events[0].number, 2);
	assert_int_equal(game->events[0].t, 20);
	assert_int_equal(game->events[0].wall, 5);
	assert_string_equal(game->events[0].text, "joined \xc3\xa9");
	assert_string_equal(game->events[1].text, "ended");
}

static void a_game_comes_back_as_it_was_put(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_game game = {
	    .id = UINT64_C(0xfedcba9876543210),
	    .state = MRL_STORE_ENDED,
	    .rules = "nine,fly=0",
	    .rated = true,
	    .is_private = true,
	    .speed = 3,
	    .days = 7,
	    .created = 1,
	    .started = 2,
	    .ended = 3,
	    .outcome = MRL_STORE_BLACK_WINS,
	    .reason = "stuck",
	    .plies = 61,
	    .opening = "d2 f4xa1",
	    .white = {.kind = MRL_STORE_PERSON,
		      .person = ANNA,
		      .has_rating = true,
		      .has_change = true,
		      .rating = 1512.25,
		      .deviation = 80.5,
		      .change = -7.75},
	    .black = {.kind = MRL_STORE_COMPUTER, .level = 9},
	};
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_game};

	mrl_change_add_game(change, &game);
	append(change, game.id, 1, "created");
	append(change, game.id, 2, "joined \xc3\xa9");
	append(change, game.id, 3, "ended");
	must(store, change);
	expect_answer(store, &look, mrl_store_load_game(store, game.id, 2, look_done, &look), MRL_OK);
	mrl_store_close(store);
	/* And so it does for another process. */
	store = store_open(*state);
	expect_answer(store, &look, mrl_store_load_game(store, game.id, 2, look_done, &look), MRL_OK);
	look.at = NULL;
	expect_answer(store, &look, mrl_store_load_game(store, 5, 1, look_done, &look), MRL_MISSING);
	assert_int_equal(mrl_store_load_game(store, 0, 1, look_done, &look), MRL_RANGE);
	mrl_store_close(store);
}

static struct mrl_store_rating rating_of(uint64_t person, uint32_t games, double rating)
{
	return (struct mrl_store_rating){.person = person,
					 .rules = "nine",
					 .speed = 1,
					 .rating = rating,
					 .deviation = 90,
					 .volatility = 0.06,
					 .games = games,
					 .wins = games,
					 .changed = 100 + games,
					 .game = GAME};
}

static void look_at_ratings(void *context, const struct mrl_store_answer *answer)
{
	*(size_t *)context = answer->rating_count;
	for (size_t i = 0; i < answer->rating_count; i++)
		assert_string_equal(answer->ratings[i].rules, "nine");
}

static size_t count_ratings(struct mrl_store *store, uint64_t one, uint64_t other)
{
	size_t count = 99;
	struct look look = {.at = look_at_ratings, .context = &count};

	expect_answer(store, &look, mrl_store_find_ratings(store, one, other, "nine", 1, look_done, &look), MRL_OK);
	return count;
}

/* The end of a rated game: its last event, its summary, and both ratings. */
static struct mrl_store_change *make_end(uint32_t number, uint32_t games_of_bert)
{
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_ended(GAME, ANNA, BERT, 5000, MRL_STORE_WHITE_WINS);
	struct mrl_store_rating anna = rating_of(ANNA, 1, 1600);
	struct mrl_store_rating bert = rating_of(BERT, games_of_bert, 1400);

	append(change, GAME, number, "ended white few-men");
	mrl_change_put_game(change, &game);
	mrl_change_set_rating(change, &anna);
	mrl_change_set_rating(change, &bert);
	return change;
}

static void look_at_state(void *context, const struct mrl_store_answer *answer)
{
	*(enum mrl_store_state *)context = answer->games[0].state;
}

static enum mrl_store_state state_of(struct mrl_store *store)
{
	enum mrl_store_state state = MRL_STORE_ABORTED;
	struct look look = {.at = look_at_state, .context = &state};

	expect_answer(store, &look, mrl_store_load_game(store, GAME, UINT32_MAX, look_done, &look), MRL_OK);
	return state;
}

static void an_end_with_its_ratings_is_whole_or_not_there(void **state)
{
	struct mrl_store *store = with_game(*state);

	assert_int_equal(append_one(store, GAME, 1), MRL_OK);
	/* The last of four things is wrong: nothing of the first three is there. */
	assert_int_equal(commit(store, make_end(2, 2), NULL), MRL_CONFLICT);
	assert_int_equal(count_events(store, GAME), 1);
	assert_int_equal(count_ratings(store, ANNA, BERT), 0);
	assert_int_equal(state_of(store), MRL_STORE_PLAYING);
	/* Nor is anything when the first is. */
	assert_int_equal(commit(store, make_end(1, 1), NULL), MRL_CONFLICT);
	assert_int_equal(count_ratings(store, ANNA, BERT), 0);
	assert_int_equal(commit(store, make_end(2, 1), NULL), MRL_OK);
	assert_int_equal(count_events(store, GAME), 2);
	assert_int_equal(count_ratings(store, ANNA, BERT), 2);
	assert_int_equal(state_of(store), MRL_STORE_ENDED);
	mrl_store_close(store);
}

static void keep_failed(void *user, const struct mrl_store_answer *answer)
{
	*(size_t *)user = answer->failed;
}

static void an_answer_says_which_thing_failed(void **state)
{
	struct mrl_store *store = with_game(*state);
	size_t failed = 99;

	assert_int_equal(mrl_store_submit(store, make_end(1, 7), keep_failed, &failed, NULL), MRL_OK);
	mrl_store_wait(store);
	assert_int_equal(failed, 3);
	mrl_store_close(store);
}

static void a_change_that_fails_does_not_harm_its_neighbours(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct look looks[60] = {0};

	/* Submitted at once, so that many of them are in one group; the second thing of every third is wrong. */
	for (uint32_t i = 0, number = 1; i < 60; i++) {
		struct mrl_store_change *change = mrl_change_new();

		append(change, GAME, number, "turn");
		append(change, GAME, i % 3 == 2 ? number + 2 : number + 1, "turn");
		number += i % 3 == 2 ? 0 : 2;
		assert_int_equal(mrl_store_submit(store, change, look_done, &looks[i], NULL), MRL_OK);
	}
	mrl_store_wait(store);
	for (uint32_t i = 0; i < 60; i++)
		assert_int_equal(looks[i].status, i % 3 == 2 ? MRL_CONFLICT : MRL_OK);
	assert_int_equal(count_events(store, GAME), 80);
	mrl_store_close(store);
}

static void an_ended_game_stays_ended(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_game game = some_game(GAME, ANNA, BERT);
	struct mrl_store_change *change;

	must(store, make_end(1, 1));
	change = mrl_change_new();
	mrl_change_put_game(change, &game);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	change = mrl_change_new();
	mrl_change_remove_game(change, GAME);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	/* But what is said after it is an event like any. */
	assert_int_equal(append_one(store, GAME, 2), MRL_OK);
	change = mrl_change_new();
	game = some_game(GAME + 1, ANNA, BERT);
	mrl_change_put_game(change, &game);
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	mrl_store_close(store);
}

static void a_game_of_somebody_unknown_is_refused(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_game game = some_game(GAME + 1, ANNA, 999);
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_add_game(change, &game);
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	change = mrl_change_new();
	game = some_game(GAME, ANNA, BERT);
	mrl_change_add_game(change, &game);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	mrl_store_close(store);
}

static void a_game_never_played_is_forgotten_with_its_events(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_game game = some_game(GAME + 1, 0, 0);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {0};

	game.state = MRL_STORE_OPEN;
	game.started = 0;
	mrl_change_add_game(change, &game);
	append(change, GAME + 1, 1, "created");
	must(store, change);
	change = mrl_change_new();
	mrl_change_remove_game(change, GAME + 1);
	mrl_change_remove_game(change, GAME + 2);
	must(store, change);
	expect_answer(store, &look, mrl_store_load_game(store, GAME + 1, 1, look_done, &look), MRL_MISSING);
	change = mrl_change_new();
	mrl_change_add_game(change, &game);
	must(store, change);
	assert_int_equal(count_events(store, GAME + 1), 0);
	change = mrl_change_new();
	mrl_change_remove_game(change, GAME);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	mrl_store_close(store);
}

static void look_at_rating(void *context, const struct mrl_store_answer *answer)
{
	*(struct mrl_store_rating *)context = answer->ratings[0];
}

static void look_at_points(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->point_count, 2);
	assert_true(answer->more);
	assert_true(answer->points[0].rating == 1600 && answer->points[1].rating == 1500);
	assert_int_equal(answer->points[0].wall, 101);
}

static void look_at_last_points(void *context, const struct mrl_store_answer *answer)
{
	const size_t *count = context;

	assert_int_equal(answer->point_count, *count);
	assert_int_equal(answer->more, *count < 3);
	assert_true(answer->points[*count - 1].rating == 1550 && answer->points[*count - 2].rating == 1500);
	assert_true(!answer->points[0].is_private);
}

static void look_at_private_point(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->point_count, 2);
	assert_true(!answer->points[0].is_private && answer->points[1].is_private);
}

static void a_point_tells_whether_its_game_is_private(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game hidden = some_game(GAME + 1, 0, 0);
	struct mrl_store_rating rating = rating_of(ANNA, 1, 1500);
	struct look look = {.at = look_at_private_point};

	hidden.is_private = true;
	mrl_change_add_game(change, &hidden);
	rating.game = GAME;
	mrl_change_set_rating(change, &rating);
	rating = rating_of(ANNA, 2, 1510);
	rating.game = GAME + 1;
	mrl_change_set_rating(change, &rating);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_last_points(store, ANNA, "nine", 1, 9, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

static void a_rating_keeps_its_best_and_its_graph(void **state)
{
	static const double values[] = {1600, 1500, 1550};
	struct mrl_store *store = with_game(*state);
	struct mrl_store_rating rating;
	struct look look = {.at = look_at_rating, .context = &rating};

	for (uint32_t i = 0; i < 3; i++) {
		struct mrl_store_change *change = mrl_change_new();

		rating = rating_of(ANNA, i + 1, values[i]);
		mrl_change_set_rating(change, &rating);
		must(store, change);
	}
	/* A result computed from what is no longer so. */
	struct mrl_store_change *change = mrl_change_new();

	rating = rating_of(ANNA, 3, 1700);
	mrl_change_set_rating(change, &rating);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	expect_answer(store, &look, mrl_store_list_ratings(store, ANNA, look_done, &look), MRL_OK);
	assert_true(rating.rating == 1550 && rating.best == 1600 && rating.games == 3);
	look = (struct look){.at = look_at_points};
	expect_answer(store, &look, mrl_store_list_points(store, ANNA, "nine", 1, 0, 2, look_done, &look), MRL_OK);
	/* The end of it, in the same order. */
	for (size_t count = 2; count <= 3; count++) {
		look = (struct look){.at = look_at_last_points, .context = &count};
		expect_answer(store, &look,
			      mrl_store_list_last_points(store, ANNA, "nine", 1, (unsigned)count, look_done, &look),
			      MRL_OK);
	}
	mrl_store_close(store);
}

struct leaders {
	uint64_t ids[64];
	size_t count;
	struct mrl_store_key next;
	bool more;
};

static void look_at_leaders(void *context, const struct mrl_store_answer *answer)
{
	struct leaders *leaders = context;

	for (size_t i = 0; i < answer->rating_count; i++)
		leaders->ids[leaders->count++] = answer->ratings[i].person;
	leaders->more = answer->more;
	leaders->next = answer->next;
}

static void leaders_come_in_pages_and_only_those_who_are_settled(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct leaders leaders = {.more = true};
	struct look look = {.at = look_at_leaders, .context = &leaders};
	const struct mrl_store_key *after = NULL;

	for (uint64_t i = 0; i < 20; i++) {
		char name[16];
		struct mrl_store_change *change = mrl_change_new();
		/* Two each have the same rating; one is provisional, one has not played lately. */
		struct mrl_store_rating rating = rating_of(100 + i, 1, 1500 + (double)(i / 2));

		(void)snprintf(name, sizeof(name), "Player%u", (unsigned)i);
		add_account(store, 100 + i, name);
		if (i == 7)
			rating.deviation = 200;
		if (i == 8)
			rating.changed = 5;
		mrl_change_set_rating(change, &rating);
		must(store, change);
	}
	while (leaders.more) {
		expect_answer(store, &look,
			      mrl_store_list_leaders(store, "nine", 1, 110, 50, after, 4, look_done, &look), MRL_OK);
		after = &leaders.next;
	}
	assert_int_equal(leaders.count, 18);
	for (size_t i = 0, id = 119; i < 18; i++, id--) {
		while (id == 107 || id == 108)
			id--;
		assert_int_equal(leaders.ids[i], id);
	}
	mrl_store_close(store);
}

static void what_is_out_of_range_is_refused_at_once(void **state)
{
	static char longer[MRL_STORE_EVENT_MOST + 2];
	struct mrl_store *store = with_game(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_error error = {0};

	memset(longer, 'x', sizeof(longer) - 1);
	append(change, GAME, 1, longer);
	assert_int_equal(mrl_store_submit(store, change, NULL, NULL, &error), MRL_RANGE);
	assert_string_equal(error.message, "an event has 4097 bytes; the store keeps at most 4096");
	longer[MRL_STORE_EVENT_MOST] = '\0';
	change = mrl_change_new();
	append(change, GAME, 1, longer);
	assert_int_equal(commit(store, change, NULL), MRL_OK);
	change = mrl_change_new();
	append(change, 0, 1, "x");
	assert_int_equal(mrl_store_submit(store, change, NULL, NULL, &error), MRL_RANGE);
	assert_string_equal(error.message, "the id of a game must not be 0");
	change = mrl_change_new();
	append(change, GAME, 2, "");
	assert_int_equal(mrl_store_submit(store, change, NULL, NULL, NULL), MRL_RANGE);
	assert_int_equal(mrl_store_submit(store, mrl_change_new(), NULL, NULL, NULL), MRL_RANGE);
	assert_int_equal(mrl_store_submit(store, NULL, NULL, NULL, NULL), MRL_SPACE);
	mrl_store_close(store);
}

static void look_at_current(void *context, const struct mrl_store_answer *answer)
{
	uint64_t *ids = context;

	assert_int_equal(answer->game_count, 3);
	for (size_t i = 0; i < 3; i++)
		ids[i] = answer->games[i].id;
}

static void current_games_are_those_played_and_those_offered(void **state)
{
	struct mrl_store *store = with_game(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game offered = some_game(GAME + 1, 0, 0);
	struct mrl_store_game played = some_game(GAME + 2, BERT, ANNA);
	struct mrl_store_game over = some_ended(GAME + 3, ANNA, BERT, 9, MRL_STORE_DRAW);
	struct mrl_store_game others = some_game(GAME + 4, BERT, 0);
	uint64_t ids[3] = {0};
	struct look look = {.at = look_at_current, .context = ids};

	offered.owner = ANNA;
	offered.state = MRL_STORE_OPEN;
	offered.created = 3000;
	played.created = 2000;
	mrl_change_add_game(change, &offered);
	mrl_change_add_game(change, &played);
	mrl_change_add_game(change, &over);
	mrl_change_add_game(change, &others);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_current(store, ANNA, look_done, &look), MRL_OK);
	assert_int_equal(ids[0], GAME + 1);
	assert_int_equal(ids[1], GAME + 2);
	assert_int_equal(ids[2], GAME);
	mrl_store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(numbers_have_no_gap_and_come_once),
	    TEST(a_game_comes_back_as_it_was_put),
	    TEST(an_end_with_its_ratings_is_whole_or_not_there),
	    TEST(an_answer_says_which_thing_failed),
	    TEST(a_change_that_fails_does_not_harm_its_neighbours),
	    TEST(an_ended_game_stays_ended),
	    TEST(a_game_of_somebody_unknown_is_refused),
	    TEST(a_game_never_played_is_forgotten_with_its_events),
	    TEST(a_point_tells_whether_its_game_is_private),
	    TEST(a_rating_keeps_its_best_and_its_graph),
	    TEST(leaders_come_in_pages_and_only_those_who_are_settled),
	    TEST(what_is_out_of_range_is_refused_at_once),
	    TEST(current_games_are_those_played_and_those_offered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
