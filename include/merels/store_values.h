/*
 * What the store keeps, as values: people, sessions, games with their events, ratings and the small things.
 *
 * Ids are random numbers that the caller draws; 0 is nobody and nothing. Moments of the calendar ("wall") are in
 * milliseconds since 1970 UTC and are only for people to read; service time `t` is in milliseconds during which the
 * server was up, and is what clocks count. Texts are UTF-8, 0-terminated; a text that is not there is "" in what the
 * store hands out, and may be "" or NULL in what it is given. Limits are in bytes without the closing 0, and what goes
 * past them is refused with MRL_RANGE.
 *
 * Values given to the store are copied. Values in an answer are the store's, and gone when the callback returns.
 */
#ifndef MERELS_STORE_VALUES_H
#define MERELS_STORE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MRL_STORE_HASH_BYTES = 32,
	MRL_STORE_NAME_MOST = 64,
	MRL_STORE_WORD_MOST = 128,    /* reasons, keys, password hashes (Argon2id as text has 97), kinds, labels */
	MRL_STORE_RULES_MOST = 256,   /* the canonical text of a rule set */
	MRL_STORE_LINE_MOST = 1024,   /* openings, e-mail, notes, chat lines, seeks */
	MRL_STORE_VALUE_MOST = 16384, /* one setting of a person */
	MRL_STORE_EVENT_MOST = 4096,  /* the text of an event */
	MRL_STORE_PAGE_MOST = 200     /* rows of one page of a list */
};

/* ---- People ------------------------------------------------------------------------------------------------- */

/* Numbers are in databases: never renumber. */
enum mrl_store_kind {
	MRL_STORE_GUEST = 0,
	MRL_STORE_ACCOUNT = 1,
	MRL_STORE_BOT = 2,
	MRL_STORE_DELETED = 3 /* name "deleted"; stays because games speak of it */
};

struct mrl_store_person {
	uint64_t id;
	enum mrl_store_kind kind;
	/*
	 * Names of accounts and bots are unique, A-Z taken as a-z; guests' names need not be. Letters past ASCII are
	 * compared as they are, so whoever allows them folds and normalises first.
	 */
	const char *name;
	const char *password; /* the password's hash, never the password; "" for guests */
	const char *email;
	int64_t created;
	int64_t seen;
	int64_t banned_until; /* wall; 0: not banned; INT64_MAX: for good */
	const char *ban_reason;
};

/* A cookie's session, or a bearer token, known by its hash alone. */
enum mrl_store_session_kind { MRL_STORE_COOKIE = 0, MRL_STORE_BEARER = 1 };

struct mrl_store_session {
	uint8_t hash[MRL_STORE_HASH_BYTES];
	uint64_t person;
	enum mrl_store_session_kind kind;
	const char *label; /* for its owner to tell it from others: "laptop" */
	int64_t created;
	int64_t seen;
	int64_t expires; /* wall, INT64_MAX: never. An expired session is not found */
};

/* One setting of a person: what key and value mean is the caller's. */
struct mrl_store_setting {
	const char *key;
	const char *value;
};

struct mrl_store_mute {
	uint64_t muted;
	const char *name; /* its name at present */
	int64_t wall;
};

/* ---- Games -------------------------------------------------------------------------------------------------- */

enum mrl_store_state { MRL_STORE_OPEN = 0, MRL_STORE_PLAYING = 1, MRL_STORE_ENDED = 2, MRL_STORE_ABORTED = 3 };

enum mrl_store_outcome {
	MRL_STORE_UNDECIDED = 0,
	MRL_STORE_WHITE_WINS = 1,
	MRL_STORE_BLACK_WINS = 2,
	MRL_STORE_DRAW = 3
};

enum mrl_store_seat_kind { MRL_STORE_EMPTY = 0, MRL_STORE_PERSON = 1, MRL_STORE_COMPUTER = 2 };

struct mrl_store_seat {
	enum mrl_store_seat_kind kind;
	uint64_t person;                 /* of MRL_STORE_PERSON: a guest, an account or a bot */
	unsigned level;                  /* of MRL_STORE_COMPUTER; the caller's numbers */
	bool has_rating;                 /* the next is known, */
	bool has_change;                 /* and the one after */
	double rating;                   /* before the game */
	double deviation;                /* before the game */
	double change;                   /* of the rating, by the game */
	const char *name;                /* only in answers: the person's name at present, or "" */
	enum mrl_store_kind person_kind; /* only in answers */
};

/* An event of a game. The store keeps `text` and never reads it. */
struct mrl_store_event {
	uint32_t number; /* in its game, from 1, without gaps */
	uint64_t t;
	int64_t wall;
	const char *text; /* one line, MRL_STORE_EVENT_MOST at most, never "" */
	uint64_t fence; /* of several servers, when it is appended: that under which the game is owned; 1: it is new */
};

/* The summary of a game: what lists show and searches ask. What happened in it are its events. */
struct mrl_store_game {
	uint64_t id;
	enum mrl_store_state state;
	const char *rules; /* canonical text, never "" */
	uint64_t owner;    /* who made it; 0 nobody in particular (paired in the lobby) */
	bool rated;
	bool is_private;  /* shown to its players alone */
	unsigned speed;   /* 0 .. 15, the caller's numbers; they are in databases */
	uint64_t base_ms; /* all three 0: without a clock */
	uint64_t increment_ms;
	unsigned days; /* a turn */
	struct mrl_store_seat white;
	struct mrl_store_seat black;
	int64_t created;
	int64_t started; /* 0: not yet */
	int64_t ended;   /* 0: not yet; never 0 when the state is ended or aborted */
	enum mrl_store_outcome outcome;
	const char *reason; /* why it ended: a word of the caller's, "few-men" */
	uint32_t plies;
	const char *opening; /* its first turns, separated by one space each, for searches; "" when none */

	/* Only in answers that have events; `event_count` is 0 in the others. */
	const struct mrl_store_event *events;
	size_t event_count;
};

/* An offer in the lobby, opaque but for its owner. */
struct mrl_store_seek {
	uint64_t id;
	uint64_t person;
	uint64_t t;
	int64_t wall;
	const char *text;
};

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

struct mrl_store_rating {
	uint64_t person;
	const char *rules;
	unsigned speed;
	double rating;
	double deviation;
	double volatility;
	uint32_t games; /* rated games so far, the one that led to this rating among them */
	uint32_t wins;
	uint32_t losses;
	uint32_t draws;
	double best;      /* highest rating ever; only in answers */
	int64_t changed;  /* wall of the last game */
	uint64_t game;    /* the last game */
	const char *name; /* only in answers of leaderboards: the person's name and kind */
	enum mrl_store_kind kind;
};

/* A point of a rating's graph. */
struct mrl_store_rating_point {
	uint64_t game;
	int64_t wall;
	double rating;
	double deviation;
	bool is_private; /* so is the game */
};

/* How the games between two ended, as the first of them sees it. */
struct mrl_store_score {
	uint64_t wins;
	uint64_t draws;
	uint64_t losses;
};

/* ---- The small things --------------------------------------------------------------------------------------- */

struct mrl_store_report {
	uint64_t id;
	uint64_t reporter;
	uint64_t reported;
	uint64_t game;    /* 0: not about a game */
	uint32_t event;   /* the number of the line reported; 0: none */
	const char *text; /* the line */
	const char *note; /* what the reporter says */
	int64_t wall;
	int64_t closed;      /* wall; 0: still open */
	const char *verdict; /* what was done about it */
};

/* Something counted on one day: days since 1970-01-01 UTC, what is counted, and how many. */
struct mrl_store_count {
	int32_t day;
	const char *what;
	int64_t count;
};

#endif
