/*
 * Threads, and monitors: a lock together with the condition that threads wait for under it.
 *
 * Both are owned by whoever made them. A monitor may be used by any thread; everything else of a thread belongs to
 * the one that started it.
 */
#ifndef MERELS_OS_THREAD_H
#define MERELS_OS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct mrl_thread;
struct mrl_monitor;

/* Runs `run` in a thread of its own; NULL when the system has none to give. */
struct mrl_thread *mrl_thread_start(void (*run)(void *argument), void *argument);

/* Waits until the thread has returned, and frees it. NULL is allowed. */
void mrl_thread_join(struct mrl_thread *thread);

/* How many processors this process may use, at least 1. */
unsigned mrl_thread_processors(void);

/*
 * From now on the calling thread, and what it starts, run only on the processor of this index (from 0) among those that
 * the process may use. False when there is no such processor, or the system does not let choose.
 */
bool mrl_thread_pin(unsigned index);

/*
 * From now on the calling thread, and what it starts, run mostly when nobody else wants to: a busy processor gives them
 * about a tenth of what it gives others. Where the system knows no priority of threads, nothing happens.
 */
void mrl_thread_stand_back(void);

/* NULL when there is no memory. */
struct mrl_monitor *mrl_monitor_new(void);

/* Nobody may hold it or wait for it any more. NULL is allowed. */
void mrl_monitor_free(struct mrl_monitor *monitor);

void mrl_monitor_enter(struct mrl_monitor *monitor);
void mrl_monitor_leave(struct mrl_monitor *monitor);

/*
 * Leaves the monitor until another thread wakes it, then enters again. May return without a reason, so ask the
 * condition in a loop. The second form gives up at a moment of mrl_clock_now() and then returns false.
 */
void mrl_monitor_wait(struct mrl_monitor *monitor);
bool mrl_monitor_wait_until(struct mrl_monitor *monitor, uint64_t moment);

/* Wakes everyone who waits. The caller is inside. */
void mrl_monitor_wake(struct mrl_monitor *monitor);

#endif
