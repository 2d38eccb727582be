/*
 * What chaos breaks: a cluster whose nodes go to PostgreSQL and NATS by detours; each in a network of its own, if that
 * is wanted, whose cables are pulled. Belongs to the first thread.
 */
#ifndef MERELS_TESTS_STAGE_H
#define MERELS_TESTS_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster.h"
#include "detour.h"
#include "network.h"

enum { STAGE_NODES = 5 };

#define SECOND UINT64_C(1000000000)

struct stage {
	struct cluster cluster;
	struct detours *detours;
	struct detour *bus[STAGE_NODES];
	struct detour *store[STAGE_NODES];
	struct detour *front[STAGE_NODES]; /* with cables: from where the balancer looks for the node */
	bool cables;                       /* the nodes have networks of their own */
	unsigned nodes;
	bool coming[STAGE_NODES];      /* started, and not there yet */
	uint64_t look_at[STAGE_NODES]; /* when it is looked whether it is */
	uint64_t again[STAGE_NODES];   /* when it is started again by itself; 0: it is not */
	uint64_t store_away;           /* when PostgreSQL was last seen not to take connections; 0: never */
	char web[CLUSTER_FOLDER_SIZE];
	char program[CLUSTER_PLACE_SIZE];
	char *more[7]; /* arguments of the nodes */
};

/*
 * Makes it; nothing runs yet. `program`: merels. `cables`: each node gets a network of its own. False when it cannot
 * be, after a word on stdout.
 */
bool stage_make(struct stage *stage, const char *program, unsigned nodes, bool cables);

/* What becomes of a node's way to NATS (NETWORK_BUS) or PostgreSQL; a cable is in or out. */
void stage_put(struct stage *stage, unsigned node, enum network_cable way, enum detour_state state);

/* Starts all of it, one after the other, and waits until it is there; false as above. */
bool stage_start_all(struct stage *stage);

/* Starts a piece; false as above. */
bool stage_start(struct stage *stage, struct cluster_piece *piece);

struct cluster_piece *stage_node(struct stage *stage, unsigned i);
struct cluster_piece *stage_bus(struct stage *stage);
struct cluster_piece *stage_postgres(struct stage *stage);

/* Starts a node in a second. */
void stage_start_later(struct stage *stage, const struct cluster_piece *piece);

/* To be called often: starts what is to be started again, and sees what is there. False as above. */
bool stage_look(struct stage *stage);

/* Whether this piece is a node that was started and has not been there since. */
bool stage_comes(struct stage *stage, const struct cluster_piece *piece);

/* Stops all of it. `keep`: the folder stays, and is named. */
void stage_end(struct stage *stage, bool keep);

#endif
