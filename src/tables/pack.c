/*
 * A file has its cells row by row, the rows in the order of the classes of the enemy men, and in a row the sets of own
 * men in ascending spread order. A journal has the same rows in tiles, by depth; so a tile is put together from all
 * depths, then its rows are written to the files of all numbers of own men.
 */
#include "pack.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>

#include "crew.h"
#include "layout.h"
#include "record.h"
#include "sectorfile.h"
#include "stage.h"

/* How hard zstd works: higher gains little here. */
enum { LEVEL_VALUES = 9, LEVEL_DISTANCES = 3 };

/* The files of one number of own men. */
struct output {
	unsigned own;
	struct sectorfile_writer *values;
	struct sectorfile_writer *plies;
	uint32_t *order; /* the sets, ascending */
	uint32_t *place; /* where in a row each is: `order` itself, but with numbers of few.h */
	uint32_t cells;  /* of a row */
	struct sectorfile_counts counts;
};

/* The rows of one number of enemies. */
struct job {
	const struct solve *solve;
	const struct plan_layer *layer;
	const char *folder;
	const struct journal *journal;
	const struct layout *layout;
	unsigned enemies;
	struct output outputs[SETS_MAX_POINTS + 1];
	unsigned output_count;
	uint16_t *depths; /* of a tile: 0, or the depth and 1 */
	uint16_t *values; /* cells of a row on their way */
	uint16_t *plies;
	uint32_t *bits;
	uint32_t bits_room;
	uint8_t *data;
};

static enum mrl_status refuse(struct mrl_error *error, const char *what)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, what);
	return MRL_SYSTEM;
}

static bool exists(const char *folder, struct sector sector, enum sectorfile_kind kind)
{
	char name[SECTORFILE_NAME_SIZE];
	size_t size = strlen(folder) + sizeof(name) + 1;
	char *path = malloc(size);
	bool there;

	if (path == NULL)
		return false;
	sectorfile_name(sector, kind, name);
	(void)snprintf(path, size, "%s/%s", folder, name);
	there = mrl_disk_exists(path);
	free(path);
	return there;
}

static enum mrl_status file_missing(const struct solve *solve, struct sector sector, enum sectorfile_kind kind,
				    const char *folder, bool *missing, struct mrl_error *error)
{
	struct sectorfile_reader *reader;
	enum mrl_status status;

	if (!exists(folder, sector, kind)) {
		*missing = true;
		return MRL_OK;
	}
	status = sectorfile_open(&reader, folder, solve->plan, sector, kind, error);
	if (status == MRL_NAME)
		return status;
	if (status != MRL_OK) {
		*missing = true;
		return MRL_OK;
	}
	*missing = *missing || (sectorfile_head_of(reader)->blocks == 0 && !solve->half);
	sectorfile_close(reader);
	return MRL_OK;
}

enum mrl_status pack_missing(const struct solve *solve, struct sector sector, const char *folder, bool *missing,
			     struct mrl_error *error)
{
	enum mrl_status status;

	*missing = false;
	status = file_missing(solve, sector, SECTORFILE_VALUES, folder, missing, error);
	if (status == MRL_OK && solve->distance)
		status = file_missing(solve, sector, SECTORFILE_DISTANCES, folder, missing, error);
	return status;
}

static enum mrl_status open_output(struct job *job, unsigned own, struct mrl_error *error)
{
	const struct solve *solve = job->solve;
	struct output *output = &job->outputs[job->output_count++];
	unsigned free_points = solve->sets->points - job->enemies;
	struct sectorfile_head head = {
	    .sector = {(uint8_t)own, (uint8_t)job->enemies, job->layer->own_hand, job->layer->enemy_hand}};
	bool left_out = solve->half && plan_may_leave_out(solve->plan, head.sector);
	bool no_values = false;
	bool no_plies = false;
	enum mrl_status status = file_missing(solve, head.sector, SECTORFILE_VALUES, job->folder, &no_values, error);

	if (status == MRL_OK && solve->distance)
		status = file_missing(solve, head.sector, SECTORFILE_DISTANCES, job->folder, &no_plies, error);
	output->own = own;
	output->counts.longest = UINT32_MAX;
	output->cells = solve->sets->choose[free_points][own];
	output->order = malloc((output->cells + 1U) * sizeof(uint32_t));
	output->place = solve->few == NULL ? output->order : malloc((output->cells + 1U) * sizeof(uint32_t));
	if (output->order == NULL || output->place == NULL)
		return refuse(error, "there is not enough memory to write the tables");
	for (uint32_t i = 0, set = (UINT32_C(1) << own) - 1; i < output->cells; i++) {
		output->order[i] = set;
		if (solve->few != NULL)
			output->place[i] = solve->few->row[job->enemies].first[own] + i;
		if (i + 1 < output->cells)
			set = sets_next(set);
	}
	head.cells = (uint64_t)output->cells * solve->sets->count[job->enemies];
	head.kind = SECTORFILE_VALUES;
	head.bits = 2;
	if (status == MRL_OK && no_values)
		status =
		    sectorfile_write(&output->values, job->folder, solve->plan, &head, left_out, LEVEL_VALUES, error);
	head.kind = SECTORFILE_DISTANCES;
	head.bits = journal_depths(job->journal) <= 255 ? 8 : 16;
	if (status == MRL_OK && no_plies)
		status =
		    sectorfile_write(&output->plies, job->folder, solve->plan, &head, left_out, LEVEL_DISTANCES, error);
	return status;
}

/* The record of a tile at a depth, or NULL. */
static const struct journal_record *find_record(const struct journal *journal, unsigned depth, uint32_t tile)
{
	size_t count;
	const struct journal_record *records = journal_records(journal, depth, &count);
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (records[middle].tile == tile)
			return &records[middle];
		if (records[middle].tile < tile)
			low = middle + 1;
		else
			count = middle;
	}
	return NULL;
}

static enum mrl_status read_tile(struct job *job, uint32_t tile, uint32_t first, uint32_t last, struct mrl_error *error)
{
	const struct layout_size *size = &job->layout->size[job->enemies];

	memset(job->depths, 0, (size_t)(last - first) * size->words * 64 * sizeof(uint16_t));
	for (unsigned depth = 0; depth < journal_depths(job->journal); depth++) {
		const struct journal_record *record = find_record(job->journal, depth, tile);
		struct record_reader reader = {.at = job->data, .row = first};
		enum mrl_status status;
		uint32_t count;

		if (record == NULL)
			continue;
		status = journal_read(job->journal, record, job->data, error);
		if (status != MRL_OK)
			return status;
		reader.end = job->data + record->bytes;
		while ((count = record_get_row(&reader, size->words, job->bits_room, job->bits)) > 0) {
			uint16_t *row = job->depths + (size_t)(reader.row - first) * size->words * 64;

			if (reader.row >= last)
				return refuse(error, "a journal of the build is damaged");
			for (uint32_t i = 0; i < count; i++)
				row[job->bits[i]] = (uint16_t)(depth + 1);
		}
		if (reader.bad)
			return refuse(error, "a journal of the build is damaged");
	}
	return MRL_OK;
}

/* Where mills win, a position in which one stands is over and not played on. */
static bool is_over(const struct job *job, uint32_t enemies, uint32_t own)
{
	const struct mrl_board *board = &job->solve->rules->board;

	return job->solve->rules->mill_wins &&
	       (mrl_points_in_mills(board, enemies) != 0 ||
		mrl_points_in_mills(board, mrl_deposit(own, job->solve->sets->all & ~enemies)) != 0);
}

/* What a position that is over is worth: a cell of distances. */
static unsigned over_plies(const struct job *job, uint32_t enemies)
{
	/* A mill of the enemy has lost the game; one of one's own, which no turn leads to, counts as won in no ply. */
	return mrl_points_in_mills(&job->solve->rules->board, enemies) != 0 ? 1 : 0;
}

static void count_cell(const struct job *job, struct output *output, uint64_t cell, unsigned plies, unsigned value)
{
	struct sectorfile_counts *counts = &output->counts;

	counts->positions++;
	counts->wins += value == SECTORFILE_WIN;
	counts->draws += value == SECTORFILE_DRAW;
	counts->losses += value == SECTORFILE_LOSS;
	if (job->solve->distance && plies > 0 && (counts->longest == UINT32_MAX || plies - 1 > counts->longest)) {
		counts->longest = plies - 1;
		counts->longest_cell = cell;
	}
}

/* The symmetries of a row's enemy men; a position with several spellings in the row is counted by its smallest. */
struct row_symmetries {
	unsigned count;
	uint8_t keep[MRL_MAX_SYMMETRIES];
	uint32_t points;
};

static struct row_symmetries symmetries_of(const struct sets *sets, uint32_t enemies)
{
	struct row_symmetries symmetries = {.count = 1, .points = sets->all & ~enemies};

	if (sets_is_symmetric(sets->entry[enemies]))
		symmetries.count = sets_stabiliser(sets, enemies, symmetries.keep);
	return symmetries;
}

static bool is_first_spelling(const struct sets *sets, const struct row_symmetries *symmetries, uint32_t spread)
{
	uint32_t own = symmetries->count > 1 ? mrl_deposit(spread, symmetries->points) : 0;

	for (unsigned i = 1; i < symmetries->count; i++)
		if (mrl_extract(sets_map(sets, symmetries->keep[i], own), symmetries->points) < spread)
			return false;
	return true;
}

/* The cells of a row in which every one is a position of its own that is played on: nearly all rows. */
static void fill_plain(struct job *job, struct output *output, uint64_t first, const uint16_t *depths)
{
	static const uint8_t values[3] = {SECTORFILE_DRAW, SECTORFILE_LOSS, SECTORFILE_WIN};
	struct sectorfile_counts *counts = &output->counts;
	uint32_t found[4] = {0};
	unsigned longest = 0;
	uint32_t longest_at = 0;

	for (uint32_t i = 0; i < output->cells; i++) {
		unsigned depth = depths[output->place[i]];
		unsigned value = values[depth == 0 ? 0 : 2U - (depth & 1U)];

		job->plies[i] = (uint16_t)depth;
		job->values[i] = (uint16_t)value;
		found[value]++;
		if (depth > longest) {
			longest = depth;
			longest_at = i;
		}
	}
	counts->positions += output->cells;
	counts->wins += found[SECTORFILE_WIN];
	counts->draws += found[SECTORFILE_DRAW];
	counts->losses += found[SECTORFILE_LOSS];
	if (job->solve->distance && longest > 0 && (counts->longest == UINT32_MAX || longest - 1 > counts->longest)) {
		counts->longest = longest - 1;
		counts->longest_cell = first + longest_at;
	}
}

static void fill_with_care(struct job *job, struct output *output, uint64_t first, const uint16_t *depths,
			   uint32_t enemies, const struct row_symmetries *symmetries)
{
	const struct sets *sets = job->solve->sets;

	for (uint32_t i = 0; i < output->cells; i++) {
		unsigned depth = depths[output->place[i]];
		unsigned value = depth == 0 ? SECTORFILE_DRAW : depth % 2 == 0 ? SECTORFILE_WIN : SECTORFILE_LOSS;

		job->plies[i] = (uint16_t)depth;
		job->values[i] = (uint16_t)value;
		if (mrl_unlikely(job->solve->rules->mill_wins) && is_over(job, enemies, output->order[i])) {
			job->values[i] = SECTORFILE_UNUSED;
			depth = over_plies(job, enemies);
			value = depth == 0 ? SECTORFILE_WIN : SECTORFILE_LOSS;
		}
		if (is_first_spelling(sets, symmetries, output->order[i]))
			count_cell(job, output, first + i, depth, value);
	}
}

static enum mrl_status write_row(struct job *job, struct output *output, uint32_t row, const uint16_t *depths,
				 struct mrl_error *error)
{
	const struct sets *sets = job->solve->sets;
	uint32_t enemies = sets->canon[job->enemies][row];
	struct row_symmetries symmetries = symmetries_of(sets, enemies);
	uint64_t first = (uint64_t)row * output->cells;
	enum mrl_status status = MRL_OK;

	if (symmetries.count == 1 && !job->solve->rules->mill_wins)
		fill_plain(job, output, first, depths);
	else
		fill_with_care(job, output, first, depths, enemies, &symmetries);
	if (output->values != NULL)
		status = sectorfile_append(output->values, job->values, output->cells, error);
	if (status == MRL_OK && output->plies != NULL)
		status = sectorfile_append(output->plies, job->plies, output->cells, error);
	return status;
}

static enum mrl_status write_tiles(struct job *job, struct mrl_error *error)
{
	const struct layout_size *size = &job->layout->size[job->enemies];
	uint32_t tiles = (size->rows + size->rows_a_tile - 1) / size->rows_a_tile;
	enum mrl_status status = MRL_OK;

	for (uint32_t tile = size->first_tile; tile < size->first_tile + tiles && status == MRL_OK; tile++) {
		uint32_t first;
		uint32_t last;

		(void)layout_tile(job->layout, tile, &first, &last);
		status = read_tile(job, tile, first, last, error);
		for (uint32_t row = first; row < last && status == MRL_OK; row++)
			for (unsigned i = 0; i < job->output_count && status == MRL_OK; i++)
				status = write_row(job, &job->outputs[i], row,
						   job->depths + (size_t)(row - first) * size->words * 64, error);
		if (status == MRL_OK && job->solve->watch != NULL &&
		    job->solve->watch(job->solve->context, job->layer, UINT32_MAX, 0))
			status = MRL_STOPPED;
	}
	return status;
}

static enum mrl_status open_job(struct job *job, struct mrl_error *error)
{
	const struct layout_size *size = &job->layout->size[job->enemies];
	uint32_t rows = size->rows_a_tile < size->rows ? size->rows_a_tile : size->rows;
	uint32_t most = 1;
	enum mrl_status status = MRL_OK;

	for (uint32_t owns = job->layer->owns[job->enemies]; owns != 0 && status == MRL_OK; owns &= owns - 1) {
		struct sector sector = {(uint8_t)mrl_lowest(owns), (uint8_t)job->enemies, job->layer->own_hand,
					job->layer->enemy_hand};

		bool missing;

		status = pack_missing(job->solve, sector, job->folder, &missing, error);
		if (status == MRL_OK && !missing)
			continue;
		if (status == MRL_OK)
			status = open_output(job, sector.own, error);
		if (status == MRL_OK && job->outputs[job->output_count - 1].cells > most)
			most = job->outputs[job->output_count - 1].cells;
	}
	if (status != MRL_OK || job->output_count == 0)
		return status;
	job->depths = malloc((size_t)rows * size->words * 64 * sizeof(uint16_t));
	job->values = malloc(most * sizeof(uint16_t));
	job->plies = malloc(most * sizeof(uint16_t));
	job->bits_room = stage_row_most(job->solve->sets, job->layer, job->enemies);
	job->bits = malloc((job->bits_room + 1U) * sizeof(uint32_t));
	job->data = malloc(journal_largest(job->journal) + 1U);
	if (job->depths == NULL || job->values == NULL || job->plies == NULL || job->bits == NULL || job->data == NULL)
		return refuse(error, "there is not enough memory to write the tables");
	return MRL_OK;
}

/* Puts the files in place, or gives them up. */
static enum mrl_status close_job(struct job *job, enum mrl_status status, struct mrl_error *error)
{
	for (unsigned i = 0; i < job->output_count; i++) {
		struct output *output = &job->outputs[i];

		/* Values last: a sector counts as done by both. */
		if (output->plies != NULL && status == MRL_OK) {
			status = sectorfile_finish(output->plies, &output->counts, job->solve->hasty, error);
			output->plies = NULL;
		}
		if (output->values != NULL && status == MRL_OK) {
			status = sectorfile_finish(output->values, &output->counts, job->solve->hasty, error);
			output->values = NULL;
		}
		sectorfile_abandon(output->plies);
		sectorfile_abandon(output->values);
		if (output->place != output->order)
			free(output->place);
		free(output->order);
	}
	free(job->depths);
	free(job->values);
	free(job->plies);
	free(job->bits);
	free(job->data);
	return status;
}

struct packing {
	struct job job;                     /* the template */
	uint32_t left[SETS_MAX_POINTS + 1]; /* numbers of enemies still to do, the longest first */
	unsigned count;
	atomic_uint next;
	atomic_bool failed;
	enum mrl_status status[CREW_MOST];
	struct mrl_error error[CREW_MOST];
};

static void pack_jobs(void *context, unsigned number)
{
	struct packing *packing = context;

	while (!atomic_load(&packing->failed)) {
		unsigned next = atomic_fetch_add(&packing->next, 1);
		struct job job = packing->job;
		enum mrl_status status;

		if (next >= packing->count)
			return;
		job.enemies = packing->left[next];
		status = open_job(&job, &packing->error[number]);
		if (status == MRL_OK && job.output_count > 0)
			status = write_tiles(&job, &packing->error[number]);
		status = close_job(&job, status, &packing->error[number]);
		packing->status[number] = status;
		if (status != MRL_OK)
			atomic_store(&packing->failed, true);
	}
}

enum mrl_status pack_layer(const struct solve *solve, const struct plan_layer *layer, const char *folder,
			   struct mrl_error *error)
{
	struct packing *packing = calloc(1, sizeof(*packing));
	struct layout *layout = malloc(sizeof(*layout));
	enum mrl_status status = MRL_OK;

	if (packing == NULL || layout == NULL) {
		free(packing);
		free(layout);
		return refuse(error, "there is not enough memory to write the tables");
	}
	layout_init(layout, solve->sets, solve_sizes_enemy(layer), solve->few);
	packing->job.solve = solve;
	packing->job.layer = layer;
	packing->job.folder = folder;
	packing->job.layout = layout;
	packing->job.journal = solve->journals[layer->own_hand][layer->enemy_hand];
	/* Many enemies make the most rows. */
	for (unsigned enemies = SETS_MAX_POINTS + 1; enemies-- > 0;)
		if (layer->owns[enemies] != 0)
			packing->left[packing->count++] = enemies;
	crew_run(solve->threads, pack_jobs, packing);
	for (unsigned i = 0; i < solve->threads && status == MRL_OK; i++) {
		status = packing->status[i];
		if (status != MRL_OK && error != NULL)
			*error = packing->error[i];
	}
	free(packing);
	free(layout);
	return status;
}
