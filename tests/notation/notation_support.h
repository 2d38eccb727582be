/* What the tests of src/notation share. Every text is read at the edge of a page that must not be touched. */
#ifndef MERELS_TEST_NOTATION_SUPPORT_H
#define MERELS_TEST_NOTATION_SUPPORT_H

#include <stdbool.h>

#include <support.h>

#include <merels/notation.h>
#include <merels/record.h>

/* A string literal with its length, so that it may hold NUL bytes. */
#define TEXT(literal) (literal), sizeof(literal) - 1

/* A copy of a text whose last byte is the last one that may be read; no 0 follows. Freed by the next call but 15. */
const char *guarded(const char *text, size_t length);

/* A text that must be refused: in which way, where, and with which words. */
struct refusal {
	const char *rules;
	const char *text;
	size_t length;
	enum mrl_status status;
	size_t line;
	size_t column;
	const char *message;
};

/* Whether status and error are as the refusal says; prints both if not. */
bool refused(const struct refusal *refusal, enum mrl_status status, const struct mrl_error *error);

/* Reads a position or fails the test. */
struct mrl_position position_of(const struct mrl_rules *rules, const char *text);

/* Reads the only record of a text, in memory that stays until the next call but one; fails the test when there is an
 * error. */
struct mrl_record *record_of(const char *text, size_t length);

/* Writes a record into memory that stays until the next call. */
const char *text_of(const struct mrl_record *record);

#endif
