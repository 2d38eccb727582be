#include "peers.h"

#include <stdlib.h>
#include <string.h>

#include <merels/play_event.h>

#include "peer.h"
#include "server_internal.h"
#include "snapshot.h"

enum {
	FAST_SECONDS = 2,
	SILENT_MS = 40 * 1000,
	SILENT_FAST_MS = 12 * 1000,
	ANSWER_SECONDS = 3, /* who was not asked for so long is not silent */
	LATE_MS = 1500,
	CATCH_UP_MS = 30 * 1000
};

void mrl__peers_add(struct mrl__peers *peers, struct mrl__peer *peer)
{
	peer->slot = (uint8_t)peers->next_slot;
	peers->next_slot = (peers->next_slot + 1) % MRL__PING_SECONDS;
	struct mrl__peer **first = &peers->slots[peer->slot];

	peer->next = *first;
	peer->link = first;
	if (*first != NULL)
		(*first)->link = &peer->next;
	*first = peer;
	peers->count++;
}

static struct mrl__peer **bucket_of(struct mrl__peers *peers, uint64_t person)
{
	/* Ids are random. */
	return &peers->persons[person % MRL__PEER_BUCKETS];
}

/* The next peer of a person from `peer` on. */
static struct mrl__peer *same(struct mrl__peer *peer, uint64_t person)
{
	while (peer != NULL && peer->person.id != person)
		peer = peer->next_same;
	return peer;
}

/* It is known whose it is. */
static void index_person(struct mrl__peer *peer)
{
	struct mrl__peer **first = bucket_of(&peer->server->peers, peer->person.id);

	peer->next_same = *first;
	peer->link_same = first;
	if (*first != NULL)
		(*first)->link_same = &peer->next_same;
	*first = peer;
}

static void stop_closing(struct mrl__peer *peer)
{
	*peer->link_closing = peer->next_closing;
	if (peer->next_closing != NULL)
		peer->next_closing->link_closing = peer->link_closing;
	peer->link_closing = NULL;
}

void mrl__peers_close_later(struct mrl__peer *peer)
{
	struct mrl__peer **first = &peer->server->peers.closing;

	if (peer->link_closing != NULL)
		return;
	peer->next_closing = *first;
	peer->link_closing = first;
	if (*first != NULL)
		(*first)->link_closing = &peer->next_closing;
	*first = peer;
}

void mrl__peers_end_closing(struct mrl__server *server)
{
	struct mrl__peer *next = NULL;

	for (struct mrl__peer *peer = server->peers.closing; peer != NULL; peer = next) {
		next = peer->next_closing;
		/* Ending it may free it. */
		mrl__peer_hold(peer);
		if (mrl__peer_end(peer) && peer->link_closing != NULL)
			stop_closing(peer);
		mrl__peer_drop(peer);
	}
}

void mrl__peers_remove(struct mrl__peers *peers, struct mrl__peer *peer)
{
	mrl__peers_set_fast(peer, false);
	if (peer->link_closing != NULL)
		stop_closing(peer);
	if (peer->link_same != NULL) {
		*peer->link_same = peer->next_same;
		if (peer->next_same != NULL)
			peer->next_same->link_same = peer->link_same;
		peer->link_same = NULL;
	}
	*peer->link = peer->next;
	if (peer->next != NULL)
		peer->next->link = peer->link;
	peer->link = NULL;
	peers->count--;
}

void mrl__peers_set_fast(struct mrl__peer *peer, bool fast)
{
	struct mrl__peer **first = &peer->server->peers.fast;

	if (fast == (peer->link_fast != NULL))
		return;
	if (!fast) {
		*peer->link_fast = peer->next_fast;
		if (peer->next_fast != NULL)
			peer->next_fast->link_fast = peer->link_fast;
		peer->link_fast = NULL;
		return;
	}
	peer->next_fast = *first;
	peer->link_fast = first;
	if (*first != NULL)
		(*first)->link_fast = &peer->next_fast;
	*first = peer;
	/* The lag is wanted with the first turn. */
	mrl__peer_ping(peer);
}

/* ---- Who it is ---------------------------------------------------------------------------------------------- */

/*
 * Three questions to the store, one after the other: whose session it is, whom that person does not want to hear, which
 * games wait for it. Each holds the peer.
 */

static void welcome(struct mrl__peer *peer, const struct mrl_store_answer *games)
{
	struct mrl__server *server = peer->server;
	struct mrl__json *json = &server->json;
	const struct mrl_lobby_counts counts = mrl__nodes_counts(server);
	char id[MRL_ID_TEXT_SIZE];

	if (!mrl__peer_is_here(peer))
		return;
	peer->ready = true;
	mrl__desk_peer_here(peer);
	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "welcome");
	mrl__json_number(json, "v", 1);
	if (peer->person.id != 0)
		mrl__write_person(json, "person", &peer->person);
	else
		mrl__json_null(json, "person");
	mrl__json_number(json, "now", mrl__service_time(server));
	mrl__json_number(json, "ping", MRL__PING_SECONDS * 1000);
	mrl__json_open_list(json, "games");
	for (size_t i = 0; games != NULL && i < games->game_count; i++) {
		mrl_id_write(games->games[i].id, id);
		mrl__json_text(json, NULL, id);
	}
	mrl__json_close_list(json);
	mrl__json_open(json, "counts");
	mrl__write_counts(json, &counts);
	mrl__json_close(json);
	mrl__json_close(json);
	mrl__peer_send_json(peer, json);
	if (peer->wsi != NULL)
		(void)lws_rx_flow_control(peer->wsi, 1);
}

static void on_games(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__peer *peer = user;

	if (answer->status == MRL_OK)
		welcome(peer, answer);
	else
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "store");
	mrl__peer_drop(peer);
}

static void on_mutes(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__peer *peer = user;

	if (answer->status == MRL_OK)
		mrl__mutes_take(&peer->mutes, answer);
	if (mrl_store_list_current(peer->server->store, peer->person.id, on_games, peer) != MRL_OK) {
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "store");
		mrl__peer_drop(peer);
	}
}

static void on_person(void *user, enum mrl_status status, const struct mrl__person *person)
{
	struct mrl__peer *peer = user;

	if (status == MRL_MISSING && peer->by_token) {
		mrl__peer_close(peer, MRL__CLOSE_SESSION, "unknown token");
	} else if (status == MRL_MISSING) {
		welcome(peer, NULL);
	} else if (status != MRL_OK) {
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "store");
	} else if (person->banned_until > mrl__wall_ms()) {
		mrl__peer_close(peer, MRL__CLOSE_SESSION, "banned");
	} else {
		peer->person = *person;
		if (peer->wsi != NULL)
			index_person(peer);
		if (mrl_store_list_mutes(peer->server->store, person->id, on_mutes, peer) == MRL_OK)
			return;
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "store");
	}
	mrl__peer_drop(peer);
}

void mrl__peers_introduce(struct mrl__peer *peer)
{
	if (!peer->has_session) {
		welcome(peer, NULL);
		return;
	}
	mrl__peer_hold(peer);
	mrl__people_find(peer->server, peer->session, peer->by_token, on_person, peer);
}

/* ---- Pings -------------------------------------------------------------------------------------------------- */

void mrl__attention_pass(struct mrl__attention *attention, uint64_t now)
{
	uint64_t passed = attention->seen != 0 ? now - attention->seen : 0;

	attention->clock += passed < LATE_MS ? passed : LATE_MS;
	attention->seen = now;
}

/*
 * Nothing has come for too long: the other end is not there any more, whatever the system believes. But only one who
 * was asked, and had time to answer, is silent: who was idle and begins a game with a clock has other pings from then
 * on.
 */
static bool is_silent(struct mrl__peer *peer, uint64_t most)
{
	const struct mrl__peers *peers = &peer->server->peers;

	if (peers->attention.clock - peer->heard < most || peer->asked == 0 ||
	    peers->second - peer->asked < ANSWER_SECONDS)
		return false;
	peer->server->metrics.dropped_silent++;
	peer->closing = true;
	lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	return true;
}

bool mrl__peers_second(struct mrl__peers *peers, uint64_t now)
{
	if (now < peers->next_second)
		return false;
	peers->next_second = (now - peers->next_second < CATCH_UP_MS ? peers->next_second : now) + 1000;
	return true;
}

void mrl__peers_tick(struct mrl__server *server)
{
	struct mrl__peers *peers = &server->peers;
	bool cut = false;

	mrl__attention_pass(&peers->attention, mrl__now_ms());
	peers->second++;
	for (struct mrl__peer *peer = peers->slots[peers->second % MRL__PING_SECONDS]; peer != NULL;
	     peer = peer->next) {
		if (is_silent(peer, SILENT_MS))
			cut = true;
		else
			mrl__peer_ping(peer);
	}
	for (struct mrl__peer *peer = peers->fast; peer != NULL; peer = peer->next_fast) {
		if (is_silent(peer, SILENT_FAST_MS))
			cut = true;
		else if (peer->pinged == 0 && (peers->second + peer->slot) % FAST_SECONDS == 0)
			mrl__peer_ping(peer);
	}
	/* libwebsockets looks at its timeouts when it is called next; this has it called. */
	if (cut)
		lws_cancel_service(server->context);
}

/* ---- All of somebody's -------------------------------------------------------------------------------------- */

static void close_all(struct mrl__server *server, unsigned code, const char *reason)
{
	for (size_t i = 0; i < MRL__PING_SECONDS; i++) {
		for (struct mrl__peer *peer = server->peers.slots[i]; peer != NULL; peer = peer->next)
			mrl__peer_close(peer, code, reason);
	}
}

void mrl__peers_end_session(struct mrl__server *server, uint64_t person, const unsigned char *session)
{
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person), person);

	for (; peer != NULL; peer = same(peer->next_same, person)) {
		if (memcmp(session, peer->session, MRL__HASH_SIZE) == 0)
			mrl__peer_close(peer, MRL__CLOSE_SESSION, "logged out");
	}
}

void mrl__peers_close(struct mrl__server *server, uint64_t person, const unsigned char *except, unsigned code,
		      const char *reason)
{
	if (person == 0) {
		close_all(server, code, reason);
		return;
	}
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person), person);

	for (; peer != NULL; peer = same(peer->next_same, person)) {
		if (except == NULL || memcmp(except, peer->session, MRL__HASH_SIZE) != 0)
			mrl__peer_close(peer, code, reason);
	}
}

static void on_checked(void *user, enum mrl_status status, const struct mrl__person *person)
{
	struct mrl__peer *peer = user;

	if (status == MRL_MISSING)
		mrl__peer_close(peer, MRL__CLOSE_SESSION, "session ended");
	else if (status == MRL_OK && person->banned_until > mrl__wall_ms())
		mrl__peer_close(peer, MRL__CLOSE_SESSION, "banned");
	else if (status == MRL_OK && person->id == peer->person.id)
		peer->person = *person;
	mrl__peer_drop(peer);
}

void mrl__peers_check(struct mrl__server *server)
{
	for (size_t i = 0; i < MRL__PING_SECONDS; i++) {
		for (struct mrl__peer *peer = server->peers.slots[i]; peer != NULL; peer = peer->next) {
			if (peer->person.id == 0)
				continue;
			mrl__peer_hold(peer);
			mrl__people_find(server, peer->session, peer->by_token, on_checked, peer);
		}
	}
}

void mrl__peers_check_person(struct mrl__server *server, uint64_t person)
{
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person), person);

	for (; peer != NULL; peer = same(peer->next_same, person)) {
		mrl__peer_hold(peer);
		mrl__people_find(server, peer->session, peer->by_token, on_checked, peer);
	}
}

static void send_all(struct mrl__server *server, struct mrl__message *message)
{
	for (size_t i = 0; i < MRL__PING_SECONDS; i++) {
		for (struct mrl__peer *peer = server->peers.slots[i]; peer != NULL; peer = peer->next) {
			if (peer->ready)
				mrl__peer_send(peer, message, true);
		}
	}
}

void mrl__peers_send(struct mrl__server *server, uint64_t person, struct mrl__message *message)
{
	if (person == 0) {
		send_all(server, message);
		return;
	}
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person), person);

	for (; peer != NULL; peer = same(peer->next_same, person)) {
		if (peer->ready)
			mrl__peer_send(peer, message, true);
	}
}

void mrl__peers_renamed(struct mrl__server *server, const struct mrl__person *person)
{
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person->id), person->id);

	for (; peer != NULL; peer = same(peer->next_same, person->id))
		peer->person = *person;
}

void mrl__peers_muted(struct mrl__server *server, uint64_t person, uint64_t muted, bool on)
{
	mrl__peers_muted_here(server, person, muted, on);
	mrl__nodes_muted(server, person, muted, on);
}

void mrl__peers_muted_here(struct mrl__server *server, uint64_t person, uint64_t muted, bool on)
{
	struct mrl__peer *peer = same(*bucket_of(&server->peers, person), person);

	for (; peer != NULL; peer = same(peer->next_same, person)) {
		if (on)
			mrl__mutes_add(&peer->mutes, muted);
		else
			mrl__mutes_remove(&peer->mutes, muted);
	}
}
