#include "play_computer.h"

#include <stdint.h>
#include <stdlib.h>

#include <os/clock.h>

enum { MEMORY = 64 << 20 };
static const double POLL_SECONDS = 0.02;

bool play_computer_init(struct play_computer *computer, double seconds)
{
	size_t size = MEMORY;

	*computer = (struct play_computer){.seconds = seconds};
	computer->memory = malloc(size);
	if (computer->memory == NULL) {
		size = mrl_search_minimum();
		computer->memory = malloc(size);
	}
	if (computer->memory == NULL)
		return false;
	computer->search = mrl_search_init(computer->memory, size);
	return computer->search != NULL;
}

void play_computer_release(struct play_computer *computer)
{
	free(computer->memory);
	*computer = (struct play_computer){0};
}

void play_computer_clear(struct play_computer *computer)
{
	mrl_search_clear(computer->search);
}

struct watch {
	uint64_t begin;
	double seconds;
	double next_poll; /* seconds after `begin` */
	bool (*poll)(void *context);
	void *context;
	bool interrupted;
};

static bool stop(void *context)
{
	struct watch *watch = context;
	double passed = mrl_clock_since(watch->begin);

	if (watch->poll != NULL && passed >= watch->next_poll) {
		watch->next_poll = passed + POLL_SECONDS;
		watch->interrupted = watch->poll(watch->context);
	}
	return watch->interrupted || passed >= watch->seconds;
}

enum mrl_status play_computer_think(struct play_computer *computer, const struct mrl_game *game,
				    bool (*poll)(void *context), void *context, struct mrl_turn *turn)
{
	struct watch watch = {.begin = mrl_clock_now(), .seconds = computer->seconds, .poll = poll, .context = context};
	struct mrl_search_limits limits = {.stop = stop, .context = &watch};
	struct mrl_search_result result;
	enum mrl_status status = mrl_search_run(computer->search, game, &limits, &result);

	if (watch.interrupted)
		return MRL_STOPPED;
	/* Out of time before the first depth was finished: the turn is legal all the same. */
	if (status != MRL_OK && status != MRL_STOPPED)
		return status;
	*turn = result.lines[0].turns[0];
	return MRL_OK;
}
