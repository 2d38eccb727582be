/* Turns: whose, for which position, once each; and the ends that the rules make by themselves. */
#include "support.h"

static struct mrl_play_command turn_of(enum mrl_play_seat seat, uint32_t ply, const char *turn, const char *id)
{
	return (struct mrl_play_command){.verb = MRL_PLAY_PLAY,
					 .seat = seat,
					 .ply = ply,
					 .turn = turn,
					 .turn_length = strlen(turn),
					 .id = id,
					 .id_length = id != NULL ? strlen(id) : 0};
}

static void a_turn_and_its_take_are_one_event(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 b2 d1 d2", 100);
	assert_int_equal(table_turn(&table, "g1"), MRL_CODE_ILLEGAL); /* closes a mill, so it takes */
	assert_int_equal(table.game.moves.count, 4);
	assert_int_equal(table_turn(&table, "G1 xd2"), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_TURN));
	assert_string_equal(table.batch.events[0].turn.text, "g1xd2");
	assert_int_equal(table.game.moves.count, 5);
	table_release(&table);
}

static void a_turn_sent_twice_is_made_once_and_answered_the_same(void **state)
{
	struct table table;
	uint32_t number;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "x")), MRL_CODE_OK);
	number = table.answer.number;
	assert_false(table.answer.repeated);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "x")), MRL_CODE_OK);
		assert_true(table.answer.repeated);
		assert_int_equal(table.answer.number, number);
		assert_int_equal(table.batch.count, 0);
		table_restart(&table);
	}
	/* Also when the game has gone on, and when it is over. */
	table_play(&table, "d1 g1 b2", 100);
	assert_int_equal(table_do(&table, MRL_PLAY_FRIEND, MRL_PLAY_RESIGN), MRL_CODE_OK);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "x")), MRL_CODE_OK);
	assert_int_equal(table.answer.number, number);
	table_release(&table);
}

static void ids_are_of_one_seat(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "same")), MRL_CODE_OK);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_FRIEND, 1, "d1", "same")), MRL_CODE_OK);
	assert_false(table.answer.repeated);
	assert_int_equal(table.game.moves.count, 2);
	table_release(&table);
}

static void the_last_64_ids_of_a_seat_are_remembered(void **state)
{
	struct table table;
	uint32_t first;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three,repetition=0,no-mill=0", .tempo = "60000+0"});
	table_play(&table, "a1 b1 b2 c3 a3 c1", 10);
	first = table.game.number + 1;
	for (unsigned i = 0; i < 64; i++) {
		char id[8] = {'i', (char)('0' + i / 10), (char)('0' + i % 10)};

		assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, (uint32_t)table.game.moves.count,
							    i % 2 == 0 ? "a3-a2" : "a2-a3", id)),
				 MRL_CODE_OK);
		assert_int_equal(table_turn(&table, i % 2 == 0 ? "c3-c2" : "c2-c3"), MRL_CODE_OK);
	}
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "i00")), MRL_CODE_OK);
	assert_true(table.answer.repeated);
	assert_int_equal(table.answer.number, first);
	table_release(&table);
}

static void a_refused_command_is_not_remembered(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a2", "x")), MRL_CODE_BAD_TURN);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "x")), MRL_CODE_OK);
	assert_false(table.answer.repeated);
	table_release(&table);
}

static void bad_ids_are_refused(void **state)
{
	static const char *const ids[] = {"", "a b", "\xc3\xa9", "a.b", "123456789012345678901234567890123"};
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	for (size_t i = 0; i < COUNT(ids); i++)
		assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", ids[i])), MRL_CODE_BAD_ID);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "a1", "12345678901234567890123456789-_Z")),
			 MRL_CODE_OK);
	table_release(&table);
}

static void a_turn_is_for_the_position_it_was_made_for(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 1, "a1", NULL)), MRL_CODE_WRONG_PLY);
	table_play(&table, "a1", 100);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 0, "d1", NULL)), MRL_CODE_WRONG_PLY);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_OWNER, 1, "d1", NULL)), MRL_CODE_NOT_YOUR_TURN);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_FRIEND, 1, "a1", NULL)), MRL_CODE_ILLEGAL);
	assert_non_null(strstr(table.answer.text, "a1"));
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_FRIEND, 1, "hello", NULL)), MRL_CODE_BAD_TURN);
	assert_int_equal(table_give(&table, turn_of(MRL_PLAY_NOBODY, 1, "d1", NULL)), MRL_CODE_NO_SEAT);
	assert_int_equal(table_give(&table, turn_of((enum mrl_play_seat)3, 1, "d1", NULL)), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table.game.moves.count, 1);
	table_release(&table);
}

static void a_mill_wins_and_the_event_says_why(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three", .tempo = "60000+0"});
	table_play(&table, "a1 b2 b1 b3", 100);
	assert_int_equal(table_turn(&table, "c1"), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_TURN, MRL_PLAY_ENDED));
	assert_int_equal(table.batch.events[1].seat, MRL_PLAY_NOBODY);
	assert_string_equal(table.batch.events[0].id, "c5");
	assert_string_equal(table.batch.events[1].id, "");
	assert_ended(&table, MRL_WHITE_WINS, MRL_REASON_MILL);
	assert_int_equal(table_turn(&table, "a3"), MRL_CODE_OVER);
	table_release(&table);
}

static void the_third_time_is_a_draw_without_anybody_asking(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three", .tempo = "60000+0"});
	table_play(&table, "a1 b1 b2 c3 a3 c1", 100);
	table_play(&table, "a3-a2 c3-c2 a2-a3 c2-c3 a3-a2 c3-c2 a2-a3", 100);
	assert_int_equal(table_view(&table, MRL_PLAY_OWNER).occurrences, 2);
	assert_int_equal(table_turn(&table, "c2-c3"), MRL_CODE_OK);
	assert_ended(&table, MRL_DRAW, MRL_REASON_REPETITION);
	table_release(&table);
}

static void a_counter_that_has_run_out_is_a_draw(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three,no-mill=4", .tempo = "60000+0"});
	table_play(&table, "a1 b1 b2 c3 a3 c1 a3-a2 c3-c2 a2-a3", 100);
	assert_int_equal(table_view(&table, MRL_PLAY_OWNER).no_mill_left, 1);
	assert_int_equal(table_turn(&table, "c2-c3"), MRL_CODE_OK);
	assert_ended(&table, MRL_DRAW, MRL_REASON_NO_MILL);
	table_release(&table);
}

static void a_game_that_will_not_end_is_ended(void **state)
{
	static const char *const round[] = {"a3-a2", "c3-c2", "a2-a3", "c2-c3"};
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "three,no-mill=0,repetition=0", .tempo = "60000+1000"});
	table.quick = true;
	table_play(&table, "a1 b1 b2 c3 a3 c1", 100);
	for (size_t i = 0; table.game.phase == MRL_PLAY_RUNNING; i++)
		assert_int_equal(table_turn(&table, round[i % 4]), MRL_CODE_OK);
	assert_int_equal(table.game.moves.count, MRL_PLAY_MAX_PLIES);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_LENGTH);
	table_restart(&table);
	table_release(&table);
}

static void events_that_cannot_follow_are_told_and_change_nothing(void **state)
{
	struct mrl_play_game before;
	struct mrl_play_event event;
	struct mrl_error error;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	assert_int_equal(table_turn(&table, "g1"), MRL_CODE_OK);
	event = table.batch.events[0];
	before = table.game;
	assert_int_equal(mrl_play_apply(&table.game, &event, &error), MRL_RANGE); /* again */
	assert_non_null(strstr(error.message, "event 6 (turn)"));
	event.number++;
	event.time--;
	assert_int_equal(mrl_play_apply(&table.game, &event, NULL), MRL_RANGE); /* older */
	event.time++;
	assert_int_equal(mrl_play_apply(&table.game, &event, NULL), MRL_POSITION); /* the other's turn */
	event.seat = MRL_PLAY_FRIEND;
	event.turn.ply++;
	assert_int_equal(mrl_play_apply(&table.game, &event, NULL), MRL_ILLEGAL); /* g1 has a man */
	strcpy(event.turn.text, "a7 ");
	event.kind = MRL_PLAY_STARTED;
	assert_int_equal(mrl_play_apply(&table.game, &event, NULL), MRL_POSITION);
	event.kind = MRL_PLAY_KINDS;
	assert_int_equal(mrl_play_apply(&table.game, &event, NULL), MRL_RANGE);
	assert_true(mrl_play_same(&table.game, &before));
	table_release(&table);
}

static void a_full_history_asks_for_more_and_changes_nothing(void **state)
{
	struct mrl_play_game before;
	struct mrl_play_now now;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1", 100);
	mrl_play_move(&table.game, table.game.moves.plies, table.game.past, 2);
	now = (struct mrl_play_now){.time = table.time};
	assert_int_equal(mrl_play_command(&table.game,
					  &(struct mrl_play_command){.verb = MRL_PLAY_PLAY,
								     .seat = MRL_PLAY_OWNER,
								     .ply = 2,
								     .turn = "g1",
								     .turn_length = 2,
								     .id = "x",
								     .id_length = 1},
					  &now, &table.batch, &table.answer),
			 MRL_CODE_OK);
	before = table.game;
	assert_int_equal(mrl_play_apply(&table.game, &table.batch.events[0], NULL), MRL_SPACE);
	assert_true(mrl_play_same(&table.game, &before));
	table_keep(&table, &table.batch);
	assert_int_equal(table.game.moves.count, 3);
	table_release(&table);
}

static void events_of_other_rules_are_refused(void **state)
{
	struct mrl_play_game other;
	struct mrl_play_event event;
	struct mrl_rules rules;
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.rules = "nine"});
	assert_int_equal(mrl_rules_parse(&rules, "nine,fly=0", 10, NULL), MRL_OK);
	mrl_play_init(&other, &rules, NULL, NULL, 0);
	assert_int_equal(mrl_play_event_read(table.lines[0], strlen(table.lines[0]), &event, NULL), MRL_OK);
	assert_int_equal(mrl_play_apply(&other, &event, NULL), MRL_NAME);
	assert_int_equal(other.phase, MRL_PLAY_NOTHING);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_turn_and_its_take_are_one_event),
	    cmocka_unit_test(a_turn_sent_twice_is_made_once_and_answered_the_same),
	    cmocka_unit_test(ids_are_of_one_seat),
	    cmocka_unit_test(the_last_64_ids_of_a_seat_are_remembered),
	    cmocka_unit_test(a_refused_command_is_not_remembered),
	    cmocka_unit_test(bad_ids_are_refused),
	    cmocka_unit_test(a_turn_is_for_the_position_it_was_made_for),
	    cmocka_unit_test(a_mill_wins_and_the_event_says_why),
	    cmocka_unit_test(the_third_time_is_a_draw_without_anybody_asking),
	    cmocka_unit_test(a_counter_that_has_run_out_is_a_draw),
	    cmocka_unit_test(a_game_that_will_not_end_is_ended),
	    cmocka_unit_test(events_that_cannot_follow_are_told_and_change_nothing),
	    cmocka_unit_test(a_full_history_asks_for_more_and_changes_nothing),
	    cmocka_unit_test(events_of_other_rules_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
