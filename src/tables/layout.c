#include "layout.h"

/* Bits in a tile: enough work to be worth handing out, and some hundred tiles in a large layer. */
enum { TILE_BITS_MOST = 21, TILE_BITS_LEAST = 14 };

static unsigned tile_bits(uint64_t words)
{
	unsigned bits = TILE_BITS_LEAST;

	while (bits < TILE_BITS_MOST && (words * 64) >> bits > 1024)
		bits++;
	return bits;
}

void layout_init(struct layout *layout, const struct sets *sets, uint32_t sizes, const struct few *few)
{
	unsigned bits;
	uint64_t words = 0;

	*layout = (struct layout){.region_bits = REGION_BITS};
	for (unsigned k = 0; k <= sets->points; k++) {
		struct layout_size *size = &layout->size[k];

		if ((sizes >> k & 1U) == 0)
			continue;
		size->free = sets->points - k;
		size->rows = sets->count[k];
		size->bits = few != NULL ? few->row[k].bits : size->free > 6 ? size->free : 6;
		size->words = UINT32_C(1) << (size->bits - 6);
		words += (uint64_t)size->rows * size->words;
		if (size->bits > layout->region_bits)
			layout->region_bits = size->bits;
	}
	bits = tile_bits(words);
	for (unsigned k = 0; k <= sets->points; k++) {
		struct layout_size *size = &layout->size[k];
		uint64_t region_words = (uint64_t)1 << (layout->region_bits - 6);
		uint64_t here = (uint64_t)size->rows * size->words;

		if (size->rows == 0)
			continue;
		size->rows_a_tile = (UINT32_C(1) << bits) / 64 / size->words;
		if (size->rows_a_tile == 0)
			size->rows_a_tile = 1;
		size->first_tile = layout->tiles;
		size->first_row = layout->rows;
		size->first_region = layout->regions;
		size->first_word = layout->words;
		layout->tiles += (size->rows + size->rows_a_tile - 1) / size->rows_a_tile;
		layout->rows += size->rows;
		layout->regions += (uint32_t)((here + region_words - 1) / region_words);
		layout->words = (uint64_t)layout->regions * region_words;
	}
}

unsigned layout_tile(const struct layout *layout, uint32_t tile, uint32_t *first, uint32_t *last)
{
	unsigned k = SETS_MAX_POINTS;

	while (layout->size[k].rows == 0 || layout->size[k].first_tile > tile)
		k--;
	*first = (tile - layout->size[k].first_tile) * layout->size[k].rows_a_tile;
	*last = *first + layout->size[k].rows_a_tile;
	if (*last > layout->size[k].rows)
		*last = layout->size[k].rows;
	return k;
}
