/* The parameters of a rule set: one table of keys, values and meanings. */
#ifndef MERELS_PARAMETERS_H
#define MERELS_PARAMETERS_H

#include <merels/rules.h>
#include <merels/text.h>

/* The parameters in the table's order; the order of the canonical form. */
enum parameter {
	MEN,
	FLY,
	MOVE_EARLY,
	MILL,
	TAKE,
	TAKE_COUNT,
	STUCK,
	FULL_BOARD,
	REPETITION,
	NO_MILL,
	THREE_MEN,
	PARAMETERS
};

struct parameter_row {
	const char *key;
	const char *values; /* as a person may write them */
	const char *meaning;
	const char *words[4]; /* the values of a parameter that is a word, in the order of their numbers */
	unsigned least;       /* of a number that is not 0 */
	unsigned most;
	bool may_be_zero;
};

/* The row of a parameter, `parameter` below PARAMETERS. */
const struct parameter_row *mrl__parameter_row(enum parameter parameter);

/* PARAMETERS when no parameter has this key. */
enum parameter mrl__parameter_find(const char *bytes, size_t length);

unsigned mrl__parameter_get(const struct mrl_rules *rules, enum parameter parameter);
void mrl__parameter_set(struct mrl_rules *rules, enum parameter parameter, unsigned value);

/* Reads a value; false when it is none of this parameter's. */
bool mrl__parameter_read(enum parameter parameter, const char *bytes, size_t length, unsigned *value);
void mrl__parameter_write(struct mrl_text *text, enum parameter parameter, unsigned value);

/* Whether a 0-terminated word is exactly these bytes. */
bool mrl__same_word(const char *word, const char *bytes, size_t length);

#endif
