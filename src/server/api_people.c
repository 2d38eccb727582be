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

/* ---- Oneself ------------------------------------------------------------------------------------------------ */

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
	mrl__write_ratings(&exchange->out, answer);
	mrl__asked(exchange,
		   mrl_store_list_current(exchange->server->store, exchange->person.id, on_my_games, exchange));
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
	mrl__asked(exchange,
		   mrl_store_list_ratings(exchange->server->store, exchange->person.id, on_my_ratings, exchange));
}

void mrl__api_me(struct mrl__exchange *exchange)
{
	mrl__asked(exchange, mrl_store_find_person(exchange->server->store, exchange->person.id, on_me, exchange));
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

	if (on && muted == exchange->person.id)
		mrl__field_wrong(&exchange->fields, "person", "somebody else");
	if (!mrl__fields_good(&exchange->fields)) {
		mrl__answer_wrong(exchange);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();

	if (on)
		mrl_change_mute(change, exchange->person.id, muted, mrl__wall_ms());
	else
		mrl_change_unmute(change, exchange->person.id, muted);
	mrl__asked(exchange, mrl_store_submit(exchange->server->store, change, on_muted, exchange, NULL));
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
	mrl__write_ratings(&exchange->out, answer);
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
	mrl__asked(exchange, mrl_store_list_ratings(exchange->server->store, found->id, on_player_ratings, exchange));
}

void mrl__api_player(struct mrl__exchange *exchange)
{
	mrl__asked(exchange, mrl_store_find_name(exchange->server->store, exchange->parameter, on_player, exchange));
}
