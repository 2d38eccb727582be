/*
 * MFEN/1.0 of the Mill Interchange Format, for example `MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 -
 * 0 0 -`.
 *
 * Fields: signature, state profile, board (outer, middle, inner ring, each clockwise from the upper left corner; `W`,
 * `B`, `.`, and `w`, `b` for men removed later), side to move, phase (p, m, o: over), action (p, m, r: remove, o), men
 * in hand, obligations (`-`: none), the no-progress counter, the plies so far, the outcome (`-`, or who won and why),
 * then extensions `key=value` that belong to rules not played here.
 *
 * A finished position names no side to move there. When the men decide, the loser is to move, which is enough to read
 * it; a drawn one, or one that was resigned, cannot be read, and a drawn one cannot be written.
 */
#include <merels/builtins.h>

#include "formats.h"

#define FORMAT "MFEN/1.0"

static const char signature[] = "MFEN/1.0";
static const char profile[] = "mill24-state-v1";

static enum mrl_status expected(const struct mrl__scan *scan, size_t at, const char *what, struct mrl_error *error)
{
	struct mrl_text text = mrl__fail(scan, at, MRL_SYNTAX, error);

	mrl_text_add(&text, "expected ");
	mrl_text_add(&text, what);
	mrl_text_add(&text, "; found ");
	mrl__found(&text, scan, at);
	return MRL_SYNTAX;
}

static enum mrl_status unsupported(const struct mrl__scan *scan, size_t at, const char *why, struct mrl_error *error)
{
	struct mrl_text text = mrl__fail(scan, at, MRL_UNSUPPORTED, error);

	mrl_text_add(&text, why);
	mrl_text_add(&text, "; found ");
	mrl__found(&text, scan, at);
	return MRL_UNSUPPORTED;
}

static enum mrl_status read_head(struct mrl__scan *scan, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);

	if (!mrl__word_is(scan, word, signature))
		return unsupported(scan, word.start, "of the versions of MFEN only MFEN/1.0 is read", error);
	word = mrl__next_word(scan);
	if (word.start == word.end)
		return expected(scan, word.start, "the state profile, mill24-state-v1", error);
	if (!mrl__word_is(scan, word, profile))
		return unsupported(scan, word.start, "of the state profiles only mill24-state-v1 is read", error);
	return MRL_OK;
}

static enum mrl_status read_board(const struct mrl_board *board, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	enum mrl_status status = mrl__not_too_many(scan, word, "WB", board, error);
	size_t at = word.start;

	for (unsigned i = 0; i < 26 && status == MRL_OK; i++, at++) {
		unsigned point = mrl__ring_point(board, i / 9, i % 9 % 8);
		char c = at < word.end ? scan->text[at] : '\0';

		if (i % 9 == 8) {
			if (c != '/')
				return expected(scan, at, "/ behind the 8 points of a ring", error);
			continue;
		}
		if (c == 'W' || c == 'B')
			position->men[c == 'W' ? MRL_WHITE : MRL_BLACK] |= mrl_point_bit(point);
		else if (c == 'w' || c == 'b')
			return unsupported(
			    scan, at, "a man to be removed later (w, b) is of a rule that is not played here", error);
		else if (c != '.' || at >= word.end)
			return expected(scan, at, "W, B or . for a point, 8 in each of three rings", error);
	}
	if (status == MRL_OK && at < word.end)
		return expected(scan, at, "the end of the board behind three rings of 8 points", error);
	return status;
}

static enum mrl_status read_letter(struct mrl__scan *scan, const char *letters, const char *what, char *letter,
				   size_t *place, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);

	*place = word.start;
	if (word.end - word.start == 1) {
		*letter = scan->text[word.start];
		for (; *letters != '\0'; letters++)
			if (*letters == *letter)
				return MRL_OK;
	}
	return expected(scan, word.start, what, error);
}

static enum mrl_status read_hands(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	size_t at = word.start;
	int64_t hand[2] = {0, 0};
	bool good = mrl__integer(scan, &at, word.end, &hand[0]) && mrl__byte(scan, at) == ',';
	struct mrl_text text;

	at += good;
	good = good && mrl__integer(scan, &at, word.end, &hand[1]) && at == word.end;
	if (!good)
		return expected(scan, at, "the men in hand, White's then Black's as in 9,9", error);
	for (unsigned side = 0; side < 2; side++) {
		enum mrl_status status = hand[side] < 0 ? MRL_RANGE : MRL_POSITION;

		if (hand[side] >= 0 && hand[side] <= rules->men) {
			position->hand[side] = (uint8_t)hand[side];
			continue;
		}
		text = mrl__fail(scan, word.start, status, error);
		mrl_text_add(&text, mrl__side(side));
		mrl_text_add(&text, hand[side] < 0 ? " cannot have a negative number of men in hand; found "
						   : " has more men in hand than the rule set has; found ");
		mrl__found(&text, scan, word.start);
		return status;
	}
	return MRL_OK;
}

/* The plies so far: any whole number; a position does not hold it. */
static enum mrl_status read_plies(struct mrl__scan *scan, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	size_t at = word.start;
	int64_t plies = 0;

	if (!mrl__integer(scan, &at, word.end, &plies) || at != word.end || plies < 0)
		return expected(scan, word.start, "the plies so far, a whole number", error);
	return MRL_OK;
}

static enum mrl_status read_extensions(struct mrl__scan *scan, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);

	for (size_t at = word.start; at < word.end; at++)
		if (scan->text[at] == '=')
			return unsupported(scan, word.start, "this extension is of a rule that is not played here",
					   error);
	scan->at = word.start;
	return mrl__no_more(scan, error);
}

/* Why a game is over, there and here. */
struct finish {
	const char *there;
	enum mrl_reason here;
};

static const struct finish finishes[] = {
    {"fewer-than-minimum", MRL_REASON_FEW_MEN},
    {"no-legal-move", MRL_REASON_NO_MOVES},
    {"x-mill", MRL_REASON_MILL}, /* a private reason, as the format allows: it knows no game that a mill wins */
};

/* An outcome names the winner; the loser is to move. */
static enum mrl_status read_finish(const struct mrl_rules *rules, const struct mrl__scan *scan, struct mrl__word word,
				   struct mrl_position *position, struct mrl_error *error)
{
	struct mrl__word reason = {word.start + 2, word.end};
	char winner = mrl__byte(scan, word.start);
	struct mrl_verdict verdict;
	struct mrl_text text;
	size_t i = 0;

	if (word.end - word.start < 3 || scan->text[word.start + 1] != ':' ||
	    (winner != 'w' && winner != 'b' && winner != 'd'))
		return expected(scan, word.start, "the outcome of a finished game, as in w:fewer-than-minimum", error);
	if (winner == 'd')
		return unsupported(scan, word.start, "a drawn position in MFEN does not say whose turn it is", error);
	while (i < sizeof finishes / sizeof finishes[0] && !mrl__word_is(scan, reason, finishes[i].there))
		i++;
	if (i == sizeof finishes / sizeof finishes[0])
		return unsupported(scan, word.start,
				   "a finished position in MFEN with this outcome does not say whose turn it is",
				   error);
	position->side = winner == 'w' ? MRL_BLACK : MRL_WHITE;
	verdict = mrl_men_verdict(rules, position);
	if (verdict.outcome == (winner == 'w' ? MRL_WHITE_WINS : MRL_BLACK_WINS) && verdict.reason == finishes[i].here)
		return MRL_OK;
	text = mrl__fail(scan, word.start, MRL_POSITION, error);
	mrl_text_add(&text, "the outcome is ");
	mrl__found(&text, scan, word.start);
	mrl_text_add(&text, ", but by the rules the position is ");
	mrl_text_add(&text, mrl_outcome_text(verdict.outcome));
	if (verdict.outcome != MRL_ONGOING) {
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, mrl_reason_text(verdict.reason));
	} else {
		mrl_text_add(&text, ", not decided");
	}
	return MRL_POSITION;
}

/* Side, phase and action say the same as hands and outcome, once more. */
struct state {
	char side, phase, action;
	size_t side_place, phase_place, action_place;
	struct mrl__word obligations, outcome;
};

static enum mrl_status check_state(const struct mrl_rules *rules, const struct mrl__scan *scan,
				   const struct state *state, struct mrl_position *position, struct mrl_error *error)
{
	bool over = state->phase == 'o';
	struct mrl_text text;

	if (state->action == 'r' || !mrl__word_is(scan, state->obligations, "-")) {
		text = mrl__fail(scan, state->action == 'r' ? state->action_place : state->obligations.start,
				 MRL_POSITION, error);
		mrl_text_add(&text, "this is the middle of a take (");
		mrl_text_add(&text, state->action == 'r' ? "action r" : "obligations");
		mrl_text_add(
		    &text, "): here a take is part of the turn, so write the position before or after the whole turn");
		return MRL_POSITION;
	}
	if ((state->side == '-') != over)
		return expected(scan, state->side_place,
				over ? "- for the side to move, as the phase is o" : "w or b for the side to move",
				error);
	if (state->action != state->phase)
		return expected(scan, state->action_place, "the action to be the same as the phase", error);
	if (over)
		return read_finish(rules, scan, state->outcome, position, error);
	if (!mrl__word_is(scan, state->outcome, "-"))
		return expected(scan, state->outcome.start, "- for the outcome, as the game goes on", error);
	position->side = state->side == 'w' ? MRL_WHITE : MRL_BLACK;
	if ((state->phase == 'p') != (position->hand[position->side] > 0))
		return expected(scan, state->phase_place,
				state->phase == 'p' ? "the phase m, as the side to move has no man in hand"
						    : "the phase p, as the side to move has men in hand",
				error);
	return MRL_OK;
}

enum mrl_status mrl__mfen_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
			       struct mrl_error *error)
{
	struct state state = {0};
	enum mrl_status status = mrl__need_rings(scan, &rules->board, FORMAT, error);

	if (status == MRL_OK)
		status = read_head(scan, error);
	if (status == MRL_OK)
		status = read_board(&rules->board, scan, position, error);
	if (status == MRL_OK)
		status = read_letter(scan, "wb-", "the side to move, w or b, or - when the game is over", &state.side,
				     &state.side_place, error);
	if (status == MRL_OK)
		status = read_letter(scan, "pmo", "the phase, p, m or o", &state.phase, &state.phase_place, error);
	if (status == MRL_OK)
		status =
		    read_letter(scan, "pmro", "the action, p, m, r or o", &state.action, &state.action_place, error);
	if (status == MRL_OK)
		status = read_hands(rules, scan, position, error);
	if (status == MRL_OK) {
		state.obligations = mrl__next_word(scan);
		if (state.obligations.start == state.obligations.end)
			status = expected(scan, scan->at, "the obligations, - for none", error);
	}
	if (status == MRL_OK)
		status = mrl__counter(scan, mrl__next_word(scan), "the no-progress counter", &position->no_mill, error);
	if (status == MRL_OK)
		status = read_plies(scan, error);
	if (status == MRL_OK) {
		state.outcome = mrl__next_word(scan);
		if (state.outcome.start == state.outcome.end)
			status = expected(scan, scan->at, "the outcome, - for none", error);
	}
	if (status == MRL_OK)
		status = read_extensions(scan, error);
	if (status == MRL_OK)
		status = check_state(rules, scan, &state, position, error);
	return status;
}

/* How the outcome of a decided position is written; NULL when MFEN would lose whose turn it is. */
static const char *finish_text(const struct mrl_position *position, struct mrl_verdict verdict)
{
	enum mrl_outcome lost = position->side == MRL_WHITE ? MRL_BLACK_WINS : MRL_WHITE_WINS;

	for (size_t i = 0; i < sizeof finishes / sizeof finishes[0]; i++)
		if (verdict.outcome == lost && verdict.reason == finishes[i].here)
			return finishes[i].there;
	return NULL;
}

enum mrl_status mrl__mfen_write(const struct mrl_rules *rules, const struct mrl_position *position,
				struct mrl_text *text, struct mrl_error *error)
{
	enum mrl_status status = mrl__need_rings(NULL, &rules->board, FORMAT, error);
	struct mrl_verdict verdict = mrl_position_verdict(rules, position);
	bool over = verdict.outcome != MRL_ONGOING;
	const char *phase = over ? "o" : position->hand[position->side] > 0 ? "p" : "m";
	struct mrl_text message;

	if (status == MRL_OK)
		status = mrl__need_no_three_men(position, FORMAT, error);
	if (status != MRL_OK)
		return status;
	if (over && finish_text(position, verdict) == NULL) {
		message = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);
		mrl_text_add(&message, "the position is decided (");
		mrl_text_add(&message, mrl_outcome_text(verdict.outcome));
		mrl_text_char(&message, ' ');
		mrl_text_add(&message, mrl_reason_text(verdict.reason));
		mrl_text_add(&message, "), and MFEN would not say whose turn it is");
		return MRL_UNSUPPORTED;
	}
	mrl_text_add(text, signature);
	mrl_text_char(text, ' ');
	mrl_text_add(text, profile);
	for (unsigned i = 0; i < 24; i++) {
		mrl_points point = mrl_point_bit(mrl__ring_point(&rules->board, i / 8, i % 8));

		if (i % 8 == 0)
			mrl_text_char(text, i == 0 ? ' ' : '/');
		mrl_text_char(text, (position->men[MRL_WHITE] & point)   ? 'W'
				    : (position->men[MRL_BLACK] & point) ? 'B'
									 : '.');
	}
	mrl_text_add(text, over ? " - " : position->side == MRL_WHITE ? " w " : " b ");
	mrl_text_add(text, phase);
	mrl_text_char(text, ' ');
	mrl_text_add(text, phase);
	mrl_text_char(text, ' ');
	mrl_text_number(text, position->hand[MRL_WHITE]);
	mrl_text_char(text, ',');
	mrl_text_number(text, position->hand[MRL_BLACK]);
	mrl_text_add(text, " - ");
	mrl_text_number(text, position->no_mill);
	mrl_text_char(text, ' ');
	mrl_text_number(text, mrl__least_plies(rules, position));
	mrl_text_char(text, ' ');
	if (over) {
		mrl_text_add(text, verdict.outcome == MRL_WHITE_WINS ? "w:" : "b:");
		mrl_text_add(text, finish_text(position, verdict));
	} else {
		mrl_text_char(text, '-');
	}
	return MRL_OK;
}
