#include "tables_player.h"

#include <stdio.h>
#include <stdlib.h>

#include <merels/builtins.h>
#include <merels/shelf.h>
#include <merels/text.h>

/* ---- Which tables ------------------------------------------------------------------------------------------- */

enum mrl_status tables_player_open(struct tables_player *player, const char *folder, const struct mrl_rules *rules,
				   struct mrl_error *error)
{
	return mrl_tables_open(&player->tables, folder, rules, TABLES_PLAYER_CACHE, error);
}

enum mrl_status tables_player_open_own(struct tables_player *player, const struct mrl_rules *rules,
				       struct mrl_error *error)
{
	char folder[MRL_TABLE_FOLDER_SIZE];
	enum mrl_status status = mrl_tables_home(rules, folder, error);

	if (status == MRL_OK)
		status = tables_player_open(player, folder, rules, error);
	if (status != MRL_OK && mrl_tables_home_endings(rules, folder, NULL) == MRL_OK &&
	    tables_player_open(player, folder, rules, NULL) == MRL_OK)
		status = MRL_OK;
	return status;
}

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory for exact tables");
	return MRL_SYSTEM;
}

enum mrl_status tables_player_keep(struct tables_player *player, const struct mrl_rules *rules,
				   struct mrl_keeper_wish wish, struct mrl_error *error)
{
	wish.cache = TABLES_PLAYER_CACHE;
	player->keeper = mrl_table_keeper_new(rules, &wish);
	return player->keeper != NULL ? MRL_OK : no_memory(error);
}

void tables_player_close(struct tables_player *player)
{
	mrl_tables_close(player->tables);
	mrl_table_keeper_free(player->keeper);
	*player = (struct tables_player){0};
}

/* Whether the endings that a keeper builds have this position. */
static bool is_ending(struct mrl_endings endings, const struct mrl_position *position)
{
	unsigned white = mrl_popcount(position->men[0]);
	unsigned black = mrl_popcount(position->men[1]);

	return position->hand[0] + position->hand[1] == 0 && (white > black ? white : black) <= endings.men &&
	       (white > black ? black : white) <= endings.against;
}

struct mrl_tables *tables_player_ask(const struct tables_player *player, const struct mrl_position *position)
{
	if (player->tables != NULL || player->keeper == NULL)
		return player->tables;
	if (is_ending(mrl_table_keeper_endings(player->keeper), position))
		mrl_table_keeper_hurry(player->keeper);
	return mrl_table_keeper_tables(player->keeper);
}

/* ---- Asking ------------------------------------------------------------------------------------------------- */

void tables_value_text(const struct mrl_table_value *value, char text[TABLES_VALUE_SIZE])
{
	static const char *const names[] = {
	    [MRL_TABLE_DRAW] = "draw", [MRL_TABLE_WIN] = "win", [MRL_TABLE_LOSS] = "loss"};

	if (value->result == MRL_TABLE_DRAW || value->plies == MRL_TABLE_NO_PLIES)
		(void)snprintf(text, TABLES_VALUE_SIZE, "%s", names[value->result]);
	else
		(void)snprintf(text, TABLES_VALUE_SIZE, "%s %u", names[value->result], value->plies);
}

/* ---- Perfect play ------------------------------------------------------------------------------------------- */

static bool allowed(const struct mrl_player_limits *limits, const struct mrl_turn *turn)
{
	for (size_t i = 0; limits->only != NULL && i < limits->only_count; i++)
		if (mrl_turn_equal(&limits->only[i], turn))
			return true;
	return limits->only == NULL;
}

/* The best turns that are allowed; if none of the best is, the first that is. */
static void take_best(const struct mrl_perfect *perfect, const struct mrl_player_limits *limits,
		      struct tables_choice *choice)
{
	for (size_t i = 0; i < perfect->count && (i < perfect->best || choice->count == 0); i++) {
		if (!allowed(limits, &perfect->turns[i].turn))
			continue;
		if (choice->count == 0)
			choice->first = perfect->turns[i];
		choice->turns[choice->count++] = perfect->turns[i].turn;
	}
}

enum mrl_status tables_choose(struct mrl_tables *tables, const struct mrl_game *game, struct mrl_player_limits *limits,
			      struct tables_choice *choice, struct mrl_error *error)
{
	struct mrl_perfect perfect;
	struct mrl_error why = {0};
	enum mrl_status status = mrl_perfect_rate(tables, game, &perfect, &why);
	bool certain;

	*choice = (struct tables_choice){0};
	if (status == MRL_MISSING) {
		limits->probe = mrl_shelf_probe;
		limits->probe_context = tables;
		return MRL_OK;
	}
	if (status != MRL_OK) {
		*error = why;
		return status;
	}
	choice->turns = malloc(perfect.count * sizeof(*choice->turns));
	if (choice->turns == NULL) {
		mrl_perfect_release(&perfect);
		return no_memory(error);
	}
	take_best(&perfect, limits, choice);
	mrl_perfect_release(&perfect);
	if (choice->count == 0) /* none of the turns that are allowed is legal: for the search to say */
		return MRL_OK;
	certain = choice->first.value.result != MRL_TABLE_DRAW && choice->first.value.plies != MRL_TABLE_NO_PLIES;
	limits->only = choice->turns;
	limits->only_count = choice->count;
	limits->probe = certain ? mrl_shelf_probe : NULL;
	limits->probe_context = certain ? tables : NULL;
	if (certain || choice->count == 1)
		limits->depth = 1;
	return MRL_OK;
}

void tables_choice_release(struct tables_choice *choice)
{
	free(choice->turns);
	*choice = (struct tables_choice){0};
}
