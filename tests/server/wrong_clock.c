/* To be preloaded into a program whose clock is to be a minute ahead of the machine's. */
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

/* The C library declares its arguments in more than one way. */
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec real;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &real) != 0)
		return -1;
	now->tv_sec = real.tv_sec + 60;
	now->tv_usec = (suseconds_t)(real.tv_nsec / 1000);
	return 0;
}
