/*
 * Bad clients against the server without a network (fuzz/server), whose clock the test turns: what takes its time, and
 * what a client would have to be built for. Whatever anybody is told is checked there besides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host.h"
#include "scene.h"
#include "visitor.h"
#include "wire.h"

enum { OWNER, FRIEND, ACCOUNT, GUEST, STRANGER };

static char text[SCENE_LINE_SIZE];

/* Somebody sends a message; what comes of it has come when this returns. */
static void say(size_t who, const char *message)
{
	size_t length = scene_expand((struct fuzz_text){message, strlen(message)}, text);

	visitor_say(&visitors[who], text, length, false, false);
	host_settle();
}

static void expect_done(size_t who, const char *message)
{
	(void)snprintf(visitors[who].refused, sizeof(visitors[who].refused), "no answer");
	say(who, message);
	if (visitors[who].refused[0] != '\0')
		fail_msg("%s: %s", message, visitors[who].refused);
}

static void expect_no(size_t who, const char *message, const char *code)
{
	visitors[who].refused[0] = '\0';
	say(who, message);
	assert_string_equal(visitors[who].refused, code);
	assert_non_null(visitors[who].owner.wsi);
}

static void expect_status(size_t who, const char *method, const char *target, const char *body, unsigned status,
			  const char *code)
{
	static char path[1024];

	(void)scene_expand((struct fuzz_text){target, strlen(target)}, text);
	(void)snprintf(path, sizeof(path), "%.1000s", text);
	size_t length = scene_expand((struct fuzz_text){body, strlen(body)}, text);
	unsigned got = visitor_ask(&visitors[who], method, path, text, length);

	if (got != status || strcmp(visitors[who].refused, code) != 0)
		fail_msg("%s %s: %u %s", method, target, got, visitors[who].refused);
}

static int begin(void **state)
{
	(void)state;
	scene_begin(NULL);
	return 0;
}

static int end(void **state)
{
	(void)state;
	scene_end();
	return 0;
}

static bool is_open(size_t who)
{
	return visitors[who].owner.wsi != NULL;
}

static void play_two_turns(void)
{
	expect_done(OWNER, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a1\",\"ply\":0,\"turn\":\"d2\"}");
	expect_done(FRIEND, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"b1\",\"ply\":1,\"turn\":\"d6\"}");
}

/* The other end has gone without a word: nothing says so but that no ping is answered. */
static void a_half_open_socket_is_cut_and_the_opponent_may_claim(void **state)
{
	(void)state;
	play_two_turns();
	wire_mute(visitors[FRIEND].owner.wsi, true);
	host_pass(9000);
	assert_true(is_open(FRIEND));
	host_pass(6000);
	assert_false(is_open(FRIEND));
	assert_true(is_open(OWNER));
	expect_no(OWNER, "{\"t\":\"claim\",\"game\":\"$G\",\"id\":\"a2\",\"what\":\"win\"}", "not-gone");
	host_pass(41000);
	expect_done(OWNER, "{\"t\":\"claim\",\"game\":\"$G\",\"id\":\"a3\",\"what\":\"win\"}");
}

static void a_half_open_socket_of_a_spectator_is_cut_later(void **state)
{
	(void)state;
	wire_mute(visitors[GUEST].owner.wsi, true);
	host_pass(30000);
	assert_true(is_open(GUEST));
	host_pass(30000);
	assert_false(is_open(GUEST));
	assert_true(is_open(STRANGER));
}

/* A machine that had no processor for it: what clients answered waited in their sockets. */
static void a_server_that_was_held_up_takes_nobody_for_silent(void **state)
{
	static const uint64_t spans[] = {5000, 11900, 13000, 29000, 39900, 41000, 300000};

	(void)state;
	play_two_turns();
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		host_hold_up(spans[i]);
		for (size_t who = 0; who < VISITORS; who++)
			assert_true(is_open(who));
	}
	/* But one who is gone does not stay for that. */
	wire_mute(visitors[GUEST].owner.wsi, true);
	host_hold_up(300000);
	host_pass(60000);
	assert_false(is_open(GUEST));
	assert_true(is_open(STRANGER));
}

/* Sends until the queue of one who reads nothing is full. */
static void fill(size_t who)
{
	wire_choke(visitors[who].owner.wsi, true);
	for (int i = 0; i < 600; i++)
		say(who, "{\"t\":\"watch\",\"game\":\"$G\"}");
}

static void one_who_does_not_read_is_told_when_he_reads_again(void **state)
{
	(void)state;
	fill(ACCOUNT);
	assert_true(is_open(ACCOUNT));
	wire_choke(visitors[ACCOUNT].owner.wsi, false);
	host_pass(20);
	assert_false(is_open(ACCOUNT));
	assert_int_equal(visitors[ACCOUNT].owner.code, 1008);
	/* The players never noticed. */
	play_two_turns();
}

static void one_who_never_reads_is_cut_off_and_the_players_play_on(void **state)
{
	(void)state;
	fill(ACCOUNT);
	play_two_turns();
	host_pass(5000);
	assert_false(is_open(ACCOUNT));
	assert_true(is_open(OWNER));
	assert_true(is_open(FRIEND));
	expect_done(OWNER, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a2\",\"ply\":2,\"turn\":\"f4\"}");
}

/* {"t":"ping","x":[[[…]]]}: `depth` deep in all. */
static size_t write_deep(char *to, size_t depth)
{
	size_t length = (size_t)sprintf(to, "{\"t\":\"ping\",\"x\":");

	for (size_t i = 1; i < depth; i++)
		to[length++] = '[';
	for (size_t i = 1; i < depth; i++)
		to[length++] = ']';
	to[length++] = '}';
	to[length] = '\0';
	return length;
}

static void what_is_too_deep_is_no_json(void **state)
{
	static char deep[16000];

	(void)state;
	for (size_t depth = 2; depth <= 2000; depth = depth < 20 ? depth + 1 : depth * 5) {
		unsigned before = visitors[GUEST].heard;

		if (write_deep(deep, depth) > 4096)
			break;
		visitors[GUEST].refused[0] = '\0';
		say(GUEST, deep);
		assert_int_equal(visitors[GUEST].heard, before + 1);
		assert_string_equal(visitors[GUEST].refused, depth <= 16 ? "" : "bad-json");
		expect_status(GUEST, "POST", "/api/v1/games/$P/look", deep, depth <= 16 ? 404 : 400,
			      depth <= 16 ? "not-found" : "bad-json");
	}
	/* As deep as a body can be. */
	(void)write_deep(deep, 7900);
	expect_status(GUEST, "POST", "/api/v1/games", deep, 400, "bad-json");
}

static void very_many_keys_are_passed_over(void **state)
{
	static char wide[16384];
	size_t length = 0;

	(void)state;
	length += (size_t)sprintf(wide, "{\"t\":\"ping\"");
	for (unsigned i = 0; length < 4000; i++)
		length += (size_t)sprintf(wide + length, ",\"%u\":0", i);
	(void)sprintf(wide + length, "}");
	unsigned before = visitors[GUEST].heard;

	say(GUEST, wide);
	assert_int_equal(visitors[GUEST].heard, before + 1);
	assert_true(is_open(GUEST));
	length = (size_t)sprintf(wide, "{\"link\":\"$L\"");
	for (unsigned i = 0; length < 16000; i++)
		length += (size_t)sprintf(wide + length, ",\"%u\":{}", i);
	(void)sprintf(wide + length, "}");
	expect_status(GUEST, "POST", "/api/v1/games/$P/look", wide, 200, "");
}

static void a_game_that_is_named_very_often_is_watched_once(void **state)
{
	char message[4096];
	size_t length = (size_t)sprintf(message, "{\"t\":\"hello\",\"last\":{");

	(void)state;
	for (unsigned i = 0; i < 65; i++)
		length += (size_t)sprintf(message + length, "%s\"%011u\":1", i > 0 ? "," : "", i + 1);
	(void)sprintf(message + length, "}}");
	expect_no(GUEST, message, "bad-field");
	for (unsigned i = 0; i < 100; i++)
		say(GUEST, "{\"t\":\"watch\",\"game\":\"$G\",\"last\":1}");
	unsigned before = visitors[GUEST].events;

	play_two_turns();
	assert_int_equal(visitors[GUEST].events, before + 2);
}

static void a_secret_opens_its_own_game_alone(void **state)
{
	static const char nonsense[] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	char message[256];

	(void)state;
	/* That of the other seat, of another game, the link of another game, one that nobody has. */
	expect_no(GUEST, "{\"t\":\"watch\",\"game\":\"$P\",\"secret\":\"$T\"}", "no-game");
	expect_no(GUEST, "{\"t\":\"watch\",\"game\":\"$P\",\"link\":\"$S\"}", "no-game");
	(void)snprintf(message, sizeof(message), "{\"t\":\"watch\",\"game\":\"$P\",\"secret\":\"%s\"}", nonsense);
	expect_no(GUEST, message, "no-game");
	say(GUEST, "{\"t\":\"watch\",\"game\":\"$G\",\"secret\":\"$L\"}");
	expect_no(GUEST, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"x\",\"ply\":0,\"turn\":\"d2\"}", "no-seat");
	expect_status(GUEST, "POST", "/api/v1/games/$P/join", "{\"link\":\"$T\"}", 404, "not-found");
	expect_status(GUEST, "POST", "/api/v1/games/$X/join", "{\"link\":\"$L\"}", 404, "not-found");
	expect_status(GUEST, "POST", "/api/v1/games/$G/join", "{\"link\":\"$L\"}", 409, "wrong-link");
	/* Whoever holds the right one sits there. */
	say(STRANGER, "{\"t\":\"watch\",\"game\":\"$G\",\"secret\":\"$S\"}");
	expect_done(STRANGER, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"x\",\"ply\":0,\"turn\":\"d2\"}");
}

static void the_id_of_somebody_elses_command_is_worth_nothing(void **state)
{
	(void)state;
	play_two_turns();
	/* Each seat has ids of its own: this is a new command, and it is refused for what it is. */
	expect_no(FRIEND, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a1\",\"ply\":0,\"turn\":\"d2\"}", "wrong-ply");
	expect_no(ACCOUNT, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a1\",\"ply\":0,\"turn\":\"d2\"}", "no-seat");
	expect_done(OWNER, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a1\",\"ply\":7,\"turn\":\"nonsense\"}");
}

static void a_turn_after_the_flag_has_fallen_comes_too_late(void **state)
{
	(void)state;
	play_two_turns();
	host_pass(60000);
	expect_no(OWNER, "{\"t\":\"turn\",\"game\":\"$G\",\"id\":\"a2\",\"ply\":2,\"turn\":\"f4\"}", "over");
	/* In the very moment, before any timer: still too late. */
	expect_no(FRIEND, "{\"t\":\"resign\",\"game\":\"$G\",\"id\":\"b2\"}", "over");
}

/* Whose clock was running is known, as no turn came since. */
static void added_time_is_told_again_as_an_event(void **state)
{
	(void)state;
	play_two_turns();
	expect_done(OWNER, "{\"t\":\"time\",\"game\":\"$G\",\"id\":\"a2\"}");
	expect_done(OWNER, "{\"t\":\"offer\",\"game\":\"$G\",\"id\":\"a3\",\"what\":\"draw\"}");
	/* created, joined, started, two turns, the time, the offer */
	unsigned before = visitors[GUEST].events;

	say(GUEST, "{\"t\":\"watch\",\"game\":\"$G\",\"last\":5}");
	assert_int_equal(visitors[GUEST].events, before + 2);
}

/* Kinds of messages that are the server's own. */
static void what_the_server_says_is_no_message_to_it(void **state)
{
	static const char *const kinds[] = {"welcome", "game", "event", "done", "no", "paired", "caught-up", "bye"};
	char message[64];

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		(void)snprintf(message, sizeof(message), "{\"t\":\"%s\",\"game\":\"$G\"}", kinds[i]);
		expect_no(GUEST, message, "unknown-type");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	    TEST(a_half_open_socket_is_cut_and_the_opponent_may_claim),
	    TEST(a_half_open_socket_of_a_spectator_is_cut_later),
	    TEST(a_server_that_was_held_up_takes_nobody_for_silent),
	    TEST(one_who_does_not_read_is_told_when_he_reads_again),
	    TEST(one_who_never_reads_is_cut_off_and_the_players_play_on),
	    TEST(what_is_too_deep_is_no_json),
	    TEST(very_many_keys_are_passed_over),
	    TEST(a_game_that_is_named_very_often_is_watched_once),
	    TEST(a_secret_opens_its_own_game_alone),
	    TEST(the_id_of_somebody_elses_command_is_worth_nothing),
	    TEST(a_turn_after_the_flag_has_fallen_comes_too_late),
	    TEST(added_time_is_told_again_as_an_event),
	    TEST(what_the_server_says_is_no_message_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
