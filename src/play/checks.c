/* What comes from outside, looked at: ids, hashes, texts of people. */
#include "play_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

/* In the order of their codes, so that texts of ids sort as the ids do. */
static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

#define ID_LENGTH 11
#define BASE 62

void mrl_id_write(uint64_t id, char text[MRL_ID_TEXT_SIZE])
{
	for (size_t i = ID_LENGTH; i-- > 0; id /= BASE)
		text[i] = digits[id % BASE];
	text[ID_LENGTH] = '\0';
}

static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'A' && c <= 'Z')
		return (unsigned)(c - 'A') + 10;
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a') + 36;
	return BASE;
}

bool mrl_id_read(const char *text, size_t length, uint64_t *id)
{
	uint64_t value = 0;

	if (length != ID_LENGTH)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = digit_value(text[i]);

		if (digit == BASE || value > (UINT64_MAX - digit) / BASE)
			return false;
		value = value * BASE + digit;
	}
	if (value == 0)
		return false;
	*id = value;
	return true;
}

bool mrl_play_command_id_valid(const char *text, size_t length)
{
	if (length == 0 || length >= MRL_PLAY_COMMAND_ID_SIZE)
		return false;
	for (size_t i = 0; i < length; i++)
		if (digit_value(text[i]) == BASE && text[i] != '_' && text[i] != '-')
			return false;
	return true;
}

bool mrl_play_hash_equal(const uint8_t a[MRL_PLAY_HASH_SIZE], const uint8_t b[MRL_PLAY_HASH_SIZE])
{
	/* Without a branch on what the bytes are: how long it takes must not tell how many of them are right. */
	volatile uint8_t differ = 0;
	volatile uint8_t any = 0;

	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		differ = (uint8_t)(differ | (a[i] ^ b[i]));
		any = (uint8_t)(any | a[i]);
	}
	return (differ | (any == 0)) == 0;
}

/* The code point of a character that mrl_utf8() has found good. */
static uint32_t code_point(const char *text, size_t length)
{
	static const uint8_t masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = (unsigned char)text[0] & masks[length];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3fU);
	return code;
}

/* Controls of both sets, line separators, marks of direction, and what is no character at all. */
static bool forbidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff ||
	       (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe;
}

/* Nothing that can be seen: spaces, joiners, fillers. */
static bool invisible(uint32_t code)
{
	return code == 0x20 || code == 0xa0 || code == 0xad || code == 0x34f || code == 0x115f || code == 0x1160 ||
	       code == 0x1680 || (code >= 0x17b4 && code <= 0x17b5) || (code >= 0x180b && code <= 0x180f) ||
	       (code >= 0x2000 && code <= 0x200d) || code == 0x202f || (code >= 0x205f && code <= 0x2065) ||
	       code == 0x2800 || code == 0x3000 || code == 0x3164 || (code >= 0xfe00 && code <= 0xfe0f) ||
	       code == 0xffa0 || (code >= 0xe0000 && code <= 0xe0fff);
}

bool mrl_play_text_valid(const char *text, size_t length, size_t characters)
{
	size_t count = 0;
	bool visible = false;

	for (size_t at = 0; at < length; count++) {
		size_t step = mrl_utf8(text, at, length);
		uint32_t code;

		if (step == 0 || count == characters)
			return false;
		code = code_point(text + at, step);
		if (forbidden(code))
			return false;
		visible = visible || !invisible(code);
		at += step;
	}
	return visible;
}

size_t mrl__length(const char *text, size_t size)
{
	size_t length = 0;

	while (length < size && text[length] != '\0')
		length++;
	return length;
}

bool mrl__same_text(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	return *a == *b;
}

void mrl__copy_text(char *to, size_t size, const char *from, size_t length)
{
	mrl_fill(to, 0, size);
	mrl_copy(to, from, length);
}
