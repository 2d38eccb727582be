/* Turns as text: `d6`, `d6-d7`, `d6xa1`, `d6-d7xa1xg7`. */
#include <merels/builtins.h>
#include <merels/notation.h>

#include "formats.h"
#include "turn.h"

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static void add_point(struct mrl_text *text, const struct mrl_board *board, unsigned point)
{
	char name[4];

	if (point >= board->point_count) {
		mrl_text_char(text, '?');
		return;
	}
	mrl_point_name(board, point, name);
	mrl_text_add(text, name);
}

static void add_turn(struct mrl_text *text, const struct mrl_board *board, const struct mrl_turn *turn)
{
	if (turn->from != MRL_NO_POINT) {
		add_point(text, board, turn->from);
		mrl_text_char(text, '-');
	}
	add_point(text, board, turn->to);
	for (unsigned i = 0; i < MRL_MAX_MILLS_OF_POINT && turn->take[i] != MRL_NO_POINT; i++) {
		mrl_text_char(text, 'x');
		add_point(text, board, turn->take[i]);
	}
}

size_t mrl_turn_write(const struct mrl_board *board, const struct mrl_turn *turn, char text[MRL_TURN_TEXT_SIZE])
{
	struct mrl_text out = mrl_text_in(text, MRL_TURN_TEXT_SIZE);

	add_turn(&out, board, turn);
	return mrl_text_stored(&out);
}

/* ---- The form of a turn ------------------------------------------------------------------------------------- */

static enum mrl_status expected(const struct mrl__scan *scan, size_t at, const char *what, struct mrl_error *error)
{
	struct mrl_text text = mrl__fail(scan, at, MRL_SYNTAX, error);

	mrl_text_add(&text, "expected ");
	mrl_text_add(&text, what);
	mrl_text_add(&text, "; found ");
	mrl__found(&text, scan, at);
	return MRL_SYNTAX;
}

/* Letters, digits and dashes: a word of these can be meant as a turn. */
static size_t turn_word_end(const struct mrl__scan *scan, size_t at)
{
	while (mrl__is_letter(mrl__byte(scan, at)) || mrl__is_digit(mrl__byte(scan, at)) || mrl__byte(scan, at) == '-')
		at++;
	return at;
}

static enum mrl_status read_point(const struct mrl_board *board, struct mrl__scan *scan, uint8_t *point,
				  struct mrl_error *error)
{
	size_t start = scan->at;
	size_t at = start;
	char letter = mrl__byte(scan, at);
	unsigned file;
	unsigned rank = 0;
	unsigned found;
	struct mrl_text text;

	if (!mrl__is_letter(letter) || !mrl__is_digit(mrl__byte(scan, at + 1)))
		return expected(scan, start, "a point, a letter and a number as in d6", error);
	file = (unsigned)(letter <= 'Z' ? letter - 'A' : letter - 'a');
	for (at++; mrl__is_digit(mrl__byte(scan, at)); at++)
		rank = rank > MRL_MAX_POINTS ? rank : 10 * rank + (unsigned)(scan->text[at] - '0');
	found = rank == 0 ? MRL_NO_POINT : mrl_point_at(board, file, rank - 1);
	if (found == MRL_NO_POINT || scan->text[start + 1] == '0') {
		text = mrl__fail(scan, start, MRL_SYNTAX, error);
		mrl_text_quote(&text, scan->text + start, at - start);
		mrl_text_add(&text, " is no point of the board ");
		mrl_text_add(&text, board->name);
		return MRL_SYNTAX;
	}
	scan->at = at;
	*point = (uint8_t)found;
	return MRL_OK;
}

/* Whether a take begins here: an x before a letter (before a digit it is a point of file x). */
static bool at_take(const struct mrl__scan *scan, size_t at)
{
	char c = mrl__byte(scan, at);

	return (c == 'x' || c == 'X') && mrl__is_letter(mrl__byte(scan, at + 1));
}

static enum mrl_status read_takes(const struct mrl_board *board, struct mrl__scan *scan, struct mrl_turn *turn,
				  struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	unsigned takes = 0;
	struct mrl_text text;

	for (;;) {
		size_t at = scan->at;

		while (at < scan->length && mrl__is_space(scan->text[at]))
			at++;
		if (!at_take(scan, at)) {
			/* An x alone behind the turn is a take without its point. */
			if (at == scan->at && (mrl__byte(scan, at) == 'x' || mrl__byte(scan, at) == 'X')) {
				return expected(scan, at + 1, "a point behind x, as in d6xa1", error);
			}
			return MRL_OK;
		}
		if (takes == MRL_MAX_MILLS_OF_POINT) {
			text = mrl__fail(scan, at, MRL_ILLEGAL, error);
			mrl_text_add(&text, "no turn takes more than ");
			mrl_text_number(&text, takes);
			mrl_text_add(&text, " men");
			return MRL_ILLEGAL;
		}
		scan->at = at + 1;
		status = read_point(board, scan, &turn->take[takes++], error);
		if (status != MRL_OK)
			return status;
	}
}

static enum mrl_status read_form(const struct mrl_board *board, struct mrl__scan *scan, struct mrl_turn *turn,
				 struct mrl_error *error)
{
	size_t start = scan->at;
	size_t word = turn_word_end(scan, start) - start;
	enum mrl_status status;
	struct mrl_text text;

	mrl_fill(turn, MRL_NO_POINT, sizeof *turn);
	if (at_take(scan, start))
		return expected(scan, start, "a turn before its take, as in d6xa1", error);
	if (word >= MRL_TURN_TEXT_SIZE) {
		text = mrl__fail(scan, start, MRL_SYNTAX, error);
		mrl_text_add(&text, "a word of ");
		mrl_text_number(&text, word);
		mrl_text_add(&text, " characters is longer than any turn: ");
		mrl_text_quote(&text, scan->text + start, word);
		return MRL_SYNTAX;
	}
	status = read_point(board, scan, &turn->to, error);
	if (status == MRL_OK && mrl__byte(scan, scan->at) == '-') {
		turn->from = turn->to;
		scan->at++;
		status = read_point(board, scan, &turn->to, error);
	}
	if (status == MRL_OK)
		status = read_takes(board, scan, turn, error);
	if (status == MRL_OK && turn_word_end(scan, scan->at) > scan->at)
		return expected(scan, scan->at, "- before the point a man goes to, or x before one that is taken",
				error);
	return status;
}

/* ---- What it means in a position ---------------------------------------------------------------------------- */

/* A point alone, and the side must move a man: never guessed, even when only one man can go there. */
static enum mrl_status refuse_point_alone(const struct mrl_rules *rules, const struct mrl_position *position,
					  struct mrl__scan *scan, size_t start, unsigned to, struct mrl_error *error)
{
	const struct mrl_board *board = &rules->board;
	mrl_points own = position->men[position->side];
	bool occupied = ((own | position->men[position->side ^ 1U]) & mrl_point_bit(to)) != 0;
	bool flies = mrl_may_fly(rules, position, (enum mrl_side)position->side);
	mrl_points men = occupied ? 0 : flies ? own : own & board->neighbours[to];
	enum mrl_status status = mrl_popcount(men) > 1 ? MRL_AMBIGUOUS : MRL_ILLEGAL;
	struct mrl_text text = mrl__fail(scan, start, status, error);

	add_point(&text, board, to);
	if (men == 0) {
		mrl_text_add(&text, " does not say which man moves, and ");
		mrl_text_add(&text, occupied ? "the point is occupied" : mrl__side(position->side));
		mrl_text_add(&text, occupied ? "" : " has no man that can go there");
		mrl_text_add(&text, "; a move is written from-to");
		return status;
	}
	mrl_text_add(&text, status == MRL_AMBIGUOUS ? " is ambiguous: " : " does not say which man moves: write ");
	for (mrl_points rest = men; rest != 0; rest &= rest - 1) {
		if (rest != men)
			mrl_text_add(&text, " or ");
		add_point(&text, board, mrl_lowest(rest));
		mrl_text_char(&text, '-');
		add_point(&text, board, to);
	}
	return status;
}

static enum mrl_status check_turn(const struct mrl_rules *rules, const struct mrl_position *position,
				  const struct mrl__scan *scan, size_t start, const struct mrl_turn *turn,
				  struct mrl_error *error)
{
	struct mrl_error why = {0};
	enum mrl_status status = mrl_turn_check(rules, position, turn, &why);
	struct mrl_text text;

	if (status == MRL_OK)
		return status;
	text = mrl__fail(scan, start, status, error);
	add_turn(&text, &rules->board, turn);
	mrl_text_add(&text, status == MRL_DECIDED ? " comes too late: " : " is not legal: ");
	mrl_text_add(&text, why.message);
	return status;
}

enum mrl_status mrl__turn_scan(const struct mrl_rules *rules, const struct mrl_position *position,
			       struct mrl__scan *scan, struct mrl_turn *turn, struct mrl_error *error)
{
	size_t start = scan->at;
	struct mrl_turn read;
	enum mrl_status status = read_form(&rules->board, scan, &read, error);

	if (status != MRL_OK)
		return status;
	if (read.from == MRL_NO_POINT && position->hand[position->side] == 0 &&
	    mrl_men_verdict(rules, position).outcome == MRL_ONGOING)
		return refuse_point_alone(rules, position, scan, start, read.to, error);
	status = check_turn(rules, position, scan, start, &read, error);
	if (status == MRL_OK)
		*turn = read;
	return status;
}

enum mrl_status mrl_turn_next(const struct mrl_rules *rules, const struct mrl_position *position, const char *text,
			      size_t length, size_t *consumed, struct mrl_turn *turn, struct mrl_error *error)
{
	struct mrl__scan scan = mrl__scan_in(text, length);
	struct mrl_turn read;
	enum mrl_status status;

	mrl_fill(&read, MRL_NO_POINT, sizeof read);
	mrl__skip_space(&scan);
	if (!mrl__at_end(&scan)) {
		status = mrl__turn_scan(rules, position, &scan, &read, error);
		if (status != MRL_OK)
			return status;
		if (!mrl__at_end(&scan) && !mrl__is_space(text[scan.at]))
			return expected(&scan, scan.at, "the end of the turn", error);
	}
	*consumed = scan.at;
	*turn = read;
	return MRL_OK;
}

enum mrl_status mrl_turn_read(const struct mrl_rules *rules, const struct mrl_position *position, const char *text,
			      size_t length, struct mrl_turn *turn, struct mrl_error *error)
{
	struct mrl__scan scan = mrl__scan_in(text, length);
	struct mrl_turn read;
	enum mrl_status status;

	mrl__skip_space(&scan);
	status = mrl__turn_scan(rules, position, &scan, &read, error);
	if (status != MRL_OK)
		return status;
	mrl__skip_space(&scan);
	if (!mrl__at_end(&scan))
		return expected(&scan, scan.at, "the end of the turn", error);
	*turn = read;
	return MRL_OK;
}
