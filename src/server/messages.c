#include "messages.h"

#include <string.h>

#include "exchange.h"
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { COST_USUAL = 1, COST_DEAR = 2, COST_CHAT = 3 };

/* One message being answered. */
struct incoming {
	struct mrl__peer *peer;
	struct mrl__fields fields;
	const char *type;
	const char *id;   /* as it came, or NULL: for refusals */
	const char *game; /* the same */
};

static void refuse(const struct incoming *in, const char *code, const char *text)
{
	mrl__peer_refuse(in->peer, in->id, in->game, code, text);
}

/* Says what is wrong with the fields; true when something is. */
static bool is_wrong(const struct incoming *in)
{
	if (mrl__fields_good(&in->fields))
		return false;
	refuse(in, "bad-field", in->fields.wrong);
	return true;
}

void mrl__tell_done(struct mrl__room *room, struct mrl__order *order, uint32_t number)
{
	struct mrl__json *json = &room->server->json;

	if (order->far != NULL) {
		const struct mrl_play_answer answer = {.code = MRL_CODE_OK, .number = number};

		mrl__far_answer(room, order, &answer);
		return;
	}
	if (order->exchange != NULL) {
		struct mrl__json *answer = mrl__answer_open(order->exchange);

		mrl__write_id(answer, "game", room->id);
		mrl__json_number(answer, "seat", MRL_PLAY_FRIEND);
		mrl__json_text(answer, "secret", order->told);
		mrl__answer(order->exchange, 200);
	} else if (order->peer != NULL) {
		mrl__json_reset(json);
		mrl__json_open(json, NULL);
		mrl__json_text(json, "t", "done");
		mrl__write_id(json, "game", room->id);
		mrl__json_text(json, "id", order->id);
		mrl__json_number(json, "n", number);
		mrl__json_close(json);
		mrl__peer_send_json(order->peer, json);
	}
	mrl__order_free(order);
}

/* ---- Commands of a game ------------------------------------------------------------------------------------- */

/* A command for the game that the message names; NULL when it cannot be one, which has been said. */
static struct mrl__order *command(struct incoming *in, enum mrl_play_verb verb, struct mrl__room **room)
{
	uint64_t game = mrl__read_id(&in->fields, "game");
	const char *id = mrl__field_text(&in->fields, "id", MRL_PLAY_COMMAND_ID_SIZE - 1, true);

	if (mrl__fields_good(&in->fields) && !mrl_play_command_id_valid(id, strlen(id)))
		mrl__field_wrong(&in->fields, "id", "1 to 32 characters A-Z a-z 0-9 _ -");
	if (is_wrong(in))
		return NULL;
	const struct mrl__watch *watch = mrl__watch_of(in->peer, game);

	if (watch == NULL) {
		refuse(in, "not-watching", "Send \"watch\" for this game first.");
		return NULL;
	}
	struct mrl__order *order = mrl__order_new(MRL__ORDER_COMMAND, in->peer, NULL);

	if (order == NULL) {
		refuse(in, "unavailable", "There is no memory for this at the moment.");
		return NULL;
	}
	*room = watch->room;
	order->time = mrl__service_time(in->peer->server);
	order->command.verb = verb;
	order->command.seat = (enum mrl_play_seat)watch->seat;
	order->command.lag = in->peer->lag;
	order->command.fresh = mrl__random_id();
	order->player = mrl__player_of(&in->peer->person);
	memcpy(order->id, id, strlen(id) + 1);
	order->command.id_length = strlen(id);
	return order;
}

/* Gives the order to its room, unless a field was wrong. */
static void give(struct incoming *in, struct mrl__room *room, struct mrl__order *order)
{
	if (is_wrong(in))
		mrl__order_free(order);
	else
		mrl__room_order(room, order);
}

static void on_turn(struct incoming *in)
{
	struct mrl__room *room = NULL;
	int64_t ply = mrl__field_number(&in->fields, "ply", 0, UINT32_MAX, -1);
	const char *turn = mrl__field_text(&in->fields, "turn", sizeof(((struct mrl__order *)NULL)->turn) - 1, true);

	if (ply < 0)
		mrl__field_wrong(&in->fields, "ply", "the number of turns made before this one");
	struct mrl__order *order = command(in, MRL_PLAY_PLAY, &room);

	if (order == NULL)
		return;
	order->command.ply = (uint32_t)ply;
	order->command.turn_length = strlen(turn);
	memcpy(order->turn, turn, strlen(turn) + 1);
	mrl__room_order(room, order);
}

static void on_offer_verb(struct incoming *in, enum mrl_play_verb verb)
{
	struct mrl__room *room = NULL;
	int what = mrl__field_choice(&in->fields, "what", "draw takeback rematch", -1);

	if (what < 0)
		mrl__field_wrong(&in->fields, "what", "draw, takeback or rematch");
	struct mrl__order *order = command(in, verb, &room);

	if (order == NULL)
		return;
	order->command.offer = (uint8_t)what;
	mrl__room_order(room, order);
}

static void on_offer(struct incoming *in)
{
	on_offer_verb(in, MRL_PLAY_OFFER);
}

static void on_accept(struct incoming *in)
{
	on_offer_verb(in, MRL_PLAY_ACCEPT);
}

static void on_decline(struct incoming *in)
{
	on_offer_verb(in, MRL_PLAY_DECLINE);
}

static void on_simple(struct incoming *in, enum mrl_play_verb verb)
{
	struct mrl__room *room = NULL;
	struct mrl__order *order = command(in, verb, &room);

	if (order != NULL)
		mrl__room_order(room, order);
}

static void on_resign(struct incoming *in)
{
	on_simple(in, MRL_PLAY_RESIGN);
}

static void on_time(struct incoming *in)
{
	on_simple(in, MRL_PLAY_ADD_TIME);
}

static void on_abort(struct incoming *in)
{
	on_simple(in, MRL_PLAY_ABORT);
}

static void on_claim(struct incoming *in)
{
	int what = mrl__field_choice(&in->fields, "what", "win draw", -1);

	if (what < 0)
		mrl__field_wrong(&in->fields, "what", "win or draw");
	on_simple(in, what == 1 ? MRL_PLAY_CLAIM_DRAW : MRL_PLAY_CLAIM_WIN);
}

static void on_chat(struct incoming *in)
{
	struct mrl__room *room = NULL;
	int where = mrl__field_choice(&in->fields, "room", "players spectators", -1);
	int64_t phrase = mrl__field_number(&in->fields, "phrase", 1, 255, 0);
	const char *text = mrl__field_any_text(&in->fields, "text", MRL__MESSAGE_MOST, phrase == 0);

	if (where < 0)
		mrl__field_wrong(&in->fields, "room", "players or spectators");
	if (in->peer->person.id == 0) {
		refuse(in, "no-person", "Only persons write; GET /api/v1/me makes one.");
		return;
	}
	struct mrl__order *order = command(in, MRL_PLAY_SAY, &room);

	if (order == NULL)
		return;
	/* The game would say the same, but has no room for it. */
	if (text != NULL && strlen(text) >= sizeof(order->text)) {
		mrl__order_free(order);
		refuse(in, mrl_play_code_name(MRL_CODE_TEXT_TOO_LONG), mrl_play_code_sentence(MRL_CODE_TEXT_TOO_LONG));
		return;
	}
	order->command.room = (uint8_t)where;
	order->command.phrase = (uint8_t)phrase;
	order->command.text_length = text != NULL ? strlen(text) : 0;
	if (text != NULL)
		memcpy(order->text, text, strlen(text) + 1);
	give(in, room, order);
}

/* ---- Watching ----------------------------------------------------------------------------------------------- */

static void watch(struct incoming *in, uint64_t game, uint32_t last)
{
	struct mrl__order *order = mrl__order_new(MRL__ORDER_WATCH, in->peer, NULL);

	if (order == NULL) {
		refuse(in, "unavailable", "There is no memory for this at the moment.");
		return;
	}
	order->has_secret = mrl__read_secret_field(&in->fields, "secret", order->secret);
	order->has_link = mrl__read_secret_field(&in->fields, "link", order->link);
	order->last = last;
	if (is_wrong(in))
		mrl__order_free(order);
	else
		mrl__rooms_order(in->peer->server, game, order);
}

static void on_watch(struct incoming *in)
{
	uint64_t game = mrl__read_id(&in->fields, "game");
	int64_t last = mrl__field_number(&in->fields, "last", 0, UINT32_MAX, 0);

	if (!is_wrong(in))
		watch(in, game, (uint32_t)last);
}

static void on_hello(struct incoming *in)
{
	json_t *games = json_object_get(in->fields.object, "last");
	const char *key = NULL;
	json_t *value = NULL;

	if (games != NULL && (!json_is_object(games) || json_object_size(games) > MRL__WATCHES_MOST)) {
		mrl__field_wrong(&in->fields, "last", "an object of at most 64 games with the number of an event each");
		(void)is_wrong(in);
		return;
	}
	json_object_foreach(games, key, value)
	{
		uint64_t game = 0;
		json_int_t last = json_integer_value(value);

		in->game = key;
		if (!mrl_id_read(key, strlen(key), &game) || !json_is_integer(value) || last < 0 || last > UINT32_MAX) {
			refuse(in, "bad-field", "\"last\" has games by their ids, each with the number of an event.");
			return;
		}
		watch(in, game, (uint32_t)last);
	}
}

static void on_leave(struct incoming *in)
{
	bool closed = mrl__field_bool(&in->fields, "closed", false);
	bool whole = closed && json_object_get(in->fields.object, "game") == NULL;
	uint64_t game = whole ? 0 : mrl__read_id(&in->fields, "game");

	if (is_wrong(in))
		return;
	in->peer->closed_tab = closed;
	if (whole)
		mrl__rooms_peer_gone(in->peer);
	struct mrl__watch *watched = mrl__watch_of(in->peer, game);

	if (watched != NULL)
		mrl__watch_end(watched, closed);
}

static void on_ping(struct incoming *in)
{
	struct mrl__json *json = &in->peer->server->json;

	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "pong");
	if (in->id != NULL)
		mrl__json_text(json, "id", in->id);
	mrl__json_number(json, "now", mrl__service_time(in->peer->server));
	mrl__json_close(json);
	mrl__peer_send_json(in->peer, json);
}

/* ---- The lobby ---------------------------------------------------------------------------------------------- */

static void on_lobby(struct incoming *in)
{
	bool on = mrl__field_bool(&in->fields, "on", true);

	if (!is_wrong(in))
		mrl__desk_show(in->peer, on);
}

static bool needs_person(struct incoming *in)
{
	if (in->peer->person.id != 0)
		return true;
	refuse(in, "no-person", "This needs a cookie or a token; GET /api/v1/me gives one.");
	return false;
}

/* Whether an id is one, and was not used on this socket for one of the last offers. Says so when not. */
static bool is_fresh(const struct incoming *in, const char *id)
{
	if (!mrl_play_command_id_valid(id, strlen(id))) {
		refuse(in, mrl_play_code_name(MRL_CODE_BAD_ID), mrl_play_code_sentence(MRL_CODE_BAD_ID));
		return false;
	}
	if (mrl__peer_remembers(in->peer, id)) {
		refuse(in, mrl_play_code_name(MRL_CODE_BAD_ID), "This id was used already; each needs one of its own.");
		return false;
	}
	return true;
}

static void on_seek(struct incoming *in)
{
	struct mrl_lobby_seek seek = {.id = mrl__random_id()};
	const char *id = mrl__field_text(&in->fields, "id", MRL_PLAY_COMMAND_ID_SIZE - 1, true);

	mrl__read_settings(&in->fields, &seek.settings, false);
	seek.pool = mrl__field_bool(&in->fields, "pool", false);
	if (seek.pool)
		seek.settings.rated = true;
	seek.lowest = (int32_t)mrl__field_number(&in->fields, "lowest", 0, 4000, 0) * 1000;
	seek.highest = (int32_t)mrl__field_number(&in->fields, "highest", 0, 4000, 0) * 1000;
	if (seek.highest != 0 && seek.lowest > seek.highest)
		mrl__field_wrong(&in->fields, "lowest", "at most what \"highest\" is");
	if (is_wrong(in) || !needs_person(in) || !is_fresh(in, id))
		return;
	seek.player = mrl__player_of(&in->peer->person);
	mrl__desk_seek(in->peer, id, &seek);
}

static void on_unseek(struct incoming *in)
{
	uint64_t offer = mrl__read_id(&in->fields, "offer");

	if (!is_wrong(in) && needs_person(in))
		mrl__desk_unseek(in->peer, in->id, offer);
}

static void on_take(struct incoming *in)
{
	uint64_t offer = mrl__read_id(&in->fields, "offer");
	const char *id = mrl__field_text(&in->fields, "id", MRL_PLAY_COMMAND_ID_SIZE - 1, true);

	if (!is_wrong(in) && needs_person(in) && is_fresh(in, id))
		mrl__desk_take(in->peer, id, offer);
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const struct kind {
	const char *type;
	unsigned cost;
	void (*handle)(struct incoming *in);
} kinds[] = {
    {"turn", COST_USUAL, on_turn},     {"ping", COST_USUAL, on_ping},       {"watch", COST_DEAR, on_watch},
    {"leave", COST_USUAL, on_leave},   {"hello", COST_DEAR, on_hello},      {"offer", COST_USUAL, on_offer},
    {"accept", COST_USUAL, on_accept}, {"decline", COST_USUAL, on_decline}, {"resign", COST_USUAL, on_resign},
    {"abort", COST_USUAL, on_abort},   {"claim", COST_USUAL, on_claim},     {"time", COST_USUAL, on_time},
    {"chat", COST_CHAT, on_chat},      {"lobby", COST_USUAL, on_lobby},     {"seek", COST_DEAR, on_seek},
    {"unseek", COST_USUAL, on_unseek}, {"take", COST_DEAR, on_take},
};

const char *mrl__message_type(size_t index)
{
	return index < sizeof(kinds) / sizeof(kinds[0]) ? kinds[index].type : NULL;
}

static const struct kind *find_kind(const char *type)
{
	for (size_t i = 0; type != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].type, type) == 0)
			return &kinds[i];
	}
	return NULL;
}

/* A hello is as many watches as it names games, of which those that are answered by events cost a read of the store. */
static unsigned cost_of(const struct kind *kind, const json_t *object)
{
	size_t games = 0;

	if (kind == NULL)
		return COST_USUAL;
	if (kind->handle == on_hello)
		games = json_object_size(json_object_get(object, "last"));
	/* More than it may name are refused as one. */
	return games > kind->cost && games <= MRL__WATCHES_MOST ? (unsigned)games : kind->cost;
}

/* A field as it came, to be sent back with a refusal; NULL when it is no short text. */
static const char *echo(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	return json_is_string(value) && json_string_length(value) <= 64 ? json_string_value(value) : NULL;
}

void mrl__message_received(struct mrl__peer *peer, const char *text, size_t length)
{
	json_t *object = mrl__json_read(text, length);
	struct incoming in = {.peer = peer, .fields = mrl__fields_of(object)};

	peer->server->metrics.messages_in++;
	if (object == NULL) {
		if (mrl__peer_pay(peer, COST_USUAL))
			refuse(&in, "bad-json",
			       "A message is one JSON object in UTF-8, at most 16 deep, no key twice.");
		return;
	}
	in.id = echo(object, "id");
	in.game = echo(object, "game");
	in.type = echo(object, "t");
	const struct kind *kind = find_kind(in.type);

	if (mrl__peer_pay(peer, cost_of(kind, object))) {
		if (kind != NULL)
			kind->handle(&in);
		else
			refuse(&in, "unknown-type", "There is no such \"t\".");
	}
	json_decref(object);
}
