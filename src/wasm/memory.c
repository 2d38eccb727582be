#include <stdint.h>

#include "memory.h"
#include <merels/builtins.h>

#define PAGE 65536U

/* The functions that the compiler may call on its own. This file is compiled with -fno-builtin: else the loops would
 * become calls of themselves. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	for (size_t i = 0; i < bytes; i++)
		t[i] = f[i];
	return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if ((uintptr_t)t <= (uintptr_t)f)
		return memcpy(to, from, bytes);
	for (size_t i = bytes; i > 0; i--)
		t[i - 1] = f[i - 1];
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	unsigned char *t = to;

	for (size_t i = 0; i < bytes; i++)
		t[i] = (unsigned char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *x = a;
	const unsigned char *y = b;

	for (size_t i = 0; i < bytes; i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

bool block_grow(struct block *block, size_t size)
{
	if (size <= block->size)
		return true;
	if (size > SIZE_MAX / 4)
		return false;
	if (size < 2 * block->size)
		size = 2 * block->size;

	size_t pages = (size + PAGE - 1) / PAGE;
	size_t first = __builtin_wasm_memory_grow(0, pages);

	if (first == SIZE_MAX)
		return false;
	void *data = (void *)(uintptr_t)(first * PAGE);

	mrl_copy(data, block->data, block->size);
	block->data = data;
	block->size = pages * PAGE;
	return true;
}
