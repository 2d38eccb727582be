/* An event as a line of text. docs/PLAY.md has the form; event_read.c reads it. */
#include "play_internal.h"

#include <merels/text.h>

static void word(struct mrl_text *out, const char *text)
{
	mrl_text_char(out, ' ');
	mrl_text_add(out, text);
}

static void number(struct mrl_text *out, uint64_t value)
{
	mrl_text_char(out, ' ');
	mrl_text_number(out, value);
}

/* A text of people as one field: spaces, controls and percent signs as %XX; "." for an empty one. */
static void quoted(struct mrl_text *out, const char *text, size_t size)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t length = mrl__length(text, size);

	mrl_text_char(out, ' ');
	if (length == 0)
		mrl_text_char(out, '.');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= 0x20 || c == 0x7f || c == '%' || (c == '.' && length == 1)) {
			mrl_text_char(out, '%');
			mrl_text_char(out, hex[c >> 4]);
			mrl_text_char(out, hex[c & 15]);
		} else {
			mrl_text_char(out, (char)c);
		}
	}
}

static void id(struct mrl_text *out, uint64_t value)
{
	char text[MRL_ID_TEXT_SIZE] = ".";

	if (value != 0)
		mrl_id_write(value, text);
	word(out, text);
}

static void hash(struct mrl_text *out, const uint8_t bytes[MRL_PLAY_HASH_SIZE])
{
	static const char hex[] = "0123456789abcdef";

	mrl_text_char(out, ' ');
	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		mrl_text_char(out, hex[bytes[i] >> 4]);
		mrl_text_char(out, hex[bytes[i] & 15]);
	}
}

static void clocks(struct mrl_text *out, const uint32_t clock[2])
{
	number(out, clock[0]);
	number(out, clock[1]);
}

static void player(struct mrl_text *out, const struct mrl_play_player *player)
{
	id(out, player->person);
	word(out, mrl_play_player_kind_text(player->kind));
	number(out, player->level);
	quoted(out, player->name, sizeof player->name);
	hash(out, player->secret);
}

static void created(struct mrl_text *out, const struct mrl_play_created *created)
{
	char tempo[MRL_PLAY_TEMPO_TEXT_SIZE];

	mrl_play_tempo_write(&created->settings.tempo, tempo);
	id(out, created->game);
	id(out, created->previous);
	quoted(out, created->settings.rules, sizeof created->settings.rules);
	word(out, tempo);
	word(out, created->settings.rated ? "rated" : "casual");
	word(out, created->settings.unlisted ? "private" : "public");
	word(out, created->settings.phrases ? "phrases" : "chat");
	word(out, mrl_play_first_text(created->settings.first));
	hash(out, created->link);
	player(out, &created->owner);
}

static void ratings(struct mrl_text *out, const struct mrl_rating ratings[2])
{
	for (unsigned seat = 0; seat < 2; seat++) {
		number(out, (uint64_t)ratings[seat].rating);
		number(out, (uint64_t)ratings[seat].deviation);
		number(out, (uint64_t)ratings[seat].volatility);
	}
}

static void payload(struct mrl_text *out, const struct mrl_play_event *event)
{
	switch (event->kind) {
	case MRL_PLAY_CREATED:
		created(out, &event->created);
		break;
	case MRL_PLAY_JOINED:
		player(out, &event->joined);
		break;
	case MRL_PLAY_STARTED:
		number(out, event->started.white);
		clocks(out, event->started.clock);
		break;
	case MRL_PLAY_TURN:
		number(out, event->turn.ply);
		quoted(out, event->turn.text, sizeof event->turn.text);
		clocks(out, event->turn.clock);
		number(out, event->turn.spent);
		number(out, event->turn.credit);
		break;
	case MRL_PLAY_OFFERED:
	case MRL_PLAY_DECLINED:
	case MRL_PLAY_LAPSED:
		word(out, mrl_play_offer_text(event->offer));
		break;
	case MRL_PLAY_TAKEBACK:
		number(out, event->takeback.ply);
		clocks(out, event->takeback.clock);
		break;
	case MRL_PLAY_TIME:
		number(out, event->added.added);
		clocks(out, event->added.clock);
		break;
	case MRL_PLAY_CHAT:
		word(out, mrl_play_room_text(event->chat.room));
		id(out, event->chat.person);
		quoted(out, event->chat.name, sizeof event->chat.name);
		number(out, event->chat.phrase);
		quoted(out, event->chat.text, sizeof event->chat.text);
		break;
	case MRL_PLAY_ENDED:
		word(out, mrl_outcome_text((enum mrl_outcome)event->ended.outcome));
		word(out, mrl_reason_text((enum mrl_reason)event->ended.reason));
		word(out, mrl_play_cause_text(event->ended.cause));
		clocks(out, event->ended.clock);
		break;
	case MRL_PLAY_RATED:
		ratings(out, event->rated.before);
		ratings(out, event->rated.after);
		break;
	case MRL_PLAY_REMATCH:
		id(out, event->rematch);
		break;
	default:
		break;
	}
}

size_t mrl_play_event_write(const struct mrl_play_event *event, char text[MRL_PLAY_EVENT_TEXT_SIZE])
{
	struct mrl_text out = mrl_text_in(text, MRL_PLAY_EVENT_TEXT_SIZE);

	mrl_text_number(&out, event->number);
	word(&out, mrl_play_kind_text(event->kind));
	number(&out, event->time);
	mrl_text_char(&out, ' ');
	mrl_text_signed(&out, event->wall);
	number(&out, event->seat);
	quoted(&out, event->id, sizeof event->id);
	payload(&out, event);
	return mrl_text_stored(&out);
}

bool mrl_play_event_equal(const struct mrl_play_event *a, const struct mrl_play_event *b)
{
	char one[MRL_PLAY_EVENT_TEXT_SIZE];
	char other[MRL_PLAY_EVENT_TEXT_SIZE];

	/* An event has one line and a line one event. */
	mrl_play_event_write(a, one);
	mrl_play_event_write(b, other);
	return mrl__same_text(one, other);
}

enum mrl_play_audience mrl_play_event_audience(const struct mrl_play_event *event)
{
	if (event->kind != MRL_PLAY_CHAT)
		return MRL_PLAY_EVERYONE;
	return event->chat.room == MRL_PLAY_ROOM_PLAYERS ? MRL_PLAY_PLAYERS : MRL_PLAY_SPECTATORS;
}
