/* Backups: a copy appears under its name when it is whole and synced. */
#ifndef MERELS_STORE_COPY_H
#define MERELS_STORE_COPY_H

#include <stdatomic.h>

#include "task.h"

/* Copies a database to `path`, which is no database yet. */
typedef enum mrl_status copy_maker(const char *place, const char *path, const atomic_bool *stop,
				   struct mrl_error *error);

/* Has a copy made under another name, and names it task->text. */
void copy_whole(const char *place, struct task *task, const atomic_bool *stop, copy_maker *make);

#endif
