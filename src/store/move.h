/*
 * A whole club from one database to another, table by table: both have the same tables with the same columns
 * (docs/STORE.md).
 */
#ifndef MERELS_STORE_MOVE_H
#define MERELS_STORE_MOVE_H

#include <stdatomic.h>

#include <merels/status.h>
#include <merels/store.h>

#include "backend.h"

enum { MOVE_COLUMNS_MOST = 32 };

/* A table: its columns, separated by ", ", and the kind of each, one letter: i integer, r real, t text, b bytes. */
struct move_table {
	const char *name;
	const char *columns;
	const char *kinds;
};

/* In an order in which nothing speaks of what comes later. A name of NULL is behind the last. */
extern const struct move_table move_tables[];

/* An end of a move: where it is, and the connection to it. */
struct move_end {
	const struct backend_kind *kind;
	const char *place; /* without the scheme */
};

/*
 * Moves what is at one end to the other, which has the tables and nothing in them. Both ends are of one moment; what
 * was written is read again and compared before it is committed. `tell` (may be NULL) hears of each table that is
 * there.
 */
enum mrl_status move_club(struct move_end from, struct move_end to, enum backend_move how, const atomic_bool *stop,
			  mrl_store_tell *tell, void *user, struct mrl_error *error);

#endif
