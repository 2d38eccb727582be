/* Opens a folder of tables and looks positions up. */
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <merels/text.h>
#include <os/disk.h>
#include <os/thread.h>

#include "cache.h"
#include "derive.h"
#include "endings.h"
#include "tables.h"

/* A sector and its files: 0 values, 1 distances. */
struct place {
	struct sector sector;
	struct sectorfile_reader *reader[2];
};

struct mrl_tables {
	const struct mrl_rules *rules;
	struct plan plan;
	struct mrl_endings endings; /* 0 against 0: all positions */
	struct sets *sets;
	char *folder;
	struct cache *cache;
	struct mrl_monitor *opening;
	struct place *places;
	size_t count;
	bool plies;
	/* The index of each sector, by hands and men; UINT32_MAX for none. */
	uint32_t *index;
};

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory to read the tables");
	return MRL_SYSTEM;
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

enum { SIDE = MRL_MAX_MEN + 1 };

static size_t index_of(struct sector sector)
{
	return ((size_t)sector.own_hand * SIDE + sector.enemy_hand) * SIDE * SIDE + (size_t)sector.own * SIDE +
	       sector.enemy;
}

static enum mrl_status list_sectors(struct mrl_tables *tables, struct mrl_error *error)
{
	size_t indices = (size_t)SIDE * SIDE * SIDE * SIDE;
	struct sector sector;

	tables->places = calloc(tables->plan.sector_count, sizeof(*tables->places));
	tables->index = malloc(indices * sizeof(uint32_t));
	if (tables->places == NULL || tables->index == NULL)
		return no_memory(error);
	mrl_fill(tables->index, 255, indices * sizeof(uint32_t));
	for (; plan_sector(&tables->plan, (uint32_t)tables->count, &sector); tables->count++) {
		tables->places[tables->count].sector = sector;
		tables->index[index_of(sector)] = (uint32_t)tables->count;
	}
	return MRL_OK;
}

/* Endings are whole when their folder says what they are; the files are few. */
static enum mrl_status check_endings(struct mrl_tables *tables, struct mrl_error *error)
{
	const struct sectorfile_reader *reader;
	enum mrl_status status = MRL_OK;

	tables->plies = true;
	for (size_t i = 0; i < tables->count && status == MRL_OK; i++) {
		status = tables_file(tables, i, SECTORFILE_VALUES, &reader, error);
		if (status == MRL_OK && tables_file(tables, i, SECTORFILE_DISTANCES, &reader, NULL) != MRL_OK)
			tables->plies = false;
	}
	return status;
}

/* The start's own sector is the last that a build writes, so it tells whether the tables are whole. */
static enum mrl_status check_whole(struct mrl_tables *tables, struct mrl_error *error)
{
	const struct sectorfile_reader *reader;
	enum mrl_status status = tables_file(tables, tables->count - 1, SECTORFILE_VALUES, &reader, error);

	if (status != MRL_OK)
		return status;
	tables->plies = tables_file(tables, tables->count - 1, SECTORFILE_DISTANCES, &reader, NULL) == MRL_OK;
	return MRL_OK;
}

enum mrl_status mrl_tables_open(struct mrl_tables **made, const char *folder, const struct mrl_rules *rules,
				size_t cache, struct mrl_error *error)
{
	struct mrl_tables *tables = calloc(1, sizeof(*tables));
	enum mrl_status status = MRL_OK;

	if (tables == NULL)
		return no_memory(error);
	tables->rules = rules;
	tables->folder = malloc(strlen(folder) + 1);
	tables->cache = cache_new(cache);
	tables->opening = mrl_monitor_new();
	if (tables->folder == NULL || tables->cache == NULL || tables->opening == NULL)
		status = no_memory(error);
	if (status == MRL_OK) {
		memcpy(tables->folder, folder, strlen(folder) + 1);
		status = endings_read(folder, rules, &tables->endings, error);
	}
	if (status == MRL_OK) {
		if (tables->endings.men > 0)
			plan_init_endings(&tables->plan, rules, tables->endings.men, tables->endings.against);
		else
			plan_init(&tables->plan, rules);
		status = list_sectors(tables, error);
	}
	if (status == MRL_OK)
		status = tables->endings.men > 0 ? check_endings(tables, error) : check_whole(tables, error);
	if (status == MRL_OK)
		status = sets_new(&tables->sets, &rules->board, tables->plan.largest, error);
	if (status != MRL_OK) {
		mrl_tables_close(tables);
		return status;
	}
	*made = tables;
	return MRL_OK;
}

void mrl_tables_close(struct mrl_tables *tables)
{
	if (tables == NULL)
		return;
	for (size_t i = 0; i < tables->count; i++) {
		sectorfile_close(tables->places[i].reader[0]);
		sectorfile_close(tables->places[i].reader[1]);
	}
	free(tables->places);
	free(tables->index);
	free(tables->folder);
	cache_free(tables->cache);
	mrl_monitor_free(tables->opening);
	sets_free(tables->sets);
	free(tables);
}

struct mrl_endings mrl_tables_endings(const struct mrl_tables *tables)
{
	return tables->endings;
}

enum mrl_status mrl_tables_check(struct mrl_tables *tables, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	for (size_t i = 0; i < tables->count && status == MRL_OK; i++) {
		const struct sectorfile_reader *reader;

		status = tables_file(tables, i, SECTORFILE_VALUES, &reader, error);
		if (status == MRL_OK)
			status = sectorfile_check(reader, error);
		if (status == MRL_OK && tables->plies)
			status = tables_file(tables, i, SECTORFILE_DISTANCES, &reader, error);
		if (status == MRL_OK && tables->plies)
			status = sectorfile_check(reader, error);
	}
	return status;
}

bool mrl_tables_have_plies(const struct mrl_tables *tables)
{
	return tables->plies;
}

size_t mrl_tables_sectors(const struct mrl_tables *tables)
{
	return tables->count;
}

/* ---- For the rest of the room ------------------------------------------------------------------------------- */

struct sector tables_sector(const struct mrl_tables *tables, size_t index)
{
	return tables->places[index].sector;
}

const struct sets *tables_sets(const struct mrl_tables *tables)
{
	return tables->sets;
}

const struct mrl_rules *tables_rules(const struct mrl_tables *tables)
{
	return tables->rules;
}

uint64_t tables_row_cells(const struct mrl_tables *tables, size_t index)
{
	struct sector sector = tables->places[index].sector;

	return tables->sets->choose[tables->sets->points - sector.enemy][sector.own];
}

uint64_t tables_cells(const struct mrl_tables *tables, size_t index)
{
	return tables->sets->count[tables->places[index].sector.enemy] * tables_row_cells(tables, index);
}

enum mrl_status tables_file(struct mrl_tables *tables, size_t index, enum sectorfile_kind kind,
			    const struct sectorfile_reader **reader, struct mrl_error *error)
{
	struct place *place = &tables->places[index];
	struct sectorfile_reader **known = &place->reader[kind == SECTORFILE_DISTANCES];
	enum mrl_status status = MRL_OK;

	mrl_monitor_enter(tables->opening);
	if (*known == NULL)
		status = sectorfile_open(known, tables->folder, &tables->plan, place->sector, kind, error);
	*reader = *known;
	mrl_monitor_leave(tables->opening);
	return status;
}

struct mrl_table_value tables_value(enum sectorfile_kind kind, unsigned cell)
{
	struct mrl_table_value value = {MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};

	if (kind == SECTORFILE_VALUES) {
		value.result = cell == SECTORFILE_WIN    ? MRL_TABLE_WIN
			       : cell == SECTORFILE_LOSS ? MRL_TABLE_LOSS
							 : MRL_TABLE_DRAW;
	} else if (cell > 0) {
		value.plies = cell - 1;
		value.result = value.plies % 2 == 1 ? MRL_TABLE_WIN : MRL_TABLE_LOSS;
	}
	return value;
}

bool tables_left_out(struct mrl_tables *tables, size_t index)
{
	const struct sectorfile_reader *reader;

	return tables_file(tables, index, SECTORFILE_VALUES, &reader, NULL) == MRL_OK &&
	       sectorfile_head_of(reader)->blocks == 0;
}

enum mrl_status tables_read(struct mrl_tables *tables, size_t index, uint64_t cell, struct mrl_table_value *value,
			    bool *unused, struct mrl_error *error)
{
	const struct sectorfile_reader *reader;
	unsigned stored;
	enum mrl_status status = tables_file(tables, index, SECTORFILE_VALUES, &reader, error);

	if (status == MRL_OK && sectorfile_head_of(reader)->blocks == 0) {
		struct mrl_position position;

		tables_position(tables, index, cell, &position);
		*unused = false;
		return derive_value(tables, tables->rules, &position, value, error);
	}
	if (status == MRL_OK)
		status = cache_cell(tables->cache, (uint32_t)index * 2, reader, cell, &stored, error);
	if (status != MRL_OK)
		return status;
	*unused = stored == SECTORFILE_UNUSED;
	*value = tables_value(SECTORFILE_VALUES, stored);
	if (!tables->plies || value->result == MRL_TABLE_DRAW)
		return MRL_OK;
	status = tables_file(tables, index, SECTORFILE_DISTANCES, &reader, error);
	if (status == MRL_OK)
		status = cache_cell(tables->cache, (uint32_t)index * 2 + 1, reader, cell, &stored, error);
	if (status == MRL_OK)
		value->plies = tables_value(SECTORFILE_DISTANCES, stored).plies;
	return status;
}

void tables_position(const struct mrl_tables *tables, size_t index, uint64_t cell, struct mrl_position *position)
{
	const struct sets *sets = tables->sets;
	struct sector sector = tables->places[index].sector;
	unsigned free_points = sets->points - sector.enemy;
	uint32_t row_cells = sets->choose[free_points][sector.own];
	uint32_t enemies = sets->canon[sector.enemy][cell / row_cells];
	uint32_t own = sets_unrank(sets, free_points, sector.own, (uint32_t)(cell % row_cells));
	unsigned side;

	/* Without move-early the one with more men in hand is Black, to move. */
	side = sector.own_hand > sector.enemy_hand && !tables->rules->move_early ? MRL_BLACK : MRL_WHITE;
	*position = (struct mrl_position){.side = (uint8_t)side};
	position->men[side] = mrl_deposit(own, sets->all & ~enemies);
	position->men[side ^ 1U] = enemies;
	position->hand[side] = sector.own_hand;
	position->hand[side ^ 1U] = sector.enemy_hand;
	position->hash = mrl_position_hash(tables->rules, position);
}

/* ---- Probing ------------------------------------------------------------------------------------------------ */

static enum mrl_status not_known(struct mrl_endings endings, struct mrl_error *error)
{
	if (error == NULL) /* a search asks often */
		return MRL_MISSING;
	struct mrl_text text = mrl_error_open(error, MRL_MISSING, 0, 0);

	mrl_text_add(&text,
		     "the tables do not have the position: they know but endings without men in hand, of at most ");
	mrl_text_number(&text, endings.men);
	mrl_text_add(&text, " men against ");
	mrl_text_number(&text, endings.against);
	return MRL_MISSING;
}

static enum mrl_status cannot_occur(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_POSITION, 0, 0);

	mrl_text_add(&text,
		     "the tables have no such position: so many men on the board and in hand cannot come of a game");
	return MRL_POSITION;
}

static uint64_t cell_of(const struct mrl_tables *tables, const struct mrl_position *position)
{
	const struct sets *sets = tables->sets;
	uint32_t own = (uint32_t)position->men[position->side];
	uint32_t enemies = (uint32_t)position->men[position->side ^ 1U];
	uint32_t entry = sets->entry[enemies];
	uint32_t free_points = sets->all & ~sets_canonical(sets, enemies);
	uint32_t spread = mrl_extract(sets_map(sets, sets_symmetry(entry), own), free_points);

	return (uint64_t)sets_class(entry) * sets->choose[mrl_popcount(free_points)][mrl_popcount(own)] +
	       sets_rank(sets, spread);
}

/* Whether the men are more than endings have; most positions that a search asks for are told by that. */
static bool is_no_ending(const struct mrl_tables *tables, struct sector sector)
{
	return tables->endings.men > 0 && (sector.own_hand > 0 || sector.enemy_hand > 0 ||
					   sector.own > tables->endings.men || sector.enemy > tables->endings.men);
}

enum mrl_status mrl_tables_probe(struct mrl_tables *tables, const struct mrl_position *position,
				 struct mrl_table_value *value, struct mrl_error *error)
{
	struct mrl_verdict verdict;
	unsigned side = position->side;
	struct sector sector = {(uint8_t)mrl_popcount(position->men[side]),
				(uint8_t)mrl_popcount(position->men[side ^ 1U]), position->hand[side],
				position->hand[side ^ 1U]};
	uint32_t index;
	bool unused;

	if (is_no_ending(tables, sector))
		return not_known(tables->endings, error);
	verdict = mrl_men_verdict(tables->rules, position);
	if (verdict.outcome != MRL_ONGOING) {
		bool won = verdict.outcome == (side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS);

		*value = verdict.outcome == MRL_DRAW
			     ? (struct mrl_table_value){MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES}
			     : (struct mrl_table_value){won ? MRL_TABLE_WIN : MRL_TABLE_LOSS, 0};
		return MRL_OK;
	}
	if (sector.own_hand > MRL_MAX_MEN || sector.enemy_hand > MRL_MAX_MEN || sector.own > MRL_MAX_MEN ||
	    sector.enemy > MRL_MAX_MEN)
		return cannot_occur(error);
	index = tables->index[index_of(sector)];
	if (index == UINT32_MAX)
		return tables->endings.men > 0 ? not_known(tables->endings, error) : cannot_occur(error);
	return tables_read(tables, index, cell_of(tables, position), value, &unused, error);
}
