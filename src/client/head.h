/* The head of an HTTP answer, as far as a client of one server needs to know it. Pure and thread-safe. */
#ifndef MERELS_CLIENT_HEAD_H
#define MERELS_CLIENT_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/client.h>

#define MRL__HEAD_MOST 8192 /* bytes of a head */

enum mrl__head_state {
	MRL__HEAD_WHOLE,
	MRL__HEAD_MORE, /* it does not end within these bytes */
	MRL__HEAD_BAD   /* it is none, or says what this client cannot follow */
};

struct mrl__head {
	int status;
	size_t size;     /* bytes of the head, the empty line included */
	bool has_length; /* else the body goes on until the connection ends */
	size_t length;
	char cookie[MRL_CLIENT_SECRET_SIZE]; /* of `Set-Cookie: merels=...`, "" if none or too long */
	char accept[32];                     /* Sec-WebSocket-Accept */
};

enum mrl__head_state mrl__head_read(const char *bytes, size_t count, struct mrl__head *head);

#endif
