/*
 * A slow solver that shares nothing with the real one: all positions that can be reached from the start, in a table by
 * their men, their turns by src/rules, and then depth after depth over all of them.
 */
#ifndef MERELS_TEST_TABLES_REFERENCE_H
#define MERELS_TEST_TABLES_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>

/* What is known of a position: REFERENCE_DRAW, or the plies to the end (odd: a win of the side to move). */
#define REFERENCE_DRAW UINT32_MAX

struct reference {
	struct mrl_position *positions;
	uint32_t *plies; /* by position */
	size_t count;
	/* Private. */
	size_t room;
	uint32_t *slots;
	size_t slot_count;
	uint32_t *first; /* by position: its successors in `next`; one more at the end */
	uint32_t *next;
	size_t next_count;
	size_t next_room;
};

/* Solves a rule set; fails the test when there is no memory. */
void reference_solve(struct reference *reference, const struct mrl_rules *rules);
void reference_release(struct reference *reference);

/* The longest line among the positions: plies. */
uint32_t reference_longest(const struct reference *reference);

#endif
