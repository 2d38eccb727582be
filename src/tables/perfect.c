#include <merels/perfect.h>

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>

#include "derive.h"
#include "hunt.h"

/* Positions looked up for one proof, and for all that a turn takes; how many plies a search for a mill goes. */
enum { PROOF_BUDGET = 20000, HUNT_BUDGET = 200000, MOST_DEPTH = 40 };

/* A loss in so many plies counts half as a way to go wrong. */
enum { HALF_HIDDEN = 8 };

struct rating {
	struct mrl_tables *tables;
	const struct mrl_game *game;
	struct mrl_perfect *perfect;
	struct mrl_error *error;
};

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory to rate the turns");
	return MRL_SYSTEM;
}

static struct mrl_position after(const struct rating *rating, const struct mrl_turn *turn)
{
	struct mrl_position next = rating->game->position;

	(void)mrl_apply(rating->game->rules, &next, turn, NULL);
	return next;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* What a position of the game is worth for the side to move, counters and repetition heeded. */
static enum mrl_status value_of(const struct rating *rating, const struct mrl_position *position,
				struct mrl_table_value *value, bool *ends)
{
	struct mrl_verdict verdict = hunt_verdict(rating->game, position);

	*ends = verdict.outcome != MRL_ONGOING;
	if (verdict.outcome != MRL_DRAW)
		return mrl_tables_probe(rating->tables, position, value, rating->error);
	*value = (struct mrl_table_value){MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
	return MRL_OK;
}

static enum mrl_status list_turns(const struct rating *rating)
{
	struct mrl_perfect *perfect = rating->perfect;
	const struct mrl_rules *rules = rating->game->rules;
	size_t count = mrl_turns(rules, &rating->game->position, NULL, 0);
	struct mrl_turn *turns = malloc((count + 1) * sizeof(*turns));
	enum mrl_status status = MRL_OK;

	perfect->turns = calloc(count + 1, sizeof(*perfect->turns));
	if (turns == NULL || perfect->turns == NULL) {
		free(turns);
		return no_memory(rating->error);
	}
	perfect->count = mrl_turns(rules, &rating->game->position, turns, count);
	for (size_t i = 0; i < count && status == MRL_OK; i++) {
		struct mrl_perfect_turn *turn = &perfect->turns[i];
		struct mrl_position next;

		turn->turn = turns[i];
		next = after(rating, &turns[i]);
		status = value_of(rating, &next, &turn->value, &turn->ends);
		turn->value = derive_before(turn->value);
	}
	free(turns);
	return status;
}

/* The order of values; equal ones by their turns, so that the order is always the same. */
static int compare(const void *left, const void *right)
{
	const struct mrl_perfect_turn *a = left;
	const struct mrl_perfect_turn *b = right;

	if (derive_better(&a->value, &b->value))
		return -1;
	if (derive_better(&b->value, &a->value))
		return 1;
	if (a->ends != b->ends)
		return a->ends ? 1 : -1;
	if (a->traps != b->traps)
		return a->traps > b->traps ? -1 : 1;
	return memcmp(&a->turn, &b->turn, sizeof(a->turn));
}

static void sort(struct mrl_perfect *perfect)
{
	qsort(perfect->turns, perfect->count, sizeof(*perfect->turns), compare);
}

/* Brings the turns that are marked to the front, in their order, and calls them best. */
static bool put_first(struct mrl_perfect *perfect, const bool *marked)
{
	struct mrl_perfect_turn *moved = malloc((perfect->count + 1) * sizeof(*moved));
	size_t count = 0;

	if (moved == NULL)
		return false;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < perfect->count; i++)
			if (marked[i] == (pass == 0))
				moved[count++] = perfect->turns[i];
		if (pass == 0)
			perfect->best = count;
	}
	free(perfect->turns);
	perfect->turns = moved;
	return true;
}

/* ---- Ways to go wrong --------------------------------------------------------------------------------------- */

/* What a reply is to who hopes for a mistake, in thousandths; `value` is for the side that replies. */
static unsigned trap_of(const struct mrl_table_value *value, enum mrl_table_result hoped)
{
	if (hoped == MRL_TABLE_DRAW)
		return value->result != MRL_TABLE_WIN ? 1000 : 0;
	if (value->result != MRL_TABLE_LOSS)
		return 0;
	return value->plies == MRL_TABLE_NO_PLIES ? 1000 : 1000 * value->plies / (value->plies + HALF_HIDDEN);
}

/* Fills turn->traps; `hoped` is what the opponent would have to throw away a win for, or a draw for. */
static enum mrl_status count_traps(const struct rating *rating, struct mrl_perfect_turn *turn,
				   enum mrl_table_result hoped)
{
	const struct mrl_rules *rules = rating->game->rules;
	struct mrl_position position = after(rating, &turn->turn);
	size_t count = mrl_turns(rules, &position, NULL, 0);
	struct mrl_turn *replies = malloc((count + 1) * sizeof(*replies));
	enum mrl_status status = MRL_OK;
	uint64_t sum = 0;

	if (replies == NULL)
		return no_memory(rating->error);
	(void)mrl_turns(rules, &position, replies, count);
	for (size_t i = 0; i < count && status == MRL_OK; i++) {
		struct mrl_position next = position;
		struct mrl_table_value value = {MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
		bool ends;

		(void)mrl_apply(rules, &next, &replies[i], NULL);
		status = value_of(rating, &next, &value, &ends);
		value = derive_before(value);
		sum += trap_of(&value, hoped);
	}
	free(replies);
	turn->traps = count > 0 ? (unsigned)(sum / count) : 0;
	return status;
}

/* The best turns are equal in value; the traps tell them apart. */
static enum mrl_status choose_by_traps(const struct rating *rating, enum mrl_table_result hoped)
{
	struct mrl_perfect *perfect = rating->perfect;
	enum mrl_status status = MRL_OK;
	size_t equal = 0;

	while (equal < perfect->count && !derive_better(&perfect->turns[0].value, &perfect->turns[equal].value))
		equal++;
	for (size_t i = 0; i < equal && status == MRL_OK; i++)
		if (!perfect->turns[i].ends)
			status = count_traps(rating, &perfect->turns[i], hoped);
	sort(perfect);
	while (perfect->best < equal && perfect->turns[perfect->best].ends == perfect->turns[0].ends &&
	       perfect->turns[perfect->best].traps == perfect->turns[0].traps)
		perfect->best++;
	return status;
}

/* ---- Wins --------------------------------------------------------------------------------------------------- */

static bool turn_holds(const struct rating *rating, struct hunt *hunt, struct mrl_perfect_turn *turn, unsigned depth)
{
	struct mrl_position next = after(rating, &turn->turn);
	unsigned plies = turn->value.plies == MRL_TABLE_NO_PLIES ? MRL_TABLE_NO_PLIES : turn->value.plies - 1;

	if (!turn->proved)
		turn->proved = turn->ends || hunt_holds(hunt, &next, plies, depth);
	return turn->proved;
}

/* Marks the turns of the shortest win that is proved; false when none is. */
static bool find_shortest(const struct rating *rating, struct hunt *hunt, size_t wins, bool *marked)
{
	struct mrl_perfect_turn *turns = rating->perfect->turns;
	uint64_t budget = HUNT_BUDGET;
	bool found = false;
	unsigned length = 0;

	for (size_t i = 0; i < wins && (!found || turns[i].value.plies == length); i++) {
		for (unsigned depth = 0; depth <= MOST_DEPTH && budget > 0 && !turns[i].proved; depth += 2) {
			uint64_t share = budget < PROOF_BUDGET ? budget : PROOF_BUDGET;

			hunt->budget = share;
			if (turn_holds(rating, hunt, &turns[i], depth)) {
				marked[i] = true;
				found = true;
				length = turns[i].value.plies;
			}
			budget -= share - hunt->budget;
			if (hunt->budget == 0)
				break; /* deeper would not end either */
		}
	}
	return found;
}

/* With values alone: marks the turns that force a mill soonest. */
static bool find_progress(const struct rating *rating, struct hunt *hunt, size_t wins, bool *marked)
{
	struct mrl_perfect_turn *turns = rating->perfect->turns;
	bool found = false;

	/* A placement is progress already, but a mill is more. */
	if (rating->game->position.hand[rating->game->position.side] > 0) {
		for (size_t i = 0; i < wins; i++) {
			marked[i] = mrl_turn_takes(&turns[i].turn) > 0;
			found = found || marked[i];
		}
		return found;
	}
	hunt->budget = HUNT_BUDGET;
	for (unsigned depth = 0; depth <= MOST_DEPTH && !found && hunt->budget > 0; depth += 2)
		for (size_t i = 0; i < wins; i++) {
			marked[i] = turn_holds(rating, hunt, &turns[i], depth);
			found = found || marked[i];
		}
	return found;
}

/* Marks the turns to positions that have not been there; false when all have. */
static bool mark_new(const struct rating *rating, size_t wins, bool *marked)
{
	const struct mrl_game *game = rating->game;
	bool found = false;

	for (size_t i = 0; i < wins; i++) {
		struct mrl_position next = after(rating, &rating->perfect->turns[i].turn);

		marked[i] = true;
		for (size_t ply = 0; ply < game->count && marked[i]; ply++)
			marked[i] = !mrl_position_same(&game->plies[ply].before, &next);
		found = found || marked[i];
	}
	return found;
}

/* Marks the best of the turns that win, at least one. */
static void mark_wins(const struct rating *rating, struct hunt *hunt, size_t wins, bool *marked)
{
	const struct mrl_perfect_turn *turns = rating->perfect->turns;
	bool at_once = turns[0].value.plies == 1;

	if (!at_once && mrl_tables_have_plies(rating->tables) && find_shortest(rating, hunt, wins, marked))
		return;
	if (!at_once && !mrl_tables_have_plies(rating->tables) &&
	    (find_progress(rating, hunt, wins, marked) || mark_new(rating, wins, marked)))
		return;
	for (size_t i = 0; i < wins; i++)
		marked[i] = turns[i].value.plies == turns[0].value.plies;
}

static enum mrl_status choose_win(const struct rating *rating)
{
	struct mrl_perfect *perfect = rating->perfect;
	bool *marked = calloc(perfect->count + 1, sizeof(*marked));
	struct hunt *hunt = malloc(sizeof(*hunt));
	enum mrl_status status = MRL_OK;
	size_t wins = 0;

	if (marked == NULL || hunt == NULL)
		status = no_memory(rating->error);
	while (wins < perfect->count && perfect->turns[wins].value.result == MRL_TABLE_WIN)
		wins++;
	if (status == MRL_OK)
		status = hunt_init(hunt, rating->tables, rating->game, rating->error);
	if (status == MRL_OK) {
		mark_wins(rating, hunt, wins, marked);
		if (!put_first(perfect, marked))
			status = no_memory(rating->error);
	}
	free(marked);
	free(hunt);
	return status;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

enum mrl_status mrl_perfect_rate(struct mrl_tables *tables, const struct mrl_game *game, struct mrl_perfect *perfect,
				 struct mrl_error *error)
{
	struct rating rating = {tables, game, perfect, error};
	enum mrl_status status;

	*perfect = (struct mrl_perfect){0};
	if (game->verdict.outcome != MRL_ONGOING) {
		struct mrl_text text = mrl_error_open(error, MRL_DECIDED, 0, 0);

		mrl_text_add(&text, mrl_status_text(MRL_DECIDED));
		return MRL_DECIDED;
	}
	status = list_turns(&rating);
	if (status == MRL_OK) {
		sort(perfect);
		switch (perfect->turns[0].value.result) {
		case MRL_TABLE_WIN:
			status = choose_win(&rating);
			break;
		case MRL_TABLE_DRAW:
			status = choose_by_traps(&rating, MRL_TABLE_LOSS);
			break;
		case MRL_TABLE_LOSS:
			status = choose_by_traps(&rating, MRL_TABLE_DRAW);
			break;
		}
	}
	if (status == MRL_OK)
		perfect->value = perfect->turns[0].value;
	else
		mrl_perfect_release(perfect);
	return status;
}

void mrl_perfect_release(struct mrl_perfect *perfect)
{
	free(perfect->turns);
	*perfect = (struct mrl_perfect){0};
}
