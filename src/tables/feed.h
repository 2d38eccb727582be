/* Puts decided positions of a layer into the inputs of the layers that lead to it; the first half of a step. */
#ifndef MERELS_TABLES_FEED_H
#define MERELS_TABLES_FEED_H

#include "journal.h"
#include "kernel.h"
#include "stage.h"

struct feed {
	const struct kernels *kernels;
	const struct stage *stage;
	struct stage_input *input;
	const struct journal *journal; /* of the input's source */
	const struct layout *source;   /* of the source's rows, by the men who wait there */
	bool fresh;                    /* fill input->fresh and ->news */
	bool won;                      /* fill input->won */
	struct stage_worker **workers;
	unsigned threads;
	size_t most_blocks; /* of one thread, before they are used up */
};

/* Empties `fresh`. */
void feed_clear(struct stage_input *input, unsigned threads);

/* Feeds one depth of the source; `*positions` grows by the bits fed. */
MRL_MUST_USE enum mrl_status feed_depth(const struct feed *feed, unsigned depth, uint64_t *positions,
					struct mrl_error *error);

#endif
