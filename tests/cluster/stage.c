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

/* From where a node goes to PostgreSQL: a socket in a folder of its own, or the other end of its cable. */
static bool add_store(struct stage *stage, unsigned i, const char *to)
{
	struct cluster_piece *piece = stage_node(stage, i);
	char folder[CLUSTER_FOLDER_SIZE + 8];
	char from[CLUSTER_PLACE_SIZE];
	char address[NETWORK_ADDRESS_SIZE];

	if (stage->cables) {
		network_address(i, NETWORK_STORE, false, address);
		(void)snprintf(from, sizeof(from), "%s:0", address);
		stage->store[i] = detour_add(stage->detours, from, to);
		(void)snprintf(piece->store, sizeof(piece->store),
			       "postgres:host=%s port=%u user=merels dbname=postgres", address,
			       detour_port(stage->store[i]));
		return true;
	}
	(void)snprintf(folder, sizeof(folder), "%s/%u", stage->cluster.folder, i + 1);
	if (mkdir(folder, 0700) != 0) {
		printf("%s cannot be made\n", folder);
		return false;
	}
	(void)snprintf(from, sizeof(from), "%s/.s.PGSQL.5432", folder);
	stage->store[i] = detour_add(stage->detours, from, to);
	(void)snprintf(piece->store, sizeof(piece->store), "postgres:host=%s user=merels dbname=postgres", folder);
	return true;
}

static void add_bus(struct stage *stage, unsigned i)
{
	struct cluster_piece *piece = stage_node(stage, i);
	char from[NETWORK_ADDRESS_SIZE + 8];
	char to[32];
	char address[NETWORK_ADDRESS_SIZE] = "127.0.0.1";

	if (stage->cables)
		network_address(i, NETWORK_BUS, false, address);
	(void)snprintf(from, sizeof(from), "%s:0", address);
	(void)snprintf(to, sizeof(to), "127.0.0.1:%u", stage->cluster.bus_port);
	stage->bus[i] = detour_add(stage->detours, from, to);
	(void)snprintf(piece->bus, sizeof(piece->bus), "nats://%s:%u", address, detour_port(stage->bus[i]));
}

/* A node that has a network of its own is looked for where it would be without. */
static void add_front(struct stage *stage, unsigned i)
{
	unsigned port = stage_node(stage, i)->port;
	char address[NETWORK_ADDRESS_SIZE];
	char from[32];
	char to[NETWORK_ADDRESS_SIZE + 8];

	network_address(i, NETWORK_FRONT, true, address);
	(void)snprintf(from, sizeof(from), "127.0.0.1:%u", port);
	(void)snprintf(to, sizeof(to), "%s:%u", address, port);
	stage->front[i] = detour_add(stage->detours, from, to);
}

static bool make_detours(struct stage *stage)
{
	char store[CLUSTER_PLACE_SIZE];

	stage->detours = detours_new();
	(void)snprintf(store, sizeof(store), "%s/postgres/.s.PGSQL.5432", stage->cluster.folder);
	for (unsigned i = 0; i < stage->nodes; i++) {
		if (!add_store(stage, i, store))
			return false;
		/* One alone has no bus. */
		if (stage->cluster.bus_port != 0)
			add_bus(stage, i);
		if (stage->cables)
			add_front(stage, i);
	}
	detours_run(stage->detours);
	return true;
}

void stage_put(struct stage *stage, unsigned node, enum network_cable way, enum detour_state state)
{
	if (stage->cables)
		network_pull(node, way, state != DETOUR_OPEN);
	else
		detour_put(way == NETWORK_BUS ? stage->bus[node] : stage->store[node], state);
}

/* With networks: makes them, and the program that runs a node in its own. */
static bool make_networks(struct stage *stage, const char *program)
{
	if (!network_make(stage->nodes))
		return false;
	if (network_wrap(program, stage->web, stage->program, sizeof(stage->program)))
		return true;
	network_end(stage->nodes);
	return false;
}

bool stage_make(struct stage *stage, const char *program, unsigned nodes, bool cables)
{
	static char rate[] = "--address-rate";
	static char sockets[] = "--address-sockets";
	static char any[] = "0";
	static char web[] = "--web";
	char *const more[] = {rate, any, sockets, any, web, stage->web, NULL};
	const struct cluster_plan plan = {
	    .program = cables ? stage->program : program, .nodes = nodes, .more = stage->more};
	struct mrl_error error;

	stage->nodes = nodes;
	stage->cables = cables;
	if (!make_page(stage))
		return false;
	if (cables && !make_networks(stage, program)) {
		(void)mrl_scratch_remove(stage->web);
		return false;
	}
	memcpy(stage->more, more, sizeof(more));
	if (cluster_make(&stage->cluster, &plan, &error) != MRL_OK) {
		printf("%s\n", error.message);
		if (cables)
			network_end(nodes);
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
	if (stage->cables)
		network_end(stage->nodes);
	(void)mrl_scratch_remove(stage->web);
}
