#include "load_stats.h"

#include <stdarg.h>
#include <stdio.h>

enum { STEP_BITS = 5, STEPS = 1 << STEP_BITS };

/* Below 64 µs a span is its own microseconds; above, the doubling and the five bits below its highest. */
static size_t slot(uint64_t span)
{
	uint64_t us = span / 1000;

	if (us < 2 * STEPS)
		return (size_t)us;

	unsigned shift = 0;

	while ((us >> shift) >= 2 * STEPS)
		shift++;

	size_t at = (size_t)shift * STEPS + (size_t)(us >> shift);

	return at < LOAD_SPANS ? at : LOAD_SPANS - 1;
}

/* The largest span of a slot. */
static uint64_t span_of(size_t at)
{
	if (at < 2 * STEPS)
		return (at + 1) * 1000;

	unsigned shift = (unsigned)(at / STEPS) - 1;
	uint64_t step = at - (size_t)shift * STEPS;

	return ((step + 1) << shift) * 1000;
}

void load_spans_add(struct load_spans *spans, uint64_t span)
{
	spans->count++;
	spans->in[slot(span)]++;
	if (span > spans->most)
		spans->most = span;
}

uint64_t load_spans_at(const struct load_spans *spans, double part)
{
	uint64_t wanted = (uint64_t)(part * (double)spans->count + 0.5);
	uint64_t seen = 0;

	for (size_t i = 0; i < LOAD_SPANS; i++) {
		seen += spans->in[i];
		if (seen > 0 && seen >= wanted)
			return span_of(i) < spans->most ? span_of(i) : spans->most;
	}
	return spans->most;
}

const char *load_fault_text(enum load_fault_kind kind)
{
	static const char *const texts[] = {
#define LOAD_FAULT_TEXT(name, text) text,
	    LOAD_FAULT_TABLE(LOAD_FAULT_TEXT)
#undef LOAD_FAULT_TEXT
	};

	return texts[kind];
}

void load_fault(struct load_stats *stats, enum load_fault_kind kind, const char *format, ...)
{
	va_list arguments;

	stats->faults[kind]++;
	if (stats->faults[kind] > LOAD_TOLD_EACH || stats->told == LOAD_TOLD)
		return;

	char *text = stats->tale[stats->told++];
	int length = snprintf(text, LOAD_TOLD_SIZE, "%s: ", load_fault_text(kind));

	va_start(arguments, format);
	(void)vsnprintf(text + length, LOAD_TOLD_SIZE - (size_t)length, format, arguments);
	va_end(arguments);
}

uint64_t load_fault_count(const struct load_stats *stats)
{
	uint64_t count = 0;

	for (unsigned kind = 0; kind < LOAD_FAULTS; kind++)
		count += stats->faults[kind];
	return count;
}
