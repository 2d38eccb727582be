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

/*
 * Gathers the bits of `set` that `mask` has, packed towards bit 0; and the reverse. One instruction each when the
 * processor compiled for has BMI2, else a loop over the mask.
 */
static inline uint32_t mrl_extract(uint32_t set, uint32_t mask)
{
#if defined(__BMI2__)
	return __builtin_ia32_pext_si(set, mask);
#else
	uint32_t packed = 0;

	for (unsigned bit = 0; mask != 0; bit++, mask &= mask - 1)
		packed |= (set >> __builtin_ctz(mask) & 1U) << bit;
	return packed;
#endif
}

static inline uint32_t mrl_deposit(uint32_t packed, uint32_t mask)
{
#if defined(__BMI2__)
	return __builtin_ia32_pdep_si(packed, mask);
#else
	uint32_t set = 0;

	for (; mask != 0; mask &= mask - 1, packed >>= 1)
		set |= (packed & 1U) != 0 ? mask & (~mask + 1U) : 0;
	return set;
#endif
}

/* Whether code compiled for BMI2 may run here. */
static inline bool mrl_has_bmi2(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_cpu_supports("bmi2") != 0;
#else
	return false;
#endif
}

/* Tells the compiler which way a branch usually goes. */
#define mrl_likely(condition) __builtin_expect(!!(condition), 1)
#define mrl_unlikely(condition) __builtin_expect(!!(condition), 0)

/* memcpy, memset, memcmp without <string.h>, which a freestanding build does not have. */
#define mrl_copy(to, from, bytes) __builtin_memcpy((to), (from), (bytes))
#define mrl_fill(to, byte, bytes) __builtin_memset((to), (byte), (bytes))
#define mrl_compare(a, b, bytes) __builtin_memcmp((a), (b), (bytes))

/*
 * Sixteen 16-bit numbers, on which arithmetic and comparison work one by one: an instruction or two each where there
 * are such. Handed on by address, since how they are passed depends on the processor compiled for.
 */
typedef int16_t mrl_sixteen __attribute__((vector_size(32), aligned(16), may_alias));

/* A function to be compiled twice: as the rest is, and for processors with AVX2; it is part of both. */
#define MRL_IN_BOTH static inline __attribute__((always_inline))

#if defined(__x86_64__) && !defined(__AVX2__)
#define MRL_FOR_AVX2 __attribute__((target("avx2")))
#else
#define MRL_FOR_AVX2
#endif

/* Whether code compiled for AVX2 may run here: the processor has it, and the system saves its registers. */
static inline bool mrl_has_avx2(void)
{
#if defined(__x86_64__)
	uint32_t a = 0;
	uint32_t b;
	uint32_t c = 0;
	uint32_t d;

	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if (a < 7)
		return false;
	a = 1;
	c = 0;
	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if ((c >> 27 & 3) != 3) /* OSXSAVE, AVX */
		return false;
	c = 0;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(c));
	if ((a & 6) != 6)
		return false;
	a = 7;
	__asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return (b >> 5 & 1) != 0;
#else
	return false;
#endif
}

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
