/*
 * A bounded string under construction, for code that has no libc.
 *
 * Works like snprintf: it never writes past the caller's buffer, always keeps it 0-terminated (when the size is
 * not 0), and goes on counting what did not fit, so `length >= size` afterwards says that the text was cut.
 * A value belongs to one thread at a time.
 */
#ifndef MERELS_TEXT_H
#define MERELS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

struct mrl_text {
	char *data;
	size_t size;   /* bytes in the buffer, the closing 0 included */
	size_t length; /* bytes the whole text has, the closing 0 not included */
};

/* Starts an empty text in buffer[0..size); the buffer stays the caller's. */
struct mrl_text mrl_text_in(char *buffer, size_t size);

void mrl_text_char(struct mrl_text *text, char c);
void mrl_text_add(struct mrl_text *text, const char *string);
void mrl_text_bytes(struct mrl_text *text, const char *bytes, size_t count);
void mrl_text_number(struct mrl_text *text, uint64_t number);
void mrl_text_signed(struct mrl_text *text, int64_t number);

/*
 * Appends bytes that came from outside between double quotes: at most 24 of them (then "..."), anything but
 * printable ASCII as \xNN, a double quote and a backslash escaped. An empty string becomes `nothing`, unquoted.
 */
void mrl_text_quote(struct mrl_text *text, const char *bytes, size_t count);

/* Bytes really in the buffer, the closing 0 not counted. */
size_t mrl_text_stored(const struct mrl_text *text);

/* Bytes of the UTF-8 character that begins at text[at], before `end`; 0 if none (cut, overlong, a surrogate, too
 * large). */
size_t mrl_utf8(const char *text, size_t at, size_t end);

/*
 * Opens an error: sets the status, the place (0, 0 for none) and returns the text of its message, to be appended
 * to. `error` may be NULL: then everything appended is dropped.
 */
struct mrl_text mrl_error_open(struct mrl_error *error, enum mrl_status status, size_t line, size_t column);

#endif
