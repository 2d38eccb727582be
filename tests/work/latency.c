/*
 * How long the way to a worker and back is, and how long a job takes whose worker is killed or stopped.
 *
 *     latency [JOBS]     so many jobs of each kind (1000), on a nats-server and workers of its own
 *
 * What a job takes here is measured with the same threads that a worker has, in turn with the same job given to a
 * worker, so that whatever else the machine does meets both.
 */
#define _DEFAULT_SOURCE /* kill(), prctl() */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <merels/bus.h>
#include <merels/work.h>
#include <os/clock.h>
#include <os/log.h>
#include <os/thread.h>

#include "nats_server.h"
#include "thinking.h"

enum { WORKERS = 2, MOST_JOBS = 100000, PATIENCE_S = 120, TIMES = 5 };

static const struct mrl_log quiet = {.most = MRL_LOG_ERROR};

struct scene {
	struct nats_server nats;
	struct mrl_bus *bus;
	struct mrl_giver *giver;
	pid_t workers[WORKERS];
	struct thinking *thinking;
};

struct answer {
	bool there;
	bool good;
};

static void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void step(struct scene *scene)
{
	(void)mrl_bus_wait(scene->bus, 10);
	mrl_giver_tick(scene->giver);
}

/* ---- Workers ------------------------------------------------------------------------------------------------ */

static void start_worker(struct scene *scene, unsigned which)
{
	static char name[] = "merels";
	static char command[] = "worker";
	static char bus[] = "--bus";
	static char threads[] = "--threads";
	static char one[] = "1";
	static char level[] = "--log-level";
	static char error[] = "error";
	char *arguments[] = {name, command, bus, scene->nats.place, threads, one, level, error, NULL};
	pid_t child = fork();

	if (child < 0)
		die("no process");
	if (child == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)execv(MERELS, arguments);
		_exit(127);
	}
	scene->workers[which] = child;
}

static void await_workers(struct scene *scene, size_t count)
{
	uint64_t begun = mrl_clock_now();

	while (mrl_giver_workers(scene->giver) != count) {
		if (mrl_clock_since(begun) > PATIENCE_S)
			die("the workers do not come");
		step(scene);
	}
}

static void end_worker(struct scene *scene, unsigned which)
{
	if (scene->workers[which] == 0)
		return;
	(void)kill(scene->workers[which], SIGKILL);
	(void)waitpid(scene->workers[which], NULL, 0);
	scene->workers[which] = 0;
}

/* ---- One job ------------------------------------------------------------------------------------------------ */

static void on_done(void *user, const struct mrl_work_result *outcome)
{
	struct answer *answer = user;

	answer->there = true;
	answer->good = outcome != NULL;
}

static void give(struct scene *scene, const struct mrl_job *job, struct answer *answer)
{
	uint64_t id = 0;

	*answer = (struct answer){0};
	if (mrl_giver_ask(scene->giver, job, on_done, answer, &id) != MRL_OK)
		die("the job is not taken");
}

static void await_answer(struct scene *scene, const struct answer *answer)
{
	uint64_t begun = mrl_clock_now();

	while (!answer->there) {
		if (mrl_clock_since(begun) > PATIENCE_S)
			die("no answer");
		step(scene);
	}
}

/* Nanoseconds from asking to answer. */
static uint64_t by_worker(struct scene *scene, const struct mrl_job *job)
{
	struct answer answer;
	uint64_t begun = mrl_clock_now();

	give(scene, job, &answer);
	await_answer(scene, &answer);
	if (!answer.good)
		die("a worker did not do its job");
	return mrl_clock_now() - begun;
}

struct bell {
	struct mrl_monitor *monitor;
	bool rung;
};

static struct bell bell;

static void ring(void *context)
{
	(void)context;
	mrl_monitor_enter(bell.monitor);
	bell.rung = true;
	mrl_monitor_wake(bell.monitor);
	mrl_monitor_leave(bell.monitor);
}

static uint64_t here(struct scene *scene, const struct mrl_job *job)
{
	uint64_t begun = mrl_clock_now();
	struct chore *chore = calloc(1, sizeof(*chore) + 1);

	if (chore == NULL)
		die("no memory");
	chore->job = *job;
	chore->id = 1;
	if (!thinking_put(scene->thinking, chore))
		die("the job is not taken");
	mrl_monitor_enter(bell.monitor);
	while (!bell.rung)
		mrl_monitor_wait(bell.monitor);
	bell.rung = false;
	mrl_monitor_leave(bell.monitor);
	chore = thinking_take(scene->thinking);
	if (chore == NULL || !chore->good)
		die("the job was not done");
	chore_free(chore);
	return mrl_clock_now() - begun;
}

/* ---- What is measured --------------------------------------------------------------------------------------- */

static struct mrl_job turn_job(unsigned level, uint32_t time)
{
	struct mrl_job job = {.kind = MRL_WORK_TURN, .level = level, .time = time, .seed = 1};

	(void)snprintf(job.rules, sizeof(job.rules), "nine");
	return job;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void tell(const char *what, uint64_t *spans, size_t count)
{
	qsort(spans, count, sizeof(*spans), compare);
	printf("%-44s p50 %8.3f ms, p99 %8.3f ms, most %8.3f ms\n", what, (double)spans[count / 2] / 1e6,
	       (double)spans[count - 1 - count / 100] / 1e6, (double)spans[count - 1] / 1e6);
}

static void measure_way(struct scene *scene, const char *what, const struct mrl_job *job, size_t count)
{
	uint64_t *there = calloc(count, sizeof(*there));
	uint64_t *alone = calloc(count, sizeof(*alone));
	char text[64];

	if (there == NULL || alone == NULL)
		die("no memory");
	for (size_t i = 0; i < count; i++) {
		there[i] = by_worker(scene, job);
		alone[i] = here(scene, job);
	}
	(void)snprintf(text, sizeof(text), "%s, here", what);
	tell(text, alone, count);
	(void)snprintf(text, sizeof(text), "%s, by a worker", what);
	tell(text, there, count);
	free(there);
	free(alone);
}

/* What becomes of a job when something happens to the worker that has it, or would get it. */
static void measure_loss(struct scene *scene, const char *what, int number, bool before)
{
	struct mrl_job job = turn_job(10, 2000);

	for (unsigned i = 0; i < TIMES; i++) {
		struct answer answer;
		uint64_t begun = 0;

		start_worker(scene, 0);
		await_workers(scene, 1);
		if (!before) {
			/* The first is alone when it is asked, so it has the job. */
			give(scene, &job, &answer);
			begun = mrl_clock_now();
			start_worker(scene, 1);
			while (mrl_giver_workers(scene->giver) < 2 || mrl_clock_since(begun) < 0.5)
				step(scene);
		} else {
			start_worker(scene, 1);
			await_workers(scene, 2);
		}
		(void)kill(scene->workers[0], number);
		if (before) {
			begun = mrl_clock_now();
			give(scene, &job, &answer);
		}
		await_answer(scene, &answer);
		printf("%-44s %s after %.2f s\n", what, answer.good ? "done" : "given back", mrl_clock_since(begun));
		for (unsigned k = 0; k < WORKERS; k++)
			end_worker(scene, k);
		await_workers(scene, 0);
	}
}

int main(int argc, char **argv)
{
	static struct scene scene;
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	const struct mrl_shelf none = {0};
	struct mrl_job simple = turn_job(1, 1000);
	struct mrl_job strong = turn_job(10, 100);

	if (count < 1 || count > MOST_JOBS)
		die("usage: latency [JOBS]");
	bell.monitor = mrl_monitor_new();
	nats_make(&scene.nats);
	nats_start(&scene.nats, NULL);
	if (bell.monitor == NULL ||
	    mrl_bus_open(&scene.bus, &(struct mrl_bus_settings){.place = scene.nats.place}, NULL) != MRL_OK)
		die("no bus");
	scene.giver = mrl_giver_new(scene.bus, "ours", &quiet);
	scene.thinking = thinking_start(1, &none, ring, NULL);
	if (scene.giver == NULL || scene.thinking == NULL)
		die("no memory");
	start_worker(&scene, 0);
	await_workers(&scene, 1);
	measure_way(&scene, "a turn of level 1", &simple, count);
	measure_way(&scene, "a turn of level 10 in 100 ms", &strong, count / 20 + 1);
	end_worker(&scene, 0);
	await_workers(&scene, 0);
	measure_loss(&scene, "killed with a job of 2 s", SIGKILL, false);
	measure_loss(&scene, "stopped with a job of 2 s", SIGSTOP, false);
	measure_loss(&scene, "killed before a job of 2 s", SIGKILL, true);
	measure_loss(&scene, "stopped before a job of 2 s", SIGSTOP, true);
	thinking_stop(scene.thinking);
	mrl_giver_free(scene.giver);
	mrl_bus_close(scene.bus);
	nats_release(&scene.nats);
	mrl_monitor_free(bell.monitor);
	return 0;
}
