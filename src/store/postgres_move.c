/* PostgreSQL as one end of a move, and its backups, which are moves to a file. */
#include "postgres_move.h"

#include <string.h>

#include "copy.h"
#include "move.h"

enum {
	ROWS_A_FETCH = 2000,
	ROWS_A_BATCH = 500 /* sent before their results are taken */
};

static struct postgres *of(struct backend *backend)
{
	return (struct postgres *)(void *)backend;
}

enum mrl_status postgres_open_move(struct backend **backend, const char *place, enum backend_move how,
				   struct mrl_error *error)
{
	struct postgres *db;
	enum postgres_use use = how == MOVE_COPY ? POSTGRES_COPIES : POSTGRES_MOVES;
	enum mrl_status status = postgres_open(&db, place, use, NULL, error);

	if (status != MRL_OK)
		return status;
	/* One moment for everything that is read: the session's default is repeatable read. */
	postgres_do(db, how == MOVE_TO ? "BEGIN" : "BEGIN READ ONLY");
	status = postgres_status(db, error);
	if (status == MRL_OK)
		*backend = (struct backend *)(void *)db;
	else
		postgres_close(db);
	return status;
}

/* Texts come without a 0 behind them: they are copied. */
static struct bind read_column(const struct postgres_row *row, struct task *memory, int column, char kind)
{
	if (postgres_is_null(row, column))
		return NOTHING;
	switch (kind) {
	case 'i':
		return INTEGER(postgres_integer(row, column));
	case 'r':
		return REAL(postgres_real(row, column));
	case 't':
		return TEXT(postgres_text(row, memory, column));
	default: /* b */
		return HASH(postgres_bytes(row, column, MRL_STORE_HASH_BYTES));
	}
}

/* Gives the rows of one fetch; how many there were. */
static int give_rows(struct postgres *db, const PGresult *found, const char *kinds, backend_row *each, void *user,
		     enum mrl_status *status)
{
	int count = 0;

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct bind values[MOVE_COLUMNS_MOST];
		struct task memory = {0};

		for (int i = 0; kinds[i] != '\0' && i < MOVE_COLUMNS_MOST; i++)
			values[i] = read_column(&row, &memory, i, kinds[i]);
		if (!db->failed && *status == MRL_OK)
			*status = each(user, values);
		arena_release(&memory.memory);
		count++;
	}
	return count;
}

/* The results of what was added; nothing is sent while they are not taken. */
static void take_added(struct postgres *db)
{
	if (db->added == 0)
		return;
	postgres_sync(db);
	for (; db->added > 0 && !db->lost; db->added--)
		postgres_free(db, postgres_take(db));
	postgres_take_sync(db);
	db->added = 0;
}

enum mrl_status postgres_scan(struct backend *backend, const char *sql, const char *kinds, backend_row *each,
			      void *user, struct mrl_error *error)
{
	struct postgres *db = of(backend);
	enum mrl_status status = MRL_OK;
	char declare[1200] = "DECLARE moved NO SCROLL CURSOR FOR ";
	int count = ROWS_A_FETCH;

	take_added(db);
	strncat(declare, sql, sizeof(declare) - strlen(declare) - 1);
	postgres_do(db, declare);
	while (count == ROWS_A_FETCH && status == MRL_OK && !db->failed) {
		PGresult *found = postgres_run_once(db, "FETCH 2000 FROM moved", WITHOUT);

		count = give_rows(db, found, kinds, each, user, &status);
		postgres_free(db, found);
	}
	postgres_do(db, "CLOSE moved");
	return status != MRL_OK ? status : postgres_status(db, error);
}

enum mrl_status postgres_add(struct backend *backend, const char *sql, const struct bind *values, size_t count,
			     struct mrl_error *error)
{
	struct postgres *db = of(backend);

	if (db->added == 0)
		postgres_prepare(db, (const char *const[]){sql, NULL});
	if (postgres_send(db, sql, values, count))
		db->added++;
	if (db->added >= ROWS_A_BATCH || db->failed)
		take_added(db);
	return postgres_status(db, error);
}

enum mrl_status postgres_commit_move(struct backend *backend, struct mrl_error *error)
{
	struct postgres *db = of(backend);

	take_added(db);
	postgres_do(db, "COMMIT");
	return postgres_status(db, error);
}

static enum mrl_status copy_to(const char *place, const char *path, const atomic_bool *stop, struct mrl_error *error)
{
	enum mrl_status status = backend_sqlite.migrate(path, error);

	if (status != MRL_OK)
		return status;
	return move_club((struct move_end){&backend_postgres, place}, (struct move_end){&backend_sqlite, path},
			 MOVE_COPY, stop, NULL, NULL, error);
}

void postgres_copy(const char *place, struct task *task, const atomic_bool *stop)
{
	copy_whole(place, task, stop, copy_to);
}
