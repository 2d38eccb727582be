#include "nats_link.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>

enum { FIRST_PAUSE_MS = 100, LAST_PAUSE_MS = 1000, GOODBYE_MS = 2000 };

#define MS ((uint64_t)1000000)

/* ---- The thread --------------------------------------------------------------------------------------------- */

struct nats_wish *link_wish(uint64_t listener, const char *subject, const char *group)
{
	size_t subject_size = strlen(subject) + 1;
	size_t group_size = strlen(group) + 1;
	struct nats_wish *wish = malloc(sizeof(*wish) + subject_size + group_size);

	if (wish == NULL)
		return NULL;
	*wish = (struct nats_wish){.entry = {.id = listener}};
	wish->subject = memcpy(wish->texts, subject, subject_size);
	wish->group = memcpy(wish->texts + subject_size, group, group_size);
	return wish;
}

static void keep_wish(struct nats_link *link, const struct item *item, bool connected)
{
	struct nats_wish *wish = link_wish(item->listener, item->subject, item->reply);

	if (wish == NULL) {
		inbox_put_news(link->inbox, MRL_BUS_REFUSED, "there is not enough memory to listen to other processes");
		return;
	}
	map_put(&link->wishes, &wish->entry);
	if (connected)
		connection_listen(link, wish);
}

static void do_work(struct nats_link *link, const struct item *item, bool connected)
{
	switch ((enum work_kind)item->due) {
	case WORK_SEND:
		if (connected)
			connection_send(link, item);
		else
			inbox_count_unsent(link->inbox);
		break;
	case WORK_LISTEN:
		keep_wish(link, item, connected);
		break;
	case WORK_LEAVE: {
		struct nats_wish *wish = (struct nats_wish *)map_take(&link->wishes, item->listener);

		if (wish != NULL && connected)
			connection_leave(link, wish);
		free(wish);
	}
	}
}

static bool is_stopped(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	bool stop = link->stop;

	mrl_monitor_leave(link->monitor);
	return stop;
}

/* Does what waits to be done. Inside the monitor, which is left for it. */
static void do_all(struct nats_link *link, bool connected)
{
	struct item *item = link->work.first;

	items_open(&link->work);
	mrl_monitor_leave(link->monitor);
	while (item != NULL) {
		struct item *next = item->next;

		do_work(link, item, connected);
		free(item);
		item = next;
	}
	mrl_monitor_enter(link->monitor);
}

/* Does what is to be done until the connection is lost, or the bus closed and all is done. */
static void work(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	while (!link->closed) {
		if (link->work.count > 0)
			do_all(link, true);
		else if (link->stop)
			break;
		else
			mrl_monitor_wait(link->monitor);
	}
	mrl_monitor_leave(link->monitor);
}

/* Without a connection: subscriptions are kept for the next, messages are gone. */
static void work_off(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	do_all(link, false);
	mrl_monitor_leave(link->monitor);
}

static void pause_for(struct nats_link *link, uint64_t ms)
{
	uint64_t until = mrl_clock_now() + ms * MS;

	mrl_monitor_enter(link->monitor);
	while (!link->stop && mrl_monitor_wait_until(link->monitor, until))
		;
	mrl_monitor_leave(link->monitor);
}

static void run(void *argument)
{
	struct nats_link *link = argument;
	uint64_t pause = FIRST_PAUSE_MS;

	while (!is_stopped(link)) {
		work_off(link);
		if (connection_open(link)) {
			pause = FIRST_PAUSE_MS;
			if (link->watch == NULL)
				work(link);
		}
		atomic_store(&link->up, false);
		connection_close(link);
		/* Many who lost the same server do not all come back at the same moment. */
		if (!is_stopped(link))
			pause_for(link, pause / 2 + mrl_clock_now() / 1000 % (pause / 2));
		pause = pause * 2 < LAST_PAUSE_MS ? pause * 2 : LAST_PAUSE_MS;
	}
	link->library.release_thread();
}

/* ---- From the thread of the bus ----------------------------------------------------------------------------- */

static enum mrl_status give(struct nats_link *link, enum work_kind kind, struct item *item)
{
	enum mrl_status status = MRL_OK;

	if (item == NULL)
		return MRL_SPACE;
	item->due = kind;
	mrl_monitor_enter(link->monitor);
	if (kind == WORK_SEND && (link->work.count >= link->most_messages || link->work.bytes >= link->most_bytes)) {
		status = MRL_BUSY;
	} else {
		/* The thread is woken for many at once: flush(). */
		items_put(&link->work, item);
	}
	mrl_monitor_leave(link->monitor);
	if (status != MRL_OK)
		free(item);
	return status;
}

static enum mrl_status send_message(void *of, const char *subject, const char *reply, const void *data, size_t length)
{
	struct nats_link *link = of;

	if (!atomic_load(&link->up))
		return MRL_SYSTEM;
	return give(link, WORK_SEND, item_new(ITEM_MESSAGE, subject, reply, data, length));
}

static enum mrl_status listen_to(void *of, uint64_t listener, const char *subject, const char *group)
{
	struct item *item = item_new(ITEM_MESSAGE, subject, group, NULL, 0);

	if (item != NULL)
		item->listener = listener;
	return give(of, WORK_LISTEN, item);
}

static void leave(void *of, uint64_t listener)
{
	struct item *item = item_new(ITEM_MESSAGE, "", "", NULL, 0);

	/* Without memory it goes on to be heard, and what is heard is thrown away. */
	if (item != NULL)
		item->listener = listener;
	(void)give(of, WORK_LEAVE, item);
}

static void flush(void *of)
{
	struct nats_link *link = of;

	mrl_monitor_enter(link->monitor);
	if (link->work.count > 0)
		mrl_monitor_wake(link->monitor);
	mrl_monitor_leave(link->monitor);
}

const char *link_inbox(const void *of)
{
	const struct nats_link *link = of;

	return link->answers;
}

size_t link_most_payload(const void *of)
{
	const struct nats_link *link = of;

	return atomic_load(&link->most_payload);
}

static void free_link(struct nats_link *link)
{
	for (struct entry *entry; (entry = map_take_any(&link->wishes)) != NULL;)
		free(entry);
	if (link->options != NULL)
		link->library.options_destroy(link->options);
	items_free(&link->work);
	mrl_monitor_free(link->monitor);
	free(link->place);
	free(link);
}

bool link_end(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	link->stop = true;
	mrl_monitor_wake(link->monitor);
	mrl_monitor_leave(link->monitor);
	mrl_thread_join(link->thread);
	if (link->kept)
		return false;
	free_link(link);
	return true;
}

static bool close_link(void *of)
{
	return link_end(of);
}

static enum mrl_status make(struct nats_link *link, const struct mrl_bus_settings *settings, struct mrl_error *error)
{
	size_t size = strlen(settings->place) + 1;
	enum mrl_status status = nats_library_load(&link->library, error);

	if (status != MRL_OK)
		return status;
	link->monitor = mrl_monitor_new();
	link->place = malloc(size);
	if (link->monitor == NULL || link->place == NULL)
		return bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
	mrl_bus_show_place(settings->place, link->place, size);
	status = connection_prepare(link, settings, error);
	if (status != MRL_OK)
		return status;
	link->thread = mrl_thread_start(run, link);
	if (link->thread == NULL)
		return bus_refuse(error, MRL_SPACE, "there is no thread to be had for the bus");
	return MRL_OK;
}

enum mrl_status nats_link(void **link, const struct mrl_bus_settings *settings, struct inbox *inbox,
			  struct mrl_error *error)
{
	struct nats_link *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
	made->inbox = inbox;
	made->most_messages = settings->most_messages;
	made->most_bytes = settings->most_bytes;
	made->watch = nats_is_watched(settings) ? settings->watch : NULL;
	made->descriptor = -1;
	items_open(&made->work);
	atomic_init(&made->up, false);
	atomic_init(&made->unwritten, false);
	atomic_init(&made->inside, false);
	atomic_init(&made->most_payload, (size_t)1 << 20);
	enum mrl_status status = make(made, settings, error);

	if (status != MRL_OK) {
		free_link(made);
		return status;
	}
	*link = made;
	return MRL_OK;
}

const struct backend backend_nats = {.close = close_link,
				     .inbox = link_inbox,
				     .most_payload = link_most_payload,
				     .send = send_message,
				     .listen = listen_to,
				     .leave = leave,
				     .flush = flush};
