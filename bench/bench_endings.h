/* Whether the search wins what exact tables say is won, against a best defence. */
#ifndef MERELS_BENCH_ENDINGS_H
#define MERELS_BENCH_ENDINGS_H

#include "exact.h"

/* Prints a line for each number of men and rule set, or a word why it is skipped. False when there is no memory. */
bool bench_endings(const struct exact_settings *settings);

#endif
