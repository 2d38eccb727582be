#include "cache.h"

#include <stdlib.h>

#include <merels/text.h>
#include <os/thread.h>

/* Blocks on a shelf are searched one after the other; the one unused for longest goes first. */
enum { SHELVES_LEAST = 16, SLOTS = 8 };

struct slot {
	uint64_t block; /* file << 32 | number of the block; UINT64_MAX when empty */
	uint64_t used;  /* the shelf's clock when it was last asked for */
	uint8_t *cells;
	size_t bytes;
};

struct shelf {
	struct mrl_monitor *monitor;
	uint64_t clock;
	struct slot slots[SLOTS];
};

struct cache {
	size_t count; /* a power of two */
	struct shelf *shelves;
	struct mrl_monitor *monitor;   /* for what follows */
	struct sectorfile_desk *desks; /* free ones: as many as threads ever unpacked at once */
};

struct cache *cache_new(size_t bytes)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	size_t count = SHELVES_LEAST;
	bool made;

	if (cache == NULL)
		return NULL;
	/* A block of distances takes 64 kB, or 128 when they are long. */
	while (2 * count * SLOTS * SECTORFILE_BLOCK_CELLS <= bytes)
		count *= 2;
	cache->shelves = calloc(count, sizeof(*cache->shelves));
	cache->monitor = mrl_monitor_new();
	cache->desks = sectorfile_desk_new();
	made = cache->shelves != NULL && cache->monitor != NULL && cache->desks != NULL;
	cache->count = cache->shelves != NULL ? count : 0;
	for (size_t i = 0; i < cache->count; i++) {
		cache->shelves[i].monitor = mrl_monitor_new();
		made = made && cache->shelves[i].monitor != NULL;
		for (unsigned slot = 0; slot < SLOTS; slot++)
			cache->shelves[i].slots[slot].block = UINT64_MAX;
	}
	if (made)
		return cache;
	cache_free(cache);
	return NULL;
}

void cache_free(struct cache *cache)
{
	if (cache == NULL)
		return;
	for (size_t i = 0; i < cache->count; i++) {
		mrl_monitor_free(cache->shelves[i].monitor);
		for (unsigned slot = 0; slot < SLOTS; slot++)
			free(cache->shelves[i].slots[slot].cells);
	}
	free(cache->shelves);
	while (cache->desks != NULL) {
		struct sectorfile_desk *desk = cache->desks;

		cache->desks = desk->next;
		sectorfile_desk_free(desk);
	}
	mrl_monitor_free(cache->monitor);
	free(cache);
}

static struct sectorfile_desk *take_desk(struct cache *cache)
{
	struct sectorfile_desk *desk;

	mrl_monitor_enter(cache->monitor);
	desk = cache->desks;
	if (desk != NULL)
		cache->desks = desk->next;
	mrl_monitor_leave(cache->monitor);
	return desk != NULL ? desk : sectorfile_desk_new();
}

static void put_desk(struct cache *cache, struct sectorfile_desk *desk)
{
	if (desk == NULL)
		return;
	mrl_monitor_enter(cache->monitor);
	desk->next = cache->desks;
	cache->desks = desk;
	mrl_monitor_leave(cache->monitor);
}

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory to read the tables");
	return MRL_SYSTEM;
}

static enum mrl_status fill_slot(struct cache *cache, struct slot *slot, uint64_t block,
				 const struct sectorfile_reader *reader, struct mrl_error *error)
{
	size_t bytes = sectorfile_block_bytes(reader);
	struct sectorfile_desk *desk;
	enum mrl_status status;

	slot->block = UINT64_MAX;
	if (slot->bytes < bytes) {
		uint8_t *moved = realloc(slot->cells, bytes);

		if (moved == NULL)
			return no_memory(error);
		slot->cells = moved;
		slot->bytes = bytes;
	}
	desk = take_desk(cache);
	if (desk == NULL)
		return no_memory(error);
	status = sectorfile_block(reader, (uint32_t)block, desk, slot->cells, error);
	put_desk(cache, desk);
	if (status == MRL_OK)
		slot->block = block;
	return status;
}

enum mrl_status cache_cell(struct cache *cache, uint32_t file, const struct sectorfile_reader *reader, uint64_t cell,
			   unsigned *value, struct mrl_error *error)
{
	uint64_t block = (uint64_t)file << 32 | cell / SECTORFILE_BLOCK_CELLS;
	uint64_t mixed = block * UINT64_C(0x9e3779b97f4a7c15);
	struct shelf *shelf = &cache->shelves[mixed >> 40 & (cache->count - 1)];
	enum mrl_status status = MRL_OK;
	struct slot *slot = &shelf->slots[0];

	mrl_monitor_enter(shelf->monitor);
	for (unsigned i = 0; i < SLOTS && slot->block != block; i++)
		if (shelf->slots[i].block == block || shelf->slots[i].used < slot->used)
			slot = &shelf->slots[i];
	if (slot->block != block)
		status = fill_slot(cache, slot, block, reader, error);
	if (status == MRL_OK) {
		slot->used = ++shelf->clock;
		*value = sectorfile_cell(slot->cells, sectorfile_head_of(reader)->bits,
					 (uint32_t)(cell % SECTORFILE_BLOCK_CELLS));
	}
	mrl_monitor_leave(shelf->monitor);
	return status;
}
