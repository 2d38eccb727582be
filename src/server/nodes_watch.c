/* The connection of the bus in the loop, which reads and writes it: no thread has to be woken for a message. */
#include <stdlib.h>

#include "nodes.h"
#include "server_internal.h"

static void on_ready(uv_poll_t *poll, int status, int events)
{
	struct mrl__server *server = poll->data;
	/* What is wrong with it is found by reading. */
	bool reads = status != 0 || (events & (UV_READABLE | UV_DISCONNECT)) != 0;

	if (server->nodes != NULL && server->nodes->bus != NULL)
		(void)mrl_bus_ready(server->nodes->bus, reads, status == 0 && (events & UV_WRITABLE) != 0);
}

static void on_closed(uv_handle_t *handle)
{
	free(handle);
}

static void forget(struct mrl__nodes *nodes)
{
	if (nodes->poll == NULL)
		return;
	(void)uv_poll_stop(nodes->poll);
	uv_close((uv_handle_t *)nodes->poll, on_closed);
	nodes->poll = NULL;
}

static uv_poll_t *make(struct mrl__server *server, int descriptor)
{
	uv_poll_t *poll = calloc(1, sizeof(*poll));

	if (poll != NULL && uv_poll_init(&server->loop, poll, descriptor) != 0) {
		free(poll);
		poll = NULL;
	}
	if (poll == NULL)
		return NULL;
	poll->data = server;
	/* The loop does not go on for it when everything else has ended. */
	uv_unref((uv_handle_t *)poll);
	return poll;
}

void mrl__nodes_watch(void *context, int descriptor, bool writes)
{
	struct mrl__server *server = context;
	struct mrl__nodes *nodes = server->nodes;

	if (descriptor < 0) {
		forget(nodes);
		return;
	}
	if (nodes->poll == NULL)
		nodes->poll = make(server, descriptor);
	/* Without memory it is not heard, and NATS, which hears nothing either, ends the connection: then it is tried
	 * again. */
	if (nodes->poll != NULL)
		(void)uv_poll_start(nodes->poll, UV_READABLE | (writes ? UV_WRITABLE : 0), on_ready);
}
