/*
 * A text that is being read, and words for what stands in it. Shared inside this room.
 *
 * A scan never reads outside text[0 .. length). Errors are opened at an offset; line and column are counted from a
 * place already known, so a long text is not counted from its beginning for every error.
 */
#ifndef MERELS_NOTATION_SCAN_H
#define MERELS_NOTATION_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>
#include <merels/text.h>

/* An offset with its line and column, both from 1, the column in bytes. */
struct mrl__place {
	size_t at;
	size_t line;
	size_t column;
};

struct mrl__scan {
	const char *text;
	size_t length;
	size_t at;
	struct mrl__place known; /* no error is opened before it */
};

/* A run of bytes of the text: [start, end). */
struct mrl__word {
	size_t start;
	size_t end;
};

struct mrl__scan mrl__scan_in(const char *text, size_t length);

/* Moves a place forward to `at`, counting lines. */
void mrl__place_move(struct mrl__place *place, const char *text, size_t at);

/* Space, tab, carriage return, newline. */
bool mrl__is_space(char c);
bool mrl__is_digit(char c);
bool mrl__is_letter(char c);

/* The byte at an offset, or 0 past the end (a NUL byte in the text looks the same; see mrl__at_end). */
char mrl__byte(const struct mrl__scan *scan, size_t at);
bool mrl__at_end(const struct mrl__scan *scan);

void mrl__skip_space(struct mrl__scan *scan);

/* White space, and whole lines that begin with %, which in a record are for other programs. */
void mrl__skip_blank(struct mrl__scan *scan);

/* Skips white space and takes the word that follows; an empty word at the end of the text. */
struct mrl__word mrl__next_word(struct mrl__scan *scan);

/* Whether the word is exactly this string. */
bool mrl__word_is(const struct mrl__scan *scan, struct mrl__word word, const char *string);

/*
 * Reads a whole number, with a minus sign or without, that begins at *at and ends before `end`; moves *at behind it.
 * Numbers beyond +-MRL__BIG become +-MRL__BIG. False, and *at unmoved, when there is none.
 */
#define MRL__BIG INT64_C(1000000000000000000)
bool mrl__integer(const struct mrl__scan *scan, size_t *at, size_t end, int64_t *number);

/* Opens an error at an offset. */
struct mrl_text mrl__fail(const struct mrl__scan *scan, size_t at, enum mrl_status status, struct mrl_error *error);

/*
 * Appends what stands at an offset, for "found ...": the end of the text or line, a byte that people cannot see (NUL,
 * byte order mark, a dash that is none, ...) by its name, anything else quoted: the rest of the word, or one character.
 */
void mrl__found(struct mrl_text *text, const struct mrl__scan *scan, size_t at);
void mrl__found_char(struct mrl_text *text, const struct mrl__scan *scan, size_t at);

#endif
