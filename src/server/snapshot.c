#include "snapshot.h"

#include <math.h>
#include <string.h>

#include <merels/notation.h>

#include "peer.h"
#include "server_internal.h"

enum { MOST_NAMES = 20 };

void mrl__write_id(struct mrl__json *json, const char *key, uint64_t id)
{
	char text[MRL_ID_TEXT_SIZE];

	mrl_id_write(id, text);
	mrl__json_text(json, key, text);
}

void mrl__write_person(struct mrl__json *json, const char *key, const struct mrl__person *person)
{
	mrl__json_open(json, key);
	mrl__write_id(json, "id", person->id);
	mrl__json_text(json, "name", person->name);
	mrl__json_text(json, "kind", mrl__kind_text(person->kind));
	mrl__json_close(json);
}

void mrl__write_found(struct mrl__json *json, const char *key, const struct mrl_store_person *person)
{
	mrl__json_open(json, key);
	mrl__write_id(json, "id", person->id);
	mrl__json_text(json, "name", person->name);
	mrl__json_text(json, "kind", mrl__kind_text(person->kind));
	mrl__json_close(json);
}

static const char *name_of(const struct mrl__server *server, uint64_t person, const char *name)
{
	return mrl__gone_has(server, person) ? mrl__kind_text(MRL_STORE_DELETED) : name;
}

void mrl__write_player(struct mrl__json *json, const char *key, const struct mrl__server *server,
		       const struct mrl_play_player *player)
{
	if (player->kind == MRL_PLAY_EMPTY) {
		mrl__json_null(json, key);
		return;
	}
	mrl__json_open(json, key);
	mrl__write_id(json, "id", player->person);
	mrl__json_text(json, "name", name_of(server, player->person, player->name));
	mrl__json_text(json, "kind",
		       mrl__gone_has(server, player->person) ? mrl__kind_text(MRL_STORE_DELETED)
							     : mrl_play_player_kind_text(player->kind));
	if (player->kind == MRL_PLAY_COMPUTER)
		mrl__json_number(json, "level", player->level);
	mrl__json_close(json);
}

void mrl__write_tempo(struct mrl__json *json, const struct mrl_play_tempo *tempo)
{
	if (tempo->kind == MRL_PLAY_NO_CLOCK) {
		mrl__json_null(json, "tempo");
		return;
	}
	mrl__json_open(json, "tempo");
	if (tempo->kind == MRL_PLAY_DAYS) {
		mrl__json_number(json, "days", tempo->days);
	} else {
		mrl__json_number(json, "base", tempo->base);
		mrl__json_number(json, "increment", tempo->increment);
	}
	mrl__json_close(json);
}

void mrl__write_side(struct mrl__json *json, const char *key, int side)
{
	mrl__json_text(json, key, side == MRL_WHITE ? "white" : side == MRL_BLACK ? "black" : NULL);
}

/* ---- Clocks ------------------------------------------------------------------------------------------------- */

/* Both clocks at the moment `at`; `running` is a side or -1; `until` 0: nobody says when it is over. */
static void write_clock(struct mrl__json *json, const struct mrl_play_tempo *tempo, const uint32_t clock[2],
			int running, uint64_t at, uint64_t until)
{
	if (tempo->kind == MRL_PLAY_NO_CLOCK) {
		mrl__json_null(json, "clock");
		return;
	}
	mrl__json_open(json, "clock");
	mrl__json_number(json, "white", clock[MRL_WHITE]);
	mrl__json_number(json, "black", clock[MRL_BLACK]);
	mrl__write_side(json, "running", running);
	mrl__json_number(json, "at", at);
	if (until != 0)
		mrl__json_number(json, "until", until);
	else
		mrl__json_null(json, "until");
	mrl__json_close(json);
}

void mrl__write_clock_now(struct mrl__json *json, const struct mrl__room *room, uint64_t now)
{
	const struct mrl_play_game *game = &room->game;
	uint64_t deadline = mrl__room_shown(room, mrl_play_deadline(game));
	struct mrl_play_view view;

	mrl_play_view(game, MRL_PLAY_NOBODY, now + (uint64_t)room->shift, &view);
	write_clock(json, &game->tempo, view.clock, view.running ? (int)game->moves.position.side : -1, now,
		    game->phase == MRL_PLAY_RUNNING && deadline != UINT64_MAX ? deadline : 0);
}

/* As it stands after an event: what the event itself says, and what follows from the number of turns made. */
static void write_clock_after(struct mrl__json *json, const struct mrl__room *room, const uint32_t clock[2],
			      uint64_t at, uint32_t ply, bool over)
{
	const struct mrl_play_tempo *tempo = &room->game.tempo;
	int side = ply % 2 == 0 ? MRL_WHITE : MRL_BLACK;
	bool runs = !over && (ply >= 2 || tempo->kind == MRL_PLAY_DAYS);
	uint64_t first =
	    tempo->kind == MRL_PLAY_DAYS ? (uint64_t)tempo->days * MRL_PLAY_DAY : MRL_PLAY_FIRST_TURN_LIMIT;

	at = mrl__room_shown(room, at);
	write_clock(json, tempo, clock, runs ? side : -1, at, over ? 0 : runs ? at + clock[side] : at + first);
}

/* ---- Who is there ------------------------------------------------------------------------------------------- */

void mrl__write_presence(struct mrl__json *json, const char *key, const struct mrl__room *room)
{
	const struct mrl_play_game *game = &room->game;

	mrl__json_open_list(json, key);
	for (unsigned seat = 0; seat < 2; seat++) {
		bool here = game->present[seat].connected || game->player[seat].kind == MRL_PLAY_COMPUTER;

		mrl__json_open(json, NULL);
		mrl__json_bool(json, "here", here);
		if (!here) {
			uint64_t claim = mrl__room_shown(room, mrl_play_claim_time(game, 1 - seat));

			mrl__json_number(json, "since", mrl__room_shown(room, game->present[seat].since));
			if (claim == UINT64_MAX)
				mrl__json_null(json, "claim");
			else
				mrl__json_number(json, "claim", claim);
		}
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

void mrl__write_watchers(struct mrl__json *json, const struct mrl__room *room)
{
	unsigned names = 0;

	mrl__json_number(json, "count", mrl__room_spectators(room));
	mrl__json_open_list(json, "names");
	for (const struct mrl__watch *watch = room->spectators; watch != NULL && names < MOST_NAMES;
	     watch = watch->next) {
		if (watch->peer->person.id != 0) {
			mrl__json_text(json, NULL, watch->peer->person.name);
			names++;
		}
	}
	mrl__json_close_list(json);
}

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

static long points(int32_t thousandths)
{
	return lround((double)thousandths / 1000);
}

static void write_change(struct mrl__json *json, const struct mrl_rating before[2], const struct mrl_rating after[2])
{
	mrl__json_open_list(json, "rating");
	for (unsigned seat = 0; seat < 2; seat++) {
		mrl__json_open(json, NULL);
		mrl__json_signed(json, "before", points(before[seat].rating));
		mrl__json_signed(json, "after", points(after[seat].rating));
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

static void write_rating_change(struct mrl__json *json, const struct mrl__room *room)
{
	if (room->changed)
		write_change(json, room->before, room->after);
	else
		mrl__json_null(json, "rating");
}

void mrl__write_ratings_now(struct mrl__json *json, const struct mrl__room *room)
{
	mrl__json_open_list(json, "ratings");
	for (unsigned seat = 0; seat < 2; seat++) {
		if (room->rating[seat] != 0)
			mrl__json_signed(json, NULL, points(room->rating[seat]));
		else
			mrl__json_null(json, NULL);
	}
	mrl__json_close_list(json);
}

/* ---- The snapshot ------------------------------------------------------------------------------------------- */

static const char *phase_text(unsigned phase)
{
	return phase == MRL_PLAY_FINISHED ? "over" : phase == MRL_PLAY_RUNNING ? "playing" : "waiting";
}

void mrl__write_turns(struct mrl__json *json, const struct mrl_game *moves)
{
	char text[MRL_TURN_TEXT_SIZE];

	mrl__json_open_list(json, "turns");
	for (size_t i = 0; i < moves->count; i++) {
		size_t length = mrl_turn_write(&moves->rules->board, &moves->plies[i].turn, text);

		mrl__json_bytes(json, NULL, text, length);
	}
	mrl__json_close_list(json);
	mrl__json_number(json, "ply", moves->count);
}

static void write_offers(struct mrl__json *json, const struct mrl_play_game *game)
{
	mrl__json_open_list(json, "offers");
	for (unsigned what = 0; what < MRL_PLAY_OFFERS; what++) {
		if (game->offers[what] > 1)
			continue;
		mrl__json_open(json, NULL);
		mrl__json_text(json, "what", mrl_play_offer_text(what));
		mrl__json_number(json, "seat", game->offers[what]);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

static void write_said(struct mrl__json *json, const struct mrl__room *room, unsigned seat,
		       const struct mrl__mutes *mutes)
{
	mrl__json_open_list(json, "lines");
	for (const struct mrl__said *said = room->said; said != NULL; said = said->next) {
		bool players = said->room == MRL_PLAY_ROOM_PLAYERS;

		if (players != (seat < 2) || mrl__mutes_has(mutes, said->person))
			continue;
		mrl__json_open(json, NULL);
		mrl__json_number(json, "n", said->number);
		mrl__json_text(json, "room", mrl_play_room_text(said->room));
		if (said->seat < 2)
			mrl__json_number(json, "seat", said->seat);
		else
			mrl__json_null(json, "seat");
		mrl__json_text(json, "name", name_of(room->server, said->person, said->name));
		mrl__json_text(json, "text", said->text);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

static void write_result(struct mrl__json *json, const char *outcome, const char *reason, const char *cause)
{
	mrl__json_text(json, "outcome", outcome);
	mrl__json_text(json, "reason", reason);
	if (cause != NULL && cause[0] != '.')
		mrl__json_text(json, "cause", cause);
}

void mrl__write_snapshot(struct mrl__json *json, const struct mrl__room *room, unsigned seat,
			 const struct mrl__mutes *mutes)
{
	const struct mrl_play_game *game = &room->game;
	bool started = game->phase >= MRL_PLAY_RUNNING && game->player[1].kind != MRL_PLAY_EMPTY;
	uint64_t now = mrl__service_time(room->server);

	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "n", game->number);
	mrl__json_number(json, "now", now);
	mrl__json_text(json, "state", phase_text(game->phase));
	mrl__json_text(json, "rules", mrl__rulebook_text(room->rules));
	mrl__write_tempo(json, &game->tempo);
	mrl__json_text(json, "speed", mrl_play_speed_text(mrl_play_speed(&game->tempo)));
	mrl__json_bool(json, "rated", game->rated);
	mrl__json_bool(json, "private", game->unlisted);
	mrl__json_text(json, "chat", game->phrases ? "quick" : "free");
	mrl__json_text(json, "first", mrl_play_first_text(game->first));
	mrl__json_signed(json, "date", game->wall);
	mrl__json_open_list(json, "seats");
	mrl__write_player(json, NULL, room->server, &game->player[0]);
	mrl__write_player(json, NULL, room->server, &game->player[1]);
	mrl__json_close_list(json);
	if (started)
		mrl__json_number(json, "white", game->white);
	else
		mrl__json_null(json, "white");
	if (seat < 2)
		mrl__json_number(json, "you", seat);
	else
		mrl__json_null(json, "you");
	mrl__write_turns(json, &game->moves);
	mrl__write_clock_now(json, room, now);
	write_offers(json, game);
	mrl__write_presence(json, "presence", room);
	if (game->phase == MRL_PLAY_FINISHED) {
		mrl__json_open(json, "result");
		write_result(json, mrl_outcome_text(game->verdict.outcome), mrl_reason_text(game->verdict.reason),
			     mrl_play_cause_text(game->cause));
		mrl__json_close(json);
	} else {
		mrl__json_null(json, "result");
	}
	mrl__write_ratings_now(json, room);
	write_rating_change(json, room);
	if (game->next != 0)
		mrl__write_id(json, "rematch", game->next);
	else
		mrl__json_null(json, "rematch");
	write_said(json, room, seat, mutes);
	mrl__json_open(json, "watchers");
	mrl__write_watchers(json, room);
	mrl__json_close(json);
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static void write_chat(struct mrl__json *json, const struct mrl__server *server, const struct mrl_play_event *event)
{
	mrl__json_text(json, "room", mrl_play_room_text(event->chat.room));
	mrl__write_id(json, "person", event->chat.person);
	mrl__json_text(json, "name", name_of(server, event->chat.person, event->chat.name));
	if (event->chat.phrase != 0)
		mrl__json_number(json, "phrase", event->chat.phrase);
	mrl__json_text(json, "text", event->chat.phrase != 0 ? mrl_play_phrase(event->chat.phrase) : event->chat.text);
}

static void write_payload(struct mrl__json *json, const struct mrl__room *room, const struct mrl_play_event *event,
			  uint32_t ply)
{
	switch (event->kind) {
	case MRL_PLAY_JOINED:
		mrl__write_player(json, "person", room->server, &event->joined);
		break;
	case MRL_PLAY_STARTED:
		mrl__json_number(json, "white", event->started.white);
		write_clock_after(json, room, event->started.clock, event->time, 0, false);
		break;
	case MRL_PLAY_TURN:
		mrl__json_number(json, "ply", event->turn.ply);
		mrl__json_text(json, "turn", event->turn.text);
		mrl__json_number(json, "spent", event->turn.spent);
		write_clock_after(json, room, event->turn.clock, event->time, event->turn.ply + 1, false);
		break;
	case MRL_PLAY_OFFERED:
	case MRL_PLAY_DECLINED:
	case MRL_PLAY_LAPSED:
		mrl__json_text(json, "what", mrl_play_offer_text(event->offer));
		break;
	case MRL_PLAY_TAKEBACK:
		mrl__json_number(json, "ply", event->takeback.ply);
		write_clock_after(json, room, event->takeback.clock, event->time, event->takeback.ply, false);
		break;
	case MRL_PLAY_TIME:
		mrl__json_number(json, "added", event->added.added);
		write_clock_after(json, room, event->added.clock, event->time, ply, false);
		break;
	case MRL_PLAY_CHAT:
		write_chat(json, room->server, event);
		break;
	case MRL_PLAY_ENDED:
		write_result(json, mrl_outcome_text((enum mrl_outcome)event->ended.outcome),
			     mrl_reason_text((enum mrl_reason)event->ended.reason),
			     mrl_play_cause_text(event->ended.cause));
		write_clock_after(json, room, event->ended.clock, event->time, ply, true);
		break;
	case MRL_PLAY_RATED:
		write_change(json, event->rated.before, event->rated.after);
		break;
	case MRL_PLAY_REMATCH:
		mrl__write_id(json, "next", event->rematch);
		break;
	default:
		break;
	}
}

void mrl__write_event(struct mrl__json *json, const struct mrl__room *room, const struct mrl_play_event *event,
		      uint32_t ply, bool hidden)
{
	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "event");
	mrl__write_id(json, "game", room->id);
	mrl__json_number(json, "n", event->number);
	mrl__json_text(json, "kind", hidden ? "hidden" : mrl_play_kind_text(event->kind));
	if (!hidden) {
		mrl__json_number(json, "at", mrl__room_shown(room, event->time));
		mrl__json_signed(json, "date", event->wall);
		if (event->seat < 2)
			mrl__json_number(json, "seat", event->seat);
		else
			mrl__json_null(json, "seat");
		write_payload(json, room, event, ply);
	}
	mrl__json_close(json);
}
