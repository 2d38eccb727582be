/* Who watches a game: coming, going, and being told what happens. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { MOST_EVENTS = 64 };

struct mrl__watch *mrl__watch_of(const struct mrl__peer *peer, uint64_t game)
{
	struct mrl__watch *watch = peer->watches;

	while (watch != NULL && watch->room->id != game)
		watch = watch->next_of_peer;
	return watch;
}

unsigned mrl__room_seat_for(const struct mrl__room *room, const struct mrl__order *order)
{
	uint64_t person = order->peer != NULL ? order->peer->person.id : 0;
	unsigned seat = MRL_PLAY_NOBODY;

	if (order->exchange != NULL)
		person = order->exchange->person.id;
	if (person != 0)
		seat = mrl_play_seat_of_person(&room->game, person);
	return seat > 1 && order->has_secret ? mrl_play_seat_of_secret(&room->game, order->secret) : seat;
}

bool mrl__room_may_see(const struct mrl__room *room, uint64_t person, const struct mrl__order *order)
{
	const struct mrl_play_game *game = &room->game;

	if (!game->unlisted || (person != 0 && mrl_play_seat_of_person(game, person) != MRL_PLAY_NOBODY))
		return true;
	if (order->has_secret && mrl_play_seat_of_secret(game, order->secret) != MRL_PLAY_NOBODY)
		return true;
	return order->has_link && game->phase == MRL_PLAY_WAITING && mrl_play_hash_equal(game->link, order->link);
}

void mrl__room_hide(const struct mrl__room *room, struct mrl__order *order)
{
	enum mrl_play_code code = room->game.phase == MRL_PLAY_FINISHED ? MRL_CODE_OVER : MRL_CODE_TAKEN;

	if (order->has_link && mrl_play_hash_equal(room->game.link, order->link))
		mrl__order_refuse(order, room->id, mrl_play_code_name(code), mrl_play_code_sentence(code));
	else
		mrl__order_refuse(order, room->id, "no-game", "There is no such game, or it is not to be seen.");
}

/* ---- Presence ----------------------------------------------------------------------------------------------- */

void mrl__room_tell_presence(struct mrl__room *room)
{
	struct mrl__json *json = &room->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "presence");
	mrl__write_id(json, "game", room->id);
	mrl__write_presence(json, "seats", room);
	mrl__json_close(json);
	struct mrl__message *message = json->failed ? NULL : mrl__message_new(json->data, json->length);

	mrl__room_send(room, message);
	mrl__message_release(message);
}

void mrl__room_presence(struct mrl__room *room, unsigned seat, bool closed_tab)
{
	bool here = room->here[seat] > 0 || room->far_here[seat];

	for (unsigned i = 0; room->owned && i < room->far_count; i++)
		here = here || (room->far[i].seats >> seat & 1) != 0;
	if (here == room->game.present[seat].connected && room->state == MRL__ROOM_READY && !room->owned) {
		mrl__replica_tell(room);
		return;
	}
	mrl_play_presence(&room->game, seat, here, closed_tab, mrl__room_time(room));
	mrl__room_tell_presence(room);
	if (room->owned)
		mrl__owner_tell_state(room);
	else
		mrl__replica_tell(room);
}

unsigned mrl__room_spectators(const struct mrl__room *room)
{
	unsigned count = room->spectator_count;

	for (unsigned i = 0; room->owned && i < room->far_count; i++)
		count += room->far[i].spectators;
	return room->owned ? count : count + room->far_spectators;
}

void mrl__room_watchers_changed(struct mrl__room *room)
{
	if (room->dirty)
		return;
	room->dirty = true;
	room->next_dirty = room->server->rooms.dirty;
	room->server->rooms.dirty = room;
}

static void add_watch(struct mrl__watch *watch)
{
	struct mrl__room *room = watch->room;
	struct mrl__watch **first = watch->seat < 2 ? &room->players : &room->spectators;

	watch->next = *first;
	watch->link = first;
	if (*first != NULL)
		(*first)->link = &watch->next;
	*first = watch;
	if (watch->seat >= 2) {
		room->spectator_count++;
		mrl__room_watchers_changed(room);
		return;
	}
	if (++room->here[watch->seat] > 1)
		return;
	mrl__room_presence(room, watch->seat, false);
}

static void remove_watch(struct mrl__watch *watch, bool closed_tab)
{
	struct mrl__room *room = watch->room;

	*watch->link = watch->next;
	if (watch->next != NULL)
		watch->next->link = watch->link;
	if (watch->seat >= 2) {
		room->spectator_count--;
		mrl__room_watchers_changed(room);
		return;
	}
	if (--room->here[watch->seat] > 0)
		return;
	mrl__room_presence(room, watch->seat, closed_tab);
}

/* Whether any game that the peer still watches is played by the clock. */
static bool still_plays(const struct mrl__peer *peer)
{
	for (const struct mrl__watch *watch = peer->watches; watch != NULL; watch = watch->next_of_peer) {
		if (watch->seat < 2 && watch->room->game.phase == MRL_PLAY_RUNNING &&
		    watch->room->game.tempo.kind == MRL_PLAY_FISCHER)
			return true;
	}
	return false;
}

void mrl__watch_end(struct mrl__watch *watch, bool closed_tab)
{
	struct mrl__peer *peer = watch->peer;

	*watch->link_of_peer = watch->next_of_peer;
	if (watch->next_of_peer != NULL)
		watch->next_of_peer->link_of_peer = watch->link_of_peer;
	peer->watch_count--;
	remove_watch(watch, closed_tab);
	watch->room->used = mrl__now_ms();
	free(watch);
	if (peer->wsi != NULL)
		mrl__peers_set_fast(peer, still_plays(peer));
}

void mrl__rooms_peer_gone(struct mrl__peer *peer)
{
	while (peer->watches != NULL)
		mrl__watch_end(peer->watches, peer->closed_tab);
}

/* ---- Telling ------------------------------------------------------------------------------------------------ */

static void send_list(struct mrl__watch *first, struct mrl__message *message, bool now)
{
	/* Sending never ends a watch: a peer that is lost goes later. */
	for (struct mrl__watch *watch = first; watch != NULL; watch = watch->next) {
		if (!watch->catching)
			mrl__peer_send(watch->peer, message, now);
	}
}

void mrl__room_send(struct mrl__room *room, struct mrl__message *message)
{
	if (message == NULL)
		return;
	send_list(room->players, message, true);
	send_list(room->spectators, message, false);
}

static struct mrl__message *make_event(struct mrl__room *room, const struct mrl_play_event *event, uint32_t ply,
				       bool hidden)
{
	struct mrl__json *json = &room->server->json;

	mrl__write_event(json, room, event, ply, hidden);
	return json->failed ? NULL : mrl__message_new(json->data, json->length);
}

static bool may_hear(const struct mrl__watch *watch, const struct mrl_play_event *event)
{
	enum mrl_play_audience audience = mrl_play_event_audience(event);

	if (audience == MRL_PLAY_PLAYERS && watch->seat >= 2)
		return false;
	if (audience == MRL_PLAY_SPECTATORS && watch->seat < 2)
		return false;
	return event->kind != MRL_PLAY_CHAT || !mrl__mutes_has(&watch->peer->mutes, event->chat.person);
}

static void tell_list(struct mrl__watch *first, const struct mrl_play_event *event, struct mrl__message *message,
		      struct mrl__message *hidden, bool now)
{
	for (struct mrl__watch *watch = first; watch != NULL; watch = watch->next) {
		if (!watch->catching)
			mrl__peer_send(watch->peer, may_hear(watch, event) ? message : hidden, now);
	}
}

void mrl__room_tell(struct mrl__room *room, const struct mrl_play_event *event)
{
	if (room->players == NULL && room->spectators == NULL)
		return;
	bool secret = event->kind == MRL_PLAY_CHAT || mrl_play_event_audience(event) != MRL_PLAY_EVERYONE;
	uint32_t ply = (uint32_t)room->game.moves.count;
	struct mrl__message *message = make_event(room, event, ply, false);
	struct mrl__message *hidden = secret ? make_event(room, event, ply, true) : NULL;

	/* The players at once; the others, who may be thousands, as the loop comes to them. */
	if (message != NULL && (!secret || hidden != NULL)) {
		tell_list(room->players, event, message, hidden, true);
		tell_list(room->spectators, event, message, hidden, false);
	}
	mrl__message_release(message);
	mrl__message_release(hidden);
}

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

static void send_snapshot(struct mrl__room *room, struct mrl__watch *watch)
{
	struct mrl__json *json = &room->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "game");
	mrl__write_snapshot(json, room, watch->seat, &watch->peer->mutes);
	mrl__json_close(json);
	mrl__peer_send_json(watch->peer, json);
}

static void send_caught_up(struct mrl__room *room, struct mrl__watch *watch)
{
	struct mrl__json *json = &room->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "caught-up");
	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "n", room->game.number);
	mrl__json_number(json, "now", mrl__service_time(room->server));
	mrl__write_clock_now(json, room, room->server->time);
	mrl__write_presence(json, "presence", room);
	mrl__json_close(json);
	mrl__peer_send_json(watch->peer, json);
}

void mrl__room_show_all(struct mrl__room *room)
{
	struct mrl__watch *lists[2] = {room->players, room->spectators};

	for (unsigned i = 0; i < 2; i++) {
		for (struct mrl__watch *watch = lists[i]; watch != NULL; watch = watch->next) {
			if (!watch->catching)
				send_snapshot(room, watch);
		}
	}
}

/* Somebody who was here before gets what came since, once the store has read it. */
struct catching {
	struct mrl__server *server;
	struct mrl__peer *peer; /* held */
	uint64_t game;
	uint64_t begun; /* of the watch */
	uint32_t last;
};

/*
 * The turns made before the events of an answer, as far as these tell. An event told again must be told as the first
 * time, and that of added time says whose clock was running; false when nobody knows. Without a turn or a takeback
 * among them it is what it is now, `present`.
 */
static bool first_ply(const struct mrl_store_game *game, uint32_t present, uint32_t *ply)
{
	bool time_added = false;

	for (size_t i = 0; i < game->event_count; i++) {
		struct mrl_play_event event;

		if (mrl_play_event_read(game->events[i].text, strlen(game->events[i].text), &event, NULL) != MRL_OK)
			return false;
		if (event.kind == MRL_PLAY_TURN) {
			*ply = event.turn.ply;
			return true;
		}
		if (event.kind == MRL_PLAY_TIME)
			time_added = true;
		if (event.kind == MRL_PLAY_TAKEBACK)
			return !time_added;
	}
	*ply = present;
	return true;
}

/* Sends the events of an answer; false when they do not lead from `last` to what the room has. */
static bool send_missed(struct mrl__room *room, struct mrl__watch *watch, uint32_t last,
			const struct mrl_store_answer *answer)
{
	const struct mrl_store_game *game = answer->game_count > 0 ? &answer->games[0] : NULL;

	if (answer->status != MRL_OK || game == NULL || last + game->event_count != room->game.number)
		return false;
	uint32_t ply = 0;

	if (!first_ply(game, (uint32_t)room->game.moves.count, &ply))
		return false;
	for (size_t i = 0; i < game->event_count; i++) {
		const char *text = game->events[i].text;
		struct mrl_play_event event;

		if (mrl_play_event_read(text, strlen(text), &event, NULL) != MRL_OK)
			return false;
		if (event.kind == MRL_PLAY_TURN)
			ply = event.turn.ply + 1;
		if (event.kind == MRL_PLAY_TAKEBACK)
			ply = event.takeback.ply;
		struct mrl__message *message = make_event(room, &event, ply, !may_hear(watch, &event));

		mrl__peer_send(watch->peer, message, true);
		mrl__message_release(message);
	}
	return true;
}

static void on_missed(void *user, const struct mrl_store_answer *answer)
{
	struct catching *catching = user;
	struct mrl__watch *watch = mrl__watch_of(catching->peer, catching->game);

	/*
	 * When something has happened meanwhile, only the whole picture is right. When it was asked for once more, the
	 * answer to that is right alone: events may have been told already that would come again with this one.
	 */
	if (mrl__peer_is_here(catching->peer) && watch != NULL && watch->begun == catching->begun) {
		watch->catching = false;
		/* A game that is just being read anew is shown to all when it has been. */
		if (watch->room->state != MRL__ROOM_READY)
			watch->room->reshow = true;
		else if (send_missed(watch->room, watch, catching->last, answer))
			send_caught_up(watch->room, watch);
		else
			send_snapshot(watch->room, watch);
	}
	mrl__peer_drop(catching->peer);
	free(catching);
}

static bool catch_up(struct mrl__room *room, struct mrl__watch *watch, uint32_t last)
{
	struct catching *catching = NULL;

	if (last == 0 || last > room->game.number || room->game.number - last > MOST_EVENTS)
		return false;
	if (last == room->game.number) {
		send_caught_up(room, watch);
		return true;
	}
	catching = malloc(sizeof(*catching));
	if (catching == NULL)
		return false;
	*catching = (struct catching){
	    .server = room->server, .peer = watch->peer, .game = room->id, .begun = watch->begun, .last = last};
	mrl__peer_hold(watch->peer);
	if (mrl_store_load_game(room->server->store, room->id, last + 1, on_missed, catching) == MRL_OK) {
		watch->catching = true;
		return true;
	}
	mrl__peer_drop(watch->peer);
	free(catching);
	return false;
}

/* The watch of a peer on this room: the one it has, or a new one; NULL when there is no memory. */
static struct mrl__watch *find_watch(struct mrl__room *room, struct mrl__peer *peer, unsigned seat)
{
	struct mrl__watch *watch = mrl__watch_of(peer, room->id);

	if (watch != NULL) {
		if (watch->seat != seat && seat < 2) {
			remove_watch(watch, false);
			watch->seat = (uint8_t)seat;
			add_watch(watch);
		}
		return watch;
	}
	watch = calloc(1, sizeof(*watch));
	if (watch == NULL)
		return NULL;
	watch->room = room;
	watch->peer = peer;
	watch->seat = (uint8_t)seat;
	watch->catching = true;
	watch->next_of_peer = peer->watches;
	watch->link_of_peer = &peer->watches;
	if (peer->watches != NULL)
		peer->watches->link_of_peer = &watch->next_of_peer;
	peer->watches = watch;
	peer->watch_count++;
	add_watch(watch);
	return watch;
}

void mrl__watch_begin(struct mrl__room *room, struct mrl__order *order)
{
	struct mrl__peer *peer = order->peer;

	if (!mrl__peer_is_here(peer)) {
		mrl__order_free(order);
		return;
	}
	if (!mrl__room_may_see(room, peer->person.id, order)) {
		mrl__room_hide(room, order);
		return;
	}
	unsigned seat = mrl__room_seat_for(room, order);

	if (peer->watch_count >= MRL__WATCHES_MOST && mrl__watch_of(peer, room->id) == NULL) {
		mrl__order_refuse(order, room->id, "too-many", "A socket watches 64 games at most.");
		return;
	}
	struct mrl__watch *watch = find_watch(room, peer, seat);

	if (watch == NULL) {
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "memory");
	} else {
		if (seat < 2)
			mrl__peers_set_fast(peer, still_plays(peer));
		watch->catching = false;
		watch->begun = ++room->server->rooms.watches;
		if (!catch_up(room, watch, order->last))
			send_snapshot(room, watch);
	}
	mrl__order_free(order);
}
