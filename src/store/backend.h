/*
 * What stands behind the store: a database that can write a group of changes, answer a read, and copy itself. Threads
 * and queues are the store's; each connection is used by one thread at a time.
 */
#ifndef MERELS_STORE_BACKEND_H
#define MERELS_STORE_BACKEND_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bind.h"
#include "task.h"

enum backend_role {
	BACKEND_WRITER,
	BACKEND_SERVER, /* the writer of the one server: MRL_BUSY when there is another */
	BACKEND_NODE, /* the writer of one of several: MRL_BUSY when there is one of this name, or one that is alone */
	BACKEND_READER
};

/* What a connection is for. */
struct backend_wish {
	enum backend_role role;
	const atomic_bool *stop; /* set to true: long reads end. May be NULL */
	uint64_t patience;       /* ns that a write waits for a database that went away */
	const char *name;        /* BACKEND_NODE: of the node, */
	uint64_t node;           /* its id, */
	unsigned lease_ms;       /* and how long it counts as alive when it says nothing */
};

/* One end of a move (move.h): read with nobody else writing, read beside the server, or filled. */
enum backend_move { MOVE_FROM, MOVE_COPY, MOVE_TO };

/* Gets a row, whose values are gone when it returns; anything but MRL_OK ends the scan. */
typedef enum mrl_status backend_row(void *user, const struct bind *values);

/* A connection to a database. */
struct backend;

struct backend_kind {
	const char *schemes[2]; /* "sqlite": before the colon of a place; a second one or NULL */
	bool is_file;           /* a place is a path; who serves it is known by the alive file beside it */
	bool is_mending;        /* a connection that failed mends itself, and need not be opened anew */

	/* Makes the database or brings it to the version of this program; nobody else may be using it then. */
	enum mrl_status (*migrate)(const char *place, struct mrl_error *error);

	/* MRL_UNSUPPORTED when the database does not have the version of this program. */
	enum mrl_status (*open)(struct backend **backend, const char *place, const struct backend_wish *wish,
				struct mrl_error *error);
	void (*close)(struct backend *backend);

	/* BACKEND_NODE: the number of the club; 0 where there can be no nodes. */
	uint64_t (*club)(struct backend *backend);

	/* The latest T of an event of a game that is not over; 0 when there is none. */
	enum mrl_status (*latest)(struct backend *backend, uint64_t *t, struct mrl_error *error);

	/*
	 * Writes the changes of a list of tasks in one transaction and fills in each one's answer: it is MRL_OK only
	 * when it is on the disk. Returns MRL_OK, or what kept the whole group from being written.
	 */
	enum mrl_status (*write)(struct backend *backend, struct task *group);

	/* After writing has failed, without anything to write: whether what was wrong is mended. May be NULL. */
	bool (*revive)(struct backend *backend);

	/* When there is nothing better to do, or always after a group: housekeeping. */
	void (*tidy)(struct backend *backend);

	/* Answers a read. */
	void (*read)(struct backend *backend, struct task *task);

	/* Copies the database to a new file task->text. */
	void (*copy)(const char *place, struct task *task, const atomic_bool *stop);

	/*
	 * For moving everything: opens a connection with a transaction; goes through the rows of a query, whose columns
	 * have these kinds (move.h); adds a row by an INSERT; commits what was added. Without that, closing undoes it.
	 */
	enum mrl_status (*open_move)(struct backend **backend, const char *place, enum backend_move how,
				     struct mrl_error *error);
	enum mrl_status (*scan)(struct backend *backend, const char *sql, const char *kinds, backend_row *each,
				void *user, struct mrl_error *error);
	enum mrl_status (*add)(struct backend *backend, const char *sql, const struct bind *values, size_t count,
			       struct mrl_error *error);
	enum mrl_status (*commit_move)(struct backend *backend, struct mrl_error *error);
	char mark; /* before the number of a value in a statement */
};

extern const struct backend_kind backend_sqlite;
extern const struct backend_kind backend_postgres;

#endif
