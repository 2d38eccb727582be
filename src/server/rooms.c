#include "rooms.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { BUCKETS = 65536, KEEP_MS = 60 * 1000, SWEPT_EACH_SECOND = 4096 };

bool mrl__rooms_init(struct mrl__server *server)
{
	server->rooms.bucket_count = BUCKETS;
	server->rooms.buckets = calloc(BUCKETS, sizeof(struct mrl__room *));
	return server->rooms.buckets != NULL;
}

static struct mrl__room **bucket_of(struct mrl__rooms *rooms, uint64_t id)
{
	/* Ids are random. */
	return &rooms->buckets[id & (rooms->bucket_count - 1)];
}

struct mrl__room *mrl__rooms_find(struct mrl__server *server, uint64_t id)
{
	/* The bus tells of its end when the games are gone. */
	struct mrl__room *room = server->rooms.buckets != NULL ? *bucket_of(&server->rooms, id) : NULL;

	while (room != NULL && room->id != id)
		room = room->next;
	return room;
}

struct mrl__room *mrl__rooms_add(struct mrl__server *server, uint64_t id)
{
	struct mrl__room *room = calloc(1, sizeof(*room));
	struct mrl__room **bucket = bucket_of(&server->rooms, id);

	if (room == NULL)
		return NULL;
	room->server = server;
	room->id = id;
	room->last = &room->first;
	room->used = mrl__now_ms();
	room->deadline = UINT64_MAX;
	room->owned = server->nodes == NULL;
	room->next = *bucket;
	*bucket = room;
	server->rooms.count++;
	return room;
}

/* ---- The heap of deadlines ---------------------------------------------------------------------------------- */

static void put(struct mrl__rooms *rooms, size_t place, struct mrl__room *room)
{
	rooms->heap[place] = room;
	room->place = place + 1;
}

static void sift_up(struct mrl__rooms *rooms, size_t place, struct mrl__room *room)
{
	while (place > 0 && rooms->heap[(place - 1) / 2]->deadline > room->deadline) {
		put(rooms, place, rooms->heap[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	put(rooms, place, room);
}

static void sift_down(struct mrl__rooms *rooms, size_t place, struct mrl__room *room)
{
	for (;;) {
		size_t child = 2 * place + 1;

		if (child + 1 < rooms->heap_count && rooms->heap[child + 1]->deadline < rooms->heap[child]->deadline)
			child++;
		if (child >= rooms->heap_count || rooms->heap[child]->deadline >= room->deadline)
			break;
		put(rooms, place, rooms->heap[child]);
		place = child;
	}
	put(rooms, place, room);
}

static void unschedule(struct mrl__rooms *rooms, struct mrl__room *room)
{
	size_t place = room->place - 1;
	struct mrl__room *last = rooms->heap[--rooms->heap_count];

	room->place = 0;
	if (last == room)
		return;
	if (place > 0 && rooms->heap[(place - 1) / 2]->deadline > last->deadline)
		sift_up(rooms, place, last);
	else
		sift_down(rooms, place, last);
}

void mrl__rooms_schedule(struct mrl__room *room)
{
	struct mrl__rooms *rooms = &room->server->rooms;

	if (room->place != 0)
		unschedule(rooms, room);
	if (room->deadline == UINT64_MAX)
		return;
	if (rooms->heap_count == rooms->heap_size) {
		size_t size = rooms->heap_size == 0 ? 256 : 2 * rooms->heap_size;
		struct mrl__room **moved = realloc(rooms->heap, size * sizeof(struct mrl__room *));

		if (moved == NULL) {
			mrl_log(&room->server->log, MRL_LOG_ERROR, "no memory for the timer of a game");
			return;
		}
		rooms->heap = moved;
		rooms->heap_size = size;
	}
	sift_up(rooms, rooms->heap_count++, room);
}

void mrl__rooms_tick(struct mrl__server *server)
{
	struct mrl__rooms *rooms = &server->rooms;

	while (rooms->heap_count > 0 && rooms->heap[0]->deadline <= server->time) {
		struct mrl__room *room = rooms->heap[0];
		struct mrl__order *order = mrl__order_new(MRL__ORDER_TICK, NULL, NULL);

		/* The order sets the next deadline when it has been done. */
		unschedule(rooms, room);
		if (order == NULL)
			continue;
		order->time = server->time;
		mrl__room_order(room, order);
	}
}

/* ---- Leaving memory ----------------------------------------------------------------------------------------- */

void mrl__rooms_set_running(struct mrl__room *room, bool running)
{
	struct mrl__room **first = &room->server->rooms.running;

	if (running == (room->link_running != NULL))
		return;
	if (!running) {
		*room->link_running = room->next_running;
		if (room->next_running != NULL)
			room->next_running->link_running = room->link_running;
		room->link_running = NULL;
		return;
	}
	room->next_running = *first;
	room->link_running = first;
	if (*first != NULL)
		(*first)->link_running = &room->next_running;
	*first = room;
	mrl__nodes_show_soon(room->server);
}

static void forget_history(struct mrl__room *room)
{
	free(room->game.moves.plies);
	free(room->game.past);
	while (room->said != NULL) {
		struct mrl__said *said = room->said;

		room->said = said->next;
		free(said);
	}
	room->said_count = 0;
	mrl__rulebook_drop(&room->server->rulebook, room->rules);
	room->rules = NULL;
	room->game = (struct mrl_play_game){0};
}

void mrl__rooms_remove(struct mrl__room *room)
{
	struct mrl__server *server = room->server;
	struct mrl__room **link = bucket_of(&server->rooms, room->id);

	while (*link != room)
		link = &(*link)->next;
	*link = room->next;
	server->rooms.count--;
	mrl__room_uncount(room);
	mrl__nodes_forget(room);
	if (room->place != 0)
		unschedule(&server->rooms, room);
	if (room->dirty) {
		struct mrl__room **dirty = &server->rooms.dirty;

		while (*dirty != room)
			dirty = &(*dirty)->next_dirty;
		*dirty = room->next_dirty;
	}
	while (room->first != NULL) {
		struct mrl__order *order = room->first;

		room->first = order->next;
		mrl__order_refuse(order, room->id, "no-game", "There is no such game, or it is not to be seen.");
	}
	if (room->thinking != 0)
		mrl__engines_cancel(server->engines, room->id);
	mrl__slot_give_back(server, room->slot);
	forget_history(room);
	free(room);
}

/* A game that is over, or that nobody but the store needs at the moment. */
static bool is_idle(const struct mrl__room *room, uint64_t now)
{
	return room->state == MRL__ROOM_READY && room->commit == NULL && room->first == NULL && room->sent == NULL &&
	       !room->finding && !room->healing && !room->verifying && !room->leaving && room->players == NULL &&
	       room->spectators == NULL && room->place == 0 && room->thinking == 0 && !room->counted &&
	       now - room->used > KEEP_MS;
}

static void sweep(struct mrl__server *server)
{
	struct mrl__rooms *rooms = &server->rooms;
	uint64_t now = mrl__now_ms();

	for (size_t i = 0; i < SWEPT_EACH_SECOND; i++) {
		struct mrl__room *room = rooms->buckets[rooms->swept];

		rooms->swept = (rooms->swept + 1) & (rooms->bucket_count - 1);
		while (room != NULL) {
			struct mrl__room *next = room->next;

			if (is_idle(room, now)) {
				mrl__owner_leave(room);
				mrl__rooms_remove(room);
			}
			room = next;
		}
	}
}

void mrl__rooms_release(struct mrl__server *server)
{
	struct mrl__rooms *rooms = &server->rooms;

	for (size_t i = 0; rooms->buckets != NULL && i < rooms->bucket_count; i++) {
		while (rooms->buckets[i] != NULL)
			mrl__rooms_remove(rooms->buckets[i]);
	}
	free(rooms->buckets);
	free(rooms->heap);
	*rooms = (struct mrl__rooms){0};
}

/* ---- Every second ------------------------------------------------------------------------------------------- */

static void tell_watchers(struct mrl__room *room)
{
	struct mrl__json *json = &room->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "watchers");
	mrl__write_id(json, "game", room->id);
	mrl__write_watchers(json, room);
	mrl__json_close(json);
	struct mrl__message *message = json->failed ? NULL : mrl__message_new(json->data, json->length);

	mrl__room_send(room, message);
	mrl__message_release(message);
}

void mrl__rooms_second(struct mrl__server *server)
{
	sweep(server);
	if (server->peers.second % 2 != 0)
		return;
	struct mrl__room *dirty = server->rooms.dirty;

	server->rooms.dirty = NULL;
	while (dirty != NULL) {
		struct mrl__room *room = dirty;

		dirty = room->next_dirty;
		room->dirty = false;
		tell_watchers(room);
	}
}

void mrl__rooms_engine_turn(struct mrl__server *server, uint64_t id, uint32_t ply, const char *turn)
{
	struct mrl__room *room = mrl__rooms_find(server, id);

	if (room == NULL || room->thinking != ply + 1)
		return;
	struct mrl__order *order = mrl__order_new(MRL__ORDER_COMMAND, NULL, NULL);

	if (order == NULL)
		return;
	order->time = mrl__service_time(server);
	order->command.verb = MRL_PLAY_PLAY;
	order->command.ply = ply;
	order->command.seat = mrl_play_seat_of_side(&room->game, (enum mrl_side)room->game.moves.position.side);
	order->command.turn_length = strlen(turn);
	memcpy(order->turn, turn, order->command.turn_length + 1);
	order->id[0] = 'e';
	mrl_id_write(mrl__random_id(), order->id + 1);
	order->command.id_length = strlen(order->id);
	server->metrics.engine_turns++;
	mrl__room_order(room, order);
}
