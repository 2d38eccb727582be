/* What is read about games that are known by id or not over. */
#include <string.h>

#include "columns.h"
#include "postgres.h"

static void read_seat(const struct postgres_row *row, struct task *task, struct mrl_store_seat *seat, int at)
{
	*seat = (struct mrl_store_seat){
	    .kind = (enum mrl_store_seat_kind)postgres_integer(row, at),
	    .person = POSTGRES_ID(row, at + 1),
	    .level = (unsigned)postgres_integer(row, at + 2),
	    .has_rating = !postgres_is_null(row, at + 3),
	    .rating = postgres_real(row, at + 3),
	    .deviation = postgres_real(row, at + 4),
	    .has_change = !postgres_is_null(row, at + 5),
	    .change = postgres_real(row, at + 5),
	    .name = postgres_text(row, task, at + 6),
	    .person_kind = (enum mrl_store_kind)postgres_integer(row, at + 7),
	};
}

/* Without the space that stands behind each turn in the database. */
static const char *read_opening(const struct postgres_row *row, struct task *task, int at)
{
	const struct postgres_library *lib = &row->db->lib;
	int length = lib->length(row->result, row->row, at);

	if (length < 2)
		return "";
	const char *copy = arena_text(&task->memory, lib->value(row->result, row->row, at), (size_t)length - 1);

	if (copy == NULL)
		postgres_refuse(row->db, MRL_SPACE, "there is not enough memory for what was read");
	return copy == NULL ? "" : copy;
}

struct mrl_store_game *postgres_add_game(struct postgres *db, struct task *task, const struct postgres_row *found)
{
	struct mrl_store_game *game = postgres_add_row(db, &task->rows, sizeof(*game));

	if (game == NULL)
		return NULL;
	game->id = POSTGRES_ID(found, 0);
	game->state = (enum mrl_store_state)postgres_integer(found, 1);
	game->rules = postgres_text(found, task, 2);
	game->owner = POSTGRES_ID(found, 3);
	game->rated = postgres_integer(found, 4) != 0;
	game->is_private = postgres_integer(found, 5) != 0;
	game->speed = (unsigned)postgres_integer(found, 6);
	game->base_ms = (uint64_t)postgres_integer(found, 7);
	game->increment_ms = (uint64_t)postgres_integer(found, 8);
	game->days = (unsigned)postgres_integer(found, 9);
	game->created = postgres_integer(found, 10);
	game->started = postgres_integer(found, 11);
	game->ended = postgres_integer(found, 12);
	game->outcome = (enum mrl_store_outcome)postgres_integer(found, 13);
	game->reason = postgres_text(found, task, 14);
	game->plies = (uint32_t)postgres_integer(found, 15);
	game->opening = read_opening(found, task, 16);
	read_seat(found, task, &game->white, 17);
	read_seat(found, task, &game->black, 25);
	return game;
}

const char postgres_events_sql[] =
    "SELECT number, t, wall, text FROM events WHERE game = $1 AND number >= $2 ORDER BY number";

void postgres_add_events(struct postgres *db, struct task *task, struct mrl_store_game *game, const PGresult *found)
{
	size_t count = found == NULL ? 0 : (size_t)db->lib.rows(found);
	struct mrl_store_event *events = count == 0 ? NULL : arena_take(&task->memory, count * sizeof(*events));

	if (count == 0)
		return;
	if (events == NULL) {
		postgres_refuse(db, MRL_SPACE, "there is not enough memory for what was read");
		return;
	}
	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		events[row.row] = (struct mrl_store_event){
		    .number = (uint32_t)postgres_integer(&row, 0),
		    .t = POSTGRES_ID(&row, 1),
		    .wall = postgres_integer(&row, 2),
		    .text = postgres_text(&row, task, 3),
		};
	}
	game->events = events;
	game->event_count = count;
}

/* The game and its events go out together, and are of one moment. */
static void load_game(struct postgres *db, struct task *task)
{
	static const char sql[] = "SELECT " GAME_COLUMNS "FROM games g " GAME_PLAYERS "WHERE g.id = $1";
	bool events = task->from != UINT32_MAX;
	struct mrl_store_game *game = NULL;

	postgres_prepare(db, (const char *const[]){sql, postgres_events_sql, NULL});
	if (!postgres_send(db, sql, WITH(INTEGER(task->one))))
		return;
	if (events)
		(void)postgres_send(db, postgres_events_sql, WITH(INTEGER(task->one), INTEGER(task->from)));
	postgres_sync(db);
	PGresult *found = postgres_take(db);
	PGresult *lines = events ? postgres_take(db) : NULL;

	postgres_take_sync(db);
	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);)
		game = postgres_add_game(db, task, &row);
	if (game != NULL)
		postgres_add_events(db, task, game, lines);
	else
		postgres_refuse(db, MRL_MISSING, "there is no such game");
	postgres_free(db, found);
	postgres_free(db, lines);
}

static void list_current(struct postgres *db, struct task *task)
{
	static const char sql[] =
	    "SELECT " GAME_COLUMNS "FROM ("
	    "SELECT id FROM games WHERE white = $1 AND state < 2 UNION "
	    "SELECT id FROM games WHERE black = $1 AND state < 2 UNION "
	    "SELECT id FROM games WHERE owner = $1 AND state < 2) k "
	    "JOIN games g ON g.id = k.id " GAME_PLAYERS "ORDER BY g.created DESC, g.id LIMIT 1000";
	PGresult *found = postgres_run(db, sql, WITH(INTEGER(task->one)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);)
		(void)postgres_add_game(db, task, &row);
	postgres_free(db, found);
}

void postgres_read_games(struct postgres *db, struct task *task)
{
	if (task->kind == TASK_LOAD_GAME)
		load_game(db, task);
	else
		list_current(db, task);
	task->answer.games = task->rows.data;
	task->answer.game_count = task->rows.count;
}
