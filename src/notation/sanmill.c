/*
 * Sanmill's FEN, a board and then for example `w p p 0 9 0 9 0 0 0 0 0 0 0 0 1`.
 *
 * 1. The board: the inner, the middle and the outer ring, each clockwise from the point at the top middle (d5,
 * d6, d7); `O` White, `@` Black, `*` empty, `X` a man marked to be removed later (no rule of ours).
 * 2. The side to move.   3. The phase: r ready, p placing, m moving, o over, n none.   4. What the side does
 * next: p place, s select, r remove, ? nothing.
 * 5. Numbers: White's men on the board and in hand, Black's on the board and in hand (4); men each side has
 * still to remove (6); the no-progress counter and the number of the move (8); and, before these two, the last
 * mill's from and to of each side and a set of mills that were formed (13). Programs write 8 or 13, people
 * shorter forms.
 * 6. Extensions `k:value`, of which only `ids:nodes` (how the last mill's points are numbered) does not change
 * the game.
 */
#include <merels/builtins.h>

#include "formats.h"

#define FORMAT "Sanmill's FEN"

static enum mrl_status read_point(const struct mrl__scan *scan, size_t at, unsigned point,
				  struct mrl_position *position, struct mrl_error *error)
{
	struct mrl_text text;

	switch (scan->text[at]) {
	case 'O':
		position->men[MRL_WHITE] |= mrl_point_bit(point);
		return MRL_OK;
	case '@':
		position->men[MRL_BLACK] |= mrl_point_bit(point);
		return MRL_OK;
	case '*':
		return MRL_OK;
	case 'X':
		text = mrl__fail(scan, at, MRL_UNSUPPORTED, error);
		mrl_text_add(&text, "a man marked to be removed later (X) is of a rule that is not played here");
		return MRL_UNSUPPORTED;
	default:
		text = mrl__fail(scan, at, MRL_SYNTAX, error);
		mrl_text_add(&text, "expected O, @ or * for a point; found ");
		mrl__found_char(&text, scan, at);
		return MRL_SYNTAX;
	}
}

static enum mrl_status read_board(const struct mrl_board *board, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	static const char *const names[] = {"inner", "middle", "outer"};
	struct mrl__word word = mrl__next_word(scan);
	enum mrl_status status = mrl__not_too_many(scan, word, "O@", board, error);
	size_t at = word.start;
	struct mrl_text text;

	for (unsigned ring = 0; ring < 3 && status == MRL_OK; ring++) {
		size_t start = at;

		while (at < word.end && scan->text[at] != '/' && status == MRL_OK) {
			if (at - start < 8)
				status = read_point(scan, at, mrl__ring_point(board, 2 - ring, (at - start + 1) % 8),
						    position, error);
			at += status == MRL_OK;
		}
		if (status == MRL_OK && at - start != 8) {
			text = mrl__fail(scan, start, MRL_SYNTAX, error);
			mrl_text_add(&text, "expected 8 points of the ");
			mrl_text_add(&text, names[ring]);
			mrl_text_add(&text, " ring, found ");
			mrl_text_number(&text, at - start);
			return MRL_SYNTAX;
		}
		if (status == MRL_OK && (at < word.end) != (ring < 2)) {
			text = mrl__fail(scan, at, MRL_SYNTAX, error);
			mrl_text_add(&text, "expected three rings of 8 points, / between them; found ");
			mrl__found_char(&text, scan, at);
			return MRL_SYNTAX;
		}
		at += ring < 2;
	}
	return status;
}

/* Reads a word of one letter, which must be one of `letters`. */
static enum mrl_status read_letter(struct mrl__scan *scan, const char *name, const char *letters, char *letter,
				   struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	struct mrl_text text;

	if (word.end - word.start == 1) {
		*letter = scan->text[word.start];
		for (const char *l = letters; *l != '\0'; l++)
			if (*l == *letter)
				return MRL_OK;
	}
	text = mrl__fail(scan, word.start, MRL_SYNTAX, error);
	mrl_text_add(&text, "expected ");
	mrl_text_add(&text, name);
	mrl_text_add(&text, ", one of");
	for (const char *l = letters; *l != '\0'; l++) {
		mrl_text_char(&text, ' ');
		mrl_text_char(&text, *l);
	}
	mrl_text_add(&text, "; found ");
	mrl__found(&text, scan, word.start);
	return MRL_SYNTAX;
}

/* The numbers, in the order of the longest form. */
enum {
	ON_WHITE,
	HAND_WHITE,
	ON_BLACK,
	HAND_BLACK,
	REMOVE_WHITE,
	REMOVE_BLACK,
	MILL,
	FORMED = 10,
	CLOCK,
	MOVE,
	NUMBERS
};

struct numbers {
	int64_t value[NUMBERS];
	size_t place[NUMBERS];
	unsigned count;
};

static bool looks_like_number(const struct mrl__scan *scan, size_t at)
{
	return mrl__is_digit(mrl__byte(scan, at)) ||
	       (mrl__byte(scan, at) == '-' && mrl__is_digit(mrl__byte(scan, at + 1)));
}

static enum mrl_status read_numbers(struct mrl__scan *scan, struct numbers *numbers, struct mrl_error *error)
{
	struct mrl_text text;

	mrl__skip_space(scan);
	while (numbers->count < NUMBERS && looks_like_number(scan, scan->at)) {
		struct mrl__word word = mrl__next_word(scan);
		size_t at = word.start;

		numbers->place[numbers->count] = word.start;
		if (!mrl__integer(scan, &at, word.end, &numbers->value[numbers->count]) || at != word.end) {
			text = mrl__fail(scan, at, MRL_SYNTAX, error);
			mrl_text_add(&text, "expected a whole number; behind its digits found ");
			mrl__found(&text, scan, at);
			return MRL_SYNTAX;
		}
		numbers->count++;
		mrl__skip_space(scan);
	}
	switch (numbers->count) {
	case 4:
	case 6:
	case NUMBERS:
		return MRL_OK;
	case 8: /* the older form: the last two are the clock and the move */
		for (unsigned i = 0; i < 2; i++) {
			numbers->value[CLOCK + i] = numbers->value[6 + i];
			numbers->place[CLOCK + i] = numbers->place[6 + i];
			numbers->value[6 + i] = 0;
		}
		return MRL_OK;
	default:
		text = mrl__fail(scan, scan->at, MRL_SYNTAX, error);
		mrl_text_add(&text, "expected 4, 6, 8 or 13 numbers behind the action, found ");
		mrl_text_number(&text, numbers->count);
		mrl_text_add(&text, ", then ");
		mrl__found(&text, scan, scan->at);
		return MRL_SYNTAX;
	}
}

/* Says of each side what is impossible, in one sentence, so that nobody has to mend one fault to learn of the next. */
static enum mrl_status check_men(const struct mrl_rules *rules, const struct mrl__scan *scan,
				 const struct numbers *numbers, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	struct mrl_text text = {0};

	for (unsigned side = 0; side < 2; side++) {
		int64_t on = numbers->value[side == 0 ? ON_WHITE : ON_BLACK];
		int64_t hand = numbers->value[side == 0 ? HAND_WHITE : HAND_BLACK];
		bool many = on > rules->men || hand > rules->men || on + hand > rules->men;

		if (!many && hand >= 0)
			continue;
		if (status == MRL_OK) {
			status = many ? MRL_POSITION : MRL_RANGE;
			text = mrl__fail(scan, numbers->place[side == 0 ? ON_WHITE : ON_BLACK], status, error);
		} else {
			mrl_text_add(&text, "; ");
		}
		mrl_text_add(&text, mrl__side(side));
		mrl_text_add(&text, " has ");
		mrl_text_signed(&text, on);
		mrl_text_add(&text, " men on the board and ");
		mrl_text_signed(&text, hand);
		mrl_text_add(&text, " in hand: ");
		if (many) {
			mrl_text_add(&text, "more men than the ");
			mrl_text_number(&text, rules->men);
			mrl_text_add(&text, " of the rule set");
		}
		if (hand < 0)
			mrl_text_add(&text, many ? ", and a hand cannot be negative" : "a hand cannot be negative");
	}
	return status;
}

static enum mrl_status check_count(const struct mrl__scan *scan, const struct numbers *numbers, unsigned side,
				   const struct mrl_position *position, struct mrl_error *error)
{
	unsigned index = side == 0 ? ON_WHITE : ON_BLACK;
	unsigned stand = mrl_popcount(position->men[side]);
	struct mrl_text text;

	if (numbers->value[index] == stand)
		return MRL_OK;
	text = mrl__fail(scan, numbers->place[index], MRL_SYNTAX, error);
	mrl_text_add(&text, "the text says that ");
	mrl_text_add(&text, mrl__side(side));
	mrl_text_add(&text, " has ");
	mrl_text_signed(&text, numbers->value[index]);
	mrl_text_add(&text, " men on the board, but ");
	mrl_text_number(&text, stand);
	mrl_text_add(&text, " stand on it");
	return MRL_SYNTAX;
}

/* A take is part of a turn here, so a position with a man still to be taken does not exist. */
static enum mrl_status check_no_take(const struct mrl__scan *scan, size_t action_place, char action,
				     const struct numbers *numbers, struct mrl_error *error)
{
	struct mrl_text text;

	if (action != 'r' && numbers->value[REMOVE_WHITE] == 0 && numbers->value[REMOVE_BLACK] == 0)
		return MRL_OK;
	text =
	    mrl__fail(scan,
		      action == 'r' ? action_place
				    : numbers->place[numbers->value[REMOVE_WHITE] != 0 ? REMOVE_WHITE : REMOVE_BLACK],
		      MRL_POSITION, error);
	mrl_text_add(&text, "this is the middle of a take (");
	mrl_text_add(&text, action == 'r' ? "action r" : "men to remove are not 0 0");
	mrl_text_add(&text, "): here a take is part of the turn, so write the position before or after the whole turn");
	return MRL_POSITION;
}

static enum mrl_status check_phase(const struct mrl__scan *scan, size_t place, char phase,
				   const struct numbers *numbers, struct mrl_error *error)
{
	bool placing = numbers->value[HAND_WHITE] > 0 || numbers->value[HAND_BLACK] > 0;
	struct mrl_text text;

	if (phase == 'o' || phase == 'n' || (phase == 'm') != placing)
		return MRL_OK;
	text = mrl__fail(scan, place, MRL_SYNTAX, error);
	mrl_text_add(&text, placing ? "the phase is m (moving), but there are men in hand; expected p"
				    : "the phase is p or r (placing), but no man is in hand; expected m");
	return MRL_SYNTAX;
}

/* Whether a number that means nothing here is at least one that may stand there. */
static enum mrl_status check_rest(const struct mrl__scan *scan, const struct numbers *numbers, struct mrl_error *error)
{
	struct mrl_text text;

	for (unsigned i = MILL; i < NUMBERS; i++) {
		bool mill = i < FORMED;

		if (i == CLOCK || (numbers->value[i] >= (mill ? -1 : 0) && (!mill || numbers->value[i] < 32)))
			continue;
		text = mrl__fail(scan, numbers->place[i], MRL_RANGE, error);
		mrl_text_add(&text, mill          ? "expected a point of the last mill, -1 to 31; found "
				    : i == FORMED ? "expected the set of mills formed, not negative; found "
						  : "expected the number of the move, not negative; found ");
		mrl__found(&text, scan, numbers->place[i]);
		return MRL_RANGE;
	}
	return MRL_OK;
}

static enum mrl_status read_extensions(struct mrl__scan *scan, unsigned numbers, struct mrl_error *error)
{
	struct mrl__word word;
	struct mrl_text text;

	for (word = mrl__next_word(scan); word.start < word.end; word = mrl__next_word(scan)) {
		bool extension = numbers == NUMBERS && word.end - word.start > 2 && scan->text[word.start + 1] == ':';

		if (numbers == NUMBERS && mrl__word_is(scan, word, "ids:nodes"))
			continue;
		if (!extension) {
			scan->at = word.start;
			return mrl__no_more(scan, error);
		}
		text = mrl__fail(scan, word.start, MRL_UNSUPPORTED, error);
		mrl_text_add(&text, "this extension is of a rule that is not played here: ");
		mrl__found(&text, scan, word.start);
		return MRL_UNSUPPORTED;
	}
	return MRL_OK;
}

enum mrl_status mrl__sanmill_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	struct numbers numbers = {0};
	char side = 'w';
	char phase = 'n';
	char action = '?';
	size_t phase_place = 0;
	size_t action_place = 0;
	enum mrl_status status = mrl__need_rings(scan, &rules->board, FORMAT, error);

	if (status == MRL_OK)
		status = read_board(&rules->board, scan, position, error);
	if (status == MRL_OK)
		status = read_letter(scan, "the side to move", "wb", &side, error);
	if (status == MRL_OK) {
		mrl__skip_space(scan);
		phase_place = scan->at;
		status = read_letter(scan, "the phase", "rpmon", &phase, error);
	}
	if (status == MRL_OK) {
		mrl__skip_space(scan);
		action_place = scan->at;
		status = read_letter(scan, "the action", "psr?", &action, error);
	}
	if (status == MRL_OK)
		status = read_numbers(scan, &numbers, error);
	if (status == MRL_OK)
		status = read_extensions(scan, numbers.count, error);
	if (status == MRL_OK)
		status = check_men(rules, scan, &numbers, error);
	for (unsigned s = 0; s < 2 && status == MRL_OK; s++)
		status = check_count(scan, &numbers, s, position, error);
	if (status == MRL_OK)
		status = check_no_take(scan, action_place, action, &numbers, error);
	if (status == MRL_OK)
		status = check_phase(scan, phase_place, phase, &numbers, error);
	if (status == MRL_OK)
		status = check_rest(scan, &numbers, error);
	if (status == MRL_OK && numbers.count >= 8) {
		struct mrl__scan clock = *scan;

		clock.at = numbers.place[CLOCK];
		status =
		    mrl__counter(scan, mrl__next_word(&clock), "the no-progress counter", &position->no_mill, error);
	}
	if (status != MRL_OK)
		return status;
	position->side = side == 'w' ? MRL_WHITE : MRL_BLACK;
	position->hand[MRL_WHITE] = (uint8_t)numbers.value[HAND_WHITE];
	position->hand[MRL_BLACK] = (uint8_t)numbers.value[HAND_BLACK];
	return MRL_OK;
}

enum mrl_status mrl__sanmill_write(const struct mrl_rules *rules, const struct mrl_position *position,
				   struct mrl_text *text, struct mrl_error *error)
{
	enum mrl_status status = mrl__need_rings(NULL, &rules->board, FORMAT, error);
	bool placing = position->hand[MRL_WHITE] > 0 || position->hand[MRL_BLACK] > 0;

	if (status == MRL_OK)
		status = mrl__need_no_three_men(position, FORMAT, error);
	if (status != MRL_OK)
		return status;
	for (unsigned i = 0; i < 24; i++) {
		mrl_points point = mrl_point_bit(mrl__ring_point(&rules->board, 2 - i / 8, (i + 1) % 8));

		mrl_text_char(text, (position->men[MRL_WHITE] & point)   ? 'O'
				    : (position->men[MRL_BLACK] & point) ? '@'
									 : '*');
		if (i % 8 == 7)
			mrl_text_char(text, i < 23 ? '/' : ' ');
	}
	mrl_text_add(text, position->side == MRL_WHITE ? "w " : "b ");
	mrl_text_add(text, placing ? "p p" : "m s");
	for (unsigned side = 0; side < 2; side++) {
		mrl_text_char(text, ' ');
		mrl_text_number(text, mrl_popcount(position->men[side]));
		mrl_text_char(text, ' ');
		mrl_text_number(text, position->hand[side]);
	}
	/* Nothing to remove; last mills and formed mills matter only to rules that are not played here. */
	mrl_text_add(text, " 0 0 0 0 0 0 0 ");
	mrl_text_number(text, position->no_mill);
	mrl_text_char(text, ' ');
	mrl_text_number(text, 1 + mrl__least_plies(rules, position) / 2);
	return MRL_OK;
}
