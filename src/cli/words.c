#include "words.h"

#include <merels/builtins.h>

const char *words_side(unsigned side)
{
	return side == MRL_WHITE ? "White" : "Black";
}

static const char *adjective(unsigned side)
{
	return side == MRL_WHITE ? "white" : "black";
}

/* "You are", or "White is": the subject and the form of its verb. */
static void subject(struct mrl_text *text, unsigned side, enum words_reader reader, const char *you, const char *other)
{
	bool self = reader != WORDS_BESIDE && (unsigned)reader == side;

	mrl_text_add(text, self ? "You" : words_side(side));
	mrl_text_char(text, ' ');
	mrl_text_add(text, self ? you : other);
}

static void count_of(struct mrl_text *text, unsigned count, const char *one, const char *many)
{
	mrl_text_number(text, count);
	mrl_text_char(text, ' ');
	mrl_text_add(text, count == 1 ? one : many);
}

static void points(struct mrl_text *text, const struct mrl_board *board, mrl_points set)
{
	const char *separator = "";

	for (; set != 0; set &= set - 1) {
		char name[4];

		(void)mrl_point_name(board, mrl_lowest(set), name);
		mrl_text_add(text, separator);
		mrl_text_add(text, name);
		separator = " ";
	}
}

/* ---- The end ------------------------------------------------------------------------------------------------ */

static void few_men(struct mrl_text *text, const struct mrl_position *position, unsigned loser,
		    enum words_reader reader)
{
	unsigned left = mrl_popcount(position->men[loser]) + position->hand[loser];

	subject(text, loser, reader, "have ", "has ");
	if (left == 0)
		mrl_text_add(text, "no men left.");
	else if (left == 1)
		mrl_text_add(text, "only one man left.");
	else
		mrl_text_add(text, "only two men left.");
}

/* The first sentence: what happened. */
static void why(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		struct mrl_verdict verdict, enum words_reader reader)
{
	unsigned winner = verdict.outcome == MRL_BLACK_WINS ? MRL_BLACK : MRL_WHITE;
	unsigned loser = mrl_other((enum mrl_side)winner);

	switch (verdict.reason) {
	case MRL_REASON_MILL:
		subject(text, winner, reader, "closed a mill.", "closed a mill.");
		break;
	case MRL_REASON_FEW_MEN:
		few_men(text, position, loser, reader);
		break;
	case MRL_REASON_FULL_BOARD:
		mrl_text_add(text, "The board is full.");
		break;
	case MRL_REASON_NO_MOVES:
		subject(text, position->side, reader, "are shut in.", "is shut in.");
		break;
	case MRL_REASON_NO_MILL:
		count_of(text, rules->no_mill, "turn", "turns in a row");
		mrl_text_add(text, " without a placement or a mill.");
		break;
	case MRL_REASON_THREE_MEN:
		count_of(text, rules->three_men, "turn", "turns in a row");
		mrl_text_add(text, " with three men and nothing taken.");
		break;
	case MRL_REASON_REPETITION:
		mrl_text_add(text, "The same position came up ");
		if (rules->repetition == 3)
			mrl_text_add(text, "for the third time.");
		else
			count_of(text, rules->repetition, "time.", "times.");
		break;
	case MRL_REASON_RESIGN:
		subject(text, loser, reader, "resigned.", "resigned.");
		break;
	case MRL_REASON_TIME:
		subject(text, loser, reader, "ran out of time.", "ran out of time.");
		break;
	case MRL_REASON_ABANDONED:
		subject(text, loser, reader, "left the game.", "left the game.");
		break;
	case MRL_REASON_AGREEMENT:
		mrl_text_add(text, "Both agreed.");
		break;
	case MRL_REASON_ABORTED:
		mrl_text_add(text, "The game was called off.");
		break;
	case MRL_REASON_NONE:
		break;
	}
}

void words_result(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		  struct mrl_verdict verdict, enum words_reader reader)
{
	if (verdict.outcome == MRL_ONGOING)
		return;
	why(text, rules, position, verdict, reader);
	mrl_text_char(text, ' ');
	if (verdict.outcome == MRL_DRAW) {
		mrl_text_add(text, "A draw.");
		return;
	}
	unsigned winner = verdict.outcome == MRL_BLACK_WINS ? MRL_BLACK : MRL_WHITE;

	if (reader != WORDS_BESIDE)
		mrl_text_add(text, (unsigned)reader == winner ? "You won." : "You lost.");
	else
		subject(text, winner, reader, "won.", "won.");
}

/* ---- What to do --------------------------------------------------------------------------------------------- */

static void whose_turn(struct mrl_text *text, unsigned side, enum words_reader reader)
{
	mrl_text_add(text, reader != WORDS_BESIDE && (unsigned)reader == side ? "Your turn" : words_side(side));
	mrl_text_add(text, ": ");
}

void words_begin(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		 enum words_reader reader)
{
	enum mrl_side side = (enum mrl_side)position->side;

	whose_turn(text, side, reader);
	if (position->hand[side] > 0)
		mrl_text_add(text, rules->move_early ? "place a man, or move one along a line." : "place a man.");
	else if (mrl_may_fly(rules, position, side))
		mrl_text_add(text, "move a man to any empty point.");
	else
		mrl_text_add(text, "move a man along a line.");
}

void words_move(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		unsigned from, enum words_reader reader)
{
	char name[4];

	(void)mrl_point_name(&rules->board, from, name);
	whose_turn(text, position->side, reader);
	mrl_text_add(text, "move the man on ");
	mrl_text_add(text, name);
	mrl_text_add(text, mrl_may_fly(rules, position, (enum mrl_side)position->side) ? " to any empty point."
										       : " to a marked point.");
}

/* The mills that a man on `point` stands in: "d5 d6 d7 and b6 d6 f6". */
static void mills_of(struct mrl_text *text, const struct mrl_board *board, mrl_points men, unsigned point)
{
	const char *separator = "";

	for (unsigned m = 0; m < board->mill_count; m++) {
		if ((board->mill[m] & ~men) != 0 || (board->mill[m] & mrl_point_bit(point)) == 0)
			continue;
		mrl_text_add(text, separator);
		points(text, board, board->mill[m]);
		separator = " and ";
	}
}

void words_take(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		unsigned point, unsigned taken, mrl_points choices, enum words_reader reader)
{
	unsigned enemy = mrl_other((enum mrl_side)position->side);
	mrl_points kept = position->men[enemy] & ~choices;

	subject(text, position->side, reader, "closed ", "closed ");
	mills_of(text, &rules->board, position->men[position->side], point);
	mrl_text_add(text, ". Take ");
	mrl_text_add(text, taken == 0 ? "a " : "another ");
	mrl_text_add(text, adjective(enemy));
	mrl_text_add(text, " man");
	if (kept != 0) {
		mrl_text_add(text, ": the marked ones may be taken, ");
		mrl_text_add(text, (kept & (kept - 1)) == 0 ? "the man on " : "the men on ");
		points(text, &rules->board, kept);
		mrl_text_add(text, (kept & (kept - 1)) == 0 ? " stands in a mill." : " stand in a mill.");
	} else if (rules->take == MRL_TAKE_FREE_FIRST &&
		   (choices & ~mrl_points_in_mills(&rules->board, choices)) == 0) {
		mrl_text_add(text, ": all stand in mills, so any may be taken.");
	} else {
		mrl_text_char(text, '.');
	}
}

void words_hint(struct mrl_text *text, const struct mrl_board *board, const struct mrl_turn *turn, bool down,
		unsigned taken)
{
	char from[4];
	char to[4];
	mrl_points takes = 0;

	for (unsigned i = taken; i < mrl_turn_takes(turn); i++)
		takes |= mrl_point_bit(turn->take[i]);
	(void)mrl_point_name(board, turn->to, to);
	mrl_text_add(text, "Hint: ");
	if (!down && turn->from == MRL_NO_POINT) {
		mrl_text_add(text, "place a man on ");
		mrl_text_add(text, to);
	} else if (!down) {
		(void)mrl_point_name(board, turn->from, from);
		mrl_text_add(text, "move the man on ");
		mrl_text_add(text, from);
		mrl_text_add(text, " to ");
		mrl_text_add(text, to);
	}
	if (takes != 0) {
		mrl_text_add(text, down ? "take the " : " and take the ");
		mrl_text_add(text, mrl_popcount(takes) == 1 ? "man on " : "men on ");
		points(text, board, takes);
	}
	mrl_text_char(text, '.');
}

void words_counter(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position)
{
	enum { NEAR = 10 };
	unsigned no_mill = rules->no_mill > position->no_mill ? rules->no_mill - (unsigned)position->no_mill : 0;
	unsigned three_men =
	    rules->three_men > position->three_men ? rules->three_men - (unsigned)position->three_men : 0;

	/* The three-men counter counts down from the start only when it runs. */
	if (three_men > 0 && three_men <= NEAR && position->three_men > 0 && (no_mill == 0 || three_men <= no_mill)) {
		count_of(text, three_men, "more turn", "more turns");
		mrl_text_add(text, " with nothing taken: a draw.");
	} else if (no_mill > 0 && no_mill <= NEAR && position->no_mill > 0) {
		count_of(text, no_mill, "more turn", "more turns");
		mrl_text_add(text, " without a mill: a draw.");
	}
}
