/*
 * Sets of points up to the symmetries of the board.
 *
 * The sets of k points fall into classes; each is known by its smallest member, the canonical set, and classes are
 * numbered in the order of these. For every set there is its class and one symmetry that takes it to the canonical
 * set. Read-only once made; shared by all threads.
 */
#ifndef MERELS_TABLES_SETS_H
#define MERELS_TABLES_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/builtins.h>
#include <merels/rules.h>

/* Boards of more points are not solved: there is a table by set. */
#define SETS_MAX_POINTS 24

struct sets {
	const struct mrl_board *board;
	unsigned points;
	unsigned largest; /* sets of more points are in no class */
	uint32_t all;
	uint32_t *entry;                            /* by set: class << 8 | symmetry << 1 | has symmetries of its own */
	uint32_t *canon[SETS_MAX_POINTS + 1];       /* by size and class: the canonical set */
	uint32_t count[SETS_MAX_POINTS + 1];        /* classes of this size */
	uint32_t image[MRL_MAX_SYMMETRIES][3][256]; /* by symmetry: the images of each byte of a set */
	uint8_t inverse[MRL_MAX_SYMMETRIES];
	uint32_t choose[SETS_MAX_POINTS + 1][SETS_MAX_POINTS + 1];
};

/* Needs 2^points entries of 4 bytes. MRL_UNSUPPORTED when the board is too large, MRL_SYSTEM without memory. */
MRL_MUST_USE enum mrl_status sets_new(struct sets **sets, const struct mrl_board *board, unsigned largest,
				      struct mrl_error *error);
void sets_free(struct sets *sets);

/* The image of a set under symmetry s. */
static inline uint32_t sets_map(const struct sets *sets, unsigned s, uint32_t set)
{
	return sets->image[s][0][set & 255U] | sets->image[s][1][set >> 8 & 255U] | sets->image[s][2][set >> 16];
}

static inline uint32_t sets_class(uint32_t entry)
{
	return entry >> 8;
}

/* The symmetry that takes the set to its canonical set. */
static inline unsigned sets_symmetry(uint32_t entry)
{
	return entry >> 1 & 127U;
}

/* Whether a symmetry other than the identity keeps the set. */
static inline bool sets_is_symmetric(uint32_t entry)
{
	return (entry & 1U) != 0;
}

static inline uint32_t sets_canonical(const struct sets *sets, uint32_t set)
{
	return sets->canon[mrl_popcount(set)][sets_class(sets->entry[set])];
}

/* Writes the symmetries that keep `set` to keep[], the identity first, and returns how many they are. */
unsigned sets_stabiliser(const struct sets *sets, uint32_t set, uint8_t keep[MRL_MAX_SYMMETRIES]);

/* The number of smaller sets with the same number of bits; and the set with this number, of `size` among `points`. */
uint32_t sets_rank(const struct sets *sets, uint32_t set);
uint32_t sets_unrank(const struct sets *sets, unsigned points, unsigned size, uint32_t rank);

/* The next larger set with the same number of bits; `set` is not 0. */
static inline uint32_t sets_next(uint32_t set)
{
	uint32_t lowest = set & (~set + 1U);
	uint32_t ripple = set + lowest;

	return ripple | ((set ^ ripple) >> (mrl_lowest(lowest) + 2U));
}

#endif
