/* The computer player: sound against plain minimax, legal everywhere, and it finds what is there to be found. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/search.h>

#define MEMORY ((size_t)4 << 20)

static struct mrl_rules rules;
static struct mrl_ply plies[1024];

static struct mrl_search *new_search(void)
{
	void *memory = malloc(MEMORY);

	assert_non_null(memory);
	return mrl_search_init(memory, MEMORY);
}

static struct mrl_search_result run(struct mrl_search *search, const struct mrl_game *game, unsigned depth)
{
	struct mrl_search_limits limits = {.depth = depth};
	struct mrl_search_result result;

	assert_int_equal(mrl_search_run(search, game, &limits, &result), MRL_OK);
	return result;
}

/*
 * Plain minimax with a window, no table, no order: 1000 less the plies to a forced win, the negative for a loss, 0 for
 * neither. `ply` is the way from the root.
 */
static int plain(const struct mrl_position *position, unsigned depth, int ply, int low, int high)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	struct mrl_verdict verdict = mrl_men_verdict(&rules, position);
	size_t count = mrl_turns(&rules, position, turns, MRL_TURNS_USUAL);

	if (verdict.outcome == MRL_DRAW || (count > 0 && depth == 0))
		return 0;
	if (count == 0)
		return ply - 1000; /* lost now */
	for (size_t i = 0; i < count && low < high; i++) {
		struct mrl_position next = *position;
		int score;

		mrl_apply(&rules, &next, &turns[i], NULL);
		score = -plain(&next, depth - 1, ply + 1, -high, -low);
		if (score > low)
			low = score;
	}
	return low;
}

/* How deep minimax must look to see the same: quiescence may find an end past the depth asked for. */
static unsigned proven_depth(int score)
{
	int distance = MRL_SCORE_WIN - abs(score);

	return distance > 3 && distance < 8 ? (unsigned)distance : 3;
}

static bool is_decided(int score)
{
	return abs(score) > MRL_SCORE_DECIDED;
}

/*
 * What minimax has found is found. Near its leaves a search skips quiet turns, and an end that one of them brings, with
 * nowhere left to go, is seen some plies deeper; by then it may have found another, which is never said to be nearer.
 */
static void assert_found(struct mrl_search *search, const struct mrl_game *game, int score, int wanted)
{
	if (is_decided(score)) {
		assert_int_equal(score, wanted);
		return;
	}
	for (unsigned depth = 4; !is_decided(score) && depth <= 12; depth++)
		score = run(search, game, depth).lines[0].score;
	assert_true(is_decided(score));
	assert_true(wanted > 0 ? score > 0 && score <= wanted : score < 0 && score >= wanted);
}

static void wins_and_losses_and_their_distance_agree_with_plain_minimax(void **state)
{
	static const char *const sets[] = {
	    "three", "tapatan", "achi", "four", "six", "nine,men=4", "nine,men=4,take-count=per-mill", NULL};
	struct mrl_search *search = new_search();
	uint64_t random = test_seed();
	unsigned decided = 0;

	(void)state;
	for (size_t i = 0; sets[i] != NULL; i++) {
		test_rules(&rules, sets[i]);
		for (unsigned n = 0; n < 60; n++) {
			struct mrl_position position = test_random_position(&rules, &random, 30);
			struct mrl_search_result result;
			struct mrl_game game;
			int expected;

			if (mrl_position_verdict(&rules, &position).outcome != MRL_ONGOING)
				continue;
			position.no_mill = 0;
			mrl_game_init(&game, &rules, &position, plies, 1024);
			mrl_search_clear(search); /* what it learned elsewhere may reach deeper */
			result = run(search, &game, 3);
			if (proven_depth(result.lines[0].score) > 5)
				continue; /* minimax would take minutes to see as far as a chain of threats reaches */
			expected = plain(&position, proven_depth(result.lines[0].score), 0, -1000, 1000);
			if (expected > 0)
				assert_found(search, &game, result.lines[0].score, MRL_SCORE_WIN - (1000 - expected));
			else if (expected < 0)
				assert_found(search, &game, result.lines[0].score,
					     -(MRL_SCORE_WIN - (1000 + expected)));
			else
				assert_in_range(result.lines[0].score + MRL_SCORE_DECIDED, 0, 2 * MRL_SCORE_DECIDED);
			decided += expected != 0;
		}
	}
	assert_true(decided > 20);
	free(search);
}

static void small_boards_have_the_values_that_are_known(void **state)
{
	/* First-player wins: tapatan in 9 plies, achi in 11, four in 13. */
	static const struct {
		const char *name;
		unsigned win;
	} known[] = {{"tapatan", 9}, {"achi", 11}, {"four", 13}};
	struct mrl_search *search = new_search();

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct mrl_game game;
		struct mrl_search_result result;

		test_rules(&rules, known[i].name);
		mrl_search_clear(search);
		mrl_game_init(&game, &rules, NULL, plies, 1024);
		result = run(search, &game, 14);
		assert_int_equal(result.lines[0].score, MRL_SCORE_WIN - (int)known[i].win);
	}
	free(search);
}

static void it_plays_legal_turns_to_the_end_of_every_rule_set(void **state)
{
	struct mrl_search *search = new_search();

	(void)state;
	for (size_t i = 0; rule_sets[i] != NULL; i++) {
		struct mrl_game game;

		test_rules(&rules, rule_sets[i]);
		mrl_search_clear(search);
		mrl_game_init(&game, &rules, NULL, plies, 1024);
		while (game.verdict.outcome == MRL_ONGOING) {
			struct mrl_search_limits limits = {.nodes = 300};
			struct mrl_search_result result;
			enum mrl_status status = mrl_search_run(search, &game, &limits, &result);

			assert_true(status == MRL_OK || status == MRL_STOPPED);
			assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[0], NULL), MRL_OK);
			assert_true(game.count < 1024);
		}
	}
	free(search);
}

static void the_line_can_be_played_and_begins_with_the_best_turn(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_game game;
	struct mrl_search_result result;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "d2 d6 f4 b4");
	result = run(search, &game, 6);
	assert_true(result.lines[0].length > 0);
	assert_true(mrl_turn_equal(&result.lines[0].turns[0], &result.lines[0].turns[0]));
	for (unsigned i = 0; i < result.lines[0].length; i++)
		assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[i], NULL), MRL_OK);
	free(search);
}

static void a_losing_side_takes_the_draw_by_repetition(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_position position;
	struct mrl_game game;
	struct mrl_search_result result;

	(void)state;
	/* White is three men down, but d1-a1 makes a position with Black to move occur for the third time. */
	test_rules(&rules, "nine,fly=0");
	position = test_position(&rules, "a4 a7 g1 b6", "b4 d2 f2 f4 e5 c3 d6", MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, 1024);
	test_play(&game, "a4-a1 e5-e4 a1-d1 e4-e5 d1-a1 e5-e4 a1-d1 e4-e5");
	assert_int_equal(mrl_game_occurrences(&game), 2);
	for (unsigned depth = 1; depth <= 6; depth++) {
		struct mrl_turn drawing = test_turn(&rules, "d1-a1");

		mrl_search_clear(search);
		result = run(search, &game, depth);
		assert_int_equal(result.lines[0].score, 0);
		assert_true(mrl_turn_equal(&result.lines[0].turns[0], &drawing));
	}
	assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[0], NULL), MRL_OK);
	assert_int_equal(game.verdict.reason, MRL_REASON_REPETITION);
	free(search);
}

/* No answer to the last turn makes a position occur for the third time. */
static void assert_no_answer_repeats(struct mrl_game *game)
{
	struct mrl_turn answers[MRL_TURNS_USUAL];
	size_t count = mrl_turns(&rules, &game->position, answers, MRL_TURNS_USUAL);

	for (size_t i = 0; i < count && game->verdict.outcome == MRL_ONGOING; i++) {
		assert_int_equal(mrl_game_play(game, &answers[i], NULL), MRL_OK);
		assert_int_not_equal(game->verdict.reason, MRL_REASON_REPETITION);
		assert_true(mrl_game_back(game));
	}
}

static struct mrl_position random_men(uint64_t *random, unsigned white, unsigned black)
{
	struct mrl_position position = {.side = MRL_WHITE};
	unsigned men[2] = {white, black};

	for (unsigned side = 0; side < 2; side++)
		while (men[side] > 0) {
			mrl_points point = mrl_point_bit(test_below(random, rules.board.point_count));

			if (((position.men[0] | position.men[1]) & point) != 0)
				continue;
			position.men[side] |= point;
			men[side]--;
		}
	position.hash = mrl_position_hash(&rules, &position);
	return position;
}

/* What was found before a position had occurred twice must not hide that it now has. */
static void a_side_that_is_ahead_does_not_walk_into_a_repetition(void **state)
{
	struct mrl_search *search = new_search();
	uint64_t random = test_seed();
	unsigned asked = 0;

	(void)state;
	test_rules(&rules, "nine");
	for (unsigned n = 0; n < 12; n++) {
		struct mrl_position position = random_men(&random, 6, 4);
		struct mrl_game game;

		mrl_game_init(&game, &rules, &position, plies, 1024);
		mrl_search_clear(search); /* and never again in this game */
		while (game.verdict.outcome == MRL_ONGOING && game.count < 120) {
			struct mrl_search_limits limits = {.nodes = 3000};
			struct mrl_search_result result;
			bool white = game.position.side == MRL_WHITE;

			assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
			assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[0], NULL), MRL_OK);
			if (white && result.depth >= 3 && result.lines[0].score > 0) {
				assert_no_answer_repeats(&game);
				asked++;
			}
		}
	}
	assert_true(asked > 100);
	free(search);
}

/* What the search says of a turn back to where the game has been once. */
static int score_of_going_back(const char *white, const char *black)
{
	struct mrl_search *search = new_search();
	struct mrl_position position;
	struct mrl_turn back;
	struct mrl_search_limits limits = {.depth = 2, .only = &back, .only_count = 1};
	struct mrl_search_result result;
	struct mrl_game game;

	test_rules(&rules, "nine");
	position = test_position(&rules, white, black, MRL_WHITE, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, 1024);
	test_play(&game, "g1-g4 f4-f2 g4-g1 f2-f4");
	back = test_turn(&rules, "g1-g4");
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	free(search);
	return result.lines[0].score;
}

static void two_men_ahead_of_four_that_slide_one_goes_where_the_game_has_not_been(void **state)
{
	(void)state;
	assert_int_equal(score_of_going_back("a1 a7 b6 d2 d7 g1", "f4 e3 c5 b2"), 0);
	/* Otherwise once is not thrice. */
	assert_int_not_equal(score_of_going_back("a1 a7 b6 d2 d7 g1", "f4 e3 c5 b2 c3"), 0);
	assert_int_not_equal(score_of_going_back("a1 a7 b6 d2 g1", "f4 e3 c5 b2"), 0);
}

static bool stop_at_once(void *context)
{
	++*(unsigned *)context;
	return true;
}

static void a_search_that_is_stopped_still_names_a_legal_turn(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_game game;
	struct mrl_search_result result;
	unsigned asked = 0;
	struct mrl_search_limits limits = {.stop = stop_at_once, .context = &asked};

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	assert_true(asked > 0);
	assert_int_equal(mrl_turn_check(&rules, &game.position, &result.lines[0].turns[0], NULL), MRL_OK);
	limits = (struct mrl_search_limits){.nodes = 1};
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_STOPPED);
	assert_int_equal(mrl_turn_check(&rules, &game.position, &result.lines[0].turns[0], NULL), MRL_OK);
	free(search);
}

static void the_same_search_gives_the_same_answer(void **state)
{
	struct mrl_search *a = new_search();
	struct mrl_search *b = new_search();
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	for (unsigned i = 0; i < 6; i++) {
		struct mrl_search_result one = run(a, &game, 5);
		struct mrl_search_result other = run(b, &game, 5);

		assert_int_equal(one.nodes, other.nodes);
		assert_int_equal(one.lines[0].score, other.lines[0].score);
		assert_true(mrl_turn_equal(&one.lines[0].turns[0], &other.lines[0].turns[0]));
		assert_int_equal(mrl_game_play(&game, &one.lines[0].turns[0], NULL), MRL_OK);
	}
	free(a);
	free(b);
}

static void too_little_memory_is_refused(void **state)
{
	void *memory = malloc(mrl_search_minimum());

	(void)state;
	assert_non_null(memory);
	assert_null(mrl_search_init(memory, mrl_search_minimum() - 1));
	assert_non_null(mrl_search_init(memory, mrl_search_minimum()));
	free(memory);
}

static void a_finished_game_has_no_best_turn(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_search_limits limits = {.depth = 1};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "three");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "a1 a2 b1 b2 c1");
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_DECIDED);
	free(search);
}

static void every_level_plays_legal_turns_to_the_end(void **state)
{
	struct mrl_search *search = new_search();

	(void)state;
	for (unsigned level = 1; level < MRL_LEVELS; level++)
		for (size_t i = 0; rule_sets[i] != NULL; i++) {
			struct mrl_game game;

			if (i % (1 + level / 3) != 0)
				continue; /* the higher levels take their time */
			test_rules(&rules, rule_sets[i]);
			mrl_game_init(&game, &rules, NULL, plies, 1024);
			for (uint64_t seed = 1; game.verdict.outcome == MRL_ONGOING && game.count < 60; seed++) {
				struct mrl_search_limits limits = {0};
				struct mrl_search_result result;

				assert_int_equal(mrl_level_run(search, &game, level, seed, &limits, &result), MRL_OK);
				assert_int_equal(mrl_game_play(&game, &result.lines[0].turns[0], NULL), MRL_OK);
			}
		}
	free(search);
}

static void a_level_never_misses_a_mill_of_its_own_that_wins(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "three");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "a1 a2 b1 b2"); /* c1 makes three in a row */
	for (unsigned level = 1; level <= MRL_LEVELS; level++)
		for (uint64_t seed = 0; seed < 40; seed++) {
			struct mrl_turn winning = test_turn(&rules, "c1");
			struct mrl_search_limits limits = {.depth = 3};
			struct mrl_search_result result;

			assert_int_equal(mrl_level_run(search, &game, level, seed, &limits, &result), MRL_OK);
			assert_true(mrl_turn_equal(&result.lines[0].turns[0], &winning));
		}
	free(search);
}

/* A hint of full strength, say, does not make the weak opponent see what it saw. */
static void a_level_plays_the_same_whatever_was_searched_before(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "d2 d6 f4 b4 g4");
	for (unsigned level = 1; level < MRL_LEVELS; level++)
		for (uint64_t seed = 0; seed < 4; seed++) {
			struct mrl_search_limits limits = {0};
			struct mrl_search_limits more = {.nodes = 30000};
			struct mrl_search_result fresh;
			struct mrl_search_result later;

			mrl_search_clear(search);
			assert_int_equal(mrl_level_run(search, &game, level, seed, &limits, &fresh), MRL_OK);
			mrl_search_clear(search);
			assert_int_equal(mrl_search_run(search, &game, &more, &later), MRL_OK);
			assert_int_equal(mrl_level_run(search, &game, level, seed, &limits, &later), MRL_OK);
			assert_true(mrl_turn_equal(&fresh.lines[0].turns[0], &later.lines[0].turns[0]));
			assert_int_equal(fresh.lines[0].score, later.lines[0].score);
			assert_int_equal(fresh.nodes, later.nodes);
		}
	free(search);
}

static void below_ten_the_same_game_is_not_played_twice(void **state)
{
	struct mrl_search *search = new_search();

	(void)state;
	test_rules(&rules, "nine");
	for (unsigned level = 1; level < MRL_LEVELS; level++) {
		struct mrl_turn first[12][4];
		unsigned different = 0;

		for (uint64_t seed = 0; seed < 12; seed++) {
			struct mrl_game game;

			mrl_game_init(&game, &rules, NULL, plies, 1024);
			for (unsigned ply = 0; ply < 4; ply++) {
				struct mrl_search_limits limits = {0};
				struct mrl_search_result result;

				assert_int_equal(mrl_level_run(search, &game, level, seed, &limits, &result), MRL_OK);
				first[seed][ply] = result.lines[0].turns[0];
				assert_int_equal(mrl_game_play(&game, &first[seed][ply], NULL), MRL_OK);
			}
			for (uint64_t other = 0; other < seed; other++)
				different += memcmp(first[seed], first[other], sizeof first[seed]) != 0;
		}
		assert_true(different > 33); /* of 66 pairs */
	}
	free(search);
}

static void several_lines_come_best_first_and_differ(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_search_limits limits = {.depth = 6, .lines = 5};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "d2 d6 f4 b4 d3");
	for (unsigned nodes = 0; nodes < 40000; nodes += 9000) { /* 0: no limit; else stopped on the way */
		limits.nodes = nodes;
		mrl_search_clear(search);
		assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
		assert_int_equal(result.line_count, 5);
		for (unsigned i = 0; i < 5; i++) {
			assert_in_range(result.lines[i].score + MRL_SCORE_WIN, 0, 2 * MRL_SCORE_WIN);
			for (unsigned k = 0; k < i; k++) {
				assert_true(result.lines[k].score >= result.lines[i].score);
				assert_false(mrl_turn_equal(&result.lines[k].turns[0], &result.lines[i].turns[0]));
			}
		}
	}
	free(search);
}

static void every_line_goes_on_beyond_its_first_turn(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_search_limits limits = {.depth = 10, .lines = 5};
	struct mrl_search_result result;
	struct mrl_game game;
	unsigned turns = 0;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "d2 d6 f4 b4 d3");
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	for (unsigned i = 0; i < 5; i++) {
		const struct mrl_search_line *line = &result.lines[i];

		assert_in_range(line->length, 2, 10);
		for (unsigned k = 0; k < line->length; k++)
			assert_int_equal(mrl_game_play(&game, &line->turns[k], NULL), MRL_OK);
		for (unsigned k = 0; k < line->length; k++)
			(void)mrl_game_back(&game);
		turns += line->length;
	}
	assert_true(turns > 25);
	free(search);
}

static bool probe_says_won_somehow(void *context, const struct mrl_rules *set, const struct mrl_position *position,
				   struct mrl_exact *exact)
{
	bool white_has_d6 = (position->men[MRL_WHITE] & mrl_point_bit(test_point(&rules, "d6"))) != 0;

	(void)context;
	(void)set;
	*exact = (struct mrl_exact){!white_has_d6 ? 0 : position->side == MRL_WHITE ? 1 : -1, -1};
	return true;
}

static void a_table_without_distances_chooses_the_turns_among_which_the_search_plays_on(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_search_limits limits = {.depth = 6, .probe = probe_says_won_somehow};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	assert_int_equal(result.lines[0].turns[0].to, test_point(&rules, "d6"));
	assert_in_range(result.lines[0].score, MRL_SCORE_KNOWN + 1, MRL_SCORE_DECIDED - 1);
	assert_true(result.nodes > 100); /* it has looked ahead */
	free(search);
}

/* After White's first turn: f4 wins in 38 plies more, d6 in 40, all else is drawn. */
static bool probe_says_how_far(void *context, const struct mrl_rules *set, const struct mrl_position *position,
			       struct mrl_exact *exact)
{
	bool far = (position->men[MRL_WHITE] & mrl_point_bit(test_point(&rules, "d6"))) != 0;
	bool near = (position->men[MRL_WHITE] & mrl_point_bit(test_point(&rules, "f4"))) != 0;

	(void)context;
	(void)set;
	*exact = (struct mrl_exact){near || far ? -1 : 0, near ? 38 : far ? 40 : -1};
	return true;
}

static void a_table_that_knows_how_far_every_turn_is_ends_the_search(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_search_limits limits = {.depth = 6, .probe = probe_says_how_far};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	assert_int_equal(result.lines[0].turns[0].to, test_point(&rules, "f4"));
	assert_int_equal(result.lines[0].score, MRL_SCORE_WIN - 39);
	assert_int_equal(result.depth, 1);
	free(search);
}

static bool probe_says_drawn(void *context, const struct mrl_rules *set, const struct mrl_position *position,
			     struct mrl_exact *exact)
{
	(void)set;
	(void)position;
	++*(unsigned *)context;
	*exact = (struct mrl_exact){0, -1};
	return true;
}

static void a_table_is_believed(void **state)
{
	struct mrl_search *search = new_search();
	unsigned asked = 0;
	struct mrl_search_limits limits = {.depth = 4, .probe = probe_says_drawn, .probe_context = &asked};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	assert_int_equal(result.lines[0].score, 0);
	assert_true(asked > 0);
	assert_int_equal(result.probes, asked);
	free(search);
}

static void a_counter_about_to_run_out_is_seen(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_position position;
	struct mrl_search_limits limits = {.depth = 6};
	struct mrl_search_result result;
	struct mrl_game game;

	(void)state;
	/* Six against four with nothing to close within two plies: drawn if the counter says so. */
	test_rules(&rules, "nine,fly=0");
	position = test_position(&rules, "a1 d1 c3 b6 f6 e4", "d7 g7 g4 a4", MRL_WHITE, 0, 0);
	position.no_mill = 99;
	mrl_game_init(&game, &rules, &position, plies, 1024);
	assert_int_equal(mrl_search_run(search, &game, &limits, &result), MRL_OK);
	assert_int_equal(result.lines[0].score, 0);
	free(search);
}

/* Plays on, both sides with so many nodes a turn, to the end. */
static void play_out(struct mrl_game *game, struct mrl_search *const search[2], unsigned nodes)
{
	while (game->verdict.outcome == MRL_ONGOING) {
		struct mrl_search_limits limits = {.nodes = nodes};
		struct mrl_search_result result;

		assert_int_equal(mrl_search_run(search[game->position.side], game, &limits, &result), MRL_OK);
		assert_int_equal(mrl_game_play(game, &result.lines[0].turns[0], NULL), MRL_OK);
	}
}

static void won_endings_of_six_men_against_four_are_won(void **state)
{
	/* Tables say so, in 9 to 13 plies; the fourth man must not be taken before the third can be taken too. */
	static const char *const endings[] = {
	    "B../.../.W./B..WW./.WW/B.B/.W. w 0,0", ".W./BBB/.../.WW.W./.W./..B/W.. w 0,0",
	    "B../..B/..W/BW..W./.W./..W/W.B w 0,0", ".../WWW/.../.W.W../.B./BBB/.W. w 0,0"};
	struct mrl_search *search[2] = {new_search(), new_search()};

	(void)state;
	test_rules(&rules, "nine");
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		struct mrl_position position;
		struct mrl_game game;

		assert_int_equal(mrl_position_read(&rules, endings[i], strlen(endings[i]), &position, NULL), MRL_OK);
		mrl_game_init(&game, &rules, &position, plies, 1024);
		mrl_search_clear(search[0]);
		mrl_search_clear(search[1]);
		play_out(&game, search, 20000);
		assert_int_equal(game.verdict.outcome, MRL_WHITE_WINS);
	}
	free(search[0]);
	free(search[1]);
}

static void a_threat_at_two_points_to_three_men_is_lost_and_at_one_must_be_met(void **state)
{
	struct mrl_search *search = new_search();
	struct mrl_game game;
	struct mrl_search_result result;
	struct mrl_position position;

	(void)state;
	test_rules(&rules, "nine");
	/* White threatens on a1 (from a4) and, with another man, on g7: Black, who flies, can stop one. */
	position = test_position(&rules, "d1 g1 a4 a7 d7 g4", "b6 f2 e3", MRL_BLACK, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, 1024);
	result = run(search, &game, 4);
	assert_int_equal(result.lines[0].score, -(MRL_SCORE_WIN - 2));
	/* On g7 alone: the one answer is there. */
	position = test_position(&rules, "d1 a7 d7 g4", "b6 f2 e3", MRL_BLACK, 0, 0);
	mrl_game_init(&game, &rules, &position, plies, 1024);
	mrl_search_clear(search);
	result = run(search, &game, 4);
	assert_int_equal(result.lines[0].turns[0].to, test_point(&rules, "g7"));
	free(search);
}

/* Six or five men and three that fly, at random, nobody with men in hand. */
static struct mrl_position random_hunt(uint64_t *random)
{
	struct mrl_position position = {.side = (uint8_t)test_below(random, 2)};
	unsigned men[2] = {5 + test_below(random, 2), 3};

	for (unsigned side = 0; side < 2; side++)
		for (unsigned placed = 0; placed < men[side];) {
			mrl_points point = (mrl_points)1 << test_below(random, rules.board.point_count);

			if (((position.men[0] | position.men[1]) & point) != 0)
				continue;
			position.men[side] |= point;
			placed++;
		}
	position.hash = mrl_position_hash(&rules, &position);
	return position;
}

/* Chains of threats against the last three men are judged without a search; what is said of them is so. */
static void a_hunt_that_is_said_to_be_won_is_won_by_minimax_too(void **state)
{
	static const char *const sets[] = {"nine", "nine,take-count=per-mill", "morabaraba"};
	struct mrl_search *search = new_search();
	uint64_t random = test_seed();
	unsigned chains = 0;

	(void)state;
	for (unsigned n = 0; n < 1500; n++) {
		struct mrl_position position;
		struct mrl_search_result result;
		struct mrl_game game;
		int distance;
		int claim;

		test_rules(&rules, sets[n % 3]);
		position = random_hunt(&random);
		mrl_game_init(&game, &rules, &position, NULL, 0);
		if (game.verdict.outcome != MRL_ONGOING)
			continue;
		mrl_search_clear(search);
		result = run(search, &game, 2);
		distance = MRL_SCORE_WIN - abs(result.lines[0].score);
		if (distance > 5)
			continue;
		claim = 1000 - distance;
		chains += distance > 3;
		if (result.lines[0].score > 0)
			assert_true(plain(&position, (unsigned)distance, 0, claim - 1, claim) >= claim);
		else
			assert_true(plain(&position, (unsigned)distance, 0, -claim, 1 - claim) <= -claim);
	}
	assert_true(chains > 0);
	free(search);
}

static void joined_searches_share_what_they_learn(void **state)
{
	struct mrl_search *leader = new_search();
	void *memory = malloc(mrl_search_join_size());
	struct mrl_search *other;
	struct mrl_search_limits limits = {.depth = 7};
	struct mrl_search_result alone;
	struct mrl_search_result after;
	struct mrl_game game;

	(void)state;
	assert_non_null(memory);
	assert_null(mrl_search_join(memory, mrl_search_join_size() - 1, leader));
	other = mrl_search_join(memory, mrl_search_join_size(), leader);
	assert_non_null(other);
	test_rules(&rules, "nine");
	mrl_game_init(&game, &rules, NULL, plies, 1024);
	test_play(&game, "d2 d6 f4 b4 d3");
	assert_int_equal(mrl_search_run(leader, &game, &limits, &alone), MRL_OK);
	assert_int_equal(mrl_search_run(other, &game, &limits, &after), MRL_OK);
	assert_true(after.nodes < alone.nodes / 2);
	free(memory);
	free(leader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(wins_and_losses_and_their_distance_agree_with_plain_minimax),
	    cmocka_unit_test(small_boards_have_the_values_that_are_known),
	    cmocka_unit_test(it_plays_legal_turns_to_the_end_of_every_rule_set),
	    cmocka_unit_test(the_line_can_be_played_and_begins_with_the_best_turn),
	    cmocka_unit_test(a_losing_side_takes_the_draw_by_repetition),
	    cmocka_unit_test(a_side_that_is_ahead_does_not_walk_into_a_repetition),
	    cmocka_unit_test(two_men_ahead_of_four_that_slide_one_goes_where_the_game_has_not_been),
	    cmocka_unit_test(a_search_that_is_stopped_still_names_a_legal_turn),
	    cmocka_unit_test(the_same_search_gives_the_same_answer),
	    cmocka_unit_test(too_little_memory_is_refused),
	    cmocka_unit_test(a_finished_game_has_no_best_turn),
	    cmocka_unit_test(every_level_plays_legal_turns_to_the_end),
	    cmocka_unit_test(a_level_never_misses_a_mill_of_its_own_that_wins),
	    cmocka_unit_test(a_level_plays_the_same_whatever_was_searched_before),
	    cmocka_unit_test(below_ten_the_same_game_is_not_played_twice),
	    cmocka_unit_test(several_lines_come_best_first_and_differ),
	    cmocka_unit_test(every_line_goes_on_beyond_its_first_turn),
	    cmocka_unit_test(a_table_without_distances_chooses_the_turns_among_which_the_search_plays_on),
	    cmocka_unit_test(a_table_that_knows_how_far_every_turn_is_ends_the_search),
	    cmocka_unit_test(a_table_is_believed),
	    cmocka_unit_test(a_counter_about_to_run_out_is_seen),
	    cmocka_unit_test(won_endings_of_six_men_against_four_are_won),
	    cmocka_unit_test(a_threat_at_two_points_to_three_men_is_lost_and_at_one_must_be_met),
	    cmocka_unit_test(a_hunt_that_is_said_to_be_won_is_won_by_minimax_too),
	    cmocka_unit_test(joined_searches_share_what_they_learn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
