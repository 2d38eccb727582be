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
	struct entry entry;     /* first; its id is the listener's number */
	struct nats_wish *next; /* of a watched link */
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

/* With `watch` the link's thread lends its connection to the thread of the bus. */
enum lent { LENT_NOT, LENT_OFFERED, LENT_TAKEN, LENT_BACK };

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
	bool attached;
	size_t ears;
	enum lent lent;

	natsConnection *connection; /* these are the thread's */
	struct map wishes;
	bool kept;         /* cnats did not let go of the last connection */
	char trouble[200]; /* what was told last of not being connected */

	void (*watch)(void *context, int descriptor, bool writes); /* NULL: it is not watched */
	int descriptor;        /* a copy of the connection's; these are the thread's that has it */
	bool room;             /* it is watched for room to write */
	atomic_bool unwritten; /* cnats has something to write */
	atomic_bool inside;    /* the thread of the bus is using the connection, and looks at that itself */
	struct nats_wish *first;
	char echo[64]; /* where it hears itself */
	natsSubscription *echoes;
	uint64_t echo_until; /* a moment; 0: it was heard */
};

/* ---- The connection (nats_connection.c), for the link's thread ---------------------------------------------- */

/* Everything of the options but what is there only while connected. */
enum mrl_status connection_prepare(struct nats_link *link, const struct mrl_bus_settings *settings,
				   struct mrl_error *error);

/* Tries every address once, tells what becomes of it, and subscribes to all that is wished. */
bool connection_open(struct nats_link *link);

/* Closes it and waits until cnats has nothing of ours any more; when that takes too long, it is kept. */
void connection_close(struct nats_link *link);

/* Tells that it is there. */
void connection_tell(struct nats_link *link);

/* What a message of cnats, which is freed, is in the inbox; NULL for want of memory. */
struct item *connection_item(struct nats_link *link, uint64_t listener, natsMsg *message);

/* Of a watched link (nats_watched.c): the options; lends the connection, and waits until it is back: whether it was up.
 */
natsStatus watched_prepare(struct nats_link *link);
bool watched_lend(struct nats_link *link);

/* A link's, whoever watches it (nats_link.c). */
const char *link_inbox(const void *of);
size_t link_most_payload(const void *of);
struct nats_wish *link_wish(uint64_t listener, const char *subject, const char *group);
bool link_end(struct nats_link *link);

void connection_send(struct nats_link *link, const struct item *item);
void connection_listen(struct nats_link *link, struct nats_wish *wish);
void connection_leave(struct nats_link *link, struct nats_wish *wish);

#endif
