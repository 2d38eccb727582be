#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <time.h>

uint64_t mrl_clock_now(void)
{
	struct timespec now = {0};

	/* Fails only for a clock that does not exist, and every system of ours has this one. */
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double mrl_clock_since(uint64_t then)
{
	return (double)(mrl_clock_now() - then) / 1e9;
}
