#ifndef MERELS_STORE_SQLITE_MOVE_H
#define MERELS_STORE_SQLITE_MOVE_H

#include "backend.h"
#include "sqlite.h"

/* See backend.h. */
enum mrl_status sqlite_open_move(struct backend **backend, const char *place, enum backend_move how,
				 struct mrl_error *error);
enum mrl_status sqlite_scan(struct backend *backend, const char *sql, const char *kinds, backend_row *each, void *user,
			    struct mrl_error *error);
enum mrl_status sqlite_add(struct backend *backend, const char *sql, const struct bind *values, size_t count,
			   struct mrl_error *error);
enum mrl_status sqlite_commit_move(struct backend *backend, struct mrl_error *error);

#endif
