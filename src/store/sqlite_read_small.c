/* What is read of ratings and the small things. */
#include "answer.h"
#include "sqlite_read.h"

void *sqlite_add_row(struct sqlite *db, struct rows *rows, size_t size)
{
	void *row = rows_add(rows, size);

	if (row == NULL)
		sqlite_fail(db, SQLITE_NOMEM);
	return row;
}

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

#define RATING_COLUMNS                                                                                          \
	"r.person, r.rules, r.speed, r.rating, r.deviation, r.volatility, r.games, r.wins, r.losses, r.draws, " \
	"r.best, "                                                                                              \
	"r.changed, r.game, p.name, p.kind "

static void add_ratings(struct sqlite *db, struct task *task, sqlite3_stmt *found)
{
	while (sqlite_row(db, found)) {
		struct mrl_store_rating *rating = sqlite_add_row(db, &task->rows, sizeof(*rating));

		if (rating == NULL)
			break;
		rating->person = ID_AT(found, 0);
		rating->rules = sqlite_text(db, task, found, 1);
		rating->speed = (unsigned)sqlite3_column_int(found, 2);
		rating->rating = sqlite3_column_double(found, 3);
		rating->deviation = sqlite3_column_double(found, 4);
		rating->volatility = sqlite3_column_double(found, 5);
		rating->games = (uint32_t)sqlite3_column_int64(found, 6);
		rating->wins = (uint32_t)sqlite3_column_int64(found, 7);
		rating->losses = (uint32_t)sqlite3_column_int64(found, 8);
		rating->draws = (uint32_t)sqlite3_column_int64(found, 9);
		rating->best = sqlite3_column_double(found, 10);
		rating->changed = sqlite3_column_int64(found, 11);
		rating->game = ID_AT(found, 12);
		rating->name = sqlite_text(db, task, found, 13);
		rating->kind = (enum mrl_store_kind)sqlite3_column_int(found, 14);
	}
	sqlite_finish(found);
}

static void list_leaders(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
				  "WHERE r.rules = ?1 AND r.speed = ?2 AND (r.rating, r.person) < (?3, ?4) "
				  "AND r.deviation <= ?5 AND r.changed >= ?6 AND p.kind IN (1, 2) "
				  "ORDER BY r.rating DESC, r.person DESC LIMIT ?7";
	bool first = task->after.major == 0;

	add_ratings(db, task,
		    sqlite_start(db, sql,
				 WITH(TEXT(task->rules), INTEGER(task->speed), REAL(first ? 1e300 : task->after.rating),
				      INTEGER(first ? (uint64_t)INT64_MAX : task->after.minor), REAL(task->deviation),
				      INTEGER(task->from), INTEGER(task->limit + 1))));
	answer_leaders(task);
}

static void list_points(struct sqlite *db, struct task *task)
{
#define POINTS                                                                  \
	"SELECT p.game, p.wall, p.rating, p.deviation, coalesce(g.private, 0) " \
	"FROM rating_points p LEFT JOIN games g ON g.id = p.game "              \
	"WHERE p.person = ? AND p.rules = ? AND p.speed = ? AND p.wall >= ? ORDER BY p.number "
	static const char oldest[] = POINTS "LIMIT ?";
	static const char newest[] = POINTS "DESC LIMIT ?";
#undef POINTS
	sqlite3_stmt *found = sqlite_start(db, task->flag ? newest : oldest,
					   WITH(INTEGER(task->one), TEXT(task->rules), INTEGER(task->speed),
						INTEGER(task->from), INTEGER(task->limit + 1)));

	while (sqlite_row(db, found)) {
		struct mrl_store_rating_point *point = sqlite_add_row(db, &task->rows, sizeof(*point));

		if (point == NULL)
			break;
		point->game = ID_AT(found, 0);
		point->wall = sqlite3_column_int64(found, 1);
		point->rating = sqlite3_column_double(found, 2);
		point->deviation = sqlite3_column_double(found, 3);
		point->is_private = sqlite3_column_int(found, 4) != 0;
	}
	sqlite_finish(found);
	answer_points(task);
}

void sqlite_read_ratings(struct sqlite *db, struct task *task)
{
	static const char of_person[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
					"WHERE r.person = ? ORDER BY r.rules, r.speed";
	static const char of_two[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
				     "WHERE r.person IN (?, ?) AND r.rules = ? AND r.speed = ?";

	switch (task->kind) {
	case TASK_LIST_POINTS:
		list_points(db, task);
		return;
	case TASK_LIST_LEADERS:
		list_leaders(db, task);
		break;
	case TASK_LIST_RATINGS:
		add_ratings(db, task, sqlite_start(db, of_person, WITH(INTEGER(task->one))));
		break;
	default: /* TASK_FIND_RATINGS */
		add_ratings(db, task,
			    sqlite_start(db, of_two,
					 WITH(INTEGER(task->one), INTEGER(task->other), TEXT(task->rules),
					      INTEGER(task->speed))));
	}
	task->answer.ratings = task->rows.data;
	task->answer.rating_count = task->rows.count;
}

/* ---- The small things --------------------------------------------------------------------------------------- */

static void list_settings(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT key, value FROM settings WHERE person = ? ORDER BY key";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->one)));

	while (sqlite_row(db, found)) {
		struct mrl_store_setting *setting = sqlite_add_row(db, &task->rows, sizeof(*setting));

		if (setting == NULL)
			break;
		setting->key = sqlite_text(db, task, found, 0);
		setting->value = sqlite_text(db, task, found, 1);
	}
	sqlite_finish(found);
	task->answer.settings = task->rows.data;
	task->answer.setting_count = task->rows.count;
}

static void list_mutes(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT m.muted, p.name, m.wall FROM mutes m JOIN people p ON p.id = m.muted "
				  "WHERE m.person = ? ORDER BY m.wall, m.muted";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->one)));

	while (sqlite_row(db, found)) {
		struct mrl_store_mute *mute = sqlite_add_row(db, &task->rows, sizeof(*mute));

		if (mute == NULL)
			break;
		mute->muted = ID_AT(found, 0);
		mute->name = sqlite_text(db, task, found, 1);
		mute->wall = sqlite3_column_int64(found, 2);
	}
	sqlite_finish(found);
	task->answer.mutes = task->rows.data;
	task->answer.mute_count = task->rows.count;
}

static void list_seeks(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT id, person, t, wall, text FROM seeks ORDER BY t, id";
	sqlite3_stmt *found = sqlite_start(db, sql, WITHOUT);

	while (sqlite_row(db, found)) {
		struct mrl_store_seek *seek = sqlite_add_row(db, &task->rows, sizeof(*seek));

		if (seek == NULL)
			break;
		seek->id = ID_AT(found, 0);
		seek->person = ID_AT(found, 1);
		seek->t = ID_AT(found, 2);
		seek->wall = sqlite3_column_int64(found, 3);
		seek->text = sqlite_text(db, task, found, 4);
	}
	sqlite_finish(found);
	task->answer.seeks = task->rows.data;
	task->answer.seek_count = task->rows.count;
}

#define REPORT_COLUMNS "id, reporter, reported, game, event, text, note, wall, closed, verdict FROM reports "

static void list_reports(struct sqlite *db, struct task *task)
{
	static const char every[] =
	    "SELECT " REPORT_COLUMNS "WHERE (wall, id) < (?, ?) ORDER BY wall DESC, id DESC LIMIT ?";
	static const char open[] =
	    "SELECT " REPORT_COLUMNS "WHERE closed = 0 AND (wall, id) < (?, ?) ORDER BY wall DESC, id DESC LIMIT ?";
	static const char by_one[] =
	    "SELECT " REPORT_COLUMNS "INDEXED BY reports_reporter WHERE (wall, id) < (?, ?) AND reporter = ?4 "
	    "ORDER BY wall DESC, id DESC LIMIT ?3";
	bool first = task->after.major == 0 && task->after.minor == 0;
	const struct bind values[] = {INTEGER(first ? INT64_MAX : task->after.major),
				      INTEGER(first ? (uint64_t)INT64_MAX : task->after.minor),
				      INTEGER(task->limit + 1), INTEGER(task->one)};
	sqlite3_stmt *found = task->one != 0 ? sqlite_start(db, by_one, values, 4)
					     : sqlite_start(db, task->flag ? open : every, values, 3);

	while (sqlite_row(db, found)) {
		struct mrl_store_report *report = sqlite_add_row(db, &task->rows, sizeof(*report));

		if (report == NULL)
			break;
		report->id = ID_AT(found, 0);
		report->reporter = ID_AT(found, 1);
		report->reported = ID_AT(found, 2);
		report->game = ID_AT(found, 3);
		report->event = (uint32_t)sqlite3_column_int64(found, 4);
		report->text = sqlite_text(db, task, found, 5);
		report->note = sqlite_text(db, task, found, 6);
		report->wall = sqlite3_column_int64(found, 7);
		report->closed = sqlite3_column_int64(found, 8);
		report->verdict = sqlite_text(db, task, found, 9);
	}
	sqlite_finish(found);
	answer_reports(task);
}

static void list_counts(struct sqlite *db, struct task *task)
{
	static const char sql[] =
	    "SELECT day, what, count FROM counts WHERE day BETWEEN ? AND ? ORDER BY day, what LIMIT 100000";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->from), INTEGER(task->until)));

	while (sqlite_row(db, found)) {
		struct mrl_store_count *count = sqlite_add_row(db, &task->rows, sizeof(*count));

		if (count == NULL)
			break;
		count->day = sqlite3_column_int(found, 0);
		count->what = sqlite_text(db, task, found, 1);
		count->count = sqlite3_column_int64(found, 2);
	}
	sqlite_finish(found);
	task->answer.counts = task->rows.data;
	task->answer.count_count = task->rows.count;
}

void sqlite_read_small(struct sqlite *db, struct task *task)
{
	switch (task->kind) {
	case TASK_LIST_SETTINGS:
		list_settings(db, task);
		break;
	case TASK_LIST_MUTES:
		list_mutes(db, task);
		break;
	case TASK_LIST_SEEKS:
		list_seeks(db, task);
		break;
	case TASK_FIND_OWNERS: /* who is alone has all of them, and need not ask */
		break;
	case TASK_LIST_REPORTS:
		list_reports(db, task);
		break;
	default: /* TASK_LIST_COUNTS */
		list_counts(db, task);
	}
}
