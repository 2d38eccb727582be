/*
 * The store: what must survive the server. One interface; behind it is SQLite or PostgreSQL.
 *
 * Nothing here waits for a disk but opening, closing and mrl_store_wait(). Writes (store_change.h) and reads go to
 * threads of the store and answer through a callback; callbacks run in mrl_store_poll() and nowhere else, so on the
 * thread that calls it, which must always be the same: an event loop's, told by `wake` that there is something to poll.
 *
 * Writes are done in the order in which they were submitted, and answered in that order. An answer of MRL_OK means that
 * the change is on the disk: neither a kill nor a power cut takes it back. A change that fails leaves nothing behind,
 * and those beside it are not touched. When the disk itself fails or is full, everything that has not been answered is
 * refused with MRL_SYSTEM or MRL_FULL and the reason, and the next change tries anew, so the store is well again when
 * its disk is. (After a crash a change that was refused for its disk may turn out to be there after all, whole; never
 * in part.)
 *
 * A read that is submitted when a write has been answered sees what it wrote. Each read sees one moment.
 *
 * Every function but mrl_store_poll(), mrl_store_wait() and mrl_store_close() may be called on any thread, and also
 * from within a callback.
 */
#ifndef MERELS_STORE_H
#define MERELS_STORE_H

#include <merels/status.h>
#include <merels/store_change.h>
#include <merels/store_values.h>

struct mrl_store;

/* ---- Opening ------------------------------------------------------------------------------------------------ */

struct mrl_store_settings {
	/*
	 * "sqlite:PATH", or PATH alone: the folder must exist; the file is made. Or a database of PostgreSQL, which
	 * must exist and be empty or ours: "postgresql://USER@HOST/NAME?..." (or postgres://), or "postgres:" with what
	 * else libpq takes ("postgres:host=/run/postgresql dbname=merels").
	 */
	const char *place;
	/* With PostgreSQL, and `serve`: the file that service time is kept in. SQLite's lies beside the database. */
	const char *alive;
	/*
	 * The one server of this database: it keeps service time, and a second one is refused (MRL_BUSY). Without, the
	 * store may be opened beside a running server, for administration and backups.
	 */
	bool serve;
	/*
	 * With `serve`, on PostgreSQL: one of several servers of the club, of this name (store_node.h; MRL_BUSY when
	 * there is one of this name, or one that is alone). NULL: alone. And how long it counts as alive when it says
	 * nothing; 0: 4000.
	 */
	const char *node;
	uint64_t node_id; /* random, another one at each start, less than 2^63 and not 0 */
	unsigned lease_ms;
	/* Told, from a thread of the store, when there is something to poll after there was nothing. NULL: nobody. */
	void (*wake)(void *context);
	void *context;
	/* How many may wait before MRL_BUSY; 0: 16384 writes, 4096 reads. */
	size_t most_writes;
	size_t most_reads;
	/* Bytes of waiting writes before MRL_BUSY; 0: 64 MB. */
	size_t most_bytes;
	/* Changes of one commit at most; 0: 1024. */
	size_t most_group;
	/*
	 * How long what is written waits for a database that went away to come back, before it is refused; 0: 20000.
	 * For PostgreSQL: a file does not come back.
	 */
	unsigned patience_ms;
};

/*
 * Whether a place names a database at all: MRL_NAME when it has no name, or begins with WORD: of letters and digits
 * that is no kind of database ("postgre:club"); a single letter is none. The store and moves ask the same.
 */
MRL_MUST_USE enum mrl_status mrl_store_check_place(const char *place, struct mrl_error *error);

/* A place as it may be shown, in text[0..size): without passwords. */
void mrl_store_show_place(const char *place, char *text, size_t size);

/*
 * Opens, makes or migrates a database. MRL_BUSY when another server has it; MRL_UNSUPPORTED when it is newer than this
 * program (the message has both versions), older while a server of that version runs, or no database of ours; MRL_NAME
 * for a place that names no database or that libpq does not understand, or a file for time that is missing; MRL_SYSTEM,
 * MRL_FULL for the disk, or a database that cannot be reached. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_store_open(struct mrl_store **store, const struct mrl_store_settings *settings,
					    struct mrl_error *error);

/*
 * Commits the writes that wait, drops the reads that do (they are answered MRL_STOPPED), runs every callback, and frees
 * the store. Callbacks that submit anything meanwhile get MRL_STOPPED. NULL is allowed.
 */
void mrl_store_close(struct mrl_store *store);

/* ---- Answers ------------------------------------------------------------------------------------------------ */

/* Where the next page of a list begins: copy it, and hand it in. All 0: at the beginning. */
struct mrl_store_key {
	int64_t major;
	uint64_t minor;
	double rating;
};

/* Which arrays are filled, each read says; counts of the others are 0. All of it is gone when the callback returns. */
struct mrl_store_answer {
	enum mrl_status status;
	const char *message; /* why not, one sentence; "" with MRL_OK */
	size_t failed;       /* of a write: which of the change's things failed, from 0 */
	uint64_t affected;   /* of a write: rows of sessions and guests that were removed */

	const struct mrl_store_person *people;
	size_t person_count;
	const struct mrl_store_session *sessions;
	size_t session_count;
	const struct mrl_store_setting *settings;
	size_t setting_count;
	const struct mrl_store_mute *mutes;
	size_t mute_count;
	const struct mrl_store_game *games;
	size_t game_count;
	const struct mrl_store_seek *seeks;
	size_t seek_count;
	const struct mrl_store_rating *ratings;
	size_t rating_count;
	const struct mrl_store_rating_point *points;
	size_t point_count;
	const struct mrl_store_report *reports;
	size_t report_count;
	const struct mrl_store_count *counts;
	size_t count_count;
	struct mrl_store_score score;
	const struct mrl_store_node *nodes; /* store_node.h */
	size_t node_count;
	const struct mrl_store_owner *owners;
	size_t owner_count;

	bool more; /* of a list: there is another page, and it begins at */
	struct mrl_store_key next;
};

typedef void mrl_store_done(void *user, const struct mrl_store_answer *answer);

/* Runs the callbacks of what is done; how many. */
size_t mrl_store_poll(struct mrl_store *store);

/* Polls until everything that was submitted is done. For tools and tests: it blocks. */
void mrl_store_wait(struct mrl_store *store);

/* How much waits to be written, or is being written: changes. */
size_t mrl_store_waiting(const struct mrl_store *store);

/*
 * Whether the disk failed when it was last written to: the status and the sentence of that failure, else MRL_OK and "".
 * For health checks; a write that succeeds ends it.
 */
enum mrl_status mrl_store_trouble(struct mrl_store *store, struct mrl_error *error);

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/*
 * Takes the change away, whatever it returns. MRL_OK: it is under way and `done` (may be NULL) will be called once.
 * Otherwise `done` is never called: MRL_BUSY when too much waits, MRL_STOPPED while closing, MRL_SPACE for want of
 * memory, MRL_RANGE when something of the change is out of range: `error` (may be NULL) says what.
 */
MRL_MUST_USE enum mrl_status mrl_store_submit(struct mrl_store *store, struct mrl_store_change *change,
					      mrl_store_done *done, void *user, struct mrl_error *error);

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/*
 * All of these return MRL_OK when `done` will be called once, else MRL_BUSY, MRL_STOPPED, MRL_SPACE or MRL_RANGE (a
 * text too long, an id of 0). Texts handed in are copied. `done` gets MRL_MISSING when one thing was asked for and is
 * not there; an empty list is MRL_OK.
 *
 * Quick ones have a thread that slow ones never take.
 */

/* Quick: people[0]. By name: accounts and bots, A-Z as a-z. */
MRL_MUST_USE enum mrl_status mrl_store_find_person(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						   void *user);
MRL_MUST_USE enum mrl_status mrl_store_find_name(struct mrl_store *store, const char *name, mrl_store_done *done,
						 void *user);

/* Quick: sessions[0] and its people[0]. MRL_MISSING too when it has expired at `now` (wall). */
MRL_MUST_USE enum mrl_status mrl_store_find_session(struct mrl_store *store, const uint8_t hash[MRL_STORE_HASH_BYTES],
						    int64_t now, mrl_store_done *done, void *user);

/* Quick: sessions[] of a person, newest first. */
MRL_MUST_USE enum mrl_status mrl_store_list_sessions(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						     void *user);

/* Quick: games[0] with its events from number `from` on (1: all; UINT32_MAX: none). */
MRL_MUST_USE enum mrl_status mrl_store_load_game(struct mrl_store *store, uint64_t game, uint32_t from,
						 mrl_store_done *done, void *user);

/* Quick: games[] without events that are open or playing and have this person as owner or player; 1000 at most. */
MRL_MUST_USE enum mrl_status mrl_store_list_current(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						    void *user);

/* Quick: ratings[] of a person, of all rule sets and speeds. */
MRL_MUST_USE enum mrl_status mrl_store_list_ratings(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						    void *user);

/* Quick: ratings[] of two persons (one may be 0) for one rule set and speed; those that have one, in no order. */
MRL_MUST_USE enum mrl_status mrl_store_find_ratings(struct mrl_store *store, uint64_t one, uint64_t other,
						    const char *rules, unsigned speed, mrl_store_done *done,
						    void *user);

/* Quick: settings[], mutes[] of a person. */
MRL_MUST_USE enum mrl_status mrl_store_list_settings(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						     void *user);
MRL_MUST_USE enum mrl_status mrl_store_list_mutes(struct mrl_store *store, uint64_t person, mrl_store_done *done,
						  void *user);

/* Quick: seeks[], oldest first; all there are. */
MRL_MUST_USE enum mrl_status mrl_store_list_seeks(struct mrl_store *store, mrl_store_done *done, void *user);

/* Slow: points[] of a graph, oldest first, from wall `from` on; `limit` 1 .. 10000, `more` says that there are more. */
MRL_MUST_USE enum mrl_status mrl_store_list_points(struct mrl_store *store, uint64_t person, const char *rules,
						   unsigned speed, int64_t from, unsigned limit, mrl_store_done *done,
						   void *user);

/* Slow: the newest points[] of a graph, `limit` (1 .. 10000) at most, oldest first; `more`: there are older ones. */
MRL_MUST_USE enum mrl_status mrl_store_list_last_points(struct mrl_store *store, uint64_t person, const char *rules,
							unsigned speed, unsigned limit, mrl_store_done *done,
							void *user);

/*
 * Slow: ratings[] with names, highest first: of accounts and bots whose deviation is at most `deviation` and who played
 * a rated game since wall `since`. `after` is the `next` of the page before, or NULL; `limit` 1 .. MRL_STORE_PAGE_MOST;
 * so in all lists.
 */
MRL_MUST_USE enum mrl_status mrl_store_list_leaders(struct mrl_store *store, const char *rules, unsigned speed,
						    double deviation, int64_t since, const struct mrl_store_key *after,
						    unsigned limit, mrl_store_done *done, void *user);

/* Slow: reports[], newest first; only the open ones or all. */
MRL_MUST_USE enum mrl_status mrl_store_list_reports(struct mrl_store *store, bool open_only,
						    const struct mrl_store_key *after, unsigned limit,
						    mrl_store_done *done, void *user);

/* Slow: reports[] by one person, newest first. */
MRL_MUST_USE enum mrl_status mrl_store_list_reports_by(struct mrl_store *store, uint64_t reporter,
						       const struct mrl_store_key *after, unsigned limit,
						       mrl_store_done *done, void *user);

/* Slow: counts[] of the days from .. until, both included; 100000 at most. */
MRL_MUST_USE enum mrl_status mrl_store_list_counts(struct mrl_store *store, int32_t from, int32_t until,
						   mrl_store_done *done, void *user);

/* Slow: people[], accounts and bots whose names begin so (A-Z as a-z), in the order of the names; 1 .. PAGE_MOST. */
MRL_MUST_USE enum mrl_status mrl_store_list_names(struct mrl_store *store, const char *prefix, unsigned limit,
						  mrl_store_done *done, void *user);

/* Slow: people[], the ids of those that are deleted and nothing else of them, by id; `limit` 1 .. 10000. */
MRL_MUST_USE enum mrl_status mrl_store_list_deleted(struct mrl_store *store, const struct mrl_store_key *after,
						    unsigned limit, mrl_store_done *done, void *user);

/* ---- The archive -------------------------------------------------------------------------------------------- */

enum mrl_store_result {
	MRL_STORE_RESULT_ANY,
	MRL_STORE_RESULT_WHITE, /* White won */
	MRL_STORE_RESULT_BLACK,
	MRL_STORE_RESULT_DRAW,
	MRL_STORE_RESULT_WON, /* `person` won; without a person none has */
	MRL_STORE_RESULT_LOST
};

/* Which ended games: all that is said must hold. All 0: every public one, newest first. */
struct mrl_store_search {
	uint64_t person;
	uint64_t opponent; /* of `person`; without a person it is one */
	uint64_t viewer;   /* who asks: a private game is only in the list of a `person` who is `viewer` */
	const char *rules; /* "" or NULL: any */
	enum mrl_store_result result;
	unsigned speeds; /* bit n: speed n; 0: any */
	bool rated;      /* only rated ones */
	int64_t from;    /* wall of the end: from <= ended < until; 0: any */
	int64_t until;
	const char *opening; /* the first turns, whole ones, separated by one space; "" or NULL: any */
	bool oldest_first;
};

/*
 * Slow: games[] of a page. With events, each game has all of its events; the page then ends early when it is more than
 * some megabytes, with `more`. MRL_STOPPED when the search took longer than ten seconds: it must ask for less.
 */
MRL_MUST_USE enum mrl_status mrl_store_list_games(struct mrl_store *store, const struct mrl_store_search *search,
						  bool events, const struct mrl_store_key *after, unsigned limit,
						  mrl_store_done *done, void *user);

/* Games of each colour that a score counts at most: the newest. */
enum { MRL_STORE_SCORE_MOST = 10000 };

/* Slow: the score of `person` against `opponent` in ended games: the public ones, or `all`. */
MRL_MUST_USE enum mrl_status mrl_store_find_score(struct mrl_store *store, uint64_t person, uint64_t opponent, bool all,
						  mrl_store_done *done, void *user);

/* What the receiver of a stream wants next. */
enum mrl_store_flow { MRL_STORE_GO_ON, MRL_STORE_PAUSE, MRL_STORE_STOP };

struct mrl_store_stream;

/* Gets one game with all its events, which is gone when it returns. */
typedef enum mrl_store_flow mrl_store_each(void *user, const struct mrl_store_game *game);

/*
 * Slow: every game of a search, with events, one by one, in memory that does not grow with their number. `each` says
 * how to go on; after MRL_STORE_PAUSE (which has taken the game) nothing comes until mrl_store_resume(). `done` is
 * called once at the end, with MRL_OK, or MRL_STOPPED when `each` said so, or what went wrong. The stream is valid
 * until then. A game that ends meanwhile may come or not.
 */
MRL_MUST_USE enum mrl_status mrl_store_stream_games(struct mrl_store *store, const struct mrl_store_search *search,
						    mrl_store_each *each, mrl_store_done *done, void *user,
						    struct mrl_store_stream **stream);

/* The same for all games that are open or playing: for a server that starts. */
MRL_MUST_USE enum mrl_status mrl_store_stream_unfinished(struct mrl_store *store, mrl_store_each *each,
							 mrl_store_done *done, void *user,
							 struct mrl_store_stream **stream);

/* Goes on after a pause; or ends a stream that pauses: `done` then gets MRL_STOPPED, in a later poll. On the polling
 * thread. */
void mrl_store_resume(struct mrl_store_stream *stream);
void mrl_store_stop(struct mrl_store_stream *stream);

/* ---- Service time ------------------------------------------------------------------------------------------- */

/*
 * The T at which a server that has opened the store goes on: where it stood when it was last kept, and never before an
 * event of an unfinished game. 0 for a new database, and without `serve`.
 */
uint64_t mrl_store_first_time(const struct mrl_store *store);

/*
 * Keeps T: call it every 10 ms. It writes a few bytes of a file that is mapped into memory, so it costs nothing, and
 * outlives a kill at once; a power cut it outlives within a second. T must not go back. On one thread. Without `serve`
 * nothing happens.
 */
void mrl_store_keep_time(struct mrl_store *store, uint64_t t);

/* ---- Backup ------------------------------------------------------------------------------------------------- */

/*
 * Slow: copies the database as it is at one moment into a new file, while reads and writes go on. The file appears
 * under its name when it is whole. MRL_CONFLICT when there is a file of this name already.
 */
MRL_MUST_USE enum mrl_status mrl_store_backup(struct mrl_store *store, const char *path, mrl_store_done *done,
					      void *user);

/* ---- Moving ------------------------------------------------------------------------------------------------- */

/* What was moved of one table: how many rows, and a sum over them that does not depend on their order. */
struct mrl_store_moved {
	const char *table;
	uint64_t rows;
	uint64_t checksum;
};

typedef void mrl_store_tell(void *user, const struct mrl_store_moved *moved);

/*
 * Moves a whole club from one database to another: places as in mrl_store_open(). The other is made, or is empty; there
 * may be no server on either. Every row that was written is read again and compared by count and checksum before
 * anything is committed, so on failure the other is as empty as it was. `tell` (may be NULL) then hears of each table.
 * Blocks. MRL_MISSING when there is no such database, MRL_BUSY when a server is running, MRL_CONFLICT when there is
 * something in the other already; else as mrl_store_open().
 */
MRL_MUST_USE enum mrl_status mrl_store_move(const char *from, const char *to, mrl_store_tell *tell, void *user,
					    struct mrl_error *error);

#endif
