/* What is read of a game's summary: the same columns of both databases, from `games g` with its players `w` and `b`. */
#ifndef MERELS_STORE_COLUMNS_H
#define MERELS_STORE_COLUMNS_H

#define GAME_COLUMNS                                                                                                \
	"g.id, g.state, g.rules, g.owner, g.rated, g.private, g.speed, g.base_ms, g.increment_ms, g.days, "         \
	"g.created, g.started, g.ended, g.outcome, g.reason, g.plies, g.opening, "                                  \
	"g.white_kind, g.white, g.white_level, g.white_rating, g.white_deviation, g.white_change, w.name, w.kind, " \
	"g.black_kind, g.black, g.black_level, g.black_rating, g.black_deviation, g.black_change, b.name, b.kind "
#define GAME_PLAYERS "LEFT JOIN people w ON w.id = g.white LEFT JOIN people b ON b.id = g.black "

#endif
