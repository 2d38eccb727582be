/* The ways to break a stage, one at a time, and to mend it. */
#ifndef MERELS_TESTS_TROUBLE_H
#define MERELS_TESTS_TROUBLE_H

#include "stage.h"

/* X(name, text, weight): kinds of faults; the sum of the weights is of no matter. */
#define FAULT_TABLE(X)                                   \
	X(KILL, "kill", 5) /* a node */                  \
	X(PAUSE, "pause", 3)                             \
	X(DRAIN, "drain", 4)                             \
	X(BUS, "bus", 3) /* ends and is started again */ \
	X(STORE, "store", 3)                             \
	X(BUS_HANGS, "bus-hangs", 2) /* for one node */  \
	X(BUS_CUT, "bus-cut", 2)                         \
	X(STORE_HANGS, "store-hangs", 2)                 \
	X(STORE_CUT, "store-cut", 2)

enum fault {
#define FAULT_ENUM(name, text, weight) name,
	FAULT_TABLE(FAULT_ENUM)
#undef FAULT_ENUM
	    FAULTS
};

struct fault_kind {
	const char *text;
	unsigned weight;
};

extern const struct fault_kind fault_kinds[FAULTS];

/* One thing that is broken, or was and is not well yet. */
struct trouble {
	enum fault fault;
	unsigned node;         /* whose it is */
	uint64_t milliseconds; /* for how long, if it is for us to say */
	uint64_t until;        /* when it is mended, nanoseconds */
	bool broken;
	long process; /* of the piece that ends by it, when it began; 0: it did not run */
	bool gently;  /* PostgreSQL or NATS is told to end, not killed */
	bool told;    /* a drained node was told to stop as well */
};

/* Breaks it. */
void trouble_begin(struct stage *stage, const struct trouble *trouble);

/* Mends it, as far as that is ours to do: then it is not broken any more. False when a piece could not be started. */
bool trouble_mend(struct stage *stage, struct trouble *trouble);

/* The piece that ends by a fault, or NULL. */
struct cluster_piece *trouble_victim(struct stage *stage, const struct trouble *trouble);

#endif
