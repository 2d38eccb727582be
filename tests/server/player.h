/*
 * Somebody who plays: requests with a cookie, and a socket, in JSON. Nothing waits longer than half a minute; failures
 * are cmocka's.
 */
#ifndef MERELS_TESTS_PLAYER_H
#define MERELS_TESTS_PLAYER_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct player {
	unsigned port;
	int fd;           /* of the socket; -1: none is open */
	char cookie[128]; /* "" before the server has given one */
	char token[128];  /* a bearer token, or "" */
	char game[16];    /* as the last player_make() or player_join() said */
	char link[64];
	char secret[64];
	unsigned closed; /* the code the socket was closed with; 0: it was not, or without one */
	unsigned commands;
};

/* Somebody the server does not know yet. */
void player_init(struct player *player, unsigned port);
void player_release(struct player *player);

/* One request. `body` may be NULL. The status; `answer` (may be NULL) gets the JSON, to be json_decref()ed. */
int player_ask(struct player *player, const char *method, const char *path, const char *body, json_t **answer);

/* GET and POST that must give this status; the JSON may be NULL'd by the caller's not wanting it. */
json_t *player_get(struct player *player, const char *path, int status);
json_t *player_post(struct player *player, const char *path, const char *body, int status);

/* Makes a game with these settings (JSON); joins the game of somebody else by its link. */
void player_make(struct player *player, const char *settings);
void player_join(struct player *player, const struct player *owner);

/* Opens the socket and takes the welcome; `player_open_raw` only opens it and gives the status of the answer. */
void player_open(struct player *player);
int player_open_raw(struct player *player, const char *origin);
void player_close(struct player *player);

/* Sends a message, a frame of any kind, bytes. */
void player_send(struct player *player, const char *format, ...) __attribute__((format(printf, 2, 3)));
void player_frame(struct player *player, unsigned opcode, bool final, const void *bytes, size_t length);

/* The next message; NULL when the socket has been closed. The caller's to json_decref(). */
json_t *player_next(struct player *player);

/* The next message of this kind (and, for an event, of this kind of event); those before are passed over. */
json_t *player_await(struct player *player, const char *type, const char *kind);

/* Waits for the end of the socket and expects this code. */
void player_expect_close(struct player *player, unsigned code);

/* Watches the player's game and returns the snapshot. */
json_t *player_watch(struct player *player);

/* Plays a turn and waits until it is done. */
void player_turn(struct player *player, unsigned ply, const char *turn);

/* Sends a command with an id of its own and expects `done`, or this code. */
void player_command(struct player *player, const char *type, const char *more, const char *code);

/* Members of an object. */
const char *text_of(const json_t *object, const char *name);
long long number_of(const json_t *object, const char *name);

#endif
