#include <stdlib.h>
#include <string.h>

#include <os/clock.h>
#include <os/log.h>

#include "message.h"

enum {
	BUCKETS = 256,
	MOST_WORKERS = 256,
	MOST_TABLES = 512,   /* bytes of the names of a worker's tables */
	CALL_MS = 1000,      /* between calls */
	FRESH_MS = 2500,     /* a worker that was not heard of for so long is not asked by name */
	GONE_MS = 5000,      /* or is forgotten */
	TAKE_MS = 500,       /* until somebody says that he has the job */
	SLACK_MS = 1000,     /* beyond the time that was given to think */
	RATE_MS = 5000,      /* for what is asked of tables */
	TRIES = 2,           /* workers that are asked before it is given back */
	MOST_OF_A_THREAD = 2 /* jobs under way for each thread of the workers */
};

#define MS ((uint64_t)1000000)

struct known_worker {
	char name[MRL_WORK_NAME_SIZE]; /* "" no worker */
	unsigned threads;
	uint64_t heard;
	char tables[MOST_TABLES]; /* names with a space before and behind each */
};

struct given {
	struct given *next;
	struct mrl_giver *giver;
	uint64_t id;
	uint64_t question; /* on the bus: who takes it; 0: somebody has */
	uint64_t deadline; /* of the outcome */
	unsigned tries;
	char worker[MRL_WORK_NAME_SIZE]; /* who has it, or was asked by name; "" unknown */
	char failed[MRL_WORK_NAME_SIZE]; /* who had it before */
	uint32_t patience;               /* ms */
	bool tables;
	char rules[MRL_RULES_NAME_SIZE];
	mrl_giver_done *done;
	void *user;
	size_t length;
	char *text; /* the message, owned */
};

struct mrl_giver {
	struct mrl_bus *bus;
	const struct mrl_log *log;
	char club[MRL_WORK_NAME_SIZE];
	char name[MRL_WORK_NAME_SIZE];
	uint64_t here_id; /* subscriptions */
	uint64_t done_id;
	uint64_t last_id;
	uint64_t called;
	uint64_t complained;
	size_t under_way;
	struct known_worker workers[MOST_WORKERS];
	struct given *given[BUCKETS];
	struct mrl_giver_counts counts;
};

/* ---- Workers ------------------------------------------------------------------------------------------------ */

/* Strangers may send anything, as fast as they like. */
static void complain(struct mrl_giver *giver, const char *what, const char *why)
{
	uint64_t now = mrl_clock_now();

	giver->counts.strays++;
	if (giver->complained != 0 && now - giver->complained < 1000 * MS)
		return;
	giver->complained = now;
	mrl_log(giver->log, MRL_LOG_WARNING, "workers: %s: %s", what, why);
}

/* Whether it is a message of ours; else a line says why not. */
static bool understand(struct mrl_giver *giver, const struct mrl_bus_message *message, struct message *read)
{
	struct mrl_error error;

	if (message_read(read, message->data, message->length, &error) != MRL_OK) {
		complain(giver, "a message is not understood", error.message);
		return false;
	}
	if (strcmp(read->club, giver->club) != 0) {
		complain(giver, "a message is of another club", read->club);
		return false;
	}
	return true;
}

static struct known_worker *find_worker(struct mrl_giver *giver, const char *name)
{
	struct known_worker *free_one = NULL;

	for (size_t i = 0; i < MOST_WORKERS; i++) {
		struct known_worker *worker = &giver->workers[i];

		if (strcmp(worker->name, name) == 0)
			return worker;
		if (free_one == NULL && worker->name[0] == '\0')
			free_one = worker;
	}
	return free_one;
}

static void on_here(void *user, const struct mrl_bus_message *message)
{
	struct mrl_giver *giver = user;
	struct message here;

	if (!understand(giver, message, &here))
		return;
	if (!message_is(&here, giver->club, "here") || here.from[0] == '\0' || here.tables.length + 3 > MOST_TABLES) {
		complain(giver, "a worker says nothing that can be used", here.kind);
		return;
	}
	struct known_worker *worker = find_worker(giver, here.from);

	if (worker == NULL)
		return;
	if (worker->name[0] == '\0')
		mrl_log(giver->log, MRL_LOG_INFO, "worker %s is here, with %u threads", here.from, here.threads);
	if (here.threads == 0) {
		mrl_log(giver->log, MRL_LOG_INFO, "worker %s stops", here.from);
		*worker = (struct known_worker){0};
		return;
	}
	struct mrl_text tables = mrl_text_in(worker->tables, sizeof(worker->tables));

	memcpy(worker->name, here.from, sizeof(here.from));
	worker->threads = here.threads;
	worker->heard = mrl_clock_now();
	mrl_text_char(&tables, ' ');
	mrl_text_bytes(&tables, here.tables.data, here.tables.length);
	mrl_text_char(&tables, ' ');
}

static bool has_tables(const struct known_worker *worker, const char *rules)
{
	size_t length = strlen(rules);

	for (const char *at = worker->tables; (at = strchr(at, ' ')) != NULL; at++) {
		if (strncmp(at + 1, rules, length) == 0 && at[1 + length] == ' ')
			return length > 0;
	}
	return false;
}

static bool can_do(const struct known_worker *worker, bool tables, const char *rules)
{
	return worker->name[0] != '\0' && (!tables || has_tables(worker, rules));
}

size_t mrl_giver_workers(const struct mrl_giver *giver)
{
	size_t count = 0;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		count += giver->workers[i].name[0] != '\0';
	return count;
}

bool mrl_giver_has_tables(const struct mrl_giver *giver, const char *rules)
{
	for (size_t i = 0; i < MOST_WORKERS; i++) {
		if (can_do(&giver->workers[i], true, rules))
			return true;
	}
	return false;
}

void mrl_giver_each_tables(const struct mrl_giver *giver, void (*each)(void *user, const char *rules), void *user)
{
	for (size_t i = 0; i < MOST_WORKERS; i++) {
		struct words rest = {giver->workers[i].tables, strlen(giver->workers[i].tables)};

		while (rest.length > 0) {
			struct words word = words_word(&rest);
			char name[MRL_RULES_NAME_SIZE];
			bool before = word.length == 0 || word.length >= sizeof(name);

			if (before)
				continue;
			memcpy(name, word.data, word.length);
			name[word.length] = '\0';
			for (size_t other = 0; other < i && !before; other++)
				before = can_do(&giver->workers[other], true, name);
			if (!before)
				each(user, name);
		}
	}
}

/* Another worker than those that had it, heard of just now; NULL: there is none. */
static const struct known_worker *choose(const struct mrl_giver *giver, const struct given *given)
{
	uint64_t now = mrl_clock_now();
	const struct known_worker *best = NULL;

	for (size_t i = 0; i < MOST_WORKERS; i++) {
		const struct known_worker *worker = &giver->workers[i];

		if (can_do(worker, given->tables, given->rules) && now - worker->heard < FRESH_MS * MS &&
		    strcmp(worker->name, given->failed) != 0 && (best == NULL || worker->heard > best->heard))
			best = worker;
	}
	return best;
}

/* ---- Jobs --------------------------------------------------------------------------------------------------- */

static struct given **find_given(struct mrl_giver *giver, uint64_t id)
{
	struct given **link = &giver->given[id % BUCKETS];

	while (*link != NULL && (*link)->id != id)
		link = &(*link)->next;
	return link;
}

static void free_given(struct given *given)
{
	mrl_bus_cancel(given->giver->bus, given->question);
	free(given->text);
	free(given);
}

static void take_out(struct given *given)
{
	struct given **link = find_given(given->giver, given->id);

	*link = given->next;
	given->giver->under_way--;
}

static void end(struct given *given, const struct mrl_work_result *outcome)
{
	mrl_giver_done *done = given->done;
	void *user = given->user;

	take_out(given);
	if (outcome != NULL)
		given->giver->counts.done++;
	else
		given->giver->counts.failed++;
	free_given(given);
	done(user, outcome);
}

static enum mrl_status give(struct given *given, const struct known_worker *worker);

/* Whoever had it does not do it: another, by name as the queue group might have the same one again; or nobody. */
static void give_again(struct given *given)
{
	memcpy(given->failed, given->worker, sizeof(given->failed));
	const struct known_worker *worker = given->tries < TRIES ? choose(given->giver, given) : NULL;

	given->giver->counts.again += worker != NULL;
	if (worker == NULL || give(given, worker) != MRL_OK)
		end(given, NULL);
}

static void on_taken(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	struct given *given = user;
	struct mrl_giver *giver = given->giver;
	struct message read;

	given->question = 0;
	if (status == MRL_OK && understand(giver, message, &read) && read.from[0] != '\0') {
		memcpy(given->worker, read.from, sizeof(given->worker));
		given->deadline = mrl_clock_now() + given->patience * MS;
		if (message_is(&read, giver->club, "taken"))
			return;
	}
	give_again(given);
}

static enum mrl_status give(struct given *given, const struct known_worker *worker)
{
	struct mrl_giver *giver = given->giver;
	char subject[MRL_BUS_SUBJECT_SIZE];

	if (worker != NULL)
		work_subject(subject, giver->club, "at", worker->name);
	else if (given->tables)
		work_subject(subject, giver->club, "tables", given->rules);
	else
		work_subject(subject, giver->club, "turn", NULL);
	memcpy(given->worker, worker != NULL ? worker->name : "", worker != NULL ? sizeof(given->worker) : 1);
	given->tries++;
	return mrl_bus_request(giver->bus, subject, given->text, given->length, TAKE_MS, on_taken, given,
			       &given->question, NULL);
}

static void on_done(void *user, const struct mrl_bus_message *message)
{
	struct mrl_giver *giver = user;
	struct message done;

	if (!understand(giver, message, &done))
		return;
	struct given *given = *find_given(giver, done.id);

	/* It was cancelled, or somebody else was quicker. */
	if (given == NULL) {
		giver->counts.strays++;
		return;
	}
	if (message_is(&done, giver->club, "done")) {
		const struct mrl_work_result outcome = {
		    .text = done.body.data, .length = done.body.length, .best = done.best, .worker = done.from};

		if (done.body.length > 0 || done.best == 0)
			end(given, &outcome);
	} else if (message_is(&done, giver->club, "failed")) {
		/* Of him who has it now: what the one before says of it is no news. */
		if (given->question == 0 && strcmp(given->worker, done.from) == 0)
			give_again(given);
	} else {
		complain(giver, "a worker says nothing that can be used", done.kind);
	}
}

static bool make_text(struct given *given, const struct mrl_job *job)
{
	struct mrl_giver *giver = given->giver;
	size_t size = mrl_job_write(job, NULL, 0) + 512;

	given->text = malloc(size);
	if (given->text == NULL)
		return false;
	struct mrl_text text = mrl_text_in(given->text, size);

	message_begin(&text, giver->club, "job", giver->name);
	message_number(&text, "id", given->id);
	mrl_text_char(&text, '\n');
	given->length = text.length + mrl_job_write(job, given->text + text.length, size - text.length);
	return given->length < size;
}

enum mrl_status mrl_giver_ask(struct mrl_giver *giver, const struct mrl_job *job, mrl_giver_done *done, void *user,
			      uint64_t *id)
{
	unsigned threads = 0;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		threads += can_do(&giver->workers[i], job->tables, job->rules) ? giver->workers[i].threads : 0;
	if (threads == 0 || !mrl_bus_is_connected(giver->bus))
		return MRL_MISSING;
	if (giver->under_way >= (size_t)threads * MOST_OF_A_THREAD)
		return MRL_BUSY;
	struct given *given = calloc(1, sizeof(*given));

	if (given == NULL)
		return MRL_SPACE;
	given->giver = giver;
	given->id = ++giver->last_id;
	given->done = done;
	given->user = user;
	given->tables = job->tables;
	memcpy(given->rules, job->rules, sizeof(given->rules));
	given->patience = job->kind == MRL_WORK_RATE ? RATE_MS : job->time * MOST_OF_A_THREAD + SLACK_MS;
	if (!make_text(given, job)) {
		free(given->text);
		free(given);
		return MRL_SPACE;
	}
	struct given **bucket = &giver->given[given->id % BUCKETS];

	given->next = *bucket;
	*bucket = given;
	giver->under_way++;
	giver->counts.given++;
	*id = given->id;
	enum mrl_status status = give(given, NULL);

	if (status == MRL_OK)
		return MRL_OK;
	take_out(given);
	giver->counts.given--;
	free_given(given);
	return status;
}

static void say(struct mrl_giver *giver, const char *what, const char *kind, uint64_t id)
{
	char subject[MRL_BUS_SUBJECT_SIZE];
	char message[256];
	struct mrl_text text = mrl_text_in(message, sizeof(message));

	work_subject(subject, giver->club, what, NULL);
	message_begin(&text, giver->club, kind, giver->name);
	if (id != 0)
		message_number(&text, "id", id);
	/* While there is no connection nobody needs to hear it. */
	(void)mrl_bus_publish(giver->bus, subject, message, text.length, NULL);
}

void mrl_giver_cancel(struct mrl_giver *giver, uint64_t id)
{
	struct given *given = *find_given(giver, id);

	if (given == NULL)
		return;
	take_out(given);
	free_given(given);
	say(giver, "drop", "drop", id);
}

/* ---- The giver ---------------------------------------------------------------------------------------------- */

struct mrl_giver *mrl_giver_new(struct mrl_bus *bus, const char *club, const struct mrl_log *log)
{
	struct mrl_giver *giver = calloc(1, sizeof(*giver));
	char subject[MRL_BUS_SUBJECT_SIZE];

	if (giver == NULL || !message_is_name(club, strlen(club))) {
		free(giver);
		return NULL;
	}
	giver->bus = bus;
	giver->log = log;
	(void)memcpy(giver->club, club, strlen(club) + 1);
	mrl_bus_word(bus, giver->name, sizeof(giver->name));
	work_subject(subject, club, "here", NULL);
	enum mrl_status status = mrl_bus_subscribe(bus, subject, NULL, on_here, giver, &giver->here_id, NULL);

	work_subject(subject, club, "done", giver->name);
	if (status == MRL_OK)
		status = mrl_bus_subscribe(bus, subject, NULL, on_done, giver, &giver->done_id, NULL);
	if (status == MRL_OK)
		return giver;
	mrl_giver_free(giver);
	return NULL;
}

void mrl_giver_free(struct mrl_giver *giver)
{
	if (giver == NULL)
		return;
	for (size_t i = 0; i < BUCKETS; i++) {
		while (giver->given[i] != NULL) {
			say(giver, "drop", "drop", giver->given[i]->id);
			end(giver->given[i], NULL);
		}
	}
	mrl_bus_unsubscribe(giver->bus, giver->here_id);
	mrl_bus_unsubscribe(giver->bus, giver->done_id);
	free(giver);
}

static void forget_silent(struct mrl_giver *giver, uint64_t now)
{
	for (size_t i = 0; i < MOST_WORKERS; i++) {
		struct known_worker *worker = &giver->workers[i];

		if (worker->name[0] == '\0' || now - worker->heard < GONE_MS * MS)
			continue;
		mrl_log(giver->log, MRL_LOG_WARNING, "worker %s is not heard of any more", worker->name);
		*worker = (struct known_worker){0};
	}
}

/* The first of a bucket whose time is over; what is done about one may change the rest. */
static struct given *first_late(const struct mrl_giver *giver, size_t bucket, uint64_t now)
{
	struct given *given = giver->given[bucket];

	while (given != NULL && (given->question != 0 || given->deadline > now))
		given = given->next;
	return given;
}

void mrl_giver_tick(struct mrl_giver *giver)
{
	uint64_t now = mrl_clock_now();

	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct given *given; (given = first_late(giver, i, now)) != NULL;)
			give_again(given);
	}
	if (giver->called != 0 && now - giver->called < CALL_MS * MS)
		return;
	giver->called = now;
	say(giver, "call", "call", 0);
	forget_silent(giver, now);
}

void mrl_giver_count(const struct mrl_giver *giver, struct mrl_giver_counts *counts)
{
	*counts = giver->counts;
}
