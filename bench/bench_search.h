/* How fast the search is: a signature of its work, positions a second, time to a depth, what a second thread brings,
 * how soon a search ends that is told to. */
#ifndef MERELS_BENCH_SEARCH_H
#define MERELS_BENCH_SEARCH_H

#include <stdbool.h>

/* Measures what is measured by time for about `seconds`, the rest by its work. False when there is no memory. */
bool bench_search(double seconds);

#endif
