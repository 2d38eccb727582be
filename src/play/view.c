/* A game as one viewer sees it at one moment. What may be done is asked of the verbs themselves. */
#include "play_internal.h"

/* What would become of a command, were it given now. */
static bool allowed(const struct mrl_play_game *game, unsigned seat, uint64_t time, enum mrl_play_verb verb,
		    enum mrl_play_offer offer)
{
	struct mrl_play_command command = {
	    .verb = verb, .seat = (enum mrl_play_seat)seat, .offer = (uint8_t)offer, .fresh = game->id + 1};
	struct mrl_play_batch batch;
	struct mrl_play_answer answer;
	struct mrl__request request = {game, &command, {.time = mrl__later(time, game->time)}, &batch, &answer};

	if (command.fresh == 0)
		command.fresh = 1;
	batch.count = 0;
	answer.text[0] = '\0';
	return mrl__judge(&request) == MRL_CODE_OK && batch.count > 0;
}

static unsigned may(const struct mrl_play_game *game, unsigned seat, uint64_t time)
{
	static const struct {
		enum mrl_play_verb verb;
		enum mrl_play_offer offer;
		enum mrl_play_may bit;
	} rows[] = {
	    {MRL_PLAY_RESIGN, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_RESIGN},
	    {MRL_PLAY_ABORT, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_ABORT},
	    {MRL_PLAY_OFFER, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_OFFER_DRAW},
	    {MRL_PLAY_ACCEPT, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_ACCEPT_DRAW},
	    {MRL_PLAY_OFFER, MRL_PLAY_OFFER_TAKEBACK, MRL_PLAY_MAY_OFFER_TAKEBACK},
	    {MRL_PLAY_ACCEPT, MRL_PLAY_OFFER_TAKEBACK, MRL_PLAY_MAY_ACCEPT_TAKEBACK},
	    {MRL_PLAY_OFFER, MRL_PLAY_OFFER_REMATCH, MRL_PLAY_MAY_OFFER_REMATCH},
	    {MRL_PLAY_ACCEPT, MRL_PLAY_OFFER_REMATCH, MRL_PLAY_MAY_ACCEPT_REMATCH},
	    {MRL_PLAY_ADD_TIME, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_ADD_TIME},
	    {MRL_PLAY_CLAIM_WIN, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_CLAIM},
	    {MRL_PLAY_LEAVE, MRL_PLAY_OFFER_DRAW, MRL_PLAY_MAY_LEAVE},
	};
	unsigned bits = 0;

	/* What a timer has ended already is only waiting to be said. */
	if (seat >= MRL_PLAY_NOBODY || time >= mrl_play_deadline(game))
		return 0;
	if (game->phase == MRL_PLAY_RUNNING && mrl_play_side_of(game, seat) == (enum mrl_side)game->moves.position.side)
		bits |= MRL_PLAY_MAY_TURN;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (allowed(game, seat, time, rows[i].verb, rows[i].offer))
			bits |= rows[i].bit;
	return bits;
}

/* Milliseconds from `time` to `end`, not below 0. */
static uint32_t left(uint64_t end, uint64_t time)
{
	if (end <= time)
		return 0;
	return end - time < MRL_PLAY_NEVER ? (uint32_t)(end - time) : MRL_PLAY_NEVER;
}

static uint32_t plies_left(unsigned limit, unsigned counter)
{
	if (limit == 0)
		return MRL_PLAY_NEVER;
	return counter < limit ? limit - counter : 0;
}

void mrl_play_view(const struct mrl_play_game *game, unsigned viewer, uint64_t time, struct mrl_play_view *view)
{
	const struct mrl_game *moves = &game->moves;
	bool running = game->phase == MRL_PLAY_RUNNING;
	uint64_t deadline = mrl_play_deadline(game);
	uint64_t claim = mrl_play_claim_time(game, viewer);

	time = mrl__later(time, game->time);
	*view = (struct mrl_play_view){
	    .number = game->number,
	    .ply = (uint32_t)moves->count,
	    .phase = game->phase,
	    .viewer = (uint8_t)(viewer < MRL_PLAY_NOBODY ? viewer : MRL_PLAY_NOBODY),
	    .white = game->white,
	    .to_move = MRL_PLAY_NOBODY,
	    .running = mrl__clock_runs(game),
	    .first_left = MRL_PLAY_NEVER,
	    .link_left = MRL_PLAY_NEVER,
	    .claim_left = claim == UINT64_MAX ? MRL_PLAY_NEVER : left(claim, time),
	    .no_mill_left = plies_left(moves->rules->no_mill, moves->position.no_mill),
	    .three_men_left = plies_left(moves->rules->three_men, moves->position.three_men),
	    .occurrences = mrl_game_occurrences(moves),
	    .may = may(game, viewer, time),
	};
	mrl__clocks_at(game, time, view->clock);
	if (running)
		view->to_move = (uint8_t)mrl_play_seat_of_side(game, (enum mrl_side)moves->position.side);
	if (running && moves->count < 2 && mrl__first_limit(&game->tempo) != 0)
		view->first_left = left(deadline, time);
	if (game->phase == MRL_PLAY_WAITING)
		view->link_left = left(deadline, time);
}
