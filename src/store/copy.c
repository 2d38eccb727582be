#include "copy.h"

#include <string.h>

#include <os/disk.h>

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

void copy_whole(const char *place, struct task *task, const atomic_bool *stop, copy_maker *make)
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
		status = make(place, part, stop, error);
	if (status == MRL_OK)
		status = sync_file(part, error);
	if (status == MRL_OK)
		status = mrl_disk_rename(part, task->text, true, error);
	if (status == MRL_OK)
		return;
	(void)mrl_disk_remove(part, NULL);
	task_refuse_error(task, status);
}
