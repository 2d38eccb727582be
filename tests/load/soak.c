/*
 * A long day made short: a server under steady load, with connections that come and go, and what memory and descriptors
 * it has in use over time.
 *
 *     soak SECONDS [TURNS A SECOND]
 *
 * Fails when anything that was said was wrong, when memory goes on growing, or descriptors are left over.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include <os/clock.h>

#include "host.h"
#include "load.h"
#include "load_show.h"

enum { STEP_MS = 100, LINES = 30, USUAL_RATE = 1000, TURNS_A_GAME = 4, SLACK_FILES = 8, SLACK_BYTES = 8 << 20 };

struct soak {
	struct host host;
	struct load *load;
	double seconds;
	double next; /* when the next line is due */
	double line_step;
	double last;    /* of the last line */
	uint64_t turns; /* then */
	uint64_t begun;
	size_t early_memory; /* at half of the time: caches are full, people have come */
	size_t late_memory;
	size_t files_before; /* with nobody there */
	bool finishing;
};

static void print_line(struct soak *soak, double now)
{
	const struct load_stats *stats = load_stats(soak->load);
	size_t memory = host_memory(&soak->host);

	printf("%6.0f s  %7.1f MB  %5zu descriptors  %5zu sockets  %5.0f turns/s  p50 %.2f p99 %.2f ms  %llu games "
	       "over  %llu faults\n",
	       now, (double)memory / 1e6, host_files(&soak->host), load_open(soak->load),
	       now > soak->last ? (double)(stats->turns - soak->turns) / (now - soak->last) : 0,
	       (double)load_spans_at(&stats->receipt, 0.5) / 1e6, (double)load_spans_at(&stats->receipt, 0.99) / 1e6,
	       (unsigned long long)stats->games_over, (unsigned long long)load_fault_count(stats));
	if (now >= soak->seconds / 2 && soak->early_memory == 0)
		soak->early_memory = memory;
	soak->late_memory = memory;
	soak->last = now;
	soak->turns = stats->turns;
}

static void on_step(uv_timer_t *timer)
{
	struct soak *soak = timer->data;
	double now = mrl_clock_since(soak->begun);

	if (!soak->finishing && now >= soak->next) {
		print_line(soak, now);
		soak->next += soak->line_step;
	}
	if (!soak->finishing && now >= soak->seconds) {
		soak->finishing = true;
		load_finish(soak->load);
	}
	if (load_is_over(soak->load))
		uv_stop(timer->loop);
}

/* The server notices in its own time that sockets have gone. */
static size_t files_in_the_end(const struct soak *soak)
{
	size_t files = host_files(&soak->host);

	for (int i = 0; i < 100 && files > soak->files_before + SLACK_FILES; i++) {
		uv_sleep(STEP_MS);
		files = host_files(&soak->host);
	}
	return files;
}

static bool judge(struct soak *soak, size_t files)
{
	bool grew = soak->late_memory > soak->early_memory + soak->early_memory / 10 + SLACK_BYTES;
	bool left = files > soak->files_before + SLACK_FILES;

	printf("memory     %.1f MB at half of the time, %.1f MB at the end%s\n", (double)soak->early_memory / 1e6,
	       (double)soak->late_memory / 1e6, grew ? ": it grows" : "");
	printf("open files %zu before anybody came, %zu after all had gone%s\n", soak->files_before, files,
	       left ? ": some are left over" : "");
	return !grew && !left;
}

int main(int argc, char **argv)
{
	struct soak soak = {.seconds = argc > 1 ? strtod(argv[1], NULL) : 0};
	double rate = argc > 2 ? strtod(argv[2], NULL) : USUAL_RATE;
	struct load_plan plan = {.games = (unsigned)(rate / TURNS_A_GAME) + 4,
				 .rated = 4,
				 .watchers = 200,
				 .watched = 4,
				 .idle = 500,
				 .rate = rate,
				 .cuts = 10,
				 .repeats = 0.02,
				 .lobby = 0.2,
				 .talk = 0.05,
				 .base = 600000,
				 .increment = 3000};
	struct mrl_error error;
	uv_loop_t loop;
	uv_timer_t timer = {.data = &soak};

	if (soak.seconds <= 0 || rate <= 0) {
		fprintf(stderr, "usage: soak SECONDS [TURNS A SECOND]\n");
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	plan.seed = mrl_clock_now() & 0xffffffffU;
	printf("seed       %llu\n", (unsigned long long)plan.seed);
	host_make(&soak.host, MERELS);
	host_start(&soak.host);
	uv_sleep(STEP_MS);
	soak.files_before = host_files(&soak.host);
	plan.urls[0] = soak.host.url;
	plan.servers = 1;
	if (mrl_rules_parse(&plan.rules, "nine", 4, NULL) != MRL_OK || uv_loop_init(&loop) != 0 ||
	    load_new(&soak.load, &loop, &plan, &error) != MRL_OK)
		abort();
	soak.line_step = soak.seconds / LINES;
	soak.next = soak.line_step;
	soak.begun = mrl_clock_now();
	(void)uv_timer_init(&loop, &timer);
	(void)uv_timer_start(&timer, on_step, STEP_MS, STEP_MS);
	load_begin(soak.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	load_report_text(stdout, soak.load, &plan, mrl_clock_since(soak.begun));

	bool good = load_fault_count(load_stats(soak.load)) == 0;

	uv_close((uv_handle_t *)&timer, NULL);
	load_free(soak.load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	good = judge(&soak, files_in_the_end(&soak)) && good;
	host_end(&soak.host, !good);
	printf("%s\n", good ? "good" : "FAILED");
	return good ? 0 : 1;
}
