/* What exact tables say of the positions of an analysis, beside what the search found. */
#ifndef MERELS_CLI_ANALYZE_EXACT_H
#define MERELS_CLI_ANALYZE_EXACT_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/perfect.h>

#include "analyze.h"

/* The exact values of a position's turns, and which of them was played. */
struct analyze_exact {
	struct mrl_perfect perfect; /* count is 0 when the game was over, or the tables do not know the position */
	size_t played;              /* its index; perfect.count when none was */
};

/*
 * Looks all positions of an analysis up; `exact` has room for analysis->count, and gets what is to be released with
 * analyze_exact_release(). On failure there is nothing to release.
 */
MRL_MUST_USE enum mrl_status analyze_exact(const struct analysis *analysis, struct mrl_tables *tables,
					   struct analyze_exact *exact, struct mrl_error *error);
void analyze_exact_release(struct analyze_exact *exact, size_t count);

/* Prints the turns of a position by their value; or for each turn of a record its value, and where it was let go. */
void analyze_exact_print(const struct analysis *analysis, const struct analyze_exact *exact);

#endif
