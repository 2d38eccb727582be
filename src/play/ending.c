/* How a game ends other than by a turn or a timer, and what it does to ratings. */
#include "play_internal.h"

#include <merels/builtins.h>

static const struct mrl_verdict aborted = {MRL_ONGOING, MRL_REASON_ABORTED};

void mrl__end(struct mrl_play_batch *batch, const struct mrl_play_game *game, const struct mrl_play_now *now,
	      unsigned seat, struct mrl_verdict verdict, enum mrl_play_cause cause, const uint32_t clock[2])
{
	struct mrl_play_event *event = mrl__add(batch, game, now, MRL_PLAY_ENDED, seat);

	event->ended.outcome = (uint8_t)verdict.outcome;
	event->ended.reason = (uint8_t)verdict.reason;
	event->ended.cause = (uint8_t)cause;
	mrl_copy(event->ended.clock, clock, sizeof event->ended.clock);
}

static enum mrl_play_code end_now(struct mrl__request *request, struct mrl_verdict verdict, enum mrl_play_cause cause)
{
	uint32_t clock[2];

	mrl__clocks_at(request->game, request->now.time, clock);
	mrl__end(request->batch, request->game, &request->now, request->command->seat, verdict, cause, clock);
	return MRL_CODE_OK;
}

static struct mrl_verdict won_by(enum mrl_side side, enum mrl_reason reason)
{
	return (struct mrl_verdict){side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS, reason};
}

enum mrl_play_code mrl__resign(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	enum mrl_play_code code = mrl__running(game);

	if (code != MRL_CODE_OK)
		return code;
	/* Until both have made a turn nobody has lost anything: such a game is aborted. */
	if (game->moves.count < 2)
		return MRL_CODE_TOO_SOON;
	return end_now(request, won_by(mrl_other(mrl_play_side_of(game, request->command->seat)), MRL_REASON_RESIGN),
		       MRL_PLAY_CAUSE_NONE);
}

enum mrl_play_code mrl__abort(struct mrl__request *request)
{
	enum mrl_play_code code = mrl__running(request->game);

	if (code != MRL_CODE_OK)
		return code;
	if (request->game->moves.count >= 2)
		return MRL_CODE_TOO_LATE;
	return end_now(request, aborted, MRL_PLAY_CAUSE_ASKED);
}

enum mrl_play_code mrl__claim(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	unsigned seat = request->command->seat;
	enum mrl_play_code code = mrl__running(game);
	struct mrl_verdict verdict = {MRL_DRAW, MRL_REASON_ABANDONED};

	if (code != MRL_CODE_OK)
		return code;
	if (request->now.time < mrl_play_claim_time(game, seat))
		return MRL_CODE_NOT_GONE;
	if (request->command->verb == MRL_PLAY_CLAIM_WIN)
		verdict = won_by(mrl_play_side_of(game, seat), MRL_REASON_ABANDONED);
	return end_now(request, verdict, MRL_PLAY_CAUSE_NONE);
}

enum mrl_play_code mrl__leave(struct mrl__request *request)
{
	switch (request->game->phase) {
	case MRL_PLAY_WAITING:
		return end_now(request, aborted, MRL_PLAY_CAUSE_LEFT);
	case MRL_PLAY_FINISHED:
		return MRL_CODE_OVER;
	default:
		return MRL_CODE_TOO_LATE;
	}
}

enum mrl_play_code mrl__close(struct mrl__request *request)
{
	if (request->command->seat != MRL_PLAY_NOBODY)
		return MRL_CODE_BAD_COMMAND;
	switch (request->game->phase) {
	case MRL_PLAY_WAITING:
	case MRL_PLAY_RUNNING:
		return end_now(request, aborted, MRL_PLAY_CAUSE_OPERATOR);
	case MRL_PLAY_FINISHED:
		return MRL_CODE_OVER;
	default:
		return MRL_CODE_NOT_STARTED;
	}
}

/* The event of the batch that ends a rated game which counts; NULL also when what follows from it is there already. */
static const struct mrl_play_event *counted_end(const struct mrl_play_game *game, const struct mrl_play_batch *batch)
{
	const struct mrl_play_event *end = NULL;

	if (!game->rated || game->was_rated)
		return NULL;
	for (size_t i = 0; i < batch->count; i++) {
		const struct mrl_play_event *event = &batch->events[i];

		if (event->kind == MRL_PLAY_RATED)
			return NULL;
		if (event->kind == MRL_PLAY_ENDED && event->ended.reason != MRL_REASON_ABORTED)
			end = event;
	}
	return end;
}

bool mrl_play_rates(const struct mrl_play_game *game, const struct mrl_play_batch *batch)
{
	return counted_end(game, batch) != NULL;
}

bool mrl_play_rate(const struct mrl_play_game *game, struct mrl_play_batch *batch, const struct mrl_rating ratings[2])
{
	const struct mrl_play_event *end = counted_end(game, batch);
	struct mrl_play_now now;
	struct mrl_play_event *event;
	unsigned half_points = 1;

	if (end == NULL)
		return false;
	if (end->ended.outcome != MRL_DRAW) {
		enum mrl_side winner = end->ended.outcome == MRL_WHITE_WINS ? MRL_WHITE : MRL_BLACK;

		half_points = mrl_play_seat_of_side(game, winner) == MRL_PLAY_OWNER ? 2 : 0;
	}
	now = (struct mrl_play_now){.time = end->time, .wall = end->wall};
	event = mrl__add(batch, game, &now, MRL_PLAY_RATED, MRL_PLAY_NOBODY);
	event->rated.before[0] = ratings[0];
	event->rated.before[1] = ratings[1];
	mrl_rating_play(event->rated.before, half_points, event->rated.after);
	return true;
}
