/*
 * What results of games say about strength. Pure arithmetic; docs/ENGINE.md names the formulas and their sources.
 *
 * Games are played in pairs, the same opening with both colours, so results within a pair are not independent: what is
 * counted is the pair, which is worth 0, 1/2, 1, 3/2 or 2 points.
 */
#ifndef MERELS_CLI_MATCH_STATS_H
#define MERELS_CLI_MATCH_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the view of one side. */
struct match_tally {
	uint64_t wins;
	uint64_t draws;
	uint64_t losses;
	uint64_t pairs[5]; /* finished pairs by half points: 0, 1, 2, 3, 4 */
};

/* Adds a finished game: 2 for a win, 1 for a draw, 0 for a loss. */
void match_tally_game(struct match_tally *tally, unsigned half_points);

/* The same results as the other side sees them. */
struct match_tally match_tally_reverse(const struct match_tally *tally);

uint64_t match_tally_games(const struct match_tally *tally);

/* A difference in Elo, logistic, with half the width of its 95 % interval and the likelihood of being the stronger. */
struct match_elo {
	double elo;         /* may be infinite */
	double error;       /* infinite when it cannot be told */
	double superiority; /* 0..1 */
};

/* From the pairs; from the single games when no pair is finished. */
struct match_elo match_elo(const struct match_tally *tally);

/* The points that a difference in Elo is worth, 0..1, and back. */
double match_score_of(double elo);
double match_elo_of(double score);

/* A sequential test of "elo1 better" against "elo0 better", logistic Elo, with the two kinds of error. */
struct match_sprt {
	double elo0;
	double elo1;
	double alpha; /* of accepting elo1 when elo0 holds */
	double beta;  /* of accepting elo0 when elo1 holds */
};

enum match_decision { MATCH_GO_ON, MATCH_ELO0, MATCH_ELO1 };

/* The log likelihood ratio of elo1 to elo0, generalised: of the likeliest distributions that have these means. */
double match_sprt_ratio(const struct match_sprt *sprt, const uint64_t pairs[5]);

/* The ratio at which elo0 is accepted, a negative number, and at which elo1 is. */
double match_sprt_lower(const struct match_sprt *sprt);
double match_sprt_upper(const struct match_sprt *sprt);

enum match_decision match_sprt_decide(const struct match_sprt *sprt, const uint64_t pairs[5]);

/*
 * Ratings of `count` players from results[i * count + j], what i has scored against j: the likeliest in the model of
 * Bradley and Terry, a draw being half a win, with mean 0. Each meeting counts one draw more than was played, so that
 * nobody is infinitely strong. `error` gets half the width of 95 % intervals, taking the others' ratings as known.
 */
void match_ratings(size_t count, const struct match_tally *results, double *elo, double *error);

#endif
