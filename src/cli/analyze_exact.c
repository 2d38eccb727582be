#include "analyze_exact.h"

#include <merels/notation.h>

#include "tables_player.h"

/* ---- Looking up --------------------------------------------------------------------------------------------- */

static enum mrl_status look_up(const struct analyze_turn *turn, const struct mrl_game *game, struct mrl_tables *tables,
			       struct analyze_exact *exact, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	*exact = (struct analyze_exact){0};
	if (game->verdict.outcome == MRL_ONGOING)
		status = mrl_perfect_rate(tables, game, &exact->perfect, error);
	if (status == MRL_MISSING) /* the tables know but endings */
		status = MRL_OK;
	exact->played = exact->perfect.count;
	for (size_t i = 0; turn->played && i < exact->perfect.count; i++)
		if (mrl_turn_equal(&exact->perfect.turns[i].turn, &turn->turn))
			exact->played = i;
	return status;
}

enum mrl_status analyze_exact(const struct analysis *analysis, struct mrl_tables *tables, struct analyze_exact *exact,
			      struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	struct cli_game game = {0};
	size_t done = 0;

	if (analysis->count > 0)
		cli_game_init(&game, analysis->rules, &analysis->turns[0].before);
	for (; done < analysis->count && status == MRL_OK; done++) {
		const struct analyze_turn *turn = &analysis->turns[done];

		status = look_up(turn, &game.game, tables, &exact[done], error);
		if (status == MRL_OK && turn->played)
			status = cli_game_play(&game, &turn->turn, error);
	}
	cli_game_release(&game);
	if (status != MRL_OK)
		analyze_exact_release(exact, done);
	return status;
}

void analyze_exact_release(struct analyze_exact *exact, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mrl_perfect_release(&exact[i].perfect);
}

/* ---- Printing ----------------------------------------------------------------------------------------------- */

static bool same_value(const struct mrl_perfect_turn *a, const struct mrl_perfect_turn *b)
{
	return a->value.result == b->value.result && a->value.plies == b->value.plies && a->traps == b->traps &&
	       a->ends == b->ends;
}

static void print_turn(const struct mrl_rules *rules, const struct mrl_turn *turn)
{
	char text[MRL_TURN_TEXT_SIZE];

	(void)mrl_turn_write(&rules->board, turn, text);
	printf(" %s", text);
}

/* One line for each value: "win 13: b2". */
static void print_position(const struct mrl_rules *rules, const struct mrl_perfect *perfect)
{
	for (size_t i = 0; i < perfect->count;) {
		const struct mrl_perfect_turn *first = &perfect->turns[i];
		char value[TABLES_VALUE_SIZE];

		tables_value_text(&first->value, value);
		printf("exact %s", value);
		if (first->value.result == MRL_TABLE_WIN && i == 0 && !first->proved && first->value.plies > 1 &&
		    first->value.plies != MRL_TABLE_NO_PLIES)
			printf(" (perhaps not in time for the counters)");
		if (first->value.result == MRL_TABLE_DRAW && first->traps > 0)
			printf(" (ways to go wrong %u.%u %%)", first->traps / 10, first->traps % 10);
		putchar(':');
		for (; i < perfect->count && same_value(first, &perfect->turns[i]); i++)
			print_turn(rules, &perfect->turns[i].turn);
		putchar('\n');
	}
}

static void print_played(const struct analysis *analysis, const struct analyze_turn *turn,
			 const struct analyze_exact *exact)
{
	const struct mrl_perfect *perfect = &exact->perfect;
	size_t ply = turn->ply + analysis->record->start.side;
	char was[TABLES_VALUE_SIZE];
	char is[TABLES_VALUE_SIZE];

	tables_value_text(&perfect->value, was);
	tables_value_text(&perfect->turns[exact->played].value, is);
	printf("exact %zu%s", ply / 2 + 1, ply % 2 == 0 ? "." : "...");
	print_turn(analysis->rules, &turn->turn);
	printf(" %s", is);
	if (perfect->turns[exact->played].value.result != perfect->value.result) {
		printf(", lets a %s go:", was);
		for (size_t i = 0; i < perfect->best; i++)
			print_turn(analysis->rules, &perfect->turns[i].turn);
	} else if (exact->played >= perfect->best && perfect->value.result != MRL_TABLE_DRAW) {
		printf(", best is %s:", was);
		for (size_t i = 0; i < perfect->best; i++)
			print_turn(analysis->rules, &perfect->turns[i].turn);
	}
	putchar('\n');
}

void analyze_exact_print(const struct analysis *analysis, const struct analyze_exact *exact)
{
	for (size_t i = 0; i < analysis->count; i++) {
		if (analysis->record == NULL)
			print_position(analysis->rules, &exact[i].perfect);
		else if (exact[i].played < exact[i].perfect.count)
			print_played(analysis, &analysis->turns[i], &exact[i]);
	}
}
