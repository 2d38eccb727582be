/* The threads of the store: one that writes, two that read, one that copies when it is asked to. */
#include <stdlib.h>

#include <merels/store_node.h>
#include <merels/text.h>
#include <os/clock.h>

#include "store_internal.h"

/* How often the file of service time is synced. */
#define SYNC_NS UINT64_C(1000000000)

/* ---- The writer --------------------------------------------------------------------------------------------- */

/* Waits for something to write, and takes it as a list; NULL in the end, or with `*sync` when it is time to. */
static struct task *take_group(struct mrl_store *store, uint64_t sync_at, bool *sync, bool *end)
{
	struct queue group = {0};
	bool in_time = true;

	mrl_monitor_enter(store->writing);
	while (store->writes.first == NULL && !store->writer_ends && in_time)
		in_time = mrl_monitor_wait_until(store->writing, sync_at);
	while (group.count < store->settings.most_group && store->writes.first != NULL) {
		struct task *task = queue_take(&store->writes);

		store->write_bytes -= task->change->memory.bytes;
		queue_put(&group, task);
	}
	store->being_written = group.count;
	*end = group.count == 0 && store->writer_ends;
	mrl_monitor_leave(store->writing);
	*sync = mrl_clock_now() >= sync_at;
	return group.first;
}

static void note_written(struct mrl_store *store, enum mrl_status status, const struct mrl_error *error)
{
	mrl_monitor_enter(store->writing);
	store->being_written = 0;
	if (status == MRL_OK)
		store->trouble = (struct mrl_error){.status = MRL_OK};
	else
		store->trouble = *error;
	store->trouble.status = status;
	mrl_monitor_leave(store->writing);
}

/* Who is alone has what it takes. */
static void own_all(struct task *group)
{
	for (struct task *task = group; task != NULL; task = task->next) {
		const struct op *op = task->change->first;
		struct mrl_store_owner *owner = NULL;

		if (op == NULL || op->kind != OP_TAKE || task->answer.status != MRL_OK)
			continue;
		owner = rows_add(&task->rows, sizeof(*owner));
		if (owner == NULL) {
			task_refuse(task, MRL_SPACE, "there is not enough memory for the answer");
			continue;
		}
		*owner = (struct mrl_store_owner){
		    .game = op->id, .fence = 1, .t = (uint64_t)op->wall, .alive = true, .name = ""};
		task->answer.owners = owner;
		task->answer.owner_count = 1;
	}
}

static void write_group(struct mrl_store *store, struct task *group)
{
	const struct backend_kind *kind = store->kind;
	const struct backend_wish wish = store_wish(store, true);
	struct mrl_error error = {.status = MRL_OK};
	enum mrl_status status = MRL_OK;

	if (store->writer_backend == NULL)
		status = kind->open(&store->writer_backend, store->place, &wish, &error);
	if (status == MRL_OK) {
		status = kind->write(store->writer_backend, group);
		if (status != MRL_OK)
			error = group->error;
	} else {
		for (struct task *task = group; task != NULL; task = task->next) {
			task->error = error;
			task_refuse_error(task, status);
		}
	}
	note_written(store, status, &error);
	if (store->node == 0)
		own_all(group);
	store_put_done(store, group);
	/* After a failure of the disk nobody knows what a connection still remembers: the next group has a new one. */
	if (status == MRL_SYSTEM && store->writer_backend != NULL && !kind->is_mending) {
		kind->close(store->writer_backend);
		store->writer_backend = NULL;
	}
	if (store->writer_backend != NULL)
		kind->tidy(store->writer_backend);
}

/* Without anything to write nobody would notice that the trouble is over. */
static void look_after_trouble(struct mrl_store *store)
{
	if (store->kind->revive != NULL && store->writer_backend != NULL && mrl_store_trouble(store, NULL) != MRL_OK &&
	    store->kind->revive(store->writer_backend))
		note_written(store, MRL_OK, NULL);
}

static void run_writer(void *of)
{
	struct mrl_store *store = of;
	uint64_t sync_at = mrl_clock_now() + SYNC_NS;
	bool end = false;

	while (!end) {
		bool sync;
		struct task *group = take_group(store, sync_at, &sync, &end);

		if (group != NULL)
			write_group(store, group);
		if (sync) {
			if (store->alive != NULL)
				alive_sync(store->alive);
			look_after_trouble(store);
			sync_at = mrl_clock_now() + SYNC_NS;
		}
	}
}

/* ---- The readers -------------------------------------------------------------------------------------------- */

static struct task *take_read(struct mrl_store *store, bool slow_too)
{
	struct task *task = NULL;

	mrl_monitor_enter(store->reading);
	for (;;) {
		task = queue_take(&store->quick);
		if (task == NULL && slow_too)
			task = queue_take(&store->slow);
		if (task != NULL || store->readers_end)
			break;
		mrl_monitor_wait(store->reading);
	}
	mrl_monitor_leave(store->reading);
	return task;
}

static void read_all(struct mrl_store *store, unsigned number)
{
	struct backend *backend = store->reader_backends[number];
	struct task *task;

	while ((task = take_read(store, number > 0)) != NULL) {
		if (atomic_load(&store->stop))
			task_refuse(task, MRL_STOPPED, "the store is being closed");
		else
			store->kind->read(backend, task);
		store_put_done(store, task);
	}
}

static void run_quick(void *of)
{
	read_all(of, 0);
}

static void run_slow(void *of)
{
	read_all(of, 1);
}

/* ---- The copier --------------------------------------------------------------------------------------------- */

struct copy {
	struct mrl_store *store;
	struct task *task;
};

static void run_copier(void *of)
{
	struct copy copy = *(struct copy *)of;

	free(of);
	copy.store->kind->copy(copy.store->place, copy.task, &copy.store->stop);
	store_put_done(copy.store, copy.task);
}

bool store_start_copier(struct mrl_store *store, struct task *task)
{
	struct copy *copy = malloc(sizeof(*copy));

	if (copy == NULL)
		return false;
	*copy = (struct copy){store, task};
	store->copier = mrl_thread_start(run_copier, copy);
	if (store->copier == NULL)
		free(copy);
	return store->copier != NULL;
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

enum mrl_status store_start_workers(struct mrl_store *store, struct mrl_error *error)
{
	store->writer = mrl_thread_start(run_writer, store);
	store->readers[0] = mrl_thread_start(run_quick, store);
	store->readers[1] = mrl_thread_start(run_slow, store);
	if (store->writer != NULL && store->readers[0] != NULL && store->readers[1] != NULL)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "the system gives no more threads");
	return MRL_SYSTEM;
}

void store_end_workers(struct mrl_store *store)
{
	if (store->writing != NULL) {
		mrl_monitor_enter(store->writing);
		store->writer_ends = true;
		mrl_monitor_wake(store->writing);
		mrl_monitor_leave(store->writing);
	}
	if (store->reading != NULL) {
		mrl_monitor_enter(store->reading);
		store->readers_end = true;
		mrl_monitor_wake(store->reading);
		mrl_monitor_leave(store->reading);
	}
	mrl_thread_join(store->writer);
	mrl_thread_join(store->readers[0]);
	mrl_thread_join(store->readers[1]);
	mrl_thread_join(store->copier);
	store->writer = NULL;
	store->readers[0] = NULL;
	store->readers[1] = NULL;
	store->copier = NULL;
}
