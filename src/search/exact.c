/*
 * Exact values from elsewhere. With distances they are all there is to know. Without, they say which turns keep what
 * the root is worth, and below it where one side has given something away; the search finds its way among what is left.
 */
#include "search_internal.h"

/* A won position whose distance a table does not know. */
#define WON_SOMEHOW 28000

/* Of wins without a distance none is better than another. */
static int without_ply(int score)
{
	if (score > MRL_SCORE_DECIDED || score < -MRL_SCORE_DECIDED || score == 0)
		return score;
	return score > 0 ? WON_SOMEHOW : -WON_SOMEHOW;
}

bool mrl__ask_table(struct mrl_search *search, unsigned ply, int *score)
{
	struct mrl_exact exact;
	const struct mrl_search_limits *limits = search->limits;

	if (!limits->probe(limits->probe_context, search->rules, &search->way[ply].position, &exact))
		return false;
	search->probes++;
	if (exact.value == 0)
		*score = 0;
	else if (exact.distance < 0)
		*score = exact.value * (WON_SOMEHOW - (int)ply);
	else
		*score = exact.value * (MRL_SCORE_WIN - (int)ply - exact.distance);
	/* Worth what the root is worth: that says nothing new, how to go on there is what is looked for. */
	return !search->has_value || without_ply(ply % 2 == 0 ? *score : -*score) != search->value;
}

void mrl__keep_best(struct mrl_search *search)
{
	int best = -INFINITE_SCORE;
	size_t kept = 0;

	search->asks = search->limits->probe != NULL;
	search->has_value = false;
	search->is_known = false;
	if (!search->asks || search->limits->lines > 1)
		return;
	for (size_t i = 0; i < search->root_count; i++) {
		struct root_turn *root = &search->root[i];
		int score;

		mrl__enter(search, 0, &root->turn);
		if (!mrl__decided(search, 1, &score))
			return;
		root->score = without_ply(-score);
		if (root->score > best)
			best = root->score;
	}
	/* With distances the search needs but to look at them. */
	search->is_known = best > MRL_SCORE_DECIDED || best < -MRL_SCORE_DECIDED;
	if (search->is_known)
		return;
	for (size_t i = 0; i < search->root_count; i++)
		if (search->root[i].score == best)
			search->root[kept++] = search->root[i];
	search->root_count = kept;
	for (size_t i = 0; i < kept; i++)
		search->root[i].score = -INFINITE_SCORE;
	search->has_value = true;
	search->value = best;
}
