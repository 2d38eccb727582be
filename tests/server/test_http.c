/* What a browser gets: pages, headers, compressed forms, answers to repeated questions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client.h"
#include "folder.h"
#include "program.h"

enum { LARGE = 5 << 20 };

static char web[FOLDER_SIZE];
static char *large;
static struct program program;

static int start(void **state)
{
	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "<!doctype html><title>Merels</title>");
	folder_put_text(web, "index.html.gz", "page in gzip");
	folder_put_text(web, "index.html.br", "page in brotli");
	folder_put_text(web, "assets/app-X3K7QW2B.js", "play()");
	folder_put_text(web, "assets/core-0123456789.wasm", "core");
	folder_put_text(web, "assets/core-0123456789.wasm.gz", "core in gzip");
	folder_put_text(web, "assets/plain.css", "body{}");
	folder_put_text(web, "empty.txt", "");
	folder_put_text(web, "manifest.webmanifest", "{}");
	folder_put_text(web, ".secret", "hidden");
	large = malloc(LARGE);
	assert_non_null(large);
	for (size_t i = 0; i < LARGE; i++)
		large[i] = (char)(i * 2654435761u >> 13);
	folder_put(web, "large.bin", large, LARGE);
	program_serve(&program, web);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	program_stop(&program);
	folder_remove(web);
	free(large);
	return 0;
}

/* GET with further header lines, each ended by \r\n. */
static void get(const char *path, const char *headers, struct answer *answer)
{
	char request[2048];

	(void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", path, headers);
	client_ask(program.port, request, answer);
}

static void expect(const char *path, int status, const char *body)
{
	struct answer answer;

	get(path, "", &answer);
	if (answer.status != status)
		fail_msg("%s: %s", path, answer.head);
	if (body != NULL)
		assert_string_equal(answer.body, body);
	answer_release(&answer);
}

static void expect_header(const char *path, const char *name, const char *value)
{
	struct answer answer;

	get(path, "", &answer);
	const char *found = answer_header(&answer, name);

	if (found == NULL || strcmp(found, value) != 0)
		fail_msg("%s has %s: %s, not %s", path, name, found != NULL ? found : "(none)", value);
	answer_release(&answer);
}

static void the_page_is_at_the_root_and_at_its_name(void **state)
{
	(void)state;
	expect("/", 200, "<!doctype html><title>Merels</title>");
	expect("/index.html", 200, "<!doctype html><title>Merels</title>");
	expect("/?game=1&x=/../y", 200, "<!doctype html><title>Merels</title>");
	expect("/empty.txt", 200, "");
}

static void each_file_says_what_it_is(void **state)
{
	(void)state;
	expect_header("/", "content-type", "text/html; charset=utf-8");
	expect_header("/assets/app-X3K7QW2B.js", "content-type", "text/javascript; charset=utf-8");
	expect_header("/assets/core-0123456789.wasm", "content-type", "application/wasm");
	expect_header("/assets/plain.css", "content-type", "text/css; charset=utf-8");
	expect_header("/manifest.webmanifest", "content-type", "application/manifest+json");
	expect_header("/large.bin", "content-type", "application/octet-stream");
}

static void what_never_changes_is_kept_for_ever_and_the_rest_asked_about(void **state)
{
	(void)state;
	expect_header("/assets/app-X3K7QW2B.js", "cache-control", "public, max-age=31536000, immutable");
	expect_header("/assets/core-0123456789.wasm", "cache-control", "public, max-age=31536000, immutable");
	expect_header("/assets/plain.css", "cache-control", "no-cache");
	expect_header("/", "cache-control", "no-cache");
	expect_header("/manifest.webmanifest", "cache-control", "no-cache");
}

static void every_answer_says_what_a_page_may_do(void **state)
{
	static const char *const paths[] = {"/", "/nothing", "/healthz", "/assets/plain.css"};
	static const char policy[] = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
				     "img-src 'self' data:; connect-src 'self'; worker-src 'self'; "
				     "manifest-src 'self'; base-uri 'none'; form-action 'none'; "
				     "frame-ancestors 'none'";

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		expect_header(paths[i], "content-security-policy", policy);
		expect_header(paths[i], "x-content-type-options", "nosniff");
		expect_header(paths[i], "referrer-policy", "same-origin");
		expect_header(paths[i], "cross-origin-opener-policy", "same-origin");
	}
}

static void what_a_page_loads_is_not_told_again_what_the_page_may_do(void **state)
{
	struct answer answer;

	(void)state;
	get("/assets/app-X3K7QW2B.js", "", &answer);
	assert_null(answer_header(&answer, "content-security-policy"));
	assert_null(answer_header(&answer, "permissions-policy"));
	answer_release(&answer);
	expect_header("/assets/app-X3K7QW2B.js", "x-content-type-options", "nosniff");
	expect_header("/assets/app-X3K7QW2B.js", "cross-origin-resource-policy", "same-origin");
}

static void the_best_form_that_the_browser_takes_is_sent(void **state)
{
	static const struct {
		const char *accept;
		const char *body;
		const char *coding;
	} cases[] = {
	    {"Accept-Encoding: gzip, deflate, br\r\n", "page in brotli", "br"},
	    {"Accept-Encoding: gzip\r\n", "page in gzip", "gzip"},
	    {"Accept-Encoding: gzip;q=0, br;q=0\r\n", "<!doctype html><title>Merels</title>", NULL},
	    {"Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n", "page in brotli", "br"},
	    {"", "<!doctype html><title>Merels</title>", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;

		get("/", cases[i].accept, &answer);
		assert_int_equal(answer.status, 200);
		assert_string_equal(answer.body, cases[i].body);
		const char *coding = answer_header(&answer, "content-encoding");

		if (cases[i].coding == NULL)
			assert_null(coding);
		else
			assert_string_equal(coding, cases[i].coding);
		assert_string_equal(answer_header(&answer, "vary"), "accept-encoding");
		answer_release(&answer);
	}
	struct answer answer;

	get("/assets/core-0123456789.wasm", "Accept-Encoding: br, gzip\r\n", &answer);
	assert_string_equal(answer.body, "core in gzip");
	answer_release(&answer);
	get("/assets/plain.css", "Accept-Encoding: br, gzip\r\n", &answer);
	assert_string_equal(answer.body, "body{}");
	assert_null(answer_header(&answer, "vary"));
	answer_release(&answer);
}

static void who_has_it_already_is_told_so(void **state)
{
	struct answer answer;
	char header[256];
	char tag[64];

	(void)state;
	get("/", "Accept-Encoding: gzip\r\n", &answer);
	(void)snprintf(tag, sizeof(tag), "%s", answer_header(&answer, "etag"));
	answer_release(&answer);

	(void)snprintf(header, sizeof(header), "Accept-Encoding: gzip\r\nIf-None-Match: \"other\", W/%s\r\n", tag);
	get("/", header, &answer);
	assert_int_equal(answer.status, 304);
	assert_int_equal(answer.length, 0);
	assert_null(answer_header(&answer, "content-length"));
	assert_string_equal(answer_header(&answer, "etag"), tag);
	assert_string_equal(answer_header(&answer, "cache-control"), "no-cache");
	assert_string_equal(answer_header(&answer, "vary"), "accept-encoding");
	answer_release(&answer);

	/* The other form of the page has another tag. */
	(void)snprintf(header, sizeof(header), "Accept-Encoding: br\r\nIf-None-Match: %s\r\n", tag);
	get("/", header, &answer);
	assert_int_equal(answer.status, 200);
	assert_string_not_equal(answer_header(&answer, "etag"), tag);
	answer_release(&answer);
}

static void head_gets_the_headers_of_get_without_the_body(void **state)
{
	struct answer answer;
	int fd = client_connect(program.port);

	(void)state;
	assert_true(client_say(fd, "HEAD /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	client_read(fd, true, &answer);
	assert_int_equal(answer.status, 200);
	assert_int_equal(strtoul(answer_header(&answer, "content-length"), NULL, 10), LARGE);
	answer_release(&answer);
	/* The next answer begins where the headers end. */
	assert_true(client_say(fd, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	client_read(fd, false, &answer);
	assert_string_equal(answer.body, "ok\n");
	answer_release(&answer);
	client_close(fd);
}

static void other_methods_are_refused_with_what_is_allowed(void **state)
{
	static const char *const requests[] = {
	    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
	    "PUT /index.html HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
	    "DELETE /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
	    "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct answer answer;

		client_ask(program.port, requests[i], &answer);
		assert_int_equal(answer.status, 405);
		assert_string_equal(answer_header(&answer, "allow"), "GET, HEAD");
		answer_release(&answer);
	}
	expect("/", 200, NULL);
}

static void there_is_nothing_at_other_paths(void **state)
{
	static const char *const paths[] = {"/nothing", "/index.html/", "/assets",     "/assets/",     "/index.html.gz",
					    "/.secret", "//",           "/INDEX.HTML", "/index.html;x"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		/* libwebsockets makes one slash of several. */
		expect(paths[i], strcmp(paths[i], "//") == 0 ? 200 : 404, NULL);
	}
}

static void places_inside_the_client_get_its_page(void **state)
{
	static const char *const paths[] = {"/play",  "/play/friend", "/g/7sK2mQw0ZpA",
					    "/watch", "/archive",     "/people/anna"};
	static const char *const others[] = {"/g/", "/watch/x", "/players", "/playx"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		expect(paths[i], 200, "<!doctype html><title>Merels</title>");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		expect(others[i], 404, NULL);
}

static void the_client_may_have_its_own_words_for_nothing(void **state)
{
	struct program other;
	struct answer answer;
	char folder[FOLDER_SIZE];

	(void)state;
	folder_make(folder);
	folder_put_text(folder, "index.html", "page");
	folder_put_text(folder, "404.html", "no page");
	program_serve(&other, folder);
	client_ask(other.port, "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", &answer);
	assert_int_equal(answer.status, 404);
	assert_string_equal(answer.body, "no page");
	assert_string_equal(answer_header(&answer, "content-type"), "text/html; charset=utf-8");
	answer_release(&answer);
	program_stop(&other);
	folder_remove(folder);
}

static void a_large_file_arrives_whole(void **state)
{
	struct answer answer;

	(void)state;
	get("/large.bin", "", &answer);
	assert_int_equal(answer.length, LARGE);
	assert_memory_equal(answer.body, large, LARGE);
	answer_release(&answer);
}

static void a_connection_is_good_for_many_requests(void **state)
{
	int fd = client_connect(program.port);

	(void)state;
	for (int i = 0; i < 500; i++) {
		struct answer answer;

		assert_true(client_say(fd, "GET /assets/plain.css HTTP/1.1\r\nHost: localhost\r\n\r\n"));
		client_read(fd, false, &answer);
		assert_int_equal(answer.status, 200);
		assert_string_equal(answer.body, "body{}");
		answer_release(&answer);
	}
	client_close(fd);
}

static void requests_sent_together_are_answered_in_order(void **state)
{
	static const char *const bodies[] = {"body{}", "ok\n", "play()"};
	int fd = client_connect(program.port);

	(void)state;
	assert_true(client_say(fd, "GET /assets/plain.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
				   "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
				   "GET /assets/app-X3K7QW2B.js HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct answer answer;

		client_read(fd, false, &answer);
		assert_string_equal(answer.body, bodies[i]);
		answer_release(&answer);
	}
	client_close(fd);
}

static void an_old_client_gets_an_answer_and_an_end(void **state)
{
	static const char *const requests[] = {
	    "GET /healthz HTTP/1.0\r\n\r\n",
	    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct answer answer;
		int fd = client_connect(program.port);

		assert_true(client_say(fd, requests[i]));
		client_read(fd, false, &answer);
		assert_string_equal(answer.body, "ok\n");
		assert_int_equal(client_drain(fd), 0);
		answer_release(&answer);
		client_close(fd);
	}
}

static void a_wish_to_leave_http_is_answered_in_http(void **state)
{
	static const struct {
		const char *upgrade;
		int status;
	} cases[] = {
	    {"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n", 200},
	    {"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
	     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
	     404},
	    {"Upgrade: gopher\r\nConnection: Upgrade\r\n", 403},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;

		get("/", cases[i].upgrade, &answer);
		assert_int_equal(answer.status, cases[i].status);
		answer_release(&answer);
	}
	expect("/", 200, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_page_is_at_the_root_and_at_its_name),
	    cmocka_unit_test(each_file_says_what_it_is),
	    cmocka_unit_test(what_never_changes_is_kept_for_ever_and_the_rest_asked_about),
	    cmocka_unit_test(every_answer_says_what_a_page_may_do),
	    cmocka_unit_test(what_a_page_loads_is_not_told_again_what_the_page_may_do),
	    cmocka_unit_test(the_best_form_that_the_browser_takes_is_sent),
	    cmocka_unit_test(who_has_it_already_is_told_so),
	    cmocka_unit_test(head_gets_the_headers_of_get_without_the_body),
	    cmocka_unit_test(other_methods_are_refused_with_what_is_allowed),
	    cmocka_unit_test(there_is_nothing_at_other_paths),
	    cmocka_unit_test(places_inside_the_client_get_its_page),
	    cmocka_unit_test(the_client_may_have_its_own_words_for_nothing),
	    cmocka_unit_test(a_large_file_arrives_whole),
	    cmocka_unit_test(a_connection_is_good_for_many_requests),
	    cmocka_unit_test(requests_sent_together_are_answered_in_order),
	    cmocka_unit_test(an_old_client_gets_an_answer_and_an_end),
	    cmocka_unit_test(a_wish_to_leave_http_is_answered_in_http),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
