/*
 * Load for a server: games played, watched and interrupted, and everything that is told about them checked.
 *
 * A struct load owns people, tables and watchers, all on one libuv loop, whose thread it belongs to:
 *
 *     load_new()                           nothing happens yet
 *     load_begin()                         people come, sit down, play
 *     ... the loop runs ...                load_stats() at any time
 *     load_finish()                        no more commands; everything outstanding is answered and compared
 *     ... the loop runs until load_is_over()
 *     load_free()
 *
 * Every table has two players with a socket each. Their game goes on by random legal turns, the next one not before the
 * last was acknowledged and told; when it is over they begin another.
 */
#ifndef MERELS_CLI_LOAD_H
#define MERELS_CLI_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

#include "load_stats.h"

struct uv_loop_s;
struct load;
struct load_model;

/* So many servers of one club may be played at. */
#define LOAD_SERVERS 16

struct load_plan {
	const char *urls[LOAD_SERVERS]; /* with several, those at a table sit at different ones */
	unsigned servers;
	bool together; /* those at a table sit at one of them all the same */
	bool nodes;    /* each of them is many nodes of one club, or one: times differ, and all are not told at once */
	struct mrl_rules rules;
	unsigned games;     /* tables */
	unsigned rated;     /* of them: between accounts, for ratings, and short */
	unsigned watchers;  /* sockets that watch */
	unsigned watched;   /* the games they share, the first ones; at least 1 when there are watchers */
	unsigned idle;      /* sockets that do nothing */
	unsigned addresses; /* from how many addresses of 127/8 connections come; 0: as the system does it */
	double rate;        /* turns a second of all tables together; 0: as fast as the answers come */
	double cuts;        /* connections of players and watchers cut in a second */
	double repeats;     /* part of the commands that are sent twice, 0..1 */
	double lobby;       /* part of the games that begin in the lobby, 0..1; the others begin by link or rematch */
	double talk;        /* part of the commands that are no turns but chat, offers, added time, 0..1 */
	uint64_t base;      /* of the clocks, milliseconds; 0: no clocks */
	uint64_t increment;
	bool server_dies; /* connections may be lost at any time: that is no fault */
	uint64_t seed;    /* of all that is random */
	/* Told of each game when it is left for another, and at the end; NULL: nobody is. */
	void (*left)(void *user, const struct load_model *model);
	void *user;
};

MRL_MUST_USE enum mrl_status load_new(struct load **load, struct uv_loop_s *loop, const struct load_plan *plan,
				      struct mrl_error *error);
void load_begin(struct load *load);
void load_finish(struct load *load);
bool load_is_over(const struct load *load);

/* Frees it, with whatever it still has on the loop; runs the loop for that. NULL is allowed. */
void load_free(struct load *load);

const struct load_stats *load_stats(const struct load *load);

/* Forgets what was measured so far, so that what follows is measured alone; faults, and how people came, are kept. */
void load_measure(struct load *load);

/* How many sockets are open; how many tables are in the middle of a game with both players there. */
size_t load_open(const struct load *load);
size_t load_playing(const struct load *load);

/* How many tables do not get on; `text` says of the one that stands still longest why. */
size_t load_waiting(const struct load *load, char text[LOAD_TOLD_SIZE]);

/* How many sockets there are to be. */
size_t load_wanted(const struct load *load);

/*
 * For how long the game that has waited longest has not gone on, in nanoseconds, of those that are under way; 0 when
 * there is none. Turns are made at the plan's rate, so a good part of it is its pace. For how long its players were
 * away because we had cut their connections does not count.
 */
uint64_t load_standing(const struct load *load);

/* The server is being killed; it is being started again. With these its service time is checked,
 * unless it is of nodes. */
void load_server_killed(struct load *load);
void load_server_started(struct load *load);

#endif
