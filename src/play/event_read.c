/*
 * An event read from its line. Fields are taken one by one; the first that is wrong is remembered, and all that follow
 * are empty. That the line is the event's only spelling is seen in the end, by writing it again.
 */
#include "play_internal.h"

#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/text.h>

struct reader {
	const char *text;
	size_t length;
	size_t at;    /* behind the last field and the space that follows it */
	size_t start; /* of the last field */
	size_t end;   /* of the last field */
	enum mrl_status status;
	struct mrl_error *error;
};

/* Remembers the first thing that was wrong with the last field. */
static void wrong(struct reader *reader, enum mrl_status status, const char *expected)
{
	struct mrl_text text;

	if (reader->status != MRL_OK)
		return;
	reader->status = status;
	text = mrl_error_open(reader->error, status, 1, reader->start + 1);
	mrl_text_add(&text, "found ");
	mrl_text_quote(&text, reader->text + reader->start, reader->end - reader->start);
	mrl_text_add(&text, ", expected ");
	mrl_text_add(&text, expected);
}

/* Goes on to the next field; it is empty when there is none, or after an error. */
static void next(struct reader *reader)
{
	reader->start = reader->at;
	reader->end = reader->at;
	if (reader->status != MRL_OK)
		return;
	while (reader->end < reader->length && reader->text[reader->end] != ' ')
		reader->end++;
	reader->at = reader->end + (reader->end < reader->length);
}

static bool field_is(const struct reader *reader, const char *word)
{
	size_t length = mrl__length(word, SIZE_MAX);

	return reader->end - reader->start == length && mrl_compare(reader->text + reader->start, word, length) == 0;
}

static uint64_t number(struct reader *reader, uint64_t most, const char *what)
{
	uint64_t value = 0;

	next(reader);
	if (reader->start == reader->end) {
		wrong(reader, MRL_SYNTAX, what);
		return 0;
	}
	for (size_t i = reader->start; i < reader->end; i++) {
		unsigned digit = (unsigned)(unsigned char)reader->text[i] - '0';

		if (digit > 9) {
			wrong(reader, MRL_SYNTAX, what);
			return 0;
		}
		if (digit > most || value > (most - digit) / 10) {
			wrong(reader, MRL_RANGE, what);
			return 0;
		}
		value = value * 10 + digit;
	}
	return value;
}

static uint32_t clock_number(struct reader *reader)
{
	return (uint32_t)number(reader, UINT32_MAX, "milliseconds of a clock");
}

static int64_t wall_time(struct reader *reader)
{
	bool negative = reader->at < reader->length && reader->text[reader->at] == '-';
	uint64_t value;

	if (negative)
		reader->at++;
	value = number(reader, INT64_MAX, "Unix time in milliseconds");
	return negative ? -(int64_t)value : (int64_t)value;
}

/* The index of the field among the words that `word_of` gives, `count` of them. */
static uint8_t one_of(struct reader *reader, const char *(*word_of)(unsigned), unsigned count, const char *what)
{
	next(reader);
	for (unsigned i = 0; i < count; i++)
		if (field_is(reader, word_of(i)))
			return (uint8_t)i;
	wrong(reader, MRL_NAME, what);
	return 0;
}

/* Which of two words. */
static bool either(struct reader *reader, const char *yes, const char *no, const char *what)
{
	next(reader);
	if (field_is(reader, yes))
		return true;
	if (!field_is(reader, no))
		wrong(reader, MRL_NAME, what);
	return false;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A text of people: %XX is a byte, "." an empty text. At most size - 1 bytes, none of them 0. */
static void quoted(struct reader *reader, char *text, size_t size, const char *what)
{
	size_t length = 0;

	mrl_fill(text, 0, size);
	next(reader);
	if (reader->start == reader->end)
		wrong(reader, MRL_SYNTAX, what);
	if (field_is(reader, "."))
		return;
	for (size_t i = reader->start; i < reader->end; i++) {
		char c = reader->text[i];

		if (c == '%') {
			int high = i + 2 < reader->end ? hex_digit(reader->text[i + 1]) : -1;
			int low = high >= 0 ? hex_digit(reader->text[i + 2]) : -1;

			c = high >= 0 && low >= 0 ? (char)(high * 16 + low) : '\0';
			i += 2;
		}
		if (c == '\0' || length + 1 >= size) {
			wrong(reader, c == '\0' ? MRL_SYNTAX : MRL_RANGE, what);
			return;
		}
		text[length++] = c;
	}
}

static uint64_t id(struct reader *reader, bool may_be_none)
{
	uint64_t value = 0;

	next(reader);
	if (may_be_none && field_is(reader, "."))
		return 0;
	if (!mrl_id_read(reader->text + reader->start, reader->end - reader->start, &value))
		wrong(reader, MRL_SYNTAX, "an id of 11 letters and digits");
	return value;
}

static void hash(struct reader *reader, uint8_t bytes[MRL_PLAY_HASH_SIZE])
{
	next(reader);
	if (reader->end - reader->start != (size_t)2 * MRL_PLAY_HASH_SIZE) {
		wrong(reader, MRL_SYNTAX, "a hash of 64 digits of base 16");
		return;
	}
	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		int high = hex_digit(reader->text[reader->start + 2 * i]);
		int low = hex_digit(reader->text[reader->start + 2 * i + 1]);

		if (high < 0 || low < 0) {
			wrong(reader, MRL_SYNTAX, "a hash of 64 digits of base 16");
			return;
		}
		bytes[i] = (uint8_t)(high * 16 + low);
	}
}

static void clocks(struct reader *reader, uint32_t clock[2])
{
	clock[0] = clock_number(reader);
	clock[1] = clock_number(reader);
}

static void player(struct reader *reader, struct mrl_play_player *player)
{
	player->person = id(reader, false);
	player->kind =
	    one_of(reader, mrl_play_player_kind_text, MRL_PLAY_COMPUTER + 1, "guest, account, bot or computer");
	player->level = (uint8_t)number(reader, MRL_PLAY_PERFECT, "a level from 0 to 11");
	quoted(reader, player->name, sizeof player->name, "a name");
	hash(reader, player->secret);
	if (!mrl_play_player_valid(player))
		wrong(reader, MRL_RANGE, "a player with an id, a level that fits and a name that can be shown");
}

static void created(struct reader *reader, struct mrl_play_created *created)
{
	created->game = id(reader, false);
	created->previous = id(reader, true);
	quoted(reader, created->settings.rules, sizeof created->settings.rules, "a rule set");
	next(reader);
	if (!mrl_play_tempo_read(reader->text + reader->start, reader->end - reader->start, &created->settings.tempo))
		wrong(reader, MRL_RANGE, "a tempo such as none, 3d or 300000+3000");
	created->settings.rated = either(reader, "rated", "casual", "rated or casual");
	created->settings.unlisted = either(reader, "private", "public", "private or public");
	created->settings.phrases = either(reader, "phrases", "chat", "phrases or chat");
	created->settings.first = one_of(reader, mrl_play_first_text, MRL_PLAY_LOTS + 1, "owner, friend or lots");
	hash(reader, created->link);
	player(reader, &created->owner);
}

static const char *outcome_text(unsigned outcome)
{
	return mrl_outcome_text((enum mrl_outcome)outcome);
}

static const char *reason_text(unsigned reason)
{
	return mrl_reason_text((enum mrl_reason)reason);
}

static void ended(struct reader *reader, struct mrl_play_ended *ended)
{
	ended->outcome = one_of(reader, outcome_text, MRL_DRAW + 1, "1-0, 0-1, 1/2-1/2 or *");
	ended->reason = one_of(reader, reason_text, MRL_REASON_ABORTED + 1, "the reason of an end");
	ended->cause = one_of(reader, mrl_play_cause_text, MRL_PLAY_CAUSE_OPERATOR + 1, "the cause of an abort, or .");
	clocks(reader, ended->clock);
}

static void chat(struct reader *reader, struct mrl_play_chat *chat)
{
	chat->room = one_of(reader, mrl_play_room_text, MRL_PLAY_ROOM_SPECTATORS + 1, "players or spectators");
	chat->person = id(reader, false);
	quoted(reader, chat->name, sizeof chat->name, "a name");
	chat->phrase = (uint8_t)number(reader, UINT8_MAX, "the number of a phrase, or 0");
	quoted(reader, chat->text, sizeof chat->text, "a text, or .");
	if (chat->phrase != 0 ? chat->text[0] != '\0' || mrl_play_phrase(chat->phrase) == NULL
			      : !mrl_play_text_valid(chat->text, mrl__length(chat->text, sizeof chat->text),
						     MRL_PLAY_CHAT_CHARACTERS))
		wrong(reader, MRL_RANGE, "a text that can be shown, or a phrase that there is");
}

static void ratings(struct reader *reader, struct mrl_rating ratings[2])
{
	for (unsigned seat = 0; seat < 2; seat++) {
		ratings[seat].rating = (int32_t)number(reader, INT32_MAX, "thousandths of a rating");
		ratings[seat].deviation = (int32_t)number(reader, INT32_MAX, "thousandths of a deviation");
		ratings[seat].volatility = (int32_t)number(reader, INT32_MAX, "a volatility in thousand-millionths");
		if (!mrl_rating_valid(&ratings[seat]))
			wrong(reader, MRL_RANGE, "a rating in its range");
	}
}

static void payload(struct reader *reader, struct mrl_play_event *event)
{
	switch (event->kind) {
	case MRL_PLAY_CREATED:
		created(reader, &event->created);
		break;
	case MRL_PLAY_JOINED:
		player(reader, &event->joined);
		break;
	case MRL_PLAY_STARTED:
		event->started.white = (uint8_t)number(reader, MRL_PLAY_FRIEND, "the seat that has White, 0 or 1");
		clocks(reader, event->started.clock);
		break;
	case MRL_PLAY_TURN:
		event->turn.ply = (uint32_t)number(reader, UINT32_MAX, "a ply");
		quoted(reader, event->turn.text, sizeof event->turn.text, "a turn");
		clocks(reader, event->turn.clock);
		event->turn.spent = clock_number(reader);
		event->turn.credit = clock_number(reader);
		break;
	case MRL_PLAY_OFFERED:
	case MRL_PLAY_DECLINED:
	case MRL_PLAY_LAPSED:
		event->offer = one_of(reader, mrl_play_offer_text, MRL_PLAY_OFFERS, "draw, takeback or rematch");
		break;
	case MRL_PLAY_TAKEBACK:
		event->takeback.ply = (uint32_t)number(reader, UINT32_MAX, "a ply");
		clocks(reader, event->takeback.clock);
		break;
	case MRL_PLAY_TIME:
		event->added.added = clock_number(reader);
		clocks(reader, event->added.clock);
		break;
	case MRL_PLAY_CHAT:
		chat(reader, &event->chat);
		break;
	case MRL_PLAY_ENDED:
		ended(reader, &event->ended);
		break;
	case MRL_PLAY_RATED:
		ratings(reader, event->rated.before);
		ratings(reader, event->rated.after);
		break;
	default:
		event->rematch = id(reader, false);
		break;
	}
}

static void head(struct reader *reader, struct mrl_play_event *event)
{
	event->number = (uint32_t)number(reader, UINT32_MAX, "the number of an event");
	event->kind = one_of(reader, mrl_play_kind_text, MRL_PLAY_KINDS, "the kind of an event");
	event->time = number(reader, UINT64_MAX, "service time in milliseconds");
	event->wall = wall_time(reader);
	event->seat = (uint8_t)number(reader, MRL_PLAY_NOBODY, "a seat, 0, 1 or 2");
	quoted(reader, event->id, sizeof event->id, "the id of a command, or .");
	if (event->id[0] != '\0' && !mrl_play_command_id_valid(event->id, mrl__length(event->id, sizeof event->id)))
		wrong(reader, MRL_SYNTAX, "the id of a command, or .");
}

enum mrl_status mrl_play_event_read(const char *text, size_t length, struct mrl_play_event *event,
				    struct mrl_error *error)
{
	struct reader reader = {.text = text, .length = length, .status = MRL_OK, .error = error};
	char again[MRL_PLAY_EVENT_TEXT_SIZE];

	mrl_fill(event, 0, sizeof *event);
	head(&reader, event);
	if (reader.status == MRL_OK)
		payload(&reader, event);
	reader.start = reader.at;
	reader.end = length;
	if (reader.at < length)
		wrong(&reader, MRL_SYNTAX, "the end of the event");
	if (reader.status == MRL_OK &&
	    (mrl_play_event_write(event, again) != length || mrl_compare(again, text, length) != 0)) {
		reader.start = 0;
		reader.end = length;
		wrong(&reader, MRL_SYNTAX,
		      "one space between fields, numbers without zeros in front, %XX where it is needed");
	}
	return reader.status;
}
