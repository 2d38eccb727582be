#include "positions.h"

#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <merels/search.h>
#include <merels/table.h>

#include "chance.h"

#define SEARCH_MEMORY ((size_t)16 << 20)
#define ENDINGS_CACHE ((size_t)1 << 30)
#define TABLE_CACHE ((size_t)5 << 30) /* all of nine unpacked: positions come in no order */
#define LONGEST 160
#define WALKS 4        /* from each position of a game */
#define LONGEST_WALK 6 /* plies */
#define SHORT_WALK 2
#define LEAST_CHASE 9 /* plies that a win must take to be worth playing out */

struct labeller {
	struct mrl_rules rules;
	struct mrl_rules endings_rules;
	struct mrl_tables *tables;
	struct mrl_tables *endings;
	uint64_t random;
	FILE *out;
};

static bool open_labeller(struct labeller *labeller, const struct position_source *source, FILE *out)
{
	struct mrl_error error = {0};

	labeller->random = chance_seeded(source->seed);
	labeller->out = out;
	if (mrl_rules_parse(&labeller->rules, source->rules, strlen(source->rules), &error) == MRL_OK &&
	    mrl_rules_parse(&labeller->endings_rules, source->endings_rules, strlen(source->endings_rules), &error) ==
		MRL_OK &&
	    mrl_tables_open(&labeller->tables, source->folder, &labeller->rules, TABLE_CACHE, &error) == MRL_OK &&
	    mrl_tables_open(&labeller->endings, source->endings_folder, &labeller->endings_rules, ENDINGS_CACHE,
			    &error) == MRL_OK)
		return true;
	fprintf(stderr, "merels-fit: %s\n", error.message);
	return false;
}

static void close_labeller(struct labeller *labeller)
{
	mrl_tables_close(labeller->tables);
	mrl_tables_close(labeller->endings);
}

static bool look_up(const struct labeller *labeller, const struct mrl_position *position, struct mrl_table_value *value)
{
	struct mrl_position asked = *position;
	unsigned few = labeller->endings_rules.men;

	if (position->hand[0] + position->hand[1] == 0 && mrl_popcount(position->men[0]) <= few &&
	    mrl_popcount(position->men[1]) <= few) {
		asked.hash = mrl_position_hash(&labeller->endings_rules, position);
		return mrl_tables_probe(labeller->endings, &asked, value, NULL) == MRL_OK;
	}
	return mrl_tables_probe(labeller->tables, &asked, value, NULL) == MRL_OK;
}

/* What the tables say of a position; false when they do not know it, or it is over. */
static bool label(const struct labeller *labeller, const struct mrl_position *position, struct labelled *labelled)
{
	unsigned side = position->side;
	struct mrl_table_value value;

	if (mrl_position_verdict(&labeller->rules, position).outcome != MRL_ONGOING ||
	    !look_up(labeller, position, &value))
		return false;
	*labelled = (struct labelled){
	    .own = (uint32_t)position->men[side],
	    .enemies = (uint32_t)position->men[side ^ 1U],
	    .own_hand = position->hand[side],
	    .enemy_hand = position->hand[side ^ 1U],
	    .result = value.result == MRL_TABLE_WIN    ? WON
		      : value.result == MRL_TABLE_LOSS ? LOST
						       : DRAWN,
	    .plies = (uint8_t)(value.plies == MRL_TABLE_NO_PLIES ? UNKNOWN_PLIES
			       : value.plies > 254               ? 254
								 : value.plies),
	};
	return true;
}

static bool write_labelled(const struct labeller *labeller, const struct labelled *labelled)
{
	return fwrite(labelled, sizeof *labelled, 1, labeller->out) == 1;
}

/* Plays a random turn; false when there is none. */
static bool step_randomly(struct labeller *labeller, struct mrl_position *position)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(&labeller->rules, position, turns, MRL_TURNS_USUAL);

	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	if (count == 0 || mrl_position_verdict(&labeller->rules, position).outcome != MRL_ONGOING)
		return false;
	(void)mrl_apply(&labeller->rules, position, &turns[chance_below(&labeller->random, count)], NULL);
	position->no_mill = 0; /* the tables know no counters */
	position->three_men = 0;
	return true;
}

static void walk(struct labeller *labeller, const struct mrl_position *from, unsigned longest)
{
	struct mrl_position position = *from;
	struct labelled labelled;
	unsigned plies = chance_below(&labeller->random, longest + 1);

	position.no_mill = 0;
	position.three_men = 0;
	for (; plies > 0; plies--)
		if (!step_randomly(labeller, &position))
			return;
	if (label(labeller, &position, &labelled))
		(void)write_labelled(labeller, &labelled);
}

static bool play_randomly(struct labeller *labeller, struct mrl_game *game)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(game->rules, &game->position, turns, MRL_TURNS_USUAL);

	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	return count > 0 && mrl_game_play(game, &turns[chance_below(&labeller->random, count)], NULL) == MRL_OK;
}

static void play_game(struct labeller *labeller, struct mrl_search *search, unsigned long nodes)
{
	static struct mrl_ply plies[LONGEST];
	struct mrl_search_limits limits = {.nodes = nodes};
	struct mrl_search_result result;
	struct mrl_game game;
	unsigned opening = chance_below(&labeller->random, 13);

	mrl_game_init(&game, &labeller->rules, NULL, plies, LONGEST);
	mrl_search_clear(search);
	while (game.verdict.outcome == MRL_ONGOING && game.count < LONGEST) {
		for (unsigned i = 0; i < WALKS; i++)
			walk(labeller, &game.position, LONGEST_WALK);
		if (game.count < opening || chance_below(&labeller->random, 16) == 0) {
			if (!play_randomly(labeller, &game))
				return;
			continue;
		}
		if (mrl_search_run(search, &game, &limits, &result) != MRL_OK ||
		    mrl_game_play(&game, &result.lines[0].turns[0], NULL) != MRL_OK)
			return;
	}
}

int play_for_positions(const struct position_source *source, FILE *out)
{
	static struct labeller labeller;
	void *memory = malloc(SEARCH_MEMORY);
	bool good = memory != NULL && open_labeller(&labeller, source, out);

	if (good) {
		struct mrl_search *search = mrl_search_init(memory, SEARCH_MEMORY);

		for (unsigned long i = 0; i < source->count; i++)
			play_game(&labeller, search, source->nodes);
	}
	close_labeller(&labeller);
	free(memory);
	return good && ferror(out) == 0 ? 0 : 1;
}

static unsigned men_below(struct labeller *labeller, unsigned most)
{
	return 3 + chance_below(&labeller->random, most - 2U);
}

static mrl_points random_men(struct labeller *labeller, mrl_points taken, unsigned men)
{
	mrl_points set = 0;

	while (mrl_popcount(set) < men)
		set |= mrl_point_bit(chance_below(&labeller->random, labeller->rules.board.point_count)) & ~taken;
	return set;
}

/* Of either side alike; of the men asked for either side to move, or any men when none are asked for. */
static struct mrl_position random_position(struct labeller *labeller, const struct position_source *source,
					   unsigned long i)
{
	struct mrl_position position = {0};
	unsigned most = i % 3 == 0 ? labeller->rules.men : labeller->endings_rules.men;

	for (unsigned side = 0; side < 2; side++) {
		unsigned men = source->men[0] == 0 ? men_below(labeller, most) : source->men[(i + side) % 2];

		position.men[side] = random_men(labeller, side == 0 ? 0 : position.men[0], men);
	}
	position.hash = mrl_position_hash(&labeller->rules, &position);
	return position;
}

int draw_positions(const struct position_source *source, FILE *out)
{
	static struct labeller labeller;
	bool good = open_labeller(&labeller, source, out);
	unsigned long drawn = source->drawn == 0 ? 1 : source->drawn;

	for (unsigned long i = 0, tries = 0; i < source->count && good; tries++) {
		struct mrl_position position = random_position(&labeller, source, tries / 2);
		struct labelled labelled;

		if (!label(&labeller, &position, &labelled) ||
		    (labelled.result == DRAWN && chance_below(&labeller.random, drawn) != 0))
			continue;
		i += write_labelled(&labeller, &labelled);
		/* What is not decided around what is. */
		if (labelled.result != DRAWN && drawn > 1)
			walk(&labeller, &position, SHORT_WALK);
	}
	close_labeller(&labeller);
	return good && ferror(out) == 0 ? 0 : 1;
}

/* ---- Chases ------------------------------------------------------------------------------------------------- */

/* The turn that keeps the most, and of equals the longest loss. */
static bool defend(const struct labeller *labeller, const struct mrl_position *position, struct mrl_turn *best)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(&labeller->rules, position, turns, MRL_TURNS_USUAL);
	int most = -1;

	for (size_t i = 0; i < count && i < MRL_TURNS_USUAL; i++) {
		struct mrl_position after = *position;
		struct labelled labelled;
		int worth = 0; /* over: lost at once, or so it is taken */

		(void)mrl_apply(&labeller->rules, &after, &turns[i], NULL);
		after.no_mill = 0;
		after.three_men = 0;
		if (label(labeller, &after, &labelled))
			worth = labelled.result == WON ? labelled.plies : 1000 * (2 - labelled.result);
		if (worth > most) {
			most = worth;
			*best = turns[i];
		}
	}
	return most >= 0;
}

/* Plays on from a won position as long as it is one, and writes what is around. */
static void chase(struct labeller *labeller, struct mrl_search *search, unsigned long nodes,
		  const struct mrl_position *start)
{
	static struct mrl_ply plies[LONGEST];
	struct mrl_search_limits limits = {.nodes = nodes};
	struct mrl_search_result result;
	struct mrl_game game;

	mrl_game_init(&game, &labeller->rules, start, plies, LONGEST);
	mrl_search_clear(search);
	while (game.verdict.outcome == MRL_ONGOING && game.count < LONGEST) {
		bool attacks = game.position.side == start->side;
		struct labelled labelled;
		struct mrl_turn turn;

		for (unsigned i = 0; i < WALKS; i++)
			walk(labeller, &game.position, SHORT_WALK);
		if (!label(labeller, &game.position, &labelled) || labelled.result != (attacks ? WON : LOST))
			return;
		if (!attacks) {
			if (!defend(labeller, &game.position, &turn))
				return;
		} else {
			if (mrl_search_run(search, &game, &limits, &result) != MRL_OK)
				return;
			turn = result.lines[0].turns[0];
		}
		if (mrl_game_play(&game, &turn, NULL) != MRL_OK)
			return;
	}
}

int chase_for_positions(const struct position_source *source, FILE *out)
{
	static struct labeller labeller;
	void *memory = malloc(SEARCH_MEMORY);
	bool good = memory != NULL && open_labeller(&labeller, source, out);

	for (unsigned long i = 0; good && i < source->count;) {
		struct mrl_position position = random_position(&labeller, source, 0);
		struct labelled labelled;

		if (!label(&labeller, &position, &labelled) || labelled.result != WON || labelled.plies < LEAST_CHASE)
			continue;
		chase(&labeller, mrl_search_init(memory, SEARCH_MEMORY), source->nodes, &position);
		i++;
	}
	close_labeller(&labeller);
	free(memory);
	return good && ferror(out) == 0 ? 0 : 1;
}
