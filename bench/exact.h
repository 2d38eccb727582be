/*
 * What measurements against exact tables share: the tables of a rule set, what every turn of a position is worth, and
 * random numbers that are the same on every machine. One thread.
 */
#ifndef MERELS_BENCH_EXACT_H
#define MERELS_BENCH_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/search.h>
#include <merels/table.h>

/* Men of the attacker, who is to move, and of the defender. */
struct exact_men {
	unsigned own;
	unsigned enemy;
};

/* What is to be measured, and how much of it. */
struct exact_settings {
	const char *folder;       /* has a folder of tables for each rule set, of its name */
	const char *const *rules; /* names of rule sets; all can be read */
	size_t rule_count;
	unsigned long positions;
	unsigned long nodes;  /* of a turn; for endings */
	bool helped;          /* for endings: the attacker is told the values, not the distances */
	const char *own;      /* for endings: a folder of tables that the attacker asks; NULL: none */
	struct exact_men men; /* for endings; 0 against 0: several */
};

struct exact {
	struct mrl_rules rules;
	struct mrl_tables *tables;
	struct mrl_tables *own_tables; /* of the attacker, or NULL */
	struct mrl_search *search;
	void *memory; /* owned: of `search` */
};

enum exact_opened { EXACT_OPEN, EXACT_SKIPPED, EXACT_NO_MEMORY };

/* Opens the tables of a rule set and makes a search; when they cannot be had says so on one line, and is skipped. */
enum exact_opened exact_open(struct exact *exact, const char *folder, const char *rules);
void exact_close(struct exact *exact);

/* Opens a folder of tables of the same rules for the attacker; when it cannot be had says so on one line. */
bool exact_open_own(struct exact *exact, const char *folder);

/* A value for the side to move: 1 won, 0 drawn, -1 lost; false when the tables do not know the position. */
bool exact_value(const struct exact *exact, const struct mrl_position *position, struct mrl_exact *value);

/* What a turn is worth to the side that plays it. */
bool exact_turn_value(const struct exact *exact, const struct mrl_position *position, const struct mrl_turn *turn,
		      struct mrl_exact *value);

/* The next of a sequence of random numbers, below a limit. */
unsigned exact_random(uint64_t *state, size_t limit);

#endif
