#include "match_stats.h"

#include <math.h>

/* Two-sided 95 % of the normal distribution. */
static const double Z95 = 1.959963984540054;

void match_tally_game(struct match_tally *tally, unsigned half_points)
{
	if (half_points == 2)
		tally->wins++;
	else if (half_points == 1)
		tally->draws++;
	else
		tally->losses++;
}

struct match_tally match_tally_reverse(const struct match_tally *tally)
{
	struct match_tally other = {.wins = tally->losses, .draws = tally->draws, .losses = tally->wins};

	for (unsigned i = 0; i < 5; i++)
		other.pairs[i] = tally->pairs[4 - i];
	return other;
}

uint64_t match_tally_games(const struct match_tally *tally)
{
	return tally->wins + tally->draws + tally->losses;
}

/* ---- Elo ---------------------------------------------------------------------------------------------------- */

double match_score_of(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

double match_elo_of(double score)
{
	if (score <= 0)
		return -HUGE_VAL;
	if (score >= 1)
		return HUGE_VAL;
	return score == 0.5 ? 0 : -400 * log10(1 / score - 1);
}

/* A distribution of scores 0..1 in equal steps: how many samples, their mean and their variance. */
struct spread {
	double count;
	double mean;
	double variance;
};

static struct spread spread_of(const uint64_t *counts, unsigned steps)
{
	struct spread spread = {0};

	for (unsigned i = 0; i <= steps; i++) {
		spread.count += (double)counts[i];
		spread.mean += (double)counts[i] * i / steps;
	}
	if (spread.count == 0)
		return spread;
	spread.mean /= spread.count;
	for (unsigned i = 0; i <= steps; i++) {
		double off = (double)i / steps - spread.mean;

		spread.variance += (double)counts[i] * off * off;
	}
	spread.variance /= spread.count;
	return spread;
}

struct match_elo match_elo(const struct match_tally *tally)
{
	const uint64_t games[3] = {tally->losses, tally->draws, tally->wins};
	struct spread spread = spread_of(tally->pairs, 4);

	if (spread.count == 0)
		spread = spread_of(games, 2);
	if (spread.count == 0)
		return (struct match_elo){0, HUGE_VAL, 0.5};
	double deviation = sqrt(spread.variance / spread.count);
	double high = match_elo_of(spread.mean + Z95 * deviation);
	double low = match_elo_of(spread.mean - Z95 * deviation);
	struct match_elo result = {.elo = match_elo_of(spread.mean), .error = (high - low) / 2};

	if (deviation > 0)
		result.superiority = 0.5 * (1 + erf((spread.mean - 0.5) / (deviation * sqrt(2))));
	else
		result.superiority = spread.mean > 0.5 ? 1 : spread.mean < 0.5 ? 0 : 0.5;
	if (!isfinite(result.elo) || isnan(result.error))
		result.error = HUGE_VAL;
	return result;
}

/* ---- SPRT --------------------------------------------------------------------------------------------------- */

/*
 * The multiplier of the likeliest distribution with a given mean: it has the frequencies p[i] / (1 + x (a[i] - mean)),
 * where x solves sum p[i] (a[i] - mean) / (1 + x (a[i] - mean)) = 0. The sum falls in x, and all factors are positive
 * between the two poles.
 */
static double solve(const double p[5], double mean)
{
	double low = -1 / (1 - mean);
	double high = 1 / mean;

	for (unsigned step = 0; step < 200; step++) {
		double x = (low + high) / 2;
		double sum = 0;

		for (unsigned i = 0; i < 5; i++) {
			double off = i / 4.0 - mean;

			sum += p[i] * off / (1 + x * off);
		}
		if (sum > 0)
			low = x;
		else
			high = x;
	}
	return (low + high) / 2;
}

double match_sprt_ratio(const struct match_sprt *sprt, const uint64_t pairs[5])
{
	double p[5];
	double count = 0;
	double mean0 = match_score_of(sprt->elo0);
	double mean1 = match_score_of(sprt->elo1);
	double sum = 0;

	for (unsigned i = 0; i < 5; i++)
		count += (double)pairs[i];
	if (count == 0)
		return 0;
	/* What has not been seen yet is not impossible. */
	count = 0;
	for (unsigned i = 0; i < 5; i++) {
		p[i] = pairs[i] == 0 ? 1e-3 : (double)pairs[i];
		count += p[i];
	}
	for (unsigned i = 0; i < 5; i++)
		p[i] /= count;
	double x0 = solve(p, mean0);
	double x1 = solve(p, mean1);

	for (unsigned i = 0; i < 5; i++)
		sum += p[i] * log((1 + x0 * (i / 4.0 - mean0)) / (1 + x1 * (i / 4.0 - mean1)));
	return count * sum;
}

double match_sprt_lower(const struct match_sprt *sprt)
{
	return log(sprt->beta / (1 - sprt->alpha));
}

double match_sprt_upper(const struct match_sprt *sprt)
{
	return log((1 - sprt->beta) / sprt->alpha);
}

enum match_decision match_sprt_decide(const struct match_sprt *sprt, const uint64_t pairs[5])
{
	double ratio = match_sprt_ratio(sprt, pairs);

	if (ratio >= match_sprt_upper(sprt))
		return MATCH_ELO1;
	return ratio <= match_sprt_lower(sprt) ? MATCH_ELO0 : MATCH_GO_ON;
}

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

/* One step of Zermelo's iteration for one player's rating in natural units; the others stay. */
static double improve(size_t count, const struct match_tally *results, const double *rating, size_t i)
{
	double points = 0;
	double expected = 0;

	for (size_t j = 0; j < count; j++) {
		const struct match_tally *tally = &results[i * count + j];
		double games = (double)match_tally_games(tally);

		if (j == i || games == 0)
			continue;
		points += (double)tally->wins + (double)tally->draws / 2 + 0.5;
		expected += (games + 1) / (exp(rating[i]) + exp(rating[j]));
	}
	return expected > 0 ? log(points / expected) : rating[i];
}

static double error_of(size_t count, const struct match_tally *results, const double *rating, size_t i)
{
	double information = 0;

	for (size_t j = 0; j < count; j++) {
		const struct match_tally *tally = &results[i * count + j];
		double games = (double)match_tally_games(tally);

		if (j == i || games == 0)
			continue;
		double p = 1 / (1 + exp(rating[j] - rating[i]));
		/* Draws make results steadier than coin flips; at least the part that was seen. */
		double decided = ((double)tally->wins + (double)tally->losses + 1) / (games + 1);
		double variance = p * (1 - p) * (decided < 0.05 ? 0.05 : decided);

		information += (games + 1) * p * (1 - p) * p * (1 - p) / variance;
	}
	return information > 0 ? Z95 / sqrt(information) : HUGE_VAL;
}

void match_ratings(size_t count, const struct match_tally *results, double *elo, double *error)
{
	const double unit = 400 / log(10);
	double mean = 0;

	for (size_t i = 0; i < count; i++)
		elo[i] = 0;
	for (unsigned step = 0; step < 10000; step++) {
		double change = 0;

		for (size_t i = 0; i < count; i++) {
			double better = improve(count, results, elo, i);

			change += fabs(better - elo[i]);
			elo[i] = better;
		}
		if (change < 1e-9)
			break;
	}
	for (size_t i = 0; i < count; i++)
		mean += elo[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		error[i] = unit * error_of(count, results, elo, i);
	for (size_t i = 0; i < count; i++)
		elo[i] = unit * (elo[i] - mean);
}
