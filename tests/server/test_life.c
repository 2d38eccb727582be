/* Starting and stopping, and what keeps the server from starting. */
#include <netinet/in.h>
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
#include "program.h"

enum { LARGE = 16 << 20 };

static char web[FOLDER_SIZE];

static int make_web(void **state)
{
	char *large = calloc(1, LARGE);

	(void)state;
	assert_non_null(large);
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	folder_put(web, "large.bin", large, LARGE);
	free(large);
	return 0;
}

static int remove_web(void **state)
{
	(void)state;
	folder_remove(web);
	return 0;
}

/* Starts, expects it to end by itself with this code, and to have said this. */
static void expect_refusal(const char *const arguments[], int code, const char *said)
{
	struct program program;

	program_start(&program, arguments);
	assert_int_equal(program_end(&program), code);
	if (strstr(program.said, said) == NULL)
		fail_msg("\"%s\" is not in: %s", said, program.said);
}

static void it_prints_the_address_it_has(void **state)
{
	static const char *const wishes[] = {"127.0.0.1:0", "0", "localhost:0"};

	(void)state;
	for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
		const char *const arguments[] = {"--listen", wishes[i], "--web", web, NULL};
		char line[64];
		struct program program;

		program_start(&program, arguments);
		program_wait_for_port(&program);
		assert_true(program.port > 0);
		(void)snprintf(line, sizeof(line), "Merels is at http://127.0.0.1:%u/", program.port);
		/* "localhost" may be the other family's first. */
		if (strchr(program.line, '[') == NULL)
			assert_string_equal(program.line, line);
		program_stop(&program);
	}
}

static void it_ends_well_on_either_signal(void **state)
{
	static const int signals[] = {SIGTERM, SIGINT};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct program program;

		program_serve(&program, web);
		int idle = client_connect(program.port);
		struct answer answer;

		assert_true(client_say(idle, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
		client_read(idle, false, &answer);
		answer_release(&answer);
		assert_int_equal(kill(program.child, signals[i]), 0);
		assert_int_equal(program_end(&program), 0);
		assert_non_null(strstr(program.said, "stopped"));
		assert_int_equal(client_drain(idle), 0);
		client_close(idle);
	}
}

static bool may_connect(unsigned port)
{
	const struct sockaddr_in to = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bool may = connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0;

	(void)close(fd);
	return may;
}

static void a_reply_on_its_way_is_finished_while_nobody_new_gets_in(void **state)
{
	struct program program;
	struct answer answer;

	(void)state;
	program_serve(&program, web);
	int fd = client_connect_narrow(program.port);
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	assert_true(client_say(fd, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	assert_int_equal(poll(&wait, 1, 30000), 1);
	assert_int_equal(kill(program.child, SIGTERM), 0);
	while (may_connect(program.port))
		(void)poll(NULL, 0, 10);
	client_read(fd, false, &answer);
	assert_int_equal(answer.length, LARGE);
	answer_release(&answer);
	client_close(fd);
	assert_int_equal(program_end(&program), 0);
}

/* Asks for the page until it is this; as long as a test may last. */
static void await_page(unsigned port, const char *page)
{
	for (bool there = false; !there;) {
		struct answer answer;

		client_ask(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
		assert_int_equal(answer.status, 200);
		there = strcmp(answer.body, page) == 0;
		answer_release(&answer);
	}
}

static void the_web_client_is_read_anew_when_it_is_told_to(void **state)
{
	char folder[FOLDER_SIZE];
	char index[FOLDER_SIZE + 16];
	char *large = malloc(LARGE);
	struct program program;
	struct answer answer;

	(void)state;
	assert_non_null(large);
	memset(large, 'a', LARGE);
	folder_make(folder);
	folder_put_text(folder, "index.html", "one");
	folder_put(folder, "large.bin", large, LARGE);
	program_serve(&program, folder);
	int fd = client_connect_narrow(program.port);

	assert_true(client_say(fd, "GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n"));
	await_page(program.port, "one");
	folder_put_text(folder, "index.html", "two");
	folder_put_text(folder, "large.bin", "b");
	assert_int_equal(kill(program.child, SIGHUP), 0);
	await_page(program.port, "two");
	/* What was on its way is what it was. */
	client_read(fd, false, &answer);
	assert_int_equal(answer.length, LARGE);
	assert_memory_equal(answer.body, large, LARGE);
	answer_release(&answer);
	client_close(fd);
	/* A folder that is no web client any more is not taken. */
	(void)snprintf(index, sizeof(index), "%s/index.html", folder);
	assert_int_equal(unlink(index), 0);
	assert_int_equal(kill(program.child, SIGHUP), 0);
	program_await(&program, "the web client cannot be read");
	program_await(&program, "the one that was there stays");
	program_stop(&program);
	folder_remove(folder);
	free(large);
}

static void one_who_does_not_read_does_not_keep_it_from_ending(void **state)
{
	struct program program;

	(void)state;
	program_serve(&program, web);
	int fd = client_connect_narrow(program.port);
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	assert_true(client_say(fd, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	assert_int_equal(poll(&wait, 1, 30000), 1);
	program_stop(&program);
	client_close(fd);
}

static void the_port_is_free_again_at_once(void **state)
{
	struct program program;
	char listen[32];

	(void)state;
	program_serve(&program, web);
	unsigned port = program.port;
	int fd = client_connect(port);

	program_stop(&program);
	client_close(fd);
	(void)snprintf(listen, sizeof(listen), "127.0.0.1:%u", port);
	const char *const arguments[] = {"--listen", listen, "--web", web, NULL};

	program_start(&program, arguments);
	program_wait_for_port(&program);
	assert_int_equal(program.port, port);
	program_stop(&program);
}

static void a_port_in_use_is_said_to_be(void **state)
{
	struct program program;
	char listen[32];

	(void)state;
	program_serve(&program, web);
	(void)snprintf(listen, sizeof(listen), "127.0.0.1:%u", program.port);
	const char *const arguments[] = {"--listen", listen, "--web", web, NULL};

	expect_refusal(arguments, 3, "another program listens there already");
	program_stop(&program);
}

static void an_address_of_another_machine_is_said_to_be(void **state)
{
	/* 203.0.113.0/24 is for documentation and belongs to nobody. */
	const char *const arguments[] = {"--listen", "203.0.113.1:0", "--web", web, NULL};

	(void)state;
	expect_refusal(arguments, 3, "does not have that address");
}

static void what_is_no_address_is_said_to_be(void **state)
{
	static const char *const wrong[] = {"",     "127.0.0.1", "127.0.0.1:",      "127.0.0.1:65536",
					    "x:-1", "::1:8080",  "127.0.0.1:80 80", "99999",
					    ":x",   "[]:8080",   "1.2.3.4:000080"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *const arguments[] = {"--listen", wrong[i], "--web", web, NULL};

		expect_refusal(arguments, 2, "no address");
	}
}

static void a_folder_without_a_web_client_is_said_to_be(void **state)
{
	const char *const nowhere[] = {"--listen", "0", "--web", "/nonexistent/web", NULL};
	const char *const elsewhere[] = {"--listen", "0", "--web", "/usr/include/linux/usb", NULL};

	(void)state;
	expect_refusal(nowhere, 3, "/nonexistent/web: No such file or directory");
	expect_refusal(elsewhere, 3, "index.html");
}

static void wrong_usage_is_told_from_trouble(void **state)
{
	const char *const operand[] = {"now", NULL};
	const char *const level[] = {"--log-level", "loud", NULL};
	const char *const config[] = {"--config", "/nonexistent/merels.conf", NULL};

	(void)state;
	expect_refusal(operand, 2, "'now'");
	expect_refusal(level, 2, "error warning info debug");
	expect_refusal(config, 3, "/nonexistent/merels.conf");
}

static void options_outweigh_the_environment_and_that_the_file(void **state)
{
	char folder[FOLDER_SIZE];
	char file[FOLDER_SIZE + 16];
	char text[2 * FOLDER_SIZE];
	struct program program;

	(void)state;
	folder_make(folder);
	(void)snprintf(file, sizeof(file), "%s/merels.conf", folder);
	(void)snprintf(text, sizeof(text), "# a server\nlisten = 203.0.113.1:1\nweb = %s\nlog-format = json\n", web);
	folder_put_text(folder, "merels.conf", text);
	assert_int_equal(setenv("MERELS_CONFIG", file, 1), 0);

	/* The file alone: nobody has that address. */
	const char *const none[] = {NULL};

	expect_refusal(none, 3, "203.0.113.1:1");
	assert_int_equal(setenv("MERELS_LISTEN", "203.0.113.2:2", 1), 0);
	expect_refusal(none, 3, "203.0.113.2:2");
	const char *const listen[] = {"--listen", "127.0.0.1:0", NULL};

	program_start(&program, listen);
	program_wait_for_port(&program);
	program_stop(&program);
	assert_non_null(strstr(program.said, "\"level\":\"info\",\"message\":\"stopped\"}"));

	folder_put_text(folder, "merels.conf", "web = x\nlisten to me\n");
	expect_refusal(listen, 2, "merels.conf: line 2");
	assert_int_equal(setenv("MERELS_LOG_LEVEL", "loud", 1), 0);
	assert_int_equal(unsetenv("MERELS_CONFIG"), 0);
	expect_refusal(listen, 2, "MERELS_LOG_LEVEL");
	assert_int_equal(unsetenv("MERELS_LOG_LEVEL"), 0);
	assert_int_equal(unsetenv("MERELS_LISTEN"), 0);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_prints_the_address_it_has),
	    cmocka_unit_test(it_ends_well_on_either_signal),
	    cmocka_unit_test(a_reply_on_its_way_is_finished_while_nobody_new_gets_in),
	    cmocka_unit_test(the_web_client_is_read_anew_when_it_is_told_to),
	    cmocka_unit_test(one_who_does_not_read_does_not_keep_it_from_ending),
	    cmocka_unit_test(the_port_is_free_again_at_once),
	    cmocka_unit_test(a_port_in_use_is_said_to_be),
	    cmocka_unit_test(an_address_of_another_machine_is_said_to_be),
	    cmocka_unit_test(what_is_no_address_is_said_to_be),
	    cmocka_unit_test(a_folder_without_a_web_client_is_said_to_be),
	    cmocka_unit_test(wrong_usage_is_told_from_trouble),
	    cmocka_unit_test(options_outweigh_the_environment_and_that_the_file),
	};

	return cmocka_run_group_tests(tests, make_web, remove_web);
}
