/* Square root, exponential, logarithm, by reducing the argument by powers of two and summing a series. */
#include "real.h"

#include <stdint.h>

#include <merels/builtins.h>

#define LN2 0.69314718055994530942
#define SQRT2 1.41421356237309504880
#define EXPONENT_BIAS 1023
#define MANTISSA_BITS 52

/* 2 to the power of n, -1022 <= n <= 1023. */
static double power_of_two(int n)
{
	uint64_t bits = (uint64_t)(n + EXPONENT_BIAS) << MANTISSA_BITS;
	double value;

	mrl_copy(&value, &bits, sizeof value);
	return value;
}

/* x as m * 2^n with 1 <= m < 2; x > 0 and no subnormal number. */
static double split(double x, int *n)
{
	uint64_t bits;

	mrl_copy(&bits, &x, sizeof bits);
	*n = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
	bits = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | ((uint64_t)EXPONENT_BIAS << MANTISSA_BITS);
	mrl_copy(&x, &bits, sizeof x);
	return x;
}

double mrl__sqrt(double x)
{
	int n;
	double m = split(x, &n);
	double root = 1;

	if (n % 2 != 0) {
		m *= 2;
		n--;
	}
	/* Newton, from at most twice the root: the digits that are right double each time. */
	for (int i = 0; i < 7; i++)
		root = 0.5 * (root + m / root);
	return root * power_of_two(n / 2);
}

double mrl__exp(double x)
{
	int n = (int)(x / LN2 + (x < 0 ? -0.5 : 0.5));
	double rest = x - n * LN2; /* |rest| < 0.35 */
	double sum = 1;

	for (int i = 18; i > 0; i--)
		sum = 1 + sum * rest / i;
	return sum * power_of_two(n);
}

double mrl__log(double x)
{
	int n;
	double m = split(x, &n);
	double t;
	double square;
	double sum = 0;

	if (m > SQRT2) {
		m *= 0.5;
		n++;
	}
	/* log m = 2 artanh t, and |t| < 0.18. */
	t = (m - 1) / (m + 1);
	square = t * t;
	for (int i = 25; i > 0; i -= 2)
		sum = sum * square + 1.0 / i;
	return n * LN2 + 2 * t * sum;
}
