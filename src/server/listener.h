/*
 * Takes connections from a listening socket and hands them on. When the process has no place for one more, it waits
 * a moment instead of asking again at once, and goes on by itself.
 */
#ifndef MERELS_SERVER_LISTENER_H
#define MERELS_SERVER_LISTENER_H

#include <stdbool.h>

#include <uv.h>

struct mrl__listener {
	int fd; /* owned; -1 when it does not listen */
	uv_poll_t poll;
	uv_timer_t pause;
	void (*take)(void *user, int fd); /* gets each connection, to own */
	void (*full)(void *user);         /* there is no place for more; may be NULL */
	void *user;
};

/*
 * Starts taking the connections of a socket that listens and does not block; it belongs to the listener, which stays
 * where it is until the loop has run to its end after mrl__listener_stop(). 0, or an error of libuv: then nothing was
 * started and the socket is still the caller's.
 */
int mrl__listener_start(struct mrl__listener *listener, uv_loop_t *loop, int fd);

/* Stops listening: who connects from now on is refused. Does nothing the second time. */
void mrl__listener_stop(struct mrl__listener *listener);

#endif
