/* Exact tables through the server: who asks gets what they say, and the perfect computer plays by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"
#include "player.h"
#include "program.h"

static char web[FOLDER_SIZE];
static char tables[FOLDER_SIZE];
static struct program program;

static int start(void **state)
{
	char command[2 * FOLDER_SIZE + 256];
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web, "--tables", tables, NULL};

	(void)state;
	folder_make(web);
	folder_put_text(web, "index.html", "page");
	folder_make(tables);
	(void)snprintf(command, sizeof(command),
		       MERELS " tables build --rules four --metric distance --dir '%s/four' 2>&1 >/dev/null && " MERELS
			      " tables build --rules five --endings 4-3 --dir '%s/five' 2>&1 >/dev/null",
		       tables, tables);
	assert_int_equal(system(command), 0);
	program_start(&program, arguments);
	program_wait_for_port(&program);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	program_stop(&program);
	folder_remove(web);
	folder_remove(tables);
	return 0;
}

static json_t *ask(struct player *player, const char *query, int status)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "/api/v1/tables?%s", query);
	return player_get(player, path, status);
}

static void every_turn_has_its_value_the_best_first(void **state)
{
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	json_t *status = player_get(&anna, "/api/v1/status", 200);

	assert_string_equal(json_string_value(json_array_get(json_object_get(status, "tables"), 0)), "four");
	/* Of five there are but endings, which make no perfect computer. */
	assert_int_equal(json_array_size(json_object_get(status, "tables")), 1);
	json_decref(status);
	/* The first player wins in 13 plies, on b2 alone. */
	json_t *answer = ask(&anna, "rules=four&position=.../.../...%20w%204,4", 200);
	json_t *turns = json_object_get(answer, "turns");

	assert_string_equal(text_of(answer, "value"), "win");
	assert_int_equal(number_of(answer, "distance"), 13);
	assert_int_equal(number_of(answer, "best"), 1);
	assert_int_equal(json_array_size(turns), 9);
	assert_string_equal(text_of(json_array_get(turns, 0), "turn"), "b2");
	assert_int_equal(number_of(json_array_get(turns, 0), "distance"), 13);
	assert_string_not_equal(text_of(json_array_get(turns, 1), "value"), "win");
	json_decref(answer);
	player_release(&anna);
}

static void what_cannot_be_answered_is_said(void **state)
{
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	json_decref(ask(&anna, "rules=nine&position=.../.../.../....../.../.../...%20w%209,9", 404));
	json_decref(ask(&anna, "rules=four", 400));
	json_decref(ask(&anna, "rules=fourteen&position=.../.../...%20w%204,4", 400));
	json_decref(ask(&anna, "rules=four&position=.../.../..%20w%204,4", 400));
	json_decref(ask(&anna, "rules=four&position=WWWWWWWWW%20w%204,4", 400));
	/* Black has two men left, and none to place: the game is over, and no turn is worth anything. */
	json_t *over = ask(&anna, "rules=four&position=WWW/.../BB.%20b%200,0", 200);

	assert_int_equal(json_array_size(json_object_get(over, "turns")), 0);
	json_decref(over);
	player_release(&anna);
}

static void the_perfect_computer_plays_by_them(void **state)
{
	struct player anna;

	(void)state;
	player_init(&anna, program.port);
	player_make(&anna, "{\"rules\":\"four\",\"first\":\"other\",\"against\":{\"level\":\"perfect\"}}");
	player_open(&anna);
	json_t *game = player_watch(&anna);
	const char *first = json_string_value(json_array_get(json_object_get(game, "turns"), 0));
	json_t *event = first == NULL ? player_await(&anna, "event", "turn") : NULL;

	assert_string_equal(event == NULL ? first : text_of(event, "turn"), "b2");
	json_decref(event);
	json_decref(game);
	json_decref(
	    player_post(&anna, "/api/v1/games", "{\"rules\":\"six\",\"against\":{\"level\":\"perfect\"}}", 400));
	player_release(&anna);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_turn_has_its_value_the_best_first),
	    cmocka_unit_test(what_cannot_be_answered_is_said),
	    cmocka_unit_test(the_perfect_computer_plays_by_them),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
