/* merels cluster status, drain, stop: what is done to a cluster from beside it. */
#include "cluster_tools.h"

#include <stdio.h>
#include <string.h>

#include <os/clock.h>
#include <os/process.h>

#include "cluster_internal.h"

enum { STEP_NS = 20000000, ALL_S = 60, ONE_S = 10, DRAIN_S = 70, SAID_SIZE = 128 };

static int no_cluster(const struct cli_command *command, const char *folder)
{
	cli_complain(command, "%s: no cluster runs in this folder", folder);
	return CLI_NO;
}

static void say_state(const struct cluster_line *line, char said[SAID_SIZE])
{
	if (!line->runs)
		(void)snprintf(said, SAID_SIZE, "has ended");
	else if (strcmp(line->kind, "node") != 0)
		(void)snprintf(said, SAID_SIZE, "runs");
	else if (cluster_ask(line->port, "/readyz", said, SAID_SIZE) == 0)
		(void)snprintf(said, SAID_SIZE, "runs, and does not answer");
}

int cluster_status(const struct cli_command *command, const char *folder)
{
	struct cluster_line lines[CLUSTER_MOST_PIECES + 1];
	size_t count = cluster_record_read(folder, lines);
	char said[SAID_SIZE];
	char where[24];

	if (count == 0)
		return no_cluster(command, folder);
	printf("%-10s %9s  %-22s %s\n", "piece", "process", "where", "state");
	for (size_t i = 0; i < count; i++) {
		say_state(&lines[i], said);
		where[0] = '\0';
		if (lines[i].port != 0)
			(void)snprintf(where, sizeof(where), "127.0.0.1:%u", lines[i].port);
		printf("%-10s %9ld  %-22s %s\n", lines[i].name, lines[i].id, where, said);
	}
	return lines[0].runs ? CLI_GOOD : CLI_NO;
}

/* Whether a process ends within so many seconds. */
static bool ends(const struct cluster_line *line, double seconds)
{
	uint64_t begun = mrl_clock_now();

	while (mrl_process_began(line->id) == line->began) {
		if (mrl_clock_since(begun) > seconds)
			return false;
		mrl_program_pause(STEP_NS);
	}
	return true;
}

static void end_one(const struct cluster_line *line)
{
	bool database = strcmp(line->kind, "postgres") == 0;

	(void)mrl_program_tell(line->id, false, database ? MRL_INT : MRL_TERM);
	(void)mrl_program_tell(line->id, false, MRL_CONT);
	if (!ends(line, ONE_S))
		(void)mrl_program_tell(line->id, false, database ? MRL_QUIT : MRL_KILL);
	printf("%s (process %ld) has been ended\n", line->name, line->id);
}

int cluster_down(const struct cli_command *command, const char *folder)
{
	struct cluster_line lines[CLUSTER_MOST_PIECES + 1];
	size_t count = cluster_record_read(folder, lines);

	if (count == 0)
		return no_cluster(command, folder);
	if (lines[0].runs) {
		(void)mrl_program_tell(lines[0].id, false, MRL_TERM);
		if (ends(&lines[0], ALL_S))
			return CLI_GOOD;
		cli_complain(command, "%s: process %ld has not ended within a minute", folder, lines[0].id);
		return CLI_SYSTEM;
	}
	/* What a cluster that was killed has left, from the last to the first. */
	for (size_t i = count - 1; i > 0; i--) {
		if (lines[i].runs)
			end_one(&lines[i]);
	}
	return CLI_GOOD;
}

/* Whether another node is there to take the games of this one. */
static bool has_other(const struct cluster_line *lines, size_t count, const struct cluster_line *node)
{
	for (size_t i = 1; i < count; i++) {
		if (&lines[i] != node && strcmp(lines[i].kind, "node") == 0 && lines[i].runs &&
		    cluster_ask(lines[i].port, "/readyz", NULL, 0) == 200)
			return true;
	}
	return false;
}

static int drain(const struct cli_command *command, const struct cluster_line *node)
{
	if (!mrl_program_tell(node->id, false, MRL_USR1)) {
		cli_complain(command, "%s does not run", node->name);
		return CLI_NO;
	}
	/* It sees to it itself that it ends within a minute. */
	if (!ends(node, DRAIN_S)) {
		cli_complain(command, "%s has not ended; its log says why", node->name);
		return CLI_NO;
	}
	printf("%s has handed over its games and ended\n", node->name);
	return CLI_GOOD;
}

int cluster_drain(const struct cli_command *command, const char *folder, const char *node)
{
	struct cluster_line lines[CLUSTER_MOST_PIECES + 1];
	size_t count = cluster_record_read(folder, lines);

	if (count == 0)
		return no_cluster(command, folder);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(lines[i].name, node) != 0)
			continue;
		if (strcmp(lines[i].kind, "node") != 0) {
			cli_complain(command, "%s is no node, so it has no games to hand over", node);
			return CLI_USAGE;
		}
		if (!lines[i].runs) /* and will be taken off the record in a moment */
			break;
		if (!has_other(lines, count, &lines[i])) {
			cli_complain(command, "no other node is there to take the games of %s", node);
			return CLI_NO;
		}
		return drain(command, &lines[i]);
	}
	cli_complain(command, "%s: no node %s runs in this cluster", folder, node);
	return CLI_USAGE;
}
