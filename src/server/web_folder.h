/* Where the web client is that belongs to this program. */
#ifndef MERELS_SERVER_WEB_FOLDER_H
#define MERELS_SERVER_WEB_FOLDER_H

#include <stddef.h>

#include <merels/status.h>
#include <os/log.h>

#include "assets.h"

/*
 * Finds the folder: beside the program in a tree where it was built (build/PRESET/merels and web/dist), or where it was
 * installed (bin/merels and share/merels/web). MRL_SYSTEM when it is in neither place; `error` (may be NULL) says where
 * it was looked for and how to name another.
 */
MRL_MUST_USE enum mrl_status mrl__web_folder_find(char *folder, size_t size, struct mrl_error *error);

/* Loads the web client from a folder, "" for the one that belongs to this program, and tells the log where it is from.
 */
MRL_MUST_USE enum mrl_status mrl__web_folder_load(struct mrl__web **web, const char *folder, const struct mrl_log *log,
						  struct mrl_error *error);

#endif
