/*
 * Fixed positions to a fixed depth on one thread visit the same nodes on every machine: their sum is the signature of
 * the search. It changes when, and only when, the search or its evaluation does.
 */
#include "bench_search.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/player.h>
#include <merels/rules.h>
#include <os/clock.h>
#include <os/thread.h>

enum { MEGABYTES = 64 };

/* From games of the program against itself: placing, moving, flying. NULL: the start. */
static const struct {
	const char *rules;
	const char *position;
	unsigned depth;
} positions[] = {
    {"nine", NULL, 16},
    {"nine", "W../.B./.W./WB..W./B../B../W.. w 0,0 5 0", 15},
    {"nine", ".../BW./.../BB..../.../WW./W.. w 0,0 31 0", 11},
    {"nine", ".../B../.../.W.WB./.../WWB/... w 0,0 73 0", 11},
    {"nine,fly=0", ".../B../.../.W.WB./.../WWB/... w 0,0 23 0", 16},
    {"lasker", NULL, 11},
    {"lasker", "..B/.B./..W/...BWW/.BW/WB./.WB w 4,4 0 0", 12},
    {"lasker", "WWB/.BW/WBW/B.BWBW/.BW/WB./.WB w 0,0 2 0", 18},
    {"morabaraba", "W../BWB/.../...WWW/BWB/B.W/..B w 5,5 0 0", 14},
    {"morabaraba", "B.W/WBB/BWB/WB.WWB/WBW/BWB/.BW b 0,0 19 0", 17},
    {"eleven", "BW./WWB/BWW/.WBBBW/.WB/.BW/.WB b 0,0 11 0", 16},
    {"twelve", "WBB/BWB/.WB/BBWWWW/BW./BWB/WB. b 0,0 5 0", 20},
    {"twelve,take-count=per-mill", NULL, 12},
    {"seven", NULL, 14},
    {"seven", ".BB/.B./..WB./WWB/WW. w 0,0 1 0", 18},
    {"six", NULL, 14},
    {"five", NULL, 14},
    {"four", NULL, 12},
};

struct bench {
	struct mrl_rules rules;
	struct mrl_game game;
	struct mrl_player *player;
	struct mrl_player_report report;
};

/* The positions above are right, or the program is not: this cannot fail on any machine. */
static void set_up(struct bench *bench, const char *rules, const char *position)
{
	struct mrl_position start;

	if (mrl_rules_parse(&bench->rules, rules, strlen(rules), NULL) != MRL_OK)
		abort();
	mrl_position_start(&bench->rules, &start);
	if (position != NULL && mrl_position_read(&bench->rules, position, strlen(position), &start, NULL) != MRL_OK)
		abort();
	mrl_game_init(&bench->game, &bench->rules, &start, NULL, 0);
}

/* Searches from an empty table; returns the seconds. */
static double think(struct bench *bench, const struct mrl_player_limits *limits)
{
	mrl_player_clear(bench->player);
	uint64_t begin = mrl_clock_now();

	if (mrl_player_think(bench->player, &bench->game, limits, &bench->report) != MRL_OK)
		abort();
	return mrl_clock_since(begin);
}

static void measure_signature(struct bench *bench)
{
	uint64_t nodes = 0;
	double passed = 0;

	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		struct mrl_player_limits limits = {.depth = positions[i].depth};
		char best[MRL_TURN_TEXT_SIZE];

		set_up(bench, positions[i].rules, positions[i].position);
		double seconds = think(bench, &limits);
		const struct mrl_search_line *line = &bench->report.result.lines[0];

		(void)mrl_turn_write(&bench->rules.board, &line->turns[0], best);
		printf("%-28s depth %2u  %10" PRIu64 " nodes  %6.3f s  score %+6d  %s\n", positions[i].rules,
		       bench->report.result.depth, bench->report.nodes, seconds, line->score, best);
		nodes += bench->report.nodes;
		passed += seconds;
	}
	printf("signature        %" PRIu64 " nodes\n", nodes);
	printf("speed            %.2f million nodes a second on one thread\n", (double)nodes / passed / 1e6);
}

static void measure_depth(struct bench *bench, unsigned depth)
{
	struct mrl_player_limits limits = {.depth = depth};

	set_up(bench, "nine", NULL);
	double seconds = think(bench, &limits);

	printf("nine to depth %u %.3f s, %" PRIu64 " nodes\n", depth, seconds, bench->report.nodes);
}

/* Nodes a second from the start of nine; 0 when there is no memory. */
static double speed(struct bench *bench, unsigned threads, double seconds)
{
	struct mrl_player_limits limits = {.time = (uint64_t)(seconds * 1000)};

	bench->player = mrl_player_new(threads, MEGABYTES);
	if (bench->player == NULL)
		return 0;
	set_up(bench, "nine", NULL);
	double passed = think(bench, &limits);

	mrl_player_free(bench->player);
	bench->player = NULL;
	return (double)bench->report.nodes / passed;
}

/* One and two threads by turns, so that a machine that slows down slows down both. */
static bool measure_threads(struct bench *bench, double seconds)
{
	enum { TIMES = 3 };
	double one = 0;
	double two = 0;

	for (unsigned i = 0; i < TIMES; i++) {
		double first = speed(bench, 1, seconds);
		double second = speed(bench, 2, seconds);

		if (first <= 0 || second <= 0)
			return false;
		one += first / (double)TIMES;
		two += second / (double)TIMES;
	}
	printf("one thread       %.2f million nodes a second\n", one / 1e6);
	printf("two threads      %.2f million nodes a second, %.2f times as many\n", two / 1e6, two / one);
	return true;
}

/* ---- Stopping ----------------------------------------------------------------------------------------------- */

struct stopping {
	struct mrl_monitor *monitor; /* to wait at */
	_Atomic uint64_t answered;   /* the moment */
};

static void answered(void *context, enum mrl_status status, const struct mrl_player_report *report)
{
	struct stopping *stopping = context;

	(void)status;
	(void)report;
	atomic_store(&stopping->answered, mrl_clock_now());
}

static void pause_for(struct stopping *stopping, uint64_t nanoseconds)
{
	uint64_t end = mrl_clock_now() + nanoseconds;

	mrl_monitor_enter(stopping->monitor);
	while (mrl_monitor_wait_until(stopping->monitor, end))
		continue;
	mrl_monitor_leave(stopping->monitor);
}

static int by_length(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

enum { MOST_STOPS = 2000 };

/* Milliseconds from the word to the answer, at different moments of searches of the fixed positions. */
static bool stop_often(struct bench *bench, struct stopping *stopping, unsigned times, double passed[MOST_STOPS])
{
	const struct mrl_player_limits limits = {.infinite = true, .done = answered, .context = stopping};

	for (unsigned i = 0; i < times; i++) {
		size_t position = i % (sizeof(positions) / sizeof(positions[0]));

		set_up(bench, positions[position].rules, positions[position].position);
		if (mrl_player_start(bench->player, &bench->game, &limits) != MRL_OK)
			return false;
		pause_for(stopping, 2000000 + i * 7919 % 1000 * 3000); /* 2 to 5 ms */
		uint64_t told = mrl_clock_now();

		mrl_player_stop(bench->player);
		mrl_player_wait(bench->player);
		passed[i] = (double)(atomic_load(&stopping->answered) - told) / 1e6;
	}
	qsort(passed, times, sizeof(passed[0]), by_length);
	return true;
}

static bool measure_stops(struct bench *bench, unsigned threads, double seconds)
{
	static double passed[MOST_STOPS];
	struct stopping stopping = {.monitor = mrl_monitor_new()};
	unsigned times = seconds >= 10 ? MOST_STOPS : 1 + (unsigned)(seconds * 200);
	bool good;

	bench->player = mrl_player_new(threads, MEGABYTES);
	good = stopping.monitor != NULL && bench->player != NULL && stop_often(bench, &stopping, times, passed);
	if (good)
		printf("stop, %u thread%s  %u times: median %.3f ms, 99 of 100 within %.3f ms, longest %.3f ms\n",
		       threads, threads == 1 ? " " : "s", times, passed[times / 2], passed[(times - 1) * 99 / 100],
		       passed[times - 1]);
	mrl_player_free(bench->player);
	bench->player = NULL;
	mrl_monitor_free(stopping.monitor);
	return good;
}

bool bench_search(double seconds)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	bool good = bench != NULL;

	if (good)
		bench->player = mrl_player_new(1, MEGABYTES);
	good = good && bench->player != NULL;
	if (good) {
		measure_signature(bench);
		measure_depth(bench, 12);
		measure_depth(bench, 14);
		mrl_player_free(bench->player);
		bench->player = NULL;
		good = measure_threads(bench, seconds < 0.01 ? 0.01 : seconds) && measure_stops(bench, 1, seconds) &&
		       measure_stops(bench, 2, seconds);
	}
	free(bench);
	return good;
}
