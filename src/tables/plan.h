/*
 * The graph of sectors of a rule set: which numbers of men can meet, found by walking from the start.
 *
 * A sector is the men on the board and in hand of the side to move (own) and of the other (enemy). Sectors with the
 * same hands form a layer; a placement leads from a layer to another with one man less in hand, a move to the layer
 * with the hands exchanged. Layers that move into each other form a group of one or two; groups are solved one after
 * the other.
 */
#ifndef MERELS_TABLES_PLAN_H
#define MERELS_TABLES_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/rules.h>

#include "sets.h"

struct sector {
	uint8_t own;
	uint8_t enemy;
	uint8_t own_hand;
	uint8_t enemy_hand;
};

struct plan_layer {
	uint8_t own_hand;
	uint8_t enemy_hand;
	bool places; /* the side to move has men in hand */
	bool moves;  /* it may move men on the board */
	bool used;
	/* owns[enemy]: the numbers of own men on the board, bit n for n men. */
	uint32_t owns[SETS_MAX_POINTS + 1];
};

struct plan {
	const struct mrl_rules *rules;
	struct plan_layer layers[MRL_MAX_MEN + 1][MRL_MAX_MEN + 1]; /* by own hand, enemy hand */
	/* The groups in the order in which they can be solved, by their smaller and larger hand. */
	uint32_t group_count;
	struct {
		uint8_t hand[2];
	} groups[(MRL_MAX_MEN + 1) * (MRL_MAX_MEN + 2) / 2];
	uint32_t sector_count;
	bool endings;     /* only some sectors without hands */
	unsigned largest; /* most men that a side can have on the board */
};

/* About 80 kB; keep it where it may be shared. `rules` must outlive it. */
void plan_init(struct plan *plan, const struct mrl_rules *rules);

/*
 * The plan of endings alone: the sectors without hands that can come of so many men against so many, either way round.
 * The men must be such as plan_init() finds.
 */
void plan_init_endings(struct plan *plan, const struct mrl_rules *rules, unsigned men, unsigned against);

/* Whether the sector can occur. */
bool plan_has(const struct plan *plan, struct sector sector);

/*
 * Whether the values of a sector may be left out, because every turn from it leads to sectors whose values never are: a
 * probe then looks one turn on. That is so for every second layer of the placing phase, and in the layer without hands
 * for the side with fewer men.
 */
bool plan_may_leave_out(const struct plan *plan, struct sector sector);

/* The n-th sector in the order of hands, then men; false past the end. */
bool plan_sector(const struct plan *plan, uint32_t index, struct sector *sector);

/* How many mills one man can close at once. */
unsigned plan_most_mills(const struct mrl_rules *rules);

#endif
