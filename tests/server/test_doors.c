/* Limits of an address, what is believed of a proxy, and how the server takes its leave. */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "client.h"
#include "folder.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];

static int start(void **state)
{
	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	folder_remove(web);
	return 0;
}

static void serve(struct program *program, const char *option, const char *value, const char *other, const char *with)
{
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web, option, value, other, with, NULL};

	program_start(program, arguments);
	program_wait_for_port(program);
}

static void get(unsigned port, const char *path, const char *headers, struct answer *answer)
{
	char request[1024];

	(void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", path, headers);
	client_ask(port, request, answer);
}

static int open_socket(unsigned port, const char *headers, int *fd)
{
	struct answer answer;
	char request[8192];

	(void)snprintf(request, sizeof(request),
		       "GET /api/v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
		       headers);
	*fd = client_connect(port);
	assert_true(client_say(*fd, request));
	client_read(*fd, true, &answer);
	int status = answer.status;

	answer_release(&answer);
	return status;
}

/* Makes a game by link and says with which status; the code of a refusal must be the one of too many. */
static int make_waiting(struct player *player)
{
	json_t *answer = NULL;
	int status = player_ask(player, "POST", "/api/v1/games", "{}", &answer);

	if (status == 201)
		(void)snprintf(player->game, sizeof(player->game), "%s", text_of(answer, "game"));
	else
		assert_string_equal(text_of(json_object_get(answer, "error"), "code"), "too-many-waiting");
	json_decref(answer);
	return status;
}

/* Reports a game; the code of a 429 must be the one of too many. */
static int report(struct player *player, const char *game, const char *body)
{
	json_t *answer = NULL;
	char path[64];

	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/report", game);
	int status = player_ask(player, "POST", path, body, &answer);

	if (status == 429)
		assert_string_equal(text_of(json_object_get(answer, "error"), "code"), "too-many-reports");
	json_decref(answer);
	return status;
}

static void a_person_and_an_address_have_so_many_reports_a_day(void **state)
{
	static const char body[] = "{\"about\":\"slow\"}";
	struct program program;
	struct player anna;
	struct player others[3];
	char games[21][16];
	char data[FOLDER_SIZE];

	(void)state;
	folder_make(data);
	serve(&program, "--data", data, NULL, NULL);
	player_init(&anna, program.port);
	for (unsigned i = 0; i < 3; i++) {
		player_init(&others[i], program.port);
		json_decref(player_get(&others[i], "/api/v1/me", 200));
	}
	for (unsigned i = 0; i < 21; i++) {
		player_make(&anna, "{\"private\":false}");
		memcpy(games[i], anna.game, sizeof(games[i]));
		player_join(&others[2], &anna);
	}
	/* It says something, or names a line. */
	assert_int_equal(report(&anna, games[0], "{}"), 400);
	assert_int_equal(report(&anna, games[0], "{\"about\":\" \"}"), 400);
	assert_int_equal(report(&anna, games[0], "{\"event\":1}"), 400);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(report(&anna, games[i], body), 201);
		/* Again is no other one, and no fault. */
		assert_int_equal(report(&anna, games[i], body), 200);
	}
	assert_int_equal(report(&anna, games[20], body), 429);
	json_t *all = player_get(&anna, "/api/v1/export", 200);

	assert_int_equal(json_array_size(json_object_get(all, "reports")), 20);
	json_decref(all);
	/* What was refused counts for nobody. */
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(report(&others[0], games[i], body), 201);
	assert_int_equal(report(&others[1], games[0], body), 429);
	/* A restart forgets addresses, not who has reported. */
	program_stop(&program);
	serve(&program, "--data", data, NULL, NULL);
	anna.port = program.port;
	others[1].port = program.port;
	assert_int_equal(report(&anna, games[20], body), 429);
	assert_int_equal(report(&others[1], games[0], body), 201);
	for (unsigned i = 0; i < 3; i++)
		player_release(&others[i]);
	player_release(&anna);
	program_stop(&program);
	folder_remove(data);
}

static void a_person_and_an_address_have_so_many_games_that_wait(void **state)
{
	struct program program;
	struct player owners[11];
	struct player friend;
	char data[FOLDER_SIZE];

	(void)state;
	folder_make(data);
	serve(&program, "--data", data, NULL, NULL);
	for (unsigned i = 0; i < 11; i++) {
		player_init(&owners[i], program.port);
		for (unsigned game = 0; game < 10; game++)
			assert_int_equal(make_waiting(&owners[i]), i < 10 ? 201 : 409);
		assert_int_equal(make_waiting(&owners[i]), 409);
	}
	/* One that is withdrawn makes room, for the person and for the address. */
	player_open(&owners[0]);
	json_decref(player_watch(&owners[0]));
	player_command(&owners[0], "abort", "", NULL);
	assert_int_equal(make_waiting(&owners[10]), 201);
	assert_int_equal(make_waiting(&owners[0]), 409);
	/* What does not wait is no matter of it. */
	json_decref(player_post(&owners[0], "/api/v1/games", "{\"against\":{\"level\":1}}", 201));
	/* A restart forgets addresses, not whose games wait. One that starts makes room. */
	player_close(&owners[0]);
	program_stop(&program);
	serve(&program, "--data", data, NULL, NULL);
	for (unsigned i = 0; i < 11; i++)
		owners[i].port = program.port;
	assert_int_equal(make_waiting(&owners[1]), 409);
	assert_int_equal(make_waiting(&owners[10]), 201);
	player_make(&owners[10], "{}");
	const struct player owner = owners[10];

	player_init(&friend, program.port);
	for (unsigned i = 3; i < 10; i++)
		assert_int_equal(make_waiting(&owners[10]), 201);
	assert_int_equal(make_waiting(&owners[10]), 409);
	player_join(&friend, &owner);
	assert_int_equal(make_waiting(&owners[10]), 201);
	for (unsigned i = 0; i < 11; i++)
		player_release(&owners[i]);
	player_release(&friend);
	program_stop(&program);
	folder_remove(data);
}

static void an_address_has_so_many_sockets(void **state)
{
	struct program program;
	int fds[4];

	(void)state;
	serve(&program, "--address-sockets", "2", NULL, NULL);
	assert_int_equal(open_socket(program.port, "", &fds[0]), 101);
	assert_int_equal(open_socket(program.port, "", &fds[1]), 101);
	assert_int_equal(open_socket(program.port, "", &fds[2]), 429);
	/* Who has no proxy to be believed cannot choose an address. */
	assert_int_equal(open_socket(program.port, "X-Forwarded-For: 203.0.113.7\r\n", &fds[3]), 429);
	for (int i = 0; i < 4; i++)
		client_close(fds[i]);
	program_stop(&program);
}

static void a_trusted_proxy_says_whose_socket_it_is(void **state)
{
	struct program program;
	int fds[4];

	(void)state;
	serve(&program, "--address-sockets", "1", "--trust-proxy", "127.0.0.0/8");
	assert_int_equal(open_socket(program.port, "X-Forwarded-For: 203.0.113.7\r\n", &fds[0]), 101);
	assert_int_equal(open_socket(program.port, "X-Forwarded-For: 203.0.113.7\r\n", &fds[1]), 429);
	assert_int_equal(open_socket(program.port, "X-Forwarded-For: 203.0.113.8\r\n", &fds[2]), 101);
	/* What stands before the last address that is no proxy's was said by the client. */
	assert_int_equal(open_socket(program.port, "X-Forwarded-For: 203.0.113.9, 203.0.113.8, 127.0.0.2\r\n", &fds[3]),
			 429);
	for (int i = 0; i < 4; i++)
		client_close(fds[i]);
	program_stop(&program);
}

/* Somebody whose machine has lost its power: the connection is there as far as the system knows, and nothing comes. */
static void a_socket_that_answers_nothing_is_cut_and_the_opponent_told(void **state)
{
	struct program program;
	struct player anna;
	struct player ben;

	(void)state;
	serve(&program, "--log-level", "warning", NULL, NULL);
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	player_make(&anna, "{\"first\":\"me\",\"tempo\":{\"base\":300000,\"increment\":0}}");
	player_join(&ben, &anna);
	player_open(&anna);
	player_open(&ben);
	json_decref(player_watch(&ben));
	json_decref(player_watch(&anna));
	/* It takes the 12 seconds that players with a clock are given. Anna answers while she waits, Ben does not. */
	for (bool gone = false; !gone;) {
		json_t *presence = player_await(&anna, "presence", NULL);
		const json_t *seats = json_object_get(presence, "seats");

		assert_true(json_is_true(json_object_get(json_array_get(seats, 0), "here")));
		gone = json_is_false(json_object_get(json_array_get(seats, 1), "here"));
		json_decref(presence);
	}
	player_release(&anna);
	player_release(&ben);
	program_stop(&program);
}

/* What comes before the last address is from the client, who may make it as long as a request can be. */
/* Sends a byte again and again, until the other end has gone. False when it never goes. */
static bool is_cut_while_sending(int fd, const char *bytes)
{
	/* A minute, where a second is allowed. */
	for (unsigned i = 0; i < 1200; i++) {
		struct pollfd wait = {.fd = fd, .events = POLLIN | POLLRDHUP};

		if (send(fd, &bytes[i % strlen(bytes)], 1, MSG_NOSIGNAL) < 0)
			return true;
		if (poll(&wait, 1, 50) > 0)
			return true;
	}
	return false;
}

static void a_request_that_trickles_is_cut(void **state)
{
	struct program program;
	struct player patient;

	(void)state;
	serve(&program, "--request-seconds", "1", NULL, NULL);
	player_init(&patient, program.port);
	int fd = client_connect(program.port);

	/* Each byte would have another second; all of them together have none. */
	assert_true(client_say(fd, "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				   "Content-Length: 16000\r\n\r\n{"));
	assert_true(is_cut_while_sending(fd, " "));
	client_close(fd);
	fd = client_connect(program.port);
	assert_true(client_say(fd, "GET /api/v1/status HTTP/1.1\r\nHost: "));
	assert_true(is_cut_while_sending(fd, "x"));
	client_close(fd);
	/* Who is quick enough is not in the way of it. */
	player_make(&patient, "{}");
	player_release(&patient);
	program_stop(&program);
}

static void a_long_list_of_proxies_hides_nobody(void **state)
{
	struct program program;
	char headers[3][4096];
	int fds[3];

	(void)state;
	serve(&program, "--address-sockets", "1", "--trust-proxy", "127.0.0.0/8");
	for (unsigned i = 0; i < 3; i++) {
		char *at = headers[i];

		at += snprintf(at, 64, "X-Forwarded-For: ");
		for (unsigned j = 0; j < 100; j++)
			at += snprintf(at, 64, "198.51.100.%u, , ", j);
		(void)snprintf(at, 64, "203.0.113.%u%s\r\n", i / 2, i == 1 ? ", 127.0.0.1, " : "");
	}
	assert_int_equal(open_socket(program.port, headers[0], &fds[0]), 101);
	assert_int_equal(open_socket(program.port, headers[1], &fds[1]), 429);
	assert_int_equal(open_socket(program.port, headers[2], &fds[2]), 101);
	for (unsigned i = 0; i < 3; i++)
		client_close(fds[i]);
	program_stop(&program);
}

static void a_cookie_is_secure_where_the_connection_is(void **state)
{
	struct program program;
	struct answer answer;

	(void)state;
	serve(&program, "--trust-proxy", "127.0.0.1", NULL, NULL);
	get(program.port, "/api/v1/me", "X-Forwarded-Proto: https\r\n", &answer);
	assert_non_null(strstr(answer_header(&answer, "set-cookie"), "Secure"));
	answer_release(&answer);
	get(program.port, "/api/v1/me", "", &answer);
	assert_null(strstr(answer_header(&answer, "set-cookie"), "Secure"));
	answer_release(&answer);
	program_stop(&program);
}

static void an_address_asks_so_much_and_then_waits(void **state)
{
	struct program program;
	struct answer answer;
	int refused = 0;

	(void)state;
	serve(&program, "--address-rate", "1", NULL, NULL);
	for (int i = 0; i < 10; i++) {
		get(program.port, "/api/v1/lobby", "", &answer);
		if (answer.status == 429) {
			assert_non_null(answer_header(&answer, "retry-after"));
			refused++;
		}
		answer_release(&answer);
	}
	assert_true(refused >= 3);
	/* The page itself is for everybody. */
	get(program.port, "/", "", &answer);
	assert_int_equal(answer.status, 200);
	answer_release(&answer);
	program_stop(&program);
}

static void figures_are_for_this_machine(void **state)
{
	struct program program;
	struct answer answer;

	(void)state;
	serve(&program, "--trust-proxy", "127.0.0.1", NULL, NULL);
	get(program.port, "/metrics", "", &answer);
	assert_int_equal(answer.status, 200);
	assert_non_null(strstr(answer.body, "\nmerels_sockets 0\n"));
	assert_non_null(strstr(answer.body, "merels_commit_seconds_bucket{le=\"+Inf\"} 0\n"));
	answer_release(&answer);
	get(program.port, "/metrics", "X-Forwarded-For: 203.0.113.7\r\n", &answer);
	assert_int_equal(answer.status, 404);
	answer_release(&answer);
	program_stop(&program);
	serve(&program, "--trust-proxy", "127.0.0.1", "--metrics", "all");
	get(program.port, "/metrics", "X-Forwarded-For: 203.0.113.7\r\n", &answer);
	assert_int_equal(answer.status, 200);
	answer_release(&answer);
	program_stop(&program);
}

static void a_server_that_stops_says_so_to_its_sockets(void **state)
{
	struct program program;
	struct player player;

	(void)state;
	serve(&program, "--address-sockets", "2", NULL, NULL);
	player_init(&player, program.port);
	player_make(&player, "{\"first\":\"me\",\"against\":{\"level\":1}}");
	player_open(&player);
	json_decref(player_watch(&player));
	player_turn(&player, 0, "d2");
	assert_int_equal(kill(program.child, SIGTERM), 0);
	json_decref(player_await(&player, "bye", NULL));
	player_expect_close(&player, 1001);
	assert_int_equal(program_end(&program), 0);
	assert_non_null(strstr(program.said, "stopped"));
	player_release(&player);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_person_and_an_address_have_so_many_games_that_wait),
	    cmocka_unit_test(a_person_and_an_address_have_so_many_reports_a_day),
	    cmocka_unit_test(an_address_has_so_many_sockets),
	    cmocka_unit_test(a_trusted_proxy_says_whose_socket_it_is),
	    cmocka_unit_test(a_socket_that_answers_nothing_is_cut_and_the_opponent_told),
	    cmocka_unit_test(a_request_that_trickles_is_cut),
	    cmocka_unit_test(a_long_list_of_proxies_hides_nobody),
	    cmocka_unit_test(a_cookie_is_secure_where_the_connection_is),
	    cmocka_unit_test(an_address_asks_so_much_and_then_waits),
	    cmocka_unit_test(figures_are_for_this_machine),
	    cmocka_unit_test(a_server_that_stops_says_so_to_its_sockets),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
