#include "hunt.h"

#include <stdlib.h>

#include <merels/builtins.h>

/* ---- How the game stands ------------------------------------------------------------------------------------ */

/* How often a position has been there in the game, the present one included. */
static unsigned times_seen(const struct mrl_game *game, const struct mrl_position *position)
{
	unsigned seen = game->position.hash == position->hash && mrl_position_same(&game->position, position);

	for (size_t i = game->count; i-- > 0;)
		seen +=
		    game->plies[i].before.hash == position->hash && mrl_position_same(&game->plies[i].before, position);
	return seen;
}

struct mrl_verdict hunt_verdict(const struct mrl_game *game, const struct mrl_position *position)
{
	struct mrl_verdict verdict = mrl_position_verdict(game->rules, position);

	if (verdict.outcome == MRL_ONGOING && game->rules->repetition != 0 &&
	    times_seen(game, position) + 1U >= game->rules->repetition)
		verdict = (struct mrl_verdict){MRL_DRAW, MRL_REASON_REPETITION};
	return verdict;
}

static bool has_three(const struct mrl_position *position, unsigned side)
{
	return position->hand[side] == 0 && mrl_popcount(position->men[side]) == 3;
}

/* ---- Safe positions ----------------------------------------------------------------------------------------- */

static bool is_dreaded(const struct hunt *hunt, const struct mrl_position *position)
{
	for (unsigned i = 0; i < hunt->dreaded_count; i++)
		if (mrl_position_same(&hunt->dreaded[i], position))
			return true;
	return false;
}

static enum mrl_status dread(struct hunt *hunt, const struct mrl_position *position, struct mrl_error *error)
{
	unsigned winner = hunt->game->position.side;
	struct mrl_table_value value;
	enum mrl_status status;

	if (is_dreaded(hunt, position) || hunt->dreaded_count == HUNT_MOST_DREADED ||
	    times_seen(hunt->game, position) + 1U < hunt->game->rules->repetition)
		return MRL_OK;
	status = mrl_tables_probe(hunt->tables, position, &value, error);
	if (status != MRL_OK)
		return status;
	/* Whoever plays to win comes to no position that is not won. */
	if (value.result != (position->side == winner ? MRL_TABLE_WIN : MRL_TABLE_LOSS))
		return MRL_OK;
	hunt->dreaded_plies[hunt->dreaded_count] = value.plies;
	hunt->dreaded[hunt->dreaded_count++] = *position;
	return MRL_OK;
}

enum mrl_status hunt_init(struct hunt *hunt, struct mrl_tables *tables, const struct mrl_game *game,
			  struct mrl_error *error)
{
	enum mrl_status status;

	*hunt = (struct hunt){.tables = tables, .game = game, .distances = mrl_tables_have_plies(tables)};
	if (game->rules->repetition == 0)
		return MRL_OK;
	status = dread(hunt, &game->position, error);
	/* What was before the last placement or mill cannot come again. */
	for (size_t i = game->count; status == MRL_OK && i-- > 0 && game->count - i <= game->position.no_mill;)
		status = dread(hunt, &game->plies[i].before, error);
	return status;
}

/* Whether playing the shortest win from here is in time; `plies` are left. */
static bool is_safe(const struct hunt *hunt, const struct mrl_position *position, unsigned plies)
{
	const struct mrl_rules *rules = hunt->game->rules;
	bool three = has_three(position, 0) || has_three(position, 1);

	if (!hunt->distances)
		return position->no_mill == 0;
	if (rules->no_mill != 0 && position->no_mill + plies > rules->no_mill)
		return false;
	if (rules->three_men != 0 && three && position->three_men + plies > rules->three_men)
		return false;
	for (unsigned i = 0; i < hunt->dreaded_count; i++)
		if (hunt->dreaded_plies[i] < plies)
			return false;
	return true;
}

/* ---- The search --------------------------------------------------------------------------------------------- */

static enum mrl_outcome win_of(unsigned side)
{
	return side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS;
}

/* The table's value, if there is one and the budget allows. */
static bool look_up(struct hunt *hunt, const struct mrl_position *position, struct mrl_table_value *value)
{
	if (hunt->failed || hunt->budget == 0)
		return false;
	hunt->budget--;
	hunt->failed = mrl_tables_probe(hunt->tables, position, value, NULL) != MRL_OK;
	return !hunt->failed;
}

static struct mrl_turn *list_turns(const struct mrl_rules *rules, const struct mrl_position *position, size_t *count)
{
	struct mrl_turn *turns;

	*count = mrl_turns(rules, position, NULL, 0);
	turns = malloc((*count + 1) * sizeof(*turns));
	if (turns != NULL)
		(void)mrl_turns(rules, position, turns, *count);
	return turns;
}

/* The winning side to move: whether one of its turns holds. */
static bool some_turn_holds(struct hunt *hunt, const struct mrl_position *position, unsigned depth)
{
	const struct mrl_rules *rules = hunt->game->rules;
	size_t count;
	struct mrl_turn *turns = list_turns(rules, position, &count);
	bool holds = false;

	/* Those that close a mill first: they nearly always do. */
	for (unsigned pass = 0; pass < 2 && turns != NULL && !holds; pass++) {
		for (size_t i = 0; i < count && !holds && hunt->budget > 0; i++) {
			struct mrl_position next = *position;
			struct mrl_table_value value;
			struct mrl_verdict verdict;

			if ((mrl_apply(rules, &next, &turns[i], NULL) > 0) != (pass == 0))
				continue;
			verdict = hunt_verdict(hunt->game, &next);
			if (verdict.outcome != MRL_ONGOING)
				holds = verdict.outcome == win_of(position->side);
			else if (look_up(hunt, &next, &value) && value.result == MRL_TABLE_LOSS)
				holds = hunt_holds(hunt, &next, value.plies, depth);
		}
	}
	free(turns);
	return holds;
}

/* One reply of the losing side, already applied. */
static bool reply_holds(struct hunt *hunt, const struct mrl_position *position, unsigned depth)
{
	struct mrl_verdict verdict = hunt_verdict(hunt->game, position);
	struct mrl_table_value value;

	if (verdict.outcome != MRL_ONGOING)
		return verdict.outcome == win_of(position->side);
	if (!look_up(hunt, position, &value))
		return false;
	if (hunt->distances && is_safe(hunt, position, value.plies))
		return true;
	return depth > 1 && some_turn_holds(hunt, position, depth - 2);
}

bool hunt_holds(struct hunt *hunt, const struct mrl_position *position, unsigned plies, unsigned depth)
{
	struct mrl_turn *turns;
	bool holds;
	size_t count;

	if (is_safe(hunt, position, plies))
		return true;
	if (depth == 0 || hunt->budget == 0)
		return false;
	turns = list_turns(hunt->game->rules, position, &count);
	holds = turns != NULL;
	for (size_t i = 0; i < count && holds; i++) {
		struct mrl_position next = *position;

		(void)mrl_apply(hunt->game->rules, &next, &turns[i], NULL);
		holds = reply_holds(hunt, &next, depth);
	}
	free(turns);
	return holds;
}
