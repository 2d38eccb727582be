/* The games that are being played, for those who look for one to watch. */
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"

enum { MOST_SHOWN = 50 };

static int32_t best_rating(const struct mrl__room *room)
{
	return room->rating[0] > room->rating[1] ? room->rating[0] : room->rating[1];
}

/* Whether one is to be shown before the other. */
static bool comes_before(const struct mrl__room *one, const struct mrl__room *other)
{
	if (best_rating(one) != best_rating(other))
		return best_rating(one) > best_rating(other);
	return one->started > other->started;
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
	mrl__json_number(json, "watchers", room->spectator_count + room->far_spectators);
	mrl__json_close(json);
}

void mrl__rooms_write_running(struct mrl__server *server, struct mrl__json *json, size_t most)
{
	const struct mrl__room *shown[MOST_SHOWN];
	size_t count = 0;

	if (most > MOST_SHOWN)
		most = MOST_SHOWN;
	for (const struct mrl__room *room = server->rooms.running; room != NULL; room = room->next_running) {
		size_t place = count;

		if (room->game.unlisted)
			continue;
		while (place > 0 && comes_before(room, shown[place - 1])) {
			if (place < most)
				shown[place] = shown[place - 1];
			place--;
		}
		if (place < most)
			shown[place] = room;
		if (count < most)
			count++;
	}
	for (size_t i = 0; i < count; i++)
		write_one(json, shown[i]);
}
