/*
 * Rows of few men. A row as a lattice (layout.h) has a bit for each set of the other side's men, of any size. In
 * endings these sets are small, and there is one such bit in thirty or in a hundred; so here a row has bits for the
 * sets that occur alone. The *number* of a set in its row is found by its size and its rank among those of its size.
 *
 * It is for a layer without hands, in which with so many men against so many there is the reverse too: a row of k men
 * has the same numbers whether they wait or are to move.
 */
#ifndef MERELS_TABLES_FEW_H
#define MERELS_TABLES_FEW_H

#include <stdbool.h>
#include <stdint.h>

#include "plan.h"
#include "sets.h"

struct few_row {
	unsigned bits;                       /* it takes 2^bits bits, at least 6 */
	uint32_t counts;                     /* bit n: there are sets of n men */
	uint32_t positions;                  /* numbers are less */
	uint32_t first[SETS_MAX_POINTS + 1]; /* by the size of the sets: the number of the first */
	uint32_t *sets;                      /* by number: the set, in spread order (layout.h) */
};

struct few {
	struct few_row row[SETS_MAX_POINTS + 1]; /* by the row's own men */
};

/* The rows of a layer. NULL without memory. */
struct few *few_new(const struct sets *sets, const struct plan_layer *layer);

/* NULL is allowed. */
void few_free(struct few *few);

static inline bool few_has(const struct few_row *row, uint32_t set)
{
	return (row->counts >> mrl_popcount(set) & 1U) != 0;
}

/* The number of a set that the row has. */
static inline uint32_t few_number(const struct sets *sets, const struct few_row *row, uint32_t set)
{
	uint32_t number = row->first[mrl_popcount(set)];

	for (unsigned k = 1; set != 0; set &= set - 1, k++)
		number += sets->choose[mrl_lowest(set)][k];
	return number;
}

#endif
