/* A record of the journal: the rows of a tile with their positions, as bytes. docs/TABLES.md has the form. */
#ifndef MERELS_TABLES_RECORD_H
#define MERELS_TABLES_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/builtins.h>

#include "stage.h"

/* The most bytes that a row with these many words and positions can take, its head included. */
static inline size_t record_row_most(uint32_t words, uint32_t count)
{
	return 10 + (count < words * 8 ? (size_t)count * 4 : (size_t)words * 8);
}

static inline uint8_t *record_put(uint8_t *to, uint32_t value)
{
	while (value >= 128) {
		*to++ = (uint8_t)(value | 128U);
		value >>= 7;
	}
	*to++ = (uint8_t)value;
	return to;
}

/* Appends a row. `gap` is its distance from the row before; bits[0 .. count) ascend, and count > 0. */
static inline uint8_t *record_put_row(uint8_t *to, uint32_t gap, const uint32_t *bits, uint32_t count, uint32_t words)
{
	uint32_t before = 0;

	to = record_put(to, gap);
	/* A gap is a byte or more: from one bit in eight on, the bits themselves are shorter. */
	if (count < words * 8) {
		to = record_put(to, count << 1);
		for (uint32_t i = 0; i < count; i++) {
			to = record_put(to, bits[i] - before);
			before = bits[i];
		}
		return to;
	}
	to = record_put(to, count << 1 | 1U);
	for (uint32_t i = 0; i < words * 8; i++)
		to[i] = 0;
	for (uint32_t i = 0; i < count; i++)
		to[bits[i] >> 3] = (uint8_t)(to[bits[i] >> 3] | 1U << (bits[i] & 7U));
	return to + (size_t)words * 8;
}

/* Appends worker->list[0 .. count) to the worker's record as a row; false when there is none, or no memory. */
static inline bool record_row(struct stage_worker *worker, uint32_t gap, uint32_t count, uint32_t words)
{
	uint8_t *end;

	if (count == 0 || !stage_worker_reserve(worker, record_row_most(words, count)))
		return false;
	end = record_put_row(worker->data + worker->data_bytes, gap, worker->list, count, words);
	worker->data_bytes = (size_t)(end - worker->data);
	worker->positions += count;
	worker->total += count;
	return true;
}

struct record_reader {
	const uint8_t *at;
	const uint8_t *end;
	uint32_t row;
	bool bad;
};

static inline uint32_t record_get(struct record_reader *reader)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		if (reader->at == reader->end)
			break;
		uint8_t byte = *reader->at++;

		value |= (uint32_t)(byte & 127U) << shift;
		if (byte < 128)
			return value;
	}
	reader->bad = true;
	return 0;
}

/*
 * Reads the next row: its number to reader->row, its positions, fewer than `limit` bits and at most `most` of them, to
 * bits[]. Returns how many; 0 at the end or when the record is bad.
 */
static inline uint32_t record_get_row(struct record_reader *reader, uint32_t words, uint32_t most, uint32_t *bits)
{
	uint32_t head;
	uint32_t count;
	uint32_t value = 0;
	uint32_t found = 0;

	if (reader->at == reader->end)
		return 0;
	reader->row += record_get(reader);
	head = record_get(reader);
	count = head >> 1;
	if (reader->bad || count == 0 || count > most) {
		reader->bad = true;
		return 0;
	}
	if ((head & 1U) == 0) {
		for (; found < count; found++) {
			value += record_get(reader);
			if (value >= words * 64)
				reader->bad = true;
			if (reader->bad)
				return 0;
			bits[found] = value;
		}
		return count;
	}
	if ((size_t)(reader->end - reader->at) < (size_t)words * 8) {
		reader->bad = true;
		return 0;
	}
	for (uint32_t byte = 0; byte < words * 8; byte++) {
		for (unsigned rest = reader->at[byte]; rest != 0 && found <= count; rest &= rest - 1) {
			if (found < count)
				bits[found] = byte * 8 + mrl_lowest(rest);
			found++;
		}
	}
	reader->at += (size_t)words * 8;
	reader->bad = found != count;
	return reader->bad ? 0 : count;
}

#endif
