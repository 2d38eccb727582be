/* People: oneself, others, whom one does not want to hear. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "messages.h"
#include "peer.h"
#include "routes.h"
#include "rulebook.h"
#include "server_internal.h"
#include "snapshot.h"

/* Asks the store for the exchange, or answers that it cannot be asked. */
#define ASK(exchange, call)                                    \
	do {                                                   \
		enum mrl_status asked = (call);                \
		if (asked != MRL_OK)                           \
			mrl__answer_status((exchange), asked); \
	} while (false)

/* ---- Oneself ------------------------------------------------------------------------------------------------ */

static void write_ratings(struct mrl__json *json, const struct mrl_store_answer *answer)
{
	mrl__json_open_list(json, "ratings");
	for (size_t i = 0; i < answer->rating_count; i++)
		mrl__write_rating(json, &answer->ratings[i]);
	mrl__json_close_list(json);
}

static void on_my_games(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	mrl__json_open_list(json, "games");
	for (size_t i = 0; i < answer->game_count; i++)
		mrl__write_id(json, NULL, answer->games[i].id);
	mrl__json_close_list(json);
	mrl__answer(exchange, 200);
}

static void on_my_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	write_ratings(&exchange->out, answer);
	ASK(exchange, mrl_store_list_current(exchange->server->store, exchange->person.id, on_my_games, exchange));
}

static void on_me(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);
	const char *email = answer->people[0].email;

	mrl__write_person(json, "person", &exchange->person);
	mrl__json_text(json, "email", email[0] != '\0' ? email : NULL);
	ASK(exchange, mrl_store_list_ratings(exchange->server->store, exchange->person.id, on_my_ratings, exchange));
}

void mrl__api_me(struct mrl__exchange *exchange)
{
	ASK(exchange, mrl_store_find_person(exchange->server->store, exchange->person.id, on_me, exchange));
}

/* ---- All that is kept of oneself ---------------------------------------------------------------------------- */

static void on_export_games(void *user, const struct mrl_store_answer *answer);

/* The next page of games. */
static void export_games(struct mrl__exchange *exchange, const struct mrl_store_key *after)
{
	const struct mrl_store_search search = {
	    .person = exchange->person.id, .viewer = exchange->person.id, .oldest_first = true};

	ASK(exchange, mrl_store_list_games(exchange->server->store, &search, false, after, MRL_STORE_PAGE_MOST,
					   on_export_games, exchange));
}

static void on_export_games(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	for (size_t i = 0; i < answer->game_count; i++)
		mrl__write_listed(&exchange->out, &answer->games[i]);
	/* One person's games fit into memory; a limit all the same. */
	if (answer->more && exchange->out.length < ((size_t)32 << 20)) {
		const struct mrl_store_key next = answer->next;

		export_games(exchange, &next);
		return;
	}
	mrl__json_close_list(&exchange->out);
	mrl__answer(exchange, 200);
}

static void on_export_sessions(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	mrl__json_open_list(json, "sessions");
	for (size_t i = 0; i < answer->session_count; i++) {
		const struct mrl_store_session *session = &answer->sessions[i];

		mrl__json_open(json, NULL);
		mrl__json_text(json, "kind", session->kind == MRL_STORE_BEARER ? "token" : "cookie");
		mrl__json_signed(json, "created", session->created);
		mrl__json_signed(json, "seen", session->seen);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__json_open_list(json, "games");
	export_games(exchange, NULL);
}

static void on_export_mutes(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	mrl__json_open_list(json, "muted");
	for (size_t i = 0; i < answer->mute_count; i++)
		mrl__json_text(json, NULL, answer->mutes[i].name);
	mrl__json_close_list(json);
	ASK(exchange,
	    mrl_store_list_sessions(exchange->server->store, exchange->person.id, on_export_sessions, exchange));
}

static void on_export_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	write_ratings(&exchange->out, answer);
	ASK(exchange, mrl_store_list_mutes(exchange->server->store, exchange->person.id, on_export_mutes, exchange));
}

static void on_export_person(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_person(json, "person", &exchange->person);
	mrl__json_text(json, "email", answer->people[0].email);
	mrl__json_signed(json, "created", answer->people[0].created);
	mrl__json_signed(json, "seen", answer->people[0].seen);
	ASK(exchange,
	    mrl_store_list_ratings(exchange->server->store, exchange->person.id, on_export_ratings, exchange));
}

void mrl__api_export(struct mrl__exchange *exchange)
{
	ASK(exchange, mrl_store_find_person(exchange->server->store, exchange->person.id, on_export_person, exchange));
}

/* ---- Mutes -------------------------------------------------------------------------------------------------- */

static void on_muted(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	uint64_t muted = mrl__read_id(&exchange->fields, "person");

	if (answer->status == MRL_OK)
		mrl__peers_muted(exchange->server, exchange->person.id, muted,
				 exchange->route->handler == mrl__api_mute);
	mrl__answer_status(exchange, answer->status);
}

static void change_mute(struct mrl__exchange *exchange, bool on)
{
	uint64_t muted = mrl__read_id(&exchange->fields, "person");

	if (!mrl__fields_good(&exchange->fields)) {
		mrl__answer_wrong(exchange);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();

	if (on)
		mrl_change_mute(change, exchange->person.id, muted, mrl__wall_ms());
	else
		mrl_change_unmute(change, exchange->person.id, muted);
	ASK(exchange, mrl_store_submit(exchange->server->store, change, on_muted, exchange, NULL));
}

void mrl__api_mute(struct mrl__exchange *exchange)
{
	change_mute(exchange, true);
}

void mrl__api_unmute(struct mrl__exchange *exchange)
{
	change_mute(exchange, false);
}

/* ---- Others ------------------------------------------------------------------------------------------------- */

static void on_player_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	write_ratings(&exchange->out, answer);
	mrl__answer(exchange, 200);
}

static void on_player(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	const struct mrl_store_person *found = &answer->people[0];
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_found(json, "person", found);
	mrl__json_signed(json, "since", found->created);
	mrl__json_bool(json, "here", mrl_lobby_connected(&exchange->server->desk.lobby, found->id));
	ASK(exchange, mrl_store_list_ratings(exchange->server->store, found->id, on_player_ratings, exchange));
}

void mrl__api_player(struct mrl__exchange *exchange)
{
	ASK(exchange, mrl_store_find_name(exchange->server->store, exchange->parameter, on_player, exchange));
}
