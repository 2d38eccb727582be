/*
 * Glicko-2, step by step as in Glickman's "Example of the Glicko-2 system" (the numbers of the steps are his).
 *
 * tau says how fast a player's volatility may change. He recommends 0.3 to 1.2; with a period for each game a single
 * surprise weighs a great deal, so a value from the lower half, the one of his example, keeps ratings from jumping.
 */
#include <merels/rating.h>

#include "real.h"

#define TAU 0.5
#define SCALE 173.7178
#define CENTRE 1500.0
#define PI_SQUARED 9.86960440108935861883
#define ENOUGH 1e-9 /* of the logarithm of the volatility's square */

#define RATING_MIN 100000
#define RATING_MAX 4000000
#define DEVIATION_MIN 1000
#define DEVIATION_MAX 350000
#define VOLATILITY_MIN 10000000
#define VOLATILITY_MAX 150000000

static bool within(int32_t value, int32_t least, int32_t most)
{
	return value >= least && value <= most;
}

bool mrl_rating_valid(const struct mrl_rating *rating)
{
	return within(rating->rating, RATING_MIN, RATING_MAX) &&
	       within(rating->deviation, DEVIATION_MIN, DEVIATION_MAX) &&
	       within(rating->volatility, VOLATILITY_MIN, VOLATILITY_MAX);
}

/* A positive number as a whole one of so many parts, in its range. */
static int32_t whole(double value, double parts, int32_t least, int32_t most)
{
	double scaled = value * parts + 0.5;

	if (scaled <= least)
		return least;
	return scaled >= most ? most : (int32_t)scaled;
}

/* A rating on Glicko-2's own scale (step 2). */
struct scaled {
	double mu;
	double phi;
};

static struct scaled scaled(const struct mrl_rating *rating)
{
	return (struct scaled){(rating->rating / 1000.0 - CENTRE) / SCALE, rating->deviation / 1000.0 / SCALE};
}

/* How much a game against an opponent of this deviation tells. */
static double weight(double phi)
{
	return 1 / mrl__sqrt(1 + 3 * phi * phi / PI_SQUARED);
}

static double expectation(double mu, double opponent, double g)
{
	return 1 / (1 + mrl__exp(-g * (mu - opponent)));
}

/* What step 5 seeks the zero of, as a function of x. */
struct volatility_equation {
	double delta_squared;
	double phi_squared;
	double v;
	double a;
};

static double excess(const struct volatility_equation *equation, double x)
{
	double e = mrl__exp(x);
	double sum = equation->phi_squared + equation->v + e;

	return e * (equation->delta_squared - sum) / (2 * sum * sum) - (x - equation->a) / (TAU * TAU);
}

/* Step 5: the new volatility, by the Illinois algorithm. */
static double new_volatility(double sigma, double phi, double v, double delta)
{
	struct volatility_equation equation = {delta * delta, phi * phi, v, mrl__log(sigma * sigma)};
	double a = equation.a;
	double b;
	double at_a;
	double at_b;

	if (equation.delta_squared > equation.phi_squared + v) {
		b = mrl__log(equation.delta_squared - equation.phi_squared - v);
	} else {
		b = a - TAU;
		while (excess(&equation, b) < 0)
			b -= TAU;
	}
	at_a = excess(&equation, a);
	at_b = excess(&equation, b);
	/* It converges in a handful of steps; the limit is for numbers nobody has thought of. */
	for (int i = 0; i < 100 && (b - a > ENOUGH || a - b > ENOUGH); i++) {
		double c = a + (a - b) * at_a / (at_b - at_a);
		double at_c = excess(&equation, c);

		if (at_c * at_b <= 0) {
			a = b;
			at_a = at_b;
		} else {
			at_a /= 2;
		}
		b = c;
		at_b = at_c;
	}
	return mrl__exp(a / 2);
}

struct mrl_rating mrl_rating_after(const struct mrl_rating *rating, const struct mrl_rating_game *games, size_t count)
{
	struct scaled own = scaled(rating);
	double sigma = rating->volatility / 1e9;
	double information = 0; /* 1 / v of step 3 */
	double surprise = 0;    /* delta / v of step 4 */
	double phi_squared;

	for (size_t i = 0; i < count; i++) {
		struct scaled opponent = scaled(&games[i].opponent);
		double g = weight(opponent.phi);
		double expected = expectation(own.mu, opponent.mu, g);

		information += g * g * expected * (1 - expected);
		surprise += g * (games[i].half_points / 2.0 - expected);
	}
	if (count > 0)
		sigma = new_volatility(sigma, own.phi, 1 / information, surprise / information);
	/* Steps 6 and 7; information is 0 without a game. */
	phi_squared = own.phi * own.phi + sigma * sigma;
	phi_squared = 1 / (1 / phi_squared + information);
	own.mu += phi_squared * surprise;
	return (struct mrl_rating){
	    .rating = whole(own.mu * SCALE + CENTRE, 1000, RATING_MIN, RATING_MAX),
	    .deviation = whole(mrl__sqrt(phi_squared) * SCALE, 1000, DEVIATION_MIN, DEVIATION_MAX),
	    .volatility = whole(sigma, 1e9, VOLATILITY_MIN, VOLATILITY_MAX),
	};
}

void mrl_rating_play(const struct mrl_rating before[2], unsigned half_points, struct mrl_rating after[2])
{
	struct mrl_rating_game first = {before[1], half_points};
	struct mrl_rating_game second = {before[0], 2 - half_points};

	after[0] = mrl_rating_after(&before[0], &first, 1);
	after[1] = mrl_rating_after(&before[1], &second, 1);
}

unsigned mrl_rating_expected(const struct mrl_rating *first, const struct mrl_rating *second)
{
	struct scaled one = scaled(first);
	struct scaled other = scaled(second);
	double g = weight(mrl__sqrt(one.phi * one.phi + other.phi * other.phi));

	return (unsigned)(1000 * expectation(one.mu, other.mu, g) + 0.5);
}
