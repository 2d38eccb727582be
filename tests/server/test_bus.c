/*
 * A node whose NATS is not there, hangs, or brings what is not meant for it, and one whose PostgreSQL is not as it
 * should be. With a PostgreSQL of the test's own
 * (MERELS_TEST_POSTGRES, see tests/store/with_postgres.sh).
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
#include <time.h>

#include <cmocka.h>
#include <libpq-fe.h>

#include <merels/bus.h>

#include "folder.h"
#include "nats_server.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];
static struct program program;
static struct nats_server nats;

static void start_node(void)
{
	const char *const arguments[] = {
	    "--listen", "127.0.0.1:0", "--web",  web,     "--store", getenv("MERELS_TEST_POSTGRES"),
	    "--bus",    nats.place,    "--node", "alone", NULL};

	folder_make(web);
	folder_put_text(web, "index.html", "page");
	program_start(&program, arguments);
	program_wait_for_port(&program);
}

static void end_node(void)
{
	program_stop(&program);
	folder_remove(web);
}

/* The computer begins, and does. */
static void expect_game(void)
{
	struct player player;

	player_init(&player, program.port);
	player_make(&player, "{\"rules\":\"nine\",\"first\":\"other\",\"against\":{\"level\":1}}");
	player_open(&player);
	json_t *game = player_watch(&player);

	if (json_array_size(json_object_get(game, "turns")) == 0)
		json_decref(player_await(&player, "event", "turn"));
	json_decref(game);
	player_release(&player);
}

static void without_nats_a_node_starts_says_so_and_plays(void **state)
{
	(void)state;
	nats_make(&nats);
	start_node();
	expect_game();
	end_node();
	nats_release(&nats);
	assert_non_null(strstr(program.said, "NATS cannot be reached at nats://127.0.0.1:"));
}

static void while_nats_hangs_or_is_gone_a_node_plays(void **state)
{
	(void)state;
	nats_make(&nats);
	nats_start(&nats, NULL);
	start_node();
	expect_game();
	assert_int_equal(kill(nats.child, SIGSTOP), 0);
	expect_game();
	nats_kill(&nats);
	expect_game();
	nats_start(&nats, NULL);
	expect_game();
	end_node();
	nats_release(&nats);
	assert_non_null(strstr(program.said, "connected to NATS at nats://127.0.0.1:"));
	assert_non_null(strstr(program.said, "lost"));
}

/* Starts a node that cannot go on, and expects what it says. */
static void expect_end(const char *store, const char *name, const char *words)
{
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web",  web,  "--store", store,
					 "--bus",    nats.place,    "--node", name, NULL};
	struct program other;

	program_start(&other, arguments);
	assert_int_equal(program_end(&other), 3);
	if (strstr(other.said, words) == NULL)
		fail_msg("\"%s\" is not in: %s", words, other.said);
}

static void tell_postgres(const char *sql)
{
	PGconn *connection = PQconnectdb(getenv("MERELS_TEST_POSTGRES") + strlen("postgres:"));
	PGresult *result = PQexec(connection, sql);

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(connection));
	PQclear(result);
	PQfinish(connection);
}

static void a_node_that_cannot_serve_the_club_ends_and_says_why(void **state)
{
	char newer[512];

	(void)state;
	nats_make(&nats);
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	expect_end("postgres:host=/nowhere", "a", "PostgreSQL cannot be reached");
	expect_end("sqlite:x.db", "a", "several servers need PostgreSQL");
	tell_postgres("CREATE SCHEMA newer");
	tell_postgres("CREATE TABLE newer.merels_version AS SELECT 99::bigint AS version");
	(void)snprintf(newer, sizeof(newer), "%s options=-csearch_path=newer", getenv("MERELS_TEST_POSTGRES"));
	expect_end(newer, "a", "has version 99, and this program knows versions up to");
	folder_remove(web);
	nats_release(&nats);
}

enum { MOST_SEEN = 64, SEEN_SIZE = 2048 };

struct seen {
	struct mrl_bus *bus;
	size_t count;
	char subject[MOST_SEEN][MRL_BUS_SUBJECT_SIZE];
	char data[MOST_SEEN][SEEN_SIZE];
	size_t length[MOST_SEEN];
};

static void remember(void *user, const struct mrl_bus_message *message)
{
	struct seen *seen = user;

	if (seen->count == MOST_SEEN || message->length > SEEN_SIZE)
		return;
	(void)snprintf(seen->subject[seen->count], MRL_BUS_SUBJECT_SIZE, "%s", message->subject);
	memcpy(seen->data[seen->count], message->data, message->length);
	seen->length[seen->count++] = message->length;
}

static void send(struct seen *seen, const char *subject, const char *data, size_t length)
{
	struct mrl_bus_counts counts;

	(void)mrl_bus_publish(seen->bus, subject, data, length, NULL);
	mrl_bus_count(seen->bus, &counts);
	if (counts.sent % 256 == 0)
		(void)mrl_bus_wait(seen->bus, 1);
}

/* What was seen, cut off and with one byte changed, at every place; and the same as if of another club. */
static void spoil(struct seen *seen, size_t which)
{
	char data[SEEN_SIZE];
	size_t length = seen->length[which];

	for (size_t at = 0; at < length; at++) {
		memcpy(data, seen->data[which], length);
		send(seen, seen->subject[which], data, at);
		data[at] = (char)(data[at] ^ (1 << at % 7));
		send(seen, seen->subject[which], data, length);
	}
	for (size_t other = 0; other < seen->count; other++)
		send(seen, seen->subject[which], seen->data[other], seen->length[other]);
}

static void what_is_not_meant_for_a_node_does_not_hurt_it(void **state)
{
	static const char *const words[] = {"", "x", "{}", "[]", "{\"t\":1}", "{\"t\":\"left\"}", "\xff\xfe", "null"};
	static const char *const subjects[] = {"nodes.evt", "people.evt", "work.here"};
	static struct seen seen;
	uint64_t id;

	(void)state;
	nats_make(&nats);
	nats_start(&nats, NULL);
	assert_int_equal(mrl_bus_open(&seen.bus, &(struct mrl_bus_settings){.place = nats.place}, NULL), MRL_OK);
	assert_int_equal(mrl_bus_subscribe(seen.bus, "merels.>", NULL, remember, &seen, &id, NULL), MRL_OK);
	while (!mrl_bus_is_connected(seen.bus))
		(void)mrl_bus_wait(seen.bus, 10);
	start_node();
	expect_game();
	for (unsigned i = 0; i < 50; i++)
		(void)mrl_bus_wait(seen.bus, 50);
	mrl_bus_unsubscribe(seen.bus, id);
	assert_true(seen.count > 0);
	char club[64] = "";

	assert_int_equal(sscanf(seen.subject[0], "merels.%63[^.]", club), 1);
	for (size_t i = 0; i < seen.count; i++)
		spoil(&seen, i);
	for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++) {
		char subject[128];

		(void)snprintf(subject, sizeof(subject), "merels.%s.%s", club, subjects[s]);
		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
			send(&seen, subject, words[w], strlen(words[w]));
	}
	mrl_bus_close(seen.bus);
	expect_game();
	end_node();
	nats_release(&nats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_nats_a_node_starts_says_so_and_plays),
	    cmocka_unit_test(while_nats_hangs_or_is_gone_a_node_plays),
	    cmocka_unit_test(what_is_not_meant_for_a_node_does_not_hurt_it),
	    cmocka_unit_test(a_node_that_cannot_serve_the_club_ends_and_says_why),
	};

	if (getenv("MERELS_TEST_POSTGRES") == NULL)
		return 77;
	(void)signal(SIGPIPE, SIG_IGN);
	cmocka_set_test_filter(getenv("MERELS_TEST_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
