/*
 * The takes from a row: after a turn that closes a mill a man of the row's set is gone, and the position lies in the
 * row of what is left. Which men may go does not depend on the other side's men, so it is found once for the row.
 */
#ifndef MERELS_TABLES_TAKES_H
#define MERELS_TABLES_TAKES_H

#include "sets.h"
#include "stage.h"

/* No board closes more than three mills at once among 24 points, or six among 17: C(24, 3) and C(16, 6) are fewer. */
#define TAKES_MOST 8192

/* A set of men that one turn can take, and the row where that leads. */
struct take {
	uint32_t gone;
	uint32_t points; /* free points of the canonical set of what is left */
	uint8_t there;   /* the symmetry to that set */
	uint8_t back;
	uint8_t size; /* of what is left */
	uint32_t row;
};

/* By kind: what closing k + 1 mills may take. */
struct stage_takes {
	uint32_t count[STAGE_MOST_TAKES];
	bool wins[STAGE_MOST_TAKES]; /* some take leaves too few men: the turn wins at once */
	struct take take[STAGE_MOST_TAKES][TAKES_MOST];
};

static inline void takes_add(const struct stage *stage, struct stage_takes *takes, unsigned kind, uint32_t enemies,
			     uint32_t gone)
{
	const struct sets *sets = stage->sets;
	uint32_t left = enemies & ~gone;
	uint32_t entry = sets->entry[left];
	struct take *take;

	if (mrl_popcount(left) + stage->layer->enemy_hand < 3) {
		takes->wins[kind] = true;
		return;
	}
	for (uint32_t i = 0; i < takes->count[kind]; i++)
		if (takes->take[kind][i].gone == gone)
			return;
	if (takes->count[kind] == TAKES_MOST)
		return;
	take = &takes->take[kind][takes->count[kind]++];
	take->gone = gone;
	take->size = (uint8_t)mrl_popcount(left);
	take->row = sets_class(entry);
	take->there = (uint8_t)sets_symmetry(entry);
	take->back = sets->inverse[take->there];
	take->points = sets->all & ~sets->canon[take->size][take->row];
}

/* The takes of one kind: `left` more men, each chosen after the one before has gone. */
static inline void takes_more(const struct stage *stage, struct stage_takes *takes, unsigned kind, uint32_t enemies,
			      uint32_t gone, unsigned left)
{
	uint32_t choice[STAGE_MOST_TAKES + 1];
	uint32_t before[STAGE_MOST_TAKES + 1];
	unsigned depth = 0;

	before[0] = gone;
	choice[0] = (uint32_t)mrl_takeable(stage->rules, enemies & ~gone);
	for (;;) {
		uint32_t now;
		uint32_t next;

		if (choice[depth] == 0) {
			if (depth == 0)
				return;
			depth--;
			continue;
		}
		now = before[depth] | (choice[depth] & (~choice[depth] + 1U));
		choice[depth] &= choice[depth] - 1;
		next = depth + 1 < left ? (uint32_t)mrl_takeable(stage->rules, enemies & ~now) : 0;
		if (next == 0) {
			takes_add(stage, takes, kind, enemies, now);
			continue;
		}
		depth++;
		before[depth] = now;
		choice[depth] = next;
	}
}

/* Finds the takes from the row of `enemies`; false when closing a mill there is a turn like any other. */
static inline bool takes_init(const struct stage *stage, struct stage_takes *takes, uint32_t enemies)
{
	for (unsigned kind = 0; kind < STAGE_MOST_TAKES; kind++) {
		takes->count[kind] = 0;
		takes->wins[kind] = false;
	}
	if (stage->rules->mill_wins) {
		takes->wins[0] = true;
		return true;
	}
	if (mrl_takeable(stage->rules, enemies) == 0)
		return false;
	for (unsigned kind = 0; kind < stage->take_kinds; kind++)
		takes_more(stage, takes, kind, enemies, 0, kind + 1);
	return true;
}

#endif
