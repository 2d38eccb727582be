/*
 * A request to the interface (/api/v1) being answered: what was asked, who asks, and the answer that a handler makes,
 * at once or when the store has said what it knows.
 *
 * An exchange belongs to its connection until that has gone, and then to the handler that has not answered yet. So
 * every handler ends, in each of its ways, with exactly one mrl__answer*(); after it the exchange is not touched.
 */
#ifndef MERELS_SERVER_EXCHANGE_H
#define MERELS_SERVER_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

#include "json_in.h"
#include "json_out.h"
#include "people.h"
#include "reply.h"

struct lws;
struct mrl__address;
struct mrl__exchange;
struct mrl__route;
struct mrl__server;

#define MRL__BODY_MOST 16384
#define MRL__PARAMETER_SIZE 64
#define MRL__QUERY_SIZE 1024

/* Writes the next piece of an answer that is sent piece by piece; called when the one before is out. */
typedef void mrl__piece(struct mrl__exchange *exchange);

struct mrl__exchange {
	struct mrl__server *server;
	struct lws *wsi; /* NULL once the connection has gone */
	const struct mrl__route *route;
	struct mrl__address *address;
	char parameter[MRL__PARAMETER_SIZE]; /* what stands in the path for {…} */
	char query[MRL__QUERY_SIZE];         /* decoded, pairs separated by & */
	struct mrl__exchange *next_body;     /* among those whose bodies are still to come */
	struct mrl__exchange *previous_body;
	uint64_t body_until; /* ms; when all of it must be there; 0: it is there, or none is to come */
	bool late;           /* it was not: the connection ends */
	char *body;          /* owned */
	size_t body_length;
	size_t body_size;
	json_t *json; /* owned; of a POST, never NULL in a handler */
	struct mrl__fields fields;

	struct mrl__person person; /* id 0: nobody */
	bool by_token;
	bool has_session;
	unsigned char session[MRL__HASH_SIZE];
	bool secure;   /* the cookie is to be */
	bool is_local; /* from this machine, or from a proxy that is trusted */
	char cookie[MRL__SECRET_SIZE + 128];

	unsigned status;
	const char *type;
	struct mrl__json out;
	unsigned retry_after; /* seconds */
	bool running;         /* the handler has it */
	bool at_once;         /* the connection looks by itself, as soon as the handler returns */
	bool answered;
	mrl__piece *more;           /* not NULL: sent piece by piece */
	void (*dropped)(void *use); /* the connection has gone while pieces were still to come */
	bool ended;                 /* the last piece is in `out` */
	void *use;                  /* the handler's own */
};

/* ---- For the connection ------------------------------------------------------------------------------------- */

/* Zeroed but for these; NULL when there is no memory. */
struct mrl__exchange *mrl__exchange_new(struct mrl__server *server, struct lws *wsi, const struct mrl__route *route);

/* The body is to come, all of it within so many ms; and it is there. */
void mrl__exchange_await_body(struct mrl__exchange *exchange, uint64_t ms);
void mrl__exchange_has_body(struct mrl__exchange *exchange);

/* All of the request is there: find out who asks, and run the handler. */
void mrl__exchange_run(struct mrl__exchange *exchange);

/* The connection is through with it, or has gone. */
void mrl__exchange_leave(struct mrl__exchange *exchange);

/* ---- For handlers ------------------------------------------------------------------------------------------- */

/* Opens the object of the answer; what follows is written into the JSON that it returns, but for the closing. */
struct mrl__json *mrl__answer_open(struct mrl__exchange *exchange);

/* Closes the object and sends it. */
void mrl__answer(struct mrl__exchange *exchange, unsigned status);

/* `{}` with 200, or what a failure is called. */
void mrl__answer_status(struct mrl__exchange *exchange, enum mrl_status status);

/* The store was asked for the exchange: answers when it could not be, as its callback is never called then. */
void mrl__asked(struct mrl__exchange *exchange, enum mrl_status status);

/* An error: {"error":{"code","text"}}. */
void mrl__answer_error(struct mrl__exchange *exchange, unsigned status, const char *code, const char *text);

/* 400 bad-field with what the fields say. */
void mrl__answer_wrong(struct mrl__exchange *exchange);

/* 404 not-found. */
void mrl__answer_nothing(struct mrl__exchange *exchange);

/* Text of some other type; `text` is copied. */
void mrl__answer_text(struct mrl__exchange *exchange, const char *type, const char *text);

/* Begins an answer that is sent piece by piece: `more` is called for each, and `dropped` if nobody is left to get it.
 */
void mrl__answer_pieces(struct mrl__exchange *exchange, const char *type, mrl__piece *more, void (*dropped)(void *));

/* The next piece is in `out`. */
void mrl__answer_piece(struct mrl__exchange *exchange, bool last);

/* A key of the query, and where its value goes: what is there stays when the key is left out or has nothing. */
struct mrl__parameter {
	const char *key;
	char *value;
	size_t size;
};

/* Reads these; false after having answered that one is too long for what it can be, or there twice. Keys of other names
 * are ignored. */
bool mrl__query(struct mrl__exchange *exchange, const struct mrl__parameter *wanted, size_t count);

/* The cookie goes with the answer; "" ends it. */
void mrl__set_cookie(struct mrl__exchange *exchange, const char *secret);

#endif
