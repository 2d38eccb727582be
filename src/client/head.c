/* The head of an HTTP answer. */
#include "head.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* A line of a head: [from, end). */
struct line {
	const char *from;
	const char *end;
};

/* The end of the head, past the empty line; NULL when it is not there. */
static const char *end_of_head(const char *bytes, size_t count)
{
	for (size_t i = 3; i < count; i++) {
		if (bytes[i] == '\n' && memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0)
			return bytes + i + 1;
	}
	return NULL;
}

static bool read_status(struct line line, int *status)
{
	if (line.end - line.from < 12 || memcmp(line.from, "HTTP/1.", 7) != 0 || line.from[8] != ' ')
		return false;
	*status = 0;
	for (int i = 9; i < 12; i++) {
		if (line.from[i] < '0' || line.from[i] > '9')
			return false;
		*status = *status * 10 + (line.from[i] - '0');
	}
	return *status >= 100;
}

/* If the line is the header `name`, its value without the spaces around it. */
static bool header(struct line line, const char *name, struct line *value)
{
	size_t length = strlen(name);

	if ((size_t)(line.end - line.from) <= length || line.from[length] != ':' ||
	    strncasecmp(line.from, name, length) != 0)
		return false;
	*value = (struct line){line.from + length + 1, line.end};
	while (value->from < value->end && (*value->from == ' ' || *value->from == '\t'))
		value->from++;
	while (value->end > value->from && (value->end[-1] == ' ' || value->end[-1] == '\t'))
		value->end--;
	return true;
}

static bool read_length(struct line value, size_t *length)
{
	*length = 0;
	if (value.from == value.end)
		return false;
	for (const char *c = value.from; c < value.end; c++) {
		if (*c < '0' || *c > '9' || *length > SIZE_MAX / 10 - 1)
			return false;
		*length = *length * 10 + (size_t)(*c - '0');
	}
	return true;
}

/* Copies a text that fits. */
static void keep(const char *from, const char *end, char *text, size_t size)
{
	size_t length = (size_t)(end - from);

	if (length < size) {
		memcpy(text, from, length);
		text[length] = '\0';
	}
}

static void read_cookie(struct line value, char *cookie, size_t size)
{
	static const char name[] = "merels=";
	const char *end = memchr(value.from, ';', (size_t)(value.end - value.from));

	if (end == NULL)
		end = value.end;
	if ((size_t)(end - value.from) < sizeof(name) - 1 || memcmp(value.from, name, sizeof(name) - 1) != 0)
		return;
	keep(value.from + sizeof(name) - 1, end, cookie, size);
}

static bool read_header(struct line line, struct mrl__head *head)
{
	struct line value;

	if (header(line, "transfer-encoding", &value))
		return false;
	if (header(line, "content-length", &value)) {
		head->has_length = true;
		return read_length(value, &head->length);
	}
	if (header(line, "set-cookie", &value))
		read_cookie(value, head->cookie, sizeof(head->cookie));
	if (header(line, "sec-websocket-accept", &value))
		keep(value.from, value.end, head->accept, sizeof(head->accept));
	return true;
}

enum mrl__head_state mrl__head_read(const char *bytes, size_t count, struct mrl__head *head)
{
	const char *end = end_of_head(bytes, count < MRL__HEAD_MOST ? count : MRL__HEAD_MOST);

	*head = (struct mrl__head){0};
	if (end == NULL)
		return count < MRL__HEAD_MOST ? MRL__HEAD_MORE : MRL__HEAD_BAD;
	head->size = (size_t)(end - bytes);

	bool first = true;

	for (const char *from = bytes; from < end - 2; first = false) {
		const char *next = memchr(from, '\n', (size_t)(end - from));
		struct line line = {from, next};

		/* The last line ends at `end`, so there always is a next one. */
		if (next == NULL || next == from || next[-1] != '\r')
			return MRL__HEAD_BAD;
		line.end = next - 1;
		if (first ? !read_status(line, &head->status) : !read_header(line, head))
			return MRL__HEAD_BAD;
		from = next + 1;
	}
	return first ? MRL__HEAD_BAD : MRL__HEAD_WHOLE;
}
