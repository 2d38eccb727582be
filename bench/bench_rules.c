/*
 * Every number is taken over whole runs until the time is up, on one thread; the clock is read only between runs.
 * Positions come from random games with a fixed seed, so that all runs measure the same work.
 */
#include "bench_rules.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <merels/builtins.h>
#include <merels/rules.h>
#include <os/clock.h>

enum { SAMPLES = 512, MOST_PLIES = 120 };

/* A position on the way of a game, and its legal turns. */
struct sample {
	struct mrl_position position;
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count;
};

/* Marsaglia's xorshift64, good enough to choose turns. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Fills `samples` with the positions of random games. */
static void play_samples(const struct mrl_rules *rules, struct sample samples[SAMPLES])
{
	uint64_t random = UINT64_C(0x6d6572656c73);
	struct mrl_position position;
	size_t filled = 0;
	unsigned plies = 0;

	mrl_position_start(rules, &position);
	while (filled < SAMPLES) {
		struct sample *sample = &samples[filled];

		sample->position = position;
		sample->count = mrl_turns(rules, &position, sample->turns, MRL_TURNS_USUAL);
		if (sample->count == 0 || plies == MOST_PLIES) {
			mrl_position_start(rules, &position);
			plies = 0;
			continue;
		}
		filled++;
		plies++;
		(void)mrl_apply(rules, &position, &sample->turns[next_random(&random) % sample->count], NULL);
	}
}

/* ---- perft -------------------------------------------------------------------------------------------------- */

/* The depth whose count takes some tenths of a second at most: deep enough to measure, not to wait for. */
static unsigned choose_depth(const struct mrl_rules *rules, const struct mrl_position *start, double seconds)
{
	unsigned depth = 1;

	for (;;) {
		uint64_t begin = mrl_clock_now();
		uint64_t nodes = mrl_perft(rules, start, depth);
		double passed = mrl_clock_since(begin);

		/* Each ply more is about 20 times the work. */
		if (passed * 20 > seconds || nodes == 0)
			return depth;
		depth++;
	}
}

static void measure_perft(const struct mrl_rules *rules, const char *name, double seconds)
{
	struct mrl_position start;
	uint64_t turns = 0;
	double passed;

	mrl_position_start(rules, &start);
	unsigned depth = choose_depth(rules, &start, seconds);
	uint64_t begin = mrl_clock_now();

	do {
		turns += mrl_perft(rules, &start, depth);
		passed = mrl_clock_since(begin);
	} while (passed < seconds);
	printf("perft      %-11s depth %2u  %8.1f million turns/s\n", name, depth, (double)turns / passed / 1e6);
	(void)fflush(stdout);
}

/* ---- Apply and undo ----------------------------------------------------------------------------------------- */

static void measure_apply(const struct mrl_rules *rules, struct sample samples[SAMPLES], const char *name,
			  double seconds)
{
	uint64_t pairs = 0;
	uint64_t check = 0;
	uint64_t begin = mrl_clock_now();
	double passed;

	do {
		for (size_t i = 0; i < SAMPLES; i++) {
			struct mrl_position *position = &samples[i].position;

			for (size_t j = 0; j < samples[i].count; j++) {
				struct mrl_undo undo;

				check += mrl_apply(rules, position, &samples[i].turns[j], &undo);
				mrl_undo(rules, position, &samples[i].turns[j], &undo);
			}
			pairs += samples[i].count;
		}
		passed = mrl_clock_since(begin);
	} while (passed < seconds);
	/* The mills closed keep the compiler from leaving the work out. */
	printf("apply+undo %-11s           %8.1f million pairs/s (%.3f mills a turn)\n", name,
	       (double)pairs / passed / 1e6, (double)check / (double)pairs);
	(void)fflush(stdout);
}

/* ---- Mill tests --------------------------------------------------------------------------------------------- */

static void measure_mills(const struct mrl_rules *rules, const struct sample samples[SAMPLES], const char *name,
			  double seconds)
{
	const struct mrl_board *board = &rules->board;
	uint64_t tests = 0;
	uint64_t mills = 0;
	uint64_t begin = mrl_clock_now();
	double passed;

	do {
		for (size_t i = 0; i < SAMPLES; i++) {
			for (unsigned point = 0; point < board->point_count; point++)
				mills += mrl_mills_closed(board, samples[i].position.men[MRL_WHITE], point);
		}
		tests += (uint64_t)SAMPLES * board->point_count;
		passed = mrl_clock_since(begin);
	} while (passed < seconds);
	printf("mill tests %-11s           %8.1f million tests/s (%.3f closed)\n", name, (double)tests / passed / 1e6,
	       (double)mills / (double)tests);
	(void)fflush(stdout);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

enum what { PERFT, APPLY, MILLS, WHATS };

static void measure(enum what what, const struct mrl_rules *rules, struct sample *samples, const char *name,
		    double seconds)
{
	if (what == PERFT) {
		measure_perft(rules, name, seconds);
		return;
	}
	play_samples(rules, samples);
	if (what == APPLY)
		measure_apply(rules, samples, name, seconds);
	else
		measure_mills(rules, samples, name, seconds);
}

bool bench_rules(double seconds)
{
	static struct mrl_rules rules;
	struct sample *samples = malloc(SAMPLES * sizeof(*samples));

	if (samples == NULL)
		return false;
	for (enum what what = PERFT; what < WHATS; what++) {
		for (size_t i = 0; mrl_preset(i) != NULL; i++) {
			const char *name = mrl_preset(i)->name;
			size_t length = 0;

			while (name[length] != '\0')
				length++;
			if (mrl_rules_parse(&rules, name, length, NULL) == MRL_OK)
				measure(what, &rules, samples, name, seconds);
		}
	}
	free(samples);
	return true;
}
