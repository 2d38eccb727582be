/* How fast the rules are: perft, turns made and taken back, mill tests. */
#ifndef MERELS_BENCH_RULES_H
#define MERELS_BENCH_RULES_H

#include <stdbool.h>

/* Measures each thing for about `seconds` and prints a line for it. False when there is no memory. */
bool bench_rules(double seconds);

#endif
