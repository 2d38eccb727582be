/* Random numbers that are the same on every machine: xorshift64*, by Sebastiano Vigna (2016). */
#ifndef MERELS_FIT_CHANCE_H
#define MERELS_FIT_CHANCE_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t chance_seeded(uint64_t seed)
{
	return (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static inline uint64_t chance_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static inline unsigned chance_below(uint64_t *state, size_t limit)
{
	return (unsigned)((chance_next(state) >> 33) % limit);
}

#endif
