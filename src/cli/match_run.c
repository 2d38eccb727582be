/*
 * All the games of a match. Each of the threads has engines of its own and plays one game after the other; whatever
 * they share is changed inside one monitor.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <os/clock.h>
#include <os/interrupt.h>
#include <os/thread.h>

#include "commands.h"
#include "match.h"

#define NO_RESULT 255

struct run {
	const struct match_plan *plan;
	struct mrl_monitor *monitor;
	struct match_openings *openings;
	struct match_meeting *meetings; /* of each round, in order */
	size_t meeting_count;
	uint64_t next;                /* game to be begun */
	struct match_opening opening; /* of the round that `next` is in */
	bool has_opening;
	uint8_t *halves; /* of each pair, what its first finished game brought the first engine; or NO_RESULT */
	struct match_totals totals;
	struct match_show show;
	atomic_bool ended; /* decided, or something failed that ends the match */
	bool system_failed;
};

struct slot {
	struct run *run;
	struct match_seat seat;
	struct mrl_thread *thread;
};

static bool must_stop(void *context)
{
	struct run *run = context;

	return atomic_load(&run->ended) || mrl_interrupted();
}

/* ---- Which game is next ------------------------------------------------------------------------------------- */

struct job {
	uint64_t number;
	size_t white;
	size_t black;
	bool first_is_white;
	const struct match_meeting *meeting;
};

/* Hands out the next game and its opening; false when there is none. Inside the monitor. */
static bool take_job(struct run *run, struct job *job, struct match_result *result)
{
	uint64_t in_round = 2 * run->meeting_count;

	if (must_stop(run) || run->next == run->totals.wanted)
		return false;
	if (run->next % in_round == 0) {
		if (run->has_opening)
			match_opening_release(&run->opening);
		run->has_opening = match_openings_next(run->openings, &run->opening);
	}
	if (!run->has_opening || !match_opening_copy(&result->opening, &run->opening)) {
		(void)cli_no_memory(&cli_match);
		run->system_failed = true;
		atomic_store(&run->ended, true);
		return false;
	}
	job->number = run->next++;
	job->meeting = &run->meetings[job->number / 2 % run->meeting_count];
	/* So that in a match that is broken off both have had White as often. */
	job->first_is_white = job->number % 2 == 0;
	job->white = job->first_is_white ? job->meeting->first : job->meeting->second;
	job->black = job->first_is_white ? job->meeting->second : job->meeting->first;
	return true;
}

static void count_result(struct run *run, const struct job *job, const struct match_result *result)
{
	struct match_totals *totals = &run->totals;
	size_t count = run->plan->engine_count;
	size_t forward = job->meeting->first * count + job->meeting->second;
	bool first_won = (result->outcome == MRL_WHITE_WINS) == job->first_is_white;
	unsigned half_points = result->outcome == MRL_DRAW ? 1 : first_won ? 2 : 0;
	uint8_t *half = &run->halves[job->number / 2];

	match_tally_game(&totals->results[forward], half_points);
	if (*half == NO_RESULT)
		*half = (uint8_t)half_points;
	else
		totals->results[forward].pairs[*half + half_points]++;
	totals->results[job->meeting->second * count + job->meeting->first] =
	    match_tally_reverse(&totals->results[forward]);
	totals->games++;
	totals->turns += result->note_count;
	if (result->failed)
		totals->failures[result->failed_engine]++;
	if (run->plan->has_sprt && totals->decision == MATCH_GO_ON) {
		totals->decision = match_sprt_decide(&run->plan->sprt, totals->results[1].pairs);
		if (totals->decision != MATCH_GO_ON)
			atomic_store(&run->ended, true);
	}
}

/* Inside the monitor. A game that was broken off, or ended after the match was decided, does not count. */
static void finish_job(struct run *run, const struct job *job, const struct match_result *result)
{
	if (result->outcome == MRL_ONGOING || must_stop(run))
		return;
	count_result(run, job, result);
	if (!match_show_game(&run->show, &run->totals, job->number, job->white, job->black, result)) {
		run->system_failed = true;
		atomic_store(&run->ended, true);
	}
}

static void play_games(void *context)
{
	struct slot *slot = context;
	struct run *run = slot->run;

	for (;;) {
		struct match_result result = {.outcome = MRL_ONGOING};
		struct job job;

		mrl_monitor_enter(run->monitor);
		bool more = take_job(run, &job, &result);

		mrl_monitor_leave(run->monitor);
		if (!more)
			return;
		match_game_play(&slot->seat, job.white, job.black, &result);
		mrl_monitor_enter(run->monitor);
		finish_job(run, &job, &result);
		mrl_monitor_leave(run->monitor);
		match_result_release(&result);
	}
}

/* ---- Threads ------------------------------------------------------------------------------------------------ */

static void end_slot(struct slot *slot, size_t engine_count)
{
	for (size_t i = 0; slot->seat.engines != NULL && i < engine_count; i++)
		match_engine_end(slot->seat.engines[i], NULL);
	free(slot->seat.engines);
	slot->seat.engines = NULL;
}

/* Starts every engine once, so that a wrong command is told before anything is played. */
static bool try_engines(struct run *run, struct slot *slot)
{
	for (size_t i = 0; i < run->plan->engine_count; i++) {
		char why[256];
		enum match_trouble trouble =
		    match_engine_start(&slot->seat.engines[i], run->plan, i, &slot->seat.watch, why);

		if (trouble == MATCH_FINE) {
			if (!match_engine_is_ours(slot->seat.engines[i]))
				cli_complain(&cli_match, "%s has no option Rules: it is trusted to play %s",
					     run->plan->engines[i].name, run->plan->rules_text);
			continue;
		}
		if (trouble != MATCH_INTERRUPTED)
			cli_complain(&cli_match, "%s: %s", run->plan->engines[i].command, why);
		return false;
	}
	return true;
}

static bool play_all(struct run *run)
{
	const struct match_plan *plan = run->plan;
	struct slot *slots = calloc(plan->concurrency, sizeof(*slots));
	bool good = slots != NULL;

	for (unsigned i = 0; good && i < plan->concurrency; i++) {
		slots[i].run = run;
		slots[i].seat.plan = plan;
		slots[i].seat.watch = (struct match_watch){must_stop, run};
		slots[i].seat.engines = calloc(plan->engine_count, sizeof(struct match_engine *));
		good = slots[i].seat.engines != NULL;
	}
	if (!good)
		(void)cli_no_memory(&cli_match);
	good = good && try_engines(run, &slots[0]);
	if (good) {
		run->totals.begin = mrl_clock_now();
		for (unsigned i = 1; i < plan->concurrency; i++)
			slots[i].thread = mrl_thread_start(play_games, &slots[i]);
		play_games(&slots[0]);
		for (unsigned i = 1; i < plan->concurrency; i++)
			mrl_thread_join(slots[i].thread);
	}
	for (unsigned i = 0; slots != NULL && i < plan->concurrency; i++)
		end_slot(&slots[i], plan->engine_count);
	free(slots);
	return good;
}

/* ---- The match ---------------------------------------------------------------------------------------------- */

static bool prepare(struct run *run)
{
	size_t count = run->plan->engine_count;
	size_t meetings = count * (count - 1) / 2;
	size_t pairs = meetings * run->plan->rounds;

	run->monitor = mrl_monitor_new();
	run->meetings = malloc(meetings * sizeof(*run->meetings));
	run->halves = malloc(pairs);
	run->totals.results = calloc(count * count, sizeof(*run->totals.results));
	if (run->monitor == NULL || run->meetings == NULL || run->halves == NULL || run->totals.results == NULL) {
		(void)cli_no_memory(&cli_match);
		return false;
	}
	memset(run->halves, NO_RESULT, pairs);
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			run->meetings[run->meeting_count++] = (struct match_meeting){i, j};
	run->totals.wanted = 2 * pairs;
	run->openings = match_openings_new(run->plan);
	return run->openings != NULL;
}

static int code_of(const struct run *run)
{
	if (run->system_failed)
		return CLI_SYSTEM;
	for (size_t i = 0; i < run->plan->engine_count; i++)
		if (run->totals.failures[i] > 0)
			return CLI_NO;
	if (run->plan->has_sprt)
		return run->totals.decision == MATCH_ELO1 ? CLI_GOOD : CLI_NO;
	return run->totals.interrupted ? CLI_NO : CLI_GOOD;
}

int match_run(const struct match_plan *plan)
{
	struct run run = {.plan = plan};
	int code = CLI_SYSTEM;

	mrl_interrupt_catch();
	if (prepare(&run) && match_show_begin(&run.show, plan)) {
		if (play_all(&run)) {
			run.totals.interrupted = mrl_interrupted();
			match_show_table(&run.show, &run.totals);
			code = code_of(&run);
		}
		match_show_end(&run.show);
	}
	if (run.has_opening)
		match_opening_release(&run.opening);
	match_openings_free(run.openings);
	mrl_monitor_free(run.monitor);
	free(run.meetings);
	free(run.halves);
	free(run.totals.results);
	return code;
}
