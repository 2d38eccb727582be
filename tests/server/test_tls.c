/* HTTPS by certificate files: games are played through it, a certificate is changed while it runs, a wrong one is told.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "folder.h"
#include "player.h"
#include "program.h"
#include "relay.h"

static char web[FOLDER_SIZE];
static char keys[FOLDER_SIZE];

static int make(void **state)
{
	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	folder_make(keys);
	certificate_make(keys, "one");
	certificate_make(keys, "two");
	folder_put_text(keys, "noise.pem", "this is no certificate\n");
	folder_put_text(keys, "empty.pem", "");
	return 0;
}

static int take_away(void **state)
{
	(void)state;
	folder_remove(web);
	folder_remove(keys);
	return 0;
}

/* The path of a file of the keys; one of a few, used in turn. */
static const char *at(const char *name)
{
	static char paths[8][FOLDER_SIZE + 32];
	static unsigned next;
	char *path = paths[next++ % 8];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", keys, name);
	return path;
}

static void copy(const char *from, const char *to)
{
	char text[4096];
	FILE *file = fopen(at(from), "r");

	assert_non_null(file);
	size_t length = fread(text, 1, sizeof(text), file);

	assert_int_equal(fclose(file), 0);
	folder_put(keys, to, text, length);
}

static void serve(struct program *program, const char *cert, const char *key)
{
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web, "--tls-cert",
					 cert,       "--tls-key",   key,     NULL};

	program_start(program, arguments);
	program_wait_for_port(program);
}

static void a_turn_is_played_through_tls(void **state)
{
	struct program program;
	struct relay relay;
	struct player white;
	struct player black;
	struct answer answer;

	(void)state;
	serve(&program, at("one.pem"), at("one.key"));
	assert_memory_equal(program.line, "Merels is at https://", 21);
	relay_start(&relay, program.port);
	client_ask(relay.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", &answer);
	assert_int_equal(answer.status, 200);
	assert_string_equal(answer.body, "page");
	answer_release(&answer);
	client_ask(relay.port, "GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n", &answer);
	assert_non_null(strstr(answer_header(&answer, "set-cookie"), "; Secure"));
	answer_release(&answer);
	player_init(&white, relay.port);
	player_init(&black, relay.port);
	player_make(&white, "{\"first\":\"me\"}");
	player_join(&black, &white);
	player_open(&white);
	player_open(&black);
	json_decref(player_watch(&white));
	json_decref(player_watch(&black));
	player_turn(&white, 0, "d2");
	json_t *event = player_await(&black, "event", "turn");

	assert_string_equal(text_of(event, "turn"), "d2");
	json_decref(event);
	player_turn(&black, 1, "d6");
	player_release(&white);
	player_release(&black);
	relay_stop(&relay);
	program_stop(&program);
}

/* A browser that was told http:// gets no page, and nobody else notices. */
static void who_speaks_plainly_is_cut_off(void **state)
{
	struct program program;
	char name[64];

	(void)state;
	serve(&program, at("one.pem"), at("one.key"));
	int fd = client_connect(program.port);

	assert_true(client_say(fd, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	(void)client_drain(fd);
	client_close(fd);
	certificate_shown(program.port, name);
	assert_string_equal(name, "one");
	program_stop(&program);
}

static void a_server_says_in_one_line_what_is_wrong_with_its_certificate(void **state)
{
	static const struct {
		const char *cert;
		const char *key;
		const char *said;
	} cases[] = {
	    {"one.pem", NULL, "one.pem has no key; --tls-key names it"},
	    {NULL, "one.key", "one.key has no certificate; --tls-cert names it"},
	    {"one.pem", "two.key", "two.key is that of another certificate"},
	    {"none.pem", "one.key", "none.pem: cannot be opened: there is no such file"},
	    {"one.pem", "none.key", "none.key: cannot be opened: there is no such file"},
	    {"noise.pem", "one.key", "noise.pem is not one in PEM form"},
	    {"empty.pem", "one.key", "empty.pem is not one in PEM form"},
	    {"one.pem", "noise.pem", "noise.pem is not one in PEM form"},
	    {"one.pem", "", ": cannot be read: it is a directory, not a file"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *arguments[16] = {"--listen", "127.0.0.1:0", "--web", web, "--log-level", "error"};
		size_t count = 6;
		struct program program;

		if (cases[i].cert != NULL) {
			arguments[count++] = "--tls-cert";
			arguments[count++] = at(cases[i].cert);
		}
		if (cases[i].key != NULL) {
			arguments[count++] = "--tls-key";
			arguments[count++] = at(cases[i].key);
		}
		program_start(&program, arguments);
		assert_int_equal(program_end(&program), 3);
		if (strstr(program.said, cases[i].said) == NULL)
			fail_msg("\"%s\" is not in: %s", cases[i].said, program.said);
		/* One line, no more. */
		assert_ptr_equal(strchr(program.said, '\n'), program.said + strlen(program.said) - 1);
	}
}

static void a_key_that_may_not_be_read_is_told(void **state)
{
	const char *const arguments[] = {"--listen",    "127.0.0.1:0", "--web",          web, "--tls-cert",
					 at("one.pem"), "--tls-key",   at("closed.key"), NULL};
	struct program program;

	(void)state;
	/* Nothing is closed to root. */
	if (geteuid() == 0)
		skip();
	copy("one.key", "closed.key");
	assert_int_equal(chmod(at("closed.key"), 0), 0);
	program_start(&program, arguments);
	assert_int_equal(program_end(&program), 3);
	assert_non_null(strstr(program.said, "closed.key: cannot be opened"));
}

/* Waits until new connections are shown this certificate. */
static void await_shown(unsigned port, const char *wanted)
{
	char name[64] = "";

	for (int i = 0; i < 300 && strcmp(name, wanted) != 0; i++) {
		if (i > 0)
			(void)usleep(100000);
		certificate_shown(port, name);
	}
	assert_string_equal(name, wanted);
}

/* Puts other files in place, and tells the server. */
static void hang_up(const struct program *program, const char *cert, const char *key)
{
	copy(cert, "now.pem");
	copy(key, "now.key");
	assert_int_equal(kill(program->child, SIGHUP), 0);
}

/* The server has come round a few times, so it has seen what was there before. */
static void talk(struct player *player)
{
	for (int i = 0; i < 5; i++) {
		player_send(player, "{\"t\":\"ping\"}");
		json_decref(player_await(player, "pong", NULL));
	}
}

static void a_certificate_is_changed_while_the_server_runs(void **state)
{
	struct program program;
	struct relay relay;
	struct player player;

	(void)state;
	copy("one.pem", "now.pem");
	copy("one.key", "now.key");
	serve(&program, at("now.pem"), at("now.key"));
	await_shown(program.port, "one");
	relay_start(&relay, program.port);
	player_init(&player, relay.port);
	player_make(&player, "{\"first\":\"me\"}");
	player_open(&player);
	hang_up(&program, "two.pem", "two.key");
	await_shown(program.port, "two");
	/* Who was there before goes on. */
	talk(&player);
	/* One that is none, or without its key, changes nothing: nobody would get in any more. */
	hang_up(&program, "noise.pem", "one.key");
	program_await(&program, "the certificate stays the old one: ");
	hang_up(&program, "one.pem", "two.key");
	talk(&player);
	await_shown(program.port, "two");
	hang_up(&program, "one.pem", "one.key");
	await_shown(program.port, "one");
	player_release(&player);
	relay_stop(&relay);
	assert_int_equal(kill(program.child, SIGTERM), 0);
	assert_int_equal(program_end(&program), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_turn_is_played_through_tls),
	    cmocka_unit_test(who_speaks_plainly_is_cut_off),
	    cmocka_unit_test(a_server_says_in_one_line_what_is_wrong_with_its_certificate),
	    cmocka_unit_test(a_key_that_may_not_be_read_is_told),
	    cmocka_unit_test(a_certificate_is_changed_while_the_server_runs),
	};

	return cmocka_run_group_tests(tests, make, take_away);
}
