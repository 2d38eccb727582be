/* What the parts of the server share: the one server of the process. All of it runs on the thread of the loop. */
#ifndef MERELS_SERVER_INTERNAL_H
#define MERELS_SERVER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <libwebsockets.h>
#include <uv.h>

#include <os/log.h>

#include "assets.h"
#include "listener.h"
#include "waiting.h"

/* Bytes handed to the system in one go; what a slow reader makes us hold of a reply is at most this much. */
#define MRL__SEND_SIZE ((size_t)32768)

struct mrl__server {
	struct mrl_log log;
	struct mrl__assets assets;
	uv_loop_t loop;
	uv_signal_t interrupt;
	uv_signal_t terminate;
	uv_timer_t patience; /* how long stopping may take */
	struct mrl__listener listener;
	struct mrl__waiting waiting;
	struct lws_context *context; /* NULL when it is wholly gone */
	struct lws_vhost *host;
	size_t busy; /* replies whose body is still going out */
	bool stopping;
	unsigned char out[LWS_PRE + MRL__SEND_SIZE];
};

/* The replies that were going out when the server was told to stop have gone out. */
void mrl__server_idle(struct mrl__server *server);

#endif
