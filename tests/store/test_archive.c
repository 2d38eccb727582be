/*
 * The archive against a plain list of the same games: every search finds exactly what it should, in order, whatever the
 * size of its pages; and streams.
 */
#include "support.h"

enum { PEOPLE = 6, GAMES = 400, SEARCHES = 1500 };

static struct mrl_store_game games[GAMES];

static void make_games(uint64_t *random)
{
	static const char *const rules[] = {"nine", "six", "nine,fly=0"};
	static const char *const openings[] = {"d2",          "d2 f4",    "d2 f4 d6",   "d2 f4 d6 b4",
					       "d2 f4 d6xa1", "d6 f4 b4", "d2 f4xa1 b4"};

	for (size_t i = 0; i < GAMES; i++) {
		struct mrl_store_game game = some_ended(
		    next_random(random) | 1, next_random(random) % PEOPLE + 1, next_random(random) % PEOPLE + 1,
		    (int64_t)(next_random(random) % 100 + 1000), 1 + next_random(random) % 3);

		game.rules = rules[next_random(random) % 3];
		game.speed = next_random(random) % 4;
		game.rated = next_random(random) % 2 == 0;
		game.is_private = next_random(random) % 8 == 0;
		game.opening = openings[next_random(random) % 7];
		if (next_random(random) % 16 == 0)
			game.black = (struct mrl_store_seat){.kind = MRL_STORE_COMPUTER, .level = 3};
		if (next_random(random) % 16 == 0) {
			game.state = MRL_STORE_PLAYING;
			game.ended = 0;
		} else if (next_random(random) % 16 == 0) {
			game.state = MRL_STORE_ABORTED;
		}
		games[i] = game;
	}
}

static struct mrl_store *with_games(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	struct mrl_store_change *change = mrl_change_new();

	for (uint64_t i = 1; i <= PEOPLE; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "Player%u", (unsigned)i);
		add_account(store, i, name);
	}
	for (size_t i = 0; i < GAMES; i++) {
		mrl_change_add_game(change, &games[i]);
		for (uint32_t number = 1; number <= i % 4; number++)
			mrl_change_append(change, games[i].id,
					  &(struct mrl_store_event){.number = number, .t = 1, .text = "turn"});
	}
	must(store, change);
	return store;
}

/* The same question, asked of a game without a database. */
static bool matches(const struct mrl_store_game *game, const struct mrl_store_search *search)
{
	bool with_white = game->white.person == search->person;
	bool with_black = game->black.person == search->person;
	size_t length = strlen(search->opening);

	if (game->state != MRL_STORE_ENDED)
		return false;
	if (game->is_private && (search->person == 0 || search->viewer != search->person))
		return false;
	if (search->person != 0) {
		uint64_t other = with_white ? game->black.person : game->white.person;

		if (!with_white && !with_black)
			return false;
		if (search->opponent != 0 && other != search->opponent)
			return false;
	}
	if (search->rules[0] != '\0' && strcmp(search->rules, game->rules) != 0)
		return false;
	if (search->speeds != 0 && (search->speeds >> game->speed & 1) == 0)
		return false;
	if ((search->rated && !game->rated) || (search->from != 0 && game->ended < search->from) ||
	    (search->until != 0 && game->ended >= search->until))
		return false;
	if (length > 0 && (strncmp(game->opening, search->opening, length) != 0 ||
			   (game->opening[length] != '\0' && game->opening[length] != ' ')))
		return false;
	switch (search->result) {
	case MRL_STORE_RESULT_ANY:
		return true;
	case MRL_STORE_RESULT_WHITE:
		return game->outcome == MRL_STORE_WHITE_WINS;
	case MRL_STORE_RESULT_BLACK:
		return game->outcome == MRL_STORE_BLACK_WINS;
	case MRL_STORE_RESULT_DRAW:
		return game->outcome == MRL_STORE_DRAW;
	case MRL_STORE_RESULT_WON:
		return search->person != 0 &&
		       game->outcome == (with_white ? MRL_STORE_WHITE_WINS : MRL_STORE_BLACK_WINS);
	default:
		return search->person != 0 &&
		       game->outcome == (with_white ? MRL_STORE_BLACK_WINS : MRL_STORE_WHITE_WINS);
	}
}

static int by_end(const void *left, const void *right)
{
	const struct mrl_store_game *a = *(const struct mrl_store_game *const *)left;
	const struct mrl_store_game *b = *(const struct mrl_store_game *const *)right;

	if (a->ended != b->ended)
		return a->ended < b->ended ? -1 : 1;
	/* Ids are ordered as the database has them. */
	return (int64_t)a->id < (int64_t)b->id ? -1 : (int64_t)a->id > (int64_t)b->id;
}

static size_t find_plainly(const struct mrl_store_search *search, const struct mrl_store_game *found[GAMES])
{
	size_t count = 0;

	for (size_t i = 0; i < GAMES; i++)
		if (matches(&games[i], search))
			found[count++] = &games[i];
	qsort(found, count, sizeof(found[0]), by_end);
	for (size_t i = 0; !search->oldest_first && i < count / 2; i++) {
		const struct mrl_store_game *first = found[i];

		found[i] = found[count - 1 - i];
		found[count - 1 - i] = first;
	}
	return count;
}

struct list {
	uint64_t ids[GAMES];
	size_t count;
	size_t pages;
	bool more;
	bool events;
	struct mrl_store_key next;
};

static const struct mrl_store_game *game_of(uint64_t id)
{
	for (size_t i = 0; i < GAMES; i++)
		if (games[i].id == id)
			return &games[i];
	fail();
	return NULL;
}

static void look_at_page(void *context, const struct mrl_store_answer *answer)
{
	struct list *list = context;

	for (size_t i = 0; i < answer->game_count; i++) {
		const struct mrl_store_game *game = &answer->games[i];
		const struct mrl_store_game *was = game_of(game->id);

		assert_true(list->count < GAMES);
		list->ids[list->count++] = game->id;
		assert_string_equal(game->opening, was->opening);
		assert_int_equal(game->white.person, was->white.person);
		assert_int_equal(game->event_count, list->events ? (size_t)(was - games) % 4 : 0);
	}
	list->pages++;
	list->more = answer->more;
	list->next = answer->next;
}

static struct mrl_store_search random_search(uint64_t *random)
{
	static const char *const rules[] = {"", "nine", "six", "nine,fly=0", "twelve"};
	static const char *const openings[] = {"", "", "d2", "d2 f4", "d2 f4 d6", "d2 f4 d6 b4", "d2 f4xa1", "b4"};

	return (struct mrl_store_search){
	    .person = next_random(random) % 3 == 0 ? 0 : next_random(random) % PEOPLE + 1,
	    .viewer = next_random(random) % 3,
	    .rules = rules[next_random(random) % 5],
	    .result = next_random(random) % 6,
	    .speeds = next_random(random) % 2 == 0 ? 0 : (unsigned)(next_random(random) % 16),
	    .rated = next_random(random) % 3 == 0,
	    .from = next_random(random) % 2 == 0 ? 0 : (int64_t)(1000 + next_random(random) % 100),
	    .until = next_random(random) % 2 == 0 ? 0 : (int64_t)(1000 + next_random(random) % 100),
	    .opening = openings[next_random(random) % 8],
	    .oldest_first = next_random(random) % 2 == 0,
	};
}

static void every_search_finds_what_a_plain_look_does(void **state)
{
	uint64_t random = UINT64_C(0x5eed0001);
	const struct mrl_store_game *expected[GAMES];
	struct mrl_store *store;
	size_t found = 0;

	make_games(&random);
	store = with_games(*state);
	for (unsigned i = 0; i < SEARCHES; i++) {
		struct mrl_store_search search = random_search(&random);
		unsigned limit = (unsigned)(next_random(&random) % 40) + 1;
		struct list list = {.more = true, .events = i % 4 == 0};
		struct look look = {.at = look_at_page, .context = &list};
		const struct mrl_store_key *after = NULL;

		if (search.person != 0 && next_random(&random) % 2 == 0)
			search.opponent = next_random(&random) % PEOPLE + 1;
		size_t count = find_plainly(&search, expected);

		while (list.more) {
			expect_answer(store, &look,
				      mrl_store_list_games(store, &search, list.events, after, limit, look_done, &look),
				      MRL_OK);
			after = &list.next;
		}
		assert_int_equal(list.count, count);
		for (size_t j = 0; j < count; j++)
			assert_int_equal(list.ids[j], expected[j]->id);
		assert_int_equal(list.pages, count == 0 ? 1 : (count + limit - 1) / limit);
		found += count;
	}
	/* The searches were not all for nothing. */
	assert_true(found > SEARCHES);
	mrl_store_close(store);
}

static void look_at_score(void *context, const struct mrl_store_answer *answer)
{
	*(struct mrl_store_score *)context = answer->score;
}

static void a_score_counts_what_a_search_finds(void **state)
{
	uint64_t random = UINT64_C(0x5eed0004);
	const struct mrl_store_game *expected[GAMES];
	struct mrl_store *store;
	uint64_t counted = 0;

	make_games(&random);
	store = with_games(*state);
	for (unsigned i = 0; i < PEOPLE * PEOPLE * 2; i++) {
		struct mrl_store_search search = {
		    .person = i / 2 % PEOPLE + 1, .opponent = i / 2 / PEOPLE + 1, .rules = "", .opening = ""};
		struct mrl_store_score score = {0};
		struct look look = {.at = look_at_score, .context = &score};
		size_t wins;
		size_t losses;

		search.viewer = i % 2 == 0 ? 0 : search.person;
		expect_answer(store, &look,
			      mrl_store_find_score(store, search.person, search.opponent, i % 2 != 0, look_done, &look),
			      MRL_OK);
		search.result = MRL_STORE_RESULT_WON;
		wins = find_plainly(&search, expected);
		search.result = MRL_STORE_RESULT_LOST;
		losses = find_plainly(&search, expected);
		search.result = MRL_STORE_RESULT_DRAW;
		assert_int_equal(score.draws, find_plainly(&search, expected));
		assert_int_equal(score.wins, wins);
		assert_int_equal(score.losses, losses);
		counted += score.wins + score.losses + score.draws;
	}
	assert_true(counted > GAMES);
	assert_int_equal(mrl_store_find_score(store, 1, 0, false, NULL, NULL), MRL_RANGE);
	mrl_store_close(store);
}

/* ---- Streams ------------------------------------------------------------------------------------------------ */

struct receiver {
	struct mrl_store_stream *stream;
	struct look look;
	uint64_t ids[GAMES];
	size_t count;
	size_t pause_every; /* 0: never */
	size_t stop_after;  /* 0: never */
	bool paused;
};

static enum mrl_store_flow receive(void *user, const struct mrl_store_game *game)
{
	struct receiver *receiver = user;
	const struct mrl_store_game *was = game_of(game->id);

	assert_false(receiver->paused);
	assert_int_equal(game->event_count, (size_t)(was - games) % 4);
	receiver->ids[receiver->count++] = game->id;
	if (receiver->count == receiver->stop_after)
		return MRL_STORE_STOP;
	if (receiver->pause_every != 0 && receiver->count % receiver->pause_every == 0) {
		receiver->paused = true;
		return MRL_STORE_PAUSE;
	}
	return MRL_STORE_GO_ON;
}

static void receive_end(void *user, const struct mrl_store_answer *answer)
{
	struct receiver *receiver = user;

	look_done(&receiver->look, answer);
}

static void begin(struct mrl_store *store, const struct mrl_store_search *search, struct receiver *receiver)
{
	assert_int_equal(mrl_store_stream_games(store, search, receive, receive_end, receiver, &receiver->stream),
			 MRL_OK);
	mrl_store_wait(store);
}

static void a_stream_gives_every_game_once_with_pauses_or_without(void **state)
{
	uint64_t random = UINT64_C(0x5eed0002);
	struct mrl_store_search search = {.rules = "", .opening = "", .oldest_first = true};
	const struct mrl_store_game *expected[GAMES];
	struct mrl_store *store;

	make_games(&random);
	store = with_games(*state);
	size_t count = find_plainly(&search, expected);

	for (size_t pause = 0; pause < 50; pause += 7) {
		struct receiver receiver = {.pause_every = pause};

		begin(store, &search, &receiver);
		while (receiver.look.asked == 0) {
			assert_true(receiver.paused);
			/* However long nothing comes, nothing comes. */
			assert_int_equal(mrl_store_poll(store), 0);
			receiver.paused = false;
			mrl_store_resume(receiver.stream);
			mrl_store_wait(store);
		}
		assert_int_equal(receiver.look.asked, 1);
		assert_int_equal(receiver.look.status, MRL_OK);
		assert_int_equal(receiver.count, count);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(receiver.ids[i], expected[i]->id);
	}
	mrl_store_close(store);
}

static void a_stream_ends_when_its_receiver_wants_no_more(void **state)
{
	uint64_t random = UINT64_C(0x5eed0003);
	struct mrl_store_search search = {0};
	struct receiver stopping = {.stop_after = 45};
	struct receiver pausing = {.pause_every = 40};
	struct receiver left = {.pause_every = 40};
	struct mrl_store *store;

	make_games(&random);
	store = with_games(*state);
	begin(store, &search, &stopping);
	assert_int_equal(stopping.count, 45);
	assert_int_equal(stopping.look.status, MRL_STOPPED);
	begin(store, &search, &pausing);
	assert_int_equal(pausing.count, 40);
	assert_int_equal(pausing.look.asked, 0);
	mrl_store_stop(pausing.stream);
	mrl_store_wait(store);
	assert_int_equal(pausing.count, 40);
	assert_int_equal(pausing.look.asked, 1);
	assert_int_equal(pausing.look.status, MRL_STOPPED);
	/* One that pauses is told when the store closes. */
	begin(store, &search, &left);
	assert_int_equal(left.look.asked, 0);
	mrl_store_close(store);
	assert_int_equal(left.look.asked, 1);
	assert_int_equal(left.look.status, MRL_STOPPED);
}

static void unfinished_games_are_all_given_to_a_server_that_starts(void **state)
{
	uint64_t random = UINT64_C(0x5eed0004);
	struct receiver receiver = {0};
	struct mrl_store *store;
	size_t count = 0;

	make_games(&random);
	for (size_t i = 0; i < GAMES; i++) {
		if (i % 2 == 0) {
			games[i].state = i % 4 == 0 ? MRL_STORE_OPEN : MRL_STORE_PLAYING;
			games[i].ended = 0;
		}
		count += games[i].state == MRL_STORE_OPEN || games[i].state == MRL_STORE_PLAYING;
	}
	store = with_games(*state);
	assert_int_equal(mrl_store_stream_unfinished(store, receive, receive_end, &receiver, NULL), MRL_OK);
	mrl_store_wait(store);
	assert_int_equal(receiver.look.status, MRL_OK);
	assert_int_equal(receiver.count, count);
	for (size_t i = 0; i < receiver.count; i++) {
		assert_true(game_of(receiver.ids[i])->state <= MRL_STORE_PLAYING);
		for (size_t j = 0; j < i; j++)
			assert_true(receiver.ids[i] != receiver.ids[j]);
	}
	mrl_store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(a_score_counts_what_a_search_finds),
	    TEST(every_search_finds_what_a_plain_look_does),
	    TEST(a_stream_gives_every_game_once_with_pauses_or_without),
	    TEST(a_stream_ends_when_its_receiver_wants_no_more),
	    TEST(unfinished_games_are_all_given_to_a_server_that_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
