/* What stands in lists, as JSON: games of the archive, offers, ratings, counts. */
#include <math.h>

#include "server_internal.h"
#include "snapshot.h"

static void write_listed_seat(struct mrl__json *json, const char *key, const struct mrl_store_seat *seat)
{
	if (seat->kind == MRL_STORE_EMPTY) {
		mrl__json_null(json, key);
		return;
	}
	mrl__json_open(json, key);
	if (seat->kind == MRL_STORE_COMPUTER) {
		mrl__json_text(json, "name", "Computer");
		mrl__json_text(json, "kind", "computer");
		mrl__json_number(json, "level", seat->level);
	} else {
		mrl__write_id(json, "id", seat->person);
		mrl__json_text(json, "name", seat->name);
		mrl__json_text(json, "kind", mrl__kind_text(seat->person_kind));
	}
	if (seat->has_rating)
		mrl__json_signed(json, "rating", lround(seat->rating));
	if (seat->has_change)
		mrl__json_signed(json, "change", lround(seat->change));
	mrl__json_close(json);
}

void mrl__write_listed(struct mrl__json *json, const struct mrl_store_game *game)
{
	static const char *const outcomes[] = {"*", "1-0", "0-1", "1/2-1/2"};
	const struct mrl_play_tempo tempo = {
	    .kind = game->days != 0      ? MRL_PLAY_DAYS
		    : game->base_ms != 0 ? MRL_PLAY_FISCHER
					 : MRL_PLAY_NO_CLOCK,
	    .days = (uint8_t)game->days,
	    .base = (uint32_t)game->base_ms,
	    .increment = (uint32_t)game->increment_ms,
	};

	mrl__json_open(json, NULL);
	mrl__write_id(json, "game", game->id);
	mrl__json_signed(json, "date", game->started != 0 ? game->started : game->created);
	if (game->ended != 0)
		mrl__json_signed(json, "ended", game->ended);
	else
		mrl__json_null(json, "ended");
	mrl__json_text(json, "rules", game->rules);
	mrl__write_tempo(json, &tempo);
	mrl__json_text(json, "speed", mrl_play_speed_text(mrl_play_speed(&tempo)));
	mrl__json_bool(json, "rated", game->rated);
	write_listed_seat(json, "white", &game->white);
	write_listed_seat(json, "black", &game->black);
	mrl__json_text(json, "result", outcomes[game->outcome <= MRL_STORE_DRAW ? game->outcome : 0]);
	mrl__json_text(json, "reason", game->reason);
	mrl__json_number(json, "plies", game->plies);
	mrl__json_text(json, "opening", game->opening);
	mrl__json_close(json);
}

void mrl__write_seek(struct mrl__json *json, const char *key, const struct mrl__server *server,
		     const struct mrl_lobby_seek *seek)
{
	mrl__json_open(json, key);
	mrl__write_id(json, "offer", seek->id);
	mrl__write_player(json, "person", server, &seek->player);
	if (seek->settings.rated)
		mrl__json_signed(json, "rating", lround(seek->rating.rating / 1000.0));
	else
		mrl__json_null(json, "rating");
	mrl__json_text(json, "rules", seek->settings.rules);
	mrl__write_tempo(json, &seek->settings.tempo);
	mrl__json_text(json, "speed", mrl_play_speed_text(mrl_play_speed(&seek->settings.tempo)));
	mrl__json_bool(json, "rated", seek->settings.rated);
	mrl__json_text(json, "first", mrl_play_first_text(seek->settings.first));
	mrl__json_number(json, "at", seek->since);
	mrl__json_close(json);
}

void mrl__write_counts(struct mrl__json *json, const struct mrl_lobby_counts *counts)
{
	mrl__json_number(json, "online", counts->online);
	mrl__json_number(json, "playing", counts->playing);
	mrl__json_number(json, "waiting", counts->waiting);
	mrl__json_number(json, "games", counts->games);
}

void mrl__write_rating(struct mrl__json *json, const struct mrl_store_rating *rating)
{
	mrl__json_open(json, NULL);
	mrl__json_text(json, "rules", rating->rules);
	mrl__json_text(json, "speed", mrl_play_speed_text(rating->speed));
	mrl__json_signed(json, "rating", lround(rating->rating));
	mrl__json_signed(json, "deviation", lround(rating->deviation));
	mrl__json_bool(json, "provisional", rating->deviation * 1000 > MRL_RATING_PROVISIONAL);
	mrl__json_number(json, "games", rating->games);
	mrl__json_number(json, "wins", rating->wins);
	mrl__json_number(json, "losses", rating->losses);
	mrl__json_number(json, "draws", rating->draws);
	mrl__json_close(json);
}

void mrl__write_ratings(struct mrl__json *json, const struct mrl_store_answer *answer)
{
	mrl__json_open_list(json, "ratings");
	for (size_t i = 0; i < answer->rating_count; i++)
		mrl__write_rating(json, &answer->ratings[i]);
	mrl__json_close_list(json);
}
