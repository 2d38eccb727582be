/*
 * What a position of nine men's morris is worth without looking ahead, by a small network that was trained on exact
 * values (docs/ENGINE.md): the state of each mill picks a row of numbers, so does each count of men; the sum of the
 * rows passes two small layers, of which there is one for each stage of the game. All in integers, so every machine
 * computes the same.
 */
#ifndef MERELS_NETWORK_H
#define MERELS_NETWORK_H

#include <merels/rules.h>

#define NETWORK_MILLS 16
#define NETWORK_STATES 27 /* of a mill: each point empty 0, own 1, enemy 2; as a number in base 3 */
#define NETWORK_COUNTS 10 /* men on the board or in hand: 0 .. 9 */
#define NETWORK_ROWS (NETWORK_MILLS * NETWORK_STATES + 4 * NETWORK_COUNTS)
#define NETWORK_INPUTS (NETWORK_MILLS + 4) /* rows that a position picks */
#define NETWORK_FIRST 64
#define NETWORK_SECOND 8
#define NETWORK_STAGES 15

/* The largest output of a neuron, and what 1 is in the weights of the later layers. */
#define NETWORK_FULL 127
#define NETWORK_ONE 64

/* Hundredths of a man that make the odds e to 1. */
#define NETWORK_SCALE 140

struct network {
	int16_t rows[NETWORK_ROWS * NETWORK_FIRST];
	int16_t second[NETWORK_STAGES * NETWORK_SECOND * NETWORK_FIRST]; /* by stage, then neuron, then input */
	int32_t second_bias[NETWORK_STAGES * NETWORK_SECOND];
	int16_t third[NETWORK_STAGES * NETWORK_SECOND];
	int32_t third_bias[NETWORK_STAGES];
};

extern const struct network mrl__network;

/* Reads the states of all mills from a board: for each byte of a set of points, a byte for each mill. */
struct network_eye {
	uint64_t digits[3][256][NETWORK_MILLS / 8];
	bool by_avx2; /* the processor can: the same numbers, sooner */
};

/* What a position shows the network, seen from the side to move. */
struct network_view {
	uint16_t row[NETWORK_INPUTS];
	unsigned stage;
	bool by_avx2;
};

void mrl__network_eye_init(struct network_eye *eye, const struct mrl_board *board);

void mrl__network_see(const struct network_eye *eye, const struct mrl_position *position, struct network_view *view);

/* In hundredths of a man, for the side to move. */
int mrl__network_judge(const struct network *network, const struct network_view *view);

#endif
