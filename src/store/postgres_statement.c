/* Statements on their way to PostgreSQL, and what comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/socket.h>

#include "postgres.h"

enum {
	MOST_VALUES = 32,
	NUMBER_BYTES = 24,
	LOOK_MS = 100,   /* between two looks at whether to stop */
	CANCEL_MS = 5000 /* what was told to stop may take this long to do so */
};

/* ---- What went wrong ---------------------------------------------------------------------------------------- */

struct meaning {
	const char *code; /* SQLSTATE, or how it begins */
	enum mrl_status status;
	const char *sentence; /* NULL: PostgreSQL's own */
};

/* The first that fits. MR... are the refusals of our own functions (postgres_schema.c), which bring their sentence. */
static const struct meaning meanings[] = {
    {"MR404", MRL_MISSING, NULL},
    {"MR409", MRL_CONFLICT, NULL},
    {"MR410", MRL_TAKEN, NULL},
    {"23505", MRL_CONFLICT, "there is something with this id already"},
    {"23503", MRL_MISSING, "somebody or something that it speaks of is not there"},
    {"23", MRL_RANGE, NULL},
    {"22", MRL_RANGE, NULL},
    {"53100", MRL_FULL, "PostgreSQL cannot write: the disk is full"},
    {"53200", MRL_SPACE, "PostgreSQL has not enough memory"},
    {"25006", MRL_SYSTEM,
     "PostgreSQL is read-only: a standby, or default_transaction_read_only is set; name the server that can write"},
    {"40001", MRL_BUSY, "another program was writing the same, and did not finish in time"},
    {"40P01", MRL_BUSY, "another program was writing the same, and did not finish in time"},
    {"55P03", MRL_BUSY, "another program was writing the same, and did not finish in time"},
    {"", MRL_SYSTEM, NULL},
};

/* Of the constraints whose failure has a sentence of its own. */
static const struct meaning constraints[] = {
    {"people_name", MRL_CONFLICT, "the name is taken"},
    {"people_pkey", MRL_CONFLICT, "there is a person with this id already"},
    {"sessions_pkey", MRL_CONFLICT, "there is a session with this hash already"},
    {"games_pkey", MRL_CONFLICT, "there is a game with this id already"},
    {"games_white_fkey", MRL_MISSING, "there is no such player"},
    {"games_black_fkey", MRL_MISSING, "there is no such player"},
    {"events_pkey", MRL_CONFLICT, "the event's number is not the next of the game"},
    {"events_game_fkey", MRL_MISSING, "there is no such game"},
};

static const struct meaning *find_meaning(const char *code, const char *constraint)
{
	size_t i = 0;

	for (size_t at = 0; at < sizeof(constraints) / sizeof(constraints[0]); at++) {
		if (strcmp(constraint, constraints[at].code) == 0)
			return &constraints[at];
	}
	while (strncmp(code, meanings[i].code, strlen(meanings[i].code)) != 0)
		i++;
	return &meanings[i];
}

static const char *field(const struct postgres *db, const PGresult *result, int name)
{
	const char *text = db->lib.result_field(result, name);

	return text == NULL ? "" : text;
}

/* The server ends the session, or cannot go on. */
static bool ends_session(const char *code)
{
	return strncmp(code, "57P", 3) == 0 || strncmp(code, "08", 2) == 0 || strncmp(code, "XX", 2) == 0 ||
	       strncmp(code, "58", 2) == 0 || strcmp(code, "25P03") == 0;
}

bool postgres_note(struct postgres *db, const PGresult *result)
{
	ExecStatusType is = db->lib.result_status(result);

	if (is != PGRES_FATAL_ERROR)
		return false;
	const char *code = field(db, result, PG_DIAG_SQLSTATE);
	const char *words = field(db, result, PG_DIAG_MESSAGE_PRIMARY);

	if (db->lib.status(db->connection) == CONNECTION_BAD || code[0] == '\0' || ends_session(code)) {
		postgres_lose(db, words[0] != '\0' ? words : db->lib.error_message(db->connection));
		return true;
	}
	if (db->failed)
		return true;
	if (strcmp(code, "57014") == 0 && db->cancelled) {
		postgres_refuse(db, MRL_STOPPED,
				db->too_long ? "the search took too long; ask for less" : "the store is being closed");
		return true;
	}
	const struct meaning *meaning = find_meaning(code, field(db, result, PG_DIAG_CONSTRAINT_NAME));
	struct mrl_text text = mrl_error_open(&db->wrong.error, meaning->status, 0, 0);

	if (meaning->sentence == NULL && strncmp(code, "MR", 2) != 0)
		mrl_text_add(&text, "PostgreSQL: ");
	if (meaning->sentence != NULL)
		words = meaning->sentence;
	for (; *words != '\0'; words++)
		mrl_text_char(&text, (unsigned char)*words < ' ' ? ' ' : *words);
	db->failed = true;
	db->wrong.status = meaning->status;
	memcpy(db->wrong.code, code, sizeof(db->wrong.code) - 1);
	return true;
}

/* ---- Sending ------------------------------------------------------------------------------------------------ */

/* Values as PostgreSQL takes them: numbers and texts as text, doubles and bytes as they are. */
struct values {
	const char *at[MOST_VALUES];
	int lengths[MOST_VALUES];
	int formats[MOST_VALUES];
	Oid types[MOST_VALUES]; /* for statements that are not prepared: a value may stand nowhere in one */
	char numbers[MOST_VALUES][NUMBER_BYTES];
};

static void put_real(char bytes[8], double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (char)(bits >> (56 - 8 * i) & 0xff);
}

static void fill(struct values *values, const struct bind *binds, size_t count)
{
	static const Oid types[] = {
	    [BIND_NULL] = 0, [BIND_INTEGER] = 20, [BIND_REAL] = 701, [BIND_TEXT] = 25, [BIND_BYTES] = 17};

	for (size_t i = 0; i < count; i++) {
		struct mrl_text text = mrl_text_in(values->numbers[i], NUMBER_BYTES);

		values->at[i] = values->numbers[i];
		values->lengths[i] = 0;
		values->formats[i] = 0;
		values->types[i] = types[binds[i].kind];
		switch (binds[i].kind) {
		case BIND_NULL:
			values->at[i] = NULL;
			break;
		case BIND_INTEGER:
			mrl_text_signed(&text, binds[i].integer);
			break;
		case BIND_REAL:
			put_real(values->numbers[i], binds[i].real);
			values->lengths[i] = 8;
			values->formats[i] = 1;
			break;
		case BIND_TEXT:
			values->at[i] = binds[i].text;
			break;
		case BIND_BYTES:
			values->at[i] = binds[i].text;
			values->lengths[i] = MRL_STORE_HASH_BYTES;
			values->formats[i] = 1;
			break;
		}
	}
}

/* The place of a statement among those that are known, or of the first free one after it. */
static size_t find_known(const struct postgres *db, const char *sql)
{
	size_t at = (size_t)((uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15) >> 56);

	while (db->known[at].sql != NULL && db->known[at].sql != sql)
		at = (at + 1) % POSTGRES_STATEMENTS;
	return at;
}

struct name {
	char text[16];
};

static struct name name_of(size_t place)
{
	struct name name;
	struct mrl_text text = mrl_text_in(name.text, sizeof(name.text));

	mrl_text_add(&text, "s");
	mrl_text_number(&text, place);
	return name;
}

/* Whatever was sent last went into libpq's memory; if not, there is no connection any more. */
static bool check_sent(struct postgres *db, int sent)
{
	if (sent == 1)
		return true;
	postgres_lose(db, db->lib.error_message(db->connection));
	return false;
}

void postgres_prepare(struct postgres *db, const char *const *sqls)
{
	bool sent = false;

	for (const char *const *sql = sqls; *sql != NULL && !db->failed; sql++) {
		size_t at = find_known(db, *sql);

		if (db->known[at].sql != NULL)
			continue;
		(void)check_sent(db, db->lib.send_prepare(db->connection, name_of(at).text, *sql, 0, NULL));
		db->known[at].sql = *sql;
		sent = true;
	}
	if (!sent)
		return;
	postgres_sync(db);
	/* As many results as were sent; when one fails, none counts, and the connection is not worth keeping. */
	for (const char *const *sql = sqls; *sql != NULL && !db->lost; sql++) {
		PGresult *result = postgres_take(db);

		if (result == NULL)
			break;
		bool synced = db->lib.result_status(result) == PGRES_PIPELINE_SYNC;

		postgres_free(db, result);
		if (synced)
			return;
	}
	postgres_take_sync(db);
	if (db->failed && !db->lost)
		postgres_lose(db, db->wrong.error.message);
}

bool postgres_send(struct postgres *db, const char *sql, const struct bind *binds, size_t count)
{
	struct values values;
	size_t at;

	if (db->failed)
		return false;
	fill(&values, binds, count);
	at = find_known(db, sql);
	if (db->known[at].sql == NULL)
		return check_sent(db, db->lib.send_once(db->connection, sql, (int)count, values.types, values.at,
							values.lengths, values.formats, 1));
	return check_sent(db, db->lib.send_prepared(db->connection, name_of(at).text, (int)count, values.at,
						    values.lengths, values.formats, 1));
}

void postgres_sync(struct postgres *db)
{
	if (!db->lost)
		(void)check_sent(db, db->lib.pipeline_sync(db->connection));
	db->cancelled = false;
	db->limit = mrl_clock_now() + db->patience;
}

/* ---- Taking ------------------------------------------------------------------------------------------------- */

static void cancel(struct postgres *db)
{
	char why[256];
	PGcancel *cancel = db->lib.get_cancel(db->connection);

	if (cancel != NULL)
		(void)db->lib.cancel(cancel, why, sizeof(why));
	db->lib.free_cancel(cancel);
	db->cancelled = true;
	db->limit = mrl_clock_now() + CANCEL_MS * POSTGRES_MS;
}

/* A read is told to stop when it takes too long or the store closes; what is written is never left alone. */
static void look_at_clock(struct postgres *db, uint64_t now)
{
	bool reads = db->use == POSTGRES_READS;
	bool stops = db->use != POSTGRES_WRITES && db->use != POSTGRES_SERVES && db->stop != NULL &&
		     atomic_load_explicit(db->stop, memory_order_relaxed);

	if (now > db->limit && (!reads || db->cancelled)) {
		postgres_lose(db, "it does not answer");
	} else if ((now > db->limit || stops) && !db->cancelled) {
		db->too_long = !stops;
		cancel(db);
	}
}

/* Sends what is to be sent and reads what comes, until there is a result; false when the connection is lost. */
static bool wait_for_result(struct postgres *db)
{
	while (!db->lost) {
		/* Its failure, and that of reading, is the next result, which says why. */
		int unsent = db->lib.flush(db->connection);

		if (db->lib.is_busy(db->connection) == 0)
			return true;
		uint64_t now = mrl_clock_now();

		(void)mrl_socket_wait(db->lib.socket(db->connection), true, unsent == 1, now + LOOK_MS * POSTGRES_MS);
		if (db->lib.consume(db->connection) != 1 && db->lib.is_busy(db->connection) != 0)
			postgres_lose(db, db->lib.error_message(db->connection));
		look_at_clock(db, mrl_clock_now());
	}
	return false;
}

PGresult *postgres_take(struct postgres *db)
{
	/* Behind the result of a statement there is an end, but not behind that of a sync. */
	for (unsigned ends = 0; ends < 2 && wait_for_result(db); ends++) {
		PGresult *result = db->lib.get_result(db->connection);

		if (result == NULL)
			continue;
		(void)postgres_note(db, result);
		if (db->use != POSTGRES_READS)
			db->limit = mrl_clock_now() + db->patience;
		if (!db->lost)
			return result;
		db->lib.clear(result);
	}
	if (!db->lost)
		postgres_lose(db, "it has no more to say");
	return NULL;
}

void postgres_take_sync(struct postgres *db)
{
	while (!db->lost) {
		PGresult *result = postgres_take(db);

		if (result == NULL)
			return;
		bool synced = db->lib.result_status(result) == PGRES_PIPELINE_SYNC;

		db->lib.clear(result);
		if (synced)
			return;
	}
}

/* ---- One statement ------------------------------------------------------------------------------------------ */

PGresult *postgres_run_once(struct postgres *db, const char *sql, const struct bind *binds, size_t count)
{
	PGresult *result = NULL;

	if (!postgres_send(db, sql, binds, count))
		return NULL;
	postgres_sync(db);
	result = postgres_take(db);
	postgres_take_sync(db);
	if (!db->failed)
		return result;
	postgres_free(db, result);
	return NULL;
}

PGresult *postgres_run(struct postgres *db, const char *sql, const struct bind *binds, size_t count)
{
	if (db->failed)
		return NULL;
	postgres_prepare(db, (const char *const[]){sql, NULL});
	return postgres_run_once(db, sql, binds, count);
}

void postgres_do(struct postgres *db, const char *sql)
{
	postgres_free(db, postgres_run_once(db, sql, WITHOUT));
}

int64_t postgres_number(struct postgres *db, const char *sql, const struct bind *binds, size_t count, int64_t otherwise)
{
	PGresult *result = postgres_run_once(db, sql, binds, count);
	int64_t number = otherwise;

	for (struct postgres_row row = postgres_rows(db, result); postgres_next(&row);) {
		if (!postgres_is_null(&row, 0))
			number = postgres_integer(&row, 0);
	}
	postgres_free(db, result);
	return number;
}

/* ---- Columns ------------------------------------------------------------------------------------------------ */

/* Numbers come as they are, the highest byte first. */
static uint64_t read_bytes(const char *bytes, int count)
{
	uint64_t number = 0;

	for (int i = 0; i < count; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return number;
}

struct postgres_row postgres_rows(struct postgres *db, const PGresult *result)
{
	return (struct postgres_row){.db = db, .result = result, .row = -1};
}

bool postgres_next(struct postgres_row *row)
{
	row->row++;
	return row->result != NULL && !row->db->failed && row->row < row->db->lib.rows(row->result);
}

int64_t postgres_integer(const struct postgres_row *row, int column)
{
	const struct postgres_library *lib = &row->db->lib;
	int length = lib->length(row->result, row->row, column);
	uint64_t number = read_bytes(lib->value(row->result, row->row, column), length);

	switch (length) {
	case 2:
		return (int16_t)number;
	case 4:
		return (int32_t)number;
	default: /* 8, a bool's 1, and 0 of NULL */
		return (int64_t)number;
	}
}

double postgres_real(const struct postgres_row *row, int column)
{
	const struct postgres_library *lib = &row->db->lib;
	uint64_t bits = 0;
	double real;

	if (lib->length(row->result, row->row, column) == 8)
		bits = read_bytes(lib->value(row->result, row->row, column), 8);
	memcpy(&real, &bits, sizeof(real));
	return real;
}

bool postgres_is_null(const struct postgres_row *row, int column)
{
	return row->db->lib.is_null(row->result, row->row, column) == 1;
}

const char *postgres_text(const struct postgres_row *row, struct task *task, int column)
{
	const struct postgres_library *lib = &row->db->lib;
	int length = lib->length(row->result, row->row, column);

	if (length <= 0)
		return "";
	const char *copy = arena_text(&task->memory, lib->value(row->result, row->row, column), (size_t)length);

	if (copy == NULL)
		postgres_refuse(row->db, MRL_SPACE, "there is not enough memory for what was read");
	return copy == NULL ? "" : copy;
}

const uint8_t *postgres_bytes(const struct postgres_row *row, int column, size_t count)
{
	const struct postgres_library *lib = &row->db->lib;

	if (lib->length(row->result, row->row, column) != (int)count)
		return NULL;
	return (const uint8_t *)lib->value(row->result, row->row, column);
}

void postgres_free(const struct postgres *db, PGresult *result)
{
	db->lib.clear(result);
}

void *postgres_add_row(struct postgres *db, struct rows *rows, size_t size)
{
	void *row = rows_add(rows, size);

	if (row == NULL)
		postgres_refuse(db, MRL_SPACE, "there is not enough memory for what was read");
	return row;
}
