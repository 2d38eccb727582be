/*
 * Nothing is lost: a server under load is killed at random moments and started again, or its disk fails and recovers,
 * while everything it says is compared with everything it has ever said.
 *
 *     noloss kills N [SEED]     kill -9, N times
 *     noloss full [SEED]        the disk is full for a while, three times; then a kill
 *     noloss fails [SEED]       files cannot grow for a while, three times; then a kill
 *
 * Exit code 77: this system cannot do it.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <merels/notation.h>
#include <os/clock.h>

#include "host.h"
#include "load.h"
#include "load_show.h"

enum { STEP_MS = 20, SKIPPED = 77, GAMES = 30, TROUBLES = 3, SMALL_DISK = 24 << 20 };

enum mode { KILLS, FULL, FAILS };

enum state { COMING, PLAYING, DOWN, TROUBLED, FINISHING, OVER };

struct test {
	enum mode mode;
	enum state state;
	unsigned wanted; /* kills or troubles */
	unsigned done;
	uint64_t random;
	uint64_t next; /* when this state may end */
	uint64_t patience;
	uint64_t refused_before;
	double seconds;
	bool bad;
	struct host host;
	struct load *load;
};

static uint64_t draw(struct test *test, uint64_t below)
{
	test->random = test->random * 6364136223846793005U + 1442695040888963407U;
	return (test->random >> 33) % below;
}

static void enter(struct test *test, enum state state, uint64_t least_ms, uint64_t most_ms)
{
	uint64_t now = mrl_clock_now();

	test->state = state;
	test->next = now + (least_ms + draw(test, most_ms - least_ms + 1)) * 1000000U;
	test->patience = now + UINT64_C(60000000000);
}

static void trouble(struct test *test)
{
	test->refused_before = load_stats(test->load)->unavailable;
	if (test->mode == FULL)
		host_fill(&test->host);
	else
		host_limit_files(&test->host, 0);
}

static void end_of_trouble(struct test *test)
{
	uint64_t refused = load_stats(test->load)->unavailable - test->refused_before;

	if (test->mode == FULL)
		host_empty(&test->host);
	else
		host_limit_files(&test->host, SIZE_MAX);
	printf("trouble %u: %llu commands were put off\n", test->done, (unsigned long long)refused);
	if (refused == 0) {
		printf("the disk failed and nobody was told\n");
		test->bad = true;
	}
}

static void kill_server(struct test *test)
{
	load_server_killed(test->load);
	host_kill(&test->host);
	/* Mostly it is back at once; sometimes everybody has to wait for it. */
	enter(test, DOWN, 0, draw(test, 4) == 0 ? 1500 : 50);
}

static void start_server(struct test *test)
{
	load_server_started(test->load);
	host_start(&test->host);
	enter(test, COMING, 0, 0);
}

/* Something is to happen now. */
static void act(struct test *test)
{
	if (test->done == test->wanted) {
		load_finish(test->load);
		enter(test, FINISHING, 0, 0);
		return;
	}
	test->done++;
	/* The last one always is a kill: what was kept in spite of the trouble is still there. */
	if (test->mode == KILLS || test->done == test->wanted) {
		kill_server(test);
	} else {
		trouble(test);
		enter(test, TROUBLED, 1500, 2500);
	}
}

static bool all_play(const struct test *test)
{
	/* The accounts, whose passwords take long to hash, are to be among them the first time. */
	return load_playing(test->load) >= (test->done == 0 ? GAMES : GAMES / 2);
}

static void on_step(uv_timer_t *timer)
{
	struct test *test = timer->data;
	uint64_t now = mrl_clock_now();

	if (load_fault_count(load_stats(test->load)) > 0)
		test->bad = true;
	switch (test->state) {
	case COMING:
		if (all_play(test))
			enter(test, PLAYING, 50, 1200);
		else if (now > test->patience) {
			printf("after a minute only %zu games are played\n", load_playing(test->load));
			test->bad = true;
			uv_stop(timer->loop);
		}
		return;
	case PLAYING:
		if (now >= test->next)
			act(test);
		return;
	case DOWN:
		if (now >= test->next)
			start_server(test);
		return;
	case TROUBLED:
		/* A log that is used again has room for a while on a full disk. */
		if (now >= test->next &&
		    (load_stats(test->load)->unavailable > test->refused_before || now > test->patience)) {
			end_of_trouble(test);
			enter(test, COMING, 0, 0);
		}
		return;
	case FINISHING:
		if (load_is_over(test->load)) {
			test->state = OVER;
			uv_stop(timer->loop);
		}
		return;
	default:
		return;
	}
}

static void make_plan(const struct test *test, uint64_t seed, struct load_plan *plan)
{
	*plan = (struct load_plan){
	    .urls = {test->host.url},
	    .servers = 1,
	    .games = GAMES,
	    .rated = 4,
	    .watchers = 8,
	    .watched = 4,
	    .idle = 4,
	    .rate = 300,
	    .cuts = 2,
	    .repeats = 0.1,
	    .lobby = 0.2,
	    .talk = 0.25,
	    .base = 600000,
	    .increment = 3000,
	    .server_dies = true,
	    .seed = seed,
	};
	if (mrl_rules_parse(&plan->rules, "nine", 4, NULL) != MRL_OK)
		abort();
}

static bool run(struct test *test, uint64_t seed)
{
	struct load_plan plan;
	struct mrl_error error;
	uv_loop_t loop;
	uv_timer_t timer = {.data = test};

	make_plan(test, seed, &plan);
	host_start(&test->host);
	if (uv_loop_init(&loop) != 0 || load_new(&test->load, &loop, &plan, &error) != MRL_OK) {
		printf("no load: %s\n", error.message);
		return false;
	}
	uint64_t begun = mrl_clock_now();

	(void)uv_timer_init(&loop, &timer);
	(void)uv_timer_start(&timer, on_step, STEP_MS, STEP_MS);
	enter(test, COMING, 0, 0);
	load_begin(test->load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	load_report_text(stdout, test->load, &plan, mrl_clock_since(begun));
	printf("clocks     off by %lld ms at most over a restart\n", (long long)load_stats(test->load)->clock_error);

	bool good = !test->bad && load_fault_count(load_stats(test->load)) == 0 && test->state == OVER;

	uv_close((uv_handle_t *)&timer, NULL);
	load_free(test->load);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	return good;
}

int main(int argc, char **argv)
{
	struct test test = {.mode = KILLS};
	int at = 2;

	if (argc > 2 && strcmp(argv[1], "kills") == 0) {
		test.wanted = (unsigned)strtoul(argv[2], NULL, 10);
		at = 3;
	} else if (argc > 1 && (strcmp(argv[1], "full") == 0 || strcmp(argv[1], "fails") == 0)) {
		test.mode = strcmp(argv[1], "full") == 0 ? FULL : FAILS;
		test.wanted = TROUBLES + 1;
	} else {
		fprintf(stderr, "usage: noloss kills N [SEED] | full [SEED] | fails [SEED]\n");
		return 2;
	}

	uint64_t seed = argc > at ? strtoull(argv[at], NULL, 10) : mrl_clock_now() & 0xffffffffU;

	(void)signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("seed       %llu\n", (unsigned long long)seed);
	test.random = seed;
	host_make(&test.host, MERELS);
	if (test.mode == FULL && !host_mount(&test.host, SMALL_DISK)) {
		printf("this user cannot make a small file system; skipped\n");
		host_end(&test.host, false);
		return SKIPPED;
	}

	bool good = run(&test, seed);

	host_end(&test.host, !good);
	printf("%s after %u %s\n", good ? "nothing lost" : "FAILED", test.done,
	       test.mode == KILLS ? "kills" : "troubles");
	return good ? 0 : 1;
}
