#include "sqlite.h"

#include <merels/text.h>

/*
 * docs/STORE.md tells the tables. A step is never changed once it was released: what must be different is a step more.
 * Numbers of kinds and states are those of store_values.h.
 */
static const char *const version_1[] = {
    "CREATE TABLE people("
    " id INTEGER PRIMARY KEY,"
    " kind INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " name_key TEXT UNIQUE," /* the name in small letters; NULL where it need not be unique */
    " password TEXT NOT NULL,"
    " email TEXT NOT NULL,"
    " created INTEGER NOT NULL,"
    " seen INTEGER NOT NULL,"
    " banned_until INTEGER NOT NULL,"
    " ban_reason TEXT NOT NULL,"
    " kept INTEGER NOT NULL DEFAULT 0" /* a guest that has been found in a game */
    ") STRICT",
    "CREATE INDEX people_idle ON people(seen) WHERE kind = 0 AND kept = 0",

    "CREATE TABLE sessions("
    " hash BLOB PRIMARY KEY,"
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " kind INTEGER NOT NULL,"
    " label TEXT NOT NULL,"
    " created INTEGER NOT NULL,"
    " seen INTEGER NOT NULL,"
    " expires INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID",
    "CREATE INDEX sessions_person ON sessions(person)",
    "CREATE INDEX sessions_expires ON sessions(expires)",

    "CREATE TABLE settings("
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " key TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " PRIMARY KEY(person, key)"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE mutes("
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " muted INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " wall INTEGER NOT NULL,"
    " PRIMARY KEY(person, muted)"
    ") STRICT, WITHOUT ROWID",
    "CREATE INDEX mutes_muted ON mutes(muted)",

    "CREATE TABLE games("
    " id INTEGER PRIMARY KEY,"
    " state INTEGER NOT NULL,"
    " rules TEXT NOT NULL,"
    " owner INTEGER REFERENCES people(id),"
    " rated INTEGER NOT NULL,"
    " private INTEGER NOT NULL,"
    " speed INTEGER NOT NULL,"
    " base_ms INTEGER NOT NULL,"
    " increment_ms INTEGER NOT NULL,"
    " days INTEGER NOT NULL,"
    " white_kind INTEGER NOT NULL,"
    " white INTEGER REFERENCES people(id),"
    " white_level INTEGER NOT NULL,"
    " white_rating REAL,"
    " white_deviation REAL,"
    " white_change REAL,"
    " black_kind INTEGER NOT NULL,"
    " black INTEGER REFERENCES people(id),"
    " black_level INTEGER NOT NULL,"
    " black_rating REAL,"
    " black_deviation REAL,"
    " black_change REAL,"
    " created INTEGER NOT NULL,"
    " started INTEGER NOT NULL,"
    " ended INTEGER NOT NULL,"
    " outcome INTEGER NOT NULL,"
    " reason TEXT NOT NULL,"
    " plies INTEGER NOT NULL,"
    " opening TEXT NOT NULL" /* each turn with a space behind it, so that a prefix ends with a whole turn */
    ") STRICT",
    "CREATE INDEX games_unfinished ON games(state, id) WHERE state < 2",
    "CREATE INDEX games_owner ON games(owner, state)",
    "CREATE INDEX games_white ON games(white, state, ended, id)",
    "CREATE INDEX games_black ON games(black, state, ended, id)",
    "CREATE INDEX games_ended ON games(ended, id) WHERE state = 2 AND private = 0",
    "CREATE INDEX games_rules ON games(rules, ended, id) WHERE state = 2 AND private = 0",
    "CREATE INDEX games_opening ON games(opening, ended, id) WHERE state = 2 AND private = 0",

    "CREATE TABLE events("
    " game INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL,"
    " t INTEGER NOT NULL,"
    " wall INTEGER NOT NULL,"
    " text TEXT NOT NULL,"
    " PRIMARY KEY(game, number)"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE ratings("
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " rules TEXT NOT NULL,"
    " speed INTEGER NOT NULL,"
    " rating REAL NOT NULL,"
    " deviation REAL NOT NULL,"
    " volatility REAL NOT NULL,"
    " games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL,"
    " losses INTEGER NOT NULL,"
    " draws INTEGER NOT NULL,"
    " best REAL NOT NULL,"
    " changed INTEGER NOT NULL,"
    " game INTEGER NOT NULL,"
    " PRIMARY KEY(person, rules, speed)"
    ") STRICT, WITHOUT ROWID",
    "CREATE INDEX ratings_leaders ON ratings(rules, speed, rating, person)",

    "CREATE TABLE rating_points("
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " rules TEXT NOT NULL,"
    " speed INTEGER NOT NULL,"
    " number INTEGER NOT NULL," /* of the rated game */
    " wall INTEGER NOT NULL,"
    " game INTEGER NOT NULL,"
    " rating REAL NOT NULL,"
    " deviation REAL NOT NULL,"
    " PRIMARY KEY(person, rules, speed, number)"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE seeks("
    " id INTEGER PRIMARY KEY,"
    " person INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " t INTEGER NOT NULL,"
    " wall INTEGER NOT NULL,"
    " text TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX seeks_person ON seeks(person)",

    "CREATE TABLE reports("
    " id INTEGER PRIMARY KEY,"
    " reporter INTEGER NOT NULL REFERENCES people(id),"
    " reported INTEGER NOT NULL REFERENCES people(id),"
    " game INTEGER NOT NULL,"
    " event INTEGER NOT NULL,"
    " text TEXT NOT NULL,"
    " note TEXT NOT NULL,"
    " wall INTEGER NOT NULL,"
    " closed INTEGER NOT NULL,"
    " verdict TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX reports_reporter ON reports(reporter)",
    "CREATE INDEX reports_reported ON reports(reported)",
    "CREATE INDEX reports_wall ON reports(wall, id)",
    "CREATE INDEX reports_open ON reports(wall, id) WHERE closed = 0",

    "CREATE TABLE counts("
    " day INTEGER NOT NULL,"
    " what TEXT NOT NULL,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY(day, what)"
    ") STRICT, WITHOUT ROWID",
    NULL,
};

/* Two who play each other, and who is deleted: found without a look at all games of one, at all people. */
static const char *const version_2[] = {
    "CREATE INDEX games_pair ON games(white, black, ended, id) WHERE state = 2",
    "CREATE INDEX people_deleted ON people(id) WHERE kind = 3",
    NULL,
};

const struct sqlite_step sqlite_steps[] = {{version_1}, {version_2}};
const unsigned sqlite_step_count = sizeof(sqlite_steps) / sizeof(sqlite_steps[0]);

/* "MRLS", in the file's header: a database that does not have it is somebody else's. */
enum { APPLICATION = 0x4d524c53 };

/* Of pragmas. */
static int64_t header_number(struct sqlite *db, const char *sql)
{
	return sqlite_number(db, sql, WITHOUT, 0);
}

static enum mrl_status refuse_newer(struct mrl_error *error, const char *path, int64_t has, unsigned count)
{
	struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

	mrl_text_add(&text, path);
	mrl_text_add(&text, " has version ");
	mrl_text_signed(&text, has);
	mrl_text_add(&text, ", and this program knows versions up to ");
	mrl_text_number(&text, count);
	mrl_text_add(&text, ": use a newer program");
	return MRL_UNSUPPORTED;
}

static enum mrl_status refuse_foreign(struct mrl_error *error, const char *path)
{
	struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

	mrl_text_add(&text, path);
	mrl_text_add(&text, " is a database of another program");
	return MRL_UNSUPPORTED;
}

/* The version of a database of ours, 0 for an empty one. */
static enum mrl_status read_version(struct sqlite *db, int64_t *version, struct mrl_error *error)
{
	int64_t application = header_number(db, "PRAGMA application_id");
	int64_t tables = header_number(db, "SELECT count(*) FROM sqlite_schema");

	*version = header_number(db, "PRAGMA user_version");
	if (db->code != 0)
		return sqlite_status(db, error);
	if (application != APPLICATION && (tables > 0 || application != 0 || *version != 0))
		return refuse_foreign(error, db->path);
	return MRL_OK;
}

static void exec(struct sqlite *db, const char *sql)
{
	if (db->code == 0)
		sqlite_fail(db, sqlite3_exec(db->handle, sql, NULL, NULL, NULL));
}

/* One step, whole or not at all. */
static enum mrl_status take_step(struct sqlite *db, const char *const *sql, unsigned version, struct mrl_error *error)
{
	char pragma[64];
	struct mrl_text text = mrl_text_in(pragma, sizeof(pragma));

	mrl_text_add(&text, "PRAGMA user_version = ");
	mrl_text_number(&text, version);
	exec(db, "BEGIN IMMEDIATE");
	for (; *sql != NULL; sql++)
		exec(db, *sql);
	exec(db, pragma);
	if (version == 1) {
		text = mrl_text_in(pragma, sizeof(pragma));
		mrl_text_add(&text, "PRAGMA application_id = ");
		mrl_text_number(&text, APPLICATION);
		exec(db, pragma);
	}
	exec(db, "COMMIT");
	enum mrl_status status = sqlite_status(db, error);

	if (status != MRL_OK && sqlite3_get_autocommit(db->handle) == 0)
		(void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

enum mrl_status sqlite_migrate(struct sqlite *db, const struct sqlite_step *steps, unsigned count,
			       struct mrl_error *error)
{
	int64_t version;
	enum mrl_status status = read_version(db, &version, error);

	if (status != MRL_OK)
		return status;
	if (version < 0 || version > (int64_t)count)
		return refuse_newer(error, db->path, version, count);
	for (unsigned at = (unsigned)version; at < count && status == MRL_OK; at++)
		status = take_step(db, steps[at].sql, at + 1, error);
	return status;
}

enum mrl_status sqlite_check_version(struct sqlite *db, unsigned count, struct mrl_error *error)
{
	int64_t version;
	enum mrl_status status = read_version(db, &version, error);

	if (status != MRL_OK)
		return status;
	if (version > (int64_t)count)
		return refuse_newer(error, db->path, version, count);
	if (version == (int64_t)count)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

	mrl_text_add(&text, db->path);
	mrl_text_add(&text, " has version ");
	mrl_text_signed(&text, version);
	mrl_text_add(&text, ", this program needs ");
	mrl_text_number(&text, count);
	mrl_text_add(&text, ", and a server is using it: stop that server first");
	return MRL_UNSUPPORTED;
}
