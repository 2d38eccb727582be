#include "slots.h"

#include <stdlib.h>

#include "server_internal.h"

static struct mrl__slot *const *bucket_of(const struct mrl__slots *slots, uint64_t owner)
{
	/* Ids are random. */
	return &slots->buckets[owner % MRL__SLOT_BUCKETS];
}

bool mrl__slots_free_of_person(const struct mrl__server *server, uint64_t owner)
{
	unsigned taken = 0;

	for (const struct mrl__slot *slot = *bucket_of(&server->slots, owner); slot != NULL; slot = slot->next)
		taken += slot->owner == owner;
	return taken < MRL__SLOTS_OF_PERSON;
}

bool mrl__slots_free_of_address(const struct mrl__server *server, const struct mrl__address *address)
{
	return server->addresses.rate == 0 || address->waiting < MRL__SLOTS_OF_ADDRESS;
}

struct mrl__slot *mrl__slot_take(struct mrl__server *server, uint64_t owner, struct mrl__address *address)
{
	struct mrl__slot **first = &server->slots.buckets[owner % MRL__SLOT_BUCKETS];
	struct mrl__slot *slot = malloc(sizeof(*slot));

	if (slot == NULL)
		return NULL;
	*slot = (struct mrl__slot){.next = *first, .link = first, .owner = owner, .address = address};
	if (*first != NULL)
		(*first)->link = &slot->next;
	*first = slot;
	if (address != NULL) {
		address->users++;
		address->waiting++;
	}
	return slot;
}

void mrl__slot_give_back(struct mrl__server *server, struct mrl__slot *slot)
{
	if (slot == NULL)
		return;
	*slot->link = slot->next;
	if (slot->next != NULL)
		slot->next->link = slot->link;
	if (slot->address != NULL) {
		slot->address->waiting--;
		mrl__address_drop(&server->addresses, slot->address);
	}
	free(slot);
}
