/* merels bench: measures how fast this build is on this machine. */
#include <stdio.h>
#include <string.h>

#include "bench_rules.h"
#include "bench_search.h"
#include "bench_store.h"
#include "bench_tables.h"
#include "commands.h"
#include "machine.h"

/* What can be measured; one line each. */
static const struct bench {
	const char *name;
	bool (*run)(double seconds);
} benches[] = {
    {"rules", bench_rules},
    {"search", bench_search},
    {"store", bench_store},
    {"tables", bench_tables},
};

static const struct cli_option options[] = {
    {"time", 't', "SECONDS", "how long each thing is measured, 0.01 to 600 (default 1)", NULL},
    {0},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .run = cmd_bench,
    .summary = "measure how fast this build is on this machine",
    .usage = "[--time SECONDS] rules|search|store|tables",
    .about = "rules: for every rule set the leaf turns a second that perft counts, the turns a\n"
	     "second that are made and taken back, and the mill tests a second. One thread.\n"
	     "search: the nodes of fixed positions to fixed depths (the same on every machine),\n"
	     "nodes a second, the time to depths 12 and 14 of nine, and what two threads bring.\n"
	     "store: turns a second that are committed to the disk, and how long each takes.\n"
	     "tables: how fast two small rule sets are solved on one thread, how long a probe takes,\n"
	     "and the bytes a position.",
    .options = options,
    .operands = "rules search store tables",
    .examples = "merels bench rules\n"
		"merels bench --time 0.2 rules\n"
		"merels bench search",
};

int cmd_bench(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_bench, argc, argv);
	double seconds = 1;

	while (cli_parse_next(&parse) != 0) {
		if (cli_read_seconds(&cli_bench, "time", parse.value, 600, &seconds) != CLI_GO_ON)
			return CLI_USAGE;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 1)
		return cli_wrong_usage(&cli_bench, "name one thing to measure: rules, search, store or tables");
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		if (strcmp(benches[i].name, parse.operands[0]) != 0)
			continue;
		bench_print_machine();
		return benches[i].run(seconds) ? CLI_GOOD : cli_no_memory(&cli_bench);
	}
	return cli_wrong_usage(&cli_bench, "'%s' cannot be measured; there are: rules, search, store, tables",
			       parse.operands[0]);
}
