/*
 * A game online as a state machine: commands and the time go in, events come out.
 *
 * There is no clock in here, no randomness, no memory of its own, no socket, no database. A game changes in one way
 * only, by an event that is applied:
 *
 *     mrl_play_command() or mrl_play_tick()   looks at the game and gives the events that would follow; changes nothing
 *     ... the caller keeps them (one transaction for the whole batch), then
 *     mrl_play_apply()                        applies each, in order
 *
 * So a game that is built again from its events is the same game, clocks and remembered command ids included
 * (mrl_play_same). What is not of the events: who is connected at the moment (mrl_play_presence).
 *
 * While a batch waits to be kept, nothing else may be asked of the same game; or it is applied at once and, should
 * keeping it fail, the game is built again from what was kept.
 *
 * A game and its memory belong to one thread at a time.
 */
#ifndef MERELS_PLAY_H
#define MERELS_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play_event.h>
#include <merels/rules.h>
#include <merels/status.h>

/* ---- Limits, milliseconds unless said otherwise --------------------------------------------------------------- */

#define MRL_PLAY_LINK_LIMIT 86400000U    /* a link to a game that nobody joined */
#define MRL_PLAY_FIRST_TURN_LIMIT 20000U /* each side's first turn with a Fischer clock; with days: the days */
#define MRL_PLAY_IDLE_LIMIT 2592000000U  /* no turn for so long (30 days) without a clock: aborted */
#define MRL_PLAY_DAY 86400000U
#define MRL_PLAY_LAG_TURN 500U       /* lag credit of one turn at most */
#define MRL_PLAY_LAG_QUOTA 2000U     /* of which so much is there at the start and at most */
#define MRL_PLAY_LAG_REFILL 200U     /* and so much comes back with each own turn */
#define MRL_PLAY_TIME_ADDED 15000U   /* what one press gives the opponent */
#define MRL_PLAY_TIME_PAUSE 1000U    /* between two presses of one side */
#define MRL_PLAY_CLOCK_MAX 86400000U /* no Fischer clock is made to show more */
#define MRL_PLAY_DRAW_PAUSE 10U      /* turns between a side's draw offers */
#define MRL_PLAY_CHAT_COST 3000U     /* a line of chat in every so long, */
#define MRL_PLAY_CHAT_BURST 5U       /* of which so many at once */
#define MRL_PLAY_ROOM_LINES 8U       /* spectators together: so many lines */
#define MRL_PLAY_ROOM_TIME 5000U     /* in so long */
#define MRL_PLAY_MAX_PLIES 9999U     /* a game of more turns is aborted */
#define MRL_PLAY_MAX_EVENTS 30000U   /* past it: turns, resignations and ends only */
#define MRL_PLAY_REMEMBERED 64U      /* command ids of each seat */

/* ---- Refusals ----------------------------------------------------------------------------------------------- */

/* X(name, code, sentence): the answers to commands, here and in the lobby (lobby.h). The codes go over the wire. */
#define MRL_PLAY_CODE_TABLE(X)                                                                      \
	X(OK, "ok", "Done.")                                                                        \
	X(BAD_ID, "bad-id", "A command's id is 1 to 32 characters of A-Z, a-z, 0-9, _ and -.")      \
	X(BAD_COMMAND, "bad-command", "There is no such command, or it cannot be given from here.") \
	X(NO_SEAT, "no-seat", "Only the players can do this.")                                      \
	X(NOT_STARTED, "not-started", "The game has not started.")                                  \
	X(OVER, "over", "The game is over.")                                                        \
	X(NOT_OVER, "not-over", "The game is not over.")                                            \
	X(TAKEN, "taken", "The seat is taken.")                                                     \
	X(WRONG_LINK, "wrong-link", "This is not the link to the free seat.")                       \
	X(OWN_GAME, "own-game", "You cannot play against yourself.")                                \
	X(ACCOUNT_NEEDED, "account-needed", "Rated games are for accounts.")                        \
	X(BAD_PLAYER, "bad-player", "The player has no name or no identity.")                       \
	X(BAD_SETTINGS, "bad-settings", "The settings of the game are not possible.")               \
	X(NOT_YOUR_TURN, "not-your-turn", "It is the opponent's turn.")                             \
	X(WRONG_PLY, "wrong-ply", "The turn is for another position than the one on the board.")    \
	X(BAD_TURN, "bad-turn", "This is not written as a turn.")                                   \
	X(ILLEGAL, "illegal", "The rules do not allow this turn.")                                  \
	X(TOO_SOON, "too-soon", "It is too soon for this.")                                         \
	X(TOO_LATE, "too-late", "It is too late for this: both have made their first turn.")        \
	X(NO_OFFER, "no-offer", "There is no such offer to answer.")                                \
	X(OFFERED_ALREADY, "offered-already", "There is such an offer already.")                    \
	X(RATED, "rated", "There are no takebacks in rated games.")                                 \
	X(NOTHING_TO_TAKE_BACK, "nothing-to-take-back", "You have not made a turn yet.")            \
	X(NO_CLOCK, "no-clock", "There is no such clock in this game.")                             \
	X(CLOCK_FULL, "clock-full", "The opponent's clock cannot show more.")                       \
	X(NOT_GONE, "not-gone", "The opponent is here, or has not been gone for long enough.")      \
	X(SLOW_DOWN, "slow-down", "You are too quick; wait a moment.")                              \
	X(BAD_TEXT, "bad-text", "The text is empty, is no UTF-8, or holds control characters.")     \
	X(TEXT_TOO_LONG, "text-too-long", "A line of chat has at most 200 characters.")             \
	X(PHRASES_ONLY, "phrases-only", "Only the quick phrases are said in this game.")            \
	X(WRONG_ROOM, "wrong-room", "You are not in this room.")                                    \
	X(FULL, "full", "Too much has happened in this game; only turns are possible now.")         \
	X(LOBBY_FULL, "lobby-full", "There are too many offers at the moment.")                     \
	X(SEEKING_ALREADY, "seeking-already", "You have as many offers as you may have.")           \
	X(NO_SEEK, "no-seek", "The offer is gone.")                                                 \
	X(NOT_WELCOME, "not-welcome", "The offer is for players of another rating.")                \
	X(NOT_CONNECTED, "not-connected", "Offers are made by those who are connected.")

enum mrl_play_code {
#define MRL_PLAY_CODE_ENUM(name, code, sentence) MRL_CODE_##name,
	MRL_PLAY_CODE_TABLE(MRL_PLAY_CODE_ENUM)
#undef MRL_PLAY_CODE_ENUM
	    MRL_CODES
};

/* The code ("wrong-ply") and its sentence; "?" for what is none. */
const char *mrl_play_code_name(enum mrl_play_code code);
const char *mrl_play_code_sentence(enum mrl_play_code code);

/* ---- What goes in and comes out ------------------------------------------------------------------------------- */

/* The moment: service time never goes backwards (a smaller one counts as the last event's). */
struct mrl_play_now {
	uint64_t time;   /* service time, milliseconds */
	int64_t wall;    /* Unix milliseconds, only passed on */
	uint64_t random; /* fresh random bits, for drawing lots */
};

/* Events that belong together: all of them are kept, in one transaction, or none. */
#define MRL_PLAY_BATCH 8
struct mrl_play_batch {
	size_t count;
	struct mrl_play_event events[MRL_PLAY_BATCH];
};

enum mrl_play_verb {
	MRL_PLAY_JOIN,       /* player, link; the seat is not looked at */
	MRL_PLAY_PLAY,       /* ply, turn, lag */
	MRL_PLAY_RESIGN,     /* from the second turn on */
	MRL_PLAY_ABORT,      /* before the second turn */
	MRL_PLAY_OFFER,      /* offer; when the opponent offers the same draw or rematch already, it is accepted */
	MRL_PLAY_ACCEPT,     /* offer */
	MRL_PLAY_DECLINE,    /* offer; one's own is withdrawn */
	MRL_PLAY_ADD_TIME,   /* to the opponent's clock */
	MRL_PLAY_CLAIM_WIN,  /* the opponent is gone */
	MRL_PLAY_CLAIM_DRAW, /* the same */
	MRL_PLAY_SAY,        /* room, and phrase or text; spectators: player's person and name */
	MRL_PLAY_LEAVE,      /* the owner gives a game up that nobody joined */
	MRL_PLAY_CLOSE       /* the operator ends the game; seat MRL_PLAY_NOBODY */
};

/* A command; fields that its verb does not name above are not looked at. Pointers are only read during the call. */
struct mrl_play_command {
	enum mrl_play_verb verb;
	enum mrl_play_seat seat; /* whose command, as the caller made sure (mrl_play_seat_of_secret, ..._of_person) */
	const char *id;          /* of any content: it is checked */
	size_t id_length;
	uint32_t ply;     /* turns made so far, as the client believes */
	const char *turn; /* in any form that mrl_turn_read() takes */
	size_t turn_length;
	uint32_t lag;   /* measured one way, milliseconds; what of it is credited is decided here */
	uint8_t offer;  /* an enum mrl_play_offer */
	uint8_t room;   /* an enum mrl_play_room */
	uint8_t phrase; /* a quick phrase, or 0 */
	const char *text;
	size_t text_length;
	const struct mrl_play_player *player;
	const uint8_t *link; /* MRL_PLAY_HASH_SIZE bytes: the hash of the secret that came with the link */
	uint64_t fresh;      /* OFFER and ACCEPT of a rematch: a new id, in case a game comes of it */
};

struct mrl_play_answer {
	enum mrl_play_code code;
	bool repeated;   /* this id was done before: nothing is new, `number` is what it was then */
	uint32_t number; /* the command's first event; 0 when refused */
	char
	    text[MRL_ERROR_MESSAGE_SIZE]; /* a sentence for a person: the code's, or the rules' when they know better */
};

/* ---- The game ----------------------------------------------------------------------------------------------- */

enum mrl_play_phase {
	MRL_PLAY_NOTHING, /* no event yet */
	MRL_PLAY_WAITING, /* for the friend */
	MRL_PLAY_READY,   /* both sit; only between two events of a batch */
	MRL_PLAY_RUNNING,
	MRL_PLAY_FINISHED
};

/* What is kept of each turn beside the position: the clocks when it began, and what it took. */
struct mrl_play_past {
	uint32_t clock[2];
	uint32_t spent;
};

/* Whether somebody is there; of no event. */
struct mrl_play_present {
	bool connected;
	bool closed_tab; /* said goodbye when leaving */
	uint64_t since;  /* service time of the last change */
};

/* The command ids of a seat, as hashes, in a ring; number[i] is the event that the command made. */
struct mrl_play_memory {
	uint64_t hash[MRL_PLAY_REMEMBERED];
	uint32_t number[MRL_PLAY_REMEMBERED];
	uint32_t count; /* of all ids so far */
};

/* A line that a spectator wrote lately. */
struct mrl_play_line {
	uint64_t person;
	uint64_t time;
	uint64_t hash;
	uint32_t number;
};

/* Read what you like; only mrl_play_apply() and mrl_play_presence() write. About 2.5 kB, and 52 bytes a turn. */
struct mrl_play_game {
	struct mrl_game moves; /* rules, position, verdict of the rules, turns */
	struct mrl_play_past *past;
	uint64_t id;
	uint64_t previous;               /* the game this is the rematch of, or 0 */
	uint64_t next;                   /* its own rematch, or 0 */
	uint64_t time;                   /* of the last event */
	uint64_t begun;                  /* service time at which the present turn (or the waiting) began */
	int64_t wall;                    /* Unix milliseconds of the first event */
	uint32_t number;                 /* of the last event; 0: none */
	uint32_t next_number;            /* of the event that named the rematch, or 0 */
	uint8_t phase;                   /* an enum mrl_play_phase */
	uint8_t white;                   /* the seat that has White */
	uint8_t offers[MRL_PLAY_OFFERS]; /* who offers it now: a seat, or MRL_PLAY_NOBODY */
	uint32_t draw_again[2];          /* by seat: not before so many turns are made */
	uint32_t takeback_again[2];      /* the same for takebacks */
	bool rematch_over[2];            /* by seat: its offer was declined or withdrawn */
	struct mrl_verdict verdict;      /* of the finished game, resignations and clocks included */
	uint8_t cause;                   /* an enum mrl_play_cause */
	bool was_rated;                  /* the ratings have been changed */
	struct mrl_play_tempo tempo;
	bool rated;
	bool unlisted;
	bool phrases;
	uint8_t first;
	struct mrl_play_player player[2]; /* by seat */
	uint8_t link[MRL_PLAY_HASH_SIZE];
	uint32_t clock[2];                /* by side, when the present turn began */
	uint32_t lag_quota[2];            /* by side */
	uint64_t time_again[2];           /* by seat: service time before which it may not add time */
	uint64_t chat_paid[2];            /* by seat: service time up to which its lines are paid for */
	struct mrl_play_memory memory[2]; /* by seat */
	struct mrl_play_line lines[MRL_PLAY_ROOM_LINES];
	uint32_t line_count;
	struct mrl_play_present present[2]; /* by seat */
};

/*
 * An empty game that waits for its first event. `rules` must be those that the created event names (shared, and outlive
 * the game). plies[0 .. capacity) and past[0 .. capacity) are the caller's.
 */
void mrl_play_init(struct mrl_play_game *game, const struct mrl_rules *rules, struct mrl_ply *plies,
		   struct mrl_play_past *past, size_t capacity);

/* The turns are now in other memory, to which the caller has copied the first moves.count of both. */
void mrl_play_move(struct mrl_play_game *game, struct mrl_ply *plies, struct mrl_play_past *past, size_t capacity);

/*
 * Applies an event. MRL_SPACE when it is a turn and the memory is full: grow it and call again. Anything else that is
 * not MRL_OK says that this is not the game's next event (damaged or foreign): MRL_RANGE for its number or time,
 * MRL_NAME for other rules, MRL_ILLEGAL and so on for a turn, MRL_POSITION for an event that cannot happen now. Then
 * nothing has changed. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_play_apply(struct mrl_play_game *game, const struct mrl_play_event *event,
					    struct mrl_error *error);

/* Whether two games are the same in all that comes of events. */
bool mrl_play_same(const struct mrl_play_game *a, const struct mrl_play_game *b);

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

struct mrl_play_creation {
	uint64_t game; /* its id */
	struct mrl_play_settings settings;
	struct mrl_play_player owner;
	struct mrl_play_player friend_seat; /* kind EMPTY: joins by the link; else the game starts at once */
	uint8_t link[MRL_PLAY_HASH_SIZE];
	const char *id; /* the command's, or "" */
	size_t id_length;
};

/* The first events of a new game: created, and joined and started when both players are known. */
enum mrl_play_code mrl_play_create(const struct mrl_play_creation *creation, const struct mrl_play_now *now,
				   struct mrl_play_batch *batch);

/*
 * The first events of the rematch that a finished game has agreed on: the `rematch` event is in `agreed` (the batch of
 * the command, not applied yet) or, when that is NULL, applied already. Same players, settings and seat secrets,
 * colours swapped. Belongs into the same transaction as `agreed`. NOT_OVER when no rematch was agreed on.
 */
enum mrl_play_code mrl_play_create_rematch(const struct mrl_play_game *game, const struct mrl_play_batch *agreed,
					   const struct mrl_play_now *now, struct mrl_play_batch *batch);

/* ---- Going on ----------------------------------------------------------------------------------------------- */

/*
 * What follows from a command. Timers that are over by then come first: their events may be in the batch also when the
 * command is refused, so batch->count decides whether there is something to keep, not the answer. Changes nothing. A
 * refused command is not remembered: repeated, it is looked at anew.
 */
enum mrl_play_code mrl_play_command(const struct mrl_play_game *game, const struct mrl_play_command *command,
				    const struct mrl_play_now *now, struct mrl_play_batch *batch,
				    struct mrl_play_answer *answer);

/* When the next timer is over, service time; UINT64_MAX: none runs. */
uint64_t mrl_play_deadline(const struct mrl_play_game *game);

/* The events of the timers that are over; returns batch->count. */
size_t mrl_play_tick(const struct mrl_play_game *game, const struct mrl_play_now *now, struct mrl_play_batch *batch);

/*
 * Appends the change of both ratings when the batch ends a rated game that counts; true if it did. `ratings` are those
 * of the seats at this moment. To be called on every batch of a game with `rated` before it is kept, so that the result
 * and what it does to the ratings are one transaction.
 */
bool mrl_play_rate(const struct mrl_play_game *game, struct mrl_play_batch *batch, const struct mrl_rating ratings[2]);
/* Whether the batch would: it ends a rated game that counts. So ratings need only be looked up then. */
bool mrl_play_rates(const struct mrl_play_game *game, const struct mrl_play_batch *batch);

/* ---- Who ---------------------------------------------------------------------------------------------------- */

/* The seat whose secret has this hash (compared in constant time), or of this person; MRL_PLAY_NOBODY if none. */
enum mrl_play_seat mrl_play_seat_of_secret(const struct mrl_play_game *game, const uint8_t hash[MRL_PLAY_HASH_SIZE]);
enum mrl_play_seat mrl_play_seat_of_person(const struct mrl_play_game *game, uint64_t person);

/* The side a seat plays; only once the game has started. And the seat of a side. */
enum mrl_side mrl_play_side_of(const struct mrl_play_game *game, unsigned seat);
enum mrl_play_seat mrl_play_seat_of_side(const struct mrl_play_game *game, enum mrl_side side);

/*
 * Tells that the first connection of a seat has come or the last one has gone. `closed_tab`: it said that it is
 * leaving. Telling the same again changes nothing. After a restart call mrl_play_all_gone() when the events have been
 * applied.
 */
void mrl_play_presence(struct mrl_play_game *game, unsigned seat, bool connected, bool closed_tab, uint64_t time);
void mrl_play_all_gone(struct mrl_play_game *game, uint64_t time);

/* The service time from which on the opponent of `seat` counts as gone for good; UINT64_MAX while that cannot be. */
uint64_t mrl_play_claim_time(const struct mrl_play_game *game, unsigned seat);

/* ---- Snapshots ---------------------------------------------------------------------------------------------- */

/* What the viewer may do at the moment, as bits. */
enum mrl_play_may {
	MRL_PLAY_MAY_TURN = 1 << 0,
	MRL_PLAY_MAY_RESIGN = 1 << 1,
	MRL_PLAY_MAY_ABORT = 1 << 2,
	MRL_PLAY_MAY_OFFER_DRAW = 1 << 3,
	MRL_PLAY_MAY_ACCEPT_DRAW = 1 << 4,
	MRL_PLAY_MAY_OFFER_TAKEBACK = 1 << 5,
	MRL_PLAY_MAY_ACCEPT_TAKEBACK = 1 << 6,
	MRL_PLAY_MAY_OFFER_REMATCH = 1 << 7,
	MRL_PLAY_MAY_ACCEPT_REMATCH = 1 << 8,
	MRL_PLAY_MAY_ADD_TIME = 1 << 9,
	MRL_PLAY_MAY_CLAIM = 1 << 10,
	MRL_PLAY_MAY_LEAVE = 1 << 11
};

#define MRL_PLAY_NEVER UINT32_MAX

/* A game as one viewer sees it at one moment. Turns and settings are read from the game itself. */
struct mrl_play_view {
	uint32_t number;       /* the last event: what follows has a higher one */
	uint32_t ply;          /* turns made */
	uint8_t phase;         /* an enum mrl_play_phase */
	uint8_t viewer;        /* the viewer's seat, or MRL_PLAY_NOBODY */
	uint8_t white;         /* the seat that has White, MRL_PLAY_NOBODY before the start */
	uint8_t to_move;       /* the seat to move, MRL_PLAY_NOBODY when none is */
	bool running;          /* the clock of the side to move is running */
	uint32_t clock[2];     /* by side, milliseconds, at the moment asked for; never below 0 */
	uint32_t first_left;   /* milliseconds left for the first turn; MRL_PLAY_NEVER when that does not count */
	uint32_t link_left;    /* milliseconds that the link still works; MRL_PLAY_NEVER */
	uint32_t claim_left;   /* milliseconds until the viewer may claim; 0 now, MRL_PLAY_NEVER while not in sight */
	uint32_t no_mill_left; /* plies until a draw by that counter; MRL_PLAY_NEVER without the rule */
	uint32_t three_men_left;
	unsigned occurrences; /* of the position in the game */
	unsigned may;         /* bits of enum mrl_play_may */
};

void mrl_play_view(const struct mrl_play_game *game, unsigned viewer, uint64_t time, struct mrl_play_view *view);

/* The settings, put together again as they were given. */
void mrl_play_settings_of(const struct mrl_play_game *game, struct mrl_play_settings *settings);

#endif
