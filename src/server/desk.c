#include "desk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { MOST_SEEKS = 2048, MOST_PEOPLE = 131072, MOST_TOPICS = 256, MOST_PAIRINGS = 16 };

bool mrl__desk_init(struct mrl__server *server)
{
	struct mrl__desk *desk = &server->desk;
	size_t seeks = MOST_SEEKS * sizeof(struct mrl_lobby_seek);
	size_t people = MOST_PEOPLE * sizeof(struct mrl_lobby_person);
	size_t topics = MOST_TOPICS * sizeof(struct mrl_lobby_topic);
	char *memory = calloc(1, seeks + people + topics);

	desk->memory = memory;
	desk->shown = calloc(MOST_SEEKS, sizeof(*desk->shown));
	if (memory == NULL || desk->shown == NULL)
		return false;
	/* All three begin with 64 bits and have sizes that are a multiple of 8. */
	void *at_people = memory + seeks;
	void *at_topics = memory + seeks + people;

	mrl_lobby_init(&desk->lobby, desk->memory, MOST_SEEKS, at_people, MOST_PEOPLE, at_topics, MOST_TOPICS);
	return true;
}

void mrl__desk_release(struct mrl__server *server)
{
	free(server->desk.memory);
	free(server->desk.shown);
	server->desk = (struct mrl__desk){0};
}

/* ---- Coming and going --------------------------------------------------------------------------------------- */

void mrl__desk_peer_here(struct mrl__peer *peer)
{
	if (peer->person.id != 0)
		(void)mrl_lobby_connect(&peer->server->desk.lobby, peer->person.id, mrl__service_time(peer->server));
}

void mrl__desk_peer_gone(struct mrl__peer *peer)
{
	if (peer->link_lobby != NULL)
		mrl__desk_show(peer, false);
	if (peer->ready && peer->person.id != 0)
		mrl_lobby_disconnect(&peer->server->desk.lobby, peer->person.id, peer->closed_tab,
				     mrl__service_time(peer->server));
}

static void write_counts(struct mrl__json *json, const struct mrl__server *server)
{
	const struct mrl_lobby_counts counts = mrl__nodes_counts(server);

	mrl__json_open(json, "counts");
	mrl__write_counts(json, &counts);
	mrl__json_close(json);
}

void mrl__desk_write(struct mrl__json *json, const struct mrl__server *server)
{
	const struct mrl_lobby *lobby = &server->desk.lobby;
	const struct mrl_lobby_seek *seek = NULL;
	size_t index = 0;

	if (mrl__lobby_is_far(server)) {
		const char *offers = server->nodes->offers != NULL ? server->nodes->offers : "[]";

		mrl__json_raw(json, "offers", offers, strlen(offers));
		write_counts(json, server);
		return;
	}
	mrl__json_open_list(json, "offers");
	while ((seek = mrl_lobby_next(lobby, &index)) != NULL)
		mrl__write_seek(json, NULL, server, seek);
	mrl__json_close_list(json);
	write_counts(json, server);
}

void mrl__desk_show(struct mrl__peer *peer, bool on)
{
	struct mrl__peer **first = &peer->server->peers.lobby;
	struct mrl__json *json = &peer->server->json;

	if (!on && peer->link_lobby != NULL) {
		*peer->link_lobby = peer->next_lobby;
		if (peer->next_lobby != NULL)
			peer->next_lobby->link_lobby = peer->link_lobby;
		peer->link_lobby = NULL;
	}
	if (!on)
		return;
	if (peer->link_lobby == NULL) {
		peer->next_lobby = *first;
		peer->link_lobby = first;
		if (*first != NULL)
			(*first)->link_lobby = &peer->next_lobby;
		*first = peer;
	}
	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "lobby");
	mrl__desk_write(json, peer->server);
	mrl__json_close(json);
	mrl__peer_send_json(peer, json);
}

/* Sends what is written in the server's JSON to all who look. */
static void tell_lookers(struct mrl__server *server)
{
	struct mrl__message *message =
	    server->json.failed ? NULL : mrl__message_new(server->json.data, server->json.length);

	for (struct mrl__peer *peer = server->peers.lobby; peer != NULL; peer = peer->next_lobby)
		mrl__peer_send(peer, message, false);
	mrl__message_release(message);
}

static void tell_gone(struct mrl__server *server, uint64_t offer)
{
	mrl__json_reset(&server->json);
	mrl__json_open(&server->json, NULL);
	mrl__json_text(&server->json, "t", "lobby");
	mrl__write_id(&server->json, "gone", offer);
	mrl__json_close(&server->json);
	tell_lookers(server);
}

static void tell_added(struct mrl__server *server, const struct mrl_lobby_seek *seek)
{
	mrl__json_reset(&server->json);
	mrl__json_open(&server->json, NULL);
	mrl__json_text(&server->json, "t", "lobby");
	mrl__write_seek(&server->json, "add", server, seek);
	mrl__json_close(&server->json);
	tell_lookers(server);
}

/* Tells those who look what has come and what has gone. Both lists are in the order of coming. */
static void show_changes(struct mrl__server *server)
{
	struct mrl__desk *desk = &server->desk;
	const struct mrl_lobby_seek *seek = NULL;
	size_t index = 0;
	size_t kept = 0;
	size_t old = 0;

	if (desk->version == desk->lobby.version || mrl__lobby_is_far(server))
		return;
	desk->version = desk->lobby.version;
	mrl__lobby_publish(server);
	for (old = 0; old < desk->shown_count; old++) {
		bool there = false;

		for (index = 0; !there && (seek = mrl_lobby_next(&desk->lobby, &index)) != NULL;)
			there = seek->id == desk->shown[old];
		if (there)
			desk->shown[kept++] = desk->shown[old];
		else
			tell_gone(server, desk->shown[old]);
	}
	desk->shown_count = kept;
	for (index = 0; (seek = mrl_lobby_next(&desk->lobby, &index)) != NULL;) {
		bool known = false;

		for (size_t i = 0; !known && i < kept; i++)
			known = desk->shown[i] == seek->id;
		if (known || desk->shown_count == MOST_SEEKS)
			continue;
		desk->shown[desk->shown_count++] = seek->id;
		tell_added(server, seek);
	}
}

void mrl__desk_second(struct mrl__server *server)
{
	struct mrl__desk *desk = &server->desk;
	const struct mrl_lobby_counts counts = mrl__nodes_counts(server);

	if (server->peers.second % 2 != 0 || memcmp(&desk->told, &counts, sizeof(desk->told)) == 0)
		return;
	desk->told = counts;
	mrl__json_reset(&server->json);
	mrl__json_open(&server->json, NULL);
	mrl__json_text(&server->json, "t", "counts");
	mrl__write_counts(&server->json, &counts);
	mrl__json_close(&server->json);
	tell_lookers(server);
}

/* ---- Two have found each other ------------------------------------------------------------------------------ */

struct pairing {
	struct mrl__server *server;
	uint64_t offer;
	uint64_t game;
	uint64_t persons[2];
	char secrets[2][MRL__SECRET_SIZE];
};

static void on_made(void *user, enum mrl_status status, enum mrl_play_code code, struct mrl__room *room)
{
	struct pairing *pairing = user;
	struct mrl__json *json = &pairing->server->json;

	(void)room;
	for (unsigned seat = 0; seat < 2; seat++) {
		mrl__json_reset(json);
		mrl__json_open(json, NULL);
		mrl__json_text(json, "t", status == MRL_OK ? "paired" : "no");
		mrl__write_id(json, "offer", pairing->offer);
		if (status == MRL_OK) {
			mrl__write_id(json, "game", pairing->game);
			mrl__json_number(json, "seat", seat);
			mrl__json_text(json, "secret", pairing->secrets[seat]);
		} else {
			mrl__json_text(json, "code", status == MRL_RANGE ? mrl_play_code_name(code) : "unavailable");
			mrl__json_text(json, "text", "The game could not be made; try again.");
		}
		mrl__json_close(json);
		struct mrl__message *message = json->failed ? NULL : mrl__message_new(json->data, json->length);

		mrl__peers_send(pairing->server, pairing->persons[seat], message);
		if (!json->failed && pairing->server->nodes != NULL) {
			mrl__nodes_tell(pairing->server, pairing->persons[seat], json->data, json->length);
			mrl__pairing_remember(pairing->server->nodes, pairing->persons[seat], pairing->offer,
					      json->data, json->length);
		}
		mrl__message_release(message);
	}
	free(pairing);
}

static void make_game(struct mrl__server *server, struct mrl_lobby_pairing *paired)
{
	struct pairing *pairing = calloc(1, sizeof(*pairing));
	struct mrl_play_creation creation = {.game = mrl__random_id(),
					     .settings = paired->owner.settings,
					     .owner = paired->owner.player,
					     .friend_seat = paired->friend_seat.player,
					     .id = ""};

	if (pairing == NULL)
		return;
	pairing->server = server;
	pairing->offer = paired->owner.id;
	pairing->game = creation.game;
	pairing->persons[0] = paired->owner.player.person;
	pairing->persons[1] = paired->friend_seat.player.person;
	creation.settings.first = (uint8_t)paired->first;
	mrl__secret_new(pairing->secrets[0], creation.owner.secret);
	mrl__secret_new(pairing->secrets[1], creation.friend_seat.secret);
	mrl__pairing_make(server, &creation, on_made, pairing);
}

void mrl__desk_tick(struct mrl__server *server)
{
	struct mrl_lobby *lobby = &server->desk.lobby;
	struct mrl_lobby_pairing *pairings = NULL;
	size_t count = 0;

	if (!mrl__lobby_is_far(server) && mrl_lobby_deadline(lobby) <= server->time) {
		pairings = malloc(MOST_PAIRINGS * sizeof(*pairings));
		if (pairings != NULL)
			count = mrl_lobby_tick(lobby, server->time, mrl__random(), pairings, MOST_PAIRINGS);
		for (size_t i = 0; i < count; i++)
			make_game(server, &pairings[i]);
		free(pairings);
	}
	show_changes(server);
}

/* ---- Offers ------------------------------------------------------------------------------------------------- */

static void refuse(struct mrl__peer *peer, const char *id, enum mrl_play_code code)
{
	mrl__peer_refuse(peer, id, NULL, mrl_play_code_name(code), mrl_play_code_sentence(code));
}

static void tell_offer(struct mrl__peer *peer, const char *id, uint64_t offer)
{
	struct mrl__json *json = &peer->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "done");
	if (id != NULL)
		mrl__json_text(json, "id", id);
	mrl__write_id(json, "offer", offer);
	mrl__json_close(json);
	mrl__peer_send_json(peer, json);
}

/* What waits for the rating of who does it. */
struct asking {
	struct mrl__peer *peer; /* held */
	bool takes;             /* an offer of somebody; else makes one */
	uint64_t offer;
	struct mrl_lobby_seek seek;
	char id[MRL_PLAY_COMMAND_ID_SIZE];
};

static void finish(struct asking *asking)
{
	struct mrl__peer *peer = asking->peer;
	struct mrl__server *server = peer->server;
	struct mrl_lobby_pairing *pairing = NULL;
	enum mrl_play_code code = MRL_CODE_OK;

	if (!mrl__peer_is_here(peer)) {
		mrl__peer_drop(peer);
		free(asking);
		return;
	}
	if (mrl__lobby_is_far(server)) {
		mrl__lobby_ask(server, peer, asking->id, asking->takes ? "lobby-take" : "lobby-seek",
			       asking->takes ? asking->offer : asking->seek.id, &asking->seek);
		mrl__peer_drop(peer);
		free(asking);
		return;
	}
	if (!asking->takes) {
		code = mrl_lobby_seek(&server->desk.lobby, &asking->seek, mrl__service_time(server));
		if (code == MRL_CODE_OK)
			tell_offer(peer, asking->id, asking->seek.id);
	} else {
		pairing = malloc(sizeof(*pairing));
		code = pairing == NULL ? MRL_CODE_LOBBY_FULL
				       : mrl_lobby_take(&server->desk.lobby, asking->offer, &asking->seek,
							mrl__service_time(server), pairing);
		if (code == MRL_CODE_OK) {
			tell_offer(peer, asking->id, asking->offer);
			make_game(server, pairing);
		}
		free(pairing);
	}
	if (code != MRL_CODE_OK) {
		mrl__peer_forget(peer, asking->id);
		refuse(peer, asking->id, code);
	}
	mrl__peer_drop(peer);
	free(asking);
}

static void on_rating(void *user, const struct mrl_store_answer *answer)
{
	struct asking *asking = user;

	if (answer->status != MRL_OK) {
		mrl__peer_forget(asking->peer, asking->id);
		mrl__peer_refuse(asking->peer, asking->id, NULL, "unavailable",
				 "Your rating cannot be read at the moment; try again later.");
		mrl__peer_drop(asking->peer);
		free(asking);
		return;
	}
	for (size_t i = 0; i < answer->rating_count; i++) {
		const struct mrl_store_rating *rating = &answer->ratings[i];

		if (rating->person == asking->seek.player.person)
			asking->seek.rating = (struct mrl_rating){(int32_t)lround(rating->rating * 1000),
								  (int32_t)lround(rating->deviation * 1000),
								  (int32_t)lround(rating->volatility * 1e9)};
	}
	finish(asking);
}

/* Looks up the rating of who asks, for the rules and speed of the game, unless it has none. */
static void ask(struct mrl__peer *peer, const char *id, const struct mrl_lobby_seek *seek, bool takes, uint64_t offer)
{
	struct asking *asking = calloc(1, sizeof(*asking));

	if (asking == NULL) {
		mrl__peer_forget(peer, id);
		refuse(peer, id, MRL_CODE_LOBBY_FULL);
		return;
	}
	*asking = (struct asking){.peer = peer, .takes = takes, .offer = offer, .seek = *seek};
	asking->seek.rating = MRL_RATING_START;
	memcpy(asking->id, id, strlen(id) + 1);
	mrl__peer_hold(peer);
	if (peer->person.kind == MRL_STORE_GUEST ||
	    mrl_store_find_ratings(peer->server->store, peer->person.id, 0, seek->settings.rules,
				   mrl_play_speed(&seek->settings.tempo), on_rating, asking) != MRL_OK)
		finish(asking);
}

enum mrl_play_code mrl__desk_take_for(struct mrl__server *server, uint64_t offer, const struct mrl_lobby_seek *taker)
{
	struct mrl_lobby_pairing *pairing = malloc(sizeof(*pairing));
	enum mrl_play_code code = MRL_CODE_LOBBY_FULL;

	if (pairing != NULL)
		code = mrl_lobby_take(&server->desk.lobby, offer, taker, mrl__service_time(server), pairing);
	if (code == MRL_CODE_OK)
		make_game(server, pairing);
	free(pairing);
	return code;
}

void mrl__desk_done(struct mrl__peer *peer, const char *id, uint64_t offer)
{
	tell_offer(peer, id, offer);
}

void mrl__desk_show_all(struct mrl__server *server)
{
	mrl__json_reset(&server->json);
	mrl__json_open(&server->json, NULL);
	mrl__json_text(&server->json, "t", "lobby");
	mrl__desk_write(&server->json, server);
	mrl__json_close(&server->json);
	tell_lookers(server);
}

void mrl__desk_seek(struct mrl__peer *peer, const char *id, const struct mrl_lobby_seek *seek)
{
	ask(peer, id, seek, false, 0);
}

void mrl__desk_unseek(struct mrl__peer *peer, const char *id, uint64_t offer)
{
	if (mrl__lobby_is_far(peer->server)) {
		const struct mrl_lobby_seek seek = {.player = mrl__player_of(&peer->person)};

		mrl__lobby_ask(peer->server, peer, id, "lobby-unseek", offer, &seek);
		return;
	}
	enum mrl_play_code code = mrl_lobby_unseek(&peer->server->desk.lobby, offer, peer->person.id);

	if (code == MRL_CODE_OK)
		tell_offer(peer, id, offer);
	else
		refuse(peer, id, code);
}

void mrl__desk_take(struct mrl__peer *peer, const char *id, uint64_t offer)
{
	const struct mrl_lobby *lobby = &peer->server->desk.lobby;
	const struct mrl_lobby_seek *seek = NULL;
	size_t index = 0;
	struct mrl_lobby_seek far = {0};

	if (mrl__lobby_is_far(peer->server))
		seek = mrl__lobby_settings(peer->server, offer, &far.settings) ? &far : NULL;
	else
		while ((seek = mrl_lobby_next(lobby, &index)) != NULL && seek->id != offer)
			;
	if (seek == NULL) {
		mrl__peer_forget(peer, id);
		refuse(peer, id, MRL_CODE_NO_SEEK);
		return;
	}
	struct mrl_lobby_seek taker = {.player = mrl__player_of(&peer->person), .settings = seek->settings};

	ask(peer, id, &taker, true, offer);
}
