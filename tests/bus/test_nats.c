/* What is NATS's alone: servers that are not there, go away, hang, or refuse. */
#define _POSIX_C_SOURCE 200809L /* kill() */
#include <signal.h>

#include <os/clock.h>

#include "support.h"

enum { LONG_MS = 60000 };

static void wait_for(struct party *party, enum mrl_bus_news news, unsigned times)
{
	for (unsigned i = 0; i < 3000 && party->news[news] < times; i++)
		(void)mrl_bus_wait(party->bus, 10);
	if (party->news[news] < times)
		fail_msg("news %d did not come; the last was: %s", news, party->said);
}

static void without_a_server_the_bus_waits_for_it(void **state)
{
	struct nats_server nats;
	struct party party = {0};
	struct ear ear = {0};
	struct answer answer;
	struct mrl_error error = {0};

	(void)state;
	nats_make(&nats);
	party_open(&party, (struct mrl_bus_settings){.place = nats.place});
	(void)listen(party.bus, "word", NULL, &ear);
	wait_for(&party, MRL_BUS_LOST, 1);
	assert_non_null(strstr(party.said, "cannot be reached at nats://127.0.0.1:"));
	assert_false(mrl_bus_is_connected(party.bus));
	assert_int_equal(mrl_bus_publish(party.bus, "word", "x", 1, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "no connection"));
	nats_start(&nats, NULL);
	wait_for(&party, MRL_BUS_CONNECTED, 1);
	/* Not for every attempt; a reason that changes is told. */
	assert_true(party.news[MRL_BUS_LOST] <= 3);
	(void)ask(party.bus, "word", "now", LONG_MS, &answer);
	while (answer.asked == 0)
		(void)mrl_bus_wait(party.bus, 10);
	assert_string_equal(answer.text, "re:now");
	party_close(&party);
	nats_release(&nats);
}

static void a_server_that_is_killed_and_comes_back_is_found_again(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {0};
	struct ear late = {0};
	struct ear silent = {.silent = true};
	struct answer pending;
	struct answer answer;

	(void)listen(scene->b.bus, "word", NULL, &ear);
	(void)listen(scene->b.bus, "silent", NULL, &silent);
	uint64_t left = listen(scene->b.bus, "left", NULL, &silent);

	scene_settle(scene);
	(void)ask(scene->a.bus, "silent", "?", LONG_MS, &pending);
	UNTIL(scene, silent.count == 1);
	nats_kill(&scene->nats);
	UNTIL(scene, scene->a.news[MRL_BUS_LOST] >= 1 && scene->b.news[MRL_BUS_LOST] >= 1);
	/* What was asked is not waited for in vain. */
	assert_int_equal(pending.asked, 1);
	assert_int_equal(pending.status, MRL_SYSTEM);
	/* What is subscribed to meanwhile is subscribed to, and what is left is left. */
	(void)listen(scene->b.bus, "late", NULL, &late);
	mrl_bus_unsubscribe(scene->b.bus, left);
	nats_start(&scene->nats, NULL);
	UNTIL(scene, scene->a.news[MRL_BUS_CONNECTED] >= 2 && scene->b.news[MRL_BUS_CONNECTED] >= 2);
	(void)ask(scene->a.bus, "word", "again", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_string_equal(answer.text, "re:again");
	(void)ask(scene->a.bus, "late", "late", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_string_equal(answer.text, "re:late");
	(void)ask(scene->a.bus, "left", "?", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_int_equal(answer.status, MRL_MISSING);
}

static void a_server_that_hangs_blocks_nobody_and_is_lost(void **state)
{
	struct scene *scene = *state;
	struct mrl_bus_counts counts;
	struct answer answer;
	char *large = calloc(1, 100000);
	unsigned slow = 0;

	assert_non_null(large);
	(void)ask(scene->a.bus, "nobody", "?", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_int_equal(kill(scene->nats.child, SIGSTOP), 0);
	/* More than every buffer on the way takes. */
	for (unsigned i = 0; i < 3000; i++) {
		uint64_t before = mrl_clock_now();

		(void)mrl_bus_publish(scene->a.bus, "word", large, 100000, NULL);
		slow += mrl_clock_since(before) > 1;
	}
	free(large);
	/* Each only puts it into a queue; a network that is waited for takes whole seconds, each time. */
	assert_true(slow <= 3);
	UNTIL(scene, scene->a.news[MRL_BUS_LOST] >= 1 && scene->b.news[MRL_BUS_LOST] >= 1);
	mrl_bus_count(scene->a.bus, &counts);
	assert_true(counts.unsent > 0);
	assert_int_equal(kill(scene->nats.child, SIGCONT), 0);
	UNTIL(scene, scene->a.news[MRL_BUS_CONNECTED] >= 2 && scene->b.news[MRL_BUS_CONNECTED] >= 2);
	mrl_bus_count(scene->a.bus, &counts);
	assert_true(counts.connections >= 2);
	(void)ask(scene->a.bus, "nobody", "?", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_int_equal(answer.status, MRL_MISSING);
}

static void a_wrong_password_is_told_and_the_right_one_works(void **state)
{
	static const char *const arguments[] = {"--user", "club", "--pass", "secret@word", NULL};
	struct nats_server nats;
	struct party wrong = {0};
	struct party right = {0};
	char place[128];

	(void)state;
	nats_make(&nats);
	nats_start(&nats, arguments);
	(void)snprintf(place, sizeof(place), "nats://club:guessed@127.0.0.1:%u", nats.port);
	party_open(&wrong, (struct mrl_bus_settings){.place = place});
	wait_for(&wrong, MRL_BUS_REFUSED, 1);
	assert_null(strstr(wrong.said, "guessed"));
	assert_non_null(strstr(wrong.said, "refuses us at nats://127.0.0.1:"));
	party_close(&wrong);
	(void)snprintf(place, sizeof(place), "nats://club:secret@word@127.0.0.1:%u", nats.port);
	party_open(&right, (struct mrl_bus_settings){.place = place});
	wait_for(&right, MRL_BUS_CONNECTED, 1);
	assert_null(strstr(right.said, "secret"));
	party_close(&right);
	nats_release(&nats);
}

static void of_several_servers_one_that_is_there_is_found(void **state)
{
	struct nats_server gone;
	struct nats_server there;
	struct party party = {0};
	char place[160];

	(void)state;
	nats_make(&gone);
	nats_make(&there);
	nats_start(&there, NULL);
	(void)snprintf(place, sizeof(place), "%s,%s", gone.place, there.place);
	party_open(&party, (struct mrl_bus_settings){.place = place});
	wait_for(&party, MRL_BUS_CONNECTED, 1);
	/* And when that one goes and the other comes. */
	nats_start(&gone, NULL);
	nats_kill(&there);
	wait_for(&party, MRL_BUS_LOST, 1);
	wait_for(&party, MRL_BUS_CONNECTED, 2);
	party_close(&party);
	nats_release(&gone);
	nats_release(&there);
}

static void the_server_says_how_large_messages_may_be(void **state)
{
	struct nats_server nats;
	struct party party = {0};
	char path[300];
	const char *const arguments[] = {"-c", path, NULL};
	char data[2049] = "";

	(void)state;
	nats_make(&nats);
	(void)snprintf(path, sizeof(path), "%s/conf", nats.folder);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	(void)fputs("max_payload: 2048\n", file);
	(void)fclose(file);
	nats_start(&nats, arguments);
	party_open(&party, (struct mrl_bus_settings){.place = nats.place});
	wait_for(&party, MRL_BUS_CONNECTED, 1);
	assert_int_equal(mrl_bus_most_payload(party.bus), 2048);
	assert_int_equal(mrl_bus_publish(party.bus, "word", data, 2048, NULL), MRL_OK);
	assert_int_equal(mrl_bus_publish(party.bus, "word", data, 2049, NULL), MRL_RANGE);
	party_close(&party);
	nats_release(&nats);
}

/* A certificate of its own for 127.0.0.1, by the program of OpenSSL. */
static void make_certificate(const char *folder)
{
	char command[1500];

	(void)snprintf(
	    command, sizeof(command),
	    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 "
	    "-addext subjectAltName=IP:127.0.0.1 -keyout '%s/key' -out '%s/certificate' 2>/dev/null",
	    folder, folder);
	assert_int_equal(system(command), 0); /* NOLINT */
}

static void with_tls_only_a_server_whose_certificate_is_believed_is_used(void **state)
{
	struct nats_server nats;
	struct party plain = {0};
	struct party stranger = {0};
	struct party friend_ = {0};
	char key[300];
	char certificate[300];
	char place[64];
	const char *const arguments[] = {"--tls", "--tlscert", certificate, "--tlskey", key, NULL};

	(void)state;
	nats_make(&nats);
	(void)snprintf(key, sizeof(key), "%s/key", nats.folder);
	(void)snprintf(certificate, sizeof(certificate), "%s/certificate", nats.folder);
	(void)snprintf(place, sizeof(place), "tls://127.0.0.1:%u", nats.port);
	make_certificate(nats.folder);
	nats_start(&nats, arguments);
	party_open(&plain, (struct mrl_bus_settings){.place = nats.place});
	wait_for(&plain, MRL_BUS_REFUSED, 1);
	party_close(&plain);
	party_open(&stranger, (struct mrl_bus_settings){.place = place});
	wait_for(&stranger, MRL_BUS_REFUSED, 1);
	party_close(&stranger);
	party_open(&friend_, (struct mrl_bus_settings){.place = place, .certificates = certificate});
	wait_for(&friend_, MRL_BUS_CONNECTED, 1);
	party_close(&friend_);
	nats_release(&nats);
}

static void places_that_are_none_are_refused_in_words(void **state)
{
	static const char *const wrong[] = {"",
					    "127.0.0.1:4222",
					    "http://host",
					    "nats://",
					    "nats://:4222",
					    "nats://host:",
					    "nats://host:0",
					    "nats://host:65536",
					    "nats://host:42x",
					    "nats://a b",
					    "nats://a,",
					    "nats://a,b",
					    "nats://[::1:4222",
					    "nats://user:secret@"};
	static const char *const right[] = {"nats://host", "tls://host:4222", "nats://a:1,nats://b:2",
					    "nats://u:p@q@host:4222", "nats://[::1]:4222"};
	struct mrl_error error;
	char shown[100];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct mrl_bus *bus = NULL;

		error = (struct mrl_error){0};
		assert_int_equal(mrl_bus_open(&bus, &(struct mrl_bus_settings){.place = wrong[i]}, &error), MRL_NAME);
		assert_non_null(strstr(error.message, "nats://HOST:PORT"));
		assert_null(strstr(error.message, "secret"));
	}
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		assert_int_equal(mrl_bus_check_place(right[i], NULL), MRL_OK);
	mrl_bus_show_place("nats://u:p@q@host:4222,tls://token@b,nats://c", shown, sizeof(shown));
	assert_string_equal(shown, "nats://host:4222,tls://b,nats://c");
}

static void files_that_are_missing_are_refused_in_words(void **state)
{
	struct mrl_error error = {0};
	struct mrl_bus *bus = NULL;
	struct mrl_bus_settings settings = {.place = "tls://127.0.0.1:1", .certificates = "/nowhere/ca.pem"};

	(void)state;
	assert_int_equal(mrl_bus_open(&bus, &settings, &error), MRL_NAME);
	assert_non_null(strstr(error.message, "/nowhere/ca.pem"));
}

/* Threads have the connection, or the loop. */
#define ON_BOTH(test)                                                       \
	cmocka_unit_test_setup_teardown(test, scene_nats, scene_remove),    \
	{                                                                   \
#test " (watched)", test, scene_watched, scene_remove, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_server_the_bus_waits_for_it),
	    ON_BOTH(a_server_that_is_killed_and_comes_back_is_found_again),
	    ON_BOTH(a_server_that_hangs_blocks_nobody_and_is_lost),
	    cmocka_unit_test(a_wrong_password_is_told_and_the_right_one_works),
	    cmocka_unit_test(of_several_servers_one_that_is_there_is_found),
	    cmocka_unit_test(the_server_says_how_large_messages_may_be),
	    cmocka_unit_test(with_tls_only_a_server_whose_certificate_is_believed_is_used),
	    cmocka_unit_test(places_that_are_none_are_refused_in_words),
	    cmocka_unit_test(files_that_are_missing_are_refused_in_words),
	};

	return cmocka_run_group_tests_name("bus over NATS", tests, NULL, NULL);
}
