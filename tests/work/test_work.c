/*
 * Jobs given to workers: the giver is this process, the workers are the program, between them is a real nats-server. A
 * worker may be killed, stopped, cut off or lied to, and each job is done or given back.
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
#include <os/log.h>

#include "nats_server.h"

enum { PATIENCE = 3000, MOST_JOBS = 32 };

static const struct mrl_log quiet = {.most = MRL_LOG_ERROR};
static char tables[256]; /* of `four`, made once */

struct scene {
	struct nats_server nats;
	struct mrl_bus *bus;
	struct mrl_giver *giver;
	pid_t workers[2];
};

struct result {
	unsigned count;
	bool good;
	unsigned best;
	char worker[MRL_WORK_NAME_SIZE];
	char text[1024];
};

static int make(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	nats_make(&scene->nats);
	nats_start(&scene->nats, NULL);
	assert_int_equal(mrl_bus_open(&scene->bus, &(struct mrl_bus_settings){.place = scene->nats.place}, NULL),
			 MRL_OK);
	scene->giver = mrl_giver_new(scene->bus, "ours", &quiet);
	assert_non_null(scene->giver);
	*state = scene;
	return 0;
}

/* How a worker ended: its exit code, or 128 and the signal. */
static int end_worker(struct scene *scene, unsigned which, int number)
{
	int status = 0;

	assert_int_equal(kill(scene->workers[which], number), 0);
	assert_int_equal(waitpid(scene->workers[which], &status, 0), scene->workers[which]);
	scene->workers[which] = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int unmake(void **state)
{
	struct scene *scene = *state;

	for (unsigned i = 0; i < 2; i++) {
		if (scene->workers[i] > 0)
			(void)end_worker(scene, i, SIGKILL);
	}
	mrl_giver_free(scene->giver);
	mrl_bus_close(scene->bus);
	nats_release(&scene->nats);
	free(scene);
	return 0;
}

static void start_worker(struct scene *scene, unsigned which, const char *option, const char *value)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		char *place = scene->nats.place;
		char name[] = "merels";
		char command[] = "worker";
		char bus[] = "--bus";
		char threads[] = "--threads";
		char one[] = "1";
		char level[] = "--log-level";
		char error[] = "error";
		char key[32] = "";
		char text[256] = "";
		char *arguments[] = {name, command, bus, place, threads, one, level, error, NULL, NULL, NULL};

		if (option != NULL) {
			(void)snprintf(key, sizeof(key), "%s", option);
			(void)snprintf(text, sizeof(text), "%s", value);
			arguments[8] = key;
			arguments[9] = text;
		}
		/* A test that fails leaves nobody behind. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)execv(MERELS, arguments);
		_exit(127);
	}
	scene->workers[which] = child;
}

static void step(struct scene *scene)
{
	(void)mrl_bus_wait(scene->bus, 10);
	mrl_giver_tick(scene->giver);
}

#define UNTIL(condition)                                                   \
	do {                                                               \
		for (unsigned i_ = 0; i_ < PATIENCE && !(condition); i_++) \
			step(scene);                                       \
		if (!(condition))                                          \
			fail_msg("never: %s", #condition);                 \
	} while (0)

static void on_done(void *user, const struct mrl_work_result *outcome)
{
	struct result *result = user;

	result->count++;
	result->good = outcome != NULL;
	if (outcome == NULL)
		return;
	result->best = outcome->best;
	(void)snprintf(result->worker, sizeof(result->worker), "%s", outcome->worker);
	(void)snprintf(result->text, sizeof(result->text), "%.*s", (int)outcome->length, outcome->text);
}

static struct mrl_job turn_job(const char *rules, uint32_t time)
{
	struct mrl_job job = {.kind = MRL_WORK_TURN, .level = 10, .time = time, .seed = 1};

	(void)snprintf(job.rules, sizeof(job.rules), "%s", rules);
	return job;
}

static uint64_t ask(struct scene *scene, const struct mrl_job *job, struct result *result)
{
	uint64_t id = 0;

	*result = (struct result){0};
	assert_int_equal(mrl_giver_ask(scene->giver, job, on_done, result, &id), MRL_OK);
	return id;
}

/* Asks until it is done: on a busy machine a job may rightly be given back. */
static void insist(struct scene *scene, const struct mrl_job *job, struct result *result)
{
	enum { TRIES = 30 };

	for (unsigned tries = 0; tries < TRIES; tries++) {
		(void)ask(scene, job, result);
		UNTIL(result->count == 1);
		if (result->good)
			return;
	}
	fail_msg("a job was never done");
}

static void assert_legal_first_turn(const struct result *result)
{
	struct mrl_rules rules;
	struct mrl_position start;
	struct mrl_turn turn;

	assert_int_equal(result->count, 1);
	assert_true(result->good);
	assert_int_equal(mrl_rules_parse(&rules, "nine", 4, NULL), MRL_OK);
	mrl_position_start(&rules, &start);
	assert_int_equal(mrl_turn_read(&rules, &start, result->text, strlen(result->text), &turn, NULL), MRL_OK);
}

/* ---- The tests ---------------------------------------------------------------------------------------------- */

static void without_workers_nothing_is_taken(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 50);
	struct result result = {0};
	uint64_t id;

	UNTIL(mrl_bus_is_connected(scene->bus));
	assert_int_equal(mrl_giver_ask(scene->giver, &job, on_done, &result, &id), MRL_MISSING);
	assert_int_equal(result.count, 0);
}

static void two_workers_share(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result results[MOST_JOBS];
	unsigned by_first = 0;

	start_worker(scene, 0, NULL, NULL);
	start_worker(scene, 1, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 2);
	for (unsigned i = 0; i < MOST_JOBS; i++) {
		insist(scene, &job, &results[i]);
		assert_legal_first_turn(&results[i]);
		by_first += strcmp(results[i].worker, results[0].worker) == 0;
	}
	/* Drawn by NATS, each for itself: all by one is once in 2^31. */
	assert_true(by_first < MOST_JOBS);
}

static void a_worker_that_is_killed_has_its_job_done_by_another(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 4000);
	struct mrl_giver_counts counts;
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	(void)ask(scene, &job, &result);
	start_worker(scene, 1, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 2);
	assert_int_equal(result.count, 0);
	(void)end_worker(scene, 0, SIGKILL);
	UNTIL(result.count == 1);
	assert_legal_first_turn(&result);
	mrl_giver_count(scene->giver, &counts);
	assert_true(counts.again >= 1);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
}

static void without_another_the_job_is_given_back(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 1000);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	(void)ask(scene, &job, &result);
	(void)end_worker(scene, 0, SIGKILL);
	UNTIL(result.count == 1);
	assert_false(result.good);
}

static void a_worker_that_is_stopped_politely_gives_its_jobs_back_at_once(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 60000);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	(void)ask(scene, &job, &result);
	for (unsigned i = 0; i < 20; i++)
		step(scene);
	assert_int_equal(end_worker(scene, 0, SIGTERM), 0);
	UNTIL(result.count == 1);
	assert_false(result.good);
	UNTIL(mrl_giver_workers(scene->giver) == 0);
}

static void a_worker_that_hangs_is_gone_around(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result results[10];

	start_worker(scene, 0, NULL, NULL);
	start_worker(scene, 1, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 2);
	assert_int_equal(kill(scene->workers[0], SIGSTOP), 0);
	for (unsigned i = 0; i < 10; i++) {
		(void)ask(scene, &job, &results[i]);
		UNTIL(results[i].count == 1);
		/* While it still seems to be there a job may be given back, and is never lost. */
		if (results[i].good)
			assert_legal_first_turn(&results[i]);
	}
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	(void)ask(scene, &job, &results[0]);
	UNTIL(results[0].count == 1);
	assert_int_equal(kill(scene->workers[0], SIGCONT), 0);
	UNTIL(mrl_giver_workers(scene->giver) == 2);
	/* What it now does late is nobody's any more. */
	for (unsigned i = 0; i < 100; i++)
		step(scene);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(results[i].count, 1);
}

static void a_job_that_nobody_wants_any_more_is_stopped(void **state)
{
	struct scene *scene = *state;
	struct mrl_job endless = turn_job("nine", 60000);
	struct mrl_job job = turn_job("nine", 30);
	struct result dropped;
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	uint64_t id = ask(scene, &endless, &dropped);

	for (unsigned i = 0; i < 20; i++)
		step(scene);
	mrl_giver_cancel(scene->giver, id);
	mrl_giver_cancel(scene->giver, id);
	mrl_giver_cancel(scene->giver, 0);
	/* It has one thread. */
	insist(scene, &job, &result);
	assert_legal_first_turn(&result);
	assert_int_equal(dropped.count, 0);
}

static void only_workers_with_tables_are_asked_for_them(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("four", 100);
	struct result result = {0};
	uint64_t id;

	job.tables = true;
	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	assert_false(mrl_giver_has_tables(scene->giver, "four"));
	assert_int_equal(mrl_giver_ask(scene->giver, &job, on_done, &result, &id), MRL_MISSING);
	start_worker(scene, 1, "--tables", tables);
	UNTIL(mrl_giver_has_tables(scene->giver, "four"));
	assert_false(mrl_giver_has_tables(scene->giver, "nine"));
	assert_false(mrl_giver_has_tables(scene->giver, "fou"));
	assert_false(mrl_giver_has_tables(scene->giver, ""));
	for (unsigned i = 0; i < 8; i++) {
		insist(scene, &job, &result);
	}
	job = turn_job("four", 1);
	job.kind = MRL_WORK_RATE;
	job.tables = true;
	(void)snprintf(job.position, sizeof(job.position), ".../.../... w 4,4");
	insist(scene, &job, &result);
	assert_true(result.best >= 1);
	assert_non_null(strstr(result.text, "b2 "));
	(void)snprintf(job.position, sizeof(job.position), "nonsense");
	(void)ask(scene, &job, &result);
	UNTIL(result.count == 1);
	assert_false(result.good);
}

static void a_job_with_a_game_is_about_its_end(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	/* White takes when he closes the mill, which is best at once. */
	job.turns = "a1 d5 d1 d6";
	job.turns_length = strlen(job.turns);
	insist(scene, &job, &result);
	assert_true(strncmp(result.text, "g1x", 3) == 0);
	job.turns = "a1 a1";
	job.turns_length = strlen(job.turns);
	(void)ask(scene, &job, &result);
	UNTIL(result.count == 1);
	assert_false(result.good);
}

static void jobs_that_come_twice_are_done_once(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	mrl_bus_disturb(scene->bus,
			&(struct mrl_bus_disturbance){.seed = 1, .twice = 1000, .late = 300, .late_ms = 30});
	for (unsigned i = 0; i < 10; i++) {
		insist(scene, &job, &result);
		assert_legal_first_turn(&result);
	}
	for (unsigned i = 0; i < 20; i++)
		step(scene);
	assert_int_equal(result.count, 1);
}

static void what_is_lost_on_the_way_is_given_back(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	mrl_bus_disturb(scene->bus, &(struct mrl_bus_disturbance){.seed = 1, .lost = 1000});
	(void)ask(scene, &job, &result);
	UNTIL(result.count == 1);
	assert_false(result.good);
}

static void foreign_messages_hurt_nobody(void **state)
{
	static const char *const subjects[] = {"merels.ours.work.turn",   "merels.ours.work.call",
					       "merels.ours.work.drop",   "merels.ours.work.here",
					       "merels.theirs.work.call", "merels.ours.work.tables.four"};
	static const char *const messages[] = {
	    "",
	    "\n",
	    "hello",
	    "merels-work 2 ours call\nfrom x\n",
	    "merels-work 1 theirs job\nfrom x\nid 1\n\ndo turn\ntables 0\nrules nine\nlevel 1\ntime 10\n",
	    "merels-work 1 ours job\nfrom x\nid 1\n\nrules nine\n",
	    "merels-work 1 ours job\nfrom a b\nid 1\n",
	    "merels-work 1 ours job\nfrom x\nid 1\n\ndo turn\ntables 0\nrules nine\nlevel 99\ntime 10\n",
	    "merels-work 1 ours job\nfrom x\nid 1\n\ndo turn\ntables 0\nrules none\nlevel 1\ntime 10\n",
	    "merels-work 1 ours job\nfrom x\nid 1\n\ndo turn\ntables 0\nrules nine\nlevel 1\ntime 10\nturns z9\n",
	    "merels-work 1 ours here\nfrom liar\nthreads 99999999999999999999\n",
	    "merels-work 1 ours done\nid 7\n",
	    "merels-work 1 ours"};
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++) {
		for (size_t m = 0; m < sizeof(messages) / sizeof(messages[0]); m++)
			assert_int_equal(
			    mrl_bus_publish(scene->bus, subjects[s], messages[m], strlen(messages[m]), NULL), MRL_OK);
	}
	for (unsigned i = 0; i < 20; i++)
		step(scene);
	assert_int_equal(mrl_giver_workers(scene->giver), 1);
	insist(scene, &job, &result);
	assert_legal_first_turn(&result);
	assert_int_equal(end_worker(scene, 0, SIGTERM), 0);
}

static void a_worker_of_another_club_is_not_here(void **state)
{
	struct scene *scene = *state;

	start_worker(scene, 0, "--club", "theirs");
	start_worker(scene, 1, "--club", "ours");
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	for (unsigned i = 0; i < 150; i++)
		step(scene);
	assert_int_equal(mrl_giver_workers(scene->giver), 1);
	assert_null(mrl_giver_new(scene->bus, "no club", &quiet));
}

static void a_server_of_nats_that_comes_back_brings_the_workers_back(void **state)
{
	struct scene *scene = *state;
	struct mrl_job job = turn_job("nine", 30);
	struct mrl_job longer = turn_job("nine", 500);
	struct result pending;
	struct result result;

	start_worker(scene, 0, NULL, NULL);
	UNTIL(mrl_giver_workers(scene->giver) == 1);
	(void)ask(scene, &longer, &pending);
	nats_kill(&scene->nats);
	UNTIL(pending.count == 1);
	nats_start(&scene->nats, NULL);
	UNTIL(mrl_bus_is_connected(scene->bus));
	UNTIL(mrl_giver_workers(scene->giver) == 0 || mrl_giver_workers(scene->giver) == 1);
	for (unsigned i = 0; i < 50; i++) {
		uint64_t id;

		result = (struct result){0};
		if (mrl_giver_ask(scene->giver, &job, on_done, &result, &id) == MRL_OK)
			UNTIL(result.count == 1);
		if (result.good)
			break;
		for (unsigned wait = 0; wait < 20; wait++)
			step(scene);
	}
	assert_legal_first_turn(&result);
}

static int build_tables(void **state)
{
	const char *above = getenv("TMPDIR");
	char command[800];

	(void)state;
	(void)snprintf(tables, sizeof(tables), "%.200s/merels-work-XXXXXX", above != NULL ? above : "/tmp");
	if (mkdtemp(tables) == NULL)
		return -1;
	(void)snprintf(command, sizeof(command),
		       MERELS " tables build --rules four --metric distance --dir '%s/four' >/dev/null 2>&1", tables);
	return system(command) == 0 ? 0 : -1; /* NOLINT */
}

static int remove_tables(void **state)
{
	char command[300];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -r '%s'", tables);
	return system(command) == 0 ? 0 : -1; /* NOLINT */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(without_workers_nothing_is_taken),
	    TEST(two_workers_share),
	    TEST(a_worker_that_is_killed_has_its_job_done_by_another),
	    TEST(without_another_the_job_is_given_back),
	    TEST(a_worker_that_is_stopped_politely_gives_its_jobs_back_at_once),
	    TEST(a_worker_that_hangs_is_gone_around),
	    TEST(a_job_that_nobody_wants_any_more_is_stopped),
	    TEST(only_workers_with_tables_are_asked_for_them),
	    TEST(a_job_with_a_game_is_about_its_end),
	    TEST(jobs_that_come_twice_are_done_once),
	    TEST(what_is_lost_on_the_way_is_given_back),
	    TEST(foreign_messages_hurt_nobody),
	    TEST(a_worker_of_another_club_is_not_here),
	    TEST(a_server_of_nats_that_comes_back_brings_the_workers_back),
	};

	return cmocka_run_group_tests_name("workers", tests, build_tables, remove_tables);
}
