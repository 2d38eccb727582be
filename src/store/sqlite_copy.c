/* A copy of a live database. */
#include "sqlite_copy.h"

#include "copy.h"

enum { PAGES_A_STEP = 1024 };

static int copy_pages(struct sqlite *from, sqlite3 *to, const atomic_bool *stop)
{
	/*
	 * Reading keeps the source at one moment from the first step to the last: writers go on in the log behind it.
	 * Without it, each of their commits would make the copy begin anew.
	 */
	int code = sqlite3_exec(from->handle, "BEGIN; SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);

	if (code != SQLITE_OK)
		return code;
	sqlite3_backup *backup = sqlite3_backup_init(to, "main", from->handle, "main");

	if (backup == NULL)
		return sqlite3_extended_errcode(to);
	do {
		code = atomic_load(stop) ? SQLITE_INTERRUPT : sqlite3_backup_step(backup, PAGES_A_STEP);
	} while (code == SQLITE_OK);
	int finished = sqlite3_backup_finish(backup);

	(void)sqlite3_exec(from->handle, "COMMIT", NULL, NULL, NULL);
	return code == SQLITE_DONE ? finished : code;
}

/* Copies to `path`, which is no database yet. */
static enum mrl_status copy_to(const char *place, const char *path, const atomic_bool *stop, struct mrl_error *error)
{
	struct sqlite *from = NULL;
	struct sqlite *to = NULL;
	enum mrl_status status = sqlite_open(&from, place, MODE_READ, error);

	if (status == MRL_OK)
		status = sqlite_open(&to, path, MODE_COPY, error);
	if (status == MRL_OK) {
		sqlite_fail(to, copy_pages(from, to->handle, stop));
		status = sqlite_status(to, error);
	}
	sqlite_close(to);
	sqlite_close(from);
	return status;
}

void sqlite_copy(const char *place, struct task *task, const atomic_bool *stop)
{
	copy_whole(place, task, stop, copy_to);
}
