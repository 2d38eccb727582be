/*
 * Games that wait for somebody to come by the link: each takes a slot of its owner and of the address it was made from,
 * which have so many. A slot is taken before the game is made and given back when it starts or ends. All on the thread
 * of the loop.
 */
#ifndef MERELS_SERVER_SLOTS_H
#define MERELS_SERVER_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct mrl__address;
struct mrl__server;

#define MRL__SLOTS_OF_PERSON 10
#define MRL__SLOTS_OF_ADDRESS 100
#define MRL__SLOT_BUCKETS 1024

struct mrl__slot {
	struct mrl__slot *next; /* in its bucket */
	struct mrl__slot **link;
	uint64_t owner;
	struct mrl__address *address; /* held; NULL: not known, as the game is older than the server's start */
};

struct mrl__slots {
	struct mrl__slot *buckets[MRL__SLOT_BUCKETS]; /* by owner */
};

/*
 * Whether the owner, and the address, have one left; the address has as many as there are when nothing else of an
 * address is limited.
 */
bool mrl__slots_free_of_person(const struct mrl__server *server, uint64_t owner);
bool mrl__slots_free_of_address(const struct mrl__server *server, const struct mrl__address *address);

/* Takes a slot, even when there is none left. `address` may be NULL. NULL when there is no memory. */
struct mrl__slot *mrl__slot_take(struct mrl__server *server, uint64_t owner, struct mrl__address *address);

/* Gives it back. NULL is allowed. */
void mrl__slot_give_back(struct mrl__server *server, struct mrl__slot *slot);

#endif
