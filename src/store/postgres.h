/*
 * A connection to PostgreSQL that mends itself, and statements run on it.
 *
 * As with SQLite, what goes wrong is remembered until postgres_clear(), and after it nothing is sent any more, so a
 * sequence of statements needs to ask only once, at its end. Everything goes through libpq's pipeline: statements are
 * sent one after another, and their results taken in the same order.
 *
 * A connection can be lost at any moment. Then everything fails until postgres_ready() has made another one; whoever
 * was writing must find out what became of it (postgres_group.c).
 *
 * One thread at a time.
 */
#ifndef MERELS_STORE_POSTGRES_H
#define MERELS_STORE_POSTGRES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"
#include "bind.h"
#include "postgres_library.h"
#include "task.h"

enum { POSTGRES_STATEMENTS = 256 };

#define POSTGRES_MS UINT64_C(1000000)

enum postgres_use {
	POSTGRES_READS,    /* each batch of statements sees one moment; nothing can be written */
	POSTGRES_WRITES,   /* beside a server */
	POSTGRES_SERVES,   /* the one server's: holds the club's lock */
	POSTGRES_NODE,     /* one of several: holds the same lock together with them */
	POSTGRES_MIGRATES, /* whatever version the database has */
	POSTGRES_MOVES,    /* one end of a move: holds the club's lock */
	POSTGRES_COPIES    /* reads everything beside the server; may take any time, as a move */
};

/* Something that went wrong. */
struct postgres_wrong {
	enum mrl_status status;
	struct mrl_error error;
	char code[6]; /* PostgreSQL's own; "" when it said none */
};

struct postgres {
	struct postgres_library lib;
	PGconn *connection; /* NULL: none at the moment */
	char *address;      /* as libpq wants it. There may be a password in it, so it is shown to nobody */
	enum postgres_use use;
	const atomic_bool *stop; /* may be NULL */
	uint64_t wait;           /* ns that whoever writes waits for a connection */

	bool lost; /* the connection is of no use any more */
	bool failed;
	struct postgres_wrong wrong; /* what went wrong first */

	uint64_t patience;         /* ns that an answer may take */
	uint64_t limit;            /* of mrl_clock_now(): of what is under way */
	bool cancelled;            /* it was told to stop, */
	bool too_long;             /* because it took too long */
	uint64_t retry_at;         /* the next try to connect is not before */
	unsigned tries;            /* that failed, in a row */
	bool given_up;             /* nobody waits for a connection any more; it is tried now and then */
	int64_t server_pid;        /* of the last connection: the process behind it */
	struct postgres_wrong why; /* there is no connection, or soon will be none */

	int64_t node;     /* POSTGRES_NODE: the id of this node; 0 of others */
	int64_t lease_ms; /* how long it counts as alive */
	const char *name; /* of the node; the store's */
	int64_t club;     /* the number of the club */

	/* The writer's mark in the database: postgres_group.c */
	int64_t writer;  /* 0: has none yet */
	int64_t session; /* of its connections */
	int64_t number;  /* of the last group */
	bool in_doubt;   /* whether that group was committed is not known */
	bool marked;     /* the mark was renewed on this connection */

	unsigned added; /* rows of a move whose results have not been taken */

	struct {
		const char *sql;
	} known[POSTGRES_STATEMENTS];
};

/* ---- Connections: postgres.c -------------------------------------------------------------------------------- */

/*
 * `address` (copied) is a URI, or keywords and values, or the name of a database: libpq's business. One try. On failure
 * there is nothing, and `error` says why. `wish` NULL: neither stop nor patience.
 */
enum mrl_status postgres_open(struct postgres **db, const char *address, enum postgres_use use,
			      const struct backend_wish *wish, struct mrl_error *error);
void postgres_close(struct postgres *db);

/*
 * Sees to it that there is a connection: makes another one if it was lost, trying again and again for `wait` ns; after
 * it has once waited in vain, only now and then, without waiting, until one try succeeds. False: there is none, which
 * is remembered as what went wrong. Clears what went wrong before.
 */
bool postgres_ready(struct postgres *db, uint64_t wait);

enum mrl_status postgres_status(const struct postgres *db, struct mrl_error *error);
void postgres_clear(struct postgres *db);
/* Remembers again what was kept in spite of postgres_clear(), unless something else went wrong meanwhile. */
void postgres_fail(struct postgres *db, const struct postgres_wrong *wrong);
void postgres_refuse(struct postgres *db, enum mrl_status status, const char *sentence);

/* The connection is given up, for this reason. */
void postgres_lose(struct postgres *db, const char *why);

/* Whether it was the database as a whole, so that everything beside it is lost as well. */
bool postgres_broken(const struct postgres *db);

/* ---- Statements: postgres_statement.c ----------------------------------------------------------------------- */

/* Remembers what a result says went wrong; whether something did. */
bool postgres_note(struct postgres *db, const PGresult *result);

/*
 * Prepares statements on this connection, unless they are: known by their address, so constants. The pipeline must be
 * empty; this waits for the answer. `sqls` ends with NULL.
 */
void postgres_prepare(struct postgres *db, const char *const *sqls);

/* Sends a statement, a prepared one if it is; its result is to be taken. Whether it could be sent. */
bool postgres_send(struct postgres *db, const char *sql, const struct bind *binds, size_t count);

/* The end of what was sent: what follows a failure up to here is not run. */
void postgres_sync(struct postgres *db);

/*
 * The result of the next statement, to be cleared; NULL when the connection is lost. What went wrong is remembered, but
 * not that a statement was left out after a failure.
 */
PGresult *postgres_take(struct postgres *db);
void postgres_take_sync(struct postgres *db);

/* All of it for one statement: prepared, sent, taken. NULL when something went wrong. */
PGresult *postgres_run(struct postgres *db, const char *sql, const struct bind *binds, size_t count);

/* The same for a text that is used once, and without its result. */
PGresult *postgres_run_once(struct postgres *db, const char *sql, const struct bind *binds, size_t count);
void postgres_do(struct postgres *db, const char *sql);

/* The number in the only row; `otherwise` when there is none, or NULL. */
int64_t postgres_number(struct postgres *db, const char *sql, const struct bind *binds, size_t count,
			int64_t otherwise);

/* ---- Columns of a row --------------------------------------------------------------------------------------- */

struct postgres_row {
	struct postgres *db;
	const PGresult *result;
	int row;
};

/* Goes through the rows of a result, up to the first failure: before the first one, and on to the next. NULL has none.
 */
struct postgres_row postgres_rows(struct postgres *db, const PGresult *result);
bool postgres_next(struct postgres_row *row);

int64_t postgres_integer(const struct postgres_row *row, int column);
double postgres_real(const struct postgres_row *row, int column);
bool postgres_is_null(const struct postgres_row *row, int column);

/* A copy in the task's memory; "" for NULL. */
const char *postgres_text(const struct postgres_row *row, struct task *task, int column);

/* NULL unless there are so many bytes. */
const uint8_t *postgres_bytes(const struct postgres_row *row, int column, size_t count);

void postgres_free(const struct postgres *db, PGresult *result);

/* Adds a zeroed row; NULL (and remembered) when there is no memory. */
void *postgres_add_row(struct postgres *db, struct rows *rows, size_t size);

#define POSTGRES_ID(row, column) ((uint64_t)postgres_integer(row, column))

/* ---- The database: postgres_schema.c ------------------------------------------------------------------------ */

/* A step from one version of the database to the next. */
struct postgres_step {
	const char *const *sql; /* statements; NULL behind the last */
};

extern const struct postgres_step postgres_steps[];
extern const unsigned postgres_step_count;

/*
 * Brings a database to version `count`, each step in a transaction of its own. MRL_UNSUPPORTED when it is newer, or the
 * schema has tables of another program; MRL_BUSY when a server is using an older one.
 */
enum mrl_status postgres_migrate(struct postgres *db, const struct postgres_step *steps, unsigned count,
				 struct mrl_error *error);

/* MRL_UNSUPPORTED when the database does not have version `count`; remembered. */
void postgres_check_version(struct postgres *db, unsigned count);

/* ---- What is written: postgres_group.c, postgres_write.c ---------------------------------------------------- */

/* Writes a group: see backend.h. */
enum mrl_status postgres_write_group(struct postgres *db, struct task *group);

/* After writing has failed, when there is nothing to write: whether a lost connection is made again and can write. */
bool postgres_revive(struct postgres *db);

/* Takes the writer's mark away. */
void postgres_unmark(struct postgres *db);

/* Every statement that postgres_send_op() may send, for postgres_prepare(). */
extern const char *const postgres_write_statements[];

/* Sends the statements of one thing of a change; how many. */
unsigned postgres_send_op(struct postgres *db, const struct op *op);

/* How many rows of sessions or guests the last of them removed. */
uint64_t postgres_affected(struct postgres *db, const struct op *op, PGresult *result);

/* ---- Several servers: postgres_nodes.c ---------------------------------------------------------------------- */

extern const char *const postgres_node_statements[];

/* Makes the node known that this connection writes for; or, of a server alone, sees to it that there are no nodes. */
void postgres_enter(struct postgres *db);

/* Sends what a node writes; how many statements. And takes the rows that came of one of them into the task. */
unsigned postgres_send_node(struct postgres *db, const struct op *op);
void postgres_take_node(struct postgres *db, struct task *task, const struct op *op, PGresult *result);

/* Whose games are: fills task->answer. */
void postgres_read_owners(struct postgres *db, struct task *task);

/* ---- What is read ------------------------------------------------------------------------------------------- */

/* Fill task->answer; what goes wrong is remembered. */
void postgres_read_people(struct postgres *db, struct task *task);
void postgres_read_small(struct postgres *db, struct task *task);
void postgres_read_ratings(struct postgres *db, struct task *task);
void postgres_read_games(struct postgres *db, struct task *task);
void postgres_read_archive(struct postgres *db, struct task *task);

/* Adds a game of a row that has GAME_COLUMNS (columns.h), or NULL. */
struct mrl_store_game *postgres_add_game(struct postgres *db, struct task *task, const struct postgres_row *found);

/* Adds the events that a result has, which the task's memory then holds. */
void postgres_add_events(struct postgres *db, struct task *task, struct mrl_store_game *game, const PGresult *found);

extern const char postgres_events_sql[];

#endif
