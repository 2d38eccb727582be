/*
 * What somebody wants of a game: a command with everything it points to, and who is to be answered. Orders wait in the
 * queue of their room while what came before is being kept.
 */
#ifndef MERELS_SERVER_ORDER_H
#define MERELS_SERVER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/play.h>

#include "people.h"
#include "secret.h"

struct mrl__exchange;
struct mrl__peer;
struct mrl__server;

enum mrl__order_kind {
	MRL__ORDER_COMMAND, /* of a socket, a request, or the computer */
	MRL__ORDER_TICK,    /* a timer is over */
	MRL__ORDER_WATCH,   /* a socket wants to watch */
	MRL__ORDER_LOOK     /* a request wants the snapshot */
};

struct mrl__order {
	struct mrl__order *next;
	enum mrl__order_kind kind;
	struct mrl_play_command command; /* its pointers lead into this order */
	uint64_t time;                   /* service time at which it came */
	struct mrl__peer *peer;          /* held; NULL: none */
	struct mrl__exchange *exchange;  /* to be answered; NULL: none */
	char id[MRL_PLAY_COMMAND_ID_SIZE];
	char turn[64];
	char text[MRL_PLAY_CHAT_SIZE + 64];
	uint8_t link[MRL_PLAY_HASH_SIZE];
	bool has_link;
	uint8_t secret[MRL_PLAY_HASH_SIZE]; /* of a seat: WATCH */
	bool has_secret;
	char told[MRL__SECRET_SIZE]; /* JOIN: the seat's secret, for the answer */
	struct mrl_play_player player;
	struct mrl__mutes mutes;    /* LOOK: whom the person does not want to hear */
	struct mrl__server *server; /* with `far` */
	char *far;                  /* owned: where another node waits for the answer; NULL: nowhere */
	uint64_t far_node;          /* with `far`: that node */
	void *request_of;           /* with `request`: what belongs to that */
	uint64_t request;           /* it is with the game's owner, */
	uint64_t born;              /* ms; since then, */
	uint64_t send_at;           /* ms; and is sent again then */
	bool verified;              /* the store was asked before it is refused */
	uint32_t last;              /* WATCH: the last event the client has; 0: none */
};

/* Zeroed but for its kind and holders; NULL when there is no memory. */
struct mrl__order *mrl__order_new(enum mrl__order_kind kind, struct mrl__peer *peer, struct mrl__exchange *exchange);
void mrl__order_free(struct mrl__order *order);

#endif
