#include "load_show.h"

#include <os/terminal.h>

enum { QUIET_SECONDS = 5 };

static double ms(uint64_t span)
{
	return (double)span / 1e6;
}

/* ---- While it runs ------------------------------------------------------------------------------------------ */

void load_progress_begin(struct load_progress *progress)
{
	*progress = (struct load_progress){.live = mrl_terminal_errors()};
}

void load_progress_show(struct load_progress *progress, const struct load *load, double seconds)
{
	const struct load_stats *stats = load_stats(load);

	if (seconds < progress->next)
		return;

	double passed = seconds - progress->last;
	uint64_t turns = stats->turns >= progress->turns ? stats->turns - progress->turns : stats->turns;

	(void)fprintf(stderr,
		      "%s%5.0f s  %zu of %zu sockets, %zu games, %.0f turns/s, p50 %.1f ms, p99 %.1f ms, %llu faults%s",
		      progress->live ? "\r\033[K" : "", seconds, load_open(load), load_wanted(load), load_playing(load),
		      passed > 0 ? (double)turns / passed : 0, ms(load_spans_at(&stats->receipt, 0.5)),
		      ms(load_spans_at(&stats->receipt, 0.99)), (unsigned long long)load_fault_count(stats),
		      progress->live ? "" : "\n");
	progress->turns = stats->turns;
	progress->last = seconds;
	progress->next = seconds + (progress->live ? 1 : QUIET_SECONDS);
}

void load_progress_end(struct load_progress *progress)
{
	if (progress->live)
		(void)fputs("\r\033[K", stderr);
}

/* ---- At the end --------------------------------------------------------------------------------------------- */

static const double parts[] = {0.5, 0.9, 0.99, 0.999};
static const char *const part_names[] = {"p50", "p90", "p99", "p99.9"};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static void span_text(FILE *file, const char *name, const struct load_spans *spans)
{
	(void)fprintf(file, "%-10s", name);
	for (size_t i = 0; i < PARTS; i++)
		(void)fprintf(file, " %s %.2f", part_names[i], ms(load_spans_at(spans, parts[i])));
	(void)fprintf(file, " most %.2f ms, %llu times\n", ms(spans->most), (unsigned long long)spans->count);
}

void load_report_text(FILE *file, const struct load *load, const struct load_plan *plan, double seconds)
{
	const struct load_stats *s = load_stats(load);

	(void)fprintf(file, "sockets    %zu open of %zu wanted\n", load_open(load), load_wanted(load));
	(void)fprintf(file, "turns      %llu in %.1f s, %.1f a second (wanted %s", (unsigned long long)s->turns,
		      seconds, seconds > 0 ? (double)s->turns / seconds : 0,
		      plan->rate > 0 ? "" : "as many as possible)\n");
	if (plan->rate > 0)
		(void)fprintf(file, "%.1f)\n", plan->rate);
	span_text(file, "receipt", &s->receipt);
	span_text(file, "answer", &s->answer);
	if (s->watched.count > 0)
		span_text(file, "watchers", &s->watched);
	span_text(file, "joining", &s->join);
	(void)fprintf(file, "games      %llu begun, %llu over, %llu of these by a clock or aborted\n",
		      (unsigned long long)s->games_begun, (unsigned long long)s->games_over,
		      (unsigned long long)s->games_on_time);
	(void)fprintf(file,
		      "checked    %llu events, %llu of them the same as told before; %llu snapshots, %llu ratings\n",
		      (unsigned long long)s->events, (unsigned long long)s->compared, (unsigned long long)s->snapshots,
		      (unsigned long long)s->ratings);
	(void)fprintf(file,
		      "trouble    %llu connections cut, %llu lost, %llu commands repeated, %llu put off by the store\n",
		      (unsigned long long)s->cuts, (unsigned long long)s->losses, (unsigned long long)s->repeats,
		      (unsigned long long)s->unavailable);
	(void)fputs("faults    ", file);
	for (unsigned kind = 0; kind < LOAD_FAULTS; kind++)
		(void)fprintf(file, " %s %llu", load_fault_text(kind), (unsigned long long)s->faults[kind]);
	(void)fputc('\n', file);
	for (size_t i = 0; i < s->told; i++)
		(void)fprintf(file, "           %s\n", s->tale[i]);
}

static void span_json(FILE *file, const char *name, const struct load_spans *spans)
{
	(void)fprintf(file, ",\n \"%s\":{", name);
	for (size_t i = 0; i < PARTS; i++)
		(void)fprintf(file, "\"%s\":%.3f,", part_names[i], ms(load_spans_at(spans, parts[i])));
	(void)fprintf(file, "\"most\":%.3f,\"count\":%llu}", ms(spans->most), (unsigned long long)spans->count);
}

static void quote(FILE *file, const char *text)
{
	(void)fputc('"', file);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			(void)fprintf(file, "\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			(void)fprintf(file, "\\u%04x", c);
		else
			(void)fputc(c, file);
	}
	(void)fputc('"', file);
}

void load_report_json(FILE *file, const struct load *load, const struct load_plan *plan, double seconds)
{
	const struct load_stats *s = load_stats(load);
	const struct {
		const char *name;
		uint64_t value;
	} counts[] = {
	    {"sockets", load_open(load)},
	    {"socketsWanted", load_wanted(load)},
	    {"turns", s->turns},
	    {"commands", s->commands},
	    {"gamesBegun", s->games_begun},
	    {"gamesOver", s->games_over},
	    {"gamesByClock", s->games_on_time},
	    {"events", s->events},
	    {"eventsCompared", s->compared},
	    {"snapshots", s->snapshots},
	    {"ratings", s->ratings},
	    {"cuts", s->cuts},
	    {"losses", s->losses},
	    {"repeats", s->repeats},
	    {"unavailable", s->unavailable},
	};

	(void)fprintf(file, "{\"seed\":%llu,\"seconds\":%.3f,\"turnsWanted\":%.3f,\"turnsASecond\":%.3f",
		      (unsigned long long)plan->seed, seconds, plan->rate,
		      seconds > 0 ? (double)s->turns / seconds : 0);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		(void)fprintf(file, ",\n \"%s\":%llu", counts[i].name, (unsigned long long)counts[i].value);
	span_json(file, "receiptMs", &s->receipt);
	span_json(file, "answerMs", &s->answer);
	span_json(file, "watchersMs", &s->watched);
	span_json(file, "joiningMs", &s->join);
	(void)fputs(",\n \"faults\":{", file);
	for (unsigned kind = 0; kind < LOAD_FAULTS; kind++)
		(void)fprintf(file, "%s\"%s\":%llu", kind > 0 ? "," : "", load_fault_text(kind),
			      (unsigned long long)s->faults[kind]);
	(void)fputs("},\n \"told\":[", file);
	for (size_t i = 0; i < s->told; i++) {
		(void)fputs(i > 0 ? ",\n  " : "\n  ", file);
		quote(file, s->tale[i]);
	}
	(void)fputs("]}\n", file);
}
