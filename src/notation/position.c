/* Positions as text: which format it is, our own format, and what all formats must pass. */
#include <merels/builtins.h>
#include <merels/notation.h>

#include "formats.h"

const char *mrl__side(unsigned side)
{
	return side == MRL_WHITE ? "White" : "Black";
}

enum mrl_status mrl__no_more(struct mrl__scan *scan, struct mrl_error *error)
{
	struct mrl_text text;

	mrl__skip_space(scan);
	if (mrl__at_end(scan))
		return MRL_OK;
	text = mrl__fail(scan, scan->at, MRL_SYNTAX, error);
	mrl_text_add(&text, "the position is complete, but more follows: ");
	mrl__found(&text, scan, scan->at);
	return MRL_SYNTAX;
}

enum mrl_status mrl__counter(const struct mrl__scan *scan, struct mrl__word word, const char *name, uint16_t *counter,
			     struct mrl_error *error)
{
	size_t at = word.start;
	int64_t value = 0;
	struct mrl_text text;

	if (!mrl__integer(scan, &at, word.end, &value) || at != word.end) {
		text = mrl__fail(scan, at, MRL_SYNTAX, error);
		mrl_text_add(&text, "expected ");
		mrl_text_add(&text, name);
		mrl_text_add(&text, ", a whole number; found ");
		mrl__found(&text, scan, at);
		return MRL_SYNTAX;
	}
	if (value < 0 || value > UINT16_MAX) {
		text = mrl__fail(scan, word.start, MRL_RANGE, error);
		mrl_text_add(&text, name);
		mrl_text_add(&text, value < 0 ? " cannot be negative: " : " is too large, at most 65535: ");
		mrl__found(&text, scan, word.start);
		return MRL_RANGE;
	}
	*counter = (uint16_t)value;
	return MRL_OK;
}

enum mrl_status mrl__not_too_many(const struct mrl__scan *scan, struct mrl__word word, const char *men,
				  const struct mrl_board *board, struct mrl_error *error)
{
	size_t count = 0;
	struct mrl_text text;

	for (size_t at = word.start; at < word.end; at++)
		count += scan->text[at] == men[0] || scan->text[at] == men[1];
	if (count <= board->point_count)
		return MRL_OK;
	text = mrl__fail(scan, word.start, MRL_POSITION, error);
	mrl_text_number(&text, count);
	mrl_text_add(&text, " men on a board that has ");
	mrl_text_number(&text, board->point_count);
	mrl_text_add(&text, " points");
	return MRL_POSITION;
}

/* ---- Our own format ----------------------------------------------------------------------------------------- */

static mrl_points points_of_rank(const struct mrl_board *board, unsigned rank)
{
	mrl_points points = 0;

	for (unsigned p = 0; p < board->point_count; p++)
		if (board->place[p].rank == rank)
			points |= mrl_point_bit(p);
	return points;
}

static enum mrl_status bad_rank(const struct mrl__scan *scan, size_t at, unsigned rank, size_t found, unsigned expected,
				struct mrl_error *error)
{
	struct mrl_text text = mrl__fail(scan, at, MRL_SYNTAX, error);

	mrl_text_add(&text, found > expected ? "too many points in rank " : "too few points in rank ");
	mrl_text_number(&text, rank + 1);
	mrl_text_add(&text, ": expected ");
	mrl_text_number(&text, expected);
	mrl_text_add(&text, ", found ");
	mrl_text_number(&text, found);
	return MRL_SYNTAX;
}

/* Reads the points of one rank up to the slash or the end of the word. */
static enum mrl_status read_rank(const struct mrl_board *board, const struct mrl__scan *scan, size_t *at, size_t end,
				 unsigned rank, struct mrl_position *position, struct mrl_error *error)
{
	mrl_points rest = points_of_rank(board, rank);
	unsigned expected = mrl_popcount(rest);
	size_t start = *at;
	size_t count = 0;

	for (; *at < end && scan->text[*at] != '/'; (*at)++) {
		char c = scan->text[*at];

		if (c != 'W' && c != 'B' && c != '.') {
			struct mrl_text text = mrl__fail(scan, *at, MRL_SYNTAX, error);

			mrl_text_add(&text, "expected W, B or . for a point of rank ");
			mrl_text_number(&text, rank + 1);
			mrl_text_add(&text, "; found ");
			mrl__found_char(&text, scan, *at);
			return MRL_SYNTAX;
		}
		if (rest != 0 && c != '.')
			position->men[c == 'W' ? MRL_WHITE : MRL_BLACK] |= rest & (~rest + 1);
		rest &= rest - (rest != 0);
		count++;
	}
	return count == expected ? MRL_OK : bad_rank(scan, start, rank, count, expected, error);
}

static enum mrl_status read_board(const struct mrl_board *board, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	size_t at = word.start;
	enum mrl_status status = mrl__not_too_many(scan, word, "WB", board, error);
	struct mrl_text text;

	if (status != MRL_OK)
		return status;
	if (word.start == word.end) {
		text = mrl__fail(scan, at, MRL_SYNTAX, error);
		mrl_text_add(&text, "the text is empty; expected a position, the points of rank ");
		mrl_text_number(&text, board->rank_count);
		mrl_text_add(&text, " first");
		return MRL_SYNTAX;
	}
	for (unsigned rank = board->rank_count; rank-- > 0;) {
		status = read_rank(board, scan, &at, word.end, rank, position, error);
		if (status != MRL_OK)
			return status;
		if (rank > 0 && at == word.end) {
			text = mrl__fail(scan, at, MRL_SYNTAX, error);
			mrl_text_add(&text, "too few ranks: expected \"/\" and rank ");
			mrl_text_number(&text, rank);
			mrl_text_add(&text, "; found ");
			mrl__found_char(&text, scan, at);
			return MRL_SYNTAX;
		}
		at += rank > 0;
	}
	if (at < word.end) {
		text = mrl__fail(scan, at, MRL_SYNTAX, error);
		mrl_text_add(&text, "too many ranks: the board ");
		mrl_text_add(&text, board->name);
		mrl_text_add(&text, " has ");
		mrl_text_number(&text, board->rank_count);
		return MRL_SYNTAX;
	}
	return MRL_OK;
}

static enum mrl_status read_side(struct mrl__scan *scan, struct mrl_position *position, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	struct mrl_text text;

	if (mrl__word_is(scan, word, "w") || mrl__word_is(scan, word, "b")) {
		position->side = scan->text[word.start] == 'w' ? MRL_WHITE : MRL_BLACK;
		return MRL_OK;
	}
	text = mrl__fail(scan, word.start, MRL_SYNTAX, error);
	mrl_text_add(&text, "expected the side to move, w or b; found ");
	mrl__found(&text, scan, word.start);
	return MRL_SYNTAX;
}

static enum mrl_status read_hands(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	int64_t hand[2] = {0, 0};
	size_t at = word.start;
	bool good = mrl__integer(scan, &at, word.end, &hand[MRL_WHITE]) && mrl__byte(scan, at) == ',';
	struct mrl_text text;

	at += good;
	good = good && mrl__integer(scan, &at, word.end, &hand[MRL_BLACK]) && at == word.end;
	if (!good) {
		text = mrl__fail(scan, at, MRL_SYNTAX, error);
		mrl_text_add(&text, "expected the men in hand, White's then Black's as in 9,9; found ");
		mrl__found(&text, scan, at);
		return MRL_SYNTAX;
	}
	for (unsigned side = 0; side < 2; side++) {
		if (hand[side] < 0 || hand[side] > rules->men) {
			enum mrl_status status = hand[side] < 0 ? MRL_RANGE : MRL_POSITION;

			text = mrl__fail(scan, word.start, status, error);
			mrl_text_add(&text, mrl__side(side));
			if (hand[side] < 0) {
				mrl_text_add(&text, " cannot have a negative number of men in hand; found ");
				mrl__found(&text, scan, word.start);
			} else {
				mrl_text_add(&text, " has more men in hand than the ");
				mrl_text_number(&text, rules->men);
				mrl_text_add(&text, " of the rule set; found ");
				mrl__found(&text, scan, word.start);
			}
			return status;
		}
		position->hand[side] = (uint8_t)hand[side];
	}
	return MRL_OK;
}

static enum mrl_status read_counters(const struct mrl_rules *rules, struct mrl__scan *scan,
				     struct mrl_position *position, struct mrl_error *error)
{
	struct mrl__word word = mrl__next_word(scan);
	enum mrl_status status;
	struct mrl_text text;

	if (word.start == word.end)
		return MRL_OK;
	status = mrl__counter(scan, word, "the no-mill counter", &position->no_mill, error);
	if (status != MRL_OK)
		return status;
	word = mrl__next_word(scan);
	if (word.start == word.end)
		return MRL_OK;
	status = mrl__counter(scan, word, "the three-men counter", &position->three_men, error);
	if (status != MRL_OK || rules->three_men != 0 || position->three_men == 0)
		return status;
	text = mrl__fail(scan, word.start, MRL_RANGE, error);
	mrl_text_add(&text, "the rule set has no three-men rule, so the three-men counter must be 0; found ");
	mrl__found(&text, scan, word.start);
	return MRL_RANGE;
}

enum mrl_status mrl__merels_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				 struct mrl_error *error)
{
	enum mrl_status status = read_board(&rules->board, scan, position, error);

	if (status == MRL_OK)
		status = read_side(scan, position, error);
	if (status == MRL_OK)
		status = read_hands(rules, scan, position, error);
	if (status == MRL_OK)
		status = read_counters(rules, scan, position, error);
	return status == MRL_OK ? mrl__no_more(scan, error) : status;
}

static void write_merels(const struct mrl_rules *rules, const struct mrl_position *position, struct mrl_text *text)
{
	for (unsigned rank = rules->board.rank_count; rank-- > 0;) {
		for (mrl_points rest = points_of_rank(&rules->board, rank); rest != 0; rest &= rest - 1) {
			mrl_points point = rest & (~rest + 1);

			mrl_text_char(text, (position->men[MRL_WHITE] & point)   ? 'W'
					    : (position->men[MRL_BLACK] & point) ? 'B'
										 : '.');
		}
		mrl_text_char(text, rank > 0 ? '/' : ' ');
	}
	mrl_text_add(text, position->side == MRL_WHITE ? "w " : "b ");
	mrl_text_number(text, position->hand[MRL_WHITE]);
	mrl_text_char(text, ',');
	mrl_text_number(text, position->hand[MRL_BLACK]);
	mrl_text_char(text, ' ');
	mrl_text_number(text, position->no_mill);
	mrl_text_char(text, ' ');
	mrl_text_number(text, position->three_men);
}

/* ---- Any format --------------------------------------------------------------------------------------------- */

enum mrl_position_format mrl_position_format(const char *text, size_t length)
{
	static const char mfen[] = "MFEN/";
	struct mrl__scan scan = mrl__scan_in(text, length);
	struct mrl__word word = mrl__next_word(&scan);

	if (word.end - word.start >= sizeof mfen - 1 && mrl_compare(text + word.start, mfen, sizeof mfen - 1) == 0)
		return MRL_FORMAT_MFEN;
	for (size_t at = word.start; at < word.end; at++)
		if (text[at] == 'O' || text[at] == '@' || text[at] == '*')
			return MRL_FORMAT_SANMILL;
	return MRL_FORMAT_MERELS;
}

enum mrl_status mrl_position_read(const struct mrl_rules *rules, const char *text, size_t length,
				  struct mrl_position *position, struct mrl_error *error)
{
	struct mrl__scan scan = mrl__scan_in(text, length);
	struct mrl_position read = {0};
	enum mrl_status status = MRL_OK;
	size_t start;

	mrl__skip_space(&scan);
	start = scan.at;
	switch (mrl_position_format(text, length)) {
	case MRL_FORMAT_MERELS:
		status = mrl__merels_read(rules, &scan, &read, error);
		break;
	case MRL_FORMAT_SANMILL:
		status = mrl__sanmill_read(rules, &scan, &read, error);
		break;
	case MRL_FORMAT_MFEN:
		status = mrl__mfen_read(rules, &scan, &read, error);
		break;
	}
	if (status != MRL_OK)
		return status;
	status = mrl_position_check(rules, &read, error);
	if (status != MRL_OK) {
		if (error != NULL) {
			struct mrl__place place = scan.known;

			mrl__place_move(&place, text, start);
			error->line = place.line;
			error->column = place.column;
		}
		return status;
	}
	read.hash = mrl_position_hash(rules, &read);
	*position = read;
	return MRL_OK;
}

size_t mrl_position_write(const struct mrl_rules *rules, const struct mrl_position *position,
			  char text[MRL_POSITION_TEXT_SIZE])
{
	struct mrl_text out = mrl_text_in(text, MRL_POSITION_TEXT_SIZE);

	write_merels(rules, position, &out);
	return mrl_text_stored(&out);
}

enum mrl_status mrl_position_write_as(const struct mrl_rules *rules, const struct mrl_position *position,
				      enum mrl_position_format format, char text[MRL_POSITION_TEXT_SIZE],
				      struct mrl_error *error)
{
	struct mrl_text out = mrl_text_in(text, MRL_POSITION_TEXT_SIZE);
	struct mrl_text message;

	switch (format) {
	case MRL_FORMAT_MERELS:
		write_merels(rules, position, &out);
		return MRL_OK;
	case MRL_FORMAT_SANMILL:
		return mrl__sanmill_write(rules, position, &out, error);
	case MRL_FORMAT_MFEN:
		return mrl__mfen_write(rules, position, &out, error);
	}
	message = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);
	mrl_text_add(&message, "there is no such position format");
	return MRL_UNSUPPORTED;
}
