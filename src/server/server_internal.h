/* What the parts of the server share: the one server of the process. All of it runs on the thread of the loop. */
#ifndef MERELS_SERVER_INTERNAL_H
#define MERELS_SERVER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libwebsockets.h>
#include <uv.h>

#include <merels/server.h>
#include <merels/store.h>
#include <os/log.h>
#include <os/socket.h>

#include "addresses.h"
#include "assets.h"
#include "desk.h"
#include "engines.h"
#include "gone.h"
#include "json_out.h"
#include "listener.h"
#include "metrics.h"
#include "nodes.h"
#include "passwords.h"
#include "peers.h"
#include "people.h"
#include "rooms.h"
#include "rulebook.h"
#include "slots.h"
#include "waiting.h"

/* Bytes handed to the system in one go; what a slow reader makes us hold of a reply is at most this much. */
#define MRL__SEND_SIZE ((size_t)32768)

struct mrl__server {
	struct mrl_log log;
	const struct mrl_server_settings *settings;
	struct mrl__web *web; /* its files; held */
	uv_loop_t loop;
	uv_signal_t interrupt;
	uv_signal_t terminate;
	uv_signal_t hangup;
	uv_signal_t drain;
	uv_timer_t patience; /* how long stopping may take */
	uv_timer_t tick;     /* every 10 ms */
	uv_async_t wake;     /* the store has answers */
	uv_prepare_t rest;   /* before the loop waits again */
	struct mrl__listener listener;
	int port; /* the listening socket before it is the listener's; -1 */
	char place[MRL_SOCKET_ADDRESS_SIZE];
	struct mrl__waiting waiting;
	struct lws_context *context; /* NULL when it is wholly gone */
	struct lws_vhost *host;
	struct mrl__exchange *first_body; /* whose bodies are still to come */
	struct mrl__exchange *last_body;
	size_t busy;        /* requests that are being answered */
	unsigned questions; /* to the tables, not answered yet */
	bool stopping;
	bool taken_down;
	bool failed;      /* it had to stop by itself */
	bool abandoned;   /* the process ends with its sockets open */
	uint64_t stop_at; /* ms; when patience ends */
	uint64_t farewell_until;
	bool secure;  /* speaks TLS itself */
	bool playing; /* the store is open and the unfinished games are back */

	struct mrl_store *store;
	uint64_t time;      /* service time of the present turn of the loop */
	uint64_t time_base; /* service time less the monotonic clock's milliseconds; wraps */
	uint64_t time_seen; /* ms; when it was looked at last */
	uint64_t ticks;
	char node_name[256];
	struct mrl__nodes *nodes; /* NULL: this server is alone */
	bool store_trouble;       /* was told */
	struct mrl__addresses addresses;
	struct mrl__people people;
	struct mrl__gone gone;
	struct mrl__passwords passwords;
	struct mrl__rulebook rulebook;
	struct mrl__rooms rooms;
	struct mrl__slots slots;
	struct mrl__reporting *reporting; /* reports that are being made */
	struct mrl__peers peers;
	struct mrl__desk desk;
	struct mrl__engines *engines;
	struct mrl__metrics metrics;
	struct mrl__json json; /* for whoever writes a message and sends it before another is written */
	unsigned char out[LWS_PRE + MRL__SEND_SIZE];
};

/* As on SIGTERM. */
void mrl__server_stop(struct mrl__server *server);

/* A request that was being answered is through. */
void mrl__server_less_busy(struct mrl__server *server);

/* The monotonic clock in milliseconds, and the calendar's (Unix). */
uint64_t mrl__now_ms(void);
int64_t mrl__wall_ms(void);

/* Service time now. */
uint64_t mrl__service_time(struct mrl__server *server);

#endif
