/* The engine's conversation, without threads: every command, and every way to say one wrongly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine_session.h"

enum { HEARD_SIZE = 16384 };

struct talk {
	struct engine_session session;
	char heard[HEARD_SIZE]; /* what was said since the last line, each with a newline */
	unsigned threads;
	unsigned megabytes;
	bool no_memory;
};

static void hear(void *context, const char *line)
{
	struct talk *talk = context;
	size_t used = strlen(talk->heard);

	assert_true(used + strlen(line) + 2 < HEARD_SIZE);
	assert_null(strchr(line, '\n'));
	(void)snprintf(talk->heard + used, HEARD_SIZE - used, "%s\n", line);
}

static bool resize(void *context, unsigned threads, unsigned megabytes)
{
	struct talk *talk = context;

	if (talk->no_memory)
		return false;
	talk->threads = threads;
	talk->megabytes = megabytes;
	return true;
}

static int set_up(void **state)
{
	struct talk *talk = calloc(1, sizeof(*talk));

	assert_non_null(talk);
	assert_true(engine_session_init(&talk->session));
	talk->session.say = hear;
	talk->session.resize = resize;
	talk->session.context = talk;
	*state = talk;
	return 0;
}

static int tear_down(void **state)
{
	struct talk *talk = *state;

	engine_session_release(&talk->session);
	free(talk);
	return 0;
}

static struct engine_order say_when(struct talk *talk, const char *line, bool busy)
{
	/* A copy of just the size, so that a read past its end is noticed. */
	size_t length = strlen(line);
	char *copy = malloc(length > 0 ? length : 1);

	assert_non_null(copy);
	memcpy(copy, line, length);
	talk->heard[0] = '\0';
	struct engine_order order = engine_session_line(&talk->session, copy, length, busy);

	free(copy);
	return order;
}

static struct engine_order say(struct talk *talk, const char *line)
{
	return say_when(talk, line, false);
}

/* A line after which nothing is said. */
static void quiet(struct talk *talk, const char *line)
{
	(void)say(talk, line);
	assert_string_equal(talk->heard, "");
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += *text == '\n';
	return count;
}

/* A line that is wrong: one note that has these words, no order, nothing changed. */
static void wrong(struct talk *talk, const char *line, const char *words)
{
	struct engine_session before = talk->session;
	struct mrl_position position = before.game.game.position;
	struct engine_order order = say(talk, line);
	const struct engine_session *after = &talk->session;

	assert_int_equal(order.action, ENGINE_NOTHING);
	assert_int_equal(count_lines(talk->heard), 1);
	assert_int_equal(strncmp(talk->heard, "info string ", 12), 0);
	if (strstr(talk->heard, words) == NULL)
		fail_msg("'%s' does not have '%s'", talk->heard, words);
	assert_ptr_equal(after->rules, before.rules);
	assert_int_equal(after->threads, before.threads);
	assert_int_equal(after->megabytes, before.megabytes);
	assert_int_equal(after->lines, before.lines);
	assert_int_equal(after->level, before.level);
	assert_int_equal(after->atomic, before.atomic);
	assert_int_equal(after->begun.is_begun, before.begun.is_begun);
	assert_int_equal(after->game.game.count, before.game.game.count);
	assert_true(mrl_position_same(&after->game.game.position, &position));
}

/* ---- Introduction ------------------------------------------------------------------------------------------- */

static void uci_tells_name_options_and_that_it_is_ready(void **state)
{
	static const char *const options[] = {"Rules type string default nine",
					      "Threads type spin default 1 min 1 max 256",
					      "Hash type spin default 16 min 1 max 65536",
					      "MultiPV type spin default 1 min 1 max 16",
					      "Level type spin default 10 min 1 max 10",
					      "TablePath type string default <empty>",
					      "Endings type check default true",
					      "Ponder type check default false",
					      "AtomicMoves type check default false"};
	struct talk *talk = *state;
	char line[128];

	(void)say(talk, "uci");
	assert_int_equal(strncmp(talk->heard, "id name Merels ", 15), 0);
	assert_non_null(strstr(talk->heard, "\nid author "));
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		(void)snprintf(line, sizeof(line), "\noption name %s\n", options[i]);
		assert_non_null(strstr(talk->heard, line));
	}
	assert_string_equal(talk->heard + strlen(talk->heard) - 7, "\nuciok\n");
	(void)say(talk, "isready");
	assert_string_equal(talk->heard, "readyok\n");
}

static void plain_commands_are_handed_on(void **state)
{
	struct talk *talk = *state;

	assert_int_equal(say(talk, "stop").action, ENGINE_STOP);
	assert_int_equal(say(talk, "ponderhit").action, ENGINE_PONDER_HIT);
	assert_int_equal(say(talk, "ucinewgame").action, ENGINE_NEW_GAME);
	assert_int_equal(say(talk, "quit").action, ENGINE_QUIT);
	assert_int_equal(say(talk, "  \t quit \r").action, ENGINE_QUIT);
	assert_string_equal(talk->heard, "");
}

static void empty_lines_are_passed_over(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "");
	quiet(talk, "   \t\r");
}

static void what_is_no_command_is_told(void **state)
{
	struct talk *talk = *state;
	char noise[] = "x\001\002\377";

	wrong(talk, "hello", "unknown command \"hello\"");
	wrong(talk, "UCI", "unknown command");
	wrong(talk, "quitx", "unknown command");
	wrong(talk, noise, "\\x01\\x02\\xff");
}

static void a_0_byte_is_part_of_no_command(void **state)
{
	struct talk *talk = *state;

	assert_int_equal(engine_session_line(&talk->session, "quit\0", 5, false).action, ENGINE_NOTHING);
	assert_non_null(strstr(talk->heard, "quit\\x00"));
	talk->heard[0] = '\0';
	(void)engine_session_line(&talk->session, "position startpos moves d6\0f4", 29, false);
	assert_int_equal(strncmp(talk->heard, "info string position: turn 1", 28), 0);
}

static void a_line_of_a_megabyte_is_read_and_a_longer_one_refused(void **state)
{
	struct talk *talk = *state;
	size_t size = ENGINE_MAX_LINE + 2;
	char *line = malloc(size);

	assert_non_null(line);
	memset(line, 'a', size);
	memcpy(line, "position startpos moves ", 24);
	assert_int_equal(engine_session_line(&talk->session, line, ENGINE_MAX_LINE, false).action, ENGINE_NOTHING);
	assert_int_equal(count_lines(talk->heard), 1);
	assert_non_null(strstr(talk->heard, "position: turn 1"));
	assert_true(strlen(talk->heard) < 1000);
	talk->heard[0] = '\0';
	assert_int_equal(engine_session_line(&talk->session, line, size, false).action, ENGINE_NOTHING);
	assert_non_null(strstr(talk->heard, "more than 1048576 bytes"));
	free(line);
}

/* ---- Options ------------------------------------------------------------------------------------------------ */

static void options_are_set(void **state)
{
	struct talk *talk = *state;
	char name[MRL_RULES_NAME_SIZE];

	quiet(talk, "setoption name Rules value  lasker,no-mill=50 ");
	mrl_rules_write(talk->session.rules, name);
	assert_string_equal(name, "lasker,no-mill=50");
	assert_int_equal(talk->session.game.game.position.hand[0], 10);
	quiet(talk, "setoption name threads value 3");
	assert_int_equal(talk->threads, 3);
	assert_int_equal(talk->megabytes, 16);
	quiet(talk, "setoption name HASH value 65536");
	assert_int_equal(talk->megabytes, 65536);
	quiet(talk, "setoption name MultiPV value 16");
	assert_int_equal(talk->session.lines, 16);
	quiet(talk, "setoption name Level value 1");
	assert_int_equal(talk->session.level, 1);
	quiet(talk, "setoption name AtomicMoves value true");
	assert_true(talk->session.atomic);
	quiet(talk, "setoption name AtomicMoves value false");
	assert_false(talk->session.atomic);
	quiet(talk, "setoption name Ponder value true");
	quiet(talk, "setoption name Endings value false");
	assert_false(talk->session.endings);
	quiet(talk, "setoption name TablePath value <empty>");
	quiet(talk, "setoption name TablePath value");
}

static void wrong_options_are_told_and_change_nothing(void **state)
{
	struct talk *talk = *state;

	wrong(talk, "setoption", "expected `setoption name");
	wrong(talk, "setoption Hash 3", "expected `setoption name");
	wrong(talk, "setoption name", "unknown option");
	wrong(talk, "setoption name Contempt value 3", "unknown option \"Contempt\"");
	wrong(talk, "setoption name Hash 3", "expected `value` behind Hash");
	wrong(talk, "setoption name Hash value 0", "from 1 to 65536");
	wrong(talk, "setoption name Hash value 65537", "from 1 to 65536");
	wrong(talk, "setoption name Hash value -1", "from 1 to 65536");
	wrong(talk, "setoption name Hash value 12MB", "from 1 to 65536");
	wrong(talk, "setoption name Hash value", "from 1 to 65536");
	wrong(talk, "setoption name Hash value 1 2", "from 1 to 65536");
	wrong(talk, "setoption name Hash value 99999999999999999999999", "from 1 to 65536");
	wrong(talk, "setoption name Threads value 257", "from 1 to 256");
	wrong(talk, "setoption name MultiPV value 17", "from 1 to 16");
	wrong(talk, "setoption name Level value 11", "from 1 to 10");
	wrong(talk, "setoption name AtomicMoves value yes", "expected true or false");
	wrong(talk, "setoption name Ponder value", "expected true or false");
	wrong(talk, "setoption name Rules value chess", "column 1");
	wrong(talk, "setoption name Rules value nine,fly=99", "column 10");
	wrong(talk, "setoption name Rules value", "option Rules");
	wrong(talk, "setoption name TablePath value /no/such/folder", "plays without");
}

static void memory_that_is_not_there_leaves_the_old(void **state)
{
	struct talk *talk = *state;

	talk->no_memory = true;
	wrong(talk, "setoption name Hash value 60000", "not enough memory; it stays at 1 threads and 16 MB");
	wrong(talk, "setoption name Threads value 200", "not enough memory");
}

/* ---- Positions ---------------------------------------------------------------------------------------------- */

static void positions_are_set_up(void **state)
{
	struct talk *talk = *state;
	const struct mrl_game *game;

	quiet(talk, "position startpos");
	quiet(talk, "position startpos moves");
	quiet(talk, "position startpos moves d6 f4 d2");
	game = &talk->session.game.game;
	assert_int_equal(game->count, 3);
	assert_int_equal(game->position.side, MRL_BLACK);
	quiet(talk, "position text WW./B.B/.../....../.../.../... w 7,7 0 0");
	game = &talk->session.game.game;
	assert_int_equal(game->count, 0);
	assert_int_equal(game->position.hand[1], 7);
	quiet(talk, "position text WW./B.B/.../....../.../.../... w 7,7 moves g7xb6 d6");
	assert_int_equal(talk->session.game.game.count, 2);
	quiet(talk, "position fen ********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1 moves d6");
	assert_int_equal(talk->session.game.game.count, 1);
}

static void takes_may_be_words_of_their_own(void **state)
{
	struct talk *talk = *state;
	struct mrl_position whole;

	quiet(talk, "position startpos moves d6 a1 d5 a4 d7xa1 g1");
	whole = talk->session.game.game.position;
	quiet(talk, "position startpos moves d6 a1 d5 a4 d7 xa1 g1");
	assert_true(mrl_position_same(&whole, &talk->session.game.game.position));
	quiet(talk, "position startpos moves D6 A1 d5 a4 d7  Xa1\tg1");
	assert_true(mrl_position_same(&whole, &talk->session.game.game.position));
	assert_false(talk->session.begun.is_begun);
}

static void wrong_positions_are_told_and_change_nothing(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "position startpos moves d6 f4");
	wrong(talk, "position", "expected startpos, text or fen");
	wrong(talk, "position moves d6", "expected startpos, text or fen");
	wrong(talk, "position startpos d6", "expected `moves` behind startpos");
	wrong(talk, "position startpos moves a7-b6", "turn 1: ");
	wrong(talk, "position startpos moves d6 d6", "turn 2: ");
	wrong(talk, "position startpos moves d6 nonsense", "turn 2: ");
	wrong(talk, "position startpos moves xd6", "turn 1: ");
	wrong(talk, "position startpos moves d6 a1 d5 a4 d7xd6", "turn 5: ");
	wrong(talk, "position startpos moves d6 a1 d5 a4 d7 g1", "turn 5: ");
	wrong(talk, "position text", "position: ");
	wrong(talk, "position text W", "position: ");
	wrong(talk, "position text WWW/.../.../....../.../.../... b 6,9 0 0", "position: ");
	wrong(talk, "position fen *OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4", "more men than the 9");
	wrong(talk, "position fen ********/********/******** w p r 0 9 0 9 1 0 0 0 0 0 0 0 1", "middle of a take");
}

static void nothing_is_played_after_the_end(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "setoption name Rules value three");
	quiet(talk, "position startpos moves a1 a2 b1 b2 c1");
	wrong(talk, "position startpos moves a1 a2 b1 b2 c1 c2", "turn 6: ");
}

/* ---- Go ----------------------------------------------------------------------------------------------------- */

static void limits_are_read(void **state)
{
	struct talk *talk = *state;
	struct engine_order order;

	order = say(talk, "go depth 7 nodes 18446744073709551615 movetime 250");
	assert_int_equal(order.action, ENGINE_GO);
	assert_int_equal(order.limits.depth, 7);
	assert_true(order.limits.nodes == UINT64_MAX);
	assert_int_equal(order.limits.time, 250);
	assert_false(order.limits.has_clock);
	assert_false(order.limits.infinite);
	order = say(talk, "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5");
	assert_true(order.limits.has_clock);
	assert_int_equal(order.limits.clock.left, 1000);
	assert_int_equal(order.limits.clock.increment, 10);
	assert_int_equal(order.limits.clock.turns, 5);
	quiet(talk, "position startpos moves d6");
	order = say(talk, "go wtime 1000 btime 2000 winc 10 binc 20");
	assert_int_equal(order.limits.clock.left, 2000);
	assert_int_equal(order.limits.clock.increment, 20);
	order = say(talk, "go btime -35");
	assert_true(order.limits.has_clock);
	assert_int_equal(order.limits.clock.left, 0);
	order = say(talk, "go mate 3");
	assert_int_equal(order.limits.win, 5);
	assert_false(order.limits.infinite);
	order = say(talk, "go ponder wtime 100 btime 100");
	assert_true(order.limits.ponder);
	assert_false(order.limits.infinite);
	order = say(talk, "go movetime 0");
	assert_int_equal(order.limits.time, 1);
	assert_true(say(talk, "go infinite").limits.infinite);
	assert_true(say(talk, "go").limits.infinite);
	order = say(talk, "go perft 4");
	assert_int_equal(order.action, ENGINE_PERFT);
	assert_int_equal(order.depth, 4);
}

static void options_reach_the_search(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "setoption name MultiPV value 4");
	quiet(talk, "setoption name Level value 3");
	struct engine_order order = say(talk, "go depth 2");

	assert_int_equal(order.limits.lines, 4);
	assert_int_equal(order.limits.level, 3);
}

static void a_choice_of_turns_is_read(void **state)
{
	struct talk *talk = *state;
	struct engine_order order;

	order = say(talk, "go searchmoves d6 f4 depth 3");
	assert_int_equal(order.limits.only_count, 2);
	assert_int_equal(order.limits.depth, 3);
	quiet(talk, "position startpos moves d6 a1 d5 a4");
	order = say(talk, "go depth 3 searchmoves d7 xa1 d7xa4 g1");
	assert_int_equal(order.limits.only_count, 3);
	assert_int_equal(mrl_turn_takes(&order.limits.only[1]), 1);
	order = say(talk, "go depth 3");
	assert_null(order.limits.only);
}

static void wrong_limits_are_told_and_start_nothing(void **state)
{
	struct talk *talk = *state;

	wrong(talk, "go fast", "unknown word \"fast\"");
	wrong(talk, "go depth", "behind depth");
	wrong(talk, "go depth 0", "behind depth");
	wrong(talk, "go depth 1x", "behind depth");
	wrong(talk, "go depth -1", "behind depth");
	wrong(talk, "go nodes 18446744073709551616", "behind nodes");
	wrong(talk, "go movetime -1", "behind movetime");
	wrong(talk, "go wtime -x", "behind wtime");
	wrong(talk, "go perft 0", "behind perft");
	wrong(talk, "go searchmoves d6-d7", "searchmoves: ");
	wrong(talk, "go searchmoves z9", "searchmoves: ");
	wrong(talk, "go depth 3 depth", "behind depth");
}

static void a_game_that_is_over_has_no_best_turn(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "setoption name Rules value three");
	quiet(talk, "position startpos moves a1 a2 b1 b2 c1");
	assert_int_equal(say(talk, "go depth 3").action, ENGINE_NOTHING);
	assert_string_equal(talk->heard, "info string the game is over: 1-0 mill\nbestmove (none)\n");
	assert_int_equal(say(talk, "go perft 2").action, ENGINE_PERFT);
}

static void a_running_search_is_not_disturbed(void **state)
{
	static const char *const lines[] = {"position startpos moves d6", "go depth 1", "setoption name Hash value 2",
					    "ucinewgame"};
	struct talk *talk = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(say_when(talk, lines[i], true).action, ENGINE_NOTHING);
		assert_int_equal(count_lines(talk->heard), 1);
		assert_non_null(strstr(talk->heard, "a search is running; stop it first"));
	}
	assert_int_equal(talk->session.game.game.count, 0);
	assert_int_equal(talk->session.megabytes, 16);
	(void)say_when(talk, "isready", true);
	assert_string_equal(talk->heard, "readyok\n");
	assert_int_equal(say_when(talk, "stop", true).action, ENGINE_STOP);
	assert_int_equal(say_when(talk, "ponderhit", true).action, ENGINE_PONDER_HIT);
	assert_int_equal(say_when(talk, "quit", true).action, ENGINE_QUIT);
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static struct mrl_turn turn_of(const struct talk *talk, const char *text)
{
	struct mrl_turn turn;

	assert_int_equal(
	    mrl_turn_read(talk->session.rules, &talk->session.game.game.position, text, strlen(text), &turn, NULL),
	    MRL_OK);
	return turn;
}

static void best_is(struct talk *talk, const char *turn_text, const char *expected)
{
	struct mrl_turn turn = turn_of(talk, turn_text);

	talk->heard[0] = '\0';
	engine_say_best(&talk->session, &turn, 1);
	assert_string_equal(talk->heard, expected);
	engine_session_chosen(&talk->session, &turn);
}

static void a_turn_is_answered_whole(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "position startpos moves d6 a1 d5 a4");
	best_is(talk, "d7xa1", "bestmove d7xa1\n");
	best_is(talk, "g1", "bestmove g1\n");
}

static void atomic_moves_answer_the_take_when_asked_again(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "setoption name AtomicMoves value true");
	quiet(talk, "position startpos moves d6 a1 d5 a4");
	best_is(talk, "d7xa1", "bestmove d7\n");
	quiet(talk, "position startpos moves d6 a1 d5 a4 d7");
	/* No second thought, and no search. */
	assert_int_equal(say(talk, "go depth 5").action, ENGINE_NOTHING);
	assert_string_equal(talk->heard, "bestmove xa1\n");
}

static void a_begun_turn_that_was_not_ours_is_thought_about(void **state)
{
	struct talk *talk = *state;
	struct engine_order order;

	quiet(talk, "position startpos moves d6 a1 d5 a4 d7");
	assert_true(talk->session.begun.is_begun);
	assert_int_equal(talk->session.game.game.count, 4);
	order = say(talk, "go depth 5");
	assert_int_equal(order.action, ENGINE_GO);
	assert_int_equal(order.limits.only_count, 2);
	best_is(talk, "d7xa4", "bestmove xa4\n");
	/* ucinewgame forgets what was chosen. */
	(void)say(talk, "ucinewgame");
	assert_int_equal(say(talk, "go depth 5").action, ENGINE_GO);
}

static void two_takes_are_asked_for_one_by_one(void **state)
{
	struct talk *talk = *state;

	quiet(talk, "setoption name Rules value nine,take-count=per-mill");
	quiet(talk, "position startpos moves g4 a7 f2 c5 f6 d2 e4 d5 f4");
	assert_true(talk->session.begun.is_begun);
	best_is(talk, "f4xa7xc5", "bestmove xa7\n");
	quiet(talk, "position startpos moves g4 a7 f2 c5 f6 d2 e4 d5 f4 xa7");
	assert_true(talk->session.begun.is_begun);
	(void)say(talk, "go depth 1");
	assert_string_equal(talk->heard, "bestmove xc5\n");
	quiet(talk, "position startpos moves g4 a7 f2 c5 f6 d2 e4 d5 f4 xa7 xc5");
	assert_false(talk->session.begun.is_begun);
	assert_int_equal(talk->session.game.game.count, 9);
}

static void what_was_found_is_told_in_lines(void **state)
{
	struct talk *talk = *state;
	static struct mrl_player_report report;
	struct mrl_search_result *result = &report.result;

	quiet(talk, "position startpos moves d6 a1 d5 a4");
	report = (struct mrl_player_report){.elapsed = 12, .nodes = 345, .per_second = 28750, .probes = 6};
	result->depth = 7;
	result->selective_depth = 9;
	result->full = 3;
	result->line_count = 1;
	result->lines[0].score = -42;
	result->lines[0].length = 2;
	result->lines[0].turns[0] = turn_of(talk, "d7xa1");
	result->lines[0].turns[1] = turn_of(talk, "g1");
	talk->heard[0] = '\0';
	engine_say_info(&talk->session, &report);
	assert_string_equal(talk->heard, "info depth 7 seldepth 9 score cp -42 nodes 345 nps 28750 hashfull 3 tbhits 6 "
					 "time 12 pv d7xa1 g1\n");
	static const struct {
		int score;
		const char *text;
	} scores[] = {{0, "draw"},
		      {1, "cp 1"},
		      {MRL_SCORE_KNOWN + 999, "win"},
		      {-(MRL_SCORE_KNOWN + 998), "loss"},
		      {MRL_SCORE_WIN - 7, "win 7"}};

	for (size_t i = 0; i < sizeof(scores) / sizeof(scores[0]); i++) {
		char expected[256];

		result->lines[0].score = scores[i].score;
		talk->heard[0] = '\0';
		engine_say_info(&talk->session, &report);
		(void)snprintf(
		    expected, sizeof(expected),
		    "info depth 7 seldepth 9 score %s nodes 345 nps 28750 hashfull 3 tbhits 6 time 12 pv d7xa1 "
		    "g1\n",
		    scores[i].text);
		assert_string_equal(talk->heard, expected);
	}
	quiet(talk, "setoption name AtomicMoves value true");
	quiet(talk, "setoption name MultiPV value 2");
	result->line_count = 2;
	result->lines[0].score = MRL_SCORE_WIN - 5;
	result->lines[1] = result->lines[0];
	result->lines[1].score = -(MRL_SCORE_WIN - 4);
	result->lines[1].length = 1;
	talk->heard[0] = '\0';
	engine_say_info(&talk->session, &report);
	assert_string_equal(talk->heard,
			    "info depth 7 seldepth 9 multipv 1 score win 5 nodes 345 nps 28750 hashfull 3 "
			    "tbhits 6 time 12 pv d7 xa1 g1\n"
			    "info depth 7 seldepth 9 multipv 2 score loss 4 nodes 345 nps 28750 hashfull 3 "
			    "tbhits 6 time 12 pv d7 xa1\n");
}

static void what_is_expected_is_told_with_the_best(void **state)
{
	struct talk *talk = *state;
	struct mrl_turn turns[2];

	quiet(talk, "position startpos moves d6");
	turns[0] = turn_of(talk, "f4");
	turns[1] = turn_of(talk, "b4");
	engine_say_best(&talk->session, turns, 2);
	assert_string_equal(talk->heard, "bestmove f4 ponder b4\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(uci_tells_name_options_and_that_it_is_ready),
	    TEST(plain_commands_are_handed_on),
	    TEST(empty_lines_are_passed_over),
	    TEST(what_is_no_command_is_told),
	    TEST(a_0_byte_is_part_of_no_command),
	    TEST(a_line_of_a_megabyte_is_read_and_a_longer_one_refused),
	    TEST(options_are_set),
	    TEST(wrong_options_are_told_and_change_nothing),
	    TEST(memory_that_is_not_there_leaves_the_old),
	    TEST(positions_are_set_up),
	    TEST(takes_may_be_words_of_their_own),
	    TEST(wrong_positions_are_told_and_change_nothing),
	    TEST(nothing_is_played_after_the_end),
	    TEST(limits_are_read),
	    TEST(options_reach_the_search),
	    TEST(a_choice_of_turns_is_read),
	    TEST(wrong_limits_are_told_and_start_nothing),
	    TEST(a_game_that_is_over_has_no_best_turn),
	    TEST(a_running_search_is_not_disturbed),
	    TEST(a_turn_is_answered_whole),
	    TEST(atomic_moves_answer_the_take_when_asked_again),
	    TEST(a_begun_turn_that_was_not_ours_is_thought_about),
	    TEST(two_takes_are_asked_for_one_by_one),
	    TEST(what_was_found_is_told_in_lines),
	    TEST(what_is_expected_is_told_with_the_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
