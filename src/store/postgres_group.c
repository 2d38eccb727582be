/*
 * A group of changes in one transaction.
 *
 * At first everything goes out at once: BEGIN, the writer's mark, the changes, COMMIT; one way to the database and back
 * for all of them. When a change cannot be, PostgreSQL runs nothing that stands behind it, so nothing is committed; the
 * group is rolled back and written again with a savepoint for each change, so that one alone fails.
 *
 * When the connection is lost while a group is written, nobody here knows whether it was committed. That is what the
 * mark is for, a row of the table `writers` that says the number of the writer's last group and is changed with it. The
 * next connection first raises the row's session, which waits until the old connection's transaction is over and keeps
 * a late one from beginning, since it names the old session. Then the number says it: the group is there, and is
 * answered; or it is not and cannot come any more, and is written again.
 */
#include "postgres.h"

#include <assert.h>
#include <string.h>

#include <os/clock.h>

enum {
	WINDOW = 64, /* changes that are sent behind one another when one of them may fail */
	TRIES = 4    /* when other programs write the same */
};

/* A statement that was sent: what it is of. */
struct sent {
	struct task *task;
	const struct op *op; /* NULL: a savepoint */
	size_t at;           /* which thing of the change */
};

static const char begin[] = "BEGIN";
static const char commit[] = "COMMIT";
static const char rollback[] = "ROLLBACK";
static const char save[] = "SAVEPOINT change";
static const char release[] = "RELEASE change";
static const char undo[] = "ROLLBACK TO change";
static const char mark[] =
    "WITH done AS (UPDATE writers SET number = $3, changed = now() WHERE id = $1 AND session = $2 RETURNING 1) "
    "SELECT merels_need((SELECT count(*) FROM done), 'MR409', 'another connection of this writer took over')";

static const char *const own_statements[] = {begin, commit, rollback, save, release, undo, mark, NULL};

/* ---- The writer's mark -------------------------------------------------------------------------------------- */

/* Raises the session: what an earlier connection of this writer had under way is over afterwards. */
static void take_over(struct postgres *db, int64_t *number)
{
	static const char make[] = "INSERT INTO writers DEFAULT VALUES RETURNING id, session, number";
	static const char raise[] =
	    "UPDATE writers SET session = session + 1 WHERE id = $1 RETURNING id, session, number";
	static const char forget[] = "DELETE FROM writers WHERE changed < now() - interval '30 days' AND id <> $1";
	PGresult *result = NULL;
	bool found = false;

	if (db->writer != 0)
		result = postgres_run_once(db, raise, WITH(INTEGER(db->writer)));
	if (!db->failed && (result == NULL || db->lib.rows(result) == 0)) {
		postgres_free(db, result);
		result = postgres_run_once(db, make, WITHOUT);
	}
	for (struct postgres_row row = postgres_rows(db, result); postgres_next(&row);) {
		found = true;
		db->writer = postgres_integer(&row, 0);
		db->session = postgres_integer(&row, 1);
		*number = postgres_integer(&row, 2);
	}
	postgres_free(db, result);
	if (found && db->session == 0)
		postgres_free(db, postgres_run_once(db, forget, WITH(INTEGER(db->writer))));
	if (!db->failed)
		db->marked = true;
}

void postgres_unmark(struct postgres *db)
{
	static const char drop[] = "DELETE FROM writers WHERE id = $1";

	postgres_clear(db);
	if (db->writer != 0 && !db->in_doubt && db->connection != NULL && !db->lost)
		postgres_free(db, postgres_run_once(db, drop, WITH(INTEGER(db->writer))));
}

/* Makes a connection ready to write; *committed when the group that was in doubt turns out to be there. */
static void prepare(struct postgres *db, bool *committed)
{
	int64_t number = 0;

	if (db->marked)
		return;
	take_over(db, &number);
	if (db->failed)
		return;
	*committed = db->in_doubt && number == db->number;
	db->in_doubt = false;
	postgres_prepare(db, own_statements);
	postgres_prepare(db, postgres_write_statements);
	if (db->node != 0)
		postgres_prepare(db, postgres_node_statements);
	db->marked = db->marked && !db->failed;
}

/* ---- Sending and taking ------------------------------------------------------------------------------------- */

static void note_sent(struct postgres *db, struct rows *sent, struct task *task, const struct op *op, size_t at)
{
	struct sent *one = postgres_add_row(db, sent, sizeof(*one));

	if (one != NULL)
		*one = (struct sent){task, op, at};
}

static void send_change(struct postgres *db, struct rows *sent, struct task *task, bool saved)
{
	size_t at = 0;

	if (saved && postgres_send(db, save, WITHOUT))
		note_sent(db, sent, task, NULL, 0);
	for (const struct op *op = task->change->first; op != NULL; op = op->next, at++) {
		for (unsigned count = postgres_send_op(db, op); count > 0; count--)
			note_sent(db, sent, task, op, at);
	}
	if (saved && postgres_send(db, release, WITHOUT))
		note_sent(db, sent, task, NULL, at);
}

/* Takes the results of what was sent; the first that failed, or NULL. */
static const struct sent *take_results(struct postgres *db, const struct rows *sent)
{
	const struct sent *all = sent->data;
	const struct sent *first = NULL;

	for (size_t i = 0; all != NULL && i < sent->count && !db->lost; i++) {
		PGresult *result = postgres_take(db);

		if (result == NULL)
			break;
		if (db->failed && first == NULL)
			first = &all[i];
		if (!db->failed && all[i].op != NULL) {
			all[i].task->answer.affected += postgres_affected(db, all[i].op, result);
			postgres_take_node(db, all[i].task, all[i].op, result);
		}
		postgres_free(db, result);
	}
	return first;
}

static void send_begin(struct postgres *db)
{
	(void)postgres_send(db, begin, WITHOUT);
	(void)postgres_send(db, mark, WITH(INTEGER(db->writer), INTEGER(db->session), INTEGER(db->number)));
}

/* A mark that cannot be set is somebody else's now, or gone: this connection has no say any more. */
static void take_begin(struct postgres *db)
{
	postgres_free(db, postgres_take(db));
	postgres_free(db, postgres_take(db));
	if (db->failed && !postgres_broken(db))
		postgres_lose(db, "its place was taken");
}

/* COMMIT in a transaction that has failed says ROLLBACK, and is no failure to PostgreSQL. */
static void take_commit(struct postgres *db)
{
	PGresult *result = postgres_take(db);

	if (result != NULL && !db->failed && strcmp(db->lib.command(result), "COMMIT") != 0)
		postgres_refuse(db, MRL_SYSTEM, "PostgreSQL rolled back what it was told to commit");
	postgres_free(db, result);
}

static void clear_answer(struct task *task)
{
	task->answer = (struct mrl_store_answer){.message = ""};
	task->rows.count = 0;
	task->extra.count = 0;
}

static void clear_answers(struct task *group)
{
	for (struct task *task = group; task != NULL; task = task->next)
		clear_answer(task);
}

/* Whatever it was: the transaction is over. What went wrong stays remembered. */
static void roll_back(struct postgres *db)
{
	const struct postgres_wrong wrong = db->wrong;

	if (db->lost)
		return;
	postgres_clear(db);
	postgres_do(db, rollback);
	postgres_fail(db, &wrong);
}

/* ---- All at once -------------------------------------------------------------------------------------------- */

static void write_at_once(struct postgres *db, struct task *group)
{
	struct rows sent = {0};

	clear_answers(group);
	send_begin(db);
	for (struct task *task = group; task != NULL; task = task->next)
		send_change(db, &sent, task, false);
	(void)postgres_send(db, commit, WITHOUT);
	/* Not all of it could be sent, so none of it is: there is no way to take it back but this. */
	if (db->failed)
		postgres_lose(db, "there was not enough memory for what is to be written");
	postgres_sync(db);
	take_begin(db);
	(void)take_results(db, &sent);
	if (!db->lost)
		take_commit(db);
	postgres_take_sync(db);
	rows_release(&sent);
}

/* ---- One by one --------------------------------------------------------------------------------------------- */

/* Writes changes from `*next` on, up to the first that fails or WINDOW of them. */
static void write_window(struct postgres *db, struct task **next)
{
	struct rows sent = {0};
	struct task *task = *next;

	for (unsigned count = 0; task != NULL && count < WINDOW; count++, task = task->next) {
		clear_answer(task);
		send_change(db, &sent, task, true);
	}
	if (db->failed)
		postgres_lose(db, "there was not enough memory for what is to be written");
	postgres_sync(db);
	const struct sent *wrong = take_results(db, &sent);

	postgres_take_sync(db);
	*next = task;
	if (wrong != NULL && !db->lost && !postgres_broken(db)) {
		wrong->task->answer = (struct mrl_store_answer){.failed = wrong->at};
		task_refuse_error(wrong->task, postgres_status(db, &wrong->task->error));
		postgres_clear(db);
		postgres_do(db, undo);
		postgres_do(db, release);
		*next = wrong->task->next;
	}
	rows_release(&sent);
}

static void write_one_by_one(struct postgres *db, struct task *group)
{
	struct task *next = group;

	postgres_clear(db);
	send_begin(db);
	postgres_sync(db);
	take_begin(db);
	postgres_take_sync(db);
	while (next != NULL && !db->failed)
		write_window(db, &next);
	if (db->failed)
		return;
	if (postgres_send(db, commit, WITHOUT)) {
		postgres_sync(db);
		take_commit(db);
		postgres_take_sync(db);
	}
}

/* ---- Well again --------------------------------------------------------------------------------------------- */

bool postgres_revive(struct postgres *db)
{
	bool committed = false;

	/* What failed on a connection that is good only another write can tell. */
	if ((db->connection != NULL && !db->lost) || !postgres_ready(db, 0))
		return false;
	/* Renewing the mark is a write: what can do that can do others. */
	prepare(db, &committed);
	if (db->failed && !db->lost)
		postgres_lose(db, db->wrong.error.message);
	return !db->failed;
}

/* ---- A group ------------------------------------------------------------------------------------------------ */

static void write_once(struct postgres *db, struct task *group)
{
	db->number++;
	db->in_doubt = true;
	write_at_once(db, group);
	if (db->failed && !db->lost) {
		roll_back(db);
		if (!postgres_broken(db))
			write_one_by_one(db, group);
		if (db->failed && !db->lost)
			roll_back(db);
	}
	/* If it is lost, the next connection will tell. */
	if (!db->lost)
		db->in_doubt = false;
}

static enum mrl_status refuse_all(struct postgres *db, struct task *group)
{
	static const char doubt[] = "; whether this was kept is not known";
	struct mrl_error error;
	enum mrl_status status = postgres_status(db, &error);
	size_t length = strlen(error.message);

	assert(status != MRL_OK);
	if (db->in_doubt && length + sizeof(doubt) <= sizeof(error.message))
		memcpy(error.message + length, doubt, sizeof(doubt));
	/* Where there are several servers another one may be the one that can write by now. */
	if (strcmp(db->wrong.code, "25006") == 0)
		postgres_lose(db, "PostgreSQL is read-only");
	for (struct task *task = group; task != NULL; task = task->next) {
		task->error = error;
		task->answer.failed = 0;
		task_refuse_error(task, status);
	}
	return status;
}

enum mrl_status postgres_write_group(struct postgres *db, struct task *group)
{
	uint64_t until = mrl_clock_now() + db->wait;

	/* What an earlier group left in doubt was refused long ago. */
	db->in_doubt = false;
	for (unsigned try = 0; try < TRIES;) {
		uint64_t now = mrl_clock_now();
		bool committed = false;

		if (!postgres_ready(db, now < until ? until - now : 0))
			break;
		prepare(db, &committed);
		if (committed)
			return MRL_OK;
		if (!db->failed)
			write_once(db, group);
		if (!db->failed)
			return MRL_OK;
		/* Once more, unless it is the database that will not. */
		if (!db->lost && db->wrong.status != MRL_BUSY)
			break;
		try += !db->lost || now >= until;
	}
	return refuse_all(db, group);
}
