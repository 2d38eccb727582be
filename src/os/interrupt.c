#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wished;

static void remember(int number)
{
	(void)number;
	atomic_store(&wished, 1);
}

void mrl_interrupt_catch(void)
{
	struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

bool mrl_interrupted(void)
{
	return atomic_load(&wished) != 0;
}
