#include "client.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

static int connect_with(unsigned port, int receive_buffer)
{
	const struct timeval patience = {.tv_sec = 30};
	const struct sockaddr_in to = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)), 0);
	if (receive_buffer > 0)
		assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer)), 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
	return fd;
}

int client_connect(unsigned port)
{
	return connect_with(port, 0);
}

int client_connect_narrow(unsigned port)
{
	return connect_with(port, 4096);
}

void client_close(int fd)
{
	(void)close(fd);
}

bool client_send(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length > 0) {
		ssize_t sent = send(fd, at, length, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		at += sent;
		length -= (size_t)sent;
	}
	return true;
}

bool client_say(int fd, const char *text)
{
	return client_send(fd, text, strlen(text));
}

/* Reads the headers a byte at a time, so that what follows stays for whom it is for. */
static void read_head(int fd, struct answer *answer)
{
	size_t length = 0;

	while (length < 4 || memcmp(answer->head + length - 4, "\r\n\r\n", 4) != 0) {
		assert_true(length + 1 < sizeof(answer->head));
		if (recv(fd, answer->head + length, 1, 0) != 1) {
			answer->is_end = true;
			break;
		}
		length++;
	}
	answer->head[length] = '\0';
}

/* The chunks as they are, up to and with the empty one. */
static void read_chunks(int fd, struct answer *answer)
{
	static const char last[] = "\r\n0\r\n\r\n";
	size_t size = 1 << 20;

	answer->body = calloc(1, size);
	assert_non_null(answer->body);
	while (answer->length + 1 < size && strstr(answer->body, last) == NULL) {
		ssize_t got = recv(fd, answer->body + answer->length, size - 1 - answer->length, 0);

		if (got <= 0) {
			answer->is_end = true;
			return;
		}
		answer->length += (size_t)got;
	}
}

void client_read(int fd, bool head_only, struct answer *answer)
{
	*answer = (struct answer){0};
	read_head(fd, answer);
	if (sscanf(answer->head, "HTTP/%*d.%*d %d", &answer->status) != 1)
		return;
	if (!head_only && answer_header(answer, "transfer-encoding") != NULL)
		read_chunks(fd, answer);
	const char *length = answer_header(answer, "content-length");

	if (length == NULL || head_only)
		return;
	answer->length = strtoul(length, NULL, 10);
	answer->body = malloc(answer->length + 1);
	assert_non_null(answer->body);
	for (size_t read = 0; read < answer->length;) {
		ssize_t got = recv(fd, answer->body + read, answer->length - read, 0);

		if (got <= 0) {
			answer->is_end = true;
			answer->length = read;
			break;
		}
		read += (size_t)got;
	}
	answer->body[answer->length] = '\0';
}

size_t client_drain(int fd)
{
	char buffer[65536];
	size_t sum = 0;
	ssize_t got = 0;

	while ((got = recv(fd, buffer, sizeof(buffer), 0)) > 0)
		sum += (size_t)got;
	return sum;
}

void answer_release(struct answer *answer)
{
	free(answer->body);
	answer->body = NULL;
}

void client_ask(unsigned port, const char *request, struct answer *answer)
{
	int fd = client_connect(port);

	(void)client_say(fd, request);
	client_read(fd, strncmp(request, "HEAD", 4) == 0, answer);
	client_close(fd);
}

const char *answer_header(const struct answer *answer, const char *name)
{
	static char value[2048];
	size_t name_length = strlen(name);

	for (const char *line = strstr(answer->head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
		const char *at = line + 2;

		if (strncasecmp(at, name, name_length) != 0 || at[name_length] != ':')
			continue;
		at += name_length + 1;
		at += strspn(at, " ");
		size_t length = strcspn(at, "\r");

		assert_true(length < sizeof(value));
		memcpy(value, at, length);
		value[length] = '\0';
		return value;
	}
	return NULL;
}
