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
	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "fence", room->fence);
	mrl__json_number(json, "T", mrl__room_time(room));
	mrl__json_number(json, "n", room->game.number);
	mrl__json_number(json, "watchers", mrl__room_spectators(room));
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

void mrl__owner_hear(struct mrl__room *room, uint64_t node, const json_t *said)
{
	struct mrl__far *far = far_of(room, node);
	unsigned seats = (unsigned)mrl__said_number(said, "seats");

	if (far == NULL)
		return;
	unsigned changed = far->seats ^ seats;

	if (seats != 0 && far->seats == 0)
		far->since = mrl__now_ms();
	unsigned spectators = (unsigned)mrl__said_number(said, "watchers");

	if (spectators != far->spectators)
		mrl__room_watchers_changed(room);
	far->until = mrl__now_ms() + FAR_MS;
	far->spectators = spectators;
	far->seats = seats;
	for (unsigned seat = 0; seat < 2; seat++) {
		if ((changed >> seat & 1) != 0)
			mrl__room_presence(room, seat, false);
	}
}

static void answer_no(struct mrl__server *server, const char *reply)
{
	struct mrl__json *json = mrl__nodes_write(server->nodes, "answer");

	mrl__json_bool(json, "ok", false);
	mrl__nodes_reply(server->nodes, reply);
}

/* Another node hands a game over. */
static void be_handed(struct mrl__server *server, uint64_t game, const char *reply)
{
	struct mrl__room *room = mrl__rooms_find(server, game);
	bool takes = !server->nodes->draining && !server->nodes->stopping;
	struct about *of = NULL;

	if (takes && room == NULL) {
		room = mrl__rooms_add(server, game);
		if (room != NULL)
			room->state = MRL__ROOM_LOADING;
	}
	if (takes && room != NULL && !room->owned)
		of = mrl__nodes_about(room, NULL);
	if (of != NULL)
		of->reply = malloc(strlen(reply) + 1);
	/* Who is told no asks another one. */
	if (of == NULL) {
		answer_no(server, reply);
		return;
	}
	if (of->reply != NULL)
		memcpy(of->reply, reply, strlen(reply) + 1);
	/* What is being looked up at the moment is older than this. */
	room->finding = true;
	mrl__nodes_take_game(room, of);
}

static void look_up(struct mrl__server *server, uint64_t game)
{
	struct mrl__room *room =
	    server->nodes->draining || server->nodes->stopping ? NULL : mrl__rooms_add(server, game);

	if (room != NULL)
		mrl__nodes_load(room);
}

void mrl__games_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply)
{
	uint64_t game = mrl__said_id(asked, "game");
	struct mrl__room *room = mrl__rooms_find(server, game);
	bool owned = room != NULL && room->owned && !room->leaving;

	if (strcmp(kind, "still") == 0) {
		mrl__still_asked(server, asked, reply);
	} else if (strcmp(kind, "take") == 0) {
		be_handed(server, game, reply);
	} else if (strcmp(kind, "order") == 0 && owned) {
		struct mrl__order *order = mrl__replica_read_order(server, asked, reply);

		if (order != NULL)
			mrl__room_order(room, order);
	} else if (strcmp(kind, "here") == 0 && owned && room->state == MRL__ROOM_READY) {
		mrl__owner_hear(room, mrl__said_number(asked, "node"), asked);
		(void)begin_answer(room, true);
		mrl__nodes_reply(server->nodes, reply);
	} else if (strcmp(kind, "order") == 0 || strcmp(kind, "here") == 0) {
		/* Asked as its owner, a node may be that and not know it: the answer to its taking the game was lost.
		 */
		if (room == NULL)
			look_up(server, game);
		answer_no(server, reply);
	}
}

/* ---- Handing over ------------------------------------------------------------------------------------------------ */

/* A game on its way to another node. */
struct handing {
	struct mrl__server *server;
	uint64_t game;
	uint64_t target;
	unsigned tries;
};

/* One after another, but for `unwanted`; 0: there is none. */
static uint64_t next_node(struct mrl__nodes *nodes, uint64_t unwanted)
{
	for (size_t i = 0; i < nodes->seen_count; i++) {
		uint64_t id = nodes->seen[nodes->drain_target++ % nodes->seen_count].id;

		if (id != unwanted && mrl__nodes_may_have(nodes, id))
			return id;
	}
	return 0;
}

/* The node that has the socket of a seat, since `ms` ago at least; the first player's before the other's. 0: none. */
static uint64_t node_of_players(const struct mrl__room *room, uint64_t ms)
{
	uint64_t now = mrl__now_ms();

	for (unsigned seat = 0; seat < 2; seat++) {
		for (unsigned i = 0; i < room->far_count; i++) {
			const struct mrl__far *far = &room->far[i];

			if ((far->seats >> seat & 1) != 0 && now - far->since >= ms &&
			    mrl__nodes_may_have(room->server->nodes, far->node))
				return far->node;
		}
	}
	return 0;
}

static void offer(struct handing *handing);

static void end_handing(struct handing *handing)
{
	struct mrl__server *server = handing->server;
	struct mrl__room *room = mrl__rooms_find(server, handing->game);

	server->nodes->handing--;
	free(handing);
	/* Whose it is now the store says. */
	if (room != NULL && !room->owned)
		mrl__nodes_find(room, 0);
}

static void on_handed(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct handing *handing = user;
	struct mrl__nodes *nodes = handing->server->nodes;
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;
	bool taken = json_is_true(json_object_get(said, "ok"));

	json_decref(said);
	if (!taken && !nodes->stopping && handing->tries < HAND_TRIES) {
		/* It has gone, or does not want it: another one, if there is one. */
		uint64_t other = next_node(nodes, handing->target);

		handing->target = other != 0 ? other : handing->target;
		offer(handing);
		return;
	}
	/* Those that did not answer hear that there is something to be had. */
	if (!taken && !nodes->stopping)
		mrl__nodes_tell_free(nodes);
	end_handing(handing);
}

static void offer(struct handing *handing)
{
	struct mrl__nodes *nodes = handing->server->nodes;
	struct mrl__json *json = mrl__nodes_write(nodes, "take");
	char subject[MRL__SUBJECT_SIZE];

	handing->tries++;
	mrl__write_id(json, "game", handing->game);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", handing->target, "cmd");
	if (mrl_bus_request(nodes->bus, subject, json->data, json->length, HAND_MS, on_handed, handing, NULL, NULL) !=
	    MRL_OK)
		end_handing(handing);
}

static void on_released(void *user, const struct mrl_store_answer *answer)
{
	struct handing *handing = user;
	struct mrl__room *room = mrl__rooms_find(handing->server, handing->game);

	if (room == NULL || answer->status != MRL_OK) {
		handing->server->nodes->handing--;
		free(handing);
		if (room == NULL)
			return;
		/* When its answer was lost, with PostgreSQL say, it may be done all the same, and another node have it.
		 */
		room->leaving = false;
		mrl__nodes_find(room, 0);
		mrl__room_pump(room);
		return;
	}
	room->leaving = false;
	/* Not looked for before the other has had it: on_handed(). What was read before says that it is ours. */
	room->fence++;
	room->owned = false;
	room->owner = 0;
	room->far_count = 0;
	offer(handing);
	mrl__room_settle(room);
	mrl__room_pump(room);
}

static bool hand_over(struct mrl__room *room, uint64_t target)
{
	struct mrl__server *server = room->server;
	struct handing *handing = NULL;

	if (target == 0 || room->leaving || room->commit != NULL || room->state != MRL__ROOM_READY)
		return false;
	handing = calloc(1, sizeof(*handing));
	if (handing == NULL)
		return false;
	*handing = (struct handing){.server = server, .game = room->id, .target = target};
	struct mrl_store_change *change = mrl_change_new();

	/* From here on the game's time stands, until another node has it. */
	mrl_change_release(change, room->id, room->fence, mrl__room_time(room));
	if (mrl_store_submit(server->store, change, on_released, handing, NULL) != MRL_OK) {
		free(handing);
		return false;
	}
	room->leaving = true;
	server->nodes->handing++;
	return true;
}

bool mrl__owner_hand_over(struct mrl__room *room)
{
	uint64_t target = node_of_players(room, 0);

	return hand_over(room, target != 0 ? target : next_node(room->server->nodes, 0));
}

void mrl__owner_follow(struct mrl__room *room)
{
	if (room->far_count == 0 || room->here[0] > 0 || room->here[1] > 0 || room->game.phase == MRL_PLAY_FINISHED ||
	    mrl__now_ms() - room->owned_at < STAY_MS)
		return;
	(void)hand_over(room, node_of_players(room, FOLLOW_MS));
}
