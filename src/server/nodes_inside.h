/*
 * Whose a game is, and what its owner and its replicas say to one another.
 *
 * Any message may be lost, come twice, or late. So a command is sent again, with its id, until it is answered, or its
 * event is seen; a replica compares what it has with the owner every few seconds; and whose the game is the store alone
 * decides, by the fence under which its events are kept.
 *
 * What the parts of that share: nodes_games.c, nodes_owner.c, nodes_replica.c.
 */
#ifndef MERELS_SERVER_NODES_INSIDE_H
#define MERELS_SERVER_NODES_INSIDE_H

#include "nodes.h"

enum {
	ASK_MS = 1500,      /* how long an answer may take before a request counts as lost */
	FIRST_ASK_MS = 500, /* the same for the first look, for which somebody waits */
	AGAIN_MS = 100,     /* before an order is sent again that could not be done there */
	FIND_MS = 200,      /* before whose a game is is looked up again */
	GIVE_UP_MS = 15000, /* an order that nobody takes */
	TELL_MS = 3000,     /* a replica says what it has */
	OWN_MS = 5000,      /* an owner looks whether it still is */
	FAR_MS = 10000,     /* what it said is good for so long */
	FRESH_MS = 10000,   /* after it was taken, replicas of a game may not be known yet */
	JITTER_MS = 40,     /* messages take a while: no reason to set a clock anew */
	JUMP_MS = 200,      /* clients' clocks are wrong: they are shown the game anew */
	HAND_MS = 700,      /* how long a node may take to take a game that is handed over */
	HAND_TRIES = 4,     /* how many are asked to */
	FOLLOW_MS = 1500,   /* a player is at another node for so long: the game follows, */
	STAY_MS = 10000,    /* but not so soon after it came */
	CREDIT_MS = 1000,   /* of the way to the owner at most: it is charged to nobody */
	TURN_MS = 50
};

/* What is asked of the bus or the store for a game, whose room may have gone when the answer comes. */
struct about {
	struct mrl__server *server;
	uint64_t game;
	struct mrl__order *order; /* of the request: it is there as long as that is not cancelled */
	char *reply;              /* owned; NULL: nobody waits */
};

/* Opens the bus as it is told, and listens to all that is for this node. */
enum mrl_status mrl__nodes_open_on(struct mrl__server *server, const char *name,
				   const struct mrl_bus_settings *settings, struct mrl_error *error);

/* NULL when there is no memory. */
struct about *mrl__nodes_about(struct mrl__room *room, struct mrl__order *order);

/* The room waits for something, and is looked at from time to time. */
void mrl__nodes_make_busy(struct mrl__room *room);

/* Nobody wants the answer to a request any more; an order is out of the list of those that are with the owner. */
void mrl__nodes_cancel(struct mrl__nodes *nodes, uint64_t *request, void **asked);
void mrl__nodes_take_out(struct mrl__room *room, struct mrl__order *order);

/* The game is another node's (0: not known whose); it is taken, if it may be. */
void mrl__nodes_become_replica(struct mrl__room *room, uint64_t owner);
void mrl__nodes_take_game(struct mrl__room *room, struct about *of);

/* Fields of a message: 0 when they are not there. */
uint64_t mrl__said_number(const json_t *object, const char *name);
uint64_t mrl__said_id(const json_t *object, const char *name);

/* The same for texts and hashes: nothing is changed when they are not there. */
void mrl__said_text(char *to, size_t size, const json_t *object, const char *name);
void mrl__said_hash(const json_t *object, const char *name, uint8_t hash[MRL_PLAY_HASH_SIZE]);
void mrl__nodes_write_hash(struct mrl__json *json, const char *name, const uint8_t hash[MRL_PLAY_HASH_SIZE]);

/* The settings of a game, in an open message. */
void mrl__lobby_write_settings(struct mrl__json *json, const struct mrl_play_settings *settings);
void mrl__lobby_read_settings(const json_t *said, struct mrl_play_settings *settings);

/* Whether a node lives, is not draining, and is another one. */
bool mrl__nodes_may_have(const struct mrl__nodes *nodes, uint64_t node);

/* The lobby's node asks this one to make a game. And the lobby is asked who of those that wait is paired. */
void mrl__pairing_asked(struct mrl__server *server, const json_t *asked, const char *reply);
void mrl__pairing_write(struct mrl__json *json, const struct mrl__nodes *nodes, const json_t *asked);
void mrl__pairing_release(struct mrl__nodes *nodes);

/* A game that nobody here plays goes to the node of its players, the first of them before the other. */
void mrl__owner_follow(struct mrl__room *room);

/* Others look for games that are nobody's at once. */
void mrl__nodes_tell_free(struct mrl__nodes *nodes);

/* An owner is told what a node has of its game. */
void mrl__owner_hear(struct mrl__room *room, uint64_t node, const json_t *said);

/* A replica says that it is still there, with the next messages, which are sent then; an owner is told so. */
void mrl__still_add(struct mrl__room *room);
void mrl__still_send(struct mrl__nodes *nodes);
void mrl__still_asked(struct mrl__server *server, const json_t *asked, const char *reply);

/* A replica that is ready takes up the state that its owner tells. */
void mrl__replica_take_state(struct mrl__room *room, const json_t *said);

/* What an owner says of a game, into an open message. */
void mrl__owner_write_state(struct mrl__json *json, const struct mrl__room *room);

/* A replica's: asks the owner; its answer to the first question; reads what is missing. */
bool mrl__replica_ask(struct mrl__room *room, unsigned timeout_ms, mrl_bus_answered *answered);
void mrl__replica_first_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message);
void mrl__replica_heal(struct mrl__room *room);

/* Sends an order of the list to the owner; and reads one that came from a replica. NULL: no memory. */
void mrl__replica_send_again(struct mrl__room *room, struct mrl__order *order);
struct mrl__order *mrl__replica_read_order(struct mrl__server *server, const json_t *said, const char *reply);

#endif
