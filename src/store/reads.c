/* What can be asked, as tasks. */
#include <stdlib.h>
#include <string.h>

#include <merels/store_node.h>
#include <merels/text.h>

#include "store_internal.h"

/* ---- Submitting --------------------------------------------------------------------------------------------- */

enum mrl_status store_submit_read(struct mrl_store *store, struct task *task, bool forced)
{
	enum mrl_status status = MRL_OK;

	if (task == NULL)
		return MRL_SPACE;
	if (atomic_load(&store->closing)) {
		task_free(task);
		return MRL_STOPPED;
	}
	struct queue *queue = task_is_slow(task) ? &store->slow : &store->quick;

	mrl_monitor_enter(store->reading);
	if (queue->count >= store->settings.most_reads && !forced) {
		status = MRL_BUSY;
	} else {
		atomic_fetch_add(&store->in_flight, 1);
		queue_put(queue, task);
		mrl_monitor_wake(store->reading);
	}
	mrl_monitor_leave(store->reading);
	if (status != MRL_OK)
		task_free(task);
	return status;
}

/* A text into the task; whether there was memory. NULL is "". */
static bool give(struct task *task, const char **where, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return true;
	*where = task_text(task, text);
	return *where != NULL;
}

static bool is_longer(const char *text, size_t most)
{
	return text != NULL && strlen(text) > most;
}

/* ---- About one person --------------------------------------------------------------------------------------- */

static enum mrl_status ask_about(struct mrl_store *store, enum task_kind kind, uint64_t id, mrl_store_done *done,
				 void *user)
{
	if (id == 0)
		return MRL_RANGE;
	struct task *task = task_new(kind, done, user);

	if (task != NULL)
		task->one = id;
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_find_person(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_FIND_PERSON, person, done, user);
}

enum mrl_status mrl_store_list_sessions(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_LIST_SESSIONS, person, done, user);
}

enum mrl_status mrl_store_list_current(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_LIST_CURRENT, person, done, user);
}

enum mrl_status mrl_store_list_ratings(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_LIST_RATINGS, person, done, user);
}

enum mrl_status mrl_store_list_settings(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_LIST_SETTINGS, person, done, user);
}

enum mrl_status mrl_store_list_mutes(struct mrl_store *store, uint64_t person, mrl_store_done *done, void *user)
{
	return ask_about(store, TASK_LIST_MUTES, person, done, user);
}

/* A task with a text; MRL_SPACE is a NULL. */
static struct task *task_with(enum task_kind kind, const char *text, const char *rules, mrl_store_done *done,
			      void *user)
{
	struct task *task = task_new(kind, done, user);

	if (task == NULL)
		return NULL;
	if (give(task, &task->text, text) && give(task, &task->rules, rules))
		return task;
	task_free(task);
	return NULL;
}

enum mrl_status mrl_store_find_name(struct mrl_store *store, const char *name, mrl_store_done *done, void *user)
{
	if (is_longer(name, MRL_STORE_NAME_MOST))
		return MRL_RANGE;
	return store_submit_read(store, task_with(TASK_FIND_NAME, name, "", done, user), false);
}

enum mrl_status mrl_store_list_names(struct mrl_store *store, const char *prefix, unsigned limit, mrl_store_done *done,
				     void *user)
{
	if (is_longer(prefix, MRL_STORE_NAME_MOST) || limit < 1 || limit > MRL_STORE_PAGE_MOST)
		return MRL_RANGE;
	struct task *task = task_with(TASK_LIST_NAMES, prefix, "", done, user);

	if (task != NULL)
		task->limit = limit;
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_list_deleted(struct mrl_store *store, const struct mrl_store_key *after, unsigned limit,
				       mrl_store_done *done, void *user)
{
	if (limit < 1 || limit > 10000)
		return MRL_RANGE;
	struct task *task = task_new(TASK_LIST_DELETED, done, user);

	if (task != NULL) {
		task->limit = limit;
		if (after != NULL)
			task->after = *after;
	}
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_find_session(struct mrl_store *store, const uint8_t hash[MRL_STORE_HASH_BYTES], int64_t now,
				       mrl_store_done *done, void *user)
{
	struct task *task = task_new(TASK_FIND_SESSION, done, user);

	if (task != NULL) {
		memcpy(task->hash, hash, MRL_STORE_HASH_BYTES);
		task->from = now;
	}
	return store_submit_read(store, task, false);
}

/* ---- Games and ratings -------------------------------------------------------------------------------------- */

enum mrl_status mrl_store_load_game(struct mrl_store *store, uint64_t game, uint32_t from, mrl_store_done *done,
				    void *user)
{
	if (game == 0)
		return MRL_RANGE;
	struct task *task = task_new(TASK_LOAD_GAME, done, user);

	if (task != NULL) {
		task->one = game;
		task->from = from;
	}
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_find_owners(struct mrl_store *store, const uint64_t *games, size_t count,
				      mrl_store_done *done, void *user)
{
	if (count == 0 || count > MRL_STORE_OWNERS_MOST)
		return MRL_RANGE;
	struct task *task = task_new(TASK_FIND_OWNERS, done, user);
	/* As PostgreSQL writes an array: each number with what stands around it. */
	size_t size = count * sizeof("-9223372036854775808,") + sizeof("{}");
	char *list = task != NULL ? arena_take(&task->memory, size) : NULL;

	if (list == NULL) {
		task_free(task);
		return MRL_SPACE;
	}
	struct mrl_text text = mrl_text_in(list, size);

	mrl_text_char(&text, '{');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			mrl_text_char(&text, ',');
		mrl_text_signed(&text, (int64_t)games[i]);
	}
	mrl_text_char(&text, '}');
	task->text = list;
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_find_ratings(struct mrl_store *store, uint64_t one, uint64_t other, const char *rules,
				       unsigned speed, mrl_store_done *done, void *user)
{
	if (is_longer(rules, MRL_STORE_RULES_MOST) || (one == 0 && other == 0))
		return MRL_RANGE;
	struct task *task = task_with(TASK_FIND_RATINGS, "", rules, done, user);

	if (task != NULL) {
		task->one = one;
		task->other = other;
		task->speed = speed;
	}
	return store_submit_read(store, task, false);
}

static enum mrl_status list_points(struct mrl_store *store, uint64_t person, const char *rules, unsigned speed,
				   int64_t from, bool newest, unsigned limit, mrl_store_done *done, void *user)
{
	if (is_longer(rules, MRL_STORE_RULES_MOST) || person == 0 || limit < 1 || limit > 10000)
		return MRL_RANGE;
	struct task *task = task_with(TASK_LIST_POINTS, "", rules, done, user);

	if (task != NULL) {
		task->one = person;
		task->speed = speed;
		task->from = from;
		task->flag = newest;
		task->limit = limit;
	}
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_list_points(struct mrl_store *store, uint64_t person, const char *rules, unsigned speed,
				      int64_t from, unsigned limit, mrl_store_done *done, void *user)
{
	return list_points(store, person, rules, speed, from, false, limit, done, user);
}

enum mrl_status mrl_store_list_last_points(struct mrl_store *store, uint64_t person, const char *rules, unsigned speed,
					   unsigned limit, mrl_store_done *done, void *user)
{
	return list_points(store, person, rules, speed, INT64_MIN, true, limit, done, user);
}

enum mrl_status mrl_store_list_leaders(struct mrl_store *store, const char *rules, unsigned speed, double deviation,
				       int64_t since, const struct mrl_store_key *after, unsigned limit,
				       mrl_store_done *done, void *user)
{
	if (is_longer(rules, MRL_STORE_RULES_MOST) || limit < 1 || limit > MRL_STORE_PAGE_MOST)
		return MRL_RANGE;
	struct task *task = task_with(TASK_LIST_LEADERS, "", rules, done, user);

	if (task != NULL) {
		task->speed = speed;
		task->deviation = deviation;
		task->from = since;
		task->limit = limit;
		if (after != NULL)
			task->after = *after;
	}
	return store_submit_read(store, task, false);
}

/* ---- The small things --------------------------------------------------------------------------------------- */

enum mrl_status mrl_store_list_seeks(struct mrl_store *store, mrl_store_done *done, void *user)
{
	return store_submit_read(store, task_new(TASK_LIST_SEEKS, done, user), false);
}

static enum mrl_status list_reports(struct mrl_store *store, uint64_t reporter, bool open_only,
				    const struct mrl_store_key *after, unsigned limit, mrl_store_done *done, void *user)
{
	if (limit < 1 || limit > MRL_STORE_PAGE_MOST)
		return MRL_RANGE;
	struct task *task = task_new(TASK_LIST_REPORTS, done, user);

	if (task != NULL) {
		task->one = reporter;
		task->flag = open_only;
		task->limit = limit;
		if (after != NULL)
			task->after = *after;
	}
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_list_reports(struct mrl_store *store, bool open_only, const struct mrl_store_key *after,
				       unsigned limit, mrl_store_done *done, void *user)
{
	return list_reports(store, 0, open_only, after, limit, done, user);
}

enum mrl_status mrl_store_list_reports_by(struct mrl_store *store, uint64_t reporter, const struct mrl_store_key *after,
					  unsigned limit, mrl_store_done *done, void *user)
{
	return reporter != 0 ? list_reports(store, reporter, false, after, limit, done, user) : MRL_RANGE;
}

enum mrl_status mrl_store_list_counts(struct mrl_store *store, int32_t from, int32_t until, mrl_store_done *done,
				      void *user)
{
	struct task *task = task_new(TASK_LIST_COUNTS, done, user);

	if (task != NULL) {
		task->from = from;
		task->until = until;
	}
	return store_submit_read(store, task, false);
}

/* ---- The archive -------------------------------------------------------------------------------------------- */

enum mrl_status store_check_search(const struct mrl_store_search *search)
{
	if (is_longer(search->rules, MRL_STORE_RULES_MOST) || is_longer(search->opening, MRL_STORE_LINE_MOST))
		return MRL_RANGE;
	return MRL_OK;
}

struct task *store_search_task(const struct mrl_store_search *search, mrl_store_done *done, void *user)
{
	struct task *task = task_new(TASK_LIST_GAMES, done, user);

	if (task == NULL)
		return NULL;
	task->search = *search;
	task->search.rules = "";
	task->search.opening = "";
	if (give(task, &task->search.rules, search->rules) && give(task, &task->search.opening, search->opening))
		return task;
	task_free(task);
	return NULL;
}

enum mrl_status mrl_store_list_games(struct mrl_store *store, const struct mrl_store_search *search, bool events,
				     const struct mrl_store_key *after, unsigned limit, mrl_store_done *done,
				     void *user)
{
	enum mrl_status status = store_check_search(search);

	if (status != MRL_OK || limit < 1 || limit > MRL_STORE_PAGE_MOST)
		return MRL_RANGE;
	struct task *task = store_search_task(search, done, user);

	if (task != NULL) {
		task->flag = events;
		task->limit = limit;
		if (after != NULL)
			task->after = *after;
	}
	return store_submit_read(store, task, false);
}

enum mrl_status mrl_store_find_score(struct mrl_store *store, uint64_t person, uint64_t opponent, bool all,
				     mrl_store_done *done, void *user)
{
	if (person == 0 || opponent == 0)
		return MRL_RANGE;
	struct task *task = task_new(TASK_FIND_SCORE, done, user);

	if (task != NULL) {
		task->one = person;
		task->other = opponent;
		task->flag = all;
	}
	return store_submit_read(store, task, false);
}

/* ---- Backup ------------------------------------------------------------------------------------------------- */

enum mrl_status mrl_store_backup(struct mrl_store *store, const char *path, mrl_store_done *done, void *user)
{
	if (path == NULL || path[0] == '\0')
		return MRL_RANGE;
	struct task *task = task_with(TASK_BACKUP, path, "", done, user);

	if (task == NULL)
		return MRL_SPACE;
	bool copying = false;

	if (atomic_load(&store->closing) || !atomic_compare_exchange_strong(&store->copying, &copying, true)) {
		task_free(task);
		return copying ? MRL_BUSY : MRL_STOPPED;
	}
	atomic_fetch_add(&store->in_flight, 1);
	if (store_start_copier(store, task))
		return MRL_OK;
	atomic_fetch_sub(&store->in_flight, 1);
	atomic_store(&store->copying, false);
	task_free(task);
	return MRL_SPACE;
}
