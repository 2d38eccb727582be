/* Offers: draw, takeback, rematch; and the ends that players choose. */
#include "support.h"

#define DRAW MRL_PLAY_OFFER_DRAW
#define TAKEBACK MRL_PLAY_OFFER_TAKEBACK
#define REMATCH MRL_PLAY_OFFER_REMATCH
#define OWNER MRL_PLAY_OWNER
#define FRIEND MRL_PLAY_FRIEND

static void open_running(struct table *table, const char *turns)
{
	table_open(table, &(struct plan){.tempo = "60000+1000"});
	table_play(table, turns, 100);
}

static void a_draw_is_offered_and_accepted(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OFFERED_ALREADY);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_ACCEPT, DRAW), MRL_CODE_NO_OFFER);
	table_restart(&table);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, DRAW), MRL_CODE_OK);
	assert_ended(&table, MRL_DRAW, MRL_REASON_AGREEMENT);
	table_release(&table);
}

static void two_who_offer_a_draw_have_agreed(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_ended(&table, MRL_DRAW, MRL_REASON_AGREEMENT);
	table_release(&table);
}

static void a_draw_is_not_offered_again_within_ten_turns(void **state)
{
	static const char *const turns[] = {"b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4", "e4"};
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "nine,take=free-only", .tempo = "60000+1000"});
	table_play(&table, "a1 d1 a7", 100);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_DECLINE, DRAW), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_DECLINED));
	for (size_t i = 0; i < COUNT(turns); i++) {
		assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_TOO_SOON);
		/* The other has not offered any. */
		assert_true((table_view(&table, FRIEND).may & MRL_PLAY_MAY_OFFER_DRAW) != 0);
		if (table_turn(&table, turns[i]) != MRL_CODE_OK)
			fail_msg("%s", table.answer.text);
	}
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	table_release(&table);
}

static void every_offer_lapses_with_the_next_turn(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_turn(&table, "b2"), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_TURN, MRL_PLAY_LAPSED, MRL_PLAY_LAPSED));
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, DRAW), MRL_CODE_NO_OFFER);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_NO_OFFER);
	table_release(&table);
}

static void an_offer_may_be_withdrawn(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_DECLINE, DRAW), MRL_CODE_NO_OFFER);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_DECLINE, DRAW), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, DRAW), MRL_CODE_NO_OFFER);
	table_release(&table);
}

static void there_is_no_draw_before_both_have_moved(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, DRAW), MRL_CODE_TOO_SOON);
	table_release(&table);
}

static void a_takeback_takes_the_last_own_turn_back(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1 b2");
	/* White is to move: his last turn and the answer to it go. */
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_NO_OFFER);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table.batch.events[0].takeback.ply, 2);
	assert_int_equal(table.game.moves.count, 2);
	assert_int_equal(table.game.moves.position.side, MRL_WHITE);
	/* White has moved: only that turn goes. */
	table_play(&table, "a7", 100);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table.game.moves.count, 2);
	table_release(&table);
}

static void a_takeback_restores_both_clocks(void **state)
{
	struct table table;
	struct mrl_play_view before;
	struct mrl_play_view after;

	(void)state;
	open_running(&table, "a1 d1");
	table_play(&table, "g1 b2", 7000);
	before = table_view(&table, OWNER);
	table_play(&table, "b4", 3000);
	table_play(&table, "b6", 11000);
	table_wait(&table, 2500);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	table_wait(&table, 1500);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
	after = table_view(&table, OWNER);
	assert_int_equal(after.ply, before.ply);
	assert_int_equal(after.clock[MRL_WHITE], before.clock[MRL_WHITE]);
	assert_int_equal(after.clock[MRL_BLACK], before.clock[MRL_BLACK]);
	assert_true(after.running);
	table_wait(&table, 1000);
	assert_int_equal(table_view(&table, OWNER).clock[MRL_WHITE], before.clock[MRL_WHITE] - 1000);
	table_release(&table);
}

static void there_is_no_takeback_in_a_rated_game(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0", .rated = true});
	table_play(&table, "a1 d1 g1", 100);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_RATED);
	table_release(&table);
}

static void who_has_not_moved_has_nothing_to_take_back(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_NOTHING_TO_TAKE_BACK);
	table_play(&table, "a1", 100);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_NOTHING_TO_TAKE_BACK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OFFERED_ALREADY);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table.game.moves.count, 0);
	assert_int_equal(table_view(&table, OWNER).first_left, MRL_PLAY_FIRST_TURN_LIMIT);
	table_release(&table);
}

static void a_takeback_that_was_declined_is_asked_for_once_a_turn(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_DECLINE, TAKEBACK), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_TOO_SOON);
	table_play(&table, "b2", 100);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, TAKEBACK), MRL_CODE_OK);
	table_release(&table);
}

static void what_is_no_offer_is_refused(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1 d1 g1");
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, MRL_PLAY_OFFERS), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_ACCEPT, MRL_PLAY_OFFERS), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_DECLINE, MRL_PLAY_OFFERS), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table_do(&table, OWNER, (enum mrl_play_verb)99), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table_offer(&table, MRL_PLAY_NOBODY, MRL_PLAY_OFFER, DRAW), MRL_CODE_NO_SEAT);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_NOT_OVER);
	table_release(&table);
}

static void before_the_second_turn_a_game_is_aborted_and_after_it_resigned(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1");
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_TOO_SOON);
	assert_int_equal(table_do(&table, FRIEND, MRL_PLAY_ABORT), MRL_CODE_OK);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_ASKED);
	table_release(&table);
	open_running(&table, "a1 d1");
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_ABORT), MRL_CODE_TOO_LATE);
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_OK);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_RESIGN);
	assert_int_equal(table_do(&table, FRIEND, MRL_PLAY_RESIGN), MRL_CODE_OVER);
	table_release(&table);
}

static void a_result_and_its_ratings_are_one_batch(void **state)
{
	const struct mrl_rating ratings[2] = {MRL_RATING_START, {1700000, 80000, 60000000}};
	struct mrl_play_command resign = {.verb = MRL_PLAY_RESIGN, .seat = FRIEND, .id = "r", .id_length = 1};
	struct mrl_rating after[2];
	struct mrl_play_now now;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0", .rated = true});
	table_play(&table, "a1 d1", 100);
	assert_false(mrl_play_rates(&table.game, &table.batch));
	now = (struct mrl_play_now){.time = table.time};
	assert_int_equal(mrl_play_command(&table.game, &resign, &now, &table.batch, &table.answer), MRL_CODE_OK);
	assert_true(mrl_play_rates(&table.game, &table.batch));
	assert_true(mrl_play_rate(&table.game, &table.batch, ratings));
	assert_false(mrl_play_rate(&table.game, &table.batch, ratings)); /* once */
	assert_true(HAPPENED(&table, MRL_PLAY_ENDED, MRL_PLAY_RATED));
	mrl_rating_play(ratings, 2, after);
	assert_int_equal(table.batch.events[1].rated.after[0].rating, after[0].rating);
	assert_true(after[0].rating > ratings[0].rating && after[1].rating < ratings[1].rating);
	table_keep(&table, &table.batch);
	assert_true(table.game.was_rated);
	table_restart(&table);
	table_release(&table);
}

static void aborted_and_casual_games_change_no_rating(void **state)
{
	const struct mrl_rating ratings[2] = {MRL_RATING_START, MRL_RATING_START};
	struct mrl_play_now now;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0", .rated = true});
	now = (struct mrl_play_now){.time = table.time + MRL_PLAY_FIRST_TURN_LIMIT};
	assert_int_equal(mrl_play_tick(&table.game, &now, &table.batch), 1);
	assert_false(mrl_play_rates(&table.game, &table.batch));
	assert_false(mrl_play_rate(&table.game, &table.batch, ratings));
	table_release(&table);
	open_running(&table, "a1 d1");
	now = (struct mrl_play_now){.time = table.time + 61000};
	assert_int_equal(mrl_play_tick(&table.game, &now, &table.batch), 1);
	assert_false(mrl_play_rate(&table.game, &table.batch, ratings));
	table_release(&table);
}

/* Ends a running game so that a rematch may follow. */
static void open_finished(struct table *table)
{
	open_running(table, "a1 d1 g1");
	assert_int_equal(table_do(table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_OK);
}

static void a_rematch_swaps_colours_and_keeps_all_else(void **state)
{
	struct mrl_play_batch first;
	const struct mrl_play_now now = {.time = 9000000};
	struct mrl_play_game again;
	struct mrl_ply plies[4];
	struct mrl_play_past past[4];
	uint8_t hash[MRL_PLAY_HASH_SIZE];
	struct table table;

	(void)state;
	open_finished(&table);
	assert_int_equal(mrl_play_create_rematch(&table.game, NULL, &now, &first), MRL_CODE_NOT_OVER);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_ACCEPT, REMATCH), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_REMATCH));
	assert_int_equal(mrl_play_create_rematch(&table.game, NULL, &now, &first), MRL_CODE_OK);
	mrl_play_init(&again, &table.rules, plies, past, 4);
	for (size_t i = 0; i < first.count; i++)
		assert_int_equal(mrl_play_apply(&again, &first.events[i], NULL), MRL_OK);
	assert_int_equal(again.phase, MRL_PLAY_RUNNING);
	assert_true(again.id == table.game.next && again.previous == GAME);
	assert_int_equal(table.game.white, OWNER);
	assert_int_equal(again.white, FRIEND);
	assert_true(mrl_play_tempo_equal(&again.tempo, &table.game.tempo));
	assert_int_equal(again.clock[0], 60000);
	hash_of(BELA, hash);
	assert_int_equal(mrl_play_seat_of_secret(&again, hash), FRIEND);
	table_release(&table);
}

static void the_rematch_begins_in_the_same_transaction(void **state)
{
	struct mrl_play_command accept = {
	    .verb = MRL_PLAY_ACCEPT, .seat = FRIEND, .offer = REMATCH, .fresh = 4711, .id = "a", .id_length = 1};
	struct mrl_play_batch agreed;
	struct mrl_play_batch first;
	struct mrl_play_now now;
	struct table table;

	(void)state;
	open_finished(&table);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	now = (struct mrl_play_now){.time = table.time};
	assert_int_equal(mrl_play_command(&table.game, &accept, &now, &agreed, &table.answer), MRL_CODE_OK);
	/* The agreement is not applied yet, so both games can be written at once. */
	assert_int_equal(mrl_play_create_rematch(&table.game, &agreed, &now, &first), MRL_CODE_OK);
	assert_true(first.events[0].created.game == 4711);
	accept.fresh = 0;
	assert_int_equal(mrl_play_command(&table.game, &accept, &now, &agreed, &table.answer), MRL_CODE_BAD_COMMAND);
	table_release(&table);
}

static void a_rematch_that_was_declined_is_for_the_other_to_offer(void **state)
{
	struct table table;

	(void)state;
	open_finished(&table);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OFFERED_ALREADY);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_DECLINE, REMATCH), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_TOO_SOON);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, REMATCH), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_ACCEPT, REMATCH), MRL_CODE_OK);
	table_release(&table);
}

static void a_game_that_nobody_joined_has_no_rematch(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_LEAVE), MRL_CODE_OK);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, REMATCH), MRL_CODE_NOT_STARTED);
	table_release(&table);
}

static void what_one_may_do_is_what_is_not_refused(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "a1");
	assert_int_equal(table_view(&table, FRIEND).may,
			 MRL_PLAY_MAY_TURN | MRL_PLAY_MAY_ABORT | MRL_PLAY_MAY_ADD_TIME);
	assert_int_equal(table_view(&table, OWNER).may,
			 MRL_PLAY_MAY_ABORT | MRL_PLAY_MAY_ADD_TIME | MRL_PLAY_MAY_OFFER_TAKEBACK);
	assert_int_equal(table_view(&table, MRL_PLAY_NOBODY).may, 0);
	table_play(&table, "d1", 100);
	assert_int_equal(table_offer(&table, FRIEND, MRL_PLAY_OFFER, DRAW), MRL_CODE_OK);
	assert_int_equal(table_view(&table, OWNER).may, MRL_PLAY_MAY_TURN | MRL_PLAY_MAY_RESIGN |
							    MRL_PLAY_MAY_OFFER_DRAW | MRL_PLAY_MAY_ACCEPT_DRAW |
							    MRL_PLAY_MAY_OFFER_TAKEBACK | MRL_PLAY_MAY_ADD_TIME);
	assert_int_equal(table_do(&table, FRIEND, MRL_PLAY_RESIGN), MRL_CODE_OK);
	assert_int_equal(table_view(&table, OWNER).may, MRL_PLAY_MAY_OFFER_REMATCH);
	table_release(&table);
	table_open(&table, &(struct plan){.alone = true});
	assert_int_equal(table_view(&table, OWNER).may, MRL_PLAY_MAY_LEAVE);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_draw_is_offered_and_accepted),
	    cmocka_unit_test(two_who_offer_a_draw_have_agreed),
	    cmocka_unit_test(a_draw_is_not_offered_again_within_ten_turns),
	    cmocka_unit_test(every_offer_lapses_with_the_next_turn),
	    cmocka_unit_test(an_offer_may_be_withdrawn),
	    cmocka_unit_test(there_is_no_draw_before_both_have_moved),
	    cmocka_unit_test(a_takeback_takes_the_last_own_turn_back),
	    cmocka_unit_test(a_takeback_restores_both_clocks),
	    cmocka_unit_test(there_is_no_takeback_in_a_rated_game),
	    cmocka_unit_test(who_has_not_moved_has_nothing_to_take_back),
	    cmocka_unit_test(a_takeback_that_was_declined_is_asked_for_once_a_turn),
	    cmocka_unit_test(what_is_no_offer_is_refused),
	    cmocka_unit_test(before_the_second_turn_a_game_is_aborted_and_after_it_resigned),
	    cmocka_unit_test(a_result_and_its_ratings_are_one_batch),
	    cmocka_unit_test(aborted_and_casual_games_change_no_rating),
	    cmocka_unit_test(a_rematch_swaps_colours_and_keeps_all_else),
	    cmocka_unit_test(the_rematch_begins_in_the_same_transaction),
	    cmocka_unit_test(a_rematch_that_was_declined_is_for_the_other_to_offer),
	    cmocka_unit_test(a_game_that_nobody_joined_has_no_rematch),
	    cmocka_unit_test(what_one_may_do_is_what_is_not_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
