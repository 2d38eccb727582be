/* A game that another node owns: its events, and commands to its owner. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "json_in.h"
#include "messages.h"
#include "nodes_inside.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

/* ---- A replica takes it up --------------------------------------------------------------------------------------- */

/* Whether it is the word of the present owner; a later one is believed, an earlier one is not. */
static bool is_owners(struct mrl__room *room, const json_t *said)
{
	uint64_t fence = mrl__said_number(said, "fence");

	if (room->owned || fence < room->fence)
		return false;
	room->fence = fence;
	room->owner = mrl__said_number(said, "node");
	return true;
}

static void set_seats(struct mrl__room *room, const json_t *said)
{
	struct mrl_play_game *game = &room->game;
	const json_t *seats = json_object_get(said, "seats");
	bool changed = false;

	/* They are not said with every event. */
	if (seats == NULL)
		return;
	for (unsigned seat = 0; seat < 2; seat++) {
		const json_t *one = json_array_get(seats, seat);
		bool here = json_is_true(json_object_get(one, "here"));

		room->far_here[seat] = here;
		if (room->state != MRL__ROOM_READY)
			continue;
		here = here || room->here[seat] > 0;
		changed = changed || here != game->present[seat].connected;
		mrl_play_presence(game, seat, here, json_is_true(json_object_get(one, "closed")),
				  here ? mrl__room_time(room) : mrl__said_number(one, "since"));
		/* Since when is the owner's word. */
		if (!here)
			game->present[seat].since = mrl__said_number(one, "since");
	}
	if (changed)
		mrl__room_tell_presence(room);
}

static void set_clock(struct mrl__room *room, const json_t *said)
{
	struct mrl__nodes *nodes = room->server->nodes;
	uint64_t now = mrl__service_time(room->server);
	uint64_t its = mrl__said_number(said, "now");
	int64_t ahead = mrl__clock_heard(nodes->clocks, MRL__NODES_MOST, mrl__said_number(said, "node"),
					 mrl__said_number(said, "naps"), its, now);
	/* The game's T is more than its node's service time by what does not change, and that is more than ours. */
	int64_t shift = (int64_t)(mrl__said_number(said, "T") - its) + ahead;
	int64_t jump = shift - room->shift;

	if (room->state != MRL__ROOM_READY) {
		room->ready_t = 0;
		room->begins = now;
		room->shift = shift;
		return;
	}
	if (jump < JITTER_MS && jump > -JITTER_MS)
		return;
	room->shift = shift;
	if (jump >= JUMP_MS || jump <= -JUMP_MS)
		mrl__room_show_all(room);
}

static void take_state(struct mrl__room *room, const json_t *said)
{
	uint64_t watchers = mrl__said_number(said, "watchers");

	set_clock(room, said);
	set_seats(room, said);
	unsigned far = room->far_spectators;

	room->far_spectators = watchers > room->spectator_count ? (unsigned)watchers - room->spectator_count : 0;
	if (far != room->far_spectators)
		mrl__room_watchers_changed(room);
	if (mrl__said_number(said, "n") > room->heard)
		room->heard = (uint32_t)mrl__said_number(said, "n");
}

/* The order of ours that made this event, if one did. */
static struct mrl__order *order_of(const struct mrl__room *room, const struct mrl_play_event *event)
{
	struct mrl__order *order = room->sent;

	if (event->id[0] == '\0')
		return NULL;
	while (order != NULL &&
	       (strcmp(order->id, event->id) != 0 || (event->seat < 2 && order->command.verb != MRL_PLAY_JOIN &&
						      order->command.seat != (enum mrl_play_seat)event->seat)))
		order = order->next;
	return order;
}

/* An event of the game, from the bus or the store: false when it is not the next. */
static bool take_event(struct mrl__room *room, const char *text, size_t length)
{
	struct mrl_play_event event;

	if (mrl_play_event_read(text, length, &event, NULL) != MRL_OK)
		return false;
	if (event.number <= room->game.number)
		return true;
	if (event.number != room->game.number + 1 || !mrl__room_apply(room, &event))
		return false;
	struct mrl__order *order = order_of(room, &event);

	/* Who gave the order is answered before anybody is told. */
	if (order != NULL) {
		mrl__nodes_take_out(room, order);
		mrl__tell_done(room, order, event.number);
	}
	mrl__room_tell(room, &event);
	return true;
}

/* Events that were read from the store; whether there were any that are new. */
static bool take_read(struct mrl__room *room, const struct mrl_store_game *game)
{
	uint32_t before = room->game.number;

	for (size_t i = 0; i < game->event_count; i++) {
		if (!take_event(room, game->events[i].text, strlen(game->events[i].text))) {
			mrl__rooms_reload(room);
			return false;
		}
	}
	mrl__room_settle(room);
	return room->game.number > before;
}

static void on_healed(void *user, const struct mrl_store_answer *answer)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);

	free(of);
	if (room == NULL)
		return;
	room->healing = false;
	if (room->owned || room->state != MRL__ROOM_READY || answer->status != MRL_OK || answer->game_count == 0)
		return;
	if (take_read(room, &answer->games[0]))
		mrl__replica_heal(room);
}

/* Reads what is missing. */
void mrl__replica_heal(struct mrl__room *room)
{
	struct about *of = NULL;

	if (room->healing || room->state != MRL__ROOM_READY || room->heard <= room->game.number)
		return;
	of = mrl__nodes_about(room, NULL);
	room->healing = of != NULL && mrl_store_load_game(room->server->store, room->id, room->game.number + 1,
							  on_healed, of) == MRL_OK;
	if (!room->healing)
		free(of);
}

static void on_verified(void *user, const struct mrl_store_answer *answer)
{
	struct about *of = user;
	struct mrl__server *server = of->server;
	uint64_t game = of->game;
	struct mrl__room *room = mrl__rooms_find(server, game);

	free(of);
	if (room == NULL)
		return;
	room->verifying = false;
	if (room->owned || room->state != MRL__ROOM_READY) {
		/* It has been read anew meanwhile, or is just being read. */
	} else if (answer->status != MRL_OK || answer->game_count == 0) {
		mrl__room_drop_first(room, "unavailable", "The game cannot be read at the moment; try again later.");
	} else {
		(void)take_read(room, &answer->games[0]);
	}
	/* Reading it anew may have failed. */
	room = mrl__rooms_find(server, game);
	if (room != NULL)
		mrl__room_pump(room);
}

bool mrl__replica_holds(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__server *server = room->server;
	struct about *of = NULL;

	if (server->nodes == NULL || room->verifying)
		return room->verifying;
	if (order->verified || (order->kind != MRL__ORDER_WATCH && order->kind != MRL__ORDER_LOOK) ||
	    (room->owned && mrl__nodes_sure(server)))
		return false;
	/* Once both have come nobody gets a seat any more. And who knows more than we do was elsewhere before. */
	bool may_sit = room->game.phase == MRL_PLAY_WAITING && mrl__room_seat_for(room, order) > 1;

	if (!may_sit && order->last <= room->game.number)
		return false;
	order->verified = true;
	if (room->owned)
		mrl__nodes_become_replica(room, 0);
	of = mrl__nodes_about(room, NULL);
	room->verifying = of != NULL && mrl_store_load_game(server->store, room->id, room->game.number + 1, on_verified,
							    of) == MRL_OK;
	if (!room->verifying)
		free(of);
	return room->verifying;
}

void mrl__owner_doubts(struct mrl__room *room, struct mrl__order *order)
{
	mrl__nodes_become_replica(room, 0);
	mrl__replica_send(room, order);
}

void mrl__replica_event(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = user;
	json_t *said = mrl__json_read(message->data, message->length);
	struct mrl__room *room = said != NULL ? mrl__rooms_find(server, mrl__said_id(said, "game")) : NULL;
	const json_t *lines = json_object_get(said, "lines");

	if (room == NULL || room->owned || !is_owners(room, said)) {
		json_decref(said);
		return;
	}
	/* Events first: the state is that behind them. One that is missing is read, and then all that follow. */
	for (size_t i = 0; room->state == MRL__ROOM_READY && !room->healing && i < json_array_size(lines); i++) {
		const json_t *line = json_array_get(lines, i);

		if (!json_is_string(line) || !take_event(room, json_string_value(line), json_string_length(line)))
			break;
	}
	take_state(room, said);
	if (room->state == MRL__ROOM_READY) {
		mrl__room_settle(room);
		mrl__replica_heal(room);
	}
	json_decref(said);
}

/* ---- A replica tells the owner what it has ----------------------------------------------------------------------- */

/* What an owner answers; NULL when it is no answer, or not the owner's. To be json_decref()ed. */
static json_t *read_answer(struct mrl__room *room, enum mrl_status status, const struct mrl_bus_message *message)
{
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;

	if (said != NULL && json_is_true(json_object_get(said, "ok")) && is_owners(room, said))
		return said;
	json_decref(said);
	return NULL;
}

/* The room that asked, which waits for no answer any more; NULL when it has gone. Frees what was noted. */
static struct mrl__room *room_of_answer(struct about *of)
{
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);

	free(of);
	if (room != NULL) {
		room->request = 0;
		room->request_of = NULL;
	}
	return room;
}

/* That is no answer, and so for the first look at a game. */
void mrl__replica_first_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct mrl__room *room = room_of_answer(user);

	if (room == NULL)
		return;
	json_t *said = read_answer(room, status, message);

	if (said != NULL)
		take_state(room, said);
	else
		room->owner = 0;
	json_decref(said);
	if (room->state == MRL__ROOM_LOADING && !room->owned)
		mrl__rooms_load(room);
}

void mrl__replica_take_state(struct mrl__room *room, const json_t *said)
{
	if (!is_owners(room, said))
		return;
	take_state(room, said);
	mrl__replica_heal(room);
}

static void on_state_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct mrl__room *room = room_of_answer(user);

	if (room == NULL)
		return;
	if (room->owned || room->state != MRL__ROOM_READY)
		return;
	json_t *said = read_answer(room, status, message);

	if (said != NULL) {
		take_state(room, said);
		mrl__replica_heal(room);
	} else {
		mrl__nodes_find(room, status == MRL_OK ? TURN_MS : 0);
	}
	json_decref(said);
}

bool mrl__replica_ask(struct mrl__room *room, unsigned timeout_ms, mrl_bus_answered *answered)
{
	struct mrl__nodes *nodes = room->server->nodes;
	struct about *of = room->owner != 0 ? mrl__nodes_about(room, NULL) : NULL;
	char subject[MRL__SUBJECT_SIZE];
	unsigned seats = (room->here[0] > 0 ? 1U : 0U) | (room->here[1] > 0 ? 2U : 0U);

	if (of == NULL)
		return false;
	struct mrl__json *json = mrl__nodes_write(nodes, "here");

	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "seats", seats);
	mrl__json_number(json, "watchers", room->spectator_count);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", room->owner, "cmd");
	mrl__nodes_cancel(nodes, &room->request, &room->request_of);
	room->asked_at = mrl__now_ms();
	if (!json->failed && mrl_bus_request(nodes->bus, subject, json->data, json->length, timeout_ms, answered, of,
					     &room->request, NULL) == MRL_OK) {
		room->request_of = of;
		return true;
	}
	free(of);
	return false;
}

void mrl__replica_tell(struct mrl__room *room)
{
	if (room->server->nodes == NULL || room->owned || room->state != MRL__ROOM_READY)
		return;
	if (room->owner != 0 && mrl__replica_ask(room, ASK_MS, on_state_answer))
		return;
	room->asked_at = mrl__now_ms();
	mrl__nodes_find(room, 0);
}

/* ---- Orders to the owner ----------------------------------------------------------------------------------------- */

/* Most are nothing most of the time, and what is not said is that. */
static void write_number(struct mrl__json *json, const char *key, uint64_t number)
{
	if (number != 0)
		mrl__json_number(json, key, number);
}

static void write_text(struct mrl__json *json, const char *key, const char *text)
{
	if (text[0] != '\0')
		mrl__json_text(json, key, text);
}

static bool is_secret(const uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	static const uint8_t none[MRL_PLAY_HASH_SIZE];

	return memcmp(hash, none, MRL_PLAY_HASH_SIZE) != 0;
}

static void write_order(struct mrl__json *json, const struct mrl__room *room, const struct mrl__order *order)
{
	const struct mrl_play_command *command = &order->command;

	mrl__write_id(json, "game", room->id);
	write_number(json, "age", mrl__now_ms() - order->born);
	write_number(json, "verb", command->verb);
	write_number(json, "seat", command->seat);
	write_text(json, "id", order->id);
	write_number(json, "ply", command->ply);
	write_text(json, "turn", order->turn);
	write_number(json, "lag", command->lag);
	write_number(json, "offer", command->offer);
	write_number(json, "room", command->room);
	write_number(json, "phrase", command->phrase);
	write_text(json, "text", order->text);
	/* A game that may be made by it: a rematch. */
	mrl__write_id(json, "fresh", command->fresh);
	if (order->has_link)
		mrl__nodes_write_hash(json, "link", order->link);
	mrl__write_id(json, "person", order->player.person);
	write_number(json, "kind", order->player.kind);
	write_text(json, "name", order->player.name);
	if (is_secret(order->player.secret))
		mrl__nodes_write_hash(json, "secret", order->player.secret);
}

struct mrl__order *mrl__replica_read_order(struct mrl__server *server, const json_t *said, const char *reply)
{
	struct mrl__order *order = mrl__order_new(MRL__ORDER_COMMAND, NULL, NULL);
	uint64_t age = mrl__said_number(said, "age");
	size_t length = strlen(reply) + 1;

	if (order == NULL)
		return NULL;
	order->far = malloc(length);
	if (order->far == NULL) {
		mrl__order_free(order);
		return NULL;
	}
	memcpy(order->far, reply, length);
	order->far_node = mrl__said_number(said, "node");
	order->server = server;
	order->time = mrl__service_time(server);
	age = age < CREDIT_MS ? age : CREDIT_MS;
	order->time -= age < order->time ? age : order->time;
	order->command.verb = (enum mrl_play_verb)mrl__said_number(said, "verb");
	order->command.seat = (enum mrl_play_seat)mrl__said_number(said, "seat");
	order->command.ply = (uint32_t)mrl__said_number(said, "ply");
	order->command.lag = (uint32_t)mrl__said_number(said, "lag");
	order->command.offer = (uint8_t)mrl__said_number(said, "offer");
	order->command.room = (uint8_t)mrl__said_number(said, "room");
	order->command.phrase = (uint8_t)mrl__said_number(said, "phrase");
	order->command.fresh = mrl__said_id(said, "fresh");
	mrl__said_text(order->id, sizeof(order->id), said, "id");
	mrl__said_text(order->turn, sizeof(order->turn), said, "turn");
	mrl__said_text(order->text, sizeof(order->text), said, "text");
	order->command.id_length = strlen(order->id);
	order->command.turn_length = strlen(order->turn);
	order->command.text_length = strlen(order->text);
	order->has_link = json_object_get(said, "link") != NULL;
	mrl__said_hash(said, "link", order->link);
	order->player.person = mrl__said_id(said, "person");
	order->player.kind = (uint8_t)mrl__said_number(said, "kind");
	mrl__said_text(order->player.name, sizeof(order->player.name), said, "name");
	mrl__said_hash(said, "secret", order->player.secret);
	return order;
}

static enum mrl_play_code code_of(const char *name)
{
	for (unsigned code = 0; name != NULL && code < MRL_CODES; code++) {
		if (strcmp(mrl_play_code_name((enum mrl_play_code)code), name) == 0)
			return (enum mrl_play_code)code;
	}
	return MRL_CODES;
}

/* The owner's answer reaches whoever gave the order, which is out of the list. */
static void pass_on(struct mrl__room *room, struct mrl__order *order, const json_t *said)
{
	const char *name = json_string_value(json_object_get(said, "code"));
	const char *text = json_string_value(json_object_get(said, "text"));
	struct mrl_play_answer answer = {.code = code_of(name), .number = (uint32_t)mrl__said_number(said, "number")};

	mrl__said_text(answer.text, sizeof(answer.text), said, "text");
	if (answer.code == MRL_CODE_OK)
		mrl__tell_done(room, order, answer.number);
	else if (answer.code != MRL_CODES)
		mrl__room_refuse(room, order, &answer);
	else
		mrl__order_refuse(order, room->id, name != NULL ? name : "unavailable", text != NULL ? text : "");
}

static void on_order_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);
	struct mrl__order *order = of->order;

	free(of);
	/* The order waits in the room, or the request would have been cancelled. */
	if (room == NULL)
		return;
	order->request = 0;
	order->request_of = NULL;
	json_t *said = read_answer(room, status, message);

	if (said != NULL) {
		bool done = code_of(json_string_value(json_object_get(said, "code"))) == MRL_CODE_OK;

		if (mrl__said_number(said, "n") > room->heard)
			room->heard = (uint32_t)mrl__said_number(said, "n");
		/* Who hears that it is done must find it done: the event is on its way, or is read. */
		if (done && mrl__said_number(said, "number") > room->game.number) {
			order->send_at = mrl__now_ms() + ASK_MS;
		} else {
			mrl__nodes_take_out(room, order);
			pass_on(room, order, said);
		}
		mrl__replica_heal(room);
		json_decref(said);
		return;
	}
	order->send_at = mrl__now_ms() + AGAIN_MS;
	mrl__nodes_find(room, 0);
}

void mrl__replica_send_again(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__nodes *nodes = room->server->nodes;
	struct about *of = room->owner != 0 ? mrl__nodes_about(room, order) : NULL;
	char subject[MRL__SUBJECT_SIZE];

	order->send_at = mrl__now_ms() + AGAIN_MS;
	if (of == NULL) {
		mrl__nodes_find(room, 0);
		return;
	}
	struct mrl__json *json = mrl__nodes_write(nodes, "order");

	write_order(json, room, order);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", room->owner, "cmd");
	if (!json->failed && mrl_bus_request(nodes->bus, subject, json->data, json->length, ASK_MS, on_order_answer, of,
					     &order->request, NULL) == MRL_OK) {
		order->request_of = of;
		return;
	}
	order->request = 0;
	free(of);
}

void mrl__replica_send(struct mrl__room *room, struct mrl__order *order)
{
	/* Timers and the computer are the owner's; and what another node wants it asks that itself. */
	if (order->far != NULL) {
		mrl__far_refuse(order, "not-owner", "");
		return;
	}
	if (order->peer == NULL && order->exchange == NULL) {
		mrl__order_free(order);
		return;
	}
	if (order->born == 0)
		order->born = mrl__now_ms();
	order->next = room->sent;
	room->sent = order;
	mrl__nodes_make_busy(room);
	mrl__replica_send_again(room, order);
}

void mrl__replica_lost(struct mrl__room *room, struct mrl__order *order)
{
	room->thinking = 0;
	mrl_log(&room->server->log, MRL_LOG_INFO,
		"a game was taken over by another node: nothing was written to it here");
	mrl__nodes_become_replica(room, 0);
	if (order != NULL)
		mrl__replica_send(room, order);
	mrl__nodes_find(room, 0);
	mrl__room_pump(room);
}
