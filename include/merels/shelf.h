/*
 * The exact tables that the perfect computer asks: in a folder, one folder for each preset that has some. Opened once;
 * afterwards any thread may look things up.
 */
#ifndef MERELS_SHELF_H
#define MERELS_SHELF_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/rules.h>
#include <merels/search.h>

#define MRL_SHELF_MOST 32

struct mrl_log;
struct mrl_tables;

struct mrl_shelf {
	struct {
		const char *name; /* of the preset */
		struct mrl_rules *rules;
		struct mrl_tables *tables;
	} tables[MRL_SHELF_MOST];
	size_t count;
};

/* Opens what is there; what cannot be opened is told to the log and left out. */
void mrl_shelf_open(struct mrl_shelf *shelf, const char *folder, const struct mrl_log *log);
void mrl_shelf_close(struct mrl_shelf *shelf);

/* The tables of a rule set, in canonical form; NULL when there are none. */
struct mrl_tables *mrl_shelf_find(const struct mrl_shelf *shelf, const char *rules);

/* The same, with the rule set that was opened with them. */
struct mrl_tables *mrl_shelf_ask(const struct mrl_shelf *shelf, const char *rules, const struct mrl_rules **own);

/* A search asks; `context` is the tables. */
bool mrl_shelf_probe(void *context, const struct mrl_rules *rules, const struct mrl_position *position,
		     struct mrl_exact *exact);

#endif
