/* Finished games as records, with clocks. Thread-safe but for the rulebook, which is the loop's. */
#ifndef MERELS_SERVER_RECORDS_H
#define MERELS_SERVER_RECORDS_H

#include <merels/store.h>

#include "rulebook.h"

/* The record of a game with its events; the caller's to free. NULL when there is no memory, or it is damaged. */
char *mrl__record_text(struct mrl__rulebook *rulebook, const struct mrl_store_game *game);

#endif
