/*
 * What is known of a connection beyond one request: the address at its other end, and how much had been read from it
 * when the last request was answered.
 */
#ifndef MERELS_SERVER_LINE_H
#define MERELS_SERVER_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include <libwebsockets.h>

struct mrl__address;
struct mrl__peer;

struct mrl__line {
	uint64_t taken;         /* bytes that were read when the last request was through; 0: none was */
	struct mrl__peer *peer; /* of a WebSocket, or of one that is being opened */
};

/* Of a connection; made when it is first asked for. NULL when there is no memory. */
struct mrl__line *mrl__line_of(struct lws *wsi);

/* Of a connection that has one, else NULL. */
struct mrl__line *mrl__line_had(struct lws *wsi);

/* The connection is gone. */
void mrl__line_release(struct lws *wsi);

/* A request was answered. */
void mrl__line_request_over(struct lws *wsi);

/*
 * Whether the present request came together with the one before. libwebsockets 4.1 then takes the headers of a request
 * with a body for the body. Nothing that was read since the last request was through: it had been read before.
 */
bool mrl__line_is_pipelined(struct lws *wsi);

/*
 * The address of who asks: that of the other end, or, when that is a proxy in `trusted`, what it says in
 * X-Forwarded-For. `secure` says whether the client's connection is.
 */
void mrl__line_address(struct lws *wsi, const char *trusted, char *address, int size, bool *secure);

#endif
