/* The games that are being played, on whatever node, for those who look for one to watch. */
#include <stdlib.h>
#include <string.h>

#include "nodes_inside.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { MOST_SHOWN = 50 };

/* A game of this node, or of another as that wrote it. */
struct shown {
	const struct mrl__room *room;
	const json_t *far;
	int64_t rating; /* the better one; 0: none has one */
	int64_t started;
};

struct showcase {
	struct shown games[MOST_SHOWN];
	size_t count;
	size_t most;
};

/* Whether one is to be shown before the other. */
static bool comes_before(const struct shown *one, const struct shown *other)
{
	return one->rating != other->rating ? one->rating > other->rating : one->started > other->started;
}

static void show(struct showcase *showcase, const struct shown *game)
{
	size_t place = showcase->count;

	while (place > 0 && comes_before(game, &showcase->games[place - 1])) {
		if (place < showcase->most)
			showcase->games[place] = showcase->games[place - 1];
		place--;
	}
	if (place < showcase->most)
		showcase->games[place] = *game;
	if (showcase->count < showcase->most)
		showcase->count++;
}

static void show_own(struct mrl__server *server, struct showcase *showcase)
{
	for (const struct mrl__room *room = server->rooms.running; room != NULL; room = room->next_running) {
		int32_t rating = room->rating[0] > room->rating[1] ? room->rating[0] : room->rating[1];

		if (!room->game.unlisted)
			show(showcase, &(struct shown){room, NULL, (rating + 500) / 1000, room->started});
	}
}

static bool has(const struct showcase *showcase, uint64_t game)
{
	for (size_t i = 0; i < showcase->count; i++) {
		const struct shown *one = &showcase->games[i];

		if ((one->room != NULL ? one->room->id : mrl__said_id(one->far, "game")) == game)
			return true;
	}
	return false;
}

static void show_far(struct mrl__server *server, struct showcase *showcase)
{
	struct mrl__nodes *nodes = server->nodes;
	uint64_t now = mrl__now_ms();

	for (size_t i = 0; i < MRL__NODES_MOST; i++) {
		size_t index = 0;
		json_t *game = NULL;

		if (nodes->shows[i].until <= now)
			continue;
		json_array_foreach(nodes->shows[i].games, index, game)
		{
			const json_t *ratings = json_object_get(game, "ratings");
			int64_t one = json_integer_value(json_array_get(ratings, 0));
			int64_t other = json_integer_value(json_array_get(ratings, 1));

			/* One that has just moved may be in two lists. */
			if (mrl__said_id(game, "game") != 0 && !has(showcase, mrl__said_id(game, "game")))
				show(showcase, &(struct shown){NULL, game, one > other ? one : other,
							       json_integer_value(json_object_get(game, "date"))});
		}
	}
}

static void write_one(struct mrl__json *json, const struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;

	mrl__json_open(json, NULL);
	mrl__write_id(json, "game", room->id);
	mrl__json_signed(json, "date", room->started);
	mrl__json_text(json, "rules", mrl__rulebook_text(room->rules));
	mrl__write_tempo(json, &game->tempo);
	mrl__json_text(json, "speed", mrl_play_speed_text(mrl_play_speed(&game->tempo)));
	mrl__json_bool(json, "rated", game->rated);
	mrl__write_player(json, "white", room->server, &game->player[game->white]);
	mrl__write_player(json, "black", room->server, &game->player[1 - game->white]);
	mrl__json_open_list(json, "ratings");
	for (unsigned side = 0; side < 2; side++) {
		int32_t rating = room->rating[side == 0 ? game->white : 1 - game->white];

		if (rating != 0)
			mrl__json_signed(json, NULL, (rating + 500) / 1000);
		else
			mrl__json_null(json, NULL);
	}
	mrl__json_close_list(json);
	mrl__write_turns(json, &game->moves);
	mrl__json_number(json, "watchers", mrl__room_spectators(room));
	mrl__json_close(json);
}

static void write_far(struct mrl__json *json, const json_t *game)
{
	char *text = json_dumps(game, JSON_COMPACT);

	if (text != NULL)
		mrl__json_raw(json, NULL, text, strlen(text));
	free(text);
}

void mrl__rooms_write_running(struct mrl__server *server, struct mrl__json *json, size_t most, bool own)
{
	struct showcase showcase = {.most = most < MOST_SHOWN ? most : MOST_SHOWN};

	show_own(server, &showcase);
	if (server->nodes != NULL && !own)
		show_far(server, &showcase);
	for (size_t i = 0; i < showcase.count; i++) {
		if (showcase.games[i].room != NULL)
			write_one(json, showcase.games[i].room);
		else
			write_far(json, showcase.games[i].far);
	}
}
