/*
 * The lobby of the server: src/play's lobby with the sockets around it. Who is here is counted, offers are shown to
 * those who look, two who fit get their game. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_DESK_H
#define MERELS_SERVER_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/lobby.h>

struct mrl__json;
struct mrl__peer;
struct mrl__server;

struct mrl__desk {
	struct mrl_lobby lobby;
	void *memory;    /* owned: of the lobby */
	uint64_t *shown; /* owned: the offers that those who look have been told of */
	size_t shown_count;
	uint64_t version; /* of the lobby, when they were told last */
	struct mrl_lobby_counts told;
};

bool mrl__desk_init(struct mrl__server *server);
void mrl__desk_release(struct mrl__server *server);

/* A peer is known, or has gone. */
void mrl__desk_peer_here(struct mrl__peer *peer);
void mrl__desk_peer_gone(struct mrl__peer *peer);

/* The peer wants to look at the lobby, or no more. */
void mrl__desk_show(struct mrl__peer *peer, bool on);

/* What a peer does with offers; all are answered. `id` is the message's. */
void mrl__desk_seek(struct mrl__peer *peer, const char *id, const struct mrl_lobby_seek *seek);
void mrl__desk_unseek(struct mrl__peer *peer, const char *id, uint64_t offer);
void mrl__desk_take(struct mrl__peer *peer, const char *id, uint64_t offer);

/* Takes an offer for somebody on another node; tells that an offer was made or taken; shows all to all who look. */
enum mrl_play_code mrl__desk_take_for(struct mrl__server *server, uint64_t offer, const struct mrl_lobby_seek *taker);
void mrl__desk_done(struct mrl__peer *peer, const char *id, uint64_t offer);
void mrl__desk_show_all(struct mrl__server *server);

/* Pairs, and shows what has changed: to be called every 50 ms. The counts are told every 2 s. */
void mrl__desk_tick(struct mrl__server *server);
void mrl__desk_second(struct mrl__server *server);

/* "offers" and "counts", into an open object. */
void mrl__desk_write(struct mrl__json *json, const struct mrl__server *server);

#endif
