/*
 * The compiler's builtins under names of our own; the only header that uses GNU extensions outside src/os.
 * All are pure and thread-safe.
 */
#ifndef MERELS_BUILTINS_H
#define MERELS_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of set bits. */
static inline unsigned mrl_popcount(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

/* Index of the lowest set bit; `set` must not be 0. */
static inline unsigned mrl_lowest(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* Tells the compiler which way a branch usually goes. */
#define mrl_likely(condition) __builtin_expect(!!(condition), 1)
#define mrl_unlikely(condition) __builtin_expect(!!(condition), 0)

/* memcpy, memset, memcmp without <string.h>, which a freestanding build does not have. */
#define mrl_copy(to, from, bytes) __builtin_memcpy((to), (from), (bytes))
#define mrl_fill(to, byte, bytes) __builtin_memset((to), (byte), (bytes))
#define mrl_compare(a, b, bytes) __builtin_memcmp((a), (b), (bytes))

/* Words that several threads read and write without further order; torn values never occur. */
static inline uint64_t mrl_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void mrl_store(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Asks for a cache line that will be read soon. */
static inline void mrl_prefetch(const void *address)
{
	__builtin_prefetch(address);
}

#endif
