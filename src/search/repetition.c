/* Positions on the way: which have been there before, and under which key they are known. */
#include "search_internal.h"

#include <merels/builtins.h>

/* Up to so many men on the board symmetric positions share their entry; past that they hardly meet. */
#define SYMMETRIC_MEN 8

/* So many plies before a counter runs out its value becomes part of the key: the same men are not the same then. */
#define COUNTER_PLIES 40

/* Whether a position of the game can still come again: nothing has been placed or taken since. */
static bool may_recur(const struct mrl_position *before, const struct mrl_position *now)
{
	return before->hand[0] == now->hand[0] && before->hand[1] == now->hand[1] &&
	       mrl_popcount(before->men[0]) == mrl_popcount(now->men[0]) &&
	       mrl_popcount(before->men[1]) == mrl_popcount(now->men[1]);
}

/* Occurrences in the game before the search began, once the way has only turns that can be undone. */
static unsigned occurrences_in_game(const struct mrl_search *search, const struct mrl_position *position)
{
	const struct mrl_game *game = search->game;
	unsigned occurrences = 0;

	for (size_t i = game->count; i-- > 0;) {
		const struct mrl_position *before = &game->plies[i].before;

		if (!may_recur(before, position))
			break;
		if (before->hash == position->hash)
			occurrences++;
	}
	return occurrences;
}

bool mrl__wants_headway(const struct mrl_rules *rules, const struct mrl_position *root)
{
	unsigned own = mrl_popcount(root->men[root->side]);
	unsigned enemies = mrl_popcount(root->men[root->side ^ 1U]);

	return root->hand[0] + root->hand[1] == 0 && enemies == rules->fly + 1U && own >= enemies + 2;
}

/*
 * Inside the search the second occurrence counts as a draw: if going round once is best, so is going round again. An
 * occurrence in the game proper counts as the rules count it; where headway is wanted, as if it were within the search.
 */
bool mrl__is_repetition(const struct mrl_search *search, unsigned ply)
{
	const struct step *step = &search->way[ply];
	unsigned occurrences = 1;

	if (search->rules->repetition == 0)
		return false;
	for (unsigned back = 4; back <= step->reversible; back += 2) {
		if (search->way[ply - back].position.hash != step->position.hash)
			continue;
		if (back < ply)
			return true;
		occurrences++; /* the root, which the game has seen */
	}
	if (step->reversible == ply)
		occurrences += occurrences_in_game(search, &step->position);
	return occurrences >= (search->makes_headway ? 2 : search->rules->repetition);
}

/* Past so many plies without a placement or a take it is not worth counting. */
#define LONG_TAIL 200

bool mrl__repetition_is_near(const struct mrl_game *game)
{
	unsigned limit = game->rules->repetition;
	const struct mrl_position *recent = &game->position;
	size_t first = game->count;

	while (first > 0 && may_recur(&game->plies[first - 1].before, recent))
		first--;
	if (limit == 0 || game->count - first > LONG_TAIL)
		return limit != 0;
	for (size_t i = first; i < game->count; i++) {
		unsigned occurrences = 1 + (recent->hash == game->plies[i].before.hash);

		for (size_t k = i + 1; k < game->count; k++)
			occurrences += game->plies[k].before.hash == game->plies[i].before.hash;
		if (occurrences + 1 >= limit)
			return true;
	}
	return false;
}

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t counter_key(unsigned limit, unsigned counter, unsigned which)
{
	return limit != 0 && counter + COUNTER_PLIES >= limit ? mix(2 * (limit - counter) + which + 1) : 0;
}

/* The smallest hash among the symmetric images, and which image has it. */
static uint64_t smallest_image(const struct mrl_rules *rules, const struct mrl_position *position, unsigned *symmetry)
{
	uint64_t rest = position->hash;
	uint64_t smallest = UINT64_MAX;

	for (unsigned side = 0; side < 2; side++)
		for (mrl_points men = position->men[side]; men != 0; men &= men - 1)
			rest ^= rules->man_key[side][mrl_lowest(men)];
	for (unsigned s = 0; s < rules->board.symmetry_count; s++) {
		uint64_t image = rest;

		for (unsigned side = 0; side < 2; side++)
			for (mrl_points men = position->men[side]; men != 0; men &= men - 1)
				image ^= rules->man_key[side][rules->board.symmetry[s][mrl_lowest(men)]];
		if (image < smallest) {
			smallest = image;
			*symmetry = s;
		}
	}
	return smallest;
}

void mrl__set_key(struct mrl_search *search, unsigned ply)
{
	const struct mrl_rules *rules = search->rules;
	struct step *step = &search->way[ply];
	const struct mrl_position *position = &step->position;

	step->symmetry = 0;
	step->key = mrl_popcount(position->men[0] | position->men[1]) <= SYMMETRIC_MEN
			? smallest_image(rules, position, &step->symmetry)
			: position->hash;
	step->key ^= counter_key(rules->no_mill, position->no_mill, 0);
	step->key ^= counter_key(rules->three_men, position->three_men, 1) ^ search->disguise;
}
