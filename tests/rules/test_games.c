/* Whole games: takes, the counters, repetition, and every way to end. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define PLIES 512

static struct mrl_rules rules;
static struct mrl_ply plies[PLIES];

static void start(struct mrl_game *game, const char *rules_text, const char *turns)
{
	test_rules(&rules, rules_text);
	mrl_game_init(game, &rules, NULL, plies, PLIES);
	test_play(game, turns);
}

static void assert_illegal(struct mrl_game *game, const char *text, const char *message)
{
	struct mrl_turn turn = test_turn(&rules, text);
	struct mrl_error error;
	size_t count = game->count;

	assert_int_equal(mrl_game_play(game, &turn, &error), MRL_ILLEGAL);
	if (strstr(error.message, message) == NULL)
		fail_msg("%s: %s", text, error.message);
	assert_int_equal(game->count, count);
}

static void assert_ended(const struct mrl_game *game, enum mrl_outcome outcome, enum mrl_reason reason)
{
	assert_string_equal(mrl_outcome_text(game->verdict.outcome), mrl_outcome_text(outcome));
	assert_string_equal(mrl_reason_text(game->verdict.reason), mrl_reason_text(reason));
}

static void the_last_placement_that_closes_a_mill_takes_in_the_same_turn(void **state)
{
	static const char *const takes[] = {"f6xa7", "f6xd7", "f6xc5", "f6xa4", "f6xb4",
					    "f6xf4", "f6xg4", "f6xe3", "f6xd1"};
	struct mrl_game game;

	(void)state;
	start(&game, "nine", "b4 d6 g4 g1 d7 b6 d1 d5 e3 d3 a7 b2 a4 g7 c5 f2 f4");
	assert_int_equal(game.position.side, MRL_BLACK);
	assert_int_equal(game.position.hand[MRL_BLACK], 1);
	assert_int_equal(mrl_turn_count(&rules, &game.position), 7 - 2 + 2 * 9); /* d2 closes one too */
	assert_illegal(&game, "f6", "one of d1 e3 a4 b4 f4 g4 c5 a7 d7");
	assert_illegal(&game, "f6xb2", "no enemy man to take on b2; may be taken: d1 e3 a4 b4 f4 g4 c5 a7 d7");
	for (size_t i = 0; i < 9; i++) {
		test_play(&game, takes[i]);
		assert_int_equal(game.position.side, MRL_WHITE);
		assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
		assert_true(mrl_game_back(&game));
	}
}

static void when_all_enemy_men_stand_in_mills_any_may_be_taken(void **state)
{
	static const char *const takes[] = {"a4xa7", "a4xd7", "a4xg7"};
	struct mrl_game game;

	(void)state;
	/* White: b6 d6 f6 closed by f6; Black: a7 d7 g7, closed by g7, all in one mill. */
	start(&game, "nine", "b6 a7 d6 d7 a1 g7xa1");
	assert_illegal(&game, "f6", "one of a7 d7 g7");
	for (size_t i = 0; i < 3; i++) {
		struct mrl_turn turn = test_turn(&rules, takes[i]);

		turn.to = (uint8_t)test_point(&rules, "f6");
		assert_int_equal(mrl_game_play(&game, &turn, NULL), MRL_OK);
		assert_true(mrl_game_back(&game));
	}
	start(&game, "nine,take=free-only", "b6 a7 d6 d7 a1 g7xa1");
	assert_illegal(&game, "f6xa7", "no enemy man may be taken here");
	test_play(&game, "f6");
	assert_int_equal(game.position.no_mill, 0);
	assert_int_equal(game.position.side, MRL_BLACK);
}

static void men_in_a_mill_are_protected_while_others_are_free(void **state)
{
	struct mrl_game game;

	(void)state;
	start(&game, "nine", "b6 a7 d6 d7 a1 g7xa1 b2 d5");
	assert_illegal(&game, "f6xa7", "the man on a7 stands in a mill and may not be taken; may be taken: d5");
	test_play(&game, "f6xd5");
	start(&game, "nine,take=any", "b6 a7 d6 d7 a1 g7xa1 b2 d5 f6xa7");
}

static void a_side_shut_in_right_after_the_last_placement_has_lost(void **state)
{
	struct mrl_game game;

	(void)state;
	start(&game, "nine", "e5 a7 a4 g7 e4 d5 g4 b4 d3 f4 b2 c3 f2 e3 a1 d2 d1 g1");
	assert_ended(&game, MRL_BLACK_WINS, MRL_REASON_NO_MOVES);
	start(&game, "nine,stuck=draw", "e5 a7 a4 g7 e4 d5 g4 b4 d3 f4 b2 c3 f2 e3 a1 d2 d1 g1");
	assert_ended(&game, MRL_DRAW, MRL_REASON_NO_MOVES);
}

static void only_points_next_to_each_other_on_a_line_are_connected(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a7 d1 g1 c3", "b4 d2 f2 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	assert_illegal(&game, "a7-b6",
		       "b6 is not next to a7 on a line (next to it: a4 d7), and White may not fly with "
		       "4 men");
	test_rules(&rules, "twelve");
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "a7-b6");
}

static void closing_two_mills_with_one_man_takes_one_or_one_for_each(void **state)
{
	struct mrl_game game;

	(void)state;
	/* f4 closes e4 f4 g4 and f2 f4 f6. */
	start(&game, "nine", "g4 a7 f2 c5 f6 d2 e4 d5");
	assert_illegal(&game, "f4", "closes a mill");
	assert_illegal(&game, "f4xa7xc5", "more men than it may");
	test_play(&game, "f4xa7");
	start(&game, "nine,take-count=per-mill", "g4 a7 f2 c5 f6 d2 e4 d5");
	assert_illegal(&game, "f4xa7", "another man must be taken: one of d2 c5 d5");
	assert_illegal(&game, "f4xa7xa7", "the man is already taken on a7");
	assert_int_equal(mrl_turn_count(&rules, &game.position), 16 - 1 + 4 * 3);
	test_play(&game, "f4xa7xc5");
	assert_int_equal(game.position.men[MRL_BLACK], test_points(&rules, "d2 d5"));
	assert_int_equal(game.position.side, MRL_BLACK);
}

static void per_mill_fewer_are_taken_when_no_more_may_be(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine,take-count=per-mill,take=free-only");
	position = test_position(&rules, "g4 f2 f6 e4", "a7 d7 g7 d5", MRL_WHITE, 5, 5);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	assert_illegal(&game, "f4xd5xa7", "the turn takes more men than it may");
	test_play(&game, "f4xd5"); /* the others stand in a mill */
}

static void the_first_take_may_free_a_man_for_the_second(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	/* All black men stand in the mill a7 d7 g7: after one is gone the others are free. */
	test_rules(&rules, "nine,take-count=per-mill");
	position = test_position(&rules, "g4 f2 f6 e4", "a7 d7 g7", MRL_WHITE, 5, 5);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "f4xd7xg7");
	assert_int_equal(game.position.men[MRL_BLACK], test_points(&rules, "a7"));
}

static void a_mill_opened_and_closed_again_counts_again(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1 g1 b6", "d7 g7 f4 e3 c5", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "g1-g4 d7-a7");
	assert_int_equal(game.position.no_mill, 2);
	test_play(&game, "g4-g1xg7");
	assert_int_equal(game.position.no_mill, 0);
}

static void a_move_within_a_line_does_not_count_the_point_it_left(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	/* c1 c2 c3 c4 c5 is one line: c2 to ... with men on c3 c4, moving c2-c1 must not see c2 c3 c4. */
	test_rules(&rules, "seven");
	position = test_position(&rules, "c2 c3 c4 a1", "a5 e5 b3 d3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "c2-c1");
	assert_int_equal(game.position.no_mill, 1);
	/* The other end of the row: c2 flown to c5 makes c3 c4 c5. */
	test_rules(&rules, "seven,fly=4");
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "c2-c5xb3");
}

static void three_men_fly_and_four_do_not(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1 g4", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	assert_true(mrl_may_fly(&rules, &position, MRL_WHITE));
	assert_false(mrl_may_fly(&rules, &position, MRL_BLACK));
	test_play(&game, "a1-c5");
	assert_illegal(&game, "d7-a4", "Black may not fly with 4 men");
	test_rules(&rules, "nine,fly=0");
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	assert_illegal(&game, "a1-c5", "c5 is not next to a1");
}

static void with_men_in_hand_nobody_flies_or_without_move_early_slides(void **state)
{
	struct mrl_game game;

	(void)state;
	start(&game, "nine", "a1 d2");
	assert_illegal(&game, "a1-a4", "White still has 8 men in hand and must place one");
	start(&game, "lasker", "a1 d2");
	assert_illegal(&game, "a1-g7", "may not fly with men in hand");
	test_play(&game, "a1-a4");
	assert_int_equal(game.position.hand[MRL_WHITE], 9);
	assert_int_equal(game.position.no_mill, 1);
	test_play(&game, "b2");
	assert_int_equal(game.position.no_mill, 0);
}

static void with_none_in_hand_nobody_places(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1 g4 c3", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	assert_illegal(&game, "a7", "White has no man in hand to place on a7");
	assert_illegal(&game, "d7-a7", "White has no man on d7, the man there is the opponent's");
	assert_illegal(&game, "b2-b4", "White has no man on b2, the point is empty");
	assert_illegal(&game, "a1-d1", "d1 is occupied by a white man");
	assert_illegal(&game, "a1-a1", "a man must leave its point");
	assert_illegal(&game, "a1-a4xd7", "a4 closes no mill");
}

static void closing_a_mill_wins_where_mills_win(void **state)
{
	struct mrl_game game;

	(void)state;
	start(&game, "three", "a1 a2 b1 b2");
	assert_illegal(&game, "c1xa2", "wins at once");
	test_play(&game, "c1");
	assert_ended(&game, MRL_WHITE_WINS, MRL_REASON_MILL);
	assert_int_equal(mrl_turn_count(&rules, &game.position), 0);
}

static void two_men_lose(void **state)
{
	struct mrl_position position;
	struct mrl_game game;
	struct mrl_turn turn;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1 g4", "d7 g7 f4", MRL_WHITE, 0, 0);
	position.no_mill = 99; /* a win on the ply on which the counter would run out is a win */
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "g4-g1xd7");
	assert_ended(&game, MRL_WHITE_WINS, MRL_REASON_FEW_MEN);
	turn = test_turn(&rules, "g7-a7");
	assert_int_equal(mrl_game_play(&game, &turn, NULL), MRL_DECIDED);
	assert_int_equal(game.count, 1);
}

static void a_full_board_is_a_draw_or_lost_as_the_rule_set_has_it(void **state)
{
	struct mrl_position position;
	const char *white = "a1 d1 b2 f2 c3 e3 c4 e4 g4 d5 b6 f6";
	const char *black = "g1 d2 d3 a4 b4 f4 c5 e5 d6 a7 d7 g7";

	(void)state;
	test_rules(&rules, "twelve");
	position = test_position(&rules, white, black, MRL_WHITE, 0, 0);
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_DRAW);
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_FULL_BOARD);
	test_rules(&rules, "twelve,full-board=stuck");
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_BLACK_WINS);
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_NO_MOVES);
	test_rules(&rules, "twelve,full-board=stuck,stuck=draw");
	assert_int_equal(mrl_position_verdict(&rules, &position).outcome, MRL_DRAW);
	assert_int_equal(mrl_position_verdict(&rules, &position).reason, MRL_REASON_NO_MOVES);
}

static void shuffle(struct mrl_game *game, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		test_play(game, "a1-a4 g7-g4 a4-a1 g4-g7");
}

static void the_third_occurrence_is_a_draw_and_the_start_is_the_first(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	position = test_position(&rules, "a1 d1 c3 b6", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	shuffle(&game, 1);
	assert_int_equal(mrl_game_occurrences(&game), 2);
	test_play(&game, "a1-a4 g7-g4 a4-a1");
	assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
	test_play(&game, "g4-g7");
	assert_ended(&game, MRL_DRAW, MRL_REASON_REPETITION);
	assert_int_equal(game.count, 8);
	assert_true(mrl_game_back(&game));
	assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
}

static void the_position_after_the_last_placement_is_its_own_first_occurrence(void **state)
{
	struct mrl_game game;

	(void)state;
	start(&game, "three", "a1 c2 b3 a2 c3 b1"); /* White a1 b3 c3, Black a2 b1 c2 */
	assert_int_equal(game.position.hand[0] + game.position.hand[1], 0);
	test_play(&game, "b3-a3 b1-c1 a3-b3 c1-b1");
	assert_int_equal(mrl_game_occurrences(&game), 2);
	test_play(&game, "b3-a3 b1-c1 a3-b3 c1-b1");
	assert_ended(&game, MRL_DRAW, MRL_REASON_REPETITION);
}

static void repetition_can_be_later_or_never(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine,repetition=5");
	position = test_position(&rules, "a1 d1 c3 b6", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	shuffle(&game, 3);
	assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
	shuffle(&game, 1);
	assert_ended(&game, MRL_DRAW, MRL_REASON_REPETITION);
	test_rules(&rules, "nine,repetition=0");
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	shuffle(&game, 25);
	assert_ended(&game, MRL_DRAW, MRL_REASON_NO_MILL); /* the hundredth ply, and the position often enough */
}

static void a_counter_ends_the_game_on_its_ply_and_not_before(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine,no-mill=7,repetition=0");
	position = test_position(&rules, "a1 d1 c3 b6", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "a1-a4 g7-g4 a4-a1 g4-g7 a1-a4 g7-g4");
	assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
	test_play(&game, "a4-a1");
	assert_ended(&game, MRL_DRAW, MRL_REASON_NO_MILL);
	assert_int_equal(game.count, 7);
}

static void the_three_men_counter_runs_only_while_a_side_has_three(void **state)
{
	struct mrl_position position;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "morabaraba,three-men=4");
	position = test_position(&rules, "a1 d1 g4 c5", "d7 a7 f4 b6", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, PLIES);
	test_play(&game, "c5-c4 d7-d6");
	assert_int_equal(game.position.three_men, 0);
	test_play(&game, "g4-g1xf4"); /* Black has three now; a take is 0 */
	assert_int_equal(game.position.three_men, 0);
	test_play(&game, "d6-e5 g1-g4");
	assert_int_equal(game.position.three_men, 2);
	test_play(&game, "e5-d6");
	assert_int_equal(game.position.three_men, 3);
	assert_true(mrl_game_back(&game));
	test_play(&game, "e5-f2 c4-c3");
	assert_ended(&game, MRL_DRAW, MRL_REASON_THREE_MEN);
}

static void a_full_history_is_told_and_goes_on_in_larger_memory(void **state)
{
	struct mrl_position position;
	struct mrl_game game;
	struct mrl_ply *memory = malloc(2 * sizeof *memory);
	struct mrl_ply *larger;
	struct mrl_turn turn;
	size_t total = 0;

	(void)state;
	assert_non_null(memory);
	test_rules(&rules, "nine,repetition=0,no-mill=0");
	position = test_position(&rules, "a1 d1 c3 b6", "d7 g7 f4 e3", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, memory, 2);
	test_play(&game, "a1-a4 g7-g4");
	turn = test_turn(&rules, "a4-a1");
	assert_int_equal(mrl_game_play(&game, &turn, NULL), MRL_SPACE);
	assert_int_equal(game.count, 2);
	larger = realloc(memory, 80000 * sizeof *memory);
	assert_non_null(larger);
	mrl_game_move(&game, larger, 80000);
	test_play(&game, "a4-a1 g4-g7");
	for (; total < 70000; total += 4)
		shuffle(&game, 1);
	assert_int_equal(game.count, total + 4);
	assert_int_equal(game.position.no_mill, 65535); /* the counter stops, the game does not */
	assert_ended(&game, MRL_ONGOING, MRL_REASON_NONE);
	while (mrl_game_back(&game))
		continue;
	assert_true(mrl_position_same(&game.position, &position));
	free(larger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_placement_that_closes_a_mill_takes_in_the_same_turn),
	    cmocka_unit_test(when_all_enemy_men_stand_in_mills_any_may_be_taken),
	    cmocka_unit_test(men_in_a_mill_are_protected_while_others_are_free),
	    cmocka_unit_test(a_side_shut_in_right_after_the_last_placement_has_lost),
	    cmocka_unit_test(only_points_next_to_each_other_on_a_line_are_connected),
	    cmocka_unit_test(closing_two_mills_with_one_man_takes_one_or_one_for_each),
	    cmocka_unit_test(per_mill_fewer_are_taken_when_no_more_may_be),
	    cmocka_unit_test(the_first_take_may_free_a_man_for_the_second),
	    cmocka_unit_test(a_mill_opened_and_closed_again_counts_again),
	    cmocka_unit_test(a_move_within_a_line_does_not_count_the_point_it_left),
	    cmocka_unit_test(three_men_fly_and_four_do_not),
	    cmocka_unit_test(with_men_in_hand_nobody_flies_or_without_move_early_slides),
	    cmocka_unit_test(with_none_in_hand_nobody_places),
	    cmocka_unit_test(closing_a_mill_wins_where_mills_win),
	    cmocka_unit_test(two_men_lose),
	    cmocka_unit_test(a_full_board_is_a_draw_or_lost_as_the_rule_set_has_it),
	    cmocka_unit_test(the_third_occurrence_is_a_draw_and_the_start_is_the_first),
	    cmocka_unit_test(the_position_after_the_last_placement_is_its_own_first_occurrence),
	    cmocka_unit_test(repetition_can_be_later_or_never),
	    cmocka_unit_test(a_counter_ends_the_game_on_its_ply_and_not_before),
	    cmocka_unit_test(the_three_men_counter_runs_only_while_a_side_has_three),
	    cmocka_unit_test(a_full_history_is_told_and_goes_on_in_larger_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
