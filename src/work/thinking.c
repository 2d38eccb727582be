#include "thinking.h"

#include <stdlib.h>
#include <string.h>

#include <merels/perfect.h>
#include <merels/player.h>
#include <merels/text.h>
#include <os/thread.h>

enum {
	MEGABYTES = 16,       /* of each search's transposition table */
	MOST_OF_A_THREAD = 4, /* chores that wait */
	LINE_SIZE = MRL_TURN_TEXT_SIZE + 48
};

struct thinker {
	struct thinking *thinking;
	struct mrl_thread *thread;
	struct mrl_player *player;
	struct chore *chore; /* under the monitor */
	struct mrl_rules rules;
};

struct thinking {
	struct mrl_monitor *monitor;
	const struct mrl_shelf *shelf; /* nothing of it changes */
	void (*wake)(void *context);
	void *context;
	struct thinker *thinkers;
	unsigned count;
	struct chore *first; /* all of these under the monitor */
	struct chore *done;
	size_t waiting;
	bool ending;
};

void chore_free(struct chore *chore)
{
	if (chore == NULL)
		return;
	free(chore->outcome);
	free(chore);
}

/* ---- The threads -------------------------------------------------------------------------------------------- */

static void fail(struct chore *chore, const char *why)
{
	struct mrl_text text = mrl_error_open(&chore->error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, why);
}

static void choose(struct thinker *thinker, struct chore *chore, const struct mrl_game *game, struct mrl_tables *tables)
{
	const struct mrl_job *job = &chore->job;
	struct mrl_player_limits limits = {.time = job->time,
					   .level = job->level,
					   .seed = job->seed,
					   .has_clock = job->left != 0,
					   .clock = {.left = job->left, .increment = job->increment}};
	struct mrl_player_report *report = malloc(sizeof(*report));

	chore->outcome = malloc(MRL_TURN_TEXT_SIZE);
	if (report == NULL || chore->outcome == NULL) {
		free(report);
		fail(chore, "there is not enough memory");
		return;
	}
	if (tables != NULL) {
		limits.probe = mrl_shelf_probe;
		limits.probe_context = tables;
	}
	enum mrl_status status = mrl_player_think(thinker->player, game, &limits, report);

	/* Even a search that was stopped at once has a legal turn. */
	if (status == MRL_OK || status == MRL_STOPPED) {
		chore->length =
		    mrl_turn_write(&thinker->rules.board, &report->result.lines[0].turns[0], chore->outcome);
		chore->good = true;
	} else {
		fail(chore, mrl_status_text(status));
	}
	free(report);
}

static void write_rated(struct chore *chore, const struct mrl_board *board, const struct mrl_perfect *perfect)
{
	static const char *const values[] = {
	    [MRL_TABLE_DRAW] = "draw", [MRL_TABLE_WIN] = "win", [MRL_TABLE_LOSS] = "loss"};
	size_t size = perfect->count * LINE_SIZE;

	chore->outcome = malloc(size);
	if (chore->outcome == NULL) {
		fail(chore, "there is not enough memory");
		return;
	}
	struct mrl_text text = mrl_text_in(chore->outcome, size);

	for (size_t i = 0; i < perfect->count; i++) {
		const struct mrl_perfect_turn *turn = &perfect->turns[i];
		char name[MRL_TURN_TEXT_SIZE];

		(void)mrl_turn_write(board, &turn->turn, name);
		mrl_text_add(&text, name);
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, values[turn->value.result]);
		mrl_text_char(&text, ' ');
		if (turn->value.plies == MRL_TABLE_NO_PLIES)
			mrl_text_char(&text, '-');
		else
			mrl_text_number(&text, turn->value.plies);
		mrl_text_char(&text, ' ');
		mrl_text_number(&text, turn->traps);
		mrl_text_char(&text, '\n');
	}
	chore->length = text.length;
	chore->best = (unsigned)perfect->best;
	chore->good = true;
}

static void rate(struct thinker *thinker, struct chore *chore, const struct mrl_game *game, struct mrl_tables *tables)
{
	struct mrl_perfect perfect;
	enum mrl_status status = mrl_perfect_rate(tables, game, &perfect, &chore->error);

	/* The game is over: there are no turns, which is an answer too. */
	if (status == MRL_DECIDED)
		chore->good = true;
	if (status != MRL_OK)
		return;
	write_rated(chore, &thinker->rules.board, &perfect);
	mrl_perfect_release(&perfect);
}

static void think(struct thinker *thinker, struct chore *chore)
{
	struct mrl_tables *tables =
	    chore->job.tables ? mrl_shelf_find(thinker->thinking->shelf, chore->job.rules) : NULL;
	struct mrl_game game;

	if (chore->job.tables && tables == NULL) {
		fail(chore, "there are no tables of these rules here");
		return;
	}
	if (mrl_job_set_up(&chore->job, &thinker->rules, &game, &chore->error) != MRL_OK)
		return;
	if (chore->job.kind == MRL_WORK_TURN)
		choose(thinker, chore, &game, tables);
	else
		rate(thinker, chore, &game, tables);
	free(game.plies);
}

static void run(void *argument)
{
	struct thinker *thinker = argument;
	struct thinking *thinking = thinker->thinking;

	mrl_monitor_enter(thinking->monitor);
	while (!thinking->ending) {
		struct chore *chore = thinking->first;

		if (chore == NULL) {
			mrl_monitor_wait(thinking->monitor);
			continue;
		}
		thinking->first = chore->next;
		thinking->waiting--;
		thinker->chore = chore;
		mrl_monitor_leave(thinking->monitor);
		think(thinker, chore);
		mrl_monitor_enter(thinking->monitor);
		thinker->chore = NULL;
		if (chore->dropped || thinking->ending) {
			chore_free(chore);
			continue;
		}
		chore->next = thinking->done;
		thinking->done = chore;
		thinking->wake(thinking->context);
	}
	mrl_monitor_leave(thinking->monitor);
}

/* ---- The thread of the bus ---------------------------------------------------------------------------------- */

struct thinking *thinking_start(unsigned threads, const struct mrl_shelf *shelf, void (*wake)(void *context),
				void *context)
{
	struct thinking *thinking = calloc(1, sizeof(*thinking));

	if (thinking == NULL)
		return NULL;
	thinking->shelf = shelf;
	thinking->wake = wake;
	thinking->context = context;
	thinking->monitor = mrl_monitor_new();
	thinking->thinkers = calloc(threads, sizeof(*thinking->thinkers));
	bool good = thinking->monitor != NULL && thinking->thinkers != NULL;

	for (unsigned i = 0; i < threads && good; i++) {
		struct thinker *thinker = &thinking->thinkers[i];

		thinker->thinking = thinking;
		thinker->player = mrl_player_new(1, MEGABYTES);
		thinking->count = i + 1;
		thinker->thread = thinker->player != NULL ? mrl_thread_start(run, thinker) : NULL;
		good = thinker->thread != NULL;
	}
	if (good)
		return thinking;
	thinking_stop(thinking);
	return NULL;
}

static void free_list(struct chore *chore)
{
	while (chore != NULL) {
		struct chore *next = chore->next;

		chore_free(chore);
		chore = next;
	}
}

void thinking_stop(struct thinking *thinking)
{
	if (thinking == NULL)
		return;
	if (thinking->monitor != NULL) {
		mrl_monitor_enter(thinking->monitor);
		thinking->ending = true;
		mrl_monitor_wake(thinking->monitor);
		for (unsigned i = 0; i < thinking->count; i++) {
			if (thinking->thinkers[i].chore != NULL)
				mrl_player_stop(thinking->thinkers[i].player);
		}
		mrl_monitor_leave(thinking->monitor);
	}
	for (unsigned i = 0; i < thinking->count; i++) {
		mrl_thread_join(thinking->thinkers[i].thread);
		mrl_player_free(thinking->thinkers[i].player);
	}
	free_list(thinking->first);
	free_list(thinking->done);
	free(thinking->thinkers);
	mrl_monitor_free(thinking->monitor);
	free(thinking);
}

bool thinking_put(struct thinking *thinking, struct chore *chore)
{
	mrl_monitor_enter(thinking->monitor);
	bool room = thinking->waiting < (size_t)thinking->count * MOST_OF_A_THREAD;
	struct chore **last = &thinking->first;

	if (room) {
		while (*last != NULL)
			last = &(*last)->next;
		chore->next = NULL;
		*last = chore;
		thinking->waiting++;
		mrl_monitor_wake(thinking->monitor);
	}
	mrl_monitor_leave(thinking->monitor);
	return room;
}

static bool is(const struct chore *chore, const char *giver, uint64_t id)
{
	return chore != NULL && chore->id == id && strcmp(chore->giver, giver) == 0 && !chore->dropped;
}

bool thinking_has(struct thinking *thinking, const char *giver, uint64_t id)
{
	bool found = false;

	mrl_monitor_enter(thinking->monitor);
	for (const struct chore *chore = thinking->first; chore != NULL; chore = chore->next)
		found = found || is(chore, giver, id);
	for (const struct chore *chore = thinking->done; chore != NULL; chore = chore->next)
		found = found || is(chore, giver, id);
	for (unsigned i = 0; i < thinking->count; i++)
		found = found || is(thinking->thinkers[i].chore, giver, id);
	mrl_monitor_leave(thinking->monitor);
	return found;
}

/* Takes a chore out of a list; NULL: it is not there. */
static struct chore *take_out(struct chore **list, const char *giver, uint64_t id)
{
	while (*list != NULL && !is(*list, giver, id))
		list = &(*list)->next;
	struct chore *chore = *list;

	if (chore != NULL)
		*list = chore->next;
	return chore;
}

void thinking_drop(struct thinking *thinking, const char *giver, uint64_t id)
{
	mrl_monitor_enter(thinking->monitor);
	struct chore *waiting = take_out(&thinking->first, giver, id);

	thinking->waiting -= waiting != NULL;
	chore_free(waiting);
	chore_free(take_out(&thinking->done, giver, id));
	for (unsigned i = 0; i < thinking->count; i++) {
		struct thinker *thinker = &thinking->thinkers[i];

		if (!is(thinker->chore, giver, id))
			continue;
		thinker->chore->dropped = true;
		mrl_player_stop(thinker->player);
	}
	mrl_monitor_leave(thinking->monitor);
}

struct chore *thinking_take(struct thinking *thinking)
{
	mrl_monitor_enter(thinking->monitor);
	struct chore *chore = thinking->done;

	if (chore != NULL)
		thinking->done = chore->next;
	mrl_monitor_leave(thinking->monitor);
	return chore;
}

void thinking_each(struct thinking *thinking, void (*each)(void *user, const struct chore *chore), void *user)
{
	mrl_monitor_enter(thinking->monitor);
	for (const struct chore *chore = thinking->first; chore != NULL; chore = chore->next)
		each(user, chore);
	for (unsigned i = 0; i < thinking->count; i++) {
		if (thinking->thinkers[i].chore != NULL && !thinking->thinkers[i].chore->dropped)
			each(user, thinking->thinkers[i].chore);
	}
	mrl_monitor_leave(thinking->monitor);
}
