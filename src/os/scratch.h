/* Folders for a while: made under a name that nobody has, removed with all that is in them. */
#ifndef MERELS_OS_SCRATCH_H
#define MERELS_OS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/status.h>

/*
 * Makes a folder that is this user's alone, in $TMPDIR or /tmp; its name, put into `path`, begins with `name`.
 * MRL_SYSTEM when it cannot be made or its name does not fit.
 */
MRL_MUST_USE enum mrl_status mrl_scratch_make(const char *name, char *path, size_t size, struct mrl_error *error);

/* Removes a folder and all that is in it; links are removed, and what they lead to is not. False when something stays.
 */
bool mrl_scratch_remove(const char *path);

/*
 * The path of a folder that there is, from the root on and without links. MRL_SYSTEM when there is no such folder or
 * its path does not fit.
 */
MRL_MUST_USE enum mrl_status mrl_scratch_whole(const char *folder, char *path, size_t size, struct mrl_error *error);

#endif
