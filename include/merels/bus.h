/*
 * The bus: messages between processes of one club. One interface; behind it is NATS, or a hub in this process.
 *
 * A subject is words with dots between them ("merels.c1.game.7.evt"). Who subscribes may write * for any one word and
 * a last > for one or more. A message goes to everybody who listens at that moment, and to one of each queue group.
 * Nothing is kept: a message may be lost, come twice, or late, or in another order, and whoever uses the bus must
 * live with all of it. What two processes of one bus say while the connection is good comes in order.
 *
 * No function waits for the network, not even opening. What comes in waits in a bounded queue, and callbacks run in
 * mrl_bus_poll() and nowhere else. All functions but mrl_bus_nudge() are for one thread, an event loop's, and may be
 * called from within callbacks, but for poll, wait and close.
 *
 * The connection mends itself for ever: when NATS is not there at the start or goes away, that is told, and tried again
 * after 0.1 s, 0.2 s ... 1 s. Subscriptions are then made again. Meanwhile nothing can be sent, and that is said too:
 * nothing is kept to be sent later, when it might not be true any more.
 */
#ifndef MERELS_BUS_H
#define MERELS_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>

struct mrl_bus;
struct mrl_bus_hub;

/* Bytes of the longest subject, the closing 0 included. */
#define MRL_BUS_SUBJECT_SIZE 256

/* ---- Opening ------------------------------------------------------------------------------------------------ */

enum mrl_bus_news {
	MRL_BUS_CONNECTED, /* for the first time, or again: what was said meanwhile was not heard */
	MRL_BUS_LOST,      /* the connection, or it cannot be had; said again when the reason is another */
	MRL_BUS_REFUSED,   /* NATS is there and does not let us in; it is tried again all the same */
	MRL_BUS_TROUBLE    /* the connection stays, but messages were thrown away, or NATS complains of what we do */
};

struct mrl_bus_settings {
	/*
	 * "nats://[USER:PASSWORD@]HOST[:PORT]", several with commas between them; any of them is as good. With tls://
	 * in one of them all are asked for TLS. NULL with a hub.
	 */
	const char *place;
	/* A bus in this process, instead of NATS; it must outlive this one. */
	struct mrl_bus_hub *hub;
	const char *name;         /* what NATS calls this connection in its reports; NULL: none */
	const char *credentials;  /* a file as NATS's tools write them (JWT and key); NULL: none */
	const char *certificates; /* a file of those that are believed with tls://; NULL: the system's */
	/* Told, from any thread, when there is something to poll after there was nothing. NULL: nobody. */
	void (*wake)(void *context);
	/*
	 * For a loop that can wait for descriptors: told, by functions of the bus, which one to wait for (-1: none),
	 * for input and, if `writes`, for room to write too. Whoever is told calls mrl_bus_ready() then. So the thread
	 * of the loop reads and writes the connection itself, which costs much less than waking threads for it. With
	 * TLS that would wait in the middle of a record, so threads do it. NULL: threads always do it.
	 */
	void (*watch)(void *context, int descriptor, bool writes);
	/* Told in mrl_bus_poll() what became of the connection, with a sentence for a log. NULL: nobody. */
	void (*tell)(void *context, enum mrl_bus_news news, const char *sentence);
	void *context;
	/*
	 * Between what was sent and what is sent next, so that what comes close together goes together: each time a
	 * server and other processes are woken. What comes after a rest goes at once. 0: none.
	 */
	unsigned pace_ms;
	/* What may wait to be polled, and what may wait to be sent, each: messages; 0: 65536. Bytes; 0: 64 MB. */
	size_t most_messages;
	size_t most_bytes;
	/* The clock of time-outs in ns, for tests; NULL: the monotonic one. */
	uint64_t (*now)(void *context);
};

/* MRL_NAME, with a sentence, for a place that names no NATS. */
MRL_MUST_USE enum mrl_status mrl_bus_check_place(const char *place, struct mrl_error *error);

/* A place as it may be shown, in text[0..size): without users and passwords. */
void mrl_bus_show_place(const char *place, char *text, size_t size);

/*
 * Texts of the settings are copied. MRL_NAME for a place or a file that is wrong, MRL_UNSUPPORTED when the client
 * library of NATS is not installed, MRL_SPACE. That NATS cannot be reached is no error: it is told, and tried again.
 */
MRL_MUST_USE enum mrl_status mrl_bus_open(struct mrl_bus **bus, const struct mrl_bus_settings *settings,
					  struct mrl_error *error);

/*
 * Sends what waits to be sent if it goes within two seconds, answers all requests with MRL_STOPPED, and frees the bus.
 * NULL is allowed.
 */
void mrl_bus_close(struct mrl_bus *bus);

/* A word that no other bus has, in text[0..size), for subjects of one's own. */
void mrl_bus_word(const struct mrl_bus *bus, char *text, size_t size);

/* Whether NATS can be reached, as far as is known. */
bool mrl_bus_is_connected(const struct mrl_bus *bus);

/* The most bytes that a message may have; NATS says (1 MB, unless set otherwise). */
size_t mrl_bus_most_payload(const struct mrl_bus *bus);

/* ---- Listening ---------------------------------------------------------------------------------------------- */

/* Gone when the callback returns. */
struct mrl_bus_message {
	const char *subject;
	const char *reply; /* where an answer is wanted; "" nowhere */
	const char *data;  /* may hold anything at all; a 0 that is not counted follows */
	size_t length;
};

typedef void mrl_bus_heard(void *user, const struct mrl_bus_message *message);

/*
 * From now on, or as soon as NATS is there. `group`: "" or NULL to hear everything, else the name of a queue group,
 * each message going to one of its members. `id` is for unsubscribing, never 0. MRL_SYNTAX for a subject or group that
 * is none, MRL_SPACE.
 */
MRL_MUST_USE enum mrl_status mrl_bus_subscribe(struct mrl_bus *bus, const char *subject, const char *group,
					       mrl_bus_heard *heard, void *user, uint64_t *id, struct mrl_error *error);

/* Nothing more is heard, not even what had come already. 0 and what is unknown is allowed. */
void mrl_bus_unsubscribe(struct mrl_bus *bus, uint64_t id);

/* ---- Speaking ----------------------------------------------------------------------------------------------- */

/*
 * MRL_OK promises nothing. MRL_SYNTAX for a subject that is none, MRL_RANGE for too many bytes, MRL_SYSTEM while there
 * is no connection, MRL_BUSY when too much waits to be sent, MRL_STOPPED from callbacks of closing, MRL_SPACE. `error`
 * may be NULL.
 */
enum mrl_status mrl_bus_publish(struct mrl_bus *bus, const char *subject, const void *data, size_t length,
				struct mrl_error *error);

/* Answers a message; one that wants no answer gets none, with MRL_OK. */
enum mrl_status mrl_bus_reply(struct mrl_bus *bus, const struct mrl_bus_message *message, const void *data,
			      size_t length, struct mrl_error *error);

/*
 * `status`: MRL_OK with the first answer, else `message` is NULL: MRL_MISSING nobody listens there, which is known at
 * once; MRL_STOPPED there was no answer in time, or the bus is closed; MRL_SYSTEM the connection was lost. What was
 * asked may have been done all the same.
 */
typedef void mrl_bus_answered(void *user, enum mrl_status status, const struct mrl_bus_message *message);

/*
 * Asks. MRL_OK: `done` is called once, in mrl_bus_poll() or when the bus is closed; else never, and the status is as in
 * mrl_bus_publish(). `id` (may be NULL) is for giving up, never 0.
 */
MRL_MUST_USE enum mrl_status mrl_bus_request(struct mrl_bus *bus, const char *subject, const void *data, size_t length,
					     unsigned timeout_ms, mrl_bus_answered *done, void *user, uint64_t *id,
					     struct mrl_error *error);

/* Nobody wants the answer any more: `done` is not called. 0 and what is unknown is allowed. */
void mrl_bus_cancel(struct mrl_bus *bus, uint64_t id);

/* ---- The loop ----------------------------------------------------------------------------------------------- */

/*
 * Sends what was said since the last time: a thread has to be woken for it, and is woken once for all. To be called at
 * the end of each turn of the loop; mrl_bus_poll() and mrl_bus_wait() do it too.
 */
void mrl_bus_flush(struct mrl_bus *bus);

/*
 * Runs callbacks of what came and of requests whose time is over; how many. Call it when woken, and from time to time
 * (every 10 .. 100 ms) as nobody is woken for a time-out. When very much came, some is left and `wake` is called.
 */
size_t mrl_bus_poll(struct mrl_bus *bus);

/* What `watch` told has input, or room to write: reads and writes, then polls. */
size_t mrl_bus_ready(struct mrl_bus *bus, bool reads, bool writes);

/*
 * Waits until there is something to poll or some ms are over, then polls. For tools and tests: it blocks. With `watch`
 * only messages end it, and no nudge.
 */
size_t mrl_bus_wait(struct mrl_bus *bus, unsigned ms);

/* Ends a mrl_bus_wait(), or the next one. Any thread. */
void mrl_bus_nudge(struct mrl_bus *bus);

/* Since the bus was opened. */
struct mrl_bus_counts {
	uint64_t sent; /* messages and their bytes, given to NATS */
	uint64_t sent_bytes;
	uint64_t heard; /* taken from NATS, before any was thrown away */
	uint64_t heard_bytes;
	uint64_t unsent;      /* refused or thrown away for want of a connection, or as too much waited */
	uint64_t unheard;     /* thrown away as the queue was full: too seldom polled, or too slowly */
	uint64_t connections; /* how often it was connected */
};

void mrl_bus_count(const struct mrl_bus *bus, struct mrl_bus_counts *counts);

/* ---- For tests ---------------------------------------------------------------------------------------------- */

/*
 * What becomes, on purpose, of messages that this bus sends: so many of a thousand each, drawn from the seed alone.
 * What is late goes at a poll, up to late_ms later, and so behind what was sent after it.
 */
struct mrl_bus_disturbance {
	uint64_t seed; /* not 0 */
	unsigned lost;
	unsigned twice;
	unsigned late;
	unsigned late_ms;
};

/* From now on; NULL ends it (what is late still comes). */
void mrl_bus_disturb(struct mrl_bus *bus, const struct mrl_bus_disturbance *disturbance);

/*
 * A hub connects buses of one process and one thread, in a fixed order, without a clock or a thread of its own: what
 * one sends the others find at their next poll. Queue groups take turns. NULL for want of memory.
 */
struct mrl_bus_hub *mrl_bus_hub_new(void);

/* All buses on it must be closed. NULL is allowed. */
void mrl_bus_hub_free(struct mrl_bus_hub *hub);

/* Takes a bus off its hub, which it is told as if NATS were gone, or back on. */
void mrl_bus_hub_cut(struct mrl_bus *bus, bool cut);

#endif
