/* How far a build of tables is: a bar on a terminal, lines elsewhere. On stderr. */
#ifndef MERELS_CLI_TABLES_PROGRESS_H
#define MERELS_CLI_TABLES_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/table.h>

struct tables_progress {
	uint64_t begun;
	uint64_t shown; /* when it was said last; 0 never */
	uint64_t first; /* positions that were finished before this run */
	bool bar;
};

struct tables_progress tables_progress_begin(void);

/* For struct mrl_table_build: says something when it is time to; true when the person wants to stop. */
bool tables_progress_show(void *context, const struct mrl_table_progress *now);

void tables_progress_end(const struct tables_progress *progress, bool good);

#endif
