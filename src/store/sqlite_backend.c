/* SQLite as a backend of the store. */
#include "backend.h"
#include "sqlite.h"
#include "sqlite_copy.h"
#include "sqlite_move.h"

/*
 * Pages in the log from which on it is written back into the database. Few, and the same pages are written back often;
 * many, and the pause of writing back is long and a restart reads much. 4000 are 16 MB.
 */
enum { LOG_PAGES = 4000 };

/* Nobody outside knows more of a connection than that there is one. */
static struct sqlite *of(struct backend *backend)
{
	return (struct sqlite *)(void *)backend;
}

static enum mrl_status migrate(const char *place, struct mrl_error *error)
{
	struct sqlite *db;
	enum mrl_status status = sqlite_open(&db, place, MODE_MAKE, error);

	if (status != MRL_OK)
		return status;
	status = sqlite_migrate(db, sqlite_steps, sqlite_step_count, error);
	sqlite_close(db);
	return status;
}

static enum mrl_status open_backend(struct backend **backend, const char *place, const struct backend_wish *wish,
				    struct mrl_error *error)
{
	struct sqlite *db;
	enum mrl_status status = sqlite_open(&db, place, wish->role == BACKEND_READER ? MODE_READ : MODE_WRITE, error);

	if (status != MRL_OK)
		return status;
	db->stop = wish->stop;
	status = sqlite_check_version(db, sqlite_step_count, error);
	if (status != MRL_OK) {
		sqlite_close(db);
		return status;
	}
	*backend = (struct backend *)(void *)db;
	return MRL_OK;
}

static void close_backend(struct backend *backend)
{
	sqlite_close(of(backend));
}

static enum mrl_status latest(struct backend *backend, uint64_t *t, struct mrl_error *error)
{
	static const char sql[] = "SELECT max((SELECT t FROM events WHERE game = g.id ORDER BY number DESC LIMIT 1)) "
				  "FROM games g INDEXED BY games_unfinished WHERE g.state < 2";
	struct sqlite *db = of(backend);

	sqlite_clear(db);
	*t = (uint64_t)sqlite_number(db, sql, WITHOUT, 0);
	return sqlite_status(db, error);
}

static enum mrl_status write_group(struct backend *backend, struct task *group)
{
	return sqlite_write_group(of(backend), group);
}

/*
 * The log begins anew only when all of it was written back and no reader needs it any more. With many readers that
 * takes some tries, and each costs a sync, so there is more and more writing between them. When the log is twice as
 * long as it should be, readers are waited for. What cannot be written back today stays in the log, which is as good;
 * nobody has to be told.
 */
static void tidy(struct backend *backend)
{
	struct sqlite *db = of(backend);

	if (db->wal_pages < LOG_PAGES)
		db->tidy_at = LOG_PAGES;
	if (db->wal_pages < db->tidy_at)
		return;
	sqlite_write_back(db, db->wal_pages >= 2 * LOG_PAGES);
	db->tidy_at = db->wal_pages + db->wal_pages / 8;
}

static void read_task(struct backend *backend, struct task *task)
{
	struct sqlite *db = of(backend);

	sqlite_clear(db);
	task->answer = (struct mrl_store_answer){.message = ""};
	/* One moment for all statements of a read. */
	sqlite_fail(db, sqlite3_exec(db->handle, "BEGIN", NULL, NULL, NULL));
	switch (task->kind) {
	case TASK_FIND_PERSON:
	case TASK_FIND_NAME:
	case TASK_FIND_SESSION:
	case TASK_LIST_SESSIONS:
	case TASK_LIST_NAMES:
	case TASK_LIST_DELETED:
		sqlite_read_people(db, task);
		break;
	case TASK_LOAD_GAME:
	case TASK_LIST_CURRENT:
		sqlite_read_games(db, task);
		break;
	case TASK_LIST_RATINGS:
	case TASK_FIND_RATINGS:
	case TASK_LIST_POINTS:
	case TASK_LIST_LEADERS:
		sqlite_read_ratings(db, task);
		break;
	case TASK_LIST_GAMES:
	case TASK_FIND_SCORE:
	case TASK_LIST_UNFINISHED:
		sqlite_read_archive(db, task);
		break;
	default:
		sqlite_read_small(db, task);
	}
	(void)sqlite3_exec(db->handle, "COMMIT", NULL, NULL, NULL);
	if (db->code != 0)
		task_refuse_error(task, sqlite_status(db, &task->error));
}

const struct backend_kind backend_sqlite = {
    .schemes = {"sqlite", NULL},
    .is_file = true,
    .migrate = migrate,
    .open = open_backend,
    .close = close_backend,
    .latest = latest,
    .write = write_group,
    .tidy = tidy,
    .read = read_task,
    .copy = sqlite_copy,
    .open_move = sqlite_open_move,
    .scan = sqlite_scan,
    .add = sqlite_add,
    .commit_move = sqlite_commit_move,
    .mark = '?',
};
