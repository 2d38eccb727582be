#include "program.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_ARGUMENTS = 16, PATIENCE_MS = 30000 };

static void run(const char *const arguments[], const char *data, int out, int err)
{
	const char *argv[MOST_ARGUMENTS + 3] = {MERELS, "serve"};
	char *changeable[MOST_ARGUMENTS + 3] = {NULL};

	for (size_t i = 0; arguments[i] != NULL && i < MOST_ARGUMENTS; i++)
		argv[i + 2] = arguments[i];
	if (data[0] != '\0')
		(void)setenv("MERELS_DATA", data, 1);
	/* exec takes pointers to what it might change, and does not. */
	memcpy(changeable, argv, sizeof(argv));
	/* What the thread sanitizer finds must end it: the end of one that is killed tells nothing. */
	(void)setenv("TSAN_OPTIONS", "halt_on_error=1", 0);
	/* A test that fails leaves no server behind. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
		(void)execv(MERELS, changeable);
	_exit(127);
}

void program_start(struct program *program, const char *const arguments[])
{
	int out[2];
	int err[2];

	bool named = false;

	*program = (struct program){0};
	/* Two tests must not share their games; whoever cares names a folder. */
	for (size_t i = 0; arguments[i] != NULL; i++)
		named = named || strcmp(arguments[i], "--data") == 0;
	if (!named)
		folder_make(program->data);
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(err), 0);
	program->child = fork();
	assert_true(program->child >= 0);
	if (program->child == 0) {
		(void)close(out[0]);
		(void)close(err[0]);
		run(arguments, program->data, out[1], err[1]);
	}
	(void)close(out[1]);
	(void)close(err[1]);
	program->out = out[0];
	program->err = err[0];
}

/* Reads one byte; 0 at the end. Fails the test when nothing comes. */
static char next(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	char c = '\0';

	assert_int_equal(poll(&wait, 1, PATIENCE_MS), 1);
	return read(fd, &c, 1) == 1 ? c : '\0';
}

void program_wait_for_port(struct program *program)
{
	size_t length = 0;
	char c = '\0';

	while (length + 1 < sizeof(program->line) && (c = next(program->out)) != '\0' && c != '\n')
		program->line[length++] = c;
	program->line[length] = '\0';
	const char *colon = strrchr(program->line, ':');

	if (colon == NULL || sscanf(colon + 1, "%u/", &program->port) != 1) {
		(void)program_end(program);
		fail_msg("the program printed \"%s\" and said \"%s\"", program->line, program->said);
	}
}

void program_serve(struct program *program, const char *web)
{
	const char *const arguments[] = {"--listen", "127.0.0.1:0", "--web", web, NULL};

	program_start(program, arguments);
	program_wait_for_port(program);
}

/* Reads one more byte of what it says, and keeps it while there is room; false at the end. */
static bool hear(struct program *program)
{
	size_t length = strlen(program->said);
	char c = next(program->err);

	if (length + 1 < sizeof(program->said))
		program->said[length] = c;
	return c != '\0';
}

void program_await(struct program *program, const char *words)
{
	while (strstr(program->said, words) == NULL)
		if (!hear(program))
			fail_msg("the program ended without \"%s\": %s", words, program->said);
}

int program_end(struct program *program)
{
	int status = 0;

	while (hear(program))
		continue;
	assert_int_equal(waitpid(program->child, &status, 0), program->child);
	(void)close(program->out);
	(void)close(program->err);
	if (program->data[0] != '\0')
		folder_remove(program->data);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void program_stop(struct program *program)
{
	assert_int_equal(kill(program->child, SIGTERM), 0);
	int code = program_end(program);

	if (code != 0)
		fail_msg("the program ended with %d: %s", code, program->said);
}
