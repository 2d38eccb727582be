/*
 * The file that service time lives in: a few bytes mapped into memory, so that keeping time is a store to memory, and
 * what was kept outlives the process at once and the machine after a sync. It is also the lock by which one server
 * alone serves a database.
 *
 * docs/STORE.md has the format. What is damaged is as good as not there: it says 0, and the caller knows better from
 * its events.
 */
#ifndef MERELS_STORE_ALIVE_H
#define MERELS_STORE_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>

struct alive;

/* Opens or makes the file, and locks it. MRL_BUSY when another process has it. */
enum mrl_status alive_open(struct alive **alive, const char *path, struct mrl_error *error);

/* NULL is allowed. Syncs what was kept. */
void alive_close(struct alive *alive);

/* What was kept last when the file was opened. */
uint64_t alive_first(const struct alive *alive);

/* One thread keeps; another may sync meanwhile. Whether the sync succeeded matters to nobody: the next one comes soon.
 */
void alive_keep(struct alive *alive, uint64_t t);
void alive_sync(struct alive *alive);

#endif
