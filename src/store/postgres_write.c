/* What is written, thing by thing: the statements of a change. */
#include <stdlib.h>
#include <string.h>

#include "postgres.h"

#define NEED_PERSON "SELECT merels_need((SELECT count(*) FROM done), 'MR404', 'there is no such person')"

static const char add_person[] =
    "INSERT INTO people(id, kind, name, name_key, password, email, created, seen, banned_until, ban_reason) "
    "VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
static const char promote[] =
    "WITH done AS (UPDATE people SET kind = $1, name = $2, name_key = $3, password = $4, email = $5 "
    "WHERE id = $6 AND kind = 0 RETURNING 1) "
    "SELECT merels_need((SELECT count(*) FROM done), 'MR404', 'there is no such guest')";
static const char rename_person[] =
    "WITH done AS (UPDATE people SET name = $1, name_key = CASE kind WHEN 0 THEN NULL ELSE $2 END "
    "WHERE id = $3 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char set_password[] =
    "WITH done AS (UPDATE people SET password = $1 WHERE id = $2 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char set_email[] =
    "WITH done AS (UPDATE people SET email = $1 WHERE id = $2 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char seen[] =
    "WITH done AS (UPDATE people SET seen = $1 WHERE id = $2 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char ban[] = "WITH done AS (UPDATE people SET banned_until = $1, ban_reason = $2 "
			  "WHERE id = $3 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char delete_person[] = "SELECT merels_delete_person($1)";
/* Those in a game are marked, so that they are not looked at again. */
static const char drop_guests[] =
    "WITH old AS (SELECT id, EXISTS(SELECT FROM games WHERE white = p.id) OR "
    "EXISTS(SELECT FROM games WHERE black = p.id) OR EXISTS(SELECT FROM games WHERE owner = p.id) OR "
    "EXISTS(SELECT FROM reports WHERE reporter = p.id) OR EXISTS(SELECT FROM reports WHERE reported = p.id) AS used "
    "FROM people p WHERE kind = 0 AND kept = 0 AND seen < $1 ORDER BY seen LIMIT 500), "
    "marked AS (UPDATE people SET kept = 1 WHERE id IN (SELECT id FROM old WHERE used)), "
    "dropped AS (DELETE FROM people WHERE id IN (SELECT id FROM old WHERE NOT used) RETURNING 1) "
    "SELECT count(*) FROM dropped";
static const char add_session[] =
    "WITH done AS (INSERT INTO sessions(hash, person, kind, label, created, seen, expires) "
    "SELECT $1::bytea, id, $3::bigint, $4::text, $5::bigint, $6::bigint, $7::bigint FROM people "
    "WHERE id = $2 AND kind <> 3 RETURNING 1) " NEED_PERSON;
static const char touch_session[] = "UPDATE sessions SET seen = $1, expires = $2 WHERE hash = $3";
static const char revoke_session[] = "DELETE FROM sessions WHERE hash = $1";
static const char revoke_sessions[] =
    "DELETE FROM sessions WHERE person = $1 AND (kind = $2 OR kind = $3) AND hash <> $4";
static const char expire_sessions[] =
    "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE expires <= $1 LIMIT 500)";
static const char add_game[] =
    "INSERT INTO games(id, state, rules, owner, rated, private, speed, base_ms, increment_ms, days, "
    "white_kind, white_level, black_kind, black_level, created, started, ended, outcome, reason, plies, opening) "
    "VALUES($1, 0, $2, $3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $4, 0, 0, 0, '', 0, '')";
static const char put_game[] =
    "WITH done AS (UPDATE games SET state = $1, rated = $2, private = $3, speed = $4, base_ms = $5, "
    "increment_ms = $6, days = $7, started = $8, ended = $9, outcome = $10, reason = $11, "
    "opening = CASE $12::text WHEN '' THEN '' ELSE $12::text || ' ' END, plies = $13, white_kind = $14, white = $15, "
    "white_level = $16, white_rating = $17, white_deviation = $18, white_change = $19, black_kind = $20, black = $21, "
    "black_level = $22, black_rating = $23, black_deviation = $24, black_change = $25 "
    "WHERE id = $26 AND (state < 2 OR state = $1) RETURNING 1) "
    "SELECT merels_check_put((SELECT count(*) FROM done), $26)";
static const char append[] = "SELECT merels_append($1, $2, $3, $4, $5)";
/* None there is no error. */
static const char remove_game[] =
    "WITH done AS (DELETE FROM games WHERE id = $1 AND state IN (0, 3) RETURNING 1) "
    "SELECT merels_need((SELECT count(*) FROM done) + (NOT EXISTS(SELECT FROM games WHERE id = $1))::int, "
    "'MR409', 'the game is being played, or has been')";
static const char set_rating[] = "SELECT merels_set_rating($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
static const char put_seek[] =
    "INSERT INTO seeks(id, person, t, wall, text) VALUES($1, $2, $3, $4, $5) ON CONFLICT(id) DO UPDATE "
    "SET person = excluded.person, t = excluded.t, wall = excluded.wall, text = excluded.text";
static const char remove_seek[] = "DELETE FROM seeks WHERE id = $1";
static const char remove_seeks[] = "DELETE FROM seeks";
static const char add_report[] =
    "INSERT INTO reports(id, reporter, reported, game, event, text, note, wall, closed, verdict) "
    "VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
static const char close_report[] =
    "WITH done AS (UPDATE reports SET closed = $1, verdict = $2 WHERE id = $3 AND closed = 0 RETURNING 1) "
    "SELECT merels_need((SELECT count(*) FROM done), 'MR404', 'there is no open report of this id')";
static const char mute[] = "INSERT INTO mutes(person, muted, wall) VALUES($1, $2, $3) ON CONFLICT DO NOTHING";
static const char unmute[] = "DELETE FROM mutes WHERE person = $1 AND muted = $2";
static const char put_setting[] = "INSERT INTO settings(person, key, value) VALUES($1, $2, $3) "
				  "ON CONFLICT(person, key) DO UPDATE SET value = excluded.value";
static const char drop_setting[] = "DELETE FROM settings WHERE person = $1 AND key = $2";
static const char count_day[] = "INSERT INTO counts AS c(day, what, count) VALUES($1, $2, $3) "
				"ON CONFLICT(day, what) DO UPDATE SET count = c.count + excluded.count";

const char *const postgres_write_statements[] = {
    add_person,
    promote,
    rename_person,
    set_password,
    set_email,
    seen,
    ban,
    delete_person,
    drop_guests,
    add_session,
    touch_session,
    revoke_session,
    revoke_sessions,
    expire_sessions,
    add_game,
    put_game,
    append,
    remove_game,
    set_rating,
    put_seek,
    remove_seek,
    remove_seeks,
    add_report,
    close_report,
    mute,
    unmute,
    put_setting,
    drop_setting,
    count_day,
    NULL,
};

/* ---- People ------------------------------------------------------------------------------------------------- */

static bool send_person(struct postgres *db, const struct op *op)
{
	const struct mrl_store_person *person = &op->of.person;
	struct name_key key;

	switch (op->kind) {
	case OP_ADD_PERSON:
		key = name_key_of(person->name);
		return postgres_send(db, add_person,
				     WITH(INTEGER(person->id), INTEGER(person->kind), TEXT(person->name),
					  person->kind == MRL_STORE_GUEST ? NOTHING : TEXT(key.text),
					  TEXT(person->password), TEXT(person->email), INTEGER(person->created),
					  INTEGER(person->seen), INTEGER(person->banned_until),
					  TEXT(person->ban_reason)));
	case OP_PROMOTE:
		key = name_key_of(person->name);
		return postgres_send(db, promote,
				     WITH(INTEGER(person->kind), TEXT(person->name), TEXT(key.text),
					  TEXT(person->password), TEXT(person->email), INTEGER(op->id)));
	case OP_RENAME:
		key = name_key_of(op->text);
		return postgres_send(db, rename_person, WITH(TEXT(op->text), TEXT(key.text), INTEGER(op->id)));
	case OP_SET_PASSWORD:
		return postgres_send(db, set_password, WITH(TEXT(op->text), INTEGER(op->id)));
	case OP_SET_EMAIL:
		return postgres_send(db, set_email, WITH(TEXT(op->text), INTEGER(op->id)));
	case OP_SEEN:
		return postgres_send(db, seen, WITH(INTEGER(op->wall), INTEGER(op->id)));
	case OP_BAN:
		return postgres_send(db, ban, WITH(INTEGER(op->wall), TEXT(op->text), INTEGER(op->id)));
	case OP_DELETE_PERSON:
		return postgres_send(db, delete_person, WITH(INTEGER(op->id)));
	default: /* OP_DROP_GUESTS */
		return postgres_send(db, drop_guests, WITH(INTEGER(op->wall)));
	}
}

static bool send_session(struct postgres *db, const struct op *op)
{
	static const uint8_t none[MRL_STORE_HASH_BYTES];
	const struct mrl_store_session *session = &op->of.session;

	switch (op->kind) {
	case OP_ADD_SESSION:
		return postgres_send(db, add_session,
				     WITH(HASH(session->hash), INTEGER(session->person), INTEGER(session->kind),
					  TEXT(session->label), INTEGER(session->created), INTEGER(session->seen),
					  INTEGER(session->expires)));
	case OP_TOUCH_SESSION:
		return postgres_send(db, touch_session,
				     WITH(INTEGER(session->seen), INTEGER(session->expires), HASH(session->hash)));
	case OP_REVOKE_SESSION:
		return postgres_send(db, revoke_session, WITH(HASH(session->hash)));
	case OP_REVOKE_SESSIONS:
		/* A kind that is not wanted is -1, which none has; a hash of zeros is nobody's. */
		return postgres_send(db, revoke_sessions,
				     WITH(INTEGER(op->id), INTEGER(op->cookies ? MRL_STORE_COOKIE : -1),
					  INTEGER(op->bearers ? MRL_STORE_BEARER : -1),
					  HASH(op->has_except ? session->hash : none)));
	default: /* OP_EXPIRE_SESSIONS */
		return postgres_send(db, expire_sessions, WITH(INTEGER(op->wall)));
	}
}

/* ---- Games and ratings -------------------------------------------------------------------------------------- */

#define RATING_OR_NULL(seat, what) ((seat)->has_rating ? REAL((seat)->what) : NOTHING)
#define CHANGE_OR_NULL(seat) ((seat)->has_change ? REAL((seat)->change) : NOTHING)

static bool send_summary(struct postgres *db, const struct mrl_store_game *game)
{
	const struct mrl_store_seat *white = &game->white;
	const struct mrl_store_seat *black = &game->black;

	return postgres_send(
	    db, put_game,
	    WITH(INTEGER(game->state), INTEGER(game->rated), INTEGER(game->is_private), INTEGER(game->speed),
		 INTEGER(game->base_ms), INTEGER(game->increment_ms), INTEGER(game->days), INTEGER(game->started),
		 INTEGER(game->ended), INTEGER(game->outcome), TEXT(game->reason), TEXT(game->opening),
		 INTEGER(game->plies), INTEGER(white->kind), ID_OR_NULL(white->person), INTEGER(white->level),
		 RATING_OR_NULL(white, rating), RATING_OR_NULL(white, deviation), CHANGE_OR_NULL(white),
		 INTEGER(black->kind), ID_OR_NULL(black->person), INTEGER(black->level), RATING_OR_NULL(black, rating),
		 RATING_OR_NULL(black, deviation), CHANGE_OR_NULL(black), INTEGER(game->id)));
}

static bool send_new_game(struct postgres *db, const struct mrl_store_game *game)
{
	return postgres_send(
	    db, add_game, WITH(INTEGER(game->id), TEXT(game->rules), ID_OR_NULL(game->owner), INTEGER(game->created)));
}

static bool send_event(struct postgres *db, uint64_t game, const struct mrl_store_event *event)
{
	return postgres_send(
	    db, append,
	    WITH(INTEGER(game), INTEGER(event->number), INTEGER(event->t), INTEGER(event->wall), TEXT(event->text)));
}

static bool send_rating(struct postgres *db, const struct mrl_store_rating *rating)
{
	return postgres_send(db, set_rating,
			     WITH(INTEGER(rating->person), TEXT(rating->rules), INTEGER(rating->speed),
				  REAL(rating->rating), REAL(rating->deviation), REAL(rating->volatility),
				  INTEGER(rating->games), INTEGER(rating->wins), INTEGER(rating->losses),
				  INTEGER(rating->draws), INTEGER(rating->changed), INTEGER(rating->game)));
}

/* ---- The small things --------------------------------------------------------------------------------------- */

static bool send_report(struct postgres *db, const struct mrl_store_report *report)
{
	return postgres_send(db, add_report,
			     WITH(INTEGER(report->id), INTEGER(report->reporter), INTEGER(report->reported),
				  INTEGER(report->game), INTEGER(report->event), TEXT(report->text), TEXT(report->note),
				  INTEGER(report->wall), INTEGER(report->closed), TEXT(report->verdict)));
}

static bool send_setting(struct postgres *db, const struct op *op)
{
	if (op->value == NULL)
		return postgres_send(db, drop_setting, WITH(INTEGER(op->id), TEXT(op->text)));
	return postgres_send(db, put_setting, WITH(INTEGER(op->id), TEXT(op->text), TEXT(op->value)));
}

static bool send_small(struct postgres *db, const struct op *op)
{
	const struct mrl_store_seek *seek = &op->of.seek;

	switch (op->kind) {
	case OP_PUT_SEEK:
		return postgres_send(db, put_seek,
				     WITH(INTEGER(seek->id), INTEGER(seek->person), INTEGER(seek->t),
					  INTEGER(seek->wall), TEXT(seek->text)));
	case OP_REMOVE_SEEK:
		return postgres_send(db, remove_seek, WITH(INTEGER(op->id)));
	case OP_REMOVE_SEEKS:
		return postgres_send(db, remove_seeks, WITHOUT);
	case OP_ADD_REPORT:
		return send_report(db, &op->of.report);
	case OP_CLOSE_REPORT:
		return postgres_send(db, close_report, WITH(INTEGER(op->wall), TEXT(op->text), INTEGER(op->id)));
	case OP_MUTE:
		return postgres_send(db, mute, WITH(INTEGER(op->id), INTEGER(op->other), INTEGER(op->wall)));
	case OP_UNMUTE:
		return postgres_send(db, unmute, WITH(INTEGER(op->id), INTEGER(op->other)));
	case OP_SET_SETTING:
		return send_setting(db, op);
	default: /* OP_COUNT_DAY */
		return postgres_send(db, count_day, WITH(INTEGER(op->day), TEXT(op->text), INTEGER(op->wall)));
	}
}

/* ---- Any of them -------------------------------------------------------------------------------------------- */

unsigned postgres_send_op(struct postgres *db, const struct op *op)
{
	switch (op->kind) {
	case OP_ADD_PERSON:
	case OP_PROMOTE:
	case OP_RENAME:
	case OP_SET_PASSWORD:
	case OP_SET_EMAIL:
	case OP_SEEN:
	case OP_BAN:
	case OP_DELETE_PERSON:
	case OP_DROP_GUESTS:
		return send_person(db, op);
	case OP_ADD_SESSION:
	case OP_TOUCH_SESSION:
	case OP_REVOKE_SESSION:
	case OP_REVOKE_SESSIONS:
	case OP_EXPIRE_SESSIONS:
		return send_session(db, op);
	case OP_ADD_GAME:
		return send_new_game(db, &op->of.game) + send_summary(db, &op->of.game) + postgres_send_node(db, op);
	case OP_PUT_GAME:
		return send_summary(db, &op->of.game);
	case OP_APPEND:
		return db->node != 0 ? postgres_send_node(db, op) : send_event(db, op->id, &op->of.event);
	case OP_REMOVE_GAME:
		return postgres_send(db, remove_game, WITH(INTEGER(op->id)));
	case OP_SET_RATING:
		return send_rating(db, &op->of.rating);
	case OP_BEAT:
	case OP_TAKE:
	case OP_ADOPT:
	case OP_RELEASE:
	case OP_LEAVE:
		return postgres_send_node(db, op);
	default:
		return send_small(db, op);
	}
}

uint64_t postgres_affected(struct postgres *db, const struct op *op, PGresult *result)
{
	uint64_t count = 0;

	switch (op->kind) {
	case OP_DROP_GUESTS:
		for (struct postgres_row row = postgres_rows(db, result); postgres_next(&row);) {
			count = (uint64_t)postgres_integer(&row, 0);
		}
		return count;
	case OP_REVOKE_SESSION:
	case OP_REVOKE_SESSIONS:
	case OP_EXPIRE_SESSIONS:
		return strtoull(db->lib.affected(result), NULL, 10);
	default:
		return 0;
	}
}
