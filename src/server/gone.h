/*
 * Who has been deleted. Games keep what happened in them, names included; whoever writes a name asks here first, so
 * that nobody reads it any more. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_GONE_H
#define MERELS_SERVER_GONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrl__server;

struct mrl__gone {
	uint64_t *ids; /* owned; in order */
	size_t count;
	size_t size;
	bool asking; /* the store is being asked */
};

bool mrl__gone_has(const struct mrl__server *server, uint64_t person);

/* The person was deleted. */
void mrl__gone_add(struct mrl__server *server, uint64_t person);

/* Asks the store who is, as an administrator may have deleted somebody beside the server. */
void mrl__gone_refresh(struct mrl__server *server);

void mrl__gone_release(struct mrl__server *server);

#endif
