#include "bench_cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <os/child.h>
#include <os/clock.h>
#include <os/process.h>
#include <os/scratch.h>
#include <os/socket.h>

#include "cluster_internal.h"
#include "load.h"

enum { TURNS_A_GAME = 3, LEAST_S = 10, IDLE_S = 5, COME_S = 60, START_S = 60, POLL_MS = 50, PAGE = 32768 };
enum { MANY = 1000, MANY_S = 12 };

#define SECOND UINT64_C(1000000000)

/* What has been used since the beginning. Times in nanoseconds. */
struct used {
	uint64_t nodes;
	uint64_t database;
	uint64_t bus;
	uint64_t messages_in; /* from the nodes to nats-server, and from it to them */
	uint64_t messages_out;
	uint64_t bytes;
	uint64_t statements;
	uint64_t log; /* bytes of the write-ahead log */
	double moment;
};

struct bench {
	struct cluster cluster;
	struct mrl_child *psql;
	char web[CLUSTER_FOLDER_SIZE];
};

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static bool start(struct bench *bench, struct mrl_error *error)
{
	struct cluster *cluster = &bench->cluster;

	for (size_t i = 0; i < cluster->piece_count; i++) {
		struct cluster_piece *piece = &cluster->pieces[i];
		uint64_t begun = mrl_clock_now();
		char how[32];
		char words[400];

		/* The nodes are asked directly. */
		if (piece->kind == CLUSTER_BALANCER)
			continue;
		if (cluster_start(cluster, piece, error) != MRL_OK) {
			printf("%s\n", error->message);
			return false;
		}
		while (!cluster_ready(cluster, piece) ||
		       (piece->kind == CLUSTER_NODE && cluster_ask(piece->port, "/readyz", NULL, 0) != 200)) {
			if (cluster_ended(cluster, piece, how) || mrl_clock_since(begun) > START_S) {
				cluster_last_words(cluster, piece, words, sizeof(words));
				printf("%s does not run: %s\n", piece->name, words);
				return false;
			}
			mrl_program_pause(SECOND / 100);
		}
	}
	return true;
}

/* psql, to ask the database beside the nodes. */
static bool connect_psql(struct bench *bench)
{
	char path[MRL_PROGRAM_PATH_SIZE];
	char place[CLUSTER_PLACE_SIZE];
	char *arguments[] = {path, (char[]){"-XqAt"}, (char[]){"-F "}, (char[]){"-d"}, place, NULL};
	char *slash = NULL;
	/* After a checkpoint the first change of each page is written to the log as a whole page: so not just after
	 * one. */
	static const char extension[] = "CREATE EXTENSION IF NOT EXISTS pg_stat_statements;\nCHECKPOINT;\n";

	(void)snprintf(path, sizeof(path), "%s", bench->cluster.paths[CLUSTER_POSTGRES]);
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	(void)snprintf(slash, sizeof(path) - (size_t)(slash - path), "/psql");
	(void)snprintf(place, sizeof(place), "host=%s/postgres user=merels dbname=postgres", bench->cluster.folder);
	return mrl_child_start(&bench->psql, arguments, NULL, true, NULL) == MRL_OK &&
	       mrl_child_send(bench->psql, extension, sizeof(extension) - 1, mrl_clock_now() + 10 * SECOND);
}

/* ---- Reading what was used ---------------------------------------------------------------------------------- */

static uint64_t number_behind(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at != NULL ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void read_bus(const struct bench *bench, struct used *used)
{
	static const char question[] = "GET /varz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
	char *page = malloc(PAGE);

	if (page != NULL && bench->cluster.bus_http_port != 0 &&
	    mrl_socket_ask(bench->cluster.bus_http_port, question, page, PAGE, mrl_clock_now() + 5 * SECOND)) {
		used->messages_in = number_behind(page, "\"in_msgs\": ");
		used->messages_out = number_behind(page, "\"out_msgs\": ");
		used->bytes = number_behind(page, "\"in_bytes\": ") + number_behind(page, "\"out_bytes\": ");
	}
	free(page);
}

static void read_database(const struct bench *bench, struct used *used)
{
	static const char question[] = "SELECT sum(calls) FROM pg_stat_statements WHERE toplevel;\n"
				       "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0');\n";
	uint64_t patience = mrl_clock_now() + 10 * SECOND;
	const char *line = NULL;

	if (!mrl_child_send(bench->psql, question, sizeof(question) - 1, patience))
		return;
	if (mrl_child_read(bench->psql, patience, &line) == MRL_CHILD_LINE)
		used->statements = strtoull(line, NULL, 10);
	if (mrl_child_read(bench->psql, patience, &line) == MRL_CHILD_LINE)
		used->log = strtoull(line, NULL, 10);
}

static struct used read_used(const struct bench *bench)
{
	struct used used = {0};

	for (size_t i = 0; i < bench->cluster.piece_count; i++) {
		const struct cluster_piece *piece = &bench->cluster.pieces[i];

		if (piece->id == 0)
			continue;
		if (piece->kind == CLUSTER_NODE)
			used.nodes += mrl_process_time(piece->id);
		else if (piece->kind == CLUSTER_BUS)
			used.bus += mrl_process_time(piece->id);
		else
			used.database += mrl_process_time(piece->id) + mrl_process_children_time(piece->id);
	}
	read_bus(bench, &used);
	read_database(bench, &used);
	used.moment = (double)mrl_clock_now() / 1e9;
	return used;
}

/* ---- One measurement ---------------------------------------------------------------------------------------- */

struct phase {
	struct bench *bench;
	struct load *load;
	double wanted;
	unsigned games;
	uint64_t begun;
	uint64_t measured;
	struct used before;
	struct used after;
	uint64_t turns;
	bool finishing;
};

static void on_poll(uv_timer_t *timer)
{
	struct phase *phase = timer->data;

	if (phase->measured == 0) {
		if (load_playing(phase->load) == phase->games || mrl_clock_since(phase->begun) > COME_S) {
			phase->measured = mrl_clock_now();
			phase->before = read_used(phase->bench);
			load_measure(phase->load);
		}
		return;
	}
	if (!phase->finishing && mrl_clock_since(phase->measured) >= phase->wanted) {
		phase->turns = load_stats(phase->load)->turns;
		phase->after = read_used(phase->bench);
		phase->finishing = true;
		load_finish(phase->load);
	}
	if (load_is_over(phase->load))
		uv_stop(timer->loop);
}

/* Per turn, less what is used without any. */
static void show_turns(const char *name, const struct phase *phase, const struct used *idle, double *cost)
{
	const struct used *a = &phase->before;
	const struct used *b = &phase->after;
	double seconds = b->moment - a->moment;
	double turns = phase->turns > 0 ? (double)phase->turns : 1;

#define PER_TURN(field) (((double)(b->field - a->field) - (double)idle->field * seconds) / turns)
	printf(
	    "%-9s  %4.0f turns/s; processor: nodes %.0f, PostgreSQL %.0f, bus %.0f us a turn; bus: %.2f messages in, "
	    "%.2f out, %.0f bytes a turn; PostgreSQL: %.2f statements, %.0f bytes of log a turn\n",
	    name, (double)phase->turns / seconds, PER_TURN(nodes) / 1e3, PER_TURN(database) / 1e3, PER_TURN(bus) / 1e3,
	    PER_TURN(messages_in), PER_TURN(messages_out), PER_TURN(bytes), PER_TURN(statements), PER_TURN(log));
	*cost = (PER_TURN(nodes) + PER_TURN(database) + PER_TURN(bus)) / 1e3;
#undef PER_TURN
	uint64_t faults = load_fault_count(load_stats(phase->load));

	printf("           to the opponent p50 %.1f p99 %.1f ms\n",
	       (double)load_spans_at(&load_stats(phase->load)->receipt, 0.5) / 1e6,
	       (double)load_spans_at(&load_stats(phase->load)->receipt, 0.99) / 1e6);
	if (faults > 0)
		printf("           %" PRIu64 " faults; the first: %s\n", faults, load_stats(phase->load)->tale[0]);
}

/* Games that are open, and in which hardly anybody plays. */
static void show_open(const char *name, const struct phase *phase, const struct used *idle, double *cost)
{
	const struct used *a = &phase->before;
	const struct used *b = &phase->after;
	double seconds = b->moment - a->moment;

#define PER_SECOND(field) ((double)(b->field - a->field) / seconds - (double)idle->field)
	*cost = (PER_SECOND(nodes) + PER_SECOND(database) + PER_SECOND(bus)) / 1e3 / phase->games;
	printf(
	    "%-9s  %u games open, %.1f turns/s; in a second: processor: nodes %.1f, PostgreSQL %.1f, bus %.1f ms; bus: "
	    "%.0f messages in, %.0f bytes; PostgreSQL: %.1f statements; %.0f us of processors a game\n",
	    name, phase->games, (double)phase->turns / seconds, PER_SECOND(nodes) / 1e6, PER_SECOND(database) / 1e6,
	    PER_SECOND(bus) / 1e6, PER_SECOND(messages_in), PER_SECOND(bytes), PER_SECOND(statements), *cost);
#undef PER_SECOND
}

/* Whether all that was started still runs; what has ended is told of. */
static bool all_run(struct bench *bench)
{
	bool good = true;
	char words[400];
	char how[32];

	for (size_t i = 0; i < bench->cluster.piece_count; i++) {
		struct cluster_piece *piece = &bench->cluster.pieces[i];

		if (!cluster_ended(&bench->cluster, piece, how))
			continue;
		cluster_last_words(&bench->cluster, piece, words, sizeof(words));
		printf("%s has ended by itself, with %s: %s\n", piece->name, how, words);
		good = false;
	}
	return good;
}

/* Who sits where, and how much is played. */
struct seating {
	const char *name;
	unsigned servers;
	bool together;
	unsigned games;
	unsigned rate;
	double seconds;
};

/* `show` tells of it. */
static bool measure(struct bench *bench, const struct seating *seating, const struct used *idle,
		    void (*show)(const char *name, const struct phase *phase, const struct used *idle, double *cost),
		    double *cost)
{
	unsigned servers = seating->servers;
	struct phase phase = {.bench = bench, .wanted = seating->seconds, .games = seating->games};
	struct load_plan plan = {.servers = servers,
				 .together = seating->together,
				 .nodes = true,
				 .games = phase.games,
				 .rate = seating->rate,
				 /* Hardly anybody plays without a clock. */
				 .base = seating->rate < seating->games ? 0 : 600000,
				 .increment = seating->rate < seating->games ? 0 : 5000,
				 .seed = mrl_clock_now() & UINT32_MAX};
	char places[2][CLUSTER_PLACE_SIZE];
	struct mrl_error error;
	uv_loop_t loop;
	uv_timer_t timer = {.data = &phase};

	for (unsigned i = 0; i < servers; i++) {
		cluster_place(&bench->cluster, cluster_nth(&bench->cluster, CLUSTER_NODE, i), places[i]);
		plan.urls[i] = places[i];
	}
	if (mrl_rules_parse(&plan.rules, "nine", 4, NULL) != MRL_OK || uv_loop_init(&loop) != 0)
		return false;
	if (load_new(&phase.load, &loop, &plan, &error) != MRL_OK) {
		printf("%s\n", error.message);
		(void)uv_loop_close(&loop);
		return false;
	}
	phase.begun = mrl_clock_now();
	(void)uv_timer_init(&loop, &timer);
	(void)uv_timer_start(&timer, on_poll, POLL_MS, POLL_MS);
	load_begin(phase.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);

	bool good = all_run(bench);

	if (good)
		show(seating->name, &phase, idle, cost);
	uv_close((uv_handle_t *)&timer, NULL);
	load_free(phase.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	return good;
}

/* What is used in a second in which nobody plays. */
static struct used measure_idle(const struct bench *bench)
{
	struct used a;

	/* What comes after a start is over by then. */
	mrl_program_pause(IDLE_S * SECOND);
	a = read_used(bench);
	mrl_program_pause(IDLE_S * SECOND);

	struct used b = read_used(bench);
	struct used idle = {.nodes = (b.nodes - a.nodes) / IDLE_S,
			    .database = (b.database - a.database) / IDLE_S,
			    .bus = (b.bus - a.bus) / IDLE_S,
			    .messages_in = (b.messages_in - a.messages_in) / IDLE_S,
			    .messages_out = (b.messages_out - a.messages_out) / IDLE_S,
			    .bytes = (b.bytes - a.bytes) / IDLE_S,
			    .statements = (b.statements - a.statements) / IDLE_S,
			    .log = (b.log - a.log) / IDLE_S};

	printf("idle       in a second: processor: nodes %.1f, PostgreSQL %.1f, bus %.1f ms; %" PRIu64
	       " messages, %" PRIu64 " statements, %" PRIu64 " bytes of log\n",
	       (double)idle.nodes / 1e6, (double)idle.database / 1e6, (double)idle.bus / 1e6,
	       idle.messages_in + idle.messages_out, idle.statements, idle.log);
	return idle;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

static bool make_web(struct bench *bench, struct mrl_error *error)
{
	char path[CLUSTER_PLACE_SIZE];

	if (mrl_scratch_make("merels-bench", bench->web, sizeof(bench->web), error) != MRL_OK)
		return false;
	(void)snprintf(path, sizeof(path), "%s/index.html", bench->web);

	FILE *page = fopen(path, "w");

	if (page == NULL)
		return false;
	(void)fputs("<!doctype html>\n", page);
	return fclose(page) == 0;
}

/* The same turns with both players at one node, with games at each of two, and with each player at his own. */
static bool compare(struct bench *bench, unsigned rate, double seconds, const struct used *idle)
{
	struct seating seating = {"one", 1, true, rate / TURNS_A_GAME, rate, seconds};
	double one = 0;
	double each = 0;
	double pair = 0;

	if (!measure(bench, &seating, idle, show_turns, &one))
		return false;
	seating.name = "each";
	seating.servers = 2;
	if (!measure(bench, &seating, idle, show_turns, &each))
		return false;
	seating.name = "pair";
	seating.together = false;
	if (!measure(bench, &seating, idle, show_turns, &pair))
		return false;
	/* In a pair one of the two is where the game is, and makes half of the turns, which are told to the other. */
	printf("pair       a turn costs %.2f times as much of processors in all as at \"one\", %.2f times as at "
	       "\"each\"\n",
	       pair / one, pair / each);
	printf("remote     a turn costs %.0f us: %.2f times as much as a local one at \"one\", %.2f times as at "
	       "\"each\"\n",
	       2 * pair - each, (2 * pair - each) / one, (2 * pair - each) / each);
	return true;
}

static void play_at(struct bench *bench, unsigned nodes, double seconds)
{
	static const unsigned rates[] = {300, 1200};
	struct used idle = measure_idle(bench);
	struct seating seating = {"alone", 1, true, 0, 0, seconds};
	double cost = 0;

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		seating.games = rates[i] / TURNS_A_GAME;
		seating.rate = rates[i];
		if (nodes == 1 ? !measure(bench, &seating, &idle, show_turns, &cost)
			       : !compare(bench, rates[i], seconds, &idle))
			return;
	}
	if (nodes == 1)
		return;
	seating = (struct seating){"open each", 2, true, MANY, 1, MANY_S};
	if (!measure(bench, &seating, &idle, show_open, &cost))
		return;
	seating.name = "open pair";
	seating.together = false;
	(void)measure(bench, &seating, &idle, show_open, &cost);
}

bool bench_cluster(double seconds)
{
	static struct bench bench; /* too large for a stack that may be small */
	char program[MRL_PROGRAM_PATH_SIZE];
	char *more[] = {(char[]){"--address-rate"},
			(char[]){"0"},
			(char[]){"--address-sockets"},
			(char[]){"0"},
			(char[]){"--web"},
			bench.web,
			(char[]){"--log-level"},
			(char[]){"warning"},
			NULL};
	struct mrl_error error = {.message = ""};

	if (!mrl_process_file(program, sizeof(program)) || !make_web(&bench, &error))
		return false;
	(void)mrl_process_allow_files(4096);
	printf("cluster    \"alone\": one node without a bus; \"one\": all at one of two nodes; \"each\": half of the "
	       "games "
	       "at each; \"pair\": each player at his own node; %d turns a second in each game\n",
	       TURNS_A_GAME);
	for (unsigned nodes = 1; nodes <= 2; nodes++) {
		const struct cluster_plan plan = {.program = program, .nodes = nodes, .statistics = true, .more = more};

		if (cluster_make(&bench.cluster, &plan, &error) != MRL_OK) {
			printf("%s\n", error.message);
			break;
		}
		if (start(&bench, &error) && connect_psql(&bench))
			play_at(&bench, nodes, seconds < LEAST_S ? LEAST_S : seconds);
		mrl_child_end(bench.psql, SECOND, NULL);
		bench.psql = NULL;
		cluster_free(&bench.cluster, false);
	}
	(void)mrl_scratch_remove(bench.web);
	return true;
}
