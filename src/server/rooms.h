/*
 * All games in memory: found by id, made, loaded from the store when somebody asks for one, ticked when a timer of one
 * is over, forgotten when nobody needs them. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_ROOMS_H
#define MERELS_SERVER_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play.h>
#include <merels/status.h>

struct mrl__json;
struct mrl__order;
struct mrl__peer;
struct mrl__room;
struct mrl__server;
struct mrl__slot;

struct mrl__rooms {
	struct mrl__room **buckets; /* owned */
	size_t bucket_count;        /* a power of two */
	size_t count;
	size_t commits;          /* under way */
	struct mrl__room **heap; /* owned; those with a deadline, the earliest first */
	size_t heap_count;
	size_t heap_size;
	struct mrl__room *running; /* those that are played */
	struct mrl__room *dirty;   /* those of which the watchers have changed */
	size_t swept;              /* the bucket that is swept next */
	uint64_t watches;          /* that were wanted so far */
	uint64_t loads;            /* that were begun so far */
};

bool mrl__rooms_init(struct mrl__server *server);
void mrl__rooms_release(struct mrl__server *server);

/* The room of a game in memory, or NULL. */
struct mrl__room *mrl__rooms_find(struct mrl__server *server, uint64_t id);

/* Adds a room that is being loaded or made; NULL when there is no memory. */
struct mrl__room *mrl__rooms_add(struct mrl__server *server, uint64_t id);
void mrl__rooms_remove(struct mrl__room *room);

/* Gives an order to a game, which is loaded first when it is not in memory. Owns the order. */
void mrl__rooms_order(struct mrl__server *server, uint64_t id, struct mrl__order *order);

/* Reads a game anew: what the store has is right. And the same when it is known whose it is. */
void mrl__rooms_reload(struct mrl__room *room);
void mrl__rooms_reread(struct mrl__room *room);

/* Reads a game that is not here yet, whoever owns it; and its room is given up: who waits is told. */
void mrl__rooms_load(struct mrl__room *room);
void mrl__rooms_give_up(struct mrl__room *room, const char *code, const char *text);

/* Loads all unfinished games; `done` is called when they are there. */
void mrl__rooms_restore(struct mrl__server *server, void (*done)(struct mrl__server *server, enum mrl_status status));

/* Sets the room's place in the heap by its deadline. */
void mrl__rooms_schedule(struct mrl__room *room);

/* Runs the timers that are over. To be called every 10 ms. And what is to be done every second. */
void mrl__rooms_tick(struct mrl__server *server);
void mrl__rooms_second(struct mrl__server *server);

/* The game is being played, or no more. */
void mrl__rooms_set_running(struct mrl__room *room, bool running);

/*
 * The public games that are played, here and (unless `own`) on other nodes, the best rated and then the newest first,
 * at most `most`, into an open list.
 */
void mrl__rooms_write_running(struct mrl__server *server, struct mrl__json *json, size_t most, bool own);

/* A peer has gone: it watches nothing any more. */
void mrl__rooms_peer_gone(struct mrl__peer *peer);

/* The engine has chosen a turn, `turn` as text. */
void mrl__rooms_engine_turn(struct mrl__server *server, uint64_t id, uint32_t ply, const char *turn);

/* ---- Making a game ------------------------------------------------------------------------------------------ */

/* `room` is NULL unless the status is MRL_OK; `code` says why the settings are not possible, with MRL_RANGE. */
typedef void mrl__game_made(void *user, enum mrl_status status, enum mrl_play_code code, struct mrl__room *room);

/* A game whose first events are committed: brings it into memory. NULL when there is none for it. */
struct mrl__room *mrl__rooms_open(struct mrl__server *server, uint64_t id, const struct mrl_play_batch *batch);

/*
 * Makes a game; `made` is called when it is committed, or at once when it cannot be. `slot` is one for a game that
 * waits for somebody, and belongs to it from now on; NULL: it does not wait.
 */
void mrl__rooms_make(struct mrl__server *server, const struct mrl_play_creation *creation, struct mrl__slot *slot,
		     mrl__game_made *made, void *user);

#endif
