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

#include "sqlite_read.h"

enum {
	PAGE_BYTES = 4 << 20, /* of events, after which a page ends early */
	OPENING_SELECTS = 12, /* bytes of an opening from which on it is rarer than not: three turns and more */
	SEARCH_SECONDS = 10,
	CONDITION_BYTES = 1024
};

/* The conditions of a search, as SQL and values. Every value has a number of its own, the same in each query. */
enum {
	AT_PERSON = 1,
	AT_OPPONENT,
	AT_RULES,
	AT_SPEEDS,
	AT_FROM,
	AT_UNTIL,
	AT_PREFIX,
	AT_BEHIND,
	AT_ENDED,
	AT_ID,
	AT_LIMIT
};

struct condition {
	char text[CONDITION_BYTES];
	size_t length;
};

static void add(struct condition *condition, const char *sql)
{
	size_t length = strlen(sql);

	if (condition->length + length < sizeof(condition->text)) {
		memcpy(condition->text + condition->length, sql, length + 1);
		condition->length += length;
	}
}

/* `mine` and `other` are "white" and "black" or the other way round; "" when the search is for nobody's games. */
static struct condition make_condition(const struct task *task, const char *mine, const char *other)
{
	const struct mrl_store_search *search = &task->search;
	struct condition condition = {.length = 0};
	bool all = mine[0] == '\0';
	bool white = strcmp(mine, "white") == 0;

	add(&condition, "state = 2");
	if (all || search->viewer != search->person)
		add(&condition, " AND private = 0");
	if (!all) {
		add(&condition, " AND ");
		add(&condition, mine);
		add(&condition, " = ?1");
		/* A game against oneself is found with White. */
		if (!white)
			add(&condition, " AND white IS NOT ?1");
		if (search->opponent != 0) {
			add(&condition, " AND ");
			add(&condition, other);
			add(&condition, " = ?2");
		}
	}
	if (search->rules[0] != '\0')
		add(&condition, " AND rules = ?3");
	if (search->speeds != 0)
		add(&condition, " AND (?4 >> speed) & 1");
	if (search->rated)
		add(&condition, " AND rated = 1");
	if (search->from != 0)
		add(&condition, " AND ended >= ?5");
	if (search->until != 0)
		add(&condition, " AND ended < ?6");
	if (search->opening[0] != '\0')
		add(&condition, " AND opening >= ?7 AND opening < ?8");
	switch (search->result) {
	case MRL_STORE_RESULT_ANY:
		break;
	case MRL_STORE_RESULT_WHITE:
		add(&condition, " AND outcome = 1");
		break;
	case MRL_STORE_RESULT_BLACK:
		add(&condition, " AND outcome = 2");
		break;
	case MRL_STORE_RESULT_DRAW:
		add(&condition, " AND outcome = 3");
		break;
	case MRL_STORE_RESULT_WON:
		add(&condition, white ? " AND outcome = 1" : " AND outcome = 2");
		break;
	case MRL_STORE_RESULT_LOST:
		add(&condition, white ? " AND outcome = 2" : " AND outcome = 1");
		break;
	}
	if (task->after.major != 0)
		add(&condition, search->oldest_first ? " AND (ended, id) > (?9, ?10)" : " AND (ended, id) < (?9, ?10)");
	return condition;
}

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
		struct condition condition = make_condition(task, "", "");

		length = snprintf(sql, size,
				  "SELECT " GAME_COLUMNS
				  "FROM (SELECT id FROM games%s WHERE %s ORDER BY ended %s, id %s LIMIT ?11) k "
				  "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.ended %s, g.id %s",
				  choose_index(&task->search), condition.text, order, order, order, order);
	} else {
		struct condition white = make_condition(task, "white", "black");
		struct condition black = make_condition(task, "black", "white");
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

/* The first turns with a space behind each, and what comes behind all texts that begin so: '!' is the next after ' '.
 */
static bool make_prefix(struct task *task, const char **prefix, const char **behind)
{
	size_t length = strlen(task->search.opening);
	char *texts = arena_take(&task->memory, 2 * (length + 2));

	if (texts == NULL)
		return false;
	memcpy(texts, task->search.opening, length);
	texts[length] = ' ';
	memcpy(texts + length + 2, texts, length);
	texts[2 * length + 2] = '!';
	*prefix = texts;
	*behind = texts + length + 2;
	return true;
}

static void list_games(struct sqlite *db, struct task *task)
{
	const struct mrl_store_search *search = &task->search;
	const char *prefix = "";
	const char *behind = "";
	char sql[8192];

	if (search->opponent != 0 && search->person == 0) {
		task->search.person = search->opponent;
		task->search.opponent = 0;
	}
	/* Nobody has won or lost where nobody is asked for. */
	if (search->person == 0 && (search->result == MRL_STORE_RESULT_WON || search->result == MRL_STORE_RESULT_LOST))
		return;
	if (!make_prefix(task, &prefix, &behind)) {
		sqlite_fail(db, SQLITE_NOMEM);
		return;
	}
	if (!make_query(sql, sizeof(sql), task)) {
		sqlite_refuse(db, MRL_RANGE, "the search is too long");
		return;
	}
	sqlite3_stmt *found = sqlite_start_once(db, sql, WITHOUT);
	const struct bind values[] = {
	    [AT_PERSON - 1] = INTEGER(search->person),
	    [AT_OPPONENT - 1] = INTEGER(search->opponent),
	    [AT_RULES - 1] = TEXT(search->rules),
	    [AT_SPEEDS - 1] = INTEGER(search->speeds),
	    [AT_FROM - 1] = INTEGER(search->from),
	    [AT_UNTIL - 1] = INTEGER(search->until),
	    [AT_PREFIX - 1] = TEXT(prefix),
	    [AT_BEHIND - 1] = TEXT(behind),
	    [AT_ENDED - 1] = INTEGER(task->after.major),
	    [AT_ID - 1] = INTEGER(task->after.minor),
	    [AT_LIMIT - 1] = INTEGER(task->limit + 1),
	};

	sqlite_bind(db, found, values, sizeof(values) / sizeof(values[0]));
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
