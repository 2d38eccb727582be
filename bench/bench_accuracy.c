/*
 * The positions come from games of random turns, one of each game, all different: placing and moving in turns that no
 * plan has made alike. Only those count whose value, and that of every turn, the tables know. Each is searched on its
 * own, with nothing learned before, and what its turn is worth is compared with the best.
 */
#include "bench_accuracy.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 80, GAMES_A_POSITION = 400 };

#define SEED UINT64_C(0x6163637572616379)

static const unsigned budgets[] = {1000, 10000, 100000};

struct sample {
	struct mrl_position position;
	int best;
};

struct samples {
	struct sample *sample;
	size_t count;     /* drawn */
	size_t dangerous; /* those with a turn that gives something away; they come first in `sample` */
	uint64_t *seen;   /* hashes, open addressing, 0 for none */
	size_t seen_mask;
};

static bool seen_before(struct samples *samples, uint64_t hash)
{
	size_t at = hash & samples->seen_mask;

	for (; samples->seen[at] != 0; at = (at + 1) & samples->seen_mask)
		if (samples->seen[at] == hash)
			return true;
	samples->seen[at] = hash;
	return false;
}

/* The position after so many random turns; false when the game was over before. */
static bool play_random(const struct mrl_rules *rules, unsigned plies, uint64_t *random, struct mrl_position *position)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];

	mrl_position_start(rules, position);
	for (;; plies--) {
		size_t count = mrl_turns(rules, position, turns, MRL_TURNS_USUAL);

		if (count == 0 || count > MRL_TURNS_USUAL)
			return false;
		if (plies == 0)
			break;
		(void)mrl_apply(rules, position, &turns[exact_random(random, count)], NULL);
	}
	position->no_mill = 0; /* the tables know no counters, so none shall be near */
	position->three_men = 0;
	return true;
}

/* Whether the tables know the position and all that comes of it; `worst` is what its worst turn is worth. */
static bool is_known(const struct exact *exact, const struct mrl_position *position, int *best, int *worst)
{
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(&exact->rules, position, turns, MRL_TURNS_USUAL);
	struct mrl_exact value;

	if (!exact_value(exact, position, &value))
		return false;
	*best = value.value;
	*worst = 1;
	for (size_t i = 0; i < count; i++) {
		if (!exact_turn_value(exact, position, &turns[i], &value))
			return false;
		if (value.value < *worst)
			*worst = value.value;
	}
	return true;
}

static void draw(const struct exact *exact, unsigned long wanted, struct samples *samples)
{
	uint64_t random = SEED;

	for (uint64_t games = 0; samples->count < wanted && games < (uint64_t)wanted * GAMES_A_POSITION; games++) {
		struct mrl_position position;
		unsigned plies = exact_random(&random, LONGEST);
		int best;
		int worst;

		if (!play_random(&exact->rules, plies, &random, &position) ||
		    !is_known(exact, &position, &best, &worst) || seen_before(samples, position.hash | 1))
			continue;
		samples->count++;
		if (worst < best)
			samples->sample[samples->dangerous++] = (struct sample){position, best};
	}
}

struct given {
	unsigned long half;
	unsigned long one;
};

static struct given search_all(const struct exact *exact, const struct samples *samples, unsigned nodes)
{
	struct given given = {0};

	for (size_t i = 0; i < samples->dangerous; i++) {
		const struct sample *sample = &samples->sample[i];
		struct mrl_search_limits limits = {.nodes = nodes};
		struct mrl_search_result result;
		struct mrl_exact value = {0};
		struct mrl_game game;

		mrl_game_init(&game, &exact->rules, &sample->position, NULL, 0);
		mrl_search_clear(exact->search);
		if (mrl_search_run(exact->search, &game, &limits, &result) != MRL_OK ||
		    !exact_turn_value(exact, &sample->position, &result.lines[0].turns[0], &value))
			continue;
		given.half += sample->best - value.value == 1;
		given.one += sample->best - value.value == 2;
	}
	return given;
}

static double percent(unsigned long part, size_t whole)
{
	return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

static void measure(const struct exact *exact, const char *name, unsigned long wanted, struct samples *samples)
{
	draw(exact, wanted, samples);
	printf("%s: %zu positions of random games that the tables know; in %zu a turn can give something away\n", name,
	       samples->count, samples->dangerous);
	printf("  %7s  %6s  %6s  %13s  %22s\n", "nodes", "a half", "a whole", "of all", "where it is possible");
	for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
		struct given given = search_all(exact, samples, budgets[i]);

		printf("  %7u  %6lu  %7lu  %11.2f %%  %20.2f %%\n", budgets[i], given.half, given.one,
		       percent(given.half + given.one, samples->count),
		       percent(given.half + given.one, samples->dangerous));
		(void)fflush(stdout);
	}
}

/* False when there is no memory. */
static bool make_room(struct samples *samples, unsigned long wanted)
{
	size_t slots = 1;

	while (slots < 2 * (size_t)wanted)
		slots *= 2;
	*samples = (struct samples){.sample = malloc(wanted * sizeof(*samples->sample)),
				    .seen = calloc(slots, sizeof(*samples->seen)),
				    .seen_mask = slots - 1};
	return samples->sample != NULL && samples->seen != NULL;
}

bool bench_accuracy(const struct exact_settings *settings)
{
	static struct exact exact;
	bool good = true;

	for (size_t i = 0; i < settings->rule_count && good; i++) {
		struct samples samples = {0};
		enum exact_opened opened = exact_open(&exact, settings->folder, settings->rules[i]);

		if (opened == EXACT_SKIPPED)
			continue;
		good = opened == EXACT_OPEN && make_room(&samples, settings->positions);
		if (good)
			measure(&exact, settings->rules[i], settings->positions, &samples);
		free(samples.sample);
		free(samples.seen);
		exact_close(&exact);
	}
	return good;
}
