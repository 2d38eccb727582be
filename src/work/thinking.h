/* The threads of a worker: jobs that wait, jobs that are done. */
#ifndef MERELS_WORK_THINKING_H
#define MERELS_WORK_THINKING_H

#include <merels/work.h>

struct thinking;

/* A job as a worker has it. What it is belongs to the thread of the bus, what came out to that which thought. */
struct chore {
	struct chore *next;
	char giver[MRL_WORK_NAME_SIZE];
	uint64_t id;
	struct mrl_job job; /* its turns are in `text` */
	bool dropped;       /* under the monitor: nobody wants it any more */
	bool good;          /* there is an outcome; else the error says why not */
	unsigned best;
	struct mrl_error error;
	char *outcome; /* owned, `length` bytes */
	size_t length;
	char text[];
};

/* NULL when there is no memory or no thread to be had. `wake` is told from any thread when something is done. */
struct thinking *thinking_start(unsigned threads, const struct mrl_shelf *shelf, void (*wake)(void *context),
				void *context);

/* Stops all searches, and the threads. Chores are freed. NULL is allowed. */
void thinking_stop(struct thinking *thinking);

/* Takes the chore; false, and it is the caller's still, when too many wait. */
bool thinking_put(struct thinking *thinking, struct chore *chore);

/* Whether a job is known already, and not dropped. */
bool thinking_has(struct thinking *thinking, const char *giver, uint64_t id);

/* Nobody wants it any more: a search stops. */
void thinking_drop(struct thinking *thinking, const char *giver, uint64_t id);

/* The next that is done, the caller's to chore_free(); NULL: none. */
struct chore *thinking_take(struct thinking *thinking);

/* Calls with each that is not done. */
void thinking_each(struct thinking *thinking, void (*each)(void *user, const struct chore *chore), void *user);

void chore_free(struct chore *chore);

#endif
