/*
 * Where samples come from: games of the engine against itself from random openings, and random endings. What exact
 * tables know is labelled by them, the positions of a game before by the value with which it came into the tables.
 */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>
#include <merels/search.h>
#include <merels/table.h>

#include "chance.h"

#define MEMORY ((size_t)16 << 20)
#define LONGEST 400
#define LABEL_NODES 4 /* the score of a sample comes from so many times the nodes of the play */

static bool play_random(struct mrl_game *game, uint64_t *random)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(game->rules, &game->position, turns, MRL_TURNS_USUAL);

	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	return count > 0 && mrl_game_play(game, &turns[chance_below(random, count)], NULL) == MRL_OK;
}

/* ---- What is needed ----------------------------------------------------------------------------------------- */

struct workshop {
	struct mrl_rules rules;
	struct mrl_rules table_rules;
	struct mrl_tables *tables; /* or NULL */
	struct mrl_search *search;
	void *memory; /* owned */
	const char *name;
	unsigned long nodes;
	uint64_t random;
	FILE *out;
};

static bool open_workshop(struct workshop *workshop, const struct source *source, FILE *out)
{
	struct mrl_error error = {0};

	workshop->name = source->rules;
	workshop->nodes = source->nodes;
	workshop->random = chance_seeded(source->seed);
	workshop->out = out;
	workshop->memory = malloc(MEMORY);
	if (workshop->memory == NULL) {
		fprintf(stderr, "merels-fit: no memory\n");
		return false;
	}
	workshop->search = mrl_search_init(workshop->memory, MEMORY);
	if (mrl_rules_parse(&workshop->rules, source->rules, strlen(source->rules), &error) == MRL_OK &&
	    (source->folder == NULL ||
	     (mrl_rules_parse(&workshop->table_rules, source->table_rules, strlen(source->table_rules), &error) ==
		  MRL_OK &&
	      mrl_tables_open(&workshop->tables, source->folder, &workshop->table_rules, MEMORY, &error) == MRL_OK)))
		return true;
	fprintf(stderr, "merels-fit: %s\n", error.message);
	return false;
}

static void close_workshop(struct workshop *workshop)
{
	mrl_tables_close(workshop->tables);
	free(workshop->memory);
}

/* The exact result for the side to move; false when the tables do not know it. Fewer men differ only with hands. */
static bool look_up(const struct workshop *workshop, const struct mrl_position *position, double *result)
{
	struct mrl_position asked = *position;
	struct mrl_table_value value;

	if (workshop->tables == NULL ||
	    (workshop->table_rules.men != workshop->rules.men && position->hand[0] + position->hand[1] > 0))
		return false;
	asked.hash = mrl_position_hash(&workshop->table_rules, position);
	if (mrl_position_check(&workshop->table_rules, &asked, NULL) != MRL_OK ||
	    mrl_tables_probe(workshop->tables, &asked, &value, NULL) != MRL_OK)
		return false;
	*result = value.result == MRL_TABLE_WIN ? 1 : value.result == MRL_TABLE_LOSS ? 0 : 0.5;
	return true;
}

static bool worth_keeping(const struct mrl_search_result *result)
{
	int score = result->lines[0].score;

	/* The evaluation is asked in quiet positions: not while a take is on. */
	return result->lines[0].turns[0].take[0] == MRL_NO_POINT && score > -2000 && score < 2000;
}

struct pending {
	struct mrl_position position;
	int score;
	double result; /* for the side to move */
	bool exact;
};

static void write_sample(const struct workshop *workshop, const struct pending *sample)
{
	const struct mrl_position *position = &sample->position;

	fprintf(workshop->out, "%s %llx %llx %u %u %u %d %.1f %d\n", workshop->name,
		(unsigned long long)position->men[0], (unsigned long long)position->men[1], position->hand[0],
		position->hand[1], position->side, sample->score, sample->result, sample->exact);
}

/* ---- Games -------------------------------------------------------------------------------------------------- */

/* A game as far as it has been told: `white` is what came of it, once that is known. */
struct course {
	struct pending samples[LONGEST];
	size_t count;
	size_t open; /* samples from here on await their result */
};

/* The samples that await it get the result, for White. */
static void settle(struct course *course, double white)
{
	for (; course->open < course->count; course->open++) {
		struct pending *sample = &course->samples[course->open];

		if (!sample->exact)
			sample->result = sample->position.side == MRL_WHITE ? white : 1 - white;
	}
}

static void add_sample(const struct workshop *workshop, struct course *course, const struct mrl_position *position,
		       int score)
{
	struct pending *sample = &course->samples[course->count++];

	*sample = (struct pending){.position = *position, .score = score};
	sample->exact = look_up(workshop, position, &sample->result);
}

static void play_game(struct workshop *workshop)
{
	static struct mrl_ply plies[LONGEST];
	static struct course course;
	struct mrl_game game;
	unsigned opening = 2 + chance_below(&workshop->random, 12);

	course.count = 0;
	course.open = 0;
	mrl_game_init(&game, &workshop->rules, NULL, plies, LONGEST);
	mrl_search_clear(workshop->search);
	while (game.verdict.outcome == MRL_ONGOING && game.count < LONGEST) {
		struct mrl_search_limits limits = {.nodes = workshop->nodes};
		struct mrl_search_result result;
		double exact;
		bool sample = game.count >= opening && chance_below(&workshop->random, 2) == 0;

		if (look_up(workshop, &game.position, &exact))
			settle(&course, game.position.side == MRL_WHITE ? exact : 1 - exact);
		/* A random turn now and then keeps the games apart and shows what mistakes cost. */
		if (game.count < opening || chance_below(&workshop->random, 16) == 0) {
			if (!play_random(&game, &workshop->random))
				return;
			continue;
		}
		if (sample)
			limits.nodes *= LABEL_NODES;
		if (mrl_search_run(workshop->search, &game, &limits, &result) != MRL_OK)
			return;
		if (sample && worth_keeping(&result))
			add_sample(workshop, &course, &game.position, result.lines[0].score);
		if (mrl_game_play(&game, &result.lines[0].turns[0], NULL) != MRL_OK)
			return;
	}
	settle(&course, game.verdict.outcome == MRL_WHITE_WINS ? 1 : game.verdict.outcome == MRL_BLACK_WINS ? 0 : 0.5);
	for (size_t i = 0; i < course.count; i++)
		write_sample(workshop, &course.samples[i]);
}

int generate(const struct source *source, unsigned long games, FILE *out)
{
	static struct workshop workshop;
	bool good = open_workshop(&workshop, source, out);

	for (unsigned long i = 0; i < games && good; i++)
		play_game(&workshop);
	close_workshop(&workshop);
	return good ? 0 : 1;
}

/* ---- Endings ------------------------------------------------------------------------------------------------ */

static mrl_points random_men(struct workshop *workshop, mrl_points taken)
{
	unsigned men = 3 + chance_below(&workshop->random, workshop->table_rules.men - 2U);
	mrl_points set = 0;

	while (mrl_popcount(set) < men)
		set |= mrl_point_bit(chance_below(&workshop->random, workshop->rules.board.point_count)) & ~taken;
	return set;
}

int draw_endings(const struct source *source, unsigned long count, FILE *out)
{
	static struct workshop workshop;
	bool good = open_workshop(&workshop, source, out);

	for (unsigned long i = 0; i < count && good;) {
		struct pending sample = {.exact = true};
		struct mrl_search_limits limits = {.nodes = source->nodes};
		struct mrl_search_result result;
		struct mrl_game game;

		sample.position.men[0] = random_men(&workshop, 0);
		sample.position.men[1] = random_men(&workshop, sample.position.men[0]);
		sample.position.hash = mrl_position_hash(&workshop.rules, &sample.position);
		if (!look_up(&workshop, &sample.position, &sample.result))
			continue;
		mrl_game_init(&game, &workshop.rules, &sample.position, NULL, 0);
		mrl_search_clear(workshop.search);
		if (mrl_search_run(workshop.search, &game, &limits, &result) != MRL_OK || !worth_keeping(&result))
			continue;
		sample.score = result.lines[0].score;
		write_sample(&workshop, &sample);
		i++;
	}
	close_workshop(&workshop);
	return good ? 0 : 1;
}
