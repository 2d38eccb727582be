/*
 * What solving one layer needs in memory, and the two kernels that work on it.
 *
 * A *stage* is a layer that is being solved. Its rows belong to the enemy men (who wait); the bits are the own men (who
 * move). `decided` has the positions whose value is known so far. An *input* is one kind of turn, placing or moving,
 * with the values of the layer it leads to: there the rows belong to the men who waited and are now to move, so all
 * quiet turns from a row end in the row of the same number.
 *
 * One step finds the positions decided at one depth, which is the number of plies to the end:
 *
 *     feed   the positions decided at the depth before are put into the inputs, `fresh` and, if won, `won`. A position
 *            lies in a row of the men who wait there and goes to the row of those who move: bits go everywhere, so each
 *            thread collects them by region, and then each region is filled by one thread.
 *     step   every row with news is asked which positions are decided now. At an odd depth those that reach a fresh
 * loss of the opponent are won. At an even depth those that reach a fresh win of the opponent are lost, if nothing but
 * wins of the opponent can be reached.
 *
 * Nothing is counted, so symmetric positions need no care but one: a position with several spellings in a row has all
 * its bits set. Rows keep that by themselves, and feeding does it for the rows it fills.
 */
#ifndef MERELS_TABLES_STAGE_H
#define MERELS_TABLES_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>

#include "layout.h"
#include "plan.h"
#include "sets.h"

/* The most closed mills that make a difference to what is taken. */
#define STAGE_MOST_TAKES MRL_MAX_MILLS_OF_POINT

struct stage_input {
	bool places; /* the turns place a man; else they move one */
	const struct plan_layer *source;
	struct layout layout; /* rows by the men to move in the source */
	uint64_t *fresh;      /* decided at the depth before */
	uint64_t *map;        /* a bit for each word of `fresh` that has any */
	uint64_t *won;        /* won at any depth so far */
	uint8_t *news;        /* by row: whether `fresh` has any */
};

struct stage {
	const struct mrl_rules *rules;
	const struct sets *sets;
	const struct plan_layer *layer;
	const struct few *few; /* how the rows are kept; NULL: as lattices */
	struct layout layout;  /* rows by the enemy men */
	uint64_t *decided;
	struct stage_input input[2];
	unsigned input_count;
	unsigned take_kinds; /* 1, or with take-count=per-mill the most mills closed at once; 0 when mills win */
};

/* Bits on their way to a region, by one thread. */
#define STAGE_BLOCK 252U
struct stage_block {
	struct stage_block *next;
	uint32_t count;
	uint32_t bit[STAGE_BLOCK]; /* within the region */
};

struct stage_takes; /* kernel.c */

/* A row of a thread's own, and a bit for each word of it that may have any bit set. */
struct stage_row {
	uint64_t *words;
	uint64_t *map;
};

/* What a thread needs for itself. */
struct stage_worker {
	struct stage_row out;                        /* predecessors */
	struct stage_row taken[2][STAGE_MOST_TAKES]; /* by input and kind: fresh positions after a take */
	uint32_t *list;                              /* the bits of a row */
	uint32_t list_room;
	struct stage_takes *takes;
	uint8_t *data; /* a record of the journal */
	size_t data_room;
	size_t data_bytes;
	uint32_t positions; /* bits in the record */
	uint64_t total;     /* bits found since the worker was made */

	struct stage_block **region; /* by region: the last block; full ones behind it */
	struct stage_block *free;
	struct stage_block **arena; /* memory that blocks come from */
	size_t arena_count;
	size_t blocks; /* in use */
	bool out_of_memory;
};

/*
 * The bits of a map for the words [base, base + 64) of a row with `words` words, which begins at word `first` of all;
 * base is a multiple of 64. Rows of fewer words share a word of the map with others.
 */
static inline uint64_t stage_map(const uint64_t *map, uint64_t first, uint32_t words, uint32_t base)
{
	if (words >= 64)
		return map[(first + base) >> 6];
	return map[first >> 6] >> (first & 63U) & (((uint64_t)1 << words) - 1U);
}

/* The positions of word `word` whose number of men is one of `counts`, bit n for n men. */
uint64_t stage_counts(uint32_t counts, uint32_t word);

/* The most positions that a row of this layer can hold. */
uint32_t stage_row_most(const struct sets *sets, const struct plan_layer *layer, unsigned enemy);

/* Memory for a thread; sizes come from the stage. NULL without memory. */
struct stage_worker *stage_worker_new(const struct stage *stage, uint32_t regions);
void stage_worker_free(struct stage_worker *worker);

/* Makes room for `more` bytes after worker->data_bytes. */
bool stage_worker_reserve(struct stage_worker *worker, size_t more);

/* Gives a region a new block; false without memory. */
bool stage_worker_block(struct stage_worker *worker, uint32_t region);

/* Sends a bit of an input's row on its way to its region; false without memory. */
static inline bool stage_send(const struct layout *layout, const struct layout_size *size, uint32_t row, uint32_t at,
			      struct stage_worker *worker)
{
	uint64_t bit = ((uint64_t)row << size->bits) + at;
	uint32_t region = size->first_region + (uint32_t)(bit >> layout->region_bits);
	struct stage_block *block = worker->region[region];

	if (mrl_unlikely(block == NULL || block->count == STAGE_BLOCK)) {
		if (!stage_worker_block(worker, region))
			return false;
		block = worker->region[region];
	}
	block->bit[block->count++] = (uint32_t)(bit & (((uint64_t)1 << layout->region_bits) - 1));
	return true;
}

/* Takes back all blocks; worker->region[] is the caller's to clear. */
void stage_worker_release(struct stage_worker *worker);

#endif
