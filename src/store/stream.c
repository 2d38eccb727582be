/*
 * Streams: a search read page by page, and given game by game. There is one page at a time, so the memory does not
 * grow; while the receiver pauses, its page waits and nothing is read.
 */
#include <stdlib.h>

#include "store_internal.h"

enum { GAMES_A_PAGE = 32 };

struct mrl_store_stream {
	struct mrl_store *store;
	struct mrl_store_stream *next; /* of the store's */
	mrl_store_each *each;
	mrl_store_done *done;
	void *user;
	struct task *page; /* while it pauses */
	size_t at;         /* games of the page that were given */
	bool stopped;
};

static void end(struct mrl_store_stream *stream, const struct mrl_store_answer *answer)
{
	struct mrl_store_stream **link = &stream->store->streams;

	while (*link != NULL && *link != stream)
		link = &(*link)->next;
	if (*link != NULL)
		*link = stream->next;
	if (stream->done != NULL)
		stream->done(stream->user, answer);
	free(stream);
}

static void end_with(struct mrl_store_stream *stream, enum mrl_status status, const char *message)
{
	end(stream, &(struct mrl_store_answer){.status = status, .message = message});
}

/* The next page of the same search; the old task becomes it, with memory of its own given back. */
static void read_on(struct mrl_store_stream *stream, struct task *before)
{
	struct task *task = store_search_task(&before->search, NULL, NULL);
	struct mrl_store_key after = before->answer.next;
	enum task_kind kind = before->kind;

	task_free(before);
	if (task != NULL) {
		task->kind = kind;
		task->flag = true;
		task->limit = GAMES_A_PAGE;
		task->after = after;
		task->stream = stream;
	}
	stream->at = 0;
	enum mrl_status status = store_submit_read(stream->store, task, true);

	if (status != MRL_OK)
		end_with(stream, status,
			 status == MRL_STOPPED ? "the store is being closed" : "there is not enough memory to read on");
}

void store_deliver(struct mrl_store *store, struct task *task)
{
	struct mrl_store_stream *stream = task->stream;
	const struct mrl_store_answer *answer = &task->answer;

	(void)store;
	if (answer->status != MRL_OK) {
		end_with(stream, answer->status, answer->message);
		task_free(task);
		return;
	}
	stream->page = NULL;
	while (stream->at < answer->game_count && !stream->stopped) {
		enum mrl_store_flow flow = stream->each(stream->user, &answer->games[stream->at++]);

		if (flow == MRL_STORE_STOP)
			stream->stopped = true;
		if (flow == MRL_STORE_PAUSE && !stream->stopped) {
			stream->page = task;
			return;
		}
	}
	if (!stream->stopped && answer->more) {
		read_on(stream, task);
		return;
	}
	task_free(task);
	end_with(stream, stream->stopped ? MRL_STOPPED : MRL_OK, stream->stopped ? "the receiver wanted no more" : "");
}

static enum mrl_status begin(struct mrl_store *store, struct task *task, mrl_store_each *each, mrl_store_done *done,
			     void *user, struct mrl_store_stream **stream)
{
	struct mrl_store_stream *made = calloc(1, sizeof(*made));

	if (task == NULL || made == NULL) {
		task_free(task);
		free(made);
		return MRL_SPACE;
	}
	*made = (struct mrl_store_stream){.store = store, .each = each, .done = done, .user = user};
	task->flag = true;
	task->limit = GAMES_A_PAGE;
	task->stream = made;
	enum mrl_status status = store_submit_read(store, task, false);

	if (status != MRL_OK) {
		free(made);
		return status;
	}
	made->next = store->streams;
	store->streams = made;
	if (stream != NULL)
		*stream = made;
	return MRL_OK;
}

enum mrl_status mrl_store_stream_games(struct mrl_store *store, const struct mrl_store_search *search,
				       mrl_store_each *each, mrl_store_done *done, void *user,
				       struct mrl_store_stream **stream)
{
	if (store_check_search(search) != MRL_OK)
		return MRL_RANGE;
	return begin(store, store_search_task(search, NULL, NULL), each, done, user, stream);
}

enum mrl_status mrl_store_stream_unfinished(struct mrl_store *store, mrl_store_each *each, mrl_store_done *done,
					    void *user, struct mrl_store_stream **stream)
{
	return begin(store, task_new(TASK_LIST_UNFINISHED, NULL, NULL), each, done, user, stream);
}

void mrl_store_resume(struct mrl_store_stream *stream)
{
	struct task *page = stream->page;

	if (page == NULL)
		return;
	stream->page = NULL;
	page->next = NULL;
	atomic_fetch_add(&stream->store->in_flight, 1);
	store_put_done(stream->store, page);
}

void mrl_store_stop(struct mrl_store_stream *stream)
{
	stream->stopped = true;
	mrl_store_resume(stream);
}

void store_end_streams(struct mrl_store *store)
{
	while (store->streams != NULL && store->streams->page != NULL) {
		struct mrl_store_stream *stream = store->streams;

		task_free(stream->page);
		stream->page = NULL;
		end_with(stream, MRL_STOPPED, "the store is being closed");
	}
}
