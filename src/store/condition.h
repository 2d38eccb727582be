/*
 * A search among ended games as SQL that both databases understand. Every value has a number of its own, the same in
 * each query, and is written with the mark of the database: ?1 or $1.
 */
#ifndef MERELS_STORE_CONDITION_H
#define MERELS_STORE_CONDITION_H

#include <stdbool.h>
#include <stddef.h>

#include "bind.h"
#include "task.h"

enum {
	AT_PERSON = 1,
	AT_OPPONENT,
	AT_RULES,
	AT_SPEEDS,
	AT_FROM,
	AT_UNTIL,
	AT_PREFIX,
	AT_BEHIND,
	AT_ENDED,
	AT_ID,
	AT_LIMIT
};

enum { CONDITION_BYTES = 1024 };

struct condition {
	char text[CONDITION_BYTES];
	size_t length;
	char mark;
};

/* `mine` and `other` are "white" and "black" or the other way round; "" when the search is for nobody's games. */
struct condition search_condition(const struct task *task, const char *mine, const char *other, char mark);

/* An opponent of nobody is a person. False when nothing can be found. */
bool search_make_sense(struct task *task);

/* The values, by number; false when there is no memory. */
bool search_values(struct task *task, struct bind values[AT_LIMIT]);

#endif
