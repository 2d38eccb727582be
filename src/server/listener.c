#include "listener.h"

#include <os/socket.h>

/* Connections taken in a row before the others get their turn; and the wait, in ms, when there is no place. */
enum { MOST_IN_A_ROW = 64, PAUSE_MS = 100 };

static void listen_on(struct mrl__listener *listener);

static void on_pause_over(uv_timer_t *timer)
{
	listen_on(timer->data);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct mrl__listener *listener = poll->data;

	(void)status;
	(void)events;
	for (int i = 0; i < MOST_IN_A_ROW && listener->fd >= 0; i++) {
		int fd = -1;

		switch (mrl_socket_accept(listener->fd, &fd)) {
		case MRL_ACCEPT_ONE:
			listener->take(listener->user, fd);
			break;
		case MRL_ACCEPT_NONE:
			return;
		case MRL_ACCEPT_FULL:
			if (listener->full != NULL)
				listener->full(listener->user);
			(void)uv_poll_stop(poll);
			(void)uv_timer_start(&listener->pause, on_pause_over, PAUSE_MS, 0);
			return;
		}
	}
}

static void listen_on(struct mrl__listener *listener)
{
	(void)uv_poll_start(&listener->poll, UV_READABLE, on_readable);
}

int mrl__listener_start(struct mrl__listener *listener, uv_loop_t *loop, int fd)
{
	int problem = uv_poll_init(loop, &listener->poll, fd);

	if (problem != 0)
		return problem;
	(void)uv_timer_init(loop, &listener->pause);
	listener->poll.data = listener;
	listener->pause.data = listener;
	listener->fd = fd;
	listen_on(listener);
	return 0;
}

void mrl__listener_stop(struct mrl__listener *listener)
{
	if (listener->fd < 0)
		return;
	/* libuv lets go of the socket when it is told to close its handle, so the order is this. */
	uv_close((uv_handle_t *)&listener->poll, NULL);
	uv_close((uv_handle_t *)&listener->pause, NULL);
	mrl_socket_close(listener->fd);
	listener->fd = -1;
}
