/* Bad input over sockets and requests: whoever sends it gets a clear answer or is cut off, and nobody else notices. */
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
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "folder.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];
static struct program program;

static int start(void **state)
{
	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	program_serve(&program, web);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	program_stop(&program);
	folder_remove(web);
	return 0;
}

static void still_plays(void)
{
	struct player player;

	player_init(&player, program.port);
	player_make(&player, "{\"first\":\"me\"}");
	player_open(&player);
	json_decref(player_watch(&player));
	player_release(&player);
}

/* A message that must be refused with this code, the socket staying open. */
static void expect_no(struct player *player, const char *message, const char *code)
{
	player_frame(player, 1, true, message, strlen(message));
	json_t *no = player_next(player);

	if (no == NULL)
		fail_msg("%s: the socket was closed with %u", message, player->closed);
	if (strcmp(text_of(no, "t"), "no") != 0 || strcmp(text_of(no, "code"), code) != 0)
		fail_msg("%s: %s %s, not %s", message, text_of(no, "t"), text_of(no, "code"), code);
	json_decref(no);
}

static void a_bad_message_is_refused_and_the_socket_stays(void **state)
{
	static const struct {
		const char *message;
		const char *code;
	} cases[] = {
	    {"", "bad-json"},
	    {"{", "bad-json"},
	    {"[]", "bad-json"},
	    {"{\"t\":\"ping\"} x", "bad-json"},
	    {"{\"t\":\"ping\",\"t\":\"ping\"}", "bad-json"},
	    {"{\"t\":[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]}", "bad-json"},
	    {"{}", "unknown-type"},
	    {"{\"t\":5}", "unknown-type"},
	    {"{\"t\":\"dance\"}", "unknown-type"},
	    {"{\"t\":\"watch\"}", "bad-field"},
	    {"{\"t\":\"watch\",\"game\":\"x\"}", "bad-field"},
	    {"{\"t\":\"watch\",\"game\":\"00000000001\"}", "no-game"},
	    {"{\"t\":\"watch\",\"game\":\"00000000001\",\"last\":-1}", "bad-field"},
	    {"{\"t\":\"watch\",\"game\":\"00000000001\",\"secret\":\"x\"}", "bad-field"},
	    {"{\"t\":\"turn\",\"game\":\"00000000001\"}", "bad-field"},
	    {"{\"t\":\"turn\",\"game\":\"00000000001\",\"id\":\"a b\",\"ply\":0,\"turn\":\"d2\"}", "bad-field"},
	    {"{\"t\":\"turn\",\"game\":\"00000000001\",\"id\":\"a\",\"ply\":0.5,\"turn\":\"d2\"}", "bad-field"},
	    {"{\"t\":\"turn\",\"game\":\"00000000001\",\"id\":\"a\",\"ply\":0,\"turn\":\"d2\"}", "not-watching"},
	    {"{\"t\":\"offer\",\"game\":\"00000000001\",\"id\":\"a\",\"what\":\"money\"}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\"}", "no-person"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"rules\":\"chess\"}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"base\":1}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":[]}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"base\":60000}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"increment\":1000}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"days\":3,\"base\":60000,\"increment\":0}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"days\":3,\"increment\":0}}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"days\":3}}", "no-person"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"tempo\":{\"days\":null,\"base\":60000,\"increment\":0}}", "no-person"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"lowest\":1501,\"highest\":1500}", "bad-field"},
	    {"{\"t\":\"seek\",\"id\":\"s\",\"lowest\":1500,\"highest\":1500}", "no-person"},
	    {"{\"t\":\"take\",\"id\":\"s\",\"offer\":\"00000000001\"}", "no-person"},
	    {"{\"t\":\"hello\",\"last\":5}", "bad-field"},
	    {"{\"t\":\"hello\",\"last\":{\"x\":1}}", "bad-field"},
	};
	struct player player;

	(void)state;
	player_init(&player, program.port);
	player_open(&player);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_no(&player, cases[i].message, cases[i].code);
	player_send(&player, "{\"t\":\"ping\"}");
	json_decref(player_await(&player, "pong", NULL));
	player_release(&player);
}

static void a_message_may_come_in_pieces(void **state)
{
	struct player player;

	(void)state;
	player_init(&player, program.port);
	player_open(&player);
	player_frame(&player, 1, false, "{\"t\":", 5);
	player_frame(&player, 9, true, "x", 1);
	player_frame(&player, 0, false, "\"pi", 3);
	player_frame(&player, 0, true, "ng\"}", 4);
	json_decref(player_await(&player, "pong", NULL));
	player_release(&player);
}

static void what_is_too_large_closes_its_socket(void **state)
{
	static char large[200000];
	struct player player;

	(void)state;
	memset(large, ' ', sizeof(large));
	player_init(&player, program.port);
	player_open(&player);
	player_frame(&player, 1, true, large, sizeof(large));
	player_expect_close(&player, 1009);
	/* And in pieces, each of which would be small enough. */
	player_open(&player);
	for (int i = 0; i < 5; i++)
		player_frame(&player, i == 0 ? 1 : 0, false, large, 1000);
	player_expect_close(&player, 1009);
	/* As large as may be is read. */
	player_open(&player);
	memcpy(large, "{\"t\":\"ping\"}", 12);
	player_frame(&player, 1, true, large, 4096);
	json_decref(player_await(&player, "pong", NULL));
	player_release(&player);
	still_plays();
}

static void what_is_no_text_closes_its_socket(void **state)
{
	struct player player;

	(void)state;
	player_init(&player, program.port);
	player_open(&player);
	player_frame(&player, 2, true, "{\"t\":\"ping\"}", 12);
	player_expect_close(&player, 1003);
	player_open(&player);
	player_frame(&player, 1, true, "{\"t\":\"\xff\"}", 9);
	player_expect_close(&player, 1007);
	player_release(&player);
}

/* Sends a message so often that the socket must be closed for it. */
static void flood(const char *message, unsigned count)
{
	struct player player;

	player_init(&player, program.port);
	player_open(&player);
	for (unsigned i = 0; i < count; i++)
		player_send(&player, "%s", message);
	player_expect_close(&player, 1008);
	player_release(&player);
}

static void a_flood_of_any_message_closes_its_socket_alone(void **state)
{
	struct player player;
	struct player other;
	char hello[2048];
	char *at = hello;

	(void)state;
	player_init(&other, program.port);
	player_open(&other);
	flood("{\"t\":\"leave\",\"game\":\"00000000001\"}", 300);
	flood("{\"t\":\"ping\"}", 300);
	/* One hello of as many games as there may be is no flood, several are. */
	at += snprintf(at, 64, "{\"t\":\"hello\",\"last\":{");
	for (unsigned i = 0; i < 64; i++)
		at += snprintf(at, 64, "%s\"000000000%02u\":1", i > 0 ? "," : "", i + 1);
	(void)snprintf(at, 64, "}}");
	flood(hello, 10);
	player_init(&player, program.port);
	player_open(&player);
	player_send(&player, "%s", hello);
	for (unsigned i = 0; i < 64; i++)
		json_decref(player_await(&player, "no", NULL));
	player_send(&player, "{\"t\":\"ping\"}");
	json_decref(player_await(&player, "pong", NULL));
	player_release(&player);
	player_send(&other, "{\"t\":\"ping\"}");
	json_decref(player_await(&other, "pong", NULL));
	player_release(&other);
}

static void a_frame_that_is_not_masked_closes_its_socket(void **state)
{
	static const unsigned char ping[] = "\x81\x0c{\"t\":\"ping\"}";
	char text[256];
	unsigned char large[260] = {0x81, 126, 0, 200};
	struct player player;

	(void)state;
	player_init(&player, program.port);
	player_open(&player);
	assert_true(client_send(player.fd, ping, sizeof(ping) - 1));
	player_expect_close(&player, 1002);
	/* One of a length that needs two bytes more. */
	(void)snprintf(text, sizeof(text), "{\"t\":\"ping\",\"x\":\"%0181u\"}", 0);
	assert_int_equal(strlen(text), 200);
	memcpy(large + 4, text, 200);
	player_open(&player);
	assert_true(client_send(player.fd, large, 204));
	player_expect_close(&player, 1002);
	player_open(&player);
	player_send(&player, "%s", text);
	json_decref(player_await(&player, "pong", NULL));
	player_release(&player);
}

static void a_page_of_another_site_gets_no_socket_and_changes_nothing(void **state)
{
	struct player player;
	struct answer answer;
	char request[512];

	(void)state;
	player_init(&player, program.port);
	json_decref(player_get(&player, "/api/v1/me", 200));
	assert_int_equal(player_open_raw(&player, "https://elsewhere.example"), 403);
	/* A cookie without an Origin is no browser's. */
	assert_int_equal(player_open_raw(&player, NULL), 403);
	(void)snprintf(request, sizeof(request),
		       "POST /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nOrigin: https://elsewhere.example\r\n"
		       "Cookie: merels=%s\r\nContent-Length: 0\r\n\r\n",
		       program.port, player.cookie);
	client_ask(program.port, request, &answer);
	assert_int_equal(answer.status, 403);
	assert_non_null(strstr(answer.body, "foreign-origin"));
	answer_release(&answer);
	player_release(&player);
}

static void a_bad_token_is_nobody(void **state)
{
	struct player player;

	(void)state;
	player_init(&player, program.port);
	(void)snprintf(player.token, sizeof(player.token), "nonsense");
	json_decref(player_get(&player, "/api/v1/me", 401));
	assert_int_equal(player_open_raw(&player, NULL), 401);
	(void)snprintf(player.token, sizeof(player.token), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
	json_decref(player_get(&player, "/api/v1/me", 401));
	assert_int_equal(player_open_raw(&player, NULL), 101);
	player_expect_close(&player, 4001);
	player_release(&player);
}

static void a_bad_request_is_told_what_is_wrong(void **state)
{
	static const struct {
		const char *request;
		int status;
		const char *code;
	} cases[] = {
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\n\r\n", 411, "no-length"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 411, "no-length"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411, "no-length"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 16385\r\n\r\n", 413, "too-large"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 411,
	     "no-length"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 415, "not-json"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
	     400, "bad-json"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	     "Content-Length: 17\r\n\r\n{\"rules\":\"chess\"}",
	     400, "bad-field"},
	    {"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	     "Content-Length: 14\r\n\r\n{\"rated\":true}",
	     400, "bad-field"},
	    {"GET /api/v1/games/x HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not-found"},
	    {"GET /api/v1/games?limit=0 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-field"},
	    {"GET /api/v1/games?before=1 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-field"},
	    {"GET /api/v1/players/nobody HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not-found"},
	    {"GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not-found"},
	    {"PUT /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405, "method"},
	    {"DELETE /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method"},
	    {"POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405, "method"},
	    {"GET /api/v1/export HTTP/1.1\r\nHost: x\r\n\r\n", 401, "no-person"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;

		client_ask(program.port, cases[i].request, &answer);
		if (answer.status != cases[i].status || strstr(answer.body, cases[i].code) == NULL)
			fail_msg("%s: %d %s", cases[i].request, answer.status, answer.body);
		answer_release(&answer);
	}
	still_plays();
}

/* Sends a body to make a game of and expects this status and code; "" for none. */
static void expect_body(const char *body, size_t length, int status, const char *code)
{
	struct answer answer;
	char head[256];
	int fd = client_connect(program.port);

	(void)snprintf(head, sizeof(head),
		       "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		       "Content-Length: %zu\r\n\r\n",
		       length);
	assert_true(client_say(fd, head));
	assert_true(client_send(fd, body, length));
	client_read(fd, false, &answer);
	if (answer.status != status || strstr(answer.body, code) == NULL)
		fail_msg("%.60s: %d %s", body, answer.status, answer.body);
	answer_release(&answer);
	client_close(fd);
}

/* As deep, as wide, as repeated as a body can be; and a message of a socket. */
static void a_bomb_of_json_is_a_body_like_any_other(void **state)
{
	static const char *const seeds[] = {"[", "{\"a\":", "[[],", "{\"rules\":["};
	static const char *const bad[] = {"{\"rules\":\"\xff\"}", "{\"rules\":\"\xc0\xaf\"}",
					  "{\"rules\":\"\xed\xa0\x80\"}", "{\"rules\":\"a\\u0000b\"}",
					  "{\"rules\":\"\\ud800\"}"};
	static char body[16384];
	struct player player;
	size_t length = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		for (length = 0; length + strlen(seeds[i]) <= sizeof(body); length += strlen(seeds[i]))
			memcpy(body + length, seeds[i], strlen(seeds[i]));
		expect_body(body, length, 400, "bad-json");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_body(bad[i], strlen(bad[i]), 400, "bad-json");
	/* Keys that nobody knows are ignored, however many. */
	length = (size_t)snprintf(body, sizeof(body), "{\"x\":0");
	for (unsigned key = 0; length < sizeof(body) - 16; key++)
		length += (size_t)snprintf(body + length, sizeof(body) - length, ",\"%u\":0", key);
	body[length++] = '}';
	expect_body(body, length, 201, "link");
	length = (size_t)snprintf(body, sizeof(body), "{\"rules\":[0");
	while (length < sizeof(body) - 4) {
		body[length++] = ',';
		body[length++] = '0';
	}
	body[length++] = ']';
	body[length++] = '}';
	expect_body(body, length, 400, "bad-field");
	player_init(&player, program.port);
	player_open(&player);
	length = (size_t)snprintf(body, sizeof(body), "{\"t\":\"dance\"");
	for (unsigned key = 0; length < 4096 - 16; key++)
		length += (size_t)snprintf(body + length, sizeof(body) - length, ",\"%u\":0", key);
	body[length++] = '}';
	body[length] = '\0';
	expect_no(&player, body, "unknown-type");
	player_release(&player);
	still_plays();
}

#define X10 "xxxxxxxxxx"
#define X100 X10 X10 X10 X10 X10 X10 X10 X10 X10 X10

static void a_query_that_cannot_be_is_refused_by_name(void **state)
{
	static const struct {
		const char *path;
		int status;
		const char *says;
	} cases[] = {
	    {"/api/v1/games?player=" X100, 400, "player"},
	    {"/api/v1/games?opponent=" X100, 400, "opponent"},
	    {"/api/v1/games?rules=" X100 X100 X100, 400, "rules"},
	    {"/api/v1/games?result=" X100, 400, "result"},
	    {"/api/v1/games?from=2026-11-30" X10, 400, "from"},
	    {"/api/v1/games?limit=00000000000000000001", 400, "limit"},
	    {"/api/v1/games?before=" X100, 400, "before"},
	    {"/api/v1/games?opening=zz", 400, "opening"},
	    {"/api/v1/games?opening=d2%20d", 400, "opening"},
	    {"/api/v1/games?opening=d2x", 400, "opening"},
	    {"/api/v1/games?opening=d2-d3xa1xg7%20d6-d7", 200, "games"},
	    {"/api/v1/games?rules=nine&rules=six", 400, "rules"},
	    {"/api/v1/games?limit=&limit=5", 400, "limit"},
	    {"/api/v1/games?limit=5&unknown=1&unknown=2", 200, "games"},
	    {"/api/v1/leaders?speed=blitz&rules=nine&speed=blitz", 400, "speed"},
	    {"/api/v1/games?opening=" X100 X100 X100, 400, "opening"},
	    {"/api/v1/games?mine=1", 401, "no-person"},
	    {"/api/v1/games?mine=yes", 400, "mine"},
	    {"/api/v1/games?mine=1&player=anna", 400, "mine"},
	    {"/api/v1/games?result=2-0", 400, "result"},
	    {"/api/v1/games?from=2026-02-29", 400, "from"},
	    {"/api/v1/games?to=2026-1-30", 400, "to"},
	    {"/api/v1/games?from=2026-11-30&to=2026-11-29", 400, "after"},
	    {"/api/v1/games?from=2026-11-30&to=2026-11-30", 200, "games"},
	    {"/api/v1/games?player=&limit=", 200, "games"},
	    {"/api/v1/games?opening=d2%20d6%20f4%20b4%20d3%20d5%20e4%20c4%20g1%20a7%20g7%20a1", 200, "games"},
	    {"/api/v1/games?opening=d2%20d6%20f4%20b4%20d3%20d5%20e4%20c4%20g1%20a7%20g7%20a1%20d1", 400,
	     "at most 12 turns"},
	    {"/api/v1/leaders?rules=" X100 X100 X100, 400, "rules"},
	    {"/api/v1/leaders?speed=" X100, 400, "speed"},
	    {"/api/v1/playing?limit=00000000000000000001", 400, "limit"},
	    {"/api/v1/tables?rules=" X100 X100 X100, 400, "rules"},
	    {"/api/v1/days?from=yesterday", 400, "from"},
	    {"/api/v1/days?to=2026-06-31", 400, "to"},
	    {"/api/v1/days?from=2026-11-30&to=2026-11-29", 400, "after"},
	    {"/api/v1/days?from=2025-01-01&to=2026-02-04", 200, "days"},
	    {"/api/v1/days?from=2025-01-01&to=2026-02-05", 400, "400 days"},
	    {"/api/v1/status?x=" X100 X100 X100 X100 X100 X100 X100 X100 X100 X100, 200, "version"},
	    {"/api/v1/status?x=" X100 X100 X100 X100 X100 X100 X100 X100 X100 X100 X10 X10 X10, 414, "1023 bytes"},
	    {"/api/v1/status?x=" X100 X100 X100 X100 X100 "&y=" X100 X100 X100 X100 X100 X10 X10, 414, "1023 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;
		char request[2048];

		(void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", cases[i].path);
		client_ask(program.port, request, &answer);
		if (answer.status != cases[i].status || strstr(answer.body, cases[i].says) == NULL)
			fail_msg("%s: %d %s", cases[i].path, answer.status, answer.body);
		answer_release(&answer);
	}
	still_plays();
}

/* libwebsockets answers, or does not, before the server is asked; what comes of it is told in the protocol. */
static void a_request_line_that_cannot_be_read_ends_there(void **state)
{
	static const struct {
		const char *path;
		int status;
	} cases[] = {
	    {"/api/v1/games?player=%zz", 403}, {"/api/v1/games?player=%", 403},   {"/api/v1/players/%zz", 403},
	    {"/api/v1/games?player=a%00b", 0}, {"/api/v1/players/a%00b", 0},      {"/api/v1/players/%41%2dnobody", 404},
	    {"/api/v1/players/" X100, 404},    {"/api/v1/games/" X100 X100, 404},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;
		char request[1024];

		(void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", cases[i].path);
		client_ask(program.port, request, &answer);
		if (answer.status != cases[i].status)
			fail_msg("%s: %d", cases[i].path, answer.status);
		if (answer.status == 404)
			assert_non_null(strstr(answer.body, "\"not-found\""));
		answer_release(&answer);
	}
	still_plays();
}

static void posts_may_follow_each_other_on_one_connection(void **state)
{
	static const char post[] = "POST /api/v1/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				   "Content-Length: 2\r\n\r\n{}";
	static const char get[] = "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd = client_connect(program.port);

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct answer answer;

		assert_true(client_say(fd, i % 3 == 0 ? get : post));
		client_read(fd, false, &answer);
		assert_int_equal(answer.status, 200);
		answer_release(&answer);
	}
	client_close(fd);
}

static void a_post_behind_another_request_ends_the_connection(void **state)
{
	static const char both[] = "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n"
				   "POST /api/v1/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
				   "Content-Length: 2\r\n\r\n{}";
	struct answer answer;
	int fd = client_connect(program.port);

	(void)state;
	assert_true(client_say(fd, both));
	client_read(fd, false, &answer);
	assert_int_equal(answer.status, 200);
	answer_release(&answer);
	client_read(fd, false, &answer);
	assert_int_equal(answer.status, 400);
	assert_non_null(strstr(answer.body, "pipelined"));
	answer_release(&answer);
	(void)client_drain(fd);
	client_close(fd);
	still_plays();
}

static void looks_may_be_sent_together(void **state)
{
	static const char get[] = "GET /api/v1/lobby HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd = client_connect(program.port);

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_true(client_say(fd, get));
	for (int i = 0; i < 5; i++) {
		struct answer answer;

		client_read(fd, false, &answer);
		assert_int_equal(answer.status, 200);
		answer_release(&answer);
	}
	client_close(fd);
}

static void one_who_does_not_read_is_dropped_and_the_players_play_on(void **state)
{
	enum { LINES = 40 };
	struct player white;
	struct player black;
	struct player lazy;
	char request[512];

	(void)state;
	player_init(&white, program.port);
	player_init(&black, program.port);
	player_make(&white, "{\"first\":\"me\",\"private\":false}");
	player_join(&black, &white);
	player_open(&white);
	json_decref(player_watch(&white));
	/* Asks for snapshots without end, and reads none. */
	player_init(&lazy, program.port);
	lazy.fd = client_connect_narrow(program.port);
	(void)snprintf(request, sizeof(request),
		       "GET /api/v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
	assert_true(client_say(lazy.fd, request));
	for (int i = 0; i < LINES; i++)
		player_send(&lazy, "{\"t\":\"watch\",\"game\":\"%s\"}", white.game);
	player_turn(&white, 0, "d2");
	player_release(&lazy);
	player_release(&white);
	player_release(&black);
	still_plays();
}

static void a_turn_in_somebody_elses_game_is_refused(void **state)
{
	struct player white;
	struct player black;
	struct player other;

	(void)state;
	player_init(&white, program.port);
	player_init(&black, program.port);
	player_init(&other, program.port);
	player_make(&white, "{\"first\":\"me\",\"private\":false}");
	player_join(&black, &white);
	json_decref(player_get(&other, "/api/v1/me", 200));
	player_open(&other);
	memcpy(other.game, white.game, sizeof(other.game));
	json_decref(player_watch(&other));
	player_command(&other, "turn", "\"ply\":0,\"turn\":\"d2\"", "no-seat");
	player_command(&other, "resign", "", "no-seat");
	player_command(&other, "chat", "\"room\":\"players\",\"text\":\"hello\"", "wrong-room");
	player_open(&black);
	json_decref(player_watch(&black));
	player_command(&black, "turn", "\"ply\":0,\"turn\":\"d2\"", "not-your-turn");
	player_release(&white);
	player_release(&black);
	player_release(&other);
}

/* Frames with changed bytes: whatever comes of them, the server goes on. */
static void no_bytes_on_a_socket_bring_the_server_down(void **state)
{
	static const char seed[] = "{\"t\":\"turn\",\"game\":\"00000000001\",\"id\":\"a\",\"ply\":0,\"turn\":\"d2\"}";
	uint32_t random = 2463534242u;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct player player;
		char bytes[sizeof(seed)];

		player_init(&player, program.port);
		assert_int_equal(player_open_raw(&player, NULL), 101);
		for (int frames = 0; frames < 8; frames++) {
			memcpy(bytes, seed, sizeof(seed));
			for (int changes = 0; changes < 3; changes++) {
				random ^= random << 13;
				random ^= random >> 17;
				random ^= random << 5;
				bytes[random % sizeof(seed)] = (char)(random >> 24);
			}
			if (frames == 7)
				(void)client_send(player.fd, bytes, sizeof(seed) - 1);
			else
				player_frame(&player, random % 5 == 0 ? random >> 8 & 15 : 1, random % 7 != 0, bytes,
					     sizeof(seed) - 1);
		}
		if (i % 2 == 0)
			(void)shutdown(player.fd, SHUT_WR);
		player_release(&player);
	}
	still_plays();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_bad_message_is_refused_and_the_socket_stays),
	    cmocka_unit_test(a_message_may_come_in_pieces),
	    cmocka_unit_test(what_is_too_large_closes_its_socket),
	    cmocka_unit_test(what_is_no_text_closes_its_socket),
	    cmocka_unit_test(a_flood_of_any_message_closes_its_socket_alone),
	    cmocka_unit_test(a_frame_that_is_not_masked_closes_its_socket),
	    cmocka_unit_test(a_page_of_another_site_gets_no_socket_and_changes_nothing),
	    cmocka_unit_test(a_bad_token_is_nobody),
	    cmocka_unit_test(a_bad_request_is_told_what_is_wrong),
	    cmocka_unit_test(a_bomb_of_json_is_a_body_like_any_other),
	    cmocka_unit_test(a_query_that_cannot_be_is_refused_by_name),
	    cmocka_unit_test(a_request_line_that_cannot_be_read_ends_there),
	    cmocka_unit_test(posts_may_follow_each_other_on_one_connection),
	    cmocka_unit_test(a_post_behind_another_request_ends_the_connection),
	    cmocka_unit_test(looks_may_be_sent_together),
	    cmocka_unit_test(one_who_does_not_read_is_dropped_and_the_players_play_on),
	    cmocka_unit_test(a_turn_in_somebody_elses_game_is_refused),
	    cmocka_unit_test(no_bytes_on_a_socket_bring_the_server_down),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
