/* What tables hold, as text, CSV or JSON. */
#ifndef MERELS_CLI_TABLES_REPORT_H
#define MERELS_CLI_TABLES_REPORT_H

#include <merels/table.h>

enum tables_format { TABLES_TEXT, TABLES_CSV, TABLES_JSON };

/* Counts all sectors and prints them on stdout, with the value of the start and of each first turn. */
MRL_MUST_USE enum mrl_status tables_report(struct mrl_tables *tables, const struct mrl_rules *rules,
					   enum tables_format format, struct mrl_error *error);

/* The value of a turn for the side that makes it. */
MRL_MUST_USE enum mrl_status tables_turn_value(struct mrl_tables *tables, const struct mrl_rules *rules,
					       const struct mrl_position *position, const struct mrl_turn *turn,
					       struct mrl_table_value *value, struct mrl_error *error);

#endif
