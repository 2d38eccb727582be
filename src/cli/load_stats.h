/*
 * What a run of load has counted: how much, how fast, and what was wrong.
 *
 * Times in nanoseconds. A value belongs to one thread.
 */
#ifndef MERELS_CLI_LOAD_STATS_H
#define MERELS_CLI_LOAD_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Spans of time ------------------------------------------------------------------------------------------ */

/* 32 steps for each doubling, from 1 µs to beyond an hour: a span is told to 3 %. */
#define LOAD_SPANS 1024

struct load_spans {
	uint64_t count;
	uint64_t most;
	uint32_t in[LOAD_SPANS];
};

void load_spans_add(struct load_spans *spans, uint64_t span);

/* The span that `part` (0..1) of them do not exceed, to 3 %; 0 when there are none. */
uint64_t load_spans_at(const struct load_spans *spans, double part);

/* ---- Faults ------------------------------------------------------------------------------------------------- */

/* X(name, text): kinds of things that must not be. */
#define LOAD_FAULT_TABLE(X)                                                                      \
	X(LOST, "lost")       /* an event or an acknowledged command */                          \
	X(DOUBLED, "doubled") /* an event or command, twice */                                   \
	X(WRONG, "wrong")     /* against the rules, or told in two ways */                       \
	X(CLOCK, "clock")     /* a clock that does not show what it must */                      \
	X(REFUSED, "refused") /* a command that should have been taken */                        \
	X(CLOSED, "closed")   /* a socket that the server closed, a request without an answer */ \
	X(SILENT, "silent")   /* no answer in time */

enum load_fault_kind {
#define LOAD_FAULT_ENUM(name, text) LOAD_FAULT_##name,
	LOAD_FAULT_TABLE(LOAD_FAULT_ENUM)
#undef LOAD_FAULT_ENUM
	    LOAD_FAULTS
};

const char *load_fault_text(enum load_fault_kind kind);

#define LOAD_TOLD_EACH 4                         /* faults of each kind that are told in words */
#define LOAD_TOLD (LOAD_TOLD_EACH * LOAD_FAULTS) /* so many in all */
#define LOAD_TOLD_SIZE 240

struct load_stats {
	uint64_t turns;     /* acknowledged */
	uint64_t commands;  /* acknowledged, turns included */
	uint64_t repeats;   /* commands that were sent again */
	uint64_t events;    /* received */
	uint64_t compared;  /* of them: the same as another socket's, or as before */
	uint64_t snapshots; /* received and compared */
	uint64_t games_begun;
	uint64_t games_over;
	uint64_t games_on_time;    /* of them: ended by a clock */
	uint64_t ratings;          /* changes of ratings that were checked */
	uint64_t cuts;             /* connections cut by us, at random */
	uint64_t losses;           /* connections that were lost while that was expected */
	uint64_t unavailable;      /* commands refused because the store took nothing, and sent again */
	int64_t clock_error;       /* largest difference of service time over a restart, milliseconds */
	struct load_spans receipt; /* from sending a turn to the opponent's having it */
	struct load_spans answer;  /* from sending a command to `done` */
	struct load_spans watched; /* from sending a turn to a watcher's having it */
	struct load_spans join;    /* from opening a connection to `welcome` */
	uint64_t faults[LOAD_FAULTS];
	size_t told;
	char tale[LOAD_TOLD][LOAD_TOLD_SIZE];
};

void load_fault(struct load_stats *stats, enum load_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

uint64_t load_fault_count(const struct load_stats *stats);

#endif
