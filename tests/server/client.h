/*
 * A client that sends what a test says, byte for byte, and reads what comes. Nothing waits longer than half a minute;
 * failures are cmocka's.
 */
#ifndef MERELS_TESTS_CLIENT_H
#define MERELS_TESTS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#define ANSWER_HEAD_SIZE 8192

struct answer {
	int status;                  /* 0: the connection ended without an answer */
	char head[ANSWER_HEAD_SIZE]; /* the status line and the headers */
	char *body;                  /* freed by answer_release() */
	size_t length;
	bool is_end; /* the connection ended with this answer */
};

/* Connects to 127.0.0.1. */
int client_connect(unsigned port);

/* Connects with so small a buffer for what comes that a large answer stays with the server. */
int client_connect_narrow(unsigned port);

void client_close(int fd);

/* Sends all of it; false when the other end has gone. */
bool client_send(int fd, const void *bytes, size_t length);
bool client_say(int fd, const char *text);

/* Reads one answer; a body in chunks is given with what stands around them. `head_only`: to a HEAD request, which has
 * no body whatever the headers say. */
void client_read(int fd, bool head_only, struct answer *answer);

/* Reads until the connection ends; returns the bytes there were. */
size_t client_drain(int fd);

void answer_release(struct answer *answer);

/* Connects, sends, reads one answer, closes. */
void client_ask(unsigned port, const char *request, struct answer *answer);

/* The value of a header ("etag"), valid until the next call; NULL when there is none. */
const char *answer_header(const struct answer *answer, const char *name);

#endif
