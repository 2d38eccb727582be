/*
 * This server as one of several ("nodes", docs/NODES.md): what it tells the others over the bus, and which games are
 * whose. A room is owned, as in a server that is alone; or it is a replica, whose events come from the owner's node
 * and, where some are missing, from the store, and whose commands go there. With server->nodes NULL none of this does
 * anything. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_NODES_H
#define MERELS_SERVER_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <uv.h>

#include <merels/bus.h>
#include <merels/lobby.h>
#include <merels/play.h>
#include <merels/server.h>
#include <merels/store_node.h>

#include "json_out.h"
#include "nodes_clock.h"
#include "rooms.h"

struct mrl__order;
struct mrl__peer;
struct mrl__room;
struct mrl__still;
struct mrl__server;

/* A node that did not look at its clock for so long was stopped, and others may have its games. */
#define MRL__LONGEST_NAP_MS 2000

#define MRL__NODES_MOST 64

/* A person of another node, held in the lobby that is here. */
struct mrl__away {
	uint64_t person;
	uint64_t node;
	uint64_t until; /* ms */
};

/* An offer of another node's lobby that somebody here has taken, who has not been told of the game yet. */
struct mrl__take {
	uint64_t offer;
	uint64_t person;
	uint64_t until; /* ms */
};

#define MRL__TAKES_MOST 64

struct mrl__paired;

/* The games of another node that may be watched, as it writes them. */
struct mrl__shows {
	uint64_t node;
	uint64_t until; /* ms */
	json_t *games;  /* owned */
};

struct mrl__node_seen {
	uint64_t id;
	bool alive;
	bool draining;
	char name[MRL_SERVER_NODE_MOST + 1];
	struct mrl_lobby_counts counts;
};

struct mrl__nodes {
	struct mrl__server *server;
	struct mrl_bus *bus; /* owned */
	uv_poll_t *poll;     /* owned: its connection in the loop; NULL: there is none, or threads have it */
	uint64_t id;
	char prefix[48]; /* of all subjects of the club, with a dot at its end */
	char name[MRL_SERVER_NODE_MOST + 1];
	struct mrl__json json; /* a message being written */
	struct mrl__node_seen seen[MRL__NODES_MOST];
	size_t seen_count;
	struct mrl__clock clocks[MRL__NODES_MOST];
	struct mrl__shows shows[MRL__NODES_MOST];
	uint64_t show_from;                         /* ms; not before, */
	uint64_t odd;                               /* messages that were not understood, since that was told, */
	uint64_t odd_from;                          /* ms; which is told again then */
	uint64_t show_at;                           /* ms; but then */
	uint64_t naps;                              /* this process was stopped, and did not count that time */
	struct mrl__still *stills[MRL__NODES_MOST]; /* messages that are being put together */
	size_t still_count;
	struct mrl__room *busy; /* rooms that wait for something of others */
	bool beating;           /* the store was told that we are here, and has not answered */
	bool adopting;
	bool lobbying;
	bool skewed; /* the machine's clock is wrong */
	bool draining;
	bool stopping;
	bool showed;    /* there was something to show */
	uint64_t lobby; /* the node that has it; 0: not known */
	uint64_t lobby_fence;
	uint64_t lobby_at;
	uint64_t still_at;
	struct mrl_lobby_seek *wants; /* owned: what sockets here want of another node's lobby */
	size_t want_count;
	bool unsaid; /* the lobby has not taken what this node's sockets want: it is said again */
	struct mrl__take takes[MRL__TAKES_MOST];
	size_t take_count;
	struct mrl__paired *paired; /* owned: what was told of late to persons that the lobby here had paired */
	struct mrl__away *aways;    /* owned */
	size_t away_count;
	char *offers;       /* owned: those of another node's lobby, as they are shown; NULL: none is known */
	json_t *seeks;      /* owned: the same, whole */
	uint64_t beat_sent; /* ms; the beat that is under way, or the last one */
	uint64_t well_at;   /* ms; when the last beat was sent that was kept; 0: none was */
	uint64_t beat_at;   /* ms; and so on: when it is done next */
	uint64_t adopt_at;
	uint64_t adopt_new_at;
	uint64_t look_at;
	uint64_t busy_at;
	uint64_t own_at; /* when to look whether what we own is still ours */
	uint64_t drain_at;
	uint64_t drain_asked; /* when it was wanted, with no other node known; 0: it is not */
	size_t drain_target;
	size_t drained;
	size_t handing; /* games on their way to another node */
	uint64_t drain_until;
};

/* ---- The life of a node: nodes.c --------------------------------------------------------------------------------- */

/* Its name; NULL: this server is alone. */
const char *mrl__nodes_name(struct mrl__server *server);

/* There is another game to be watched: the other nodes are told. */
void mrl__nodes_show_soon(struct mrl__server *server);

/* The store is open: opens the bus. `wake` is told, from any thread, that there is something to poll. */
enum mrl_status mrl__nodes_open(struct mrl__server *server, void (*wake)(void *context), struct mrl_error *error);

/* Of the bus: which descriptor the loop is to wait for (nodes_watch.c). */
void mrl__nodes_watch(void *context, int descriptor, bool writes);

/* The engines are there: they may leave work to workers. False when there is no memory. True without a bus. */
bool mrl__nodes_use_workers(struct mrl__server *server);

/* To be called when woken, and every 10 ms; and at the end of each turn of the loop, for what was said in it. */
void mrl__nodes_flush(struct mrl__server *server);
void mrl__nodes_poll(struct mrl__server *server);
void mrl__nodes_tick(struct mrl__server *server);

/* Nothing new any more; everything is given back with the store's last writes; the bus is closed. */
void mrl__nodes_stop(struct mrl__server *server);
void mrl__nodes_leave(struct mrl__server *server);
void mrl__nodes_close(struct mrl__server *server);

/* Whether the lease stands by our own clock: nobody has taken what is ours. True without a bus. */
bool mrl__nodes_sure(const struct mrl__server *server);

/* The process did not run for so many ms. */
void mrl__nodes_slept(struct mrl__server *server, uint64_t ms);

/* Games go to other nodes, one by one; then the server stops. */
void mrl__nodes_drain(struct mrl__server *server);
bool mrl__nodes_draining(const struct mrl__server *server);
/* A lease has said who is there: what could not begin without another node begins now, or the log says why not. */
void mrl__nodes_drain_or_not(struct mrl__server *server);
void mrl__nodes_drain_tick(struct mrl__server *server);

/* Subjects: of a node's requests, of a game's events. */
#define MRL__SUBJECT_SIZE 128
void mrl__nodes_subject(const struct mrl__nodes *nodes, char subject[MRL__SUBJECT_SIZE], const char *kind, uint64_t id,
			const char *end);

/* Opens a message of a kind in nodes->json; closes and publishes it, or answers with it. */
struct mrl__json *mrl__nodes_write(struct mrl__nodes *nodes, const char *kind);
void mrl__nodes_publish(struct mrl__nodes *nodes, const char *subject);
void mrl__nodes_reply(struct mrl__nodes *nodes, const char *reply);

/* What one node learns of a person the others are told: something of it has changed; its mutes have. */
void mrl__nodes_person(struct mrl__server *server, uint64_t person);
void mrl__nodes_muted(struct mrl__server *server, uint64_t person, uint64_t muted, bool on);

/* ---- Games: nodes_games.c ---------------------------------------------------------------------------------------- */

/* Finds out whose a game is, takes it if nobody has it, then reads it. */
void mrl__nodes_load(struct mrl__room *room);

/* The game has been read: its T; and it can be shown. */
void mrl__nodes_set_time(struct mrl__room *room);
void mrl__nodes_ready(struct mrl__room *room);

/* The room leaves memory. */
void mrl__nodes_forget(struct mrl__room *room);

/* A game was taken for this node. */
void mrl__nodes_adopted(struct mrl__server *server, const struct mrl_store_owner *owner);

/* An owner's: tells events, and who is here; gives the game back as nobody needs it. */
void mrl__owner_tell(struct mrl__room *room, const struct mrl_play_batch *batch);
void mrl__owner_tell_state(struct mrl__room *room);
void mrl__owner_leave(struct mrl__room *room);

/* Whether a node is told the events of a game. */
bool mrl__owner_tells(const struct mrl__room *room, uint64_t node);

/* Hands a game over: false when there is no node for it. */
bool mrl__owner_hand_over(struct mrl__room *room);

/*
 * Whether an order has to wait, and stays the first of the queue, because the game here may be behind the store: who
 * would be refused may have got a seat, and nobody is shown less than was told elsewhere.
 */
bool mrl__replica_holds(struct mrl__room *room, struct mrl__order *order);

/* Our lease may have run out: an order that would be refused is one of a replica's, until the store says whose it is.
 */
void mrl__owner_doubts(struct mrl__room *room, struct mrl__order *order);

/* A replica's: sends an order to the owner; tells it who is here; the game was lost while an order was being done. */
void mrl__replica_send(struct mrl__room *room, struct mrl__order *order);
void mrl__replica_tell(struct mrl__room *room);
void mrl__replica_lost(struct mrl__room *room, struct mrl__order *order);

/* What an owner says of its game, for a replica here, if there is one; `user` is the server. */
void mrl__replica_event(void *user, const struct mrl_bus_message *message);

/* Whose it is must be found out anew. */
void mrl__nodes_find(struct mrl__room *room, unsigned after_ms);

/* Orders that came from another node are answered there. Free the order. */
void mrl__far_answer(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_answer *answer);
void mrl__far_refuse(struct mrl__order *order, const char *code, const char *text);

/*
 * The store is asked of all games (of replicas alone, unless `owned`) whose they are and which event is their last:
 * something may have happened that was not heard here.
 */
void mrl__games_check(struct mrl__server *server, bool owned);

/* A node has ended: what it was asked for is looked for elsewhere at once. */
void mrl__games_left(struct mrl__server *server, uint64_t node);

/* A request of another node about a game; what waits in rooms; what is to be said from time to time. */
void mrl__games_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply);
void mrl__games_busy(struct mrl__server *server);
void mrl__games_look(struct mrl__server *server);

/* ---- The lobby: nodes_lobby.c ------------------------------------------------------------------------------------ */

/* Whether another node has the lobby, or nobody knows who. */
bool mrl__lobby_is_far(const struct mrl__server *server);

/* Asks that: "lobby-seek", "lobby-take", "lobby-unseek". The peer (may be NULL) is told what came of it. */
void mrl__lobby_ask(struct mrl__server *server, struct mrl__peer *peer, const char *id, const char *kind,
		    uint64_t offer, const struct mrl_lobby_seek *seek);

/* The settings of an offer that is shown; false when it is not. */
bool mrl__lobby_settings(const struct mrl__server *server, uint64_t offer, struct mrl_play_settings *settings);

/* The lobby is here: tells the others what is in it; is asked by one of them. */
void mrl__lobby_publish(struct mrl__server *server);
void mrl__lobby_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply);

/* What the lobby said; what is to be done from time to time; the end. */
void mrl__lobby_heard(struct mrl__server *server, const json_t *said);
void mrl__lobby_tick(struct mrl__server *server);
void mrl__lobby_leave(struct mrl__server *server);
void mrl__lobby_release(struct mrl__nodes *nodes);

/* Sends a message to a person's sockets on other nodes; and one has come for those here. */
void mrl__nodes_tell(struct mrl__server *server, uint64_t person, const char *text, size_t length);
void mrl__nodes_told(struct mrl__server *server, uint64_t person, const json_t *said);

/*
 * Two were paired by the lobby that is here (or of a server that is alone): makes their game, at the node of the first
 * of them. `made` is as with mrl__rooms_make(), but the room may be NULL when it was made.
 */
void mrl__pairing_make(struct mrl__server *server, const struct mrl_play_creation *creation, mrl__game_made *made,
		       void *user);

/* A person was told of that, for an offer: it may have to be told again. */
void mrl__pairing_remember(struct mrl__nodes *nodes, uint64_t person, uint64_t offer, const char *text, size_t length);

/* The counts of all nodes; and what each says of its own. */
struct mrl_lobby_counts mrl__nodes_counts(const struct mrl__server *server);
void mrl__nodes_write_note(const struct mrl__server *server, char note[64]);
void mrl__nodes_read_note(const char *note, struct mrl_lobby_counts *counts);

#endif
