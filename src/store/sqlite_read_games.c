/* What is read about games that are known by id or not over. */
#include <string.h>

#include "sqlite_read.h"

static void read_seat(struct sqlite *db, struct task *task, struct mrl_store_seat *seat, sqlite3_stmt *found, int at)
{
	seat->kind = (enum mrl_store_seat_kind)sqlite3_column_int(found, at);
	seat->person = ID_AT(found, at + 1);
	seat->level = (unsigned)sqlite3_column_int(found, at + 2);
	seat->has_rating = sqlite3_column_type(found, at + 3) != SQLITE_NULL;
	seat->rating = sqlite3_column_double(found, at + 3);
	seat->deviation = sqlite3_column_double(found, at + 4);
	seat->has_change = sqlite3_column_type(found, at + 5) != SQLITE_NULL;
	seat->change = sqlite3_column_double(found, at + 5);
	seat->name = sqlite_text(db, task, found, at + 6);
	seat->person_kind = (enum mrl_store_kind)sqlite3_column_int(found, at + 7);
}

/* Without the space that stands behind each turn in the database. */
static const char *read_opening(struct sqlite *db, struct task *task, sqlite3_stmt *found, int at)
{
	const void *text = sqlite3_column_text(found, at);
	int length = sqlite3_column_bytes(found, at);

	if (text == NULL || length < 2)
		return "";
	const char *copy = arena_text(&task->memory, text, (size_t)length - 1);

	if (copy == NULL)
		sqlite_fail(db, SQLITE_NOMEM);
	return copy == NULL ? "" : copy;
}

struct mrl_store_game *sqlite_add_game(struct sqlite *db, struct task *task, sqlite3_stmt *found)
{
	struct mrl_store_game *game = sqlite_add_row(db, &task->rows, sizeof(*game));

	if (game == NULL)
		return NULL;
	game->id = ID_AT(found, 0);
	game->state = (enum mrl_store_state)sqlite3_column_int(found, 1);
	game->rules = sqlite_text(db, task, found, 2);
	game->owner = ID_AT(found, 3);
	game->rated = sqlite3_column_int(found, 4) != 0;
	game->is_private = sqlite3_column_int(found, 5) != 0;
	game->speed = (unsigned)sqlite3_column_int(found, 6);
	game->base_ms = (uint64_t)sqlite3_column_int64(found, 7);
	game->increment_ms = (uint64_t)sqlite3_column_int64(found, 8);
	game->days = (unsigned)sqlite3_column_int(found, 9);
	game->created = sqlite3_column_int64(found, 10);
	game->started = sqlite3_column_int64(found, 11);
	game->ended = sqlite3_column_int64(found, 12);
	game->outcome = (enum mrl_store_outcome)sqlite3_column_int(found, 13);
	game->reason = sqlite_text(db, task, found, 14);
	game->plies = (uint32_t)sqlite3_column_int64(found, 15);
	game->opening = read_opening(db, task, found, 16);
	read_seat(db, task, &game->white, found, 17);
	read_seat(db, task, &game->black, found, 25);
	return game;
}

void sqlite_add_events(struct sqlite *db, struct task *task, struct mrl_store_game *game, uint32_t from)
{
	static const char sql[] =
	    "SELECT number, t, wall, text FROM events WHERE game = ? AND number >= ? ORDER BY number";
	struct rows rows = {0};
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(game->id), INTEGER(from)));

	while (sqlite_row(db, found)) {
		struct mrl_store_event *event = sqlite_add_row(db, &rows, sizeof(*event));

		if (event == NULL)
			break;
		event->number = (uint32_t)sqlite3_column_int64(found, 0);
		event->t = ID_AT(found, 1);
		event->wall = sqlite3_column_int64(found, 2);
		event->text = sqlite_text(db, task, found, 3);
	}
	sqlite_finish(found);
	if (rows.count > 0) {
		struct mrl_store_event *events = arena_take(&task->memory, rows.count * sizeof(*events));

		if (events == NULL) {
			sqlite_fail(db, SQLITE_NOMEM);
		} else {
			memcpy(events, rows.data, rows.count * sizeof(*events));
			game->events = events;
			game->event_count = rows.count;
		}
	}
	rows_release(&rows);
}

static void load_game(struct sqlite *db, struct task *task)
{
	static const char sql[] = "SELECT " GAME_COLUMNS "FROM games g " GAME_PLAYERS "WHERE g.id = ?";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->one)));
	struct mrl_store_game *game = NULL;

	if (sqlite_row(db, found))
		game = sqlite_add_game(db, task, found);
	sqlite_finish(found);
	if (game != NULL && task->from != UINT32_MAX)
		sqlite_add_events(db, task, game, (uint32_t)task->from);
	if (game == NULL)
		sqlite_refuse(db, MRL_MISSING, "there is no such game");
}

static void list_current(struct sqlite *db, struct task *task)
{
	static const char sql[] =
	    "SELECT " GAME_COLUMNS "FROM ("
	    "SELECT id FROM games WHERE white = ?1 AND state < 2 UNION "
	    "SELECT id FROM games WHERE black = ?1 AND state < 2 UNION "
	    "SELECT id FROM games WHERE owner = ?1 AND state < 2) k "
	    "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.created DESC, g.id LIMIT 1000";
	sqlite3_stmt *found = sqlite_start(db, sql, WITH(INTEGER(task->one)));

	while (sqlite_row(db, found))
		(void)sqlite_add_game(db, task, found);
	sqlite_finish(found);
}

void sqlite_read_games(struct sqlite *db, struct task *task)
{
	if (task->kind == TASK_LOAD_GAME)
		load_game(db, task);
	else
		list_current(db, task);
	task->answer.games = task->rows.data;
	task->answer.game_count = task->rows.count;
}
