/*
 * The archive: searches among ended games, page by page, and the games that are not over.
 *
 * A page begins behind the last game of the one before, by the key (moment of the end, id), never by counting, so a
 * late page costs as much as an early one. A person's games are the first of those with White and the first of those
 * with Black, each in the order of an index, merged.
 */
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "condition.h"
#include "postgres.h"

enum { PAGE_BYTES = 4 << 20 }; /* of events, after which a page ends early */

static const char begin[] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
static const char commit[] = "COMMIT";

/* The whole query; false when it does not fit, which would be our mistake. */
static bool make_query(char *sql, size_t size, const struct task *task)
{
	const char *order = task->search.oldest_first ? "ASC" : "DESC";
	int length;

	if (task->search.person == 0) {
		struct condition condition = search_condition(task, "", "", '$');

		length = snprintf(sql, size,
				  "SELECT " GAME_COLUMNS
				  "FROM (SELECT id FROM games WHERE %s ORDER BY ended %s, id %s LIMIT $11) k "
				  "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.ended %s, g.id %s",
				  condition.text, order, order, order, order);
	} else {
		struct condition white = search_condition(task, "white", "black", '$');
		struct condition black = search_condition(task, "black", "white", '$');

		length = snprintf(sql, size,
				  "SELECT " GAME_COLUMNS
				  "FROM ((SELECT ended, id FROM games WHERE %s ORDER BY ended %s, id %s LIMIT $11) "
				  "UNION ALL (SELECT ended, id FROM games WHERE %s ORDER BY ended %s, id %s LIMIT $11) "
				  "ORDER BY ended %s, id %s LIMIT $11) k "
				  "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.ended %s, g.id %s",
				  white.text, order, order, black.text, order, order, order, order, order, order);
	}
	return length > 0 && (size_t)length < size;
}

/*
 * Adds the games of a result to the answer, up to the limit, with events if the task wants them; whether there is one
 * more, or the page was long enough.
 */
static bool add_page(struct postgres *db, struct task *task, const PGresult *found)
{
	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		if (task->rows.count == task->limit || task->memory.bytes > PAGE_BYTES)
			return true;
		struct mrl_store_game *game = postgres_add_game(db, task, &row);

		if (game == NULL || !task->flag)
			continue;
		PGresult *events = postgres_run(db, postgres_events_sql, WITH(INTEGER(game->id), INTEGER(1)));

		postgres_add_events(db, task, game, events);
		postgres_free(db, events);
	}
	return false;
}

static const struct mrl_store_game *last_game(const struct task *task)
{
	return (const struct mrl_store_game *)task->rows.data + (task->rows.count - 1);
}

static void list_games(struct postgres *db, struct task *task)
{
	struct bind values[AT_LIMIT];
	char sql[8192];

	if (!search_make_sense(task))
		return;
	if (!search_values(task, values)) {
		postgres_refuse(db, MRL_SPACE, "there is not enough memory for the search");
		return;
	}
	if (!make_query(sql, sizeof(sql), task)) {
		postgres_refuse(db, MRL_RANGE, "the search is too long");
		return;
	}
	PGresult *found = postgres_run_once(db, sql, values, AT_LIMIT);

	task->answer.more = add_page(db, task, found);
	postgres_free(db, found);
	if (task->answer.more)
		task->answer.next =
		    (struct mrl_store_key){.major = last_game(task)->ended, .minor = last_game(task)->id};
}

static void list_unfinished(struct postgres *db, struct task *task)
{
	static const char open[] = "SELECT " GAME_COLUMNS "FROM games g " GAME_PLAYERS
				   "WHERE g.state = $1 AND g.state < 2 AND g.id > $2 ORDER BY g.id LIMIT $3";
	int64_t state = task->after.major >> 1;
	int64_t after = (task->after.major & 1) != 0 ? (int64_t)task->after.minor : INT64_MIN;
	PGresult *found = postgres_run_once(db, open, WITH(INTEGER(state), INTEGER(after), INTEGER(task->limit + 1)));

	/* First the open ones, then those being played: the key has the state, and whether it has an id. */
	task->answer.more = add_page(db, task, found);
	postgres_free(db, found);
	if (task->answer.more) {
		task->answer.next = (struct mrl_store_key){.major = state * 2 + 1, .minor = last_game(task)->id};
	} else if (state == MRL_STORE_OPEN) {
		task->answer.more = true;
		task->answer.next = (struct mrl_store_key){.major = MRL_STORE_PLAYING * 2};
	}
}

/* Counts the games in which `white` and `black` had these colours. */
static void add_score(struct postgres *db, struct task *task, uint64_t white, uint64_t black, bool mine)
{
	static const char sql[] = "SELECT outcome, count(*) FROM (SELECT outcome FROM games "
				  "WHERE white = $1 AND black = $2 AND state = 2 AND ($3 = 1 OR private = 0) "
				  "ORDER BY ended DESC, id DESC LIMIT $4) k GROUP BY outcome";
	struct mrl_store_score *score = &task->answer.score;
	PGresult *found = postgres_run_once(
	    db, sql, WITH(INTEGER(white), INTEGER(black), INTEGER(task->flag), INTEGER(MRL_STORE_SCORE_MOST)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		uint64_t count = POSTGRES_ID(&row, 1);

		switch (postgres_integer(&row, 0)) {
		case MRL_STORE_WHITE_WINS:
			*(mine ? &score->wins : &score->losses) += count;
			break;
		case MRL_STORE_BLACK_WINS:
			*(mine ? &score->losses : &score->wins) += count;
			break;
		case MRL_STORE_DRAW:
			score->draws += count;
			break;
		default:
			break;
		}
	}
	postgres_free(db, found);
}

static void find_score(struct postgres *db, struct task *task)
{
	add_score(db, task, task->one, task->other, true);
	if (task->one != task->other)
		add_score(db, task, task->other, task->one, false);
}

void postgres_read_archive(struct postgres *db, struct task *task)
{
	/* The games and their events are read one after another, and are of one moment. */
	postgres_do(db, begin);
	if (task->kind == TASK_LIST_GAMES)
		list_games(db, task);
	else if (task->kind == TASK_FIND_SCORE)
		find_score(db, task);
	else
		list_unfinished(db, task);
	const struct postgres_wrong wrong = db->wrong;
	bool failed = db->failed;

	if (!db->lost) {
		postgres_clear(db);
		postgres_do(db, commit);
	}
	if (failed)
		postgres_fail(db, &wrong);
	task->answer.games = task->rows.data;
	task->answer.game_count = task->rows.count;
}
