/* A game's memory, and whether two games are the same. */
#include "play_internal.h"

#include <merels/builtins.h>

void mrl_play_init(struct mrl_play_game *game, const struct mrl_rules *rules, struct mrl_ply *plies,
		   struct mrl_play_past *past, size_t capacity)
{
	mrl_fill(game, 0, sizeof *game);
	mrl_game_init(&game->moves, rules, NULL, plies, capacity);
	game->past = past;
	game->white = MRL_PLAY_NOBODY;
	for (unsigned offer = 0; offer < MRL_PLAY_OFFERS; offer++)
		game->offers[offer] = MRL_PLAY_NOBODY;
}

void mrl_play_move(struct mrl_play_game *game, struct mrl_ply *plies, struct mrl_play_past *past, size_t capacity)
{
	mrl_game_move(&game->moves, plies, capacity);
	game->past = past;
}

void mrl_play_settings_of(const struct mrl_play_game *game, struct mrl_play_settings *settings)
{
	mrl_fill(settings, 0, sizeof *settings);
	mrl_rules_write(game->moves.rules, settings->rules);
	settings->tempo = game->tempo;
	settings->rated = game->rated;
	settings->unlisted = game->unlisted;
	settings->phrases = game->phrases;
	settings->first = game->first;
}

static bool same_words(const uint32_t a[2], const uint32_t b[2])
{
	return a[0] == b[0] && a[1] == b[1];
}

static bool same_times(const uint64_t a[2], const uint64_t b[2])
{
	return a[0] == b[0] && a[1] == b[1];
}

static bool same_turns(const struct mrl_play_game *a, const struct mrl_play_game *b)
{
	const struct mrl_game *one = &a->moves;
	const struct mrl_game *other = &b->moves;

	if (one->count != other->count || !mrl_position_same(&one->position, &other->position) ||
	    one->position.no_mill != other->position.no_mill || one->position.three_men != other->position.three_men ||
	    one->verdict.outcome != other->verdict.outcome || one->verdict.reason != other->verdict.reason)
		return false;
	for (size_t i = 0; i < one->count; i++)
		if (!mrl_turn_equal(&one->plies[i].turn, &other->plies[i].turn) ||
		    !same_words(a->past[i].clock, b->past[i].clock) || a->past[i].spent != b->past[i].spent)
			return false;
	return true;
}

static bool same_player(const struct mrl_play_player *a, const struct mrl_play_player *b)
{
	return a->person == b->person && a->kind == b->kind && a->level == b->level &&
	       mrl__same_text(a->name, b->name) && mrl_compare(a->secret, b->secret, sizeof a->secret) == 0;
}

static bool same_memory(const struct mrl_play_memory *a, const struct mrl_play_memory *b)
{
	return a->count == b->count && mrl_compare(a->hash, b->hash, sizeof a->hash) == 0 &&
	       mrl_compare(a->number, b->number, sizeof a->number) == 0;
}

static bool same_lines(const struct mrl_play_game *a, const struct mrl_play_game *b)
{
	if (a->line_count != b->line_count)
		return false;
	for (unsigned i = 0; i < MRL_PLAY_ROOM_LINES; i++)
		if (a->lines[i].person != b->lines[i].person || a->lines[i].time != b->lines[i].time ||
		    a->lines[i].hash != b->lines[i].hash || a->lines[i].number != b->lines[i].number)
			return false;
	return true;
}

static bool same_settings(const struct mrl_play_game *a, const struct mrl_play_game *b)
{
	return mrl_rules_equal(a->moves.rules, b->moves.rules) && mrl_play_tempo_equal(&a->tempo, &b->tempo) &&
	       a->rated == b->rated && a->unlisted == b->unlisted && a->phrases == b->phrases && a->first == b->first &&
	       mrl_compare(a->link, b->link, sizeof a->link) == 0;
}

static bool same_seats(const struct mrl_play_game *a, const struct mrl_play_game *b)
{
	for (unsigned seat = 0; seat < MRL_PLAY_NOBODY; seat++)
		if (!same_player(&a->player[seat], &b->player[seat]) ||
		    !same_memory(&a->memory[seat], &b->memory[seat]) || a->rematch_over[seat] != b->rematch_over[seat])
			return false;
	return same_words(a->draw_again, b->draw_again) && same_words(a->takeback_again, b->takeback_again) &&
	       same_times(a->time_again, b->time_again) && same_times(a->chat_paid, b->chat_paid);
}

bool mrl_play_same(const struct mrl_play_game *a, const struct mrl_play_game *b)
{
	return a->id == b->id && a->previous == b->previous && a->next == b->next && a->time == b->time &&
	       a->begun == b->begun && a->wall == b->wall && a->number == b->number &&
	       a->next_number == b->next_number && a->phase == b->phase && a->white == b->white &&
	       mrl_compare(a->offers, b->offers, sizeof a->offers) == 0 && a->verdict.outcome == b->verdict.outcome &&
	       a->verdict.reason == b->verdict.reason && a->cause == b->cause && a->was_rated == b->was_rated &&
	       same_words(a->clock, b->clock) && same_words(a->lag_quota, b->lag_quota) && same_settings(a, b) &&
	       same_turns(a, b) && same_seats(a, b) && same_lines(a, b);
}
