/*
 * The store from inside. Three places where tasks wait, each with a monitor of its own: writes for the writer, reads
 * for the readers, and what is done for whoever polls. No thread is in two of them at once.
 */
#ifndef MERELS_STORE_INTERNAL_H
#define MERELS_STORE_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <os/thread.h>

#include "alive.h"
#include "backend.h"
#include "task.h"

enum { READERS = 2 }; /* the first takes quick reads only */

struct mrl_store {
	const struct backend_kind *kind;
	char *place; /* without the scheme */
	struct mrl_store_settings settings;
	uint64_t first_time;
	uint64_t node; /* which of several servers this is; 0: it is alone */
	uint64_t club;
	struct alive *alive; /* NULL without `serve` */

	/* Under `writing`. */
	struct mrl_monitor *writing;
	struct queue writes;
	size_t write_bytes;
	size_t being_written;
	bool writer_ends; /* when there is nothing left to write */
	struct mrl_error trouble;

	/* Under `reading`. */
	struct mrl_monitor *reading;
	struct queue quick;
	struct queue slow;
	bool readers_end;

	/* Under `polling`. */
	struct mrl_monitor *polling;
	struct queue done;

	atomic_bool closing;     /* nothing more is taken */
	atomic_bool stop;        /* long reads end */
	atomic_bool copying;     /* there is a backup, or a thread of one to be joined */
	atomic_size_t in_flight; /* submitted, and the callback has not returned; pausing streams do not count */

	/* The polling thread's. */
	struct mrl_store_stream *streams;
	struct mrl_thread *copier;

	struct mrl_thread *writer;
	struct mrl_thread *readers[READERS];
	struct backend *writer_backend; /* the writer's; NULL when it has to be opened anew */
	struct backend *reader_backends[READERS];
};

/* ---- store.c ------------------------------------------------------------------------------------------------ */

/* Which kind of database a place names, and the rest of it, as that kind takes it; NULL for a kind there is not. */
const struct backend_kind *store_read_place(const char **place);

/* MRL_NAME when what store_read_place() said is of no use. */
enum mrl_status store_check_place(const struct backend_kind *kind, const char *place, struct mrl_error *error);

/* What a connection of the writer, or of a reader, is for. */
struct backend_wish store_wish(const struct mrl_store *store, bool writes);

/* What a thread of the store has done: a list of tasks. Wakes who polls. */
void store_put_done(struct mrl_store *store, struct task *list);

/* ---- workers.c ---------------------------------------------------------------------------------------------- */

/* Start and end the threads. On failure those that run are to be ended. */
enum mrl_status store_start_workers(struct mrl_store *store, struct mrl_error *error);
void store_end_workers(struct mrl_store *store);

/* Runs a backup in a thread of its own: false when there is none to be had. */
bool store_start_copier(struct mrl_store *store, struct task *task);

/* ---- reads.c ------------------------------------------------------------------------------------------------ */

/* Puts a read where it waits, or frees it and says why not. NULL: there was no memory for it. `forced`: never MRL_BUSY.
 */
enum mrl_status store_submit_read(struct mrl_store *store, struct task *task, bool forced);

/* A read of a search; NULL when there is no memory. */
struct task *store_search_task(const struct mrl_store_search *search, mrl_store_done *done, void *user);
enum mrl_status store_check_search(const struct mrl_store_search *search);

/* ---- stream.c ----------------------------------------------------------------------------------------------- */

/* Gives a stream a page; takes the task away. */
void store_deliver(struct mrl_store *store, struct task *task);

/* Ends every stream there is. */
void store_end_streams(struct mrl_store *store);

#endif
