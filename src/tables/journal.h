/*
 * The journal of a layer while it is solved: which positions were decided at which depth, in the order of depths.
 *
 * It is a file that only grows. Every record has a checksum, and the end of a depth is a record too; so what a killed
 * build leaves is read again up to its last whole depth, and the rest is cut off. A record holds the positions of one
 * tile: for each row with any, the distance from the row before, their number, and then either the gaps between their
 * bits or the row's bits themselves, whichever is shorter (kernel.c writes and reads them).
 *
 * journal_append() may be called from several threads; so may journal_read(). The rest belongs to one.
 */
#ifndef MERELS_TABLES_JOURNAL_H
#define MERELS_TABLES_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

/* Depths, in plies, go up to this. */
#define JOURNAL_MOST_DEPTHS 4096

struct journal;

struct journal_record {
	uint64_t offset;
	uint32_t tile;
	uint32_t bytes;
	uint32_t positions; /* bits, not positions up to symmetry */
};

/*
 * Opens the journal at `path`, or makes an empty one. `key` says which rules, layer and metric it is for; a file with
 * another key is begun anew.
 */
MRL_MUST_USE enum mrl_status journal_open(struct journal **journal, const char *path, uint64_t key,
					  struct mrl_error *error);

/* NULL is allowed. */
void journal_close(struct journal *journal);

MRL_MUST_USE enum mrl_status journal_append(struct journal *journal, uint32_t tile, uint32_t positions,
					    const uint8_t *data, size_t bytes, struct mrl_error *error);

/* Ends the depth that is being written, journal_depths(); the next is one deeper. */
MRL_MUST_USE enum mrl_status journal_seal(struct journal *journal, struct mrl_error *error);

/* Forgets all depths from `depths` on. */
MRL_MUST_USE enum mrl_status journal_cut(struct journal *journal, unsigned depths, struct mrl_error *error);

/* Marks the journal as whole; nothing is appended after. Waits for the disk unless hasty. */
MRL_MUST_USE enum mrl_status journal_finish(struct journal *journal, bool hasty, struct mrl_error *error);

bool journal_finished(const struct journal *journal);

/* Whole depths in it: 0 .. journal_depths() - 1. */
unsigned journal_depths(const struct journal *journal);

/* The records of a whole depth, ordered by tile; `*count` of them. */
const struct journal_record *journal_records(const struct journal *journal, unsigned depth, size_t *count);

/* Reads a record's data; `data` has room for record->bytes. Its checksum was checked when the journal was opened. */
MRL_MUST_USE enum mrl_status journal_read(const struct journal *journal, const struct journal_record *record,
					  uint8_t *data, struct mrl_error *error);

/* The largest record, in bytes. */
uint32_t journal_largest(const struct journal *journal);

/* Bytes of the file. */
uint64_t journal_bytes(const struct journal *journal);

#endif
