/* What the files of this room share. Unless it is said otherwise, all is for the thread of the bus. */
#ifndef MERELS_BUS_INTERNAL_H
#define MERELS_BUS_INTERNAL_H

#include <merels/bus.h>
#include <os/thread.h>

/* ---- The queue of what came in (inbox.c) -------------------------------------------------------------------- */

enum item_kind {
	ITEM_MESSAGE,
	ITEM_NOBODY, /* for an inbox: nobody listens to what was asked */
	ITEM_NEWS    /* of the connection; the sentence is the data */
};

/* What came in; also what is late, and what waits to be sent. One piece of memory, the texts behind. */
struct item {
	struct item *next;
	enum item_kind kind;
	enum mrl_bus_news news;
	uint64_t listener; /* whose subscription */
	uint64_t due;
	size_t length;
	size_t bytes; /* counted against the limits */
	const char *subject;
	const char *reply;
	const char *data;
};

/* NULL for want of memory. Any thread. */
struct item *item_new(enum item_kind kind, const char *subject, const char *reply, const void *data, size_t length);

struct items {
	struct item *first;
	struct item **last;
	size_t count;
	size_t bytes;
};

void items_open(struct items *items);
void items_put(struct items *items, struct item *item);
struct item *items_take(struct items *items); /* NULL: there are none */
void items_free(struct items *items);

struct inbox {
	struct mrl_monitor *monitor;
	struct items items; /* all of these under the monitor */
	uint64_t heard;
	uint64_t heard_bytes;
	uint64_t unheard;
	uint64_t unsent;  /* what a link had taken and threw away */
	uint64_t dropped; /* since it was last told */
	uint64_t connections;
	bool nudged;
	size_t most_messages; /* these never change */
	size_t most_bytes;
	void (*wake)(void *context);
	void *context;
};

bool inbox_open(struct inbox *inbox, const struct mrl_bus_settings *settings);
void inbox_close(struct inbox *inbox);

/* Any thread. Takes the item, or throws it away when there is no room. NULL is thrown away too. News always fit. */
void inbox_put(struct inbox *inbox, struct item *item);
/* The same, and nobody is woken: whether somebody should be. */
bool inbox_add(struct inbox *inbox, struct item *item);
/* Any thread. One message was not sent. */
void inbox_count_unsent(struct inbox *inbox);

void inbox_put_news(struct inbox *inbox, enum mrl_bus_news news, const char *sentence);

/* ---- What is behind a bus ----------------------------------------------------------------------------------- */

struct backend {
	/* False: somebody may still use the inbox, which must stay. */
	bool (*close)(void *link);
	/* The first words of subjects that belong to this bus alone, without a dot at the end. */
	const char *(*inbox)(const void *link);
	size_t (*most_payload)(const void *link);
	/* MRL_OK, MRL_SYSTEM there is no connection, MRL_BUSY, MRL_SPACE. */
	enum mrl_status (*send)(void *link, const char *subject, const char *reply, const void *data, size_t length);
	/* What comes is put into the inbox with this number. MRL_OK, MRL_SPACE. */
	enum mrl_status (*listen)(void *link, uint64_t listener, const char *subject, const char *group);
	void (*leave)(void *link, uint64_t listener);
	/* What was sent until now is to go. */
	void (*flush)(void *link);
	/* These may be NULL: a turn of the loop begins; what is watched is ready; waits for it, until a moment. */
	void (*turn)(void *link);
	void (*ready)(void *link, bool reads, bool writes);
	void (*wait)(void *link, uint64_t until);
};

extern const struct backend backend_hub;
extern const struct backend backend_nats;
extern const struct backend backend_watched; /* NATS, whose connection the loop watches */

enum mrl_status hub_link(void **link, struct mrl_bus_hub *hub, struct inbox *inbox, struct mrl_error *error);
enum mrl_status nats_link(void **link, const struct mrl_bus_settings *settings, struct inbox *inbox,
			  struct mrl_error *error);
/* Whether the loop can watch it. */
bool nats_is_watched(const struct mrl_bus_settings *settings);

/* Takes a hub's bus off, or back on. */
void hub_cut(void *of, bool cut);

/* ---- Numbers to things (map.c) ------------------------------------------------------------------------------ */

struct entry {
	struct entry *next;
	uint64_t id;
};

enum { MAP_SIZE = 1024 };

struct map {
	struct entry *slots[MAP_SIZE];
};

void map_put(struct map *map, struct entry *entry);
struct entry *map_find(const struct map *map, uint64_t id);
struct entry *map_take(struct map *map, uint64_t id); /* NULL: there is none */
struct entry *map_take_any(struct map *map);          /* NULL: it is empty */

/* ---- The bus ------------------------------------------------------------------------------------------------ */

struct listener {
	struct entry entry; /* first */
	mrl_bus_heard *heard;
	void *user;
};

struct request {
	struct entry entry; /* first */
	mrl_bus_answered *done;
	void *user;
	uint64_t deadline;
};

struct mrl_bus {
	struct mrl_bus_settings settings; /* texts in it are not valid any more */
	const struct backend *backend;
	void *link;
	struct inbox inbox;
	struct map listeners;
	struct map requests;
	struct entry *over; /* requests that have ended, and are to be told so */
	uint64_t last_id;
	uint64_t next_deadline; /* of requests, or before; UINT64_MAX: there are none */
	uint64_t unsent;
	uint64_t sent;
	uint64_t sent_bytes;
	uint64_t told;    /* when it was last told that messages were thrown away */
	uint64_t flushed; /* when */
	unsigned held;    /* given to the link since it was last flushed */
	bool connected;
	bool closing;
	struct mrl_bus_disturbance disturbance; /* seed 0: none */
	struct items late;
};

/* The listener's number of the inbox for answers. */
enum { ANSWERS = 1 };

uint64_t bus_now(const struct mrl_bus *bus);
enum mrl_status bus_refuse(struct mrl_error *error, enum mrl_status status, const char *sentence);

/* Sends, or what a disturbance makes of it (disturb.c). */
enum mrl_status bus_send(struct mrl_bus *bus, const char *subject, const char *reply, const void *data, size_t length);
enum mrl_status bus_send_now(struct mrl_bus *bus, const char *subject, const char *reply, const void *data,
			     size_t length);
void bus_send_late(struct mrl_bus *bus);

/* What a publication may be refused for before anything is sent. */
enum mrl_status bus_check(const struct mrl_bus *bus, const char *subject, size_t length, struct mrl_error *error);
enum mrl_status bus_explain(const struct mrl_bus *bus, enum mrl_status status, struct mrl_error *error);

/* Requests (request.c): something came for one of them; the time of some is over; all are. How many were told. */
size_t requests_answer(struct mrl_bus *bus, const struct item *item);
size_t requests_expire(struct mrl_bus *bus);
size_t requests_end(struct mrl_bus *bus, enum mrl_status status);

#endif
