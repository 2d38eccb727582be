/* Questions to exact tables, here or at a worker: what their two files share. */
#ifndef MERELS_SERVER_ASKED_H
#define MERELS_SERVER_ASKED_H

#include <stdbool.h>

#include <merels/rules.h>

struct mrl__exchange;

/* The position that is asked about. False after having answered that it is none. */
bool mrl__read_asked(struct mrl__exchange *exchange, const struct mrl_rules *rules, struct mrl_position *position);

/* Has a worker answer, if one has tables of these rules (in canonical form); else false, and nothing was answered. */
bool mrl__ask_worker(struct mrl__exchange *exchange, const char *rules);

#endif
