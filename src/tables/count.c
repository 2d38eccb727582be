/* Counts what a sector holds. */
#include <stdlib.h>

#include <merels/builtins.h>
#include <merels/text.h>

#include "tables.h"

struct counting {
	struct mrl_tables *tables;
	const struct sets *sets;
	size_t index;
	uint32_t row_cells;
	unsigned free_points;
	struct mrl_table_sector *sector;
	uint64_t longest_cell;
	/* Of the row at hand. */
	uint32_t points;
	unsigned keep_count; /* symmetries of the enemy men */
	uint8_t keep[MRL_MAX_SYMMETRIES];
	uint32_t spread; /* the own men of the cell at hand */
};

static void begin_row(struct counting *counting, uint32_t row)
{
	uint32_t enemies = counting->sets->canon[counting->sector->enemy][row];

	counting->points = counting->sets->all & ~enemies;
	counting->keep_count = 1;
	if (sets_is_symmetric(counting->sets->entry[enemies]))
		counting->keep_count = sets_stabiliser(counting->sets, enemies, counting->keep);
	counting->spread = (UINT32_C(1) << counting->sector->own) - 1;
}

/* Of the spellings of one position in a row the smallest is counted. */
static bool is_first_spelling(const struct counting *counting)
{
	uint32_t own;

	if (counting->keep_count == 1)
		return true;
	own = mrl_deposit(counting->spread, counting->points);
	for (unsigned i = 1; i < counting->keep_count; i++)
		if (mrl_extract(sets_map(counting->sets, counting->keep[i], own), counting->points) < counting->spread)
			return false;
	return true;
}

static void add(struct counting *counting, uint64_t cell, struct mrl_table_value value)
{
	struct mrl_table_sector *sector = counting->sector;

	sector->positions++;
	sector->wins += value.result == MRL_TABLE_WIN;
	sector->draws += value.result == MRL_TABLE_DRAW;
	sector->losses += value.result == MRL_TABLE_LOSS;
	/* A game won in no ply is one that no turn leads to, docs/TABLES.md; it is no line. */
	if (mrl_tables_have_plies(counting->tables) && value.plies != MRL_TABLE_NO_PLIES &&
	    (value.plies > 0 || value.result == MRL_TABLE_LOSS) &&
	    (sector->longest == MRL_TABLE_NO_PLIES || value.plies > sector->longest)) {
		sector->longest = value.plies;
		counting->longest_cell = cell;
	}
}

/* A position that is over already, which its file has no value for. */
static struct mrl_table_value over(const struct counting *counting, uint64_t cell)
{
	struct mrl_table_value value = {MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
	struct mrl_position position;

	tables_position(counting->tables, counting->index, cell, &position);
	if (mrl_tables_probe(counting->tables, &position, &value, NULL) != MRL_OK)
		value.result = MRL_TABLE_DRAW;
	return value;
}

static void count_block(struct counting *counting, uint64_t first, uint32_t count, const uint8_t *values,
			const uint8_t *plies, unsigned plies_bits)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t cell = first + i;
		unsigned stored = sectorfile_cell(values, 2, i);
		struct mrl_table_value value = tables_value(SECTORFILE_VALUES, stored);

		if (cell % counting->row_cells == 0)
			begin_row(counting, (uint32_t)(cell / counting->row_cells));
		if (plies != NULL && value.result != MRL_TABLE_DRAW)
			value.plies = tables_value(SECTORFILE_DISTANCES, sectorfile_cell(plies, plies_bits, i)).plies;
		if (stored == SECTORFILE_UNUSED)
			value = over(counting, cell);
		if (is_first_spelling(counting))
			add(counting, cell, value);
		if (counting->spread != 0)
			counting->spread = sets_next(counting->spread);
	}
}

static enum mrl_status count_blocks(struct counting *counting, const struct sectorfile_reader *values,
				    const struct sectorfile_reader *plies, struct mrl_error *error)
{
	const struct sectorfile_head *head = sectorfile_head_of(values);
	uint8_t *value_cells = malloc(sectorfile_block_bytes(values));
	uint8_t *plies_cells = plies != NULL ? malloc(sectorfile_block_bytes(plies)) : NULL;
	struct sectorfile_desk *desk = sectorfile_desk_new();
	enum mrl_status status = MRL_OK;

	if (desk == NULL || value_cells == NULL || (plies != NULL && plies_cells == NULL)) {
		struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

		mrl_text_add(&text, "there is not enough memory to read the tables");
		status = MRL_SYSTEM;
	}
	for (uint32_t block = 0; block < head->blocks && status == MRL_OK; block++) {
		uint64_t first = (uint64_t)block * SECTORFILE_BLOCK_CELLS;
		uint64_t left = head->cells - first;

		status = sectorfile_block(values, block, desk, value_cells, error);
		if (status == MRL_OK && plies != NULL)
			status = sectorfile_block(plies, block, desk, plies_cells, error);
		if (status == MRL_OK)
			count_block(counting, first,
				    (uint32_t)(left < SECTORFILE_BLOCK_CELLS ? left : SECTORFILE_BLOCK_CELLS),
				    value_cells, plies_cells, plies != NULL ? sectorfile_head_of(plies)->bits : 8);
	}
	sectorfile_desk_free(desk);
	free(value_cells);
	free(plies_cells);
	return status;
}

/* A sector whose cells are left out: each is asked for. */
static enum mrl_status count_left_out(struct counting *counting, struct mrl_error *error)
{
	uint64_t cells = tables_cells(counting->tables, counting->index);
	enum mrl_status status = MRL_OK;

	for (uint64_t cell = 0; cell < cells && status == MRL_OK; cell++) {
		struct mrl_table_value value;
		bool unused;

		if (cell % counting->row_cells == 0)
			begin_row(counting, (uint32_t)(cell / counting->row_cells));
		if (is_first_spelling(counting)) {
			status = tables_read(counting->tables, counting->index, cell, &value, &unused, error);
			if (status == MRL_OK)
				add(counting, cell, value);
		}
		if (counting->spread != 0)
			counting->spread = sets_next(counting->spread);
	}
	return status;
}

static void take_counts(struct counting *counting, const struct sectorfile_counts *counts)
{
	struct mrl_table_sector *sector = counting->sector;

	sector->positions = counts->positions;
	sector->wins = counts->wins;
	sector->draws = counts->draws;
	sector->losses = counts->losses;
	sector->longest = counts->longest == UINT32_MAX ? MRL_TABLE_NO_PLIES : counts->longest;
	counting->longest_cell = counts->longest_cell;
}

enum mrl_status mrl_tables_count(struct mrl_tables *tables, size_t index, bool recount, struct mrl_table_sector *sector,
				 struct mrl_error *error)
{
	const struct sectorfile_reader *values = NULL;
	const struct sectorfile_reader *plies = NULL;
	struct sector about = tables_sector(tables, index);
	struct counting counting = {.tables = tables, .sets = tables_sets(tables), .index = index, .sector = sector};
	enum mrl_status status = tables_file(tables, index, SECTORFILE_VALUES, &values, error);

	if (status == MRL_OK && mrl_tables_have_plies(tables))
		status = tables_file(tables, index, SECTORFILE_DISTANCES, &plies, error);
	if (status != MRL_OK)
		return status;
	*sector = (struct mrl_table_sector){.own = about.own,
					    .enemy = about.enemy,
					    .own_hand = about.own_hand,
					    .enemy_hand = about.enemy_hand,
					    .longest = MRL_TABLE_NO_PLIES,
					    .value_bytes = sectorfile_head_of(values)->file_bytes};
	if (plies != NULL)
		sector->plies_bytes = sectorfile_head_of(plies)->file_bytes;
	counting.free_points = counting.sets->points - about.enemy;
	counting.row_cells = counting.sets->choose[counting.free_points][about.own];
	sector->left_out = sectorfile_head_of(values)->blocks == 0;
	if (!recount)
		take_counts(&counting, &sectorfile_head_of(plies != NULL ? plies : values)->counts);
	else if (sector->left_out)
		status = count_left_out(&counting, error);
	else
		status = count_blocks(&counting, values, plies, error);
	if (status == MRL_OK && sector->longest != MRL_TABLE_NO_PLIES)
		tables_position(tables, index, counting.longest_cell, &sector->longest_position);
	return status;
}
