/*
 * Endings without hands that the tables call won are played out: the search attacks, without tables, with counters and
 * repetition as the rules have them, or helped by their values but not their distances, or with tables of its own, of
 * endings perhaps; the tables defend, and of equal turns take the one that lasts longest. Positions are drawn at random
 * among the won ones that no single turn decides, and whose distance the no-mill counter allows.
 */
#include "bench_endings.h"

#include <stdio.h>

#include <merels/builtins.h>

#include "tables_player.h"

enum { TRIES_A_POSITION = 20000, LEAST_PLIES = 3, LONGEST = 2000 };

#define SEED UINT64_C(0x656e64696e6773)

static const struct exact_men endings[] = {{5, 4}, {6, 4}, {6, 5}, {6, 6}};

/* A set of `men` random points of those that are free. */
static mrl_points random_men(const struct mrl_board *board, mrl_points taken, unsigned men, uint64_t *random)
{
	mrl_points set = 0;

	while (mrl_popcount(set) < men)
		set |= mrl_point_bit(exact_random(random, board->point_count)) & ~taken;
	return set;
}

static bool draw(const struct exact *exact, struct exact_men men, uint64_t *random, struct mrl_position *position,
		 int *distance)
{
	const struct mrl_rules *rules = &exact->rules;
	int limit = rules->no_mill == 0 ? LONGEST : (int)rules->no_mill;

	for (unsigned tries = 0; tries < TRIES_A_POSITION; tries++) {
		struct mrl_exact value;

		*position = (struct mrl_position){0};
		position->men[0] = random_men(&rules->board, 0, men.own, random);
		position->men[1] = random_men(&rules->board, position->men[0], men.enemy, random);
		position->hash = mrl_position_hash(rules, position);
		if (mrl_position_check(rules, position, NULL) != MRL_OK || !exact_value(exact, position, &value) ||
		    value.value != 1 || (value.distance >= 0 && value.distance < LEAST_PLIES) || value.distance > limit)
			continue;
		*distance = value.distance;
		return true;
	}
	return false;
}

/* The defence: the best value, and of equals the longest loss. */
static bool defend(const struct exact *exact, const struct mrl_position *position, struct mrl_turn *best)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(&exact->rules, position, turns, MRL_TURNS_USUAL);
	struct mrl_exact most = {.value = -2};

	for (size_t i = 0; i < count && i < MRL_TURNS_USUAL; i++) {
		struct mrl_exact value;

		if (!exact_turn_value(exact, position, &turns[i], &value))
			return false;
		if (value.value > most.value || (value.value == most.value && value.distance > most.distance)) {
			most = value;
			*best = turns[i];
		}
	}
	return most.value > -2;
}

struct ending {
	struct mrl_game game;
	struct mrl_ply plies[LONGEST];
};

/* The tables as the attacker may be helped by them: values without distances. */
static bool help(void *context, const struct mrl_rules *rules, const struct mrl_position *position,
		 struct mrl_exact *exact)
{
	(void)rules;
	if (!exact_value(context, position, exact))
		return false;
	exact->distance = -1;
	return true;
}

enum result { WON, GIVEN_AWAY, NOT_REACHED, UNKNOWN };

/* The attacker's turn; false when there is none. With tables of its own it plays as the engine does with them. */
static bool attack(struct exact *exact, const struct mrl_game *game, const struct exact_settings *settings,
		   struct mrl_turn *turn)
{
	struct mrl_search_limits limits = {
	    .nodes = settings->nodes, .probe = settings->helped ? help : NULL, .probe_context = exact};
	struct tables_choice choice = {0};
	struct mrl_search_result result;
	enum mrl_status status;

	if (exact->own_tables != NULL) {
		struct mrl_player_limits chosen = {0};
		struct mrl_error error = {0};

		if (tables_choose(exact->own_tables, game, &chosen, &choice, &error) != MRL_OK)
			return false;
		limits.probe = chosen.probe;
		limits.probe_context = chosen.probe_context;
		limits.only = chosen.only;
		limits.only_count = chosen.only_count;
		limits.depth = chosen.depth;
	}
	status = mrl_search_run(exact->search, game, &limits, &result);
	tables_choice_release(&choice);
	*turn = result.lines[0].turns[0];
	return status == MRL_OK;
}

static enum result play(struct exact *exact, struct ending *ending, const struct mrl_position *start,
			const struct exact_settings *settings)
{
	mrl_game_init(&ending->game, &exact->rules, start, ending->plies, LONGEST);
	mrl_search_clear(exact->search);
	while (ending->game.verdict.outcome == MRL_ONGOING) {
		const struct mrl_position *position = &ending->game.position;
		struct mrl_exact value;
		struct mrl_turn turn;

		if (position->side != MRL_WHITE) {
			if (!defend(exact, position, &turn))
				return UNKNOWN;
		} else {
			if (!attack(exact, &ending->game, settings, &turn) ||
			    !exact_turn_value(exact, position, &turn, &value))
				return UNKNOWN;
			if (value.value != 1)
				return GIVEN_AWAY;
		}
		if (mrl_game_play(&ending->game, &turn, NULL) != MRL_OK)
			return UNKNOWN;
	}
	return ending->game.verdict.outcome == MRL_WHITE_WINS ? WON : NOT_REACHED;
}

static void measure(struct exact *exact, const char *name, const struct exact_settings *settings, struct exact_men men)
{
	static struct ending ending;
	uint64_t random = SEED;
	unsigned long drawn = 0;
	unsigned long count[UNKNOWN + 1] = {0};
	unsigned long plies = 0;
	long distances = 0;

	if (men.own > exact->rules.men || men.enemy > exact->rules.men) {
		printf("%s: %u against %u: there are not so many men\n", name, men.own, men.enemy);
		return;
	}
	for (; drawn < settings->positions; drawn++) {
		struct mrl_position start;
		enum result result;
		int distance;

		if (!draw(exact, men, &random, &start, &distance))
			break;
		result = play(exact, &ending, &start, settings);
		count[result]++;
		if (result == WON) {
			plies += ending.game.count;
			distances += distance;
		}
	}
	if (drawn == 0) {
		printf("%s: %u against %u: no such ending that is won\n", name, men.own, men.enemy);
		return;
	}
	printf("%s: %u against %u, %lu nodes a turn: %lu of %lu won (%.1f %%), %lu given away, %lu drawn by a counter "
	       "or repetition",
	       name, men.own, men.enemy, settings->nodes, count[WON], drawn, 100.0 * (double)count[WON] / (double)drawn,
	       count[GIVEN_AWAY], count[NOT_REACHED]);
	if (count[UNKNOWN] > 0)
		printf(", %lu not known", count[UNKNOWN]);
	if (count[WON] > 0 && mrl_tables_have_plies(exact->tables))
		printf("; won in %.1f plies where %.1f are needed", (double)plies / (double)count[WON],
		       (double)distances / (double)count[WON]);
	printf("\n");
	(void)fflush(stdout);
}

bool bench_endings(const struct exact_settings *settings)
{
	static struct exact exact;

	for (size_t i = 0; i < settings->rule_count; i++) {
		enum exact_opened opened = exact_open(&exact, settings->folder, settings->rules[i]);

		if (opened == EXACT_NO_MEMORY)
			return false;
		if (opened == EXACT_SKIPPED)
			continue;
		if (settings->own != NULL && !exact_open_own(&exact, settings->own)) {
			exact_close(&exact);
			continue;
		}
		for (size_t k = 0; k < sizeof(endings) / sizeof(endings[0]) && settings->men.own == 0; k++)
			measure(&exact, settings->rules[i], settings, endings[k]);
		if (settings->men.own != 0)
			measure(&exact, settings->rules[i], settings, settings->men);
		exact_close(&exact);
	}
	return true;
}
