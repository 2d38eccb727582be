/* The value of a position from those of the positions one turn on, by src/rules alone. */
#ifndef MERELS_TABLES_DERIVE_H
#define MERELS_TABLES_DERIVE_H

#include <merels/table.h>

MRL_MUST_USE enum mrl_status derive_value(struct mrl_tables *tables, const struct mrl_rules *rules,
					  const struct mrl_position *position, struct mrl_table_value *value,
					  struct mrl_error *error);

/* Whether a is better than b for the side to move: a shorter win, else a draw, else a longer loss. */
bool derive_better(const struct mrl_table_value *a, const struct mrl_table_value *b);

/* What the value of a position is for the side that moved into it. */
struct mrl_table_value derive_before(struct mrl_table_value value);

#endif
