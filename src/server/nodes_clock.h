/*
 * How far the service time of other nodes is ahead of ours, from what their messages say of it. A message takes a
 * while, and may take long, so each says at least how far: the one that came fastest is right. Clocks drift a little
 * against each other, so what is known gets slowly less.
 *
 * A node that was stopped does not count that time: its service time falls behind, which it says by a count of its
 * naps. When we were stopped the others are further ahead, as any message says.
 */
#ifndef MERELS_SERVER_NODES_CLOCK_H
#define MERELS_SERVER_NODES_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct mrl__clock {
	uint64_t node;
	uint64_t naps;
	int64_t ahead; /* ms */
	uint64_t at;   /* our service time: when `ahead` was known */
};

/*
 * A node said, under so many naps, that its service time was `says`, and it is `now` here: how far it is ahead. All 0
 * is an unused clock; without one that is free the one that was not heard for longest is given up.
 */
int64_t mrl__clock_heard(struct mrl__clock *clocks, size_t count, uint64_t node, uint64_t naps, uint64_t says,
			 uint64_t now);

#endif
