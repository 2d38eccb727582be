/* merels analyze: what turns were worth, and what is best in a position. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include <os/terminal.h>

#include "analyze_exact.h"
#include "commands.h"
#include "tables_player.h"

enum { NODES = 256, THREADS, HASH, FORMAT, TABLES };

enum format { TEXT, JSON, RECORD };

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    CLI_OPTION_POSITION,
    {"depth", 'd', "N", "plies to look ahead", NULL},
    {"nodes", NODES, "N", "positions to visit for a turn", NULL},
    {"time", 't', "SECONDS", "time for a turn (default 1 when no other limit is given)", NULL},
    {"lines", 'n', "N", "lines of play to show for a position, 1 to 16 (default 1)", NULL},
    {"threads", THREADS, "N", "threads to search with (default 1)", NULL},
    {"hash", HASH, "MB", "memory for what was learned (default 64)", NULL},
    {"format", FORMAT, "FORMAT", "text, json, or record: an annotated record (default text)", "text json record"},
    {"tables", TABLES, "FOLDER",
     "exact tables to ask: each legal turn's value in text and json (default:\nyour own, if `merels tables` or "
     "`merels play` made them)",
     CLI_CHOOSE_FILES},
    {0},
};

const struct cli_command cli_analyze = {
    .name = "analyze",
    .run = cmd_analyze,
    .summary = "say what each turn of a game was worth, or what is best in a position",
    .usage = "[OPTION]... FILE...\n[OPTION]... [--rules RULES] [--position POSITION]",
    .about = "With files of records (- is standard input): for each turn its score, what it lost\n"
	     "against the best turn, and the best line. Without: the best lines of a position.\n"
	     "A turn that loses half a man or more is marked ?!, a whole man ?, three men or a\n"
	     "won game ??.",
    .options = options,
    .operands = CLI_CHOOSE_FILES,
    .examples = "merels analyze --time 0.5 game.txt\n"
		"merels analyze --depth 12 --format record games.txt > annotated.txt\n"
		"merels analyze --rules six --lines 3 --format json\n"
		"merels analyze --rules nine --tables tables/nine game.txt",
};

struct request {
	const char *rules;
	const char *position;
	const char *tables;
	struct mrl_player_limits limits;
	unsigned threads;
	unsigned megabytes;
	enum format format;
	struct mrl_player *player;
	struct analyze_json *json;
	unsigned shown; /* records printed so far */
};

/* ---- Options ------------------------------------------------------------------------------------------------ */

static int read_count(const char *name, const char *text, unsigned long to, unsigned *number)
{
	unsigned long value = 0;
	int code = cli_read_number(&cli_analyze, name, text, 1, to, &value);

	*number = (unsigned)value;
	return code;
}

static int read_option(struct request *request, int option, const char *value)
{
	unsigned long nodes = 0;
	char *end = NULL;
	double seconds;
	int code;

	switch (option) {
	case 'r':
		request->rules = value;
		return CLI_GO_ON;
	case 'p':
		request->position = value;
		return CLI_GO_ON;
	case 'd':
		return read_count("depth", value, MRL_MAX_DEPTH, &request->limits.depth);
	case NODES:
		code = cli_read_number(&cli_analyze, "nodes", value, 1, 1000000000000ul, &nodes);
		request->limits.nodes = nodes;
		return code;
	case 'n':
		return read_count("lines", value, MRL_MAX_MULTI_PV, &request->limits.lines);
	case THREADS:
		return read_count("threads", value, MRL_PLAYER_MAX_THREADS, &request->threads);
	case HASH:
		return read_count("hash", value, MRL_PLAYER_MAX_MEGABYTES, &request->megabytes);
	case TABLES:
		request->tables = value;
		return CLI_GO_ON;
	case 't':
		seconds = strtod(value, &end);
		if (end == value || *end != '\0' || !(seconds >= 0.001 && seconds <= 86400))
			return cli_wrong_usage(&cli_analyze, "--time: '%s' is no number of seconds from 0.001 to 86400",
					       value);
		request->limits.time = (uint64_t)(seconds * 1000);
		return CLI_GO_ON;
	default:
		break;
	}
	if (strcmp(value, "text") == 0)
		request->format = TEXT;
	else if (strcmp(value, "json") == 0)
		request->format = JSON;
	else if (strcmp(value, "record") == 0)
		request->format = RECORD;
	else
		return cli_wrong_usage(&cli_analyze, "--format: '%s' is not text, json or record", value);
	return CLI_GO_ON;
}

/* ---- Work --------------------------------------------------------------------------------------------------- */

/* Tells what tables say, where there are any. */
static int show_exact(struct request *request, const struct analysis *analysis, struct mrl_tables *tables)
{
	struct analyze_exact *exact = calloc(analysis->count + 1, sizeof(*exact));
	struct mrl_error error = {0};
	bool good = exact != NULL;

	if (good && analyze_exact(analysis, tables, exact, &error) != MRL_OK) {
		cli_complain(&cli_analyze, "exact tables: %s", error.message);
		free(exact);
		return error.status == MRL_SYSTEM ? CLI_SYSTEM : CLI_NO;
	}
	if (good && request->format == TEXT)
		analyze_exact_print(analysis, exact);
	else if (good && request->format == JSON)
		good = analyze_json_exact(request->json, analysis, exact);
	if (exact != NULL)
		analyze_exact_release(exact, analysis->count);
	free(exact);
	return good ? CLI_GO_ON : cli_no_memory(&cli_analyze);
}

static int ask_tables(struct request *request, const struct analysis *analysis)
{
	struct tables_player tables = {0};
	struct mrl_error error = {0};
	enum mrl_status status;
	int code = CLI_GO_ON;

	if (request->format == RECORD)
		return CLI_GO_ON;
	if (request->tables == NULL)
		status = tables_player_open_own(&tables, analysis->rules, &error);
	else
		status = tables_player_open(&tables, request->tables, analysis->rules, &error);
	if (status == MRL_OK) {
		code = show_exact(request, analysis, tables.tables);
	} else if (request->tables != NULL) {
		cli_complain(&cli_analyze, "--tables: %s", error.message);
		code = status == MRL_SYSTEM ? CLI_SYSTEM : CLI_NO;
	}
	tables_player_close(&tables);
	return code;
}

static int show(struct request *request, const struct analysis *analysis, struct mrl_record *record)
{
	bool good = true;

	switch (request->format) {
	case TEXT:
		if (request->shown > 0)
			puts("");
		analyze_print_text(analysis);
		break;
	case JSON:
		good = analyze_json_add(request->json, analysis);
		break;
	case RECORD:
		if (request->shown > 0)
			puts("");
		good = analyze_print_record(analysis, record);
		break;
	}
	request->shown++;
	return good ? ask_tables(request, analysis) : cli_no_memory(&cli_analyze);
}

static int do_position(struct request *request)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct analysis analysis;
	struct cli_game game;
	int code = cli_read_rules(&cli_analyze, request->rules, &rules);

	if (code == CLI_GO_ON)
		code = cli_read_position(&cli_analyze, &rules, request->position, &position);
	if (code != CLI_GO_ON)
		return code;
	cli_game_init(&game, &rules, &position);
	if (analyze_position(&analysis, request->player, &game.game, &request->limits))
		code = show(request, &analysis, NULL);
	else
		code = cli_no_memory(&cli_analyze);
	analyze_release(&analysis);
	cli_game_release(&game);
	return code;
}

static void progress(size_t at, size_t count)
{
	fprintf(stderr, "\r\033[Kturn %zu of %zu", at + 1, count);
	(void)fflush(stderr);
}

static int do_record(struct request *request, struct mrl_record *record)
{
	struct analysis analysis;
	bool live = mrl_terminal_errors();
	bool good = analyze_record(&analysis, request->player, record, &request->limits, live ? progress : NULL);

	if (live)
		fprintf(stderr, "\r\033[K");
	int code = good ? show(request, &analysis, record) : cli_no_memory(&cli_analyze);

	analyze_release(&analysis);
	return code;
}

/* The records of a text, one after the other; a bad one is reported and the rest done all the same. */
static int do_text(struct request *request, const char *name, const char *text, size_t length)
{
	struct mrl_record_reader reader;
	size_t size = (size_t)1 << 20;
	char *memory = malloc(size);
	bool bad = false;
	int code = CLI_GO_ON;

	mrl_record_reader_init(&reader, text, length);
	while (memory != NULL && code == CLI_GO_ON && mrl_record_more(&reader)) {
		struct mrl_arena arena = mrl_arena_in(memory, size);
		struct mrl_error error = {0};
		struct mrl_record *record;
		enum mrl_status status = mrl_record_read(&reader, &arena, &record, &error);

		if (status == MRL_OK) {
			code = do_record(request, record);
		} else if (status == MRL_SPACE) {
			free(memory);
			size *= 2;
			memory = malloc(size);
		} else {
			(void)cli_report(&cli_analyze, name, false, &error);
			bad = true;
		}
	}
	if (memory == NULL)
		code = cli_no_memory(&cli_analyze);
	free(memory);
	if (code == CLI_GO_ON && reader.games == 0) {
		cli_complain(&cli_analyze, "%s: there is no record in it", name);
		bad = true;
	}
	return code == CLI_GO_ON && bad ? CLI_NO : code;
}

static int do_file(struct request *request, const char *path)
{
	char *text = NULL;
	size_t length = 0;
	int code = cli_read_file(&cli_analyze, path, &text, &length);

	if (code == CLI_GO_ON)
		code = do_text(request, strcmp(path, "-") == 0 ? "standard input" : path, text, length);
	free(text);
	return code;
}

static int do_all(struct request *request, char **files, int count)
{
	int worst = CLI_GOOD;

	if (count == 0) {
		int code = do_position(request);

		return code == CLI_GO_ON ? CLI_GOOD : code;
	}
	for (int i = 0; i < count; i++) {
		int code = do_file(request, files[i]);

		if (code != CLI_GO_ON && code > worst)
			worst = code;
	}
	return worst;
}

int cmd_analyze(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_analyze, argc, argv);
	struct request request = {.threads = 1, .megabytes = 64};
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		int code = read_option(&request, option, parse.value);

		if (code != CLI_GO_ON)
			return code;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0 && (request.rules != NULL || request.position != NULL))
		return cli_wrong_usage(&cli_analyze, "a record says itself where it starts and by which rules");
	if (parse.operand_count == 0 && request.format == RECORD)
		return cli_wrong_usage(&cli_analyze, "--format record: for records, not for a position");
	if (request.tables != NULL && request.format == RECORD)
		return cli_wrong_usage(&cli_analyze,
				       "--tables: what tables say is told in text and json, not in a record");
	if (request.limits.depth == 0 && request.limits.nodes == 0 && request.limits.time == 0)
		request.limits.time = 1000;
	request.player = mrl_player_new(request.threads, request.megabytes);
	request.json = request.format == JSON ? analyze_json_new() : NULL;
	int code = CLI_SYSTEM;

	if (request.player == NULL || (request.format == JSON && request.json == NULL))
		code = cli_no_memory(&cli_analyze);
	else
		code = do_all(&request, parse.operands, parse.operand_count);
	if (request.json != NULL && !analyze_json_print(request.json))
		code = CLI_SYSTEM;
	analyze_json_free(request.json);
	mrl_player_free(request.player);
	return code;
}
