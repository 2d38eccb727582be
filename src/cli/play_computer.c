#include "play_computer.h"

#include <stdlib.h>

#include <os/clock.h>

enum { HINT_MILLISECONDS = 1000, POLL_NANOSECONDS = 20000000 };

bool play_computer_init(struct play_computer *computer, unsigned threads, unsigned megabytes)
{
	*computer = (struct play_computer){0};
	computer->player = mrl_player_new(threads, megabytes);
	computer->monitor = mrl_monitor_new();
	return computer->player != NULL && computer->monitor != NULL;
}

void play_computer_release(struct play_computer *computer)
{
	mrl_player_free(computer->player);
	mrl_monitor_free(computer->monitor);
	*computer = (struct play_computer){0};
}

void play_computer_clear(struct play_computer *computer)
{
	mrl_player_clear(computer->player);
}

/* In the searching thread. */
static void done(void *context, enum mrl_status status, const struct mrl_player_report *report)
{
	struct play_computer *computer = context;

	mrl_monitor_enter(computer->monitor);
	computer->status = status;
	computer->turn = report->result.lines[0].turns[0];
	computer->finished = true;
	mrl_monitor_wake(computer->monitor);
	mrl_monitor_leave(computer->monitor);
}

/* Waits for the answer, but not much longer than until the next poll is due. */
static bool finished_soon(struct play_computer *computer)
{
	uint64_t moment = mrl_clock_now() + POLL_NANOSECONDS;

	mrl_monitor_enter(computer->monitor);
	while (!computer->finished && mrl_monitor_wait_until(computer->monitor, moment))
		continue;
	bool finished = computer->finished;

	mrl_monitor_leave(computer->monitor);
	return finished;
}

static enum mrl_status search(struct play_computer *computer, const struct play *play, struct mrl_player_limits *limits,
			      bool (*poll)(void *context), void *context, struct mrl_turn *turn)
{
	bool interrupted = false;

	limits->context = computer;
	limits->done = done;
	computer->finished = false;
	if (mrl_player_start(computer->player, &play->game.game, limits) != MRL_OK)
		return MRL_SYSTEM;
	while (!interrupted && !finished_soon(computer))
		interrupted = poll != NULL && poll(context);
	if (interrupted)
		mrl_player_stop(computer->player);
	mrl_player_wait(computer->player);
	if (interrupted)
		return MRL_STOPPED;
	/* Out of time before the first depth was finished: the turn is legal all the same. */
	if (computer->status != MRL_OK && computer->status != MRL_STOPPED)
		return computer->status;
	*turn = computer->turn;
	return MRL_OK;
}

/* Searches with what the tables leave to choose from, if there are any. */
static enum mrl_status choose(struct play_computer *computer, const struct play *play, struct mrl_player_limits *limits,
			      bool (*poll)(void *context), void *context, struct mrl_turn *turn)
{
	struct mrl_tables *tables =
	    computer->tables != NULL ? tables_player_ask(computer->tables, &play->game.game.position) : NULL;
	struct tables_choice choice = {0};
	enum mrl_status status;

	if (tables != NULL)
		(void)!tables_choose(tables, &play->game.game, limits, &choice, &computer->trouble);
	status = search(computer, play, limits, poll, context, turn);
	tables_choice_release(&choice);
	return status;
}

enum mrl_status play_computer_think(struct play_computer *computer, const struct play *play,
				    bool (*poll)(void *context), void *context, struct mrl_turn *turn)
{
	struct mrl_player_limits limits = {
	    /* The others have limits of their own, and would choose blindly if they were cut short. */
	    .time = computer->level == MRL_LEVELS ? computer->milliseconds : 0,
	    .depth = play->legal.count == 1 ? 1 : 0, /* nothing to think about */
	    .level = computer->level,
	    .seed = mrl_clock_now(),
	};

	if (computer->level == MRL_LEVELS)
		return choose(computer, play, &limits, poll, context, turn);
	return search(computer, play, &limits, poll, context, turn);
}

enum mrl_status play_computer_hint(struct play_computer *computer, const struct play *play, bool (*poll)(void *context),
				   void *context, struct mrl_turn *turn)
{
	struct mrl_turn *turns = malloc((play->legal.count + 1) * sizeof(*turns));
	struct mrl_player_limits limits = {.time = HINT_MILLISECONDS, .only = turns};

	if (turns == NULL)
		return MRL_SYSTEM;
	for (size_t i = 0; i < play->legal.count; i++) {
		if (play_fits(play, &play->legal.turn[i].turn))
			turns[limits.only_count++] = play->legal.turn[i].turn;
	}
	if (limits.only_count == 1)
		limits.depth = 1;
	enum mrl_status status = choose(computer, play, &limits, poll, context, turn);

	free(turns);
	return status;
}
