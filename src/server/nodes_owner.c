/* A game that this node owns: what it says of it, what other nodes want of it, and how it is handed over. */
#include <stdio.h>
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

/* ---- What the owner says ----------------------------------------------------------------------------------------- */

/* What is said with every event. */
static void write_moment(struct mrl__json *json, const struct mrl__room *room)
{
	unsigned spectators = room->spectator_count;

	for (unsigned i = 0; i < room->far_count; i++)
		spectators += room->far[i].spectators;
	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "fence", room->fence);
	mrl__json_number(json, "T", mrl__room_time(room));
	mrl__json_number(json, "n", room->game.number);
	mrl__json_number(json, "watchers", spectators);
}

void mrl__owner_write_state(struct mrl__json *json, const struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;

	write_moment(json, room);
	mrl__json_open_list(json, "seats");
	for (unsigned seat = 0; seat < 2; seat++) {
		mrl__json_open(json, NULL);
		mrl__json_bool(json, "here", game->present[seat].connected);
		mrl__json_bool(json, "closed", game->present[seat].closed_tab);
		mrl__json_number(json, "since", game->present[seat].since);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

/* Whether there may be replicas that are not known: those of a game that has just been taken, or of too many nodes. */
static bool has_unknown(const struct mrl__room *room)
{
	return mrl__now_ms() - room->asked_at < FRESH_MS || room->far_count == MRL__FAR_MOST;
}

bool mrl__owner_tells(const struct mrl__room *room, uint64_t node)
{
	for (unsigned i = 0; i < room->far_count; i++) {
		if (room->far[i].node == node)
			return true;
	}
	return has_unknown(room);
}

/* Publishes the open message: each node that has a replica hears all its games under one subject. */
static void tell(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;
	const struct mrl__json *json = &nodes->json;
	char subject[MRL__SUBJECT_SIZE];

	mrl__json_close(&nodes->json);
	if (json->failed)
		return;
	/* What is lost is healed. */
	if (has_unknown(room)) {
		(void)snprintf(subject, sizeof(subject), "%sgames.evt", nodes->prefix);
		(void)mrl_bus_publish(nodes->bus, subject, json->data, json->length, NULL);
		return;
	}
	for (unsigned i = 0; i < room->far_count; i++) {
		mrl__nodes_subject(nodes, subject, "node", room->far[i].node, "evt");
		(void)mrl_bus_publish(nodes->bus, subject, json->data, json->length, NULL);
	}
}

static bool has_replicas(const struct mrl__room *room)
{
	return room->far_count > 0 || has_unknown(room);
}

void mrl__owner_tell_state(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;

	if (nodes == NULL || !has_replicas(room))
		return;
	mrl__owner_write_state(mrl__nodes_write(nodes, "state"), room);
	tell(room);
}

void mrl__owner_tell(struct mrl__room *room, const struct mrl_play_batch *batch)
{
	struct mrl__nodes *nodes = room->server->nodes;
	char text[MRL_PLAY_EVENT_TEXT_SIZE];

	if (nodes == NULL || !has_replicas(room))
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "events");

	write_moment(json, room);
	mrl__json_open_list(json, "lines");
	for (size_t i = 0; i < batch->count; i++) {
		size_t length = mrl_play_event_write(&batch->events[i], text);

		mrl__json_bytes(json, NULL, text, length);
	}
	mrl__json_close_list(json);
	tell(room);
}

void mrl__owner_leave(struct mrl__room *room)
{
	struct mrl_store_change *change = NULL;

	if (room->server->nodes == NULL || !room->owned)
		return;
	change = mrl_change_new();
	mrl_change_release(change, room->id, room->fence, mrl__room_time(room));
	/* If it is not given back now it is when the node ends. */
	if (mrl_store_submit(room->server->store, change, NULL, NULL, NULL) != MRL_OK)
		mrl_log(&room->server->log, MRL_LOG_DEBUG, "the store was not told that a game was let go");
}

/* ---- What other nodes want of a game ----------------------------------------------------------------------------- */

/* Begins an answer in the owner's name. */
static struct mrl__json *begin_answer(struct mrl__room *room, bool ok)
{
	struct mrl__json *json = mrl__nodes_write(room->server->nodes, "answer");

	mrl__json_bool(json, "ok", ok);
	if (ok)
		mrl__owner_write_state(json, room);
	return json;
}

void mrl__far_answer(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_answer *answer)
{
	struct mrl__json *json = begin_answer(room, true);

	mrl__json_text(json, "code", mrl_play_code_name(answer->code));
	mrl__json_text(json, "text", answer->text);
	mrl__json_number(json, "number", answer->number);
	mrl__nodes_reply(room->server->nodes, order->far);
	mrl__order_free(order);
}

void mrl__far_refuse(struct mrl__order *order, const char *code, const char *text)
{
	struct mrl__nodes *nodes = order->server->nodes;

	/* Not by the game: it is asked again, here or of another. */
	if (nodes != NULL) {
		struct mrl__json *json = mrl__nodes_write(nodes, "answer");

		mrl__json_bool(json, "ok", false);
		mrl__json_text(json, "code", code);
		mrl__json_text(json, "text", text);
		mrl__nodes_reply(nodes, order->far);
	}
	mrl__order_free(order);
}

static struct mrl__far *far_of(struct mrl__room *room, uint64_t node)
{
	for (unsigned i = 0; i < room->far_count; i++) {
		if (room->far[i].node == node)
			return &room->far[i];
	}
	if (room->far_count == MRL__FAR_MOST)
		return NULL;
	if (room->far == NULL)
		room->far = calloc(MRL__FAR_MOST, sizeof(*room->far));
	if (room->far == NULL)
		return NULL;
	struct mrl__far *far = &room->far[room->far_count++];

	*far = (struct mrl__far){.node = node};
	return far;
}

static void be_told(struct mrl__room *room, const json_t *said)
{
	struct mrl__far *far = far_of(room, mrl__said_number(said, "node"));
	unsigned seats = (unsigned)mrl__said_number(said, "seats");

	if (far == NULL)
		return;
	unsigned changed = far->seats ^ seats;

	far->until = mrl__now_ms() + FAR_MS;
	far->spectators = (unsigned)mrl__said_number(said, "watchers");
	far->seats = seats;
	for (unsigned seat = 0; seat < 2; seat++) {
		if ((changed >> seat & 1) != 0)
			mrl__room_presence(room, seat, false);
	}
}

/* Another node hands a game over. */
static void be_handed(struct mrl__server *server, uint64_t game, const char *reply)
{
	struct mrl__room *room = mrl__rooms_find(server, game);
	struct about *of = NULL;

	if (server->nodes->draining || server->nodes->stopping)
		return;
	if (room == NULL) {
		room = mrl__rooms_add(server, game);
		if (room != NULL)
			room->state = MRL__ROOM_LOADING;
	}
	if (room == NULL || room->finding || room->owned)
		return;
	of = mrl__nodes_about(room, NULL);
	if (of == NULL)
		return;
	of->reply = malloc(strlen(reply) + 1);
	if (of->reply != NULL)
		memcpy(of->reply, reply, strlen(reply) + 1);
	room->finding = true;
	mrl__nodes_take_game(room, of);
}

void mrl__games_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply)
{
	uint64_t game = mrl__said_id(asked, "game");
	struct mrl__room *room = mrl__rooms_find(server, game);
	bool owned = room != NULL && room->owned && !room->leaving;

	if (strcmp(kind, "take") == 0) {
		be_handed(server, game, reply);
	} else if (strcmp(kind, "order") == 0 && owned) {
		struct mrl__order *order = mrl__replica_read_order(server, asked, reply);

		if (order != NULL)
			mrl__room_order(room, order);
	} else if (strcmp(kind, "here") == 0 && owned && room->state == MRL__ROOM_READY) {
		be_told(room, asked);
		(void)begin_answer(room, true);
		mrl__nodes_reply(server->nodes, reply);
	} else if (strcmp(kind, "order") == 0 || strcmp(kind, "here") == 0) {
		struct mrl__json *json = mrl__nodes_write(server->nodes, "answer");

		mrl__json_bool(json, "ok", false);
		mrl__nodes_reply(server->nodes, reply);
	}
}

/* ---- Handing over ------------------------------------------------------------------------------------------------ */

static void on_handed(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct about *of = user;
	struct mrl__server *server = of->server;
	struct mrl__room *room = mrl__rooms_find(server, of->game);

	free(of);
	(void)status;
	(void)message;
	server->nodes->handing--;
	if (room == NULL || room->owned)
		return;
	/* Whether it was taken the store says; until it was, the others look for it. */
	mrl__nodes_find(room, 0);
}

static uint64_t next_node(struct mrl__nodes *nodes)
{
	for (size_t i = 0; i < nodes->seen_count; i++) {
		const struct mrl__node_seen *seen = &nodes->seen[nodes->drain_target++ % nodes->seen_count];

		if (seen->alive && !seen->draining && seen->id != nodes->id)
			return seen->id;
	}
	return 0;
}

static void on_released(void *user, const struct mrl_store_answer *answer)
{
	struct about *of = user;
	struct mrl__server *server = of->server;
	struct mrl__nodes *nodes = server->nodes;
	struct mrl__room *room = mrl__rooms_find(server, of->game);
	uint64_t target = next_node(nodes);
	char subject[MRL__SUBJECT_SIZE];

	if (room == NULL || answer->status != MRL_OK) {
		if (room != NULL) {
			room->leaving = false;
			mrl__room_pump(room);
		}
		nodes->handing--;
		free(of);
		return;
	}
	struct mrl__json *json = mrl__nodes_write(nodes, "take");

	mrl__write_id(json, "game", room->id);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", target, "cmd");
	if (mrl_bus_request(nodes->bus, subject, json->data, json->length, ASK_MS, on_handed, of, NULL, NULL) !=
	    MRL_OK) {
		nodes->handing--;
		free(of);
	}
	room->leaving = false;
	/* Not looked for before the other has had it: on_handed(). */
	room->owned = false;
	room->owner = 0;
	room->far_count = 0;
	mrl__room_settle(room);
	mrl__room_pump(room);
}

bool mrl__owner_hand_over(struct mrl__room *room)
{
	struct mrl__server *server = room->server;
	struct about *of = NULL;

	if (room->leaving || room->commit != NULL || room->state != MRL__ROOM_READY || next_node(server->nodes) == 0)
		return false;
	of = mrl__nodes_about(room, NULL);
	if (of == NULL)
		return false;
	struct mrl_store_change *change = mrl_change_new();

	/* From here on the game's time stands, until another node has it. */
	mrl_change_release(change, room->id, room->fence, mrl__room_time(room));
	if (mrl_store_submit(server->store, change, on_released, of, NULL) != MRL_OK) {
		free(of);
		return false;
	}
	room->leaving = true;
	server->nodes->handing++;
	return true;
}
