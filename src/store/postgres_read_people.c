/* What is read about people and their sessions. */
#include <string.h>

#include "postgres.h"

#define PERSON_COLUMNS "p.id, p.kind, p.name, p.password, p.email, p.created, p.seen, p.banned_until, p.ban_reason "
#define SESSION_COLUMNS "s.hash, s.person, s.kind, s.label, s.created, s.seen, s.expires "

enum { PERSON_COUNT = 9 };

static void add_person(const struct postgres_row *row, struct task *task)
{
	struct mrl_store_person *person = postgres_add_row(row->db, &task->rows, sizeof(*person));

	if (person == NULL)
		return;
	*person = (struct mrl_store_person){
	    .id = POSTGRES_ID(row, 0),
	    .kind = (enum mrl_store_kind)postgres_integer(row, 1),
	    .name = postgres_text(row, task, 2),
	    .password = postgres_text(row, task, 3),
	    .email = postgres_text(row, task, 4),
	    .created = postgres_integer(row, 5),
	    .seen = postgres_integer(row, 6),
	    .banned_until = postgres_integer(row, 7),
	    .ban_reason = postgres_text(row, task, 8),
	};
}

static void add_session(const struct postgres_row *row, struct task *task, struct rows *rows, int at)
{
	struct mrl_store_session *session = postgres_add_row(row->db, rows, sizeof(*session));

	if (session == NULL)
		return;
	const uint8_t *hash = postgres_bytes(row, at, MRL_STORE_HASH_BYTES);

	*session = (struct mrl_store_session){
	    .person = POSTGRES_ID(row, at + 1),
	    .kind = (enum mrl_store_session_kind)postgres_integer(row, at + 2),
	    .label = postgres_text(row, task, at + 3),
	    .created = postgres_integer(row, at + 4),
	    .seen = postgres_integer(row, at + 5),
	    .expires = postgres_integer(row, at + 6),
	};
	if (hash != NULL)
		memcpy(session->hash, hash, MRL_STORE_HASH_BYTES);
}

static void add_people(struct postgres *db, struct task *task, PGresult *found)
{
	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);)
		add_person(&row, task);
	postgres_free(db, found);
}

static void list_deleted(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT id FROM people WHERE kind = 3 AND id > $1 ORDER BY id LIMIT $2";
	int64_t after = task->after.major != 0 ? (int64_t)task->after.minor : INT64_MIN;
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(after), INTEGER(task->limit + 1)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_person *person = NULL;

		task->answer.more = task->rows.count == task->limit;
		if (!task->answer.more)
			person = postgres_add_row(db, &task->rows, sizeof(*person));
		if (person != NULL)
			*person = (struct mrl_store_person){.id = POSTGRES_ID(&row, 0),
							    .kind = MRL_STORE_DELETED,
							    .name = "deleted",
							    .password = "",
							    .email = "",
							    .ban_reason = ""};
	}
	postgres_free(db, found);
	if (task->answer.more) {
		const struct mrl_store_person *last = (struct mrl_store_person *)task->rows.data + (task->limit - 1);

		task->answer.next = (struct mrl_store_key){.major = 1, .minor = last->id};
	}
}

static void find_session(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT " PERSON_COLUMNS ", " SESSION_COLUMNS "FROM sessions s "
				  "JOIN people p ON p.id = s.person WHERE s.hash = $1 AND s.expires > $2";
	PGresult *found = postgres_run(db, sql, WITH(HASH(task->hash), INTEGER(task->from)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		add_person(&row, task);
		add_session(&row, task, &task->extra, PERSON_COUNT);
	}
	postgres_free(db, found);
	task->answer.sessions = task->extra.data;
	task->answer.session_count = task->extra.count;
}

static void list_sessions(struct postgres *db, struct task *task)
{
	static const char sql[] =
	    "SELECT " SESSION_COLUMNS "FROM sessions s WHERE s.person = $1 ORDER BY s.created DESC, s.hash";
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(task->one)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);)
		add_session(&row, task, &task->rows, 0);
	postgres_free(db, found);
	task->answer.sessions = task->rows.data;
	task->answer.session_count = task->rows.count;
}

void postgres_read_people(struct postgres *db, struct task *task)
{
	static const char by_id[] = "SELECT " PERSON_COLUMNS "FROM people p WHERE p.id = $1";
	/* lower() of the collation C is that of ASCII alone, as is what wrote the key. */
	static const char by_name[] =
	    "SELECT " PERSON_COLUMNS "FROM people p WHERE p.name_key = lower($1::text COLLATE \"C\")";
	/* Names that begin so lie between the prefix and the prefix with the highest character behind it. */
	static const char by_prefix[] =
	    "SELECT " PERSON_COLUMNS "FROM people p WHERE p.name_key >= lower($1::text COLLATE \"C\") "
	    "AND p.name_key < lower($1::text COLLATE \"C\") || chr(1114111) ORDER BY p.name_key LIMIT $2";

	switch (task->kind) {
	case TASK_FIND_PERSON:
		add_people(db, task, postgres_run(db, by_id, WITH(INTEGER(task->one))));
		break;
	case TASK_FIND_NAME:
		add_people(db, task, postgres_run(db, by_name, WITH(TEXT(task->text))));
		break;
	case TASK_LIST_NAMES:
		add_people(db, task, postgres_run(db, by_prefix, WITH(TEXT(task->text), INTEGER(task->limit))));
		break;
	case TASK_LIST_DELETED:
		list_deleted(db, task);
		break;
	case TASK_FIND_SESSION:
		find_session(db, task);
		break;
	default: /* TASK_LIST_SESSIONS */
		list_sessions(db, task);
		return;
	}
	task->answer.people = task->rows.data;
	task->answer.person_count = task->rows.count;
	if (task->rows.count == 0 && task->kind != TASK_LIST_NAMES && task->kind != TASK_LIST_DELETED)
		postgres_refuse(db, MRL_MISSING,
				task->kind == TASK_FIND_SESSION ? "there is no such session"
								: "there is no such person");
}
