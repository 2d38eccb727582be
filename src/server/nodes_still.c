/*
 * What replicas say every few seconds: that they are still there. Those of all games of one owner say it in one
 * message, and it answers in one.
 */
#include <stdlib.h>

#include "json_in.h"
#include "nodes_inside.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { MOST_GAMES = 100 }; /* in one message: some 20 kB of answer */

/* A message, and then who waits for its answer. */
struct mrl__still {
	struct mrl__server *server;
	uint64_t owner;
	size_t count;
	struct {
		uint64_t game;
		unsigned seats;
		unsigned spectators;
	} games[MOST_GAMES];
};

/* ---- A replica's node ---------------------------------------------------------------------------------------- */

static struct mrl__room *replica(struct mrl__server *server, uint64_t game)
{
	struct mrl__room *room = mrl__rooms_find(server, game);

	return room != NULL && !room->owned && room->state == MRL__ROOM_READY ? room : NULL;
}

/* What the owner says of one game. What it says of itself stands in the message around it. */
static void take(struct mrl__room *room, const json_t *answer, json_t *said)
{
	static const char *const around[] = {"node", "now", "naps"};

	for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++)
		(void)json_object_set(said, around[i], json_object_get(answer, around[i]));
	mrl__replica_take_state(room, said);
}

static void on_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct mrl__still *still = user;
	json_t *answer = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;
	const json_t *games = json_object_get(answer, "games");
	size_t next = 0;

	/* In the order in which they were said, without those that are not the owner's. */
	for (size_t i = 0; i < still->count && !still->server->stopping; i++) {
		json_t *said = json_array_get(games, next);
		bool told = mrl__said_id(said, "game") == still->games[i].game;
		struct mrl__room *room = replica(still->server, still->games[i].game);

		next += told;
		if (room != NULL && told)
			take(room, answer, said);
		else if (room != NULL && room->owner == still->owner)
			mrl__nodes_find(room, answer != NULL ? TURN_MS : 0);
	}
	json_decref(answer);
	free(still);
}

static void send_it(struct mrl__still *still)
{
	struct mrl__nodes *nodes = still->server->nodes;
	struct mrl__json *json = mrl__nodes_write(nodes, "still");
	char subject[MRL__SUBJECT_SIZE];

	mrl__json_open_list(json, "games");
	for (size_t i = 0; i < still->count; i++) {
		mrl__json_open(json, NULL);
		mrl__write_id(json, "game", still->games[i].game);
		mrl__json_number(json, "seats", still->games[i].seats);
		mrl__json_number(json, "watchers", still->games[i].spectators);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", still->owner, "cmd");
	if (json->failed || mrl_bus_request(nodes->bus, subject, json->data, json->length, ASK_MS, on_answer, still,
					    NULL, NULL) != MRL_OK)
		on_answer(still, MRL_SYSTEM, NULL);
}

static void send_one(struct mrl__nodes *nodes, size_t index)
{
	struct mrl__still *still = nodes->stills[index];

	nodes->stills[index] = nodes->stills[--nodes->still_count];
	send_it(still);
}

void mrl__still_send(struct mrl__nodes *nodes)
{
	while (nodes->still_count > 0)
		send_one(nodes, nodes->still_count - 1);
}

/* The open message for an owner; NULL: no memory. */
static struct mrl__still *message_for(struct mrl__server *server, uint64_t owner, size_t *index)
{
	struct mrl__nodes *nodes = server->nodes;

	for (*index = 0; *index < nodes->still_count; (*index)++) {
		if (nodes->stills[*index]->owner == owner)
			return nodes->stills[*index];
	}
	if (nodes->still_count == MRL__NODES_MOST)
		mrl__still_send(nodes);
	struct mrl__still *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	made->server = server;
	made->owner = owner;
	*index = nodes->still_count++;
	nodes->stills[*index] = made;
	return made;
}

void mrl__still_add(struct mrl__room *room)
{
	struct mrl__nodes *nodes = room->server->nodes;
	size_t index;
	struct mrl__still *still = message_for(room->server, room->owner, &index);

	if (still == NULL)
		return;
	room->asked_at = mrl__now_ms();
	still->games[still->count].game = room->id;
	still->games[still->count].seats = (room->here[0] > 0 ? 1U : 0U) | (room->here[1] > 0 ? 2U : 0U);
	still->games[still->count].spectators = room->spectator_count;
	if (++still->count == MOST_GAMES)
		send_one(nodes, index);
}

/* ---- The owner ----------------------------------------------------------------------------------------------- */

static struct mrl__room *owned(struct mrl__server *server, const json_t *said)
{
	struct mrl__room *room = mrl__rooms_find(server, mrl__said_id(said, "game"));

	return room != NULL && room->owned && !room->leaving && room->state == MRL__ROOM_READY ? room : NULL;
}

void mrl__still_asked(struct mrl__server *server, const json_t *asked, const char *reply)
{
	const json_t *games = json_object_get(asked, "games");
	uint64_t node = mrl__said_number(asked, "node");
	size_t count = json_array_size(games);

	/* Whoever comes and goes by it is told of at once, so that is done before the answer is begun. */
	for (size_t i = 0; i < count; i++) {
		struct mrl__room *room = owned(server, json_array_get(games, i));

		if (room != NULL)
			mrl__owner_hear(room, node, json_array_get(games, i));
	}
	struct mrl__json *json = mrl__nodes_write(server->nodes, "answer");

	mrl__json_open_list(json, "games");
	for (size_t i = 0; i < count; i++) {
		struct mrl__room *room = owned(server, json_array_get(games, i));

		if (room == NULL)
			continue;
		mrl__json_open(json, NULL);
		mrl__owner_write_state(json, room);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__nodes_reply(server->nodes, reply);
}
