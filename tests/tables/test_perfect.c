/* Perfect play: it never gives a value away, wins when it says so, resists as long as there is, and heeds counters. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/perfect.h>

enum { HISTORY = 4096 };

static struct mrl_rules rules;
static char folder[FOLDER_SIZE];
static struct mrl_tables *tables;
static struct mrl_ply history[HISTORY];
static struct mrl_game game;

static void begin(const char *name, enum mrl_table_metric metric)
{
	test_rules(&rules, name);
	test_folder(folder);
	test_build(&rules, folder, metric, 2);
	tables = test_open(&rules, folder);
	mrl_game_init(&game, &rules, NULL, history, HISTORY);
}

static void end(void)
{
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

static void set_position(const char *text)
{
	struct mrl_position position;
	struct mrl_error error;

	if (mrl_position_read(&rules, text, strlen(text), &position, &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
	mrl_game_init(&game, &rules, &position, history, HISTORY);
}

static struct mrl_perfect rate(void)
{
	struct mrl_perfect perfect;
	struct mrl_error error = {0};

	if (mrl_perfect_rate(tables, &game, &perfect, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return perfect;
}

static void play(const struct mrl_turn *turn)
{
	assert_int_equal(mrl_game_play(&game, turn, NULL), MRL_OK);
}

static void play_text(const char *text)
{
	struct mrl_turn turn;

	assert_int_equal(mrl_turn_read(&rules, &game.position, text, strlen(text), &turn, NULL), MRL_OK);
	play(&turn);
}

static bool won_by(unsigned side)
{
	return game.verdict.outcome == (side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS);
}

/* The perfect side is to move; all replies of the other are tried, at most `depth` plies deep. */
static void against_every_reply(unsigned depth)
{
	struct mrl_perfect perfect;
	struct mrl_turn replies[MRL_TURNS_USUAL];
	unsigned side = game.position.side;
	size_t count;

	if (depth == 0 || game.verdict.outcome != MRL_ONGOING)
		return;
	perfect = rate();
	play(&perfect.turns[0].turn);
	if (game.verdict.outcome != MRL_ONGOING) {
		if (perfect.value.result == MRL_TABLE_WIN) {
			assert_int_equal(perfect.value.plies, 1);
			assert_true(won_by(side));
		}
	} else {
		count = mrl_turns(&rules, &game.position, replies, MRL_TURNS_USUAL);
		for (size_t i = 0; i < count; i++) {
			play(&replies[i]);
			if (game.verdict.outcome == MRL_ONGOING) {
				struct mrl_perfect next = rate();

				/* A win stays one and comes nearer by a whole turn; a draw is never lost. */
				if (perfect.value.result == MRL_TABLE_WIN) {
					assert_int_equal(next.value.result, MRL_TABLE_WIN);
					assert_true(next.value.plies <= perfect.value.plies - 2);
				} else if (perfect.value.result == MRL_TABLE_DRAW) {
					assert_int_not_equal(next.value.result, MRL_TABLE_LOSS);
				} else {
					assert_true(next.value.result != MRL_TABLE_LOSS ||
						    next.value.plies <= perfect.value.plies - 2);
				}
				mrl_perfect_release(&next);
				against_every_reply(depth - 2);
			} else {
				assert_true(won_by(side) || perfect.value.result != MRL_TABLE_WIN);
				assert_true(!won_by(side ^ 1U) || perfect.value.result == MRL_TABLE_LOSS);
			}
			assert_true(mrl_game_back(&game));
		}
	}
	assert_true(mrl_game_back(&game));
	mrl_perfect_release(&perfect);
}

static void a_winner_wins_in_the_distance_against_every_reply(void **state)
{
	(void)state;
	begin("tapatan", MRL_TABLE_DISTANCE);
	against_every_reply(12);
	end();
	begin("four", MRL_TABLE_DISTANCE);
	against_every_reply(6);
	end();
}

static void a_draw_is_never_let_go(void **state)
{
	(void)state;
	begin("three", MRL_TABLE_DISTANCE);
	against_every_reply(6);
	end();
	begin("five", MRL_TABLE_VALUE);
	against_every_reply(2);
	end();
}

/* Two perfect players take exactly as long as the tables say. */
static void both_perfect_play_takes_the_distance(void **state)
{
	static const char *const names[] = {"tapatan", "achi", "four", "nine-holes,fly=0"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct mrl_perfect first;

		begin(names[i], MRL_TABLE_DISTANCE);
		first = rate();
		while (game.verdict.outcome == MRL_ONGOING && game.count < 100) {
			struct mrl_perfect perfect = rate();

			play(&perfect.turns[perfect.best - 1].turn);
			mrl_perfect_release(&perfect);
		}
		if (first.value.result == MRL_TABLE_WIN) {
			assert_int_equal(game.count, first.value.plies);
			assert_true(won_by(MRL_WHITE));
		}
		mrl_perfect_release(&first);
		end();
	}
}

static void the_best_turns_come_first(void **state)
{
	struct mrl_perfect perfect;

	(void)state;
	begin("four", MRL_TABLE_DISTANCE);
	perfect = rate();
	assert_int_equal(perfect.count, 9);
	assert_int_equal(perfect.value.result, MRL_TABLE_WIN);
	assert_int_equal(perfect.value.plies, 13);
	assert_true(perfect.best >= 1);
	assert_true(perfect.turns[0].proved);
	for (size_t i = 0; i < perfect.best; i++)
		assert_int_equal(perfect.turns[i].value.plies, 13);
	mrl_perfect_release(&perfect);
	end();
}

static void traps_are_the_share_of_replies_that_lose(void **state)
{
	struct mrl_perfect perfect;

	(void)state;
	begin("three", MRL_TABLE_VALUE);
	perfect = rate();
	assert_int_equal(perfect.value.result, MRL_TABLE_DRAW);
	for (size_t i = 0; i < perfect.count; i++) {
		struct mrl_position next = game.position;
		struct mrl_turn replies[MRL_TURNS_USUAL];
		size_t count;
		size_t losing = 0;

		(void)mrl_apply(&rules, &next, &perfect.turns[i].turn, NULL);
		count = mrl_turns(&rules, &next, replies, MRL_TURNS_USUAL);
		for (size_t j = 0; j < count; j++) {
			struct mrl_position then = next;
			struct mrl_table_value value;

			(void)mrl_apply(&rules, &then, &replies[j], NULL);
			assert_int_equal(mrl_tables_probe(tables, &then, &value, NULL), MRL_OK);
			losing += value.result == MRL_TABLE_WIN;
		}
		assert_int_equal(perfect.turns[i].traps, 1000 * losing / count);
		if (i > 0)
			assert_true(perfect.turns[i].traps <= perfect.turns[i - 1].traps);
	}
	mrl_perfect_release(&perfect);
	end();
}

/* ---- The counter, by brute force ---------------------------------------------------------------------------- */

/* All positions with their counters that a start can lead to, and in how many plies the side to move wins or loses. */
enum { SLOTS = 1 << 19, UNKNOWN = 0, MOST_STATES = SLOTS / 2 };

struct brute_state {
	struct mrl_position position;
	bool used;
	bool win;
	unsigned plies_and_one; /* UNKNOWN for a draw */
};

static struct brute_state *states;
static size_t state_count;
static uint32_t state_list[MOST_STATES];

static uint32_t slot_of(const struct mrl_position *position)
{
	uint64_t mixed = (position->hash ^ position->no_mill) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t slot = (uint32_t)(mixed >> 40) & (SLOTS - 1);

	while (states[slot].used && !(mrl_position_same(&states[slot].position, position) &&
				      states[slot].position.no_mill == position->no_mill))
		slot = (slot + 1) & (SLOTS - 1);
	if (!states[slot].used) {
		assert_true(state_count < MOST_STATES);
		states[slot] = (struct brute_state){.position = *position, .used = true};
		state_list[state_count++] = slot;
	}
	return slot;
}

/* True when something new was found at this depth; depth 0 makes the list. */
static bool brute_step(unsigned depth)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	bool news = false;

	for (size_t at = 0; at < state_count; at++) {
		struct brute_state *state = &states[state_list[at]];
		struct mrl_verdict verdict = mrl_position_verdict(&rules, &state->position);
		bool lost = true;
		size_t count;

		if (depth == 0 && (verdict.outcome == MRL_WHITE_WINS || verdict.outcome == MRL_BLACK_WINS)) {
			state->plies_and_one = 1;
			state->win =
			    verdict.outcome == (state->position.side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS);
		}
		if (verdict.outcome != MRL_ONGOING || state->plies_and_one != UNKNOWN)
			continue;
		count = mrl_turns(&rules, &state->position, turns, MRL_TURNS_USUAL);
		for (size_t i = 0; i < count; i++) {
			struct mrl_position next = state->position;
			const struct brute_state *then;

			(void)mrl_apply(&rules, &next, &turns[i], NULL);
			then = &states[slot_of(&next)];
			if (depth == 0)
				continue;
			if (then->plies_and_one == depth && !then->win) {
				state->plies_and_one = depth + 1;
				state->win = true;
				news = true;
				break;
			}
			lost = lost && then->plies_and_one != UNKNOWN && then->plies_and_one <= depth && then->win;
		}
		if (depth > 0 && lost && state->plies_and_one == UNKNOWN) {
			state->plies_and_one = depth + 1;
			news = true;
		}
	}
	return news;
}

static void brute_force(void)
{
	unsigned quiet = 0;

	states = calloc(SLOTS, sizeof(*states));
	assert_non_null(states);
	state_count = 0;
	(void)slot_of(&game.position);
	(void)brute_step(0);
	for (unsigned depth = 1; quiet < 2; depth++)
		quiet = brute_step(depth) ? 0 : quiet + 1;
}

/* What is called proved is won under the counter; and what can be won under the counter is. */
static void a_win_is_one_that_the_counter_allows(void **state)
{
	size_t out_of_time = 0;
	size_t longer = 0;

	(void)state;
	begin("four,no-mill=5,repetition=0", MRL_TABLE_DISTANCE);
	brute_force();
	for (size_t at = 0; at < state_count; at += 5) {
		const struct brute_state *here = &states[state_list[at]];
		struct mrl_position start = here->position;
		struct mrl_position next = start;
		struct mrl_perfect perfect;

		mrl_game_init(&game, &rules, &start, history, HISTORY);
		if (game.verdict.outcome != MRL_ONGOING)
			continue;
		perfect = rate();
		if (perfect.value.result != MRL_TABLE_WIN) {
			assert_false(here->plies_and_one != UNKNOWN && here->win);
			mrl_perfect_release(&perfect);
			continue;
		}
		assert_true(perfect.turns[0].proved == (here->plies_and_one != UNKNOWN && here->win) ||
			    perfect.value.plies == 1);
		out_of_time += !perfect.turns[0].proved && perfect.value.plies > 1;
		if (perfect.turns[0].proved) {
			const struct brute_state *then;

			(void)mrl_apply(&rules, &next, &perfect.turns[0].turn, NULL);
			then = &states[slot_of(&next)];
			assert_true(then->plies_and_one != UNKNOWN && !then->win);
			longer += start.no_mill + perfect.value.plies > rules.no_mill;
		}
		mrl_perfect_release(&perfect);
	}
	printf("%zu states; %zu of those looked at cannot be won in time, %zu take a mill on the way\n", state_count,
	       out_of_time, longer);
	assert_true(out_of_time > 0 && longer > 0);
	free(states);
	end();
}

/* With values alone a won game is won all the same. */
static void values_alone_make_progress(void **state)
{
	struct mrl_perfect perfect;
	uint64_t seed = test_seed();

	(void)state;
	begin("seven", MRL_TABLE_VALUE);
	while (game.verdict.outcome == MRL_ONGOING) {
		perfect = rate();
		if (game.position.side == MRL_WHITE)
			assert_int_equal(perfect.value.result, MRL_TABLE_WIN);
		play(&perfect.turns[game.position.side == MRL_WHITE ? 0 : test_random(&seed) % perfect.count].turn);
		mrl_perfect_release(&perfect);
	}
	assert_true(won_by(MRL_WHITE));
	end();
}

static void a_repetition_is_no_win(void **state)
{
	struct mrl_perfect perfect;
	bool found = false;

	(void)state;
	begin("tapatan", MRL_TABLE_DISTANCE);
	/* Men walk to and fro until the position before comes for the third time. */
	set_position("WBW/BW./B.. w 0,0 0 0");
	perfect = rate();
	mrl_perfect_release(&perfect);
	for (unsigned i = 0; i < 2 && game.verdict.outcome == MRL_ONGOING; i++) {
		static const char *const turns[] = {"b2-c2", "a1-b1", "c2-b2", "b1-a1"};

		for (unsigned j = 0; j < 4 && game.verdict.outcome == MRL_ONGOING && i * 4 + j < 7; j++)
			play_text(turns[j]);
	}
	assert_int_equal(game.verdict.outcome, MRL_ONGOING);
	perfect = rate();
	for (size_t i = 0; i < perfect.count; i++)
		if (perfect.turns[i].ends && perfect.turns[i].value.result == MRL_TABLE_DRAW)
			found = true;
	assert_true(found);
	mrl_perfect_release(&perfect);
	end();
}

static void a_game_that_is_over_has_no_turns(void **state)
{
	struct mrl_perfect perfect;
	struct mrl_error error;

	(void)state;
	begin("three", MRL_TABLE_VALUE);
	play_text("a1");
	play_text("a3");
	play_text("b1");
	play_text("b3");
	play_text("c1");
	assert_int_equal(mrl_perfect_rate(tables, &game, &perfect, &error), MRL_DECIDED);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_winner_wins_in_the_distance_against_every_reply),
	    cmocka_unit_test(a_draw_is_never_let_go),
	    cmocka_unit_test(both_perfect_play_takes_the_distance),
	    cmocka_unit_test(the_best_turns_come_first),
	    cmocka_unit_test(traps_are_the_share_of_replies_that_lose),
	    cmocka_unit_test(a_win_is_one_that_the_counter_allows),
	    cmocka_unit_test(values_alone_make_progress),
	    cmocka_unit_test(a_repetition_is_no_win),
	    cmocka_unit_test(a_game_that_is_over_has_no_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
