/* A turn: whether it may be made, what it costs, what follows from it. */
#include "play_internal.h"

#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/text.h>

static enum mrl_play_code read_turn(struct mrl__request *request, struct mrl_turn *turn)
{
	const struct mrl_game *moves = &request->game->moves;
	const struct mrl_play_command *command = request->command;
	struct mrl_error error;
	struct mrl_text text = mrl_text_in(request->answer->text, sizeof request->answer->text);

	switch (mrl_turn_read(moves->rules, &moves->position, command->turn, command->turn_length, turn, &error)) {
	case MRL_OK:
		return MRL_CODE_OK;
	case MRL_DECIDED:
		return MRL_CODE_OVER;
	case MRL_ILLEGAL:
		mrl_text_add(&text, error.message);
		return MRL_CODE_ILLEGAL;
	default:
		mrl_text_add(&text, error.message);
		return MRL_CODE_BAD_TURN;
	}
}

/*
 * The clocks after a turn that took so long. A side's first turn is not charged. Lag is credited as far as it was used
 * up by this turn. It never lifts a fallen flag: who had no time left when the turn arrived has lost, however long the
 * way was.
 */
static void charge(const struct mrl__request *request, struct mrl_play_turn *turn)
{
	const struct mrl_play_game *game = request->game;
	unsigned side = game->moves.position.side;
	uint64_t passed = request->now.time - game->begun;
	uint32_t left;

	turn->clock[MRL_WHITE] = game->clock[MRL_WHITE];
	turn->clock[MRL_BLACK] = game->clock[MRL_BLACK];
	turn->spent = passed < UINT32_MAX ? (uint32_t)passed : UINT32_MAX;
	if (!mrl__clock_runs(game) || game->tempo.kind == MRL_PLAY_DAYS)
		return;
	turn->credit = mrl__less(mrl__less(request->command->lag, MRL_PLAY_LAG_TURN),
				 mrl__less(game->lag_quota[side], turn->spent));
	turn->spent -= turn->credit;
	left = game->clock[side] - turn->spent;
	if (left < MRL_PLAY_CLOCK_MAX)
		turn->clock[side] = mrl__less(left + game->tempo.increment, MRL_PLAY_CLOCK_MAX);
	else
		turn->clock[side] = left;
}

/* Every offer lapses with the next turn. */
static void lapse(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;

	for (unsigned offer = MRL_PLAY_OFFER_DRAW; offer <= MRL_PLAY_OFFER_TAKEBACK; offer++)
		if (game->offers[offer] != MRL_PLAY_NOBODY)
			mrl__add(request->batch, game, &request->now, MRL_PLAY_LAPSED, game->offers[offer])->offer =
			    (uint8_t)offer;
}

enum mrl_play_code mrl__turn(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	const struct mrl_play_command *command = request->command;
	struct mrl_verdict verdict;
	enum mrl_play_cause cause = MRL_PLAY_CAUSE_NONE;
	enum mrl_play_code code = mrl__running(game);
	struct mrl_play_event *event;
	struct mrl_turn turn;
	uint32_t clock[2];

	if (code != MRL_CODE_OK)
		return code;
	if (command->ply != game->moves.count)
		return MRL_CODE_WRONG_PLY;
	if (mrl_play_side_of(game, command->seat) != (enum mrl_side)game->moves.position.side)
		return MRL_CODE_NOT_YOUR_TURN;
	code = read_turn(request, &turn);
	if (code != MRL_CODE_OK)
		return code;

	event = mrl__add(request->batch, game, &request->now, MRL_PLAY_TURN, command->seat);
	event->turn.ply = command->ply;
	mrl_turn_write(&game->moves.rules->board, &turn, event->turn.text);
	charge(request, &event->turn);
	mrl_copy(clock, event->turn.clock, sizeof clock);
	lapse(request);

	verdict = mrl_game_verdict_after(&game->moves, &turn);
	if (verdict.outcome == MRL_ONGOING && command->ply + 1 >= MRL_PLAY_MAX_PLIES) {
		verdict.reason = MRL_REASON_ABORTED;
		cause = MRL_PLAY_CAUSE_LENGTH;
	}
	if (verdict.reason != MRL_REASON_NONE)
		mrl__end(request->batch, game, &request->now, MRL_PLAY_NOBODY, verdict, cause, clock);
	return MRL_CODE_OK;
}
