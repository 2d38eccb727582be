/* The program as a server, started and stopped by a test. One at a time; failures are cmocka's. */
#ifndef MERELS_TESTS_PROGRAM_H
#define MERELS_TESTS_PROGRAM_H

#include <sys/types.h>

#include "folder.h"

struct program {
	pid_t child;
	int out;                /* its stdout */
	int err;                /* its stderr */
	unsigned port;          /* where it listens */
	char line[256];         /* what it printed first */
	char said[8192];        /* its stderr, as far as it was read: after its end, all */
	char data[FOLDER_SIZE]; /* its games, taken away at its end; "" when the arguments name a folder */
};

/* Starts `merels serve` with further arguments (NULL at the end), and does not wait. */
void program_start(struct program *program, const char *const arguments[]);

/* Waits for the line with its address. */
void program_wait_for_port(struct program *program);

/* Starts it on a free port of 127.0.0.1 with this web client, and waits until it listens. */
void program_serve(struct program *program, const char *web);

/* Waits until it has said these words. Signals may arrive in another order: who sends two waits for the words of the
 * first. */
void program_await(struct program *program, const char *words);

/* Reads until it has ended; its exit code, or 128 and the signal that ended it. */
int program_end(struct program *program);

/* Tells it to stop and expects a clean end. */
void program_stop(struct program *program);

#endif
