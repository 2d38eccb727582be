/* merels cluster up: everything started in order, watched, stopped. */
#include <stdio.h>
#include <string.h>

#include <os/clock.h>
#include <os/interrupt.h>

#include "cluster_internal.h"
#include "cluster_tools.h"

enum { STEP_NS = 20000000, PATIENCE_S = 60, REST_NS = 1000000000, WORDS_SIZE = 400 };

struct up {
	const struct cli_command *command;
	struct cluster *cluster;
	bool restart;
	uint64_t ended[CLUSTER_MOST_PIECES]; /* when a piece ended that is to be started again; 0: none */
};

static void complain_of(const struct up *up, const struct cluster_piece *piece, const char *what)
{
	char words[WORDS_SIZE];

	cluster_last_words(up->cluster, piece, words, sizeof(words));
	cli_complain(up->command, "%s: %s; %s", piece->name, what,
		     words[0] != '\0' ? "its last words were:" : "it has said nothing");
	for (const char *line = words; *line != '\0';) {
		size_t length = strcspn(line, "\n");

		cli_complain(up->command, "%s: %.*s", piece->name, (int)length, line);
		line += length + (line[length] == '\n' ? 1 : 0);
	}
}

static bool is_there(const struct up *up, const struct cluster_piece *piece)
{
	return cluster_ready(up->cluster, piece) &&
	       (piece->kind != CLUSTER_NODE || cluster_ask(piece->port, "/readyz", NULL, 0) == 200);
}

/* Waits until a piece is there. */
static int wait_for(const struct up *up, struct cluster_piece *piece)
{
	uint64_t begun = mrl_clock_now();
	char how[32];
	char what[64];

	while (!is_there(up, piece)) {
		if (mrl_interrupted())
			return CLI_GOOD;
		if (cluster_ended(up->cluster, piece, how)) {
			(void)snprintf(what, sizeof(what), "it ended at once, with %s", how);
			complain_of(up, piece, what);
			return CLI_SYSTEM;
		}
		if (mrl_clock_since(begun) > PATIENCE_S) {
			complain_of(up, piece, "it is not ready after a minute");
			return CLI_SYSTEM;
		}
		mrl_program_pause(STEP_NS);
	}
	return CLI_GO_ON;
}

/* All of a kind are started at once, and the next kind when they are there; but the first node makes the tables. */
static int start_all(const struct up *up)
{
	struct cluster *cluster = up->cluster;
	struct mrl_error error;

	for (unsigned kind = 0; kind < CLUSTER_KINDS; kind++) {
		struct cluster_piece *piece = NULL;

		for (size_t i = 0; (piece = cluster_nth(cluster, kind, i)) != NULL; i++) {
			if (cluster_start(cluster, piece, &error) != MRL_OK) {
				cli_complain(up->command, "%s: %s", piece->name, error.message);
				return CLI_SYSTEM;
			}
			int code = kind == CLUSTER_NODE && i == 0 ? wait_for(up, piece) : CLI_GO_ON;

			if (code != CLI_GO_ON)
				return code;
		}
		for (size_t i = 0; (piece = cluster_nth(cluster, kind, i)) != NULL; i++) {
			int code = wait_for(up, piece);

			if (code != CLI_GO_ON)
				return code;
		}
	}
	return CLI_GO_ON;
}

static void show(const struct cluster *cluster)
{
	char place[CLUSTER_PLACE_SIZE];

	printf("%-10s %9s  %s\n", "piece", "process", "where");
	for (size_t i = 0; i < cluster->piece_count; i++) {
		cluster_place(cluster, &cluster->pieces[i], place);
		printf("%-10s %9ld  %s\n", cluster->pieces[i].name, cluster->pieces[i].id, place);
	}
	printf("folder     %9s  %s%s\n", "", cluster->folder, cluster->made ? " (removed at the end)" : "");
	cluster_place(cluster, &cluster->pieces[cluster->piece_count - 1], place);
	printf("Open %s; Ctrl-C stops it all.\n", place);
	(void)fflush(stdout);
}

static void look_after(struct up *up, size_t i)
{
	struct cluster_piece *piece = &up->cluster->pieces[i];
	struct mrl_error error;
	char how[32];

	if (cluster_ended(up->cluster, piece, how)) {
		printf("%s has ended: %s%s\n", piece->name, how, up->restart ? "; it is started again" : "");
		(void)fflush(stdout);
		up->ended[i] = up->restart ? mrl_clock_now() : 0;
	}
	if (up->ended[i] == 0 || mrl_clock_now() - up->ended[i] < REST_NS)
		return;
	up->ended[i] = 0;
	if (cluster_start(up->cluster, piece, &error) == MRL_OK) {
		printf("%s runs again, as process %ld\n", piece->name, piece->id);
		(void)fflush(stdout);
	} else {
		cli_complain(up->command, "%s: %s", piece->name, error.message);
		up->ended[i] = mrl_clock_now();
	}
}

int cluster_up(const struct cli_command *command, const struct cluster_plan *plan, bool restart)
{
	static struct cluster cluster; /* too large for a stack that may be small */
	struct up up = {.command = command, .cluster = &cluster, .restart = restart};
	struct mrl_error error;

	mrl_interrupt_catch();

	enum mrl_status status = cluster_make(&cluster, plan, &error);

	if (status != MRL_OK) {
		cli_complain(command, "%s", error.message);
		return CLI_SYSTEM;
	}

	int code = start_all(&up);

	if (code == CLI_GO_ON) {
		show(&cluster);
		code = CLI_GOOD;
		while (!mrl_interrupted()) {
			for (size_t i = 0; i < cluster.piece_count; i++)
				look_after(&up, i);
			mrl_program_pause(STEP_NS);
		}
		puts("stopping");
		(void)fflush(stdout);
	}
	cluster_free(&cluster, false);
	return code;
}
