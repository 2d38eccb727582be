#include "reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *must(void *memory)
{
	assert_non_null(memory);
	return memory;
}

static uint64_t hash_of(const struct mrl_position *position)
{
	uint64_t hash = position->men[0] * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 29 ^ position->men[1]) * UINT64_C(0xbf58476d1ce4e5b9);
	hash ^= (uint64_t)position->hand[0] << 16 ^ (uint64_t)position->hand[1] << 8 ^ position->side;
	hash *= UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

static void grow_slots(struct reference *reference)
{
	reference->slot_count = reference->slot_count == 0 ? 1024 : 2 * reference->slot_count;
	free(reference->slots);
	reference->slots = must(malloc(reference->slot_count * sizeof(uint32_t)));
	memset(reference->slots, 255, reference->slot_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < reference->count; i++) {
		size_t slot = hash_of(&reference->positions[i]) & (reference->slot_count - 1);

		while (reference->slots[slot] != UINT32_MAX)
			slot = (slot + 1) & (reference->slot_count - 1);
		reference->slots[slot] = i;
	}
}

/* The number of a position, which is new if it was not known. */
static uint32_t number_of(struct reference *reference, const struct mrl_position *position)
{
	size_t slot;

	if (2 * reference->count >= reference->slot_count)
		grow_slots(reference);
	slot = hash_of(position) & (reference->slot_count - 1);
	while (reference->slots[slot] != UINT32_MAX) {
		if (mrl_position_same(&reference->positions[reference->slots[slot]], position))
			return reference->slots[slot];
		slot = (slot + 1) & (reference->slot_count - 1);
	}
	if (reference->count == reference->room) {
		reference->room = reference->room == 0 ? 1024 : 2 * reference->room;
		reference->positions =
		    must(realloc(reference->positions, reference->room * sizeof(*reference->positions)));
		reference->first = must(realloc(reference->first, (reference->room + 1) * sizeof(uint32_t)));
	}
	reference->positions[reference->count] = *position;
	reference->slots[slot] = (uint32_t)reference->count;
	return (uint32_t)reference->count++;
}

static void expand(struct reference *reference, const struct mrl_rules *rules, uint32_t number)
{
	struct mrl_position position = reference->positions[number];
	size_t count = mrl_turns(rules, &position, NULL, 0);
	struct mrl_turn *turns = must(malloc((count + 1) * sizeof(*turns)));

	(void)mrl_turns(rules, &position, turns, count);
	reference->first[number] = (uint32_t)reference->next_count;
	for (size_t i = 0; i < count; i++) {
		struct mrl_position next = position;

		if (reference->next_count == reference->next_room) {
			reference->next_room = reference->next_room == 0 ? 4096 : 2 * reference->next_room;
			reference->next = must(realloc(reference->next, reference->next_room * sizeof(uint32_t)));
		}
		(void)mrl_apply(rules, &next, &turns[i], NULL);
		next.no_mill = 0;
		next.three_men = 0;
		reference->next[reference->next_count++] = number_of(reference, &next);
	}
	free(turns);
}

/* Whether the position is decided in just `depth` plies, all shorter lines being known. */
static int decided(const struct reference *reference, const struct mrl_rules *rules, uint32_t number, uint32_t depth)
{
	struct mrl_verdict verdict = mrl_men_verdict(rules, &reference->positions[number]);
	int all_won = 1;

	if (verdict.outcome != MRL_ONGOING)
		return depth == 0 && verdict.outcome != MRL_DRAW;
	for (uint32_t i = reference->first[number]; i < reference->first[number + 1]; i++) {
		uint32_t plies = reference->plies[reference->next[i]];

		if (plies != REFERENCE_DRAW && plies % 2 == 0 && plies < depth)
			return 1;
		all_won = all_won && plies != REFERENCE_DRAW && plies % 2 == 1 && plies < depth;
	}
	return all_won && depth % 2 == 0 && depth > 0;
}

void reference_solve(struct reference *reference, const struct mrl_rules *rules)
{
	struct mrl_position start;
	uint32_t quiet = 0;

	*reference = (struct reference){0};
	mrl_position_start(rules, &start);
	(void)number_of(reference, &start);
	for (uint32_t i = 0; i < reference->count; i++)
		expand(reference, rules, i);
	reference->first[reference->count] = (uint32_t)reference->next_count;
	reference->plies = must(malloc(reference->count * sizeof(uint32_t)));
	memset(reference->plies, 255, reference->count * sizeof(uint32_t));
	/* Two depths without news mean that there will be none: a win needs a loss of the depth before. */
	for (uint32_t depth = 0; quiet < 2; depth++) {
		quiet++;
		for (uint32_t i = 0; i < reference->count; i++) {
			if (reference->plies[i] != REFERENCE_DRAW || !decided(reference, rules, i, depth))
				continue;
			reference->plies[i] = depth;
			quiet = 0;
		}
	}
}

void reference_release(struct reference *reference)
{
	free(reference->positions);
	free(reference->plies);
	free(reference->slots);
	free(reference->first);
	free(reference->next);
}

uint32_t reference_longest(const struct reference *reference)
{
	uint32_t longest = 0;

	for (size_t i = 0; i < reference->count; i++)
		if (reference->plies[i] != REFERENCE_DRAW && reference->plies[i] > longest)
			longest = reference->plies[i];
	return longest;
}
