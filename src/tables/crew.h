/* Work that several threads share: each runs the same function until there is nothing left to take. */
#ifndef MERELS_TABLES_CREW_H
#define MERELS_TABLES_CREW_H

#include <stdbool.h>

#define CREW_MOST 256

/* Runs `work` with each number below `threads`, number 0 here; returns when all have returned. */
void crew_run(unsigned threads, void (*work)(void *context, unsigned number), void *context);

#endif
