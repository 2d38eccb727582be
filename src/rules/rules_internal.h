/* What the files of src/rules share among themselves. */
#ifndef MERELS_RULES_INTERNAL_H
#define MERELS_RULES_INTERNAL_H

#include <merels/rules.h>

/* Fills the symmetries of a board whose neighbours and mills are known; false when there are too many. */
bool mrl__find_symmetries(struct mrl_board *board);

/* "White" or "Black". */
const char *mrl__side_name(unsigned side);

#endif
