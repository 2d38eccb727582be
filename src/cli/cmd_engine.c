/*
 * merels engine: speaks the engine protocol on standard input and output. The main thread reads, and so answers at any
 * time; searches and counts run beside it.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/shelf.h>
#include <os/clock.h>
#include <os/thread.h>

#include "commands.h"
#include "engine_session.h"
#include "tables_player.h"

static const struct cli_option options[] = {{0}};

const struct cli_command cli_engine = {
    .name = "engine",
    .run = cmd_engine,
    .summary = "play and analyse for a graphical program, by the engine protocol",
    .usage = "[--help]",
    .about = "Reads commands from standard input and answers on standard output, one a line, in\n"
	     "the Universal Chess Interface adapted to turns of mill games: uci, isready,\n"
	     "setoption, ucinewgame, position, go, stop, ponderhit, quit. `go perft N` counts\n"
	     "turns. A line that is not understood gets an `info string` and changes nothing.\n"
	     "Ends at quit, or at the end of its input when a search with a limit is done.",
    .options = options,
    .examples = "merels engine\n"
		"printf 'position startpos moves d6 f4\\ngo depth 10\\n' | merels engine",
};

/* Small tables are waited for so long; the largest of them take longer, and are used when they are there. */
enum { TABLE_MILLISECONDS = 1000 };

#define MILLISECOND UINT64_C(1000000)

/* With so many men more than the endings have, and none in hand, they are near enough to be asked. */
enum { MEN_BEFORE_ENDINGS = 2 };

struct engine {
	struct engine_session session;
	struct mrl_player *player;
	struct tables_player tables; /* the tables that are asked */
	struct tables_choice choice; /* what the tables leave to choose from */
	struct mrl_player_limits limits;
	bool searched; /* a search was started, whose answer has not been fetched */
	bool endless;  /* ... and which ends only when told to */
	bool has_best;
	struct mrl_turn best;
	uint64_t told_nodes; /* of the last info line */
	struct mrl_turn told_best;
	struct mrl_thread *counter; /* of `go perft` */
	unsigned depth;
	atomic_bool counting;
	atomic_bool stop_counting;
};

/* ---- Out ---------------------------------------------------------------------------------------------------- */

static void say(void *context, const char *line)
{
	(void)context;
	(void)printf("%s\n", line);
	(void)fflush(stdout);
}

static bool resize(void *context, unsigned threads, unsigned megabytes)
{
	struct engine *engine = context;
	struct mrl_player *player = mrl_player_new(threads, megabytes);

	if (player == NULL)
		return false;
	mrl_player_free(engine->player);
	engine->player = player;
	return true;
}

/* ---- Counting ----------------------------------------------------------------------------------------------- */

/* As mrl_perft(), but it can be stopped: deep counts are divided until the parts take moments. */
static uint64_t count(const struct engine *engine, const struct mrl_position *position, unsigned depth, bool divide)
{
	const struct mrl_rules *rules = engine->session.rules;

	if (depth <= 2 && !divide)
		return mrl_perft(rules, position, depth);
	size_t turn_count = mrl_turns(rules, position, NULL, 0);
	struct mrl_turn *turns = malloc((turn_count + 1) * sizeof(*turns));
	uint64_t sum = 0;

	if (turns == NULL)
		return 0;
	(void)mrl_turns(rules, position, turns, turn_count);
	for (size_t i = 0; i < turn_count && !atomic_load(&engine->stop_counting); i++) {
		struct mrl_position next = *position;

		(void)mrl_apply(rules, &next, &turns[i], NULL);
		uint64_t part = count(engine, &next, depth - 1, false);

		sum += part;
		if (divide && !atomic_load(&engine->stop_counting)) {
			char text[MRL_TURN_TEXT_SIZE];
			char line[MRL_TURN_TEXT_SIZE + 32];

			(void)mrl_turn_write(&rules->board, &turns[i], text);
			(void)snprintf(line, sizeof(line), "%s: %llu", text, (unsigned long long)part);
			say(NULL, line);
		}
	}
	free(turns);
	return sum;
}

static void run_count(void *context)
{
	struct engine *engine = context;
	uint64_t nodes = count(engine, &engine->session.game.game.position, engine->depth, true);
	char line[64];

	/* Before the last word, behind which the next command may follow at once. */
	atomic_store(&engine->counting, false);
	if (atomic_load(&engine->stop_counting)) {
		say(NULL, "info string the count was stopped");
	} else {
		(void)snprintf(line, sizeof(line), "nodes %llu", (unsigned long long)nodes);
		say(NULL, line);
	}
}

static void start_count(struct engine *engine, unsigned depth)
{
	engine->depth = depth;
	atomic_store(&engine->stop_counting, false);
	atomic_store(&engine->counting, true);
	engine->counter = mrl_thread_start(run_count, engine);
	if (engine->counter == NULL) {
		atomic_store(&engine->counting, false);
		engine_say_note(&engine->session, "go: no thread could be started");
	}
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

/* What the search believes of turns that tables chose is less than what is known of them. */
static int known_score(const struct mrl_table_value *value)
{
	int win = value->plies == MRL_TABLE_NO_PLIES ? MRL_SCORE_KNOWN + 1 : MRL_SCORE_WIN - (int)value->plies;

	return value->result == MRL_TABLE_WIN ? win : value->result == MRL_TABLE_LOSS ? -win : 0;
}

static void tell(const struct engine *engine, const struct mrl_player_report *report)
{
	struct mrl_player_report told = *report;

	if (engine->choice.count > 0)
		told.result.lines[0].score = known_score(&engine->choice.first.value);
	engine_say_info(&engine->session, &told);
}

static void report(void *context, const struct mrl_player_report *report)
{
	struct engine *engine = context;

	engine->told_nodes = report->nodes;
	engine->told_best = report->result.lines[0].turns[0];
	tell(engine, report);
}

static void done(void *context, enum mrl_status status, const struct mrl_player_report *report)
{
	struct engine *engine = context;
	const struct mrl_search_line *line = &report->result.lines[0];

	if (status != MRL_OK && status != MRL_STOPPED) {
		engine_say_note(&engine->session, "go: %s", mrl_status_text(status));
		engine_say_no_best(&engine->session);
		return;
	}
	/* What was found after the last iteration, and the whole count. */
	if (status == MRL_OK &&
	    (report->nodes != engine->told_nodes || !mrl_turn_equal(&line->turns[0], &engine->told_best)))
		tell(engine, report);
	engine->has_best = true;
	engine->best = line->turns[0];
	engine_say_best(&engine->session, line->turns, line->length);
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

static void tell_endings(const struct engine *engine, struct mrl_endings endings, const char *what)
{
	engine_say_note(&engine->session, "tables: endings of at most %u men against %u %s", endings.men,
			endings.against, what);
}

/* The keeper's build is over; in a thread of the keeper. Until the next turn nothing changes. */
static void build_ended(void *context, struct mrl_endings endings, const struct mrl_error *error)
{
	const struct engine *engine = context;

	if (error != NULL)
		engine_say_note(&engine->session, "tables: %s; it plays without", error->message);
	else if (endings.men > 0)
		tell_endings(engine, endings, "are ready");
}

/*
 * The folder "auto" stands for the user's own, where small tables are built when they are not there. They are waited
 * for a little; endings are not, for it is long until they are asked.
 */
static bool open_tables(void *context, const char *folder, const struct mrl_rules *rules, struct mrl_error *error)
{
	struct engine *engine = context;
	struct mrl_endings endings;

	tables_player_close(&engine->tables);
	if (folder == NULL)
		return true;
	if (strcmp(folder, "auto") != 0)
		return tables_player_open(&engine->tables, folder, rules, error) == MRL_OK;
	if (tables_player_keep(&engine->tables, rules,
			       (struct mrl_keeper_wish){.ended = build_ended, .context = engine}, error) != MRL_OK)
		return false;
	endings = mrl_table_keeper_endings(engine->tables.keeper);
	switch (mrl_table_keeper_wait(engine->tables.keeper, endings.men > 0 ? 0 : TABLE_MILLISECONDS, error)) {
	case MRL_KEEPER_READY:
		if (endings.men > 0)
			tell_endings(engine, endings, "are ready");
		return true;
	case MRL_KEEPER_BUILDING:
		if (endings.men > 0)
			tell_endings(engine, endings, "are being built");
		return true;
	case MRL_KEEPER_NONE:
	case MRL_KEEPER_FAILED:
		break;
	}
	tables_player_close(&engine->tables);
	return false;
}

/* Who limits depth or nodes is to get the same wherever and whenever it runs, so such searches ask nothing. */
static bool wants_endings(const struct engine *engine)
{
	const struct mrl_player_limits *limits = &engine->limits;

	return engine->session.endings && limits->depth == 0 && limits->nodes == 0 &&
	       (limits->time > 0 || limits->has_clock) && (limits->level == 0 || limits->level == MRL_LEVELS);
}

/*
 * Without a TablePath searches that only time limits ask the user's own endings, whose building begins with the first
 * of them: it takes a game's first turns, and some wins are too long for a side that has to find the way until then.
 */
static bool keep_endings(struct engine *engine)
{
	const struct mrl_position *position = &engine->session.game.game.position;
	struct mrl_error error = {0};

	if (!wants_endings(engine))
		return false;
	if (engine->tables.keeper == NULL &&
	    tables_player_keep(&engine->tables, engine->session.rules,
			       (struct mrl_keeper_wish){.only_endings = true, .ended = build_ended, .context = engine},
			       &error) != MRL_OK) {
		engine_say_note(&engine->session, "option Endings: %s; it plays without", error.message);
		return false;
	}
	const struct mrl_endings endings = mrl_table_keeper_endings(engine->tables.keeper);

	return position->hand[0] + position->hand[1] == 0 &&
	       mrl_popcount(position->men[0] | position->men[1]) <= endings.men + endings.against + MEN_BEFORE_ENDINGS;
}

/* With tables level 10 plays perfectly; who wants several lines, or looks on, gets them searched with the tables. */
static void ask_tables(struct engine *engine)
{
	bool asks = engine->session.table_path != NULL || keep_endings(engine);
	struct mrl_tables *tables =
	    asks ? tables_player_ask(&engine->tables, &engine->session.game.game.position) : NULL;
	struct mrl_player_limits *limits = &engine->limits;
	struct mrl_error error = {0};
	char value[TABLES_VALUE_SIZE];

	if (tables == NULL)
		return;
	limits->probe = mrl_shelf_probe;
	limits->probe_context = tables;
	if ((limits->level > 0 && limits->level < MRL_LEVELS) || limits->lines > 1 || limits->infinite ||
	    engine->session.game.game.verdict.outcome != MRL_ONGOING)
		return;
	if (tables_choose(tables, &engine->session.game.game, limits, &engine->choice, &error) != MRL_OK) {
		engine_say_note(&engine->session, "go: %s; it plays without tables", error.message);
		limits->probe = NULL;
	} else if (engine->choice.count > 0) {
		tables_value_text(&engine->choice.first.value, value);
		engine_say_note(&engine->session, "tables: %s, %zu equally good", value, engine->choice.count);
	}
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

/* To find and open tables takes time that is the search's: it has so many milliseconds less. */
static void charge(struct mrl_player_limits *limits, uint64_t spent)
{
	if (limits->time > 0)
		limits->time = limits->time > spent ? limits->time - spent : 1;
	if (limits->has_clock)
		limits->clock.left = limits->clock.left > spent ? limits->clock.left - spent : 0;
}

static void start_search(struct engine *engine, const struct mrl_player_limits *limits)
{
	engine->limits = *limits;
	engine->limits.context = engine;
	engine->limits.seed = mrl_clock_now(); /* below level 10 no two games are alike */
	engine->limits.report = report;
	engine->limits.done = done;
	uint64_t began = mrl_clock_now();

	ask_tables(engine);
	charge(&engine->limits, (mrl_clock_now() - began) / MILLISECOND);
	engine->told_nodes = 0;
	engine->has_best = false;
	engine->endless = limits->infinite || limits->ponder;
	engine->searched = mrl_player_start(engine->player, &engine->session.game.game, &engine->limits) == MRL_OK;
	if (!engine->searched) {
		engine_say_note(&engine->session, "go: no thread could be started");
		engine_say_no_best(&engine->session);
	}
}

/* Waits until nothing runs beside the reader. */
static void settle(struct engine *engine)
{
	mrl_player_wait(engine->player);
	mrl_thread_join(engine->counter);
	engine->counter = NULL;
	tables_choice_release(&engine->choice);
	if (engine->searched && engine->has_best)
		engine_session_chosen(&engine->session, &engine->best);
	engine->searched = false;
}

static void stop_and_settle(struct engine *engine)
{
	atomic_store(&engine->stop_counting, true);
	mrl_player_stop(engine->player);
	settle(engine);
}

/* ---- In ----------------------------------------------------------------------------------------------------- */

/* False when the conversation is over. */
static bool do_line(struct engine *engine, const char *line, size_t length)
{
	bool busy = mrl_player_busy(engine->player) || atomic_load(&engine->counting);

	/* A search that is not busy any more may still be saying its last words. */
	if (!busy)
		settle(engine);
	struct engine_order order = engine_session_line(&engine->session, line, length, busy);

	switch (order.action) {
	case ENGINE_NOTHING:
		break;
	case ENGINE_GO:
		start_search(engine, &order.limits);
		break;
	case ENGINE_PERFT:
		start_count(engine, order.depth);
		break;
	case ENGINE_STOP:
		stop_and_settle(engine);
		break;
	case ENGINE_PONDER_HIT:
		engine->endless = engine->limits.infinite;
		mrl_player_ponder_hit(engine->player);
		break;
	case ENGINE_NEW_GAME:
		mrl_player_clear(engine->player);
		break;
	case ENGINE_QUIT:
		return false;
	}
	return true;
}

/*
 * Reads a line without its end into a buffer that grows; what is longer than the longest line is passed over and
 * counted. False at the end of the input.
 */
static bool read_line(char **line, size_t *size, size_t *length)
{
	int c;

	*length = 0;
	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (*length == *size && *size <= ENGINE_MAX_LINE) {
			size_t larger_size = *size == 0 ? 4096 : 2 * *size;
			char *larger = realloc(*line, larger_size);

			if (larger != NULL) {
				*line = larger;
				*size = larger_size;
			}
		}
		if (*length < *size)
			(*line)[*length] = (char)c;
		++*length;
	}
	/* No memory for the rest is as bad as a line that is too long. */
	if (*length > *size)
		*length = ENGINE_MAX_LINE + 1;
	return c != EOF || *length > 0;
}

static void converse(struct engine *engine)
{
	char *line = NULL;
	size_t size = 0;
	size_t length;
	bool open = true;

	while (open && read_line(&line, &size, &length))
		open = do_line(engine, line == NULL ? "" : line, length);
	/* At the end of the input what was asked for is still answered. */
	if (!open || engine->endless)
		stop_and_settle(engine);
	else
		settle(engine);
	free(line);
}

int cmd_engine(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_engine, argc, argv);
	static struct engine engine;

	while (cli_parse_next(&parse) != 0)
		continue;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_engine, "unexpected argument '%s'", parse.operands[0]);
	if (!engine_session_init(&engine.session))
		return cli_no_memory(&cli_engine);
	engine.session.say = say;
	engine.session.resize = resize;
	engine.session.open_tables = open_tables;
	engine.session.context = &engine;
	engine.player = mrl_player_new(engine.session.threads, engine.session.megabytes);
	if (engine.player == NULL) {
		engine_session_release(&engine.session);
		return cli_no_memory(&cli_engine);
	}
	converse(&engine);
	mrl_player_free(engine.player);
	tables_choice_release(&engine.choice);
	tables_player_close(&engine.tables);
	engine_session_release(&engine.session);
	return CLI_GOOD;
}
