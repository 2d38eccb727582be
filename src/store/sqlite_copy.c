/* A copy of a live database. */
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>

#include "sqlite_copy.h"

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

static enum mrl_status sync_file(const char *path, struct mrl_error *error)
{
	struct mrl_disk_file *file;
	enum mrl_status status = mrl_disk_open(&file, path, MRL_DISK_UPDATE, error);

	if (status != MRL_OK)
		return status;
	status = mrl_disk_sync(file, error);
	mrl_disk_close(file);
	return status;
}

void sqlite_copy(const char *place, struct task *task, const atomic_bool *stop)
{
	size_t length = strlen(task->text);
	char *part = arena_take(&task->memory, length + sizeof(".part"));
	struct mrl_error *error = &task->error;

	if (part == NULL) {
		task_refuse(task, MRL_SPACE, "there is not enough memory for a backup");
		return;
	}
	memcpy(part, task->text, length);
	memcpy(part + length, ".part", sizeof(".part"));
	if (mrl_disk_exists(task->text)) {
		task_refuse(task, MRL_CONFLICT, "there is a file of this name already");
		return;
	}
	enum mrl_status status = mrl_disk_remove(part, error);

	if (status == MRL_OK)
		status = copy_to(place, part, stop, error);
	if (status == MRL_OK)
		status = sync_file(part, error);
	if (status == MRL_OK)
		status = mrl_disk_rename(part, task->text, error);
	if (status == MRL_OK)
		return;
	(void)mrl_disk_remove(part, NULL);
	task_refuse_error(task, status);
}
