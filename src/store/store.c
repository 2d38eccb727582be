#include "store_internal.h"

#include <stdlib.h>
#include <string.h>

#include <merels/store_node.h>
#include <merels/text.h>

/* ---- Opening ------------------------------------------------------------------------------------------------ */

static const struct backend_kind *const kinds[] = {&backend_sqlite, &backend_postgres};

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *sentence, const char *end)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, sentence);
	mrl_text_add(&text, end);
	return status;
}

/* Whether a place begins with a scheme; then it becomes what stands behind. A URI of PostgreSQL's stays whole. */
static bool take_scheme(const char **place, const char *scheme)
{
	size_t length = strlen(scheme);

	if (strncmp(*place, scheme, length) != 0 || (*place)[length] != ':')
		return false;
	if (strncmp(*place + length + 1, "//", 2) != 0 || strcmp(scheme, "sqlite") == 0)
		*place += length + 1;
	return true;
}

/* A path may have a colon in it, but one that begins with a word and a colon is a kind that somebody mistyped. */
static bool names_unknown_kind(const char *place)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t length = strspn(place, letters);

	return length >= 2 && place[length] == ':';
}

const struct backend_kind *store_read_place(const char **place)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (size_t at = 0; at < 2 && kinds[i]->schemes[at] != NULL; at++) {
			if (take_scheme(place, kinds[i]->schemes[at]))
				return kinds[i];
		}
	}
	return names_unknown_kind(*place) ? NULL : kinds[0];
}

enum mrl_status store_check_place(const struct backend_kind *kind, const char *place, struct mrl_error *error)
{
	if (kind == NULL) {
		/* Only the word: there may be a password behind it. */
		struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);

		mrl_text_bytes(&text, place, strcspn(place, ":") + 1);
		mrl_text_add(&text, " is no kind of database; there are sqlite:, postgres: and postgresql: (a file of "
				    "such a name is sqlite:NAME)");
		return MRL_NAME;
	}
	if (place[0] == '\0')
		return refuse(error, MRL_NAME, "the database has no name; say sqlite:PATH or postgresql://HOST/NAME",
			      "");
	return MRL_OK;
}

enum mrl_status mrl_store_check_place(const char *place, struct mrl_error *error)
{
	const struct backend_kind *kind = store_read_place(&place);

	return store_check_place(kind, place, error);
}

/* What of a place of PostgreSQL has no secret in it: all else is left out, known or not. */
static void show_part(struct mrl_text *text, const char *part, size_t length, const char *before)
{
	static const char *const shown[] = {"host=", "hostaddr=", "port=", "user=", "dbname="};

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		if (length > strlen(shown[i]) && strncmp(part, shown[i], strlen(shown[i])) == 0 &&
		    memchr(part, '@', length) == NULL) {
			mrl_text_add(text, before);
			mrl_text_bytes(text, part, length);
		}
	}
}

/* postgresql://USER:PASSWORD@HOST/NAME?KEY=VALUE&... */
static void show_uri(struct mrl_text *text, const char *uri)
{
	const char *name = strstr(uri, "//") + 2;
	const char *end = name + strcspn(name, "@/");
	const char *before = "?";

	if (*end == '@') {
		size_t user = strcspn(name, ":@");

		mrl_text_bytes(text, uri, (size_t)(name - uri) + user);
	} else {
		mrl_text_bytes(text, uri, (size_t)(name - uri));
		end = name;
	}
	size_t length = strcspn(end, "?");

	mrl_text_bytes(text, end, length);
	for (const char *part = end + length; *part != '\0'; part += strcspn(part, "&")) {
		size_t shown = text->length;

		part++;
		show_part(text, part, strcspn(part, "&"), before);
		if (text->length != shown)
			before = "&";
	}
}

void mrl_store_show_place(const char *place, char *text, size_t size)
{
	const char *whole = place;
	const struct backend_kind *kind = store_read_place(&place);
	struct mrl_text shown = mrl_text_in(text, size);

	if (kind == NULL || kind->is_file) {
		mrl_text_add(&shown, whole);
	} else if (strncmp(place, "postgres://", 11) == 0 || strncmp(place, "postgresql://", 13) == 0) {
		show_uri(&shown, place);
	} else {
		mrl_text_add(&shown, "PostgreSQL");
		/* Behind a quote it is not clear what is a value. */
		const char *end = place + strcspn(place, "'\\");

		for (const char *part = place; part < end;) {
			size_t length = strcspn(part, " \t\r\n'\\");

			show_part(&shown, part, length, " ");
			part += length + 1;
		}
	}
}

static void fill_in(struct mrl_store_settings *settings)
{
	if (settings->most_writes == 0)
		settings->most_writes = 16384;
	if (settings->most_reads == 0)
		settings->most_reads = 4096;
	if (settings->most_bytes == 0)
		settings->most_bytes = (size_t)64 << 20;
	if (settings->most_group == 0)
		settings->most_group = 1024;
	if (settings->lease_ms == 0)
		settings->lease_ms = 4000;
	if (settings->patience_ms == 0)
		settings->patience_ms = 20000;
}

/* The alive file lies beside the database; of one that is no file it was said where. */
static enum mrl_status open_alive(struct mrl_store *store, struct mrl_error *error)
{
	static const char suffix[] = "-alive";

	if (!store->kind->is_file && store->settings.alive != NULL)
		return alive_open(&store->alive, store->settings.alive, error);
	if (!store->kind->is_file)
		return refuse(error, MRL_NAME, "a server on a database that is no file needs a file for its time", "");
	size_t length = strlen(store->place);
	char *path = malloc(length + sizeof(suffix));

	if (path == NULL)
		return refuse(error, MRL_SPACE, "there is not enough memory to open the store", "");
	memcpy(path, store->place, length);
	memcpy(path + length, suffix, sizeof(suffix));
	enum mrl_status status = alive_open(&store->alive, path, error);

	free(path);
	return status;
}

/* Brings the database to this program's version: always when serving, else only when no server is running. */
static enum mrl_status make_ready(struct mrl_store *store, struct mrl_error *error)
{
	const struct backend_wish reader = {.role = BACKEND_READER};
	struct backend *backend;
	enum mrl_status status = MRL_OK;

	if (store->settings.serve)
		return store->kind->migrate(store->place, error);
	/* Those that are no files know of their servers. */
	if (!store->kind->is_file)
		return store->kind->migrate(store->place, error);
	if (store->kind->open(&backend, store->place, &reader, NULL) == MRL_OK) {
		store->kind->close(backend);
		return MRL_OK;
	}
	status = open_alive(store, error);
	if (status == MRL_BUSY) /* the message of that says which versions there are */
		return store->kind->open(&backend, store->place, &reader, error);
	if (status == MRL_OK)
		status = store->kind->migrate(store->place, error);
	alive_close(store->alive);
	store->alive = NULL;
	return status;
}

struct backend_wish store_wish(const struct mrl_store *store, bool writes)
{
	enum backend_role server = store->node != 0 ? BACKEND_NODE : BACKEND_SERVER;
	enum backend_role writer = store->settings.serve ? server : BACKEND_WRITER;

	return (struct backend_wish){.role = writes ? writer : BACKEND_READER,
				     .stop = &store->stop,
				     .name = store->settings.node,
				     .node = writes ? store->node : 0,
				     .lease_ms = store->settings.lease_ms,
				     .patience = (uint64_t)store->settings.patience_ms * 1000000};
}

static enum mrl_status open_backends(struct mrl_store *store, struct mrl_error *error)
{
	const struct backend_kind *kind = store->kind;
	const struct backend_wish writer = store_wish(store, true);
	const struct backend_wish reader = store_wish(store, false);
	enum mrl_status status = kind->open(&store->writer_backend, store->place, &writer, error);

	for (size_t i = 0; i < READERS && status == MRL_OK; i++)
		status = kind->open(&store->reader_backends[i], store->place, &reader, error);
	if (status != MRL_OK || store->alive == NULL)
		return status;
	if (store->node != 0)
		store->club = kind->club(store->writer_backend);
	uint64_t latest;

	status = kind->latest(store->writer_backend, &latest, error);
	if (status != MRL_OK)
		return status;
	store->first_time = alive_first(store->alive);
	if (latest > store->first_time)
		store->first_time = latest;
	return MRL_OK;
}

static void free_store(struct mrl_store *store)
{
	store_end_workers(store);
	if (store->writer_backend != NULL)
		store->kind->close(store->writer_backend);
	for (size_t i = 0; i < READERS; i++)
		if (store->reader_backends[i] != NULL)
			store->kind->close(store->reader_backends[i]);
	alive_close(store->alive);
	mrl_monitor_free(store->writing);
	mrl_monitor_free(store->reading);
	mrl_monitor_free(store->polling);
	free(store->place);
	free(store);
}

static enum mrl_status open_all(struct mrl_store *store, struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	store->writing = mrl_monitor_new();
	store->reading = mrl_monitor_new();
	store->polling = mrl_monitor_new();
	if (store->writing == NULL || store->reading == NULL || store->polling == NULL || store->place == NULL)
		return refuse(error, MRL_SPACE, "there is not enough memory to open the store", "");
	if (store->settings.serve)
		status = open_alive(store, error);
	if (status == MRL_OK)
		status = make_ready(store, error);
	if (status == MRL_OK)
		status = open_backends(store, error);
	if (status == MRL_OK)
		status = store_start_workers(store, error);
	return status;
}

enum mrl_status mrl_store_open(struct mrl_store **store, const struct mrl_store_settings *settings,
			       struct mrl_error *error)
{
	const char *place = settings->place;
	const struct backend_kind *kind = store_read_place(&place);
	enum mrl_status status = store_check_place(kind, place, error);

	if (status != MRL_OK)
		return status;
	struct mrl_store *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return refuse(error, MRL_SPACE, "there is not enough memory to open the store", "");
	made->kind = kind;
	made->settings = *settings;
	fill_in(&made->settings);
	if (settings->serve && settings->node != NULL) {
		if (kind->club == NULL) {
			free_store(made);
			return refuse(error, MRL_UNSUPPORTED,
				      "several servers need PostgreSQL: say --store postgresql://HOST/NAME", "");
		}
		made->node = settings->node_id;
	}
	made->place = malloc(strlen(place) + 1);
	if (made->place != NULL)
		memcpy(made->place, place, strlen(place) + 1);
	status = open_all(made, error);
	if (status != MRL_OK) {
		free_store(made);
		return status;
	}
	*store = made;
	return MRL_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static enum mrl_status take_write(struct mrl_store *store, struct task *task, struct mrl_error *error)
{
	size_t bytes = task->change->memory.bytes;
	bool busy;

	mrl_monitor_enter(store->writing);
	busy = store->writes.count + store->being_written >= store->settings.most_writes ||
	       store->write_bytes + bytes > store->settings.most_bytes;
	if (!busy) {
		atomic_fetch_add(&store->in_flight, 1);
		store->write_bytes += bytes;
		queue_put(&store->writes, task);
		mrl_monitor_wake(store->writing);
	}
	mrl_monitor_leave(store->writing);
	if (busy)
		return refuse(error, MRL_BUSY, "too much is waiting to be stored; try again later", "");
	return MRL_OK;
}

enum mrl_status mrl_store_submit(struct mrl_store *store, struct mrl_store_change *change, mrl_store_done *done,
				 void *user, struct mrl_error *error)
{
	struct task *task = change == NULL ? NULL : task_new(TASK_WRITE, done, user);
	enum mrl_status status;

	if (task == NULL) {
		mrl_change_free(change);
		return refuse(error, MRL_SPACE, "there is not enough memory for what is to be stored", "");
	}
	task->change = change;
	if (change->error.status != MRL_OK) {
		status = change->error.status;
		if (error != NULL)
			*error = change->error;
	} else if (change->count == 0) {
		status = refuse(error, MRL_RANGE, "the change has nothing in it", "");
	} else if (atomic_load(&store->closing)) {
		status = refuse(error, MRL_STOPPED, "the store is being closed", "");
	} else {
		status = take_write(store, task, error);
	}
	if (status != MRL_OK)
		task_free(task);
	return status;
}

size_t mrl_store_waiting(const struct mrl_store *store)
{
	mrl_monitor_enter(store->writing);
	size_t waiting = store->writes.count + store->being_written;

	mrl_monitor_leave(store->writing);
	return waiting;
}

enum mrl_status mrl_store_trouble(struct mrl_store *store, struct mrl_error *error)
{
	mrl_monitor_enter(store->writing);
	enum mrl_status status = store->trouble.status;

	if (error != NULL)
		*error = store->trouble;
	mrl_monitor_leave(store->writing);
	return status;
}

/* ---- Polling ------------------------------------------------------------------------------------------------ */

void store_put_done(struct mrl_store *store, struct task *list)
{
	bool first;

	if (list == NULL)
		return;
	mrl_monitor_enter(store->polling);
	first = store->done.first == NULL;
	while (list != NULL) {
		struct task *next = list->next;

		queue_put(&store->done, list);
		list = next;
	}
	mrl_monitor_wake(store->polling);
	mrl_monitor_leave(store->polling);
	if (first && store->settings.wake != NULL)
		store->settings.wake(store->settings.context);
}

static void finish(struct mrl_store *store, struct task *task)
{
	if (task->kind == TASK_BACKUP) {
		mrl_thread_join(store->copier);
		store->copier = NULL;
		atomic_store(&store->copying, false);
	}
	if (task->stream != NULL) {
		store_deliver(store, task);
	} else {
		if (task->done != NULL)
			task->done(task->user, &task->answer);
		task_free(task);
	}
	atomic_fetch_sub(&store->in_flight, 1);
}

size_t mrl_store_poll(struct mrl_store *store)
{
	struct queue done;
	struct task *task;
	size_t count;

	mrl_monitor_enter(store->polling);
	done = store->done;
	store->done = (struct queue){0};
	mrl_monitor_leave(store->polling);
	count = done.count;
	while ((task = queue_take(&done)) != NULL)
		finish(store, task);
	return count;
}

void mrl_store_wait(struct mrl_store *store)
{
	for (;;) {
		(void)mrl_store_poll(store);
		if (atomic_load(&store->in_flight) == 0)
			return;
		mrl_monitor_enter(store->polling);
		while (store->done.first == NULL)
			mrl_monitor_wait(store->polling);
		mrl_monitor_leave(store->polling);
	}
}

void mrl_store_close(struct mrl_store *store)
{
	if (store == NULL)
		return;
	atomic_store(&store->closing, true);
	atomic_store(&store->stop, true);
	store_end_workers(store);
	while (mrl_store_poll(store) > 0)
		;
	/* What is left are streams that pause. */
	store_end_streams(store);
	while (mrl_store_poll(store) > 0)
		;
	free_store(store);
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

uint64_t mrl_store_first_time(const struct mrl_store *store)
{
	return store->first_time;
}

void mrl_store_keep_time(struct mrl_store *store, uint64_t t)
{
	if (store->alive != NULL)
		alive_keep(store->alive, t);
}

/* ---- Nodes -------------------------------------------------------------------------------------------------- */

uint64_t mrl_store_node_id(const struct mrl_store *store)
{
	return store->node;
}

uint64_t mrl_store_club(const struct mrl_store *store)
{
	return store->club;
}
