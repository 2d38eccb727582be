#include "sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>

enum {
	BUSY_MS = 10000,     /* how long a tool's write may keep ours waiting */
	READERS_MS = 50,     /* how long readers may keep the log from beginning anew, while nothing is written */
	PROGRESS_OPS = 20000 /* steps of SQLite's machine between two looks at the clock: well under a millisecond */
};

/* ---- What went wrong ---------------------------------------------------------------------------------------- */

static enum mrl_status meaning(sqlite3 *handle, int code)
{
	int number = handle == NULL ? 0 : sqlite3_system_errno(handle);

	switch (code & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return MRL_OK;
	case SQLITE_FULL:
		return MRL_FULL;
	case SQLITE_IOERR:
		if (code == SQLITE_IOERR_NOMEM)
			return MRL_SPACE;
		return number == ENOSPC || number == EDQUOT ? MRL_FULL : MRL_SYSTEM;
	case SQLITE_NOMEM:
		return MRL_SPACE;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return MRL_BUSY;
	case SQLITE_INTERRUPT:
		return MRL_STOPPED;
	case SQLITE_TOOBIG:
		return MRL_RANGE;
	case SQLITE_CONSTRAINT:
		if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
			return MRL_MISSING;
		if (code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_UNIQUE ||
		    code == SQLITE_CONSTRAINT_ROWID)
			return MRL_CONFLICT;
		return MRL_RANGE;
	default:
		return MRL_SYSTEM;
	}
}

static void describe(struct mrl_error *error, const char *path, sqlite3 *handle, int code)
{
	enum mrl_status status = meaning(handle, code);
	struct mrl_text text = mrl_error_open(error, status, 0, 0);
	int number = handle == NULL ? 0 : sqlite3_system_errno(handle);

	switch (status) {
	case MRL_FULL:
		mrl_text_add(&text, path);
		mrl_text_add(&text, " cannot be written: the disk is full");
		return;
	case MRL_BUSY:
		mrl_text_add(&text, path);
		mrl_text_add(&text, " is being written by another program, which did not finish in time");
		return;
	case MRL_SPACE:
		mrl_text_add(&text, "there is not enough memory for the database");
		return;
	case MRL_STOPPED:
		mrl_text_add(&text, "the store is being closed");
		return;
	case MRL_MISSING:
		mrl_text_add(&text, "somebody or something that it speaks of is not there");
		return;
	case MRL_CONFLICT:
		mrl_text_add(&text, "there is something with this id already");
		return;
	default:
		mrl_text_add(&text, path);
		mrl_text_add(&text, ": ");
		mrl_text_add(&text, handle != NULL && sqlite3_extended_errcode(handle) == code ? sqlite3_errmsg(handle)
											       : sqlite3_errstr(code));
		if ((code & 0xff) == SQLITE_IOERR && number != 0) {
			mrl_text_add(&text, ": ");
			mrl_text_add(&text, strerror(number));
		}
	}
}

void sqlite_fail(struct sqlite *db, int code)
{
	if (db->code != 0 || code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
		return;
	db->code = code;
	db->status = meaning(db->handle, code);
	describe(&db->error, db->path, db->handle, code);
	if (db->status == MRL_STOPPED && db->too_long) {
		struct mrl_text text = mrl_error_open(&db->error, MRL_STOPPED, 0, 0);

		mrl_text_add(&text, "the search took too long; ask for less");
	}
}

void sqlite_refuse(struct sqlite *db, enum mrl_status status, const char *sentence)
{
	if (db->code != 0)
		return;
	struct mrl_text text = mrl_error_open(&db->error, status, 0, 0);

	mrl_text_add(&text, sentence);
	db->code = SQLITE_ABORT;
	db->status = status;
}

enum mrl_status sqlite_status(const struct sqlite *db, struct mrl_error *error)
{
	if (db->code == 0)
		return MRL_OK;
	if (error != NULL)
		*error = db->error;
	return db->status;
}

void sqlite_clear(struct sqlite *db)
{
	db->code = 0;
	db->status = MRL_OK;
	db->too_long = false;
}

bool sqlite_broken(const struct sqlite *db)
{
	return db->status == MRL_SYSTEM || db->status == MRL_FULL || db->status == MRL_BUSY || db->status == MRL_SPACE;
}

/* ---- Connections -------------------------------------------------------------------------------------------- */

static int look_at_clock(void *of)
{
	struct sqlite *db = of;

	if (db->stop != NULL && atomic_load_explicit(db->stop, memory_order_relaxed))
		return 1;
	if (db->deadline != 0 && mrl_clock_now() > db->deadline) {
		db->too_long = true;
		return 1;
	}
	return 0;
}

static int note_wal(void *of, sqlite3 *handle, const char *name, int pages)
{
	struct sqlite *db = of;

	(void)handle;
	(void)name;
	db->wal_pages = (unsigned)pages;
	return SQLITE_OK;
}

static int set_up(struct sqlite *db, enum sqlite_mode mode)
{
	static const char common[] = "PRAGMA foreign_keys = ON;"
				     "PRAGMA trusted_schema = OFF;"
				     "PRAGMA temp_store = MEMORY;"; /* undoing a savepoint must not need the disk */
	static const char writing[] = "PRAGMA journal_mode = WAL;"
				      "PRAGMA synchronous = FULL;"
				      "PRAGMA wal_autocheckpoint = 0;" /* between groups, not within: see tidy */
				      "PRAGMA journal_size_limit = 67108864;"
				      "PRAGMA cache_size = -65536;";
	int code = sqlite3_extended_result_codes(db->handle, 1);

	if (code == SQLITE_OK)
		code = sqlite3_busy_timeout(db->handle, BUSY_MS);
	if (code == SQLITE_OK)
		code = sqlite3_exec(db->handle, common, NULL, NULL, NULL);
	if (code == SQLITE_OK && mode != MODE_READ && mode != MODE_COPY)
		code = sqlite3_exec(db->handle, writing, NULL, NULL, NULL);
	if (code == SQLITE_OK && mode == MODE_READ)
		sqlite3_progress_handler(db->handle, PROGRESS_OPS, look_at_clock, db);
	if (code == SQLITE_OK && mode == MODE_WRITE)
		(void)sqlite3_wal_hook(db->handle, note_wal, db);
	return code;
}

enum mrl_status sqlite_open(struct sqlite **db, const char *path, enum sqlite_mode mode, struct mrl_error *error)
{
	static const int flags[] = {SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READWRITE,
				    SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
	struct sqlite *made = calloc(1, sizeof(*made));
	size_t length = strlen(path) + 1;
	int code = SQLITE_NOMEM;

	if (made != NULL)
		made->path = malloc(length);
	if (made != NULL && made->path != NULL) {
		memcpy(made->path, path, length);
		code = sqlite3_open_v2(path, &made->handle, flags[mode] | SQLITE_OPEN_NOMUTEX, NULL);
	}
	if (code == SQLITE_OK)
		code = set_up(made, mode);
	if (code != SQLITE_OK) {
		enum mrl_status status = meaning(made == NULL ? NULL : made->handle, code);

		describe(error, path, made == NULL ? NULL : made->handle, code);
		sqlite_close(made);
		return status;
	}
	*db = made;
	return MRL_OK;
}

void sqlite_close(struct sqlite *db)
{
	if (db == NULL)
		return;
	for (size_t i = 0; i < SQLITE_STATEMENTS; i++)
		(void)sqlite3_finalize(db->known[i].statement);
	(void)sqlite3_close(db->handle);
	free(db->path);
	free(db);
}

void sqlite_write_back(struct sqlite *db, bool patient)
{
	(void)sqlite3_busy_timeout(db->handle, READERS_MS);
	(void)sqlite3_wal_checkpoint_v2(db->handle, NULL,
					patient ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	(void)sqlite3_busy_timeout(db->handle, BUSY_MS);
}

/* ---- Statements --------------------------------------------------------------------------------------------- */

void sqlite_bind(struct sqlite *db, sqlite3_stmt *statement, const struct bind *binds, size_t count)
{
	if (statement == NULL)
		return;
	for (size_t i = 0; i < count; i++) {
		int at = (int)i + 1;

		switch (binds[i].kind) {
		case BIND_NULL:
			sqlite_fail(db, sqlite3_bind_null(statement, at));
			break;
		case BIND_INTEGER:
			sqlite_fail(db, sqlite3_bind_int64(statement, at, binds[i].integer));
			break;
		case BIND_REAL:
			sqlite_fail(db, sqlite3_bind_double(statement, at, binds[i].real));
			break;
		case BIND_TEXT:
			sqlite_fail(db, sqlite3_bind_text(statement, at, binds[i].text, -1, SQLITE_STATIC));
			break;
		case BIND_BYTES:
			sqlite_fail(
			    db, sqlite3_bind_blob(statement, at, binds[i].text, MRL_STORE_HASH_BYTES, SQLITE_STATIC));
			break;
		}
	}
}

/* The place of a statement among those that are known, or of the first free one after it. */
static size_t find_known(const struct sqlite *db, const char *sql)
{
	size_t at = (size_t)((uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15) >> 56);

	while (db->known[at].sql != NULL && db->known[at].sql != sql)
		at = (at + 1) % SQLITE_STATEMENTS;
	return at;
}

sqlite3_stmt *sqlite_start(struct sqlite *db, const char *sql, const struct bind *binds, size_t count)
{
	if (db->code != 0)
		return NULL;
	size_t at = find_known(db, sql);

	if (db->known[at].sql == NULL) {
		sqlite_fail(db, sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
						   &db->known[at].statement, NULL));
		if (db->code != 0)
			return NULL;
		db->known[at].sql = sql;
	}
	sqlite_bind(db, db->known[at].statement, binds, count);
	return db->code == 0 ? db->known[at].statement : NULL;
}

sqlite3_stmt *sqlite_start_once(struct sqlite *db, const char *sql, const struct bind *binds, size_t count)
{
	sqlite3_stmt *statement = NULL;

	if (db->code != 0)
		return NULL;
	sqlite_fail(db, sqlite3_prepare_v3(db->handle, sql, -1, 0, &statement, NULL));
	if (statement != NULL)
		sqlite_bind(db, statement, binds, count);
	return statement;
}

bool sqlite_row(struct sqlite *db, sqlite3_stmt *statement)
{
	if (statement == NULL || db->code != 0)
		return false;
	int code = sqlite3_step(statement);

	if (code == SQLITE_ROW)
		return true;
	sqlite_fail(db, code);
	return false;
}

void sqlite_finish(sqlite3_stmt *statement)
{
	if (statement == NULL)
		return;
	/* Its failure is that of the last step, which is known. */
	(void)sqlite3_reset(statement);
	(void)sqlite3_clear_bindings(statement);
}

void sqlite_finish_once(sqlite3_stmt *statement)
{
	(void)sqlite3_finalize(statement);
}

int sqlite_run(struct sqlite *db, const char *sql, const struct bind *binds, size_t count)
{
	sqlite3_stmt *statement = sqlite_start(db, sql, binds, count);

	if (statement == NULL)
		return 0;
	while (sqlite_row(db, statement))
		;
	sqlite_finish(statement);
	return db->code == 0 ? sqlite3_changes(db->handle) : 0;
}

int64_t sqlite_number(struct sqlite *db, const char *sql, const struct bind *binds, size_t count, int64_t otherwise)
{
	sqlite3_stmt *statement = sqlite_start(db, sql, binds, count);
	int64_t number = otherwise;

	if (sqlite_row(db, statement) && sqlite3_column_type(statement, 0) != SQLITE_NULL)
		number = sqlite3_column_int64(statement, 0);
	sqlite_finish(statement);
	return number;
}

const char *sqlite_text(struct sqlite *db, struct task *task, sqlite3_stmt *statement, int column)
{
	const void *text = sqlite3_column_text(statement, column);
	int length = sqlite3_column_bytes(statement, column);

	if (text == NULL || length == 0)
		return "";
	const char *copy = arena_text(&task->memory, text, (size_t)length);

	if (copy == NULL)
		sqlite_fail(db, SQLITE_NOMEM);
	return copy == NULL ? "" : copy;
}
