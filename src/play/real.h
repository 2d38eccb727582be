/*
 * Square root, exponential and logarithm for doubles, in a room that has no libm. Exact to a few units of the last
 * place, which is a million times what the ratings need, and the same on every machine that computes in IEEE doubles.
 */
#ifndef MERELS_PLAY_REAL_H
#define MERELS_PLAY_REAL_H

/* x > 0. */
double mrl__sqrt(double x);
double mrl__log(double x);

/* |x| < 700. */
double mrl__exp(double x);

#endif
