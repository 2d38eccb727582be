/*
 * Mills that end the game: where closing one wins at once, or takes the third man but two. A threat to close one leaves
 * few answers, which makes long sequences of threats cheap to look through.
 */
#include "search_internal.h"

#include <merels/builtins.h>

/* Whether a mill that the other side closes is the end of this one. */
static bool dies_by_a_mill(const struct mrl_rules *rules, const struct mrl_position *position, unsigned side)
{
	unsigned men = mrl_popcount(position->men[side]) + position->hand[side];

	return rules->mill_wins || (men <= 3 && rules->take != MRL_TAKE_FREE_ONLY);
}

/* Whether a counter may end the game before the enemy has had his turn. */
static bool counter_is_near(const struct mrl_rules *rules, const struct mrl_position *position)
{
	return (rules->no_mill != 0 && position->no_mill + 1U >= rules->no_mill) ||
	       (rules->three_men != 0 && position->three_men + 1U >= rules->three_men);
}

bool mrl__is_deadly(const struct mrl_search *search, unsigned ply)
{
	const struct mrl_position *position = &search->way[ply].position;

	return dies_by_a_mill(search->rules, position, position->side) && !counter_is_near(search->rules, position);
}

bool mrl__next_mill_decides(const struct mrl_search *search, unsigned ply, int *score)
{
	const struct step *step = &search->way[ply];
	const struct mrl_position *position = &step->position;
	mrl_points own = step->threats[position->side];
	mrl_points enemy = step->threats[position->side ^ 1U];

	if (own != 0 && position->men[position->side ^ 1U] != 0 &&
	    dies_by_a_mill(search->rules, position, position->side ^ 1U)) {
		*score = -mrl__lost_in(ply + 1);
		return true;
	}
	/* Two points at which it is threatened, one turn: lost, but where that turn closes a mill. */
	if (own != 0 || (enemy & (enemy - 1)) == 0 || !mrl__is_deadly(search, ply))
		return false;
	*score = mrl__lost_in(ply + 2);
	return true;
}
