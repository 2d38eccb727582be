/*
 * A file of one sector: its values or its distances. docs/TABLES.md has the format byte by byte.
 *
 * Cells are numbers of 2, 8 or 16 bits in blocks that are compressed one by one, each with a checksum. A file is
 * written under another name and gets its own when it is whole. Writers and readers belong to one thread, except that
 * sectorfile_block() may be called from several threads, each with memory and a desk of its own.
 */
#ifndef MERELS_TABLES_SECTORFILE_H
#define MERELS_TABLES_SECTORFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>

#include "plan.h"

enum sectorfile_kind { SECTORFILE_VALUES = 1, SECTORFILE_DISTANCES = 2 };

/* A cell of the values. */
enum { SECTORFILE_DRAW = 0, SECTORFILE_WIN = 1, SECTORFILE_LOSS = 2, SECTORFILE_UNUSED = 3 };

#define SECTORFILE_BLOCK_CELLS 65536U
#define SECTORFILE_NAME_SIZE 48

/* What the cells say, counted when they were written; positions up to symmetry. */
struct sectorfile_counts {
	uint64_t positions;
	uint64_t wins;
	uint64_t draws;
	uint64_t losses;
	uint32_t longest; /* plies of the longest decided position, or UINT32_MAX */
	uint64_t longest_cell;
};

struct sectorfile_head {
	struct sector sector;
	enum sectorfile_kind kind;
	unsigned bits; /* of a cell */
	uint64_t cells;
	uint32_t blocks; /* 0: the cells are left out, for they follow from those of other sectors */
	uint64_t file_bytes;
	struct sectorfile_counts counts;
};

/*
 * The name of the rules as far as tables know them: board and parameters without counters and repetition. Two rule sets
 * with the same key share their tables. For endings alone the number of men and what holds while there are men in hand
 * are no part of it either.
 */
void sectorfile_key(const struct mrl_rules *rules, bool endings, char key[MRL_RULES_NAME_SIZE]);

/* The file's name in its folder. */
void sectorfile_name(struct sector sector, enum sectorfile_kind kind, char name[SECTORFILE_NAME_SIZE]);

struct sectorfile_writer;

/* Begins a file of a plan's tables in a folder; the sector, kind, bits and cells of `head` are read. `left_out`:
 * without its cells. */
MRL_MUST_USE enum mrl_status sectorfile_write(struct sectorfile_writer **writer, const char *folder,
					      const struct plan *plan, const struct sectorfile_head *head,
					      bool left_out, int level, struct mrl_error *error);

/* Appends cells; all of them together must be head->cells. */
MRL_MUST_USE enum mrl_status sectorfile_append(struct sectorfile_writer *writer, const uint16_t *cells, size_t count,
					       struct mrl_error *error);

/* Puts the file in place, and frees the writer whatever happens. */
MRL_MUST_USE enum mrl_status sectorfile_finish(struct sectorfile_writer *writer, const struct sectorfile_counts *counts,
					       bool hasty, struct mrl_error *error);

/* Gives up. NULL is allowed. */
void sectorfile_abandon(struct sectorfile_writer *writer);

struct sectorfile_reader;

/*
 * Opens a file of a plan's tables and checks its head and index. MRL_SYSTEM when it cannot be read, is damaged or is of
 * another version; MRL_NAME when it belongs to other rules or another sector; the message names the path and what is
 * wrong.
 */
MRL_MUST_USE enum mrl_status sectorfile_open(struct sectorfile_reader **reader, const char *folder,
					     const struct plan *plan, struct sector sector, enum sectorfile_kind kind,
					     struct mrl_error *error);
void sectorfile_close(struct sectorfile_reader *reader);

const struct sectorfile_head *sectorfile_head_of(const struct sectorfile_reader *reader);

/* Reads all of a file and checks its checksums. */
MRL_MUST_USE enum mrl_status sectorfile_check(const struct sectorfile_reader *reader, struct mrl_error *error);

/* Bytes that sectorfile_block() needs for the cells of a block. */
size_t sectorfile_block_bytes(const struct sectorfile_reader *reader);

/* What unpacking a block takes, kept from one to the next. `next` is for whoever keeps several. */
struct sectorfile_desk {
	struct sectorfile_desk *next;
	void *context; /* zstd's */
	uint8_t *packed;
	size_t room;
};

/* NULL without memory. */
struct sectorfile_desk *sectorfile_desk_new(void);
void sectorfile_desk_free(struct sectorfile_desk *desk);

/* Reads the cells of a block, packed as sectorfile_cell() takes them; checks its checksum first. */
MRL_MUST_USE enum mrl_status sectorfile_block(const struct sectorfile_reader *reader, uint32_t block,
					      struct sectorfile_desk *desk, uint8_t *cells, struct mrl_error *error);

/* The n-th cell of a block. */
static inline unsigned sectorfile_cell(const uint8_t *cells, unsigned bits, uint32_t index)
{
	if (bits == 2)
		return cells[index >> 2] >> (2U * (index & 3U)) & 3U;
	return bits == 8 ? cells[index] : cells[2U * index] | (unsigned)cells[2U * index + 1] << 8;
}

#endif
