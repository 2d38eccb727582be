/*
 * Whose a game is, and what its owner and its replicas say to one another.
 *
 * Any message may be lost, come twice, or late. So a command is sent again, with its id, until it is answered, or its
 * event is seen; a replica compares what it has with the owner every few seconds; and whose the game is the store alone
 * decides, by the fence under which its events are kept.
 */
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

/* ---- Rooms that wait for something ------------------------------------------------------------------------------- */

void mrl__nodes_make_busy(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;

	if (room->busy)
		return;
	room->busy = true;
	room->next_busy = nodes->busy;
	nodes->busy = room;
}

void mrl__nodes_find(struct mrl__room *room, unsigned after_ms)
{
	if (room->server->nodes == NULL || room->state != MRL__ROOM_READY)
		return;
	room->find_at = mrl__now_ms() + after_ms;
	mrl__nodes_make_busy(room);
}

/* Nobody wants the answer to a request any more, which may have come: then both are nothing. */
void mrl__nodes_cancel(struct mrl__nodes *nodes, uint64_t *request, void **asked)
{
	mrl_bus_cancel(nodes->bus, *request);
	free(*asked);
	*request = 0;
	*asked = NULL;
}

/* An order that is not done by this node; it is out of the list, and nobody is asked any more. */
void mrl__nodes_take_out(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__order **link = &room->sent;

	while (*link != order)
		link = &(*link)->next;
	*link = order->next;
	order->next = NULL;
	mrl__nodes_cancel(room->server->nodes, &order->request, &order->request_of);
}

void mrl__nodes_forget(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;

	if (nodes == NULL)
		return;
	while (room->sent != NULL) {
		struct mrl__order *order = room->sent;

		mrl__nodes_take_out(room, order);
		mrl__order_refuse(order, room->id, "unavailable", "The game cannot be reached at the moment.");
	}
	if (room->busy) {
		struct mrl__room **link = &nodes->busy;

		while (*link != room)
			link = &(*link)->next_busy;
		*link = room->next_busy;
	}
	mrl__nodes_cancel(nodes, &room->request, &room->request_of);
	free(room->far);
	room->far = NULL;
	room->far_count = 0;
}

struct about *mrl__nodes_about(struct mrl__room *room, struct mrl__order *order)
{
	struct about *made = calloc(1, sizeof(*made));

	if (made != NULL)
		*made = (struct about){room->server, room->id, order, NULL};
	return made;
}

uint64_t mrl__said_number(const json_t *object, const char *name)
{
	json_int_t number = json_integer_value(json_object_get(object, name));

	return number > 0 ? (uint64_t)number : 0;
}

uint64_t mrl__said_id(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	uint64_t id = 0;

	return text != NULL && mrl_id_read(text, strlen(text), &id) ? id : 0;
}

/* ---- Roles ------------------------------------------------------------------------------------------------------- */

void mrl__nodes_become_replica(struct mrl__room *room, uint64_t owner)
{
	bool was = room->owned;

	room->owned = false;
	room->owner = owner == room->server->nodes->id ? 0 : owner;
	room->far_count = 0;
	room->asked_at = 0;
	if (was && room->state == MRL__ROOM_READY) {
		mrl_log(&room->server->log, MRL_LOG_DEBUG, "a game is another node's now");
		mrl__room_settle(room);
	}
	if (room->state == MRL__ROOM_READY)
		mrl__replica_tell(room);
}

static void become_owner(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	struct mrl__nodes *nodes = room->server->nodes;

	mrl__nodes_cancel(nodes, &room->request, &room->request_of);
	/* One that is read anew goes on as it was. */
	room->ready_t = room->owned && room->fence == owner->fence ? 0 : owner->t;
	room->owned = true;
	room->leaving = false;
	room->owner = nodes->id;
	room->fence = owner->fence;
	room->asked_at = mrl__now_ms();
	room->far_here[0] = room->far_here[1] = false;
	room->far_spectators = 0;
	/* What was with another owner is done here, when the game has been read. */
	while (room->sent != NULL) {
		struct mrl__order *order = room->sent;

		mrl__nodes_take_out(room, order);
		*room->last = order;
		room->last = &order->next;
	}
}

/* A game that was a replica, or is not here, is ours: what the store has is right. */
static void own_and_read(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	bool here = room->state == MRL__ROOM_READY;

	become_owner(room, owner);
	room->reshow = here;
	if (here)
		mrl__rooms_reread(room);
	else
		mrl__rooms_load(room);
}

void mrl__nodes_adopted(struct mrl__server *server, const struct mrl_store_owner *owner)
{
	struct mrl__room *room = mrl__rooms_find(server, owner->game);

	if (room == NULL) {
		room = mrl__rooms_add(server, owner->game);
		if (room != NULL) {
			become_owner(room, owner);
			mrl__rooms_load(room);
		}
		return;
	}
	/* One that is being read finds it out by itself. */
	if (room->state == MRL__ROOM_READY && !(room->owned && room->fence == owner->fence))
		own_and_read(room, owner);
}

/* ---- Finding the owner ------------------------------------------------------------------------------------------- */

/* The game is another node's, and is read as a replica; first the owner is asked for the time and who is here. */
static void read_replica(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	room->ready_t = owner->t;
	room->fence = owner->fence;
	mrl__nodes_become_replica(room, owner->node);
	if (!mrl__replica_ask(room, FIRST_ASK_MS, mrl__replica_first_answer))
		mrl__rooms_load(room);
}

static void found(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	struct mrl__nodes *nodes = room->server->nodes;
	bool ready = room->state == MRL__ROOM_READY;

	if (owner->node == nodes->id) {
		if (!ready || !room->owned || room->fence != owner->fence)
			own_and_read(room, owner);
	} else if (!ready) {
		read_replica(room, owner);
	} else if (!owner->alive) {
		mrl__nodes_find(room, FIND_MS);
	} else if (room->owned || room->owner != owner->node) {
		room->fence = owner->fence;
		mrl__nodes_become_replica(room, owner->node);
		for (struct mrl__order *order = room->sent; order != NULL; order = order->next)
			order->send_at = 0;
	}
}

static void not_found(struct mrl__room *room, enum mrl_status status)
{
	if (room->state == MRL__ROOM_READY)
		mrl__nodes_find(room, FIND_MS);
	else if (status == MRL_MISSING)
		mrl__rooms_give_up(room, "no-game", "There is no such game, or it is not to be seen.");
	else
		mrl__rooms_give_up(room, "unavailable", "The game cannot be read at the moment; try again later.");
}

static void on_taken(void *user, const struct mrl_store_answer *answer)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);
	struct mrl__nodes *nodes = of->server->nodes;

	if (room != NULL)
		room->finding = false;
	if (room != NULL && answer->status == MRL_OK && answer->owner_count > 0)
		found(room, &answer->owners[0]);
	else if (room != NULL)
		not_found(room, answer->status == MRL_OK ? MRL_MISSING : answer->status);
	if (of->reply != NULL) {
		struct mrl__json *json = mrl__nodes_write(nodes, "taken");

		mrl__json_bool(json, "ok",
			       answer->status == MRL_OK && answer->owner_count > 0 &&
				   answer->owners[0].node == nodes->id);
		mrl__nodes_reply(nodes, of->reply);
	}
	free(of->reply);
	free(of);
}

void mrl__nodes_take_game(struct mrl__room *room, struct about *of)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_take(change, room->id, mrl__service_time(room->server));
	if (mrl_store_submit(room->server->store, change, on_taken, of, NULL) == MRL_OK)
		return;
	free(of->reply);
	free(of);
	room->finding = false;
	not_found(room, MRL_BUSY);
}

static void on_owner(void *user, const struct mrl_store_answer *answer)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);
	bool known = answer->status == MRL_OK && answer->owner_count > 0;
	bool takes = !of->server->nodes->draining && !of->server->stopping;

	if (room == NULL) {
		free(of);
	} else if ((known && answer->owners[0].alive) || (known && !takes)) {
		free(of);
		room->finding = false;
		found(room, &answer->owners[0]);
	} else if ((known || answer->status == MRL_MISSING) && takes) {
		mrl__nodes_take_game(room, of);
	} else {
		free(of);
		room->finding = false;
		not_found(room, answer->status);
	}
}

static void find(struct mrl__room *room)
{
	struct about *of = NULL;

	room->find_at = 0;
	if (room->finding)
		return;
	of = mrl__nodes_about(room, NULL);
	room->finding = of != NULL && mrl_store_find_owner(room->server->store, room->id, on_owner, of) == MRL_OK;
	if (room->finding)
		return;
	free(of);
	not_found(room, MRL_BUSY);
}

void mrl__nodes_load(struct mrl__room *room)
{
	if (room->server->nodes == NULL) {
		mrl__rooms_load(room);
		return;
	}
	room->state = MRL__ROOM_LOADING;
	find(room);
}

/* ---- Time, and being ready --------------------------------------------------------------------------------------- */

void mrl__nodes_set_time(struct mrl__room *room)
{
	if (room->server->nodes == NULL || room->ready_t == 0)
		return;
	if (room->ready_t < room->game.time)
		room->ready_t = room->game.time;
	room->begins = mrl__service_time(room->server);
	room->shift = (int64_t)(room->ready_t - room->begins);
	room->ready_t = 0;
}

void mrl__nodes_ready(struct mrl__room *room)
{
	if (room->server->nodes == NULL)
		return;
	if (room->reshow)
		mrl__room_show_all(room);
	room->reshow = false;
	if (room->owned) {
		mrl__owner_tell_state(room);
	} else {
		mrl__replica_heal(room);
		if (room->owner == 0)
			mrl__nodes_find(room, FIND_MS);
	}
}

/* ---- From time to time ------------------------------------------------------------------------------------------- */

static void look_after_orders(struct mrl__room *room, uint64_t now)
{
	struct mrl__order *next = NULL;

	for (struct mrl__order *order = room->sent; order != NULL; order = next) {
		next = order->next;
		if (now - order->born > GIVE_UP_MS) {
			mrl__nodes_take_out(room, order);
			mrl__order_refuse(order, room->id, "unavailable",
					  "The game cannot be reached at the moment; try again.");
		} else if (order->request == 0 && now >= order->send_at) {
			mrl__replica_send_again(room, order);
		}
	}
}

void mrl__games_busy(struct mrl__server *server)
{
	uint64_t now = mrl__now_ms();
	struct mrl__room *room = server->nodes->busy;

	server->nodes->busy = NULL;
	while (room != NULL) {
		struct mrl__room *next = room->next_busy;

		room->busy = false;
		/* Reading a game anew never removes its room while it is ready. */
		if (room->state == MRL__ROOM_READY) {
			look_after_orders(room, now);
			if (room->find_at != 0 && now >= room->find_at)
				find(room);
		}
		if (room->sent != NULL || room->find_at != 0)
			mrl__nodes_make_busy(room);
		room = next;
	}
}

/* Other nodes that were not heard of for a while have nobody here. */
static void look_after_far(struct mrl__room *room, uint64_t now)
{
	for (unsigned i = 0; i < room->far_count;) {
		unsigned seats = room->far[i].seats;

		if (room->far[i].until > now) {
			i++;
			continue;
		}
		room->far[i] = room->far[--room->far_count];
		for (unsigned seat = 0; seat < 2; seat++) {
			if ((seats >> seat & 1) != 0)
				mrl__room_presence(room, seat, false);
		}
	}
}

void mrl__games_look(struct mrl__server *server)
{
	uint64_t now = mrl__now_ms();

	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			if (room->state != MRL__ROOM_READY)
				continue;
			if (room->owned)
				look_after_far(room, now);
			else if (now - room->asked_at >= TELL_MS && room->request == 0)
				mrl__replica_tell(room);
		}
	}
}
