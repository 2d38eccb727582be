/* What /metrics tells: counters and one histogram. Written on the thread of the loop. */
#ifndef MERELS_SERVER_METRICS_H
#define MERELS_SERVER_METRICS_H

#include <stdint.h>

struct mrl__server;

#define MRL__LATENCY_BUCKETS 12

struct mrl__metrics {
	uint64_t requests;
	uint64_t request_errors; /* answered with 5xx */
	uint64_t sockets_opened;
	uint64_t messages_in;
	uint64_t messages_out;
	uint64_t bytes_out;
	uint64_t refused; /* commands answered by `no` */
	uint64_t dropped_slow;
	uint64_t dropped_rate;
	uint64_t dropped_silent;
	uint64_t turns;
	uint64_t events;
	uint64_t games_started;
	uint64_t games_ended;
	uint64_t store_failures;
	uint64_t engine_turns;
	uint64_t latency[MRL__LATENCY_BUCKETS + 1]; /* commits by how long they took */
	uint64_t latency_sum;                       /* microseconds */
};

/* A commit took so long. */
void mrl__metrics_commit(struct mrl__metrics *metrics, uint64_t microseconds);

/* Writes all in Prometheus' text form; the memory is the caller's to free, NULL when there is none. */
char *mrl__metrics_text(const struct mrl__server *server);

#endif
