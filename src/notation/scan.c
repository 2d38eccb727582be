/* A text that is being read, and words for what stands in it. */
#include "scan.h"

#include <merels/builtins.h>

struct mrl__scan mrl__scan_in(const char *text, size_t length)
{
	return (struct mrl__scan){.text = text, .length = length, .known = {0, 1, 1}};
}

void mrl__place_move(struct mrl__place *place, const char *text, size_t at)
{
	for (; place->at < at; place->at++) {
		if (text[place->at] == '\n') {
			place->line++;
			place->column = 1;
		} else {
			place->column++;
		}
	}
}

bool mrl__is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool mrl__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool mrl__is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char mrl__byte(const struct mrl__scan *scan, size_t at)
{
	return at < scan->length ? scan->text[at] : '\0';
}

bool mrl__at_end(const struct mrl__scan *scan)
{
	return scan->at >= scan->length;
}

void mrl__skip_space(struct mrl__scan *scan)
{
	while (!mrl__at_end(scan) && mrl__is_space(scan->text[scan->at]))
		scan->at++;
}

void mrl__skip_blank(struct mrl__scan *scan)
{
	for (;;) {
		mrl__skip_space(scan);
		if (mrl__byte(scan, scan->at) != '%' || (scan->at > 0 && scan->text[scan->at - 1] != '\n'))
			return;
		while (!mrl__at_end(scan) && scan->text[scan->at] != '\n')
			scan->at++;
	}
}

static size_t word_end(const struct mrl__scan *scan, size_t at)
{
	while (at < scan->length && !mrl__is_space(scan->text[at]))
		at++;
	return at;
}

struct mrl__word mrl__next_word(struct mrl__scan *scan)
{
	struct mrl__word word;

	mrl__skip_space(scan);
	word.start = scan->at;
	scan->at = word.end = word_end(scan, scan->at);
	return word;
}

bool mrl__word_is(const struct mrl__scan *scan, struct mrl__word word, const char *string)
{
	size_t at = word.start;

	while (at < word.end && *string != '\0' && scan->text[at] == *string) {
		at++;
		string++;
	}
	return at == word.end && *string == '\0';
}

bool mrl__integer(const struct mrl__scan *scan, size_t *at, size_t end, int64_t *number)
{
	size_t next = *at;
	bool negative = next < end && scan->text[next] == '-';
	int64_t value = 0;

	next += negative;
	if (next >= end || !mrl__is_digit(scan->text[next]))
		return false;
	for (; next < end && mrl__is_digit(scan->text[next]); next++) {
		int digit = scan->text[next] - '0';

		value = value > (MRL__BIG - digit) / 10 ? MRL__BIG : value * 10 + digit;
	}
	*at = next;
	*number = negative ? -value : value;
	return true;
}

struct mrl_text mrl__fail(const struct mrl__scan *scan, size_t at, enum mrl_status status, struct mrl_error *error)
{
	struct mrl__place place = scan->known;

	mrl__place_move(&place, scan->text, at < scan->length ? at : scan->length);
	return mrl_error_open(error, status, place.line, place.column);
}

/* Characters that look like something else, or like nothing. */
struct oddity {
	const char *bytes;
	size_t length;
	const char *name;
};

static const struct oddity oddities[] = {
    {"\0", 1, "a NUL byte"},
    {" ", 1, "a space"},
    {"\t", 1, "a tab"},
    {"\x1b", 1, "an escape character"},
    {"\xef\xbb\xbf", 3, "a byte order mark"},
    {"\xff\xfe", 2, "a byte order mark of UTF-16"},
    {"\xfe\xff", 2, "a byte order mark of UTF-16"},
    {"\xc2\xa0", 2, "a no-break space"},
    {"\xc3\x97", 2, "a multiplication sign (write x)"},
    {"\xe2\x80\x8b", 3, "a zero-width space"},
    {"\xe2\x80\x90", 3, "a Unicode hyphen (write -)"},
    {"\xe2\x80\x91", 3, "a Unicode hyphen (write -)"},
    {"\xe2\x80\x92", 3, "a Unicode dash (write -)"},
    {"\xe2\x80\x93", 3, "a Unicode dash (write -)"},
    {"\xe2\x80\x94", 3, "a Unicode dash (write -)"},
    {"\xe2\x80\x95", 3, "a Unicode dash (write -)"},
    {"\xe2\x88\x92", 3, "a Unicode minus sign (write -)"},
    {"\xef\xbc\x8d", 3, "a full-width hyphen (write -)"},
    {"\xe2\x80\x9c", 3, "a typographic quotation mark (write \")"},
    {"\xe2\x80\x9d", 3, "a typographic quotation mark (write \")"},
};

/* Names what is not to be quoted; false when the bytes may be shown as they are. */
static bool name_oddity(struct mrl_text *text, const struct mrl__scan *scan, size_t at)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char byte;

	if (at >= scan->length) {
		mrl_text_add(text, "the end of the text");
		return true;
	}
	byte = (unsigned char)scan->text[at];
	if (byte == '\n' || (byte == '\r' && mrl__byte(scan, at + 1) == '\n')) {
		mrl_text_add(text, "the end of the line");
		return true;
	}
	for (size_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++) {
		if (oddities[i].length <= scan->length - at &&
		    mrl_compare(oddities[i].bytes, scan->text + at, oddities[i].length) == 0) {
			mrl_text_add(text, oddities[i].name);
			return true;
		}
	}
	if (byte < 0x20 || byte == 0x7f) {
		mrl_text_add(text, "a control character (0x");
		mrl_text_char(text, hex[byte >> 4]);
		mrl_text_char(text, hex[byte & 15]);
		mrl_text_char(text, ')');
		return true;
	}
	return false;
}

void mrl__found(struct mrl_text *text, const struct mrl__scan *scan, size_t at)
{
	if (!name_oddity(text, scan, at))
		mrl_text_quote(text, scan->text + at, word_end(scan, at) - at);
}

void mrl__found_char(struct mrl_text *text, const struct mrl__scan *scan, size_t at)
{
	size_t length;

	if (name_oddity(text, scan, at))
		return;
	length = mrl_utf8(scan->text, at, scan->length);
	mrl_text_quote(text, scan->text + at, length > 0 ? length : 1);
}
