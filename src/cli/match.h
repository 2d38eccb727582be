/*
 * A match between programs that speak the engine protocol: what its parts share.
 *
 *     match_spec.c      what was asked for: engines, their options and limits
 *     match_engine.c    one running engine
 *     match_openings.c  how the games begin
 *     match_game.c      one game, refereed
 *     match_run.c       all the games, several at a time
 *     match_show.c      progress, table, records
 *     match_stats.c     what the results mean
 */
#ifndef MERELS_CLI_MATCH_H
#define MERELS_CLI_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <merels/rules.h>
#include <merels/search.h>

#include "cli.h"
#include "match_stats.h"

struct mrl_monitor;

/* ---- What was asked for ------------------------------------------------------------------------------------- */

#define MATCH_MAX_ENGINES 32
#define MATCH_MAX_OPTIONS 32
#define MATCH_NAME_SIZE 64

struct match_limits {
	bool has_clock;
	uint64_t base;      /* milliseconds */
	uint64_t increment; /* milliseconds */
	uint64_t time;      /* milliseconds for a turn; 0: none */
	uint64_t nodes;
	unsigned depth;
};

struct match_option {
	char *name; /* owned */
	char *value;
};

struct match_spec {
	char name[MATCH_NAME_SIZE];
	char *command;    /* owned, as it was given */
	char **arguments; /* owned: the command's words, ended by NULL */
	struct match_limits limits;
	bool has_limits;
	struct match_option options[MATCH_MAX_OPTIONS];
	size_t option_count;
};

struct match_adjudication {
	unsigned draw_after; /* plies before which no draw is given */
	unsigned draw_plies; /* in a row with a score of at most draw_score; 0: never */
	int draw_score;
	unsigned win_plies; /* in a row with a score of at least win_score for the same side; 0: never */
	int win_score;
	unsigned most_plies; /* a draw then; 0: never */
};

struct match_plan {
	struct mrl_rules rules;
	char rules_text[MRL_RULES_NAME_SIZE];
	struct match_spec engines[MATCH_MAX_ENGINES];
	size_t engine_count;
	unsigned rounds; /* each two engines play two games in each */
	unsigned concurrency;
	uint64_t seed;
	uint64_t margin;   /* milliseconds that an answer may be late */
	uint64_t patience; /* milliseconds for an answer that has no clock */
	struct match_adjudication adjudication;
	unsigned opening_plies;
	int opening_score;        /* openings are worth at most so much for either side */
	const char *opening_path; /* NULL: random openings */
	const char *record_path;  /* NULL: no records */
	const char *event;
	bool has_sprt;
	struct match_sprt sprt;
	bool quiet; /* engines' standard error goes nowhere */
};

/*
 * Takes the words from argv[0] on that belong to one engine: its command, then `name=`, `option.X=`, `tc=`,
 * `movetime=`, `nodes=`, `depth=`. Returns how many words these are, or 0 after having reported what is wrong.
 */
int match_spec_read(struct match_spec *spec, int argc, char **argv);

/* The same without a command, to be laid under every engine. */
int match_spec_read_each(struct match_spec *spec, int argc, char **argv);

/* What `each` says, and the engine does not. False after having reported that there are too many options. */
bool match_spec_complete(struct match_spec *spec, const struct match_spec *each);

void match_spec_release(struct match_spec *spec);

/* "10+0.1" and the like, for a record and a table; "nodes=1000". */
#define MATCH_LIMITS_SIZE 64
void match_limits_write(const struct match_limits *limits, char text[MATCH_LIMITS_SIZE]);

/* ---- A running engine --------------------------------------------------------------------------------------- */

struct match_engine;

enum match_trouble {
	MATCH_FINE,
	MATCH_LATE,        /* no answer in time */
	MATCH_GONE,        /* it has ended by itself */
	MATCH_INTERRUPTED, /* we do not want to go on */
	MATCH_UNFIT        /* it does not speak the protocol, or lacks an option */
};

/* What an engine said with its turn. */
struct match_answer {
	char turn[64];  /* the words behind bestmove, closed up; "" for none */
	char score[24]; /* "cp 12", "win 7"; "" when it told none */
	bool has_value;
	int value; /* of the score, hundredths of a man, for the side to move */
	unsigned depth;
	uint64_t nodes;
	uint64_t elapsed; /* nanoseconds */
};

/* Whether to leave off; asked some ten times a second. */
struct match_watch {
	bool (*stop)(void *context);
	void *context;
};

/* Starts an engine and shakes hands. In `why` (of at least 256 bytes) stands what went wrong. */
enum match_trouble match_engine_start(struct match_engine **engine, const struct match_plan *plan, size_t number,
				      const struct match_watch *watch, char *why);

/* Tells it that a game begins. */
enum match_trouble match_engine_new_game(struct match_engine *engine, const struct match_watch *watch);

/*
 * Asks for a turn. `position` is the whole line, `go` as well; the answer must come within `allowed` milliseconds (the
 * margin included). After MATCH_LATE and MATCH_GONE only match_engine_end() is left to do.
 */
enum match_trouble match_engine_think(struct match_engine *engine, const char *position, const char *go,
				      uint64_t allowed, const struct match_watch *watch, struct match_answer *answer);

/* Whether it understands `position text`. */
bool match_engine_is_ours(const struct match_engine *engine);

/* Ends it, kindly first. `how` (32 bytes, may be NULL) gets how it ended. NULL is allowed. */
void match_engine_end(struct match_engine *engine, char *how);

/* ---- Openings ----------------------------------------------------------------------------------------------- */

struct match_opening {
	struct cli_game game; /* owned: where it starts, and what was played from there */
	bool set_up;          /* it starts elsewhere than the rule set does */
};

struct match_openings;

/* NULL after having reported what is wrong. */
struct match_openings *match_openings_new(const struct match_plan *plan);
void match_openings_free(struct match_openings *openings);

/* The next opening; false when there is no memory. One thread at a time. */
MRL_MUST_USE bool match_openings_next(struct match_openings *openings, struct match_opening *opening);

void match_opening_release(struct match_opening *opening);
MRL_MUST_USE bool match_opening_copy(struct match_opening *to, const struct match_opening *from);

/* ---- A game ------------------------------------------------------------------------------------------------- */

/* What stands beside a turn in the record. */
struct match_note {
	char score[24]; /* hundredths of a man for White, as in [%eval 0.35]; "" for none */
	bool has_clock;
	uint64_t clock; /* milliseconds left */
	unsigned depth;
	uint64_t elapsed; /* nanoseconds */
};

struct match_result {
	struct match_opening opening; /* owned: with all that was played */
	size_t opening_plies;
	struct match_note *notes; /* owned: one for each turn */
	size_t note_count;
	size_t note_size;
	enum mrl_outcome outcome; /* MRL_ONGOING: not played to an end, does not count */
	enum mrl_reason reason;   /* MRL_REASON_NONE: `termination` says it */
	char termination[256];
	bool failed;          /* somebody crashed, was late, or played what is no legal turn */
	size_t failed_engine; /* number in the plan */
};

/* Engines of one thread, by number in the plan; NULL where none runs. */
struct match_seat {
	const struct match_plan *plan;
	struct match_engine **engines;
	struct match_watch watch;
};

/* Plays from the opening in `result` to an end. Starts engines as needed and ends those that failed. */
void match_game_play(struct match_seat *seat, size_t white, size_t black, struct match_result *result);

void match_result_release(struct match_result *result);

/* ---- All the games ------------------------------------------------------------------------------------------ */

struct match_meeting {
	size_t first; /* numbers of engines */
	size_t second;
};

struct match_totals {
	struct match_tally *results; /* of i against j at i * engine_count + j */
	unsigned failures[MATCH_MAX_ENGINES];
	uint64_t games;
	uint64_t wanted;
	uint64_t turns;
	bool interrupted;
	enum match_decision decision;
	uint64_t begin; /* moment of mrl_clock_now() */
};

/* Plays the plan; an exit code. */
int match_run(const struct match_plan *plan);

/* ---- Showing (match_show.c); one thread at a time ----------------------------------------------------------- */

struct match_show {
	const struct match_plan *plan;
	FILE *records; /* NULL: none */
	bool live;     /* a line that is overwritten, instead of lines that stay */
	uint64_t next; /* moment of the next line */
	uint64_t told; /* games at the last line */
};

/* Opens the file of records. False after having reported. */
bool match_show_begin(struct match_show *show, const struct match_plan *plan);
void match_show_end(struct match_show *show);

/* A game is over: its record, what went wrong in it, how far the match is. False when the record cannot be written. */
bool match_show_game(struct match_show *show, const struct match_totals *totals, uint64_t number, size_t white,
		     size_t black, const struct match_result *result);

/* The table, on standard output. */
void match_show_table(const struct match_show *show, const struct match_totals *totals);

#endif
