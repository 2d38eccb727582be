/*
 * Ratings: Glicko-2 (Mark Glickman, "Example of the Glicko-2 system").
 *
 * Every game is a rating period of its own, so a rating changes as soon as a game ends. A player's deviation then
 * settles near 60 by itself (each game tells a little, the volatility makes it a little less certain again) and needs
 * no floor.
 *
 * Numbers that are kept are whole, so that what was stored and what was computed are the same to the last digit.
 * Pure functions, thread-safe, no libm.
 */
#ifndef MERELS_RATING_H
#define MERELS_RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrl_rating {
	int32_t rating;     /* thousandths of a point, 100000..4000000 */
	int32_t deviation;  /* thousandths of a point, 1000..350000 */
	int32_t volatility; /* thousand-millionths, 10000000..150000000 */
};

/* What a player begins with: 1500, 350, 0.06. */
#define MRL_RATING_START ((struct mrl_rating){1500000, 350000, 60000000})

/* Above this deviation (thousandths) a rating is provisional: shown with a question mark, on no leaderboard. */
#define MRL_RATING_PROVISIONAL 110000

static inline bool mrl_rating_provisional(const struct mrl_rating *rating)
{
	return rating->deviation > MRL_RATING_PROVISIONAL;
}

/* Whether every number is in its range; others must not be given to the functions below. */
bool mrl_rating_valid(const struct mrl_rating *rating);

/* One game of a rating period. */
struct mrl_rating_game {
	struct mrl_rating opponent; /* as it was before the period */
	unsigned half_points;       /* scored by the player: 0 lost, 1 drawn, 2 won */
};

/* The rating after a period of `count` games; with none the deviation grows. */
struct mrl_rating mrl_rating_after(const struct mrl_rating *rating, const struct mrl_rating_game *games, size_t count);

/* Both ratings after one game; half_points is what the first scored. `before` and `after` may not be the same array. */
void mrl_rating_play(const struct mrl_rating before[2], unsigned half_points, struct mrl_rating after[2]);

/* What the first may expect to score against the second, in thousandths: 500 between equals. */
unsigned mrl_rating_expected(const struct mrl_rating *first, const struct mrl_rating *second);

#endif
