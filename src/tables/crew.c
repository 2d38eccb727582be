#include "crew.h"

#include <stddef.h>

#include <os/thread.h>

struct member {
	void (*work)(void *context, unsigned number);
	void *context;
	unsigned number;
};

static void begin(void *argument)
{
	const struct member *member = argument;

	member->work(member->context, member->number);
}

void crew_run(unsigned threads, void (*work)(void *context, unsigned number), void *context)
{
	struct member members[CREW_MOST];
	struct mrl_thread *running[CREW_MOST];

	/* A thread that cannot be had leaves its share to the others. */
	for (unsigned i = 1; i < threads; i++) {
		members[i] = (struct member){work, context, i};
		running[i] = mrl_thread_start(begin, &members[i]);
	}
	work(context, 0);
	for (unsigned i = 1; i < threads; i++)
		mrl_thread_join(running[i]);
}
