/* What strangers try: the server goes on serving the others, and gives away nothing but the web client. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>
#include <lws_config.h>

#include "client.h"
#include "folder.h"
#include "program.h"

enum { LARGE = 16 << 20 };

static char folder[FOLDER_SIZE];
static struct program program;

static int start(void **state)
{
	char web[FOLDER_SIZE + 8];
	char *large = calloc(1, LARGE);

	(void)state;
	assert_non_null(large);
	folder_make(folder);
	folder_put_text(folder, "secret.txt", "secret");
	folder_put_text(folder, "web/index.html", "page");
	folder_put_text(folder, "web/assets/app.js", "play()");
	folder_put(folder, "web/large.bin", large, LARGE);
	free(large);
	(void)snprintf(web, sizeof(web), "%s/web", folder);
	program_serve(&program, web);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	program_stop(&program);
	folder_remove(folder);
	return 0;
}

static void still_serves(void)
{
	struct answer answer;

	client_ask(program.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", &answer);
	assert_int_equal(answer.status, 200);
	assert_string_equal(answer.body, "page");
	answer_release(&answer);
}

static void no_path_leads_out_of_the_web_client(void **state)
{
	static const char *const paths[] = {
	    "/../secret.txt",
	    "/assets/../../secret.txt",
	    "/%2e%2e/secret.txt",
	    "/%2E%2E%2Fsecret.txt",
	    "/..%2fsecret.txt",
	    "/assets/%2e%2e/%2e%2e/secret.txt",
	    "/..\\secret.txt",
	    "/....//secret.txt",
	    "/%252e%252e/secret.txt",
	    "/index.html/../../secret.txt",
	    "/./../secret.txt",
	    "//etc/passwd",
	    "/../../../../../../../../etc/passwd",
	    "/%c0%ae%c0%ae/secret.txt",
	    "/index.html%00.txt",
	    "/secret.txt",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct answer answer;
		char request[256];

		(void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", paths[i]);
		client_ask(program.port, request, &answer);
		if (answer.status == 200)
			fail_msg("%s was answered: %s", paths[i], answer.body);
		answer_release(&answer);
	}
	still_serves();
}

static void a_request_of_any_size_ends_with_its_connection(void **state)
{
	enum { SIZE = 10 << 20 };
	static const char *const beginnings[] = {
	    "GET /", "GET /?", "GET / HTTP/1.1\r\nCookie: ", "GET / HTTP/1.1\r\n", "",
	};
	char *filling = malloc(SIZE);

	(void)state;
	assert_non_null(filling);
	memset(filling, 'a', SIZE);
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		int fd = client_connect(program.port);

		(void)client_say(fd, beginnings[i]);
		/* Fails as soon as the server has had enough. */
		(void)client_send(fd, filling, SIZE);
		(void)client_drain(fd);
		client_close(fd);
	}
	free(filling);
	still_serves();
}

static void very_many_headers_end_the_connection(void **state)
{
	int fd = client_connect(program.port);
	bool open = client_say(fd, "GET / HTTP/1.1\r\n");

	(void)state;
	for (int i = 0; open && i < 100000; i++)
		open = client_say(fd, i % 2 == 0 ? "X-A: b\r\n" : "Accept: c\r\n");
	(void)client_drain(fd);
	client_close(fd);
	still_serves();
}

static void noise_is_answered_and_the_connection_ended(void **state)
{
	static const char *const noises[] = {
	    "\x16\x03\x01\x02",
	    "BREW /pot HTCPCP/1.0\r\n\r\n",
	    "CONNECT example.org:443 HTTP/1.1\r\n\r\n",
	    "\r\n\r\n\r\n\r\n",
	    "hello\r\n",
	    "GET\r\n\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++) {
		int fd = client_connect(program.port);

		assert_true(client_say(fd, noises[i]));
		/* Whoever says nothing more gets no more than an answer. */
		(void)shutdown(fd, SHUT_WR);
		(void)client_drain(fd);
		client_close(fd);
	}
	still_serves();
}

/* Random bytes, and requests with random bytes in them; the seed is fixed, what matters is that there are many. */
static void no_bytes_bring_the_server_down(void **state)
{
	static const char *const seeds[] = {
	    "GET /assets/app.js?x=1&y=2 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br;q=0.1\r\n\r\n",
	    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
	    "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	    "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
	    "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\nIf-None-Match: W/\"a\", *\r\n\r\n",
	    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	};
	uint32_t random = 2463534242u;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		char bytes[1024];
		size_t length = 0;
		int fd = client_connect(program.port);

		for (int part = 0; part < 3; part++) {
			const char *seed = seeds[random % (sizeof(seeds) / sizeof(seeds[0]))];

			memcpy(bytes + length, seed, strlen(seed));
			length += strlen(seed);
			random ^= random << 13;
			random ^= random >> 17;
			random ^= random << 5;
		}
		for (uint32_t changes = random % 6; changes > 0; changes--) {
			random ^= random << 13;
			random ^= random >> 17;
			random ^= random << 5;
			bytes[random % length] = (char)(random >> 24);
		}
		(void)client_send(fd, bytes, length);
		if (i % 3 == 0)
			(void)shutdown(fd, SHUT_WR);
		client_close(fd);
	}
	still_serves();
}

/* libwebsockets would take the headers of such a request for its body, and never come back. */
static void a_body_behind_another_request_hurts_nobody(void **state)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
				      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"
				      "GET /assets/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
	struct answer answer;
	int fd = client_connect(program.port);

	(void)state;
	assert_true(client_say(fd, request));
	client_read(fd, false, &answer);
	assert_int_equal(answer.status, 200);
	answer_release(&answer);
	client_read(fd, false, &answer);
	assert_int_equal(answer.status, 405);
	answer_release(&answer);
	assert_int_equal(client_drain(fd), 0);
	client_close(fd);
	still_serves();
}

static void a_request_to_look_with_a_body_is_refused(void **state)
{
	static const char *const requests[] = {
	    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
	    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
	    "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
	    "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct answer answer;
		int fd = client_connect(program.port);

		assert_true(client_say(fd, requests[i]));
		client_read(fd, false, &answer);
		assert_int_equal(answer.status, 400);
		assert_string_equal(answer_header(&answer, "connection"), "close");
		answer_release(&answer);
		(void)client_drain(fd);
		client_close(fd);
	}
}

static void one_who_is_slow_does_not_keep_the_others_waiting(void **state)
{
	enum { SLOW = 60 };
	int slow[SLOW];

	(void)state;
	for (int i = 0; i < SLOW; i++) {
		slow[i] = client_connect_narrow(program.port);
		if (i % 3 == 0)
			assert_true(client_say(slow[i], "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"));
		else if (i % 3 == 1)
			assert_true(client_say(slow[i], "GET / HTTP/1.1\r\nHo"));
	}
	for (int i = 0; i < 20; i++)
		still_serves();
	/* Those in the middle of a request may still end it, and are answered. */
	for (int i = 1; i < SLOW; i += 3) {
		struct answer answer;

		assert_true(client_say(slow[i], "st: localhost\r\n\r\n"));
		client_read(slow[i], false, &answer);
		assert_int_equal(answer.status, 200);
		answer_release(&answer);
	}
	for (int i = 0; i < SLOW; i++)
		client_close(slow[i]);
}

static void a_request_may_come_byte_by_byte(void **state)
{
	static const char request[] = "GET /assets/app.js?x=1 HTTP/1.1\r\nHost: localhost\r\nX-Y: z\r\n\r\n";
	struct answer answer;
	int fd = client_connect(program.port);

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(request); i++)
		assert_true(client_send(fd, request + i, 1));
	client_read(fd, false, &answer);
	assert_string_equal(answer.body, "play()");
	answer_release(&answer);
	client_close(fd);
}

static void who_asks_on_without_reading_is_cut_off(void **state)
{
#if LWS_LIBRARY_VERSION_MAJOR > 4 || LWS_LIBRARY_VERSION_MINOR >= 3
	/* From 4.3 on libwebsockets reads on meanwhile, and there is nothing to be cut off for. */
	skip();
#endif
	struct pollfd wait = {.events = POLLIN};
	int fd = client_connect_narrow(program.port);
	bool open = client_say(fd, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");

	(void)state;
	assert_true(open);
	/* The answer has begun, and with it the waiting. */
	wait.fd = fd;
	assert_int_equal(poll(&wait, 1, 30000), 1);
	assert_true(client_say(fd, "GET / HTTP/1.1\r\n"));
	/*
	 * The end of the connection shows itself to poll() without anything being read. It comes after less than a
	 * second; one who merely does not read would be put up with for 20.
	 */
	wait.events = 0;
	assert_int_equal(poll(&wait, 1, 10000), 1);
	assert_true(client_drain(fd) < LARGE);
	client_close(fd);
	still_serves();
}

static void very_many_may_come_at_once(void **state)
{
	enum { MANY = 400 };
	int fds[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		fds[i] = client_connect(program.port);
		assert_true(client_say(fds[i], "GET /assets/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	}
	for (int i = 0; i < MANY; i++) {
		struct answer answer;

		client_read(fds[i], false, &answer);
		assert_string_equal(answer.body, "play()");
		answer_release(&answer);
		client_close(fds[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_path_leads_out_of_the_web_client),
	    cmocka_unit_test(a_request_of_any_size_ends_with_its_connection),
	    cmocka_unit_test(very_many_headers_end_the_connection),
	    cmocka_unit_test(noise_is_answered_and_the_connection_ended),
	    cmocka_unit_test(no_bytes_bring_the_server_down),
	    cmocka_unit_test(a_body_behind_another_request_hurts_nobody),
	    cmocka_unit_test(a_request_to_look_with_a_body_is_refused),
	    cmocka_unit_test(one_who_is_slow_does_not_keep_the_others_waiting),
	    cmocka_unit_test(a_request_may_come_byte_by_byte),
	    cmocka_unit_test(who_asks_on_without_reading_is_cut_off),
	    cmocka_unit_test(very_many_may_come_at_once),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
