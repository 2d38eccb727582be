/*
 * The archive: searches among ended games, page by page, and the games that are not over.
 *
 * A page begins behind the last game of the one before, by the key (moment of the end, id), never by counting, so a
 * late page costs as much as an early one. A person's games are those with White and those with Black, each in the
 * order of an index; SQLite merges the two. So are those of two who played each other. What everybody may see is in
 * three indices: by end, by rule set and end, by opening.
 */
#include <stdio.h>
#include <string.h>

#include <os/clock.h>

#include "condition.h"
#include "sqlite_read.h"

enum {
	PAGE_BYTES = 4 << 20, /* of events, after which a page ends early */
	OPENING_SELECTS = 12, /* bytes of an opening from which on it is rarer than not: three turns and more */
	SEARCH_SECONDS = 10
};

/* Which index of those of everybody's games finds them. */
static const char *choose_index(const struct mrl_store_search *search)
{
	if (strlen(search->opening) >= OPENING_SELECTS)
		return " INDEXED BY games_opening";
	if (search->rules[0] != '\0')
		return " INDEXED BY games_rules";
	return " INDEXED BY games_ended";
}

/* The whole query; false when it does not fit, which would be our mistake. */
static bool make_query(char *sql, size_t size, const struct task *task)
{
	const char *order = task->search.oldest_first ? "ASC" : "DESC";
	int length;

	if (task->search.person == 0) {
		struct condition condition = search_condition(task, "", "", '?');

		length = snprintf(sql, size,
				  "SELECT " GAME_COLUMNS
				  "FROM (SELECT id FROM games%s WHERE %s ORDER BY ended %s, id %s LIMIT ?11) k "
				  "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.ended %s, g.id %s",
				  choose_index(&task->search), condition.text, order, order, order, order);
	} else {
		struct condition white = search_condition(task, "white", "black", '?');
		struct condition black = search_condition(task, "black", "white", '?');
		bool pair = task->search.opponent != 0;

		length = snprintf(
		    sql, size,
		    "SELECT " GAME_COLUMNS "FROM (SELECT ended, id FROM games INDEXED BY %s WHERE %s UNION ALL "
		    "SELECT ended, id FROM games INDEXED BY %s WHERE %s ORDER BY ended %s, id %s LIMIT ?11) k "
		    "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.ended %s, g.id %s",
		    pair ? "games_pair" : "games_white", white.text, pair ? "games_pair" : "games_black", black.text,
		    order, order, order, order);
	}
	return length > 0 && (size_t)length < size;
}

/*
 * Adds the games of a statement to the answer, up to the limit, with events if the task wants them; whether there is
 * one more, or the page was long enough.
 */
static bool add_page(struct sqlite *db, struct task *task, sqlite3_stmt *found)
{
	while (sqlite_row(db, found)) {
		if (task->rows.count == task->limit || task->memory.bytes > PAGE_BYTES)
			return true;
		struct mrl_store_game *game = sqlite_add_game(db, task, found);

		if (game != NULL && task->flag)
			sqlite_add_events(db, task, game, 1);
	}
	return false;
}

static const struct mrl_store_game *last_game(const struct task *task)
{
	return (const struct mrl_store_game *)task->rows.data + (task->rows.count - 1);
}

static void list_games(struct sqlite *db, struct task *task)
{
	struct bind values[AT_LIMIT];
	char sql[8192];

	if (!search_make_sense(task))
		return;
	if (!search_values(task, values)) {
		sqlite_fail(db, SQLITE_NOMEM);
		return;
	}
	if (!make_query(sql, sizeof(sql), task)) {
		sqlite_refuse(db, MRL_RANGE, "the search is too long");
		return;
	}
	sqlite3_stmt *found = sqlite_start_once(db, sql, WITHOUT);

	sqlite_bind(db, found, values, AT_LIMIT);
	task->answer.more = add_page(db, task, found);
	sqlite_finish_once(found);
	if (task->answer.more)
		task->answer.next =
		    (struct mrl_store_key){.major = last_game(task)->ended, .minor = last_game(task)->id};
}

static void list_unfinished(struct sqlite *db, struct task *task)
{
	static const char open[] = "SELECT " GAME_COLUMNS "FROM games g INDEXED BY games_unfinished " GAME_PLAYERS
				   "WHERE g.state = ?1 AND g.state < 2 AND g.id > ?2 ORDER BY g.id LIMIT ?3";
	int64_t state = task->after.major >> 1;
	int64_t after = (task->after.major & 1) != 0 ? (int64_t)task->after.minor : INT64_MIN;
	sqlite3_stmt *found = sqlite_start(db, open, WITH(INTEGER(state), INTEGER(after), INTEGER(task->limit + 1)));

	/* First the open ones, then those being played: the key has the state, and whether it has an id. */
	task->answer.more = add_page(db, task, found);
	sqlite_finish(found);
	if (task->answer.more) {
		task->answer.next = (struct mrl_store_key){.major = state * 2 + 1, .minor = last_game(task)->id};
	} else if (state == MRL_STORE_OPEN) {
		task->answer.more = true;
		task->answer.next = (struct mrl_store_key){.major = MRL_STORE_PLAYING * 2};
	}
}

/* Counts the games in which `white` and `black` had these colours. */
static void add_score(struct sqlite *db, struct task *task, uint64_t white, uint64_t black, bool mine)
{
	static const char sql[] = "SELECT outcome, count(*) FROM (SELECT outcome FROM games INDEXED BY games_pair "
				  "WHERE white = ?1 AND black = ?2 AND state = 2 AND (?3 OR private = 0) "
				  "ORDER BY ended DESC, id DESC LIMIT ?4) GROUP BY outcome";
	struct mrl_store_score *score = &task->answer.score;
	sqlite3_stmt *found = sqlite_start(
	    db, sql, WITH(INTEGER(white), INTEGER(black), INTEGER(task->flag), INTEGER(MRL_STORE_SCORE_MOST)));

	while (sqlite_row(db, found)) {
		uint64_t count = ID_AT(found, 1);

		switch (sqlite3_column_int(found, 0)) {
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
	sqlite_finish(found);
}

static void find_score(struct sqlite *db, struct task *task)
{
	add_score(db, task, task->one, task->other, true);
	if (task->one != task->other)
		add_score(db, task, task->other, task->one, false);
}

void sqlite_read_archive(struct sqlite *db, struct task *task)
{
	db->deadline = mrl_clock_now() + (uint64_t)SEARCH_SECONDS * 1000000000u;
	if (task->kind == TASK_LIST_GAMES)
		list_games(db, task);
	else if (task->kind == TASK_FIND_SCORE)
		find_score(db, task);
	else
		list_unfinished(db, task);
	db->deadline = 0;
	task->answer.games = task->rows.data;
	task->answer.game_count = task->rows.count;
}
