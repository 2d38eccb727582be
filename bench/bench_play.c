#include "bench_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <os/child.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/folder.h>
#include <os/process.h>
#include <os/thread.h>

#include "load.h"

#define SECOND UINT64_C(1000000000)

enum {
	MOST_IDLE = 19800,
	IDLE_GAMES = 2000,
	WATCHERS = 5000,
	TURNS_A_GAME = 4, /* a second: a socket may send 20 messages */
	COME_SECONDS = 120,
	POLL_MS = 50
};

struct bench {
	char folder[256];
	char url[128];
	struct mrl_child *server;
	long id;
};

/* ---- The server --------------------------------------------------------------------------------------------- */

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

static bool make_folder(struct bench *bench)
{
	const char *above = getenv("TMPDIR");
	char path[300];
	struct mrl_disk_file *page = NULL;

	(void)snprintf(bench->folder, sizeof(bench->folder), "%s/merels-bench-%llu", above != NULL ? above : "/tmp",
		       (unsigned long long)mrl_clock_now());
	(void)snprintf(path, sizeof(path), "%s/web", bench->folder);
	if (mrl_disk_make_folder(path, NULL) != MRL_OK)
		return false;
	(void)snprintf(path, sizeof(path), "%s/data", bench->folder);
	if (mrl_disk_make_folder(path, NULL) != MRL_OK)
		return false;
	(void)snprintf(path, sizeof(path), "%s/web/index.html", bench->folder);
	if (mrl_disk_open(&page, path, MRL_DISK_CREATE, NULL) != MRL_OK)
		return false;

	bool good = mrl_disk_write(page, 0, "<!doctype html>", 15, NULL) == MRL_OK;

	mrl_disk_close(page);
	return good;
}

static void remove_folder(const struct bench *bench)
{
	static const char *const parts[] = {"/web", "/data", ""};
	char path[300];

	(void)!mrl_folder_walk(bench->folder, remove_file, NULL, NULL);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", bench->folder, parts[i]);
		(void)mrl_disk_remove_folder(path);
	}
}

static bool start_server(struct bench *bench)
{
	char program[300];
	char web[300];
	char data[300];
	const char *line = NULL;

	if (!mrl_process_folder(program, sizeof(program) - sizeof("/merels")))
		return false;
	strcat(program, "/merels");
	(void)snprintf(web, sizeof(web), "%s/web", bench->folder);
	(void)snprintf(data, sizeof(data), "%s/data", bench->folder);

	const char *const wanted[] = {program,
				      "serve",
				      "--listen",
				      "127.0.0.1:0",
				      "--web",
				      web,
				      "--data",
				      data,
				      "--address-rate",
				      "0",
				      "--address-sockets",
				      "0",
				      "--log-level",
				      "warning",
				      "--engine-threads",
				      "1",
				      NULL};
	char *arguments[sizeof(wanted) / sizeof(wanted[0])];

	/* The child is given pointers to what it might change, and does not. */
	memcpy(arguments, wanted, sizeof(wanted));

	/* What is started runs where the starting thread does. */
	(void)mrl_thread_pin(1);

	bool started = mrl_child_start(&bench->server, arguments, NULL, false, NULL) == MRL_OK;

	(void)mrl_thread_pin(0);
	if (!started || mrl_child_read(bench->server, mrl_clock_now() + 60 * SECOND, &line) != MRL_CHILD_LINE)
		return false;

	const char *at = strstr(line, "http://");

	if (at == NULL)
		return false;
	(void)snprintf(bench->url, sizeof(bench->url), "%.*s", (int)strcspn(at, " \r\n"), at);
	bench->id = mrl_child_id(bench->server);
	return true;
}

static void end_server(struct bench *bench)
{
	mrl_child_end(bench->server, 0, NULL);
	bench->server = NULL;
}

/* ---- One measurement ---------------------------------------------------------------------------------------- */

struct figures {
	struct load_stats stats;
	double seconds;
	double busy;     /* part of its processor that the server used */
	double waited;   /* part of the time that it waited for it, because of other programs */
	double load;     /* part of its processor that the load used */
	uint64_t memory; /* of the server when all were there, or at the end */
	size_t open;
	size_t playing;
};

struct phase {
	struct bench *bench;
	struct load *load;
	struct figures *figures;
	double wanted;
	uint64_t begun;
	uint64_t measured;
	uint64_t busy;
	uint64_t waited;
	uint64_t load_busy;
	size_t last_open; /* for telling that no more will come */
	uint64_t last_change;
	bool finishing;
};

static bool all_came(struct phase *phase)
{
	size_t open = load_open(phase->load);

	if (open != phase->last_open) {
		phase->last_open = open;
		phase->last_change = mrl_clock_now();
	}
	/* All, or no more for five seconds. */
	return open >= load_wanted(phase->load) || mrl_clock_since(phase->last_change) > 5;
}

static double part_since(uint64_t before, uint64_t now, double seconds)
{
	return (double)(now - before) / 1e9 / seconds;
}

static void on_poll(uv_timer_t *timer)
{
	struct phase *phase = timer->data;
	struct figures *figures = phase->figures;

	if (phase->measured == 0) {
		if (all_came(phase) || mrl_clock_since(phase->begun) > COME_SECONDS) {
			phase->measured = mrl_clock_now();
			phase->busy = mrl_process_time(phase->bench->id);
			phase->waited = mrl_process_waited(phase->bench->id);
			phase->load_busy = mrl_process_time(0);
			load_measure(phase->load);
		}
		return;
	}
	if (!phase->finishing && mrl_clock_since(phase->measured) >= phase->wanted) {
		figures->seconds = mrl_clock_since(phase->measured);
		figures->busy = part_since(phase->busy, mrl_process_time(phase->bench->id), figures->seconds);
		figures->waited = part_since(phase->waited, mrl_process_waited(phase->bench->id), figures->seconds);
		figures->load = part_since(phase->load_busy, mrl_process_time(0), figures->seconds);
		figures->memory = mrl_process_memory(phase->bench->id);
		figures->open = load_open(phase->load);
		figures->playing = load_playing(phase->load);
		figures->stats = *load_stats(phase->load);
		phase->finishing = true;
		load_finish(phase->load);
	}
	if (load_is_over(phase->load)) {
		memcpy(figures->stats.faults, load_stats(phase->load)->faults, sizeof(figures->stats.faults));
		figures->stats.told = load_stats(phase->load)->told;
		memcpy(figures->stats.tale, load_stats(phase->load)->tale, sizeof(figures->stats.tale));
		uv_stop(timer->loop);
	}
}

static bool measure(struct bench *bench, struct load_plan *plan, double seconds, struct figures *figures)
{
	struct phase phase = {.bench = bench, .figures = figures, .wanted = seconds};
	struct mrl_error error;
	uv_loop_t loop;
	uv_timer_t timer = {.data = &phase};

	*figures = (struct figures){0};
	plan->urls[0] = bench->url;
	plan->servers = 1;
	plan->seed = mrl_clock_now() & UINT32_MAX;
	if (mrl_rules_parse(&plan->rules, "nine", 4, NULL) != MRL_OK || uv_loop_init(&loop) != 0)
		return false;
	if (load_new(&phase.load, &loop, plan, &error) != MRL_OK) {
		printf("%s\n", error.message);
		(void)uv_loop_close(&loop);
		return false;
	}
	phase.begun = phase.last_change = mrl_clock_now();
	(void)uv_timer_init(&loop, &timer);
	(void)uv_timer_start(&timer, on_poll, POLL_MS, POLL_MS);
	load_begin(phase.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	uv_close((uv_handle_t *)&timer, NULL);
	load_free(phase.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	return true;
}

static double ms(const struct load_spans *spans, double part)
{
	return (double)load_spans_at(spans, part) / 1e6;
}

/* What a processor had to do, and how much others were in the way. */
static void print_busy(const struct figures *figures)
{
	printf("; %.0f %% of a processor (waited for it %.0f %%), the load %.0f %%\n", 100 * figures->busy,
	       100 * figures->waited, 100 * figures->load);
}

static void print_faults(const struct figures *figures)
{
	uint64_t count = load_fault_count(&figures->stats);

	if (count == 0)
		return;
	printf("           %llu faults; the first: %s\n", (unsigned long long)count,
	       figures->stats.told > 0 ? figures->stats.tale[0] : "");
}

/* ---- What is measured --------------------------------------------------------------------------------------- */

static bool bench_idle(struct bench *bench)
{
	size_t files = mrl_process_allow_files(MOST_IDLE + 200);
	uint64_t before = mrl_process_memory(bench->id);
	struct load_plan plan = {.idle = files > MOST_IDLE + 200 || files == MOST_IDLE + 200 ? MOST_IDLE
											     : (unsigned)files - 200};
	struct figures figures;

	if (!measure(bench, &plan, 2, &figures))
		return false;
	printf("sockets    %zu open and idle: %.1f MB, %.2f kB each", figures.open, (double)figures.memory / 1e6,
	       figures.open > 0 ? (double)(figures.memory - before) / 1e3 / (double)figures.open : 0);
	print_busy(&figures);
	print_faults(&figures);
	return true;
}

/* Games that nobody plays on, against as many sockets that play none. */
static bool bench_games(struct bench *bench)
{
	struct load_plan sockets = {.idle = 2 * IDLE_GAMES};
	struct load_plan games = {.games = IDLE_GAMES, .rate = (double)IDLE_GAMES / 600};
	struct figures without;
	struct figures with;

	if (!measure(bench, &sockets, 2, &without) || !measure(bench, &games, 5, &with))
		return false;
	printf("games      %zu with %zu sockets: %.2f kB a game besides its sockets\n", with.playing, with.open,
	       with.playing > 0 ? ((double)with.memory - (double)without.memory) / 1e3 / (double)with.playing : 0);
	print_faults(&with);
	return true;
}

static bool bench_turns(struct bench *bench, double seconds)
{
	static const unsigned rates[] = {250, 500, 1000, 2000, 3000, 4000, 6000, 8000, 10000};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct load_plan plan = {
		    .games = rates[i] / TURNS_A_GAME, .rate = rates[i], .base = 600000, .increment = 5000};
		struct figures figures;

		if (!measure(bench, &plan, seconds, &figures))
			return false;

		double rate = (double)figures.stats.turns / figures.seconds;

		printf("turns      %5u wanted a second in %4u games: %5.0f; to the opponent p50 %.2f p99 %.2f p99.9 "
		       "%.2f ms",
		       rates[i], plan.games, rate, ms(&figures.stats.receipt, 0.5), ms(&figures.stats.receipt, 0.99),
		       ms(&figures.stats.receipt, 0.999));
		print_busy(&figures);
		print_faults(&figures);
		if (rate < 0.8 * rates[i])
			break;
	}
	return true;
}

static bool bench_watchers(struct bench *bench, double seconds)
{
	static const unsigned watchers[] = {0, WATCHERS};

	for (size_t i = 0; i < 2; i++) {
		struct load_plan plan = {
		    .games = 1, .rate = 2, .watchers = watchers[i], .watched = 1, .base = 600000, .increment = 5000};
		struct figures figures;

		if (!measure(bench, &plan, seconds < 10 ? 10 : seconds, &figures))
			return false;
		printf("watchers   %u of one game: its players' turns p50 %.2f most %.2f ms", watchers[i],
		       ms(&figures.stats.receipt, 0.5), (double)figures.stats.receipt.most / 1e6);
		if (watchers[i] > 0)
			printf("; to the watchers p50 %.2f p99 %.2f ms", ms(&figures.stats.watched, 0.5),
			       ms(&figures.stats.watched, 0.99));
		print_busy(&figures);
		print_faults(&figures);
	}
	return true;
}

bool bench_play(double seconds)
{
	struct bench bench = {0};

	printf("server     on a processor of its own%s\n",
	       mrl_thread_processors() > 1 ? "" : ": no, there is only one");
	if (!make_folder(&bench))
		return false;

	/* The server inherits the limit. */
	(void)mrl_process_allow_files(MOST_IDLE + 200);

	bool good = start_server(&bench) && bench_idle(&bench) && bench_games(&bench) && bench_turns(&bench, seconds) &&
		    bench_watchers(&bench, seconds);

	end_server(&bench);
	remove_folder(&bench);
	return good;
}
