#include "feed.h"

#include <stdatomic.h>
#include <stdlib.h>

#include <merels/text.h>

#include "crew.h"

/* ---- Emptying ----------------------------------------------------------------------------------------------- */

struct emptying {
	struct stage_input *input;
	atomic_uint next;
};

static void empty_row(struct stage_input *input, const struct layout_size *size, uint32_t row)
{
	uint64_t word = layout_row_word(size, row);

	if (input->news[size->first_row + row] == 0)
		return;
	input->news[size->first_row + row] = 0;
	/* Rows that share a word of the map are emptied by the same thread: a tile has whole words of it. */
	for (uint32_t base = 0; base < size->words; base += 64) {
		uint64_t map = stage_map(input->map, word, size->words, base);

		for (; map != 0; map &= map - 1)
			input->fresh[word + base + mrl_lowest(map)] = 0;
		if (size->words >= 64)
			input->map[(word + base) >> 6] = 0;
		else
			input->map[word >> 6] &= ~((((uint64_t)1 << size->words) - 1U) << (word & 63U));
	}
}

static void empty_tiles(void *context, unsigned number)
{
	struct emptying *emptying = context;
	struct stage_input *input = emptying->input;

	(void)number;
	for (;;) {
		uint32_t tile = atomic_fetch_add(&emptying->next, 1);
		const struct layout_size *size;
		uint32_t first;
		uint32_t last;

		if (tile >= input->layout.tiles)
			return;
		size = &input->layout.size[layout_tile(&input->layout, tile, &first, &last)];
		for (uint32_t row = first; row < last; row++)
			empty_row(input, size, row);
	}
}

void feed_clear(struct stage_input *input, unsigned threads)
{
	struct emptying emptying = {.input = input};

	crew_run(threads, empty_tiles, &emptying);
}

/* ---- Collecting by region ----------------------------------------------------------------------------------- */

struct collecting {
	const struct feed *feed;
	const struct journal_record *records;
	size_t count;
	atomic_size_t next;
	atomic_bool failed;
	enum mrl_status status[CREW_MOST];
	struct mrl_error error[CREW_MOST];
};

static enum mrl_status bad_journal(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "a journal of the build does not fit the rule set; empty the folder and build again");
	return MRL_SYSTEM;
}

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory to build the tables");
	return MRL_SYSTEM;
}

static enum mrl_status collect_record(struct collecting *collecting, size_t index, struct stage_worker *worker,
				      struct mrl_error *error)
{
	const struct feed *feed = collecting->feed;
	const struct journal_record *record = &collecting->records[index];
	enum mrl_status status;

	worker->data_bytes = 0;
	if (record->tile >= feed->source->tiles)
		return bad_journal(error);
	if (!stage_worker_reserve(worker, record->bytes))
		return no_memory(error);
	status = journal_read(feed->journal, record, worker->data, error);
	if (status != MRL_OK)
		return status;
	if (!feed->kernels->feed(feed->stage, feed->input, feed->source, record->tile, worker->data, record->bytes,
				 worker))
		return bad_journal(error);
	return worker->out_of_memory ? no_memory(error) : MRL_OK;
}

static void collect(void *context, unsigned number)
{
	struct collecting *collecting = context;
	struct stage_worker *worker = collecting->feed->workers[number];

	while (worker->blocks < collecting->feed->most_blocks && !atomic_load(&collecting->failed)) {
		size_t index = atomic_fetch_add(&collecting->next, 1);

		if (index >= collecting->count)
			return;
		collecting->status[number] = collect_record(collecting, index, worker, &collecting->error[number]);
		if (collecting->status[number] != MRL_OK)
			atomic_store(&collecting->failed, true);
	}
}

/* ---- Filling regions ---------------------------------------------------------------------------------------- */

struct filling {
	const struct feed *feed;
	atomic_uint next;
};

static void fill_region(const struct feed *feed, const struct layout_size *size, uint32_t region)
{
	const struct stage_input *input = feed->input;
	unsigned bits = input->layout.region_bits;
	uint64_t first_bit = (uint64_t)(region - size->first_region) << bits;
	uint64_t *fresh = input->fresh + size->first_word + first_bit / 64;
	uint64_t *map = input->map + (size->first_word + first_bit / 64) / 64;
	uint64_t *won = input->won + size->first_word + first_bit / 64;
	uint8_t *news = input->news + size->first_row;

	for (unsigned i = 0; i < feed->threads; i++) {
		for (const struct stage_block *block = feed->workers[i]->region[region]; block != NULL;
		     block = block->next) {
			for (uint32_t j = 0; feed->fresh && j < block->count; j++) {
				uint32_t bit = block->bit[j];

				fresh[bit >> 6] |= (uint64_t)1 << (bit & 63U);
				map[bit >> 12] |= (uint64_t)1 << (bit >> 6 & 63U);
				news[(first_bit + bit) >> size->bits] = 1;
			}
			for (uint32_t j = 0; feed->won && j < block->count; j++)
				won[block->bit[j] >> 6] |= (uint64_t)1 << (block->bit[j] & 63U);
		}
		feed->workers[i]->region[region] = NULL;
	}
}

static void fill(void *context, unsigned number)
{
	struct filling *filling = context;
	const struct layout *layout = &filling->feed->input->layout;
	unsigned k = 0;

	(void)number;
	for (;;) {
		uint32_t region = atomic_fetch_add(&filling->next, 1);

		if (region >= layout->regions)
			return;
		/* Regions come in order, so sizes do too. */
		for (unsigned next = k + 1; next <= SETS_MAX_POINTS; next++)
			if (layout->size[next].rows > 0 && layout->size[next].first_region <= region)
				k = next;
		fill_region(filling->feed, &layout->size[k], region);
	}
}

enum mrl_status feed_depth(const struct feed *feed, unsigned depth, uint64_t *positions, struct mrl_error *error)
{
	struct collecting *collecting = calloc(1, sizeof(*collecting));
	enum mrl_status status = MRL_OK;

	if (collecting == NULL)
		return no_memory(error);
	collecting->feed = feed;
	collecting->records = journal_records(feed->journal, depth, &collecting->count);
	for (size_t i = 0; i < collecting->count; i++)
		*positions += collecting->records[i].positions;
	while (status == MRL_OK && atomic_load(&collecting->next) < collecting->count) {
		struct filling filling = {.feed = feed};

		crew_run(feed->threads, collect, collecting);
		for (unsigned i = 0; i < feed->threads && status == MRL_OK; i++) {
			status = collecting->status[i];
			if (status != MRL_OK && error != NULL)
				*error = collecting->error[i];
		}
		crew_run(feed->threads, fill, &filling);
		for (unsigned i = 0; i < feed->threads; i++)
			stage_worker_release(feed->workers[i]);
	}
	free(collecting);
	return status;
}
