/*
 * Memory for the browser's build, which has no libc: blocks that grow.
 *
 * A block is taken from the end of the linear memory. One that outgrows its place moves to a new one at least twice as
 * large and leaves the old behind for good; so what is left behind is always less than what is in use.
 */
#ifndef MERELS_WASM_MEMORY_H
#define MERELS_WASM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct block {
	void *data; /* NULL until it has grown for the first time; aligned as for any object */
	size_t size;
};

/* Makes the block at least `size` bytes large and keeps what is in it. False when the browser has no more memory. */
bool block_grow(struct block *block, size_t size);

#endif
