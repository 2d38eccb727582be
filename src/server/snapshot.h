/* Games, events, persons and offers as JSON. */
#ifndef MERELS_SERVER_SNAPSHOT_H
#define MERELS_SERVER_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/lobby.h>
#include <merels/play.h>
#include <merels/store.h>

#include "json_out.h"
#include "people.h"
#include "room.h"

void mrl__write_id(struct mrl__json *json, const char *key, uint64_t id);
void mrl__write_person(struct mrl__json *json, const char *key, const struct mrl__person *person);
/* A person as the store has found it. */
void mrl__write_found(struct mrl__json *json, const char *key, const struct mrl_store_person *person);
/* A player, or a seat that is empty; who is deleted has no name. */
void mrl__write_player(struct mrl__json *json, const char *key, const struct mrl__server *server,
		       const struct mrl_play_player *player);
void mrl__write_tempo(struct mrl__json *json, const struct mrl_play_tempo *tempo);

/* "white", "black", null. */
void mrl__write_side(struct mrl__json *json, const char *key, int side);

/* "turns" and "ply". */
void mrl__write_turns(struct mrl__json *json, const struct mrl_game *moves);

/* The members of a snapshot, into an open object, for a seat (NOBODY: a spectator), without what the muted have said.
 */
void mrl__write_snapshot(struct mrl__json *json, const struct mrl__room *room, unsigned seat,
			 const struct mrl__mutes *mutes);

/* "clock", "presence", "watchers" of a room. */
void mrl__write_clock_now(struct mrl__json *json, const struct mrl__room *room, uint64_t now);
/* "ratings": of both seats at present, where they are known. */
void mrl__write_ratings_now(struct mrl__json *json, const struct mrl__room *room);
void mrl__write_presence(struct mrl__json *json, const char *key, const struct mrl__room *room);
void mrl__write_watchers(struct mrl__json *json, const struct mrl__room *room);

/* A whole message of an event; `hidden`: for those who may not see it. `ply`: turns made after it. */
void mrl__write_event(struct mrl__json *json, const struct mrl__room *room, const struct mrl_play_event *event,
		      uint32_t ply, bool hidden);

/* A game of a list, as an object. */
void mrl__write_listed(struct mrl__json *json, const struct mrl_store_game *game);

/* An offer of the lobby, as an object. */
void mrl__write_seek(struct mrl__json *json, const char *key, const struct mrl__server *server,
		     const struct mrl_lobby_seek *seek);

/* The members of the counts. */
void mrl__write_counts(struct mrl__json *json, const struct mrl_lobby_counts *counts);

/* "ratings" of an answer of the store. */
void mrl__write_ratings(struct mrl__json *json, const struct mrl_store_answer *answer);

/* A rating, as an object. */
void mrl__write_rating(struct mrl__json *json, const struct mrl_store_rating *rating);

#endif
