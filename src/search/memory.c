/* The caller's memory: the search at its start, the rest as transposition table. */
#include "search_internal.h"

#include <merels/builtins.h>

#define LEAST_ENTRIES 1024

size_t mrl_search_minimum(void)
{
	return sizeof(struct mrl_search) + LEAST_ENTRIES * sizeof(struct entry);
}

struct mrl_search *mrl_search_init(void *memory, size_t size)
{
	struct mrl_search *search = memory;
	size_t entries = LEAST_ENTRIES;

	if (size < mrl_search_minimum())
		return NULL;
	while (sizeof *search + 2 * entries * sizeof(struct entry) <= size)
		entries *= 2;
	search->table = (struct entry *)(void *)(search + 1);
	search->table_mask = entries - 1;
	mrl_search_clear(search);
	return search;
}

void mrl_search_clear(struct mrl_search *search)
{
	mrl_fill(search->table, 0, (search->table_mask + 1) * sizeof(struct entry));
	mrl_fill(search->history, 0, sizeof search->history);
	mrl_fill(search->killers, 0, sizeof search->killers);
}

const struct entry *mrl__table_find(const struct mrl_search *search, uint64_t hash)
{
	const struct entry *entry = &search->table[hash & search->table_mask];

	return entry->bound != BOUND_NONE && entry->key == (uint32_t)(hash >> 32) ? entry : NULL;
}

void mrl__table_store(struct mrl_search *search, uint64_t hash, int score, unsigned depth, enum bound bound,
		      const struct mrl_turn *turn)
{
	struct entry *entry = &search->table[hash & search->table_mask];

	*entry = (struct entry){(uint32_t)(hash >> 32), (int16_t)score, (uint8_t)depth, (uint8_t)bound, *turn};
}

int mrl__score_to_table(int score, unsigned ply)
{
	if (score > MRL_SCORE_DECIDED)
		return score + (int)ply;
	return score < -MRL_SCORE_DECIDED ? score - (int)ply : score;
}

int mrl__score_from_table(int score, unsigned ply)
{
	if (score > MRL_SCORE_DECIDED)
		return score - (int)ply;
	return score < -MRL_SCORE_DECIDED ? score + (int)ply : score;
}
