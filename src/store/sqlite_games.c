/* What is written about games and ratings. */
#include <string.h>

#include "sqlite.h"

static void add_game(struct sqlite *db, const struct mrl_store_game *game)
{
	static const char sql[] =
	    "INSERT INTO games(id, state, rules, owner, rated, private, speed, base_ms, increment_ms, days, "
	    "white_kind, white_level, black_kind, black_level, created, started, ended, outcome, reason, plies, "
	    "opening) "
	    "VALUES(?, 0, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, 0, 0, 0, '', 0, '')";

	sqlite_run(db, sql,
		   WITH(INTEGER(game->id), TEXT(game->rules), ID_OR_NULL(game->owner), INTEGER(game->created)));
	if (db->status == MRL_CONFLICT) {
		sqlite_clear(db);
		sqlite_refuse(db, MRL_CONFLICT, "there is a game with this id already");
	}
}

/* 0: there is none; else 1 + its state. */
static int64_t state_of(struct sqlite *db, uint64_t game)
{
	static const char sql[] = "SELECT 1 + state FROM games WHERE id = ?";

	return sqlite_number(db, sql, WITH(INTEGER(game)), 0);
}

#define RATING_OR_NULL(seat, what) ((seat)->has_rating ? REAL((seat)->what) : NOTHING)
#define CHANGE_OR_NULL(seat) ((seat)->has_change ? REAL((seat)->change) : NOTHING)

static void put_game(struct sqlite *db, const struct mrl_store_game *game)
{
	static const char sql[] =
	    "UPDATE games SET state = ?, rated = ?, private = ?, speed = ?, base_ms = ?, increment_ms = ?, days = ?, "
	    "started = ?, ended = ?, outcome = ?, reason = ?, opening = CASE ?12 WHEN '' THEN '' ELSE ?12 || ' ' END, "
	    "plies = ?13, white_kind = ?14, white = ?15, white_level = ?16, white_rating = ?17, white_deviation = ?18, "
	    "white_change = ?19, black_kind = ?20, black = ?21, black_level = ?22, black_rating = ?23, "
	    "black_deviation = ?24, black_change = ?25 WHERE id = ?26";
	const struct mrl_store_seat *white = &game->white;
	const struct mrl_store_seat *black = &game->black;
	int64_t state = state_of(db, game->id) - 1;

	if (state < 0)
		sqlite_refuse(db, MRL_MISSING, "there is no such game");
	if (state >= MRL_STORE_ENDED && state != (int64_t)game->state)
		sqlite_refuse(db, MRL_CONFLICT, "the game is over already");
	sqlite_run(db, sql,
		   WITH(INTEGER(game->state), INTEGER(game->rated), INTEGER(game->is_private), INTEGER(game->speed),
			INTEGER(game->base_ms), INTEGER(game->increment_ms), INTEGER(game->days),
			INTEGER(game->started), INTEGER(game->ended), INTEGER(game->outcome), TEXT(game->reason),
			TEXT(game->opening), INTEGER(game->plies), INTEGER(white->kind), ID_OR_NULL(white->person),
			INTEGER(white->level), RATING_OR_NULL(white, rating), RATING_OR_NULL(white, deviation),
			CHANGE_OR_NULL(white), INTEGER(black->kind), ID_OR_NULL(black->person), INTEGER(black->level),
			RATING_OR_NULL(black, rating), RATING_OR_NULL(black, deviation), CHANGE_OR_NULL(black),
			INTEGER(game->id)));
	if (db->code == SQLITE_CONSTRAINT_FOREIGNKEY) {
		sqlite_clear(db);
		sqlite_refuse(db, MRL_MISSING, "there is no such player");
	}
}

static void append(struct sqlite *db, uint64_t game, const struct mrl_store_event *event)
{
	/* The primary key keeps a number from being there twice; this, from leaving a gap. */
	static const char sql[] =
	    "INSERT INTO events(game, number, t, wall, text) SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?2 = 1 + "
	    "coalesce((SELECT number FROM events WHERE game = ?1 ORDER BY number DESC LIMIT 1), 0)";
	int added = sqlite_run(
	    db, sql,
	    WITH(INTEGER(game), INTEGER(event->number), INTEGER(event->t), INTEGER(event->wall), TEXT(event->text)));

	if (db->code == SQLITE_CONSTRAINT_FOREIGNKEY) {
		sqlite_clear(db);
		sqlite_refuse(db, MRL_MISSING, "there is no such game");
	} else if (db->code == 0 && added == 0) {
		if (state_of(db, game) == 0)
			sqlite_refuse(db, MRL_MISSING, "there is no such game");
		else
			sqlite_refuse(db, MRL_CONFLICT, "the event's number is not the next of the game");
	}
}

static void remove_game(struct sqlite *db, uint64_t game)
{
	static const char sql[] = "DELETE FROM games WHERE id = ?";
	int64_t state = state_of(db, game) - 1;

	if (state == MRL_STORE_PLAYING || state == MRL_STORE_ENDED)
		sqlite_refuse(db, MRL_CONFLICT, "the game is being played, or has been");
	else if (state >= 0)
		sqlite_run(db, sql, WITH(INTEGER(game)));
}

void sqlite_write_game(struct sqlite *db, const struct op *op)
{
	switch (op->kind) {
	case OP_ADD_GAME:
		add_game(db, &op->of.game);
		put_game(db, &op->of.game);
		break;
	case OP_PUT_GAME:
		put_game(db, &op->of.game);
		break;
	case OP_APPEND:
		append(db, op->id, &op->of.event);
		break;
	default: /* OP_REMOVE_GAME */
		remove_game(db, op->id);
	}
}

void sqlite_write_rating(struct sqlite *db, const struct op *op)
{
	static const char kind[] = "SELECT kind FROM people WHERE id = ?";
	static const char has[] = "SELECT games FROM ratings WHERE person = ? AND rules = ? AND speed = ?";
	static const char put[] =
	    "INSERT INTO ratings(person, rules, speed, rating, deviation, volatility, games, wins, losses, draws, "
	    "best, "
	    "changed, game) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?4, ?11, ?12) "
	    "ON CONFLICT(person, rules, speed) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, "
	    "volatility = excluded.volatility, games = excluded.games, wins = excluded.wins, losses = excluded.losses, "
	    "draws = excluded.draws, best = max(best, excluded.rating), changed = excluded.changed, game = "
	    "excluded.game";
	static const char point[] =
	    "INSERT INTO rating_points(person, rules, speed, number, wall, game, rating, deviation) "
	    "VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
	const struct mrl_store_rating *rating = &op->of.rating;
	int64_t is = sqlite_number(db, kind, WITH(INTEGER(rating->person)), -1);

	if (is == MRL_STORE_DELETED)
		return;
	if (is < 0)
		sqlite_refuse(db, MRL_MISSING, "there is no such person");
	int64_t games =
	    sqlite_number(db, has, WITH(INTEGER(rating->person), TEXT(rating->rules), INTEGER(rating->speed)), 0);

	if (games + 1 != (int64_t)rating->games)
		sqlite_refuse(db, MRL_CONFLICT, "another rated game of this person came between");
	sqlite_run(db, put,
		   WITH(INTEGER(rating->person), TEXT(rating->rules), INTEGER(rating->speed), REAL(rating->rating),
			REAL(rating->deviation), REAL(rating->volatility), INTEGER(rating->games),
			INTEGER(rating->wins), INTEGER(rating->losses), INTEGER(rating->draws),
			INTEGER(rating->changed), INTEGER(rating->game)));
	sqlite_run(db, point,
		   WITH(INTEGER(rating->person), TEXT(rating->rules), INTEGER(rating->speed), INTEGER(rating->games),
			INTEGER(rating->changed), INTEGER(rating->game), REAL(rating->rating),
			REAL(rating->deviation)));
}
