/* The player: limits, stopping, pondering, helpers. Nothing here depends on how fast the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <merels/player.h>
#include <os/ram.h>
#include <os/thread.h>

static struct mrl_rules rules;
static struct mrl_game game;
static struct mrl_player_report report;

static void start(const char *name)
{
	assert_int_equal(mrl_rules_parse(&rules, name, strlen(name), NULL), MRL_OK);
	mrl_game_init(&game, &rules, NULL, NULL, 0);
}

static struct mrl_player *new_player(unsigned threads)
{
	struct mrl_player *player = mrl_player_new(threads, 1);

	assert_non_null(player);
	return player;
}

static void is_legal(const struct mrl_player_report *found)
{
	assert_int_equal(mrl_turn_check(&rules, &game.position, &found->result.lines[0].turns[0], NULL), MRL_OK);
}

/* ---- What happens beside the test --------------------------------------------------------------------------- */

struct events {
	struct mrl_monitor *monitor;
	unsigned reports;
	unsigned depth;
	unsigned answers;
	enum mrl_status status;
	struct mrl_player_report last;
};

static void on_report(void *context, const struct mrl_player_report *found)
{
	struct events *events = context;

	mrl_monitor_enter(events->monitor);
	events->reports++;
	events->depth = found->result.depth;
	mrl_monitor_wake(events->monitor);
	mrl_monitor_leave(events->monitor);
}

static void on_done(void *context, enum mrl_status status, const struct mrl_player_report *found)
{
	struct events *events = context;

	mrl_monitor_enter(events->monitor);
	events->answers++;
	events->status = status;
	events->last = *found;
	mrl_monitor_wake(events->monitor);
	mrl_monitor_leave(events->monitor);
}

static struct mrl_player_limits listen(struct events *events)
{
	*events = (struct events){.monitor = mrl_monitor_new()};
	assert_non_null(events->monitor);
	return (struct mrl_player_limits){.context = events, .report = on_report, .done = on_done};
}

static void wait_for_depth(struct events *events, unsigned depth)
{
	mrl_monitor_enter(events->monitor);
	while (events->depth < depth)
		mrl_monitor_wait(events->monitor);
	mrl_monitor_leave(events->monitor);
}

static unsigned answers(struct events *events)
{
	mrl_monitor_enter(events->monitor);
	unsigned count = events->answers;

	mrl_monitor_leave(events->monitor);
	return count;
}

/* ---- Limits ------------------------------------------------------------------------------------------------- */

static void one_thread_finds_what_the_search_finds(void **state)
{
	size_t size = mrl_search_minimum() + ((size_t)1 << 20);
	void *memory = malloc(size);
	struct mrl_search *search;
	struct mrl_search_limits plain = {.depth = 8};
	struct mrl_search_result result;
	struct mrl_player *player = new_player(1);
	struct mrl_player_limits limits = {.depth = 8};

	(void)state;
	assert_non_null(memory);
	start("nine");
	search = mrl_search_init(memory, size);
	assert_int_equal(mrl_search_run(search, &game, &plain, &result), MRL_OK);
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	assert_int_equal(report.nodes, result.nodes);
	assert_int_equal(report.result.lines[0].score, result.lines[0].score);
	assert_true(mrl_turn_equal(&report.result.lines[0].turns[0], &result.lines[0].turns[0]));
	mrl_player_free(player);
	free(memory);
}

static void one_thread_answers_the_same_twice(void **state)
{
	static const char *const names[] = {"nine", "lasker", "six", "morabaraba"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct mrl_player *a = new_player(1);
		struct mrl_player *b = new_player(1);
		struct mrl_player_limits limits = {.nodes = 30000, .lines = 2};
		static struct mrl_player_report other;

		start(names[i]);
		/* The second question too, which finds the table full of the first. */
		for (unsigned n = 0; n < 2; n++) {
			assert_int_equal(mrl_player_think(a, &game, &limits, &report), MRL_OK);
			assert_int_equal(mrl_player_think(b, &game, &limits, &other), MRL_OK);
			assert_int_equal(report.nodes, other.nodes);
			assert_memory_equal(report.result.lines[0].turns, other.result.lines[0].turns,
					    report.result.lines[0].length * sizeof(struct mrl_turn));
			assert_int_equal(report.result.lines[1].score, other.result.lines[1].score);
		}
		mrl_player_free(a);
		mrl_player_free(b);
	}
}

static void nodes_are_those_of_all_threads_and_limited(void **state)
{
	(void)state;
	start("nine");
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct mrl_player *player = new_player(threads);
		struct mrl_player_limits limits = {.nodes = 50000};

		assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
		assert_true(report.nodes >= 50000);
		/* Each thread looks up every 1024 positions. */
		assert_true(report.nodes <= 50000 + 200000ull * (threads - 1) + 1024);
		is_legal(&report);
		mrl_player_free(player);
	}
}

static void a_depth_is_reached_by_any_number_of_threads(void **state)
{
	(void)state;
	start("nine");
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct mrl_player *player = new_player(threads);
		struct mrl_player_limits limits = {.depth = 9};

		assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
		assert_int_equal(report.result.depth, 9);
		is_legal(&report);
		mrl_player_free(player);
	}
}

static void time_ends_a_search(void **state)
{
	struct mrl_player *player = new_player(2);
	struct mrl_player_limits limits = {.time = 30};

	(void)state;
	start("nine");
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	assert_true(report.elapsed >= 30);
	is_legal(&report);
	limits = (struct mrl_player_limits){.has_clock = true, .clock = {.left = 500, .increment = 10}};
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	is_legal(&report);
	mrl_player_free(player);
}

static void a_clock_that_has_run_out_still_gets_a_legal_turn(void **state)
{
	struct mrl_player *player = new_player(1);
	struct mrl_player_limits limits = {.has_clock = true};

	(void)state;
	start("nine");
	enum mrl_status status = mrl_player_think(player, &game, &limits, &report);

	assert_true(status == MRL_OK || status == MRL_STOPPED);
	is_legal(&report);
	mrl_player_free(player);
}

static void only_the_turns_asked_for_are_chosen(void **state)
{
	struct mrl_player *player = new_player(2);
	struct mrl_turn turns[MRL_TURNS_USUAL];

	(void)state;
	start("nine");
	size_t count = mrl_turns(&rules, &game.position, turns, MRL_TURNS_USUAL);

	for (size_t i = 0; i < count; i += 5) {
		struct mrl_player_limits limits = {.depth = 4, .only = &turns[i], .only_count = 1};

		assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
		assert_true(mrl_turn_equal(&report.result.lines[0].turns[0], &turns[i]));
	}
	mrl_player_free(player);
}

static void a_win_that_is_near_enough_ends_a_search_for_one(void **state)
{
	struct mrl_player *player = new_player(1);
	struct mrl_player_limits limits = {.win = 13};

	(void)state;
	start("four"); /* won in 13 plies */
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	assert_int_equal(report.result.lines[0].score, MRL_SCORE_WIN - 13);
	mrl_player_free(player);
}

static void every_level_chooses_legal_turns(void **state)
{
	struct mrl_player *player = new_player(2);
	struct mrl_ply plies[64];

	(void)state;
	for (unsigned level = 1; level <= MRL_LEVELS; level++) {
		start("six");
		mrl_game_move(&game, plies, 64);
		while (game.count < 20 && game.verdict.outcome == MRL_ONGOING) {
			struct mrl_player_limits limits = {.nodes = 2000, .level = level, .seed = 7 * level};

			assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
			assert_int_equal(mrl_game_play(&game, &report.result.lines[0].turns[0], NULL), MRL_OK);
		}
	}
	mrl_player_free(player);
}

static void a_game_that_is_over_has_no_answer(void **state)
{
	struct mrl_player *player = new_player(2);
	struct mrl_player_limits limits = {.depth = 3};

	(void)state;
	start("three");
	game.verdict = (struct mrl_verdict){MRL_WHITE_WINS, MRL_REASON_MILL};
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_DECIDED);
	mrl_player_free(player);
}

static void another_rule_set_is_another_game(void **state)
{
	struct mrl_player *player = new_player(3);
	struct mrl_player *fresh = new_player(1);
	static struct mrl_player_report other;
	struct mrl_player_limits limits = {.depth = 6};

	(void)state;
	start("nine");
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	start("six");
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	is_legal(&report);
	mrl_player_free(player);

	player = new_player(1);
	start("nine");
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	start("six");
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	assert_int_equal(mrl_player_think(fresh, &game, &limits, &other), MRL_OK);
	assert_int_equal(report.result.lines[0].score, other.result.lines[0].score);
	mrl_player_free(player);
	mrl_player_free(fresh);
}

/* ---- Stopping ----------------------------------------------------------------------------------------------- */

static void a_search_without_end_ends_when_told(void **state)
{
	(void)state;
	start("nine");
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct mrl_player *player = new_player(threads);
		struct events events;
		struct mrl_player_limits limits = listen(&events);

		limits.infinite = true;
		assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
		wait_for_depth(&events, 5);
		assert_true(mrl_player_busy(player));
		mrl_player_stop(player);
		mrl_player_wait(player);
		assert_int_equal(events.answers, 1);
		assert_int_equal(events.status, MRL_OK);
		assert_false(mrl_player_busy(player));
		is_legal(&events.last);
		mrl_player_free(player);
		mrl_monitor_free(events.monitor);
	}
}

static void a_stop_at_once_still_gets_an_answer(void **state)
{
	struct mrl_player *player = new_player(2);

	(void)state;
	start("nine");
	for (unsigned i = 0; i < 50; i++) {
		struct events events;
		struct mrl_player_limits limits = listen(&events);

		limits.infinite = true;
		assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
		mrl_player_stop(player);
		mrl_player_wait(player);
		assert_int_equal(events.answers, 1);
		is_legal(&events.last);
		mrl_monitor_free(events.monitor);
	}
	mrl_player_free(player);
}

static void a_stop_without_a_search_does_nothing(void **state)
{
	struct mrl_player *player = new_player(1);
	struct mrl_player_limits limits = {.depth = 3};

	(void)state;
	start("nine");
	mrl_player_stop(player);
	mrl_player_ponder_hit(player);
	mrl_player_wait(player);
	assert_int_equal(mrl_player_think(player, &game, &limits, &report), MRL_OK);
	assert_int_equal(report.result.depth, 3);
	mrl_player_free(player);
}

static void an_answer_that_is_certain_waits_until_it_is_wanted(void **state)
{
	struct mrl_player *player = new_player(1);
	struct events events;
	struct mrl_player_limits limits = listen(&events);

	(void)state;
	start("four");
	limits.infinite = true;
	limits.depth = 3; /* soon reached */
	assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
	wait_for_depth(&events, 3);
	assert_int_equal(answers(&events), 0);
	assert_true(mrl_player_busy(player));
	mrl_player_stop(player);
	mrl_player_wait(player);
	assert_int_equal(events.answers, 1);
	mrl_player_free(player);
	mrl_monitor_free(events.monitor);
}

/* ---- Pondering ---------------------------------------------------------------------------------------------- */

static void pondering_does_not_answer_before_the_hit(void **state)
{
	struct mrl_player *player = new_player(2);
	struct events events;
	struct mrl_player_limits limits = listen(&events);

	(void)state;
	start("nine");
	limits.ponder = true;
	limits.depth = 4;
	limits.nodes = 10;
	limits.has_clock = true; /* with nothing left */
	assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
	wait_for_depth(&events, 4);
	assert_int_equal(answers(&events), 0);
	mrl_player_ponder_hit(player);
	mrl_player_wait(player);
	assert_int_equal(events.answers, 1);
	is_legal(&events.last);
	mrl_player_free(player);
	mrl_monitor_free(events.monitor);
}

static void after_the_hit_the_limits_hold(void **state)
{
	struct mrl_player *player = new_player(2);

	(void)state;
	start("nine");
	for (unsigned kind = 0; kind < 3; kind++) {
		struct events events;
		struct mrl_player_limits limits = listen(&events);

		limits.ponder = true;
		if (kind == 0)
			limits.time = 20;
		else if (kind == 1)
			limits.nodes = 1000;
		else
			limits.has_clock = true, limits.clock.left = 1000;
		assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
		wait_for_depth(&events, 6);
		mrl_player_ponder_hit(player);
		mrl_player_wait(player); /* returns: that is the test */
		assert_int_equal(events.answers, 1);
		is_legal(&events.last);
		mrl_monitor_free(events.monitor);
	}
	mrl_player_free(player);
}

static void pondering_can_be_stopped(void **state)
{
	struct mrl_player *player = new_player(1);
	struct events events;
	struct mrl_player_limits limits = listen(&events);

	(void)state;
	start("nine");
	limits.ponder = true;
	assert_int_equal(mrl_player_start(player, &game, &limits), MRL_OK);
	wait_for_depth(&events, 3);
	mrl_player_stop(player);
	mrl_player_wait(player);
	assert_int_equal(events.answers, 1);
	mrl_player_free(player);
	mrl_monitor_free(events.monitor);
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

static void sizes_out_of_range_are_refused(void **state)
{
	(void)state;
	assert_null(mrl_player_new(0, 1));
	assert_null(mrl_player_new(1, 0));
	assert_null(mrl_player_new(MRL_PLAYER_MAX_THREADS + 1, 1));
	assert_null(mrl_player_new(1, MRL_PLAYER_MAX_MEGABYTES + 1));
	mrl_player_free(NULL);
}

static void more_memory_than_there_is_is_refused(void **state)
{
	uint64_t megabytes = mrl_memory_available() >> 20;

	(void)state;
	if (megabytes >= MRL_PLAYER_MAX_MEGABYTES)
		skip();
	assert_null(mrl_player_new(1, (unsigned)megabytes + 4096 > MRL_PLAYER_MAX_MEGABYTES
					  ? MRL_PLAYER_MAX_MEGABYTES
					  : (unsigned)megabytes + 4096));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_thread_finds_what_the_search_finds),
	    cmocka_unit_test(one_thread_answers_the_same_twice),
	    cmocka_unit_test(nodes_are_those_of_all_threads_and_limited),
	    cmocka_unit_test(a_depth_is_reached_by_any_number_of_threads),
	    cmocka_unit_test(time_ends_a_search),
	    cmocka_unit_test(a_clock_that_has_run_out_still_gets_a_legal_turn),
	    cmocka_unit_test(only_the_turns_asked_for_are_chosen),
	    cmocka_unit_test(a_win_that_is_near_enough_ends_a_search_for_one),
	    cmocka_unit_test(every_level_chooses_legal_turns),
	    cmocka_unit_test(a_game_that_is_over_has_no_answer),
	    cmocka_unit_test(another_rule_set_is_another_game),
	    cmocka_unit_test(a_search_without_end_ends_when_told),
	    cmocka_unit_test(a_stop_at_once_still_gets_an_answer),
	    cmocka_unit_test(a_stop_without_a_search_does_nothing),
	    cmocka_unit_test(an_answer_that_is_certain_waits_until_it_is_wanted),
	    cmocka_unit_test(pondering_does_not_answer_before_the_hit),
	    cmocka_unit_test(after_the_hit_the_limits_hold),
	    cmocka_unit_test(pondering_can_be_stopped),
	    cmocka_unit_test(sizes_out_of_range_are_refused),
	    cmocka_unit_test(more_memory_than_there_is_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
