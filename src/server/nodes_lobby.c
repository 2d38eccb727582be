/*
 * One lobby for all nodes: one of them has it, by the store's word, and others send it what their sockets want and show
 * what it says. Who has it may change at any moment; then each node says again what its own sockets want.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_in.h"
#include "nodes_inside.h"
#include "outbox.h"
#include "peer.h"
#include "server_internal.h"
#include "snapshot.h"

enum {
	TAKE_MS = 1000,   /* who has the lobby is looked up */
	STILL_MS = 2000,  /* who waits is said again */
	AWAY_MS = 8000,   /* whoever was not said to wait is gone */
	ANSWER_MS = 3000, /* how long the lobby may take to answer */
	TOLD_MS = 20000,  /* who took an offer hears of the game, or does not any more */
	MOST = 2048       /* offers of this node, and persons of others that have one */
};

bool mrl__lobby_is_far(const struct mrl__server *server)
{
	return server->nodes != NULL && server->nodes->lobby != server->nodes->id;
}

static void subject_of(const struct mrl__nodes *nodes, char subject[MRL__SUBJECT_SIZE], const char *name)
{
	(void)snprintf(subject, MRL__SUBJECT_SIZE, "%s%s", nodes->prefix, name);
}

/* ---- Offers on the way ------------------------------------------------------------------------------------------- */

void mrl__lobby_write_settings(struct mrl__json *json, const struct mrl_play_settings *settings)
{
	mrl__json_text(json, "rules", settings->rules);
	mrl__json_number(json, "clock", settings->tempo.kind);
	mrl__json_number(json, "base", settings->tempo.base);
	mrl__json_number(json, "increment", settings->tempo.increment);
	mrl__json_number(json, "days", settings->tempo.days);
	mrl__json_bool(json, "rated", settings->rated);
	mrl__json_bool(json, "unlisted", settings->unlisted);
	mrl__json_bool(json, "phrases", settings->phrases);
	mrl__json_number(json, "first", settings->first);
}

static void write_seek(struct mrl__json *json, const struct mrl_lobby_seek *seek)
{
	mrl__write_id(json, "id", seek->id);
	mrl__write_id(json, "person", seek->player.person);
	mrl__json_number(json, "kind", seek->player.kind);
	mrl__json_text(json, "name", seek->player.name);
	mrl__lobby_write_settings(json, &seek->settings);
	mrl__json_signed(json, "rating", seek->rating.rating);
	mrl__json_signed(json, "deviation", seek->rating.deviation);
	mrl__json_signed(json, "volatility", seek->rating.volatility);
	mrl__json_signed(json, "lowest", seek->lowest);
	mrl__json_signed(json, "highest", seek->highest);
	mrl__json_bool(json, "pool", seek->pool);
}

void mrl__lobby_read_settings(const json_t *said, struct mrl_play_settings *settings)
{
	mrl__said_text(settings->rules, sizeof(settings->rules), said, "rules");
	settings->tempo.kind = (uint8_t)mrl__said_number(said, "clock");
	settings->tempo.base = (uint32_t)mrl__said_number(said, "base");
	settings->tempo.increment = (uint32_t)mrl__said_number(said, "increment");
	settings->tempo.days = (uint8_t)mrl__said_number(said, "days");
	settings->rated = json_is_true(json_object_get(said, "rated"));
	settings->unlisted = json_is_true(json_object_get(said, "unlisted"));
	settings->phrases = json_is_true(json_object_get(said, "phrases"));
	settings->first = (uint8_t)mrl__said_number(said, "first");
}

static void read_seek(const json_t *said, struct mrl_lobby_seek *seek)
{
	*seek = (struct mrl_lobby_seek){.id = mrl__said_id(said, "id")};
	seek->player.person = mrl__said_id(said, "person");
	seek->player.kind = (uint8_t)mrl__said_number(said, "kind");
	mrl__said_text(seek->player.name, sizeof(seek->player.name), said, "name");
	mrl__lobby_read_settings(said, &seek->settings);
	seek->rating =
	    (struct mrl_rating){(int32_t)mrl__said_number(said, "rating"), (int32_t)mrl__said_number(said, "deviation"),
				(int32_t)mrl__said_number(said, "volatility")};
	seek->lowest = (int32_t)mrl__said_number(said, "lowest");
	seek->highest = (int32_t)mrl__said_number(said, "highest");
	seek->pool = json_is_true(json_object_get(said, "pool"));
}

/* ---- What the sockets of this node want -------------------------------------------------------------------------- */

static void want(struct mrl__nodes *nodes, const struct mrl_lobby_seek *seek)
{
	if (nodes->wants == NULL)
		nodes->wants = calloc(MOST, sizeof(*nodes->wants));
	if (nodes->wants != NULL && nodes->want_count < MOST)
		nodes->wants[nodes->want_count++] = *seek;
}

/* Not any more: an offer, or all of a person. */
static void want_no_more(struct mrl__nodes *nodes, uint64_t offer, uint64_t person)
{
	for (size_t i = 0; i < nodes->want_count;) {
		if (nodes->wants[i].id == offer || nodes->wants[i].player.person == person)
			nodes->wants[i] = nodes->wants[--nodes->want_count];
		else
			i++;
	}
	for (size_t i = 0; i < nodes->take_count;) {
		if (nodes->takes[i].offer == offer || nodes->takes[i].person == person)
			nodes->takes[i] = nodes->takes[--nodes->take_count];
		else
			i++;
	}
}

/* An offer was taken by somebody here, who is to be told of the game. The oldest is given up. */
static void note_take(struct mrl__nodes *nodes, uint64_t offer, uint64_t person)
{
	if (nodes->take_count == MRL__TAKES_MOST)
		memmove(&nodes->takes[0], &nodes->takes[1], --nodes->take_count * sizeof(nodes->takes[0]));
	nodes->takes[nodes->take_count++] =
	    (struct mrl__take){.offer = offer, .person = person, .until = mrl__now_ms() + TOLD_MS};
}

struct wish {
	struct mrl__server *server;
	struct mrl__peer *peer; /* held; NULL: said again */
	char id[MRL_PLAY_COMMAND_ID_SIZE];
	uint64_t offer;
	bool takes;
	bool ends;
	struct mrl_lobby_seek seek;
};

static void on_wish(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct wish *wish = user;
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;
	struct mrl__nodes *nodes = wish->server->nodes;
	bool good = json_is_true(json_object_get(said, "ok"));

	if (good && mrl__said_number(said, "code") == MRL_CODE_OK && nodes != NULL) {
		if (wish->ends)
			want_no_more(nodes, wish->offer, 0);
		else if (wish->takes)
			note_take(nodes, wish->offer, wish->seek.player.person);
		else if (wish->peer != NULL)
			want(nodes, &wish->seek);
		if (wish->peer != NULL && mrl__peer_is_here(wish->peer))
			mrl__desk_done(wish->peer, wish->id[0] != '\0' ? wish->id : NULL, wish->offer);
	} else if (wish->peer == NULL && !wish->ends && !wish->takes && !good && nodes != NULL) {
		nodes->unsaid = true;
	} else if (wish->peer != NULL && mrl__peer_is_here(wish->peer)) {
		const char *id = wish->id[0] != '\0' ? wish->id : NULL;

		if (id != NULL)
			mrl__peer_forget(wish->peer, id);
		if (good && mrl__said_number(said, "code") < MRL_CODES)
			mrl__peer_refuse(wish->peer, id, NULL,
					 mrl_play_code_name((enum mrl_play_code)mrl__said_number(said, "code")),
					 mrl_play_code_sentence((enum mrl_play_code)mrl__said_number(said, "code")));
		else
			mrl__peer_refuse(wish->peer, id, NULL, "unavailable",
					 "The lobby cannot be reached at the moment; try again.");
	}
	json_decref(said);
	if (wish->peer != NULL)
		mrl__peer_drop(wish->peer);
	free(wish);
}

void mrl__lobby_ask(struct mrl__server *server, struct mrl__peer *peer, const char *id, const char *kind,
		    uint64_t offer, const struct mrl_lobby_seek *seek)
{
	struct mrl__nodes *nodes = server->nodes;
	struct wish *wish = calloc(1, sizeof(*wish));
	char subject[MRL__SUBJECT_SIZE];

	if (wish == NULL)
		return;
	*wish = (struct wish){.server = server, .peer = peer, .offer = offer, .seek = *seek};
	wish->takes = strcmp(kind, "lobby-take") == 0;
	wish->ends = strcmp(kind, "lobby-unseek") == 0;
	if (id != NULL && strlen(id) < sizeof(wish->id))
		memcpy(wish->id, id, strlen(id) + 1);
	if (peer != NULL)
		mrl__peer_hold(peer);
	struct mrl__json *json = mrl__nodes_write(nodes, kind);

	mrl__write_id(json, "offer", offer);
	write_seek(json, seek);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", nodes->lobby, "cmd");
	if (nodes->lobby == 0 || json->failed ||
	    mrl_bus_request(nodes->bus, subject, json->data, json->length, ANSWER_MS, on_wish, wish, NULL, NULL) !=
		MRL_OK)
		on_wish(wish, MRL_SYSTEM, NULL);
}

bool mrl__lobby_settings(const struct mrl__server *server, uint64_t offer, struct mrl_play_settings *settings)
{
	size_t index = 0;
	json_t *one = NULL;

	json_array_foreach(server->nodes->seeks, index, one)
	{
		struct mrl_lobby_seek seek;

		if (mrl__said_id(one, "id") != offer)
			continue;
		read_seek(one, &seek);
		*settings = seek.settings;
		return true;
	}
	return false;
}

/* ---- The lobby's own node ---------------------------------------------------------------------------------------- */

static void hold_person(struct mrl__server *server, uint64_t person, uint64_t node)
{
	struct mrl__nodes *nodes = server->nodes;

	if (nodes->aways == NULL)
		nodes->aways = calloc(MOST, sizeof(*nodes->aways));
	for (size_t i = 0; nodes->aways != NULL && i < nodes->away_count; i++) {
		if (nodes->aways[i].person == person && nodes->aways[i].node == node) {
			nodes->aways[i].until = mrl__now_ms() + AWAY_MS;
			return;
		}
	}
	if (nodes->aways == NULL || nodes->away_count == MOST ||
	    !mrl_lobby_connect(&server->desk.lobby, person, mrl__service_time(server)))
		return;
	nodes->aways[nodes->away_count++] =
	    (struct mrl__away){.person = person, .node = node, .until = mrl__now_ms() + AWAY_MS};
}

static void let_go(struct mrl__server *server, uint64_t now)
{
	struct mrl__nodes *nodes = server->nodes;

	for (size_t i = 0; i < nodes->away_count;) {
		if (nodes->aways[i].until > now) {
			i++;
			continue;
		}
		mrl_lobby_disconnect(&server->desk.lobby, nodes->aways[i].person, true, mrl__service_time(server));
		nodes->aways[i] = nodes->aways[--nodes->away_count];
	}
}

void mrl__lobby_asked(struct mrl__server *server, const char *kind, const json_t *asked, const char *reply)
{
	struct mrl__nodes *nodes = server->nodes;
	struct mrl_lobby *lobby = &server->desk.lobby;
	bool mine = nodes->lobby == nodes->id && !nodes->draining && !nodes->stopping;
	enum mrl_play_code code = MRL_CODE_NO_SEEK;
	struct mrl_lobby_seek seek;

	if (strcmp(kind, "lobby-still") == 0) {
		size_t index = 0;
		json_t *one = NULL;

		json_array_foreach(json_object_get(asked, "persons"), index, one)
		{
			uint64_t person = 0;

			if (mine && json_is_string(one) &&
			    mrl_id_read(json_string_value(one), json_string_length(one), &person))
				hold_person(server, person, mrl__said_number(asked, "node"));
		}
		struct mrl__json *told = mrl__nodes_write(nodes, "answer");

		mrl__pairing_write(told, nodes, asked);
		mrl__nodes_reply(nodes, reply);
		return;
	}
	if (strcmp(kind, "lobby-make") == 0) {
		mrl__pairing_asked(server, asked, reply);
		return;
	}
	read_seek(asked, &seek);
	if (mine && strcmp(kind, "lobby-unseek") == 0) {
		code = mrl_lobby_unseek(lobby, mrl__said_id(asked, "offer"), seek.player.person);
	} else if (mine) {
		hold_person(server, seek.player.person, mrl__said_number(asked, "node"));
		code = strcmp(kind, "lobby-take") == 0 ? mrl__desk_take_for(server, mrl__said_id(asked, "offer"), &seek)
						       : mrl_lobby_seek(lobby, &seek, mrl__service_time(server));
	}
	struct mrl__json *json = mrl__nodes_write(nodes, "answer");

	mrl__json_bool(json, "ok", mine);
	mrl__json_number(json, "code", code);
	mrl__nodes_reply(nodes, reply);
}

void mrl__lobby_publish(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	const struct mrl_lobby_seek *seek = NULL;
	char subject[MRL__SUBJECT_SIZE];
	size_t index = 0;

	if (nodes == NULL || nodes->lobby != nodes->id)
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "offers");

	mrl__json_open_list(json, "offers");
	while ((seek = mrl_lobby_next(&server->desk.lobby, &index)) != NULL)
		mrl__write_seek(json, NULL, server, seek);
	mrl__json_close_list(json);
	mrl__json_open_list(json, "seeks");
	for (index = 0; (seek = mrl_lobby_next(&server->desk.lobby, &index)) != NULL;) {
		mrl__json_open(json, NULL);
		write_seek(json, seek);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	subject_of(nodes, subject, "lobby.evt");
	mrl__nodes_publish(nodes, subject);
}

/* ---- What the lobby says ----------------------------------------------------------------------------------------- */

static void say_again(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	nodes->unsaid = false;
	for (size_t i = 0; i < nodes->want_count; i++) {
		if (mrl__lobby_is_far(server))
			mrl__lobby_ask(server, NULL, NULL, "lobby-seek", nodes->wants[i].id, &nodes->wants[i]);
		else
			(void)mrl_lobby_seek(&server->desk.lobby, &nodes->wants[i], mrl__service_time(server));
	}
	if (!mrl__lobby_is_far(server))
		nodes->want_count = 0;
}

void mrl__lobby_heard(struct mrl__server *server, const json_t *said)
{
	struct mrl__nodes *nodes = server->nodes;
	json_t *offers = json_object_get(said, "offers");
	json_t *seeks = json_object_get(said, "seeks");

	/* A node that is drained takes no lobby, and hears here who has it. */
	if (nodes->draining && nodes->lobby == 0 && mrl__said_number(said, "node") != nodes->id) {
		nodes->lobby = mrl__said_number(said, "node");
		say_again(server);
	}
	if (mrl__said_number(said, "node") != nodes->lobby || !mrl__lobby_is_far(server) || !json_is_array(offers) ||
	    !json_is_array(seeks))
		return;
	char *text = json_dumps(offers, JSON_COMPACT);
	bool same = text != NULL && nodes->offers != NULL && strcmp(text, nodes->offers) == 0;

	if (text == NULL)
		return;
	free(nodes->offers);
	nodes->offers = text;
	json_decref(nodes->seeks);
	nodes->seeks = json_incref(seeks);
	if (!same)
		mrl__desk_show_all(server);
}

/* ---- Who has the lobby ------------------------------------------------------------------------------------------- */

/* What this node's own sockets want of the lobby that was its own is wanted of another's. */
static void become_far(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	struct mrl_lobby *lobby = &server->desk.lobby;

	let_go(server, UINT64_MAX);
	while (lobby->seek_count > 0) {
		const struct mrl_lobby_seek seek = lobby->seeks[0];

		if (mrl_lobby_connected(lobby, seek.player.person))
			want(nodes, &seek);
		(void)mrl_lobby_unseek(lobby, seek.id, seek.player.person);
	}
}

static void on_lobby(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__server *server = user;
	struct mrl__nodes *nodes = server->nodes;

	nodes->lobbying = false;
	if (answer->status != MRL_OK || answer->owner_count == 0 || server->stopping)
		return;
	uint64_t owner = answer->owners[0].node;

	nodes->lobby_fence = answer->owners[0].fence;
	if (owner == nodes->lobby)
		return;
	bool was = nodes->lobby == nodes->id;

	nodes->lobby = owner;
	if (was)
		become_far(server);
	if (owner == nodes->id)
		mrl_log(&server->log, MRL_LOG_INFO, "the lobby is here");
	say_again(server);
	/* What the one before had and nobody has said again is gone. */
	if (owner == nodes->id)
		mrl__desk_show_all(server);
}

static void on_left(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__server *server = user;

	if (answer->status == MRL_OK && server->nodes != NULL && !server->stopping)
		mrl__nodes_tell_free(server->nodes);
}

/* Draining: another node gets it, and is told again what the sockets here want. */
void mrl__lobby_leave(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	if (nodes->lobby != nodes->id)
		return;
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_release(change, MRL_STORE_LOBBY, nodes->lobby_fence, mrl__service_time(server));
	if (mrl_store_submit(server->store, change, on_left, server, NULL) != MRL_OK)
		return;
	nodes->lobby = 0;
	become_far(server);
}

static void write_wait(struct mrl__json *json, uint64_t offer, uint64_t person)
{
	mrl__json_open(json, NULL);
	mrl__write_id(json, "offer", offer);
	mrl__write_id(json, "person", person);
	mrl__json_close(json);
}

/* Of whom the lobby knows that they are paired, and should have heard: it was lost. */
static void on_still(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct mrl__server *server = user;
	json_t *said = status == MRL_OK ? mrl__json_read(message->data, message->length) : NULL;
	size_t index = 0;
	json_t *one = NULL;

	json_array_foreach(json_object_get(said, "paired"), index, one)
	{
		if (server->nodes != NULL && !server->stopping && mrl__said_id(one, "person") != 0)
			mrl__nodes_told(server, mrl__said_id(one, "person"), one);
	}
	json_decref(said);
}

static void say_still(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	char subject[MRL__SUBJECT_SIZE];

	for (size_t i = 0; i < nodes->want_count;) {
		if (mrl_lobby_connected(&server->desk.lobby, nodes->wants[i].player.person))
			i++;
		else
			nodes->wants[i] = nodes->wants[--nodes->want_count];
	}
	for (size_t i = 0; i < nodes->take_count;) {
		if (nodes->takes[i].until > mrl__now_ms())
			i++;
		else
			nodes->takes[i] = nodes->takes[--nodes->take_count];
	}
	if (nodes->want_count + nodes->take_count == 0 || nodes->lobby == 0)
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "lobby-still");

	mrl__json_open_list(json, "persons");
	for (size_t i = 0; i < nodes->want_count; i++)
		mrl__write_id(json, NULL, nodes->wants[i].player.person);
	mrl__json_close_list(json);
	mrl__json_open_list(json, "waits");
	for (size_t i = 0; i < nodes->want_count; i++)
		write_wait(json, nodes->wants[i].id, nodes->wants[i].player.person);
	for (size_t i = 0; i < nodes->take_count; i++)
		write_wait(json, nodes->takes[i].offer, nodes->takes[i].person);
	mrl__json_close_list(json);
	mrl__json_close(json);
	mrl__nodes_subject(nodes, subject, "node", nodes->lobby, "cmd");
	/* What is not answered now is asked again. */
	if (!json->failed && mrl_bus_request(nodes->bus, subject, json->data, json->length, STILL_MS, on_still, server,
					     NULL, NULL) != MRL_OK)
		nodes->still_at = mrl__now_ms() + STILL_MS;
}

void mrl__lobby_tick(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	uint64_t now = mrl__now_ms();

	if (now >= nodes->lobby_at && !nodes->lobbying && !nodes->draining && !nodes->stopping) {
		struct mrl_store_change *change = mrl_change_new();

		nodes->lobby_at = now + TAKE_MS;
		mrl_change_take(change, MRL_STORE_LOBBY, mrl__service_time(server));
		nodes->lobbying = mrl_store_submit(server->store, change, on_lobby, server, NULL) == MRL_OK;
	}
	if (now < nodes->still_at)
		return;
	nodes->still_at = now + STILL_MS;
	if (mrl__lobby_is_far(server)) {
		if (nodes->unsaid)
			say_again(server);
		say_still(server);
	} else {
		let_go(server, now);
		mrl__lobby_publish(server);
	}
}

/* ---- Somebody on whatever node ----------------------------------------------------------------------------------- */

void mrl__nodes_tell(struct mrl__server *server, uint64_t person, const char *text, size_t length)
{
	struct mrl__nodes *nodes = server->nodes;
	char subject[MRL__SUBJECT_SIZE];

	if (nodes == NULL)
		return;
	want_no_more(nodes, 0, person);
	struct mrl__json *json = mrl__nodes_write(nodes, "tell");

	mrl__write_id(json, "person", person);
	mrl__json_bytes(json, "text", text, length);
	subject_of(nodes, subject, "people.evt");
	mrl__nodes_publish(nodes, subject);
}

void mrl__nodes_told(struct mrl__server *server, uint64_t person, const json_t *said)
{
	const json_t *text = json_object_get(said, "text");
	json_t *told = json_is_string(text) ? mrl__json_read(json_string_value(text), json_string_length(text)) : NULL;
	const char *kind = json_string_value(json_object_get(told, "t"));
	bool paired = kind != NULL && (strcmp(kind, "paired") == 0 || strcmp(kind, "no") == 0);

	json_decref(told);
	want_no_more(server->nodes, 0, person);
	if (!paired)
		return;
	struct mrl__message *message = mrl__message_new(json_string_value(text), json_string_length(text));

	mrl__peers_send(server, person, message);
	mrl__message_release(message);
}

/* ---- Counts ------------------------------------------------------------------------------------------------------ */

struct mrl_lobby_counts mrl__nodes_counts(const struct mrl__server *server)
{
	const struct mrl__nodes *nodes = server->nodes;
	struct mrl_lobby_counts counts = server->desk.lobby.counts;

	if (nodes == NULL)
		return counts;
	/* Whoever is held here for another node is online there. */
	counts.online -= counts.online < nodes->away_count ? counts.online : (uint32_t)nodes->away_count;
	for (size_t i = 0; i < nodes->seen_count; i++) {
		const struct mrl__node_seen *seen = &nodes->seen[i];

		if (!seen->alive || seen->id == nodes->id)
			continue;
		counts.online += seen->counts.online;
		counts.playing += seen->counts.playing;
		counts.waiting += seen->counts.waiting;
		counts.games += seen->counts.games;
	}
	return counts;
}

void mrl__nodes_write_note(const struct mrl__server *server, char note[64])
{
	const struct mrl_lobby_counts *counts = &server->desk.lobby.counts;
	uint32_t held = (uint32_t)server->nodes->away_count;

	(void)snprintf(note, 64, "%u %u %u %u", counts->online > held ? counts->online - held : 0, counts->playing,
		       counts->waiting, counts->games);
}

void mrl__nodes_read_note(const char *note, struct mrl_lobby_counts *counts)
{
	*counts = (struct mrl_lobby_counts){0};
	if (sscanf(note, "%u %u %u %u", &counts->online, &counts->playing, &counts->waiting, &counts->games) != 4)
		*counts = (struct mrl_lobby_counts){0};
}

void mrl__lobby_release(struct mrl__nodes *nodes)
{
	free(nodes->wants);
	free(nodes->aways);
	free(nodes->offers);
	json_decref(nodes->seeks);
	mrl__pairing_release(nodes);
}
