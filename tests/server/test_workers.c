/*
 * A node that leaves thinking to workers: it has no tables, a worker has. With a PostgreSQL of the test's own
 * (MERELS_TEST_POSTGRES, see tests/store/with_postgres.sh) and a nats-server.
 */
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
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <merels/bus.h>

#include "client.h"
#include "folder.h"
#include "nats_server.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];
static char tables[FOLDER_SIZE];
static struct program program;
static struct nats_server nats;
static pid_t worker;

static void start_worker(void)
{
	worker = fork();
	assert_true(worker >= 0);
	if (worker != 0)
		return;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)execl(MERELS, MERELS, "worker", "--bus", nats.place, "--tables", tables, "--log-level", "error", NULL);
	_exit(127);
}

static void end_worker(void)
{
	if (worker <= 0)
		return;
	(void)kill(worker, SIGKILL);
	(void)waitpid(worker, NULL, 0);
	worker = 0;
}

static int start(void **state)
{
	char command[2 * FOLDER_SIZE + 128];
	const char *store = getenv("MERELS_TEST_POSTGRES");
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web,           "--store", store, "--bus",
					 nats.place, "--node",      "alone", "--log-level", "warning", NULL};

	(void)state;
	if (store == NULL)
		return -1;
	nats_make(&nats);
	nats_start(&nats, NULL);
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	folder_make(tables);
	(void)snprintf(command, sizeof(command),
		       MERELS " tables build --rules four --metric distance --dir '%s/four' 2>&1 >/dev/null", tables);
	assert_int_equal(system(command), 0);
	program_start(&program, arguments);
	program_wait_for_port(&program);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	end_worker();
	program_stop(&program);
	nats_release(&nats);
	folder_remove(web);
	folder_remove(tables);
	return 0;
}

/* Waits until the node says that it has tables of so many rule sets. */
static void wait_for_tables(struct player *player, size_t count)
{
	for (unsigned i = 0; i < 1500; i++) {
		json_t *status = player_get(player, "/api/v1/status", 200);
		size_t there = json_array_size(json_object_get(status, "tables"));

		json_decref(status);
		if (there == count)
			return;
		(void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	fail_msg("the node never had %zu tables", count);
}

/* A figure of /metrics. */
static unsigned long figure(const char *name)
{
	struct answer answer;
	char line[96];

	client_ask(program.port, "GET /metrics HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n", &answer);
	(void)snprintf(line, sizeof(line), "\n%s ", name);
	const char *at = strstr(answer.body, line);

	assert_non_null(at);
	unsigned long value = strtoul(at + strlen(line), NULL, 10);

	answer_release(&answer);
	return value;
}

/* The computer's first turn, to be freed. */
static char *first_turn(struct player *player, const char *wish)
{
	player_make(player, wish);
	player_open(player);
	json_t *game = player_watch(player);
	const char *first = json_string_value(json_array_get(json_object_get(game, "turns"), 0));
	json_t *event = first == NULL ? player_await(player, "event", "turn") : NULL;
	char *turn = strdup(event == NULL ? first : json_string_value(json_object_get(event, "turn")));

	json_decref(event);
	json_decref(game);
	return turn;
}

static void a_node_without_tables_plays_perfectly_by_a_worker(void **state)
{
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	wait_for_tables(&anna, 0);
	json_decref(player_get(&anna, "/api/v1/tables?rules=four&position=.../.../...%20w%204,4", 404));
	start_worker();
	wait_for_tables(&anna, 1);
	unsigned long before = figure("merels_worker_jobs_total");
	char *turn = first_turn(&anna, "{\"rules\":\"four\",\"first\":\"other\",\"against\":{\"level\":\"perfect\"}}");

	assert_string_equal(turn, "b2");
	free(turn);
	assert_int_equal(figure("merels_worker_jobs_total"), before + 1);
	json_t *answer = player_get(&anna, "/api/v1/tables?rules=four&position=.../.../...%20w%204,4", 200);

	assert_int_equal(json_array_size(json_object_get(answer, "turns")), 9);
	assert_string_equal(
	    json_string_value(json_object_get(json_array_get(json_object_get(answer, "turns"), 0), "turn")), "b2");
	json_decref(answer);
	answer = player_get(&anna, "/api/v1/tables?rules=four&position=WWW/.../BB.%20b%200,0", 200);
	assert_int_equal(json_array_size(json_object_get(answer, "turns")), 0);
	json_decref(answer);
	json_decref(player_get(&anna, "/api/v1/tables?rules=four&position=nonsense", 400));
	json_decref(player_get(&anna, "/api/v1/tables?rules=six&position=nonsense", 404));
	player_release(&anna);
}

static void without_its_worker_the_node_thinks_itself(void **state)
{
	struct player ben;

	(void)state;
	player_init(&ben, program.port);
	end_worker();
	/* The node still believes that it is there. */
	char *turn = first_turn(&ben, "{\"rules\":\"nine\",\"first\":\"other\",\"against\":{\"level\":3}}");

	assert_non_null(turn);
	free(turn);
	assert_true(figure("merels_worker_failures_total") <= 1);
	player_release(&ben);
}

struct liar {
	struct mrl_bus *bus;
	char club[64];
	unsigned lies;
};

static void answer_call(void *user, const struct mrl_bus_message *message)
{
	struct liar *liar = user;
	char subject[128];
	char text[256];

	(void)sscanf(message->subject, "merels.%63[^.]", liar->club);
	(void)snprintf(subject, sizeof(subject), "merels.%s.work.here", liar->club);
	(void)snprintf(text, sizeof(text), "merels-work 1 %s here\nfrom liar\nthreads 9\n", liar->club);
	(void)mrl_bus_publish(liar->bus, subject, text, strlen(text), NULL);
}

static void answer_job(void *user, const struct mrl_bus_message *message)
{
	struct liar *liar = user;
	char subject[256];
	char text[256];
	char giver[64];
	unsigned long id;

	assert_int_equal(sscanf(message->data, "%*[^\n]\nfrom %63s\nid %lu", giver, &id), 2);
	(void)snprintf(text, sizeof(text), "merels-work 1 %s taken\nfrom liar\n", liar->club);
	(void)mrl_bus_reply(liar->bus, message, text, strlen(text), NULL);
	(void)snprintf(subject, sizeof(subject), "merels.%s.work.done.%s", liar->club, giver);
	(void)snprintf(text, sizeof(text), "merels-work 1 %s done\nfrom liar\nid %lu\n\nz9xq3", liar->club, id);
	(void)mrl_bus_publish(liar->bus, subject, text, strlen(text), NULL);
	liar->lies++;
}

static void a_worker_that_lies_is_not_believed(void **state)
{
	struct liar liar = {0};
	struct player cleo;
	uint64_t id;

	(void)state;
	player_init(&cleo, program.port);
	assert_int_equal(mrl_bus_open(&liar.bus, &(struct mrl_bus_settings){.place = nats.place}, NULL), MRL_OK);
	assert_int_equal(mrl_bus_subscribe(liar.bus, "merels.*.work.call", NULL, answer_call, &liar, &id, NULL),
			 MRL_OK);
	assert_int_equal(mrl_bus_subscribe(liar.bus, "merels.*.work.turn", "workers", answer_job, &liar, &id, NULL),
			 MRL_OK);
	/* Until the node has called, and counts it; the worker that was killed may still be counted as well. */
	for (unsigned i = 0; i < 1500 && (liar.club[0] == '\0' || figure("merels_workers") == 0); i++)
		(void)mrl_bus_wait(liar.bus, 10);
	/* The first that asks is told a lie; the turn comes all the same. */
	player_make(&cleo, "{\"rules\":\"nine\",\"first\":\"other\",\"against\":{\"level\":3}}");
	for (unsigned i = 0; i < 500 && liar.lies == 0; i++)
		(void)mrl_bus_wait(liar.bus, 10);
	assert_int_equal(liar.lies, 1);
	(void)mrl_bus_wait(liar.bus, 10);
	mrl_bus_close(liar.bus);
	player_open(&cleo);
	json_t *game = player_watch(&cleo);

	if (json_array_size(json_object_get(game, "turns")) == 0)
		json_decref(player_await(&cleo, "event", "turn"));
	json_decref(game);
	player_release(&cleo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_node_without_tables_plays_perfectly_by_a_worker),
	    cmocka_unit_test(without_its_worker_the_node_thinks_itself),
	    cmocka_unit_test(a_worker_that_lies_is_not_believed),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
