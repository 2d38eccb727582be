#include "alive.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>

/*
 * Two slots are written in turn, so that one of them is whole whenever the process is killed. `check` is t with other
 * bits: a slot in which they do not fit was being written, or never was.
 */
struct slot {
	_Atomic uint64_t t;
	_Atomic uint64_t check;
};

struct page {
	char magic[8];
	struct slot slots[2];
};

enum { FILE_BYTES = 4096 };

#define MAGIC "MRLALIVE"
#define CHECK UINT64_C(0x5afe5afe5afe5afe)

struct alive {
	struct mrl_disk_file *file;
	struct page *page;
	uint64_t first;
	unsigned next;
};

static uint64_t read_slots(const struct page *page)
{
	uint64_t latest = 0;

	for (unsigned i = 0; i < 2; i++) {
		uint64_t t = atomic_load(&page->slots[i].t);

		if ((atomic_load(&page->slots[i].check) ^ CHECK) == t && t > latest)
			latest = t;
	}
	return latest;
}

/* A file that is too short, or somebody else's, begins anew. */
static enum mrl_status map_file(struct alive *alive, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	void *page;

	if (mrl_disk_size(alive->file) != FILE_BYTES) {
		char zeros[FILE_BYTES] = {0};

		/* Written, not only made longer: the space must be there before time is kept in it. */
		status = mrl_disk_write(alive->file, 0, zeros, sizeof(zeros), error);
		if (status == MRL_OK)
			status = mrl_disk_cut(alive->file, FILE_BYTES, error);
		if (status == MRL_OK)
			status = mrl_disk_sync(alive->file, error);
	}
	if (status == MRL_OK)
		status = mrl_disk_map(alive->file, FILE_BYTES, &page, error);
	if (status != MRL_OK)
		return status;
	alive->page = page;
	if (memcmp(alive->page->magic, MAGIC, sizeof(alive->page->magic)) != 0) {
		memset(page, 0, FILE_BYTES);
		memcpy(alive->page->magic, MAGIC, sizeof(alive->page->magic));
	}
	alive->first = read_slots(alive->page);
	return MRL_OK;
}

enum mrl_status alive_open(struct alive **alive, const char *path, struct mrl_error *error)
{
	struct alive *made = calloc(1, sizeof(*made));

	if (made == NULL) {
		struct mrl_text text = mrl_error_open(error, MRL_SPACE, 0, 0);

		mrl_text_add(&text, "there is not enough memory to keep time");
		return MRL_SPACE;
	}
	enum mrl_status status = mrl_disk_open(&made->file, path, MRL_DISK_UPDATE, error);

	if (status == MRL_OK && mrl_disk_lock(made->file, "another server is using this database", error) != MRL_OK) {
		status = MRL_BUSY;
		if (error != NULL)
			error->status = status;
	}
	if (status == MRL_OK)
		status = map_file(made, error);
	if (status != MRL_OK) {
		alive_close(made);
		return status;
	}
	*alive = made;
	return MRL_OK;
}

void alive_close(struct alive *alive)
{
	if (alive == NULL)
		return;
	if (alive->page != NULL) {
		alive_sync(alive);
		mrl_disk_unmap(alive->page, FILE_BYTES);
	}
	mrl_disk_close(alive->file);
	free(alive);
}

uint64_t alive_first(const struct alive *alive)
{
	return alive->first;
}

void alive_keep(struct alive *alive, uint64_t t)
{
	struct slot *slot = &alive->page->slots[alive->next];

	alive->next ^= 1;
	atomic_store_explicit(&slot->t, t, memory_order_relaxed);
	atomic_store_explicit(&slot->check, t ^ CHECK, memory_order_release);
}

void alive_sync(struct alive *alive)
{
	(void)mrl_disk_sync_mapped(alive->page, FILE_BYTES);
}
