/* Which requests there are: one table, which docs/openapi.json is checked against. Thread-safe. */
#ifndef MERELS_SERVER_ROUTES_H
#define MERELS_SERVER_ROUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "exchange.h"

enum mrl__route_flags {
	MRL__ROUTE_POST = 1 << 0,   /* changes something; else GET */
	MRL__ROUTE_PERSON = 1 << 1, /* needs a person */
	MRL__ROUTE_GUEST = 1 << 2,  /* makes a guest where there is no person */
	MRL__ROUTE_LOGIN = 1 << 3,  /* costs as much as a login */
	MRL__ROUTE_STORE = 1 << 4   /* needs the store */
};

struct mrl__route {
	unsigned flags;
	const char *path; /* "/api/v1/games/{id}/join" */
	void (*handler)(struct mrl__exchange *exchange);
};

/* The table; NULL past the end. */
const struct mrl__route *mrl__route(size_t index);

/*
 * The route of a path and a method; `parameter` gets what stands for {…}. NULL when there is none; `*other` then says
 * whether there is one of the other method.
 */
const struct mrl__route *mrl__route_find(const char *path, size_t length, bool post,
					 char parameter[MRL__PARAMETER_SIZE], bool *other);

/* Whether a path belongs to the interface, so that no file is looked for. */
bool mrl__route_is_ours(const char *path, size_t length);

/* The handlers, by topic: api_account.c, api_password.c, api_people.c, api_export.c, api_ratings.c, api_games.c,
 * api_archive.c, api_tables.c, api_state.c. */
#define MRL__HANDLERS(X)     \
	X(me)                \
	X(register)          \
	X(login)             \
	X(logout)            \
	X(logout_everywhere) \
	X(password)          \
	X(token)             \
	X(export)            \
	X(delete_account)    \
	X(mute)              \
	X(unmute)            \
	X(player)            \
	X(player_games)      \
	X(player_ratings)    \
	X(player_score)      \
	X(leaders)           \
	X(new_game)          \
	X(game)              \
	X(look)              \
	X(join)              \
	X(report)            \
	X(record)            \
	X(games)             \
	X(days)              \
	X(lobby)             \
	X(playing)           \
	X(tables)            \
	X(status)            \
	X(ready)             \
	X(metrics)
#define MRL__HANDLER_DECLARE(name) void mrl__api_##name(struct mrl__exchange *exchange);
MRL__HANDLERS(MRL__HANDLER_DECLARE)
#undef MRL__HANDLER_DECLARE

#endif
