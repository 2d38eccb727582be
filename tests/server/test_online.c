/* A game between people, from the link to the end, over real sockets, and what a restart leaves of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web, "--data", data, NULL};

	program_start(&program, arguments);
	program_wait_for_port(&program);
}

/* The server ends as by a power cut, and is started again. */
static void kill_server(void)
{
	assert_int_equal(kill(program.child, SIGKILL), 0);
	assert_int_equal(program_end(&program), 128 + SIGKILL);
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

/* Two who have begun a game, both watching; White is the first. */
static void begin(struct player *white, struct player *black, const char *settings)
{
	player_init(white, program.port);
	player_init(black, program.port);
	player_make(white, settings);
	player_join(black, white);
	player_open(white);
	json_decref(player_watch(white));
	player_open(black);
	json_decref(player_watch(black));
}

static void come_back(struct player *player)
{
	player_close(player);
	player->port = program.port;
	player_open(player);
}

static void a_guest_plays_a_friend_by_link(void **state)
{
	struct player anna;
	struct player ben;
	char path[64];

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	player_make(&anna, "{\"first\":\"me\"}");
	player_open(&anna);
	json_t *game = player_watch(&anna);

	assert_string_equal(text_of(game, "state"), "waiting");
	assert_int_equal(number_of(game, "you"), 0);
	json_decref(game);

	player_join(&ben, &anna);
	json_decref(player_await(&anna, "event", "joined"));
	json_t *started = player_await(&anna, "event", "started");

	assert_int_equal(number_of(started, "white"), 0);
	json_decref(started);
	player_open(&ben);
	json_decref(player_watch(&ben));
	player_turn(&anna, 0, "d2");
	json_t *turn = player_await(&ben, "event", "turn");

	assert_string_equal(text_of(turn, "turn"), "d2");
	json_decref(turn);
	player_turn(&ben, 1, "d6");
	json_decref(player_await(&anna, "event", "turn"));
	player_command(&anna, "resign", "", NULL);
	json_t *ended = player_await(&ben, "event", "ended");

	assert_string_equal(text_of(ended, "outcome"), "0-1");
	assert_string_equal(text_of(ended, "reason"), "resign");
	json_decref(ended);
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", ben.game);
	game = player_get(&ben, path, 200);
	assert_string_equal(text_of(game, "state"), "over");
	json_decref(game);
	player_release(&anna);
	player_release(&ben);
}

static void a_look_or_a_preview_never_takes_a_seat(void **state)
{
	struct player anna;
	struct player preview;
	char path[128];
	char body[128];

	(void)state;
	player_init(&anna, program.port);
	player_init(&preview, program.port);
	player_make(&anna, "{}");
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", anna.game);
	json_decref(player_get(&preview, path, 404));
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/join", anna.game);
	json_decref(player_get(&preview, path, 405));
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/look", anna.game);
	(void)snprintf(body, sizeof(body), "{\"link\":\"%s\"}", anna.link);
	json_t *game = player_post(&preview, path, body, 200);

	assert_string_equal(text_of(game, "state"), "waiting");
	assert_true(json_is_null(json_array_get(json_object_get(game, "seats"), 1)));
	json_decref(game);
	player_release(&anna);
	player_release(&preview);
}

static void a_link_that_comes_too_late_is_told_so_and_a_wrong_one_nothing(void **state)
{
	struct player anna;
	struct player ben;
	struct player late;
	char path[2][128];
	char right[128];
	static const char wrong[] = "{\"link\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}";

	(void)state;
	begin(&anna, &ben, "{}");
	player_init(&late, program.port);
	(void)snprintf(path[0], sizeof(path[0]), "/api/v1/games/%s/look", anna.game);
	(void)snprintf(path[1], sizeof(path[1]), "/api/v1/games/%s/join", anna.game);
	(void)snprintf(right, sizeof(right), "{\"link\":\"%s\"}", anna.link);
	player_open(&late);
	for (unsigned over = 0; over < 2; over++) {
		const char *code = over != 0 ? "over" : "taken";

		for (unsigned i = 0; i < 2; i++) {
			json_t *no = player_post(&late, path[i], right, 409);

			assert_string_equal(text_of(json_object_get(no, "error"), "code"), code);
			json_decref(no);
			json_decref(player_post(&late, path[i], wrong, 404));
		}
		player_send(&late, "{\"t\":\"watch\",\"game\":\"%s\",\"link\":\"%s\"}", anna.game, anna.link);
		json_t *no = player_next(&late);

		assert_string_equal(text_of(no, "code"), code);
		json_decref(no);
		if (over == 0)
			player_command(&anna, "abort", "", NULL);
	}
	player_release(&anna);
	player_release(&ben);
	player_release(&late);
}

static void a_killed_server_comes_back_where_it_was(void **state)
{
	static const char *const turns[] = {"d2", "d6", "f4", "b4", "d3", "d5", "e4", "c4"};
	struct player players[2];

	(void)state;
	begin(&players[0], &players[1], "{\"first\":\"me\",\"tempo\":{\"base\":60000,\"increment\":1000}}");
	for (unsigned ply = 0; ply < 8; ply++) {
		player_turn(&players[ply % 2], ply, turns[ply]);
		json_decref(player_await(&players[1 - ply % 2], "event", "turn"));
		if (ply % 3 != 2)
			continue;
		kill_server();
		come_back(&players[0]);
		come_back(&players[1]);
		for (unsigned i = 0; i < 2; i++) {
			json_t *game = player_watch(&players[i]);
			const json_t *clock = json_object_get(game, "clock");

			assert_string_equal(text_of(game, "state"), "playing");
			assert_int_equal(number_of(game, "ply"), ply + 1);
			assert_int_equal(number_of(game, "you"), i);
			/* Nobody has been charged for the time that the server was down. */
			assert_true(number_of(clock, "white") > 50000 && number_of(clock, "white") <= 64000);
			assert_true(number_of(clock, "black") > 50000 && number_of(clock, "black") <= 64000);
			json_decref(game);
		}
	}
	player_release(&players[0]);
	player_release(&players[1]);
}

static void a_command_sent_twice_is_done_once(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\"}");
	player_send(&anna, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"x\",\"ply\":0,\"turn\":\"d2\"}", anna.game);
	json_t *done = player_await(&anna, "done", NULL);
	long long number = number_of(done, "n");

	json_decref(done);
	kill_server();
	come_back(&anna);
	json_decref(player_watch(&anna));
	player_send(&anna, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"x\",\"ply\":0,\"turn\":\"d2\"}", anna.game);
	done = player_await(&anna, "done", NULL);
	assert_int_equal(number_of(done, "n"), number);
	json_decref(done);
	json_t *game = player_watch(&anna);

	assert_int_equal(number_of(game, "ply"), 1);
	json_decref(game);
	/* An id is of one seat: in the other's hand it is another command, in a stranger's none. */
	come_back(&ben);
	json_decref(player_watch(&ben));
	player_send(&ben, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"x\",\"ply\":1,\"turn\":\"d6\"}", anna.game);
	done = player_await(&ben, "done", NULL);
	assert_true(number_of(done, "n") > number);
	json_decref(done);
	player_release(&anna);
	player_release(&ben);
}

static void who_comes_back_gets_what_was_missed_and_no_more(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\"}");
	player_turn(&anna, 0, "d2");
	player_close(&ben);
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"hello\"", NULL);
	player_open(&ben);
	player_send(&ben, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":3}", ben.game);
	json_t *turn = player_await(&ben, "event", NULL);

	assert_int_equal(number_of(turn, "n"), 4);
	assert_string_equal(text_of(turn, "kind"), "turn");
	json_t *chat = player_await(&ben, "event", NULL);

	assert_int_equal(number_of(chat, "n"), 5);
	assert_string_equal(text_of(chat, "text"), "hello");
	json_t *up = player_await(&ben, "caught-up", NULL);

	assert_int_equal(number_of(up, "n"), 5);
	json_decref(turn);
	json_decref(chat);
	json_decref(up);
	player_release(&anna);
	player_release(&ben);
}

static void spectators_see_the_game_but_not_what_players_say(void **state)
{
	struct player anna;
	struct player ben;
	struct player carl;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"private\":false}");
	player_init(&carl, program.port);
	player_open(&carl);
	memcpy(carl.game, anna.game, sizeof(carl.game));
	json_t *game = player_watch(&carl);

	assert_true(json_is_null(json_object_get(game, "you")));
	json_decref(game);
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"secret\"", NULL);
	json_t *hidden = player_await(&carl, "event", NULL);

	assert_string_equal(text_of(hidden, "kind"), "hidden");
	assert_int_equal(json_object_size(hidden), 4);
	json_decref(hidden);
	player_turn(&anna, 0, "d2");
	json_decref(player_await(&carl, "event", "turn"));
	player_command(&carl, "turn", "\"ply\":1,\"turn\":\"d6\"", "no-seat");
	player_release(&anna);
	player_release(&ben);
	player_release(&carl);
}

static void a_private_game_is_not_there_for_strangers(void **state)
{
	struct player anna;
	struct player ben;
	struct player carl;

	(void)state;
	begin(&anna, &ben, "{}");
	player_init(&carl, program.port);
	player_open(&carl);
	player_send(&carl, "{\"t\":\"watch\",\"game\":\"%s\"}", anna.game);
	json_t *no = player_next(&carl);

	assert_string_equal(text_of(no, "code"), "no-game");
	json_decref(no);
	player_send(&carl, "{\"t\":\"turn\",\"game\":\"%s\",\"id\":\"a\",\"ply\":0,\"turn\":\"d2\"}", anna.game);
	no = player_next(&carl);
	assert_string_equal(text_of(no, "code"), "not-watching");
	json_decref(no);
	/* The secret of a seat proves it, wherever it is. */
	player_send(&carl, "{\"t\":\"watch\",\"game\":\"%s\",\"secret\":\"%s\"}", anna.game, anna.secret);
	json_t *game = player_await(&carl, "game", NULL);

	assert_int_equal(number_of(game, "you"), 0);
	json_decref(game);
	player_release(&anna);
	player_release(&ben);
	player_release(&carl);
}

static void two_who_press_rematch_get_one_game(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\"}");
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_command(&anna, "resign", "", NULL);
	json_decref(player_await(&ben, "event", "ended"));
	player_send(&anna, "{\"t\":\"offer\",\"game\":\"%s\",\"id\":\"r1\",\"what\":\"rematch\"}", anna.game);
	player_send(&ben, "{\"t\":\"offer\",\"game\":\"%s\",\"id\":\"r2\",\"what\":\"rematch\"}", ben.game);
	json_t *one = player_await(&anna, "event", "rematch");
	json_t *other = player_await(&ben, "event", "rematch");

	assert_string_equal(text_of(one, "next"), text_of(other, "next"));
	(void)snprintf(anna.game, sizeof(anna.game), "%s", text_of(one, "next"));
	json_decref(one);
	json_decref(other);
	json_t *game = player_watch(&anna);

	/* Colours are swapped. */
	assert_int_equal(number_of(game, "white"), 1);
	assert_string_equal(text_of(game, "state"), "playing");
	json_decref(game);
	player_release(&anna);
	player_release(&ben);
}

static void the_computer_answers(void **state)
{
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	player_make(&anna, "{\"first\":\"me\",\"against\":{\"level\":2}}");
	player_open(&anna);
	json_decref(player_watch(&anna));
	player_turn(&anna, 0, "d2");
	json_t *turn = player_await(&anna, "event", "turn");

	/* One's own comes first. */
	assert_int_equal(number_of(turn, "seat"), 0);
	json_decref(turn);
	turn = player_await(&anna, "event", "turn");
	assert_int_equal(number_of(turn, "seat"), 1);
	json_decref(turn);
	player_release(&anna);
}

/* It thinks for one while others ask. */
static void the_computer_plays_many_games_at_once(void **state)
{
	enum { GAMES = 8 };
	struct player players[GAMES];

	(void)state;
	for (size_t i = 0; i < GAMES; i++) {
		player_init(&players[i], program.port);
		player_make(&players[i], "{\"first\":\"me\",\"against\":{\"level\":10}}");
		player_open(&players[i]);
		json_decref(player_watch(&players[i]));
	}
	for (size_t i = 0; i < GAMES; i++)
		player_turn(&players[i], 0, "d2");
	for (size_t i = 0; i < GAMES; i++) {
		json_decref(player_await(&players[i], "event", "turn"));
		json_t *turn = player_await(&players[i], "event", "turn");

		assert_int_equal(number_of(turn, "seat"), 1);
		json_decref(turn);
		player_release(&players[i]);
	}
}

static void an_offer_of_the_lobby_is_taken_and_gone(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_decref(player_get(&anna, "/api/v1/me", 200));
	json_decref(player_get(&ben, "/api/v1/me", 200));
	player_open(&anna);
	player_open(&ben);
	player_send(&ben, "{\"t\":\"lobby\",\"on\":true}");
	json_decref(player_await(&ben, "lobby", NULL));
	player_send(&anna,
		    "{\"t\":\"seek\",\"id\":\"s\",\"rules\":\"six\",\"tempo\":{\"base\":60000,\"increment\":0}}");
	json_decref(player_await(&anna, "done", NULL));
	json_t *added = player_await(&ben, "lobby", NULL);
	const json_t *offer = json_object_get(added, "add");

	assert_string_equal(text_of(offer, "rules"), "six");
	player_send(&ben, "{\"t\":\"take\",\"id\":\"k\",\"offer\":\"%s\"}", text_of(offer, "offer"));
	json_t *paired = player_await(&ben, "paired", NULL);
	json_t *other = player_await(&anna, "paired", NULL);

	assert_string_equal(text_of(paired, "game"), text_of(other, "game"));
	assert_int_equal(number_of(paired, "seat"), 1);
	assert_int_equal(number_of(other, "seat"), 0);
	json_decref(added);
	json_decref(paired);
	json_decref(other);
	json_t *lobby = player_get(&ben, "/api/v1/lobby", 200);

	assert_int_equal(json_array_size(json_object_get(lobby, "offers")), 0);
	json_decref(lobby);
	player_release(&anna);
	player_release(&ben);
}

static void an_id_makes_one_offer(void **state)
{
	static const char seek[] = "{\"t\":\"seek\",\"id\":\"%s\",\"rules\":\"three\"}";
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	json_decref(player_get(&anna, "/api/v1/me", 200));
	player_open(&anna);
	player_send(&anna, seek, "one");
	json_decref(player_await(&anna, "done", NULL));
	for (unsigned i = 0; i < 2; i++) {
		player_send(&anna, seek, i == 0 ? "one" : "o n e");
		json_t *no = player_next(&anna);

		assert_string_equal(text_of(no, "code"), "bad-id");
		json_decref(no);
	}
	json_t *lobby = player_get(&anna, "/api/v1/lobby", 200);

	assert_int_equal(json_array_size(json_object_get(lobby, "offers")), 1);
	json_decref(lobby);
	/* What was not done may be asked for again. */
	for (unsigned i = 0; i < 2; i++) {
		player_send(&anna, "{\"t\":\"take\",\"id\":\"two\",\"offer\":\"00000000001\"}");
		json_t *no = player_next(&anna);

		assert_string_equal(text_of(no, "code"), "no-seek");
		json_decref(no);
	}
	player_send(&anna, "{\"t\":\"leave\",\"closed\":true}");
	player_release(&anna);
}

static void what_cannot_be_said_is_refused_by_its_reason(void **state)
{
	struct player anna;
	struct player ben;
	char more[2048];

	(void)state;
	begin(&anna, &ben, "{}");
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"a\\u0007b\"", "bad-text");
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"a\\u202eb\"", "bad-text");
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"\\u0085\"", "bad-text");
	player_command(&anna, "chat", "\"room\":\"players\",\"text\":\"\"", "bad-text");
	(void)snprintf(more, sizeof(more), "\"room\":\"players\",\"text\":\"%0201u\"", 0);
	player_command(&anna, "chat", more, "text-too-long");
	(void)snprintf(more, sizeof(more), "\"room\":\"players\",\"text\":\"%01500u\"", 0);
	player_command(&anna, "chat", more, "text-too-long");
	(void)snprintf(more, sizeof(more), "\"room\":\"players\",\"text\":\"%0200u\"", 0);
	player_command(&anna, "chat", more, NULL);
	player_release(&anna);
	player_release(&ben);
}

static void a_look_with_the_secret_of_a_seat_sees_as_the_seat(void **state)
{
	struct player anna;
	struct player ben;
	struct player carl;
	char path[64];
	char body[128];

	(void)state;
	begin(&anna, &ben, "{}");
	player_command(&ben, "chat", "\"room\":\"players\",\"text\":\"hello\"", NULL);
	player_init(&carl, program.port);
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/look", anna.game);
	(void)snprintf(body, sizeof(body), "{\"secret\":\"%s\"}", ben.secret);
	json_t *game = player_post(&carl, path, body, 200);

	assert_int_equal(number_of(game, "you"), 1);
	assert_int_equal(json_array_size(json_object_get(game, "lines")), 1);
	json_decref(game);
	json_decref(player_post(&carl, path, "{\"secret\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}", 404));
	json_decref(player_post(&carl, path, "{\"secret\":\"x\"}", 400));
	json_decref(player_post(&carl, path, "{\"link\":5}", 400));
	/* Whom one does not want to hear is not heard here either. */
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", anna.game);
	game = player_get(&anna, path, 200);
	assert_int_equal(json_array_size(json_object_get(game, "lines")), 1);
	const json_t *seat = json_array_get(json_object_get(game, "seats"), 1);

	(void)snprintf(body, sizeof(body), "{\"person\":\"%s\"}", text_of(seat, "id"));
	json_decref(game);
	json_decref(player_post(&anna, "/api/v1/mute", body, 200));
	game = player_get(&anna, path, 200);
	assert_int_equal(json_array_size(json_object_get(game, "lines")), 0);
	json_decref(game);
	json_decref(player_post(&anna, "/api/v1/unmute", body, 200));
	game = player_get(&anna, path, 200);
	assert_int_equal(json_array_size(json_object_get(game, "lines")), 1);
	json_decref(game);
	player_release(&anna);
	player_release(&ben);
	player_release(&carl);
}

/* How many games a search finds. */
static size_t found(struct player *player, const char *path)
{
	json_t *list = player_get(player, path, 200);
	size_t count = json_array_size(json_object_get(list, "games"));

	json_decref(list);
	return count;
}

static void ones_own_private_games_are_in_ones_own_archive_alone(void **state)
{
	struct player anna;
	struct player ben;
	struct player carl;

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	player_init(&carl, program.port);
	json_decref(player_post(&anna, "/api/v1/register", "{\"name\":\"Hidden\",\"password\":\"12345678\"}", 201));
	player_make(&anna, "{\"first\":\"me\",\"private\":true}");
	player_join(&ben, &anna);
	player_open(&anna);
	player_open(&ben);
	json_decref(player_watch(&anna));
	json_decref(player_watch(&ben));
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_command(&ben, "resign", "", NULL);
	assert_int_equal(found(&anna, "/api/v1/games?player=hidden"), 1);
	assert_int_equal(found(&ben, "/api/v1/games?player=hidden"), 0);
	assert_int_equal(found(&carl, "/api/v1/games?player=hidden"), 0);
	/* A guest has no name to ask by. */
	assert_int_equal(found(&ben, "/api/v1/games?mine=1"), 1);
	assert_int_equal(found(&ben, "/api/v1/games?mine=1&opponent=hidden"), 1);
	/* Whoever of the two is named first. */
	json_decref(player_post(&ben, "/api/v1/register", "{\"name\":\"Friend\",\"password\":\"12345678\"}", 201));
	assert_int_equal(found(&anna, "/api/v1/games?player=friend&opponent=hidden"), 1);
	assert_int_equal(found(&anna, "/api/v1/games?player=hidden&opponent=friend"), 1);
	assert_int_equal(found(&carl, "/api/v1/games?player=friend&opponent=hidden"), 0);
	for (unsigned i = 0; i < 2; i++) {
		struct player *asker = i == 0 ? &anna : &carl;
		struct answer answer;
		char request[256];

		(void)snprintf(request, sizeof(request),
			       "GET /api/v1/players/hidden/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
			       "Cookie: merels=%s\r\n\r\n",
			       asker->cookie);
		client_ask(program.port, request, &answer);
		assert_int_equal(answer.status, 200);
		assert_true((strstr(answer.body, "d2") != NULL) == (i == 0));
		answer_release(&answer);
		json_decref(player_get(&carl, "/api/v1/me", 200));
	}
	json_t *score = player_get(&carl, "/api/v1/players/hidden/score?opponent=friend", 200);

	assert_int_equal(number_of(score, "games"), 0);
	json_decref(score);
	score = player_get(&ben, "/api/v1/players/hidden/score?opponent=friend", 200);
	assert_int_equal(number_of(score, "wins"), 1);
	json_decref(score);
	player_release(&anna);
	player_release(&ben);
	player_release(&carl);
}

static void a_flag_falls_by_itself(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"tempo\":{\"base\":1000,\"increment\":0}}");
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	/* Now White's clock runs. */
	json_t *ended = player_await(&ben, "event", "ended");
	const json_t *clock = json_object_get(ended, "clock");

	assert_string_equal(text_of(ended, "reason"), "time");
	assert_string_equal(text_of(ended, "outcome"), "0-1");
	assert_int_equal(number_of(clock, "white"), 0);
	json_decref(ended);
	player_command(&anna, "turn", "\"ply\":2,\"turn\":\"f4\"", "over");
	player_release(&anna);
	player_release(&ben);
}

static void a_rated_game_changes_both_ratings_with_its_end(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_decref(player_post(&anna, "/api/v1/register", "{\"name\":\"Anna\",\"password\":\"correct horse\"}", 201));
	json_decref(player_post(&ben, "/api/v1/register", "{\"name\":\"Ben\",\"password\":\"battery staple\"}", 201));
	player_make(&anna, "{\"first\":\"me\",\"rated\":true,\"private\":false,"
			   "\"tempo\":{\"base\":300000,\"increment\":0}}");
	player_join(&ben, &anna);
	player_open(&anna);
	player_open(&ben);
	json_decref(player_watch(&anna));
	json_decref(player_watch(&ben));
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_command(&ben, "resign", "", NULL);
	json_t *rated = player_await(&anna, "event", "rated");
	const json_t *first = json_array_get(json_object_get(rated, "rating"), 0);

	assert_int_equal(number_of(first, "before"), 1500);
	assert_true(number_of(first, "after") > 1500);
	kill_server();
	anna.port = program.port;
	char path[64];

	(void)snprintf(path, sizeof(path), "/api/v1/games/%s", anna.game);
	json_t *game = player_get(&anna, path, 200);
	const json_t *kept = json_array_get(json_object_get(game, "rating"), 0);

	assert_int_equal(number_of(kept, "after"), number_of(first, "after"));
	json_decref(game);
	json_t *me = player_get(&anna, "/api/v1/players/anna", 200);
	const json_t *rating = json_array_get(json_object_get(me, "ratings"), 0);

	assert_int_equal(number_of(rating, "rating"), number_of(first, "after"));
	assert_int_equal(number_of(rating, "wins"), 1);
	json_decref(me);
	json_t *graph = player_get(&anna, "/api/v1/players/anna/ratings", 200);
	const json_t *points = json_object_get(graph, "points");

	assert_string_equal(text_of(json_object_get(graph, "person"), "name"), "Anna");
	assert_string_equal(text_of(graph, "rules"), "nine");
	assert_string_equal(text_of(graph, "speed"), "blitz");
	assert_int_equal(json_array_size(points), 1);
	assert_int_equal(number_of(json_array_get(points, 0), "rating"), number_of(first, "after"));
	assert_string_equal(text_of(json_array_get(points, 0), "game"), anna.game);
	assert_true(number_of(json_array_get(points, 0), "date") > 1700000000000);
	assert_true(json_is_false(json_object_get(graph, "more")));
	json_decref(graph);
	graph = player_get(&anna, "/api/v1/players/anna/ratings?rules=nine&speed=rapid", 200);
	assert_string_equal(text_of(graph, "speed"), "rapid");
	assert_int_equal(json_array_size(json_object_get(graph, "points")), 0);
	json_decref(graph);
	json_decref(player_get(&anna, "/api/v1/players/anna/ratings?speed=fast", 400));
	json_decref(player_get(&anna, "/api/v1/players/nobody-here/ratings", 404));
	json_decref(rated);
	/* Two games do not make a leader: both ratings are provisional. */
	json_t *leaders = player_get(&anna, "/api/v1/leaders?rules=nine&speed=blitz", 200);

	assert_int_equal(json_array_size(json_object_get(leaders, "leaders")), 0);
	json_decref(leaders);
	json_t *days = player_get(&anna, "/api/v1/days", 200);
	const json_t *today = json_array_get(json_object_get(days, "days"), 0);
	time_t now = time(NULL);
	char date[16];

	assert_true(strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&now)) > 0);
	assert_string_equal(text_of(today, "day"), date);
	assert_true(number_of(today, "games") >= 1 && number_of(today, "turns") >= 2);
	json_decref(days);
	json_t *list = player_get(&anna, "/api/v1/games?player=Anna&opponent=ben&opening=d2", 200);
	const json_t *games = json_object_get(list, "games");

	assert_int_equal(json_array_size(games), 1);
	assert_string_equal(text_of(json_array_get(games, 0), "result"), "1-0");
	json_decref(list);
	json_t *score = player_get(&anna, "/api/v1/players/ben/score?opponent=anna", 200);

	assert_string_equal(text_of(json_object_get(score, "opponent"), "name"), "Anna");
	assert_int_equal(number_of(score, "games"), 1);
	assert_int_equal(number_of(score, "wins"), 0);
	assert_int_equal(number_of(score, "draws"), 0);
	assert_int_equal(number_of(score, "losses"), 1);
	json_decref(score);
	json_decref(player_get(&anna, "/api/v1/players/ben/score", 400));
	json_decref(player_get(&anna, "/api/v1/players/ben/score?opponent=nobody-here", 404));
	player_release(&anna);
	player_release(&ben);
}

static void an_offer_goes_with_the_tab_it_was_made_in(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	player_init(&anna, program.port);
	player_init(&ben, program.port);
	json_decref(player_get(&anna, "/api/v1/me", 200));
	player_open(&anna);
	player_open(&ben);
	player_send(&ben, "{\"t\":\"lobby\",\"on\":true}");
	json_decref(player_await(&ben, "lobby", NULL));
	player_send(&anna, "{\"t\":\"seek\",\"id\":\"s\",\"rules\":\"nine\"}");
	json_t *done = player_await(&anna, "done", NULL);
	json_t *added = player_await(&ben, "lobby", NULL);

	player_send(&anna, "{\"t\":\"leave\",\"closed\":true}");
	player_close(&anna);
	json_t *gone = player_await(&ben, "lobby", NULL);

	assert_string_equal(text_of(gone, "gone"), text_of(done, "offer"));
	json_decref(done);
	json_decref(added);
	json_decref(gone);
	player_release(&anna);
	player_release(&ben);
}

static void two_tabs_of_one_player_stay_in_step(void **state)
{
	struct player anna;
	struct player other;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\"}");
	other = anna;
	player_open(&other);
	json_decref(player_watch(&other));
	other.commands = 100;
	player_turn(&other, 0, "d2");
	json_t *turn = player_await(&anna, "event", "turn");

	assert_int_equal(number_of(turn, "n"), 4);
	json_decref(turn);
	player_turn(&ben, 1, "d6");
	json_decref(player_await(&anna, "event", "turn"));
	player_turn(&anna, 2, "f4");
	/* One tab of two is closed: the player is still there. */
	player_close(&other);
	json_t *game = player_watch(&ben);

	assert_true(json_is_true(json_object_get(json_array_get(json_object_get(game, "presence"), 0), "here")));
	json_decref(game);
	player_release(&anna);
	player_release(&other);
	player_release(&ben);
}

static void a_takeback_gives_turns_and_times_back_and_survives_a_restart(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"tempo\":{\"base\":60000,\"increment\":0}}");
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_turn(&anna, 2, "f4");
	player_command(&anna, "offer", "\"what\":\"takeback\"", NULL);
	json_decref(player_await(&ben, "event", "offered"));
	player_command(&ben, "accept", "\"what\":\"takeback\"", NULL);
	json_t *back = player_await(&anna, "event", "takeback");

	assert_int_equal(number_of(back, "ply"), 2);
	assert_string_equal(text_of(json_object_get(back, "clock"), "running"), "white");
	json_decref(back);
	kill_server();
	come_back(&anna);
	json_t *game = player_watch(&anna);

	assert_int_equal(number_of(game, "ply"), 2);
	assert_true(number_of(json_object_get(game, "clock"), "white") > 50000);
	json_decref(game);
	player_turn(&anna, 2, "b4");
	player_release(&anna);
	player_release(&ben);
}

static void a_finished_game_has_a_record(void **state)
{
	struct player anna;
	struct player ben;
	struct answer answer;
	char request[256];

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"private\":false,\"tempo\":{\"base\":60000,\"increment\":1000}}");
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_command(&anna, "resign", "", NULL);
	(void)snprintf(request, sizeof(request), "GET /api/v1/games/%s/record HTTP/1.1\r\nHost: x\r\n\r\n", anna.game);
	client_ask(program.port, request, &answer);
	assert_int_equal(answer.status, 200);
	assert_non_null(strstr(answer.body, "[Result \"0-1\"]"));
	assert_non_null(strstr(answer.body, "[Termination \"resign\"]"));
	assert_non_null(strstr(answer.body, "[TimeControl \"60+1\"]"));
	assert_non_null(strstr(answer.body, "1. d2 {[%clk 0:0"));
	answer_release(&answer);
	player_release(&anna);
	player_release(&ben);
}

static void all_games_of_a_player_come_as_one_text(void **state)
{
	struct player anna;
	struct player ben;
	struct answer answer;
	size_t found = 0;

	(void)state;
	player_init(&anna, program.port);
	json_decref(player_post(&anna, "/api/v1/register", "{\"name\":\"Streamer\",\"password\":\"12345678\"}", 201));
	for (int i = 0; i < 3; i++) {
		player_init(&ben, program.port);
		player_make(&anna, "{\"first\":\"me\",\"private\":false}");
		player_join(&ben, &anna);
		player_open(&anna);
		json_decref(player_watch(&anna));
		player_open(&ben);
		json_decref(player_watch(&ben));
		player_turn(&anna, 0, "d2");
		player_turn(&ben, 1, "d6");
		player_command(&ben, "resign", "", NULL);
		player_release(&ben);
		player_close(&anna);
	}
	client_ask(program.port, "GET /api/v1/players/Streamer/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		   &answer);
	assert_int_equal(answer.status, 200);
	assert_string_equal(answer_header(&answer, "transfer-encoding"), "chunked");
	for (const char *at = answer.body; (at = strstr(at, "[White \"Streamer\"]")) != NULL; at++)
		found++;
	assert_int_equal(found, 3);
	/* The last chunk is empty: nothing is missing. */
	assert_non_null(strstr(answer.body, "\r\n0\r\n\r\n"));
	answer_release(&answer);
	player_release(&anna);
}

static void games_that_are_played_are_shown_to_who_wants_to_watch(void **state)
{
	struct player anna;
	struct player ben;
	struct player hidden[2];
	bool found = false;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"private\":false,\"rules\":\"three\"}");
	begin(&hidden[0], &hidden[1], "{\"first\":\"me\"}");
	player_turn(&anna, 0, "a1");
	json_t *list = player_get(&anna, "/api/v1/playing?limit=50", 200);
	const json_t *games = json_object_get(list, "games");

	for (size_t i = 0; i < json_array_size(games); i++) {
		const json_t *game = json_array_get(games, i);

		assert_string_not_equal(text_of(game, "game"), hidden[0].game);
		if (strcmp(text_of(game, "game"), anna.game) == 0) {
			found = true;
			assert_string_equal(text_of(game, "rules"), "three");
			assert_int_equal(number_of(game, "ply"), 1);
		}
	}
	assert_true(found);
	json_decref(list);
	player_release(&anna);
	player_release(&ben);
	player_release(&hidden[0]);
	player_release(&hidden[1]);
}

static void an_event_told_again_is_told_as_the_first_time(void **state)
{
	struct player anna;
	struct player ben;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\",\"tempo\":{\"base\":60000,\"increment\":0}}");
	player_turn(&anna, 0, "d2");
	player_turn(&ben, 1, "d6");
	player_command(&ben, "time", "", NULL);
	json_t *first = player_await(&anna, "event", "time");
	long long number = number_of(first, "n");

	player_turn(&anna, 2, "f4");
	player_close(&anna);
	player_open(&anna);
	player_send(&anna, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":%lld}", anna.game, number - 1);
	json_t *again = player_await(&anna, "event", "time");

	assert_true(json_equal(first, again));
	json_decref(first);
	json_decref(again);
	player_release(&anna);
	player_release(&ben);
}

/* The size that the server's files may have. */
static void limit_files(rlim_t size)
{
	const struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};

	assert_int_equal(prlimit(program.child, RLIMIT_FSIZE, &limit, NULL), 0);
}

static void a_full_disk_is_told_and_loses_nothing(void **state)
{
	struct player anna;
	struct player ben;
	struct answer answer;

	(void)state;
	begin(&anna, &ben, "{\"first\":\"me\"}");
	player_turn(&anna, 0, "d2");
	limit_files(1);
	player_command(&ben, "turn", "\"ply\":1,\"turn\":\"d6\"", "unavailable");
	player_command(&ben, "turn", "\"ply\":1,\"turn\":\"d6\"", "unavailable");
	client_ask(program.port, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
	assert_int_equal(answer.status, 503);
	answer_release(&answer);
	json_t *game = player_watch(&ben);

	assert_int_equal(number_of(game, "ply"), 1);
	json_decref(game);
	limit_files(RLIM_INFINITY);
	player_turn(&ben, 1, "d6");
	player_turn(&anna, 2, "f4");
	client_ask(program.port, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
	assert_int_equal(answer.status, 200);
	answer_release(&answer);
	kill_server();
	come_back(&anna);
	game = player_watch(&anna);
	assert_int_equal(number_of(game, "ply"), 3);
	json_decref(game);
	player_release(&anna);
	player_release(&ben);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_guest_plays_a_friend_by_link),
	    cmocka_unit_test(a_look_or_a_preview_never_takes_a_seat),
	    cmocka_unit_test(a_link_that_comes_too_late_is_told_so_and_a_wrong_one_nothing),
	    cmocka_unit_test(a_killed_server_comes_back_where_it_was),
	    cmocka_unit_test(a_command_sent_twice_is_done_once),
	    cmocka_unit_test(who_comes_back_gets_what_was_missed_and_no_more),
	    cmocka_unit_test(spectators_see_the_game_but_not_what_players_say),
	    cmocka_unit_test(a_private_game_is_not_there_for_strangers),
	    cmocka_unit_test(two_who_press_rematch_get_one_game),
	    cmocka_unit_test(the_computer_answers),
	    cmocka_unit_test(the_computer_plays_many_games_at_once),
	    cmocka_unit_test(an_offer_of_the_lobby_is_taken_and_gone),
	    cmocka_unit_test(an_id_makes_one_offer),
	    cmocka_unit_test(what_cannot_be_said_is_refused_by_its_reason),
	    cmocka_unit_test(a_look_with_the_secret_of_a_seat_sees_as_the_seat),
	    cmocka_unit_test(ones_own_private_games_are_in_ones_own_archive_alone),
	    cmocka_unit_test(a_flag_falls_by_itself),
	    cmocka_unit_test(a_rated_game_changes_both_ratings_with_its_end),
	    cmocka_unit_test(an_offer_goes_with_the_tab_it_was_made_in),
	    cmocka_unit_test(two_tabs_of_one_player_stay_in_step),
	    cmocka_unit_test(a_takeback_gives_turns_and_times_back_and_survives_a_restart),
	    cmocka_unit_test(a_finished_game_has_a_record),
	    cmocka_unit_test(all_games_of_a_player_come_as_one_text),
	    cmocka_unit_test(games_that_are_played_are_shown_to_who_wants_to_watch),
	    cmocka_unit_test(an_event_told_again_is_told_as_the_first_time),
	    cmocka_unit_test(a_full_disk_is_told_and_loses_nothing),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
