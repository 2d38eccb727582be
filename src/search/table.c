#include "table.h"

#include <merels/builtins.h>

#define GENERATIONS 64

void mrl__table_init(struct table *table, void *memory, size_t bytes)
{
	size_t buckets = 1;

	while (2 * buckets * sizeof(struct bucket) <= bytes)
		buckets *= 2;
	table->buckets = memory;
	table->mask = buckets - 1;
	mrl__table_clear(table);
}

void mrl__table_clear(struct table *table)
{
	mrl_fill(table->buckets, 0, (table->mask + 1) * sizeof(struct bucket));
	table->generation = 0;
}

static uint64_t pack(uint64_t key, const struct known *known, unsigned generation)
{
	return (key >> 32 << 32) | (uint64_t)(uint16_t)known->score << 16 | (uint64_t)(known->depth & 0xff) << 8 |
	       (uint64_t)generation << 2 | (uint64_t)known->bound;
}

static unsigned generation_of(uint64_t rest)
{
	return (unsigned)(rest >> 2) & (GENERATIONS - 1);
}

static unsigned depth_of(uint64_t rest)
{
	return (unsigned)(rest >> 8) & 0xff;
}

const void *mrl__table_address(const struct table *table, uint64_t key)
{
	return &table->buckets[key & table->mask];
}

bool mrl__table_find(const struct table *table, uint64_t key, struct known *known)
{
	const struct bucket *bucket = &table->buckets[key & table->mask];

	for (unsigned i = 0; i < BUCKET_ENTRIES; i++) {
		uint64_t turn = mrl_load(&bucket->entry[i].turn);
		uint64_t rest = mrl_load(&bucket->entry[i].rest) ^ turn;

		if (rest >> 32 != key >> 32 || (rest & 3) == BOUND_NONE)
			continue;
		mrl_copy(&known->turn, &turn, sizeof known->turn);
		known->score = (int16_t)(rest >> 16);
		known->depth = depth_of(rest);
		known->bound = (enum bound)(rest & 3);
		known->old = generation_of(rest) != table->generation;
		return true;
	}
	return false;
}

/* How much an entry is worth keeping: depth, less for each search since it was written. */
static int worth(uint64_t rest, unsigned generation)
{
	unsigned age = (generation - generation_of(rest)) & (GENERATIONS - 1);

	return (rest & 3) == BOUND_NONE ? -1000 : (int)depth_of(rest) - 8 * (int)age;
}

void mrl__table_store(struct table *table, uint64_t key, const struct known *known)
{
	struct bucket *bucket = &table->buckets[key & table->mask];
	struct table_entry *place = &bucket->entry[0];
	int least = 100000;
	uint64_t turn;

	for (unsigned i = 0; i < BUCKET_ENTRIES; i++) {
		struct table_entry *entry = &bucket->entry[i];
		uint64_t rest = mrl_load(&entry->rest) ^ mrl_load(&entry->turn);

		if (rest >> 32 == key >> 32 && (rest & 3) != BOUND_NONE) {
			/* The same position, known deeper and lately: keep that. */
			if (known->bound != BOUND_EXACT && depth_of(rest) > known->depth + 3 &&
			    generation_of(rest) == table->generation)
				return;
			place = entry;
			break;
		}
		if (worth(rest, table->generation) < least) {
			least = worth(rest, table->generation);
			place = entry;
		}
	}
	mrl_copy(&turn, &known->turn, sizeof turn);
	mrl_store(&place->turn, turn);
	mrl_store(&place->rest, pack(key, known, table->generation) ^ turn);
}

unsigned mrl__table_full(const struct table *table)
{
	size_t sample = table->mask < 255 ? table->mask + 1 : 256;
	unsigned used = 0;

	for (size_t i = 0; i < sample; i++)
		for (unsigned k = 0; k < BUCKET_ENTRIES; k++) {
			uint64_t rest =
			    mrl_load(&table->buckets[i].entry[k].rest) ^ mrl_load(&table->buckets[i].entry[k].turn);

			used += (rest & 3) != BOUND_NONE && generation_of(rest) == table->generation;
		}
	return (unsigned)(used * 1000 / (sample * BUCKET_ENTRIES));
}
