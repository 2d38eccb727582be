/* The bounded queue between whoever brings messages and the thread of the bus. */
#include <stdlib.h>
#include <string.h>

#include "bus_internal.h"

struct item *item_new(enum item_kind kind, const char *subject, const char *reply, const void *data, size_t length)
{
	size_t subject_size = strlen(subject) + 1;
	size_t reply_size = strlen(reply) + 1;
	size_t bytes = sizeof(struct item) + subject_size + reply_size + length + 1;
	struct item *item = malloc(bytes);

	if (item == NULL)
		return NULL;
	char *text = (char *)(item + 1);

	*item = (struct item){.kind = kind, .length = length, .bytes = bytes};
	item->subject = memcpy(text, subject, subject_size);
	item->reply = memcpy(text + subject_size, reply, reply_size);
	text += subject_size + reply_size;
	if (length > 0)
		memcpy(text, data, length);
	text[length] = '\0';
	item->data = text;
	return item;
}

void items_open(struct items *items)
{
	*items = (struct items){0};
	items->last = &items->first;
}

void items_put(struct items *items, struct item *item)
{
	item->next = NULL;
	*items->last = item;
	items->last = &item->next;
	items->count++;
	items->bytes += item->bytes;
}

struct item *items_take(struct items *items)
{
	struct item *item = items->first;

	if (item == NULL)
		return NULL;
	items->first = item->next;
	if (items->first == NULL)
		items->last = &items->first;
	items->count--;
	items->bytes -= item->bytes;
	return item;
}

void items_free(struct items *items)
{
	struct item *item;

	while ((item = items_take(items)) != NULL)
		free(item);
}

bool inbox_open(struct inbox *inbox, const struct mrl_bus_settings *settings)
{
	*inbox = (struct inbox){.most_messages = settings->most_messages,
				.most_bytes = settings->most_bytes,
				.wake = settings->wake,
				.context = settings->context,
				.monitor = mrl_monitor_new()};
	items_open(&inbox->items);
	return inbox->monitor != NULL;
}

void inbox_close(struct inbox *inbox)
{
	items_free(&inbox->items);
	mrl_monitor_free(inbox->monitor);
}

bool inbox_add(struct inbox *inbox, struct item *item)
{
	bool first = false;

	mrl_monitor_enter(inbox->monitor);
	bool is_news = item != NULL && item->kind == ITEM_NEWS;

	if (!is_news)
		inbox->heard++;
	if (item != NULL && !is_news)
		inbox->heard_bytes += item->length;
	if (is_news && item->news == MRL_BUS_CONNECTED)
		inbox->connections++;
	/* Without this of all things nobody would know that anything is missing. */
	if (item != NULL && (is_news || (inbox->items.count < inbox->most_messages &&
					 inbox->items.bytes + item->bytes <= inbox->most_bytes))) {
		first = inbox->items.count == 0;
		items_put(&inbox->items, item);
		item = NULL;
	} else {
		inbox->unheard++;
		inbox->dropped++;
	}
	if (first)
		mrl_monitor_wake(inbox->monitor);
	mrl_monitor_leave(inbox->monitor);
	free(item);
	return first;
}

void inbox_put(struct inbox *inbox, struct item *item)
{
	if (inbox_add(inbox, item) && inbox->wake != NULL)
		inbox->wake(inbox->context);
}

void inbox_put_news(struct inbox *inbox, enum mrl_bus_news news, const char *sentence)
{
	struct item *item = item_new(ITEM_NEWS, "", "", sentence, strlen(sentence));

	if (item == NULL)
		return;
	item->news = news;
	inbox_put(inbox, item);
}

void inbox_count_unsent(struct inbox *inbox)
{
	mrl_monitor_enter(inbox->monitor);
	inbox->unsent++;
	mrl_monitor_leave(inbox->monitor);
}
