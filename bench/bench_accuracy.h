/* How often the search gives away what a position is worth, by exact tables. */
#ifndef MERELS_BENCH_ACCURACY_H
#define MERELS_BENCH_ACCURACY_H

#include "exact.h"

/* Prints a table for each rule set, or a word why it is skipped. False when there is no memory. */
bool bench_accuracy(const struct exact_settings *settings);

#endif
