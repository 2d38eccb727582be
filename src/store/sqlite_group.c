/*
 * A group of changes in one transaction. Each change has a savepoint, so that one that cannot be does not take its
 * neighbours with it; when the disk fails, all of them are undone.
 */
#include "sqlite.h"

static void apply_op(struct sqlite *db, const struct op *op, uint64_t *affected)
{
	switch (op->kind) {
	case OP_BEAT:
	case OP_TAKE:
	case OP_ADOPT:
	case OP_RELEASE:
	case OP_LEAVE:
		/* A server on a file is alone. */
		break;
	case OP_ADD_PERSON:
	case OP_PROMOTE:
	case OP_RENAME:
	case OP_SET_PASSWORD:
	case OP_SET_EMAIL:
	case OP_SEEN:
	case OP_BAN:
	case OP_DELETE_PERSON:
	case OP_DROP_GUESTS:
		sqlite_write_person(db, op, affected);
		break;
	case OP_ADD_SESSION:
	case OP_TOUCH_SESSION:
	case OP_REVOKE_SESSION:
	case OP_REVOKE_SESSIONS:
	case OP_EXPIRE_SESSIONS:
		sqlite_write_session(db, op, affected);
		break;
	case OP_ADD_GAME:
	case OP_APPEND:
	case OP_PUT_GAME:
	case OP_REMOVE_GAME:
		sqlite_write_game(db, op);
		break;
	case OP_SET_RATING:
		sqlite_write_rating(db, op);
		break;
	default:
		sqlite_write_small(db, op);
	}
}

/* What is one statement undoes itself when it fails: nothing has to be remembered for it. */
static bool is_one_statement(const struct mrl_store_change *change)
{
	return change->count == 1 && change->first->kind == OP_APPEND;
}

static void apply_change(struct sqlite *db, struct task *task)
{
	static const char save[] = "SAVEPOINT change";
	static const char release[] = "RELEASE change";
	static const char undo[] = "ROLLBACK TO change";
	const struct mrl_store_change *change = task->change;
	bool saved = !is_one_statement(change);
	size_t at = 0;

	task->answer = (struct mrl_store_answer){.message = ""};
	if (saved)
		sqlite_run(db, save, WITHOUT);
	for (const struct op *op = change->first; op != NULL && db->code == 0; op = op->next, at++)
		apply_op(db, op, &task->answer.affected);
	if (db->code != 0 && !sqlite_broken(db)) {
		task->answer.failed = at - 1;
		task_refuse_error(task, sqlite_status(db, &task->error));
		sqlite_clear(db);
		if (saved)
			sqlite_run(db, undo, WITHOUT);
	}
	if (saved)
		sqlite_run(db, release, WITHOUT);
}

static enum mrl_status refuse_all(struct sqlite *db, struct task *group)
{
	struct mrl_error error;
	enum mrl_status status = sqlite_status(db, &error);

	sqlite_clear(db);
	/* After many failures SQLite has already done it. */
	if (sqlite3_get_autocommit(db->handle) == 0)
		(void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	for (struct task *task = group; task != NULL; task = task->next) {
		task->error = error;
		task->answer.failed = 0;
		task_refuse_error(task, status);
	}
	return status;
}

enum mrl_status sqlite_write_group(struct sqlite *db, struct task *group)
{
	static const char begin[] = "BEGIN IMMEDIATE";
	static const char commit[] = "COMMIT";

	sqlite_clear(db);
	sqlite_run(db, begin, WITHOUT);
	for (struct task *task = group; task != NULL && db->code == 0; task = task->next)
		apply_change(db, task);
	sqlite_run(db, commit, WITHOUT);
	return db->code == 0 ? MRL_OK : refuse_all(db, group);
}
