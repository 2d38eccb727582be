/*
 * Lines that keep events. What reads is written the same and nothing else; what does not says which field is wrong. The
 * lines are applied to a game in turn, like those of a damaged store: an event that cannot follow changes nothing.
 */
#include <merels/play.h>

#include "fuzz.h"

#define PLIES 64

static struct mrl_ply plies[PLIES];
static struct mrl_play_past past[PLIES];
static struct mrl_ply plies_before[PLIES];
static struct mrl_play_past past_before[PLIES];

/* The rules that a game's first event names. */
static const struct mrl_rules *rules_of(const struct mrl_play_event *event)
{
	struct fuzz_text name = {event->created.settings.rules, strlen(event->created.settings.rules)};

	return fuzz_rules(&name);
}

static void apply(struct mrl_play_game *game, const struct mrl_play_event *event)
{
	struct mrl_play_game before = *game;
	struct mrl_error error = {.message = ""};
	enum mrl_status status;

	memcpy(plies_before, plies, sizeof plies);
	memcpy(past_before, past, sizeof past);
	mrl_play_move(&before, plies_before, past_before, PLIES);
	status = mrl_play_apply(game, event, &error);
	if (status == MRL_OK) {
		struct mrl_play_view view;

		MUST(game->number == before.number + 1);
		for (unsigned viewer = 0; viewer <= MRL_PLAY_NOBODY; viewer++)
			mrl_play_view(game, viewer, game->time, &view);
	} else {
		MUST(mrl_play_same(game, &before));
		MUST(error.message[0] != '\0');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_text rest = {(const char *)data, size};
	struct mrl_play_game game;
	bool begun = false;

	while (rest.length > 0) {
		struct fuzz_text line = fuzz_line(&rest);
		char text[MRL_PLAY_EVENT_TEXT_SIZE];
		struct mrl_play_event event;
		struct mrl_error error = {.message = ""};
		enum mrl_status status = mrl_play_event_read(line.data, line.length, &event, &error);

		if (status != MRL_OK) {
			fuzz_check_error(&error, status, line);
			continue;
		}
		MUST(mrl_play_event_write(&event, text) == line.length);
		MUST(memcmp(text, line.data, line.length) == 0);
		if (event.kind == MRL_PLAY_CREATED && !begun) {
			mrl_play_init(&game, rules_of(&event), plies, past, PLIES);
			begun = true;
		}
		if (begun)
			apply(&game, &event);
	}
	return 0;
}
