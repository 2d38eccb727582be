#include "nodes_clock.h"

/* One millisecond in so many: more than clocks that are kept right by the network drift. */
enum { DRIFT = 1000 };

static struct mrl__clock *clock_of(struct mrl__clock *clocks, size_t count, uint64_t node)
{
	struct mrl__clock *oldest = &clocks[0];

	for (size_t i = 0; i < count; i++) {
		if (clocks[i].node == node)
			return &clocks[i];
		if (clocks[i].at < oldest->at)
			oldest = &clocks[i];
	}
	*oldest = (struct mrl__clock){.node = node, .ahead = INT64_MIN};
	return oldest;
}

int64_t mrl__clock_heard(struct mrl__clock *clocks, size_t count, uint64_t node, uint64_t naps, uint64_t says,
			 uint64_t now)
{
	struct mrl__clock *clock = clock_of(clocks, count, node);
	int64_t ahead = (int64_t)(says - now);
	int64_t drift = now > clock->at ? (int64_t)((now - clock->at) / DRIFT) : 0;

	/* From before its nap: it says nothing of now. */
	if (naps < clock->naps)
		return clock->ahead;
	if (naps > clock->naps || clock->ahead == INT64_MIN || ahead >= clock->ahead - drift)
		*clock = (struct mrl__clock){.node = node, .naps = naps, .ahead = ahead, .at = now};
	return clock->ahead;
}
