#include "play.h"

#include <merels/builtins.h>

static const struct mrl_turn nothing = {
    MRL_NO_POINT,
    MRL_NO_POINT,
    {MRL_NO_POINT, MRL_NO_POINT, MRL_NO_POINT, MRL_NO_POINT, MRL_NO_POINT, MRL_NO_POINT},
};

/* After the position has changed: nothing is picked, and other turns are legal. */
static bool begin_turn(struct play *play)
{
	play->draft = nothing;
	play->takes = 0;
	play->hint = nothing;
	if (play->game.game.verdict.outcome != MRL_ONGOING) {
		play->stage = PLAY_OVER;
		cli_turns_release(&play->legal);
		return true;
	}
	play->stage = PLAY_BEGIN;
	return cli_turns_list(&play->legal, play->rules, &play->game.game.position);
}

bool play_init(struct play *play, const struct mrl_rules *rules, const struct mrl_position *start,
	       const bool computer[2])
{
	*play = (struct play){.rules = rules, .start = *start, .computer = {computer[0], computer[1]}};
	cli_game_init(&play->game, rules, start);
	return begin_turn(play);
}

void play_release(struct play *play)
{
	cli_game_release(&play->game);
	cli_turns_release(&play->legal);
}

bool play_restart(struct play *play)
{
	cli_game_release(&play->game);
	cli_game_init(&play->game, play->rules, &play->start);
	return begin_turn(play);
}

bool play_computers_turn(const struct play *play)
{
	return play->stage != PLAY_OVER && play->computer[play->game.game.position.side];
}

enum words_reader play_reader(const struct play *play)
{
	if (play->computer[MRL_WHITE] == play->computer[MRL_BLACK])
		return WORDS_BESIDE;
	return play->computer[MRL_WHITE] ? WORDS_BLACK : WORDS_WHITE;
}

bool play_fits(const struct play *play, const struct mrl_turn *turn)
{
	if (play->stage == PLAY_BEGIN)
		return true;
	if (turn->from != play->draft.from)
		return false;
	if (play->stage == PLAY_TO)
		return true;
	if (turn->to != play->draft.to)
		return false;
	for (unsigned i = 0; i < play->takes; i++) {
		if (turn->take[i] != play->draft.take[i])
			return false;
	}
	return true;
}

/* The point that comes next in a turn that fits; MRL_NO_POINT when it is finished. */
static unsigned next_point(const struct play *play, const struct mrl_turn *turn)
{
	switch (play->stage) {
	case PLAY_BEGIN:
		return turn->from != MRL_NO_POINT ? turn->from : turn->to;
	case PLAY_TO:
		return turn->to;
	case PLAY_TAKE:
		return play->takes < mrl_turn_takes(turn) ? turn->take[play->takes] : MRL_NO_POINT;
	case PLAY_OVER:
		break;
	}
	return MRL_NO_POINT;
}

mrl_points play_choices(const struct play *play)
{
	mrl_points choices = 0;

	for (size_t i = 0; i < play->legal.count; i++) {
		const struct mrl_turn *turn = &play->legal.turn[i].turn;
		unsigned point = play_fits(play, turn) ? next_point(play, turn) : MRL_NO_POINT;

		if (point != MRL_NO_POINT)
			choices |= mrl_point_bit(point);
	}
	return choices;
}

static enum mrl_status pick_to(struct play *play, unsigned point)
{
	play->draft.to = (uint8_t)point;
	play->stage = PLAY_TAKE;
	if (play_choices(play) != 0)
		return MRL_OK;
	struct mrl_turn turn = play->draft;

	return play_turn(play, &turn, NULL);
}

static enum mrl_status pick_take(struct play *play, unsigned point)
{
	play->draft.take[play->takes++] = (uint8_t)point;
	if (play_choices(play) != 0)
		return MRL_OK;
	struct mrl_turn turn = play->draft;

	return play_turn(play, &turn, NULL);
}

enum mrl_status play_pick(struct play *play, unsigned point)
{
	if (play->stage == PLAY_OVER || point == MRL_NO_POINT)
		return MRL_ILLEGAL;
	if (play->stage == PLAY_TO && point == play->draft.from) {
		(void)play_cancel(play);
		return MRL_OK;
	}
	mrl_points own = play->game.game.position.men[play->game.game.position.side];

	if (play->stage == PLAY_TO && (own & mrl_point_bit(point)) != 0) {
		struct play before = *play;

		(void)play_cancel(play);
		if ((play_choices(play) & mrl_point_bit(point)) == 0) {
			*play = before;
			return MRL_ILLEGAL;
		}
	}
	if ((play_choices(play) & mrl_point_bit(point)) == 0)
		return MRL_ILLEGAL;
	if (play->stage == PLAY_TAKE)
		return pick_take(play, point);
	if (play->stage == PLAY_BEGIN && (own & mrl_point_bit(point)) != 0) {
		play->draft.from = (uint8_t)point;
		play->stage = PLAY_TO;
		return MRL_OK;
	}
	return pick_to(play, point);
}

void play_why_not(const struct play *play, unsigned point, struct mrl_text *text)
{
	const struct mrl_position *position = &play->game.game.position;
	struct mrl_turn turn = play->draft;
	struct mrl_error error = {0};

	if (play->stage == PLAY_OVER || point == MRL_NO_POINT) {
		mrl_text_add(text, play->stage == PLAY_OVER ? "The game is over." : "There is no point.");
		return;
	}
	if (play->stage == PLAY_BEGIN && position->hand[position->side] == 0 &&
	    (position->men[position->side] & mrl_point_bit(point)) != 0) {
		mrl_text_add(text, "This man is shut in.");
		return;
	}
	/* The rules say why the turn that would come of it is none. */
	if (play->stage == PLAY_TAKE)
		turn.take[play->takes] = (uint8_t)point;
	else
		turn.to = (uint8_t)point;
	if (mrl_turn_check(play->rules, position, &turn, &error) != MRL_OK)
		mrl_text_add(text, error.message);
}

bool play_cancel(struct play *play)
{
	if (play->stage != PLAY_TO && play->stage != PLAY_TAKE)
		return false;
	play->draft = nothing;
	play->takes = 0;
	play->stage = PLAY_BEGIN;
	return true;
}

void play_show_hint(struct play *play, const struct mrl_turn *turn)
{
	play->hint = *turn;
}

void play_hinted(const struct play *play, mrl_points *go, mrl_points *take)
{
	const struct mrl_turn *hint = &play->hint;

	*go = 0;
	*take = 0;
	if (hint->to == MRL_NO_POINT || play->stage == PLAY_OVER || !play_fits(play, hint))
		return;
	if (play->stage == PLAY_BEGIN && hint->from != MRL_NO_POINT)
		*go |= mrl_point_bit(hint->from);
	if (play->stage != PLAY_TAKE)
		*go |= mrl_point_bit(hint->to);
	for (unsigned i = play->takes; i < mrl_turn_takes(hint); i++)
		*take |= mrl_point_bit(hint->take[i]);
}

enum mrl_status play_turn(struct play *play, const struct mrl_turn *turn, struct mrl_error *error)
{
	enum mrl_status status = cli_game_play(&play->game, turn, error);

	if (status == MRL_OK && !begin_turn(play)) {
		if (error != NULL)
			(void)mrl_error_open(error, MRL_SYSTEM, 0, 0);
		return MRL_SYSTEM;
	}
	return status;
}

enum mrl_status play_back(struct play *play)
{
	struct mrl_game *game = &play->game.game;
	bool people = !play->computer[MRL_WHITE] || !play->computer[MRL_BLACK];

	if (!mrl_game_back(game))
		return MRL_STOPPED;
	while (people && play->computer[game->position.side] && mrl_game_back(game))
		continue;
	return begin_turn(play) ? MRL_OK : MRL_SYSTEM;
}

void play_shown(const struct play *play, struct mrl_position *shown)
{
	*shown = play->game.game.position;
	if (play->stage != PLAY_TAKE)
		return;
	unsigned side = shown->side;

	if (play->draft.from != MRL_NO_POINT)
		shown->men[side] &= ~mrl_point_bit(play->draft.from);
	else
		shown->hand[side]--;
	shown->men[side] |= mrl_point_bit(play->draft.to);
	for (unsigned i = 0; i < play->takes; i++)
		shown->men[mrl_other((enum mrl_side)side)] &= ~mrl_point_bit(play->draft.take[i]);
}

const struct mrl_ply *play_last(const struct play *play)
{
	size_t count = play->game.game.count;

	return count > 0 ? &play->game.game.plies[count - 1] : NULL;
}

unsigned play_lost(const struct play *play, const struct mrl_position *shown, unsigned side)
{
	return play->rules->men - shown->hand[side] - mrl_popcount(shown->men[side]);
}

void play_sentence(const struct play *play, struct mrl_text *text)
{
	const struct mrl_game *game = &play->game.game;
	enum words_reader reader = play_reader(play);
	struct mrl_position shown;

	if (play_computers_turn(play)) {
		mrl_text_add(text, reader == WORDS_BESIDE ? words_side(game->position.side) : "The computer");
		mrl_text_add(text, " is thinking.");
		return;
	}
	switch (play->stage) {
	case PLAY_OVER:
		words_result(text, play->rules, &game->position, game->verdict, reader);
		break;
	case PLAY_BEGIN:
		words_begin(text, play->rules, &game->position, reader);
		break;
	case PLAY_TO:
		words_move(text, play->rules, &game->position, play->draft.from, reader);
		break;
	case PLAY_TAKE:
		play_shown(play, &shown);
		words_take(text, play->rules, &shown, play->draft.to, play->takes, play_choices(play), reader);
		break;
	}
}

const char *play_seat(const struct play *play, unsigned side)
{
	if (play->computer[side])
		return "computer";
	return play_reader(play) == WORDS_BESIDE ? "" : "you";
}
