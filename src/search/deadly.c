/*
 * Mills that end the game: where closing one wins at once, or takes the third man but two. A threat to close one leaves
 * few answers, which makes long sequences of threats cheap to look through.
 */
#include "search_internal.h"

#include <merels/builtins.h>

#define LEAST_HUNTERS 5     /* fewer are in danger themselves */
#define MOST_IDLE_HUNTERS 6 /* more win most of their hunts in time */
#define HUNT_PLIES 5
#define FLIGHT_PLIES (HUNT_PLIES + 1)
#define PLIES_TO_STRIKE 4 /* at most so many a chain of threats is looked through from a turn that is none */

/* Whether a mill that the other side closes is the end of this one. */
static bool dies_by_a_mill(const struct mrl_rules *rules, const struct mrl_position *position, unsigned side)
{
	unsigned men = mrl_popcount(position->men[side]) + position->hand[side];

	return rules->mill_wins || (men <= 3 && rules->take != MRL_TAKE_FREE_ONLY);
}

/* Whether a counter may end the game before so many plies have been played. */
static bool counter_is_near(const struct mrl_rules *rules, const struct mrl_position *position, unsigned plies)
{
	return (rules->no_mill != 0 && position->no_mill + plies >= rules->no_mill) ||
	       (rules->three_men != 0 && position->three_men + plies >= rules->three_men);
}

bool mrl__is_deadly(const struct mrl_search *search, unsigned ply)
{
	const struct mrl_position *position = &search->way[ply].position;

	return dies_by_a_mill(search->rules, position, position->side) && !counter_is_near(search->rules, position, 1);
}

/*
 * A hunt: one side flies with its last three men, so the next mill of the other, which slides, ends the game; it wins
 * by two threats at once, or by one where every block lets it make two. What it cannot win so it hardly ever wins: of
 * random positions of six men against three in nine that are won, one in two thousand.
 */
struct hunt {
	const struct evaluator *evaluator;
	mrl_points all;
	mrl_points hunter;
	mrl_points prey;
};

/* Three men, when one has flown to the point that made the other two a mill. */
static mrl_points mill_closed_at(const struct mrl_board *board, mrl_points men, unsigned point)
{
	for (unsigned i = 0; i < board->partner_count[point]; i++)
		if ((board->partners[point][i] & ~men) == 0)
			return board->partners[point][i] | mrl_point_bit(point);
	return men;
}

/* Plies until the hunter, who is to move, has won; 0 when he does not within `plies`. */
static unsigned plies_to_catch(const struct hunt *hunt, unsigned plies);

/* The same once a man of the prey has gone to one of the points. */
static unsigned plies_to_catch_after(const struct hunt *hunt, mrl_points points, unsigned plies)
{
	unsigned longest = 0;

	for (mrl_points men = hunt->prey; men != 0; men &= men - 1)
		for (mrl_points left = points; left != 0; left &= left - 1) {
			struct hunt fled = *hunt;
			unsigned caught;

			fled.prey ^= (men & (~men + 1)) | (left & (~left + 1));
			caught = plies_to_catch(&fled, plies);
			if (caught == 0)
				return 0;
			if (caught > longest)
				longest = caught;
		}
	return longest;
}

/* The same once the prey has closed a mill on one of the points and taken a man; in a mill or not, to be sure. */
static unsigned plies_to_catch_after_mill(const struct hunt *hunt, mrl_points gaps, unsigned plies)
{
	const struct mrl_board *board = &hunt->evaluator->rules->board;
	unsigned longest = 0;

	for (; gaps != 0; gaps &= gaps - 1)
		for (mrl_points taken = hunt->hunter; taken != 0; taken &= taken - 1) {
			struct hunt struck = *hunt;
			unsigned caught;

			struck.hunter &= ~(taken & (~taken + 1));
			struck.prey = mill_closed_at(board, hunt->prey, mrl_lowest(gaps));
			caught = plies_to_catch(&struck, plies);
			if (caught == 0)
				return 0;
			if (caught > longest)
				longest = caught;
		}
	return longest;
}

/* Plies until the prey, who is to move, has lost; 0 when that is not within `plies`. */
static unsigned plies_to_flee(const struct hunt *hunt, unsigned plies)
{
	mrl_points threats = mrl__threats(hunt->evaluator, hunt->hunter, hunt->prey, true);
	mrl_points gaps = mrl__threats(hunt->evaluator, hunt->prey, hunt->hunter, false);
	unsigned longest = 2;
	unsigned caught;

	if (gaps != 0) {
		caught = plies > 2 ? plies_to_catch_after_mill(hunt, gaps, plies - 1) : 0;
		if (caught == 0)
			return 0;
		longest = caught + 1;
	}
	if ((threats & (threats - 1)) != 0)
		return longest;
	if (plies <= (threats != 0 ? 2 : PLIES_TO_STRIKE))
		return 0;
	/* Not threatened, every turn must be bad: that is so only if none would be. */
	if (threats == 0) {
		if (plies_to_catch(hunt, plies - 1) == 0)
			return 0;
		threats = hunt->all & ~(hunt->hunter | hunt->prey | gaps);
	}
	caught = plies_to_catch_after(hunt, threats & ~gaps, plies - 1);
	if (caught == 0 && (threats & ~gaps) != 0)
		return 0;
	return caught >= longest ? caught + 1 : longest;
}

static unsigned plies_to_catch(const struct hunt *hunt, unsigned plies)
{
	mrl_points empty = hunt->all & ~(hunt->hunter | hunt->prey);
	unsigned shortest = 0;

	if (mrl__threats(hunt->evaluator, hunt->hunter, hunt->prey, true) != 0)
		return 1;
	for (mrl_points men = hunt->hunter; men != 0 && plies > 2 && shortest != 3; men &= men - 1) {
		mrl_points exits = hunt->evaluator->rules->board.neighbours[mrl_lowest(men)] & empty;

		for (; exits != 0; exits &= exits - 1) {
			struct hunt moved = *hunt;
			unsigned fled;

			moved.hunter ^= (men & (~men + 1)) | (exits & (~exits + 1));
			fled = plies_to_flee(&moved, plies - 1);
			if (fled != 0 && (shortest == 0 || fled < shortest))
				shortest = fled + 1;
		}
	}
	return shortest;
}

/* Whether one side hunts the other's last three men, neither with men in hand; which is the prey. */
static bool is_hunt(const struct mrl_rules *rules, const struct mrl_position *position, unsigned *prey)
{
	if (position->hand[0] + position->hand[1] > 0 || rules->fly != 3 || rules->mill_wins ||
	    rules->take == MRL_TAKE_FREE_ONLY)
		return false;
	for (*prey = 0; *prey < 2; ++*prey)
		if (mrl_popcount(position->men[*prey]) == 3 && mrl_popcount(position->men[*prey ^ 1U]) >= LEAST_HUNTERS)
			return true;
	return false;
}

/* The score of a hunt, when it is won within a few plies. */
static bool hunt_decides(const struct mrl_search *search, unsigned ply, int *score)
{
	const struct mrl_position *position = &search->way[ply].position;
	struct hunt hunt = {.evaluator = &search->evaluator, .all = search->rules->board.all};
	unsigned prey;
	unsigned plies;

	if (!is_hunt(search->rules, position, &prey) || counter_is_near(search->rules, position, FLIGHT_PLIES) ||
	    search->distrusts_old)
		return false;
	hunt.prey = position->men[prey];
	hunt.hunter = position->men[prey ^ 1U];
	plies = position->side == prey ? plies_to_flee(&hunt, FLIGHT_PLIES) : plies_to_catch(&hunt, HUNT_PLIES);
	if (plies == 0)
		return false;
	*score = position->side == prey ? mrl__lost_in(ply + plies) : -mrl__lost_in(ply + plies);
	return true;
}

bool mrl__is_idle_hunt(const struct mrl_search *search, unsigned ply)
{
	const struct mrl_position *root = &search->way[0].position;
	unsigned prey;

	return !is_hunt(search->rules, root, &prey) && is_hunt(search->rules, &search->way[ply].position, &prey) &&
	       mrl_popcount(search->way[ply].position.men[prey ^ 1U]) <= MOST_IDLE_HUNTERS &&
	       (search->way[ply].threats[0] | search->way[ply].threats[1]) == 0;
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
	if (hunt_decides(search, ply, score))
		return true;
	/* Two points at which it is threatened, one turn: lost, but where that turn closes a mill. */
	if (own != 0 || (enemy & (enemy - 1)) == 0 || !mrl__is_deadly(search, ply))
		return false;
	*score = mrl__lost_in(ply + 2);
	return true;
}
