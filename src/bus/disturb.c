/* Messages lost, doubled and late on purpose, so that tests meet what a network does only now and then. */
#include <stdlib.h>

#include "bus_internal.h"

void mrl_bus_disturb(struct mrl_bus *bus, const struct mrl_bus_disturbance *disturbance)
{
	bus->disturbance = disturbance != NULL ? *disturbance : (struct mrl_bus_disturbance){0};
}

/* xorshift64 */
static uint64_t draw(struct mrl_bus *bus)
{
	uint64_t *state = &bus->disturbance.seed;

	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static bool happens(struct mrl_bus *bus, unsigned of_thousand)
{
	/* Drawn even when it cannot happen, so that one figure changed leaves the others' luck alone. */
	return (draw(bus) >> 20) % 1000 < of_thousand;
}

static enum mrl_status send_one(struct mrl_bus *bus, const char *subject, const char *reply, const void *data,
				size_t length)
{
	bool late = happens(bus, bus->disturbance.late);
	uint64_t delay = draw(bus) % ((uint64_t)bus->disturbance.late_ms * 1000000 + 1);

	if (!late)
		return bus_send_now(bus, subject, reply, data, length);
	struct item *item = item_new(ITEM_MESSAGE, subject, reply, data, length);

	if (item == NULL)
		return MRL_SPACE;
	item->due = bus_now(bus) + delay;
	items_put(&bus->late, item);
	return MRL_OK;
}

enum mrl_status bus_send(struct mrl_bus *bus, const char *subject, const char *reply, const void *data, size_t length)
{
	if (bus->disturbance.seed == 0)
		return bus_send_now(bus, subject, reply, data, length);
	bool lost = happens(bus, bus->disturbance.lost);
	bool twice = happens(bus, bus->disturbance.twice);

	if (lost)
		return bus->connected ? MRL_OK : MRL_SYSTEM;
	enum mrl_status status = send_one(bus, subject, reply, data, length);

	if (twice && status == MRL_OK)
		(void)send_one(bus, subject, reply, data, length);
	return status;
}

void bus_send_late(struct mrl_bus *bus)
{
	uint64_t now = bus->late.count > 0 ? bus_now(bus) : 0;
	struct items still;

	items_open(&still);
	for (struct item *item; (item = items_take(&bus->late)) != NULL;) {
		if (item->due > now && !bus->closing) {
			items_put(&still, item);
			continue;
		}
		(void)bus_send_now(bus, item->subject, item->reply, item->data, item->length);
		free(item);
	}
	bus->late = still;
	if (bus->late.count == 0)
		bus->late.last = &bus->late.first;
}
