/*
 * A game in memory: the state machine of src/play, who watches it, what waits to be done.
 *
 * One thing at a time: an order is looked at, the events that follow are given to the store, and only when they are
 * committed are they applied, answered and told to everybody who watches. What comes meanwhile waits in the queue, with
 * the moment at which it came. So nothing is ever told that is not kept, and a store that fails leaves the game as it
 * was. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_ROOM_H
#define MERELS_SERVER_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play.h>
#include <merels/store.h>

#include "order.h"

struct mrl__message;
struct mrl__peer;
struct mrl__room;
struct mrl__server;

/* A peer that watches a game. */
struct mrl__watch {
	struct mrl__room *room;
	struct mrl__peer *peer;
	struct mrl__watch *next; /* in the room: of its players, or of its spectators */
	struct mrl__watch **link;
	struct mrl__watch *next_of_peer;
	struct mrl__watch **link_of_peer;
	uint64_t begun; /* which of all watches that were wanted this is: an answer to an older one is none to it */
	uint8_t seat;   /* an enum mrl_play_seat; NOBODY: a spectator */
	bool catching;  /* it does not have what happened before yet; until then nothing else is sent to it */
};

/* A line of chat, kept for those who come later. */
struct mrl__said {
	struct mrl__said *next;
	uint32_t number;
	uint64_t person;
	uint8_t seat;
	uint8_t room;
	uint8_t phrase;
	char name[MRL_PLAY_NAME_SIZE];
	char text[];
};

#define MRL__SAID_MOST 20

struct mrl__commit;

/* What another node has of a game: players' sockets, spectators. Known until it is not said any more. */
struct mrl__far {
	uint64_t node;
	uint64_t until; /* ms */
	uint64_t since; /* ms; of the first of its seats */
	unsigned seats; /* bits */
	unsigned spectators;
};

#define MRL__FAR_MOST 16

enum mrl__room_state { MRL__ROOM_LOADING, MRL__ROOM_READY };

struct mrl__room {
	struct mrl__server *server;
	uint64_t id;
	struct mrl__room *next; /* in its bucket */
	struct mrl__room *next_dirty;
	const struct mrl_rules *rules; /* held */
	enum mrl__room_state state;
	/*
	 * With nodes: this one owns the game, or has a replica of it. A game has a T of its own, which is `shift`
	 * more than the node's service time; everything in `game` is in that.
	 */
	uint64_t owner;    /* the node; 0: not known */
	uint64_t fence;    /* under which it is owned */
	uint64_t ready_t;  /* while loading: the T at which it goes on */
	int64_t shift;     /* ms */
	uint64_t begins;   /* the node's service time when it began to own it: what was wanted before is wanted then */
	uint64_t asked_at; /* a replica's: ms; when the owner was told last what is here */
	uint64_t owned_at; /* ms; since when this node owns it */
	void *request_of;  /* with `request`: what belongs to that */
	uint64_t request;  /* a replica's: that is being told */
	uint64_t find_at;  /* ms; when the owner is looked for again; 0: it need not be */
	struct mrl__room *next_busy;
	struct mrl__order *sent; /* a replica's: with the owner */
	struct mrl__far *far;    /* an owner's: owned, far[0 .. far_count) */
	struct mrl_play_game game;
	struct mrl__watch *players;
	struct mrl__watch *spectators;
	unsigned spectator_count;
	unsigned here[2]; /* watches of each seat */
	struct mrl__order *first;
	struct mrl__order **last;
	struct mrl__commit *commit; /* being kept; NULL: nothing is */
	struct mrl__said *said;     /* the oldest first */
	unsigned said_count;
	size_t place;                /* in the heap of deadlines, from 1; 0: not in it */
	uint64_t deadline;           /* service time */
	uint64_t used;               /* ms */
	uint64_t load;               /* while loading: which of all loads it waits for */
	int64_t started;             /* wall ms; 0: not yet */
	uint32_t thinking;           /* the engine was asked for this ply, plus 1; 0: it was not */
	bool counted;                /* the lobby counts it as running */
	bool asked;                  /* the store was asked for the ratings */
	bool changed;                /* ratings have been changed by its end: */
	struct mrl_rating before[2]; /* by seat */
	struct mrl_rating after[2];
	int32_t rating[2];              /* by seat, at the start, in thousandths; 0: not known, or there is none */
	struct mrl__slot *slot;         /* while it waits for somebody; owned */
	struct mrl__room *next_running; /* among those that are played */
	struct mrl__room **link_running;
	bool dirty;              /* who watches has changed */
	unsigned far_spectators; /* of other nodes */
	unsigned far_count;
	uint32_t heard;   /* a replica's: there is an event of this number */
	bool owned;       /* with nodes: by this one; alone: always */
	bool finding;     /* the store was asked whose it is */
	bool healing;     /* and for events that are missing */
	bool verifying;   /* and for those that are missing before an order is refused */
	bool leaving;     /* it is being given back */
	bool busy;        /* in the list of those that wait for something of others */
	bool reshow;      /* who watches gets the whole picture when it is ready */
	bool far_here[2]; /* a replica's: what the owner says of the seats */
};

/* T of the game now; and a moment of it as clients know it, who know the node's. */
uint64_t mrl__room_time(const struct mrl__room *room);
uint64_t mrl__room_shown(const struct mrl__room *room, uint64_t t);

/* The sockets of a seat have come or gone, here or elsewhere. */
void mrl__room_presence(struct mrl__room *room, unsigned seat, bool closed_tab);

/* Sends the picture to everybody who watches: what they know may be wrong. */
void mrl__room_show_all(struct mrl__room *room);

/* An order was refused by the game, here or elsewhere. Frees the order. */
void mrl__room_refuse(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_answer *answer);

/* Gives an order to a room, which owns it from now on. */
void mrl__room_order(struct mrl__room *room, struct mrl__order *order);

/* The first of what waits cannot be done. */
void mrl__room_drop_first(struct mrl__room *room, const char *code, const char *text);

/* Does what waits, as far as it can be done. */
void mrl__room_pump(struct mrl__room *room);

/* An event has been committed: applies it. False when it does not fit, which means that the game must be read again. */
bool mrl__room_apply(struct mrl__room *room, const struct mrl_play_event *event);

/* The game is being forgotten, or read anew: it is in no list and no count. */
void mrl__room_uncount(struct mrl__room *room);

/* After events: the deadline, the computer, the counts of the lobby. */
void mrl__room_settle(struct mrl__room *room);

/* The order cannot be done: tells whoever gave it. Frees the order. */
void mrl__order_refuse(struct mrl__order *order, uint64_t game, const char *code, const char *text);

/* ---- Watching (watch.c) ------------------------------------------------------------------------------------- */

void mrl__watch_begin(struct mrl__room *room, struct mrl__order *order);
void mrl__watch_end(struct mrl__watch *watch, bool closed_tab);
struct mrl__watch *mrl__watch_of(const struct mrl__peer *peer, uint64_t game);

/* Tells an applied event to everybody who watches. */
void mrl__room_tell(struct mrl__room *room, const struct mrl_play_event *event);

/* Sends to all who watch. */
void mrl__room_send(struct mrl__room *room, struct mrl__message *message);

/* How many look on, on all nodes; and their number is told soon. */
unsigned mrl__room_spectators(const struct mrl__room *room);
void mrl__room_watchers_changed(struct mrl__room *room);

/* Tells who is there. */
void mrl__room_tell_presence(struct mrl__room *room);

/* The seat of who gives an order to watch or look; MRL_PLAY_NOBODY. */
unsigned mrl__room_seat_for(const struct mrl__room *room, const struct mrl__order *order);

/* Whether a person (or who has the secret or the link) may see the game. */
bool mrl__room_may_see(const struct mrl__room *room, uint64_t person, const struct mrl__order *order);

/*
 * Says no to who may not see the game, and frees the order. Who has its link was invited, and is told that somebody
 * else came first or that it is over; to anybody else the game is not there.
 */
void mrl__room_hide(const struct mrl__room *room, struct mrl__order *order);

/* ---- Keeping (commit.c) ------------------------------------------------------------------------------------- */

/* Gives the events of a batch to the store. `order` (may be NULL) is answered when they are committed. */
void mrl__commit_begin(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_batch *batch,
		       const struct mrl_play_answer *answer);

#endif
