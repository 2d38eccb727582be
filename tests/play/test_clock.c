/* Clocks: when they run, what a turn costs, when the flag falls, what is credited for the net. */
#include "support.h"

static void assert_clocks(const struct table *table, uint32_t white, uint32_t black)
{
	struct mrl_play_view view = table_view(table, MRL_PLAY_NOBODY);

	assert_int_equal(view.clock[MRL_WHITE], white);
	assert_int_equal(view.clock[MRL_BLACK], black);
}

static enum mrl_play_code turn_with_lag(struct table *table, const char *turn, uint32_t lag)
{
	const struct mrl_game *moves = &table->game.moves;

	return table_give(table, (struct mrl_play_command){
				     .verb = MRL_PLAY_PLAY,
				     .seat = mrl_play_seat_of_side(&table->game, (enum mrl_side)moves->position.side),
				     .ply = (uint32_t)moves->count,
				     .turn = turn,
				     .turn_length = strlen(turn),
				     .lag = lag});
}

static void clocks_stand_until_both_have_made_a_turn(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+2000"});
	table_wait(&table, 15000);
	assert_clocks(&table, 60000, 60000);
	assert_false(table_view(&table, MRL_PLAY_OWNER).running);
	table_play(&table, "a1", 0);
	table_wait(&table, 15000);
	table_play(&table, "d1", 0);
	assert_clocks(&table, 60000, 60000);
	assert_true(table_view(&table, MRL_PLAY_OWNER).running);
	table_wait(&table, 1234);
	assert_clocks(&table, 58766, 60000);
	table_release(&table);
}

static void a_turn_costs_its_time_and_earns_the_increment(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+2000"});
	table_play(&table, "a1 d1", 1000);
	table_play(&table, "g1", 5000);
	assert_int_equal(table.batch.events[0].turn.spent, 5000);
	assert_clocks(&table, 57000, 60000);
	table_play(&table, "b2", 500);
	assert_clocks(&table, 57000, 61500);
	table_release(&table);
}

static void the_first_turn_has_a_limit_of_its_own(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "300000+0"});
	table_wait(&table, 19999);
	assert_int_equal(table_view(&table, MRL_PLAY_OWNER).first_left, 1);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_wait(&table, 1);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_FIRST_TURN);
	table_release(&table);
	/* The other side's begins when it is to move. */
	table_open(&table, &(struct plan){.tempo = "300000+0"});
	table_wait(&table, 19000);
	table_play(&table, "a1", 0);
	table_wait(&table, 19999);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_wait(&table, 1);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_FIRST_TURN);
	table_release(&table);
}

static void the_flag_falls_at_zero_and_not_before(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	table_wait(&table, 9999);
	assert_int_equal(table.batch.count, 0);
	assert_clocks(&table, 1, 10000);
	assert_true(mrl_play_deadline(&table.game) == table.time + 1);
	table_wait(&table, 1);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	assert_clocks(&table, 0, 10000);
	table_release(&table);
}

static void a_turn_one_millisecond_before_the_flag_counts(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	table_play(&table, "g1", 9999);
	assert_clocks(&table, 1, 10000);
	table_release(&table);
}

static void a_turn_at_the_flag_is_too_late_whatever_the_net_did(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	table.time += 10000;
	assert_int_equal(turn_with_lag(&table, "g1", 400), MRL_CODE_OVER);
	assert_true(HAPPENED(&table, MRL_PLAY_ENDED));
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	assert_int_equal(table.game.moves.count, 2);
	table_release(&table);
}

static void the_flag_falls_though_nobody_is_there(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	mrl_play_presence(&table.game, MRL_PLAY_OWNER, false, true, table.time);
	mrl_play_presence(&table.game, MRL_PLAY_FRIEND, false, true, table.time);
	table_wait(&table, 10000);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	table_release(&table);
}

static void a_late_timer_still_shows_zero(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	table.time += 123456789;
	assert_clocks(&table, 0, 10000);
	table_wait(&table, 0);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	assert_clocks(&table, 0, 10000);
	table_release(&table);
}

static void lag_is_credited_up_to_half_a_second_a_turn(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	table.time += 3000;
	assert_int_equal(turn_with_lag(&table, "g1", 120), MRL_CODE_OK);
	assert_int_equal(table.batch.events[0].turn.credit, 120);
	assert_int_equal(table.batch.events[0].turn.spent, 2880);
	assert_clocks(&table, 57120, 60000);
	table.time += 3000;
	assert_int_equal(turn_with_lag(&table, "b2", 90000), MRL_CODE_OK);
	assert_int_equal(table.batch.events[0].turn.credit, MRL_PLAY_LAG_TURN);
	assert_clocks(&table, 57120, 57500);
	/* Never more than the turn took: nobody gains time. */
	table.time += 30;
	assert_int_equal(turn_with_lag(&table, "b4", 500), MRL_CODE_OK);
	assert_int_equal(table.batch.events[0].turn.credit, 30);
	assert_clocks(&table, 57120, 57500);
	table_release(&table);
}

static void lag_credit_runs_out_and_comes_back(void **state)
{
	static const char *const whites[] = {"a3-a2", "a2-a3"};
	static const char *const blacks[] = {"c3-c2", "c2-c3"};
	static const uint32_t credits[] = {500, 500, 500, 500, 500, 500, 200, 200, 200};
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three,repetition=0,no-mill=0", .tempo = "60000+0"});
	table_play(&table, "a1 b1 b2 c3 a3 c1", 10);
	/* What is there at the start, and 200 more with each turn: six turns of half a second, then 200 each. */
	for (size_t i = 0; i < COUNT(credits); i++) {
		table.time += 1000;
		assert_int_equal(turn_with_lag(&table, whites[i % 2], 700), MRL_CODE_OK);
		assert_int_equal(table.batch.events[0].turn.credit, credits[i]);
		assert_int_equal(turn_with_lag(&table, blacks[i % 2], 0), MRL_CODE_OK);
	}
	/* Turns without lag fill it up again, to the top and not further. */
	for (size_t i = 0; i < 30; i++) {
		assert_int_equal(turn_with_lag(&table, whites[(i + 1) % 2], 0), MRL_CODE_OK);
		assert_int_equal(turn_with_lag(&table, blacks[(i + 1) % 2], 0), MRL_CODE_OK);
	}
	assert_int_equal(table.game.lag_quota[MRL_WHITE], MRL_PLAY_LAG_QUOTA);
	table_release(&table);
}

static void with_days_each_turn_has_them_anew(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "2d"});
	table_wait(&table, 2 * MRL_PLAY_DAY - 1);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_play(&table, "a1 d1 g1", 0);
	table_release(&table);
	table_open(&table, &(struct plan){.tempo = "2d"});
	table_play(&table, "a1 d1 g1", MRL_PLAY_DAY + 5);
	assert_clocks(&table, 2 * MRL_PLAY_DAY, 2 * MRL_PLAY_DAY);
	table_wait(&table, MRL_PLAY_DAY);
	assert_clocks(&table, 2 * MRL_PLAY_DAY, MRL_PLAY_DAY);
	table_wait(&table, MRL_PLAY_DAY);
	assert_ended(&table, MRL_WHITE_WINS, MRL_REASON_TIME);
	table_release(&table);
	table_open(&table, &(struct plan){.tempo = "2d"});
	table_wait(&table, 2 * MRL_PLAY_DAY);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_FIRST_TURN);
	table_release(&table);
}

static void without_a_clock_nothing_ends_but_what_lies_idle(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "none"});
	table_play(&table, "a1 d1 g1", MRL_PLAY_IDLE_LIMIT - 1);
	assert_clocks(&table, 0, 0);
	assert_false(table_view(&table, MRL_PLAY_OWNER).running);
	table_wait(&table, MRL_PLAY_IDLE_LIMIT - 1);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_wait(&table, 1);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_IDLE);
	table_release(&table);
}

static void time_given_to_the_opponent_is_on_his_clock_at_once(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "10000+0"});
	table_play(&table, "a1 d1", 100);
	table_wait(&table, 4000);
	assert_int_equal(table_do(&table, MRL_PLAY_FRIEND, MRL_PLAY_ADD_TIME), MRL_CODE_OK);
	assert_int_equal(table.batch.events[0].added.clock[MRL_WHITE], 21000);
	assert_clocks(&table, 21000, 10000);
	table_wait(&table, 20999);
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	table_wait(&table, 1);
	assert_ended(&table, MRL_BLACK_WINS, MRL_REASON_TIME);
	table_release(&table);
}

static void time_is_given_once_a_second_and_not_without_end(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table.quick = true;
	table_play(&table, "a1 d1", 100);
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_ADD_TIME), MRL_CODE_OK);
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_ADD_TIME), MRL_CODE_SLOW_DOWN);
	for (int i = 0; i < 10000 && table.answer.code != MRL_CODE_CLOCK_FULL; i++) {
		table_wait(&table, MRL_PLAY_TIME_PAUSE);
		table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_ADD_TIME);
		table_do(&table, MRL_PLAY_FRIEND, MRL_PLAY_ADD_TIME);
	}
	assert_code(&table, MRL_CODE_CLOCK_FULL);
	assert_true(table.game.clock[MRL_BLACK] <= MRL_PLAY_CLOCK_MAX);
	table_release(&table);
	table_open(&table, &(struct plan){.tempo = "3d"});
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_ADD_TIME), MRL_CODE_NO_CLOCK);
	table_release(&table);
}

static void time_that_goes_back_counts_as_standing(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 1000);
	table.time -= 40; /* a server back from a crash may know the time a little less well */
	assert_clocks(&table, 60000, 60000);
	table_play(&table, "g1", 0);
	assert_int_equal(table.batch.events[0].turn.spent, 0);
	assert_clocks(&table, 60000, 60000);
	table_release(&table);
}

static void speeds_go_by_what_forty_turns_take(void **state)
{
	static const struct {
		const char *tempo;
		const char *speed;
	} rows[] = {
	    {"60000+0", "bullet"},    {"120000+1000", "bullet"}, {"179999+0", "bullet"}, {"180000+0", "blitz"},
	    {"180000+2000", "blitz"}, {"300000+4000", "blitz"},  {"480000+0", "rapid"},  {"600000+5000", "rapid"},
	    {"1500000+0", "slow"},    {"1800000+20000", "slow"}, {"3d", "slow"},         {"none", "slow"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mrl_play_tempo tempo;

		assert_true(mrl_play_tempo_read(rows[i].tempo, strlen(rows[i].tempo), &tempo));
		assert_string_equal(mrl_play_speed_text(mrl_play_speed(&tempo)), rows[i].speed);
	}
}

static void a_tempo_has_one_spelling(void **state)
{
	static const char *const wrong[] = {"",
					    "d",
					    "0d",
					    "15d",
					    "03d",
					    "3d ",
					    "999+0",
					    "+5",
					    "60000",
					    "60000+",
					    "+",
					    "060000+0",
					    "60000+00",
					    "10800001+0",
					    "None",
					    "60000+180001",
					    "60000-1",
					    "-1+5",
					    "4294967296+0",
					    "60000+0x"};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct mrl_play_tempo tempo = {.days = 99};

		if (mrl_play_tempo_read(wrong[i], strlen(wrong[i]), &tempo))
			fail_msg("%s was read", wrong[i]);
		assert_int_equal(tempo.days, 99);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(clocks_stand_until_both_have_made_a_turn),
	    cmocka_unit_test(a_turn_costs_its_time_and_earns_the_increment),
	    cmocka_unit_test(the_first_turn_has_a_limit_of_its_own),
	    cmocka_unit_test(the_flag_falls_at_zero_and_not_before),
	    cmocka_unit_test(a_turn_one_millisecond_before_the_flag_counts),
	    cmocka_unit_test(a_turn_at_the_flag_is_too_late_whatever_the_net_did),
	    cmocka_unit_test(the_flag_falls_though_nobody_is_there),
	    cmocka_unit_test(a_late_timer_still_shows_zero),
	    cmocka_unit_test(lag_is_credited_up_to_half_a_second_a_turn),
	    cmocka_unit_test(lag_credit_runs_out_and_comes_back),
	    cmocka_unit_test(with_days_each_turn_has_them_anew),
	    cmocka_unit_test(without_a_clock_nothing_ends_but_what_lies_idle),
	    cmocka_unit_test(time_given_to_the_opponent_is_on_his_clock_at_once),
	    cmocka_unit_test(time_is_given_once_a_second_and_not_without_end),
	    cmocka_unit_test(time_that_goes_back_counts_as_standing),
	    cmocka_unit_test(speeds_go_by_what_forty_turns_take),
	    cmocka_unit_test(a_tempo_has_one_spelling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
