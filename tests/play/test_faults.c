/* Faults that other servers of this game have been seen to have. Each is a test here so that this one has none of them.
 */
#include "support.h"

#include <merels/lobby.h>

#define OWNER MRL_PLAY_OWNER
#define FRIEND MRL_PLAY_FRIEND
#define TAKEBACK MRL_PLAY_OFFER_TAKEBACK
#define REMATCH MRL_PLAY_OFFER_REMATCH

static void take_back(struct table *table, enum mrl_play_seat seat)
{
	assert_int_equal(table_offer(table, seat, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(table, seat == OWNER ? FRIEND : OWNER, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
}

static void after_a_takeback_with_nobody_moving_a_timer_still_ends_the_game(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	table_play(&table, "g1 b2", 5000);
	take_back(&table, OWNER);
	assert_int_equal(table.game.moves.count, 2);
	assert_true(mrl_play_deadline(&table.game) == table.time + 60000);
	table_restart(&table);
	table_wait(&table, 59999);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_wait(&table, 1);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	table_release(&table);
	/* Back before both had moved: the limit of the first turn counts again. */
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	take_back(&table, FRIEND);
	table_wait(&table, MRL_PLAY_FIRST_TURN_LIMIT);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_FIRST_TURN);
	table_release(&table);
}

static void a_takeback_leaves_each_time_with_its_owner_and_survives_a_restart(void **state)
{
	struct table table;
	struct mrl_play_view view;

	(void)state;
	/* The friend has White, so seat and side are not the same number. */
	table_open(&table, &(struct plan){.tempo = "60000+0", .first = MRL_PLAY_FRIEND_FIRST});
	table_play(&table, "a1 d1", 100);
	table_play(&table, "g1", 1000);  /* White: 59 s */
	table_play(&table, "b2", 20000); /* Black: 40 s */
	table_play(&table, "b4", 5000);  /* White: 54 s */
	table_restart(&table);
	take_back(&table, FRIEND);
	table_restart(&table);
	view = table_view(&table, FRIEND);
	assert_int_equal(view.to_move, FRIEND);
	assert_int_equal(view.clock[MRL_WHITE], 59000);
	assert_int_equal(view.clock[MRL_BLACK], 40000);
	table_wait(&table, 3000);
	view = table_view(&table, FRIEND);
	assert_int_equal(view.clock[MRL_WHITE], 56000);
	assert_int_equal(view.clock[MRL_BLACK], 40000);
	table_release(&table);
}

static void a_turn_sent_again_after_a_reconnect_is_done_once(void **state)
{
	const struct mrl_play_command turn = {.verb = MRL_PLAY_PLAY,
					      .seat = OWNER,
					      .ply = 2,
					      .turn = "g1",
					      .turn_length = 2,
					      .id = "t-2",
					      .id_length = 3};
	struct table table;
	uint32_t number;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	assert_int_equal(table_give(&table, turn), MRL_CODE_OK);
	number = table.answer.number;
	mrl_play_presence(&table.game, OWNER, false, false, table.time);
	table.time += 2000;
	mrl_play_presence(&table.game, OWNER, true, false, table.time);
	assert_int_equal(table_give(&table, turn), MRL_CODE_OK);
	assert_true(table.answer.repeated);
	/* Also when the server was away in between, and when the opponent has answered. */
	table_restart(&table);
	table_play(&table, "b2", 100);
	assert_int_equal(table_give(&table, turn), MRL_CODE_OK);
	assert_int_equal(table.answer.number, number);
	/* And when the turn has been taken back: it stays taken back. */
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_give(&table, turn), MRL_CODE_OK);
	assert_int_equal(table.game.moves.count, 2);
	table_release(&table);
}

static void a_server_that_was_down_at_turn_56_is_back_at_turn_56_and_nobody_has_flagged(void **state)
{
	static const char *const round[] = {"a3-a2", "c3-c2", "a2-a3", "c2-c3"};
	struct mrl_play_view before;
	struct mrl_play_view after;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three,repetition=0", .tempo = "60000+0"});
	table_play(&table, "a1 b1 b2 c3 a3 c1", 900);
	for (size_t i = 0; table.game.moves.count < 56; i++)
		table_play(&table, round[i % 4], 900);
	table_wait(&table, 500);
	before = table_view(&table, OWNER);
	/* However long it was down: service time stood. */
	table_restart(&table);
	table_wait(&table, 0);
	after = table_view(&table, OWNER);
	assert_int_equal(after.ply, 56);
	assert_int_equal(after.phase, MRL_PLAY_RUNNING);
	assert_int_equal(after.clock[MRL_WHITE], before.clock[MRL_WHITE]);
	assert_int_equal(after.clock[MRL_BLACK], before.clock[MRL_BLACK]);
	table_play(&table, round[50 % 4], 900);
	table_release(&table);
}

static void two_who_press_rematch_at_once_get_one_game(void **state)
{
	struct table table;
	uint64_t next;
	uint32_t number;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_REMATCH));
	next = table.game.next;
	number = table.answer.number;
	assert_true(next != 0);
	/* Whoever presses again, or accepts, hears of the same game. */
	for (unsigned seat = 0; seat < 2; seat++) {
		static const enum mrl_play_verb verbs[] = {MRL_PLAY_OFFER, MRL_PLAY_ACCEPT};

		for (size_t i = 0; i < COUNT(verbs); i++) {
			assert_int_equal(table_offer(&table, (enum mrl_play_seat)seat, verbs[i], REMATCH), MRL_CODE_OK);
			assert_true(table.answer.repeated);
			assert_int_equal(table.answer.number, number);
			assert_int_equal(table.batch.count, 0);
		}
	}
	assert_true(table.game.next == next);
	table_release(&table);
}

static void looking_at_an_offer_takes_no_seat(void **state)
{
	struct mrl_play_game before;
	uint8_t link[MRL_PLAY_HASH_SIZE];
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	before = table.game;
	hash_of(5, link);
	/* All that a page, a prefetch or a chat program's preview can ask. */
	for (unsigned i = 0; i < 10; i++) {
		struct mrl_play_settings settings;

		(void)table_view(&table, MRL_PLAY_NOBODY);
		mrl_play_settings_of(&table.game, &settings);
		assert_int_equal(mrl_play_seat_of_secret(&table.game, link), MRL_PLAY_NOBODY);
		mrl_play_presence(&table.game, MRL_PLAY_NOBODY, true, false, table.time);
	}
	assert_true(mrl_play_same(&table.game, &before));
	assert_int_equal(table.game.player[FRIEND].kind, MRL_PLAY_EMPTY);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OK);
	table_release(&table);
}

static void a_clock_never_shows_below_zero(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "1000+0"});
	table_play(&table, "a1 d1", 100);
	for (uint64_t wait = 0; wait < 5000; wait += 7) {
		struct mrl_play_view view;

		mrl_play_view(&table.game, OWNER, table.time + wait, &view);
		assert_int_equal(view.clock[MRL_WHITE], wait < 1000 ? 1000 - wait : 0);
		assert_int_equal(view.clock[MRL_BLACK], 1000);
	}
	table_release(&table);
}

static void the_first_of_two_tabs_stays_in_step_with_the_second(void **state)
{
	struct mrl_play_game tab;
	struct mrl_ply plies[16];
	struct mrl_play_past past[16];
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	mrl_play_init(&tab, &table.rules, plies, past, 16);
	/* The second tab plays; the first gets what came behind the last event it has, and is where the game is. */
	for (unsigned i = 0; i < 6; i++) {
		static const char *const turns[] = {"a1", "d1", "g1", "b2", "b4", "b6"};

		table_play(&table, turns[i], 100);
		while (tab.number < table.line_count) {
			const char *line = table.lines[tab.number];
			struct mrl_play_event event;

			assert_int_equal(mrl_play_event_read(line, strlen(line), &event, NULL), MRL_OK);
			assert_int_equal(mrl_play_apply(&tab, &event, NULL), MRL_OK);
		}
		assert_true(mrl_play_same(&tab, &table.game));
	}
	/* What the first tab sends for a position that is gone is not played on the one that is. */
	assert_int_equal(
	    table_give(&table,
		       (struct mrl_play_command){
			   .verb = MRL_PLAY_PLAY, .seat = OWNER, .ply = 4, .turn = "f4", .turn_length = 2}),
	    MRL_CODE_WRONG_PLY);
	table_release(&table);
}

struct hall {
	struct mrl_lobby lobby;
	struct mrl_lobby_seek seeks[8];
	struct mrl_lobby_person people[16];
	struct mrl_lobby_topic topics[4];
};

static void hall_open(struct hall *hall)
{
	struct mrl_lobby_seek seek = {.id = 1, .settings = {.rules = "nine"}, .rating = MRL_RATING_START};

	mrl_lobby_init(&hall->lobby, hall->seeks, 8, hall->people, 16, hall->topics, 4);
	assert_true(mrl_lobby_connect(&hall->lobby, ANNA, 1000));
	assert_true(mrl_lobby_connect(&hall->lobby, BELA, 1000));
	seek.player = player_of(ANNA, MRL_PLAY_GUEST);
	assert_int_equal(mrl_lobby_seek(&hall->lobby, &seek, 1000), MRL_CODE_OK);
}

static enum mrl_play_code take(struct hall *hall, uint64_t time)
{
	struct mrl_lobby_seek taker = {.player = player_of(BELA, MRL_PLAY_GUEST), .rating = MRL_RATING_START};
	struct mrl_lobby_pairing pairing;

	return mrl_lobby_take(&hall->lobby, 1, &taker, time, &pairing);
}

static void closing_the_tab_while_waiting_frees_the_seat(void **state)
{
	struct hall hall;
	size_t index = 0;

	(void)state;
	hall_open(&hall);
	mrl_lobby_disconnect(&hall.lobby, ANNA, true, 2000);
	assert_int_equal(hall.lobby.counts.waiting, 0);
	assert_null(mrl_lobby_next(&hall.lobby, &index));
	assert_int_equal(take(&hall, 2000), MRL_CODE_NO_SEEK);
}

static void an_open_offer_of_somebody_who_left_is_gone(void **state)
{
	struct hall hall;
	size_t index = 0;

	(void)state;
	hall_open(&hall);
	mrl_lobby_disconnect(&hall.lobby, ANNA, false, 2000);
	/* At once for others: nobody is to start a game with somebody who is not there. */
	assert_null(mrl_lobby_next(&hall.lobby, &index));
	assert_int_equal(take(&hall, 2001), MRL_CODE_NO_SEEK);
	assert_true(mrl_lobby_deadline(&hall.lobby) == 2000 + MRL_LOBBY_GRACE);
	mrl_lobby_tick(&hall.lobby, 2000 + MRL_LOBBY_GRACE, 0, NULL, 0);
	assert_int_equal(hall.lobby.counts.waiting, 0);
	assert_true(mrl_lobby_connect(&hall.lobby, ANNA, 20000));
	index = 0;
	assert_null(mrl_lobby_next(&hall.lobby, &index));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(after_a_takeback_with_nobody_moving_a_timer_still_ends_the_game),
	    cmocka_unit_test(a_takeback_leaves_each_time_with_its_owner_and_survives_a_restart),
	    cmocka_unit_test(a_turn_sent_again_after_a_reconnect_is_done_once),
	    cmocka_unit_test(a_server_that_was_down_at_turn_56_is_back_at_turn_56_and_nobody_has_flagged),
	    cmocka_unit_test(two_who_press_rematch_at_once_get_one_game),
	    cmocka_unit_test(looking_at_an_offer_takes_no_seat),
	    cmocka_unit_test(a_clock_never_shows_below_zero),
	    cmocka_unit_test(the_first_of_two_tabs_stays_in_step_with_the_second),
	    cmocka_unit_test(closing_the_tab_while_waiting_frees_the_seat),
	    cmocka_unit_test(an_open_offer_of_somebody_who_left_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
