/*
 * JSON that strangers sent, read strictly: valid UTF-8, an object at the top, no key twice, nothing behind it, at most
 * 16 deep. And its fields, each asked for with what it must be: the first that is not sets one sentence, so a handler
 * reads all its fields and looks once.
 *
 * A reading belongs to one thread at a time. What it returns lives as long as the JSON.
 */
#ifndef MERELS_SERVER_JSON_IN_H
#define MERELS_SERVER_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#define MRL__JSON_DEPTH 16

/* The object in text[0 .. length), the caller's to json_decref(); NULL when it is none as above. */
json_t *mrl__json_read(const char *text, size_t length);

struct mrl__fields {
	const json_t *object;
	char wrong[640]; /* "" while all is well; else a sentence that names the field: room for any that there is */
};

struct mrl__fields mrl__fields_of(const json_t *object);
bool mrl__fields_good(const struct mrl__fields *fields);

/* Says that a field is wrong, unless another was before. */
void mrl__field_wrong(struct mrl__fields *fields, const char *name, const char *should);

/*
 * A text of at most `most` bytes without control characters; NULL when it is wrong, or when it is not there (or null)
 * and `needed` is false.
 */
const char *mrl__field_text(struct mrl__fields *fields, const char *name, size_t most, bool needed);

/* The same with any characters in it: for what is judged elsewhere. */
const char *mrl__field_any_text(struct mrl__fields *fields, const char *name, size_t most, bool needed);

/* A whole number from..to; `absent` when it is not there. */
int64_t mrl__field_number(struct mrl__fields *fields, const char *name, int64_t from, int64_t to, int64_t absent);

bool mrl__field_bool(struct mrl__fields *fields, const char *name, bool absent);

/* The place of the text in `words` (separated by spaces); `absent` when it is not there, -1 for an error. */
int mrl__field_choice(struct mrl__fields *fields, const char *name, const char *words, int absent);

#endif
