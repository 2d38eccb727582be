/* merels cluster: many nodes on one machine, for development and tests. */
#include <stdlib.h>
#include <string.h>

#include <os/process.h>

#include "cluster_tools.h"
#include "commands.h"

enum { FOLDER = 'f', PORT = 'p', WORKERS = 'w', RESTART = 256, STATISTICS };

static const struct cli_option options[] = {
    {"folder", FOLDER, "FOLDER",
     "where it keeps everything, and finds it again\n(default for `up`: a new one, removed at the end)",
     CLI_CHOOSE_FILES},
    {"port", PORT, "PORT", "up: where the balancer listens on 127.0.0.1 (default 0: any\nfree one)", NULL},
    {"workers", WORKERS, "N", "up: processes that think for the nodes (default 0)", NULL},
    {"restart", RESTART, NULL, "up: start again what ends, a node that was drained as well", NULL},
    {"statistics", STATISTICS, NULL, "up: have PostgreSQL count statements (pg_stat_statements)", NULL},
    {0},
};

const struct cli_command cli_cluster = {
    .name = "cluster",
    .run = cmd_cluster,
    .summary = "run many nodes on this machine, for development and tests",
    .usage = "[OPTION]... up N [-- SERVE-OPTION...]\n--folder FOLDER status\n--folder FOLDER drain NODE\n"
	     "--folder FOLDER stop",
    .about = "`up` starts PostgreSQL, nats-server, N nodes (n1, n2 ...) and nginx in front of\n"
	     "them, all on 127.0.0.1 or in its folder; says where each is and which address to\n"
	     "open; then says what ends, until it is told to stop (Ctrl-C, SIGTERM) and stops\n"
	     "everything. What it has started ends with it, however it ends. Further options\n"
	     "are those of `merels serve`, for each node. One node alone runs without\n"
	     "nats-server.\n"
	     "\n"
	     "`status` shows what runs in a folder; `drain` has a node hand over its games and\n"
	     "end, and waits for that; `stop` ends it all, also what a cluster that was killed\n"
	     "has left. With --restart and one `drain` after another all nodes are renewed.\n"
	     "\n"
	     "This is no way to run a club, for everything dies with one machine; docs/DEPLOY.md\n"
	     "tells of one.",
    .options = options,
    .operands = "up status drain stop",
    .examples = "merels cluster up 3\n"
		"merels cluster --folder club --port 8080 --restart up 3 -- --address-rate 0\n"
		"merels cluster --folder club drain n2",
};

/* From 1 on; 0: it is no such number. */
static unsigned read_nodes(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long number = digits > 0 && text[digits] == '\0' && digits < 4 ? strtoul(text, NULL, 10) : 0;

	return number <= CLUSTER_MOST_NODES ? (unsigned)number : 0;
}

static int up(const struct cli_parse *parse, struct cluster_plan *plan, bool restart)
{
	char program[MRL_PROGRAM_PATH_SIZE];

	if (parse->operand_count < 2)
		return cli_wrong_usage(&cli_cluster, "how many nodes? 1 to %d", CLUSTER_MOST_NODES);
	plan->nodes = read_nodes(parse->operands[1]);
	if (plan->nodes == 0)
		return cli_wrong_usage(&cli_cluster, "'%s' is no number of nodes, 1 to %d", parse->operands[1],
				       CLUSTER_MOST_NODES);
	/* What is no option would only be refused by the nodes, when all else runs. */
	if (parse->operand_count > 2 && parse->operands[2][0] != '-')
		return cli_wrong_usage(&cli_cluster, "'%s' is not expected; options for the nodes come behind --",
				       parse->operands[2]);
	if (plan->nodes == 1 && plan->workers > 0)
		return cli_wrong_usage(&cli_cluster, "workers are for more than one node");
	if (!mrl_process_file(program, sizeof(program))) {
		cli_complain(&cli_cluster, "where this program is cannot be told");
		return CLI_SYSTEM;
	}
	plan->program = program;
	plan->more = parse->operands + 2;
	return cluster_up(&cli_cluster, plan, restart);
}

static int act(const struct cli_parse *parse, struct cluster_plan *plan, bool restart)
{
	const char *action = parse->operand_count > 0 ? parse->operands[0] : "";
	int wanted = strcmp(action, "drain") == 0 ? 2 : 1;

	if (strcmp(action, "up") == 0)
		return up(parse, plan, restart);
	if (strcmp(action, "status") != 0 && strcmp(action, "drain") != 0 && strcmp(action, "stop") != 0)
		return cli_wrong_usage(&cli_cluster, "what to do is expected: up, status, drain or stop%s%s%s",
				       *action != '\0' ? ", not '" : "", action, *action != '\0' ? "'" : "");
	if (parse->operand_count != wanted)
		return cli_wrong_usage(&cli_cluster, wanted == 2 ? "drain: the name of one node is expected"
								 : "nothing more is expected here");
	if (plan->folder == NULL)
		return cli_wrong_usage(&cli_cluster, "--folder says which cluster is meant");
	if (strcmp(action, "status") == 0)
		return cluster_status(&cli_cluster, plan->folder);
	if (strcmp(action, "stop") == 0)
		return cluster_down(&cli_cluster, plan->folder);
	return cluster_drain(&cli_cluster, plan->folder, parse->operands[1]);
}

int cmd_cluster(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_cluster, argc, argv);
	struct cluster_plan plan = {.program = NULL};
	unsigned long number = 0;
	bool restart = false;
	int option = 0;
	int code = CLI_GO_ON;

	while (code == CLI_GO_ON && (option = cli_parse_next(&parse)) != 0) {
		switch (option) {
		case FOLDER:
			plan.folder = parse.value;
			break;
		case PORT:
			code = cli_read_number(&cli_cluster, "port", parse.value, 0, 65535, &number);
			plan.port = (unsigned)number;
			break;
		case WORKERS:
			code = cli_read_number(&cli_cluster, "workers", parse.value, 0, CLUSTER_MOST_WORKERS, &number);
			plan.workers = (unsigned)number;
			break;
		case RESTART:
			restart = true;
			break;
		default:
			plan.statistics = true;
		}
	}
	if (code != CLI_GO_ON)
		return code;
	return parse.finished ? parse.code : act(&parse, &plan, restart);
}
