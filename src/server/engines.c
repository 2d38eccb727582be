#include "engines.h"

#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <merels/notation.h>
#include <merels/play_event.h>
#include <merels/player.h>
#include <merels/shelf.h>
#include <merels/work.h>
#include <os/thread.h>

#include "server_internal.h"

enum {
	MEGABYTES = 16,     /* of each search's transposition table */
	USUAL_MS = 700,     /* for a turn when nobody else waits */
	LEAST_MS = 40,      /* and when very many do */
	MOST_WAITING = 4096 /* games in the queue */
};

struct job {
	struct job *next;
	struct mrl__engines *engines;
	uint64_t away; /* its number with the giver, while a worker has it */
	uint64_t game;
	const struct mrl_rules *rules; /* held */
	struct mrl_game moves;         /* a copy */
	struct mrl_ply *plies;         /* owned */
	struct mrl_tables *tables;     /* NULL: it plays without */
	unsigned level;
	uint32_t left;
	uint32_t increment;
	uint64_t seed;
	bool cancelled; /* under the monitor */
	char turn[MRL_TURN_TEXT_SIZE];
};

struct worker {
	struct mrl__engines *engines;
	struct mrl_thread *thread;
	struct mrl_player *player;
	struct job *job; /* under the monitor; what it thinks about */
};

struct mrl__engines {
	struct mrl__server *server;
	struct mrl_monitor *monitor;
	struct worker *workers;
	unsigned count;
	struct job *first; /* all of these under the monitor */
	struct job **last;
	struct job *finished;
	size_t waiting;
	bool ending;
	uv_async_t ready;
	struct mrl_giver *giver; /* NULL: all is done here. This and the next belong to the loop */
	struct job *away;        /* jobs that workers have */
	struct mrl_shelf shelf;  /* nothing of it changes once it is open */
};

static void free_job(struct mrl__engines *engines, struct job *job)
{
	mrl__rulebook_drop(&engines->server->rulebook, job->rules);
	free(job->plies);
	free(job);
}

/* ---- The threads -------------------------------------------------------------------------------------------- */

/* How long to think: less the more wait. */
static uint64_t time_for(size_t waiting, unsigned threads)
{
	uint64_t time = USUAL_MS / (1 + waiting / threads);

	return time > LEAST_MS ? time : LEAST_MS;
}

static void think(struct worker *worker, struct job *job, size_t waiting)
{
	struct mrl_player_limits limits = {.time = time_for(waiting, worker->engines->count),
					   .level = job->level > MRL_LEVELS ? MRL_LEVELS : job->level,
					   .seed = job->seed,
					   .has_clock = job->left != 0,
					   .clock = {.left = job->left, .increment = job->increment}};
	struct mrl_player_report *report = malloc(sizeof(*report));

	if (job->tables != NULL) {
		limits.probe = mrl_shelf_probe;
		limits.probe_context = job->tables;
	}
	job->turn[0] = '\0';
	if (report == NULL)
		return;
	enum mrl_status status = mrl_player_think(worker->player, &job->moves, &limits, report);

	/* Even a search that was stopped at once has a legal turn. */
	if (status == MRL_OK || status == MRL_STOPPED)
		(void)mrl_turn_write(&job->rules->board, &report->result.lines[0].turns[0], job->turn);
	free(report);
}

static void run(void *argument)
{
	struct worker *worker = argument;
	struct mrl__engines *engines = worker->engines;

	mrl_monitor_enter(engines->monitor);
	while (!engines->ending) {
		struct job *job = engines->first;

		if (job == NULL) {
			mrl_monitor_wait(engines->monitor);
			continue;
		}
		engines->first = job->next;
		if (engines->first == NULL)
			engines->last = &engines->first;
		size_t waiting = --engines->waiting;

		worker->job = job;
		mrl_monitor_leave(engines->monitor);
		think(worker, job, waiting);
		mrl_monitor_enter(engines->monitor);
		worker->job = NULL;
		job->next = engines->finished;
		engines->finished = job;
		(void)uv_async_send(&engines->ready);
	}
	mrl_monitor_leave(engines->monitor);
}

/* ---- The loop ----------------------------------------------------------------------------------------------- */

static void on_ready(uv_async_t *ready)
{
	struct mrl__engines *engines = ready->data;

	mrl_monitor_enter(engines->monitor);
	struct job *job = engines->finished;

	engines->finished = NULL;
	mrl_monitor_leave(engines->monitor);
	while (job != NULL) {
		struct job *next = job->next;

		if (!job->cancelled && job->turn[0] != '\0')
			mrl__rooms_engine_turn(engines->server, job->game, (uint32_t)job->moves.count, job->turn);
		free_job(engines, job);
		job = next;
	}
}

static bool start_workers(struct mrl__engines *engines, unsigned threads)
{
	engines->workers = calloc(threads, sizeof(*engines->workers));
	for (unsigned i = 0; engines->workers != NULL && i < threads; i++) {
		struct worker *worker = &engines->workers[i];

		worker->engines = engines;
		worker->player = mrl_player_new(1, MEGABYTES);
		if (worker->player == NULL)
			return false;
		engines->count = i + 1;
		worker->thread = mrl_thread_start(run, worker);
		if (worker->thread == NULL)
			return false;
	}
	return engines->workers != NULL;
}

struct mrl__engines *mrl__engines_start(struct mrl__server *server, unsigned threads, const char *tables)
{
	struct mrl__engines *engines = calloc(1, sizeof(*engines));

	if (engines == NULL)
		return NULL;
	engines->server = server;
	engines->last = &engines->first;
	engines->monitor = mrl_monitor_new();
	if (tables[0] != '\0')
		mrl_shelf_open(&engines->shelf, tables, &server->log);
	if (engines->monitor == NULL || uv_async_init(&server->loop, &engines->ready, on_ready) != 0) {
		mrl_monitor_free(engines->monitor);
		free(engines);
		return NULL;
	}
	engines->ready.data = engines;
	if (start_workers(engines, threads))
		return engines;
	mrl__engines_stop(engines);
	/* The handle is closed by the loop, which goes on with taking the server down. */
	return engines->count > 0 ? engines : NULL;
}

void mrl__engines_stop(struct mrl__engines *engines)
{
	if (engines == NULL || engines->ending)
		return;
	mrl__engines_leave_bus(engines);
	mrl_monitor_enter(engines->monitor);
	engines->ending = true;
	mrl_monitor_wake(engines->monitor);
	for (unsigned i = 0; i < engines->count; i++) {
		if (engines->workers[i].job != NULL)
			mrl_player_stop(engines->workers[i].player);
	}
	mrl_monitor_leave(engines->monitor);
	for (unsigned i = 0; i < engines->count; i++)
		mrl_thread_join(engines->workers[i].thread);
	uv_close((uv_handle_t *)&engines->ready, NULL);
}

static void free_jobs(struct mrl__engines *engines, struct job *job)
{
	while (job != NULL) {
		struct job *next = job->next;

		free_job(engines, job);
		job = next;
	}
}

void mrl__engines_free(struct mrl__engines *engines)
{
	if (engines == NULL)
		return;
	free_jobs(engines, engines->first);
	free_jobs(engines, engines->finished);
	for (unsigned i = 0; i < engines->count; i++)
		mrl_player_free(engines->workers[i].player);
	mrl_shelf_close(&engines->shelf);
	free(engines->workers);
	mrl_monitor_free(engines->monitor);
	free(engines);
}

/* ---- Asking ------------------------------------------------------------------------------------------------- */

static void think_here(struct mrl__engines *engines, struct job *job)
{
	job->next = NULL;
	mrl_monitor_enter(engines->monitor);
	*engines->last = job;
	engines->last = &job->next;
	engines->waiting++;
	mrl_monitor_wake(engines->monitor);
	mrl_monitor_leave(engines->monitor);
}

static void come_back(struct job *job)
{
	struct job **link = &job->engines->away;

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
}

/* A worker may send anything: what is no turn here is as good as no answer. */
static bool is_turn(const struct job *job, const struct mrl_work_result *result, char text[MRL_TURN_TEXT_SIZE])
{
	struct mrl_turn turn;

	if (mrl_turn_read(job->rules, &job->moves.position, result->text, result->length, &turn, NULL) != MRL_OK)
		return false;
	(void)mrl_turn_write(&job->rules->board, &turn, text);
	return true;
}

static void on_worker(void *user, const struct mrl_work_result *result)
{
	struct job *job = user;
	struct mrl__engines *engines = job->engines;

	come_back(job);
	if (result != NULL && is_turn(job, result, job->turn)) {
		mrl__rooms_engine_turn(engines->server, job->game, (uint32_t)job->moves.count, job->turn);
		free_job(engines, job);
		return;
	}
	if (result != NULL)
		mrl_log(&engines->server->log, MRL_LOG_WARNING, "worker %s sent what is no turn", result->worker);
	think_here(engines, job);
}

/* The turns of a game as text, the caller's to free; NULL for want of memory. */
static char *write_turns(const struct mrl_game *moves, size_t *length)
{
	char *text = malloc(moves->count * MRL_TURN_TEXT_SIZE + 1);

	*length = 0;
	for (size_t i = 0; text != NULL && i < moves->count; i++) {
		if (i > 0)
			text[(*length)++] = ' ';
		*length += mrl_turn_write(&moves->rules->board, &moves->plies[i].turn, text + *length);
	}
	return text;
}

/* Leaves it to a worker; false: there is none for it. */
static bool give_away(struct mrl__engines *engines, struct job *job)
{
	const char *rules = mrl__rulebook_text(job->rules);
	bool perfect = job->level == MRL_PLAY_PERFECT;
	struct mrl_job away = {.kind = MRL_WORK_TURN,
			       .tables = perfect && mrl_giver_has_tables(engines->giver, rules),
			       .level = job->level > MRL_LEVELS ? MRL_LEVELS : job->level,
			       .time = USUAL_MS,
			       .left = job->left,
			       .increment = job->increment,
			       .seed = job->seed};

	/* Tables that are here and not there are what perfect play needs. */
	if (perfect && !away.tables && job->tables != NULL)
		return false;
	char *turns = write_turns(&job->moves, &away.turns_length);

	if (turns == NULL)
		return false;
	away.turns = turns;
	(void)memcpy(away.rules, rules, strlen(rules) + 1);
	enum mrl_status status = mrl_giver_ask(engines->giver, &away, on_worker, job, &job->away);

	free(turns);
	if (status != MRL_OK)
		return false;
	job->next = engines->away;
	engines->away = job;
	return true;
}

bool mrl__engines_use_bus(struct mrl__engines *engines, struct mrl_bus *bus, const char *club)
{
	engines->giver = mrl_giver_new(bus, club, &engines->server->log);
	return engines->giver != NULL;
}

void mrl__engines_leave_bus(struct mrl__engines *engines)
{
	mrl_giver_free(engines->giver);
	engines->giver = NULL;
}

void mrl__engines_tick(struct mrl__engines *engines)
{
	if (engines != NULL && engines->giver != NULL)
		mrl_giver_tick(engines->giver);
}

struct mrl_giver *mrl__engines_giver(struct mrl__engines *engines)
{
	return engines == NULL ? NULL : engines->giver;
}

void mrl__engines_count_workers(const struct mrl__engines *engines, uint64_t *done, uint64_t *failed, uint64_t *workers)
{
	struct mrl_giver_counts counts = {0};

	*workers = 0;
	if (engines != NULL && engines->giver != NULL) {
		mrl_giver_count(engines->giver, &counts);
		*workers = mrl_giver_workers(engines->giver);
	}
	*done = counts.done;
	*failed = counts.failed;
}

bool mrl__engines_ask(struct mrl__engines *engines, uint64_t game, const struct mrl_game *moves, unsigned level,
		      uint32_t left, uint32_t increment)
{
	const char *rules = mrl__rulebook_text(moves->rules);
	struct job *job = NULL;

	if (engines == NULL || engines->ending || mrl__engines_waiting(engines) >= MOST_WAITING ||
	    (job = calloc(1, sizeof(*job))) == NULL)
		return false;
	job->rules = mrl__rulebook_hold(&engines->server->rulebook, rules);
	job->plies = malloc((moves->count + 1) * sizeof(*job->plies));
	if (job->rules == NULL || job->plies == NULL) {
		free_job(engines, job);
		return false;
	}
	if (moves->count > 0)
		memcpy(job->plies, moves->plies, moves->count * sizeof(*job->plies));
	job->game = game;
	job->moves = *moves;
	job->moves.rules = job->rules;
	mrl_game_move(&job->moves, job->plies, moves->count + 1);
	job->level = level;
	job->tables = level == MRL_PLAY_PERFECT ? mrl_shelf_find(&engines->shelf, rules) : NULL;
	job->left = left;
	job->increment = increment;
	job->seed = mrl__random();
	job->engines = engines;
	if (engines->giver == NULL || !give_away(engines, job))
		think_here(engines, job);
	return true;
}

void mrl__engines_cancel(struct mrl__engines *engines, uint64_t game)
{
	struct job *gone = NULL;

	if (engines == NULL)
		return;
	for (struct job *job = engines->away; job != NULL; job = job->next) {
		if (job->game == game) {
			mrl_giver_cancel(engines->giver, job->away);
			come_back(job);
			free_job(engines, job);
			break;
		}
	}
	mrl_monitor_enter(engines->monitor);
	for (struct job **link = &engines->first; *link != NULL && gone == NULL;) {
		struct job *job = *link;

		if (job->game != game) {
			link = &job->next;
			continue;
		}
		gone = job;
		*link = job->next;
		if (job->next == NULL)
			engines->last = link;
		engines->waiting--;
	}
	for (unsigned i = 0; i < engines->count; i++) {
		struct worker *worker = &engines->workers[i];

		if (worker->job != NULL && worker->job->game == game) {
			worker->job->cancelled = true;
			mrl_player_stop(worker->player);
		}
	}
	for (struct job *job = engines->finished; job != NULL; job = job->next) {
		if (job->game == game)
			job->cancelled = true;
	}
	mrl_monitor_leave(engines->monitor);
	if (gone != NULL)
		free_job(engines, gone);
}

size_t mrl__engines_waiting(const struct mrl__engines *engines)
{
	if (engines == NULL)
		return 0;
	mrl_monitor_enter(engines->monitor);
	size_t waiting = engines->waiting;

	mrl_monitor_leave(engines->monitor);
	return waiting;
}

/* ---- Exact tables ------------------------------------------------------------------------------------------- */

bool mrl__engines_has_tables(struct mrl__engines *engines, const char *rules)
{
	if (engines == NULL)
		return false;
	return mrl_shelf_find(&engines->shelf, rules) != NULL ||
	       (engines->giver != NULL && mrl_giver_has_tables(engines->giver, rules));
}

struct mrl_tables *mrl__engines_tables(struct mrl__engines *engines, const char *rules, const struct mrl_rules **own)
{
	return engines != NULL ? mrl_shelf_ask(&engines->shelf, rules, own) : NULL;
}

struct listing {
	const struct mrl__engines *engines;
	struct mrl__json *json;
};

static void list_away(void *user, const char *rules)
{
	const struct listing *listing = user;

	if (mrl_shelf_find(&listing->engines->shelf, rules) == NULL)
		mrl__json_text(listing->json, NULL, rules);
}

void mrl__engines_write_tables(const struct mrl__engines *engines, struct mrl__json *json)
{
	struct listing listing = {engines, json};

	for (size_t i = 0; engines != NULL && i < engines->shelf.count; i++)
		mrl__json_text(json, NULL, engines->shelf.tables[i].name);
	if (engines != NULL && engines->giver != NULL)
		mrl_giver_each_tables(engines->giver, list_away, &listing);
}
