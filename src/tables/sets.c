#include "sets.h"

#include <stdlib.h>

#include <merels/text.h>
#include <os/disk.h>

static size_t entries_bytes(const struct sets *sets)
{
	return sizeof(uint32_t) << sets->points;
}

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory for the index of the tables");
	return MRL_SYSTEM;
}

static void fill_images(struct sets *sets)
{
	const struct mrl_board *board = sets->board;

	for (unsigned s = 0; s < board->symmetry_count; s++) {
		for (unsigned byte = 0; byte < 3; byte++) {
			for (unsigned value = 0; value < 256; value++) {
				uint32_t points = value << (8 * byte) & sets->all;
				uint32_t image = 0;

				for (; points != 0; points &= points - 1)
					image |= UINT32_C(1) << board->symmetry[s][mrl_lowest(points)];
				sets->image[s][byte][value] = image;
			}
		}
		for (unsigned back = 0; back < board->symmetry_count; back++) {
			bool undoes = true;

			for (unsigned p = 0; undoes && p < sets->points; p++)
				undoes = board->symmetry[back][board->symmetry[s][p]] == p;
			if (undoes)
				sets->inverse[s] = (uint8_t)back;
		}
	}
}

static void fill_choose(struct sets *sets)
{
	for (unsigned n = 0; n <= SETS_MAX_POINTS; n++) {
		sets->choose[n][0] = 1;
		for (unsigned k = 1; k <= n; k++)
			sets->choose[n][k] = sets->choose[n - 1][k - 1] + (k < n ? sets->choose[n - 1][k] : 0);
	}
}

/* Gives the class of `set`, which is its smallest member, to all its images. */
static void fill_class(struct sets *sets, unsigned size, uint32_t set)
{
	uint32_t number = sets->count[size]++;
	uint32_t symmetric = 0;

	sets->canon[size][number] = set;
	for (unsigned s = 1; s < sets->board->symmetry_count && symmetric == 0; s++)
		symmetric = sets_map(sets, s, set) == set;
	/* Downwards, so that the identity is what takes a canonical set to itself. */
	for (unsigned s = sets->board->symmetry_count; s-- > 0;)
		sets->entry[sets_map(sets, s, set)] = number << 8 | (uint32_t)sets->inverse[s] << 1 | symmetric;
}

static enum mrl_status fill_size(struct sets *sets, unsigned size, struct mrl_error *error)
{
	uint32_t number = sets->choose[sets->points][size];
	uint32_t set = (UINT32_C(1) << size) - 1;
	uint32_t *shorter;

	sets->canon[size] = malloc((number + 1) * sizeof(uint32_t));
	if (sets->canon[size] == NULL)
		return no_memory(error);
	for (uint32_t i = 0; i < number; i++) {
		if (sets->entry[set] == UINT32_MAX)
			fill_class(sets, size, set);
		if (i + 1 < number)
			set = sets_next(set);
	}
	shorter = realloc(sets->canon[size], (sets->count[size] + 1) * sizeof(uint32_t));
	if (shorter != NULL)
		sets->canon[size] = shorter;
	return MRL_OK;
}

enum mrl_status sets_new(struct sets **made, const struct mrl_board *board, unsigned largest, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	struct sets *sets;

	if (board->point_count > SETS_MAX_POINTS) {
		struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

		mrl_text_add(&text, "there are no tables for boards of more than 24 points");
		return MRL_UNSUPPORTED;
	}
	sets = calloc(1, sizeof(*sets));
	if (sets == NULL)
		return no_memory(error);
	sets->board = board;
	sets->points = board->point_count;
	sets->largest = largest < sets->points ? largest : sets->points;
	sets->all = (uint32_t)board->all;
	sets->entry = mrl_pages_new(entries_bytes(sets));
	if (sets->entry == NULL) {
		sets_free(sets);
		return no_memory(error);
	}
	mrl_fill(sets->entry, 255, entries_bytes(sets));
	fill_images(sets);
	fill_choose(sets);
	for (unsigned size = 0; size <= sets->largest && status == MRL_OK; size++)
		status = fill_size(sets, size, error);
	if (status != MRL_OK) {
		sets_free(sets);
		return status;
	}
	*made = sets;
	return MRL_OK;
}

void sets_free(struct sets *sets)
{
	if (sets == NULL)
		return;
	mrl_pages_free(sets->entry, entries_bytes(sets));
	for (unsigned size = 0; size <= SETS_MAX_POINTS; size++)
		free(sets->canon[size]);
	free(sets);
}

unsigned sets_stabiliser(const struct sets *sets, uint32_t set, uint8_t keep[MRL_MAX_SYMMETRIES])
{
	unsigned count = 0;

	for (unsigned s = 0; s < sets->board->symmetry_count; s++)
		if (sets_map(sets, s, set) == set)
			keep[count++] = (uint8_t)s;
	return count;
}

uint32_t sets_rank(const struct sets *sets, uint32_t set)
{
	uint32_t rank = 0;

	for (unsigned k = 1; set != 0; set &= set - 1, k++)
		rank += sets->choose[mrl_lowest(set)][k];
	return rank;
}

uint32_t sets_unrank(const struct sets *sets, unsigned points, unsigned size, uint32_t rank)
{
	uint32_t set = 0;

	for (unsigned k = size; k > 0; k--) {
		unsigned point = points - 1;

		while (sets->choose[point][k] > rank)
			point--;
		rank -= sets->choose[point][k];
		set |= UINT32_C(1) << point;
		points = point;
	}
	return set;
}
