#define _POSIX_C_SOURCE 200809L
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <merels/text.h>

enum { LONGEST_MESSAGE = 1000, LONGEST_LINE = 4 * LONGEST_MESSAGE + 200 };

static const char *const names[] = {"error", "warning", "info", "debug"};

static void add_time(struct mrl_text *line)
{
	struct timespec now = {0};
	struct tm parts;
	char stamp[32] = "";

	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (gmtime_r(&now.tv_sec, &parts) != NULL)
		(void)strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &parts);
	mrl_text_add(line, stamp);
	(void)snprintf(stamp, sizeof(stamp), ".%03ldZ", now.tv_nsec / 1000000);
	mrl_text_add(line, stamp);
}

/* The bytes of one UTF-8 sequence at `at`, or 0 when there is none. 0xc0, 0xc1 and the likes of 0xe0 0x80 are none. */
static size_t sequence(const unsigned char *at, size_t left)
{
	unsigned char lead = at[0];
	size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;

	if (length == 0 || length > left)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	if (length >= 3 && ((lead == 0xe0 && at[1] < 0xa0) || (lead == 0xed && at[1] > 0x9f) ||
			    (lead == 0xf0 && at[1] < 0x90) || (lead == 0xf4 && at[1] > 0x8f)))
		return 0;
	return length;
}

/* Adds what was said so that it stays one line, and a string when quoted. */
static void add_said(struct mrl_text *line, const char *said, bool json)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *at = (const unsigned char *)said;
	size_t left = strlen(said);

	while (left > 0) {
		size_t length = sequence(at, left);

		if (length == 0 || at[0] < 0x20 || at[0] == 0x7f) {
			mrl_text_add(line, json ? "\\\\x" : "\\x");
			mrl_text_char(line, hex[at[0] >> 4]);
			mrl_text_char(line, hex[at[0] & 15]);
			length = 1;
		} else {
			if (json && (at[0] == '"' || at[0] == '\\'))
				mrl_text_char(line, '\\');
			mrl_text_bytes(line, (const char *)at, length);
		}
		at += length;
		left -= length;
	}
}

void mrl_log(const struct mrl_log *log, enum mrl_log_level level, const char *format, ...)
{
	char said[LONGEST_MESSAGE + 1];
	char buffer[LONGEST_LINE];
	struct mrl_text line = mrl_text_in(buffer, sizeof(buffer) - 1);
	va_list arguments;

	if (level > log->most)
		return;
	va_start(arguments, format);
	if (vsnprintf(said, sizeof(said), format, arguments) < 0)
		said[0] = '\0';
	va_end(arguments);

	if (log->json)
		mrl_text_add(&line, "{\"time\":\"");
	add_time(&line);
	mrl_text_add(&line, log->json ? "\",\"level\":\"" : " ");
	mrl_text_add(&line, names[level]);
	mrl_text_add(&line, log->json ? "\",\"message\":\"" : ": ");
	add_said(&line, said, log->json);
	if (log->json)
		mrl_text_add(&line, "\"}");

	size_t length = mrl_text_stored(&line);

	buffer[length++] = '\n';
	/* Nobody is left to be told when stderr is gone. */
	if (write(STDERR_FILENO, buffer, length) < 0)
		return;
}
