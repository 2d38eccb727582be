/* PostgreSQL as a backend of the store. */
#include <os/clock.h>

#include "backend.h"
#include "postgres.h"
#include "postgres_move.h"

/* Nobody outside knows more of a connection than that there is one. */
static struct postgres *of(struct backend *backend)
{
	return (struct postgres *)(void *)backend;
}

static enum mrl_status migrate(const char *place, struct mrl_error *error)
{
	struct postgres *db;
	enum mrl_status status = postgres_open(&db, place, POSTGRES_MIGRATES, NULL, error);

	if (status != MRL_OK)
		return status;
	status = postgres_migrate(db, postgres_steps, postgres_step_count, error);
	postgres_close(db);
	return status;
}

static enum mrl_status open_backend(struct backend **backend, const char *place, const struct backend_wish *wish,
				    struct mrl_error *error)
{
	static const enum postgres_use uses[] = {[BACKEND_WRITER] = POSTGRES_WRITES,
						 [BACKEND_SERVER] = POSTGRES_SERVES,
						 [BACKEND_NODE] = POSTGRES_NODE,
						 [BACKEND_READER] = POSTGRES_READS};
	struct postgres *db;
	enum mrl_status status = postgres_open(&db, place, uses[wish->role], wish, error);

	if (status == MRL_OK)
		*backend = (struct backend *)(void *)db;
	return status;
}

static void close_backend(struct backend *backend)
{
	postgres_unmark(of(backend));
	postgres_close(of(backend));
}

static uint64_t club(struct backend *backend)
{
	return (uint64_t)of(backend)->club;
}

static enum mrl_status latest(struct backend *backend, uint64_t *t, struct mrl_error *error)
{
	static const char sql[] = "SELECT max((SELECT t FROM events WHERE game = g.id ORDER BY number DESC LIMIT 1)) "
				  "FROM games g WHERE g.state < 2";
	struct postgres *db = of(backend);

	postgres_clear(db);
	*t = (uint64_t)postgres_number(db, sql, WITHOUT, 0);
	return postgres_status(db, error);
}

static enum mrl_status write_group(struct backend *backend, struct task *group)
{
	return postgres_write_group(of(backend), group);
}

static bool revive(struct backend *backend)
{
	return postgres_revive(of(backend));
}

/* PostgreSQL does its own housekeeping. */
static void tidy(struct backend *backend)
{
	(void)backend;
}

static void read_once(struct postgres *db, struct task *task)
{
	task->rows.count = 0;
	task->extra.count = 0;
	task->answer = (struct mrl_store_answer){.message = ""};
	switch (task_topic(task)) {
	case TOPIC_PEOPLE:
		postgres_read_people(db, task);
		break;
	case TOPIC_GAMES:
		postgres_read_games(db, task);
		break;
	case TOPIC_RATINGS:
		postgres_read_ratings(db, task);
		break;
	case TOPIC_ARCHIVE:
		postgres_read_archive(db, task);
		break;
	case TOPIC_SMALL:
		postgres_read_small(db, task);
		break;
	}
}

/*
 * A read that was cut off is asked once more, on a new connection. It waits less long for one than what is written:
 * nothing is lost when it is refused.
 */
static void read_task(struct backend *backend, struct task *task)
{
	struct postgres *db = of(backend);

	for (unsigned try = 0; try < 2; try++) {
		if (postgres_ready(db, db->wait / 2))
			read_once(db, task);
		if (!db->lost)
			break;
	}
	if (db->failed)
		task_refuse_error(task, postgres_status(db, &task->error));
}

const struct backend_kind backend_postgres = {
    .schemes = {"postgresql", "postgres"},
    .is_mending = true,
    .migrate = migrate,
    .open = open_backend,
    .close = close_backend,
    .club = club,
    .latest = latest,
    .write = write_group,
    .revive = revive,
    .tidy = tidy,
    .read = read_task,
    .copy = postgres_copy,
    .open_move = postgres_open_move,
    .scan = postgres_scan,
    .add = postgres_add,
    .commit_move = postgres_commit_move,
    .mark = '$',
};
