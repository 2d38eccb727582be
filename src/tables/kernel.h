/* The two kernels, compiled for any processor and for one with BMI2; the same results from both. stage.h tells of them.
 */
#ifndef MERELS_TABLES_KERNEL_H
#define MERELS_TABLES_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stage.h"

struct kernels {
	/* Depth 0: writes the positions of a tile without a turn, where that is a loss, as a record to worker->data. */
	void (*stuck)(const struct stage *stage, uint32_t tile, struct stage_worker *worker);
	/* Writes the positions of a tile that are decided at this depth, and marks them as decided. */
	void (*step)(const struct stage *stage, uint32_t tile, unsigned depth, struct stage_worker *worker);
	/*
	 * Sends the positions of a record of the layer with this layout on their way to an input. False when the record
	 * makes no sense.
	 */
	bool (*feed)(const struct stage *stage, const struct stage_input *input, const struct layout *source,
		     uint32_t tile, const uint8_t *record, size_t bytes, struct stage_worker *worker);
};

extern const struct kernels kernels_plain;
extern const struct kernels kernels_bmi2;

/* The same for layers whose rows are kept as few.h does; there the bits of journals are numbers. */
extern const struct kernels kernels_few_plain;
extern const struct kernels kernels_few_bmi2;

/* Those that run fastest here, for rows as lattices or of few men. */
const struct kernels *kernels_best(bool few);

/* Bytes of a struct stage_takes. */
size_t kernel_takes_bytes(void);

#endif
