/*
 * Several servers of one club, "nodes", on one PostgreSQL (docs/NODES.md): which of them there are, and which of them
 * may append events to which game.
 *
 * Each node has a lease, which it renews by mrl_change_beat(); moments are PostgreSQL's own. A game that a node makes
 * is its own; others it takes, when nobody has them or their owner's lease has run out. Owning has a *fence*, a number
 * that rises with each taking. An event is appended by its game's owner under its present fence and by nobody else:
 * MRL_TAKEN is the answer to all others, however late they come.
 *
 * A server that is alone (SQLite; or PostgreSQL without settings.node) owns all games, with fence 1: what it takes it
 * has, and nothing else of this does anything.
 */
#ifndef MERELS_STORE_NODE_H
#define MERELS_STORE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/store.h>

/* In the place of a game: the lobby, which has an owner like a game. */
#define MRL_STORE_LOBBY UINT64_MAX

/* From whom games are adopted: nobody, whose games were released; and those that never had an owner. */
#define MRL_STORE_NO_NODE UINT64_C(0)
#define MRL_STORE_NEVER_OWNED UINT64_MAX

struct mrl_store_node {
	uint64_t id;
	const char *name;
	bool alive;
	bool draining;
	uint64_t t;   /* its service time when it said so last */
	int64_t wall; /* ms since 1970, now, by the database's clock */
	const char *note;
};

struct mrl_store_owner {
	uint64_t game;
	uint64_t node; /* 0: nobody, or a server that is alone */
	uint64_t fence;
	uint64_t t; /* T of the game, as it goes on for who takes it */
	bool alive; /* the lease of the node has not run out */
	const char *name;
	uint32_t number; /* mrl_store_find_owners(): of the last event; */
	bool over;       /* and whether the game has ended */
};

/* How many games mrl_store_find_owners() is asked for at most. */
#define MRL_STORE_OWNERS_MOST 500

/* Which node this store is (settings.node_id); 0: a server that is alone, or none. And the number of the club. */
uint64_t mrl_store_node_id(const struct mrl_store *store);
uint64_t mrl_store_club(const struct mrl_store *store);

/*
 * This node is alive, its service time is `t`; `note` is for other nodes. The answer's nodes[] are those that live, and
 * those that are gone and still own games. MRL_TAKEN when another node of this name has taken its place.
 */
void mrl_change_beat(struct mrl_store_change *change, uint64_t t, bool draining, const char *note);

/*
 * Takes a game, when it may be taken. The answer's owners[0] says whose it is: who asked, or another one; none when
 * there is no such game. `t`: the service time of this node.
 */
void mrl_change_take(struct mrl_store_change *change, uint64_t game, uint64_t t);

/*
 * Takes up to `most` games of a node that is gone that are not over; owners[] are those, and whose they are now: others
 * may have been quicker, or the node be there after all.
 */
void mrl_change_adopt(struct mrl_store_change *change, uint64_t node, unsigned most, uint64_t t);

/* Gives a game back; its T stands at `t`, the game's own. No error when it was not this node's. */
void mrl_change_release(struct mrl_store_change *change, uint64_t game, uint64_t fence, uint64_t t);

/* Gives everything back: this node ends. `t`: its service time. */
void mrl_change_leave(struct mrl_store_change *change, uint64_t t);

/*
 * Quick: owners[] of games, in no order, each with the number of its last event; fence 0 when it has no owner. A game
 * that is not there has none of them.
 */
MRL_MUST_USE enum mrl_status mrl_store_find_owners(struct mrl_store *store, const uint64_t *games, size_t count,
						   mrl_store_done *done, void *user);

#endif
