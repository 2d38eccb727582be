/* Games: made, looked at, joined. */
#include <stdlib.h>
#include <string.h>

#include <merels/search.h>

#include "exchange.h"
#include "messages.h"
#include "room.h"
#include "routes.h"
#include "server_internal.h"
#include "snapshot.h"

/* The game of the path; 0 after having answered that there is none. */
static uint64_t game_of(struct mrl__exchange *exchange)
{
	uint64_t id = 0;

	if (!mrl_id_read(exchange->parameter, strlen(exchange->parameter), &id))
		mrl__answer_nothing(exchange);
	return id;
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

struct making {
	struct mrl__exchange *exchange;
	bool by_link;
	char secret[MRL__SECRET_SIZE];
	char link[MRL__SECRET_SIZE];
};

static void on_made(void *user, enum mrl_status status, enum mrl_play_code code, struct mrl__room *room)
{
	struct making *making = user;
	struct mrl__exchange *exchange = making->exchange;

	if (status == MRL_RANGE) {
		mrl__answer_error(exchange, code == MRL_CODE_ACCOUNT_NEEDED ? 403 : 400, mrl_play_code_name(code),
				  mrl_play_code_sentence(code));
	} else if (status != MRL_OK || room == NULL) {
		mrl__answer_status(exchange, status != MRL_OK ? status : MRL_SPACE);
	} else {
		struct mrl__json *json = mrl__answer_open(exchange);

		mrl__write_id(json, "game", room->id);
		mrl__json_number(json, "seat", MRL_PLAY_OWNER);
		mrl__json_text(json, "secret", making->secret);
		if (making->by_link)
			mrl__json_text(json, "link", making->link);
		mrl__answer(exchange, 201);
	}
	free(making);
}

/* Reads `against`: the level of the computer, or 0 for a friend who comes by the link. */
static unsigned read_against(struct mrl__fields *fields)
{
	static const char should[] = "\"link\" or {\"level\":1..10 or \"perfect\"}";
	const json_t *against = json_object_get(fields->object, "against");
	const json_t *level = json_object_get(against, "level");

	if (against == NULL || json_is_null(against) ||
	    (json_is_string(against) && strcmp(json_string_value(against), "link") == 0))
		return 0;
	if (json_is_string(level) && strcmp(json_string_value(level), "perfect") == 0)
		return MRL_PLAY_PERFECT;
	if (json_is_integer(level) && json_integer_value(level) >= 1 && json_integer_value(level) <= MRL_LEVELS)
		return (unsigned)json_integer_value(level);
	mrl__field_wrong(fields, "against", should);
	return 0;
}

static void set_computer(struct mrl_play_player *player, unsigned level)
{
	*player =
	    (struct mrl_play_player){.person = mrl__random_id(), .kind = MRL_PLAY_COMPUTER, .level = (uint8_t)level};
	memcpy(player->name, "Computer", sizeof("Computer"));
}

/* A slot for a game that waits for a friend; false after having answered that there is none. */
static bool take_slot(struct mrl__exchange *exchange, struct mrl__slot **slot)
{
	struct mrl__server *server = exchange->server;

	if (!mrl__slots_free_of_person(server, exchange->person.id)) {
		mrl__answer_error(exchange, 409, "too-many-waiting",
				  "You have 10 games that wait for somebody; end one of them first.");
		return false;
	}
	if (!mrl__slots_free_of_address(server, exchange->address)) {
		mrl__answer_error(exchange, 409, "too-many-waiting",
				  "There are 100 games from this address that wait for somebody.");
		return false;
	}
	*slot = mrl__slot_take(server, exchange->person.id, exchange->address);
	if (*slot == NULL)
		mrl__answer_status(exchange, MRL_SPACE);
	return *slot != NULL;
}

void mrl__api_new_game(struct mrl__exchange *exchange)
{
	struct mrl__fields *fields = &exchange->fields;
	struct mrl_play_creation creation = {.game = mrl__random_id(), .id = ""};
	unsigned level = read_against(fields);
	struct making *making = NULL;

	mrl__read_settings(fields, &creation.settings, level == 0);
	if (level == MRL_PLAY_PERFECT && mrl__fields_good(fields) &&
	    !mrl__engines_has_tables(exchange->server->engines, creation.settings.rules))
		mrl__field_wrong(fields, "against", "a level from 1 to 10: there are no exact tables for these rules");
	if (level != 0 && creation.settings.rated)
		mrl__field_wrong(fields, "rated", "false against the computer");
	if (!mrl__fields_good(fields)) {
		mrl__answer_wrong(exchange);
		return;
	}
	struct mrl__slot *slot = NULL;

	if (level == 0 && !take_slot(exchange, &slot))
		return;
	making = calloc(1, sizeof(*making));
	if (making == NULL) {
		mrl__slot_give_back(exchange->server, slot);
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	making->exchange = exchange;
	making->by_link = level == 0;
	creation.owner = mrl__player_of(&exchange->person);
	mrl__secret_new(making->secret, creation.owner.secret);
	if (level != 0)
		set_computer(&creation.friend_seat, level);
	else
		mrl__secret_new(making->link, creation.link);
	mrl__rooms_make(exchange->server, &creation, slot, on_made, making);
}

/* ---- Looking and joining ------------------------------------------------------------------------------------ */

/* A look waits for whom the person does not want to hear. */
struct looking {
	uint64_t game;
	struct mrl__order *order;
};

static void on_mutes(void *user, const struct mrl_store_answer *answer)
{
	struct looking *looking = user;
	struct mrl__order *order = looking->order;
	uint64_t game = looking->game;

	free(looking);
	if (answer->status == MRL_OK) {
		mrl__mutes_take(&order->mutes, answer);
		mrl__rooms_order(order->exchange->server, game, order);
	} else {
		mrl__answer_status(order->exchange, answer->status);
		mrl__order_free(order);
	}
}

static void look_after_mutes(struct mrl__exchange *exchange, uint64_t game, struct mrl__order *order)
{
	struct looking *looking = malloc(sizeof(*looking));
	enum mrl_status status = MRL_SPACE;

	if (looking != NULL) {
		*looking = (struct looking){game, order};
		status = mrl_store_list_mutes(exchange->server->store, exchange->person.id, on_mutes, looking);
	}
	if (status == MRL_OK)
		return;
	free(looking);
	mrl__order_free(order);
	mrl__answer_status(exchange, status);
}

static void give_order(struct mrl__exchange *exchange, enum mrl__order_kind kind, uint64_t game)
{
	struct mrl__order *order = mrl__order_new(kind, NULL, exchange);

	if (order == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	order->time = mrl__service_time(exchange->server);
	if (kind != MRL__ORDER_LOOK || (exchange->route->flags & MRL__ROUTE_POST) != 0) {
		order->has_link = mrl__read_secret_field(&exchange->fields, "link", order->link);
		order->has_secret = mrl__read_secret_field(&exchange->fields, "secret", order->secret);
	}
	if (kind == MRL__ORDER_COMMAND) {
		order->command.verb = MRL_PLAY_JOIN;
		order->command.seat = MRL_PLAY_NOBODY;
		order->player = mrl__player_of(&exchange->person);
		mrl__secret_new(order->told, order->player.secret);
		order->id[0] = 'j';
		mrl_id_write(mrl__random_id(), order->id + 1);
		order->command.id_length = strlen(order->id);
		if (!order->has_link)
			mrl__field_wrong(&exchange->fields, "link", "the secret of the link");
	}
	/* A look by GET has no fields. */
	if (!mrl__fields_good(&exchange->fields)) {
		mrl__order_free(order);
		mrl__answer_wrong(exchange);
	} else if (kind == MRL__ORDER_LOOK && exchange->person.id != 0) {
		look_after_mutes(exchange, game, order);
	} else {
		mrl__rooms_order(exchange->server, game, order);
	}
}

void mrl__api_game(struct mrl__exchange *exchange)
{
	uint64_t game = game_of(exchange);

	if (game != 0)
		give_order(exchange, MRL__ORDER_LOOK, game);
}

void mrl__api_look(struct mrl__exchange *exchange)
{
	mrl__api_game(exchange);
}

void mrl__api_join(struct mrl__exchange *exchange)
{
	uint64_t game = game_of(exchange);

	if (game != 0)
		give_order(exchange, MRL__ORDER_COMMAND, game);
}
