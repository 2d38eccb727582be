/*
 * Where the bits of a layer are.
 *
 * A *row* belongs to a canonical set of one side and has a bit for every set of the other side's men on the free
 * points: with n points free, bit i stands for the set whose j-th lowest free point is taken when bit j of i is set
 * (*spread* order). So a row has 2^n bits, for all numbers of men at once, and a man put on a point, or moved, is the
 * same step through the row for all its sets: 64 of them are done with one operation on a word.
 *
 * Where only a few men meet nearly all of that would be empty; there a row has what few.h keeps of it.
 *
 * Rows of one size lie together, in the order of the classes. The rows are dealt out to threads in tiles; the bits are
 * written, in no order, in regions that fit into a processor's cache and hold whole rows.
 */
#ifndef MERELS_TABLES_LAYOUT_H
#define MERELS_TABLES_LAYOUT_H

#include <stdint.h>

#include "few.h"
#include "sets.h"

/* A region is at most 2^REGION_BITS bits. */
#define REGION_BITS 23U

struct layout_size {
	unsigned free;        /* points free beside a set of this size */
	uint32_t rows;        /* 0: no rows of this size */
	unsigned bits;        /* of one row: 2^bits, at least 6 */
	uint32_t words;       /* of one row, a power of two */
	uint32_t rows_a_tile; /* a power of two, or all */
	uint32_t first_tile;
	uint32_t first_row; /* number of this size's first row among all rows */
	uint32_t first_region;
	uint64_t first_word;
};

struct layout {
	struct layout_size size[SETS_MAX_POINTS + 1];
	uint32_t tiles;
	uint32_t rows;
	uint32_t regions;
	unsigned region_bits;
	uint64_t words;
};

/* Rows for the sizes whose bit is set in `sizes`; with `few`, which may be NULL, as it keeps them. */
void layout_init(struct layout *layout, const struct sets *sets, uint32_t sizes, const struct few *few);

/* The rows [*first, *last) of one tile, and their size. */
unsigned layout_tile(const struct layout *layout, uint32_t tile, uint32_t *first, uint32_t *last);

static inline uint64_t layout_row_word(const struct layout_size *size, uint32_t row)
{
	return size->first_word + (uint64_t)row * size->words;
}

#endif
