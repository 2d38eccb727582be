/* What a load tells of itself: a line while it runs, a report at the end. */
#ifndef MERELS_CLI_LOAD_SHOW_H
#define MERELS_CLI_LOAD_SHOW_H

#include <stdio.h>

#include "load.h"

/* A line on stderr: over itself on a terminal, else one in five seconds. `seconds` since the beginning. */
struct load_progress {
	double last; /* when a line was written last */
	double next;
	uint64_t turns; /* then */
	bool live;
};
void load_progress_begin(struct load_progress *progress);
void load_progress_show(struct load_progress *progress, const struct load *load, double seconds);
void load_progress_end(struct load_progress *progress);

/* `seconds`: over which was measured. */
void load_report_text(FILE *file, const struct load *load, const struct load_plan *plan, double seconds);
void load_report_json(FILE *file, const struct load *load, const struct load_plan *plan, double seconds);

#endif
