#include "tables_progress.h"

#include <inttypes.h>
#include <stdio.h>

#include <os/clock.h>
#include <os/disk.h>
#include <os/interrupt.h>
#include <os/terminal.h>

enum { BAR = 24 };

struct tables_progress tables_progress_begin(void)
{
	return (struct tables_progress){.begun = mrl_clock_now(), .first = UINT64_MAX, .bar = mrl_terminal_errors()};
}

/* A duration as people say it. */
static void format_time(double seconds, char text[32])
{
	if (seconds < 100)
		(void)snprintf(text, 32, "%.0f s", seconds);
	else if (seconds < 6000)
		(void)snprintf(text, 32, "%.0f min", seconds / 60);
	else
		(void)snprintf(text, 32, "%.1f h", seconds / 3600);
}

/*
 * Of the layer at hand the decided positions count as done. Draws are never decided, so at the end of a layer the rest
 * comes at once.
 */
static double positions_done(const struct mrl_table_progress *now)
{
	return (double)now->finished + (double)(now->writing ? now->positions : now->decided);
}

static void print_now(const struct tables_progress *progress, const struct mrl_table_progress *now)
{
	double seconds = mrl_clock_since(progress->begun);
	double done = positions_done(now);
	double speed = seconds > 0 ? (done - (double)progress->first) / seconds : 0;
	double share = now->total > 0 ? done / (double)now->total : 0;
	char left[32] = "?";
	char bar[BAR + 1];

	if (speed > 0)
		format_time(((double)now->total - done) / speed, left);
	for (unsigned i = 0; i < BAR; i++)
		bar[i] = (double)i < share * BAR ? '#' : '.';
	bar[BAR] = '\0';
	if (progress->bar)
		fprintf(stderr, "\r[%s] ", bar);
	fprintf(stderr, "hands %u-%u ", now->own_hand, now->enemy_hand);
	if (now->writing)
		fputs("writing", stderr);
	else
		fprintf(stderr, "depth %u, %.1f M decided", now->depth, (double)now->decided / 1e6);
	fprintf(stderr, ", %.1f %% done, %.2f M positions/s, %s left%s", share * 100, speed / 1e6, left,
		progress->bar ? " \033[K" : "\n");
}

bool tables_progress_show(void *context, const struct mrl_table_progress *now)
{
	struct tables_progress *progress = context;
	double pause = progress->bar ? 0.2 : 15.0;

	if (progress->first == UINT64_MAX)
		progress->first = (uint64_t)positions_done(now);
	if (progress->shown == 0)
		progress->shown = mrl_clock_now();
	if (mrl_clock_since(progress->shown) >= pause) {
		progress->shown = mrl_clock_now();
		print_now(progress, now);
	}
	return mrl_interrupted();
}

void tables_progress_end(const struct tables_progress *progress, bool good)
{
	char text[32];

	if (progress->bar)
		fputs("\r\033[K", stderr);
	if (!good)
		return;
	format_time(mrl_clock_since(progress->begun), text);
	fprintf(stderr, "built in %s with at most %" PRIu64 " MB of memory\n", text, mrl_memory_peak() >> 20);
}
