/*
 * A link to NATS: a thread that does everything which may have to wait for the network, and the queue of what it has to
 * do. Messages that come in are put into the inbox by threads of cnats.
 */
#ifndef MERELS_BUS_NATS_LINK_H
#define MERELS_BUS_NATS_LINK_H

#include <stdatomic.h>

#include "bus_internal.h"
#include "nats_library.h"

struct nats_link;

/* A subscription as the link's thread knows it: it outlives connections. */
struct nats_wish {
	struct entry entry; /* first; its id is the listener's number */
	natsSubscription *subscription;
	const char *subject;
	const char *group;
	char texts[];
};

/* What cnats has of a subscription of one connection. It is freed when cnats says that it needs it no more. */
struct nats_ear {
	struct nats_link *link;
	uint64_t listener;
};

enum work_kind { WORK_SEND, WORK_LISTEN, WORK_LEAVE };

struct nats_link {
	struct nats_library library;
	struct inbox *inbox;
	natsOptions *options;
	char answers[64]; /* the inbox's words */
	char *place;      /* as it may be shown */
	struct mrl_thread *thread;
	atomic_bool up; /* messages can be sent */
	atomic_size_t most_payload;

	struct mrl_monitor *monitor;
	struct items work; /* all of these under the monitor; an item's news is its work_kind */
	size_t most_messages;
	size_t most_bytes;
	bool stop;
	bool closed; /* cnats has closed the connection */
	size_t ears;

	natsConnection *connection; /* these are the thread's */
	struct map wishes;
	bool kept;         /* cnats did not let go of the last connection */
	char trouble[200]; /* what was told last of not being connected */
};

/* ---- The connection (nats_connection.c), for the link's thread ---------------------------------------------- */

/* Everything of the options but what is there only while connected. */
enum mrl_status connection_prepare(struct nats_link *link, const struct mrl_bus_settings *settings,
				   struct mrl_error *error);

/* Tries every address once, tells what becomes of it, and subscribes to all that is wished. */
bool connection_open(struct nats_link *link);

/* Closes it and waits until cnats has nothing of ours any more; when that takes too long, it is kept. */
void connection_close(struct nats_link *link);

void connection_send(struct nats_link *link, const struct item *item);
void connection_listen(struct nats_link *link, struct nats_wish *wish);
void connection_leave(struct nats_link *link, struct nats_wish *wish);

#endif
