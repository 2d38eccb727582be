#include "task.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>

struct task *task_new(enum task_kind kind, mrl_store_done *done, void *user)
{
	struct task *task = calloc(1, sizeof(*task));

	if (task == NULL)
		return NULL;
	task->kind = kind;
	task->done = done;
	task->user = user;
	task->text = "";
	task->rules = "";
	task->search.rules = "";
	task->search.opening = "";
	task->answer.message = "";
	return task;
}

void task_free(struct task *task)
{
	if (task == NULL)
		return;
	mrl_change_free(task->change);
	rows_release(&task->rows);
	rows_release(&task->extra);
	arena_release(&task->memory);
	free(task);
}

bool task_is_slow(const struct task *task)
{
	return task->kind >= TASK_LIST_POINTS;
}

enum task_topic task_topic(const struct task *task)
{
	switch (task->kind) {
	case TASK_FIND_PERSON:
	case TASK_FIND_NAME:
	case TASK_FIND_SESSION:
	case TASK_LIST_SESSIONS:
	case TASK_LIST_NAMES:
	case TASK_LIST_DELETED:
		return TOPIC_PEOPLE;
	case TASK_LOAD_GAME:
	case TASK_LIST_CURRENT:
		return TOPIC_GAMES;
	case TASK_LIST_RATINGS:
	case TASK_FIND_RATINGS:
	case TASK_LIST_POINTS:
	case TASK_LIST_LEADERS:
		return TOPIC_RATINGS;
	case TASK_LIST_GAMES:
	case TASK_FIND_SCORE:
	case TASK_LIST_UNFINISHED:
		return TOPIC_ARCHIVE;
	default:
		return TOPIC_SMALL;
	}
}

void task_refuse_error(struct task *task, enum mrl_status status)
{
	size_t failed = task->answer.failed;

	task->answer = (struct mrl_store_answer){.status = status, .message = task->error.message, .failed = failed};
}

void task_refuse(struct task *task, enum mrl_status status, const char *sentence)
{
	struct mrl_text text = mrl_error_open(&task->error, status, 0, 0);

	mrl_text_add(&text, sentence);
	task_refuse_error(task, status);
}

const char *task_text(struct task *task, const char *text)
{
	return arena_text(&task->memory, text, strlen(text));
}

void queue_put(struct queue *queue, struct task *task)
{
	task->next = NULL;
	if (queue->last == NULL)
		queue->first = task;
	else
		queue->last->next = task;
	queue->last = task;
	queue->count++;
}

struct task *queue_take(struct queue *queue)
{
	struct task *task = queue->first;

	if (task == NULL)
		return NULL;
	queue->first = task->next;
	if (queue->first == NULL)
		queue->last = NULL;
	queue->count--;
	task->next = NULL;
	return task;
}
