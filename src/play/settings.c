/* Settings of a game and who may play under them. */
#include "play_internal.h"

#include <merels/text.h>

#define BASE_MIN 1000U
#define BASE_MAX 10800000U
#define INCREMENT_MAX 180000U
#define DAYS_MAX 14U

bool mrl_play_tempo_valid(const struct mrl_play_tempo *tempo)
{
	switch (tempo->kind) {
	case MRL_PLAY_NO_CLOCK:
		return tempo->days == 0 && tempo->base == 0 && tempo->increment == 0;
	case MRL_PLAY_FISCHER:
		return tempo->days == 0 && tempo->base >= BASE_MIN && tempo->base <= BASE_MAX &&
		       tempo->increment <= INCREMENT_MAX;
	case MRL_PLAY_DAYS:
		return tempo->days >= 1 && tempo->days <= DAYS_MAX && tempo->base == 0 && tempo->increment == 0;
	default:
		return false;
	}
}

bool mrl_play_tempo_equal(const struct mrl_play_tempo *a, const struct mrl_play_tempo *b)
{
	return a->kind == b->kind && a->days == b->days && a->base == b->base && a->increment == b->increment;
}

void mrl_play_tempo_write(const struct mrl_play_tempo *tempo, char text[MRL_PLAY_TEMPO_TEXT_SIZE])
{
	struct mrl_text out = mrl_text_in(text, MRL_PLAY_TEMPO_TEXT_SIZE);

	switch (tempo->kind) {
	case MRL_PLAY_FISCHER:
		mrl_text_number(&out, tempo->base);
		mrl_text_char(&out, '+');
		mrl_text_number(&out, tempo->increment);
		break;
	case MRL_PLAY_DAYS:
		mrl_text_number(&out, tempo->days);
		mrl_text_char(&out, 'd');
		break;
	default:
		mrl_text_add(&out, "none");
	}
}

/* A number of at most nine digits at *at; moves *at behind it. */
static uint32_t number_at(const char *text, size_t length, size_t *at)
{
	uint32_t number = 0;

	for (size_t digits = 0; *at < length && digits < 9 && text[*at] >= '0' && text[*at] <= '9'; digits++)
		number = number * 10 + (uint32_t)(text[(*at)++] - '0');
	return number;
}

bool mrl_play_tempo_read(const char *text, size_t length, struct mrl_play_tempo *tempo)
{
	struct mrl_play_tempo read = {.kind = MRL_PLAY_NO_CLOCK};
	char again[MRL_PLAY_TEMPO_TEXT_SIZE];
	size_t at = 0;
	uint32_t first = number_at(text, length, &at);

	if (at > 0 && at < length && text[at] == 'd' && first <= DAYS_MAX) {
		read.kind = MRL_PLAY_DAYS;
		read.days = (uint8_t)first;
	} else if (at > 0 && at < length && text[at] == '+') {
		read.kind = MRL_PLAY_FISCHER;
		read.base = first;
		at++;
		read.increment = number_at(text, length, &at);
	}
	/* One spelling each: what is not written so is not read. */
	mrl_play_tempo_write(&read, again);
	if (mrl__length(again, sizeof again) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (again[i] != text[i])
			return false;
	if (!mrl_play_tempo_valid(&read))
		return false;
	*tempo = read;
	return true;
}

enum mrl_play_speed mrl_play_speed(const struct mrl_play_tempo *tempo)
{
	/* How long a side has for a game of forty turns. */
	uint64_t estimate = tempo->base + 40 * (uint64_t)tempo->increment;

	if (tempo->kind != MRL_PLAY_FISCHER || estimate >= 1500000)
		return MRL_PLAY_SLOW;
	if (estimate >= 480000)
		return MRL_PLAY_RAPID;
	return estimate >= 180000 ? MRL_PLAY_BLITZ : MRL_PLAY_BULLET;
}

bool mrl_play_player_valid(const struct mrl_play_player *player)
{
	size_t length = mrl__length(player->name, MRL_PLAY_NAME_SIZE);

	if (player->person == 0 || player->kind == MRL_PLAY_EMPTY || player->kind > MRL_PLAY_COMPUTER)
		return false;
	if (player->kind == MRL_PLAY_COMPUTER ? player->level < 1 || player->level > MRL_PLAY_PERFECT
					      : player->level != 0)
		return false;
	return length < MRL_PLAY_NAME_SIZE && mrl_play_text_valid(player->name, length, MRL_PLAY_NAME_CHARACTERS);
}

static bool has_rating(const struct mrl_play_player *player)
{
	return player->kind == MRL_PLAY_ACCOUNT || player->kind == MRL_PLAY_BOT;
}

enum mrl_play_code mrl__settings_check(const struct mrl_play_settings *settings, const struct mrl_play_player *owner,
				       const struct mrl_play_player *friend_seat)
{
	size_t length = mrl__length(settings->rules, sizeof settings->rules);

	if (length == 0 || length == sizeof settings->rules || !mrl_play_tempo_valid(&settings->tempo) ||
	    settings->first > MRL_PLAY_LOTS || (settings->rated && settings->tempo.kind == MRL_PLAY_NO_CLOCK))
		return MRL_CODE_BAD_SETTINGS;
	if (!mrl_play_player_valid(owner))
		return MRL_CODE_BAD_PLAYER;
	if (settings->rated && !has_rating(owner))
		return MRL_CODE_ACCOUNT_NEEDED;
	if (friend_seat->kind == MRL_PLAY_EMPTY)
		return MRL_CODE_OK;
	if (!mrl_play_player_valid(friend_seat))
		return MRL_CODE_BAD_PLAYER;
	if (friend_seat->person == owner->person)
		return MRL_CODE_OWN_GAME;
	return settings->rated && !has_rating(friend_seat) ? MRL_CODE_ACCOUNT_NEEDED : MRL_CODE_OK;
}
