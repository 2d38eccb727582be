/*
 * Two of the lobby have found each other: their game is made at the node of the first of them, and both are told, again
 * where a message was lost.
 */
#include <stdlib.h>
#include <string.h>

#include "json_in.h"
#include "nodes_inside.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum {
	MAKE_MS = 1500,       /* how long a node may take to make a game, before it is made here */
	REMEMBER_MS = 30000,  /* what a person was told is told again, if it is asked for */
	MOST_REMEMBERED = 512 /* then the oldest is forgotten */
};

/* ---- The game ---------------------------------------------------------------------------------------------------- */

struct making {
	struct mrl__server *server;
	struct mrl_play_creation creation;
	mrl__game_made *made;
	void *user;
};

/* Where the sockets of the person are who made the offer, as far as this node, which has the lobby, was told. */
static uint64_t node_of(const struct mrl__nodes *nodes, uint64_t person)
{
	const struct mrl__away *latest = NULL;

	for (size_t i = 0; i < nodes->away_count; i++) {
		const struct mrl__away *away = &nodes->aways[i];

		if (away->person == person && (latest == NULL || away->until > latest->until))
			latest = away;
	}
	return latest != NULL ? latest->node : nodes->id;
}

/* It may have been made although nobody heard so: then its id is taken, and that is as good. */
static void on_made_here(void *user, enum mrl_status status, enum mrl_play_code code, struct mrl__room *room)
{
	struct making *making = user;

	making->made(making->user, status == MRL_CONFLICT ? MRL_OK : status, code, room);
	free(making);
}

static void on_made_there(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct making *making = user;
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;
	bool made = json_is_true(json_object_get(said, "ok"));

	json_decref(said);
	/* The bus is closed last of all: then there is nobody left to make it, or to be told. */
	if (made || making->server->store == NULL) {
		making->made(making->user, made ? MRL_OK : MRL_STOPPED, MRL_CODE_OK, NULL);
		free(making);
		return;
	}
	mrl__rooms_make(making->server, &making->creation, NULL, on_made_here, making);
}

static void write_player(struct mrl__json *json, const char *key, const struct mrl_play_player *player)
{
	mrl__json_open(json, key);
	mrl__write_id(json, "person", player->person);
	mrl__json_number(json, "kind", player->kind);
	mrl__json_text(json, "name", player->name);
	mrl__nodes_write_hash(json, "secret", player->secret);
	mrl__json_close(json);
}

static bool ask_node(struct making *making, uint64_t node)
{
	struct mrl__nodes *nodes = making->server->nodes;
	const struct mrl_play_creation *creation = &making->creation;
	struct mrl__json *json = mrl__nodes_write(nodes, "lobby-make");
	char subject[MRL__SUBJECT_SIZE];

	mrl__write_id(json, "game", creation->game);
	mrl__lobby_write_settings(json, &creation->settings);
	write_player(json, "owner", &creation->owner);
	write_player(json, "friend", &creation->friend_seat);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", node, "cmd");
	return !json->failed && mrl_bus_request(nodes->bus, subject, json->data, json->length, MAKE_MS, on_made_there,
						making, NULL, NULL) == MRL_OK;
}

void mrl__pairing_make(struct mrl__server *server, const struct mrl_play_creation *creation, mrl__game_made *made,
		       void *user)
{
	struct mrl__nodes *nodes = server->nodes;
	uint64_t node = nodes != NULL ? node_of(nodes, creation->owner.person) : 0;
	struct making *making = nodes != NULL ? calloc(1, sizeof(*making)) : NULL;

	if (making == NULL) {
		mrl__rooms_make(server, creation, NULL, made, user);
		return;
	}
	*making = (struct making){.server = server, .creation = *creation, .made = made, .user = user};
	if (node == nodes->id || !mrl__nodes_may_have(nodes, node) || !ask_node(making, node))
		mrl__rooms_make(server, &making->creation, NULL, on_made_here, making);
}

/* ---- At the node of the first player ----------------------------------------------------------------------------- */

struct answering {
	struct mrl__server *server;
	char reply[];
};

static void answer(struct mrl__server *server, const char *reply, bool ok)
{
	struct mrl__json *json = mrl__nodes_write(server->nodes, "answer");

	mrl__json_bool(json, "ok", ok);
	mrl__nodes_reply(server->nodes, reply);
}

static void on_made(void *user, enum mrl_status status, enum mrl_play_code code, struct mrl__room *room)
{
	struct answering *answering = user;

	(void)code;
	(void)room;
	answer(answering->server, answering->reply, status == MRL_OK || status == MRL_CONFLICT);
	free(answering);
}

static void read_player(const json_t *said, struct mrl_play_player *player)
{
	player->person = mrl__said_id(said, "person");
	player->kind = (uint8_t)mrl__said_number(said, "kind");
	mrl__said_text(player->name, sizeof(player->name), said, "name");
	mrl__said_hash(said, "secret", player->secret);
}

void mrl__pairing_asked(struct mrl__server *server, const json_t *asked, const char *reply)
{
	struct mrl_play_creation creation = {.game = mrl__said_id(asked, "game"), .id = ""};
	size_t length = strlen(reply) + 1;
	struct answering *answering = NULL;

	/* Said twice. */
	if (creation.game != 0 && mrl__rooms_find(server, creation.game) != NULL) {
		answer(server, reply, true);
		return;
	}
	if (creation.game != 0)
		answering = malloc(sizeof(*answering) + length);
	if (answering == NULL) {
		answer(server, reply, false);
		return;
	}
	answering->server = server;
	memcpy(answering->reply, reply, length);
	mrl__lobby_read_settings(asked, &creation.settings);
	read_player(json_object_get(asked, "owner"), &creation.owner);
	read_player(json_object_get(asked, "friend"), &creation.friend_seat);
	mrl__rooms_make(server, &creation, NULL, on_made, answering);
}

/* ---- What both are told ------------------------------------------------------------------------------------------ */

struct mrl__paired {
	struct mrl__paired *next;
	uint64_t person;
	uint64_t offer;
	uint64_t until; /* ms */
	size_t length;
	char text[];
};

void mrl__pairing_remember(struct mrl__nodes *nodes, uint64_t person, uint64_t offer, const char *text, size_t length)
{
	struct mrl__paired *paired = malloc(sizeof(*paired) + length);
	struct mrl__paired **link = &nodes->paired;
	uint64_t now = mrl__now_ms();

	/* The newest first; what is old, or too much, goes. */
	for (size_t i = 0; *link != NULL; i++) {
		struct mrl__paired *one = *link;

		if (one->until > now && i < MOST_REMEMBERED - 1) {
			link = &one->next;
			continue;
		}
		*link = one->next;
		free(one);
	}
	if (paired == NULL)
		return;
	*paired = (struct mrl__paired){
	    .next = nodes->paired, .person = person, .offer = offer, .until = now + REMEMBER_MS, .length = length};
	memcpy(paired->text, text, length);
	nodes->paired = paired;
}

void mrl__pairing_write(struct mrl__json *json, const struct mrl__nodes *nodes, const json_t *asked)
{
	const json_t *waits = json_object_get(asked, "waits");
	size_t index = 0;
	json_t *one = NULL;

	mrl__json_open_list(json, "paired");
	json_array_foreach(waits, index, one)
	{
		uint64_t person = mrl__said_id(one, "person");
		uint64_t offer = mrl__said_id(one, "offer");

		for (const struct mrl__paired *paired = nodes->paired; paired != NULL; paired = paired->next) {
			if (paired->person != person || paired->offer != offer)
				continue;
			mrl__json_open(json, NULL);
			mrl__write_id(json, "person", person);
			mrl__json_bytes(json, "text", paired->text, paired->length);
			mrl__json_close(json);
			break;
		}
	}
	mrl__json_close_list(json);
}

void mrl__pairing_release(struct mrl__nodes *nodes)
{
	while (nodes->paired != NULL) {
		struct mrl__paired *paired = nodes->paired;

		nodes->paired = paired->next;
		free(paired);
	}
}
