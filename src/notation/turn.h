/* A turn inside a longer text, for the record reader. */
#ifndef MERELS_NOTATION_TURN_H
#define MERELS_NOTATION_TURN_H

#include <merels/rules.h>

#include "scan.h"

/*
 * Reads the turn that begins at the scan, with the takes that stand apart behind it, and leaves the scan behind its
 * last byte. What follows there is the caller's business. Legal in `position` when the answer is MRL_OK.
 */
enum mrl_status mrl__turn_scan(const struct mrl_rules *rules, const struct mrl_position *position,
			       struct mrl__scan *scan, struct mrl_turn *turn, struct mrl_error *error);

#endif
