/* What the files of the cluster share. */
#ifndef MERELS_CLI_CLUSTER_INTERNAL_H
#define MERELS_CLI_CLUSTER_INTERNAL_H

#include "cluster.h"

/* ---- cluster_words.c: the arguments of a program, gathered ---------------------------------------------------- */

enum { CLUSTER_WORDS = 96, CLUSTER_WORDS_SIZE = 8192 };

struct cluster_words {
	char *words[CLUSTER_WORDS + 1]; /* ended by NULL */
	size_t count;
	size_t used;
	bool full; /* something did not fit */
	char text[CLUSTER_WORDS_SIZE];
};

void cluster_word(struct cluster_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- cluster_programs.c --------------------------------------------------------------------------------------- */

/* Finds the programs that the plan needs. MRL_NAME, with the packages of Debian that have them, when one is missing. */
MRL_MUST_USE enum mrl_status cluster_find_programs(struct cluster *cluster, struct mrl_error *error);

/* ---- cluster_folder.c ----------------------------------------------------------------------------------------- */

/* Makes the folder, or takes the one there is. */
MRL_MUST_USE enum mrl_status cluster_take_folder(struct cluster *cluster, struct mrl_error *error);

/* Writes down what runs. */
MRL_MUST_USE enum mrl_status cluster_record_write(const struct cluster *cluster, struct mrl_error *error);

/* A line of FOLDER/pieces: `NAME KIND PROCESS BEGAN PORT`; the first is the cluster's own process, of kind `up`. */
struct cluster_line {
	char name[16];
	char kind[16];
	long id;
	uint64_t began; /* mrl_process_began() of it */
	unsigned port;
	bool runs; /* it is still that process */
};

/* Reads the lines of a folder; how many there are, 0 when there is no such record. */
size_t cluster_record_read(const char *folder, struct cluster_line lines[CLUSTER_MOST_PIECES + 1]);

const char *cluster_kind_text(enum cluster_kind kind);

/* ---- cluster_postgres.c --------------------------------------------------------------------------------------- */

/* Makes the database unless there is one. */
MRL_MUST_USE enum mrl_status cluster_postgres_make(struct cluster *cluster, struct mrl_error *error);
void cluster_postgres_arguments(const struct cluster *cluster, struct cluster_words *words);
bool cluster_postgres_ready(const struct cluster *cluster, long id);

/* ---- cluster_balancer.c --------------------------------------------------------------------------------------- */

/* Writes the settings of nginx. */
MRL_MUST_USE enum mrl_status cluster_balancer_make(const struct cluster *cluster, const struct cluster_piece *balancer,
						   struct mrl_error *error);

/* ---- cluster_ask.c -------------------------------------------------------------------------------------------- */

/*
 * Asks a piece that speaks HTTP at this port for a path and waits for the answer; the status, or 0 when there was none.
 * `body` (may be NULL) gets the first line of what it said. Waits two seconds at most.
 */
int cluster_ask(unsigned port, const char *path, char *body, size_t size);

#endif
