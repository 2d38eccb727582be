/* The monotonic clock: for measuring and for deadlines, unrelated to the time of day. Thread-safe. */
#ifndef MERELS_OS_CLOCK_H
#define MERELS_OS_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment; never goes back. */
uint64_t mrl_clock_now(void);

/* The seconds from `then` to now. */
double mrl_clock_since(uint64_t then);

#endif
