#include "json_out.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 512 };

void mrl__json_reset(struct mrl__json *json)
{
	json->length = 0;
	json->comma = false;
	json->failed = false;
}

void mrl__json_release(struct mrl__json *json)
{
	free(json->data);
	*json = (struct mrl__json){0};
}

static void add(struct mrl__json *json, const char *bytes, size_t count)
{
	if (json->size - json->length < count) {
		size_t size = json->size == 0 ? FIRST_SIZE : json->size;

		while (size - json->length < count)
			size *= 2;
		char *moved = realloc(json->data, size);

		if (moved == NULL) {
			json->failed = true;
			return;
		}
		json->data = moved;
		json->size = size;
	}
	memcpy(json->data + json->length, bytes, count);
	json->length += count;
}

static void add_string(struct mrl__json *json, const char *text, size_t length)
{
	static const char hex[] = "0123456789abcdef";
	size_t from = 0;

	add(json, "\"", 1);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		const char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
		const char quoted[2] = {'\\', (char)c};

		add(json, text + from, i - from);
		if (c < 0x20)
			add(json, escape, sizeof(escape));
		else
			add(json, quoted, sizeof(quoted));
		from = i + 1;
	}
	add(json, text + from, length - from);
	add(json, "\"", 1);
}

/* What comes before a value. */
static void begin(struct mrl__json *json, const char *key)
{
	if (json->comma)
		add(json, ",", 1);
	json->comma = true;
	if (key == NULL)
		return;
	add_string(json, key, strlen(key));
	add(json, ":", 1);
}

void mrl__json_open(struct mrl__json *json, const char *key)
{
	begin(json, key);
	add(json, "{", 1);
	json->comma = false;
}

void mrl__json_close(struct mrl__json *json)
{
	add(json, "}", 1);
	json->comma = true;
}

void mrl__json_open_list(struct mrl__json *json, const char *key)
{
	begin(json, key);
	add(json, "[", 1);
	json->comma = false;
}

void mrl__json_close_list(struct mrl__json *json)
{
	add(json, "]", 1);
	json->comma = true;
}

void mrl__json_bytes(struct mrl__json *json, const char *key, const char *text, size_t length)
{
	begin(json, key);
	add_string(json, text, length);
}

void mrl__json_text(struct mrl__json *json, const char *key, const char *text)
{
	if (text == NULL)
		mrl__json_null(json, key);
	else
		mrl__json_bytes(json, key, text, strlen(text));
}

void mrl__json_number(struct mrl__json *json, const char *key, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	begin(json, key);
	add(json, digits + at, sizeof(digits) - at);
}

void mrl__json_signed(struct mrl__json *json, const char *key, int64_t number)
{
	if (number >= 0) {
		mrl__json_number(json, key, (uint64_t)number);
		return;
	}
	begin(json, key);
	add(json, "-", 1);
	json->comma = false;
	mrl__json_number(json, NULL, 0 - (uint64_t)number);
}

void mrl__json_raw(struct mrl__json *json, const char *key, const char *value, size_t length)
{
	begin(json, key);
	add(json, value, length);
}

void mrl__json_bool(struct mrl__json *json, const char *key, bool value)
{
	mrl__json_raw(json, key, value ? "true" : "false", value ? 4 : 5);
}

void mrl__json_null(struct mrl__json *json, const char *key)
{
	mrl__json_raw(json, key, "null", 4);
}

void mrl__json_append(struct mrl__json *json, const char *bytes, size_t length)
{
	add(json, bytes, length);
}
