/* A connection as libwebsockets tells of it: requests come in, replies go out. */
#ifndef MERELS_SERVER_CONNECTION_H
#define MERELS_SERVER_CONNECTION_H

#include <libwebsockets.h>

struct mrl__server;

/* The protocols of the host; ended by an empty one. The context's user pointer must be the struct mrl__server. */
extern const struct lws_protocols mrl__protocols[];

/* An exchange of this connection has something to send: its answer, or the next piece of it. */
void mrl__connection_answer(struct lws *wsi);

/* Ends connections whose bodies take too long; to be called every 10 ms. */
void mrl__connection_tick(struct mrl__server *server);

/* The headers that every answer carries, those of libwebsockets' own making too. */
extern const struct lws_protocol_vhost_options mrl__every_header;

/*
 * And those of what may be opened as a page by itself: a list of names and values. Parts that a page loads go without,
 * for it has said what it may do, and thirty times half a kilobyte is a tenth of a first visit.
 */
extern const struct lws_protocol_vhost_options mrl__document_header;

#endif
