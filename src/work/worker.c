/* A worker as the bus sees it: which jobs it takes, and what it says of them. */
#include <stdlib.h>
#include <string.h>

#include <os/clock.h>
#include <os/log.h>

#include "message.h"
#include "thinking.h"

enum { MOST_SUBSCRIPTIONS = MRL_SHELF_MOST + 4, MESSAGE_SIZE = 1024 };

#define GROUP "workers"
#define MS ((uint64_t)1000000)

struct mrl_worker {
	struct mrl_bus *bus;
	const struct mrl_log *log;
	char club[MRL_WORK_NAME_SIZE]; /* "" not known yet */
	char name[MRL_WORK_NAME_SIZE];
	unsigned threads;
	struct mrl_shelf shelf;
	struct thinking *thinking;
	uint64_t call_id;
	uint64_t ids[MOST_SUBSCRIPTIONS];
	size_t id_count;
	uint64_t complained;
};

/* Strangers may send anything, as fast as they like. */
static void complain(struct mrl_worker *worker, const char *what, const char *why)
{
	uint64_t now = mrl_clock_now();

	if (worker->complained != 0 && now - worker->complained < 1000 * MS)
		return;
	worker->complained = now;
	mrl_log(worker->log, MRL_LOG_WARNING, "%s: %s", what, why);
}

static bool understand(struct mrl_worker *worker, const struct mrl_bus_message *message, struct message *read)
{
	struct mrl_error error;

	if (message_read(read, message->data, message->length, &error) != MRL_OK) {
		complain(worker, "a message is not understood", error.message);
		return false;
	}
	if (read->from[0] == '\0') {
		complain(worker, "a message is not understood", "it does not say from whom it is");
		return false;
	}
	if (worker->club[0] != '\0' && strcmp(read->club, worker->club) != 0) {
		complain(worker, "a message is of another club (--club chooses one)", read->club);
		return false;
	}
	return true;
}

/* ---- Jobs --------------------------------------------------------------------------------------------------- */

static void reply(struct mrl_worker *worker, const struct mrl_bus_message *message, const char *kind, const char *why)
{
	char answer[MESSAGE_SIZE];
	struct mrl_text text = mrl_text_in(answer, sizeof(answer));

	message_begin(&text, worker->club, kind, worker->name);
	if (why[0] != '\0')
		message_text(&text, "why", why);
	(void)mrl_bus_reply(worker->bus, message, answer, mrl_text_stored(&text), NULL);
}

static struct chore *read_chore(const struct message *read, struct mrl_error *error)
{
	struct chore *chore = calloc(1, sizeof(*chore) + read->body.length + 1);

	if (chore == NULL)
		return NULL;
	if (read->body.length > 0)
		memcpy(chore->text, read->body.data, read->body.length);
	memcpy(chore->giver, read->from, sizeof(chore->giver));
	chore->id = read->id;
	if (mrl_job_read(&chore->job, chore->text, read->body.length, error) == MRL_OK)
		return chore;
	free(chore);
	return NULL;
}

static void on_job(void *user, const struct mrl_bus_message *message)
{
	struct mrl_worker *worker = user;
	struct mrl_error error = {.message = "there is not enough memory"};
	struct message read;

	if (!understand(worker, message, &read))
		return;
	/* It may come twice. */
	if (thinking_has(worker->thinking, read.from, read.id)) {
		reply(worker, message, "taken", "");
		return;
	}
	struct chore *chore = message_is(&read, worker->club, "job") ? read_chore(&read, &error) : NULL;

	if (chore == NULL) {
		complain(worker, "a job is not understood", error.message);
		reply(worker, message, "refused", error.message);
	} else if (chore->job.tables && mrl_shelf_find(&worker->shelf, chore->job.rules) == NULL) {
		chore_free(chore);
		reply(worker, message, "refused", "there are no tables of these rules here");
	} else if (!thinking_put(worker->thinking, chore)) {
		chore_free(chore);
		reply(worker, message, "refused", "too much is waiting here");
	} else {
		reply(worker, message, "taken", "");
	}
}

static void on_drop(void *user, const struct mrl_bus_message *message)
{
	struct mrl_worker *worker = user;
	struct message read;

	if (understand(worker, message, &read) && message_is(&read, worker->club, "drop"))
		thinking_drop(worker->thinking, read.from, read.id);
}

static void tell_giver(struct mrl_worker *worker, const struct chore *chore, const char *why)
{
	/* One that is thought about still has no outcome that may be looked at. */
	size_t size = MESSAGE_SIZE + (why == NULL ? chore->length : 0);
	char *answer = malloc(size);
	char subject[MRL_BUS_SUBJECT_SIZE];
	struct mrl_text text = mrl_text_in(answer, size);

	if (answer == NULL)
		return;
	work_subject(subject, worker->club, "done", chore->giver);
	message_begin(&text, worker->club, why == NULL ? "done" : "failed", worker->name);
	message_number(&text, "id", chore->id);
	if (why == NULL) {
		message_number(&text, "best", chore->best);
		mrl_text_char(&text, '\n');
		mrl_text_bytes(&text, chore->outcome, chore->length);
	} else {
		message_text(&text, "why", why);
	}
	/* If it does not arrive the giver goes on without. */
	(void)mrl_bus_publish(worker->bus, subject, answer, mrl_text_stored(&text), NULL);
	free(answer);
}

/* ---- Being there -------------------------------------------------------------------------------------------- */

static void say_here(struct mrl_worker *worker, unsigned threads)
{
	char subject[MRL_BUS_SUBJECT_SIZE];
	char message[MESSAGE_SIZE];
	struct mrl_text text = mrl_text_in(message, sizeof(message));

	work_subject(subject, worker->club, "here", NULL);
	message_begin(&text, worker->club, "here", worker->name);
	message_number(&text, "threads", threads);
	mrl_text_add(&text, "tables");
	for (size_t i = 0; i < worker->shelf.count; i++) {
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, worker->shelf.tables[i].name);
	}
	mrl_text_char(&text, '\n');
	(void)mrl_bus_publish(worker->bus, subject, message, mrl_text_stored(&text), NULL);
}

static bool listen(struct mrl_worker *worker, const char *what, const char *more, const char *group,
		   mrl_bus_heard *heard)
{
	char subject[MRL_BUS_SUBJECT_SIZE];

	work_subject(subject, worker->club, what, more);
	if (mrl_bus_subscribe(worker->bus, subject, group, heard, worker, &worker->ids[worker->id_count], NULL) !=
	    MRL_OK)
		return false;
	worker->id_count++;
	return true;
}

/* Now that the club is known. */
static bool begin(struct mrl_worker *worker)
{
	bool good = listen(worker, "drop", NULL, NULL, on_drop) && listen(worker, "at", worker->name, NULL, on_job) &&
		    listen(worker, "turn", NULL, GROUP, on_job);

	for (size_t i = 0; i < worker->shelf.count && good; i++)
		good = listen(worker, "tables", worker->shelf.tables[i].name, GROUP, on_job);
	if (good)
		mrl_log(worker->log, MRL_LOG_INFO, "working for the club %s as %s, with %u threads", worker->club,
			worker->name, worker->threads);
	return good;
}

static void on_call(void *user, const struct mrl_bus_message *message)
{
	struct mrl_worker *worker = user;
	struct message read;

	if (!understand(worker, message, &read) || strcmp(read.kind, "call") != 0)
		return;
	if (worker->club[0] == '\0') {
		memcpy(worker->club, read.club, sizeof(worker->club));
		if (!begin(worker))
			mrl_log(worker->log, MRL_LOG_ERROR, "there is not enough memory to listen for jobs");
	}
	say_here(worker, worker->threads);
}

/* ---- The worker --------------------------------------------------------------------------------------------- */

static void nudge(void *context)
{
	struct mrl_worker *worker = context;

	mrl_bus_nudge(worker->bus);
}

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *sentence)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, sentence);
	return status;
}

static enum mrl_status start(struct mrl_worker *worker, const struct mrl_worker_settings *settings,
			     struct mrl_error *error)
{
	char subject[MRL_BUS_SUBJECT_SIZE];

	if (settings->club != NULL) {
		if (!message_is_name(settings->club, strlen(settings->club)))
			return refuse(error, MRL_NAME, "a club's id is letters, digits, - and _, less than 64 of them");
		memcpy(worker->club, settings->club, strlen(settings->club) + 1);
	}
	if (settings->tables != NULL)
		mrl_shelf_open(&worker->shelf, settings->tables, worker->log);
	worker->thinking = thinking_start(worker->threads, &worker->shelf, nudge, worker);
	work_subject(subject, worker->club[0] != '\0' ? worker->club : "*", "call", NULL);
	if (worker->thinking == NULL ||
	    mrl_bus_subscribe(worker->bus, subject, NULL, on_call, worker, &worker->call_id, NULL) != MRL_OK ||
	    (worker->club[0] != '\0' && !begin(worker)))
		return refuse(error, MRL_SPACE, "there is no memory or no thread to be had for thinking");
	return MRL_OK;
}

enum mrl_status mrl_worker_open(struct mrl_worker **worker, struct mrl_bus *bus,
				const struct mrl_worker_settings *settings, struct mrl_error *error)
{
	struct mrl_worker *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return refuse(error, MRL_SPACE, "there is not enough memory");
	made->bus = bus;
	made->log = settings->log;
	made->threads = settings->threads;
	mrl_bus_word(bus, made->name, sizeof(made->name));
	enum mrl_status status = start(made, settings, error);

	if (status == MRL_OK)
		*worker = made;
	else
		mrl_worker_close(made);
	return status;
}

static void give_back(void *user, const struct chore *chore)
{
	tell_giver(user, chore, "the worker stops");
}

void mrl_worker_close(struct mrl_worker *worker)
{
	if (worker == NULL)
		return;
	if (worker->thinking != NULL && worker->club[0] != '\0') {
		mrl_worker_tick(worker);
		thinking_each(worker->thinking, give_back, worker);
		say_here(worker, 0);
	}
	thinking_stop(worker->thinking);
	mrl_shelf_close(&worker->shelf);
	mrl_bus_unsubscribe(worker->bus, worker->call_id);
	for (size_t i = 0; i < worker->id_count; i++)
		mrl_bus_unsubscribe(worker->bus, worker->ids[i]);
	free(worker);
}

void mrl_worker_tick(struct mrl_worker *worker)
{
	for (struct chore *chore; (chore = thinking_take(worker->thinking)) != NULL;) {
		if (!chore->good)
			complain(worker, "a job cannot be done", chore->error.message);
		tell_giver(worker, chore, chore->good ? NULL : chore->error.message);
		chore_free(chore);
	}
}
