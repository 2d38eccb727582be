/* What the files of the load share. */
#ifndef MERELS_CLI_LOAD_INTERNAL_H
#define MERELS_CLI_LOAD_INTERNAL_H

#include <jansson.h>
#include <uv.h>

#include <merels/client.h>

#include "load.h"
#include "load_model.h"

struct load_table;

enum load_role { LOAD_PLAYER, LOAD_WATCHER, LOAD_IDLE };

/* One person, or somebody who only looks on, with one socket. */
struct load_visitor {
	struct load *load;
	struct load_table *table; /* played at or watched; NULL: idle */
	uint8_t role;             /* an enum load_role */
	uint8_t seat;             /* of a player: which of the table's two; not the seat in the game */
	bool account;             /* to become one, or one already: has_account */
	bool has_account;
	bool wanted;    /* to have a socket */
	bool queued;    /* waits for a place to connect */
	bool opening;   /* has such a place */
	bool welcomed;  /* the socket is good */
	bool caught_up; /* has been told the present of its game */
	bool too_early; /* its node has not heard yet that the game has begun: it asks again */
	unsigned source;
	unsigned server;   /* of the client's: load->clients[server] */
	uint64_t heard;    /* when something came over its socket last, nanoseconds */
	uint64_t pinged;   /* when it asked last whether anybody is there */
	bool frame_known;  /* with nodes: their service time less our clock, milliseconds, over this socket: the */
	int64_t frame;     /* largest seen, which is nearest the truth */
	unsigned failures; /* to connect, in a row */
	uint64_t opened;   /* when the connection was begun, nanoseconds */
	struct mrl_client_identity identity;
	char name[24];
	char person[MRL_ID_TEXT_SIZE];
	long rating; /* after the last rated game; 0: none yet */
	unsigned rated_games;
	struct mrl_client_socket *socket;
	struct load_receiver receiver;
	struct load_visitor *next_queued;
	uv_timer_t pause; /* before it connects again */
};

enum load_arrangement { LOAD_BY_LINK, LOAD_BY_LOBBY, LOAD_BY_REMATCH };

enum load_phase {
	LOAD_COMING,    /* the players come */
	LOAD_ARRANGING, /* a game is being made */
	LOAD_PLAYING,
	LOAD_PARTING, /* it is over; all must have heard of it */
	LOAD_SETTLED  /* the load is over: all is compared */
};

/* A command on its way. */
struct load_command {
	bool out;
	bool acknowledged;
	bool again;     /* it was sent more than once on purpose */
	uint8_t player; /* of the table */
	uint32_t n;     /* it was acknowledged as */
	uint64_t sent;  /* nanoseconds */
	struct load_deed deed;
	bool may_refuse;  /* the server may have reasons to refuse it */
	bool unavailable; /* the server could not do it just now */
	char id[33];
	char text[400]; /* the whole message */
};

enum { LOAD_REFUSED = 16 };

/* A command that the server refused, as it may: nothing is remembered of it there, and a repeat may still be done. */
struct load_refused {
	char id[33];
	uint32_t n; /* as what it was done all the same; 0: it was not */
	struct load_deed deed;
};

struct load_table {
	struct load *load;
	unsigned index;
	uint8_t phase; /* an enum load_phase */
	bool rated;
	bool asked;    /* a request or message of the arranging is on its way */
	bool checking; /* a comparison at the end is on its way, for as many sockets as `checks` */
	uint8_t checks;
	unsigned games;              /* played so far */
	uint8_t arrangement;         /* which way the present one came about */
	uint8_t owner;               /* which player has seat 0 */
	char game[MRL_ID_TEXT_SIZE]; /* the one on the board, or the last one; "" before the first */
	char next[MRL_ID_TEXT_SIZE]; /* the one being made */
	char link[MRL_CLIENT_SECRET_SIZE];
	char offer[MRL_ID_TEXT_SIZE];
	unsigned paired;   /* players who know of it, as bits */
	unsigned arranged; /* messages of the arranging so far, for their ids */
	struct load_model *model;
	struct load_visitor players[2];
	struct load_command command;
	struct {
		char id[33];
		uint32_t n;
	} last[2]; /* by player: the command acknowledged last, for repeats that are answered later */
	struct load_refused refused[LOAD_REFUSED]; /* the last ones, in turn */
	unsigned refused_next;
	struct {
		uint32_t ply;
		uint64_t sent;
		bool heard; /* by the opponent */
		bool clean; /* sent once, over a socket that stayed */
	} turn;
	uint32_t commands;
	uint32_t done[MRL_PLAY_KINDS]; /* of this game: commands acknowledged, by the kind of their event */
	uint64_t due;                  /* when the next command may be sent, nanoseconds */
	uint64_t since;                /* when something happened last, nanoseconds */
	uint64_t moved;                /* when the game went on last: a command was done, or it began */
	uint64_t cut;                  /* for how long a player of it has been kept away since, nanoseconds */
	uv_timer_t timer;
	size_t watcher_from; /* load->watchers[watcher_from .. watcher_end) */
	size_t watcher_end;
};

struct load {
	struct load_plan plan;
	uv_loop_t *loop;
	struct mrl_client *clients[LOAD_SERVERS]; /* a server each */
	struct load_stats stats;
	uint64_t random;
	bool finishing;
	bool over;
	bool closing;
	struct load_table *tables;
	struct load_visitor *watchers;
	struct load_visitor *idle;
	struct load_visitor *queue;
	struct load_visitor *queue_end;
	unsigned opening;
	size_t open;
	size_t handles; /* timers */
	size_t next_source;
	size_t next_server;
	uint64_t begun;
	uint64_t finish_by;
	double cuts_due;
	uv_timer_t beat;
	/* Service time less our clock, milliseconds: the largest seen, which is nearest the truth. */
	bool time_known;
	int64_t time_offset;
	int64_t told;     /* the latest service time that the server has said */
	bool died;        /* the server was killed, and has not been heard of since */
	int64_t died_at;  /* service time then, as far as we can know */
	uint64_t started; /* our clock, nanoseconds, when it was started again; 0: not yet */
};

/* ---- load.c ------------------------------------------------------------------------------------------------- */

uint64_t load_random(struct load *load);
/* True in `part` of the cases. */
bool load_chance(struct load *load, double part);
/* A service time that the server said it is (`exact`), or was. */
void load_heard_time(struct load *load, uint64_t moment, bool exact);

/* ---- load_waiting.c ----------------------------------------------------------------------------------------- */

/* Where a table is, for people. */
void load_table_describe(const struct load_table *table, char text[LOAD_TOLD_SIZE]);

/* ---- load_visitor.c ----------------------------------------------------------------------------------------- */

/* Comes: becomes a guest or an account where it is a player, then opens a socket, and opens it again when it is lost.
 */
void load_visitor_come(struct load_visitor *visitor);
/* Goes for good. */
void load_visitor_go(struct load_visitor *visitor);
/* With nodes: asks now and then whether anybody is there, as a real client does, and comes back elsewhere if not. */
void load_visitor_look_after(struct load_visitor *visitor, uint64_t now);
/* The client of the server where it is. */
struct mrl_client *load_visitor_client(const struct load_visitor *visitor);
/* Its connection breaks, and it comes back. */
void load_visitor_cut(struct load_visitor *visitor);
bool load_visitor_say(struct load_visitor *visitor, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Watches its table's game. `anew`: asks for a snapshot; else for what it has not got, or some more. */
void load_visitor_watch(struct load_visitor *visitor, bool anew);

/* ---- load_table.c ------------------------------------------------------------------------------------------- */

/* Does what is to be done next. */
void load_table_step(struct load_table *table);
/* The game has gone on. */
void load_table_moved(struct load_table *table);
/* Nothing more will be heard of its game: who wants to compare it is told, and it is forgotten. */
void load_table_leave(struct load_table *table);
/* Does it after so many milliseconds. */
void load_table_step_later(struct load_table *table, uint64_t pause);
/* The game `table->next` has begun: the players sit at it, the watchers are told. */
void load_table_begin(struct load_table *table);
/* Which player has this seat of the game, and which seat a player has: the same arithmetic. */
unsigned load_table_other(const struct load_table *table, unsigned seat_or_player);
void load_table_welcomed(struct load_table *table, struct load_visitor *visitor);
void load_table_lost(struct load_table *table, struct load_visitor *visitor);
/* A message to one of the players or watchers that is not about what happened in the game. */
void load_table_message(struct load_table *table, struct load_visitor *visitor, const char *kind, json_t *message);
void load_table_news(struct load_table *table, struct load_visitor *visitor, const struct load_news *news);
void load_table_snapshot(struct load_table *table, struct load_visitor *visitor, json_t *snapshot);

/* ---- load_arrange.c ----------------------------------------------------------------------------------------- */

/* Makes the next game of a table whose players are both there. */
void load_arrange(struct load_table *table);
void load_arrange_message(struct load_table *table, struct load_visitor *visitor, const char *kind, json_t *message);
/* The rematch was agreed on. */
void load_arrange_rematch(struct load_table *table, const char *next);
/* Asks for a rematch, both players at once, or the one who has come back. */
void load_arrange_ask_rematch(struct load_table *table);
/* Both players' ratings as the server has them now are what the games told. */
void load_arrange_check_ratings(struct load_table *table);

/* ---- load_command.c ----------------------------------------------------------------------------------------- */

/* Chooses and sends a command, if there is one to be sent now. */
void load_command_next(struct load_table *table);
/* Sends the one that is on its way once more, after its player has come back. */
void load_command_again(struct load_table *table);
void load_command_done(struct load_table *table, struct load_visitor *visitor, json_t *message);
void load_command_refused(struct load_table *table, struct load_visitor *visitor, json_t *message);

#endif
