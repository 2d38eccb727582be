#include "sectorfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include <merels/text.h>
#include <os/disk.h>

#include "bytes.h"

enum { HEAD_BYTES = 504, COUNTS_AT = 448, INDEX_BYTES = 16, VERSION = 1 };

/* In the key of endings instead of the men. */
static const char endings_mark[] = " endings";

static const char magic[8] = {'M', 'R', 'L', 'T', 'A', 'B', 'L', 'E'};

struct sectorfile_writer {
	struct mrl_disk_file *file;
	char *path; /* the final name; while it is written ".part" comes after it */
	char *part;
	uint8_t head[HEAD_BYTES];
	struct sectorfile_head about;
	ZSTD_CCtx *context;
	uint8_t *index; /* INDEX_BYTES a block */
	uint8_t *cells; /* packed */
	uint8_t *packed;
	size_t packed_room;
	uint32_t filled; /* cells in the block */
	uint32_t block;
	uint64_t written;
	uint64_t end;
};

struct sectorfile_reader {
	struct mrl_disk_file *file;
	char *path;
	struct sectorfile_head about;
	uint8_t *index;
	size_t largest; /* compressed block */
};

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *path, const char *what)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	if (path != NULL) {
		mrl_text_add(&text, path);
		mrl_text_add(&text, ": ");
	}
	mrl_text_add(&text, what);
	return status;
}

static enum mrl_status no_memory(struct mrl_error *error)
{
	return refuse(error, MRL_SYSTEM, NULL, "there is not enough memory for the tables");
}

void sectorfile_key(const struct mrl_rules *rules, bool endings, char key[MRL_RULES_NAME_SIZE])
{
	static const char *const takes[] = {"free-first", "any", "free-only"};
	struct mrl_text text = mrl_text_in(key, MRL_RULES_NAME_SIZE);

	mrl_text_add(&text, rules->board.name);
	if (endings) {
		mrl_text_add(&text, endings_mark);
	} else {
		mrl_text_add(&text, " men=");
		mrl_text_number(&text, rules->men);
	}
	mrl_text_add(&text, " fly=");
	mrl_text_number(&text, rules->fly);
	if (!endings)
		mrl_text_add(&text, rules->move_early ? " move-early=on" : " move-early=off");
	mrl_text_add(&text, rules->mill_wins ? " mill=win" : " mill=take");
	mrl_text_add(&text, " take=");
	mrl_text_add(&text, takes[rules->take]);
	mrl_text_add(&text, rules->take_per_mill ? " take-count=per-mill" : " take-count=one");
	mrl_text_add(&text, rules->stuck_draws ? " stuck=draw" : " stuck=lose");
	mrl_text_add(&text, rules->full_board_draws ? " full-board=draw" : " full-board=stuck");
}

void sectorfile_name(struct sector sector, enum sectorfile_kind kind, char name[SECTORFILE_NAME_SIZE])
{
	struct mrl_text text = mrl_text_in(name, SECTORFILE_NAME_SIZE);

	mrl_text_number(&text, sector.own);
	mrl_text_char(&text, '-');
	mrl_text_number(&text, sector.enemy);
	mrl_text_char(&text, '-');
	mrl_text_number(&text, sector.own_hand);
	mrl_text_char(&text, '-');
	mrl_text_number(&text, sector.enemy_hand);
	mrl_text_add(&text, kind == SECTORFILE_VALUES ? ".values" : ".plies");
}

static char *join(const char *folder, const char *name, const char *more)
{
	size_t size = strlen(folder) + strlen(name) + strlen(more) + 2;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s/%s%s", folder, name, more);
	return path;
}

static size_t cells_bytes(unsigned bits, uint64_t cells)
{
	return (size_t)((cells * bits + 7) / 8);
}

static uint32_t blocks_of(uint64_t cells)
{
	return (uint32_t)((cells + SECTORFILE_BLOCK_CELLS - 1) / SECTORFILE_BLOCK_CELLS);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static void put_head(struct sectorfile_writer *writer, const struct plan *plan)
{
	const struct sectorfile_head *about = &writer->about;
	uint8_t *head = writer->head;

	memcpy(head, magic, sizeof(magic));
	bytes_put32(head + 8, VERSION);
	bytes_put32(head + 12, about->kind);
	head[16] = about->sector.own;
	head[17] = about->sector.enemy;
	head[18] = about->sector.own_hand;
	head[19] = about->sector.enemy_hand;
	bytes_put32(head + 20, about->bits);
	bytes_put64(head + 24, about->cells);
	bytes_put32(head + 32, SECTORFILE_BLOCK_CELLS);
	bytes_put32(head + 36, about->blocks);
	mrl_rules_write(plan->rules, (char *)head + 64);
	sectorfile_key(plan->rules, plan->endings, (char *)head + 64 + MRL_RULES_NAME_SIZE);
}

enum mrl_status sectorfile_write(struct sectorfile_writer **made, const char *folder, const struct plan *plan,
				 const struct sectorfile_head *head, bool left_out, int level, struct mrl_error *error)
{
	struct sectorfile_writer *writer = calloc(1, sizeof(*writer));
	char name[SECTORFILE_NAME_SIZE];
	size_t block_bytes = cells_bytes(head->bits, SECTORFILE_BLOCK_CELLS);
	enum mrl_status status;

	if (writer == NULL)
		return no_memory(error);
	sectorfile_name(head->sector, head->kind, name);
	writer->about = *head;
	writer->about.blocks = left_out ? 0 : blocks_of(head->cells);
	writer->path = join(folder, name, "");
	writer->part = join(folder, name, ".part");
	writer->context = ZSTD_createCCtx();
	writer->index = calloc(writer->about.blocks + 1U, INDEX_BYTES);
	writer->cells = calloc(1, block_bytes);
	writer->packed_room = ZSTD_compressBound(block_bytes);
	writer->packed = malloc(writer->packed_room);
	writer->end = HEAD_BYTES;
	if (writer->path == NULL || writer->part == NULL || writer->context == NULL || writer->index == NULL ||
	    writer->cells == NULL || writer->packed == NULL) {
		sectorfile_abandon(writer);
		return no_memory(error);
	}
	(void)ZSTD_CCtx_setParameter(writer->context, ZSTD_c_compressionLevel, level);
	(void)ZSTD_CCtx_setParameter(writer->context, ZSTD_c_contentSizeFlag, 0);
	put_head(writer, plan);
	status = mrl_disk_open(&writer->file, writer->part, MRL_DISK_CREATE, error);
	if (status != MRL_OK) {
		sectorfile_abandon(writer);
		return status;
	}
	*made = writer;
	return MRL_OK;
}

static enum mrl_status write_block(struct sectorfile_writer *writer, struct mrl_error *error)
{
	size_t bytes = cells_bytes(writer->about.bits, writer->filled);
	size_t packed = ZSTD_compress2(writer->context, writer->packed, writer->packed_room, writer->cells, bytes);
	uint8_t *entry = writer->index + (size_t)writer->block * INDEX_BYTES;
	enum mrl_status status;

	if (ZSTD_isError(packed))
		return refuse(error, MRL_SYSTEM, writer->path, ZSTD_getErrorName(packed));
	bytes_put64(entry, writer->end);
	bytes_put64(entry + 8, bytes_checksum(writer->packed, packed));
	status = mrl_disk_write(writer->file, writer->end, writer->packed, packed, error);
	writer->end += packed;
	writer->block++;
	writer->filled = 0;
	memset(writer->cells, 0, bytes);
	return status;
}

/* Packs cells behind those of the block so far, for which there is room. */
static void put_cells(struct sectorfile_writer *writer, const uint16_t *cells, size_t count)
{
	size_t at = writer->filled;
	size_t i = 0;

	if (writer->about.bits == 8) {
		for (; i < count; i++)
			writer->cells[at + i] = (uint8_t)cells[i];
		return;
	}
	if (writer->about.bits == 16) {
		for (; i < count; i++)
			bytes_put16(writer->cells + 2 * (at + i), cells[i]);
		return;
	}
	for (; i < count && (at + i) % 4 != 0; i++)
		writer->cells[(at + i) / 4] = (uint8_t)(writer->cells[(at + i) / 4] | cells[i] << (2 * ((at + i) % 4)));
	for (; i + 4 <= count; i += 4)
		writer->cells[(at + i) / 4] =
		    (uint8_t)(cells[i] | cells[i + 1] << 2 | cells[i + 2] << 4 | cells[i + 3] << 6);
	for (; i < count; i++)
		writer->cells[(at + i) / 4] = (uint8_t)(writer->cells[(at + i) / 4] | cells[i] << (2 * ((at + i) % 4)));
}

enum mrl_status sectorfile_append(struct sectorfile_writer *writer, const uint16_t *cells, size_t count,
				  struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	writer->written += count;
	if (writer->about.blocks == 0)
		return MRL_OK;
	while (count > 0 && status == MRL_OK) {
		size_t room = SECTORFILE_BLOCK_CELLS - writer->filled;
		size_t now = count < room ? count : room;

		put_cells(writer, cells, now);
		writer->filled += (uint32_t)now;
		cells += now;
		count -= now;
		if (writer->filled == SECTORFILE_BLOCK_CELLS)
			status = write_block(writer, error);
	}
	return status;
}

static void put_counts(uint8_t *to, const struct sectorfile_counts *counts)
{
	bytes_put64(to, counts->positions);
	bytes_put64(to + 8, counts->wins);
	bytes_put64(to + 16, counts->draws);
	bytes_put64(to + 24, counts->losses);
	bytes_put32(to + 32, counts->longest);
	bytes_put32(to + 36, 0);
	bytes_put64(to + 40, counts->longest_cell);
}

static struct sectorfile_counts get_counts(const uint8_t *from)
{
	return (struct sectorfile_counts){bytes_get64(from),      bytes_get64(from + 8),  bytes_get64(from + 16),
					  bytes_get64(from + 24), bytes_get32(from + 32), bytes_get64(from + 40)};
}

enum mrl_status sectorfile_finish(struct sectorfile_writer *writer, const struct sectorfile_counts *counts, bool hasty,
				  struct mrl_error *error)
{
	size_t index_bytes = ((size_t)writer->about.blocks + 1) * INDEX_BYTES;
	enum mrl_status status = MRL_OK;

	if (writer->filled > 0)
		status = write_block(writer, error);
	if (status == MRL_OK && writer->written != writer->about.cells)
		status = refuse(error, MRL_SYSTEM, writer->path, "was given a wrong number of cells");
	bytes_put64(writer->index + index_bytes - INDEX_BYTES, writer->end);
	if (status == MRL_OK)
		status = mrl_disk_write(writer->file, writer->end, writer->index, index_bytes, error);
	bytes_put64(writer->head + 40, writer->end);
	bytes_put64(writer->head + 48, bytes_checksum(writer->index, index_bytes));
	bytes_put64(writer->head + 56, writer->end + index_bytes);
	put_counts(writer->head + COUNTS_AT, counts);
	bytes_put64(writer->head + HEAD_BYTES - 8, bytes_checksum(writer->head, HEAD_BYTES - 8));
	if (status == MRL_OK)
		status = mrl_disk_write(writer->file, 0, writer->head, HEAD_BYTES, error);
	if (status == MRL_OK && !hasty)
		status = mrl_disk_sync(writer->file, error);
	mrl_disk_close(writer->file);
	writer->file = NULL;
	if (status == MRL_OK)
		status = mrl_disk_rename(writer->part, writer->path, !hasty, error);
	sectorfile_abandon(writer);
	return status;
}

void sectorfile_abandon(struct sectorfile_writer *writer)
{
	if (writer == NULL)
		return;
	if (writer->file != NULL) {
		mrl_disk_close(writer->file);
		/* What is left behind under this name is overwritten by the next build. */
		(void)mrl_disk_remove(writer->part, NULL);
	}
	free(writer->path);
	free(writer->part);
	(void)ZSTD_freeCCtx(writer->context);
	free(writer->index);
	free(writer->cells);
	free(writer->packed);
	free(writer);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

static enum mrl_status wrong_rules(struct mrl_error *error, const char *path, const uint8_t *head,
				   const struct plan *plan)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);
	char name[MRL_RULES_NAME_SIZE];
	const char *found = (const char *)head + 64;
	char key[MRL_RULES_NAME_SIZE + 1] = {0};
	size_t length = 0;
	bool endings;

	while (length < MRL_RULES_NAME_SIZE && found[length] != '\0')
		length++;
	mrl_rules_write(plan->rules, name);
	memcpy(key, found + MRL_RULES_NAME_SIZE, MRL_RULES_NAME_SIZE);
	endings = strstr(key, endings_mark) != NULL;
	mrl_text_add(&text, path);
	mrl_text_add(&text, endings && !plan->endings ? ": is a table of endings alone, for the rule set "
						      : ": is a table for the rule set ");
	mrl_text_quote(&text, found, length);
	if (endings == plan->endings) {
		mrl_text_add(&text, ", not for ");
		mrl_text_add(&text, name);
	} else {
		mrl_text_add(&text, "; endings and whole tables do not go into one folder");
	}
	return MRL_NAME;
}

/* Whether the numbers of a head fit each other, so that they can be trusted further on. */
static bool plausible(const struct sectorfile_head *about, uint64_t index_at, uint64_t size)
{
	bool bits = about->kind == SECTORFILE_VALUES ? about->bits == 2 : about->bits == 8 || about->bits == 16;

	return bits && about->counts.longest_cell < about->cells && about->cells > 0 &&
	       about->cells < (uint64_t)1 << 40 && (about->blocks == 0 || about->blocks == blocks_of(about->cells)) &&
	       about->file_bytes == size && index_at >= HEAD_BYTES && index_at < size &&
	       size - index_at == ((uint64_t)about->blocks + 1) * INDEX_BYTES;
}

static enum mrl_status check_head(struct sectorfile_reader *reader, const uint8_t *head, const struct plan *plan,
				  struct sector sector, enum sectorfile_kind kind, struct mrl_error *error)
{
	struct sectorfile_head *about = &reader->about;
	char key[MRL_RULES_NAME_SIZE] = {0};

	if (memcmp(head, magic, sizeof(magic)) != 0)
		return refuse(error, MRL_SYSTEM, reader->path, "is no table of Merels");
	if (bytes_get32(head + 8) != VERSION)
		return refuse(error, MRL_SYSTEM, reader->path,
			      "is a table of another version of Merels; build it again");
	if (bytes_get64(head + HEAD_BYTES - 8) != bytes_checksum(head, HEAD_BYTES - 8))
		return refuse(error, MRL_SYSTEM, reader->path, "is damaged: its head has a wrong checksum");
	sectorfile_key(plan->rules, plan->endings, key);
	if (strncmp(key, (const char *)head + 64 + MRL_RULES_NAME_SIZE, MRL_RULES_NAME_SIZE) != 0)
		return wrong_rules(error, reader->path, head, plan);
	about->kind = bytes_get32(head + 12) == SECTORFILE_VALUES ? SECTORFILE_VALUES : SECTORFILE_DISTANCES;
	about->sector = (struct sector){head[16], head[17], head[18], head[19]};
	about->bits = bytes_get32(head + 20);
	about->cells = bytes_get64(head + 24);
	about->blocks = bytes_get32(head + 36);
	about->file_bytes = bytes_get64(head + 56);
	about->counts = get_counts(head + COUNTS_AT);
	if (about->kind != kind || memcmp(&about->sector, &sector, sizeof(sector)) != 0)
		return refuse(error, MRL_NAME, reader->path, "holds another table than its name says");
	if (bytes_get32(head + 32) != SECTORFILE_BLOCK_CELLS ||
	    !plausible(about, bytes_get64(head + 40), mrl_disk_size(reader->file)))
		return refuse(error, MRL_SYSTEM, reader->path,
			      "is damaged: its length is not what its head says; build it again");
	return MRL_OK;
}

static enum mrl_status read_index(struct sectorfile_reader *reader, const uint8_t *head, struct mrl_error *error)
{
	uint64_t at = bytes_get64(head + 40);
	size_t bytes = ((size_t)reader->about.blocks + 1) * INDEX_BYTES;
	enum mrl_status status;
	uint64_t before = HEAD_BYTES;

	reader->index = malloc(bytes);
	if (reader->index == NULL)
		return no_memory(error);
	status = mrl_disk_read(reader->file, at, reader->index, bytes, error);
	if (status != MRL_OK)
		return status;
	if (bytes_checksum(reader->index, bytes) != bytes_get64(head + 48))
		return refuse(error, MRL_SYSTEM, reader->path, "is damaged: its index has a wrong checksum");
	for (uint32_t block = 1; block <= reader->about.blocks; block++) {
		uint64_t end = bytes_get64(reader->index + (size_t)block * INDEX_BYTES);

		if (end < before || end > at || end - before > UINT32_MAX)
			return refuse(error, MRL_SYSTEM, reader->path, "is damaged: its index is out of order");
		if (end - before > reader->largest)
			reader->largest = (size_t)(end - before);
		before = end;
	}
	return MRL_OK;
}

enum mrl_status sectorfile_open(struct sectorfile_reader **made, const char *folder, const struct plan *plan,
				struct sector sector, enum sectorfile_kind kind, struct mrl_error *error)
{
	struct sectorfile_reader *reader = calloc(1, sizeof(*reader));
	char name[SECTORFILE_NAME_SIZE];
	uint8_t head[HEAD_BYTES];
	enum mrl_status status;

	if (reader == NULL)
		return no_memory(error);
	sectorfile_name(sector, kind, name);
	reader->path = join(folder, name, "");
	status = reader->path == NULL ? no_memory(error) : MRL_OK;
	if (status == MRL_OK)
		status = mrl_disk_open(&reader->file, reader->path, MRL_DISK_READ, error);
	if (status == MRL_OK)
		status = mrl_disk_read(reader->file, 0, head, HEAD_BYTES, error);
	if (status == MRL_OK)
		status = check_head(reader, head, plan, sector, kind, error);
	if (status == MRL_OK)
		status = read_index(reader, head, error);
	if (status != MRL_OK) {
		sectorfile_close(reader);
		return status;
	}
	*made = reader;
	return MRL_OK;
}

void sectorfile_close(struct sectorfile_reader *reader)
{
	if (reader == NULL)
		return;
	mrl_disk_close(reader->file);
	free(reader->path);
	free(reader->index);
	free(reader);
}

const struct sectorfile_head *sectorfile_head_of(const struct sectorfile_reader *reader)
{
	return &reader->about;
}

size_t sectorfile_block_bytes(const struct sectorfile_reader *reader)
{
	return cells_bytes(reader->about.bits, SECTORFILE_BLOCK_CELLS);
}

struct sectorfile_desk *sectorfile_desk_new(void)
{
	struct sectorfile_desk *desk = calloc(1, sizeof(*desk));

	if (desk == NULL)
		return NULL;
	desk->context = ZSTD_createDCtx();
	if (desk->context != NULL)
		return desk;
	free(desk);
	return NULL;
}

void sectorfile_desk_free(struct sectorfile_desk *desk)
{
	if (desk == NULL)
		return;
	(void)ZSTD_freeDCtx(desk->context);
	free(desk->packed);
	free(desk);
}

static bool desk_fits(struct sectorfile_desk *desk, size_t bytes)
{
	uint8_t *moved;

	if (bytes <= desk->room)
		return true;
	moved = realloc(desk->packed, bytes);
	if (moved == NULL)
		return false;
	desk->packed = moved;
	desk->room = bytes;
	return true;
}

/* A block's compressed bytes, to desk->packed; checks their checksum. */
static enum mrl_status read_block(const struct sectorfile_reader *reader, uint32_t block, struct sectorfile_desk *desk,
				  size_t *bytes, struct mrl_error *error)
{
	const uint8_t *entry = reader->index + (size_t)block * INDEX_BYTES;
	uint64_t at = bytes_get64(entry);
	enum mrl_status status;

	*bytes = (size_t)(bytes_get64(entry + INDEX_BYTES) - at);
	if (!desk_fits(desk, *bytes + 1))
		return no_memory(error);
	status = mrl_disk_read(reader->file, at, desk->packed, *bytes, error);
	if (status == MRL_OK && bytes_checksum(desk->packed, *bytes) != bytes_get64(entry + 8))
		status = refuse(error, MRL_SYSTEM, reader->path,
				"is damaged: a block has a wrong checksum; remove the file and build it again");
	return status;
}

enum mrl_status sectorfile_check(const struct sectorfile_reader *reader, struct mrl_error *error)
{
	struct sectorfile_desk *desk = sectorfile_desk_new();
	enum mrl_status status = desk != NULL ? MRL_OK : no_memory(error);
	size_t bytes;

	for (uint32_t block = 0; block < reader->about.blocks && status == MRL_OK; block++)
		status = read_block(reader, block, desk, &bytes, error);
	sectorfile_desk_free(desk);
	return status;
}

enum mrl_status sectorfile_block(const struct sectorfile_reader *reader, uint32_t block, struct sectorfile_desk *desk,
				 uint8_t *cells, struct mrl_error *error)
{
	uint64_t left = reader->about.cells - (uint64_t)block * SECTORFILE_BLOCK_CELLS;
	size_t expected =
	    cells_bytes(reader->about.bits, left < SECTORFILE_BLOCK_CELLS ? left : SECTORFILE_BLOCK_CELLS);
	size_t bytes;
	enum mrl_status status = read_block(reader, block, desk, &bytes, error);
	size_t got;

	if (status == MRL_OK) {
		got = ZSTD_decompressDCtx(desk->context, cells, expected, desk->packed, bytes);
		if (ZSTD_isError(got) || got != expected)
			status = refuse(error, MRL_SYSTEM, reader->path,
					"is damaged: a block cannot be unpacked; remove the file and build it again");
	}
	return status;
}
