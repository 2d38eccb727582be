/*
 * A task: one write or read on its way through the store, with the answer it gets. It belongs to one thread at a time:
 * who submits it, a thread of the store, then who polls.
 */
#ifndef MERELS_STORE_TASK_H
#define MERELS_STORE_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>
#include <merels/store.h>

#include "arena.h"
#include "change.h"

enum task_kind {
	TASK_WRITE,
	/* Quick reads. */
	TASK_FIND_PERSON,
	TASK_FIND_NAME,
	TASK_FIND_SESSION,
	TASK_LIST_SESSIONS,
	TASK_LOAD_GAME,
	TASK_LIST_CURRENT,
	TASK_LIST_RATINGS,
	TASK_FIND_RATINGS,
	TASK_LIST_SETTINGS,
	TASK_LIST_MUTES,
	TASK_LIST_SEEKS,
	TASK_FIND_OWNERS,
	/* Slow ones. */
	TASK_LIST_POINTS,
	TASK_LIST_LEADERS,
	TASK_LIST_REPORTS,
	TASK_LIST_COUNTS,
	TASK_LIST_NAMES,
	TASK_LIST_DELETED,
	TASK_LIST_GAMES,
	TASK_FIND_SCORE,
	TASK_LIST_UNFINISHED,
	/* On a thread of its own. */
	TASK_BACKUP
};

struct task {
	struct task *next;
	enum task_kind kind;
	mrl_store_done *done; /* may be NULL */
	void *user;
	struct mrl_store_stream *stream; /* the answer is a piece of it; NULL: of none */

	/* What is asked. Which of these a read uses, task.c says. */
	struct mrl_store_change *change; /* TASK_WRITE */
	uint64_t one;
	uint64_t other;
	uint8_t hash[MRL_STORE_HASH_BYTES];
	const char *text; /* never NULL */
	const char *rules;
	unsigned speed;
	unsigned limit;
	int64_t from;
	int64_t until;
	double deviation;
	bool flag;
	struct mrl_store_search search; /* texts never NULL */
	struct mrl_store_key after;

	/* The answer. */
	struct mrl_error error;
	struct mrl_store_answer answer;
	struct rows rows;  /* behind the array of the answer, */
	struct rows extra; /* and a second one */
	struct arena memory;
};

/* NULL when there is no memory. */
struct task *task_new(enum task_kind kind, mrl_store_done *done, void *user);

void task_free(struct task *task);

/* What a read is about: who answers it. */
enum task_topic { TOPIC_PEOPLE, TOPIC_GAMES, TOPIC_RATINGS, TOPIC_ARCHIVE, TOPIC_SMALL };

enum task_topic task_topic(const struct task *task);

/* Whether a read may only run where slow ones do. */
bool task_is_slow(const struct task *task);

/* Makes the answer one of failure. The second form takes status and sentence from task->error. */
void task_refuse(struct task *task, enum mrl_status status, const char *sentence);
void task_refuse_error(struct task *task, enum mrl_status status);

/* A copy of a text in the task's memory; NULL when there is no memory. */
const char *task_text(struct task *task, const char *text);

/* Tasks in order. All 0 is empty. */
struct queue {
	struct task *first;
	struct task *last;
	size_t count;
};

void queue_put(struct queue *queue, struct task *task);

/* The first, or NULL. */
struct task *queue_take(struct queue *queue);

#endif
