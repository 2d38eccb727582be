/* Walks the files of a folder. */
#ifndef MERELS_OS_FOLDER_H
#define MERELS_OS_FOLDER_H

#include <stdbool.h>

#include <merels/status.h>

/* True when there is a folder of this name. */
bool mrl_folder_exists(const char *path);

/* True when the folder itself has a regular file of this name; a link is none. */
bool mrl_folder_has(const char *path, const char *name);

/*
 * Called for each file: `path` leads to it from where the program stands, `name` is its part below the folder, with
 * slashes. Both are gone when it returns. Anything but MRL_OK ends the walk.
 */
typedef enum mrl_status mrl_folder_visit(void *user, const char *path, const char *name, struct mrl_error *error);

/*
 * Visits every regular file in and below the folder, in no order. Names that begin with a dot and links are passed
 * over; so nothing is visited twice or outside. MRL_SYSTEM when a folder cannot be read or lies more than 16 deep,
 * else what `visit` returned last. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_folder_walk(const char *path, mrl_folder_visit *visit, void *user,
					     struct mrl_error *error);

#endif
