/*
 * The computer's thinking: some threads with one search each, and a queue that is fair, as each game has one place in
 * it. A game that asks while many wait gets less time. What was chosen comes back to the loop.
 *
 * All functions are for the thread of the loop.
 */
#ifndef MERELS_SERVER_ENGINES_H
#define MERELS_SERVER_ENGINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>

struct mrl__engines;
struct mrl__json;
struct mrl_bus;
struct mrl__server;

/*
 * From now on jobs are left to workers while there are any (docs/WORKERS.md), on a bus that is this club's. False when
 * there is no memory or the club's id is none. Before the bus is closed it must be left: what workers had is done here.
 */
bool mrl__engines_use_bus(struct mrl__engines *engines, struct mrl_bus *bus, const char *club);
void mrl__engines_leave_bus(struct mrl__engines *engines);

/* To be called every 10 ms. NULL is allowed. */
void mrl__engines_tick(struct mrl__engines *engines);

/* NULL when there is no memory or no thread to be had. */
struct mrl__engines *mrl__engines_start(struct mrl__server *server, unsigned threads, const char *tables);

/* Ends all searches and waits for the threads. The loop must run once more before it is closed. NULL is allowed. */
void mrl__engines_stop(struct mrl__engines *engines);
void mrl__engines_free(struct mrl__engines *engines);

/* Asks for a turn in a copy of the game, whose rules are the rulebook's. `left` and `increment` are of the clock, in
 * ms; 0: there is none. */
bool mrl__engines_ask(struct mrl__engines *engines, uint64_t game, const struct mrl_game *moves, unsigned level,
		      uint32_t left, uint32_t increment);

/* What was asked for this game is not wanted any more. */
void mrl__engines_cancel(struct mrl__engines *engines, uint64_t game);

/* How many wait for a thread. */
size_t mrl__engines_waiting(const struct mrl__engines *engines);

/* Jobs done by workers, jobs that came back from them, and workers there are. */
void mrl__engines_count_workers(const struct mrl__engines *engines, uint64_t *done, uint64_t *failed,
				uint64_t *workers);

/* Whether there are exact tables for a rule set, in canonical form, here or at a worker. */
bool mrl__engines_has_tables(struct mrl__engines *engines, const char *rules);

/* The tables of a rule set in canonical form, and their own copy of it; NULL when there are none here. Any thread may
 * ask them. */
struct mrl_tables *mrl__engines_tables(struct mrl__engines *engines, const char *rules, const struct mrl_rules **own);

/* The giver of jobs to workers; NULL: there is none. */
struct mrl_giver *mrl__engines_giver(struct mrl__engines *engines);

/* The rule sets that there are exact tables for, into an open list. */
void mrl__engines_write_tables(const struct mrl__engines *engines, struct mrl__json *json);

#endif
