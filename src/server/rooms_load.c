/* Games that come into memory: made, loaded because somebody asks, restored at the start. */
#include <stdlib.h>
#include <string.h>

#include <merels/store_node.h>

#include "exchange.h"
#include "messages.h"
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "summary.h"

/* In memory, beyond which no new one is made: some kilobytes each. */
enum { MOST_GAMES = 400000 };

/* ---- From events -------------------------------------------------------------------------------------------- */

/* Prepares an empty game for the rules of its first event. */
static bool begin_game(struct mrl__room *room, const struct mrl_play_event *created)
{
	if (created->kind != MRL_PLAY_CREATED)
		return false;
	room->rules = mrl__rulebook_hold(&room->server->rulebook, created->created.settings.rules);
	if (room->rules == NULL)
		return false;
	mrl_play_init(&room->game, room->rules, NULL, NULL, 0);
	return true;
}

/* Builds a room's game from what the store has; false when that is damaged. */
static bool build(struct mrl__room *room, const struct mrl_store_game *game)
{
	struct mrl_error error;

	for (size_t i = 0; i < game->event_count; i++) {
		const char *text = game->events[i].text;
		struct mrl_play_event event;

		if (mrl_play_event_read(text, strlen(text), &event, &error) != MRL_OK) {
			mrl_log(&room->server->log, MRL_LOG_ERROR, "event %zu of a game cannot be read: %s", i + 1,
				error.message);
			return false;
		}
		if (i == 0 && !begin_game(room, &event))
			return false;
		if (!mrl__room_apply(room, &event))
			return false;
	}
	return game->event_count > 0;
}

/* The game is there: whoever watches it already (it was read anew) is taken into account. */
static void become_ready(struct mrl__room *room)
{
	mrl__nodes_set_time(room);
	uint64_t now = mrl__room_time(room);

	room->state = MRL__ROOM_READY;
	mrl_play_all_gone(&room->game, now);
	for (unsigned seat = 0; seat < 2; seat++) {
		if (room->here[seat] > 0 || room->far_here[seat])
			mrl_play_presence(&room->game, seat, true, false, now);
	}
	mrl__room_settle(room);
	if (room->reshow)
		mrl__room_show_all(room);
	room->reshow = false;
	mrl__nodes_ready(room);
	mrl__room_pump(room);
}

/* ---- On demand ---------------------------------------------------------------------------------------------- */

/* Who watches a game that cannot be read anew is to come back: without a word they would wait for ever. */
static void send_away(struct mrl__watch *watch)
{
	mrl__peer_close(watch->peer, MRL__CLOSE_STOPPING, "unavailable");
	mrl__watch_end(watch, false);
}

/* The game is not to be had: whoever waits is told, whoever watches it is sent away. */
void mrl__rooms_give_up(struct mrl__room *room, const char *code, const char *text)
{
	struct mrl__order *order = room->first;

	room->first = NULL;
	room->last = &room->first;
	while (order != NULL) {
		struct mrl__order *next = order->next;

		mrl__order_refuse(order, room->id, code, text);
		order = next;
	}
	while (room->players != NULL)
		send_away(room->players);
	while (room->spectators != NULL)
		send_away(room->spectators);
	mrl__rooms_remove(room);
}

struct loading {
	struct mrl__server *server;
	uint64_t id;
	uint64_t which;
};

static void on_loaded(void *user, const struct mrl_store_answer *answer)
{
	struct loading *loading = user;
	struct mrl__room *room = mrl__rooms_find(loading->server, loading->id);
	uint64_t which = loading->which;

	free(loading);
	/* Only the last one counts: what was read before the game was taken may be behind it. */
	if (room == NULL || room->state != MRL__ROOM_LOADING || room->load != which)
		return;
	if (answer->status == MRL_MISSING)
		mrl__rooms_give_up(room, "no-game", "There is no such game, or it is not to be seen.");
	else if (answer->status != MRL_OK || answer->game_count == 0)
		mrl__rooms_give_up(room, "unavailable", "The game cannot be read at the moment; try again later.");
	else if (!build(room, &answer->games[0]))
		mrl__rooms_give_up(room, "unavailable", "The game cannot be read.");
	else
		become_ready(room);
}

void mrl__rooms_load(struct mrl__room *room)
{
	struct loading *loading = malloc(sizeof(*loading));
	enum mrl_status status = MRL_SPACE;

	room->state = MRL__ROOM_LOADING;
	room->load = ++room->server->rooms.loads;
	if (loading != NULL) {
		*loading = (struct loading){.server = room->server, .id = room->id, .which = room->load};
		status = mrl_store_load_game(room->server->store, room->id, 1, on_loaded, loading);
	}
	if (status == MRL_OK)
		return;
	free(loading);
	mrl__rooms_give_up(room, "unavailable", "The game cannot be read at the moment; try again later.");
}

static void empty(struct mrl__room *room)
{
	mrl__room_uncount(room);
	free(room->game.moves.plies);
	free(room->game.past);
	room->game = (struct mrl_play_game){0};
	while (room->said != NULL) {
		struct mrl__said *said = room->said;

		room->said = said->next;
		free(said);
	}
	room->said_count = 0;
	mrl__rulebook_drop(&room->server->rulebook, room->rules);
	room->rules = NULL;
	room->thinking = 0;
}

void mrl__rooms_reread(struct mrl__room *room)
{
	empty(room);
	mrl__rooms_load(room);
}

void mrl__rooms_reload(struct mrl__room *room)
{
	mrl_log(&room->server->log, MRL_LOG_WARNING, "a game is read anew");
	empty(room);
	room->reshow = room->server->nodes != NULL;
	mrl__nodes_load(room);
}

void mrl__rooms_order(struct mrl__server *server, uint64_t id, struct mrl__order *order)
{
	struct mrl__room *room = mrl__rooms_find(server, id);

	if (room != NULL) {
		mrl__room_order(room, order);
		return;
	}
	room = mrl__rooms_add(server, id);
	if (room == NULL) {
		mrl__order_refuse(order, id, "unavailable", "There is no memory for this at the moment.");
		return;
	}
	room->first = order;
	room->last = &order->next;
	mrl__nodes_load(room);
}

/* ---- At the start ------------------------------------------------------------------------------------------- */

struct restoring {
	struct mrl__server *server;
	size_t count;
	size_t bad;
	void (*done)(struct mrl__server *server, enum mrl_status status);
};

static enum mrl_store_flow on_unfinished(void *user, const struct mrl_store_game *game)
{
	struct restoring *restoring = user;
	struct mrl__room *room = mrl__rooms_add(restoring->server, game->id);

	if (room == NULL)
		return MRL_STORE_STOP;
	if (build(room, game)) {
		restoring->count++;
		if (room->game.phase == MRL_PLAY_WAITING)
			room->slot = mrl__slot_take(room->server, room->game.player[MRL_PLAY_OWNER].person, NULL);
		become_ready(room);
	} else {
		restoring->bad++;
		mrl__rooms_remove(room);
	}
	return MRL_STORE_GO_ON;
}

static void on_restored(void *user, const struct mrl_store_answer *answer)
{
	struct restoring *restoring = user;
	struct mrl__server *server = restoring->server;

	if (answer->status == MRL_OK)
		mrl_log(&server->log, MRL_LOG_INFO, "%zu unfinished games are back", restoring->count);
	else
		mrl_log(&server->log, MRL_LOG_ERROR, "the unfinished games cannot be read: %s", answer->message);
	if (restoring->bad > 0)
		mrl_log(&server->log, MRL_LOG_ERROR, "%zu games are damaged", restoring->bad);
	restoring->done(server, answer->status);
	free(restoring);
}

void mrl__rooms_restore(struct mrl__server *server, void (*done)(struct mrl__server *server, enum mrl_status status))
{
	struct restoring *restoring = malloc(sizeof(*restoring));
	struct mrl_store_stream *stream = NULL;
	enum mrl_status status = MRL_SPACE;

	if (restoring != NULL) {
		*restoring = (struct restoring){.server = server, .done = done};
		status = mrl_store_stream_unfinished(server->store, on_unfinished, on_restored, restoring, &stream);
	}
	if (status == MRL_OK)
		return;
	free(restoring);
	done(server, status);
}

/* ---- Making a game ------------------------------------------------------------------------------------------ */

struct mrl__room *mrl__rooms_open(struct mrl__server *server, uint64_t id, const struct mrl_play_batch *batch)
{
	struct mrl__room *room = mrl__rooms_add(server, id);

	if (room == NULL)
		return NULL;
	room->owned = true;
	room->owner = server->nodes != NULL ? mrl_store_node_id(server->store) : 0;
	room->fence = 1;
	bool good = begin_game(room, &batch->events[0]);

	for (size_t i = 0; good && i < batch->count; i++)
		good = mrl__room_apply(room, &batch->events[i]);
	if (!good) {
		mrl__rooms_remove(room);
		return NULL;
	}
	server->metrics.events += batch->count;
	server->metrics.games_started += room->game.phase == MRL_PLAY_RUNNING;
	become_ready(room);
	return room;
}

struct making {
	struct mrl__server *server;
	uint64_t id;
	struct mrl_play_batch batch;
	struct mrl__slot *slot;
	mrl__game_made *made;
	void *user;
};

static void on_made(void *user, const struct mrl_store_answer *answer)
{
	struct making *making = user;
	struct mrl__room *room = NULL;
	enum mrl_status status = answer->status;

	/* It is in the store: if it is not here now it is loaded when somebody asks. */
	if (status == MRL_OK) {
		room = mrl__rooms_open(making->server, making->id, &making->batch);
		status = room != NULL ? MRL_OK : MRL_SPACE;
	}
	if (room != NULL && room->game.phase == MRL_PLAY_WAITING)
		room->slot = making->slot;
	else
		mrl__slot_give_back(making->server, making->slot);
	making->made(making->user, status, MRL_CODE_OK, room);
	free(making);
}

void mrl__rooms_make(struct mrl__server *server, const struct mrl_play_creation *creation, struct mrl__slot *slot,
		     mrl__game_made *made, void *user)
{
	const struct mrl_play_now now = {
	    .time = mrl__service_time(server), .wall = mrl__wall_ms(), .random = mrl__random()};
	struct making *making =
	    server->rooms.count < MOST_GAMES && !mrl__nodes_draining(server) ? malloc(sizeof(*making)) : NULL;

	if (making == NULL) {
		mrl__slot_give_back(server, slot);
		made(user, MRL_SPACE, MRL_CODE_OK, NULL);
		return;
	}
	*making = (struct making){.server = server, .id = creation->game, .slot = slot, .made = made, .user = user};
	enum mrl_play_code code = mrl_play_create(creation, &now, &making->batch);

	if (code != MRL_CODE_OK) {
		mrl__slot_give_back(server, slot);
		free(making);
		made(user, MRL_RANGE, code, NULL);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();
	struct mrl__summary summary;

	mrl__summary_new(&summary, creation->game, &creation->settings, &creation->owner, now.wall);
	for (size_t i = 0; i < making->batch.count; i++)
		mrl__summary_event(&summary, &making->batch.events[i]);
	mrl_change_add_game(change, &summary.game);
	for (size_t i = 0; i < making->batch.count; i++) {
		const struct mrl_play_event *event = &making->batch.events[i];
		char text[MRL_PLAY_EVENT_TEXT_SIZE];

		(void)mrl_play_event_write(event, text);
		const struct mrl_store_event kept = {
		    .number = event->number, .t = event->time, .wall = event->wall, .text = text, .fence = 1};

		mrl_change_append(change, creation->game, &kept);
	}
	enum mrl_status status = mrl_store_submit(server->store, change, on_made, making, NULL);

	if (status != MRL_OK) {
		mrl__slot_give_back(server, slot);
		free(making);
		made(user, status, MRL_CODE_OK, NULL);
	}
}
