/* The settings of a new game, as a message or a request asks for them. */
#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "rulebook.h"
#include "secret.h"

uint64_t mrl__read_id(struct mrl__fields *fields, const char *name)
{
	const char *text = mrl__field_text(fields, name, 64, true);
	uint64_t id = 0;

	if (text == NULL)
		return 0;
	if (!mrl_id_read(text, strlen(text), &id)) {
		mrl__field_wrong(fields, name, "an id of 11 letters and digits");
		return 0;
	}
	return id;
}

bool mrl__read_secret_field(struct mrl__fields *fields, const char *name, uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	const char *text = mrl__field_text(fields, name, 64, false);

	if (text == NULL)
		return false;
	if (mrl__secret_hash(text, strlen(text), hash))
		return true;
	mrl__field_wrong(fields, name, "a secret of 43 characters");
	return false;
}

static bool has(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return value != NULL && !json_is_null(value);
}

static void read_tempo(struct mrl__fields *fields, struct mrl_play_tempo *tempo)
{
	static const char should[] =
	    "null, {\"base\":1000..10800000,\"increment\":0..180000} in milliseconds, or {\"days\":1..14}";
	const json_t *value = json_object_get(fields->object, "tempo");
	struct mrl__fields inner = mrl__fields_of(value);
	bool has_days = has(value, "days");
	bool has_base = has(value, "base");
	bool has_increment = has(value, "increment");

	*tempo = (struct mrl_play_tempo){.kind = MRL_PLAY_NO_CLOCK};
	if (value == NULL || json_is_null(value))
		return;
	/* One of the two forms, whole. */
	if (has_days == has_base || has_base != has_increment) {
		mrl__field_wrong(fields, "tempo", should);
		return;
	}
	if (has_days) {
		tempo->kind = MRL_PLAY_DAYS;
		tempo->days = (uint8_t)mrl__field_number(&inner, "days", 1, 14, 0);
	} else {
		tempo->kind = MRL_PLAY_FISCHER;
		tempo->base = (uint32_t)mrl__field_number(&inner, "base", 1000, 10800000, 0);
		tempo->increment = (uint32_t)mrl__field_number(&inner, "increment", 0, 180000, 0);
	}
	if (!mrl__fields_good(&inner) || !mrl_play_tempo_valid(tempo))
		mrl__field_wrong(fields, "tempo", should);
}

void mrl__read_settings(struct mrl__fields *fields, struct mrl_play_settings *settings, bool unlisted)
{
	static const enum mrl_play_first firsts[] = {MRL_PLAY_OWNER_FIRST, MRL_PLAY_FRIEND_FIRST, MRL_PLAY_LOTS};
	struct mrl_error error;

	*settings = (struct mrl_play_settings){.first = MRL_PLAY_LOTS};
	const char *rules = mrl__field_text(fields, "rules", MRL_RULES_NAME_SIZE - 1, false);

	if (mrl__fields_good(fields) &&
	    !mrl__rules_canonical(rules != NULL ? rules : "nine", settings->rules, &error)) {
		char should[MRL_ERROR_MESSAGE_SIZE + 32];

		(void)snprintf(should, sizeof(should), "a rule set: %s", error.message);
		mrl__field_wrong(fields, "rules", should);
	}
	read_tempo(fields, &settings->tempo);
	settings->rated = mrl__field_bool(fields, "rated", false);
	settings->unlisted = mrl__field_bool(fields, "private", unlisted);
	int first = mrl__field_choice(fields, "first", "me other lots", 2);
	int chat = mrl__field_choice(fields, "chat", "free quick", 0);

	settings->first = (uint8_t)firsts[first >= 0 ? first : 2];
	settings->phrases = chat == 1;
	if (settings->rated && settings->tempo.kind == MRL_PLAY_NO_CLOCK)
		mrl__field_wrong(fields, "tempo", "a clock, as the game is rated");
}
