/* What the files that read share. */
#ifndef MERELS_STORE_SQLITE_READ_H
#define MERELS_STORE_SQLITE_READ_H

#include "sqlite.h"

/* Adds a zeroed row; NULL (and remembered) when there is no memory. */
void *sqlite_add_row(struct sqlite *db, struct rows *rows, size_t size);

#define ID_AT(statement, column) ((uint64_t)sqlite3_column_int64(statement, column))

#endif
