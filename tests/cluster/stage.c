#include "stage.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <os/clock.h>
#include <os/scratch.h>
#include <os/socket.h>

#include "cluster_internal.h"

enum { START_S = 60 };

/* For an answer that is there at once, or not yet. */
#define PATIENCE (SECOND / 20)

struct cluster_piece *stage_node(struct stage *stage, unsigned i)
{
	return cluster_nth(&stage->cluster, CLUSTER_NODE, i);
}

struct cluster_piece *stage_bus(struct stage *stage)
{
	return cluster_nth(&stage->cluster, CLUSTER_BUS, 0);
}

struct cluster_piece *stage_postgres(struct stage *stage)
{
	return cluster_nth(&stage->cluster, CLUSTER_POSTGRES, 0);
}

/* ---- Making it ---------------------------------------------------------------------------------------------- */

static bool make_page(struct stage *stage)
{
	char page[CLUSTER_PLACE_SIZE];
	struct mrl_error error;

	if (mrl_scratch_make("merels-chaos", stage->web, sizeof(stage->web), &error) != MRL_OK) {
		printf("%s\n", error.message);
		return false;
	}
	(void)snprintf(page, sizeof(page), "%s/index.html", stage->web);

	FILE *file = fopen(page, "w");

	if (file == NULL)
		return false;
	(void)fputs("<!doctype html><title>Merels</title>\n", file);
	return fclose(file) == 0;
}

static bool make_detours(struct stage *stage)
{
	char folder[CLUSTER_FOLDER_SIZE + 8];
	char from[CLUSTER_PLACE_SIZE];
	char to[CLUSTER_PLACE_SIZE];

	stage->detours = detours_new();
	(void)snprintf(to, sizeof(to), "%s/postgres/.s.PGSQL.5432", stage->cluster.folder);
	for (unsigned i = 0; i < stage->nodes; i++) {
		struct cluster_piece *piece = stage_node(stage, i);
		unsigned port = 0;

		(void)snprintf(folder, sizeof(folder), "%s/%u", stage->cluster.folder, i + 1);
		if (mkdir(folder, 0700) != 0) {
			printf("%s cannot be made\n", folder);
			return false;
		}
		(void)snprintf(from, sizeof(from), "%s/%u/.s.PGSQL.5432", stage->cluster.folder, i + 1);
		stage->store[i] = detour_add_path(stage->detours, from, to);
		(void)snprintf(piece->store, sizeof(piece->store), "postgres:host=%s user=merels dbname=postgres",
			       folder);
		/* One alone has no bus. */
		if (stage->cluster.bus_port == 0)
			continue;
		stage->bus[i] = detour_add_port(stage->detours, &port, stage->cluster.bus_port);
		(void)snprintf(piece->bus, sizeof(piece->bus), "nats://127.0.0.1:%u", port);
	}
	detours_run(stage->detours);
	return true;
}

bool stage_make(struct stage *stage, const char *program, unsigned nodes)
{
	static char rate[] = "--address-rate";
	static char sockets[] = "--address-sockets";
	static char any[] = "0";
	static char web[] = "--web";
	char *const more[] = {rate, any, sockets, any, web, stage->web, NULL};
	const struct cluster_plan plan = {.program = program, .nodes = nodes, .more = stage->more};
	struct mrl_error error;

	stage->nodes = nodes;
	if (!make_page(stage))
		return false;
	memcpy(stage->more, more, sizeof(more));
	if (cluster_make(&stage->cluster, &plan, &error) != MRL_OK) {
		printf("%s\n", error.message);
		(void)mrl_scratch_remove(stage->web);
		return false;
	}
	if (!make_detours(stage)) {
		stage_end(stage, false);
		return false;
	}
	return true;
}

/* ---- Starting and ending ------------------------------------------------------------------------------------ */

bool stage_start(struct stage *stage, struct cluster_piece *piece)
{
	struct mrl_error error;

	if (cluster_start(&stage->cluster, piece, &error) != MRL_OK) {
		printf("%s\n", error.message);
		return false;
	}
	for (unsigned i = 0; i < stage->nodes; i++) {
		if (piece == stage_node(stage, i))
			stage->coming[i] = true;
	}
	return true;
}

static bool is_there(const struct stage *stage, const struct cluster_piece *piece)
{
	return cluster_ready(&stage->cluster, piece) &&
	       (piece->kind != CLUSTER_NODE || cluster_ask(piece->port, "/readyz", NULL, 0) == 200);
}

static bool await(struct stage *stage, struct cluster_piece *piece)
{
	uint64_t begun = mrl_clock_now();
	char words[800];
	char how[32];

	while (!is_there(stage, piece)) {
		bool ended = cluster_ended(&stage->cluster, piece, how);

		if (ended || mrl_clock_since(begun) > START_S) {
			cluster_last_words(&stage->cluster, piece, words, sizeof(words));
			printf("%s %s:\n%s\n", piece->name, ended ? how : "did not start in time", words);
			return false;
		}
		mrl_program_pause(SECOND / 50);
	}
	return true;
}

bool stage_start_all(struct stage *stage)
{
	for (size_t i = 0; i < stage->cluster.piece_count; i++) {
		struct cluster_piece *piece = &stage->cluster.pieces[i];

		if (!stage_start(stage, piece) || !await(stage, piece))
			return false;
	}
	return true;
}

void stage_start_later(struct stage *stage, const struct cluster_piece *piece)
{
	for (unsigned i = 0; i < stage->nodes; i++) {
		if (piece == stage_node(stage, i))
			stage->again[i] = mrl_clock_now() + SECOND;
	}
}

/* A node listens from its first moment, and answers when it is there. Nobody waits for it long. */
static bool answers(const struct cluster_piece *piece)
{
	static const char question[] = "GET /readyz HTTP/1.1\r\nHost: merels\r\nConnection: close\r\n\r\n";
	char answer[1024];

	return piece->id != 0 &&
	       mrl_socket_ask(piece->port, question, answer, sizeof(answer), mrl_clock_now() + PATIENCE);
}

bool stage_look(struct stage *stage)
{
	uint64_t now = mrl_clock_now();

	if (!cluster_ready(&stage->cluster, stage_postgres(stage)))
		stage->store_away = now;
	for (unsigned i = 0; i < stage->nodes; i++) {
		struct cluster_piece *piece = stage_node(stage, i);

		if (stage->again[i] != 0 && now >= stage->again[i]) {
			stage->again[i] = 0;
			if (piece->id == 0 && !stage_start(stage, piece))
				return false;
		}
		if (stage->coming[i] && now >= stage->look_at[i]) {
			stage->look_at[i] = now + SECOND / 2;
			stage->coming[i] = !answers(piece);
		}
	}
	return true;
}

bool stage_comes(struct stage *stage, const struct cluster_piece *piece)
{
	for (unsigned i = 0; i < stage->nodes; i++) {
		if (piece == stage_node(stage, i))
			return stage->coming[i];
	}
	return false;
}

void stage_end(struct stage *stage, bool keep)
{
	if (keep)
		printf("left for you to look at: %s\n", stage->cluster.folder);
	cluster_free(&stage->cluster, keep);
	detours_free(stage->detours);
	(void)mrl_scratch_remove(stage->web);
}
