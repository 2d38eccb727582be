#include "stage.h"

#include <stdlib.h>

#include "kernel.h"

/* By number: the 6-bit numbers with so many bits, as a set. */
static const uint64_t six_bits[7] = {UINT64_C(0x1),
				     UINT64_C(0x0000000100010116),
				     UINT64_C(0x0001011601161668),
				     UINT64_C(0x0116166816686880),
				     UINT64_C(0x1668688068808000),
				     UINT64_C(0x6880800080000000),
				     UINT64_C(0x8000000000000000)};

/* Blocks are got from the system so many at a time: 1 MB. */
enum { ARENA_BLOCKS = 1024 };

uint64_t stage_counts(uint32_t counts, uint32_t word)
{
	unsigned high = mrl_popcount(word);
	uint64_t positions = 0;

	for (unsigned low = 0; low <= 6; low++)
		if ((counts >> (high + low) & 1U) != 0)
			positions |= six_bits[low];
	return positions;
}

uint32_t stage_row_most(const struct sets *sets, const struct plan_layer *layer, unsigned enemy)
{
	uint32_t most = 0;

	for (uint32_t owns = layer->owns[enemy]; owns != 0; owns &= owns - 1)
		most += sets->choose[sets->points - enemy][mrl_lowest(owns)];
	return most;
}

/* The most bits that a row can have, of this layer or those it reads. */
static uint32_t list_room(const struct stage *stage)
{
	uint32_t room = 64;

	for (unsigned enemy = 0; enemy <= stage->sets->points; enemy++) {
		uint32_t most = stage_row_most(stage->sets, stage->layer, enemy);

		room = most > room ? most : room;
		for (unsigned i = 0; i < stage->input_count; i++) {
			most = stage_row_most(stage->sets, stage->input[i].source, enemy);
			room = most > room ? most : room;
		}
	}
	return room;
}

static bool row_new(struct stage_row *row, size_t words)
{
	row->words = calloc(words, sizeof(uint64_t));
	row->map = calloc(words / 64 + 1, sizeof(uint64_t));
	return row->words != NULL && row->map != NULL;
}

static void row_free(struct stage_row *row)
{
	free(row->words);
	free(row->map);
}

struct stage_worker *stage_worker_new(const struct stage *stage, uint32_t regions)
{
	struct stage_worker *worker = calloc(1, sizeof(*worker));
	size_t words = 1;
	bool made;

	if (worker == NULL)
		return NULL;
	for (unsigned k = 0; k <= stage->sets->points; k++)
		if (stage->layout.size[k].rows > 0 && stage->layout.size[k].words > words)
			words = stage->layout.size[k].words;
	made = row_new(&worker->out, words);
	worker->list_room = list_room(stage);
	worker->list = malloc(worker->list_room * sizeof(uint32_t));
	worker->takes = malloc(kernel_takes_bytes());
	worker->region = calloc(regions + 1, sizeof(*worker->region));
	made = made && worker->list != NULL && worker->takes != NULL && worker->region != NULL;
	for (unsigned i = 0; i < stage->input_count; i++) {
		for (unsigned k = 0; k < stage->take_kinds; k++)
			made = row_new(&worker->taken[i][k], words) && made;
	}
	if (made)
		return worker;
	stage_worker_free(worker);
	return NULL;
}

void stage_worker_free(struct stage_worker *worker)
{
	if (worker == NULL)
		return;
	row_free(&worker->out);
	free(worker->list);
	free(worker->takes);
	free(worker->data);
	free(worker->region);
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < STAGE_MOST_TAKES; k++)
			row_free(&worker->taken[i][k]);
	for (size_t i = 0; i < worker->arena_count; i++)
		free(worker->arena[i]);
	free(worker->arena);
	free(worker);
}

bool stage_worker_reserve(struct stage_worker *worker, size_t more)
{
	size_t room = worker->data_room == 0 ? 65536 : worker->data_room;
	uint8_t *moved;

	while (room - worker->data_bytes < more)
		room *= 2;
	if (room == worker->data_room)
		return true;
	moved = realloc(worker->data, room);
	if (moved == NULL) {
		worker->out_of_memory = true;
		return false;
	}
	worker->data = moved;
	worker->data_room = room;
	return true;
}

/* One more megabyte of blocks. */
static bool grow_arena(struct stage_worker *worker)
{
	struct stage_block **moved = realloc(worker->arena, (worker->arena_count + 1) * sizeof(*moved));
	struct stage_block *blocks = malloc(ARENA_BLOCKS * sizeof(*blocks));

	if (moved != NULL)
		worker->arena = moved;
	if (moved == NULL || blocks == NULL) {
		free(blocks);
		worker->out_of_memory = true;
		return false;
	}
	worker->arena[worker->arena_count++] = blocks;
	for (unsigned i = 0; i < ARENA_BLOCKS; i++) {
		blocks[i].next = worker->free;
		worker->free = &blocks[i];
	}
	return true;
}

bool stage_worker_block(struct stage_worker *worker, uint32_t region)
{
	struct stage_block *block;

	if (worker->free == NULL && !grow_arena(worker))
		return false;
	block = worker->free;
	worker->free = block->next;
	block->next = worker->region[region];
	block->count = 0;
	worker->region[region] = block;
	worker->blocks++;
	return true;
}

void stage_worker_release(struct stage_worker *worker)
{
	worker->free = NULL;
	worker->blocks = 0;
	for (size_t i = 0; i < worker->arena_count; i++) {
		for (unsigned j = 0; j < ARENA_BLOCKS; j++) {
			worker->arena[i][j].next = worker->free;
			worker->free = &worker->arena[i][j];
		}
	}
}
