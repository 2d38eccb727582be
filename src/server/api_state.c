/* What the server says of itself. */
#include <stdlib.h>

#include <merels/version.h>

#include "exchange.h"
#include "routes.h"
#include "server_internal.h"
#include "snapshot.h"

void mrl__api_lobby(struct mrl__exchange *exchange)
{
	mrl__desk_write(mrl__answer_open(exchange), exchange->server);
	mrl__answer(exchange, 200);
}

void mrl__api_playing(struct mrl__exchange *exchange)
{
	char text[16] = "12";
	char *end = NULL;
	const struct mrl__parameter wanted = {"limit", text, sizeof(text)};

	if (!mrl__query(exchange, &wanted, 1))
		return;
	long limit = strtol(text, &end, 10);

	if (*end != '\0' || limit < 1 || limit > 50) {
		mrl__answer_error(exchange, 400, "bad-field", "\"limit\" is a number from 1 to 50.");
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open_list(json, "games");
	mrl__rooms_write_running(exchange->server, json, (size_t)limit, false);
	mrl__json_close_list(json);
	mrl__answer(exchange, 200);
}

void mrl__api_status(struct mrl__exchange *exchange)
{
	const struct mrl__server *server = exchange->server;
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_text(json, "version", MRL_VERSION);
	mrl__json_number(json, "now", mrl__service_time(exchange->server));
	mrl__json_signed(json, "date", mrl__wall_ms());
	mrl__json_open(json, "counts");
	const struct mrl_lobby_counts counts = mrl__nodes_counts(server);

	mrl__write_counts(json, &counts);
	mrl__json_close(json);
	mrl__json_open_list(json, "tables");
	mrl__engines_write_tables(server->engines, json);
	mrl__json_close_list(json);
	mrl__answer(exchange, 200);
}

void mrl__api_ready(struct mrl__exchange *exchange)
{
	const struct mrl__server *server = exchange->server;
	struct mrl_error error;

	if (server->stopping)
		mrl__answer_error(exchange, 503, "stopping", "The server stops.");
	else if (!server->playing)
		mrl__answer_error(exchange, 503, "starting", "The unfinished games are being read.");
	else if (mrl__nodes_draining(server))
		mrl__answer_error(exchange, 503, "draining", "The games go to other nodes.");
	else if (mrl_store_trouble(server->store, &error) != MRL_OK)
		mrl__answer_error(exchange, 503, "unavailable", error.message);
	else
		mrl__answer_text(exchange, "text/plain; charset=utf-8", "ok\n");
}

void mrl__api_metrics(struct mrl__exchange *exchange)
{
	const struct mrl__server *server = exchange->server;
	char *text = NULL;

	if (!server->settings->metrics_for_all && !exchange->is_local) {
		mrl__answer_nothing(exchange);
		return;
	}
	text = mrl__metrics_text(server);
	if (text == NULL)
		mrl__answer_status(exchange, MRL_SPACE);
	else
		mrl__answer_text(exchange, "text/plain; version=0.0.4; charset=utf-8", text);
	free(text);
}
