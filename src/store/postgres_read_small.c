/* What is read of ratings and the small things. */
#include "answer.h"
#include "postgres.h"

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

#define RATING_COLUMNS                                                                                          \
	"r.person, r.rules, r.speed, r.rating, r.deviation, r.volatility, r.games, r.wins, r.losses, r.draws, " \
	"r.best, r.changed, r.game, p.name, p.kind "

static void add_ratings(struct postgres *db, struct task *task, PGresult *found)
{
	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_rating *rating = postgres_add_row(db, &task->rows, sizeof(*rating));

		if (rating == NULL)
			break;
		*rating = (struct mrl_store_rating){
		    .person = POSTGRES_ID(&row, 0),
		    .rules = postgres_text(&row, task, 1),
		    .speed = (unsigned)postgres_integer(&row, 2),
		    .rating = postgres_real(&row, 3),
		    .deviation = postgres_real(&row, 4),
		    .volatility = postgres_real(&row, 5),
		    .games = (uint32_t)postgres_integer(&row, 6),
		    .wins = (uint32_t)postgres_integer(&row, 7),
		    .losses = (uint32_t)postgres_integer(&row, 8),
		    .draws = (uint32_t)postgres_integer(&row, 9),
		    .best = postgres_real(&row, 10),
		    .changed = postgres_integer(&row, 11),
		    .game = POSTGRES_ID(&row, 12),
		    .name = postgres_text(&row, task, 13),
		    .kind = (enum mrl_store_kind)postgres_integer(&row, 14),
		};
	}
	postgres_free(db, found);
}

static void list_leaders(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
				  "WHERE r.rules = $1 AND r.speed = $2::bigint AND (r.rating, r.person) < ($3, $4) "
				  "AND r.deviation <= $5 AND r.changed >= $6 AND p.kind IN (1, 2) "
				  "ORDER BY r.rating DESC, r.person DESC LIMIT $7";
	bool first = task->after.major == 0;

	add_ratings(db, task,
		    postgres_run(db, sql,
				 WITH(TEXT(task->rules), INTEGER(task->speed), REAL(first ? 1e300 : task->after.rating),
				      INTEGER(first ? (uint64_t)INT64_MAX : task->after.minor), REAL(task->deviation),
				      INTEGER(task->from), INTEGER(task->limit + 1))));
	answer_leaders(task);
}

static void list_points(struct postgres *db, struct task *task)
{
#define POINTS                                                                  \
	"SELECT p.game, p.wall, p.rating, p.deviation, coalesce(g.private, 0) " \
	"FROM rating_points p LEFT JOIN games g ON g.id = p.game "              \
	"WHERE p.person = $1 AND p.rules = $2 AND p.speed = $3::bigint AND p.wall >= $4 ORDER BY p.number "
	static const char oldest[] = POINTS "LIMIT $5";
	static const char newest[] = POINTS "DESC LIMIT $5";
#undef POINTS
	PGresult *found = postgres_run(db, task->flag ? newest : oldest,
				       WITH(INTEGER(task->one), TEXT(task->rules), INTEGER(task->speed),
					    INTEGER(task->from), INTEGER(task->limit + 1)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_rating_point *point = postgres_add_row(db, &task->rows, sizeof(*point));

		if (point == NULL)
			break;
		*point = (struct mrl_store_rating_point){
		    .game = POSTGRES_ID(&row, 0),
		    .wall = postgres_integer(&row, 1),
		    .rating = postgres_real(&row, 2),
		    .deviation = postgres_real(&row, 3),
		    .is_private = postgres_integer(&row, 4) != 0,
		};
	}
	postgres_free(db, found);
	answer_points(task);
}

void postgres_read_ratings(struct postgres *db, struct task *task)
{
	static const char of_person[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
					"WHERE r.person = $1 ORDER BY r.rules, r.speed";
	static const char of_two[] = "SELECT " RATING_COLUMNS "FROM ratings r JOIN people p ON p.id = r.person "
				     "WHERE r.person IN ($1, $2) AND r.rules = $3 AND r.speed = $4::bigint";

	switch (task->kind) {
	case TASK_LIST_POINTS:
		list_points(db, task);
		return;
	case TASK_LIST_LEADERS:
		list_leaders(db, task);
		break;
	case TASK_LIST_RATINGS:
		add_ratings(db, task, postgres_run(db, of_person, WITH(INTEGER(task->one))));
		break;
	default: /* TASK_FIND_RATINGS */
		add_ratings(db, task,
			    postgres_run(db, of_two,
					 WITH(INTEGER(task->one), INTEGER(task->other), TEXT(task->rules),
					      INTEGER(task->speed))));
	}
	task->answer.ratings = task->rows.data;
	task->answer.rating_count = task->rows.count;
}

/* ---- The small things --------------------------------------------------------------------------------------- */

static void list_settings(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT key, value FROM settings WHERE person = $1 ORDER BY key";
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(task->one)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_setting *setting = postgres_add_row(db, &task->rows, sizeof(*setting));

		if (setting == NULL)
			break;
		setting->key = postgres_text(&row, task, 0);
		setting->value = postgres_text(&row, task, 1);
	}
	postgres_free(db, found);
	task->answer.settings = task->rows.data;
	task->answer.setting_count = task->rows.count;
}

static void list_mutes(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT m.muted, p.name, m.wall FROM mutes m JOIN people p ON p.id = m.muted "
				  "WHERE m.person = $1 ORDER BY m.wall, m.muted";
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(task->one)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_mute *mute = postgres_add_row(db, &task->rows, sizeof(*mute));

		if (mute == NULL)
			break;
		mute->muted = POSTGRES_ID(&row, 0);
		mute->name = postgres_text(&row, task, 1);
		mute->wall = postgres_integer(&row, 2);
	}
	postgres_free(db, found);
	task->answer.mutes = task->rows.data;
	task->answer.mute_count = task->rows.count;
}

static void list_seeks(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT id, person, t, wall, text FROM seeks ORDER BY t, id";
	PGresult *found = postgres_run(db, sql, WITHOUT);

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_seek *seek = postgres_add_row(db, &task->rows, sizeof(*seek));

		if (seek == NULL)
			break;
		seek->id = POSTGRES_ID(&row, 0);
		seek->person = POSTGRES_ID(&row, 1);
		seek->t = POSTGRES_ID(&row, 2);
		seek->wall = postgres_integer(&row, 3);
		seek->text = postgres_text(&row, task, 4);
	}
	postgres_free(db, found);
	task->answer.seeks = task->rows.data;
	task->answer.seek_count = task->rows.count;
}

#define REPORT_COLUMNS "id, reporter, reported, game, event, text, note, wall, closed, verdict FROM reports "

static void list_reports(struct postgres *db, struct task *task)
{
	static const char every[] =
	    "SELECT " REPORT_COLUMNS "WHERE (wall, id) < ($1, $2) ORDER BY wall DESC, id DESC LIMIT $3";
	static const char open[] =
	    "SELECT " REPORT_COLUMNS "WHERE closed = 0 AND (wall, id) < ($1, $2) ORDER BY wall DESC, id DESC LIMIT $3";
	static const char by_one[] = "SELECT " REPORT_COLUMNS "WHERE (wall, id) < ($1, $2) AND reporter = $4 "
				     "ORDER BY wall DESC, id DESC LIMIT $3";
	bool first = task->after.major == 0 && task->after.minor == 0;
	const struct bind values[] = {INTEGER(first ? INT64_MAX : task->after.major),
				      INTEGER(first ? (uint64_t)INT64_MAX : task->after.minor),
				      INTEGER(task->limit + 1), INTEGER(task->one)};
	PGresult *found = task->one != 0 ? postgres_run(db, by_one, values, 4)
					 : postgres_run(db, task->flag ? open : every, values, 3);

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_report *report = postgres_add_row(db, &task->rows, sizeof(*report));

		if (report == NULL)
			break;
		*report = (struct mrl_store_report){
		    .id = POSTGRES_ID(&row, 0),
		    .reporter = POSTGRES_ID(&row, 1),
		    .reported = POSTGRES_ID(&row, 2),
		    .game = POSTGRES_ID(&row, 3),
		    .event = (uint32_t)postgres_integer(&row, 4),
		    .text = postgres_text(&row, task, 5),
		    .note = postgres_text(&row, task, 6),
		    .wall = postgres_integer(&row, 7),
		    .closed = postgres_integer(&row, 8),
		    .verdict = postgres_text(&row, task, 9),
		};
	}
	postgres_free(db, found);
	answer_reports(task);
}

static void list_counts(struct postgres *db, struct task *task)
{
	static const char sql[] =
	    "SELECT day, what, count FROM counts WHERE day BETWEEN $1 AND $2 ORDER BY day, what LIMIT 100000";
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(task->from), INTEGER(task->until)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_count *count = postgres_add_row(db, &task->rows, sizeof(*count));

		if (count == NULL)
			break;
		count->day = (int32_t)postgres_integer(&row, 0);
		count->what = postgres_text(&row, task, 1);
		count->count = postgres_integer(&row, 2);
	}
	postgres_free(db, found);
	task->answer.counts = task->rows.data;
	task->answer.count_count = task->rows.count;
}

void postgres_read_small(struct postgres *db, struct task *task)
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
	case TASK_FIND_OWNERS:
		postgres_read_owners(db, task);
		break;
	case TASK_LIST_REPORTS:
		list_reports(db, task);
		break;
	default: /* TASK_LIST_COUNTS */
		list_counts(db, task);
	}
}
