/* merels bench: measures how fast this build is on this machine, and how well it plays by exact tables. */
#include <stdio.h>
#include <string.h>

#include <os/folder.h>

#include "bench_accuracy.h"
#include "bench_cluster.h"
#include "bench_endings.h"
#include "bench_play.h"
#include "bench_rules.h"
#include "bench_search.h"
#include "bench_store.h"
#include "bench_tables.h"
#include "commands.h"
#include "machine.h"

/* What can be measured; one line each: by time, or by exact tables. */
static const struct bench {
	const char *name;
	bool (*run)(double seconds);
	bool (*run_exact)(const struct exact_settings *settings);
	unsigned long positions; /* without --positions */
	const char *rules[2];    /* without --rules */
} benches[] = {
    {.name = "rules", .run = bench_rules},
    {.name = "search", .run = bench_search},
    {.name = "store", .run = bench_store},
    {.name = "tables", .run = bench_tables},
    {.name = "play", .run = bench_play},
    {.name = "cluster", .run = bench_cluster},
    {.name = "accuracy", .run_exact = bench_accuracy, .positions = 10000, .rules = {"six", "nine"}},
    {.name = "endings", .run_exact = bench_endings, .positions = 100, .rules = {"nine"}},
};

#define WHAT "rules, search, store, tables, play, cluster, accuracy or endings"

enum { DIRECTORY = 256, POSITIONS, NODES, MEN, HELPED, ENDINGS };

static const struct cli_option options[] = {
    {"time", 't', "SECONDS", "how long each thing is measured, 0.01 to 600 (default 1)", NULL},
    {"dir", DIRECTORY, "FOLDER",
     "accuracy, endings: has a folder of exact tables for each\n"
     "rule set, of its name (default tables)",
     CLI_CHOOSE_FILES},
    {"rules", 'r', "RULES",
     "accuracy, endings: a rule set; may be given several times\n"
     "(default six and nine, for endings nine)",
     CLI_CHOOSE_RULES},
    {"positions", POSITIONS, "N", "accuracy, endings: how many (default 10000, for endings 100)", NULL},
    {"men", MEN, "OWN-ENEMY", "endings: only these (default 5-4, 6-4, 6-5 and 6-6)", NULL},
    {"helped", HELPED, NULL, "endings: let the search ask the tables for values, not distances", NULL},
    {"endings", ENDINGS, "FOLDER",
     "endings: exact tables that the search asks, of endings perhaps\n(`merels tables build --endings`)",
     CLI_CHOOSE_FILES},
    {"nodes", NODES, "N", "endings: positions that a turn may visit (default 20000)", NULL},
    {0},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .run = cmd_bench,
    .summary = "measure how fast this build is on this machine, and how well it plays",
    .usage = "[--time SECONDS] rules|search|store|tables|play|cluster\n"
	     "[--dir FOLDER] [--rules RULES]... [--positions N] accuracy\n"
	     "[--dir FOLDER] [--rules RULES]... [--positions N] [--nodes N] [--men OWN-ENEMY]\n"
	     " [--helped] [--endings FOLDER] endings",
    .about = "rules: for every rule set the leaf turns a second that perft counts, the turns a\n"
	     "second that are made and taken back, and the mill tests a second. One thread.\n"
	     "search: the nodes of fixed positions to fixed depths (the same on every machine),\n"
	     "nodes a second, the time to depths 12 and 14 of nine, what two threads bring, and\n"
	     "how soon a search ends that is told to stop.\n"
	     "store: turns a second that are committed to the disk, and how long each takes.\n"
	     "tables: how fast two small rule sets are solved on one thread, how long a probe takes,\n"
	     "and the bytes a position.\n"
	     "play: a server on one processor, its load on another: memory of a socket and of a game,\n"
	     "turns a second and how long they take to the opponent, 5,000 watchers of one game.\n"
	     "cluster: what a turn costs with PostgreSQL and nodes, when both players are at one node\n"
	     "and when they are not: processor time, messages, statements, bytes.\n"
	     "accuracy: how many turns of the search, at 1,000, 10,000 and 100,000 nodes, give away\n"
	     "half a point or a whole one, by exact tables, in positions of random games.\n"
	     "endings: how many won endings without hands the search wins against the tables'\n"
	     "best defence. A rule set whose tables are not there is skipped.",
    .options = options,
    .operands = "rules search store tables play cluster accuracy endings",
    .examples = "merels bench rules\n"
		"merels bench --time 0.2 rules\n"
		"merels bench search\n"
		"merels tables build --rules six --dir tables/six && merels bench accuracy --rules six",
};

enum { MOST_RULES = 8 };

struct request {
	double seconds;
	const char *rules[MOST_RULES];
	struct exact_settings exact;
};

static int read_men(const char *text, struct exact_men *men)
{
	char end;

	if (sscanf(text, "%u-%u%c", &men->own, &men->enemy, &end) == 2 && men->own >= 3 && men->enemy >= 3 &&
	    men->own <= MRL_MAX_MEN && men->enemy <= MRL_MAX_MEN)
		return CLI_GO_ON;
	return cli_wrong_usage(&cli_bench, "--men: '%s' is not OWN-ENEMY, two numbers from 3 to %d", text, MRL_MAX_MEN);
}

/* Reads one option. CLI_GO_ON, or the exit code after having reported. */
static int read_option(struct request *request, int option, const char *value)
{
	struct mrl_rules rules;

	switch (option) {
	case 't':
		return cli_read_seconds(&cli_bench, "time", value, 600, &request->seconds);
	case 'r':
		if (request->exact.rule_count == MOST_RULES)
			return cli_wrong_usage(&cli_bench, "--rules: at most %d rule sets at a time", MOST_RULES);
		request->rules[request->exact.rule_count++] = value;
		return cli_read_rules(&cli_bench, value, &rules);
	case POSITIONS:
		return cli_read_number(&cli_bench, "positions", value, 1, 1000000, &request->exact.positions);
	case MEN:
		return read_men(value, &request->exact.men);
	case HELPED:
		request->exact.helped = true;
		return CLI_GO_ON;
	case ENDINGS:
		request->exact.own = value;
		return CLI_GO_ON;
	case NODES:
		return cli_read_number(&cli_bench, "nodes", value, 1, 1000000000, &request->exact.nodes);
	default:
		request->exact.folder = value;
		return CLI_GO_ON;
	}
}

static int run_exact(const struct bench *bench, struct request *request)
{
	struct exact_settings *exact = &request->exact;

	if (exact->folder != NULL && !mrl_folder_exists(exact->folder)) {
		cli_complain(&cli_bench, "--dir: there is no folder '%s'", exact->folder);
		return CLI_SYSTEM;
	}
	if (exact->folder == NULL)
		exact->folder = "tables";
	exact->rules = request->rules;
	if (exact->rule_count == 0) {
		exact->rules = bench->rules;
		exact->rule_count = bench->rules[1] == NULL ? 1 : 2;
	}
	if (exact->positions == 0)
		exact->positions = bench->positions;
	bench_print_machine();
	return bench->run_exact(exact) ? CLI_GOOD : cli_no_memory(&cli_bench);
}

int cmd_bench(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_bench, argc, argv);
	struct request request = {.seconds = 1, .exact.nodes = 20000};
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		int code = read_option(&request, option, parse.value);

		if (code != CLI_GO_ON)
			return code;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 1)
		return cli_wrong_usage(&cli_bench, "name one thing to measure: " WHAT);
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		if (strcmp(benches[i].name, parse.operands[0]) != 0)
			continue;
		if (benches[i].run_exact != NULL)
			return run_exact(&benches[i], &request);
		bench_print_machine();
		return benches[i].run(request.seconds) ? CLI_GOOD : cli_no_memory(&cli_bench);
	}
	return cli_wrong_usage(
	    &cli_bench,
	    "'%s' cannot be measured; there are: rules, search, store, tables, play, cluster, accuracy, endings",
	    parse.operands[0]);
}
