/* Offers of a draw, a takeback, a rematch: made, accepted, declined; and time given to the opponent. */
#include "play_internal.h"

#include <merels/builtins.h>

static bool full(const struct mrl_play_game *game)
{
	return game->number >= MRL_PLAY_MAX_EVENTS;
}

/* To how many turns the game goes back when this seat takes its last turn back; the present number when it has none. */
static uint32_t takeback_ply(const struct mrl_play_game *game, unsigned seat)
{
	uint32_t count = (uint32_t)game->moves.count;
	uint32_t plies = mrl_play_side_of(game, seat) == (enum mrl_side)game->moves.position.side ? 2 : 1;

	return count >= plies ? count - plies : count;
}

static void add_offer_event(struct mrl__request *request, enum mrl_play_kind kind)
{
	mrl__add(request->batch, request->game, &request->now, kind, request->command->seat)->offer =
	    request->command->offer;
}

static enum mrl_play_code agree_on_draw(struct mrl__request *request)
{
	static const struct mrl_verdict draw = {MRL_DRAW, MRL_REASON_AGREEMENT};
	uint32_t clock[2];

	mrl__clocks_at(request->game, request->now.time, clock);
	mrl__end(request->batch, request->game, &request->now, request->command->seat, draw, MRL_PLAY_CAUSE_NONE,
		 clock);
	return MRL_CODE_OK;
}

/* Board and clocks as they were when the turn that is taken back began. */
static enum mrl_play_code take_back(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	uint32_t ply = takeback_ply(game, game->offers[MRL_PLAY_OFFER_TAKEBACK]);
	struct mrl_play_event *event;

	if (full(game))
		return MRL_CODE_FULL;
	event = mrl__add(request->batch, game, &request->now, MRL_PLAY_TAKEBACK, request->command->seat);
	event->takeback.ply = ply;
	mrl_copy(event->takeback.clock, game->past[ply].clock, sizeof event->takeback.clock);
	return MRL_CODE_OK;
}

static enum mrl_play_code offer_draw(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned seat = request->command->seat;
	enum mrl_play_code code = mrl__running(game);

	if (code != MRL_CODE_OK)
		return code;
	if (game->offers[MRL_PLAY_OFFER_DRAW] == seat)
		return MRL_CODE_OFFERED_ALREADY;
	if (game->offers[MRL_PLAY_OFFER_DRAW] != MRL_PLAY_NOBODY)
		return agree_on_draw(request);
	if (game->moves.count < 2 || game->moves.count < game->draw_again[seat])
		return MRL_CODE_TOO_SOON;
	if (full(game))
		return MRL_CODE_FULL;
	add_offer_event(request, MRL_PLAY_OFFERED);
	return MRL_CODE_OK;
}

static enum mrl_play_code offer_takeback(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned seat = request->command->seat;
	enum mrl_play_code code = mrl__running(game);

	if (code != MRL_CODE_OK)
		return code;
	if (game->rated)
		return MRL_CODE_RATED;
	/* Two who want a takeback each mean another turn, so here one offer does not answer the other. */
	if (game->offers[MRL_PLAY_OFFER_TAKEBACK] != MRL_PLAY_NOBODY)
		return MRL_CODE_OFFERED_ALREADY;
	if (takeback_ply(game, seat) == game->moves.count)
		return MRL_CODE_NOTHING_TO_TAKE_BACK;
	if (game->moves.count < game->takeback_again[seat])
		return MRL_CODE_TOO_SOON;
	if (full(game))
		return MRL_CODE_FULL;
	add_offer_event(request, MRL_PLAY_OFFERED);
	return MRL_CODE_OK;
}

/* Why there can be no rematch; OK if there can. */
static enum mrl_play_code rematch_possible(const struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;

	if (game->phase != MRL_PLAY_FINISHED)
		return MRL_CODE_NOT_OVER;
	return game->white != MRL_PLAY_NOBODY ? MRL_CODE_OK : MRL_CODE_NOT_STARTED;
}

/* It is agreed on already: whoever presses again is told which game it is. */
static enum mrl_play_code same_rematch(struct mrl__request *request)
{
	request->answer->repeated = true;
	request->answer->number = request->game->next_number;
	return MRL_CODE_OK;
}

static enum mrl_play_code agree_on_rematch(struct mrl__request *request)
{
	if (request->command->fresh == 0 || request->command->fresh == request->game->id)
		return MRL_CODE_BAD_COMMAND;
	mrl__add(request->batch, request->game, &request->now, MRL_PLAY_REMATCH, request->command->seat)->rematch =
	    request->command->fresh;
	return MRL_CODE_OK;
}

static enum mrl_play_code offer_rematch(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned seat = request->command->seat;
	enum mrl_play_code code = rematch_possible(request);

	if (code != MRL_CODE_OK)
		return code;
	if (game->next != 0)
		return same_rematch(request);
	if (game->offers[MRL_PLAY_OFFER_REMATCH] == seat)
		return MRL_CODE_OFFERED_ALREADY;
	if (game->offers[MRL_PLAY_OFFER_REMATCH] != MRL_PLAY_NOBODY)
		return agree_on_rematch(request);
	if (game->rematch_over[seat])
		return MRL_CODE_TOO_SOON;
	add_offer_event(request, MRL_PLAY_OFFERED);
	return MRL_CODE_OK;
}

enum mrl_play_code mrl__offer(struct mrl__request *request)
{
	switch (request->command->offer) {
	case MRL_PLAY_OFFER_DRAW:
		return offer_draw(request);
	case MRL_PLAY_OFFER_TAKEBACK:
		return offer_takeback(request);
	case MRL_PLAY_OFFER_REMATCH:
		return offer_rematch(request);
	default:
		return MRL_CODE_BAD_COMMAND;
	}
}

enum mrl_play_code mrl__accept(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned offer = request->command->offer;
	enum mrl_play_code code;

	if (offer >= MRL_PLAY_OFFERS)
		return MRL_CODE_BAD_COMMAND;
	code = offer == MRL_PLAY_OFFER_REMATCH ? rematch_possible(request) : mrl__running(game);
	if (code != MRL_CODE_OK)
		return code;
	if (offer == MRL_PLAY_OFFER_REMATCH && game->next != 0)
		return same_rematch(request);
	if (game->offers[offer] == MRL_PLAY_NOBODY || game->offers[offer] == request->command->seat)
		return MRL_CODE_NO_OFFER;
	switch (offer) {
	case MRL_PLAY_OFFER_DRAW:
		return agree_on_draw(request);
	case MRL_PLAY_OFFER_TAKEBACK:
		return take_back(request);
	default:
		return agree_on_rematch(request);
	}
}

enum mrl_play_code mrl__decline(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned offer = request->command->offer;

	if (offer >= MRL_PLAY_OFFERS)
		return MRL_CODE_BAD_COMMAND;
	if (game->offers[offer] == MRL_PLAY_NOBODY)
		return MRL_CODE_NO_OFFER;
	add_offer_event(request, MRL_PLAY_DECLINED);
	return MRL_CODE_OK;
}

enum mrl_play_code mrl__add_time(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned seat = request->command->seat;
	enum mrl_play_code code = mrl__running(game);
	enum mrl_side side;
	struct mrl_play_event *event;

	if (code != MRL_CODE_OK)
		return code;
	if (game->tempo.kind != MRL_PLAY_FISCHER)
		return MRL_CODE_NO_CLOCK;
	if (request->now.time < game->time_again[seat])
		return MRL_CODE_SLOW_DOWN;
	side = mrl_other(mrl_play_side_of(game, seat));
	if (game->clock[side] > MRL_PLAY_CLOCK_MAX - MRL_PLAY_TIME_ADDED)
		return MRL_CODE_CLOCK_FULL;
	if (full(game))
		return MRL_CODE_FULL;
	event = mrl__add(request->batch, game, &request->now, MRL_PLAY_TIME, seat);
	event->added.added = MRL_PLAY_TIME_ADDED;
	mrl__clocks_at(game, request->now.time, event->added.clock);
	event->added.clock[side] += MRL_PLAY_TIME_ADDED;
	return MRL_CODE_OK;
}
