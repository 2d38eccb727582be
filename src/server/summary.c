#include "summary.h"

#include <stdio.h>
#include <string.h>

#include <merels/notation.h>

static struct mrl_store_seat seat_of(const struct mrl_play_player *player)
{
	if (player->kind == MRL_PLAY_EMPTY)
		return (struct mrl_store_seat){.kind = MRL_STORE_EMPTY};
	if (player->kind == MRL_PLAY_COMPUTER)
		return (struct mrl_store_seat){.kind = MRL_STORE_COMPUTER, .level = player->level};
	return (struct mrl_store_seat){.kind = MRL_STORE_PERSON, .person = player->person};
}

/* Who plays which side. Before the start nobody does; the seats then stand in their own order. */
static void set_seats(struct mrl__summary *summary)
{
	unsigned white = summary->white < 2 ? summary->white : 0;

	summary->game.white = seat_of(&summary->player[white]);
	summary->game.black = seat_of(&summary->player[1 - white]);
}

static void set_settings(struct mrl__summary *summary, const struct mrl_play_settings *settings)
{
	struct mrl_store_game *game = &summary->game;

	memcpy(summary->rules, settings->rules, sizeof(summary->rules));
	game->rules = summary->rules;
	game->rated = settings->rated;
	game->is_private = settings->unlisted;
	game->speed = mrl_play_speed(&settings->tempo);
	game->base_ms = settings->tempo.base;
	game->increment_ms = settings->tempo.increment;
	game->days = settings->tempo.days;
	game->reason = "";
	game->opening = summary->opening;
}

void mrl__summary_new(struct mrl__summary *summary, uint64_t id, const struct mrl_play_settings *settings,
		      const struct mrl_play_player *owner, int64_t wall)
{
	*summary = (struct mrl__summary){.white = MRL_PLAY_NOBODY};
	summary->game.id = id;
	summary->game.created = wall;
	summary->game.owner = owner->kind == MRL_PLAY_COMPUTER ? 0 : owner->person;
	summary->player[0] = *owner;
	set_settings(summary, settings);
	set_seats(summary);
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static void set_end(struct mrl__summary *summary, const struct mrl_play_event *event)
{
	static const enum mrl_store_outcome outcomes[] = {MRL_STORE_UNDECIDED, MRL_STORE_WHITE_WINS,
							  MRL_STORE_BLACK_WINS, MRL_STORE_DRAW};
	struct mrl_store_game *game = &summary->game;

	game->state = event->ended.reason == MRL_REASON_ABORTED ? MRL_STORE_ABORTED : MRL_STORE_ENDED;
	game->ended = event->wall;
	game->outcome = outcomes[event->ended.outcome];
	game->reason = mrl_reason_text((enum mrl_reason)event->ended.reason);
}

static void set_ratings(struct mrl__summary *summary, const struct mrl_play_event *event)
{
	struct mrl_store_seat *sides[2] = {&summary->game.white, &summary->game.black};

	for (unsigned side = 0; side < 2; side++) {
		unsigned seat = side == 0 ? summary->white : 1u - summary->white;
		const struct mrl_rating *before = &event->rated.before[seat];

		sides[side]->has_rating = true;
		sides[side]->has_change = true;
		sides[side]->rating = before->rating / 1000.0;
		sides[side]->deviation = before->deviation / 1000.0;
		sides[side]->change = (event->rated.after[seat].rating - before->rating) / 1000.0;
	}
}

void mrl__summary_event(struct mrl__summary *summary, const struct mrl_play_event *event)
{
	switch (event->kind) {
	case MRL_PLAY_JOINED:
		summary->player[1] = event->joined;
		set_seats(summary);
		break;
	case MRL_PLAY_STARTED:
		summary->white = event->started.white;
		summary->game.state = MRL_STORE_PLAYING;
		summary->game.started = event->wall;
		set_seats(summary);
		break;
	case MRL_PLAY_TURN:
		summary->game.plies = event->turn.ply + 1;
		if (event->turn.ply < MRL__OPENING_TURNS) {
			size_t length = strlen(summary->opening);

			(void)snprintf(summary->opening + length, sizeof(summary->opening) - length, "%s%s",
				       length > 0 ? " " : "", event->turn.text);
		}
		break;
	case MRL_PLAY_ENDED:
		set_end(summary, event);
		break;
	case MRL_PLAY_RATED:
		set_ratings(summary, event);
		break;
	default:
		break;
	}
}

static void set_opening(struct mrl__summary *summary, const struct mrl_game *moves)
{
	size_t length = 0;

	for (size_t i = 0; i < moves->count && i < MRL__OPENING_TURNS; i++) {
		char text[MRL_TURN_TEXT_SIZE];

		(void)mrl_turn_write(&moves->rules->board, &moves->plies[i].turn, text);
		int added = snprintf(summary->opening + length, sizeof(summary->opening) - length, "%s%s",
				     i > 0 ? " " : "", text);

		if (added < 0 || (size_t)added >= sizeof(summary->opening) - length) {
			summary->opening[length] = '\0';
			return;
		}
		length += (size_t)added;
	}
}

void mrl__summary_of(struct mrl__summary *summary, const struct mrl_play_game *game, int64_t started,
		     const struct mrl_play_batch *batch)
{
	struct mrl_play_settings settings;

	mrl_play_settings_of(game, &settings);
	mrl__summary_new(summary, game->id, &settings, &game->player[0], game->wall);
	summary->player[1] = game->player[1];
	summary->game.plies = (uint32_t)game->moves.count;
	set_opening(summary, &game->moves);
	if (started != 0) {
		summary->white = game->white;
		summary->game.state = MRL_STORE_PLAYING;
		summary->game.started = started;
	}
	set_seats(summary);
	for (size_t i = 0; i < batch->count; i++)
		mrl__summary_event(summary, &batch->events[i]);
}

/* Past a point of some board; NULL when there is none. */
static const char *skip_point(const char *at)
{
	if (at == NULL || *at < 'a' || *at > 'z' || at[1] < '1' || at[1] > '9')
		return NULL;
	return at + (at[2] >= '0' && at[2] <= '9' ? 3 : 2);
}

int mrl__opening_turns(const char *text)
{
	const char *at = text + strspn(text, " ");
	int count = 0;

	for (; *at != '\0'; count++) {
		at = skip_point(at);
		if (at != NULL && *at == '-')
			at = skip_point(at + 1);
		while (at != NULL && *at == 'x')
			at = skip_point(at + 1);
		if (at == NULL || (*at != ' ' && *at != '\0'))
			return -1;
		at += strspn(at, " ");
	}
	return count;
}
