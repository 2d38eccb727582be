/*
 * Memory that is given piece by piece and taken back as a whole. A value with all 0 is an empty arena. It belongs to
 * one thread at a time.
 */
#ifndef MERELS_STORE_ARENA_H
#define MERELS_STORE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t bytes; /* given so far */
};

/* Zeroed, fit for anything; NULL when there is no memory. */
void *arena_take(struct arena *arena, size_t bytes);

/* A copy of text[0 .. length) with a 0 behind it, of at least one byte; NULL when there is no memory. */
const char *arena_text(struct arena *arena, const char *text, size_t length);

/* Frees all of it; empty again. */
void arena_release(struct arena *arena);

/* An array that grows, of things of one size. All 0 is an empty one. */
struct rows {
	void *data;
	size_t count;
	size_t capacity;
};

/* One more, zeroed, at the end; those before may move. NULL when there is no memory. */
void *rows_add(struct rows *rows, size_t size);

void rows_release(struct rows *rows);

#endif
