/*
 * What happens in a game online, as values: settings, players, events, and the line of text that keeps an event.
 *
 * A game is the list of its events and nothing else: applying them in order (mrl_play_apply, play.h) gives the game.
 * They are numbered from 1 without a gap, also those that not everybody may see. docs/PLAY.md has the list and the text
 * form.
 *
 * Time is *service time*: milliseconds that pass only while the server is up. Wall time (Unix milliseconds) goes along
 * for people and is never reckoned with.
 *
 * All functions are pure and thread-safe; nothing is allocated.
 */
#ifndef MERELS_PLAY_EVENT_H
#define MERELS_PLAY_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rating.h>
#include <merels/rules.h>
#include <merels/status.h>

/* ---- Ids, secrets, texts ------------------------------------------------------------------------------------ */

/* Ids of games, persons, offers: random, never 0. As text: 11 characters of 0-9 A-Z a-z, the number in base 62. */
#define MRL_ID_TEXT_SIZE 12
void mrl_id_write(uint64_t id, char text[MRL_ID_TEXT_SIZE]);
/* False (and *id untouched) when it is not exactly such a text, is 0, or is more than 64 bits. */
bool mrl_id_read(const char *text, size_t length, uint64_t *id);

/* A command's id as the client chose it: 1 to 32 characters of A-Z a-z 0-9 _ and -. */
#define MRL_PLAY_COMMAND_ID_SIZE 33
bool mrl_play_command_id_valid(const char *text, size_t length);

/* The hash of a secret; which hash is the server's business. All zero: there is no such secret, nothing fits it. */
#define MRL_PLAY_HASH_SIZE 32
/* Whether both are the same and not all zero. Takes the same time whatever they hold. */
bool mrl_play_hash_equal(const uint8_t a[MRL_PLAY_HASH_SIZE], const uint8_t b[MRL_PLAY_HASH_SIZE]);

/*
 * Whether a text that people wrote may be shown: valid UTF-8 of 1 to `characters` code points, one of them visible, no
 * control character, no line separator, no mark that turns the direction of what follows.
 */
bool mrl_play_text_valid(const char *text, size_t length, size_t characters);

/* A person's name: what mrl_play_text_valid() accepts, at most 32 characters, and it fits with its closing 0. */
#define MRL_PLAY_NAME_CHARACTERS 32
#define MRL_PLAY_NAME_SIZE 64

#define MRL_PLAY_CHAT_CHARACTERS 200
#define MRL_PLAY_CHAT_SIZE (4 * MRL_PLAY_CHAT_CHARACTERS + 1)

/* ---- Settings ----------------------------------------------------------------------------------------------- */

enum mrl_play_tempo_kind { MRL_PLAY_NO_CLOCK, MRL_PLAY_FISCHER, MRL_PLAY_DAYS };

struct mrl_play_tempo {
	uint8_t kind;       /* an enum mrl_play_tempo_kind */
	uint8_t days;       /* DAYS: 1..14 for each turn; else 0 */
	uint32_t base;      /* FISCHER: milliseconds each side begins with, 1000..10800000; else 0 */
	uint32_t increment; /* FISCHER: milliseconds for each turn but a side's first, 0..180000; else 0 */
};

/* `none`, `3d`, `300000+3000` (milliseconds); reading takes what writing gives and nothing else. */
#define MRL_PLAY_TEMPO_TEXT_SIZE 24
void mrl_play_tempo_write(const struct mrl_play_tempo *tempo, char text[MRL_PLAY_TEMPO_TEXT_SIZE]);
bool mrl_play_tempo_read(const char *text, size_t length, struct mrl_play_tempo *tempo);
bool mrl_play_tempo_valid(const struct mrl_play_tempo *tempo);
bool mrl_play_tempo_equal(const struct mrl_play_tempo *a, const struct mrl_play_tempo *b);

/* Under which speed a game is rated: base + 40 increments < 180 s, < 480 s, < 1500 s, else; days and none are slow. */
enum mrl_play_speed { MRL_PLAY_BULLET, MRL_PLAY_BLITZ, MRL_PLAY_RAPID, MRL_PLAY_SLOW };
enum mrl_play_speed mrl_play_speed(const struct mrl_play_tempo *tempo);
/* "bullet" and so on. */
const char *mrl_play_speed_text(enum mrl_play_speed speed);

/* Who has White. */
enum mrl_play_first { MRL_PLAY_OWNER_FIRST, MRL_PLAY_FRIEND_FIRST, MRL_PLAY_LOTS };

struct mrl_play_settings {
	char rules[MRL_RULES_NAME_SIZE]; /* the canonical form, mrl_rules_write() */
	struct mrl_play_tempo tempo;
	bool rated;    /* takes a clock, and an account on both seats */
	bool unlisted; /* private: only the two players may watch */
	bool phrases;  /* children's mode: only the quick phrases are said */
	uint8_t first; /* an enum mrl_play_first */
};

/* ---- Players ------------------------------------------------------------------------------------------------ */

/* Seats. The owner made the game, the friend joined it. Who of them has White is drawn at the start. */
enum mrl_play_seat { MRL_PLAY_OWNER = 0, MRL_PLAY_FRIEND = 1, MRL_PLAY_NOBODY = 2 };

enum mrl_play_player_kind {
	MRL_PLAY_EMPTY,   /* nobody sits here yet */
	MRL_PLAY_GUEST,   /* a person without an account */
	MRL_PLAY_ACCOUNT, /* a person with one */
	MRL_PLAY_BOT,     /* an account that a program plays for */
	MRL_PLAY_COMPUTER /* ours; is never gone */
};

#define MRL_PLAY_PERFECT 11 /* the level of a computer that asks the exact tables */

struct mrl_play_player {
	uint64_t person; /* never 0 but on an empty seat; computers have ids too */
	uint8_t kind;    /* an enum mrl_play_player_kind */
	uint8_t level;   /* of a computer, 1..10 or MRL_PLAY_PERFECT; else 0 */
	char name[MRL_PLAY_NAME_SIZE];
	uint8_t secret[MRL_PLAY_HASH_SIZE]; /* the hash of the seat's secret; never sent to anybody */
};

bool mrl_play_player_valid(const struct mrl_play_player *player);

/* ---- Events ------------------------------------------------------------------------------------------------- */

/* X(name, text): what can happen. */
#define MRL_PLAY_KIND_TABLE(X)  \
	X(CREATED, "created")   \
	X(JOINED, "joined")     \
	X(STARTED, "started")   \
	X(TURN, "turn")         \
	X(OFFERED, "offered")   \
	X(DECLINED, "declined") \
	X(LAPSED, "lapsed")     \
	X(TAKEBACK, "takeback") \
	X(TIME, "time")         \
	X(CHAT, "chat")         \
	X(ENDED, "ended")       \
	X(RATED, "rated")       \
	X(REMATCH, "rematch")

enum mrl_play_kind {
#define MRL_PLAY_KIND_ENUM(name, text) MRL_PLAY_##name,
	MRL_PLAY_KIND_TABLE(MRL_PLAY_KIND_ENUM)
#undef MRL_PLAY_KIND_ENUM
	    MRL_PLAY_KINDS
};

/* What can be offered. */
enum mrl_play_offer { MRL_PLAY_OFFER_DRAW, MRL_PLAY_OFFER_TAKEBACK, MRL_PLAY_OFFER_REMATCH, MRL_PLAY_OFFERS };

enum mrl_play_room { MRL_PLAY_ROOM_PLAYERS, MRL_PLAY_ROOM_SPECTATORS };

/* X(name, text): why a game was aborted (its reason then is MRL_REASON_ABORTED, its outcome MRL_ONGOING, `*`). */
#define MRL_PLAY_CAUSE_TABLE(X)     \
	X(NONE, ".")                \
	X(ASKED, "asked")           \
	X(FIRST_TURN, "first-turn") \
	X(EXPIRED, "expired")       \
	X(LEFT, "left")             \
	X(IDLE, "idle")             \
	X(LENGTH, "length")         \
	X(OPERATOR, "operator")

enum mrl_play_cause {
#define MRL_PLAY_CAUSE_ENUM(name, text) MRL_PLAY_CAUSE_##name,
	MRL_PLAY_CAUSE_TABLE(MRL_PLAY_CAUSE_ENUM)
#undef MRL_PLAY_CAUSE_ENUM
};

/* X(number, text): the quick phrases, the only chat of children's mode; a phrase's number never changes. */
#define MRL_PLAY_PHRASE_TABLE(X) \
	X(1, "Hello!")           \
	X(2, "Good luck!")       \
	X(3, "Have fun!")        \
	X(4, "Nice turn!")       \
	X(5, "Well played!")     \
	X(6, "Thank you!")       \
	X(7, "Oops!")            \
	X(8, "One moment.")      \
	X(9, "Good game!")       \
	X(10, "Again?")          \
	X(11, "I have to go.")   \
	X(12, "Goodbye!")

/* The text of a phrase, NULL when there is none of this number. */
const char *mrl_play_phrase(unsigned number);

/*
 * What each kind of event holds. Clocks are milliseconds, White's first (index enum mrl_side), as they stand after the
 * event; both 0 in a game without a clock.
 */
struct mrl_play_created {
	uint64_t game;     /* its id */
	uint64_t previous; /* the game this is the rematch of, or 0 */
	struct mrl_play_settings settings;
	struct mrl_play_player owner;
	uint8_t link[MRL_PLAY_HASH_SIZE]; /* hash of the link's secret; all 0: nobody can join by link */
};

struct mrl_play_started {
	uint8_t white; /* the seat that has White */
	uint32_t clock[2];
};

struct mrl_play_turn {
	uint32_t ply;  /* turns made before it; the next turn has one more */
	char text[40]; /* as mrl_turn_write() writes it */
	uint32_t clock[2];
	uint32_t spent;  /* charged to the clock, milliseconds; a side's first turn is told, not charged */
	uint32_t credit; /* milliseconds given back for the way through the net, not in `spent` */
};

struct mrl_play_takeback {
	uint32_t ply; /* as many turns are left */
	uint32_t clock[2];
};

struct mrl_play_time_added {
	uint32_t added; /* to the clock of the opponent of `seat` */
	uint32_t clock[2];
};

struct mrl_play_chat {
	uint64_t person;
	char name[MRL_PLAY_NAME_SIZE];
	uint8_t room;   /* an enum mrl_play_room */
	uint8_t phrase; /* a quick phrase; `text` then is "" */
	char text[MRL_PLAY_CHAT_SIZE];
};

struct mrl_play_ended {
	uint8_t outcome; /* an enum mrl_outcome; ONGOING, `*`, for an aborted game */
	uint8_t reason;  /* an enum mrl_reason */
	uint8_t cause;   /* an enum mrl_play_cause; NONE unless aborted */
	uint32_t clock[2];
};

struct mrl_play_rated {
	struct mrl_rating before[2]; /* by seat */
	struct mrl_rating after[2];
};

/* One event. `kind` says which member of the union holds. */
struct mrl_play_event {
	uint64_t time;                     /* service time, milliseconds; never less than the event's before */
	int64_t wall;                      /* Unix milliseconds */
	uint32_t number;                   /* from 1 */
	uint8_t kind;                      /* an enum mrl_play_kind */
	uint8_t seat;                      /* whose doing; MRL_PLAY_NOBODY: the rules', a timer's, a spectator's */
	char id[MRL_PLAY_COMMAND_ID_SIZE]; /* of the command that made it; "" if none, and on all but its first event */
	union {
		struct mrl_play_created created;
		struct mrl_play_player joined; /* who sits on the friend's seat */
		struct mrl_play_started started;
		struct mrl_play_turn turn;
		uint8_t offer; /* OFFERED, DECLINED (by who offered it: withdrawn), LAPSED: an enum mrl_play_offer */
		struct mrl_play_takeback takeback;
		struct mrl_play_time_added added;
		struct mrl_play_chat chat;
		struct mrl_play_ended ended;
		struct mrl_play_rated rated;
		uint64_t rematch; /* the new game */
	};
};

/* Who may see an event. Whoever may not still counts its number. */
enum mrl_play_audience { MRL_PLAY_EVERYONE, MRL_PLAY_PLAYERS, MRL_PLAY_SPECTATORS };
enum mrl_play_audience mrl_play_event_audience(const struct mrl_play_event *event);

/* "turn" and so on; "draw" and so on; "players", "spectators"; "first-turn" and so on. "?" for what is none. */
const char *mrl_play_kind_text(unsigned kind);
const char *mrl_play_offer_text(unsigned offer);
const char *mrl_play_room_text(unsigned room);
const char *mrl_play_cause_text(unsigned cause);
const char *mrl_play_player_kind_text(unsigned kind);
const char *mrl_play_first_text(unsigned first);

/* ---- The line that keeps an event --------------------------------------------------------------------------- */

#define MRL_PLAY_EVENT_TEXT_SIZE 1536

/* Writes an event as one line without the newline; returns the characters before the closing 0. */
size_t mrl_play_event_write(const struct mrl_play_event *event, char text[MRL_PLAY_EVENT_TEXT_SIZE]);

/*
 * Reads such a line: exactly `length` bytes, of any content. Takes what mrl_play_event_write() gives and nothing else,
 * so a line has one meaning and an event one line. MRL_SYNTAX, MRL_NAME or MRL_RANGE with a message that says which
 * field; on failure the event is unspecified. Whether the event fits a game is seen when it is applied. `error` may be
 * NULL.
 */
MRL_MUST_USE enum mrl_status mrl_play_event_read(const char *text, size_t length, struct mrl_play_event *event,
						 struct mrl_error *error);

/* Whether two events are the same in every field that counts for their kind. */
bool mrl_play_event_equal(const struct mrl_play_event *a, const struct mrl_play_event *b);

#endif
