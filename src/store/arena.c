#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1024, ALIGN = _Alignof(max_align_t) };

struct arena_block {
	struct arena_block *before;
	size_t used;
	size_t size;
	max_align_t data[];
};

void *arena_take(struct arena *arena, size_t bytes)
{
	struct arena_block *block = arena->last;

	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (block == NULL || block->size - block->used < bytes) {
		size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

		block = calloc(1, sizeof(*block) + size);
		if (block == NULL)
			return NULL;
		block->size = size;
		block->before = arena->last;
		arena->last = block;
	}
	void *taken = (char *)block->data + block->used;

	block->used += bytes;
	arena->bytes += bytes;
	return taken;
}

const char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_take(arena, length + 1);

	if (copy != NULL && length > 0)
		memcpy(copy, text, length);
	return copy;
}

void arena_release(struct arena *arena)
{
	while (arena->last != NULL) {
		struct arena_block *before = arena->last->before;

		free(arena->last);
		arena->last = before;
	}
	arena->bytes = 0;
}

void *rows_add(struct rows *rows, size_t size)
{
	if (rows->count == rows->capacity) {
		size_t capacity = rows->capacity == 0 ? 8 : 2 * rows->capacity;
		void *moved = realloc(rows->data, capacity * size);

		if (moved == NULL)
			return NULL;
		rows->data = moved;
		rows->capacity = capacity;
	}
	char *added = (char *)rows->data + rows->count * size;

	rows->count++;
	memset(added, 0, size);
	return added;
}

void rows_release(struct rows *rows)
{
	free(rows->data);
	*rows = (struct rows){0};
}
