/*
 * All that is kept of oneself. The store is asked one thing after the other, and the answer is written as they come;
 * it is in memory as a whole, which one person's games allow, up to a limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "routes.h"
#include "server_internal.h"
#include "snapshot.h"
#include "summary.h"

#define MOST_BYTES ((size_t)32 << 20)

/* `use` of the exchange from the games on. */
struct export
{
	struct mrl__json lines; /* of chat, while the games are written */
	size_t count;           /* games that are not over: */
	size_t next;
	uint64_t games[];
};

/* Ends the exchange with what went wrong. */
static void fail(struct mrl__exchange *exchange, enum mrl_status status)
{
	struct export *export = exchange->use;

	exchange->use = NULL;
	if (export != NULL)
		mrl__json_release(&export->lines);
	free(export);
	mrl__answer_status(exchange, status);
}

/* The store was asked, or could not be. */
static void asked(struct mrl__exchange *exchange, enum mrl_status status)
{
	if (status != MRL_OK)
		fail(exchange, status);
}

/* ---- Games, and what one has said in them ------------------------------------------------------------------- */

static void write_line(struct mrl__json *json, uint64_t game, const struct mrl_play_event *event)
{
	mrl__json_open(json, NULL);
	mrl__write_id(json, "game", game);
	mrl__json_number(json, "n", event->number);
	mrl__json_signed(json, "date", event->wall);
	mrl__json_text(json, "room", mrl_play_room_text(event->chat.room));
	mrl__json_text(json, "text", event->chat.phrase != 0 ? mrl_play_phrase(event->chat.phrase) : event->chat.text);
	mrl__json_close(json);
}

/* The turns that stand, from the events: the store counts them when the game is over. */
struct line {
	uint32_t plies;
	size_t ends[MRL__OPENING_TURNS + 1]; /* of the opening, after so many turns */
	char opening[MRL__OPENING_TURNS * 40];
};

static void follow(struct line *line, const struct mrl_play_event *event)
{
	if (event->kind == MRL_PLAY_TAKEBACK)
		line->plies = event->takeback.ply;
	if (event->kind == MRL_PLAY_TURN) {
		uint32_t ply = event->turn.ply;

		line->plies = ply + 1;
		if (ply < MRL__OPENING_TURNS) {
			size_t length = line->ends[ply];
			int added = snprintf(line->opening + length, sizeof(line->opening) - length, "%s%s",
					     ply > 0 ? " " : "", event->turn.text);

			line->ends[ply + 1] = length + (size_t)added;
		}
	}
	line->opening[line->ends[line->plies < MRL__OPENING_TURNS ? line->plies : MRL__OPENING_TURNS]] = '\0';
}

static void write_unfinished(struct mrl__json *json, const struct mrl_store_game *game)
{
	struct mrl_store_game shown = *game;
	struct line line = {0};
	struct mrl_play_event event;

	for (size_t i = 0; i < game->event_count; i++) {
		if (mrl_play_event_read(game->events[i].text, strlen(game->events[i].text), &event, NULL) == MRL_OK)
			follow(&line, &event);
	}
	shown.plies = line.plies;
	shown.opening = line.opening;
	/* Until then the seats stand in their own order. */
	if (game->started == 0) {
		shown.white = (struct mrl_store_seat){.kind = MRL_STORE_EMPTY};
		shown.black = shown.white;
	}
	mrl__write_listed(json, &shown);
}

static void write_game(struct mrl__exchange *exchange, const struct mrl_store_game *game)
{
	struct export *export = exchange->use;

	if (game->ended == 0)
		write_unfinished(&exchange->out, game);
	else
		mrl__write_listed(&exchange->out, game);
	for (size_t i = 0; i < game->event_count; i++) {
		struct mrl_play_event event;

		if (mrl_play_event_read(game->events[i].text, strlen(game->events[i].text), &event, NULL) != MRL_OK ||
		    event.kind != MRL_PLAY_CHAT || event.chat.person != exchange->person.id)
			continue;
		/* The store counts the events and knows when they were. */
		event.number = game->events[i].number;
		event.wall = game->events[i].wall;
		write_line(&export->lines, game->id, &event);
	}
}

static void finish(struct mrl__exchange *exchange)
{
	struct export *export = exchange->use;
	struct mrl__json *json = &exchange->out;

	mrl__json_close_list(json);
	mrl__json_close_list(&export->lines);
	mrl__json_raw(json, "lines", export->lines.data, export->lines.length);
	json->failed = json->failed || export->lines.failed;
	mrl__json_release(&export->lines);
	free(export);
	exchange->use = NULL;
	mrl__answer(exchange, 200);
}

static void next_current(struct mrl__exchange *exchange);

static void on_current(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	/* One that was withdrawn meanwhile is no matter. */
	if (answer->status != MRL_OK && answer->status != MRL_MISSING) {
		fail(exchange, answer->status);
		return;
	}
	if (answer->status == MRL_OK)
		write_game(exchange, &answer->games[0]);
	next_current(exchange);
}

static void next_current(struct mrl__exchange *exchange)
{
	struct export *export = exchange->use;

	if (export->next == export->count)
		finish(exchange);
	else
		asked(exchange, mrl_store_load_game(exchange->server->store, export->games[export->next++], 1,
						    on_current, exchange));
}

static void on_finished_games(void *user, const struct mrl_store_answer *answer);

/* The next page of games that are over. */
static void ask_for_games(struct mrl__exchange *exchange, const struct mrl_store_key *after)
{
	const struct mrl_store_search search = {
	    .person = exchange->person.id, .viewer = exchange->person.id, .oldest_first = true};

	asked(exchange, mrl_store_list_games(exchange->server->store, &search, true, after, MRL_STORE_PAGE_MOST,
					     on_finished_games, exchange));
}

static void on_finished_games(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	const struct export *export = exchange->use;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	for (size_t i = 0; i < answer->game_count; i++)
		write_game(exchange, &answer->games[i]);
	if (answer->more && exchange->out.length + export->lines.length < MOST_BYTES) {
		const struct mrl_store_key next = answer->next;

		ask_for_games(exchange, &next);
	} else {
		next_current(exchange);
	}
}

/* Those that are not over are looked up first, so that one that ends meanwhile is there twice rather than not at all.
 */
static void on_current_games(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct export *export = NULL;

	if (answer->status == MRL_OK)
		export = calloc(1, sizeof(*export) + answer->game_count * sizeof(export->games[0]));
	if (export == NULL) {
		fail(exchange, answer->status != MRL_OK ? answer->status : MRL_SPACE);
		return;
	}
	for (size_t i = 0; i < answer->game_count; i++)
		export->games[export->count++] = answer->games[i].id;
	mrl__json_open_list(&export->lines, NULL);
	exchange->use = export;
	mrl__json_open_list(&exchange->out, "games");
	ask_for_games(exchange, NULL);
}

/* ---- The rest ----------------------------------------------------------------------------------------------- */

static void on_reports(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	for (size_t i = 0; i < answer->report_count; i++) {
		const struct mrl_store_report *report = &answer->reports[i];

		mrl__json_open(json, NULL);
		mrl__json_signed(json, "date", report->wall);
		mrl__write_id(json, "game", report->game);
		mrl__json_text(json, "line", report->text[0] != '\0' ? report->text : NULL);
		mrl__json_text(json, "about", report->note);
		mrl__json_close(json);
	}
	if (answer->more && json->length < MOST_BYTES) {
		const struct mrl_store_key next = answer->next;

		asked(exchange, mrl_store_list_reports_by(exchange->server->store, exchange->person.id, &next,
							  MRL_STORE_PAGE_MOST, on_reports, exchange));
		return;
	}
	mrl__json_close_list(json);
	asked(exchange,
	      mrl_store_list_current(exchange->server->store, exchange->person.id, on_current_games, exchange));
}

static void on_sessions(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
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
	mrl__json_open_list(json, "reports");
	asked(exchange, mrl_store_list_reports_by(exchange->server->store, exchange->person.id, NULL,
						  MRL_STORE_PAGE_MOST, on_reports, exchange));
}

static void on_mutes(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	mrl__json_open_list(json, "muted");
	for (size_t i = 0; i < answer->mute_count; i++)
		mrl__json_text(json, NULL, answer->mutes[i].name);
	mrl__json_close_list(json);
	asked(exchange, mrl_store_list_sessions(exchange->server->store, exchange->person.id, on_sessions, exchange));
}

static void on_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	mrl__write_ratings(&exchange->out, answer);
	asked(exchange, mrl_store_list_mutes(exchange->server->store, exchange->person.id, on_mutes, exchange));
}

static void on_person(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);
	const char *email = answer->people[0].email;

	mrl__write_person(json, "person", &exchange->person);
	mrl__json_text(json, "email", email[0] != '\0' ? email : NULL);
	mrl__json_signed(json, "created", answer->people[0].created);
	mrl__json_signed(json, "seen", answer->people[0].seen);
	asked(exchange, mrl_store_list_ratings(exchange->server->store, exchange->person.id, on_ratings, exchange));
}

void mrl__api_export(struct mrl__exchange *exchange)
{
	asked(exchange, mrl_store_find_person(exchange->server->store, exchange->person.id, on_person, exchange));
}
