#define _GNU_SOURCE /* sched_getaffinity(), gettid() */
#include "thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct mrl_thread {
	pthread_t id;
	void (*run)(void *argument);
	void *argument;
};

struct mrl_monitor {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
};

static void *begin(void *thread_of)
{
	const struct mrl_thread *thread = thread_of;

	thread->run(thread->argument);
	return NULL;
}

struct mrl_thread *mrl_thread_start(void (*run)(void *argument), void *argument)
{
	struct mrl_thread *thread = malloc(sizeof(*thread));

	if (thread == NULL)
		return NULL;
	thread->run = run;
	thread->argument = argument;
	if (pthread_create(&thread->id, NULL, begin, thread) != 0) {
		free(thread);
		return NULL;
	}
	return thread;
}

void mrl_thread_join(struct mrl_thread *thread)
{
	if (thread == NULL)
		return;
	(void)pthread_join(thread->id, NULL);
	free(thread);
}

unsigned mrl_thread_processors(void)
{
	cpu_set_t set;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		online = CPU_COUNT(&set);
	return online < 1 ? 1 : (unsigned)online;
}

bool mrl_thread_pin(unsigned index)
{
	cpu_set_t one;

	/* A thread that was pinned before does not see the others any more, so each is tried. */
	for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
		CPU_ZERO(&one);
		CPU_SET(processor, &one);
		if (sched_setaffinity(0, sizeof(one), &one) == 0 && index-- == 0)
			return true;
	}
	return false;
}

void mrl_thread_stand_back(void)
{
	/* A tenth of what others get, not a seventieth: whoever wants it to end has to wait for it. */
	enum { BEHIND = 10 };

	/* On Linux each thread has a priority of its own; elsewhere this would be the whole process's. */
#if defined(__linux__)
	if (getpriority(PRIO_PROCESS, (id_t)gettid()) < BEHIND)
		(void)setpriority(PRIO_PROCESS, (id_t)gettid(), BEHIND);
#endif
}

struct mrl_monitor *mrl_monitor_new(void)
{
	struct mrl_monitor *monitor = malloc(sizeof(*monitor));
	pthread_condattr_t attributes;

	if (monitor == NULL)
		return NULL;
	if (pthread_mutex_init(&monitor->mutex, NULL) != 0) {
		free(monitor);
		return NULL;
	}
	/* So that moments of mrl_clock_now() can be waited for. */
	bool made = pthread_condattr_init(&attributes) == 0;

	if (made) {
		made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
		       pthread_cond_init(&monitor->condition, &attributes) == 0;
		(void)pthread_condattr_destroy(&attributes);
	}
	if (!made) {
		(void)pthread_mutex_destroy(&monitor->mutex);
		free(monitor);
		return NULL;
	}
	return monitor;
}

void mrl_monitor_free(struct mrl_monitor *monitor)
{
	if (monitor == NULL)
		return;
	(void)pthread_cond_destroy(&monitor->condition);
	(void)pthread_mutex_destroy(&monitor->mutex);
	free(monitor);
}

void mrl_monitor_enter(struct mrl_monitor *monitor)
{
	(void)pthread_mutex_lock(&monitor->mutex);
}

void mrl_monitor_leave(struct mrl_monitor *monitor)
{
	(void)pthread_mutex_unlock(&monitor->mutex);
}

void mrl_monitor_wait(struct mrl_monitor *monitor)
{
	(void)pthread_cond_wait(&monitor->condition, &monitor->mutex);
}

bool mrl_monitor_wait_until(struct mrl_monitor *monitor, uint64_t moment)
{
	struct timespec until = {.tv_sec = (time_t)(moment / 1000000000u), .tv_nsec = (long)(moment % 1000000000u)};

	return pthread_cond_timedwait(&monitor->condition, &monitor->mutex, &until) == 0;
}

void mrl_monitor_wake(struct mrl_monitor *monitor)
{
	(void)pthread_cond_broadcast(&monitor->condition);
}
