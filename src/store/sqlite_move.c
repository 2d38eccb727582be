/* SQLite as one end of a move. */
#include "sqlite_move.h"

#include "move.h"

static struct sqlite *of(struct backend *backend)
{
	return (struct sqlite *)(void *)backend;
}

enum mrl_status sqlite_open_move(struct backend **backend, const char *place, enum backend_move how,
				 struct mrl_error *error)
{
	struct sqlite *db;
	enum mrl_status status = sqlite_open(&db, place, how == MOVE_TO ? MODE_WRITE : MODE_READ, error);

	if (status != MRL_OK)
		return status;
	status = sqlite_check_version(db, sqlite_step_count, error);
	if (status == MRL_OK) {
		sqlite_run(db, how == MOVE_TO ? "BEGIN IMMEDIATE" : "BEGIN", WITHOUT);
		status = sqlite_status(db, error);
	}
	if (status == MRL_OK)
		*backend = (struct backend *)(void *)db;
	else
		sqlite_close(db);
	return status;
}

static struct bind read_column(sqlite3_stmt *found, int column, char kind)
{
	const void *text = NULL;

	if (sqlite3_column_type(found, column) == SQLITE_NULL)
		return NOTHING;
	switch (kind) {
	case 'i':
		return INTEGER(sqlite3_column_int64(found, column));
	case 'r':
		return REAL(sqlite3_column_double(found, column));
	case 't':
		text = sqlite3_column_text(found, column);
		return TEXT(text);
	default: /* b */
		text = sqlite3_column_blob(found, column);
		return HASH(text);
	}
}

enum mrl_status sqlite_scan(struct backend *backend, const char *sql, const char *kinds, backend_row *each, void *user,
			    struct mrl_error *error)
{
	struct sqlite *db = of(backend);
	sqlite3_stmt *found = sqlite_start_once(db, sql, WITHOUT);
	enum mrl_status status = MRL_OK;

	while (status == MRL_OK && sqlite_row(db, found)) {
		struct bind values[MOVE_COLUMNS_MOST];

		for (int i = 0; kinds[i] != '\0' && i < MOVE_COLUMNS_MOST; i++)
			values[i] = read_column(found, i, kinds[i]);
		status = each(user, values);
	}
	sqlite_finish_once(found);
	return status != MRL_OK ? status : sqlite_status(db, error);
}

enum mrl_status sqlite_add(struct backend *backend, const char *sql, const struct bind *values, size_t count,
			   struct mrl_error *error)
{
	struct sqlite *db = of(backend);

	sqlite_run(db, sql, values, count);
	return sqlite_status(db, error);
}

enum mrl_status sqlite_commit_move(struct backend *backend, struct mrl_error *error)
{
	struct sqlite *db = of(backend);

	sqlite_run(db, "COMMIT", WITHOUT);
	return sqlite_status(db, error);
}
