/*
 * Those who come to the server of host.h: each with a cookie, a socket, and a memory of what was told. Whatever they
 * are told is checked: it is JSON as docs/PROTOCOL.md has it, refusals have documented codes, events come without a
 * gap, clocks are not negative, and nobody gets a secret or a line of chat that is not theirs.
 */
#ifndef MERELS_FUZZ_VISITOR_H
#define MERELS_FUZZ_VISITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

enum { VISITORS = 5, VISITOR_GAMES = 16, SECRETS = 128, ID_SIZE = 12, SECRET_SIZE = 44 };

struct visitor {
	struct wire_owner owner; /* first: what wire.h hands out is this */
	char cookie[64];         /* "merels=…"; "" before the server gave one */
	char bearer[64];         /* "Bearer …", sent in place of the cookie; "": none */
	bool nobody;             /* never sends the cookie */
	char refused[32];        /* the code of the last refusal; "" when what was asked last was done */
	unsigned heard;          /* messages in all */
	unsigned events;         /* those of them that told of one */
	struct {
		char id[ID_SIZE];
		uint32_t last; /* number of the last event; 0: any may come next */
		uint32_t
		    asked; /* it said that it has events up to here: the next may be the one after; 0: it did not */
		bool is_player; /* has a seat */
	} games[VISITOR_GAMES];
	size_t game_count;
};

/* What somebody was told last, for those who speak of it. */
struct told {
	char game[ID_SIZE];
	char link[SECRET_SIZE];
	char secret[SECRET_SIZE];
	char offer[ID_SIZE];
	char person[ID_SIZE];
	char token[SECRET_SIZE];
};

extern struct visitor visitors[VISITORS];
extern struct told told;

/* Anything that is JSON is believed: what other nodes say of their games and offers is passed on as it comes. */
extern bool visitors_believe;

/* Everybody is a stranger again. */
void visitors_begin(void);
/* All sockets are closed. */
void visitors_leave(void);

void visitor_open(struct visitor *visitor);
void visitor_close(struct visitor *visitor);

/* A message. `pieces`: in two frames. Nothing happens without a socket. */
void visitor_say(struct visitor *visitor, const char *text, size_t length, bool pieces, bool binary);

/* A request, which must be answered as soon as everything has settled. `body` may be NULL. The status. */
unsigned visitor_ask(struct visitor *visitor, const char *method, const char *target, const char *body, size_t length);

/* From now on it is whose token somebody was told last: a bot. */
void visitor_is_bot(struct visitor *visitor);

/* Takes a seat for the checks: it may hear what players say. */
void visitor_sits(struct visitor *visitor, const char *game);

#endif
