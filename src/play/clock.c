/* Clocks and timers: what a clock shows, when a timer is over, and what happens then. */
#include "play_internal.h"

uint32_t mrl__clock_start(const struct mrl_play_tempo *tempo)
{
	return tempo->kind == MRL_PLAY_DAYS ? tempo->days * MRL_PLAY_DAY : tempo->base;
}

uint32_t mrl__first_limit(const struct mrl_play_tempo *tempo)
{
	switch (tempo->kind) {
	case MRL_PLAY_FISCHER:
		return MRL_PLAY_FIRST_TURN_LIMIT;
	case MRL_PLAY_DAYS:
		return tempo->days * MRL_PLAY_DAY;
	default:
		return 0;
	}
}

bool mrl__clock_runs(const struct mrl_play_game *game)
{
	return game->phase == MRL_PLAY_RUNNING && game->tempo.kind != MRL_PLAY_NO_CLOCK && game->moves.count >= 2;
}

void mrl__clocks_at(const struct mrl_play_game *game, uint64_t time, uint32_t clock[2])
{
	unsigned side = game->moves.position.side;
	uint64_t passed = time > game->begun ? time - game->begun : 0;

	clock[MRL_WHITE] = game->clock[MRL_WHITE];
	clock[MRL_BLACK] = game->clock[MRL_BLACK];
	if (mrl__clock_runs(game))
		clock[side] = passed < clock[side] ? (uint32_t)(clock[side] - passed) : 0;
}

uint64_t mrl_play_deadline(const struct mrl_play_game *game)
{
	if (game->phase == MRL_PLAY_WAITING)
		return game->begun + MRL_PLAY_LINK_LIMIT;
	if (game->phase != MRL_PLAY_RUNNING)
		return UINT64_MAX;
	if (game->tempo.kind == MRL_PLAY_NO_CLOCK)
		return game->begun + MRL_PLAY_IDLE_LIMIT;
	if (game->moves.count < 2)
		return game->begun + mrl__first_limit(&game->tempo);
	return game->begun + game->clock[game->moves.position.side];
}

size_t mrl_play_tick(const struct mrl_play_game *game, const struct mrl_play_now *now, struct mrl_play_batch *batch)
{
	static const struct mrl_verdict aborted = {MRL_ONGOING, MRL_REASON_ABORTED};
	uint64_t deadline = mrl_play_deadline(game);
	struct mrl_play_now then = *now;
	uint32_t clock[2];

	batch->count = 0;
	then.time = mrl__later(now->time, game->time);
	if (deadline > then.time)
		return 0;
	mrl__clocks_at(game, then.time, clock);
	if (game->phase == MRL_PLAY_WAITING) {
		mrl__end(batch, game, &then, MRL_PLAY_NOBODY, aborted, MRL_PLAY_CAUSE_EXPIRED, clock);
	} else if (game->tempo.kind == MRL_PLAY_NO_CLOCK) {
		mrl__end(batch, game, &then, MRL_PLAY_NOBODY, aborted, MRL_PLAY_CAUSE_IDLE, clock);
	} else if (game->moves.count < 2) {
		mrl__end(batch, game, &then, MRL_PLAY_NOBODY, aborted, MRL_PLAY_CAUSE_FIRST_TURN, clock);
	} else {
		struct mrl_verdict lost = {game->moves.position.side == MRL_WHITE ? MRL_BLACK_WINS : MRL_WHITE_WINS,
					   MRL_REASON_TIME};

		mrl__end(batch, game, &then, MRL_PLAY_NOBODY, lost, MRL_PLAY_CAUSE_NONE, clock);
	}
	return batch->count;
}
