/* Replies on their way out: headers, and the body a piece each time the socket has room. */
#ifndef MERELS_SERVER_SENDING_H
#define MERELS_SERVER_SENDING_H

#include <stdbool.h>
#include <stddef.h>

#include <libwebsockets.h>

#include "exchange.h"
#include "reply.h"
#include "waiting.h"

/* What is left to send of a reply, and the request it belongs to. libwebsockets gives each request one, zeroed. */
struct mrl__sending {
	struct mrl__wait wait;
	const char *next;
	size_t left;
	struct mrl__exchange *exchange; /* NULL for a file */
	struct mrl__web *web;           /* of a file: where it is from; held */
	bool on;                        /* a reply is under way */
	bool close;                     /* afterwards */
	bool chunked;
	bool last; /* no piece follows */
};

/*
 * All of these return what a callback of libwebsockets is to return: 0 keeps the connection, -1 ends it. Begins a
 * reply; or goes on with it, when the socket takes more.
 */
int mrl__send_begin(struct lws *wsi, struct mrl__sending *sending, const struct mrl__reply *reply, bool close);
int mrl__send_on(struct lws *wsi, struct mrl__sending *sending);

/* The next piece of an answer that comes in pieces. */
int mrl__send_piece(struct lws *wsi, struct mrl__sending *sending, const char *piece, size_t length, bool last);

/* The body is out, or will never be. */
void mrl__send_stop(struct lws *wsi, struct mrl__sending *sending);

/* Sends all of a reply at once, what the socket does not take being kept by libwebsockets, and ends the connection. */
int mrl__send_and_end(struct lws *wsi, const struct mrl__reply *reply);

#endif
