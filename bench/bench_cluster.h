/* What a turn costs when a club has many nodes. */
#ifndef MERELS_BENCH_CLUSTER_H
#define MERELS_BENCH_CLUSTER_H

#include <stdbool.h>

/*
 * Starts PostgreSQL, and this program as one node without a bus, then as two with nats-server; plays at them for
 * `seconds` each, ten at least, with the players of a game at one node and at two. False when there is no memory; a
 * program that is missing is told of.
 */
bool bench_cluster(double seconds);

#endif
