/* Games of the engine against itself, from random openings. */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

#include <merels/search.h>

#define MEMORY ((size_t)16 << 20)
#define LONGEST 400
#define LABEL_NODES 4 /* the score of a sample comes from so many times the nodes of the play */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static unsigned below(uint64_t *state, size_t limit)
{
	return (unsigned)((next_random(state) >> 33) % limit);
}

static bool play_random(struct mrl_game *game, uint64_t *random)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(game->rules, &game->position, turns, MRL_TURNS_USUAL);

	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	return count > 0 && mrl_game_play(game, &turns[below(random, count)], NULL) == MRL_OK;
}

struct pending {
	struct mrl_position position;
	int score;
};

static bool worth_keeping(const struct mrl_search_result *result)
{
	int score = result->lines[0].score;

	/* The evaluation is asked in quiet positions: not while a take is on. */
	return result->lines[0].turns[0].take[0] == MRL_NO_POINT && score > -2000 && score < 2000;
}

static void write_samples(const struct mrl_game *game, const char *rules, const struct pending *samples, size_t count,
			  FILE *out)
{
	double white = game->verdict.outcome == MRL_WHITE_WINS ? 1 : game->verdict.outcome == MRL_BLACK_WINS ? 0 : 0.5;

	for (size_t i = 0; i < count; i++) {
		const struct mrl_position *position = &samples[i].position;

		fprintf(out, "%s %llx %llx %u %u %u %d %.1f\n", rules, (unsigned long long)position->men[0],
			(unsigned long long)position->men[1], position->hand[0], position->hand[1], position->side,
			samples[i].score, position->side == MRL_WHITE ? white : 1 - white);
	}
}

static void play_game(struct mrl_search *search, const struct mrl_rules *rules, const char *name, unsigned long nodes,
		      uint64_t *random, FILE *out)
{
	static struct mrl_ply plies[LONGEST];
	static struct pending samples[LONGEST];
	size_t count = 0;
	struct mrl_game game;
	unsigned opening = 2 + below(random, 12);

	mrl_game_init(&game, rules, NULL, plies, LONGEST);
	mrl_search_clear(search);
	while (game.verdict.outcome == MRL_ONGOING && game.count < LONGEST) {
		struct mrl_search_limits limits = {.nodes = nodes};
		struct mrl_search_result result;
		bool sample = game.count >= opening && below(random, 2) == 0;

		/* A random turn now and then keeps the games apart and shows what mistakes cost. */
		if (game.count < opening || below(random, 16) == 0) {
			if (!play_random(&game, random))
				return;
			continue;
		}
		if (sample)
			limits.nodes *= LABEL_NODES;
		if (mrl_search_run(search, &game, &limits, &result) != MRL_OK)
			return;
		if (sample && worth_keeping(&result))
			samples[count++] = (struct pending){game.position, result.lines[0].score};
		if (mrl_game_play(&game, &result.lines[0].turns[0], NULL) != MRL_OK)
			return;
	}
	write_samples(&game, name, samples, count, out);
}

int generate(const char *name, unsigned long games, unsigned long nodes, uint64_t seed, FILE *out)
{
	static struct mrl_rules rules;
	struct mrl_error error;
	void *memory = malloc(MEMORY);
	struct mrl_search *search;
	uint64_t random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;

	if (mrl_rules_parse(&rules, name, strlen(name), &error) != MRL_OK || memory == NULL) {
		fprintf(stderr, "merels-fit: %s\n", memory == NULL ? "no memory" : error.message);
		free(memory);
		return 1;
	}
	search = mrl_search_init(memory, MEMORY);
	for (unsigned long i = 0; i < games; i++)
		play_game(search, &rules, name, nodes, &random, out);
	free(memory);
	return 0;
}
