/*
 * Unpacked blocks of sector files, the last that were asked for. Bounded; any number of threads may ask at once. The
 * blocks are shared out to shelves by their number, each with a lock of its own.
 */
#ifndef MERELS_TABLES_CACHE_H
#define MERELS_TABLES_CACHE_H

#include "sectorfile.h"

struct cache;

/* NULL without memory. */
struct cache *cache_new(size_t bytes);
void cache_free(struct cache *cache);

/* The cell of a file; reads its block when it is not there. `file` is a number that no other file of the cache has. */
MRL_MUST_USE enum mrl_status cache_cell(struct cache *cache, uint32_t file, const struct sectorfile_reader *reader,
					uint64_t cell, unsigned *value, struct mrl_error *error);

#endif
