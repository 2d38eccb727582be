#include "journal.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/thread.h>

#include "bytes.h"

enum { HEADER_BYTES = 16, RECORD_BYTES = 28 };

/* What a record is, in its first four bytes. */
enum { POSITIONS = 0x4a534f50, SEAL = 0x4c414553, FINISH = 0x53494e46 };

#define MAGIC UINT64_C(0x324c4e4a4c52454d)

/* A build that is killed loses no more than this many seconds of work. */
#define SYNC_SECONDS 10.0

struct depth {
	struct journal_record *records;
	size_t count;
	size_t capacity;
	uint64_t end; /* of the depth in the file */
};

struct journal {
	struct mrl_disk_file *file;
	struct mrl_monitor *monitor;
	struct depth *depths;
	unsigned sealed;
	bool finished;
	uint64_t end;
	uint64_t synced;
	uint32_t largest;
};

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory for the journal of the tables");
	return MRL_SYSTEM;
}

static enum mrl_status remember(struct journal *journal, const struct journal_record *record, struct mrl_error *error)
{
	struct depth *depth = &journal->depths[journal->sealed];

	if (depth->count == depth->capacity) {
		size_t capacity = depth->capacity == 0 ? 16 : 2 * depth->capacity;
		struct journal_record *moved = realloc(depth->records, capacity * sizeof(*moved));

		if (moved == NULL)
			return no_memory(error);
		depth->records = moved;
		depth->capacity = capacity;
	}
	depth->records[depth->count++] = *record;
	if (record->bytes > journal->largest)
		journal->largest = record->bytes;
	return MRL_OK;
}

static int by_tile(const void *left, const void *right)
{
	const struct journal_record *a = left;
	const struct journal_record *b = right;

	return a->tile < b->tile ? -1 : a->tile > b->tile;
}

static void seal_in_memory(struct journal *journal)
{
	struct depth *depth = &journal->depths[journal->sealed++];

	if (depth->count > 1)
		qsort(depth->records, depth->count, sizeof(*depth->records), by_tile);
	depth->end = journal->end;
}

static void put_record(uint8_t bytes[RECORD_BYTES], uint32_t kind, const struct journal_record *record, uint64_t sum)
{
	bytes_put32(bytes, kind);
	bytes_put32(bytes + 4, record->tile);
	bytes_put32(bytes + 8, record->bytes);
	bytes_put32(bytes + 12, record->positions);
	bytes_put64(bytes + 16, sum);
	bytes_put32(bytes + 24, (uint32_t)bytes_checksum(bytes, 24));
}

/* Reads one record of an old file; false when it is not whole. */
static bool recover_record(struct journal *journal, uint64_t size, uint8_t **buffer, size_t *room)
{
	uint8_t bytes[RECORD_BYTES];
	struct journal_record record;
	uint32_t kind;

	if (size - journal->end < RECORD_BYTES ||
	    mrl_disk_read(journal->file, journal->end, bytes, RECORD_BYTES, NULL) != MRL_OK ||
	    bytes_get32(bytes + 24) != (uint32_t)bytes_checksum(bytes, 24))
		return false;
	kind = bytes_get32(bytes);
	record = (struct journal_record){journal->end + RECORD_BYTES, bytes_get32(bytes + 4), bytes_get32(bytes + 8),
					 bytes_get32(bytes + 12)};
	if (size - record.offset < record.bytes || journal->sealed + 1U >= JOURNAL_MOST_DEPTHS)
		return false;
	if (record.bytes > *room) {
		uint8_t *moved = realloc(*buffer, record.bytes);

		if (moved == NULL)
			return false;
		*buffer = moved;
		*room = record.bytes;
	}
	if (record.bytes > 0 && (mrl_disk_read(journal->file, record.offset, *buffer, record.bytes, NULL) != MRL_OK ||
				 bytes_checksum(*buffer, record.bytes) != bytes_get64(bytes + 16)))
		return false;
	journal->end = record.offset + record.bytes;
	if (kind == SEAL)
		seal_in_memory(journal);
	else if (kind == FINISH)
		journal->finished = true;
	else if (kind != POSITIONS || remember(journal, &record, NULL) != MRL_OK)
		return false;
	return true;
}

/* Takes over what is whole in the file. */
static enum mrl_status recover(struct journal *journal, uint64_t key, struct mrl_error *error)
{
	uint64_t size = mrl_disk_size(journal->file);
	uint8_t header[HEADER_BYTES];
	uint8_t *buffer = NULL;
	size_t room = 0;
	bool usable = size >= HEADER_BYTES && mrl_disk_read(journal->file, 0, header, HEADER_BYTES, NULL) == MRL_OK &&
		      bytes_get64(header) == MAGIC && bytes_get64(header + 8) == key;

	if (!usable) {
		enum mrl_status status = mrl_disk_cut(journal->file, 0, error);

		bytes_put64(header, MAGIC);
		bytes_put64(header + 8, key);
		if (status == MRL_OK)
			status = mrl_disk_write(journal->file, 0, header, HEADER_BYTES, error);
		journal->end = HEADER_BYTES;
		return status;
	}
	journal->end = HEADER_BYTES;
	while (!journal->finished && recover_record(journal, size, &buffer, &room))
		;
	free(buffer);
	return journal->finished ? MRL_OK : journal_cut(journal, journal->sealed, error);
}

enum mrl_status journal_open(struct journal **made, const char *path, uint64_t key, struct mrl_error *error)
{
	struct journal *journal = calloc(1, sizeof(*journal));
	enum mrl_status status;

	if (journal == NULL)
		return no_memory(error);
	journal->depths = calloc(JOURNAL_MOST_DEPTHS, sizeof(*journal->depths));
	journal->monitor = mrl_monitor_new();
	if (journal->depths == NULL || journal->monitor == NULL) {
		journal_close(journal);
		return no_memory(error);
	}
	status = mrl_disk_open(&journal->file, path, MRL_DISK_UPDATE, error);
	if (status == MRL_OK)
		status = recover(journal, key, error);
	if (status != MRL_OK) {
		journal_close(journal);
		return status;
	}
	*made = journal;
	return MRL_OK;
}

void journal_close(struct journal *journal)
{
	if (journal == NULL)
		return;
	for (unsigned depth = 0; journal->depths != NULL && depth < JOURNAL_MOST_DEPTHS; depth++)
		free(journal->depths[depth].records);
	free(journal->depths);
	mrl_monitor_free(journal->monitor);
	mrl_disk_close(journal->file);
	free(journal);
}

static enum mrl_status write_record(struct journal *journal, uint32_t kind, struct journal_record *record,
				    const uint8_t *data, struct mrl_error *error)
{
	uint8_t bytes[RECORD_BYTES];
	enum mrl_status status;

	put_record(bytes, kind, record, record->bytes > 0 ? bytes_checksum(data, record->bytes) : 0);
	mrl_monitor_enter(journal->monitor);
	record->offset = journal->end + RECORD_BYTES;
	status = mrl_disk_write(journal->file, journal->end, bytes, RECORD_BYTES, error);
	if (status == MRL_OK && record->bytes > 0)
		status = mrl_disk_write(journal->file, record->offset, data, record->bytes, error);
	if (status == MRL_OK && kind == POSITIONS)
		status = remember(journal, record, error);
	if (status == MRL_OK)
		journal->end = record->offset + record->bytes;
	mrl_monitor_leave(journal->monitor);
	return status;
}

enum mrl_status journal_append(struct journal *journal, uint32_t tile, uint32_t positions, const uint8_t *data,
			       size_t bytes, struct mrl_error *error)
{
	struct journal_record record = {0, tile, (uint32_t)bytes, positions};

	return write_record(journal, POSITIONS, &record, data, error);
}

enum mrl_status journal_seal(struct journal *journal, struct mrl_error *error)
{
	struct journal_record record = {0};
	enum mrl_status status;

	if (journal->sealed + 1U >= JOURNAL_MOST_DEPTHS) {
		struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

		mrl_text_add(&text, "a line of play is longer than the 4095 plies that tables can hold");
		return MRL_UNSUPPORTED;
	}
	status = write_record(journal, SEAL, &record, NULL, error);
	if (status != MRL_OK)
		return status;
	seal_in_memory(journal);
	if (journal->synced == 0)
		journal->synced = mrl_clock_now();
	if (mrl_clock_since(journal->synced) < SYNC_SECONDS)
		return MRL_OK;
	status = mrl_disk_sync(journal->file, error);
	journal->synced = mrl_clock_now();
	return status;
}

enum mrl_status journal_cut(struct journal *journal, unsigned depths, struct mrl_error *error)
{
	for (unsigned depth = depths; depth <= journal->sealed; depth++)
		journal->depths[depth].count = 0;
	if (journal->sealed > depths)
		journal->sealed = depths;
	journal->finished = false;
	journal->end = depths == 0 ? HEADER_BYTES : journal->depths[depths - 1].end;
	return mrl_disk_cut(journal->file, journal->end, error);
}

enum mrl_status journal_finish(struct journal *journal, bool hasty, struct mrl_error *error)
{
	struct journal_record record = {0};
	enum mrl_status status = write_record(journal, FINISH, &record, NULL, error);

	if (status == MRL_OK && !hasty)
		status = mrl_disk_sync(journal->file, error);
	journal->finished = status == MRL_OK;
	return status;
}

bool journal_finished(const struct journal *journal)
{
	return journal->finished;
}

unsigned journal_depths(const struct journal *journal)
{
	return journal->sealed;
}

const struct journal_record *journal_records(const struct journal *journal, unsigned depth, size_t *count)
{
	*count = depth < journal->sealed ? journal->depths[depth].count : 0;
	return depth < journal->sealed ? journal->depths[depth].records : NULL;
}

enum mrl_status journal_read(const struct journal *journal, const struct journal_record *record, uint8_t *data,
			     struct mrl_error *error)
{
	return mrl_disk_read(journal->file, record->offset, data, record->bytes, error);
}

uint32_t journal_largest(const struct journal *journal)
{
	return journal->largest;
}

uint64_t journal_bytes(const struct journal *journal)
{
	return journal->end;
}
