/*
 * The server without a network, without threads of its own but the store's, and with a clock that the fuzzer turns: it
 * stands in for server.c and engines.c, and for Argon2, which is slow on purpose. One at a time, as the server is.
 */
#ifndef MERELS_FUZZ_HOST_H
#define MERELS_FUZZ_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct mrl__server;

/* The server, which runs; begun when it does not. Every so often it begins anew, with an empty database. */
struct mrl__server *host_begin(void);
struct mrl__server *host_server(void);

/* As after kill -9 and a start: what was not committed is lost, everything else must be back. */
void host_restart(void);

/* Runs until nothing is under way any more: the store has answered, everybody has been told. */
void host_settle(void);

/* Time passes, timers run. */
void host_pass(uint64_t milliseconds);

/* Time passes in which the server gets no processor: what came meanwhile waits for it, and then its seconds follow. */
void host_hold_up(uint64_t milliseconds);

/* Every game in memory is the one that the events in the store tell. */
void host_compare(void);

#endif
