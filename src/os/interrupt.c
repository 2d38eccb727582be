#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"

/* Some programs send the same wish to a process and to its whole group: within so many nanoseconds it is one. */
#define ONE_WISH UINT64_C(500000000)

static _Atomic uint64_t wished; /* moment of the first wish; 0: none */

static void remember(int number)
{
	uint64_t now = mrl_clock_now();
	uint64_t none = 0;

	if (atomic_compare_exchange_strong(&wished, &none, now) || now - none < ONE_WISH)
		return;
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

void mrl_interrupt_catch(void)
{
	struct sigaction action = {.sa_handler = remember};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

bool mrl_interrupted(void)
{
	return atomic_load(&wished) != 0;
}
