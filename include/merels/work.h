/*
 * Thinking that is left to other processes: jobs that a node gives and workers take, over the bus.
 *
 * A job is a turn to be chosen, or the turns of a position to be rated by exact tables. A worker says at once that it
 * has taken a job, and later what came out. A giver that is not told so in time gives the job to another worker, and
 * when that fails too, gives it back: the node must be able to think by itself. So a worker may be killed, stopped, or
 * cut off at any moment. What is answered is no more than a proposal: the node has its rules look at it, as at a turn
 * of a person.
 *
 * Workers know of the club nothing but its id, from the calls of its nodes or an option. Everything of this room
 * belongs to the thread of its bus.
 */
#ifndef MERELS_WORK_H
#define MERELS_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/bus.h>
#include <merels/notation.h>
#include <merels/rules.h>
#include <merels/shelf.h>
#include <merels/status.h>

struct mrl_log;

/* The version of the messages; others are refused with a line in the log. */
#define MRL_WORK_VERSION 1

/* Bytes of a club's id and of the names of nodes and workers, the closing 0 included: letters, digits, - and _. */
#define MRL_WORK_NAME_SIZE 64

enum mrl_work_kind { MRL_WORK_TURN, MRL_WORK_RATE };

struct mrl_job {
	enum mrl_work_kind kind;
	bool tables;                     /* exact tables of the rule set are needed */
	char rules[MRL_RULES_NAME_SIZE]; /* in canonical form */
	unsigned level;                  /* of a turn: 1 .. MRL_LEVELS */
	uint32_t time;                   /* of a turn: ms to think at most, 1 .. 60000 */
	uint32_t left;                   /* of a turn: on the clock, ms; 0: there is none */
	uint32_t increment;
	uint64_t seed;
	char position[MRL_POSITION_TEXT_SIZE]; /* where the game began, or what is rated; "" the start of the rules */
	const char *turns;                     /* that were played since, spaces between them; not 0-terminated */
	size_t turns_length;
};

/* What a worker made of a job: lines, see docs/WORKERS.md. Gone when the callback returns. */
struct mrl_work_result {
	const char *text; /* of MRL_WORK_TURN the turn; of MRL_WORK_RATE lines "TURN VALUE DISTANCE TRAPS" */
	size_t length;
	const char *worker; /* whose it is */
	unsigned best;      /* of MRL_WORK_RATE: how many of the first lines are best; 0: the game is over */
};

/* ---- Giving ------------------------------------------------------------------------------------------------- */

struct mrl_giver;

/*
 * Gives jobs of a club from now on. Bus and log must outlive it. NULL for want of memory, or when the club's id is
 * none.
 */
struct mrl_giver *mrl_giver_new(struct mrl_bus *bus, const char *club, const struct mrl_log *log);

/* Gives back what is under way. NULL is allowed. */
void mrl_giver_free(struct mrl_giver *giver);

/* Calls for workers, forgets those that were not heard of, and gives late jobs again: every 10 .. 100 ms. */
void mrl_giver_tick(struct mrl_giver *giver);

/* How many workers there are, as far as is known. */
size_t mrl_giver_workers(const struct mrl_giver *giver);

/* Whether a worker has exact tables of a rule set in canonical form; and all that some have, each once. */
bool mrl_giver_has_tables(const struct mrl_giver *giver, const char *rules);
void mrl_giver_each_tables(const struct mrl_giver *giver, void (*each)(void *user, const char *rules), void *user);

/* Called once, unless it is cancelled; NULL: nobody did it. */
typedef void mrl_giver_done(void *user, const struct mrl_work_result *outcome);

/*
 * Gives a job away. `id` is for cancelling, never 0. MRL_MISSING when no worker can do it, MRL_BUSY when they have
 * enough to do: then `done` is not called. The job is copied.
 */
MRL_MUST_USE enum mrl_status mrl_giver_ask(struct mrl_giver *giver, const struct mrl_job *job, mrl_giver_done *done,
					   void *user, uint64_t *id);

/* Nobody wants it any more; whoever thinks about it stops. 0 and what is unknown is allowed. */
void mrl_giver_cancel(struct mrl_giver *giver, uint64_t id);

struct mrl_giver_counts {
	uint64_t given; /* jobs, not counting the times that they were given again */
	uint64_t again;
	uint64_t done;
	uint64_t failed; /* given back */
	uint64_t strays; /* messages that were not ours or not understood, and outcomes that came too late */
};

void mrl_giver_count(const struct mrl_giver *giver, struct mrl_giver_counts *counts);

/* ---- Working ------------------------------------------------------------------------------------------------ */

struct mrl_worker;

struct mrl_worker_settings {
	const char *club;   /* NULL: that of the first node that is heard of */
	unsigned threads;   /* at least 1 */
	const char *tables; /* a folder with a folder of exact tables for each rule set; NULL: none */
	const struct mrl_log *log;
};

/* Takes jobs from now on. The bus must outlive it. MRL_NAME for a club's id that is none, MRL_SPACE. */
MRL_MUST_USE enum mrl_status mrl_worker_open(struct mrl_worker **worker, struct mrl_bus *bus,
					     const struct mrl_worker_settings *settings, struct mrl_error *error);

/* Stops thinking. What was not done is told to the givers, who give it to others. NULL is allowed. */
void mrl_worker_close(struct mrl_worker *worker);

/* Sends what is done; to be called after each poll of the bus, whose wait is ended when something is done. */
void mrl_worker_tick(struct mrl_worker *worker);

/* ---- Messages, for fuzzing ---------------------------------------------------------------------------------- */

/* A job as text; the length it has, or would have if it is more than `size` (then nothing is promised of the text). */
size_t mrl_job_write(const struct mrl_job *job, char *buffer, size_t size);

/*
 * Reads one that anybody sent. `turns` points into the text. MRL_SYNTAX or MRL_RANGE with a sentence. That rules,
 * position and turns are any is looked at by mrl_job_set_up().
 */
MRL_MUST_USE enum mrl_status mrl_job_read(struct mrl_job *job, const char *text, size_t length,
					  struct mrl_error *error);

/*
 * The game of a job: `rules` is filled and must outlive it, game->plies is malloc'ed and the caller's to free (NULL on
 * failure). Errors are those of the texts.
 */
MRL_MUST_USE enum mrl_status mrl_job_set_up(const struct mrl_job *job, struct mrl_rules *rules, struct mrl_game *game,
					    struct mrl_error *error);

#endif
