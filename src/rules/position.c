/* Positions: the start, the hash, whether one can occur, its images. */
#include "rules_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

const char *mrl__side_name(unsigned side)
{
	return side == MRL_WHITE ? "White" : "Black";
}

void mrl_position_start(const struct mrl_rules *rules, struct mrl_position *position)
{
	*position = (struct mrl_position){.hand = {rules->men, rules->men}, .side = MRL_WHITE};
	position->hash = mrl_position_hash(rules, position);
}

uint64_t mrl_position_hash(const struct mrl_rules *rules, const struct mrl_position *position)
{
	uint64_t hash = position->side == MRL_BLACK ? rules->side_key : 0;

	for (unsigned side = 0; side < 2; side++) {
		hash ^= rules->hand_key[side][position->hand[side]];
		for (mrl_points rest = position->men[side]; rest != 0; rest &= rest - 1)
			hash ^= rules->man_key[side][mrl_lowest(rest)];
	}
	return hash;
}

bool mrl_position_same(const struct mrl_position *a, const struct mrl_position *b)
{
	return a->men[0] == b->men[0] && a->men[1] == b->men[1] && a->hand[0] == b->hand[0] &&
	       a->hand[1] == b->hand[1] && a->side == b->side;
}

void mrl_position_map(const struct mrl_rules *rules, unsigned s, const struct mrl_position *from,
		      struct mrl_position *to)
{
	*to = *from;
	for (unsigned side = 0; side < 2; side++)
		to->men[side] = mrl_points_map(&rules->board, s, from->men[side]);
	to->hash = mrl_position_hash(rules, to);
}

bool mrl_may_fly(const struct mrl_rules *rules, const struct mrl_position *position, enum mrl_side side)
{
	return position->hand[side] == 0 && mrl_popcount(position->men[side]) <= rules->fly;
}

static enum mrl_status check_men(const struct mrl_rules *rules, const struct mrl_position *position, unsigned side,
				 struct mrl_error *error)
{
	unsigned on_board = mrl_popcount(position->men[side]);
	unsigned hand = position->hand[side];
	struct mrl_text text;

	if (on_board + hand <= rules->men)
		return MRL_OK;
	text = mrl_error_open(error, MRL_POSITION, 0, 0);
	mrl_text_add(&text, mrl__side_name(side));
	mrl_text_add(&text, " has ");
	mrl_text_number(&text, on_board);
	mrl_text_add(&text, on_board == 1 ? " man on the board and " : " men on the board and ");
	mrl_text_number(&text, hand);
	mrl_text_add(&text, " in hand, more than the ");
	mrl_text_number(&text, rules->men);
	mrl_text_add(&text, " of the rule set");
	return MRL_POSITION;
}

/* Without move-early the sides place in turn, so the hands tell whose turn it is. */
static enum mrl_status check_hands(const struct mrl_position *position, struct mrl_error *error)
{
	unsigned expected = position->hand[MRL_WHITE] + (position->side == MRL_BLACK ? 1U : 0U);
	struct mrl_text text;

	/* With the last man placed both hands are empty, whoever is to move. */
	if (position->hand[MRL_BLACK] == expected || (position->hand[MRL_WHITE] == 0 && position->hand[MRL_BLACK] == 0))
		return MRL_OK;
	text = mrl_error_open(error, MRL_POSITION, 0, 0);
	mrl_text_add(&text, "with ");
	mrl_text_add(&text, mrl__side_name(position->side));
	mrl_text_add(&text, " to move Black must have ");
	mrl_text_add(&text,
		     position->side == MRL_BLACK ? "one man more in hand than White" : "as many men in hand as White");
	mrl_text_add(&text, "; found White ");
	mrl_text_number(&text, position->hand[MRL_WHITE]);
	mrl_text_add(&text, ", Black ");
	mrl_text_number(&text, position->hand[MRL_BLACK]);
	return MRL_POSITION;
}

enum mrl_status mrl_position_check(const struct mrl_rules *rules, const struct mrl_position *position,
				   struct mrl_error *error)
{
	enum mrl_status status;
	struct mrl_text text;

	if (position->side > MRL_BLACK || ((position->men[0] | position->men[1]) & ~rules->board.all) != 0 ||
	    (position->men[0] & position->men[1]) != 0) {
		text = mrl_error_open(error, MRL_POSITION, 0, 0);
		mrl_text_add(&text, position->side > MRL_BLACK ? "the side to move is neither White nor Black"
				    : (position->men[0] & position->men[1]) ? "two men stand on one point"
									    : "a man stands off the board");
		return MRL_POSITION;
	}
	for (unsigned side = 0; side < 2; side++) {
		status = check_men(rules, position, side, error);
		if (status != MRL_OK)
			return status;
	}
	return rules->move_early ? MRL_OK : check_hands(position, error);
}
