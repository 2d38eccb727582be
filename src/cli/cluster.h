/*
 * Many nodes on one machine, for development and tests: PostgreSQL, nats-server, nodes of this program, and nginx in
 * front of them, all on 127.0.0.1 or sockets in one private folder:
 *
 *     FOLDER/lock          held by the process that runs the cluster
 *     FOLDER/pieces        what it has started: a line each, see cluster_record_read()
 *     FOLDER/log/NAME      what each piece says
 *     FOLDER/postgres/     the database, and the socket it listens at
 *     FOLDER/NODE/         the data folder of a node
 *     FOLDER/balancer/     nginx's
 *
 * A struct cluster belongs to the process's first thread (os/program.h says why). Nothing here waits longer than it
 * takes to start a process, but cluster_make(), which may have a database made, and cluster_stop().
 *
 *     cluster_make()                                  the folder, the ports; nothing runs yet
 *     cluster_start(), cluster_ready() for each       in the order of the pieces
 *     cluster_ended() now and then
 *     cluster_stop()                                  in the opposite order
 *     cluster_free()
 */
#ifndef MERELS_CLI_CLUSTER_H
#define MERELS_CLI_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>
#include <os/program.h>

struct mrl_disk_file;

enum {
	CLUSTER_MOST_NODES = 16,
	CLUSTER_MOST_WORKERS = 16,
	CLUSTER_MOST_PIECES = CLUSTER_MOST_NODES + CLUSTER_MOST_WORKERS + 3,
	CLUSTER_FOLDER_SIZE = 84, /* a socket's path has to fit into 108 bytes */
	CLUSTER_PLACE_SIZE = 192
};

/* In the order in which they are started. */
enum cluster_kind { CLUSTER_POSTGRES, CLUSTER_BUS, CLUSTER_NODE, CLUSTER_WORKER, CLUSTER_BALANCER, CLUSTER_KINDS };

struct cluster_piece {
	uint8_t kind; /* an enum cluster_kind */
	char name[16];
	long id;         /* of its process; 0: it does not run */
	unsigned port;   /* where it listens; 0: nowhere, or at a socket in the folder */
	unsigned starts; /* how many times it was started */
	uint64_t said;   /* bytes that were in its log before that */
	/* What a node or worker is told of the others; a test may put a detour here before it is started. */
	char store[CLUSTER_PLACE_SIZE];
	char bus[CLUSTER_PLACE_SIZE];
};

struct cluster_plan {
	const char *program; /* merels */
	const char *folder;  /* NULL: a new one, removed in the end */
	unsigned nodes;      /* 1..CLUSTER_MOST_NODES; one alone needs no bus, and has none */
	unsigned workers;    /* 0..CLUSTER_MOST_WORKERS */
	unsigned port;       /* of the balancer; 0: any free one */
	bool statistics;     /* PostgreSQL counts statements (pg_stat_statements) */
	char *const *more;   /* further arguments for the nodes, ended by NULL; NULL: none */
};

struct cluster {
	struct cluster_plan plan;
	char folder[CLUSTER_FOLDER_SIZE];
	bool made; /* the folder is ours to remove */
	struct mrl_disk_file *lock;
	const char *user;       /* as whom PostgreSQL runs; NULL: as we do */
	unsigned bus_port;      /* 0: no bus */
	unsigned bus_http_port; /* where nats-server tells of itself */
	size_t piece_count;
	struct cluster_piece pieces[CLUSTER_MOST_PIECES];
	char paths[CLUSTER_KINDS][MRL_PROGRAM_PATH_SIZE]; /* the program of each kind */
	char initdb[MRL_PROGRAM_PATH_SIZE];
};

/*
 * Finds the programs, takes the folder, makes the database unless it is there, and chooses free ports. MRL_NAME for
 * what is the caller's doing: a program that is not installed, a folder that is in use or has leftovers of a cluster
 * that was killed; MRL_SYSTEM when the system refuses. Then there is nothing to be freed.
 */
MRL_MUST_USE enum mrl_status cluster_make(struct cluster *cluster, const struct cluster_plan *plan,
					  struct mrl_error *error);

/* Starts a piece that does not run. */
MRL_MUST_USE enum mrl_status cluster_start(struct cluster *cluster, struct cluster_piece *piece,
					   struct mrl_error *error);

/* Whether a piece that was started takes connections by now. */
bool cluster_ready(const struct cluster *cluster, const struct cluster_piece *piece);

/* Whether a piece that was running has ended, and how. */
bool cluster_ended(struct cluster *cluster, struct cluster_piece *piece, char how[32]);

/* Stops one piece, as it wants to be stopped, or a whole cluster; what does not end in time is killed. */
void cluster_stop_piece(struct cluster *cluster, struct cluster_piece *piece);
void cluster_stop(struct cluster *cluster);

/* Stops what runs, leaves the folder, and removes it if it was made for this cluster, unless `keep`. */
void cluster_free(struct cluster *cluster, bool keep);

/* The piece of this name, or NULL; the n-th of a kind, or NULL. */
struct cluster_piece *cluster_find(struct cluster *cluster, const char *name);
struct cluster_piece *cluster_nth(struct cluster *cluster, enum cluster_kind kind, size_t n);

/* Where a piece listens, for people: "http://127.0.0.1:40001", or the folder of a socket. */
void cluster_place(const struct cluster *cluster, const struct cluster_piece *piece, char place[CLUSTER_PLACE_SIZE]);

/* The end of what a piece has said since it was started, from the beginning of a line; "" when it has said nothing. */
void cluster_last_words(const struct cluster *cluster, const struct cluster_piece *piece, char *words, size_t size);

#endif
