#include "json_in.h"

#include <stdio.h>
#include <string.h>

/*
 * jansson reads to a depth that is fixed when it is built, and recurses; so the depth is looked at before. A string
 * that does not end is jansson's to complain about.
 */
static bool is_shallow(const char *text, size_t length)
{
	unsigned depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			if (++depth > MRL__JSON_DEPTH)
				return false;
		} else if ((c == '}' || c == ']') && depth > 0) {
			depth--;
		}
	}
	return true;
}

json_t *mrl__json_read(const char *text, size_t length)
{
	json_error_t ignored;

	if (!is_shallow(text, length))
		return NULL;
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &ignored);

	if (value == NULL || json_is_object(value))
		return value;
	json_decref(value);
	return NULL;
}

/* ---- Fields ------------------------------------------------------------------------------------------------- */

struct mrl__fields mrl__fields_of(const json_t *object)
{
	return (struct mrl__fields){.object = object};
}

bool mrl__fields_good(const struct mrl__fields *fields)
{
	return fields->wrong[0] == '\0';
}

void mrl__field_wrong(struct mrl__fields *fields, const char *name, const char *should)
{
	if (mrl__fields_good(fields))
		(void)snprintf(fields->wrong, sizeof(fields->wrong), "\"%s\" must be %s.", name, should);
}

/* NULL for one that is not there, or null. */
static const json_t *field(const struct mrl__fields *fields, const char *name)
{
	const json_t *value = json_object_get(fields->object, name);

	return json_is_null(value) ? NULL : value;
}

static bool has_control(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f)
			return true;
		/* C1, in UTF-8. */
		if (c == 0xc2 && i + 1 < length && (unsigned char)text[i + 1] < 0xa0)
			return true;
	}
	return false;
}

static const char *read_text(struct mrl__fields *fields, const char *name, size_t most, bool needed, bool any)
{
	const json_t *value = field(fields, name);
	char should[64];

	if (value == NULL && !needed)
		return NULL;
	if (json_is_string(value) && json_string_length(value) <= most &&
	    (any || !has_control(json_string_value(value), json_string_length(value))))
		return json_string_value(value);
	(void)snprintf(should, sizeof(should), "a text of at most %zu bytes%s", most,
		       any ? "" : ", without control characters");
	mrl__field_wrong(fields, name, should);
	return NULL;
}

const char *mrl__field_text(struct mrl__fields *fields, const char *name, size_t most, bool needed)
{
	return read_text(fields, name, most, needed, false);
}

const char *mrl__field_any_text(struct mrl__fields *fields, const char *name, size_t most, bool needed)
{
	return read_text(fields, name, most, needed, true);
}

int64_t mrl__field_number(struct mrl__fields *fields, const char *name, int64_t from, int64_t to, int64_t absent)
{
	const json_t *value = field(fields, name);
	char should[96];

	if (value == NULL)
		return absent;
	if (json_is_integer(value) && json_integer_value(value) >= from && json_integer_value(value) <= to)
		return json_integer_value(value);
	(void)snprintf(should, sizeof(should), "a whole number from %lld to %lld", (long long)from, (long long)to);
	mrl__field_wrong(fields, name, should);
	return absent;
}

bool mrl__field_bool(struct mrl__fields *fields, const char *name, bool absent)
{
	const json_t *value = field(fields, name);

	if (value == NULL)
		return absent;
	if (!json_is_boolean(value))
		mrl__field_wrong(fields, name, "true or false");
	return json_is_true(value);
}

int mrl__field_choice(struct mrl__fields *fields, const char *name, const char *words, int absent)
{
	const json_t *value = field(fields, name);
	char should[96];
	int index = 0;

	if (value == NULL)
		return absent;
	for (const char *word = words; json_is_string(value) && *word != '\0'; index++) {
		size_t length = strcspn(word, " ");

		if (length == json_string_length(value) && memcmp(word, json_string_value(value), length) == 0)
			return index;
		word += length;
		word += strspn(word, " ");
	}
	(void)snprintf(should, sizeof(should), "one of: %s", words);
	mrl__field_wrong(fields, name, should);
	return -1;
}
