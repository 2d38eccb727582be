/* How fast tables are built and asked, and how small they are. */
#ifndef MERELS_BENCH_TABLES_H
#define MERELS_BENCH_TABLES_H

#include <stdbool.h>

/* Builds small rule sets in a folder of their own below TMPDIR and asks them; `seconds` is for the asking. */
bool bench_tables(double seconds);

#endif
