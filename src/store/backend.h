/*
 * What stands behind the store: a database that can write a group of changes, answer a read, and copy itself. Threads
 * and queues are the store's; each connection is used by one thread at a time.
 */
#ifndef MERELS_STORE_BACKEND_H
#define MERELS_STORE_BACKEND_H

#include <stdatomic.h>

#include "task.h"

enum backend_role { BACKEND_WRITER, BACKEND_READER };

/* A connection to a database. */
struct backend;

struct backend_kind {
	const char *scheme; /* "sqlite" */

	/* Makes the database or brings it to the version of this program; nobody else may be using it then. */
	enum mrl_status (*migrate)(const char *place, struct mrl_error *error);

	/* MRL_UNSUPPORTED when the database does not have the version of this program. `stop` set to true ends long
	 * reads. */
	enum mrl_status (*open)(struct backend **backend, const char *place, enum backend_role role,
				const atomic_bool *stop, struct mrl_error *error);
	void (*close)(struct backend *backend);

	/* The latest T of an event of a game that is not over; 0 when there is none. */
	enum mrl_status (*latest)(struct backend *backend, uint64_t *t, struct mrl_error *error);

	/*
	 * Writes the changes of a list of tasks in one transaction and fills in each one's answer: it is MRL_OK only
	 * when it is on the disk. Returns MRL_OK, or what kept the whole group from being written.
	 */
	enum mrl_status (*write)(struct backend *backend, struct task *group);

	/* When there is nothing better to do, or always after a group: housekeeping. */
	void (*tidy)(struct backend *backend);

	/* Answers a read. */
	void (*read)(struct backend *backend, struct task *task);

	/* Copies the database to a new file task->text. */
	void (*copy)(const char *place, struct task *task, const atomic_bool *stop);
};

extern const struct backend_kind backend_sqlite;

#endif
