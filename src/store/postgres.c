#include "postgres.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/socket.h>

/* How long an answer may take before the connection counts as lost, or a read is told to stop. */
#define PATIENCE (10000 * POSTGRES_MS)
#define PATIENCE_OF_MOVES (3600000 * POSTGRES_MS)

/* Between two tries to connect: at first, and at most. */
enum { FIRST_PAUSE_MS = 50, LONGEST_PAUSE_MS = 500, TRIES_WHEN_CLOSING = 3 };

/* How often, and after which pause, the club's lock is tried for. */
enum { LOCK_TRIES = 20, LOCK_PAUSE_MS = 100 };

/* ---- What went wrong ---------------------------------------------------------------------------------------- */

enum mrl_status postgres_status(const struct postgres *db, struct mrl_error *error)
{
	if (!db->failed)
		return MRL_OK;
	if (error != NULL)
		*error = db->wrong.error;
	return db->wrong.status;
}

void postgres_clear(struct postgres *db)
{
	db->failed = false;
	db->wrong.status = MRL_OK;
	db->wrong.code[0] = '\0';
	db->too_long = false;
}

void postgres_fail(struct postgres *db, const struct postgres_wrong *wrong)
{
	if (db->failed)
		return;
	db->failed = true;
	db->wrong = *wrong;
}

void postgres_refuse(struct postgres *db, enum mrl_status status, const char *sentence)
{
	if (db->failed)
		return;
	struct mrl_text text = mrl_error_open(&db->wrong.error, status, 0, 0);

	mrl_text_add(&text, sentence);
	db->failed = true;
	db->wrong.status = status;
}

bool postgres_broken(const struct postgres *db)
{
	return db->failed &&
	       (db->wrong.status == MRL_SYSTEM || db->wrong.status == MRL_FULL || db->wrong.status == MRL_BUSY ||
		db->wrong.status == MRL_SPACE || db->wrong.status == MRL_UNSUPPORTED);
}

/* What libpq says, in one line: it has several and ends with one. */
static void add_words(struct mrl_text *text, const char *words)
{
	bool gap = false;
	bool line = false;

	for (; *words != '\0'; words++) {
		if ((unsigned char)*words <= ' ') {
			gap = true;
			/* A line that is indented goes on with the one before. */
			line = (line || *words == '\n') && words[1] != '\t';
			continue;
		}
		if (gap)
			mrl_text_add(text, line ? "; " : " ");
		gap = false;
		line = false;
		mrl_text_char(text, *words);
	}
}

void postgres_lose(struct postgres *db, const char *why)
{
	struct mrl_text text = mrl_error_open(&db->why.error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "the connection to PostgreSQL is lost: ");
	add_words(&text, why);
	db->why.status = MRL_SYSTEM;
	db->why.code[0] = '\0';
	db->lost = true;
	postgres_fail(db, &db->why);
}

/* ---- Connecting --------------------------------------------------------------------------------------------- */

static void ignore_notice(void *argument, const char *message)
{
	(void)argument;
	(void)message;
}

static void disconnect(struct postgres *db)
{
	if (db->connection != NULL)
		db->lib.finish(db->connection);
	db->connection = NULL;
	db->lost = false;
	db->cancelled = false;
	db->marked = false;
	memset(db->known, 0, sizeof(db->known));
}

/* What is said before the address may be said otherwise by it; what is said behind may not. */
static PGconn *connect_to(const struct postgres *db)
{
	static const char *const keywords[] = {
	    "connect_timeout",  "keepalives_idle", "keepalives_interval", "keepalives_count",
	    "application_name", "dbname",          "client_encoding",     NULL};
	const char *const values[] = {"5", "10", "5", "3", "merels", db->address, "UTF8", NULL};

	return db->lib.connect(keywords, values, 1);
}

/*
 * What every session needs. "Committed before answered" is not left to a default that was turned off. A session whose
 * client is gone must not sit on its transaction, nor on the club's lock.
 */
static void set_up(struct postgres *db)
{
	static const char sql[] =
	    "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' "
	    "ELSE current_setting('synchronous_commit') END, false),"
	    "set_config('default_transaction_isolation', $1, false),"
	    "CASE WHEN $2::bigint = 1 THEN set_config('default_transaction_read_only', 'on', false) END,"
	    "set_config('idle_in_transaction_session_timeout', $3, false),"
	    "set_config('statement_timeout', '0', false),"
	    "set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),"
	    "set_config('tcp_keepalives_count', '3', false),"
	    "current_setting('server_encoding') = 'UTF8', pg_backend_pid()";
	bool moves = db->use == POSTGRES_MOVES || db->use == POSTGRES_COPIES;
	bool reads = db->use == POSTGRES_READS || moves;
	bool locked = db->use == POSTGRES_READS || db->use == POSTGRES_COPIES;
	PGresult *result = postgres_run_once(
	    db, sql,
	    WITH(TEXT(reads ? "repeatable read" : "read committed"), INTEGER(locked), TEXT(moves ? "0" : "10s")));

	for (struct postgres_row row = postgres_rows(db, result); postgres_next(&row);) {
		if (postgres_integer(&row, 8) == 0)
			postgres_refuse(db, MRL_UNSUPPORTED,
					"the database of PostgreSQL has another encoding than UTF8: make one with "
					"CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0");
		db->server_pid = postgres_integer(&row, 9);
	}
	postgres_free(db, result);
}

/*
 * One server alone serves a club, that is: a schema of a database; or several do that know of each other. A session of
 * our own that the other side has not yet noticed to be gone is ended.
 */
static void take_lock(struct postgres *db, int64_t before)
{
	static const char alone[] = "SELECT pg_try_advisory_lock(1296256083, current_schema()::regnamespace::oid::int)";
	static const char together[] =
	    "SELECT pg_try_advisory_lock_shared(1296256083, current_schema()::regnamespace::oid::int)";
	const char *sql = db->use == POSTGRES_NODE ? together : alone;
	static const char end[] =
	    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1296256083 "
	    "AND objid = current_schema()::regnamespace::oid AND pid = $1 AND granted";

	/* That of a server that was killed a moment ago still has to notice. */
	for (unsigned tries = 0; tries < LOCK_TRIES && !db->failed; tries++) {
		if (postgres_number(db, sql, WITHOUT, 0) == 1)
			return;
		if (before != 0 && tries == 0)
			postgres_free(db, postgres_run_once(db, end, WITH(INTEGER(before))));
		(void)mrl_socket_wait(-1, false, false, mrl_clock_now() + LOCK_PAUSE_MS * POSTGRES_MS);
	}
	postgres_refuse(db, MRL_BUSY,
			db->use == POSTGRES_NODE ? "a server that is alone, without a bus, is using this database"
						 : "another server is using this database");
}

static void set_retry(struct postgres *db)
{
	unsigned shift = db->tries < 8 ? db->tries : 8;
	uint64_t pause = (uint64_t)FIRST_PAUSE_MS << shift;

	if (pause > LONGEST_PAUSE_MS)
		pause = LONGEST_PAUSE_MS;
	db->tries++;
	/* From half to once and a half as long, so that many that were cut off together do not come back together. */
	uint64_t now = mrl_clock_now();
	uint64_t chance = (now ^ (uintptr_t)db) * UINT64_C(0x9e3779b97f4a7c15) >> 54;

	db->retry_at = now + pause * POSTGRES_MS * (512 + chance) / 1024;
}

/* What libpq says of a place that is none, before it has tried anything. */
static bool not_understood(const char *words)
{
	static const char *const beginnings[] = {
	    "invalid ",   "missing ",    "unterminated ",    "extra ",        "forbidden ",
	    "IPv6 host ", "unexpected ", "could not match ", "end of string", "definition of service"};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (strncmp(words, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	}
	return false;
}

/* A place that libpq does not understand it may repeat, wherever it thinks that the password is. */
static bool has_secret(const char *address)
{
	const char *at = strrchr(address, '@');
	const char *name = strstr(address, "//");

	if (strstr(address, "pass") != NULL || strchr(address, '%') != NULL)
		return true;
	return at != NULL && (name == NULL || at < name || memchr(name, ':', (size_t)(at - name)) != NULL);
}

/* There is no connection: because of the place, of the server, or of what lies between. */
static void refuse_connection(struct postgres *db)
{
	const char *words = db->lib.error_message(db->connection);
	/* A place that was one before still is one. */
	bool wrong = db->server_pid == 0 && not_understood(words);
	struct mrl_text text = mrl_error_open(&db->wrong.error, wrong ? MRL_NAME : MRL_SYSTEM, 0, 0);

	if (wrong)
		mrl_text_add(&text, "libpq does not understand the place of the database");
	else if (strstr(words, "FATAL: ") != NULL)
		mrl_text_add(&text, "PostgreSQL refuses");
	else
		mrl_text_add(&text, "PostgreSQL cannot be reached");
	if (!wrong || !has_secret(db->address)) {
		mrl_text_add(&text, ": ");
		add_words(&text, words);
	}
	db->failed = true;
	db->wrong.status = wrong ? MRL_NAME : MRL_SYSTEM;
}

/* One try. */
static bool try_connecting(struct postgres *db)
{
	int64_t before = db->server_pid;

	disconnect(db);
	postgres_clear(db);
	db->connection = connect_to(db);
	if (db->connection == NULL) {
		postgres_refuse(db, MRL_SPACE, "there is not enough memory to connect to PostgreSQL");
	} else if (db->lib.status(db->connection) != CONNECTION_OK) {
		refuse_connection(db);
	} else {
		(void)db->lib.set_notices(db->connection, ignore_notice, NULL);
		if (db->lib.set_nonblocking(db->connection, 1) != 0 || db->lib.enter_pipeline(db->connection) != 1)
			postgres_lose(db, db->lib.error_message(db->connection));
		set_up(db);
		if (db->use == POSTGRES_SERVES || db->use == POSTGRES_NODE || db->use == POSTGRES_MOVES)
			take_lock(db, before);
		if (db->use != POSTGRES_MIGRATES)
			postgres_check_version(db, postgres_step_count);
	}
	if (!db->failed && (db->use == POSTGRES_SERVES || db->use == POSTGRES_NODE))
		postgres_enter(db);
	if (!db->failed) {
		db->tries = 0;
		db->given_up = false;
		return true;
	}
	db->why = db->wrong;
	disconnect(db);
	set_retry(db);
	return false;
}

static bool must_stop(const struct postgres *db)
{
	return db->stop != NULL && atomic_load_explicit(db->stop, memory_order_relaxed);
}

/* Waits until it may be tried again; false when that is too late. */
static bool wait_for_retry(const struct postgres *db, uint64_t until)
{
	uint64_t now;

	while ((now = mrl_clock_now()) < db->retry_at) {
		if (db->retry_at > until || (must_stop(db) && db->tries > TRIES_WHEN_CLOSING))
			return false;
		uint64_t slice = now + 50 * POSTGRES_MS;

		(void)mrl_socket_wait(-1, false, false, slice < db->retry_at ? slice : db->retry_at);
	}
	return true;
}

bool postgres_ready(struct postgres *db, uint64_t wait)
{
	uint64_t until = mrl_clock_now() + (db->given_up ? 0 : wait);

	postgres_clear(db);
	if (db->connection != NULL && !db->lost)
		return true;
	if (db->connection != NULL) {
		disconnect(db);
		set_retry(db);
	}
	while (wait_for_retry(db, until)) {
		if (try_connecting(db))
			return true;
		/* It will not become another one by being asked again. */
		if (db->wrong.status == MRL_UNSUPPORTED || db->wrong.status == MRL_NAME)
			break;
	}
	db->given_up = true;
	postgres_clear(db);
	postgres_fail(db, &db->why);
	return false;
}

enum mrl_status postgres_open(struct postgres **db, const char *address, enum postgres_use use,
			      const struct backend_wish *wish, struct mrl_error *error)
{
	struct postgres *made = calloc(1, sizeof(*made));
	size_t length = strlen(address) + 1;

	if (made != NULL)
		made->address = malloc(length);
	if (made == NULL || made->address == NULL) {
		struct mrl_text text = mrl_error_open(error, MRL_SPACE, 0, 0);

		mrl_text_add(&text, "there is not enough memory to connect to PostgreSQL");
		free(made);
		return MRL_SPACE;
	}
	memcpy(made->address, address, length);
	made->use = use;
	if (wish != NULL) {
		made->stop = wish->stop;
		made->wait = wish->patience;
		made->node = (int64_t)wish->node;
		made->lease_ms = wish->lease_ms;
		made->name = wish->name;
	}
	made->patience = use >= POSTGRES_MIGRATES ? PATIENCE_OF_MOVES : PATIENCE;
	enum mrl_status status = postgres_library_load(&made->lib, error);

	if (status == MRL_OK && !try_connecting(made))
		status = postgres_status(made, error);
	if (status != MRL_OK) {
		postgres_close(made);
		return status;
	}
	*db = made;
	return MRL_OK;
}

void postgres_close(struct postgres *db)
{
	if (db == NULL)
		return;
	disconnect(db);
	free(db->address);
	free(db);
}
