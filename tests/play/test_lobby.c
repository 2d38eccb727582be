/* The lobby: open offers, the pool, who is counted. */
#include "support.h"

#include <merels/lobby.h>

#define SEEKS 64
#define PEOPLE 64

struct hall {
	struct mrl_lobby lobby;
	struct mrl_lobby_seek seeks[SEEKS];
	struct mrl_lobby_person people[PEOPLE];
	struct mrl_lobby_topic topics[4];
	struct mrl_lobby_pairing pairings[8];
	uint64_t ids;
};

static void hall_open(struct hall *hall)
{
	memset(hall, 0, sizeof *hall);
	mrl_lobby_init(&hall->lobby, hall->seeks, SEEKS, hall->people, PEOPLE, hall->topics, COUNT(hall->topics));
}

static struct mrl_lobby_seek seek_of(struct hall *hall, uint64_t person, int32_t points)
{
	struct mrl_lobby_seek seek = {
	    .id = ++hall->ids, .player = player_of(person, MRL_PLAY_ACCOUNT), .settings = {.rules = "nine"}};

	seek.settings.tempo = (struct mrl_play_tempo){MRL_PLAY_FISCHER, 0, 300000, 3000};
	seek.settings.first = MRL_PLAY_LOTS;
	seek.rating = (struct mrl_rating){points * 1000, 100000, 60000000};
	return seek;
}

/* Comes in and enters the pool. */
static void enter_pool(struct hall *hall, uint64_t person, int32_t points, uint64_t time)
{
	struct mrl_lobby_seek seek = seek_of(hall, person, points);

	seek.pool = true;
	seek.settings.rated = true;
	assert_true(mrl_lobby_connect(&hall->lobby, person, time));
	assert_int_equal(mrl_lobby_seek(&hall->lobby, &seek, time), MRL_CODE_OK);
}

static size_t tick(struct hall *hall, uint64_t time)
{
	return mrl_lobby_tick(&hall->lobby, time, 0, hall->pairings, COUNT(hall->pairings));
}

static size_t listed(const struct hall *hall)
{
	size_t index = 0;
	size_t count = 0;

	while (mrl_lobby_next(&hall->lobby, &index) != NULL)
		count++;
	return count;
}

static void an_offer_is_seen_and_taken_once(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;
	struct mrl_lobby_seek taker;

	(void)state;
	hall_open(&hall);
	for (uint64_t person = 1; person <= 3; person++)
		assert_true(mrl_lobby_connect(&hall.lobby, person, 1000));
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	assert_int_equal(listed(&hall), 1);
	taker = seek_of(&hall, 2, 1500);
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_OK);
	assert_true(hall.pairings[0].owner.player.person == 1 && hall.pairings[0].friend_seat.player.person == 2);
	assert_int_equal(hall.pairings[0].first, MRL_PLAY_LOTS);
	taker = seek_of(&hall, 3, 1500);
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_NO_SEEK);
	assert_int_equal(listed(&hall), 0);
}

static void offers_are_checked(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_NOT_CONNECTED);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	seek.settings.rated = true;
	seek.player.kind = MRL_PLAY_GUEST;
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_ACCOUNT_NEEDED);
	seek = seek_of(&hall, 1, 1500);
	seek.settings.tempo.base = 1;
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_BAD_SETTINGS);
	seek = seek_of(&hall, 1, 0);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_BAD_SETTINGS);
	seek = seek_of(&hall, 1, 1500);
	seek.player = player_of(1, MRL_PLAY_COMPUTER);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_BAD_PLAYER);
	for (unsigned i = 0; i < MRL_LOBBY_SEEKS_EACH; i++) {
		seek = seek_of(&hall, 1, 1500);
		assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	}
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_BAD_SETTINGS); /* the same id */
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_SEEKING_ALREADY);
	assert_int_equal(mrl_lobby_unseek(&hall.lobby, 99, 1), MRL_CODE_NO_SEEK);
	assert_int_equal(mrl_lobby_unseek(&hall.lobby, hall.seeks[0].id, 2), MRL_CODE_NO_SEEK); /* not his */
	assert_int_equal(mrl_lobby_unseek(&hall.lobby, hall.seeks[0].id, 1), MRL_CODE_OK);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	assert_int_equal(mrl_lobby_unseek_all(&hall.lobby, 1), MRL_LOBBY_SEEKS_EACH);
	assert_int_equal(hall.lobby.counts.waiting, 0);
}

static void takers_are_checked(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;
	struct mrl_lobby_seek taker;

	(void)state;
	hall_open(&hall);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	seek = seek_of(&hall, 1, 1500);
	seek.settings.rated = true;
	seek.lowest = 1400000;
	seek.highest = 1600000;
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	taker = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_OWN_GAME);
	taker = seek_of(&hall, 2, 1500);
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_NOT_CONNECTED);
	assert_true(mrl_lobby_connect(&hall.lobby, 2, 1000));
	taker.rating.rating = 1600001;
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_NOT_WELCOME);
	taker.rating.rating = 1399999;
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_NOT_WELCOME);
	taker.rating.rating = 1600000;
	taker.player.kind = MRL_PLAY_GUEST;
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_ACCOUNT_NEEDED);
	taker.player = player_of(2, MRL_PLAY_ACCOUNT);
	assert_int_equal(mrl_lobby_take(&hall.lobby, seek.id, &taker, 1500, hall.pairings), MRL_CODE_OK);
}

static void who_is_back_within_the_grace_has_his_offer_back(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	mrl_lobby_disconnect(&hall.lobby, 1, false, 2000);
	assert_int_equal(listed(&hall), 0);
	tick(&hall, 2000 + MRL_LOBBY_GRACE - 1);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 2000 + MRL_LOBBY_GRACE - 1));
	assert_int_equal(listed(&hall), 1);
	tick(&hall, 60000);
	assert_int_equal(listed(&hall), 1);
	assert_true(mrl_lobby_deadline(&hall.lobby) == UINT64_MAX);
}

static void with_another_tab_open_nobody_has_left(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	assert_int_equal(hall.lobby.counts.online, 1);
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	mrl_lobby_disconnect(&hall.lobby, 1, true, 2000);
	assert_int_equal(listed(&hall), 1);
	assert_int_equal(hall.lobby.counts.online, 1);
	mrl_lobby_disconnect(&hall.lobby, 1, true, 2000);
	assert_int_equal(listed(&hall), 0);
	assert_int_equal(hall.lobby.counts.online, 0);
	assert_int_equal(hall.lobby.people_count, 0);
}

static void equals_are_paired_at_once(void **state)
{
	struct hall hall;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	assert_int_equal(listed(&hall), 0); /* the pool is not listed */
	enter_pool(&hall, 2, 1550, 5000);
	assert_true(mrl_lobby_deadline(&hall.lobby) <= 5000);
	assert_int_equal(tick(&hall, 5000), 1);
	assert_true(hall.pairings[0].owner.player.person == 1);
	assert_true(hall.pairings[0].friend_seat.player.person == 2);
	assert_int_equal(hall.lobby.counts.waiting, 0);
	assert_int_equal(tick(&hall, 7000), 0);
}

static void the_window_widens_with_waiting(void **state)
{
	struct hall hall;
	uint64_t time = 5000;

	(void)state;
	assert_int_equal(mrl_lobby_window(0), 100000);
	assert_int_equal(mrl_lobby_window(1000), 110000);
	assert_true(mrl_lobby_window(UINT64_MAX) >= 4000000);
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, time);
	enter_pool(&hall, 2, 1800, time);
	/* 300 points apart: both accept it after 20 seconds. */
	for (; time < 25000; time += 1000)
		assert_int_equal(tick(&hall, time), 0);
	assert_int_equal(tick(&hall, time), 1);
}

static void both_must_accept_the_difference(void **state)
{
	struct hall hall;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	assert_int_equal(tick(&hall, 65000), 0);
	enter_pool(&hall, 2, 1800, 66000);
	assert_int_equal(tick(&hall, 67000), 0);
	assert_int_equal(tick(&hall, 86000), 1);
}

static void the_nearest_of_those_who_fit_is_chosen(void **state)
{
	struct hall hall;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	enter_pool(&hall, 2, 1590, 5000);
	enter_pool(&hall, 3, 1480, 5000);
	enter_pool(&hall, 4, 1585, 5000);
	assert_int_equal(tick(&hall, 5000), 2);
	assert_true(hall.pairings[0].owner.player.person == 1 && hall.pairings[0].friend_seat.player.person == 3);
	assert_true(hall.pairings[1].owner.player.person == 2 && hall.pairings[1].friend_seat.player.person == 4);
}

static void only_the_same_game_is_paired(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	assert_true(mrl_lobby_connect(&hall.lobby, 2, 5000));
	for (unsigned i = 0; i < 4; i++) {
		seek = seek_of(&hall, 2, 1500);
		seek.pool = true;
		seek.settings.rated = i != 0;
		if (i == 1)
			strcpy(seek.settings.rules, "twelve");
		if (i == 2)
			seek.settings.tempo.increment = 0;
		seek.settings.phrases = i == 3;
		assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 5000), MRL_CODE_OK);
		assert_int_equal(tick(&hall, 10000 + 2000 * i), 0);
		assert_int_equal(hall.lobby.counts.waiting, 2); /* each took the place of the one before */
	}
}

static void who_had_white_more_often_gets_black(void **state)
{
	static const struct {
		int32_t first, second;
		uint64_t random;
		enum mrl_play_first expected;
	} rows[] = {
	    {3, 1, 0, MRL_PLAY_FRIEND_FIRST},
	    {-1, 2, 0, MRL_PLAY_OWNER_FIRST},
	    {2, 2, 0, MRL_PLAY_FRIEND_FIRST},
	    {2, 2, 1, MRL_PLAY_OWNER_FIRST},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hall hall;

		hall_open(&hall);
		enter_pool(&hall, 1, 1500, 5000);
		enter_pool(&hall, 2, 1500, 5000);
		hall.seeks[0].whites = rows[i].first;
		hall.seeks[1].whites = rows[i].second;
		assert_int_equal(mrl_lobby_tick(&hall.lobby, 5000, rows[i].random, hall.pairings, 1), 1);
		assert_int_equal(hall.pairings[0].first, rows[i].expected);
	}
}

static void who_is_away_is_not_paired(void **state)
{
	struct hall hall;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	mrl_lobby_disconnect(&hall.lobby, 1, false, 5500);
	enter_pool(&hall, 2, 1500, 6000);
	assert_int_equal(tick(&hall, 6000), 0);
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 7000));
	assert_int_equal(tick(&hall, 7000), 1);
}

static void what_found_no_room_is_paired_the_next_time(void **state)
{
	struct hall hall;

	(void)state;
	hall_open(&hall);
	for (uint64_t person = 1; person <= 6; person++)
		enter_pool(&hall, person, 1500, 5000);
	assert_int_equal(mrl_lobby_tick(&hall.lobby, 5000, 0, hall.pairings, 2), 2);
	assert_int_equal(hall.lobby.counts.waiting, 2);
	assert_int_equal(mrl_lobby_tick(&hall.lobby, 6000, 0, hall.pairings, 2), 1);
}

static void who_starts_a_game_is_out_of_the_lobby(void **state)
{
	const uint64_t players[2] = {1, 2};
	const uint64_t computer[2] = {1, 0};
	struct hall hall;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	enter_pool(&hall, 1, 1500, 5000);
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 5000), MRL_CODE_OK);
	assert_int_equal(hall.topics[0].waiting, 2);
	mrl_lobby_game_started(&hall.lobby, "nine", players);
	assert_int_equal(hall.lobby.counts.waiting, 0);
	assert_int_equal(hall.lobby.counts.online, 1);
	assert_int_equal(hall.lobby.counts.playing, 1); /* the second plays, but has no connection now */
	assert_true(mrl_lobby_connect(&hall.lobby, 2, 5000));
	assert_int_equal(hall.lobby.counts.playing, 2);
	mrl_lobby_disconnect(&hall.lobby, 2, false, 5000);
	assert_int_equal(hall.lobby.counts.playing, 1);
	assert_true(mrl_lobby_connect(&hall.lobby, 2, 5000));
	assert_int_equal(hall.topics[0].games, 1);
	mrl_lobby_game_started(&hall.lobby, "three", computer);
	assert_int_equal(hall.lobby.counts.playing, 2); /* persons, not games */
	assert_int_equal(hall.lobby.counts.games, 2);
	mrl_lobby_game_ended(&hall.lobby, "nine", players);
	assert_int_equal(hall.lobby.counts.playing, 1);
	mrl_lobby_game_ended(&hall.lobby, "three", computer);
	assert_int_equal(hall.lobby.counts.playing, 0);
	assert_int_equal(hall.lobby.counts.games, 0);
	assert_int_equal(hall.lobby.topic_count, 0);
	assert_int_equal(hall.lobby.people_count, 2);
}

static void more_rule_sets_than_there_is_room_for_are_in_the_sums(void **state)
{
	static const char *const rules[] = {"three", "five", "six", "nine", "twelve", "lasker"};
	const uint64_t players[2] = {0, 0};
	struct hall hall;

	(void)state;
	hall_open(&hall);
	for (size_t i = 0; i < COUNT(rules); i++)
		mrl_lobby_game_started(&hall.lobby, rules[i], players);
	assert_int_equal(hall.lobby.topic_count, COUNT(hall.topics));
	assert_int_equal(hall.lobby.counts.games, COUNT(rules));
	for (size_t i = 0; i < COUNT(rules); i++)
		mrl_lobby_game_ended(&hall.lobby, rules[i], players);
	assert_int_equal(hall.lobby.topic_count, 0);
	assert_int_equal(hall.lobby.counts.games, 0);
}

static void a_full_lobby_says_so(void **state)
{
	struct hall hall;
	uint64_t person = 1;
	struct mrl_lobby_seek seek;

	(void)state;
	hall_open(&hall);
	while (mrl_lobby_connect(&hall.lobby, person, 1000))
		person++;
	assert_int_equal(hall.lobby.people_count, PEOPLE / 4 * 3);
	hall.lobby.seek_capacity = 1;
	seek = seek_of(&hall, 1, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	seek = seek_of(&hall, 2, 1500);
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_LOBBY_FULL);
}

/* The table of persons against a plain list, in an order that makes it shift its entries about. */
static void persons_are_found_whatever_came_and_went(void **state)
{
	uint32_t connections[200] = {0};
	struct hall hall;
	uint64_t random = 7;

	(void)state;
	hall_open(&hall);
	for (int i = 0; i < 20000; i++) {
		uint64_t person;

		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		person = 1 + (random >> 40) % 199;
		if ((random >> 33 & 3) != 0 && connections[person] > 0) {
			mrl_lobby_disconnect(&hall.lobby, person, false, 1000);
			connections[person]--;
		} else if (mrl_lobby_connect(&hall.lobby, person, 1000)) {
			connections[person]++;
		}
		if (i % 50 == 0)
			for (uint64_t p = 1; p < 200; p++)
				assert_int_equal(mrl_lobby_connected(&hall.lobby, p), connections[p] > 0);
	}
	for (uint64_t p = 1; p < 200; p++)
		while (connections[p]-- > 0)
			mrl_lobby_disconnect(&hall.lobby, p, false, 1000);
	assert_int_equal(hall.lobby.counts.online, 0);
	assert_int_equal(hall.lobby.people_count, 0);
}

static void every_change_is_a_new_version(void **state)
{
	struct hall hall;
	struct mrl_lobby_seek seek;
	uint64_t version;

	(void)state;
	hall_open(&hall);
	version = hall.lobby.version;
	assert_true(mrl_lobby_connect(&hall.lobby, 1, 1000));
	assert_true(hall.lobby.version > version);
	seek = seek_of(&hall, 1, 1500);
	version = hall.lobby.version;
	assert_int_equal(mrl_lobby_seek(&hall.lobby, &seek, 1000), MRL_CODE_OK);
	assert_true(hall.lobby.version > version);
	version = hall.lobby.version;
	tick(&hall, 5000);
	assert_true(hall.lobby.version == version);
	mrl_lobby_disconnect(&hall.lobby, 1, false, 6000);
	assert_true(hall.lobby.version > version);
	version = hall.lobby.version;
	tick(&hall, 6000 + MRL_LOBBY_GRACE);
	assert_true(hall.lobby.version > version);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_offer_is_seen_and_taken_once),
	    cmocka_unit_test(offers_are_checked),
	    cmocka_unit_test(takers_are_checked),
	    cmocka_unit_test(who_is_back_within_the_grace_has_his_offer_back),
	    cmocka_unit_test(with_another_tab_open_nobody_has_left),
	    cmocka_unit_test(equals_are_paired_at_once),
	    cmocka_unit_test(the_window_widens_with_waiting),
	    cmocka_unit_test(both_must_accept_the_difference),
	    cmocka_unit_test(the_nearest_of_those_who_fit_is_chosen),
	    cmocka_unit_test(only_the_same_game_is_paired),
	    cmocka_unit_test(who_had_white_more_often_gets_black),
	    cmocka_unit_test(who_is_away_is_not_paired),
	    cmocka_unit_test(what_found_no_room_is_paired_the_next_time),
	    cmocka_unit_test(who_starts_a_game_is_out_of_the_lobby),
	    cmocka_unit_test(more_rule_sets_than_there_is_room_for_are_in_the_sums),
	    cmocka_unit_test(a_full_lobby_says_so),
	    cmocka_unit_test(persons_are_found_whatever_came_and_went),
	    cmocka_unit_test(every_change_is_a_new_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
