/* Copies a live database: see `copy` in backend.h. */
#ifndef MERELS_STORE_SQLITE_COPY_H
#define MERELS_STORE_SQLITE_COPY_H

#include "sqlite.h"

void sqlite_copy(const char *place, struct task *task, const atomic_bool *stop);

#endif
