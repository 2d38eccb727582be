/* Folders that hold endings alone: which men these have, and the file that says so. */
#ifndef MERELS_TABLES_ENDINGS_H
#define MERELS_TABLES_ENDINGS_H

#include <stdbool.h>

#include <merels/table.h>

/* Whether such endings occur in the rule set; MRL_RANGE with a sentence when they do not. */
MRL_MUST_USE enum mrl_status endings_check(const struct mrl_rules *rules, struct mrl_endings endings,
					   struct mrl_error *error);

/* The same with the greater number first, so that 4 against 6 are 6 against 4. */
struct mrl_endings endings_order(struct mrl_endings endings);

/*
 * What a folder says that it holds; 0 against 0 when it does not. MRL_NAME for endings of other rules, MRL_SYSTEM when
 * the file cannot be read or makes no sense.
 */
MRL_MUST_USE enum mrl_status endings_read(const char *folder, const struct mrl_rules *rules,
					  struct mrl_endings *endings, struct mrl_error *error);

/* Says that the folder holds these, all of them. */
MRL_MUST_USE enum mrl_status endings_write(const char *folder, const struct mrl_rules *rules,
					   struct mrl_endings endings, bool hasty, struct mrl_error *error);

#endif
