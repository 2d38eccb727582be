#include "positions.h"

#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <merels/search.h>
#include <merels/table.h>

#include "chance.h"

#define SEARCH_MEMORY ((size_t)16 << 20)
#define TABLE_CACHE ((size_t)5 << 30) /* all of nine unpacked: positions come in no order */
#define LONGEST 160
#define WALKS 4        /* from each position of a game */
#define LONGEST_WALK 6 /* plies */

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
	    mrl_tables_open(&labeller->endings, source->endings_folder, &labeller->endings_rules, SEARCH_MEMORY,
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

/* Writes a position that the tables know and that is not over. */
static bool write_position(const struct labeller *labeller, const struct mrl_position *position)
{
	unsigned side = position->side;
	struct mrl_table_value value;
	struct labelled labelled;

	if (mrl_position_verdict(&labeller->rules, position).outcome != MRL_ONGOING ||
	    !look_up(labeller, position, &value))
		return false;
	labelled = (struct labelled){
	    .own = (uint32_t)position->men[side],
	    .enemies = (uint32_t)position->men[side ^ 1U],
	    .own_hand = position->hand[side],
	    .enemy_hand = position->hand[side ^ 1U],
	    .result = value.result == MRL_TABLE_WIN    ? 2
		      : value.result == MRL_TABLE_LOSS ? 0
						       : 1,
	    .plies = (uint8_t)(value.plies == MRL_TABLE_NO_PLIES ? UNKNOWN_PLIES
			       : value.plies > 254               ? 254
								 : value.plies),
	};
	return fwrite(&labelled, sizeof labelled, 1, labeller->out) == 1;
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

static void walk(struct labeller *labeller, const struct mrl_position *from)
{
	struct mrl_position position = *from;
	unsigned plies = chance_below(&labeller->random, LONGEST_WALK + 1);

	position.no_mill = 0;
	position.three_men = 0;
	for (; plies > 0; plies--)
		if (!step_randomly(labeller, &position))
			return;
	(void)write_position(labeller, &position);
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
			walk(labeller, &game.position);
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

int draw_positions(const struct position_source *source, FILE *out)
{
	static struct labeller labeller;
	bool good = open_labeller(&labeller, source, out);
	bool any = source->men[0] == 0;

	for (unsigned long i = 0; i < source->count && good;) {
		struct mrl_position position = {0};
		unsigned most = i % 3 == 0 ? labeller.rules.men : labeller.endings_rules.men;

		position.men[0] = random_men(&labeller, 0, any ? men_below(&labeller, most) : source->men[1 - i % 2]);
		position.men[1] =
		    random_men(&labeller, position.men[0], any ? men_below(&labeller, most) : source->men[i % 2]);
		position.hash = mrl_position_hash(&labeller.rules, &position);
		i += write_position(&labeller, &position);
	}
	close_labeller(&labeller);
	return good && ferror(out) == 0 ? 0 : 1;
}
