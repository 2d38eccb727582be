/*
 * Replies that wait for a reader who is slow to take them.
 *
 * While a reply waits, libwebsockets does not read from its connection, but goes on asking the system whether it could.
 * As soon as something is there to be read, a next request or the end of the stream, the loop would turn without
 * pause until the reply is through. So whoever sends more without taking what he asked for is cut off after a moment.
 */
#ifndef MERELS_SERVER_WAITING_H
#define MERELS_SERVER_WAITING_H

#include <libwebsockets.h>
#include <uv.h>

/* One reply that waits; a member of what belongs to the connection. Zeroed: it does not wait. */
struct mrl__wait {
	struct mrl__wait *next;
	struct mrl__wait **link; /* what points here; NULL when it does not wait */
	struct lws *wsi;
	unsigned unread; /* looks in a row that found something to be read */
};

struct mrl__waiting {
	uv_timer_t timer; /* runs while anyone waits */
	struct mrl__wait *first;
};

void mrl__waiting_open(struct mrl__waiting *waiting, uv_loop_t *loop);
void mrl__waiting_close(struct mrl__waiting *waiting);

/* The reply waits; does nothing when it did already. */
void mrl__waiting_add(struct mrl__waiting *waiting, struct mrl__wait *wait, struct lws *wsi);

/* It waits no longer; does nothing when it did not. */
void mrl__waiting_remove(struct mrl__wait *wait);

#endif
