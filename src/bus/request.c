/* Requests: what was asked and is not answered yet. The subject for an answer ends with the number of its request. */
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>

#include "bus_internal.h"

enum mrl_status mrl_bus_request(struct mrl_bus *bus, const char *subject, const void *data, size_t length,
				unsigned timeout_ms, mrl_bus_answered *done, void *user, uint64_t *id,
				struct mrl_error *error)
{
	enum mrl_status status = bus_check(bus, subject, length, error);

	if (status != MRL_OK)
		return status;
	struct request *request = malloc(sizeof(*request));

	if (request == NULL)
		return bus_refuse(error, MRL_SPACE, "there is not enough memory for a question to another process");
	*request = (struct request){.entry = {.id = ++bus->last_id},
				    .done = done,
				    .user = user,
				    .deadline = bus_now(bus) + (uint64_t)timeout_ms * 1000000};
	char reply[MRL_BUS_SUBJECT_SIZE];
	struct mrl_text text = mrl_text_in(reply, sizeof(reply));

	mrl_text_add(&text, bus->backend->inbox(bus->link));
	mrl_text_char(&text, '.');
	mrl_text_number(&text, request->entry.id);
	status = bus_send(bus, subject, reply, data, length);
	if (status != MRL_OK) {
		free(request);
		return bus_explain(bus, status, error);
	}
	map_put(&bus->requests, &request->entry);
	if (request->deadline < bus->next_deadline)
		bus->next_deadline = request->deadline;
	if (id != NULL)
		*id = request->entry.id;
	return MRL_OK;
}

void mrl_bus_cancel(struct mrl_bus *bus, uint64_t id)
{
	free(map_take(&bus->requests, id));
	/* One may be cancelled by the callback of another that has ended in the same moment. */
	for (struct entry *entry = bus->over; entry != NULL; entry = entry->next) {
		if (entry->id == id)
			((struct request *)entry)->done = NULL;
	}
}

static void end(struct request *request, enum mrl_status status, const struct mrl_bus_message *message)
{
	if (request->done != NULL)
		request->done(request->user, status, message);
	free(request);
}

/* The number at the end of a subject; 0 when there is none. */
static uint64_t number_of(const char *subject)
{
	const char *last = strrchr(subject, '.');
	uint64_t number = 0;

	for (const char *c = last != NULL ? last + 1 : ""; *c != '\0'; c++) {
		if (*c < '0' || *c > '9' || number > UINT64_MAX / 10 - 1)
			return 0;
		number = number * 10 + (uint64_t)(*c - '0');
	}
	return number;
}

size_t requests_answer(struct mrl_bus *bus, const struct item *item)
{
	struct request *request = (struct request *)map_take(&bus->requests, number_of(item->subject));

	/* A second answer, or one that comes too late. */
	if (request == NULL)
		return 0;
	const struct mrl_bus_message message = {
	    .subject = item->subject, .reply = item->reply, .data = item->data, .length = item->length};

	if (item->kind == ITEM_NOBODY)
		end(request, MRL_MISSING, NULL);
	else
		end(request, MRL_OK, &message);
	return 1;
}

/* Callbacks may ask anew, so they are only called when those that are over have been taken out. */
static size_t end_list(struct mrl_bus *bus, enum mrl_status status)
{
	size_t count = 0;

	while (bus->over != NULL) {
		struct request *request = (struct request *)bus->over;

		bus->over = bus->over->next;
		end(request, status, NULL);
		count++;
	}
	return count;
}

size_t requests_expire(struct mrl_bus *bus)
{
	uint64_t now = bus->next_deadline != UINT64_MAX ? bus_now(bus) : 0;
	struct entry **last = &bus->over;

	if (bus->next_deadline > now)
		return 0;
	while (*last != NULL)
		last = &(*last)->next;
	bus->next_deadline = UINT64_MAX;
	for (size_t i = 0; i < MAP_SIZE; i++) {
		for (struct entry **link = &bus->requests.slots[i]; *link != NULL;) {
			struct request *request = (struct request *)*link;

			if (request->deadline <= now) {
				*link = request->entry.next;
				request->entry.next = NULL;
				*last = &request->entry;
				last = &request->entry.next;
				continue;
			}
			if (request->deadline < bus->next_deadline)
				bus->next_deadline = request->deadline;
			link = &request->entry.next;
		}
	}
	return end_list(bus, MRL_STOPPED);
}

size_t requests_end(struct mrl_bus *bus, enum mrl_status status)
{
	for (struct entry *entry; (entry = map_take_any(&bus->requests)) != NULL;) {
		entry->next = bus->over;
		bus->over = entry;
	}
	bus->next_deadline = UINT64_MAX;
	return end_list(bus, status);
}
