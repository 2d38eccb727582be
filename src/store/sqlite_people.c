/* What is written about people and their sessions. */
#include <string.h>

#include "sqlite.h"

/* A sentence of our own for what SQLite calls a failed constraint. */
static void explain(struct sqlite *db, enum mrl_status status, const char *sentence)
{
	if (db->status != status)
		return;
	sqlite_clear(db);
	sqlite_refuse(db, status, sentence);
}

static const char name_taken[] = "the name is taken";
static const char nobody[] = "there is no such person";

static bool has_person(struct sqlite *db, uint64_t person)
{
	static const char sql[] = "SELECT 1 FROM people WHERE id = ? AND kind <> 3";

	return sqlite_number(db, sql, WITH(INTEGER(person)), 0) == 1;
}

static void add_person(struct sqlite *db, const struct mrl_store_person *person)
{
	static const char sql[] =
	    "INSERT INTO people(id, kind, name, name_key, password, email, created, seen, banned_until, "
	    "ban_reason) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct name_key key = name_key_of(person->name);

	sqlite_run(db, sql,
		   WITH(INTEGER(person->id), INTEGER(person->kind), TEXT(person->name),
			person->kind == MRL_STORE_GUEST ? NOTHING : TEXT(key.text), TEXT(person->password),
			TEXT(person->email), INTEGER(person->created), INTEGER(person->seen),
			INTEGER(person->banned_until), TEXT(person->ban_reason)));
	explain(db, MRL_CONFLICT,
		db->code == SQLITE_CONSTRAINT_UNIQUE ? name_taken : "there is a person with this id already");
}

static void promote(struct sqlite *db, uint64_t id, const struct mrl_store_person *person)
{
	static const char sql[] = "UPDATE people SET kind = ?, name = ?, name_key = ?, password = ?, email = ? "
				  "WHERE id = ? AND kind = 0";
	struct name_key key = name_key_of(person->name);
	int changed = sqlite_run(db, sql,
				 WITH(INTEGER(person->kind), TEXT(person->name), TEXT(key.text), TEXT(person->password),
				      TEXT(person->email), INTEGER(id)));

	explain(db, MRL_CONFLICT, name_taken);
	if (changed == 0)
		sqlite_refuse(db, MRL_MISSING, "there is no such guest");
}

static void rename_person(struct sqlite *db, uint64_t id, const char *name)
{
	static const char sql[] = "UPDATE people SET name = ?1, name_key = CASE kind WHEN 0 THEN NULL ELSE ?2 END "
				  "WHERE id = ?3 AND kind <> 3";
	struct name_key key = name_key_of(name);
	int changed = sqlite_run(db, sql, WITH(TEXT(name), TEXT(key.text), INTEGER(id)));

	explain(db, MRL_CONFLICT, name_taken);
	if (changed == 0)
		sqlite_refuse(db, MRL_MISSING, nobody);
}

static void update(struct sqlite *db, const char *sql, const struct bind *binds, size_t count)
{
	if (sqlite_run(db, sql, binds, count) == 0)
		sqlite_refuse(db, MRL_MISSING, nobody);
}

/* All that is the person's alone; what others see of its games stays. */
static void delete_person(struct sqlite *db, uint64_t id)
{
	static const char forget[] =
	    "UPDATE people SET kind = 3, name = 'deleted', name_key = NULL, password = '', email = '', "
	    "ban_reason = '' WHERE id = ? AND kind <> 3";
	static const char sessions[] = "DELETE FROM sessions WHERE person = ?";
	static const char settings[] = "DELETE FROM settings WHERE person = ?";
	static const char mutes[] = "DELETE FROM mutes WHERE person = ?1 OR muted = ?1";
	static const char seeks[] = "DELETE FROM seeks WHERE person = ?";
	static const char ratings[] = "DELETE FROM ratings WHERE person = ?";
	static const char points[] = "DELETE FROM rating_points WHERE person = ?";

	update(db, forget, WITH(INTEGER(id)));
	sqlite_run(db, sessions, WITH(INTEGER(id)));
	sqlite_run(db, settings, WITH(INTEGER(id)));
	sqlite_run(db, mutes, WITH(INTEGER(id)));
	sqlite_run(db, seeks, WITH(INTEGER(id)));
	sqlite_run(db, ratings, WITH(INTEGER(id)));
	sqlite_run(db, points, WITH(INTEGER(id)));
}

/* Those in a game are marked, so that they are not looked at again. */
static uint64_t drop_guests(struct sqlite *db, int64_t seen)
{
	static const char find[] =
	    "SELECT id, "
	    "EXISTS(SELECT 1 FROM games WHERE white = p.id) OR EXISTS(SELECT 1 FROM games WHERE black = p.id) OR "
	    "EXISTS(SELECT 1 FROM games WHERE owner = p.id) OR "
	    "EXISTS(SELECT 1 FROM reports WHERE reporter = p.id) OR "
	    "EXISTS(SELECT 1 FROM reports WHERE reported = p.id) "
	    "FROM people p WHERE kind = 0 AND kept = 0 AND seen < ? ORDER BY seen LIMIT 500";
	static const char keep[] = "UPDATE people SET kept = 1 WHERE id = ?";
	static const char drop[] = "DELETE FROM people WHERE id = ?";
	int64_t ids[500];
	bool kept[500];
	size_t count = 0;
	uint64_t dropped = 0;
	sqlite3_stmt *found = sqlite_start(db, find, WITH(INTEGER(seen)));

	while (count < 500 && sqlite_row(db, found)) {
		ids[count] = sqlite3_column_int64(found, 0);
		kept[count++] = sqlite3_column_int(found, 1) != 0;
	}
	sqlite_finish(found);
	for (size_t i = 0; i < count; i++) {
		sqlite_run(db, kept[i] ? keep : drop, WITH(INTEGER(ids[i])));
		dropped += !kept[i];
	}
	return dropped;
}

void sqlite_write_person(struct sqlite *db, const struct op *op, uint64_t *affected)
{
	static const char password[] = "UPDATE people SET password = ? WHERE id = ? AND kind <> 3";
	static const char email[] = "UPDATE people SET email = ? WHERE id = ? AND kind <> 3";
	static const char seen[] = "UPDATE people SET seen = ? WHERE id = ? AND kind <> 3";
	static const char ban[] = "UPDATE people SET banned_until = ?, ban_reason = ? WHERE id = ? AND kind <> 3";

	switch (op->kind) {
	case OP_ADD_PERSON:
		add_person(db, &op->of.person);
		break;
	case OP_PROMOTE:
		promote(db, op->id, &op->of.person);
		break;
	case OP_RENAME:
		rename_person(db, op->id, op->text);
		break;
	case OP_SET_PASSWORD:
		update(db, password, WITH(TEXT(op->text), INTEGER(op->id)));
		break;
	case OP_SET_EMAIL:
		update(db, email, WITH(TEXT(op->text), INTEGER(op->id)));
		break;
	case OP_SEEN:
		update(db, seen, WITH(INTEGER(op->wall), INTEGER(op->id)));
		break;
	case OP_BAN:
		update(db, ban, WITH(INTEGER(op->wall), TEXT(op->text), INTEGER(op->id)));
		break;
	case OP_DELETE_PERSON:
		delete_person(db, op->id);
		break;
	default: /* OP_DROP_GUESTS */
		*affected += drop_guests(db, op->wall);
	}
}

static void add_session(struct sqlite *db, const struct mrl_store_session *session)
{
	static const char sql[] = "INSERT INTO sessions(hash, person, kind, label, created, seen, expires) "
				  "VALUES(?, ?, ?, ?, ?, ?, ?)";

	if (!has_person(db, session->person)) {
		sqlite_refuse(db, MRL_MISSING, nobody);
		return;
	}
	sqlite_run(db, sql,
		   WITH(HASH(session->hash), INTEGER(session->person), INTEGER(session->kind), TEXT(session->label),
			INTEGER(session->created), INTEGER(session->seen), INTEGER(session->expires)));
	explain(db, MRL_CONFLICT, "there is a session with this hash already");
}

static uint64_t revoke_all(struct sqlite *db, const struct op *op)
{
	static const char sql[] = "DELETE FROM sessions WHERE person = ? AND (kind = ? OR kind = ?) AND hash <> ?";
	static const uint8_t none[MRL_STORE_HASH_BYTES];

	/* A kind that is not wanted is -1, which none has; a hash of zeros is nobody's. */
	return (uint64_t)sqlite_run(db, sql,
				    WITH(INTEGER(op->id), INTEGER(op->cookies ? MRL_STORE_COOKIE : -1),
					 INTEGER(op->bearers ? MRL_STORE_BEARER : -1),
					 HASH(op->has_except ? op->of.session.hash : none)));
}

void sqlite_write_session(struct sqlite *db, const struct op *op, uint64_t *affected)
{
	static const char touch[] = "UPDATE sessions SET seen = ?, expires = ? WHERE hash = ?";
	static const char revoke[] = "DELETE FROM sessions WHERE hash = ?";
	static const char expire[] =
	    "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE expires <= ? LIMIT 500)";
	const struct mrl_store_session *session = &op->of.session;

	switch (op->kind) {
	case OP_ADD_SESSION:
		add_session(db, session);
		break;
	case OP_TOUCH_SESSION:
		sqlite_run(db, touch, WITH(INTEGER(session->seen), INTEGER(session->expires), HASH(session->hash)));
		break;
	case OP_REVOKE_SESSION:
		*affected += (uint64_t)sqlite_run(db, revoke, WITH(HASH(session->hash)));
		break;
	case OP_REVOKE_SESSIONS:
		*affected += revoke_all(db, op);
		break;
	default: /* OP_EXPIRE_SESSIONS */
		*affected += (uint64_t)sqlite_run(db, expire, WITH(INTEGER(op->wall)));
	}
}
