/* What the reading side of the tables shares: probing, counting, verifying. */
#ifndef MERELS_TABLES_TABLES_H
#define MERELS_TABLES_TABLES_H

#include <merels/table.h>

#include "plan.h"
#include "sectorfile.h"
#include "sets.h"

/* The index-th sector's file of one kind, opened at the first call. */
MRL_MUST_USE enum mrl_status tables_file(struct mrl_tables *tables, size_t index, enum sectorfile_kind kind,
					 const struct sectorfile_reader **reader, struct mrl_error *error);

/* What the files say of a cell; *unused when it is none of a position that is played on. */
MRL_MUST_USE enum mrl_status tables_read(struct mrl_tables *tables, size_t index, uint64_t cell,
					 struct mrl_table_value *value, bool *unused, struct mrl_error *error);

/* Whether the sector's values are left out of its file; false too when the file cannot be read. */
bool tables_left_out(struct mrl_tables *tables, size_t index);

/* The position of a cell; White to move, or Black where only Black can be. */
void tables_position(const struct mrl_tables *tables, size_t index, uint64_t cell, struct mrl_position *position);

/* The value of what stands in a file of values, or of distances. */
struct mrl_table_value tables_value(enum sectorfile_kind kind, unsigned cell);

struct sector tables_sector(const struct mrl_tables *tables, size_t index);
uint64_t tables_cells(const struct mrl_tables *tables, size_t index);

/* Cells with the same enemy men, which are next to each other. */
uint64_t tables_row_cells(const struct mrl_tables *tables, size_t index);

const struct sets *tables_sets(const struct mrl_tables *tables);
const struct mrl_rules *tables_rules(const struct mrl_tables *tables);

#endif
