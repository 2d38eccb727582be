/*
 * One WebSocket: who is at its other end, what is on its way there, and what it may still send. A peer lives until its
 * connection has gone and nobody holds it any more. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_PEER_H
#define MERELS_SERVER_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addresses.h"
#include "outbox.h"
#include "people.h"

struct lws;
struct mrl__json;
struct mrl__server;
struct mrl__watch;

/* Why a server closes a socket; the reason goes with the code. */
#define MRL__CLOSE_STOPPING 1001
#define MRL__CLOSE_PROTOCOL 1002
#define MRL__CLOSE_BINARY 1003
#define MRL__CLOSE_LIMIT 1008
#define MRL__CLOSE_LARGE 1009
#define MRL__CLOSE_FAULT 1011
#define MRL__CLOSE_SESSION 4001

#define MRL__MESSAGE_MOST 4096
#define MRL__WATCHES_MOST 64

#define MRL__IDS_REMEMBERED 16

struct mrl__peer {
	struct mrl__server *server;
	struct lws *wsi;        /* NULL before it has begun, and when it has gone */
	struct mrl__peer *next; /* in the ring of those who are looked at in the same second */
	struct mrl__peer **link;
	struct mrl__peer *next_fast; /* among those who play by the clock */
	struct mrl__peer **link_fast;
	struct mrl__peer *next_lobby; /* among those who look at the lobby */
	struct mrl__peer **link_lobby;
	struct mrl__peer *next_same; /* among those whose persons have the same bucket */
	struct mrl__peer **link_same;
	struct mrl__peer *next_closing; /* among those that are to be closed */
	struct mrl__peer **link_closing;
	unsigned references;
	struct mrl__address *address;
	struct mrl__person person; /* id 0: a spectator without a name */
	unsigned char session[MRL__HASH_SIZE];
	struct mrl__outbox out;
	struct mrl__credits credits;
	char *in; /* a message that has not come whole yet */
	size_t in_length;
	struct mrl__watch *watches; /* the games it watches */
	unsigned watch_count;
	struct mrl__mutes mutes; /* persons whose chat it does not get */
	uint64_t *ids;           /* hashes of the last ids of offers; owned, NULL: there was none */
	unsigned id_count;
	uint64_t pinged; /* ms; when the ping that is not answered yet was sent, 0: none */
	uint64_t heard;  /* ms of the clock of peers.h; when anything came last */
	unsigned asked;  /* the second of the peers in which it was pinged first since then; 0: it was not */
	uint64_t taken;  /* bytes of the connection that were read before its next frame; until mask_known */
	uint32_t lag;    /* ms, one way, smoothed; 0: not measured yet */
	uint16_t close_code;
	const char *close_reason;
	uint8_t slot;
	bool has_session;
	bool by_token;
	bool ready; /* who it is is known, and `welcome` was sent */
	bool ping_wanted;
	bool mask_known; /* whether it masks its frames has been looked at */
	bool closing;
	bool closed_tab; /* it said that its tab is being closed */
};

/* ---- For the connection ------------------------------------------------------------------------------------- */

/* NULL when there is no memory, or too many sockets of the address. */
struct mrl__peer *mrl__peer_new(struct mrl__server *server, const char *address, const unsigned char *session,
				bool by_token);

/* Callbacks of libwebsockets; what they return it is to be given. */
int mrl__peer_begin(struct mrl__peer *peer, struct lws *wsi);
int mrl__peer_receive(struct mrl__peer *peer, const char *bytes, size_t length);
int mrl__peer_writable(struct mrl__peer *peer);
void mrl__peer_pong(struct mrl__peer *peer, const void *payload, size_t length);
void mrl__peer_gone(struct mrl__peer *peer);

/* ---- For everybody ------------------------------------------------------------------------------------------ */

/* A reference keeps the memory, not the connection. */
void mrl__peer_hold(struct mrl__peer *peer);
void mrl__peer_drop(struct mrl__peer *peer);

/* Whether there is anybody to send to. */
bool mrl__peer_is_here(const struct mrl__peer *peer);

/* Sends a message: at once when the socket takes it and `now` is true, else when its turn comes. */
void mrl__peer_send(struct mrl__peer *peer, struct mrl__message *message, bool now);

/* Sends what is written in a JSON. */
void mrl__peer_send_json(struct mrl__peer *peer, const struct mrl__json *json);

/* Sends a refusal; `id`, `game` may be NULL. */
void mrl__peer_refuse(struct mrl__peer *peer, const char *id, const char *game, const char *code, const char *text);

/* Closes the socket; `reason` is static. */
void mrl__peer_close(struct mrl__peer *peer, unsigned code, const char *reason);

/*
 * Begins the closing of a peer that everything has been sent to; false when there is still something. Not from inside a
 * callback of libwebsockets 4.1, which sends no closing frame when it is told to close where it could send.
 */
bool mrl__peer_end(struct mrl__peer *peer);

/* Whether an id was among the last that were asked for here; from now on it is. */
bool mrl__peer_remembers(struct mrl__peer *peer, const char *id);

/* What was asked with this id was not done, and may be asked again with it. */
void mrl__peer_forget(struct mrl__peer *peer, const char *id);

/* Takes credits for a message; false when the socket was closed for want of them. */
bool mrl__peer_pay(struct mrl__peer *peer, unsigned cost);

/* Sends a ping now. */
void mrl__peer_ping(struct mrl__peer *peer);

#endif
