/* Whether a turn is legal, and if not, why in words. */
#include "rules_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

static void add_point(struct mrl_text *text, const struct mrl_board *board, unsigned point)
{
	char name[4];

	mrl_point_name(board, point, name);
	mrl_text_add(text, name);
}

static void add_points(struct mrl_text *text, const struct mrl_board *board, mrl_points points)
{
	for (mrl_points rest = points; rest != 0; rest &= rest - 1) {
		if (rest != points)
			mrl_text_char(text, ' ');
		add_point(text, board, mrl_lowest(rest));
	}
}

static void add_men(struct mrl_text *text, unsigned count)
{
	mrl_text_number(text, count);
	mrl_text_add(text, count == 1 ? " man" : " men");
}

static struct mrl_text illegal(struct mrl_error *error)
{
	return mrl_error_open(error, MRL_ILLEGAL, 0, 0);
}

static bool on_board(const struct mrl_board *board, unsigned point)
{
	return point < board->point_count;
}

static enum mrl_status check_decided(const struct mrl_rules *rules, const struct mrl_position *position,
				     struct mrl_error *error)
{
	struct mrl_verdict verdict = mrl_men_verdict(rules, position);
	struct mrl_text text;

	if (verdict.outcome == MRL_ONGOING)
		return MRL_OK;
	text = mrl_error_open(error, MRL_DECIDED, 0, 0);
	mrl_text_add(&text, "the game is over: ");
	mrl_text_add(&text, mrl_outcome_text(verdict.outcome));
	mrl_text_char(&text, ' ');
	mrl_text_add(&text, mrl_reason_text(verdict.reason));
	return MRL_DECIDED;
}

static enum mrl_status check_from_hand(const struct mrl_rules *rules, const struct mrl_position *position,
				       const struct mrl_turn *turn, struct mrl_error *error)
{
	unsigned side = position->side;
	bool placement = turn->from == MRL_NO_POINT;
	struct mrl_text text;

	if (placement && position->hand[side] == 0) {
		text = illegal(error);
		mrl_text_add(&text, mrl__side_name(side));
		mrl_text_add(&text, " has no man in hand to place on ");
		add_point(&text, &rules->board, turn->to);
		mrl_text_add(&text, "; a man on the board must move");
		return MRL_ILLEGAL;
	}
	if (!placement && position->hand[side] > 0 && !rules->move_early) {
		text = illegal(error);
		mrl_text_add(&text, mrl__side_name(side));
		mrl_text_add(&text, " still has ");
		add_men(&text, position->hand[side]);
		mrl_text_add(&text, " in hand and must place one before any man moves");
		return MRL_ILLEGAL;
	}
	return MRL_OK;
}

static enum mrl_status check_reach(const struct mrl_rules *rules, const struct mrl_position *position,
				   const struct mrl_turn *turn, struct mrl_error *error)
{
	const struct mrl_board *board = &rules->board;
	unsigned side = position->side;
	struct mrl_text text;

	if ((position->men[side] & mrl_point_bit(turn->from)) == 0) {
		text = illegal(error);
		mrl_text_add(&text, mrl__side_name(side));
		mrl_text_add(&text, " has no man on ");
		add_point(&text, board, turn->from);
		mrl_text_add(&text, (position->men[side ^ 1U] & mrl_point_bit(turn->from)) != 0
					? ", the man there is the opponent's"
					: ", the point is empty");
		return MRL_ILLEGAL;
	}
	if ((board->neighbours[turn->from] & mrl_point_bit(turn->to)) != 0 ||
	    mrl_may_fly(rules, position, (enum mrl_side)side))
		return MRL_OK;
	text = illegal(error);
	add_point(&text, board, turn->to);
	mrl_text_add(&text, " is not next to ");
	add_point(&text, board, turn->from);
	mrl_text_add(&text, " on a line (next to it: ");
	add_points(&text, board, board->neighbours[turn->from]);
	mrl_text_add(&text, ")");
	if (rules->fly != 0) {
		mrl_text_add(&text, ", and ");
		mrl_text_add(&text, mrl__side_name(side));
		if (position->hand[side] > 0) {
			mrl_text_add(&text, " may not fly with men in hand");
		} else {
			mrl_text_add(&text, " may not fly with ");
			mrl_text_number(&text, mrl_popcount(position->men[side]));
			mrl_text_add(&text, " men");
		}
	}
	return MRL_ILLEGAL;
}

static enum mrl_status check_squares(const struct mrl_rules *rules, const struct mrl_position *position,
				     const struct mrl_turn *turn, struct mrl_error *error)
{
	const struct mrl_board *board = &rules->board;
	struct mrl_text text;
	enum mrl_status status;

	if (!on_board(board, turn->to) || (turn->from != MRL_NO_POINT && !on_board(board, turn->from))) {
		text = illegal(error);
		mrl_text_add(&text, "the turn names a point that the board does not have");
		return MRL_ILLEGAL;
	}
	status = check_from_hand(rules, position, turn, error);
	if (status == MRL_OK && turn->from != MRL_NO_POINT && turn->from == turn->to) {
		text = illegal(error);
		mrl_text_add(&text, "a man must leave its point");
		return MRL_ILLEGAL;
	}
	if (status == MRL_OK && ((position->men[0] | position->men[1]) & mrl_point_bit(turn->to)) != 0) {
		text = illegal(error);
		add_point(&text, board, turn->to);
		mrl_text_add(&text, " is occupied by a ");
		mrl_text_add(&text, (position->men[MRL_WHITE] & mrl_point_bit(turn->to)) != 0 ? "white" : "black");
		mrl_text_add(&text, " man");
		return MRL_ILLEGAL;
	}
	if (status == MRL_OK && turn->from != MRL_NO_POINT)
		status = check_reach(rules, position, turn, error);
	return status;
}

/* Why the man on `point` may not be taken, `takeable` being those that may. */
static void explain_take(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
			 mrl_points enemies, mrl_points takeable, unsigned point)
{
	const struct mrl_board *board = &rules->board;

	if (!on_board(board, point)) {
		mrl_text_add(text, "the take names a point that the board does not have");
	} else if ((enemies & mrl_point_bit(point)) == 0) {
		bool taken = (position->men[position->side ^ 1U] & mrl_point_bit(point)) != 0;

		mrl_text_add(text, taken ? "the man is already taken on " : "there is no enemy man to take on ");
		add_point(text, board, point);
	} else {
		mrl_text_add(text, "the man on ");
		add_point(text, board, point);
		mrl_text_add(text, " stands in a mill and may not be taken");
	}
	if (takeable != 0) {
		mrl_text_add(text, "; may be taken: ");
		add_points(text, board, takeable);
	}
}

static enum mrl_status missing_take(const struct mrl_rules *rules, const struct mrl_turn *turn, mrl_points takeable,
				    unsigned done, struct mrl_error *error)
{
	struct mrl_text text = illegal(error);

	add_point(&text, &rules->board, turn->to);
	mrl_text_add(&text, done == 0 ? " closes a mill, so a man must be taken: one of "
				      : " closes more than one mill, so another man must be taken: one of ");
	add_points(&text, &rules->board, takeable);
	return MRL_ILLEGAL;
}

static enum mrl_status check_takes(const struct mrl_rules *rules, const struct mrl_position *position,
				   const struct mrl_turn *turn, struct mrl_error *error)
{
	const struct mrl_board *board = &rules->board;
	mrl_points enemies = position->men[position->side ^ 1U];
	mrl_points own = position->men[position->side];
	mrl_points others = turn->from == MRL_NO_POINT ? own : own & ~mrl_point_bit(turn->from);
	unsigned closed = mrl_mills_closed(board, others, turn->to);
	unsigned due = rules->mill_wins ? 0 : rules->take_per_mill ? closed : closed > 0;
	unsigned takes = mrl_turn_takes(turn);
	struct mrl_text text;

	for (unsigned i = 0; i < due; i++) {
		mrl_points takeable = mrl_takeable(rules, enemies);

		if (takeable == 0) {
			due = i;
			break;
		}
		if (i == takes)
			return missing_take(rules, turn, takeable, i, error);
		if (!on_board(board, turn->take[i]) || (takeable & mrl_point_bit(turn->take[i])) == 0) {
			text = illegal(error);
			explain_take(&text, rules, position, enemies, takeable, turn->take[i]);
			return MRL_ILLEGAL;
		}
		enemies &= ~mrl_point_bit(turn->take[i]);
	}
	if (takes > due) {
		text = illegal(error);
		if (closed > 0 && rules->mill_wins)
			mrl_text_add(&text, "closing a mill wins at once, no man is taken");
		else if (closed > 0 && due == 0)
			mrl_text_add(&text, "no enemy man may be taken here, so the turn ends without a take");
		else if (closed > 0)
			mrl_text_add(&text, "the turn takes more men than it may");
		else {
			add_point(&text, board, turn->to);
			mrl_text_add(&text, " closes no mill, so no man may be taken");
		}
		return MRL_ILLEGAL;
	}
	for (unsigned i = takes; i < MRL_MAX_MILLS_OF_POINT; i++) {
		if (turn->take[i] != MRL_NO_POINT) {
			text = illegal(error);
			mrl_text_add(&text, "the list of takes has a gap");
			return MRL_ILLEGAL;
		}
	}
	return MRL_OK;
}

enum mrl_status mrl_turn_check(const struct mrl_rules *rules, const struct mrl_position *position,
			       const struct mrl_turn *turn, struct mrl_error *error)
{
	enum mrl_status status = check_decided(rules, position, error);

	if (status == MRL_OK)
		status = check_squares(rules, position, turn, error);
	if (status == MRL_OK)
		status = check_takes(rules, position, turn, error);
	return status;
}
