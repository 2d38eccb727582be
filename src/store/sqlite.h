/*
 * A connection to SQLite, and statements run on it.
 *
 * Statements are prepared once: they are known by the address of their text, so a text must be a constant. What goes
 * wrong is remembered in the connection until sqlite_clear(); after it nothing is run any more, so a sequence of
 * statements needs to ask only once, at its end. A connection belongs to one thread at a time.
 */
#ifndef MERELS_STORE_SQLITE_H
#define MERELS_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bind.h"
#include "columns.h"
#include "task.h"

enum { SQLITE_STATEMENTS = 256 };

struct sqlite {
	sqlite3 *handle;
	const atomic_bool *stop;
	uint64_t deadline; /* of mrl_clock_now(): a read that takes longer is ended; 0: none */
	bool too_long;
	int code;               /* what went wrong first, as SQLite's extended code; 0: nothing */
	enum mrl_status status; /* the same as ours */
	struct mrl_error error;
	char *path;
	unsigned wal_pages; /* in the log, after the last commit */
	unsigned tidy_at;   /* pages in the log from which on it is tried to write it back */
	struct {
		const char *sql;
		sqlite3_stmt *statement;
	} known[SQLITE_STATEMENTS];
};

/* ---- Connections -------------------------------------------------------------------------------------------- */

enum sqlite_mode {
	MODE_MAKE, /* made when it is not there */
	MODE_WRITE,
	MODE_READ,
	MODE_COPY /* made, to become a copy of another */
};

/* `path` is copied. On failure there is no connection, and `error` says why. */
enum mrl_status sqlite_open(struct sqlite **db, const char *path, enum sqlite_mode mode, struct mrl_error *error);
void sqlite_close(struct sqlite *db);

/* Writes the log back into the database, as far as readers let it; the patient form waits for them a moment. */
void sqlite_write_back(struct sqlite *db, bool patient);

/* The status of what went wrong, or MRL_OK; the sentence goes to `error` (may be NULL). */
enum mrl_status sqlite_status(const struct sqlite *db, struct mrl_error *error);

void sqlite_clear(struct sqlite *db);

/* Remembers something that went wrong, in our words. */
void sqlite_refuse(struct sqlite *db, enum mrl_status status, const char *sentence);

/* Remembers what SQLite says went wrong in `code`. */
void sqlite_fail(struct sqlite *db, int code);

/* Whether it was the disk, so that everything beside it is lost as well. */
bool sqlite_broken(const struct sqlite *db);

/* ---- Statements --------------------------------------------------------------------------------------------- */

/* A prepared statement with its values, to be stepped; NULL when something went wrong. */
sqlite3_stmt *sqlite_start(struct sqlite *db, const char *sql, const struct bind *binds, size_t count);

/* The same for a text that is used once; end it with sqlite_finish_once(). */
sqlite3_stmt *sqlite_start_once(struct sqlite *db, const char *sql, const struct bind *binds, size_t count);

/* Binds values to a statement that was started without. NULL is allowed. */
void sqlite_bind(struct sqlite *db, sqlite3_stmt *statement, const struct bind *binds, size_t count);

/* Whether there is another row; then its columns can be read. NULL is allowed, and has none. */
bool sqlite_row(struct sqlite *db, sqlite3_stmt *statement);

/* Ends a statement, after its last row or before. NULL is allowed. */
void sqlite_finish(sqlite3_stmt *statement);
void sqlite_finish_once(sqlite3_stmt *statement);

/* Runs a statement to its end; how many rows it changed. */
int sqlite_run(struct sqlite *db, const char *sql, const struct bind *binds, size_t count);

/* Runs a statement and returns the number in its only row; `otherwise` when there is no row. */
int64_t sqlite_number(struct sqlite *db, const char *sql, const struct bind *binds, size_t count, int64_t otherwise);

/* A copy of a column's text in the task's memory; "" for NULL. */
const char *sqlite_text(struct sqlite *db, struct task *task, sqlite3_stmt *statement, int column);

/* ---- The database ------------------------------------------------------------------------------------------- */

/* A step from one version of the database to the next. */
struct sqlite_step {
	const char *const *sql; /* statements; NULL behind the last */
};

/* The steps of this program: steps[n] leads from version n to n + 1. */
extern const struct sqlite_step sqlite_steps[];
extern const unsigned sqlite_step_count;

/*
 * Brings a database to version `count`, each step in a transaction of its own. MRL_UNSUPPORTED when it is newer, or no
 * database of ours.
 */
enum mrl_status sqlite_migrate(struct sqlite *db, const struct sqlite_step *steps, unsigned count,
			       struct mrl_error *error);

/* MRL_UNSUPPORTED when the database does not have version `count`. */
enum mrl_status sqlite_check_version(struct sqlite *db, unsigned count, struct mrl_error *error);

/* ---- What is written, by file ------------------------------------------------------------------------------- */

/* Each does one thing of a change, or remembers why not. `affected` counts what was removed. */
void sqlite_write_person(struct sqlite *db, const struct op *op, uint64_t *affected);
void sqlite_write_session(struct sqlite *db, const struct op *op, uint64_t *affected);
void sqlite_write_game(struct sqlite *db, const struct op *op);
void sqlite_write_rating(struct sqlite *db, const struct op *op);
void sqlite_write_small(struct sqlite *db, const struct op *op);

/* Writes a group: see backend.h. */
enum mrl_status sqlite_write_group(struct sqlite *db, struct task *group);

/* ---- What is read ------------------------------------------------------------------------------------------- */

/* Fill task->answer; what goes wrong is remembered in db. */
void sqlite_read_people(struct sqlite *db, struct task *task);
void sqlite_read_small(struct sqlite *db, struct task *task);
void sqlite_read_ratings(struct sqlite *db, struct task *task);
void sqlite_read_games(struct sqlite *db, struct task *task);
void sqlite_read_archive(struct sqlite *db, struct task *task);

/* Adds a game to task->rows from a row that has GAME_COLUMNS, or NULL. */
struct mrl_store_game *sqlite_add_game(struct sqlite *db, struct task *task, sqlite3_stmt *found);

/* Adds the events of a game, from a number on, that the task's memory then holds. */
void sqlite_add_events(struct sqlite *db, struct task *task, struct mrl_store_game *game, uint32_t from);

#endif
