/* Turns the journal of a solved layer into the files of its sectors. */
#ifndef MERELS_TABLES_PACK_H
#define MERELS_TABLES_PACK_H

#include "solve.h"

/* Writes the files of a layer that are not there yet. MRL_STOPPED when `watch` said so. */
MRL_MUST_USE enum mrl_status pack_layer(const struct solve *solve, const struct plan_layer *layer, const char *folder,
					struct mrl_error *error);

/*
 * Whether a file of a sector is missing, damaged, or has its cells left out though they are wanted now. MRL_NAME when
 * one is of another rule set.
 */
MRL_MUST_USE enum mrl_status pack_missing(const struct solve *solve, struct sector sector, const char *folder,
					  bool *missing, struct mrl_error *error);

#endif
