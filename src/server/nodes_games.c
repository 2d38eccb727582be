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

void mrl__said_text(char *to, size_t size, const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	if (text != NULL && strlen(text) < size)
		memcpy(to, text, strlen(text) + 1);
}

void mrl__nodes_write_hash(struct mrl__json *json, const char *name, const uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * MRL_PLAY_HASH_SIZE + 1] = "";

	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		text[2 * i] = digits[hash[i] >> 4];
		text[2 * i + 1] = digits[hash[i] & 15];
	}
	mrl__json_text(json, name, text);
}

static unsigned digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 0;
}

void mrl__said_hash(const json_t *object, const char *name, uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	const char *text = json_string_value(json_object_get(object, name));

	for (size_t i = 0; text != NULL && strlen(text) == 2 * MRL_PLAY_HASH_SIZE && i < MRL_PLAY_HASH_SIZE; i++)
		hash[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
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
	/* One that is read anew goes on as it was, or as the reading before was to. */
	if (!(room->owned && room->fence == owner->fence))
		room->ready_t = owner->t;
	room->owned = true;
	room->leaving = false;
	room->owner = nodes->id;
	room->fence = owner->fence;
	room->asked_at = room->owned_at = mrl__now_ms();
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
	room->reshow = room->reshow || here;
	if (here)
		mrl__rooms_reread(room);
	else
		mrl__rooms_load(room);
}

/* What is being written for it under another fence comes to its end first. */
static void take_over(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	if (room->commit != NULL)
		mrl__nodes_find(room, FIND_MS);
	else
		own_and_read(room, owner);
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
		take_over(room, owner);
}

/* ---- Finding the owner ------------------------------------------------------------------------------------------- */

/* The game is another node's, and is read as a replica; first the owner is asked for the time and who is here. */
static void read_replica(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	/* Of one that is nobody's and over, T stands where it ended. */
	room->ready_t = owner->fence != 0 ? owner->t : 1;
	room->fence = owner->fence;
	mrl__nodes_become_replica(room, owner->node);
	if (!mrl__replica_ask(room, FIRST_ASK_MS, mrl__replica_first_answer))
		mrl__rooms_load(room);
}

static void found(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	struct mrl__nodes *nodes = room->server->nodes;
	bool ready = room->state == MRL__ROOM_READY;

	if (owner->node == nodes->id && ready && owner->fence < room->fence) {
		/* It was given back after this was read. */
		mrl__nodes_find(room, FIND_MS);
	} else if (owner->node == nodes->id) {
		if (!ready || !room->owned || room->fence != owner->fence)
			take_over(room, owner);
	} else if (!ready) {
		read_replica(room, owner);
	} else if (!owner->alive || owner->fence < room->fence) {
		/* Or it was taken after this was read. */
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
	else if (room != NULL && answer->status == MRL_OK && room->state == MRL__ROOM_READY)
		mrl__nodes_find(room, FIND_MS); /* done, or not: the answer was lost with the connection */
	else if (room != NULL && answer->status == MRL_OK)
		mrl__nodes_load(room); /* the same */
	else if (room != NULL)
		not_found(room, answer->status);
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

/* Nobody has to own a game that is over, as long as nobody wants anything of it. */
static bool needs_owner(const struct mrl__room *room, const struct mrl_store_owner *owner)
{
	if (room->state != MRL__ROOM_READY)
		return !owner->over;
	return room->game.phase != MRL_PLAY_FINISHED || room->players != NULL || room->sent != NULL;
}

/* What the store says of a game; NULL: that there is none. */
static void decide(struct mrl__room *room, const struct mrl_store_owner *owner)
{
	bool takes = !room->server->nodes->draining && !room->server->stopping;
	struct about *of = NULL;

	if (owner == NULL) {
		not_found(room, MRL_MISSING);
		return;
	}
	if (owner->number > room->heard)
		room->heard = owner->number;
	if (owner->fence != 0 && (owner->alive || !takes)) {
		found(room, owner);
	} else if (owner->fence == 0 && !needs_owner(room, owner)) {
		if (room->state != MRL__ROOM_READY)
			read_replica(room, owner);
		else if (room->owned)
			mrl__nodes_become_replica(room, 0);
	} else if (takes && (of = mrl__nodes_about(room, NULL)) != NULL) {
		room->finding = true;
		mrl__nodes_take_game(room, of);
	} else {
		not_found(room, MRL_BUSY);
	}
}

/* Games that are asked for at once. */
struct survey {
	struct mrl__server *server;
	size_t count;
	uint64_t games[MRL_STORE_OWNERS_MOST];
};

/* A room whose answer this is; NULL when it waits for none any more. */
static struct mrl__room *surveyed(struct mrl__server *server, uint64_t game)
{
	struct mrl__room *room = mrl__rooms_find(server, game);

	if (room == NULL || !room->finding)
		return NULL;
	room->finding = false;
	return room;
}

static void on_surveyed(void *user, const struct mrl_store_answer *answer)
{
	struct survey *survey = user;
	struct mrl__room *room = NULL;
	bool good = answer->status == MRL_OK;

	for (size_t i = 0; good && i < answer->owner_count; i++) {
		room = surveyed(survey->server, answer->owners[i].game);
		if (room == NULL)
			continue;
		decide(room, &answer->owners[i]);
		room = mrl__rooms_find(survey->server, answer->owners[i].game);
		if (room != NULL && !room->owned)
			mrl__replica_heal(room);
	}
	/* Of those that are left nothing was said; one that is being taken by now waits for that. */
	for (size_t i = 0; i < survey->count; i++) {
		bool told = false;

		for (size_t j = 0; good && !told && j < answer->owner_count; j++)
			told = answer->owners[j].game == survey->games[i];
		room = told ? NULL : surveyed(survey->server, survey->games[i]);
		if (room != NULL && good)
			decide(room, NULL);
		else if (room != NULL)
			not_found(room, answer->status);
	}
	free(survey);
}

static void ask_store(struct survey *survey)
{
	struct mrl__server *server = survey->server;
	struct mrl__room *room = NULL;

	if (mrl_store_find_owners(server->store, survey->games, survey->count, on_surveyed, survey) == MRL_OK)
		return;
	for (size_t i = 0; i < survey->count; i++) {
		room = surveyed(server, survey->games[i]);
		if (room != NULL)
			not_found(room, MRL_BUSY);
	}
	free(survey);
}

static struct survey *new_survey(struct mrl__server *server)
{
	struct survey *survey = malloc(sizeof(*survey));

	if (survey == NULL)
		return NULL;
	survey->server = server;
	survey->count = 0;
	return survey;
}

/* Adds a room to what is asked next; sends that when it is full. */
static void find(struct survey **survey, struct mrl__room *room)
{
	room->find_at = 0;
	if (room->finding)
		return;
	if (*survey == NULL)
		*survey = new_survey(room->server);
	if (*survey == NULL) {
		not_found(room, MRL_BUSY);
		return;
	}
	room->finding = true;
	(*survey)->games[(*survey)->count++] = room->id;
	if ((*survey)->count < MRL_STORE_OWNERS_MOST)
		return;
	ask_store(*survey);
	*survey = NULL;
}

void mrl__nodes_load(struct mrl__room *room)
{
	if (room->server->nodes == NULL) {
		mrl__rooms_load(room);
		return;
	}
	struct survey *survey = NULL;

	/* Somebody waits for this one. */
	room->state = MRL__ROOM_LOADING;
	find(&survey, room);
	if (survey != NULL)
		ask_store(survey);
}

/* ---- Time, and being ready --------------------------------------------------------------------------------------- */

void mrl__nodes_set_time(struct mrl__room *room)
{
	if (room->server->nodes == NULL)
		return;
	if (room->ready_t != 0) {
		room->begins = mrl__service_time(room->server);
		room->shift = (int64_t)(room->ready_t - room->begins);
		room->ready_t = 0;
	}
	/* No clock goes back behind what has happened. */
	if (mrl__room_time(room) < room->game.time)
		room->shift += (int64_t)(room->game.time - mrl__room_time(room));
}

void mrl__nodes_ready(struct mrl__room *room)
{
	if (room->server->nodes == NULL)
		return;
	if (room->owned) {
		mrl__owner_tell_state(room);
	} else {
		mrl__replica_heal(room);
		if (room->owner == 0 && room->game.phase != MRL_PLAY_FINISHED)
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
	struct survey *survey = NULL;

	server->nodes->busy = NULL;
	while (room != NULL) {
		struct mrl__room *next = room->next_busy;

		room->busy = false;
		/* Reading a game anew never removes its room while it is ready. */
		if (room->state == MRL__ROOM_READY) {
			look_after_orders(room, now);
			if (room->find_at != 0 && now >= room->find_at)
				find(&survey, room);
		}
		if (room->sent != NULL || room->find_at != 0)
			mrl__nodes_make_busy(room);
		room = next;
	}
	if (survey != NULL)
		ask_store(survey);
}

void mrl__games_check(struct mrl__server *server, bool owned)
{
	server->nodes->look_at = 0;
	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			if (owned || !room->owned)
				mrl__nodes_find(room, 0);
			if (room->owned)
				continue;
			/* And the owner, for its clock; and what is to be done there is sent at once. */
			room->asked_at = 0;
			for (struct mrl__order *order = room->sent; order != NULL; order = order->next)
				order->send_at = 0;
		}
	}
}

void mrl__games_left(struct mrl__server *server, uint64_t node)
{
	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			if (room->owned || room->owner != node || room->state != MRL__ROOM_READY)
				continue;
			room->owner = 0;
			mrl__nodes_cancel(server->nodes, &room->request, &room->request_of);
			for (struct mrl__order *order = room->sent; order != NULL; order = order->next)
				mrl__nodes_cancel(server->nodes, &order->request, &order->request_of);
			mrl__nodes_find(room, 0);
		}
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
	/* An owner that has lost a game hears of it when it writes; who waits for the other's turn never would. */
	bool verifies = now >= server->nodes->own_at;

	if (verifies)
		server->nodes->own_at = now + OWN_MS;
	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			if (room->state != MRL__ROOM_READY)
				continue;
			if (room->owned) {
				look_after_far(room, now);
				mrl__owner_follow(room);
				if (verifies && !room->leaving)
					mrl__nodes_find(room, 0);
			} else if (now - room->asked_at >= TELL_MS && room->request == 0) {
				if (room->owner != 0)
					mrl__still_add(room);
				else
					mrl__replica_tell(room);
			}
		}
	}
	mrl__still_send(server->nodes);
}
