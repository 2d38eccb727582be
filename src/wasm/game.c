/* Exports about the game: playing it, and what is to be shown of it. */
#include "session.h"
#include <merels/builtins.h>
#include <merels/notation.h>

int32_t game_start(uint32_t length);
int32_t game_play(uint32_t length);
int32_t game_back(void);
int32_t game_state(void);
int32_t game_turns(void);
int32_t game_closing(uint32_t from, uint32_t to);
int32_t game_objection(uint32_t from, uint32_t to);
int32_t position_as(uint32_t format);

static const char *const no_rules = "no rule set has been chosen yet";

/* Starts a game from the position written in `in`, or with length 0 from the rule set's start. */
EXPORT("game_start") int32_t game_start(uint32_t length)
{
	struct mrl_position start;
	size_t bytes = length;
	const char *text = session_text(&bytes);

	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	if (bytes == 0)
		mrl_position_start(&session.rules, &start);
	else if (mrl_position_read(&session.rules, text, bytes, &start, &session.error) != MRL_OK)
		return session_refuse();
	mrl_game_init(&session.game, &session.rules, &start, session.history.data,
		      session.history.size / sizeof(struct mrl_ply));
	return game_state();
}

/* Plays the turn written in `in`; the answer is the state after it. */
EXPORT("game_play") int32_t game_play(uint32_t length)
{
	struct mrl_turn turn;
	size_t bytes = length;
	const char *text = session_text(&bytes);

	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	if (session.game.verdict.outcome != MRL_ONGOING)
		return session_refuse_with(MRL_DECIDED, "the game is over");
	if (mrl_turn_read(&session.rules, &session.game.position, text, bytes, &turn, &session.error) != MRL_OK)
		return session_refuse();
	if (session_play(&turn) != MRL_OK)
		return session_refuse();
	return game_state();
}

/* Takes back the last turn; the answer is the state before it, or nothing when there was none. */
EXPORT("game_back") int32_t game_back(void)
{
	if (!session.game.rules || !mrl_game_back(&session.game))
		return 0;
	return game_state();
}

/* ---- What is to be shown ------------------------------------------------------------------------------------ */

static void write_pair(struct mrl_text *text, uint64_t a, uint64_t b)
{
	mrl_text_number(text, a);
	mrl_text_char(text, ' ');
	mrl_text_number(text, b);
}

static void write_last_turn(struct mrl_text *text)
{
	const struct mrl_game *game = &session.game;

	write_key(text, "\nturn");
	if (game->count == 0)
		return;
	const struct mrl_ply *last = &game->plies[game->count - 1];
	mrl_points mover = game->position.men[mrl_other(game->position.side)];

	write_turn(text, &last->turn);
	write_key(text, "\nclosed");
	write_mills(text, mover, mrl_point_bit(last->turn.to));
}

static void write_state(struct mrl_text *text)
{
	const struct mrl_game *game = &session.game;
	const struct mrl_position *position = &game->position;
	const struct mrl_board *board = &session.rules.board;
	char words[MRL_POSITION_TEXT_SIZE];

	mrl_position_write(&session.rules, position, words);
	write_key(text, "position");
	mrl_text_add(text, words);
	write_key(text, "\noutcome");
	mrl_text_add(text, mrl_outcome_text(game->verdict.outcome));
	write_key(text, "\nreason");
	mrl_text_add(text, mrl_reason_text(game->verdict.reason));
	write_key(text, "\nside");
	mrl_text_char(text, position->side == MRL_WHITE ? 'w' : 'b');
	write_key(text, "\nhand");
	write_pair(text, position->hand[MRL_WHITE], position->hand[MRL_BLACK]);
	write_key(text, "\nwhite");
	write_points(text, position->men[MRL_WHITE]);
	write_key(text, "\nblack");
	write_points(text, position->men[MRL_BLACK]);
	write_key(text, "\nwhite-mills");
	write_mills(text, position->men[MRL_WHITE], board->all);
	write_key(text, "\nblack-mills");
	write_mills(text, position->men[MRL_BLACK], board->all);
	write_key(text, "\nfly");
	write_pair(text, mrl_may_fly(&session.rules, position, MRL_WHITE),
		   mrl_may_fly(&session.rules, position, MRL_BLACK));
	write_key(text, "\nno-mill");
	write_pair(text, position->no_mill, session.rules.no_mill);
	write_key(text, "\nthree-men");
	write_pair(text, position->three_men, session.rules.three_men);
	write_key(text, "\noccurrences");
	write_pair(text, mrl_game_occurrences(game), session.rules.repetition);
	write_last_turn(text);
}

/*
 * The state of the game, as lines of a key and a value: position, outcome, reason, side (w, b), hand (White's,
 * Black's), white, black (their men), white-mills, black-mills (those that stand), fly (0 or 1 for either side),
 * no-mill, three-men, occurrences (each with its limit, 0 for none), turn (the last) and closed (the mills it closed).
 */
EXPORT("game_state") int32_t game_state(void)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	return session_answer(write_state);
}

static struct block turns;
static size_t turn_count;

static void write_turns(struct mrl_text *text)
{
	const struct mrl_turn *turn = turns.data;

	for (size_t i = 0; i < turn_count; i++) {
		if (i > 0)
			mrl_text_char(text, ' ');
		write_turn(text, &turn[i]);
	}
}

/* The legal turns, with spaces between them; none when the game is over. */
EXPORT("game_turns") int32_t game_turns(void)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	turn_count = 0;
	if (session.game.verdict.outcome == MRL_ONGOING) {
		turn_count = mrl_turns(&session.rules, &session.game.position, NULL, 0);
		if (!block_grow(&turns, turn_count * sizeof(struct mrl_turn)))
			return session_refuse_with(MRL_SPACE, "the browser has no memory left for the turns");
		turn_count =
		    mrl_turns(&session.rules, &session.game.position, turns.data, turns.size / sizeof(struct mrl_turn));
	}
	return session_answer(write_turns);
}

static uint32_t asked_from;
static uint32_t asked_to;

static void write_closing(struct mrl_text *text)
{
	const struct mrl_position *position = &session.game.position;
	mrl_points men = position->men[position->side];

	if (asked_from < MRL_MAX_POINTS)
		men &= ~mrl_point_bit(asked_from);
	if (asked_to < MRL_MAX_POINTS)
		write_mills(text, men | mrl_point_bit(asked_to), mrl_point_bit(asked_to));
}

/* The mills that the side to move would close by moving a man from a point (255: from its hand) to another. */
EXPORT("game_closing") int32_t game_closing(uint32_t from, uint32_t to)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	asked_from = from;
	asked_to = to;
	return session_answer(write_closing);
}

/* Refuses, with the reason in words, when the side to move may not do that; a take is left out of account. */
EXPORT("game_objection") int32_t game_objection(uint32_t from, uint32_t to)
{
	struct mrl_turn turn;

	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	mrl_fill(&turn, MRL_NO_POINT, sizeof turn);
	turn.from = from > MRL_NO_POINT ? MRL_NO_POINT : (uint8_t)from;
	turn.to = to > MRL_NO_POINT ? MRL_NO_POINT : (uint8_t)to;
	if (mrl_turn_check(&session.rules, &session.game.position, &turn, &session.error) == MRL_OK)
		return 0;
	return session_refuse();
}

static enum mrl_position_format asked_format;
static enum mrl_status format_status;

static void write_position_as(struct mrl_text *text)
{
	char words[MRL_POSITION_TEXT_SIZE];

	format_status =
	    mrl_position_write_as(&session.rules, &session.game.position, asked_format, words, &session.error);
	if (format_status == MRL_OK)
		mrl_text_add(text, words);
}

/* The position in one of the formats of enum mrl_position_format. */
EXPORT("position_as") int32_t position_as(uint32_t format)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, no_rules);
	asked_format = format == 1 ? MRL_FORMAT_SANMILL : format == 2 ? MRL_FORMAT_MFEN : MRL_FORMAT_MERELS;
	int32_t length = session_answer(write_position_as);

	return format_status == MRL_OK ? length : session_refuse();
}
