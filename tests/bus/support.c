#include "support.h"

#include <poll.h>

static void on_news(void *context, enum mrl_bus_news news, const char *sentence)
{
	struct party *party = context;

	party->news[news]++;
	(void)snprintf(party->said, sizeof(party->said), "%s", sentence);
}

void on_watch(void *context, int descriptor, bool writes)
{
	struct party *party = context;

	party->watched = descriptor;
	party->room = writes;
}

void party_open(struct party *party, struct mrl_bus_settings settings)
{
	struct mrl_error error = {0};

	party->watched = -1;
	settings.tell = on_news;
	settings.context = party;
	settings.name = "a test";
	if (mrl_bus_open(&party->bus, &settings, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

void party_close(struct party *party)
{
	mrl_bus_close(party->bus);
	party->bus = NULL;
}

static int open_both(struct scene *scene, void **state)
{
	const struct mrl_bus_settings settings = {
	    .place = scene->nats.place, .hub = scene->hub, .watch = scene->watches ? on_watch : NULL};

	party_open(&scene->a, settings);
	party_open(&scene->b, settings);
	UNTIL(scene, mrl_bus_is_connected(scene->a.bus) && mrl_bus_is_connected(scene->b.bus));
	*state = scene;
	return 0;
}

int scene_hub(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->hub = mrl_bus_hub_new();
	assert_non_null(scene->hub);
	return open_both(scene, state);
}

int scene_nats(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	nats_make(&scene->nats);
	nats_start(&scene->nats, NULL);
	return open_both(scene, state);
}

int scene_watched(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->watches = true;
	nats_make(&scene->nats);
	nats_start(&scene->nats, NULL);
	return open_both(scene, state);
}

int scene_remove(void **state)
{
	struct scene *scene = *state;

	party_close(&scene->a);
	party_close(&scene->b);
	if (scene->hub == NULL)
		nats_release(&scene->nats);
	mrl_bus_hub_free(scene->hub);
	free(scene);
	return 0;
}

void party_step(struct party *party, int ms)
{
	struct pollfd wait = {.fd = party->watched, .events = (short)(POLLIN | (party->room ? POLLOUT : 0))};

	if (party->watched < 0) {
		(void)mrl_bus_wait(party->bus, (unsigned)ms);
		return;
	}
	/* As a loop does it. */
	mrl_bus_flush(party->bus);
	(void)poll(&wait, 1, ms);
	if (wait.revents != 0)
		(void)mrl_bus_ready(party->bus, (wait.revents & ~POLLOUT) != 0, (wait.revents & POLLOUT) != 0);
	else
		(void)mrl_bus_poll(party->bus);
}

void scene_step(struct scene *scene)
{
	party_step(&scene->a, scene->hub != NULL ? 1 : 5);
	if (scene->b.bus != NULL)
		party_step(&scene->b, scene->hub != NULL ? 1 : 5);
}

void scene_settle(struct scene *scene)
{
	struct ear a = {.bus = scene->a.bus, .silent = true};
	struct ear b = {.bus = scene->b.bus, .silent = true};
	uint64_t a_id = listen(scene->a.bus, "settle", NULL, &a);
	uint64_t b_id = listen(scene->b.bus, "settle", NULL, &b);

	/* What both say is behind all else, and is said until both have heard it of both. */
	for (unsigned i = 0; i < 1000 && (a.count < 2 || b.count < 2); i++) {
		say(scene->a.bus, "settle", "a");
		say(scene->b.bus, "settle", "b");
		scene_step(scene);
		scene_step(scene);
	}
	assert_true(a.count >= 2 && b.count >= 2);
	mrl_bus_unsubscribe(scene->a.bus, a_id);
	mrl_bus_unsubscribe(scene->b.bus, b_id);
}

void on_heard(void *user, const struct mrl_bus_message *message)
{
	struct ear *ear = user;
	char text[TEXT_SIZE];

	assert_int_equal(message->data[message->length], '\0');
	if (ear->count < MOST_HEARD)
		(void)snprintf(ear->texts[ear->count], TEXT_SIZE, "%.31s", message->data);
	ear->count++;
	if (ear->silent)
		return;
	int length = snprintf(text, sizeof(text), "re:%.20s", message->data);

	assert_int_equal(mrl_bus_reply(ear->bus, message, text, (size_t)length, NULL), MRL_OK);
}

void on_answered(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct answer *answer = user;

	answer->asked++;
	answer->status = status;
	assert_true((message != NULL) == (status == MRL_OK));
	if (message != NULL)
		(void)snprintf(answer->text, sizeof(answer->text), "%.31s", message->data);
}

uint64_t listen(struct mrl_bus *bus, const char *subject, const char *group, struct ear *ear)
{
	struct mrl_error error = {0};
	uint64_t id = 0;

	ear->bus = bus;
	if (mrl_bus_subscribe(bus, subject, group, on_heard, ear, &id, &error) != MRL_OK)
		fail_msg("%s", error.message);
	assert_true(id != 0);
	return id;
}

void say(struct mrl_bus *bus, const char *subject, const char *text)
{
	struct mrl_error error = {0};

	if (mrl_bus_publish(bus, subject, text, strlen(text), &error) != MRL_OK)
		fail_msg("%s", error.message);
}

uint64_t ask(struct mrl_bus *bus, const char *subject, const char *text, unsigned ms, struct answer *answer)
{
	struct mrl_error error = {0};
	uint64_t id = 0;

	*answer = (struct answer){0};
	if (mrl_bus_request(bus, subject, text, strlen(text), ms, on_answered, answer, &id, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return id;
}
