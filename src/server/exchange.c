#include "exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "routes.h"
#include "server_internal.h"

enum { COST_GET = 1, COST_POST = 5, COST_GUEST = 10, COST_LOGIN = 20 };

struct mrl__exchange *mrl__exchange_new(struct mrl__server *server, struct lws *wsi, const struct mrl__route *route)
{
	struct mrl__exchange *exchange = calloc(1, sizeof(*exchange));

	if (exchange != NULL) {
		exchange->server = server;
		exchange->wsi = wsi;
		exchange->route = route;
		server->busy++;
	}
	return exchange;
}

void mrl__exchange_await_body(struct mrl__exchange *exchange, uint64_t ms)
{
	struct mrl__server *server = exchange->server;

	/* All have the same time, so the first who came is the first whose time is over. */
	exchange->body_until = mrl__now_ms() + ms;
	exchange->previous_body = server->last_body;
	*(server->last_body != NULL ? &server->last_body->next_body : &server->first_body) = exchange;
	server->last_body = exchange;
}

void mrl__exchange_has_body(struct mrl__exchange *exchange)
{
	struct mrl__server *server = exchange->server;
	struct mrl__exchange *next = exchange->next_body;
	struct mrl__exchange *previous = exchange->previous_body;

	if (exchange->body_until == 0)
		return;
	*(previous != NULL ? &previous->next_body : &server->first_body) = next;
	*(next != NULL ? &next->previous_body : &server->last_body) = previous;
	exchange->body_until = 0;
}

static void free_exchange(struct mrl__exchange *exchange)
{
	struct mrl__server *server = exchange->server;

	mrl__exchange_has_body(exchange);
	mrl__address_drop(&server->addresses, exchange->address);
	json_decref(exchange->json);
	mrl__json_release(&exchange->out);
	if (exchange->body != NULL) {
		/* A password may be in it. */
		memset(exchange->body, 0, exchange->body_size);
		free(exchange->body);
	}
	free(exchange);
	mrl__server_less_busy(server);
}

void mrl__exchange_leave(struct mrl__exchange *exchange)
{
	bool pieces = exchange->more != NULL;

	exchange->wsi = NULL;
	/* The receiver of a stream is told, and ends it; its last call comes as an answer. */
	if (pieces && !exchange->ended && exchange->dropped != NULL)
		exchange->dropped(exchange->use);
	if (!exchange->running || (exchange->answered && (!pieces || exchange->ended)))
		free_exchange(exchange);
}

/* ---- Who asks ----------------------------------------------------------------------------------------------- */

static void handle(struct mrl__exchange *exchange)
{
	if (exchange->person.id == 0 && (exchange->route->flags & MRL__ROUTE_PERSON) != 0) {
		mrl__answer_error(exchange, 401, "no-person",
				  "This needs a cookie or a token; GET /api/v1/me gives one.");
		return;
	}
	if (exchange->person.banned_until > mrl__wall_ms() && (exchange->route->flags & MRL__ROUTE_POST) != 0) {
		mrl__answer_error(exchange, 403, "banned", "This person may not do anything at the moment.");
		return;
	}
	exchange->route->handler(exchange);
}

static void on_guest(void *user, enum mrl_status status, const struct mrl__person *person,
		     const char cookie[MRL__SECRET_SIZE], const unsigned char hash[MRL__HASH_SIZE])
{
	struct mrl__exchange *exchange = user;

	if (status != MRL_OK) {
		mrl__answer_status(exchange, status);
		return;
	}
	exchange->person = *person;
	exchange->has_session = true;
	memcpy(exchange->session, hash, MRL__HASH_SIZE);
	mrl__set_cookie(exchange, cookie);
	handle(exchange);
}

static void want_guest(struct mrl__exchange *exchange)
{
	struct mrl__server *server = exchange->server;

	if ((exchange->route->flags & MRL__ROUTE_GUEST) == 0) {
		handle(exchange);
	} else if (!mrl__address_pay(&server->addresses, exchange->address, mrl__now_ms(), COST_GUEST)) {
		exchange->retry_after = 1;
		mrl__answer_error(exchange, 429, "slow-down", "Too many requests from this address.");
	} else {
		mrl__people_make_guest(server, on_guest, exchange);
	}
}

static void on_person(void *user, enum mrl_status status, const struct mrl__person *person)
{
	struct mrl__exchange *exchange = user;

	if (status == MRL_OK) {
		exchange->person = *person;
		handle(exchange);
	} else if (status != MRL_MISSING) {
		mrl__answer_status(exchange, status);
	} else if (exchange->by_token) {
		mrl__answer_error(exchange, 401, "no-person", "Nobody has this token.");
	} else {
		/* A cookie that is worth nothing any more is as good as none. */
		exchange->has_session = false;
		want_guest(exchange);
	}
}

void mrl__exchange_run(struct mrl__exchange *exchange)
{
	struct mrl__server *server = exchange->server;
	unsigned flags = exchange->route->flags;
	unsigned cost = (flags & MRL__ROUTE_LOGIN) != 0  ? COST_LOGIN
			: (flags & MRL__ROUTE_POST) != 0 ? COST_POST
							 : COST_GET;

	exchange->running = true;
	server->metrics.requests++;
	if (!mrl__address_pay(&server->addresses, exchange->address, mrl__now_ms(), cost)) {
		exchange->retry_after = 1;
		mrl__answer_error(exchange, 429, "slow-down", "Too many requests from this address.");
		return;
	}
	if ((flags & MRL__ROUTE_STORE) != 0 && (!server->playing || server->stopping)) {
		exchange->retry_after = 1;
		mrl__answer_error(exchange, 503, server->stopping ? "stopping" : "unavailable",
				  server->stopping ? "The server stops; come back in a moment."
						   : "The server is not ready yet; try again in a moment.");
		return;
	}
	if ((flags & MRL__ROUTE_POST) != 0) {
		exchange->json =
		    exchange->body_length == 0 ? json_object() : mrl__json_read(exchange->body, exchange->body_length);
		if (exchange->json == NULL) {
			mrl__answer_error(exchange, 400, "bad-json",
					  "The body must be one JSON object in UTF-8, at most 16 deep, no key twice.");
			return;
		}
		exchange->fields = mrl__fields_of(exchange->json);
	}
	if ((flags & MRL__ROUTE_STORE) == 0)
		exchange->route->handler(exchange);
	else if (exchange->has_session)
		mrl__people_find(server, exchange->session, exchange->by_token, on_person, exchange);
	else
		want_guest(exchange);
}

/* ---- Answering ---------------------------------------------------------------------------------------------- */

static void finish(struct mrl__exchange *exchange, unsigned status, const char *type)
{
	exchange->status = status;
	exchange->type = type;
	exchange->answered = true;
	exchange->ended = exchange->more == NULL;
	if (status >= 500)
		exchange->server->metrics.request_errors++;
	if (exchange->wsi == NULL)
		free_exchange(exchange);
	else if (!exchange->at_once)
		mrl__connection_answer(exchange->wsi);
}

struct mrl__json *mrl__answer_open(struct mrl__exchange *exchange)
{
	mrl__json_reset(&exchange->out);
	mrl__json_open(&exchange->out, NULL);
	return &exchange->out;
}

void mrl__answer(struct mrl__exchange *exchange, unsigned status)
{
	mrl__json_close(&exchange->out);
	if (exchange->out.failed) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	finish(exchange, status, "application/json");
}

void mrl__answer_error(struct mrl__exchange *exchange, unsigned status, const char *code, const char *text)
{
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open(json, "error");
	mrl__json_text(json, "code", code);
	mrl__json_text(json, "text", text);
	mrl__json_close(json);
	mrl__json_close(json);
	if (json->failed)
		mrl__json_reset(json);
	finish(exchange, status, "application/json");
}

void mrl__answer_status(struct mrl__exchange *exchange, enum mrl_status status)
{
	switch (status) {
	case MRL_OK:
		(void)mrl__answer_open(exchange);
		mrl__answer(exchange, 200);
		break;
	case MRL_MISSING:
		mrl__answer_nothing(exchange);
		break;
	case MRL_CONFLICT:
		mrl__answer_error(exchange, 409, "conflict", "Something else came in between; look again.");
		break;
	case MRL_RANGE:
		mrl__answer_error(exchange, 400, "bad-field", "A value is outside of its range.");
		break;
	default:
		exchange->retry_after = 2;
		mrl__answer_error(exchange, 503, "unavailable", "Nothing can be kept at the moment; nothing was done.");
		break;
	}
}

void mrl__asked(struct mrl__exchange *exchange, enum mrl_status status)
{
	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}

void mrl__answer_wrong(struct mrl__exchange *exchange)
{
	mrl__answer_error(exchange, 400, "bad-field", exchange->fields.wrong);
}

void mrl__answer_nothing(struct mrl__exchange *exchange)
{
	mrl__answer_error(exchange, 404, "not-found", "There is no such thing, or it is not to be seen.");
}

void mrl__answer_text(struct mrl__exchange *exchange, const char *type, const char *text)
{
	mrl__json_reset(&exchange->out);
	mrl__json_raw(&exchange->out, NULL, text, strlen(text));
	if (exchange->out.failed)
		mrl__answer_status(exchange, MRL_SPACE);
	else
		finish(exchange, 200, type);
}

void mrl__answer_pieces(struct mrl__exchange *exchange, const char *type, mrl__piece *more, void (*dropped)(void *))
{
	mrl__json_reset(&exchange->out);
	exchange->more = more;
	exchange->dropped = dropped;
	finish(exchange, 200, type);
}

void mrl__answer_piece(struct mrl__exchange *exchange, bool last)
{
	exchange->ended = last;
	if (exchange->wsi != NULL)
		mrl__connection_answer(exchange->wsi);
	else if (last)
		free_exchange(exchange);
}

/* The value of a key; NULL when it is left out or empty. */
static const char *find_value(const struct mrl__exchange *exchange, const char *key, size_t *value_length)
{
	size_t key_length = strlen(key);

	for (const char *at = exchange->query; *at != '\0';) {
		size_t length = strcspn(at, "&");

		if (length > key_length + 1 && strncmp(at, key, key_length) == 0 && at[key_length] == '=') {
			*value_length = length - key_length - 1;
			return at + key_length + 1;
		}
		at += length + (at[length] == '&');
	}
	return NULL;
}

/* How often a key stands in the query. */
static unsigned count_key(const struct mrl__exchange *exchange, const char *key)
{
	size_t key_length = strlen(key);
	unsigned count = 0;

	for (const char *at = exchange->query; *at != '\0';) {
		size_t length = strcspn(at, "&");

		count += strcspn(at, "&=") == key_length && strncmp(at, key, key_length) == 0;
		at += length + (at[length] == '&');
	}
	return count;
}

bool mrl__query(struct mrl__exchange *exchange, const struct mrl__parameter *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = 0;
		const char *value = find_value(exchange, wanted[i].key, &length);
		char text[128];

		if (count_key(exchange, wanted[i].key) > 1) {
			(void)snprintf(text, sizeof(text), "\"%s\" stands there twice.", wanted[i].key);
			mrl__answer_error(exchange, 400, "bad-field", text);
			return false;
		}
		if (value == NULL)
			continue;
		if (length >= wanted[i].size) {
			(void)snprintf(text, sizeof(text), "\"%s\" has at most %zu bytes.", wanted[i].key,
				       wanted[i].size - 1);
			mrl__answer_error(exchange, 400, "bad-field", text);
			return false;
		}
		memcpy(wanted[i].value, value, length);
		wanted[i].value[length] = '\0';
	}
	return true;
}

void mrl__set_cookie(struct mrl__exchange *exchange, const char *secret)
{
	bool ends = secret[0] == '\0';

	/* 400 days are the most that browsers allow. */
	(void)snprintf(exchange->cookie, sizeof(exchange->cookie),
		       "merels=%s; Path=/; Max-Age=%s; HttpOnly; SameSite=Lax%s", secret, ends ? "0" : "34560000",
		       exchange->secure ? "; Secure" : "");
}
