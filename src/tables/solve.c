#include "solve.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>

#include "crew.h"
#include "feed.h"
#include "kernel.h"
#include "record.h"
#include "stage.h"

/* Bits that wait for their region take at least this many bytes, of all threads together. */
#define WAITING_BYTES ((uint64_t)64 << 20)

/* A layer of the group with all that it needs. */
struct part {
	struct stage stage;
	struct layout source[2]; /* by input: the source's rows, by the men who wait there */
	struct journal *from[2]; /* by input */
	bool inside[2];          /* by input: the source is in this group */
	struct stage_worker *workers[CREW_MOST];
	uint32_t regions;
	struct journal *journal;
	uint64_t decided;
	uint64_t news; /* bits fed for this step */
};

struct group {
	struct solve *solve;
	const struct kernels *kernels;
	struct part *part[2];
	unsigned parts;
	unsigned outside; /* the last step that reads journals of other groups */
};

static enum mrl_status refuse(struct mrl_error *error, const char *message)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, message);
	return MRL_SYSTEM;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* The numbers of own men, and of enemies, that a layer has. */
static uint32_t sizes_own(const struct plan_layer *layer)
{
	uint32_t sizes = 0;

	for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++)
		sizes |= layer->owns[enemy];
	return sizes;
}

uint32_t solve_sizes_enemy(const struct plan_layer *layer)
{
	uint32_t sizes = 0;

	for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++)
		sizes |= layer->owns[enemy] != 0 ? UINT32_C(1) << enemy : 0;
	return sizes;
}

/* The layer that turns of this kind lead to; NULL when there are no such turns. */
static const struct plan_layer *source_of(const struct plan *plan, const struct plan_layer *layer, bool places)
{
	if (places ? !layer->places : !layer->moves)
		return NULL;
	return &plan->layers[layer->enemy_hand][layer->own_hand - (places ? 1U : 0U)];
}

static void stage_init(struct stage *stage, const struct solve *solve, const struct plan_layer *layer)
{
	const struct mrl_rules *rules = solve->rules;

	*stage = (struct stage){.rules = rules, .sets = solve->sets, .layer = layer, .few = solve->few};
	layout_init(&stage->layout, solve->sets, solve_sizes_enemy(layer), solve->few);
	stage->take_kinds = rules->take_per_mill && !rules->mill_wins ? plan_most_mills(rules) : 1;
	for (unsigned places = 0; places < 2; places++) {
		const struct plan_layer *source = source_of(solve->plan, layer, places != 0);
		struct stage_input *input = &stage->input[stage->input_count];

		if (source == NULL || !source->used)
			continue;
		input->places = places != 0;
		input->source = source;
		layout_init(&input->layout, solve->sets, sizes_own(source), solve->few);
		stage->input_count++;
	}
}

static uint64_t stage_bytes(const struct stage *stage)
{
	uint64_t bytes = stage->layout.words * sizeof(uint64_t);

	for (unsigned i = 0; i < stage->input_count; i++)
		bytes += 2 * stage->input[i].layout.words * sizeof(uint64_t) + stage->input[i].layout.words / 8 +
			 stage->input[i].layout.rows;
	return bytes;
}

uint64_t solve_memory(const struct solve *solve, unsigned group)
{
	const struct plan *plan = solve->plan;
	unsigned less = plan->groups[group].hand[0];
	unsigned more = plan->groups[group].hand[1];
	struct stage *stage = malloc(sizeof(*stage));
	uint64_t bytes = WAITING_BYTES + (sizeof(uint32_t) << solve->sets->points);

	for (unsigned turn = 0; stage != NULL && turn < 2; turn++) {
		const struct plan_layer *layer = turn == 0 ? &plan->layers[less][more] : &plan->layers[more][less];

		if (!layer->used || (turn == 1 && less == more))
			continue;
		stage_init(stage, solve, layer);
		bytes += stage_bytes(stage);
	}
	free(stage);
	return bytes;
}

static void part_free(struct part *part, unsigned threads)
{
	if (part == NULL)
		return;
	for (unsigned i = 0; i < threads; i++)
		stage_worker_free(part->workers[i]);
	mrl_pages_free(part->stage.decided, part->stage.layout.words * sizeof(uint64_t));
	for (unsigned i = 0; i < part->stage.input_count; i++) {
		struct stage_input *input = &part->stage.input[i];

		mrl_pages_free(input->fresh, input->layout.words * sizeof(uint64_t));
		mrl_pages_free(input->map, input->layout.words / 64 * sizeof(uint64_t));
		mrl_pages_free(input->won, input->layout.words * sizeof(uint64_t));
		free(input->news);
	}
	free(part);
}

static bool part_allocate(struct part *part, unsigned threads)
{
	struct stage *stage = &part->stage;
	bool made;

	stage->decided = mrl_pages_new(stage->layout.words * sizeof(uint64_t));
	made = stage->decided != NULL;
	for (unsigned i = 0; i < stage->input_count; i++) {
		struct stage_input *input = &stage->input[i];

		input->fresh = mrl_pages_new(input->layout.words * sizeof(uint64_t));
		input->won = mrl_pages_new(input->layout.words * sizeof(uint64_t));
		input->news = calloc(input->layout.rows + 1U, 1);
		input->map = mrl_pages_new(input->layout.words / 64 * sizeof(uint64_t));
		made = made && input->fresh != NULL && input->map != NULL && input->won != NULL && input->news != NULL;
		part->regions = input->layout.regions > part->regions ? input->layout.regions : part->regions;
	}
	for (unsigned i = 0; made && i < threads; i++) {
		part->workers[i] = stage_worker_new(stage, part->regions);
		made = part->workers[i] != NULL;
	}
	return made;
}

static enum mrl_status part_new(struct part **made, struct solve *solve, const struct plan_layer *layer,
				const struct plan_layer *partner, struct mrl_error *error)
{
	struct part *part = calloc(1, sizeof(*part));

	if (part == NULL)
		return refuse(error, "there is not enough memory to build the tables");
	stage_init(&part->stage, solve, layer);
	part->journal = solve->journals[layer->own_hand][layer->enemy_hand];
	for (unsigned i = 0; i < part->stage.input_count; i++) {
		const struct plan_layer *source = part->stage.input[i].source;

		part->from[i] = solve->journals[source->own_hand][source->enemy_hand];
		part->inside[i] = source == layer || source == partner;
		layout_init(&part->source[i], solve->sets, solve_sizes_enemy(source), solve->few);
	}
	if (!part_allocate(part, solve->threads)) {
		part_free(part, solve->threads);
		return refuse(error, "there is not enough memory to build the tables");
	}
	*made = part;
	return MRL_OK;
}

/* ---- Feeding a step ----------------------------------------------------------------------------------------- */

static struct feed feed_of(const struct group *group, struct part *part, unsigned input)
{
	uint64_t waiting = group->solve->memory / 16;

	waiting = waiting > WAITING_BYTES ? waiting : WAITING_BYTES;
	return (struct feed){.kernels = group->kernels,
			     .stage = &part->stage,
			     .input = &part->stage.input[input],
			     .journal = part->from[input],
			     .source = &part->source[input],
			     .workers = part->workers,
			     .threads = group->solve->threads,
			     .most_blocks = waiting / sizeof(struct stage_block) / group->solve->threads};
}

/*
 * Feeds an input with what a step reads: the depth before; or, from other groups when only values are wanted, all that
 * is lost in step 1 and all that is won in step 2.
 */
static enum mrl_status feed_input(const struct group *group, struct part *part, unsigned input, unsigned step,
				  bool fresh, struct mrl_error *error)
{
	struct feed feed = feed_of(group, part, input);
	bool all = !group->solve->distance && !part->inside[input];
	unsigned depths = journal_depths(part->from[input]);
	enum mrl_status status = MRL_OK;

	feed.fresh = fresh;
	feed.won = step % 2 == 0;
	if (!all)
		return step - 1 < depths ? feed_depth(&feed, step - 1, &part->news, error) : MRL_OK;
	if (step > 2)
		return MRL_OK;
	for (unsigned depth = step - 1; depth < depths && status == MRL_OK; depth += 2)
		status = feed_depth(&feed, depth, &part->news, error);
	return status;
}

/* ---- Tiles -------------------------------------------------------------------------------------------------- */

struct tiles {
	const struct group *group;
	struct part *part;
	unsigned depth;
	atomic_uint next;
	atomic_bool failed;
	atomic_bool stopped;
	enum mrl_status status[CREW_MOST];
	struct mrl_error error[CREW_MOST];
};

static void work_tiles(void *context, unsigned number)
{
	struct tiles *tiles = context;
	struct part *part = tiles->part;
	struct stage_worker *worker = part->workers[number];
	struct solve *solve = tiles->group->solve;
	enum mrl_status status = MRL_OK;

	while (status == MRL_OK && !atomic_load(&tiles->failed) && !atomic_load(&tiles->stopped)) {
		uint32_t tile = atomic_fetch_add(&tiles->next, 1);

		if (tile >= part->stage.layout.tiles)
			return;
		if (number == 0 && solve->watch != NULL &&
		    solve->watch(solve->context, part->stage.layer, tiles->depth, part->decided)) {
			atomic_store(&tiles->stopped, true);
			break;
		}
		if (tiles->depth == 0)
			tiles->group->kernels->stuck(&part->stage, tile, worker);
		else
			tiles->group->kernels->step(&part->stage, tile, tiles->depth, worker);
		if (worker->out_of_memory)
			status = refuse(&tiles->error[number], "there is not enough memory to build the tables");
		else if (worker->data_bytes > 0)
			status = journal_append(part->journal, tile, worker->positions, worker->data,
						worker->data_bytes, &tiles->error[number]);
	}
	tiles->status[number] = status;
	if (status != MRL_OK)
		atomic_store(&tiles->failed, true);
}

/* All tiles of a layer at one depth, and the end of the depth in the journal. */
static enum mrl_status work_depth(const struct group *group, struct part *part, unsigned depth, struct mrl_error *error)
{
	struct solve *solve = group->solve;
	struct tiles *tiles = calloc(1, sizeof(*tiles));
	enum mrl_status status = MRL_OK;

	if (tiles == NULL)
		return refuse(error, "there is not enough memory to build the tables");
	tiles->group = group;
	tiles->part = part;
	tiles->depth = depth;
	crew_run(solve->threads, work_tiles, tiles);
	part->decided = 0;
	for (unsigned i = 0; i < solve->threads; i++) {
		part->decided += part->workers[i]->total;
		if (tiles->status[i] != MRL_OK && status == MRL_OK) {
			status = tiles->status[i];
			if (error != NULL)
				*error = tiles->error[i];
		}
	}
	if (status == MRL_OK && atomic_load(&tiles->stopped))
		status = MRL_STOPPED;
	free(tiles);
	return status == MRL_OK ? journal_seal(part->journal, error) : status;
}

/* ---- Going on ----------------------------------------------------------------------------------------------- */

/* Marks what an old journal says is decided. */
static enum mrl_status recall_record(struct part *part, const struct journal_record *record, struct mrl_error *error)
{
	struct stage_worker *worker = part->workers[0];
	struct stage *stage = &part->stage;
	struct record_reader reader = {0};
	const struct layout_size *size;
	enum mrl_status status;
	uint32_t first;
	uint32_t last;
	uint32_t count;

	worker->data_bytes = 0;
	if (record->tile >= stage->layout.tiles || !stage_worker_reserve(worker, record->bytes))
		return refuse(error, "a journal of the build does not fit; empty the folder and build again");
	status = journal_read(part->journal, record, worker->data, error);
	if (status != MRL_OK)
		return status;
	size = &stage->layout.size[layout_tile(&stage->layout, record->tile, &first, &last)];
	reader.at = worker->data;
	reader.end = worker->data + record->bytes;
	reader.row = first;
	while ((count = record_get_row(&reader, size->words, worker->list_room, worker->list)) > 0) {
		uint64_t *decided;

		if (reader.row >= last)
			return refuse(error, "a journal of the build does not fit; empty the folder and build again");
		decided = stage->decided + layout_row_word(size, reader.row);
		for (uint32_t i = 0; i < count; i++)
			decided[worker->list[i] >> 6] |= (uint64_t)1 << (worker->list[i] & 63U);
		worker->total += count;
	}
	return MRL_OK;
}

/* Brings the memory to where it was before step `depth`. */
static enum mrl_status recall(const struct group *group, struct part *part, unsigned depth, struct mrl_error *error)
{
	enum mrl_status status = journal_cut(part->journal, depth, error);

	for (unsigned done = 0; done < depth && status == MRL_OK; done++) {
		size_t count;
		const struct journal_record *records = journal_records(part->journal, done, &count);

		for (size_t i = 0; i < count && status == MRL_OK; i++)
			status = recall_record(part, &records[i], error);
	}
	for (unsigned step = 2; step < depth && status == MRL_OK; step += 2)
		for (unsigned i = 0; i < part->stage.input_count && status == MRL_OK; i++)
			status = feed_input(group, part, i, step, false, error);
	part->decided = part->workers[0]->total;
	return status;
}

/* ---- The group ---------------------------------------------------------------------------------------------- */

static enum mrl_status run_step(const struct group *group, unsigned step, bool *news, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	*news = false;
	for (unsigned p = 0; p < group->parts; p++) {
		struct part *part = group->part[p];

		part->news = 0;
		for (unsigned i = 0; i < part->stage.input_count && status == MRL_OK; i++) {
			feed_clear(&part->stage.input[i], group->solve->threads);
			status = feed_input(group, part, i, step, true, error);
		}
		*news = *news || part->news > 0;
	}
	if (status != MRL_OK || (!*news && step > 1 && step > group->outside))
		return status;
	*news = true;
	for (unsigned p = 0; p < group->parts && status == MRL_OK; p++)
		status = work_depth(group, group->part[p], step, error);
	return status;
}

static enum mrl_status run_group(const struct group *group, struct mrl_error *error)
{
	unsigned depth = JOURNAL_MOST_DEPTHS;
	enum mrl_status status = MRL_OK;
	bool news = true;

	for (unsigned p = 0; p < group->parts; p++) {
		unsigned depths = journal_depths(group->part[p]->journal);

		depth = depths < depth ? depths : depth;
	}
	for (unsigned p = 0; p < group->parts && status == MRL_OK; p++)
		status = depth > 0 ? recall(group, group->part[p], depth, error)
				   : journal_cut(group->part[p]->journal, 0, error);
	if (depth == 0) {
		for (unsigned p = 0; p < group->parts && status == MRL_OK; p++)
			status = work_depth(group, group->part[p], 0, error);
		depth = 1;
	}
	while (status == MRL_OK && news)
		status = run_step(group, depth++, &news, error);
	for (unsigned p = 0; p < group->parts && status == MRL_OK; p++)
		status = journal_finish(group->part[p]->journal, group->solve->hasty, error);
	return status;
}

static unsigned last_outside_step(const struct group *group)
{
	unsigned last = 0;

	for (unsigned p = 0; p < group->parts; p++) {
		const struct part *part = group->part[p];

		for (unsigned i = 0; i < part->stage.input_count; i++) {
			unsigned steps = group->solve->distance ? journal_depths(part->from[i]) : 2;

			if (!part->inside[i] && steps > last)
				last = steps;
		}
	}
	return last;
}

enum mrl_status solve_group(struct solve *solve, unsigned number, struct mrl_error *error)
{
	const struct plan *plan = solve->plan;
	unsigned less = plan->groups[number].hand[0];
	unsigned more = plan->groups[number].hand[1];
	const struct plan_layer *layer[2] = {&plan->layers[less][more], &plan->layers[more][less]};
	struct group group = {.solve = solve, .kernels = kernels_best(solve->few != NULL)};
	enum mrl_status status = MRL_OK;

	for (unsigned turn = 0; turn < 2 && status == MRL_OK; turn++) {
		if (!layer[turn]->used || (turn == 1 && less == more))
			continue;
		status = part_new(&group.part[group.parts], solve, layer[turn], layer[turn ^ 1U], error);
		group.parts += status == MRL_OK;
	}
	if (status == MRL_OK) {
		group.outside = last_outside_step(&group);
		status = run_group(&group, error);
	}
	for (unsigned p = 0; p < group.parts; p++)
		part_free(group.part[p], solve->threads);
	return status;
}
