#include "room.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "messages.h"
#include "nodes.h"
#include "peer.h"
#include "server_internal.h"
#include "snapshot.h"

enum { SOON_MS = 10, RETRY_MS = 500 };

/* ---- Time --------------------------------------------------------------------------------------------------- */

uint64_t mrl__room_time(const struct mrl__room *room)
{
	return mrl__service_time(room->server) + (uint64_t)room->shift;
}

uint64_t mrl__room_shown(const struct mrl__room *room, uint64_t t)
{
	if (t == UINT64_MAX || (room->shift > 0 && t < (uint64_t)room->shift))
		return t == UINT64_MAX ? t : 0;
	return t - (uint64_t)room->shift;
}

/* ---- Applying ----------------------------------------------------------------------------------------------- */

/* Makes room for more turns. */
static bool grow(struct mrl__room *room)
{
	struct mrl_play_game *game = &room->game;
	size_t capacity = game->moves.capacity == 0 ? 16 : game->moves.capacity * 2;
	struct mrl_ply *plies = malloc(capacity * sizeof(*plies));
	struct mrl_play_past *past = malloc(capacity * sizeof(*past));

	if (plies == NULL || past == NULL) {
		free(plies);
		free(past);
		return false;
	}
	if (game->moves.count > 0) {
		memcpy(plies, game->moves.plies, game->moves.count * sizeof(*plies));
		memcpy(past, game->past, game->moves.count * sizeof(*past));
	}
	free(game->moves.plies);
	free(game->past);
	mrl_play_move(game, plies, past, capacity);
	return true;
}

static void keep_chat(struct mrl__room *room, const struct mrl_play_event *event)
{
	const char *text = event->chat.phrase != 0 ? mrl_play_phrase(event->chat.phrase) : event->chat.text;
	size_t length = strlen(text);
	struct mrl__said *said = malloc(sizeof(*said) + length + 1);
	struct mrl__said **last = &room->said;

	if (said == NULL)
		return;
	*said = (struct mrl__said){.number = event->number,
				   .person = event->chat.person,
				   .seat = event->seat,
				   .room = event->chat.room,
				   .phrase = event->chat.phrase};
	memcpy(said->name, event->chat.name, sizeof(said->name));
	memcpy(said->text, text, length + 1);
	while (*last != NULL)
		last = &(*last)->next;
	*last = said;
	if (++room->said_count > MRL__SAID_MOST) {
		struct mrl__said *oldest = room->said;

		room->said = oldest->next;
		room->said_count--;
		free(oldest);
	}
}

bool mrl__room_apply(struct mrl__room *room, const struct mrl_play_event *event)
{
	struct mrl_error error;
	enum mrl_status status = mrl_play_apply(&room->game, event, &error);

	if (status == MRL_SPACE && grow(room))
		status = mrl_play_apply(&room->game, event, &error);
	if (status != MRL_OK) {
		mrl_log(&room->server->log, MRL_LOG_ERROR, "event %u of a game does not fit: %s", event->number,
			error.message);
		return false;
	}
	if (event->kind == MRL_PLAY_STARTED)
		room->started = event->wall;
	if (event->kind == MRL_PLAY_RATED) {
		room->changed = true;
		memcpy(room->before, event->rated.before, sizeof(room->before));
		memcpy(room->after, event->rated.after, sizeof(room->after));
	}
	if (event->kind == MRL_PLAY_CHAT)
		keep_chat(room, event);
	return true;
}

/* ---- After events ------------------------------------------------------------------------------------------- */

struct rated {
	struct mrl__server *server;
	uint64_t game;
};

/* The lobby counts it as running, or no more. */
static void count_as(struct mrl__room *room, bool running)
{
	const struct mrl_play_game *game = &room->game;
	const char *rules = NULL;
	uint64_t persons[2];

	if (running == room->counted)
		return;
	room->counted = running;
	rules = mrl__rulebook_text(room->rules);
	for (unsigned seat = 0; seat < 2; seat++)
		persons[seat] = game->player[seat].kind == MRL_PLAY_COMPUTER ? 0 : game->player[seat].person;
	if (running)
		mrl_lobby_game_started(&room->server->desk.lobby, rules, persons);
	else
		mrl_lobby_game_ended(&room->server->desk.lobby, rules, persons);
	mrl__rooms_set_running(room, running);
}

static void count(struct mrl__room *room)
{
	/* Those of other nodes these count. */
	count_as(room, room->game.phase == MRL_PLAY_RUNNING && room->owned);
}

void mrl__room_uncount(struct mrl__room *room)
{
	count_as(room, false);
}

/* The ratings of both, for those who look at the game. */
static void on_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct rated *rated = user;
	struct mrl__room *room = mrl__rooms_find(rated->server, rated->game);

	for (size_t i = 0; room != NULL && answer->status == MRL_OK && i < answer->rating_count; i++) {
		unsigned seat = mrl_play_seat_of_person(&room->game, answer->ratings[i].person);

		if (seat < 2)
			room->rating[seat] = (int32_t)(answer->ratings[i].rating * 1000);
	}
	free(rated);
}

static void ask_for_ratings(struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;
	uint64_t persons[2];

	if (room->asked || game->phase < MRL_PLAY_RUNNING || game->player[1].kind == MRL_PLAY_EMPTY)
		return;
	room->asked = true;
	for (unsigned seat = 0; seat < 2; seat++) {
		unsigned kind = game->player[seat].kind;

		persons[seat] = kind == MRL_PLAY_ACCOUNT || kind == MRL_PLAY_BOT ? game->player[seat].person : 0;
	}
	struct rated *rated = persons[0] != 0 || persons[1] != 0 ? malloc(sizeof(*rated)) : NULL;

	if (rated == NULL)
		return;
	*rated = (struct rated){room->server, room->id};
	if (mrl_store_find_ratings(room->server->store, persons[0] != 0 ? persons[0] : persons[1],
				   persons[0] != 0 ? persons[1] : 0, mrl__rulebook_text(room->rules),
				   mrl_play_speed(&game->tempo), on_ratings, rated) != MRL_OK)
		free(rated);
}

/* Asks the engine for the computer's turn, or takes back what it was asked for. False when it must be asked again. */
static bool think(struct mrl__room *room)
{
	struct mrl__server *server = room->server;
	struct mrl_play_view view;

	mrl_play_view(&room->game, MRL_PLAY_NOBODY, server->time + (uint64_t)room->shift, &view);
	bool turn = view.to_move < 2 && room->game.player[view.to_move].kind == MRL_PLAY_COMPUTER;
	uint32_t wanted = turn ? view.ply + 1 : 0;

	if (wanted == room->thinking)
		return true;
	if (room->thinking != 0)
		mrl__engines_cancel(server->engines, room->id);
	room->thinking = wanted;
	if (wanted == 0)
		return true;
	bool clock = room->game.tempo.kind == MRL_PLAY_FISCHER;
	enum mrl_side side = mrl_play_side_of(&room->game, view.to_move);

	if (!mrl__engines_ask(server->engines, room->id, &room->game.moves, room->game.player[view.to_move].level,
			      clock ? view.clock[side] : 0, clock ? room->game.tempo.increment : 0))
		room->thinking = 0;
	return room->thinking == wanted;
}

/* The computer answers offers: it takes back and plays again with pleasure, and never agrees on a draw. */
static void reply_for_computer(struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;

	for (unsigned what = 0; what < MRL_PLAY_OFFERS; what++) {
		unsigned by = game->offers[what];

		if (by > 1 || game->player[1 - by].kind != MRL_PLAY_COMPUTER)
			continue;
		struct mrl__order *order = mrl__order_new(MRL__ORDER_COMMAND, NULL, NULL);

		if (order == NULL)
			return;
		order->time = room->server->time;
		order->command.verb = what == MRL_PLAY_OFFER_DRAW ? MRL_PLAY_DECLINE : MRL_PLAY_ACCEPT;
		order->command.seat = (enum mrl_play_seat)(1 - by);
		order->command.offer = (uint8_t)what;
		order->command.fresh = mrl__random_id();
		memcpy(order->id, "c", 2);
		mrl_id_write(mrl__random_id(), order->id + 1);
		order->command.id_length = strlen(order->id);
		mrl__room_order(room, order);
	}
}

static void set_pace(struct mrl__room *room)
{
	bool fast = room->game.phase == MRL_PLAY_RUNNING && room->game.tempo.kind == MRL_PLAY_FISCHER;

	for (struct mrl__watch *watch = room->players; watch != NULL; watch = watch->next)
		mrl__peers_set_fast(watch->peer, fast);
}

void mrl__room_settle(struct mrl__room *room)
{
	if (room->slot != NULL && room->game.phase != MRL_PLAY_WAITING) {
		mrl__slot_give_back(room->server, room->slot);
		room->slot = NULL;
	}
	count(room);
	ask_for_ratings(room);
	set_pace(room);
	if (!room->owned) {
		/* Timers and the computer are the owner's. */
		if (room->thinking != 0)
			mrl__engines_cancel(room->server->engines, room->id);
		room->thinking = 0;
		room->deadline = UINT64_MAX;
		mrl__rooms_schedule(room);
		return;
	}
	room->deadline = mrl__room_shown(room, mrl_play_deadline(&room->game));
	/* A timer that is over but yields nothing must not be asked without end. */
	if (room->deadline <= room->server->time)
		room->deadline = room->server->time + SOON_MS;
	if (!think(room) && room->deadline > room->server->time + RETRY_MS)
		room->deadline = room->server->time + RETRY_MS;
	mrl__rooms_schedule(room);
	reply_for_computer(room);
}

/* ---- Orders ------------------------------------------------------------------------------------------------- */

void mrl__order_refuse(struct mrl__order *order, uint64_t game, const char *code, const char *text)
{
	char id[MRL_ID_TEXT_SIZE];

	if (order->far != NULL) {
		mrl__far_refuse(order, code, text);
		return;
	}
	if (order->exchange != NULL) {
		unsigned status = strcmp(code, "no-game") == 0 ? 404 : strcmp(code, "unavailable") == 0 ? 503 : 409;

		mrl__answer_error(order->exchange, status, status == 404 ? "not-found" : code, text);
	} else if (order->peer != NULL) {
		mrl_id_write(game, id);
		mrl__peer_refuse(order->peer, order->id[0] != '\0' ? order->id : NULL, id, code, text);
	}
	mrl__order_free(order);
}

/* Tells that an order was refused by the game; with the snapshot where the client must have been wrong about it. */
void mrl__room_refuse(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_answer *answer)
{
	bool lost = answer->code == MRL_CODE_WRONG_PLY || answer->code == MRL_CODE_ILLEGAL;
	char id[MRL_ID_TEXT_SIZE];

	/* A private game is not there for who has neither its link nor a seat. */
	if (order->exchange != NULL && room->game.unlisted && !mrl_play_hash_equal(room->game.link, order->link)) {
		mrl__order_refuse(order, room->id, "no-game", "There is no such game, or it is not to be seen.");
		return;
	}

	if (order->far != NULL) {
		mrl__far_answer(room, order, answer);
		return;
	}
	/* Of a game that is just being read anew there is nothing to be shown; it is when it has been. */
	if (room->state != MRL__ROOM_READY) {
		room->reshow = room->reshow || lost;
		lost = false;
	}
	if (order->peer == NULL || !lost) {
		mrl__order_refuse(order, room->id, mrl_play_code_name(answer->code), answer->text);
		return;
	}
	struct mrl__json *json = &room->server->json;

	room->server->metrics.refused++;
	mrl_id_write(room->id, id);
	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "no");
	mrl__json_text(json, "game", id);
	mrl__json_text(json, "id", order->id);
	mrl__json_text(json, "code", mrl_play_code_name(answer->code));
	mrl__json_text(json, "text", answer->text);
	mrl__json_open(json, "snapshot");
	mrl__write_snapshot(json, room, order->command.seat, &order->peer->mutes);
	mrl__json_close(json);
	mrl__json_close(json);
	mrl__peer_send_json(order->peer, json);
	mrl__order_free(order);
}

static void take_order(struct mrl__room *room, struct mrl__order *order)
{
	uint64_t time = order->time > room->begins ? order->time : room->begins;
	const struct mrl_play_now now = {
	    .time = time + (uint64_t)room->shift, .wall = mrl__wall_ms(), .random = mrl__random()};
	struct mrl_play_answer answer = {.code = MRL_CODE_OK};
	struct mrl_play_batch batch;

	/* Who waits for a friend gives the game up. */
	if (order->command.verb == MRL_PLAY_ABORT && room->game.phase == MRL_PLAY_WAITING)
		order->command.verb = MRL_PLAY_LEAVE;
	if (order->kind == MRL__ORDER_TICK)
		(void)mrl_play_tick(&room->game, &now, &batch);
	else
		(void)mrl_play_command(&room->game, &order->command, &now, &batch, &answer);
	if (batch.count > 0) {
		mrl__commit_begin(room, order, &batch, &answer);
	} else if (answer.code != MRL_CODE_OK && !mrl__nodes_sure(room->server)) {
		mrl__owner_doubts(room, order);
	} else if (answer.code != MRL_CODE_OK) {
		mrl__room_refuse(room, order, &answer);
	} else if (order->kind == MRL__ORDER_TICK) {
		mrl__order_free(order);
		mrl__room_settle(room);
	} else {
		mrl__tell_done(room, order, answer.number);
	}
}

static void look(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__exchange *exchange = order->exchange;

	if (!mrl__room_may_see(room, exchange->person.id, order)) {
		mrl__room_hide(room, order);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_snapshot(json, room, mrl__room_seat_for(room, order), &order->mutes);
	mrl__answer(exchange, 200);
	mrl__order_free(order);
}

static struct mrl__order *take_first(struct mrl__room *room)
{
	struct mrl__order *order = room->first;

	room->first = order->next;
	if (room->first == NULL)
		room->last = &room->first;
	order->next = NULL;
	return order;
}

void mrl__room_drop_first(struct mrl__room *room, const char *code, const char *text)
{
	if (room->first != NULL)
		mrl__order_refuse(take_first(room), room->id, code, text);
}

void mrl__room_pump(struct mrl__room *room)
{
	while (room->state == MRL__ROOM_READY && room->commit == NULL && !room->leaving && room->first != NULL) {
		struct mrl__order *order = room->first;

		if (mrl__replica_holds(room, order))
			break;
		(void)take_first(room);
		room->used = mrl__now_ms();
		if (order->kind == MRL__ORDER_WATCH)
			mrl__watch_begin(room, order);
		else if (order->kind == MRL__ORDER_LOOK)
			look(room, order);
		else if (!room->owned)
			mrl__replica_send(room, order);
		else
			take_order(room, order);
	}
}

void mrl__room_order(struct mrl__room *room, struct mrl__order *order)
{
	*room->last = order;
	room->last = &order->next;
	mrl__room_pump(room);
}
