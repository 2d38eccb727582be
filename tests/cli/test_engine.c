/* merels engine as a graphical program uses it: over pipes, with searches running. Nothing depends on speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <os/child.h>
#include <os/clock.h>

#define SECOND UINT64_C(1000000000)

static uint64_t late(void)
{
	return mrl_clock_now() + 100 * SECOND;
}

static void say(struct mrl_child *engine, const char *line)
{
	assert_true(mrl_child_send(engine, line, strlen(line), late()));
	assert_true(mrl_child_send(engine, "\n", 1, late()));
}

static struct mrl_child *open_engine(void)
{
	char *arguments[] = {(char[]){MERELS}, (char[]){"engine"}, NULL};
	struct mrl_child *engine = NULL;

	assert_int_equal(mrl_child_start(&engine, arguments, NULL, false, NULL), MRL_OK);
	say(engine, "setoption name Endings value false"); /* they are large, and another test's */
	return engine;
}

/* Lines up to one that begins so. */
static const char *wait_for(struct mrl_child *engine, const char *start)
{
	const char *line = NULL;

	do
		assert_int_equal(mrl_child_read(engine, late(), &line), MRL_CHILD_LINE);
	while (strncmp(line, start, strlen(start)) != 0);
	return line;
}

static void next_is(struct mrl_child *engine, const char *expected)
{
	const char *line = NULL;

	assert_int_equal(mrl_child_read(engine, late(), &line), MRL_CHILD_LINE);
	assert_string_equal(line, expected);
}

/* Whatever happened, the engine still answers. */
static void still_answers(struct mrl_child *engine)
{
	say(engine, "isready");
	(void)wait_for(engine, "readyok");
}

static void close_engine(struct mrl_child *engine)
{
	char how[32];
	const char *line;

	say(engine, "quit");
	while (mrl_child_read(engine, late(), &line) == MRL_CHILD_LINE)
		continue;
	mrl_child_end(engine, 100 * SECOND, how);
	assert_string_equal(how, "exit code 0");
}

static void a_session_from_greeting_to_quit(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "uci");
	(void)wait_for(engine, "uciok");
	say(engine, "setoption name Threads value 2");
	say(engine, "setoption name Hash value 4");
	say(engine, "isready");
	next_is(engine, "readyok");
	say(engine, "ucinewgame");
	say(engine, "position startpos moves d6 f4");
	say(engine, "go depth 6");
	assert_non_null(strstr(wait_for(engine, "info depth 6 "), " pv "));
	(void)wait_for(engine, "bestmove ");
	close_engine(engine);
}

static void every_rule_set_is_played(void **state)
{
	static const char *const rules[] = {"three",
					    "tapatan",
					    "nine-holes",
					    "achi",
					    "four",
					    "five",
					    "six",
					    "seven",
					    "nine",
					    "lasker",
					    "eleven",
					    "twelve",
					    "morabaraba",
					    "nine,fly=0,no-mill=50",
					    "twelve,take-count=per-mill"};
	struct mrl_child *engine = open_engine();
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		(void)snprintf(line, sizeof(line), "setoption name Rules value %s", rules[i]);
		say(engine, line);
		say(engine, "position startpos");
		say(engine, "go nodes 3000");
		assert_null(strstr(wait_for(engine, "bestmove "), "none"));
	}
	close_engine(engine);
}

static void a_search_without_end_is_stopped_and_meanwhile_it_answers(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "setoption name Threads value 2");
	for (unsigned i = 0; i < 5; i++) {
		say(engine, "go infinite");
		(void)wait_for(engine, "info depth 3 ");
		still_answers(engine);
		say(engine, "position startpos moves d6");
		(void)wait_for(engine, "info string position: a search is running");
		say(engine, "stop");
		(void)wait_for(engine, "bestmove ");
	}
	/* After the answer it takes the next position at once. */
	say(engine, "position startpos moves d6");
	say(engine, "isready");
	next_is(engine, "readyok");
	close_engine(engine);
}

static void stop_and_the_next_command_may_come_together(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "go infinite\nstop\nposition startpos moves d6\ngo depth 2\nisready");
	(void)wait_for(engine, "bestmove ");
	(void)wait_for(engine, "bestmove ");
	close_engine(engine);
}

static void a_decided_position_waits_for_stop_when_infinite(void **state)
{
	struct mrl_child *engine = open_engine();
	const char *line = NULL;

	(void)state;
	say(engine, "setoption name Rules value four"); /* soon known to be won */
	say(engine, "go infinite depth 2");
	(void)wait_for(engine, "info depth 2 ");
	say(engine, "isready");
	do {
		assert_int_equal(mrl_child_read(engine, late(), &line), MRL_CHILD_LINE);
		assert_int_not_equal(strncmp(line, "bestmove", 8), 0);
	} while (strcmp(line, "readyok") != 0);
	say(engine, "stop");
	(void)wait_for(engine, "bestmove ");
	close_engine(engine);
}

static void pondering_answers_after_the_hit(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "setoption name Ponder value true");
	say(engine, "position startpos moves d6 f4");
	say(engine, "go ponder wtime 1000 btime 1000");
	(void)wait_for(engine, "info depth 4 ");
	say(engine, "ponderhit");
	(void)wait_for(engine, "bestmove ");
	say(engine, "go ponder wtime 1000 btime 1000");
	say(engine, "stop");
	(void)wait_for(engine, "bestmove ");
	/* Without a search it means nothing. */
	say(engine, "ponderhit");
	still_answers(engine);
	close_engine(engine);
}

static void clocks_and_times_are_kept(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "go movetime 20");
	(void)wait_for(engine, "bestmove ");
	say(engine, "go wtime 500 btime 500 winc 10 binc 10");
	(void)wait_for(engine, "bestmove ");
	say(engine, "go wtime -3 btime 0");
	(void)wait_for(engine, "bestmove ");
	close_engine(engine);
}

static void several_lines_are_told_best_first(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "setoption name MultiPV value 3");
	say(engine, "position startpos moves d6 f4 d2");
	say(engine, "go depth 4");
	(void)wait_for(engine, "info depth 4 ");
	(void)wait_for(engine, "info depth 4 ");
	(void)wait_for(engine, "info depth 4 ");
	(void)wait_for(engine, "bestmove ");
	close_engine(engine);
}

static void one_thread_and_fixed_nodes_answer_the_same(void **state)
{
	char first[256] = "";

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct mrl_child *engine = open_engine();
		const char *line;

		say(engine, "position startpos moves d6 f4");
		say(engine, "go nodes 20000");
		line = wait_for(engine, "bestmove ");
		assert_true(strlen(line) < sizeof(first));
		if (i == 0)
			strcpy(first, line);
		assert_string_equal(line, first);
		close_engine(engine);
	}
}

static void turns_are_counted(void **state)
{
	struct mrl_child *engine = open_engine();

	(void)state;
	say(engine, "go perft 1");
	(void)wait_for(engine, "d6: 1");
	(void)wait_for(engine, "nodes 24");
	say(engine, "go perft 3");
	(void)wait_for(engine, "nodes 12144");
	say(engine, "setoption name Rules value three");
	say(engine, "position startpos moves a1 a2 b1 b2 c1");
	say(engine, "go perft 2");
	(void)wait_for(engine, "nodes 0");
	/* A deep count can be stopped. */
	say(engine, "setoption name Rules value nine");
	say(engine, "go perft 12");
	still_answers(engine);
	say(engine, "stop");
	(void)wait_for(engine, "info string the count was stopped");
	close_engine(engine);
}

static void a_megabyte_in_a_line_and_0_bytes_end_nothing(void **state)
{
	struct mrl_child *engine = open_engine();
	size_t size = (size_t)3 << 20;
	char *line = malloc(size);
	static const char zeros[] = "\0\0\0\nqu\0it\nposition startpos moves \0d6\n";

	(void)state;
	assert_non_null(line);
	memset(line, 'a', size);
	line[size - 1] = '\n';
	assert_true(mrl_child_send(engine, line, size, late()));
	next_is(engine, "info string a line of more than 1048576 bytes is not read");
	line[(1 << 20) - 1] = '\n';
	assert_true(mrl_child_send(engine, line, 1 << 20, late()));
	(void)wait_for(engine, "info string unknown command \"aaaaaaaaaaaaaaaaaaaaaaaa...\"");
	assert_true(mrl_child_send(engine, zeros, sizeof(zeros) - 1, late()));
	for (unsigned i = 0; i < 3; i++)
		(void)wait_for(engine, "info string ");
	still_answers(engine);
	free(line);
	close_engine(engine);
}

static void every_broken_line_gets_one_note(void **state)
{
	static const char *const lines[] = {"xyzzy",
					    "go depth x",
					    "position nowhere",
					    "setoption name Hash value -1",
					    "position startpos moves z9",
					    "setoption name TablePath value /no/such/folder"};
	struct mrl_child *engine = open_engine();
	const char *line = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		say(engine, lines[i]);
		assert_int_equal(mrl_child_read(engine, late(), &line), MRL_CHILD_LINE);
		assert_int_equal(strncmp(line, "info string ", 12), 0);
		say(engine, "isready");
		next_is(engine, "readyok");
	}
	close_engine(engine);
}

static void quit_ends_it_in_the_middle_of_a_search(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct mrl_child *engine = open_engine();

		say(engine, "setoption name Threads value 3");
		say(engine, i == 2 ? "go perft 12" : "go infinite");
		if (i == 1)
			(void)wait_for(engine, "info depth 3 ");
		close_engine(engine);
	}
}

/* The end of the input, in a shell, which closes it. */
static void the_end_of_input_lets_a_limited_search_finish(void **state)
{
	static const char *const scripts[] = {"printf 'go depth 5\\n' | " MERELS " engine | grep -c '^bestmove'",
					      "printf 'go infinite\\n' | " MERELS " engine | grep -c '^bestmove'",
					      "printf 'go perft 3' | " MERELS " engine | grep -c '^nodes 12144$'"};

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		char script[1024];
		char *arguments[] = {(char[]){"sh"}, (char[]){"-c"}, script, NULL};
		struct mrl_child *child = NULL;

		(void)snprintf(script, sizeof(script), "%s", scripts[i]);
		assert_int_equal(mrl_child_start(&child, arguments, NULL, false, NULL), MRL_OK);
		next_is(child, "1");
		mrl_child_end(child, 100 * SECOND, NULL);
	}
}

static void how_long_a_stop_takes_is_told(void **state)
{
	struct mrl_child *engine = open_engine();
	uint64_t longest = 0;

	(void)state;
	say(engine, "setoption name Threads value 2");
	for (unsigned i = 0; i < 20; i++) {
		say(engine, "go infinite");
		(void)wait_for(engine, "info depth 4 ");
		uint64_t begin = mrl_clock_now();

		say(engine, "stop");
		(void)wait_for(engine, "bestmove ");
		uint64_t passed = mrl_clock_now() - begin;

		longest = passed > longest ? passed : longest;
	}
	/* Told and not tested: a busy machine may take any time. */
	printf("the longest of 20 stops took %.2f ms\n", (double)longest / 1e6);
	close_engine(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_session_from_greeting_to_quit),
	    cmocka_unit_test(every_rule_set_is_played),
	    cmocka_unit_test(a_search_without_end_is_stopped_and_meanwhile_it_answers),
	    cmocka_unit_test(stop_and_the_next_command_may_come_together),
	    cmocka_unit_test(a_decided_position_waits_for_stop_when_infinite),
	    cmocka_unit_test(pondering_answers_after_the_hit),
	    cmocka_unit_test(clocks_and_times_are_kept),
	    cmocka_unit_test(several_lines_are_told_best_first),
	    cmocka_unit_test(one_thread_and_fixed_nodes_answer_the_same),
	    cmocka_unit_test(turns_are_counted),
	    cmocka_unit_test(a_megabyte_in_a_line_and_0_bytes_end_nothing),
	    cmocka_unit_test(every_broken_line_gets_one_note),
	    cmocka_unit_test(quit_ends_it_in_the_middle_of_a_search),
	    cmocka_unit_test(the_end_of_input_lets_a_limited_search_finish),
	    cmocka_unit_test(how_long_a_stop_takes_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
