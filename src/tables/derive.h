/* The value of a position from those of the positions one turn on, by src/rules alone. */
#ifndef MERELS_TABLES_DERIVE_H
#define MERELS_TABLES_DERIVE_H

#include <merels/table.h>

MRL_MUST_USE enum mrl_status derive_value(struct mrl_tables *tables, const struct mrl_rules *rules,
					  const struct mrl_position *position, struct mrl_table_value *value,
					  struct mrl_error *error);

#endif
