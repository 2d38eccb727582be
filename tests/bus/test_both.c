/* What holds for every bus, over a hub and over NATS. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <unistd.h>

enum { LONG_MS = 60000 };

static void listeners_hear_their_subjects_in_order(void **state)
{
	struct scene *scene = *state;
	struct ear all = {.silent = true};
	struct ear one = {.silent = true};
	struct ear rest = {.silent = true};

	(void)listen(scene->b.bus, "game.*.evt", NULL, &all);
	(void)listen(scene->b.bus, "game.7.evt", NULL, &one);
	(void)listen(scene->b.bus, "game.7.>", NULL, &rest);
	scene_settle(scene);
	for (unsigned i = 0; i < 200; i++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%u", i);
		say(scene->a.bus, i % 2 == 0 ? "game.7.evt" : "game.8.evt", text);
	}
	say(scene->a.bus, "game.7", "not one of them");
	say(scene->a.bus, "game.7.evt.more", "the rest");
	scene_settle(scene);
	assert_int_equal(all.count, 200);
	assert_int_equal(one.count, 100);
	assert_int_equal(rest.count, 101);
	for (unsigned i = 0; i < 200; i++) {
		assert_int_equal(strtoul(all.texts[i], NULL, 10), i);
		if (i % 2 == 0)
			assert_string_equal(one.texts[i / 2], all.texts[i]);
	}
	assert_string_equal(rest.texts[100], "the rest");
}

static void who_speaks_hears_himself(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};

	(void)listen(scene->a.bus, "here", NULL, &ear);
	say(scene->a.bus, "here", "me");
	UNTIL(scene, ear.count == 1);
}

struct bytes {
	size_t count;
	size_t length;
	char data[8];
};

static void keep_bytes(void *user, const struct mrl_bus_message *message)
{
	struct bytes *bytes = user;

	bytes->count++;
	bytes->length = message->length;
	memcpy(bytes->data, message->data, message->length < 8 ? message->length : 8);
}

static void a_message_may_hold_any_bytes_or_none(void **state)
{
	struct scene *scene = *state;
	struct bytes bytes = {0};
	uint64_t id;

	assert_int_equal(mrl_bus_subscribe(scene->b.bus, "bytes", NULL, keep_bytes, &bytes, &id, NULL), MRL_OK);
	scene_settle(scene);
	assert_int_equal(mrl_bus_publish(scene->a.bus, "bytes", "a\0\r\n\xff", 5, NULL), MRL_OK);
	UNTIL(scene, bytes.count == 1);
	assert_int_equal(bytes.length, 5);
	assert_memory_equal(bytes.data, "a\0\r\n\xff", 5);
	assert_int_equal(mrl_bus_publish(scene->a.bus, "bytes", NULL, 0, NULL), MRL_OK);
	UNTIL(scene, bytes.count == 2);
	assert_int_equal(bytes.length, 0);
}

static void a_queue_group_shares(void **state)
{
	struct scene *scene = *state;
	struct ear a = {.silent = true};
	struct ear b = {.silent = true};
	struct ear other = {.silent = true};

	(void)listen(scene->a.bus, "jobs", "workers", &a);
	(void)listen(scene->b.bus, "jobs", "workers", &b);
	(void)listen(scene->b.bus, "jobs", "others", &other);
	scene_settle(scene);
	for (unsigned i = 0; i < 200; i++)
		say(scene->a.bus, "jobs", "job");
	scene_settle(scene);
	assert_int_equal(a.count + b.count, 200);
	assert_true(a.count > 0 && b.count > 0);
	assert_int_equal(other.count, 200);
}

static void who_has_unsubscribed_hears_nothing_more(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	struct ear stays = {.silent = true};
	uint64_t id = listen(scene->b.bus, "word", NULL, &ear);

	(void)listen(scene->a.bus, "word", NULL, &stays);
	scene_settle(scene);
	say(scene->a.bus, "word", "one");
	/* It has come, or is on its way, but was not polled. */
	while (stays.count == 0)
		(void)mrl_bus_wait(scene->a.bus, 10);
	mrl_bus_unsubscribe(scene->b.bus, id);
	say(scene->a.bus, "word", "two");
	scene_settle(scene);
	assert_int_equal(ear.count, 0);
	assert_int_equal(stays.count, 2);
	mrl_bus_unsubscribe(scene->b.bus, id);
	mrl_bus_unsubscribe(scene->b.bus, 0);
}

static void a_question_is_answered(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {0};
	struct answer answers[3];

	(void)listen(scene->b.bus, "ask.*", NULL, &ear);
	scene_settle(scene);
	(void)ask(scene->a.bus, "ask.x", "one", LONG_MS, &answers[0]);
	(void)ask(scene->a.bus, "ask.y", "two", LONG_MS, &answers[1]);
	(void)ask(scene->b.bus, "ask.z", "self", LONG_MS, &answers[2]);
	UNTIL(scene, answers[0].asked == 1 && answers[1].asked == 1 && answers[2].asked == 1);
	assert_int_equal(answers[0].status, MRL_OK);
	assert_string_equal(answers[0].text, "re:one");
	assert_string_equal(answers[1].text, "re:two");
	assert_string_equal(answers[2].text, "re:self");
}

static void only_the_first_answer_counts(void **state)
{
	struct scene *scene = *state;
	struct ear a = {0};
	struct ear b = {0};
	struct answer answer;

	(void)listen(scene->a.bus, "ask", NULL, &a);
	(void)listen(scene->b.bus, "ask", NULL, &b);
	scene_settle(scene);
	(void)ask(scene->a.bus, "ask", "both", LONG_MS, &answer);
	UNTIL(scene, a.count == 1 && b.count == 1);
	scene_settle(scene);
	assert_int_equal(answer.asked, 1);
}

static void that_nobody_listens_is_told_at_once(void **state)
{
	struct scene *scene = *state;
	struct answer answer;

	(void)ask(scene->a.bus, "nobody", "?", LONG_MS, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_int_equal(answer.status, MRL_MISSING);
}

static void what_is_not_answered_in_time_is_stopped(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	struct answer answer;
	struct answer given_up;

	(void)listen(scene->b.bus, "ask", NULL, &ear);
	scene_settle(scene);
	mrl_bus_cancel(scene->a.bus, ask(scene->a.bus, "ask", "?", 1, &given_up));
	(void)ask(scene->a.bus, "ask", "?", 50, &answer);
	UNTIL(scene, answer.asked == 1);
	assert_int_equal(answer.status, MRL_STOPPED);
	UNTIL(scene, ear.count == 2);
	assert_int_equal(given_up.asked, 0);
	mrl_bus_cancel(scene->a.bus, 0);
	mrl_bus_cancel(scene->a.bus, 123456);
}

/* Of two questions each gives the other up when it has ended. */
struct rivals {
	struct mrl_bus *bus;
	uint64_t ids[2];
	unsigned ended;
};

static void give_up_both(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct rivals *rivals = user;

	assert_int_equal(status, MRL_STOPPED);
	assert_null(message);
	rivals->ended++;
	mrl_bus_cancel(rivals->bus, rivals->ids[0]);
	mrl_bus_cancel(rivals->bus, rivals->ids[1]);
}

static void what_ends_in_the_same_moment_may_still_be_given_up(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	struct rivals rivals = {.bus = scene->a.bus};

	(void)listen(scene->b.bus, "ask", NULL, &ear);
	scene_settle(scene);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(
		    mrl_bus_request(rivals.bus, "ask", "?", 1, 1, give_up_both, &rivals, &rivals.ids[i], NULL), MRL_OK);
	(void)usleep(20000);
	UNTIL(scene, rivals.ended > 0 && ear.count == 2);
	scene_settle(scene);
	assert_int_equal(rivals.ended, 1);
}

static void closing_stops_what_was_asked(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	struct answer answer;

	(void)listen(scene->a.bus, "ask", NULL, &ear);
	scene_settle(scene);
	(void)ask(scene->b.bus, "ask", "last words", LONG_MS, &answer);
	party_close(&scene->b);
	assert_int_equal(answer.asked, 1);
	assert_int_equal(answer.status, MRL_STOPPED);
	/* What was said before is heard. */
	UNTIL(scene, ear.count == 1);
}

static void wrong_subjects_and_sizes_are_refused_in_words(void **state)
{
	static const char *const wrong[] = {"",    ".",   "a.",   ".a", "a..b", "a b",
					    "a.*", "a.>", "a\nb", "a*", "\x7f", "a.\tb"};
	static const char *const wrong_patterns[] = {"", "a..b", "a.>.b", "a*", ">a", "* "};
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	struct mrl_error error;
	char subject[300];
	uint64_t id = 0;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error = (struct mrl_error){0};
		assert_int_equal(mrl_bus_publish(scene->a.bus, wrong[i], "x", 1, &error), MRL_SYNTAX);
		assert_non_null(strstr(error.message, "the subject"));
	}
	for (size_t i = 0; i < sizeof(wrong_patterns) / sizeof(wrong_patterns[0]); i++)
		assert_int_equal(mrl_bus_subscribe(scene->a.bus, wrong_patterns[i], NULL, on_heard, &ear, &id, &error),
				 MRL_SYNTAX);
	assert_int_equal(mrl_bus_subscribe(scene->a.bus, "a", "two words", on_heard, &ear, &id, &error), MRL_SYNTAX);
	assert_non_null(strstr(error.message, "queue group"));
	memset(subject, 'x', sizeof(subject));
	subject[256] = '\0';
	assert_int_equal(mrl_bus_publish(scene->a.bus, subject, "x", 1, &error), MRL_SYNTAX);
	subject[255] = '\0';
	assert_int_equal(mrl_bus_publish(scene->a.bus, subject, "x", 1, &error), MRL_OK);

	size_t most = mrl_bus_most_payload(scene->a.bus);
	char *large = calloc(1, most + 1);

	assert_non_null(large);
	(void)listen(scene->b.bus, "large", NULL, &ear);
	scene_settle(scene);
	assert_int_equal(mrl_bus_publish(scene->a.bus, "large", large, most + 1, &error), MRL_RANGE);
	assert_non_null(strstr(error.message, "max_payload"));
	assert_int_equal(mrl_bus_publish(scene->a.bus, "large", large, most, &error), MRL_OK);
	UNTIL(scene, ear.count == 1);
	free(large);
}

static void a_full_queue_is_counted_and_told(void **state)
{
	struct scene *scene = *state;
	struct party narrow = {0};
	struct ear ear = {.silent = true};
	struct mrl_bus_counts counts = {0};

	party_open(&narrow,
		   (struct mrl_bus_settings){.place = scene->nats.place, .hub = scene->hub, .most_messages = 10});
	while (!mrl_bus_is_connected(narrow.bus))
		(void)mrl_bus_wait(narrow.bus, 10);
	(void)listen(narrow.bus, "flood", NULL, &ear);
	struct answer answer;

	/* It listens as soon as one of its own questions has been there and back. */
	(void)ask(narrow.bus, "nobody", "?", LONG_MS, &answer);
	while (answer.asked == 0)
		(void)mrl_bus_wait(narrow.bus, 10);
	for (unsigned i = 0; i < 100; i++)
		say(scene->a.bus, "flood", "drop");
	for (unsigned i = 0; i < 6000 && counts.heard < 101; i++) {
		scene_step(scene);
		mrl_bus_count(narrow.bus, &counts);
	}
	assert_int_equal(counts.heard, 101);
	assert_int_equal(counts.unheard, 90);
	(void)mrl_bus_poll(narrow.bus);
	assert_int_equal(ear.count, 10);
	assert_int_equal(narrow.news[MRL_BUS_TROUBLE], 1);
	assert_non_null(strstr(narrow.said, "90 messages"));
	party_close(&narrow);
}

static void messages_are_lost_and_doubled_and_late_on_purpose(void **state)
{
	struct scene *scene = *state;
	struct ear ear = {.silent = true};
	size_t swapped = 0;
	size_t lost = 0;
	unsigned times[200] = {0};

	(void)listen(scene->b.bus, "word", NULL, &ear);
	scene_settle(scene);
	mrl_bus_disturb(scene->a.bus, &(struct mrl_bus_disturbance){
					  .seed = 42, .lost = 200, .twice = 200, .late = 300, .late_ms = 20});
	for (unsigned i = 0; i < 200; i++) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%u", i);
		say(scene->a.bus, "word", text);
	}
	mrl_bus_disturb(scene->a.bus, NULL);
	for (unsigned i = 0; i < 20; i++)
		scene_step(scene);
	scene_settle(scene);
	for (size_t i = 0; i < ear.count; i++) {
		times[strtoul(ear.texts[i], NULL, 10)]++;
		swapped += i > 0 && strtoul(ear.texts[i - 1], NULL, 10) > strtoul(ear.texts[i], NULL, 10);
	}
	unsigned doubled = 0;

	for (unsigned i = 0; i < 200; i++) {
		lost += times[i] == 0;
		doubled += times[i] == 2;
	}
	/* Drawn from the seed, so always the same. */
	assert_in_range(lost, 20, 60);
	assert_in_range(doubled, 20, 60);
	assert_in_range(swapped, 1, 120);
}

struct chain {
	struct mrl_bus *bus;
	uint64_t id;
	unsigned count;
	struct answer last;
};

static void go_on(void *user, const struct mrl_bus_message *message)
{
	struct chain *chain = user;

	(void)message;
	mrl_bus_unsubscribe(chain->bus, chain->id);
	if (++chain->count == 5) {
		(void)ask(chain->bus, "nobody", "?", LONG_MS, &chain->last);
		return;
	}
	assert_int_equal(mrl_bus_subscribe(chain->bus, "chain", NULL, go_on, chain, &chain->id, NULL), MRL_OK);
	say(chain->bus, "chain", "on");
}

static void callbacks_may_do_everything(void **state)
{
	struct scene *scene = *state;
	struct chain chain = {.bus = scene->a.bus};

	assert_int_equal(mrl_bus_subscribe(chain.bus, "chain", NULL, go_on, &chain, &chain.id, NULL), MRL_OK);
	say(scene->a.bus, "chain", "begin");
	UNTIL(scene, chain.last.asked == 1);
	assert_int_equal(chain.count, 5);
}

static void count_wake(void *context)
{
	/* Called by other threads too; only that it was called is looked at, when they are done. */
	_Atomic unsigned *count = context;

	(*count)++;
}

static void whoever_polls_is_woken(void **state)
{
	struct scene *scene = *state;
	_Atomic unsigned woken = 0;
	struct mrl_bus *bus = NULL;
	const struct mrl_bus_settings settings = {
	    .place = scene->nats.place, .hub = scene->hub, .wake = count_wake, .context = &woken};
	struct ear ear = {.silent = true};

	assert_int_equal(mrl_bus_open(&bus, &settings, NULL), MRL_OK);
	while (!mrl_bus_is_connected(bus))
		(void)mrl_bus_wait(bus, 10);
	for (unsigned i = 0; i < 6000 && woken == 0; i++)
		scene_step(scene);
	assert_true(woken >= 1);
	(void)listen(bus, "word", NULL, &ear);
	unsigned before = woken;

	say(bus, "word", "x");
	mrl_bus_flush(bus);
	for (unsigned i = 0; i < 6000 && woken == before; i++)
		scene_step(scene);
	assert_true(woken > before);
	while (ear.count == 0)
		(void)mrl_bus_wait(bus, 10);
	mrl_bus_close(bus);
}

#define BOTH(test)                                                          \
	{#test " (hub)", test, scene_hub, scene_remove, NULL},              \
	    {#test " (NATS)", test, scene_nats, scene_remove, NULL},        \
	{                                                                   \
#test " (watched)", test, scene_watched, scene_remove, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    BOTH(listeners_hear_their_subjects_in_order),
	    BOTH(who_speaks_hears_himself),
	    BOTH(a_message_may_hold_any_bytes_or_none),
	    BOTH(a_queue_group_shares),
	    BOTH(who_has_unsubscribed_hears_nothing_more),
	    BOTH(a_question_is_answered),
	    BOTH(only_the_first_answer_counts),
	    BOTH(that_nobody_listens_is_told_at_once),
	    BOTH(what_is_not_answered_in_time_is_stopped),
	    BOTH(what_ends_in_the_same_moment_may_still_be_given_up),
	    BOTH(closing_stops_what_was_asked),
	    BOTH(wrong_subjects_and_sizes_are_refused_in_words),
	    BOTH(a_full_queue_is_counted_and_told),
	    BOTH(messages_are_lost_and_doubled_and_late_on_purpose),
	    BOTH(callbacks_may_do_everything),
	    BOTH(whoever_polls_is_woken),
	};

	return cmocka_run_group_tests_name("bus", tests, NULL, NULL);
}
