/* What is read about people and their sessions. */
#include <string.h>

#include "answer.h"
#include "sqlite_read.h"

#define PERSON_COLUMNS "p.id, p.kind, p.name, p.password, p.email, p.created, p.seen, p.banned_until, p.ban_reason "
#define SESSION_COLUMNS "s.hash, s.person, s.kind, s.label, s.created, s.seen, s.expires "

enum { PERSON_COUNT = 9 };

static void add_person(struct sqlite *db, struct task *task, struct rows *rows, sqlite3_stmt *found, int at)
{
	struct mrl_store_person *person = sqlite_add_row(db, rows, sizeof(*person));

	if (person == NULL)
		return;
	person->id = ID_AT(found, at);
	person->kind = (enum mrl_store_kind)sqlite3_column_int(found, at + 1);
	person->name = sqlite_text(db, task, found, at + 2);
	person->password = sqlite_text(db, task, found, at + 3);
	person->email = sqlite_text(db, task, found, at + 4);
	person->created = sqlite3_column_int64(found, at + 5);
	person->seen = sqlite3_column_int64(found, at + 6);
	person->banned_until = sqlite3_column_int64(found, at + 7);
	person->ban_reason = sqlite_text(db, task, found, at + 8);
}

static void add_session(struct sqlite *db, struct task *task, struct rows *rows, sqlite3_stmt *found, int at)
{
	struct mrl_store_session *session = sqlite_add_row(db, rows, sizeof(*session));

	if (session == NULL)
		return;
	const void *hash = sqlite3_column_blob(found, at);

	if (hash != NULL && sqlite3_column_bytes(found, at) == MRL_STORE_HASH_BYTES)
		memcpy(session->hash, hash, MRL_STORE_HASH_BYTES);
	session->person = ID_AT(found, at + 1);
	session->kind = (enum mrl_store_session_kind)sqlite3_column_int(found, at + 2);
	session->label = sqlite_text(db, task, found, at + 3);
	session->created = sqlite3_column_int64(found, at + 4);
	session->seen = sqlite3_column_int64(found, at + 5);
	session->expires = sqlite3_column_int64(found, at + 6);
}

static void add_people(struct sqlite *db, struct task *task, sqlite3_stmt *found)
{
	while (sqlite_row(db, found))
		add_person(db, task, &task->rows, found, 0);
	sqlite_finish(found);
}

static void find_name(struct sqlite *db, struct task *task)
{
	/* lower() of SQLite is that of ASCII alone, as is what wrote the key. */
	static const char sql[] = "SELECT " PERSON_COLUMNS "FROM people p WHERE p.name_key = lower(?)";

	add_people(db, task, sqlite_start(db, sql, WITH(TEXT(task->text))));
}

/* Names that begin so lie between the prefix and the prefix with the highest byte behind it. */
static void list_names(struct sqlite *db, struct task *task)
{
	static const char sql[] =
	    "SELECT " PERSON_COLUMNS "FROM people p "
	    "WHERE p.name_key >= lower(?1) AND p.name_key < lower(?1) || x'f4909090' ORDER BY p.name_key LIMIT ?2";

	add_people(db, task, sqlite_start(db, sql, WITH(TEXT(task->text), INTEGER(task->limit))));
}

static void list_deleted(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT id FROM people INDEXED BY people_deleted WHERE kind = 3 AND id > ? "
				  "ORDER BY id LIMIT ?";
	bool more = false;
	int64_t after = task->after.major != 0 ? (int64_t)task->after.minor : INT64_MIN;
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(after), INTEGER(task->limit + 1)));

	while (!more && sqlite_row(db, found)) {
		struct mrl_store_person *person = NULL;

		if (task->rows.count == task->limit) {
			more = true;
			break;
		}
		person = sqlite_add_row(db, &task->rows, sizeof(*person));
		if (person != NULL)
			*person = (struct mrl_store_person){.id = ID_AT(found, 0),
							    .kind = MRL_STORE_DELETED,
							    .name = "deleted",
							    .password = "",
							    .email = "",
							    .ban_reason = ""};
	}
	sqlite_finish(found);
	answer_deleted(task, more);
}

static void find_session(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT " PERSON_COLUMNS ", " SESSION_COLUMNS
				  "FROM sessions s JOIN people p ON p.id = s.person WHERE s.hash = ? AND s.expires > ?";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(HASH(task->hash), INTEGER(task->from)));

	if (sqlite_row(db, found)) {
		add_person(db, task, &task->rows, found, 0);
		add_session(db, task, &task->extra, found, PERSON_COUNT);
	}
	sqlite_finish(found);
}

static void list_sessions(struct sqlite *db, struct task *task)
{
	static const char sql[] =
	    "SELECT " SESSION_COLUMNS "FROM sessions s WHERE s.person = ? ORDER BY s.created DESC, s.hash";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->one)));

	while (sqlite_row(db, found))
		add_session(db, task, &task->rows, found, 0);
	sqlite_finish(found);
}

void sqlite_read_people(struct sqlite *db, struct task *task)
{
	static const char by_id[] = "SELECT " PERSON_COLUMNS "FROM people p WHERE p.id = ?";

	switch (task->kind) {
	case TASK_FIND_PERSON:
		add_people(db, task, sqlite_start(db, by_id, WITH(INTEGER(task->one))));
		break;
	case TASK_FIND_NAME:
		find_name(db, task);
		break;
	case TASK_LIST_NAMES:
		list_names(db, task);
		break;
	case TASK_LIST_DELETED:
		list_deleted(db, task);
		break;
	case TASK_FIND_SESSION:
		find_session(db, task);
		task->answer.sessions = task->extra.data;
		task->answer.session_count = task->extra.count;
		break;
	default: /* TASK_LIST_SESSIONS */
		list_sessions(db, task);
		task->answer.sessions = task->rows.data;
		task->answer.session_count = task->rows.count;
		return;
	}
	task->answer.people = task->rows.data;
	task->answer.person_count = task->rows.count;
	if (task->rows.count == 0 && task->kind != TASK_LIST_NAMES && task->kind != TASK_LIST_DELETED)
		sqlite_refuse(db, MRL_MISSING,
			      task->kind == TASK_FIND_SESSION ? "there is no such session" : "there is no such person");
}
