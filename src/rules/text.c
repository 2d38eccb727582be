/* The bounded string under construction, the opening of an error message, characters in UTF-8. */
#include <merels/text.h>

#define QUOTED_BYTES 24

struct mrl_text mrl_text_in(char *buffer, size_t size)
{
	if (size > 0)
		buffer[0] = '\0';
	return (struct mrl_text){buffer, size, 0};
}

void mrl_text_char(struct mrl_text *text, char c)
{
	if (text->length + 1 < text->size) {
		text->data[text->length] = c;
		text->data[text->length + 1] = '\0';
	}
	text->length++;
}

void mrl_text_add(struct mrl_text *text, const char *string)
{
	for (; *string != '\0'; string++)
		mrl_text_char(text, *string);
}

void mrl_text_bytes(struct mrl_text *text, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mrl_text_char(text, bytes[i]);
}

void mrl_text_number(struct mrl_text *text, uint64_t number)
{
	char digits[20];
	size_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0)
		mrl_text_char(text, digits[--count]);
}

void mrl_text_signed(struct mrl_text *text, int64_t number)
{
	uint64_t magnitude = (uint64_t)number;

	if (number < 0) {
		mrl_text_char(text, '-');
		magnitude = 0 - magnitude;
	}
	mrl_text_number(text, magnitude);
}

void mrl_text_quote(struct mrl_text *text, const char *bytes, size_t count)
{
	static const char hex[] = "0123456789abcdef";

	if (count == 0) {
		mrl_text_add(text, "nothing");
		return;
	}
	mrl_text_char(text, '"');
	for (size_t i = 0; i < count && i < QUOTED_BYTES; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '"' || c == '\\') {
			mrl_text_char(text, '\\');
			mrl_text_char(text, (char)c);
		} else if (c >= 0x20 && c < 0x7f) {
			mrl_text_char(text, (char)c);
		} else {
			mrl_text_add(text, "\\x");
			mrl_text_char(text, hex[c >> 4]);
			mrl_text_char(text, hex[c & 15]);
		}
	}
	if (count > QUOTED_BYTES)
		mrl_text_add(text, "...");
	mrl_text_char(text, '"');
}

size_t mrl_text_stored(const struct mrl_text *text)
{
	if (text->length < text->size)
		return text->length;
	return text->size > 0 ? text->size - 1 : 0;
}

size_t mrl_utf8(const char *text, size_t at, size_t end)
{
	unsigned char first = (unsigned char)text[at];
	size_t length = first < 0x80   ? 1
			: first < 0xc2 ? 0
			: first < 0xe0 ? 2
			: first < 0xf0 ? 3
			: first < 0xf5 ? 4
				       : 0;

	if (length == 0 || length > end - at)
		return 0;
	for (size_t i = 1; i < length; i++)
		if (((unsigned char)text[at + i] & 0xc0) != 0x80)
			return 0;
	if (length > 2) {
		unsigned char second = (unsigned char)text[at + 1];

		if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
		    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
			return 0;
	}
	return length;
}

struct mrl_text mrl_error_open(struct mrl_error *error, enum mrl_status status, size_t line, size_t column)
{
	if (error == NULL)
		return mrl_text_in(NULL, 0);
	error->status = status;
	error->line = line;
	error->column = column;
	return mrl_text_in(error->message, sizeof error->message);
}
