/* Threads and monitors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include <os/clock.h>
#include <os/process.h>
#include <os/thread.h>

enum { THREADS = 8, ROUNDS = 2000 };

struct shared {
	struct mrl_monitor *monitor;
	unsigned count;
	unsigned turn;
};

static void add(void *context)
{
	struct shared *shared = context;

	for (unsigned i = 0; i < ROUNDS; i++) {
		mrl_monitor_enter(shared->monitor);
		shared->count++;
		mrl_monitor_leave(shared->monitor);
	}
}

static void one_at_a_time_is_inside_a_monitor(void **state)
{
	struct shared shared = {.monitor = mrl_monitor_new()};
	struct mrl_thread *threads[THREADS];

	(void)state;
	assert_non_null(shared.monitor);
	for (unsigned i = 0; i < THREADS; i++) {
		threads[i] = mrl_thread_start(add, &shared);
		assert_non_null(threads[i]);
	}
	for (unsigned i = 0; i < THREADS; i++)
		mrl_thread_join(threads[i]);
	assert_int_equal(shared.count, THREADS * ROUNDS);
	mrl_monitor_free(shared.monitor);
}

static void answer_turns(void *context)
{
	struct shared *shared = context;

	mrl_monitor_enter(shared->monitor);
	while (shared->count < ROUNDS) {
		while (shared->turn != 1)
			mrl_monitor_wait(shared->monitor);
		shared->turn = 0;
		shared->count++;
		mrl_monitor_wake(shared->monitor);
	}
	mrl_monitor_leave(shared->monitor);
}

static void a_wake_is_heard(void **state)
{
	struct shared shared = {.monitor = mrl_monitor_new()};
	struct mrl_thread *thread = mrl_thread_start(answer_turns, &shared);

	(void)state;
	assert_non_null(thread);
	mrl_monitor_enter(shared.monitor);
	for (unsigned i = 0; i < ROUNDS; i++) {
		shared.turn = 1;
		mrl_monitor_wake(shared.monitor);
		while (shared.turn != 0)
			mrl_monitor_wait(shared.monitor);
	}
	mrl_monitor_leave(shared.monitor);
	mrl_thread_join(thread);
	assert_int_equal(shared.count, ROUNDS);
	mrl_monitor_free(shared.monitor);
}

static void a_wait_gives_up_at_its_moment_and_not_before(void **state)
{
	struct mrl_monitor *monitor = mrl_monitor_new();
	uint64_t moment = mrl_clock_now() + 20000000;

	(void)state;
	mrl_monitor_enter(monitor);
	while (mrl_monitor_wait_until(monitor, moment))
		continue;
	mrl_monitor_leave(monitor);
	assert_true(mrl_clock_now() >= moment);
	mrl_monitor_free(monitor);
}

static void nothing_may_be_joined_and_freed(void **state)
{
	(void)state;
	mrl_thread_join(NULL);
	mrl_monitor_free(NULL);
	assert_true(mrl_thread_processors() >= 1);
}

static void run_pinned(void *context)
{
	bool *right = context;

	*right = mrl_thread_pin(0) && mrl_thread_processors() == 1 && !mrl_thread_pin(100000);
}

static void a_pinned_thread_has_one_processor_and_the_others_all(void **state)
{
	unsigned before = mrl_thread_processors();
	bool right = false;

	(void)state;
	mrl_thread_join(mrl_thread_start(run_pinned, &right));
	assert_true(right);
	assert_int_equal(mrl_thread_processors(), before);
}

static void stand_back(void *context)
{
	int *priority = context;

	mrl_thread_stand_back();
	*priority = getpriority(PRIO_PROCESS, 0);
}

static void a_thread_that_stands_back_does_so_alone(void **state)
{
	int before = getpriority(PRIO_PROCESS, 0);
	int there = 0;

	(void)state;
	mrl_thread_join(mrl_thread_start(stand_back, &there));
	assert_int_equal(there, before > 10 ? before : 10);
	assert_int_equal(getpriority(PRIO_PROCESS, 0), before);
}

static void what_this_process_uses_is_told(void **state)
{
	uint64_t before = mrl_process_time(0);

	(void)state;
	assert_true(mrl_process_memory(0) > 100000);
	/* It goes on as long as it is asked. */
	while (mrl_process_time(0) == before)
		continue;
	assert_int_equal(mrl_process_memory(0xffffff), 0);
	assert_int_equal(mrl_process_time(0xffffff), 0);
	assert_int_equal(mrl_process_waited(0xffffff), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_at_a_time_is_inside_a_monitor),
	    cmocka_unit_test(a_wake_is_heard),
	    cmocka_unit_test(a_wait_gives_up_at_its_moment_and_not_before),
	    cmocka_unit_test(nothing_may_be_joined_and_freed),
	    cmocka_unit_test(a_pinned_thread_has_one_processor_and_the_others_all),
	    cmocka_unit_test(a_thread_that_stands_back_does_so_alone),
	    cmocka_unit_test(what_this_process_uses_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
