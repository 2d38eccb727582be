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
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum {
	ASK_MS = 1500,      /* how long an answer may take before a request counts as lost */
	FIRST_ASK_MS = 500, /* the same for the first look, for which somebody waits */
	AGAIN_MS = 300,     /* before an order is sent again that could not be done there */
	FIND_MS = 500,      /* before whose a game is is looked up again */
	GIVE_UP_MS = 15000, /* an order that nobody takes */
	TELL_MS = 3000,     /* a replica says what it has */
	FAR_MS = 10000,     /* what it said is good for so long */
	FRESH_MS = 10000,   /* after it was taken, replicas of a game may not be known yet */
	JITTER_MS = 40,     /* messages take a while: no reason to set a clock anew */
	JUMP_MS = 200,      /* clients' clocks are wrong: they are shown the game anew */
	CREDIT_MS = 1000,   /* of the way to the owner at most: it is charged to nobody */
	TURN_MS = 50
};

/* ---- Rooms that wait for something ---------------------------------------------------------------------------- */

static void make_busy(struct mrl__room *room)
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
	make_busy(room);
}

/* Nobody wants the answer to a request any more, which may have come: then both are nothing. */
static void cancel(struct mrl__nodes *nodes, uint64_t *request, void **asked)
{
	mrl_bus_cancel(nodes->bus, *request);
	free(*asked);
	*request = 0;
	*asked = NULL;
}

/* An order that is not done by this node; it is out of the list, and nobody is asked any more. */
static void take_out(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__order **link = &room->sent;

	while (*link != order)
		link = &(*link)->next;
	*link = order->next;
	order->next = NULL;
	cancel(room->server->nodes, &order->request, &order->request_of);
}

void mrl__nodes_forget(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;

	if (nodes == NULL)
		return;
	while (room->sent != NULL) {
		struct mrl__order *order = room->sent;

		take_out(room, order);
		mrl__order_refuse(order, room->id, "unavailable", "The game cannot be reached at the moment.");
	}
	if (room->busy) {
		struct mrl__room **link = &nodes->busy;

		while (*link != room)
			link = &(*link)->next_busy;
		*link = room->next_busy;
	}
	cancel(nodes, &room->request, &room->request_of);
	mrl_bus_unsubscribe(nodes->bus, room->listens);
	free(room->far);
	room->far = NULL;
	room->far_count = 0;
}

/* What is asked of the bus or the store for a game, whose room may have gone when the answer comes. */
struct about {
	struct mrl__server *server;
	uint64_t game;
	struct mrl__order *order; /* of the request: it is there as long as that is not cancelled */
	char *reply;              /* owned; NULL: nobody waits */
};

static struct about *about(struct mrl__room *room, struct mrl__order *order)
{
	struct about *made = calloc(1, sizeof(*made));

	if (made != NULL)
		*made = (struct about){room->server, room->id, order, NULL};
	return made;
}

/* ---- Roles ---------------------------------------------------------------------------------------------------- */

static void on_event(void *user, const struct mrl_bus_message *message);

static void listen_to(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;
	char subject[MRL__SUBJECT_SIZE];

	if (room->listens != 0)
		return;
	mrl__nodes_subject(nodes, subject, "game", room->id, "evt");
	/* Rooms come and go, so the callback is given the server, and finds the room by the message. */
	if (mrl_bus_subscribe(nodes->bus, subject, NULL, on_event, room->server, &room->listens, NULL) != MRL_OK)
		room->listens = 0;
}

static void become_replica(struct mrl__room *room, uint64_t owner)
{
	struct mrl__nodes *nodes = room->server->nodes;
	bool was = room->owned;

	room->owned = false;
	room->owner = owner == nodes->id ? 0 : owner;
	room->far_count = 0;
	room->asked_at = 0;
	listen_to(room);
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

	mrl_bus_unsubscribe(nodes->bus, room->listens);
	cancel(nodes, &room->request, &room->request_of);
	room->listens = 0;
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

		take_out(room, order);
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

/* ---- Finding the owner -------------------------------------------------------------------------------------- */

static void on_first_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message);
static bool ask_owner(struct mrl__room *room, unsigned timeout_ms, mrl_bus_answered *answered);

/* The game is another node's, and is read as a replica; first the owner is asked for the time and who is here. */
static void read_replica(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	room->ready_t = owner->t;
	room->fence = owner->fence;
	become_replica(room, owner->node);
	if (!ask_owner(room, FIRST_ASK_MS, on_first_answer))
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
		become_replica(room, owner->node);
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

static void take(struct mrl__room *room, struct about *of)
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
		take(room, of);
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
	of = about(room, NULL);
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

/* ---- Time, and being ready ------------------------------------------------------------------------------------ */

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

static void heal(struct mrl__room *room);

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
		heal(room);
		if (room->owner == 0)
			mrl__nodes_find(room, FIND_MS);
	}
}

/* ---- What the owner says ---------------------------------------------------------------------------------------- */

static void write_state(struct mrl__json *json, const struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;
	unsigned spectators = room->spectator_count;

	for (unsigned i = 0; i < room->far_count; i++)
		spectators += room->far[i].spectators;
	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "fence", room->fence);
	mrl__json_number(json, "T", mrl__room_time(room));
	mrl__json_number(json, "n", game->number);
	mrl__json_number(json, "watchers", spectators);
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

/* Whether anybody may listen. */
static bool has_replicas(const struct mrl__room *room)
{
	return room->far_count > 0 || mrl__now_ms() - room->asked_at < FRESH_MS;
}

void mrl__owner_tell_state(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;
	char subject[MRL__SUBJECT_SIZE];

	if (nodes == NULL || !has_replicas(room))
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "state");

	write_state(json, room);
	mrl__nodes_subject(nodes, subject, "game", room->id, "evt");
	mrl__nodes_publish(nodes, subject);
}

void mrl__owner_tell(struct mrl__room *room, const struct mrl_play_batch *batch)
{
	struct mrl__nodes *nodes = room->server->nodes;
	char text[MRL_PLAY_EVENT_TEXT_SIZE];
	char subject[MRL__SUBJECT_SIZE];

	if (nodes == NULL || !has_replicas(room))
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "events");

	write_state(json, room);
	mrl__json_open_list(json, "lines");
	for (size_t i = 0; i < batch->count; i++) {
		size_t length = mrl_play_event_write(&batch->events[i], text);

		mrl__json_bytes(json, NULL, text, length);
	}
	mrl__json_close_list(json);
	mrl__nodes_subject(nodes, subject, "game", room->id, "evt");
	mrl__nodes_publish(nodes, subject);
}

void mrl__owner_leave(struct mrl__room *room)
{
	struct mrl_store_change *change = NULL;

	if (room->server->nodes == NULL || !room->owned)
		return;
	change = mrl_change_new();
	mrl_change_release(change, room->id, room->fence, mrl__room_time(room));
	/* If it is not given back now it is when the node ends. */
	(void)mrl_store_submit(room->server->store, change, NULL, NULL, NULL);
}

/* ---- A replica takes it up ----------------------------------------------------------------------------------------
 */

static uint64_t number_of(const json_t *object, const char *name)
{
	json_int_t number = json_integer_value(json_object_get(object, name));

	return number > 0 ? (uint64_t)number : 0;
}

static uint64_t id_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	uint64_t id = 0;

	return text != NULL && mrl_id_read(text, strlen(text), &id) ? id : 0;
}

/* Whether it is the word of the present owner; a later one is believed, an earlier one is not. */
static bool is_owners(struct mrl__room *room, const json_t *said)
{
	uint64_t fence = number_of(said, "fence");

	if (room->owned || fence < room->fence)
		return false;
	room->fence = fence;
	room->owner = number_of(said, "node");
	return true;
}

static void set_seats(struct mrl__room *room, const json_t *said)
{
	struct mrl_play_game *game = &room->game;
	const json_t *seats = json_object_get(said, "seats");
	bool changed = false;

	for (unsigned seat = 0; seat < 2; seat++) {
		const json_t *one = json_array_get(seats, seat);
		bool here = json_is_true(json_object_get(one, "here"));

		room->far_here[seat] = here;
		if (room->state != MRL__ROOM_READY)
			continue;
		here = here || room->here[seat] > 0;
		changed = changed || here != game->present[seat].connected;
		mrl_play_presence(game, seat, here, json_is_true(json_object_get(one, "closed")),
				  here ? mrl__room_time(room) : number_of(one, "since"));
		/* Since when is the owner's word. */
		if (!here)
			game->present[seat].since = number_of(one, "since");
	}
	if (changed)
		mrl__room_tell_presence(room);
}

static void set_clock(struct mrl__room *room, uint64_t t)
{
	int64_t shift = (int64_t)(t - mrl__service_time(room->server));
	int64_t jump = shift - room->shift;

	if (room->state != MRL__ROOM_READY) {
		room->ready_t = t;
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
	uint64_t watchers = number_of(said, "watchers");

	set_clock(room, number_of(said, "T"));
	set_seats(room, said);
	room->far_spectators = watchers > room->spectator_count ? (unsigned)watchers - room->spectator_count : 0;
	if (number_of(said, "n") > room->heard)
		room->heard = (uint32_t)number_of(said, "n");
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
		take_out(room, order);
		mrl__tell_done(room, order, event.number);
	}
	mrl__room_tell(room, &event);
	return true;
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
	const struct mrl_store_game *game = &answer->games[0];
	uint32_t before = room->game.number;

	for (size_t i = 0; i < game->event_count; i++) {
		if (!take_event(room, game->events[i].text, strlen(game->events[i].text))) {
			mrl__rooms_reload(room);
			return;
		}
	}
	mrl__room_settle(room);
	if (room->game.number > before)
		heal(room);
}

/* Reads what is missing. */
static void heal(struct mrl__room *room)
{
	struct about *of = NULL;

	if (room->healing || room->state != MRL__ROOM_READY || room->heard <= room->game.number)
		return;
	of = about(room, NULL);
	room->healing = of != NULL && mrl_store_load_game(room->server->store, room->id, room->game.number + 1,
							  on_healed, of) == MRL_OK;
	if (!room->healing)
		free(of);
}

static void on_event(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = user;
	json_t *said = mrl__json_read(message->data, message->length);
	struct mrl__room *room = said != NULL ? mrl__rooms_find(server, id_of(said, "game")) : NULL;
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
		heal(room);
	}
	json_decref(said);
}

/* ---- A replica tells the owner what it has ------------------------------------------------------------------------
 */

/* What an owner answers; NULL when it is no answer, or not the owner's. To be json_decref()ed. */
static json_t *read_answer(struct mrl__room *room, enum mrl_status status, const struct mrl_bus_message *message)
{
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;

	if (said != NULL && json_is_true(json_object_get(said, "ok")) && is_owners(room, said))
		return said;
	json_decref(said);
	return NULL;
}

/* That is no answer, and so for the first look at a game. */
static void on_first_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);

	free(of);
	if (room == NULL)
		return;
	room->request = 0;
	room->request_of = NULL;
	json_t *said = read_answer(room, status, message);

	if (said != NULL)
		take_state(room, said);
	else
		room->owner = 0;
	json_decref(said);
	if (room->state == MRL__ROOM_LOADING && !room->owned)
		mrl__rooms_load(room);
}

static void on_state_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct about *of = user;
	struct mrl__room *room = mrl__rooms_find(of->server, of->game);

	free(of);
	if (room == NULL)
		return;
	room->request = 0;
	room->request_of = NULL;
	if (room->owned || room->state != MRL__ROOM_READY)
		return;
	json_t *said = read_answer(room, status, message);

	if (said != NULL) {
		take_state(room, said);
		heal(room);
	} else {
		mrl__nodes_find(room, status == MRL_OK ? TURN_MS : 0);
	}
	json_decref(said);
}

static bool ask_owner(struct mrl__room *room, unsigned timeout_ms, mrl_bus_answered *answered)
{
	struct mrl__nodes *nodes = room->server->nodes;
	struct about *of = room->owner != 0 ? about(room, NULL) : NULL;
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
	cancel(nodes, &room->request, &room->request_of);
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
	if (room->owner == 0)
		mrl__nodes_find(room, 0);
	else if (!ask_owner(room, ASK_MS, on_state_answer))
		room->asked_at = mrl__now_ms();
}

/* ---- Orders to the owner ------------------------------------------------------------------------------------------
 */

static void write_hash(struct mrl__json *json, const char *key, const uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * MRL_PLAY_HASH_SIZE + 1] = "";

	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		text[2 * i] = digits[hash[i] >> 4];
		text[2 * i + 1] = digits[hash[i] & 15];
	}
	mrl__json_text(json, key, text);
}

static unsigned digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 0;
}

static void read_hash(const json_t *object, const char *key, uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	const char *text = json_string_value(json_object_get(object, key));

	for (size_t i = 0; text != NULL && strlen(text) == 2 * MRL_PLAY_HASH_SIZE && i < MRL_PLAY_HASH_SIZE; i++)
		hash[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
}

static void write_order(struct mrl__json *json, const struct mrl__room *room, const struct mrl__order *order)
{
	const struct mrl_play_command *command = &order->command;

	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "age", mrl__now_ms() - order->born);
	mrl__json_number(json, "verb", command->verb);
	mrl__json_number(json, "seat", command->seat);
	mrl__json_text(json, "id", order->id);
	mrl__json_number(json, "ply", command->ply);
	mrl__json_text(json, "turn", order->turn);
	mrl__json_number(json, "lag", command->lag);
	mrl__json_number(json, "offer", command->offer);
	mrl__json_number(json, "room", command->room);
	mrl__json_number(json, "phrase", command->phrase);
	mrl__json_text(json, "text", order->text);
	mrl__write_id(json, "fresh", command->fresh);
	if (order->has_link)
		write_hash(json, "link", order->link);
	mrl__write_id(json, "person", order->player.person);
	mrl__json_number(json, "kind", order->player.kind);
	mrl__json_text(json, "name", order->player.name);
	write_hash(json, "secret", order->player.secret);
}

static void copy_text(char *to, size_t size, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (text != NULL && strlen(text) < size)
		memcpy(to, text, strlen(text) + 1);
}

static struct mrl__order *read_order(struct mrl__server *server, const json_t *said, const char *reply)
{
	struct mrl__order *order = mrl__order_new(MRL__ORDER_COMMAND, NULL, NULL);
	uint64_t age = number_of(said, "age");
	size_t length = strlen(reply) + 1;

	if (order == NULL)
		return NULL;
	order->far = malloc(length);
	if (order->far == NULL) {
		mrl__order_free(order);
		return NULL;
	}
	memcpy(order->far, reply, length);
	order->server = server;
	order->time = mrl__service_time(server);
	age = age < CREDIT_MS ? age : CREDIT_MS;
	order->time -= age < order->time ? age : order->time;
	order->command.verb = (enum mrl_play_verb)number_of(said, "verb");
	order->command.seat = (enum mrl_play_seat)number_of(said, "seat");
	order->command.ply = (uint32_t)number_of(said, "ply");
	order->command.lag = (uint32_t)number_of(said, "lag");
	order->command.offer = (uint8_t)number_of(said, "offer");
	order->command.room = (uint8_t)number_of(said, "room");
	order->command.phrase = (uint8_t)number_of(said, "phrase");
	order->command.fresh = id_of(said, "fresh");
	copy_text(order->id, sizeof(order->id), said, "id");
	copy_text(order->turn, sizeof(order->turn), said, "turn");
	copy_text(order->text, sizeof(order->text), said, "text");
	order->command.id_length = strlen(order->id);
	order->command.turn_length = strlen(order->turn);
	order->command.text_length = strlen(order->text);
	order->has_link = json_object_get(said, "link") != NULL;
	read_hash(said, "link", order->link);
	order->player.person = id_of(said, "person");
	order->player.kind = (uint8_t)number_of(said, "kind");
	copy_text(order->player.name, sizeof(order->player.name), said, "name");
	read_hash(said, "secret", order->player.secret);
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
	struct mrl_play_answer answer = {.code = code_of(name), .number = (uint32_t)number_of(said, "number")};

	copy_text(answer.text, sizeof(answer.text), said, "text");
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

		if (number_of(said, "n") > room->heard)
			room->heard = (uint32_t)number_of(said, "n");
		/* Who hears that it is done must find it done: the event is on its way, or is read. */
		if (done && number_of(said, "number") > room->game.number) {
			order->send_at = mrl__now_ms() + ASK_MS;
		} else {
			take_out(room, order);
			pass_on(room, order, said);
		}
		heal(room);
		json_decref(said);
		return;
	}
	order->send_at = mrl__now_ms() + AGAIN_MS;
	mrl__nodes_find(room, 0);
}

static void send_order(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__nodes *nodes = room->server->nodes;
	struct about *of = room->owner != 0 ? about(room, order) : NULL;
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
	make_busy(room);
	send_order(room, order);
}

void mrl__replica_lost(struct mrl__room *room, struct mrl__order *order)
{
	room->thinking = 0;
	mrl_log(&room->server->log, MRL_LOG_INFO,
		"a game was taken over by another node: nothing was written to it here");
	become_replica(room, 0);
	if (order != NULL)
		mrl__replica_send(room, order);
	mrl__nodes_find(room, 0);
	mrl__room_pump(room);
}

/* ---- What other nodes want of a game ------------------------------------------------------------------------------
 */

/* Begins an answer in the owner's name. */
static struct mrl__json *begin_answer(struct mrl__room *room, bool ok)
{
	struct mrl__json *json = mrl__nodes_write(room->server->nodes, "answer");

	mrl__json_bool(json, "ok", ok);
	if (ok)
		write_state(json, room);
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
	struct mrl__far *far = far_of(room, number_of(said, "node"));
	unsigned seats = (unsigned)number_of(said, "seats");

	if (far == NULL)
		return;
	unsigned changed = far->seats ^ seats;

	far->until = mrl__now_ms() + FAR_MS;
	far->spectators = (unsigned)number_of(said, "watchers");
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
	of = about(room, NULL);
	if (of == NULL)
		return;
	of->reply = malloc(strlen(reply) + 1);
	if (of->reply != NULL)
		memcpy(of->reply, reply, strlen(reply) + 1);
	room->finding = true;
	take(room, of);
}

void mrl__games_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply)
{
	uint64_t game = id_of(asked, "game");
	struct mrl__room *room = mrl__rooms_find(server, game);
	bool owned = room != NULL && room->owned && !room->leaving;

	if (strcmp(kind, "take") == 0) {
		be_handed(server, game, reply);
	} else if (strcmp(kind, "order") == 0 && owned) {
		struct mrl__order *order = read_order(server, asked, reply);

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

/* ---- Handing over --------------------------------------------------------------------------------------------- */

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
	listen_to(room);
	mrl__room_settle(room);
	mrl__room_pump(room);
}

bool mrl__owner_hand_over(struct mrl__room *room)
{
	struct mrl__server *server = room->server;
	struct about *of = NULL;

	if (room->leaving || room->commit != NULL || room->state != MRL__ROOM_READY || next_node(server->nodes) == 0)
		return false;
	of = about(room, NULL);
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

/* ---- From time to time ---------------------------------------------------------------------------------------- */

static void look_after_orders(struct mrl__room *room, uint64_t now)
{
	struct mrl__order *next = NULL;

	for (struct mrl__order *order = room->sent; order != NULL; order = next) {
		next = order->next;
		if (now - order->born > GIVE_UP_MS) {
			take_out(room, order);
			mrl__order_refuse(order, room->id, "unavailable",
					  "The game cannot be reached at the moment; try again.");
		} else if (order->request == 0 && now >= order->send_at) {
			send_order(room, order);
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
			make_busy(room);
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
