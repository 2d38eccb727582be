/*
 * Three servers of one club, on one PostgreSQL and one NATS: a game whose players and watchers are on different ones,
 * and what becomes of it when its owner is killed, stopped, or drained.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <libpq-fe.h>

#include "client.h"
#include "folder.h"
#include "nats_server.h"
#include "player.h"
#include "program.h"

/* KNOWN_MS: until each node knows who has the lobby. */
enum { NODES = 3, KNOWN_MS = 1300, LEASE_MS = 3000, TRIES = 600 };

static char web[FOLDER_SIZE];
static char store[FOLDER_SIZE + 256];
static struct program node[NODES];
static bool runs[NODES];
static struct nats_server nats;

static const char settings[] =
    "{\"rules\":\"nine\",\"first\":\"me\",\"private\":false,\"tempo\":{\"base\":60000,\"increment\":0}}";

/* ---- Servers ----------------------------------------------------------------------------------------------------- */

static void tell_postgres(const char *sql)
{
	PGconn *connection = PQconnectdb(getenv("MERELS_TEST_POSTGRES") + strlen("postgres:"));
	PGresult *result = PQexec(connection, sql);

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail_msg("%s: %s", sql, PQerrorMessage(connection));
	PQclear(result);
	PQfinish(connection);
}

static long long ask_postgres(const char *sql)
{
	PGconn *connection = PQconnectdb(store + strlen("postgres:"));
	PGresult *result = PQexec(connection, sql);
	long long number = PQntuples(result) == 1 ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : -1;

	PQclear(result);
	PQfinish(connection);
	return number;
}

static void start_node(unsigned i)
{
	const char name[2] = {(char)('a' + i), '\0'};
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web",  web,  "--store", store,
					 "--bus",    nats.place,    "--node", name, NULL};

	program_start(&node[i], arguments);
	program_wait_for_port(&node[i]);
	runs[i] = true;
}

static void kill_node(unsigned i)
{
	assert_int_equal(kill(node[i].child, SIGKILL), 0);
	assert_int_equal(program_end(&node[i]), 128 + SIGKILL);
	runs[i] = false;
}

static int start(void **state)
{
	static unsigned made;
	char sql[64];

	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	(void)snprintf(sql, sizeof(sql), "CREATE SCHEMA nodes_%ld_%u", (long)getpid(), made);
	tell_postgres(sql);
	(void)snprintf(store, sizeof(store), "%s options=-csearch_path=nodes_%ld_%u", getenv("MERELS_TEST_POSTGRES"),
		       (long)getpid(), made++);
	nats_make(&nats);
	nats_start(&nats, NULL);
	for (unsigned i = 0; i < NODES; i++)
		start_node(i);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	for (unsigned i = 0; i < NODES; i++) {
		/* One that was stopped, by a test that failed, would not end. */
		if (runs[i])
			(void)kill(node[i].child, SIGCONT);
		if (runs[i])
			program_stop(&node[i]);
		if (runs[i] && getenv("MERELS_TEST_TELL") != NULL)
			print_message("node %c said:\n%s", 'a' + (int)i, node[i].said);
		runs[i] = false;
	}
	nats_release(&nats);
	folder_remove(web);
	return 0;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void rest(unsigned ms)
{
	const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};

	(void)nanosleep(&time, NULL);
}

/* ---- Players ----------------------------------------------------------------------------------------------------- */

struct three {
	struct player white;   /* at node a, which owns the game */
	struct player black;   /* at node b */
	struct player watcher; /* at node c */
};

static void move_to(struct player *player, unsigned i)
{
	player_close(player);
	player->port = node[i].port;
	player_open(player);
}

static void begin(struct three *three, unsigned white, unsigned black, unsigned watcher)
{
	player_init(&three->white, node[white].port);
	player_init(&three->black, node[black].port);
	player_init(&three->watcher, node[watcher].port);
	player_make(&three->white, settings);
	player_join(&three->black, &three->white);
	memcpy(three->watcher.game, three->white.game, sizeof(three->watcher.game));
	player_open(&three->white);
	json_decref(player_watch(&three->white));
	player_open(&three->black);
	json_decref(player_watch(&three->black));
	player_open(&three->watcher);
	json_decref(player_watch(&three->watcher));
}

static void end(struct three *three)
{
	player_release(&three->white);
	player_release(&three->black);
	player_release(&three->watcher);
}

/* Turns are told in order, and this is one of them. */
static void expect_turn(struct player *player, unsigned ply, const char *turn)
{
	long long told = -1;

	while (told < (long long)ply) {
		json_t *event = player_await(player, "event", "turn");

		assert_true(told < 0 || number_of(event, "ply") == told + 1);
		told = number_of(event, "ply");
		if (told == (long long)ply)
			assert_string_equal(text_of(event, "turn"), turn);
		json_decref(event);
	}
	assert_int_equal(told, ply);
}

static json_t *look(struct player *player)
{
	return player_watch(player);
}

static long long clock_of(const json_t *snapshot, const char *side)
{
	return number_of(json_object_get(snapshot, "clock"), side);
}

static long long turns_of(struct player *player)
{
	json_t *snapshot = look(player);
	long long ply = number_of(snapshot, "ply");

	json_decref(snapshot);
	return ply;
}

/* Which is told a moment after they have come. */
static bool both_are_here(struct player *player)
{
	json_t *snapshot = look(player);
	json_t *seats = json_object_get(snapshot, "presence");
	bool here = json_is_true(json_object_get(json_array_get(seats, 0), "here")) &&
		    json_is_true(json_object_get(json_array_get(seats, 1), "here"));

	json_decref(snapshot);
	return here;
}

/* ---- The rules --------------------------------------------------------------------------------------------------- */

static void a_game_is_played_across_nodes(void **state)
{
	struct three three;

	(void)state;
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	expect_turn(&three.black, 0, "a1");
	expect_turn(&three.watcher, 0, "a1");
	player_turn(&three.black, 1, "g7");
	expect_turn(&three.white, 1, "g7");
	expect_turn(&three.watcher, 1, "g7");
	/* What the game refuses, it refuses from afar as well. */
	player_command(&three.black, "turn", "\"ply\":2,\"turn\":\"d6\"", "not-your-turn");
	player_turn(&three.white, 2, "a7");
	expect_turn(&three.black, 2, "a7");
	player_command(&three.black, "turn", "\"ply\":3,\"turn\":\"a7\"", "illegal");
	player_command(&three.watcher, "turn", "\"ply\":3,\"turn\":\"d6\"", "no-seat");
	/* Who is there is known everywhere, and so is that there is something to be watched. */
	bool seen = false;

	for (unsigned tries = 0; !seen; tries++) {
		assert_true(tries < TRIES);
		json_t *list = player_get(&three.watcher, "/api/v1/playing", 200);
		json_t *games = json_object_get(list, "games");

		seen = json_array_size(games) == 1 &&
		       strcmp(text_of(json_array_get(games, 0), "game"), three.white.game) == 0;
		json_decref(list);
		rest(50);
	}
	for (unsigned tries = 0; !both_are_here(&three.watcher); tries++) {
		assert_true(tries < TRIES);
		rest(50);
	}
	player_command(&three.black, "resign", "", NULL);
	json_decref(player_await(&three.white, "event", "ended"));
	json_decref(player_await(&three.watcher, "event", "ended"));
	assert_int_equal(ask_postgres("SELECT count(*) FROM games WHERE state = 2"), 1);
	end(&three);
}

static void a_game_goes_on_when_its_owner_is_killed(void **state)
{
	struct three three;

	(void)state;
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	player_turn(&three.black, 1, "g7");
	expect_turn(&three.watcher, 0, "a1");
	uint64_t thinks = now_ms();

	expect_turn(&three.watcher, 1, "g7");
	rest(2500);
	uint64_t began = now_ms();

	kill_node(0);
	/* White comes back to a node that has nothing of the game yet, or is a replica. */
	move_to(&three.white, 2);
	json_decref(look(&three.white));
	player_turn(&three.white, 2, "a7");
	uint64_t took = now_ms() - began;

	expect_turn(&three.black, 2, "a7");
	expect_turn(&three.watcher, 2, "a7");
	player_turn(&three.black, 3, "d1");
	expect_turn(&three.white, 3, "d1");
	json_t *snapshot = look(&three.watcher);

	/* What White had thought before, and not what the take-over took. */
	assert_true(clock_of(snapshot, "white") > 60000 - 2000 - (long long)(began - thinks));
	json_decref(snapshot);
	assert_int_equal(ask_postgres("SELECT count(*) FROM events WHERE text LIKE '% turn %'"), 4);
	print_message("a killed owner: %llu ms until the next turn\n", (unsigned long long)took);
	start_node(0);
	move_to(&three.watcher, 0);
	assert_int_equal(turns_of(&three.watcher), 4);
	end(&three);
}

static void a_paused_owner_writes_nothing(void **state)
{
	struct three three;

	(void)state;
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	player_turn(&three.black, 1, "g7");
	rest(2500);
	assert_int_equal(kill(node[0].child, SIGSTOP), 0);
	/* Sent to the stopped node, to be read when it goes on: it is not this node's any more by then. */
	player_send(&three.white, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"late\",\"ply\":2,\"turn\":\"d6\"}",
		    three.white.game);
	struct player other = three.white;

	other.fd = -1;
	other.port = node[2].port;
	player_open(&other);
	json_decref(player_watch(&other));
	player_turn(&other, 2, "a7");
	expect_turn(&three.black, 2, "a7");
	player_turn(&three.black, 3, "d1");
	assert_int_equal(kill(node[0].child, SIGCONT), 0);
	/* The late turn is refused, by the new owner. */
	for (;;) {
		json_t *message = player_next(&three.white);

		assert_non_null(message);
		bool refused = strcmp(text_of(message, "t"), "no") == 0;

		if (refused)
			assert_string_equal(text_of(message, "code"), "wrong-ply");
		json_decref(message);
		if (refused)
			break;
	}
	/* And it is a node like others again. Ids are a seat's, wherever it is. */
	three.white.commands = other.commands;
	player_turn(&three.white, 4, "d2");
	expect_turn(&three.black, 4, "d2");
	assert_int_equal(ask_postgres("SELECT count(*) FROM events WHERE text LIKE '% turn %'"), 5);
	assert_int_equal(ask_postgres("SELECT count(*) FROM owners o JOIN nodes n ON n.id = o.node WHERE n.name = 'a' "
				      "AND o.game <> -1"),
			 0);
	player_close(&other);
	end(&three);
}

static void a_drained_node_hands_its_games_over(void **state)
{
	static const char *const turns[] = {"d1", "d2", "g1", "b6", "f4", "b2"};
	struct three three;
	uint64_t longest = 0;

	(void)state;
	/* The game is node a's, and its players are elsewhere. */
	begin(&three, 0, 1, 0);
	player_turn(&three.white, 0, "a1");
	player_turn(&three.black, 1, "g7");
	player_turn(&three.white, 2, "a7");
	move_to(&three.white, 2);
	json_decref(look(&three.white));
	rest(1500);
	assert_int_equal(kill(node[0].child, SIGUSR1), 0);
	for (unsigned i = 0; i < 6; i++) {
		uint64_t began = now_ms();

		player_turn(i % 2 == 0 ? &three.black : &three.white, 3 + i, turns[i]);
		uint64_t took = now_ms() - began;

		longest = took > longest ? took : longest;
		expect_turn(i % 2 == 0 ? &three.white : &three.black, 3 + i, turns[i]);
		rest(10);
	}
	/* Nobody waited for a lease to run out. */
	assert_true(longest < LEASE_MS);
	print_message("a drained owner: %llu ms at most for a turn\n", (unsigned long long)longest);
	/* It ends by itself, and its sockets are told to come back. */
	player_expect_close(&three.watcher, 1001);
	assert_int_equal(program_end(&node[0]), 0);
	runs[0] = false;
	move_to(&three.watcher, 1);
	assert_int_equal(turns_of(&three.watcher), 9);
	assert_int_equal(ask_postgres("SELECT count(*) FROM events WHERE text LIKE '% turn %'"), 9);
	end(&three);
}

static void what_was_not_heard_is_read_from_the_store(void **state)
{
	struct three three;

	(void)state;
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	expect_turn(&three.watcher, 0, "a1");
	nats_kill(&nats);
	/* Sent while there is no bus: it waits, and is done once. */
	player_send(&three.black, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"once\",\"ply\":1,\"turn\":\"g7\"}",
		    three.black.game);
	rest(1000);
	nats_start(&nats, NULL);
	expect_turn(&three.white, 1, "g7");
	expect_turn(&three.watcher, 1, "g7");
	player_turn(&three.white, 2, "a7");
	expect_turn(&three.watcher, 2, "a7");
	assert_int_equal(ask_postgres("SELECT count(*) FROM events WHERE text LIKE '% turn %'"), 3);
	end(&three);
}

/* A replica that was told nothing knows that it may be behind. */
static void nobody_is_refused_from_behind_the_store(void **state)
{
	struct player white;
	struct player black;
	struct player watcher;

	(void)state;
	player_init(&white, node[0].port);
	player_init(&black, node[0].port);
	player_init(&watcher, node[2].port);
	player_make(&white, settings);
	memcpy(watcher.game, white.game, sizeof(watcher.game));
	player_open(&white);
	json_decref(player_watch(&white));
	player_open(&watcher);
	json_decref(player_watch(&watcher));
	nats_kill(&nats);
	player_join(&black, &white);
	black.port = node[2].port;
	player_open(&black);
	json_t *snapshot = player_watch(&black);

	assert_int_equal(number_of(snapshot, "you"), 1);
	json_decref(snapshot);
	player_turn(&white, 0, "a1");
	/* Somebody who has been told more elsewhere. */
	snapshot = look(&white);
	player_send(&watcher, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":%lld}", watcher.game,
		    number_of(snapshot, "n"));
	json_decref(player_await(&watcher, "caught-up", NULL));
	json_decref(snapshot);
	nats_start(&nats, NULL);
	player_release(&white);
	player_release(&black);
	player_release(&watcher);
}

/* Whoever makes a game at one node and plays it at another has it there soon. */
static void a_game_follows_its_first_player(void **state)
{
	static const char sql[] = "SELECT count(*) FROM owners o JOIN nodes n ON n.id = o.node WHERE n.name = 'c' AND "
				  "o.game <> -1";
	struct three three;

	(void)state;
	player_init(&three.white, node[0].port);
	player_init(&three.black, node[1].port);
	player_make(&three.white, settings);
	player_join(&three.black, &three.white);
	three.white.port = node[2].port;
	player_open(&three.black);
	json_decref(player_watch(&three.black));
	player_open(&three.white);
	json_decref(player_watch(&three.white));
	player_turn(&three.white, 0, "a1");
	expect_turn(&three.black, 0, "a1");
	for (unsigned tries = 0; ask_postgres(sql) != 1; tries++) {
		assert_true(tries < TRIES);
		rest(100);
	}
	player_turn(&three.black, 1, "g7");
	expect_turn(&three.white, 1, "g7");
	player_turn(&three.white, 2, "a7");
	expect_turn(&three.black, 2, "a7");
	player_release(&three.white);
	player_release(&three.black);
}

/* The node that has the lobby, once it is known. */
static unsigned lobby_node(void)
{
	for (unsigned tries = 0; tries < TRIES; tries++) {
		for (unsigned i = 0; i < NODES; i++) {
			char sql[160];

			(void)snprintf(
			    sql, sizeof(sql),
			    "SELECT count(*) FROM owners o JOIN nodes n ON n.id = o.node WHERE o.game = -1 AND "
			    "n.name = '%c' AND n.until > now()",
			    'a' + (int)i);
			if (runs[i] && ask_postgres(sql) == 1) {
				rest(KNOWN_MS);
				return i;
			}
		}
		rest(100);
	}
	fail_msg("no node has the lobby");
	return 0;
}

static long long is_owned_by(unsigned i)
{
	char sql[160];

	/* The game that was made last. */
	(void)snprintf(sql, sizeof(sql),
		       "SELECT (n.name = '%c')::int FROM owners o JOIN nodes n ON n.id = o.node JOIN games g ON g.id = "
		       "o.game ORDER BY g.created DESC LIMIT 1",
		       'a' + (int)i);
	return ask_postgres(sql);
}

static void come_to_lobby(struct player *player, unsigned i)
{
	player_init(player, node[i].port);
	json_decref(player_get(player, "/api/v1/me", 200));
	player_open(player);
}

/* Says it until it is done: the lobby may have moved a moment ago. */
static json_t *insist(struct player *player, const char *wish)
{
	for (unsigned tries = 0; tries < TRIES; tries++) {
		bool answered = false;

		player_send(player, "%s", wish);
		while (!answered) {
			json_t *message = player_next(player);

			assert_non_null(message);
			if (strcmp(text_of(message, "t"), "done") == 0)
				return message;
			answered = strcmp(text_of(message, "t"), "no") == 0;
			if (answered)
				assert_string_equal(text_of(message, "code"), "unavailable");
			json_decref(message);
		}
		rest(100);
	}
	fail_msg("never done: %s", wish);
	return NULL;
}

static void seek(struct player *player, char offer[32])
{
	json_t *done = insist(
	    player, "{\"t\":\"seek\",\"id\":\"s\",\"rules\":\"nine\",\"tempo\":{\"base\":60000,\"increment\":0}}");

	(void)snprintf(offer, 32, "%s", text_of(done, "offer"));
	json_decref(done);
}

static void take(struct player *player, const char *offer)
{
	char wish[96];

	(void)snprintf(wish, sizeof(wish), "{\"t\":\"take\",\"id\":\"t\",\"offer\":\"%s\"}", offer);
	json_decref(insist(player, wish));
}

/* It is told within moments; asking again is what a page does that is opened then. */
static void await_offer(struct player *player, const char *offer)
{
	for (bool seen = false; !seen;) {
		json_t *lobby = player_get(player, "/api/v1/lobby", 200);
		json_t *offers = json_object_get(lobby, "offers");

		seen = json_array_size(offers) == 1 && strcmp(text_of(json_array_get(offers, 0), "offer"), offer) == 0;
		json_decref(lobby);
		rest(20);
	}
}

static void expect_pair(struct player *one, struct player *other)
{
	json_t *paired[2] = {player_await(one, "paired", NULL), player_await(other, "paired", NULL)};

	assert_string_equal(text_of(paired[0], "game"), text_of(paired[1], "game"));
	(void)snprintf(one->game, sizeof(one->game), "%s", text_of(paired[0], "game"));
	(void)snprintf(other->game, sizeof(other->game), "%s", text_of(paired[0], "game"));
	json_decref(paired[0]);
	json_decref(paired[1]);
}

/*
 * One lobby for all: who wants a game, on whatever node, finds whoever wants it on another; and the game is the first's
 * node's.
 */
static void offers_are_seen_and_taken_across_nodes(void **state)
{
	struct player one;
	struct player other;
	char offer[32] = "";

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		unsigned lobby = lobby_node();
		unsigned first = (lobby + 1) % NODES;

		if (!runs[first])
			first = (first + 1) % NODES;
		come_to_lobby(&one, first);
		come_to_lobby(&other, round == 0 ? NODES - lobby - first : lobby);
		seek(&one, offer);
		await_offer(&other, offer);
		take(&other, offer);
		expect_pair(&one, &other);
		json_decref(player_watch(&one));
		json_t *snapshot = player_watch(&other);
		bool begins = number_of(snapshot, "white") == 0;

		json_decref(snapshot);
		/* It is made there, or follows when that node was late to answer. */
		for (unsigned tries = 0; is_owned_by(first) != 1; tries++) {
			assert_true(tries < TRIES);
			rest(100);
		}
		player_turn(begins ? &one : &other, 0, "a1");
		expect_turn(begins ? &other : &one, 0, "a1");
		player_release(&one);
		player_release(&other);
		/* The lobby moves when its node is killed. */
		if (round == 0)
			kill_node(lobby);
	}
}

/* The word that two are paired is asked for by whoever waits for it. */
static void who_is_paired_hears_of_it_though_the_word_was_lost(void **state)
{
	struct player one;
	struct player other;
	char offer[32] = "";

	(void)state;
	unsigned lobby = lobby_node();

	come_to_lobby(&one, (lobby + 1) % NODES);
	come_to_lobby(&other, lobby);
	seek(&one, offer);
	await_offer(&other, offer);
	nats_kill(&nats);
	player_send(&other, "{\"t\":\"take\",\"id\":\"t\",\"offer\":\"%s\"}", offer);
	json_decref(player_await(&other, "done", NULL));
	rest(1700);
	nats_start(&nats, NULL);
	expect_pair(&one, &other);
	player_release(&one);
	player_release(&other);
}

/* Nothing that decides anything is by the clocks of machines. */
static void a_wrong_clock_is_told_and_changes_nothing(void **state)
{
#ifdef WRONG_CLOCK
	struct three three;

	(void)state;
	kill_node(1);
	assert_int_equal(setenv("LD_PRELOAD", WRONG_CLOCK, 1), 0);
	start_node(1);
	assert_int_equal(unsetenv("LD_PRELOAD"), 0);
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	player_turn(&three.black, 1, "g7");
	rest(1100);
	json_t *snapshot = look(&three.watcher);

	assert_true(clock_of(snapshot, "white") > 50000 && clock_of(snapshot, "white") < 60000);
	json_decref(snapshot);
	/* Its lease is what it is. */
	rest(1500);
	player_turn(&three.white, 2, "a7");
	expect_turn(&three.black, 2, "a7");
	end(&three);
	program_stop(&node[1]);
	runs[1] = false;
	/* Sixty seconds, and what the answer of a busy PostgreSQL took. */
	assert_non_null(strstr(node[1].said, "the clock of this machine is 6"));
	assert_non_null(strstr(node[1].said, " s ahead of that of PostgreSQL"));
#else
	(void)state;
	skip();
#endif
}

/* As when the answer to giving it back was lost: another node has the game, and its owner does not know. */
static void an_owner_that_was_not_told_finds_out(void **state)
{
	struct three three;

	(void)state;
	begin(&three, 0, 1, 2);
	player_turn(&three.white, 0, "a1");
	expect_turn(&three.black, 0, "a1");
	assert_int_equal(
	    ask_postgres("WITH other AS (SELECT id FROM nodes WHERE id NOT IN (SELECT node FROM owners WHERE "
			 "game <> -1) LIMIT 1), moved AS (UPDATE owners SET node = (SELECT id FROM other), "
			 "fence = nextval('merels_fences') WHERE game <> -1 RETURNING 1) SELECT count(*) FROM "
			 "moved"),
	    1);
	/* Before it wants to write: it may be the other's turn. */
	rest(10000);
	player_turn(&three.black, 1, "g7");
	expect_turn(&three.white, 1, "g7");
	expect_turn(&three.watcher, 1, "g7");
	player_turn(&three.white, 2, "a7");
	expect_turn(&three.black, 2, "a7");
	end(&three);
	program_stop(&node[0]);
	runs[0] = false;
	assert_null(strstr(node[0].said, "nothing was written to it here"));
}

int main(void)
{
#define RULE(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
	    RULE(a_game_is_played_across_nodes),
	    RULE(a_game_goes_on_when_its_owner_is_killed),
	    RULE(a_paused_owner_writes_nothing),
	    RULE(a_drained_node_hands_its_games_over),
	    RULE(a_wrong_clock_is_told_and_changes_nothing),
	    RULE(who_is_paired_hears_of_it_though_the_word_was_lost),
	    RULE(nobody_is_refused_from_behind_the_store),
	    RULE(a_game_follows_its_first_player),
	    RULE(offers_are_seen_and_taken_across_nodes),
	    RULE(what_was_not_heard_is_read_from_the_store),
	    RULE(an_owner_that_was_not_told_finds_out),
	};

	if (getenv("MERELS_TEST_POSTGRES") == NULL)
		return 77;
	(void)signal(SIGPIPE, SIG_IGN);
	cmocka_set_test_filter(getenv("MERELS_TEST_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
