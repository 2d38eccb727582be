/* Turns applied to a position and taken back. */
#include "rules_internal.h"

#include <merels/builtins.h>

static uint16_t one_more(uint16_t counter)
{
	return counter == UINT16_MAX ? counter : (uint16_t)(counter + 1);
}

static bool has_three_men(const struct mrl_position *position, unsigned side)
{
	return position->hand[side] == 0 && mrl_popcount(position->men[side]) == 3;
}

unsigned mrl_apply(const struct mrl_rules *rules, struct mrl_position *position, const struct mrl_turn *turn,
		   struct mrl_undo *undo)
{
	unsigned side = position->side;
	bool placed = turn->from == MRL_NO_POINT;
	mrl_points own = position->men[side];
	uint64_t hash = position->hash ^ rules->side_key ^ rules->man_key[side][turn->to];
	unsigned closed;
	unsigned taken = 0;

	if (undo != NULL)
		*undo = (struct mrl_undo){position->hash, position->no_mill, position->three_men};
	if (placed) {
		uint8_t hand = position->hand[side]--;

		hash ^= rules->hand_key[side][hand] ^ rules->hand_key[side][hand - 1];
	} else {
		own &= ~mrl_point_bit(turn->from);
		hash ^= rules->man_key[side][turn->from];
	}
	closed = mrl_mills_closed(&rules->board, own, turn->to);
	position->men[side] = own | mrl_point_bit(turn->to);
	while (taken < MRL_MAX_MILLS_OF_POINT && turn->take[taken] != MRL_NO_POINT) {
		position->men[side ^ 1U] &= ~mrl_point_bit(turn->take[taken]);
		hash ^= rules->man_key[side ^ 1U][turn->take[taken]];
		taken++;
	}
	position->no_mill = placed || closed > 0 ? 0 : one_more(position->no_mill);
	if (rules->three_men != 0)
		position->three_men =
		    !placed && taken == 0 && (has_three_men(position, 0) || has_three_men(position, 1))
			? one_more(position->three_men)
			: 0;
	position->side = (uint8_t)(side ^ 1U);
	position->hash = hash;
	return closed;
}

void mrl_undo(const struct mrl_rules *rules, struct mrl_position *position, const struct mrl_turn *turn,
	      const struct mrl_undo *undo)
{
	unsigned side = position->side ^ 1U;

	(void)rules;
	position->side = (uint8_t)side;
	position->men[side] &= ~mrl_point_bit(turn->to);
	if (turn->from == MRL_NO_POINT)
		position->hand[side]++;
	else
		position->men[side] |= mrl_point_bit(turn->from);
	for (unsigned i = 0; i < MRL_MAX_MILLS_OF_POINT && turn->take[i] != MRL_NO_POINT; i++)
		position->men[side ^ 1U] |= mrl_point_bit(turn->take[i]);
	position->hash = undo->hash;
	position->no_mill = undo->no_mill;
	position->three_men = undo->three_men;
}
