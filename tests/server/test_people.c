/* Guests, accounts, bots, and what an administrator does with them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "folder.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];
static char data[FOLDER_SIZE];
static struct program program;

static void start_server(void)
{
	/* The same address does much in a short time here. */
	const char *const arguments[] = {"--listen", "127.0.0.1:0",    "--web", web, "--data",
					 data,       "--address-rate", "0",     NULL};

	program_start(&program, arguments);
	program_wait_for_port(&program);
}

static void restart(void)
{
	program_stop(&program);
	start_server();
}

static int start(void **state)
{
	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	folder_make(data);
	start_server();
	return 0;
}

static int stop(void **state)
{
	(void)state;
	program_stop(&program);
	folder_remove(web);
	folder_remove(data);
	return 0;
}

static void a_look_at_a_page_makes_no_guest_and_me_does(void **state)
{
	struct answer answer;

	(void)state;
	client_ask(program.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
	assert_null(answer_header(&answer, "set-cookie"));
	answer_release(&answer);
	client_ask(program.port, "GET /api/v1/lobby HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
	assert_null(answer_header(&answer, "set-cookie"));
	answer_release(&answer);
	client_ask(program.port, "GET /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
	const char *cookie = answer_header(&answer, "set-cookie");

	assert_non_null(cookie);
	assert_non_null(strstr(cookie, "HttpOnly"));
	assert_non_null(strstr(cookie, "SameSite=Lax"));
	assert_null(strstr(cookie, "Secure"));
	answer_release(&answer);
}

static void a_guest_who_registers_keeps_the_games(void **state)
{
	struct player anna;
	struct player elsewhere;
	char guest[128];

	(void)state;
	player_init(&anna, program.port);
	player_make(&anna, "{}");
	memcpy(guest, anna.cookie, sizeof(guest));
	json_t *made =
	    player_post(&anna, "/api/v1/register", "{\"name\":\"Anna\",\"password\":\"correct horse\"}", 201);

	assert_string_equal(text_of(json_object_get(made, "person"), "kind"), "account");
	json_decref(made);
	/* The guest's cookie is not the account's. */
	assert_string_not_equal(guest, anna.cookie);
	json_t *me = player_get(&anna, "/api/v1/me", 200);

	assert_string_equal(text_of(json_object_get(me, "person"), "name"), "Anna");
	assert_string_equal(json_string_value(json_array_get(json_object_get(me, "games"), 0)), anna.game);
	json_decref(me);
	player_init(&elsewhere, program.port);
	json_decref(
	    player_post(&elsewhere, "/api/v1/login", "{\"name\":\"anna\",\"password\":\"correct horse\"}", 200));
	me = player_get(&elsewhere, "/api/v1/me", 200);
	assert_int_equal(json_array_size(json_object_get(me, "games")), 1);
	json_decref(me);
	player_release(&anna);
	player_release(&elsewhere);
}

static void names_are_taken_once_and_have_a_form(void **state)
{
	static const char *const bodies[] = {
	    "{\"name\":\"x\",\"password\":\"12345678\"}",
	    "{\"name\":\"9lives\",\"password\":\"12345678\"}",
	    "{\"name\":\"a b\",\"password\":\"12345678\"}",
	    "{\"name\":\"Good\",\"password\":\"short\"}",
	    "{\"name\":\"Good\"}",
	    "{\"password\":\"12345678\"}",
	    "{\"name\":\"abcdefghijklmnopqrstu\",\"password\":\"12345678\"}",
	};
	struct player player;

	(void)state;
	player_init(&player, program.port);
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		json_decref(player_post(&player, "/api/v1/register", bodies[i], 400));
	json_t *taken = player_post(&player, "/api/v1/register", "{\"name\":\"ANNA\",\"password\":\"12345678\"}", 409);

	assert_string_equal(text_of(json_object_get(taken, "error"), "code"), "name-taken");
	json_decref(taken);
	player_release(&player);
}

static void wrong_passwords_slow_down(void **state)
{
	struct player player;
	int status = 401;

	(void)state;
	player_init(&player, program.port);
	json_decref(player_post(&player, "/api/v1/register", "{\"name\":\"Slow\",\"password\":\"12345678\"}", 201));
	json_decref(player_post(&player, "/api/v1/logout", "{}", 200));
	for (int i = 0; i < 8 && status == 401; i++)
		status = player_ask(&player, "POST", "/api/v1/login", "{\"name\":\"Slow\",\"password\":\"wrong one\"}",
				    NULL);
	assert_int_equal(status, 429);
	/* The right one has to wait too. */
	status = player_ask(&player, "POST", "/api/v1/login", "{\"name\":\"Slow\",\"password\":\"12345678\"}", NULL);
	assert_int_equal(status, 429);
	player_release(&player);
}

static void logging_out_closes_the_sockets_of_this_session_alone(void **state)
{
	struct player one;
	struct player other;

	(void)state;
	player_init(&one, program.port);
	json_decref(player_post(&one, "/api/v1/register", "{\"name\":\"Twice\",\"password\":\"12345678\"}", 201));
	player_init(&other, program.port);
	json_decref(player_post(&other, "/api/v1/login", "{\"name\":\"Twice\",\"password\":\"12345678\"}", 200));
	player_open(&one);
	player_open(&other);
	json_decref(player_post(&other, "/api/v1/logout", "{}", 200));
	player_expect_close(&other, 4001);
	player_send(&one, "{\"t\":\"ping\"}");
	json_decref(player_await(&one, "pong", NULL));
	player_release(&one);
	player_release(&other);
}

static void a_person_with_many_cookies_of_others_stays_the_same(void **state)
{
	struct player player;
	char request[8192];
	char cookies[4096];
	struct answer answer;

	(void)state;
	player_init(&player, program.port);
	json_decref(player_get(&player, "/api/v1/me", 200));
	memset(cookies, 'y', sizeof(cookies) - 1);
	cookies[sizeof(cookies) - 1] = '\0';
	(void)snprintf(request, sizeof(request),
		       "GET /api/v1/me HTTP/1.1\r\nHost: x\r\nCookie: other=%s; merels=%s\r\n\r\n", cookies,
		       player.cookie);
	client_ask(player.port, request, &answer);
	assert_null(answer_header(&answer, "set-cookie"));
	answer_release(&answer);
	player_release(&player);
}

static void what_is_kept_is_for_the_server_s_user_alone(void **state)
{
	static const char *const names[] = {"merels.db", "merels.db-wal"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[2 * FOLDER_SIZE];
		struct stat about;

		(void)snprintf(path, sizeof(path), "%s/%s", data, names[i]);
		assert_int_equal(stat(path, &about), 0);
		assert_int_equal(about.st_mode & 077, 0);
	}
}

static void logging_out_everywhere_closes_the_sockets(void **state)
{
	struct player one;
	struct player other;

	(void)state;
	player_init(&one, program.port);
	json_decref(player_post(&one, "/api/v1/register", "{\"name\":\"Everywhere\",\"password\":\"12345678\"}", 201));
	other = one;
	player_open(&other);
	json_decref(player_post(&one, "/api/v1/logout-everywhere", "{}", 200));
	player_expect_close(&other, 4001);
	json_t *me = player_get(&other, "/api/v1/me", 200);

	assert_string_equal(text_of(json_object_get(me, "person"), "kind"), "guest");
	json_decref(me);
	player_release(&one);
	player_release(&other);
}

static void a_new_password_ends_other_sessions(void **state)
{
	struct player one;
	struct player other;

	(void)state;
	player_init(&one, program.port);
	player_init(&other, program.port);
	json_decref(player_post(&one, "/api/v1/register", "{\"name\":\"Changer\",\"password\":\"12345678\"}", 201));
	json_decref(player_post(&other, "/api/v1/login", "{\"name\":\"Changer\",\"password\":\"12345678\"}", 200));
	json_decref(player_post(&one, "/api/v1/password", "{\"old\":\"wrong one\",\"new\":\"87654321\"}", 401));
	json_decref(player_post(&one, "/api/v1/password", "{\"old\":\"12345678\",\"new\":\"87654321\"}", 200));
	json_t *me = player_get(&one, "/api/v1/me", 200);

	assert_string_equal(text_of(json_object_get(me, "person"), "kind"), "account");
	json_decref(me);
	me = player_get(&other, "/api/v1/me", 200);
	assert_string_equal(text_of(json_object_get(me, "person"), "kind"), "guest");
	json_decref(me);
	json_decref(player_post(&other, "/api/v1/login", "{\"name\":\"Changer\",\"password\":\"87654321\"}", 200));
	player_release(&one);
	player_release(&other);
}

static void a_deleted_account_frees_its_name(void **state)
{
	struct player player;

	(void)state;
	player_init(&player, program.port);
	json_decref(player_post(&player, "/api/v1/register", "{\"name\":\"Goner\",\"password\":\"12345678\"}", 201));
	json_t *all = player_get(&player, "/api/v1/export", 200);

	assert_string_equal(text_of(json_object_get(all, "person"), "name"), "Goner");
	json_decref(all);
	json_decref(player_post(&player, "/api/v1/delete-account", "{\"password\":\"12345678\"}", 200));
	player_init(&player, program.port);
	json_decref(player_post(&player, "/api/v1/register", "{\"name\":\"Goner\",\"password\":\"12345678\"}", 201));
	player_release(&player);
}

/* Runs `merels` with these arguments and a line on its standard input; its exit code, and what it printed. */
static int administer(const char *arguments, const char *input, char printed[256])
{
	char command[1024];

	(void)snprintf(command, sizeof(command), "printf '%%s\\n' '%s' | %s %s", input, MERELS, arguments);
	FILE *pipe = popen(command, "r");

	assert_non_null(pipe);
	printed[0] = '\0';
	if (fgets(printed, 256, pipe) != NULL)
		printed[strcspn(printed, "\n")] = '\0';
	return WEXITSTATUS(pclose(pipe));
}

/* The names in a snapshot: of the first seat, and of who wrote the last line. */
static void expect_names(struct player *watcher, const char *path, const char *kind, const char *name)
{
	json_t *game = player_get(watcher, path, 200);
	const json_t *seat = json_array_get(json_object_get(game, "seats"), 0);

	assert_string_equal(text_of(seat, "kind"), kind);
	assert_string_equal(text_of(seat, "name"), name);
	json_decref(game);
	game = player_watch(watcher);
	const json_t *lines = json_object_get(game, "lines");

	assert_int_equal(json_array_size(lines), 1);
	assert_string_equal(text_of(json_array_get(lines, 0), "name"), strcmp(kind, "deleted") == 0 ? name : "Talker");
	json_decref(game);
}

static void the_name_of_who_is_deleted_is_gone_from_games_too(void **state)
{
	static const char gone[] = "{\"password\":\"12345678\"}";
	struct player leaver;
	struct player stayer;
	struct player talker;
	char arguments[2 * FOLDER_SIZE];
	char printed[256];
	char path[64];

	(void)state;
	player_init(&leaver, program.port);
	player_init(&stayer, program.port);
	player_init(&talker, program.port);
	json_decref(player_post(&leaver, "/api/v1/register", "{\"name\":\"Leaver\",\"password\":\"12345678\"}", 201));
	json_decref(player_post(&talker, "/api/v1/register", "{\"name\":\"Talker\",\"password\":\"12345678\"}", 201));
	player_make(&leaver, "{\"first\":\"me\",\"private\":false}");
	player_join(&stayer, &leaver);
	player_open(&talker);
	memcpy(talker.game, leaver.game, sizeof(talker.game));
	json_decref(player_watch(&talker));
	player_command(&talker, "chat", "\"room\":\"spectators\",\"text\":\"hello\"", NULL);
	struct player watcher;

	player_init(&watcher, program.port);
	player_open(&watcher);
	memcpy(watcher.game, leaver.game, sizeof(watcher.game));
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", leaver.game);
	expect_names(&watcher, path, "account", "Leaver");
	json_decref(player_post(&leaver, "/api/v1/delete-account", gone, 200));
	/* The other is deleted beside the server, which looks when it is told to. */
	(void)snprintf(arguments, sizeof(arguments), "user -d %s delete Talker", data);
	assert_int_equal(administer(arguments, "", printed), 0);
	assert_int_equal(kill(program.child, SIGHUP), 0);
	player_expect_close(&talker, 4001);
	/* The read that tells of it may come after the one that closes sockets. */
	for (bool there = true; there;) {
		json_t *game = player_watch(&watcher);
		const json_t *line = json_array_get(json_object_get(game, "lines"), 0);

		there = strcmp(text_of(line, "name"), "Talker") == 0;
		json_decref(game);
	}
	expect_names(&watcher, path, "deleted", "deleted");
	/* Nor does what happened before tell it to who comes back. */
	player_send(&watcher, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":1}", watcher.game);
	json_t *chat = player_await(&watcher, "event", "chat");

	assert_string_equal(text_of(chat, "name"), "deleted");
	json_decref(chat);
	json_t *playing = player_get(&watcher, "/api/v1/playing", 200);

	assert_string_equal(
	    text_of(json_object_get(json_array_get(json_object_get(playing, "games"), 0), "white"), "name"), "deleted");
	json_decref(playing);
	player_close(&watcher);
	restart();
	watcher.port = program.port;
	player_open(&watcher);
	expect_names(&watcher, path, "deleted", "deleted");
	player_release(&leaver);
	player_release(&stayer);
	player_release(&talker);
	player_release(&watcher);
}

static void some_names_are_nobodys(void **state)
{
	static const char *const names[] = {"deleted", "Guest", "COMPUTER", "Merels"};
	struct player player;

	(void)state;
	player_init(&player, program.port);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char arguments[2 * FOLDER_SIZE];
		char body[128];
		char printed[256];

		(void)snprintf(body, sizeof(body), "{\"name\":\"%s\",\"password\":\"12345678\"}", names[i]);
		json_t *no = player_post(&player, "/api/v1/register", body, 409);

		assert_string_equal(text_of(json_object_get(no, "error"), "code"), "name-taken");
		json_decref(no);
		(void)snprintf(arguments, sizeof(arguments), "user -d %s add %s", data, names[i]);
		assert_int_equal(administer(arguments, "12345678", printed), 1);
	}
	player_release(&player);
}

static void an_export_has_all_that_one_has_done(void **state)
{
	struct player anna;
	struct player ben;
	char path[64];
	char body[64];
	char waiting[16];

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_decref(player_post(&anna, "/api/v1/register", "{\"name\":\"Keeper\",\"password\":\"12345678\"}", 201));
	player_make(&anna, "{}");
	memcpy(waiting, anna.game, sizeof(waiting));
	for (unsigned over = 2; over-- > 0;) {
		player_make(&anna, "{\"first\":\"me\"}");
		player_join(&ben, &anna);
		player_open(&anna);
		player_open(&ben);
		json_decref(player_watch(&anna));
		json_decref(player_watch(&ben));
		player_command(&anna, "chat",
			       over != 0 ? "\"room\":\"players\",\"text\":\"one\""
					 : "\"room\":\"players\",\"text\":\"two\"",
			       NULL);
		player_command(&ben, "chat", "\"room\":\"players\",\"text\":\"mine\"", NULL);
		json_t *chat = player_await(&ben, "event", "chat");

		(void)snprintf(path, sizeof(path), "/api/v1/games/%s/report", anna.game);
		(void)snprintf(body, sizeof(body), "{\"event\":%lld,\"about\":\"rude\"}", number_of(chat, "n"));
		json_decref(chat);
		if (over == 0) {
			player_turn(&anna, 0, "d2");
			player_turn(&ben, 1, "d6");
			player_turn(&anna, 2, "f4");
			player_command(&anna, "offer", "\"what\":\"takeback\"", NULL);
			player_command(&ben, "accept", "\"what\":\"takeback\"", NULL);
			break;
		}
		json_decref(player_post(&anna, path, "{\"about\":\"slow\"}", 201));
		json_decref(player_post(&ben, path, body, 201));
		player_turn(&anna, 0, "d2");
		player_turn(&ben, 1, "d6");
		player_command(&ben, "resign", "", NULL);
		player_close(&anna);
		player_close(&ben);
	}
	json_t *all = player_get(&anna, "/api/v1/export", 200);
	const json_t *games = json_object_get(all, "games");
	const json_t *lines = json_object_get(all, "lines");
	const json_t *reports = json_object_get(all, "reports");

	assert_true(json_is_null(json_object_get(all, "email")));
	assert_int_equal(json_array_size(games), 3);
	assert_string_equal(text_of(json_array_get(games, 0), "reason"), "resign");
	assert_string_equal(text_of(json_array_get(games, 1), "game"), anna.game);
	assert_string_equal(text_of(json_array_get(games, 2), "game"), waiting);
	/* What is not yet is null, and what was played is told as of a game that is over. */
	assert_true(number_of(json_array_get(games, 0), "ended") > 1700000000000);
	assert_int_equal(number_of(json_array_get(games, 0), "plies"), 2);
	assert_true(json_is_null(json_object_get(json_array_get(games, 1), "ended")));
	assert_int_equal(number_of(json_array_get(games, 1), "plies"), 2);
	assert_string_equal(text_of(json_array_get(games, 1), "opening"), "d2 d6");
	assert_string_equal(text_of(json_object_get(json_array_get(games, 1), "white"), "name"), "Keeper");
	assert_true(json_is_null(json_object_get(json_array_get(games, 2), "white")));
	assert_true(json_is_null(json_object_get(json_array_get(games, 2), "black")));
	assert_int_equal(json_array_size(lines), 2);
	assert_string_equal(text_of(json_array_get(lines, 0), "text"), "one");
	assert_string_equal(text_of(json_array_get(lines, 1), "text"), "two");
	assert_string_equal(text_of(json_array_get(lines, 1), "game"), anna.game);
	assert_true(number_of(json_array_get(lines, 1), "n") > 3);
	assert_true(number_of(json_array_get(lines, 1), "date") > 1700000000000);
	/* Those about the person are not the person's. */
	assert_int_equal(json_array_size(reports), 1);
	assert_string_equal(text_of(json_array_get(reports, 0), "about"), "slow");
	json_decref(all);
	player_release(&anna);
	player_release(&ben);
}

/* All that `merels reports` prints, in one text. */
static int list_reports(const char *more, char text[4096])
{
	char command[1024];
	size_t length = 0;

	(void)snprintf(command, sizeof(command), "%s reports -d %s %s 2>&1", MERELS, data, more);
	FILE *pipe = popen(command, "r");

	assert_non_null(pipe);
	length = fread(text, 1, 4095, pipe);
	text[length] = '\0';
	return WEXITSTATUS(pclose(pipe));
}

static void nobody_mutes_himself(void **state)
{
	struct player anna;
	struct player ben;
	char body[64];

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_t *me = player_get(&anna, "/api/v1/me", 200);
	json_t *other = player_get(&ben, "/api/v1/me", 200);

	(void)snprintf(body, sizeof(body), "{\"person\":\"%s\"}", text_of(json_object_get(me, "person"), "id"));
	json_t *no = player_post(&anna, "/api/v1/mute", body, 400);

	assert_string_equal(text_of(json_object_get(no, "error"), "code"), "bad-field");
	/* Who did before may hear himself again. */
	json_decref(player_post(&anna, "/api/v1/unmute", body, 200));
	(void)snprintf(body, sizeof(body), "{\"person\":\"%s\"}", text_of(json_object_get(other, "person"), "id"));
	json_decref(player_post(&anna, "/api/v1/mute", body, 200));
	json_decref(no);
	json_decref(me);
	json_decref(other);
	player_release(&anna);
	player_release(&ben);
}

static void who_runs_the_server_sees_reports_and_closes_them(void **state)
{
	struct player anna;
	struct player ben;
	char path[64];
	char text[4096];
	char id[12] = "";
	char done[64];
	time_t now = time(NULL);
	char day[16];

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_decref(player_post(&anna, "/api/v1/register", "{\"name\":\"Plaintiff\",\"password\":\"12345678\"}", 201));
	json_decref(player_post(&ben, "/api/v1/register", "{\"name\":\"Culprit\",\"password\":\"12345678\"}", 201));
	player_make(&anna, "{}");
	player_join(&ben, &anna);
	player_open(&ben);
	json_decref(player_watch(&ben));
	player_command(&ben, "chat", "\"room\":\"players\",\"text\":\"you play badly\"", NULL);
	json_t *chat = player_await(&ben, "event", "chat");
	char body[64];

	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/report", anna.game);
	(void)snprintf(body, sizeof(body), "{\"event\":%lld,\"about\":\"an insult\"}", number_of(chat, "n"));
	json_decref(chat);
	json_decref(player_post(&anna, path, body, 201));
	assert_int_equal(list_reports("", text), 0);
	json_t *me = player_get(&ben, "/api/v1/me", 200);
	char whom[64];

	/* The name may go, the id stays. */
	(void)snprintf(whom, sizeof(whom), "reports Culprit (%s)", text_of(json_object_get(me, "person"), "id"));
	const char *line = strstr(text, whom);

	assert_non_null(line);
	assert_non_null(strstr(line, anna.game));
	assert_non_null(strstr(line, "line: you play badly"));
	assert_non_null(strstr(line, "about: an insult"));
	assert_true(strftime(day, sizeof(day), "%Y-%m-%d", gmtime(&now)) > 0);
	while (line > text && line[-1] != '\n')
		line--;
	assert_non_null(strstr(line, day));
	memcpy(id, line, sizeof(id) - 1);
	(void)snprintf(done, sizeof(done), "--verdict warned done %s", id);
	assert_int_equal(list_reports(done, text), 0);
	assert_int_equal(list_reports("", text), 0);
	assert_null(strstr(text, id));
	assert_int_equal(list_reports("--all", text), 0);
	line = strstr(text, id);
	assert_non_null(line);
	assert_non_null(strstr(line, ": warned"));
	json_decref(player_post(&ben, "/api/v1/delete-account", "{\"password\":\"12345678\"}", 200));
	assert_int_equal(list_reports("--all", text), 0);
	(void)snprintf(whom, sizeof(whom), "reports deleted (%s)", text_of(json_object_get(me, "person"), "id"));
	assert_non_null(strstr(text, whom));
	json_decref(me);
	/* Once is enough, and only what there is. */
	assert_int_equal(list_reports(done, text), 1);
	assert_non_null(strstr(text, "no open report"));
	assert_int_equal(list_reports("done x", text), 1);
	assert_int_equal(list_reports("undone", text), 2);
	player_release(&anna);
	player_release(&ben);
}

static void a_bot_plays_with_its_token(void **state)
{
	struct player owner;
	struct player bot;

	(void)state;
	player_init(&owner, program.port);
	player_init(&bot, program.port);
	json_t *made =
	    player_post(&owner, "/api/v1/register", "{\"name\":\"Robot\",\"password\":\"12345678\",\"bot\":true}", 201);

	assert_string_equal(text_of(json_object_get(made, "person"), "kind"), "bot");
	(void)snprintf(bot.token, sizeof(bot.token), "%s", text_of(made, "token"));
	json_decref(made);
	player_make(&bot, "{\"first\":\"me\"}");
	/* No Origin is asked of a program, and no cookie given. */
	assert_int_equal(player_open_raw(&bot, NULL), 101);
	json_t *welcome = player_await(&bot, "welcome", NULL);

	assert_string_equal(text_of(json_object_get(welcome, "person"), "name"), "Robot");
	assert_string_equal(bot.cookie, "");
	json_decref(welcome);
	json_decref(player_watch(&bot));
	json_t *fresh = player_post(&bot, "/api/v1/token", "{}", 200);

	player_expect_close(&bot, 4001);
	json_decref(player_get(&bot, "/api/v1/me", 401));
	(void)snprintf(bot.token, sizeof(bot.token), "%s", text_of(fresh, "token"));
	json_decref(fresh);
	json_decref(player_get(&bot, "/api/v1/me", 200));
	player_release(&owner);
	player_release(&bot);
}

static void an_administrator_adds_bans_and_deletes_beside_the_server(void **state)
{
	struct player player;
	char arguments[2 * FOLDER_SIZE];
	char printed[256];

	(void)state;
	(void)snprintf(arguments, sizeof(arguments), "user -d %s add Managed", data);
	assert_int_equal(administer(arguments, "12345678", printed), 0);
	assert_int_equal(administer(arguments, "12345678", printed), 1);
	player_init(&player, program.port);
	json_decref(player_post(&player, "/api/v1/login", "{\"name\":\"Managed\",\"password\":\"12345678\"}", 200));
	player_open(&player);
	(void)snprintf(arguments, sizeof(arguments), "user -d %s --days 1 --reason rude ban Managed", data);
	assert_int_equal(administer(arguments, "", printed), 0);
	assert_int_equal(kill(program.child, SIGHUP), 0);
	player_expect_close(&player, 4001);
	json_decref(player_post(&player, "/api/v1/games", "{}", 403));
	(void)snprintf(arguments, sizeof(arguments), "user -d %s --bot add Tin", data);
	assert_int_equal(administer(arguments, "12345678", printed), 0);
	assert_int_equal(strlen(printed), 43);
	(void)snprintf(player.token, sizeof(player.token), "%s", printed);
	json_decref(player_get(&player, "/api/v1/me", 200));
	(void)snprintf(arguments, sizeof(arguments), "user -d %s delete Nobody", data);
	assert_int_equal(administer(arguments, "", printed), 1);
	player_release(&player);
}

static void a_copy_of_a_running_servers_games_serves_again(void **state)
{
	struct player anna;
	struct program other;
	char arguments[3 * FOLDER_SIZE];
	char folder[FOLDER_SIZE];
	char printed[256];
	char path[64];

	(void)state;
	player_init(&anna, program.port);
	player_make(&anna, "{\"private\":false}");
	folder_make(folder);
	(void)snprintf(arguments, sizeof(arguments), "backup -d %s %s/merels.db", data, folder);
	assert_int_equal(administer(arguments, "", printed), 0);
	const char *const serve[] = {"--listen", "127.0.0.1:0", "--web", web, "--data", folder, NULL};

	program_start(&other, serve);
	program_wait_for_port(&other);
	anna.port = other.port;
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", anna.game);
	json_decref(player_get(&anna, path, 200));
	player_release(&anna);
	program_stop(&other);
	folder_remove(folder);
}

static void one_database_has_one_server(void **state)
{
	const char *const again[] = {"--listen", "127.0.0.1:0", "--web", web, "--data", data, NULL};
	struct program other;

	(void)state;
	program_start(&other, again);
	assert_int_equal(program_end(&other), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_look_at_a_page_makes_no_guest_and_me_does),
	    cmocka_unit_test(a_guest_who_registers_keeps_the_games),
	    cmocka_unit_test(names_are_taken_once_and_have_a_form),
	    cmocka_unit_test(logging_out_closes_the_sockets_of_this_session_alone),
	    cmocka_unit_test(a_person_with_many_cookies_of_others_stays_the_same),
	    cmocka_unit_test(what_is_kept_is_for_the_server_s_user_alone),
	    cmocka_unit_test(logging_out_everywhere_closes_the_sockets),
	    cmocka_unit_test(a_new_password_ends_other_sessions),
	    cmocka_unit_test(a_deleted_account_frees_its_name),
	    cmocka_unit_test(the_name_of_who_is_deleted_is_gone_from_games_too),
	    cmocka_unit_test(some_names_are_nobodys),
	    cmocka_unit_test(an_export_has_all_that_one_has_done),
	    cmocka_unit_test(nobody_mutes_himself),
	    cmocka_unit_test(who_runs_the_server_sees_reports_and_closes_them),
	    cmocka_unit_test(a_bot_plays_with_its_token),
	    cmocka_unit_test(an_administrator_adds_bans_and_deletes_beside_the_server),
	    cmocka_unit_test(a_copy_of_a_running_servers_games_serves_again),
	    cmocka_unit_test(one_database_has_one_server),
	    /* Last, as the address waits too. */
	    cmocka_unit_test(wrong_passwords_slow_down),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
