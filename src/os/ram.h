/* How much memory there is to have. Thread-safe. */
#ifndef MERELS_OS_RAM_H
#define MERELS_OS_RAM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that can still be used without pushing others out, as far as the system tells: what is free or held only for
 * speed, within the limit that this process and its fellows have. UINT64_MAX when nobody tells. Memory beyond it may
 * well be given and only fail when it is touched, which ends the process.
 */
uint64_t mrl_memory_available(void);

/* Memory that begins and ends on a multiple of this is good for large pages. */
#define MRL_LARGE_PAGE ((size_t)2 << 20)

/* Asks for large pages: memory that is read all over the place then misses fewer translations. A wish, no promise. */
void mrl_memory_prefer_large_pages(void *memory, size_t bytes);

#endif
