/* What both databases do with the rows that they have found in task->rows. */
#ifndef MERELS_STORE_ANSWER_H
#define MERELS_STORE_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "task.h"

/* Lists that asked for one row more than their limit: it is dropped, and says that there is another page. */
void answer_points(struct task *task); /* the newest ones came first, and are turned round */
void answer_leaders(struct task *task);
void answer_reports(struct task *task);

/* People whose list ended at the limit, or not. */
void answer_deleted(struct task *task, bool more);

/* A page of the archive, or of games that are not over: first the open ones, then those being played. */
void answer_games(struct task *task, bool more);
void answer_unfinished(struct task *task, bool more);

/* Where a page of those begins: the state, and the id behind which it does. */
int64_t answer_unfinished_state(const struct task *task);
int64_t answer_unfinished_after(const struct task *task);

/* Some games more of a score: whose outcome is this, and in which the one who asks had White or not. */
void answer_score(struct task *task, int64_t outcome, uint64_t count, bool white);

#endif
