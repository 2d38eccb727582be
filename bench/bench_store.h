/* How fast the store commits, and how long that takes. */
#ifndef MERELS_BENCH_STORE_H
#define MERELS_BENCH_STORE_H

#include <stdbool.h>

/* Writes to a database in a folder of its own below TMPDIR; `seconds` is for each row. */
bool bench_store(double seconds);

#endif
