#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>

#include "bus_internal.h"
#include "subject.h"

enum { MOST_AT_ONCE = 1024, MOST_HELD = 64 };

/* How often it may be told that messages were thrown away. */
#define TELL_EVERY ((uint64_t)1000000000)

uint64_t bus_now(const struct mrl_bus *bus)
{
	return bus->settings.now != NULL ? bus->settings.now(bus->settings.context) : mrl_clock_now();
}

enum mrl_status bus_refuse(struct mrl_error *error, enum mrl_status status, const char *sentence)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, sentence);
	return status;
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

static enum mrl_status link_up(struct mrl_bus *bus, const struct mrl_bus_settings *settings, struct mrl_error *error)
{
	enum mrl_status status;

	if (settings->hub != NULL) {
		bus->backend = &backend_hub;
		return hub_link(&bus->link, settings->hub, &bus->inbox, error);
	}
	status = mrl_bus_check_place(settings->place, error);
	bus->backend = status == MRL_OK && nats_is_watched(settings) ? &backend_watched : &backend_nats;
	return status == MRL_OK ? nats_link(&bus->link, settings, &bus->inbox, error) : status;
}

static enum mrl_status listen_for_answers(struct mrl_bus *bus, struct mrl_error *error)
{
	char subject[MRL_BUS_SUBJECT_SIZE];
	struct mrl_text text = mrl_text_in(subject, sizeof(subject));

	mrl_text_add(&text, bus->backend->inbox(bus->link));
	mrl_text_add(&text, ".*");
	bus->last_id = ANSWERS;
	if (bus->backend->listen(bus->link, ANSWERS, subject, "") == MRL_OK) {
		bus->backend->flush(bus->link);
		return MRL_OK;
	}
	return bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
}

enum mrl_status mrl_bus_open(struct mrl_bus **bus, const struct mrl_bus_settings *settings, struct mrl_error *error)
{
	struct mrl_bus *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
	made->settings = *settings;
	if (made->settings.most_messages == 0)
		made->settings.most_messages = 65536;
	if (made->settings.most_bytes == 0)
		made->settings.most_bytes = (size_t)64 << 20;
	made->next_deadline = UINT64_MAX;
	items_open(&made->late);
	enum mrl_status status = MRL_OK;

	if (!inbox_open(&made->inbox, &made->settings))
		status = bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
	if (status == MRL_OK)
		status = link_up(made, &made->settings, error);
	if (status == MRL_OK)
		status = listen_for_answers(made, error);
	made->settings.place = made->settings.name = NULL;
	made->settings.credentials = made->settings.certificates = NULL;
	if (status != MRL_OK) {
		mrl_bus_close(made);
		return status;
	}
	*bus = made;
	return MRL_OK;
}

void mrl_bus_close(struct mrl_bus *bus)
{
	if (bus == NULL)
		return;
	bus->closing = true;
	(void)requests_end(bus, MRL_STOPPED);
	bus_send_late(bus);
	bool ended = bus->link == NULL || bus->backend->close(bus->link);

	for (struct entry *entry; (entry = map_take_any(&bus->listeners)) != NULL;)
		free(entry);
	items_free(&bus->late);
	/* A library that does not let go in its time gets what it may still write to, for ever. */
	if (!ended)
		return;
	inbox_close(&bus->inbox);
	free(bus);
}

bool mrl_bus_is_connected(const struct mrl_bus *bus)
{
	return bus->connected;
}

void mrl_bus_word(const struct mrl_bus *bus, char *text, size_t size)
{
	const char *inbox = bus->backend->inbox(bus->link);
	struct mrl_text word = mrl_text_in(text, size);

	mrl_text_add(&word, strrchr(inbox, '.') + 1);
}

size_t mrl_bus_most_payload(const struct mrl_bus *bus)
{
	return bus->backend->most_payload(bus->link);
}

void mrl_bus_hub_cut(struct mrl_bus *bus, bool cut)
{
	if (bus->backend == &backend_hub)
		hub_cut(bus->link, cut);
}

static void flush(struct mrl_bus *bus, uint64_t now)
{
	bus->held = 0;
	bus->flushed = now;
	bus->backend->flush(bus->link);
}

void mrl_bus_flush(struct mrl_bus *bus)
{
	uint64_t now = bus->settings.pace_ms > 0 ? mrl_clock_now() : 0;

	if (bus->held == 0 && bus->backend->turn == NULL)
		return;
	if (bus->settings.pace_ms == 0 || now - bus->flushed >= (uint64_t)bus->settings.pace_ms * 1000000)
		flush(bus, now);
}

/* Something is to go with the next flush; not too much. */
static void hold(struct mrl_bus *bus)
{
	if (++bus->held >= MOST_HELD)
		flush(bus, bus->flushed);
}

/* ---- Listening ---------------------------------------------------------------------------------------------- */

enum mrl_status mrl_bus_subscribe(struct mrl_bus *bus, const char *subject, const char *group, mrl_bus_heard *heard,
				  void *user, uint64_t *id, struct mrl_error *error)
{
	if (group == NULL)
		group = "";
	enum mrl_status status = subject_check(subject, true, error);

	if (status == MRL_OK)
		status = subject_check_group(group, error);
	if (status != MRL_OK)
		return status;
	struct listener *listener = malloc(sizeof(*listener));

	if (listener != NULL) {
		*listener = (struct listener){.entry = {.id = ++bus->last_id}, .heard = heard, .user = user};
		if (bus->backend->listen(bus->link, listener->entry.id, subject, group) == MRL_OK) {
			map_put(&bus->listeners, &listener->entry);
			*id = listener->entry.id;
			hold(bus);
			return MRL_OK;
		}
	}
	free(listener);
	return bus_refuse(error, MRL_SPACE, "there is not enough memory to listen to other processes");
}

void mrl_bus_unsubscribe(struct mrl_bus *bus, uint64_t id)
{
	struct entry *entry = map_take(&bus->listeners, id);

	if (entry == NULL)
		return;
	bus->backend->leave(bus->link, id);
	free(entry);
	hold(bus);
}

/* ---- Speaking ----------------------------------------------------------------------------------------------- */

enum mrl_status bus_check(const struct mrl_bus *bus, const char *subject, size_t length, struct mrl_error *error)
{
	size_t most = mrl_bus_most_payload(bus);
	enum mrl_status status = subject_check(subject, false, error);

	if (status != MRL_OK)
		return status;
	if (bus->closing)
		return bus_refuse(error, MRL_STOPPED, "the bus is being closed");
	if (length <= most)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_RANGE, 0, 0);

	mrl_text_add(&text, "a message of ");
	mrl_text_number(&text, length);
	mrl_text_add(&text, " bytes is too large for NATS, which takes ");
	mrl_text_number(&text, most);
	mrl_text_add(&text, " (its max_payload)");
	return MRL_RANGE;
}

enum mrl_status bus_explain(const struct mrl_bus *bus, enum mrl_status status, struct mrl_error *error)
{
	(void)bus;
	switch (status) {
	case MRL_OK:
		return MRL_OK;
	case MRL_SYSTEM:
		return bus_refuse(error, status, "there is no connection to NATS at the moment");
	case MRL_BUSY:
		return bus_refuse(error, status, "too much is waiting to be sent to NATS");
	default:
		return bus_refuse(error, status, "there is not enough memory for a message to another process");
	}
}

enum mrl_status bus_send_now(struct mrl_bus *bus, const char *subject, const char *reply, const void *data,
			     size_t length)
{
	enum mrl_status status = bus->backend->send(bus->link, subject, reply, data, length);

	if (status == MRL_OK) {
		bus->sent++;
		bus->sent_bytes += length;
		hold(bus);
	} else {
		bus->unsent++;
	}
	return status;
}

enum mrl_status mrl_bus_publish(struct mrl_bus *bus, const char *subject, const void *data, size_t length,
				struct mrl_error *error)
{
	enum mrl_status status = bus_check(bus, subject, length, error);

	if (status != MRL_OK)
		return status;
	return bus_explain(bus, bus_send(bus, subject, "", data, length), error);
}

enum mrl_status mrl_bus_reply(struct mrl_bus *bus, const struct mrl_bus_message *message, const void *data,
			      size_t length, struct mrl_error *error)
{
	return message->reply[0] == '\0' ? MRL_OK : mrl_bus_publish(bus, message->reply, data, length, error);
}

/* ---- The loop ----------------------------------------------------------------------------------------------- */

static void tell(struct mrl_bus *bus, enum mrl_bus_news news, const char *sentence)
{
	if (bus->settings.tell != NULL)
		bus->settings.tell(bus->settings.context, news, sentence);
}

static size_t hear_news(struct mrl_bus *bus, const struct item *item)
{
	size_t count = 1;

	if (item->news != MRL_BUS_TROUBLE)
		bus->connected = item->news == MRL_BUS_CONNECTED;
	tell(bus, item->news, item->data);
	/* Whoever asks again is told that there is no connection, or asks over the new one. */
	if (item->news == MRL_BUS_LOST)
		count += requests_end(bus, MRL_SYSTEM);
	return count;
}

static size_t hear(struct mrl_bus *bus, const struct item *item)
{
	if (item->kind == ITEM_NEWS)
		return hear_news(bus, item);
	if (item->listener == ANSWERS)
		return requests_answer(bus, item);
	const struct listener *listener = (const struct listener *)map_find(&bus->listeners, item->listener);
	const struct mrl_bus_message message = {
	    .subject = item->subject, .reply = item->reply, .data = item->data, .length = item->length};

	if (listener == NULL || item->kind != ITEM_MESSAGE)
		return 0;
	listener->heard(listener->user, &message);
	return 1;
}

static void tell_dropped(struct mrl_bus *bus, uint64_t dropped)
{
	char sentence[160];
	struct mrl_text text = mrl_text_in(sentence, sizeof(sentence));

	mrl_text_number(&text, dropped);
	mrl_text_add(&text, " messages from NATS were thrown away: they came faster than they could be taken");
	tell(bus, MRL_BUS_TROUBLE, sentence);
}

/* Some of what waits, so that a flood leaves the loop time for others: a list from its first on. */
static struct item *take_some(struct mrl_bus *bus, uint64_t *dropped)
{
	struct inbox *inbox = &bus->inbox;
	uint64_t now = mrl_clock_now();
	struct items some;

	items_open(&some);
	mrl_monitor_enter(inbox->monitor);
	while (some.count < MOST_AT_ONCE && inbox->items.first != NULL)
		items_put(&some, items_take(&inbox->items));
	bool more = inbox->items.first != NULL;

	if (inbox->dropped > 0 && (bus->told == 0 || now - bus->told >= TELL_EVERY)) {
		*dropped = inbox->dropped;
		inbox->dropped = 0;
		bus->told = now;
	}
	mrl_monitor_leave(inbox->monitor);
	if (more && bus->settings.wake != NULL)
		bus->settings.wake(bus->settings.context);
	return some.first;
}

size_t mrl_bus_poll(struct mrl_bus *bus)
{
	uint64_t dropped = 0;
	size_t count = 0;

	if (bus->backend->turn != NULL)
		bus->backend->turn(bus->link);
	for (struct item *item = take_some(bus, &dropped); item != NULL;) {
		struct item *next = item->next;

		count += hear(bus, item);
		free(item);
		item = next;
	}
	if (dropped > 0)
		tell_dropped(bus, dropped);
	bus_send_late(bus);
	count += requests_expire(bus);
	mrl_bus_flush(bus);
	return count;
}

size_t mrl_bus_ready(struct mrl_bus *bus, bool reads, bool writes)
{
	if (bus->backend->ready != NULL)
		bus->backend->ready(bus->link, reads, writes);
	return mrl_bus_poll(bus);
}

size_t mrl_bus_wait(struct mrl_bus *bus, unsigned ms)
{
	uint64_t until = mrl_clock_now() + (uint64_t)ms * 1000000;
	struct inbox *inbox = &bus->inbox;

	flush(bus, bus->flushed);
	if (bus->backend->wait != NULL)
		bus->backend->wait(bus->link, until);
	mrl_monitor_enter(inbox->monitor);
	while (bus->backend->wait == NULL && inbox->items.first == NULL && !inbox->nudged &&
	       mrl_monitor_wait_until(inbox->monitor, until))
		;
	inbox->nudged = false;
	mrl_monitor_leave(inbox->monitor);
	return mrl_bus_poll(bus);
}

void mrl_bus_nudge(struct mrl_bus *bus)
{
	mrl_monitor_enter(bus->inbox.monitor);
	bus->inbox.nudged = true;
	mrl_monitor_wake(bus->inbox.monitor);
	mrl_monitor_leave(bus->inbox.monitor);
}

void mrl_bus_count(const struct mrl_bus *bus, struct mrl_bus_counts *counts)
{
	const struct inbox *inbox = &bus->inbox;

	mrl_monitor_enter(inbox->monitor);
	*counts = (struct mrl_bus_counts){.sent = bus->sent,
					  .sent_bytes = bus->sent_bytes,
					  .heard = inbox->heard,
					  .heard_bytes = inbox->heard_bytes,
					  .unsent = bus->unsent + inbox->unsent,
					  .unheard = inbox->unheard,
					  .connections = inbox->connections};
	mrl_monitor_leave(inbox->monitor);
}
