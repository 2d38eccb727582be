/*
 * Solves a group of layers by depth, with the journals of the layers it leads to. stage.h tells of a step.
 *
 * With the metric `distance` a layer's journal has a depth for each number of plies. With `value` the layers that were
 * solved before are taken as two depths, lost and won, so that a layer without turns in circles takes two steps.
 */
#ifndef MERELS_TABLES_SOLVE_H
#define MERELS_TABLES_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>

#include "journal.h"
#include "plan.h"
#include "sets.h"

struct solve {
	const struct mrl_rules *rules;
	const struct sets *sets;
	const struct plan *plan;
	const struct few *few; /* how rows are kept when there are but endings; else NULL */
	bool distance;
	bool half;  /* leave out the sectors that may be, plan.h */
	bool hasty; /* do not wait for the disk */
	unsigned threads;
	uint64_t memory; /* bytes that may be used */
	/* The journals of all layers that are solved or being solved, by own hand and enemy hand. */
	struct journal *journals[MRL_MAX_MEN + 1][MRL_MAX_MEN + 1];
	/* Told after each step and now and then during one; true stops the work. */
	bool (*watch)(void *context, const struct plan_layer *layer, unsigned depth, uint64_t decided);
	void *context;
};

/* The numbers of enemies that a layer has, bit n for n. */
uint32_t solve_sizes_enemy(const struct plan_layer *layer);

/* Bytes that solving this group takes. */
uint64_t solve_memory(const struct solve *solve, unsigned group);

/*
 * Solves the group, going on where its journals end, and finishes them. MRL_STOPPED when `watch` said so: the journals
 * can be gone on with.
 */
MRL_MUST_USE enum mrl_status solve_group(struct solve *solve, unsigned group, struct mrl_error *error);

#endif
