/* Numbers in files: little-endian, fixed width; and the checksum of what lies beside them. */
#ifndef MERELS_TABLES_BYTES_H
#define MERELS_TABLES_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void bytes_put16(uint8_t *to, uint16_t value)
{
	to[0] = (uint8_t)value;
	to[1] = (uint8_t)(value >> 8);
}

static inline void bytes_put32(uint8_t *to, uint32_t value)
{
	bytes_put16(to, (uint16_t)value);
	bytes_put16(to + 2, (uint16_t)(value >> 16));
}

static inline void bytes_put64(uint8_t *to, uint64_t value)
{
	bytes_put32(to, (uint32_t)value);
	bytes_put32(to + 4, (uint32_t)(value >> 32));
}

static inline uint16_t bytes_get16(const uint8_t *from)
{
	return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t bytes_get32(const uint8_t *from)
{
	return bytes_get16(from) | (uint32_t)bytes_get16(from + 2) << 16;
}

static inline uint64_t bytes_get64(const uint8_t *from)
{
	return bytes_get32(from) | (uint64_t)bytes_get32(from + 4) << 32;
}

/*
 * A 64-bit checksum of any bytes, docs/TABLES.md: eight bytes at a time are mixed in by multiplication; the rest is
 * filled up with zeros, and the length is part of it. It finds accidents, not malice.
 */
static inline uint64_t bytes_checksum(const uint8_t *data, size_t length)
{
	uint64_t sum = UINT64_C(0x9e3779b97f4a7c15) ^ length;

	while (length > 0) {
		uint8_t last[8] = {0};
		const uint8_t *from = data;

		if (length < 8) {
			for (size_t i = 0; i < length; i++)
				last[i] = data[i];
			from = last;
		}
		sum = (sum ^ bytes_get64(from)) * UINT64_C(0xff51afd7ed558ccd);
		sum ^= sum >> 32;
		data += 8;
		length = length < 8 ? 0 : length - 8;
	}
	return sum ^ sum >> 29;
}

#endif
