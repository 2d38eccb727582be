#ifndef MERELS_STORE_POSTGRES_MOVE_H
#define MERELS_STORE_POSTGRES_MOVE_H

#include "backend.h"
#include "postgres.h"

/* See backend.h. */
enum mrl_status postgres_open_move(struct backend **backend, const char *place, enum backend_move how,
				   struct mrl_error *error);
enum mrl_status postgres_scan(struct backend *backend, const char *sql, const char *kinds, backend_row *each,
			      void *user, struct mrl_error *error);
enum mrl_status postgres_add(struct backend *backend, const char *sql, const struct bind *values, size_t count,
			     struct mrl_error *error);
enum mrl_status postgres_commit_move(struct backend *backend, struct mrl_error *error);

/* A backup: everything into a new database of SQLite. */
void postgres_copy(const char *place, struct task *task, const atomic_bool *stop);

#endif
