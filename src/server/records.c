#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/notation.h>
#include <merels/play.h>
#include <merels/record.h>

/* The turns that stand, with what the clock showed after each. */
struct line {
	struct mrl_game game;
	struct mrl_ply *plies;
	uint64_t *clocks;
	size_t capacity;
};

static void release(struct line *line)
{
	free(line->plies);
	free(line->clocks);
}

static bool play(struct line *line, const struct mrl_play_event *event, bool has_clock)
{
	const struct mrl_rules *rules = line->game.rules;
	struct mrl_turn turn;

	if (line->game.count == line->capacity || mrl_turn_read(rules, &line->game.position, event->turn.text,
								strlen(event->turn.text), &turn, NULL) != MRL_OK)
		return false;
	line->clocks[line->game.count] = has_clock ? event->turn.clock[line->game.position.side] : MRL_NO_CLOCK;
	return mrl_game_play(&line->game, &turn, NULL) == MRL_OK;
}

/* Goes through the events; the last one that ends the game is given back in `ended`. */
static bool follow(struct line *line, const struct mrl_store_game *game, struct mrl_play_event *ended)
{
	struct mrl_play_event event;

	for (size_t i = 0; i < game->event_count; i++) {
		if (mrl_play_event_read(game->events[i].text, strlen(game->events[i].text), &event, NULL) != MRL_OK)
			return false;
		if (event.kind == MRL_PLAY_TURN && !play(line, &event, game->base_ms != 0))
			return false;
		while (event.kind == MRL_PLAY_TAKEBACK && line->game.count > event.takeback.ply)
			(void)mrl_game_back(&line->game);
		if (event.kind == MRL_PLAY_ENDED)
			*ended = event;
	}
	return true;
}

static const char *name_of(const struct mrl_store_seat *seat, char text[64])
{
	if (seat->kind == MRL_STORE_COMPUTER) {
		(void)snprintf(text, 64, seat->level == MRL_PLAY_PERFECT ? "Computer (perfect)" : "Computer (level %u)",
			       seat->level);
		return text;
	}
	return seat->kind == MRL_STORE_PERSON ? seat->name : "?";
}

static void set_tag(struct mrl_arena *arena, struct mrl_record *record, const char *name, const char *value)
{
	/* A tag that cannot be is left out. */
	if (mrl_record_set_tag(arena, record, name, value, NULL) != MRL_OK)
		return;
}

static void set_tags(struct mrl_arena *arena, struct mrl_record *record, const struct mrl_store_game *game)
{
	char text[64];
	char id[MRL_ID_TEXT_SIZE];
	time_t started = (time_t)((game->started != 0 ? game->started : game->created) / 1000);
	const struct tm *utc = gmtime(&started);

	mrl_id_write(game->id, id);
	set_tag(arena, record, "Event", game->rated ? "Rated game" : "Casual game");
	set_tag(arena, record, "Site", id);
	if (utc != NULL && strftime(text, sizeof(text), "%Y.%m.%d", utc) > 0)
		set_tag(arena, record, "Date", text);
	set_tag(arena, record, "White", name_of(&game->white, text));
	set_tag(arena, record, "Black", name_of(&game->black, text));
	if (game->white.has_rating) {
		(void)snprintf(text, sizeof(text), "%.0f", game->white.rating);
		set_tag(arena, record, "WhiteElo", text);
	}
	if (game->black.has_rating) {
		(void)snprintf(text, sizeof(text), "%.0f", game->black.rating);
		set_tag(arena, record, "BlackElo", text);
	}
	if (game->base_ms != 0)
		(void)snprintf(text, sizeof(text), "%llu+%llu", (unsigned long long)game->base_ms / 1000,
			       (unsigned long long)game->increment_ms / 1000);
	else if (game->days != 0)
		(void)snprintf(text, sizeof(text), "1/%u", game->days * 86400);
	else
		(void)snprintf(text, sizeof(text), "-");
	set_tag(arena, record, "TimeControl", text);
}

/* The record in its arena, as text; NULL when the arena is too small. */
static char *write_record(struct line *line, const struct mrl_store_game *game, const struct mrl_play_event *ended,
			  struct mrl_arena *arena)
{
	struct mrl_record *record = NULL;
	size_t at = 0;

	if (mrl_record_make(arena, &line->game, &record) != MRL_OK)
		return NULL;
	set_tags(arena, record, game);
	for (struct mrl_record_turn *turn = record->line.first; turn != NULL; turn = turn->next)
		turn->clock = line->clocks[at++];
	/* What the rules say themselves is there already. */
	if (ended->kind == MRL_PLAY_ENDED && record->verdict.outcome == MRL_ONGOING &&
	    mrl_record_set_result(record, (enum mrl_outcome)ended->ended.outcome, (enum mrl_reason)ended->ended.reason,
				  NULL) != MRL_OK)
		return NULL;
	size_t length = mrl_record_write(record, NULL, 0);
	char *text = malloc(length + 1);

	if (text != NULL)
		(void)mrl_record_write(record, text, length + 1);
	return text;
}

char *mrl__record_text(struct mrl__rulebook *rulebook, const struct mrl_store_game *game)
{
	const struct mrl_rules *rules = mrl__rulebook_hold(rulebook, game->rules);
	size_t size = 32768 + 400 * game->event_count;
	struct line line = {.capacity = game->event_count + 1};
	struct mrl_play_event ended = {.kind = MRL_PLAY_KINDS};
	char *memory = malloc(size);
	char *text = NULL;

	line.plies = malloc(line.capacity * sizeof(*line.plies));
	line.clocks = malloc(line.capacity * sizeof(*line.clocks));
	if (rules != NULL && memory != NULL && line.plies != NULL && line.clocks != NULL) {
		struct mrl_arena arena = mrl_arena_in(memory, size);

		mrl_game_init(&line.game, rules, NULL, line.plies, line.capacity);
		if (follow(&line, game, &ended))
			text = write_record(&line, game, &ended, &arena);
	}
	release(&line);
	free(memory);
	mrl__rulebook_drop(rulebook, rules);
	return text;
}
