#include <merels/text.h>
#include <os/clock.h>
#include <os/socket.h>

#include "postgres.h"

/*
 * docs/STORE.md tells the tables, which are those of SQLite. A step is never changed once it was released: what must be
 * different is a step more. Texts are compared byte by byte (COLLATE "C"), as in SQLite.
 *
 * What is written goes in one pipeline with the COMMIT behind it, so a statement that cannot be must fail: that it
 * changed no row would be seen too late. merels_need() makes it fail, with MR404 for MRL_MISSING and MR409 for
 * MRL_CONFLICT.
 */
static const char *const version_1[] = {
    "CREATE TABLE people("
    " id bigint CONSTRAINT people_pkey PRIMARY KEY,"
    " kind smallint NOT NULL,"
    " name text COLLATE \"C\" NOT NULL,"
    " name_key text COLLATE \"C\" CONSTRAINT people_name UNIQUE," /* NULL where it need not be unique */
    " password text NOT NULL,"
    " email text NOT NULL,"
    " created bigint NOT NULL,"
    " seen bigint NOT NULL,"
    " banned_until bigint NOT NULL,"
    " ban_reason text NOT NULL,"
    " kept smallint NOT NULL DEFAULT 0" /* a guest that has been found in a game */
    ")",
    "CREATE INDEX people_idle ON people(seen) WHERE kind = 0 AND kept = 0",

    "CREATE TABLE sessions("
    " hash bytea CONSTRAINT sessions_pkey PRIMARY KEY,"
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " kind smallint NOT NULL,"
    " label text NOT NULL,"
    " created bigint NOT NULL,"
    " seen bigint NOT NULL,"
    " expires bigint NOT NULL"
    ")",
    "CREATE INDEX sessions_person ON sessions(person)",
    "CREATE INDEX sessions_expires ON sessions(expires)",

    "CREATE TABLE settings("
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " key text COLLATE \"C\" NOT NULL,"
    " value text NOT NULL,"
    " PRIMARY KEY(person, key)"
    ")",

    "CREATE TABLE mutes("
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " muted bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " wall bigint NOT NULL,"
    " PRIMARY KEY(person, muted)"
    ")",
    "CREATE INDEX mutes_muted ON mutes(muted)",

    "CREATE TABLE games("
    " id bigint CONSTRAINT games_pkey PRIMARY KEY,"
    " state smallint NOT NULL,"
    " rules text COLLATE \"C\" NOT NULL,"
    " owner bigint CONSTRAINT games_owner_fkey REFERENCES people(id),"
    " rated smallint NOT NULL,"
    " private smallint NOT NULL,"
    " speed smallint NOT NULL,"
    " base_ms bigint NOT NULL,"
    " increment_ms bigint NOT NULL,"
    " days bigint NOT NULL,"
    " white_kind smallint NOT NULL,"
    " white bigint CONSTRAINT games_white_fkey REFERENCES people(id),"
    " white_level bigint NOT NULL,"
    " white_rating double precision,"
    " white_deviation double precision,"
    " white_change double precision,"
    " black_kind smallint NOT NULL,"
    " black bigint CONSTRAINT games_black_fkey REFERENCES people(id),"
    " black_level bigint NOT NULL,"
    " black_rating double precision,"
    " black_deviation double precision,"
    " black_change double precision,"
    " created bigint NOT NULL,"
    " started bigint NOT NULL,"
    " ended bigint NOT NULL,"
    " outcome smallint NOT NULL,"
    " reason text NOT NULL,"
    " plies bigint NOT NULL,"
    " opening text COLLATE \"C\" NOT NULL" /* each turn with a space behind it: a prefix ends with a whole turn */
    ")",
    "CREATE INDEX games_unfinished ON games(state, id) WHERE state < 2",
    "CREATE INDEX games_owner ON games(owner, state)",
    "CREATE INDEX games_white ON games(white, state, ended, id)",
    "CREATE INDEX games_black ON games(black, state, ended, id)",
    "CREATE INDEX games_ended ON games(ended, id) WHERE state = 2 AND private = 0",
    "CREATE INDEX games_rules ON games(rules, ended, id) WHERE state = 2 AND private = 0",
    "CREATE INDEX games_opening ON games(opening, ended, id) WHERE state = 2 AND private = 0",

    "CREATE TABLE events("
    " game bigint NOT NULL CONSTRAINT events_game_fkey REFERENCES games(id) ON DELETE CASCADE,"
    " number bigint NOT NULL,"
    " t bigint NOT NULL,"
    " wall bigint NOT NULL,"
    " text text NOT NULL,"
    " CONSTRAINT events_pkey PRIMARY KEY(game, number)"
    ")",

    "CREATE TABLE ratings("
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " rules text COLLATE \"C\" NOT NULL,"
    " speed smallint NOT NULL,"
    " rating double precision NOT NULL,"
    " deviation double precision NOT NULL,"
    " volatility double precision NOT NULL,"
    " games bigint NOT NULL,"
    " wins bigint NOT NULL,"
    " losses bigint NOT NULL,"
    " draws bigint NOT NULL,"
    " best double precision NOT NULL,"
    " changed bigint NOT NULL,"
    " game bigint NOT NULL,"
    " PRIMARY KEY(person, rules, speed)"
    ")",
    "CREATE INDEX ratings_leaders ON ratings(rules, speed, rating, person)",

    "CREATE TABLE rating_points("
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " rules text COLLATE \"C\" NOT NULL,"
    " speed smallint NOT NULL,"
    " number bigint NOT NULL," /* of the rated game */
    " wall bigint NOT NULL,"
    " game bigint NOT NULL,"
    " rating double precision NOT NULL,"
    " deviation double precision NOT NULL,"
    " PRIMARY KEY(person, rules, speed, number)"
    ")",

    "CREATE TABLE seeks("
    " id bigint PRIMARY KEY,"
    " person bigint NOT NULL REFERENCES people(id) ON DELETE CASCADE,"
    " t bigint NOT NULL,"
    " wall bigint NOT NULL,"
    " text text NOT NULL"
    ")",
    "CREATE INDEX seeks_person ON seeks(person)",

    "CREATE TABLE reports("
    " id bigint PRIMARY KEY,"
    " reporter bigint NOT NULL REFERENCES people(id),"
    " reported bigint NOT NULL REFERENCES people(id),"
    " game bigint NOT NULL,"
    " event bigint NOT NULL,"
    " text text NOT NULL,"
    " note text NOT NULL,"
    " wall bigint NOT NULL,"
    " closed bigint NOT NULL,"
    " verdict text NOT NULL"
    ")",
    "CREATE INDEX reports_reporter ON reports(reporter)",
    "CREATE INDEX reports_reported ON reports(reported)",
    "CREATE INDEX reports_wall ON reports(wall, id)",
    "CREATE INDEX reports_open ON reports(wall, id) WHERE closed = 0",

    "CREATE TABLE counts("
    " day bigint NOT NULL,"
    " what text COLLATE \"C\" NOT NULL,"
    " count bigint NOT NULL,"
    " PRIMARY KEY(day, what)"
    ")",

    /* By this a writer that lost its connection knows whether its last group was committed: postgres_group.c. */
    "CREATE TABLE writers("
    " id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " session bigint NOT NULL DEFAULT 0,"
    " number bigint NOT NULL DEFAULT 0,"
    " changed timestamptz NOT NULL DEFAULT now()"
    ") WITH (fillfactor = 10)",

    "CREATE FUNCTION merels_need(n bigint, code text, sentence text) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " IF n = 0 THEN RAISE EXCEPTION USING ERRCODE = code, MESSAGE = sentence; END IF;"
    " RETURN 0;"
    "END $$",

    /* The primary key keeps a number from being there twice; this, from leaving a gap. */
    "CREATE FUNCTION merels_append(g bigint, n bigint, t bigint, w bigint, x text) RETURNS bigint LANGUAGE plpgsql AS "
    "$$"
    "BEGIN"
    " INSERT INTO events(game, number, t, wall, text) SELECT g, n, merels_append.t, w, x"
    "  WHERE n = 1 + coalesce((SELECT max(e.number) FROM events e WHERE e.game = g), 0);"
    " IF FOUND THEN RETURN 0; END IF;"
    " IF EXISTS(SELECT FROM games WHERE id = g) THEN"
    "  RETURN merels_need(0, 'MR409', 'the event''s number is not the next of the game');"
    " END IF;"
    " RETURN merels_need(0, 'MR404', 'there is no such game');"
    "END $$",

    "CREATE FUNCTION merels_check_put(n bigint, g bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " IF n > 0 THEN RETURN 0; END IF;"
    " IF EXISTS(SELECT FROM games WHERE id = g) THEN"
    "  RETURN merels_need(0, 'MR409', 'the game is over already');"
    " END IF;"
    " RETURN merels_need(0, 'MR404', 'there is no such game');"
    "END $$",

    /* All that is the person's alone; what others see of its games stays. */
    "CREATE FUNCTION merels_delete_person(p bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " UPDATE people SET kind = 3, name = 'deleted', name_key = NULL, password = '', email = '', ban_reason = ''"
    "  WHERE id = p AND kind <> 3;"
    " IF NOT FOUND THEN RETURN merels_need(0, 'MR404', 'there is no such person'); END IF;"
    " DELETE FROM sessions WHERE person = p;"
    " DELETE FROM settings WHERE person = p;"
    " DELETE FROM mutes WHERE person = p OR muted = p;"
    " DELETE FROM seeks WHERE person = p;"
    " DELETE FROM ratings WHERE person = p;"
    " DELETE FROM rating_points WHERE person = p;"
    " RETURN 0;"
    "END $$",

    "CREATE FUNCTION merels_set_rating(p bigint, r text, s bigint, rating double precision, deviation double precision,"
    " volatility double precision, g bigint, wins bigint, losses bigint, draws bigint, changed bigint, game bigint)"
    " RETURNS bigint LANGUAGE plpgsql AS $$"
    "DECLARE is_kind smallint; had bigint;"
    "BEGIN"
    " SELECT kind INTO is_kind FROM people WHERE id = p;"
    " IF NOT FOUND THEN RETURN merels_need(0, 'MR404', 'there is no such person'); END IF;"
    " IF is_kind = 3 THEN RETURN 0; END IF;"
    " SELECT o.games INTO had FROM ratings o WHERE o.person = p AND o.rules = r AND o.speed = s;"
    " PERFORM merels_need((coalesce(had, 0) + 1 = g)::int, 'MR409',"
    "  'another rated game of this person came between');"
    " INSERT INTO ratings AS o VALUES(p, r, s, rating, deviation, volatility, g, wins, losses, draws, rating, changed,"
    "  game) ON CONFLICT ON CONSTRAINT ratings_pkey DO UPDATE SET rating = excluded.rating,"
    "  deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games,"
    "  wins = excluded.wins, losses = excluded.losses, draws = excluded.draws,"
    "  best = greatest(o.best, excluded.rating), changed = excluded.changed, game = excluded.game;"
    " INSERT INTO rating_points VALUES(p, r, s, g, changed, game, rating, deviation);"
    " RETURN 0;"
    "END $$",
    NULL,
};

/* Two who play each other, and who is deleted: found without a look at all games of one, at all people. */
static const char *const version_2[] = {
    "CREATE INDEX games_pair ON games(white, black, ended, id) WHERE state = 2",
    "CREATE INDEX people_deleted ON people(id) WHERE kind = 3",
    NULL,
};

/*
 * Several servers of one club, "nodes" (docs/NODES.md). Moments are PostgreSQL's own, so no node's clock matters.
 * MR410 is MRL_TAKEN.
 */
static const char *const version_3[] = {
    "CREATE TABLE club(id bigint NOT NULL)",
    "INSERT INTO club VALUES(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16))::bit(64)::bigint)",

    /* Alive until then, unless it says again that it is; `since` then without a gap. */
    "CREATE TABLE nodes("
    " id bigint PRIMARY KEY," /* random, another one at each start */
    " name text COLLATE \"C\" NOT NULL,"
    " since timestamptz NOT NULL,"
    " until timestamptz NOT NULL,"
    " t bigint NOT NULL," /* its service time when it said so last */
    " draining smallint NOT NULL,"
    " note text NOT NULL"
    ")",

    /*
     * Whose a game is: who may append events to it. `node` 0: anybody may take it. `shift` is what the T of the game
     * is more than the node's; with node 0 it is the T of the game itself, which stands. The row of game -1 is the
     * lobby's.
     */
    "CREATE TABLE owners("
    " game bigint CONSTRAINT owners_pkey PRIMARY KEY,"
    " node bigint NOT NULL,"
    " fence bigint NOT NULL,"
    " shift bigint NOT NULL"
    ")",
    "CREATE INDEX owners_node ON owners(node, game)",
    /* A game that is made has fence 1; each that takes it a higher one than any before. */
    "CREATE SEQUENCE merels_fences START 1000",

    "CREATE FUNCTION merels_enter(i bigint, n text, lease bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(1296256084, current_schema()::regnamespace::oid::int);"
    " PERFORM merels_need((NOT EXISTS(SELECT FROM nodes WHERE name = n AND id <> i AND until > "
    "clock_timestamp()))::int,"
    "  'MR409', 'another node of this name is running');"
    /* One of another name may be there again: when PostgreSQL was away all leases have run out. */
    " DELETE FROM nodes o WHERE (name = n OR until < clock_timestamp() - interval '1 h')"
    "  AND until < clock_timestamp() AND id <> i AND NOT EXISTS(SELECT FROM owners WHERE node = o.id);"
    " INSERT INTO nodes VALUES(i, n, clock_timestamp(), clock_timestamp() + lease * interval '1 ms', 0, 0, '')"
    "  ON CONFLICT(id) DO NOTHING;"
    " RETURN (SELECT id FROM club);"
    "END $$",

    /* It is still there. Whose place a node of the same name took while it was not heard of has no say any more. */
    "CREATE FUNCTION merels_beat(i bigint, lease bigint, my_t bigint, drains bigint, words text) RETURNS bigint"
    " LANGUAGE plpgsql AS $$"
    "BEGIN"
    " UPDATE nodes n SET since = CASE WHEN until < clock_timestamp() THEN clock_timestamp() ELSE since END,"
    "  until = clock_timestamp() + lease * interval '1 ms', t = my_t, draining = drains, note = words"
    "  WHERE id = i AND (until > clock_timestamp() OR NOT EXISTS(SELECT FROM nodes o WHERE o.name = n.name"
    "   AND o.id <> n.id AND o.until > clock_timestamp()));"
    " IF FOUND THEN RETURN 0; END IF;"
    " RETURN merels_need(0, 'MR410', 'another node of this name has taken this one''s place');"
    "END $$",

    /*
     * The lock is held to the end of the transaction by whoever appends, all together, and is wanted by who takes a
     * game away from this node, alone: so either what is appended here was committed before the game is taken, and
     * is read by who took it, or the row is looked at afterwards. Each statement of a function sees what was
     * committed before it began.
     */
    "CREATE FUNCTION merels_append_owned(g bigint, n bigint, t bigint, w bigint, x text, me bigint, f bigint)"
    " RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock_shared(me);"
    " IF NOT EXISTS(SELECT FROM owners WHERE game = g AND node = me AND fence = f) THEN"
    "  RETURN merels_need(0, 'MR410', 'another node has this game now');"
    " END IF;"
    " RETURN merels_append(g, n, t, w, x);"
    "END $$",

    /*
     * Takes a game when it may be taken, and says whose it is. From a node whose lease has run out only a node takes
     * it that is well itself for two seconds: when PostgreSQL comes back all leases have run out, and each node must
     * have had the time to say that it is there. What such a node still has under way is waited for by being tried
     * again; its sessions are ended, as it may have been stopped in the middle.
     */
    "CREATE FUNCTION merels_take(g bigint, me bigint, my_t bigint) RETURNS TABLE(game_ bigint, node_ bigint,"
    " fence_ bigint, t_ bigint, alive_ bigint, name_ text) LANGUAGE plpgsql AS $$"
    "DECLARE o owners%ROWTYPE; its_name text; its_t bigint; live boolean; base bigint; last bigint;"
    "BEGIN"
    " FOR tries IN 1..3 LOOP"
    "  last := coalesce((SELECT e.t FROM events e WHERE e.game = g ORDER BY e.number DESC LIMIT 1), 0);"
    "  SELECT * INTO o FROM owners WHERE game = g;"
    "  IF NOT FOUND THEN"
    "   IF g <> -1 AND NOT EXISTS(SELECT FROM games WHERE id = g) THEN RETURN; END IF;"
    "   INSERT INTO owners VALUES(g, me, nextval('merels_fences'), last - my_t) ON CONFLICT DO NOTHING;"
    "   IF FOUND THEN"
    "    RETURN QUERY SELECT g, me, w.fence, last, 1::bigint, ''::text FROM owners w WHERE w.game = g;"
    "    RETURN;"
    "   END IF;"
    "   CONTINUE;"
    "  END IF;"
    "  IF o.node = me THEN"
    "   RETURN QUERY SELECT g, me, o.fence, my_t + o.shift, 1::bigint, ''::text;"
    "   RETURN;"
    "  END IF;"
    "  SELECT n.name, n.t, n.until > clock_timestamp() INTO its_name, its_t, live FROM nodes n WHERE n.id = o.node;"
    "  live := coalesce(live, false);"
    "  base := greatest(coalesce(its_t, 0) + o.shift, last);"
    "  IF o.node <> 0 AND (live OR NOT EXISTS(SELECT FROM nodes WHERE id = me AND until > clock_timestamp()"
    "   AND since < clock_timestamp() - interval '2 s')) THEN"
    "   EXIT;"
    "  END IF;"
    "  IF o.node <> 0 AND NOT pg_try_advisory_xact_lock(o.node) THEN"
    "   PERFORM pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1"
    "    AND ((l.classid::bigint << 32) | l.objid::bigint) = o.node AND l.mode = 'ShareLock' AND l.granted"
    "    AND l.pid <> pg_backend_pid();"
    "   EXIT;"
    "  END IF;"
    /* What was under way there is over: now the last event is the last. */
    "  last := coalesce((SELECT e.t FROM events e WHERE e.game = g ORDER BY e.number DESC LIMIT 1), 0);"
    "  base := greatest(base, last);"
    "  UPDATE owners w SET node = me, fence = nextval('merels_fences'), shift = base - my_t"
    "   WHERE w.game = g AND w.node = o.node AND w.fence = o.fence;"
    "  IF FOUND THEN"
    "   RETURN QUERY SELECT g, me, w.fence, base, 1::bigint, ''::text FROM owners w WHERE w.game = g;"
    "   RETURN;"
    "  END IF;"
    " END LOOP;"
    " RETURN QUERY SELECT g, o.node, o.fence, base, live::int::bigint, coalesce(its_name, '');"
    "END $$",

    /* Some of the games of a node that is gone (0: of nobody; -1: that never had an owner); others take others. */
    "CREATE FUNCTION merels_adopt(src bigint, me bigint, my_t bigint, most bigint) RETURNS TABLE(game_ bigint,"
    " node_ bigint, fence_ bigint, t_ bigint, alive_ bigint, name_ text) LANGUAGE plpgsql AS $$"
    "DECLARE g bigint;"
    "BEGIN"
    " IF src = -1 THEN"
    "  FOR g IN SELECT p.id FROM games p WHERE p.state < 2 AND NOT EXISTS(SELECT FROM owners w WHERE w.game = p.id)"
    "   LIMIT most FOR UPDATE SKIP LOCKED LOOP"
    "   RETURN QUERY SELECT * FROM merels_take(g, me, my_t);"
    "  END LOOP;"
    "  RETURN;"
    " END IF;"
    " IF EXISTS(SELECT FROM nodes WHERE id = src AND until > clock_timestamp()) THEN RETURN; END IF;"
    " DELETE FROM owners w WHERE w.game IN (SELECT v.game FROM owners v LEFT JOIN games p ON p.id = v.game"
    "  WHERE v.node = src AND v.game <> -1 AND coalesce(p.state, 3) >= 2 LIMIT most FOR UPDATE OF v SKIP LOCKED);"
    " FOR g IN SELECT v.game FROM owners v JOIN games p ON p.id = v.game WHERE v.node = src AND p.state < 2"
    "  LIMIT most FOR UPDATE OF v SKIP LOCKED LOOP"
    "  RETURN QUERY SELECT * FROM merels_take(g, me, my_t);"
    " END LOOP;"
    "END $$",

    /* Not mine any more: its T stands. What is over needs nobody. */
    "CREATE FUNCTION merels_release(g bigint, me bigint, f bigint, t_now bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " DELETE FROM owners w WHERE w.game = g AND w.node = me AND w.fence = f"
    "  AND EXISTS(SELECT FROM games p WHERE p.id = g AND p.state >= 2);"
    " UPDATE owners w SET node = 0, shift = t_now WHERE w.game = g AND w.node = me AND w.fence = f;"
    " RETURN 0;"
    "END $$",

    "CREATE FUNCTION merels_leave(me bigint, my_t bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
    "BEGIN"
    " DELETE FROM owners w USING games p WHERE w.node = me AND p.id = w.game AND p.state >= 2;"
    " UPDATE owners SET node = 0, shift = shift + my_t WHERE node = me;"
    " UPDATE nodes SET until = clock_timestamp(), t = my_t WHERE id = me;"
    " RETURN 0;"
    "END $$",
    NULL,
};

const struct postgres_step postgres_steps[] = {{version_1}, {version_2}, {version_3}};
const unsigned postgres_step_count = sizeof(postgres_steps) / sizeof(postgres_steps[0]);

/* How often, and after which pause, the lock is tried for under which the tables are made. */
enum { LOCK_TRIES = 50, LOCK_PAUSE_MS = 100 };

static void refuse_version(struct postgres *db, int64_t has, const char *between, unsigned count, const char *end)
{
	char sentence[256];
	struct mrl_text text = mrl_text_in(sentence, sizeof(sentence));

	mrl_text_add(&text, "the database of PostgreSQL has version ");
	mrl_text_signed(&text, has);
	mrl_text_add(&text, between);
	mrl_text_number(&text, count);
	mrl_text_add(&text, end);
	postgres_refuse(db, MRL_UNSUPPORTED, sentence);
}

/* The version of a schema of ours, 0 for an empty one. */
static int64_t read_version(struct postgres *db)
{
	static const char has[] = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
				  "AND relname = 'merels_version' AND relkind = 'r'";
	static const char others[] =
	    "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
	    "AND relkind IN ('r', 'p', 'v', 'm', 'f')";
	static const char version[] = "SELECT version FROM merels_version";

	/* The tables and their version come at one moment, which may be between the two looks: then there is a third.
	 */
	if (postgres_number(db, has, WITHOUT, 0) == 1)
		return postgres_number(db, version, WITHOUT, -1);
	bool full = postgres_number(db, others, WITHOUT, 0) > 0;

	if (full && postgres_number(db, has, WITHOUT, 0) == 1)
		return postgres_number(db, version, WITHOUT, -1);
	if (full)
		postgres_refuse(db, MRL_UNSUPPORTED,
				"the database of PostgreSQL has tables of another program: give Merels a database or "
				"a schema of its own");
	return 0;
}

/* One step, whole or not at all. */
static void take_step(struct postgres *db, const char *const *sql, unsigned version)
{
	static const char make[] = "CREATE TABLE merels_version(version bigint NOT NULL)";
	static const char first[] = "INSERT INTO merels_version VALUES($1)";
	static const char next[] = "UPDATE merels_version SET version = $1";

	postgres_do(db, "BEGIN");
	for (; *sql != NULL; sql++)
		postgres_do(db, *sql);
	if (version == 1)
		postgres_do(db, make);
	postgres_free(db, postgres_run_once(db, version == 1 ? first : next, WITH(INTEGER(version))));
	postgres_do(db, "COMMIT");
	if (!db->failed || db->lost)
		return;
	const struct postgres_wrong wrong = db->wrong;

	postgres_clear(db);
	postgres_do(db, "ROLLBACK");
	postgres_fail(db, &wrong);
}

/*
 * The lock of the steps; false when there is nothing to do any more. Nodes that are started together find one of them
 * at it, which is done within seconds; a server that serves has the lock for good.
 */
static bool lock_steps(struct postgres *db, unsigned count)
{
	static const char lock[] = "SELECT pg_try_advisory_lock(1296256083, current_schema()::regnamespace::oid::int)";

	for (unsigned tries = 0; tries < LOCK_TRIES; tries++) {
		if (postgres_number(db, lock, WITHOUT, 0) == 1 || db->failed)
			return true;
		if (read_version(db) == (int64_t)count)
			return false;
		(void)mrl_socket_wait(-1, false, false, mrl_clock_now() + LOCK_PAUSE_MS * POSTGRES_MS);
	}
	postgres_refuse(db, MRL_BUSY, "another server is using this database");
	return true;
}

enum mrl_status postgres_migrate(struct postgres *db, const struct postgres_step *steps, unsigned count,
				 struct mrl_error *error)
{
	static const char unlock[] = "SELECT pg_advisory_unlock_all()";
	int64_t version = read_version(db);

	if (version < 0 || version > (int64_t)count)
		refuse_version(db, version, ", and this program knows versions up to ", count, ": use a newer program");
	if (!db->failed && version < (int64_t)count && lock_steps(db, count)) {
		/* Another one may have done it meanwhile. */
		version = read_version(db);
		for (unsigned at = (unsigned)version; at < count && !db->failed; at++)
			take_step(db, steps[at].sql, at + 1);
		enum mrl_status status = postgres_status(db, error);

		postgres_clear(db);
		if (!db->lost)
			postgres_do(db, unlock);
		return status;
	}
	return postgres_status(db, error);
}

void postgres_check_version(struct postgres *db, unsigned count)
{
	int64_t version = read_version(db);

	if (version < 0 || version > (int64_t)count)
		refuse_version(db, version, ", and this program knows versions up to ", count, ": use a newer program");
	else if (version < (int64_t)count)
		refuse_version(db, version, ", this program needs ", count,
			       ", and a server is using it: stop that server first");
}
