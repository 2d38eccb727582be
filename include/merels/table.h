/*
 * Exact tables: the value of every position of a rule set, and how many plies it is from the end.
 *
 * A table is a folder with two files for each sector (men on the board and in hand, the side to move first): its values,
 * and its distances if they were asked for. docs/TABLES.md tells the method and the format. What a table says holds with
 * unlimited patience: the no-mill and three-men counters and repetition are outside of it, so rule sets that
 * differ only there share their tables.
 *
 * Errors come as enum mrl_status with a sentence that says which file and what is wrong; `error` may be NULL.
 */
#ifndef MERELS_TABLE_H
#define MERELS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

/* ---- Building ----------------------------------------------------------------------------------------------- */

enum mrl_table_metric { MRL_TABLE_VALUE, MRL_TABLE_DISTANCE };

/* How far a build is. */
struct mrl_table_progress {
	unsigned own_hand;   /* of the layer being solved: men in hand of the side to move, */
	unsigned enemy_hand; /* and of the other */
	bool writing;        /* its files are being written */
	unsigned depth;      /* plies, while it is solved */
	uint64_t decided;    /* bits decided in the layer so far */
	uint64_t finished;   /* positions of finished layers, up to symmetry (symmetric positions counted in part) */
	uint64_t positions;  /* positions of the layer, and of all */
	uint64_t total;
};

struct mrl_table_build {
	const char *folder; /* made when it does not exist */
	enum mrl_table_metric metric;
	unsigned threads;  /* 1 .. 256 */
	uint64_t memory;   /* bytes that may be used; 0: three quarters of what the machine has */
	/* Told now and then, from a thread of the build; true stops it. NULL: nobody. */
	bool (*watch)(void *context, const struct mrl_table_progress *progress);
	void *context;
};

/*
 * Builds the tables of a rule set, or goes on with what a build before has left in the folder; the files are the same
 * whatever the number of threads and however often it was stopped. MRL_STOPPED when `watch` said so, MRL_UNSUPPORTED for
 * boards of more than 24 points, MRL_SPACE when the memory allowed is too little, MRL_SYSTEM for the rest.
 */
MRL_MUST_USE enum mrl_status mrl_table_build(const struct mrl_rules *rules, const struct mrl_table_build *build,
					     struct mrl_error *error);

/* The memory in bytes that building takes at most, and the positions that there are. */
MRL_MUST_USE enum mrl_status mrl_table_estimate(const struct mrl_rules *rules, unsigned threads, uint64_t *memory,
						uint64_t *positions, struct mrl_error *error);

#endif
