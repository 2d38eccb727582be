/* Buses of one process, connected by nothing but their queues. */
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>

#include "bus_internal.h"
#include "subject.h"

struct hub_link;

struct hub_listener {
	struct hub_listener *next;
	struct hub_link *link;
	uint64_t id;
	uint64_t turn; /* of the first of a queue group: whose it is */
	char *group;   /* behind the subject */
	char subject[];
};

struct mrl_bus_hub {
	struct hub_listener *first; /* in the order in which they came */
	struct hub_listener **last;
	uint64_t links;
};

struct hub_link {
	struct mrl_bus_hub *hub;
	struct inbox *inbox;
	bool cut;
	char name[32];
};

struct mrl_bus_hub *mrl_bus_hub_new(void)
{
	struct mrl_bus_hub *hub = calloc(1, sizeof(*hub));

	if (hub != NULL)
		hub->last = &hub->first;
	return hub;
}

void mrl_bus_hub_free(struct mrl_bus_hub *hub)
{
	free(hub);
}

enum mrl_status hub_link(void **link, struct mrl_bus_hub *hub, struct inbox *inbox, struct mrl_error *error)
{
	struct hub_link *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return bus_refuse(error, MRL_SPACE, "there is not enough memory for the bus");
	struct mrl_text name = mrl_text_in(made->name, sizeof(made->name));

	made->hub = hub;
	made->inbox = inbox;
	mrl_text_add(&name, "_INBOX.");
	mrl_text_number(&name, ++hub->links);
	inbox_put_news(inbox, MRL_BUS_CONNECTED, "connected to the bus of this process");
	*link = made;
	return MRL_OK;
}

/* Without `id`: all of the link. */
static void remove_listeners(struct hub_link *link, uint64_t id)
{
	struct mrl_bus_hub *hub = link->hub;

	for (struct hub_listener **at = &hub->first; *at != NULL;) {
		struct hub_listener *listener = *at;

		if (listener->link != link || (id != 0 && listener->id != id)) {
			at = &listener->next;
			continue;
		}
		*at = listener->next;
		if (*at == NULL)
			hub->last = at;
		free(listener);
	}
}

static bool close_link(void *of)
{
	struct hub_link *link = of;

	remove_listeners(link, 0);
	free(link);
	return true;
}

static const char *inbox_of(const void *of)
{
	const struct hub_link *link = of;

	return link->name;
}

static size_t most_payload(const void *of)
{
	(void)of;
	return (size_t)1 << 20;
}

static void put(const struct hub_listener *listener, const char *subject, const char *reply, const void *data,
		size_t length)
{
	struct item *item = item_new(ITEM_MESSAGE, subject, reply, data, length);

	if (item != NULL)
		item->listener = listener->id;
	inbox_put(listener->link->inbox, item);
}

static bool hears(const struct hub_listener *listener, const char *subject)
{
	return !listener->link->cut && subject_matches(listener->subject, subject);
}

/* Which member of a group that hears this subject is the one of this index, modulo their number. */
static const struct hub_listener *member(const struct mrl_bus_hub *hub, const char *group, const char *subject,
					 uint64_t index)
{
	const struct hub_listener *listener;
	uint64_t count = 0;

	for (listener = hub->first; listener != NULL; listener = listener->next)
		count += strcmp(listener->group, group) == 0 && hears(listener, subject);
	index %= count;
	for (listener = hub->first; listener != NULL; listener = listener->next) {
		if (strcmp(listener->group, group) == 0 && hears(listener, subject) && index-- == 0)
			break;
	}
	return listener;
}

static enum mrl_status send_to_all(void *of, const char *subject, const char *reply, const void *data, size_t length)
{
	struct hub_link *link = of;
	struct mrl_bus_hub *hub = link->hub;
	bool heard = false;

	if (link->cut)
		return MRL_SYSTEM;
	for (struct hub_listener *listener = hub->first; listener != NULL; listener = listener->next) {
		if (!hears(listener, subject))
			continue;
		heard = true;
		if (listener->group[0] == '\0')
			put(listener, subject, reply, data, length);
		else if (member(hub, listener->group, subject, 0) == listener)
			put(member(hub, listener->group, subject, listener->turn++), subject, reply, data, length);
	}
	if (!heard && reply[0] != '\0') {
		struct item *item = item_new(ITEM_NOBODY, reply, "", NULL, 0);

		if (item != NULL)
			item->listener = ANSWERS;
		inbox_put(link->inbox, item);
	}
	return MRL_OK;
}

static enum mrl_status add_listener(void *of, uint64_t id, const char *subject, const char *group)
{
	struct hub_link *link = of;
	size_t size = strlen(subject) + 1;
	struct hub_listener *listener = malloc(sizeof(*listener) + size + strlen(group) + 1);

	if (listener == NULL)
		return MRL_SPACE;
	*listener = (struct hub_listener){.link = link, .id = id};
	memcpy(listener->subject, subject, size);
	listener->group = listener->subject + size;
	memcpy(listener->group, group, strlen(group) + 1);
	*link->hub->last = listener;
	link->hub->last = &listener->next;
	return MRL_OK;
}

static void remove_listener(void *of, uint64_t id)
{
	remove_listeners(of, id);
}

void hub_cut(void *of, bool cut)
{
	struct hub_link *link = of;

	if (link->cut == cut)
		return;
	link->cut = cut;
	if (cut)
		inbox_put_news(link->inbox, MRL_BUS_LOST, "the bus of this process was cut");
	else
		inbox_put_news(link->inbox, MRL_BUS_CONNECTED, "connected to the bus of this process again");
}

static void flush(void *of)
{
	(void)of;
}

const struct backend backend_hub = {.close = close_link,
				    .inbox = inbox_of,
				    .most_payload = most_payload,
				    .send = send_to_all,
				    .listen = add_listener,
				    .leave = remove_listener,
				    .flush = flush};
