#include "load_event.h"

#include <stdio.h>
#include <string.h>

bool load_moment(json_t *json, const char *key, uint64_t *moment)
{
	json_t *value = json_object_get(json, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*moment = (uint64_t)json_integer_value(value);
	return true;
}

bool load_number(json_t *json, const char *key, uint32_t *number)
{
	uint64_t value = 0;

	if (!load_moment(json, key, &value) || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

static const char *text_of(json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text != NULL ? text : "";
}

bool load_clocks(json_t *json, uint32_t clock[2])
{
	return load_number(json, "white", &clock[MRL_WHITE]) && load_number(json, "black", &clock[MRL_BLACK]);
}

bool load_tempo_read(json_t *json, struct mrl_play_tempo *tempo)
{
	uint32_t days = 0;

	*tempo = (struct mrl_play_tempo){.kind = MRL_PLAY_NO_CLOCK};
	if (json_is_null(json))
		return true;
	if (load_number(json, "days", &days) && days <= UINT8_MAX) {
		tempo->kind = MRL_PLAY_DAYS;
		tempo->days = (uint8_t)days;
		return true;
	}
	tempo->kind = MRL_PLAY_FISCHER;
	return load_number(json, "base", &tempo->base) && load_number(json, "increment", &tempo->increment);
}

uint8_t load_offer(const char *text)
{
	uint8_t offer = 0;

	while (offer < MRL_PLAY_OFFERS && strcmp(mrl_play_offer_text(offer), text) != 0)
		offer++;
	return offer;
}

static bool copy(const char *text, char *to, size_t size)
{
	size_t length = strlen(text);

	if (length == 0 || length >= size)
		return false;
	memcpy(to, text, length + 1);
	return true;
}

static const char *read_player(json_t *json, struct mrl_play_player *player)
{
	const char *id = text_of(json, "id");
	const char *kind = text_of(json, "kind");
	uint32_t level = 0;

	*player = (struct mrl_play_player){.secret = {1}};
	for (uint8_t k = MRL_PLAY_GUEST; k <= MRL_PLAY_COMPUTER; k++) {
		if (strcmp(mrl_play_player_kind_text(k), kind) == 0)
			player->kind = k;
	}
	if (player->kind == MRL_PLAY_EMPTY)
		return "kind of person";
	if (player->kind == MRL_PLAY_COMPUTER && load_number(json, "level", &level))
		player->level = (uint8_t)level;
	if (!mrl_id_read(id, strlen(id), &player->person))
		return "id of person";
	return copy(text_of(json, "name"), player->name, sizeof(player->name)) ? NULL : "name";
}

/* Clocks as they are after the event; a game without has none. */
static const char *read_clocks(json_t *json, const struct mrl_play_tempo *tempo, uint32_t clock[2])
{
	json_t *value = json_object_get(json, "clock");

	clock[0] = clock[1] = 0;
	if (tempo->kind == MRL_PLAY_NO_CLOCK)
		return json_is_null(value) ? NULL : "clock (in a game without)";
	return load_clocks(value, clock) ? NULL : "clock";
}

static const char *read_turn(json_t *json, const struct mrl_play_tempo *tempo, struct mrl_play_turn *turn)
{
	if (!load_number(json, "ply", &turn->ply))
		return "ply";
	if (!load_number(json, "spent", &turn->spent))
		return "spent";
	if (!copy(text_of(json, "turn"), turn->text, sizeof(turn->text)))
		return "turn";
	return read_clocks(json, tempo, turn->clock);
}

static const char *read_ended(json_t *json, const struct mrl_play_tempo *tempo, struct mrl_play_ended *ended)
{
	const char *outcome = text_of(json, "outcome");
	const char *reason = text_of(json, "reason");
	bool known = false;

	for (uint8_t o = MRL_ONGOING; o <= MRL_DRAW; o++) {
		if (strcmp(mrl_outcome_text((enum mrl_outcome)o), outcome) == 0) {
			ended->outcome = o;
			known = true;
		}
	}
	if (!known)
		return "outcome";
	for (uint8_t r = MRL_REASON_NONE + 1; r <= MRL_REASON_ABORTED; r++) {
		if (strcmp(mrl_reason_text((enum mrl_reason)r), reason) == 0)
			ended->reason = r;
	}
	if (ended->reason == MRL_REASON_NONE)
		return "reason";
	ended->cause = ended->reason == MRL_REASON_ABORTED ? MRL_PLAY_CAUSE_OPERATOR : MRL_PLAY_CAUSE_NONE;
	return read_clocks(json, tempo, ended->clock);
}

static const char *read_chat(json_t *json, struct mrl_play_chat *chat)
{
	const char *room = text_of(json, "room");

	chat->person = 1;
	if (strcmp(room, mrl_play_room_text(MRL_PLAY_ROOM_SPECTATORS)) == 0)
		chat->room = MRL_PLAY_ROOM_SPECTATORS;
	else if (strcmp(room, mrl_play_room_text(MRL_PLAY_ROOM_PLAYERS)) != 0)
		return "room";
	if (!copy(text_of(json, "name"), chat->name, sizeof(chat->name)))
		return "name";
	return copy(text_of(json, "text"), chat->text, sizeof(chat->text)) ? NULL : "text";
}

static const char *read_payload(json_t *json, const struct mrl_play_tempo *tempo, struct mrl_play_event *event)
{
	uint32_t number = 0;
	const char *next = NULL;

	switch (event->kind) {
	case MRL_PLAY_JOINED:
		return read_player(json_object_get(json, "person"), &event->joined);
	case MRL_PLAY_STARTED:
		if (!load_number(json, "white", &number) || number > 1)
			return "white";
		event->started.white = (uint8_t)number;
		return read_clocks(json, tempo, event->started.clock);
	case MRL_PLAY_TURN:
		return read_turn(json, tempo, &event->turn);
	case MRL_PLAY_OFFERED:
	case MRL_PLAY_DECLINED:
	case MRL_PLAY_LAPSED:
		event->offer = load_offer(text_of(json, "what"));
		return event->offer < MRL_PLAY_OFFERS ? NULL : "what";
	case MRL_PLAY_TAKEBACK:
		if (!load_number(json, "ply", &event->takeback.ply))
			return "ply";
		return read_clocks(json, tempo, event->takeback.clock);
	case MRL_PLAY_TIME:
		if (!load_number(json, "added", &event->added.added))
			return "added";
		return read_clocks(json, tempo, event->added.clock);
	case MRL_PLAY_CHAT:
		return read_chat(json, &event->chat);
	case MRL_PLAY_ENDED:
		return read_ended(json, tempo, &event->ended);
	case MRL_PLAY_REMATCH:
		next = text_of(json, "next");
		return mrl_id_read(next, strlen(next), &event->rematch) ? NULL : "next";
	default:
		return NULL;
	}
}

const char *load_event_read(json_t *json, const struct mrl_play_tempo *tempo, struct mrl_play_event *event)
{
	const char *kind = text_of(json, "kind");
	json_t *seat = json_object_get(json, "seat");
	uint64_t date = 0;

	*event = (struct mrl_play_event){.kind = MRL_PLAY_KINDS, .seat = MRL_PLAY_NOBODY};
	for (uint8_t k = 0; k < MRL_PLAY_KINDS; k++) {
		if (strcmp(mrl_play_kind_text(k), kind) == 0)
			event->kind = k;
	}
	if (event->kind == MRL_PLAY_KINDS)
		return "kind";
	if (!load_number(json, "n", &event->number))
		return "n";
	if (!load_moment(json, "at", &event->time))
		return "at";
	if (!load_moment(json, "date", &date))
		return "date";
	event->wall = (int64_t)date;
	if (json_is_integer(seat) && (json_integer_value(seat) == 0 || json_integer_value(seat) == 1))
		event->seat = (uint8_t)json_integer_value(seat);
	else if (seat != NULL && !json_is_null(seat))
		return "seat";
	return read_payload(json, tempo, event);
}

const char *load_event_begin(json_t *snapshot, struct mrl_play_event events[3])
{
	struct mrl_play_created *created = &events[0].created;
	json_t *seats = json_object_get(snapshot, "seats");
	const char *id = text_of(snapshot, "game");
	uint64_t at = 0;
	uint32_t white = 0;
	const char *wrong = NULL;

	for (unsigned i = 0; i < 3; i++)
		events[i] = (struct mrl_play_event){.number = i + 1, .kind = (uint8_t)i, .seat = MRL_PLAY_NOBODY};
	if (!load_moment(snapshot, "now", &at))
		return "now";
	if (!mrl_id_read(id, strlen(id), &created->game))
		return "game";
	if (!copy(text_of(snapshot, "rules"), created->settings.rules, sizeof(created->settings.rules)))
		return "rules";
	if (!load_tempo_read(json_object_get(snapshot, "tempo"), &created->settings.tempo))
		return "tempo";
	created->settings.rated = json_is_true(json_object_get(snapshot, "rated"));
	created->settings.unlisted = json_is_true(json_object_get(snapshot, "private"));
	created->settings.first = MRL_PLAY_LOTS;
	created->link[0] = 1;
	events[0].seat = MRL_PLAY_OWNER;
	events[1].seat = MRL_PLAY_FRIEND;
	wrong = read_player(json_array_get(seats, 0), &created->owner);
	if (wrong == NULL)
		wrong = read_player(json_array_get(seats, 1), &events[1].joined);
	if (wrong != NULL)
		return wrong;
	if (!load_number(snapshot, "white", &white) || white > 1)
		return "white";
	events[2].started.white = (uint8_t)white;
	return read_clocks(snapshot, &created->settings.tempo, events[2].started.clock);
}
