#define _GNU_SOURCE /* pipe2() */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <merels/text.h>

#include "clock.h"

extern char **environ;

enum { BUFFER_SIZE = 64 * 1024 };

struct mrl_child {
	pid_t id;
	int in;  /* we write, it reads */
	int out; /* it writes, we read */
	bool ended;
	bool dropping; /* the rest of a line that was too long */
	size_t begin;  /* buffer[begin .. end) is what it said and nobody has read */
	size_t end;
	size_t scanned; /* up to here there is no end of line */
	char buffer[BUFFER_SIZE];
};

static enum mrl_status refuse(struct mrl_error *error, const char *what, int number)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, strerror(number));
	return MRL_SYSTEM;
}

static void shut(int *descriptor)
{
	if (*descriptor >= 0)
		(void)close(*descriptor);
	*descriptor = -1;
}

/* What the new process does before it becomes the program; returns an error number. */
static int prepare(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int in, int out,
		   const char *folder, bool quiet)
{
	sigset_t none;
	sigset_t usual;
	int error = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);

	if (error == 0)
		error = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (error == 0 && quiet)
		error = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0 && folder != NULL)
		error = posix_spawn_file_actions_addchdir_np(actions, folder);
	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	(void)sigaddset(&usual, SIGINT);
	if (error == 0)
		error = posix_spawnattr_setsigmask(attributes, &none);
	if (error == 0)
		error = posix_spawnattr_setsigdefault(attributes, &usual);
	if (error == 0)
		error = posix_spawnattr_setpgroup(attributes, 0);
	if (error == 0)
		error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
								 POSIX_SPAWN_SETPGROUP);
	return error;
}

static int spawn(pid_t *id, char *const *arguments, int in, int out, const char *folder, bool quiet)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error == 0) {
		error = prepare(&actions, &attributes, in, out, folder, quiet);
		if (error == 0)
			error = posix_spawnp(id, arguments[0], &actions, &attributes, arguments, environ);
		(void)posix_spawnattr_destroy(&attributes);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return error;
}

long mrl_child_id(const struct mrl_child *child)
{
	return (long)child->id;
}

enum mrl_status mrl_child_start(struct mrl_child **child, char *const *arguments, const char *folder, bool quiet,
				struct mrl_error *error)
{
	struct mrl_child *made = malloc(sizeof(*made));
	int in[2] = {-1, -1};
	int out[2] = {-1, -1};
	int number = 0;

	if (made == NULL)
		return refuse(error, "cannot start it", ENOMEM);
	/* Writing to a child that has ended is an error that we handle, not a signal that ends us. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || fcntl(in[1], F_SETFL, O_NONBLOCK) != 0 ||
	    fcntl(out[0], F_SETFL, O_NONBLOCK) != 0)
		number = errno;
	if (number == 0)
		number = spawn(&made->id, arguments, in[0], out[1], folder, quiet);
	shut(&in[0]);
	shut(&out[1]);
	if (number != 0) {
		shut(&in[1]);
		shut(&out[0]);
		free(made);
		return refuse(error, "cannot start it", number);
	}
	made->in = in[1];
	made->out = out[0];
	made->ended = false;
	made->dropping = false;
	made->begin = 0;
	made->end = 0;
	made->scanned = 0;
	*child = made;
	return MRL_OK;
}

/* Milliseconds until a moment, rounded up, as poll() wants them. */
static int milliseconds_until(uint64_t moment)
{
	uint64_t now = mrl_clock_now();

	if (moment <= now)
		return 0;
	uint64_t left = (moment - now + 999999) / 1000000;

	return left > 1000000 ? 1000000 : (int)left;
}

/* Takes what the child has said, as far as there is room. */
static void take(struct mrl_child *child)
{
	if (child->begin > 0) {
		memmove(child->buffer, child->buffer + child->begin, child->end - child->begin);
		child->end -= child->begin;
		child->scanned -= child->begin;
		child->begin = 0;
	}
	while (child->end < BUFFER_SIZE) {
		ssize_t got = read(child->out, child->buffer + child->end, BUFFER_SIZE - child->end);

		if (got > 0) {
			child->end += (size_t)got;
			continue;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
			child->ended = true;
		return;
	}
}

bool mrl_child_send(struct mrl_child *child, const char *bytes, size_t count, uint64_t moment)
{
	while (count > 0) {
		ssize_t sent = child->in < 0 ? -1 : write(child->in, bytes, count);

		if (sent > 0) {
			bytes += sent;
			count -= (size_t)sent;
			continue;
		}
		if (child->in < 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
			return false;
		bool room = child->end - child->begin < BUFFER_SIZE && !child->ended;
		struct pollfd waits[2] = {{.fd = child->in, .events = POLLOUT},
					  {.fd = room ? child->out : -1, .events = POLLIN}};
		int ready = poll(waits, 2, milliseconds_until(moment));

		if (ready == 0 || (ready < 0 && errno != EINTR))
			return false;
		if (ready > 0 && waits[1].revents != 0)
			take(child);
	}
	return true;
}

/* A line that is already in the buffer. */
static bool next_line(struct mrl_child *child, const char **line)
{
	char *from = child->buffer + child->scanned;
	char *end = memchr(from, '\n', child->end - child->scanned);

	if (end == NULL) {
		child->scanned = child->end;
		return false;
	}
	char *start = child->buffer + child->begin;

	child->begin = (size_t)(end - child->buffer) + 1;
	child->scanned = child->begin;
	if (end > start && end[-1] == '\r')
		end--;
	for (char *c = start; c < end; c++)
		if (*c == '\0')
			*c = ' ';
	*end = '\0';
	*line = start;
	return true;
}

/* Drops a line without an end when it is too long; true at its first part. */
static bool drop_flood(struct mrl_child *child)
{
	if (child->end - child->begin < BUFFER_SIZE)
		return false;
	child->begin = child->end;
	child->scanned = child->end;
	bool first = !child->dropping;

	child->dropping = true;
	return first;
}

enum mrl_child_answer mrl_child_read(struct mrl_child *child, uint64_t moment, const char **line)
{
	for (;;) {
		while (next_line(child, line)) {
			if (!child->dropping)
				return MRL_CHILD_LINE;
			child->dropping = false;
		}
		if (drop_flood(child))
			return MRL_CHILD_FLOOD;
		if (child->ended)
			return MRL_CHILD_ENDED;
		struct pollfd wait = {.fd = child->out, .events = POLLIN};
		int ready = poll(&wait, 1, milliseconds_until(moment));

		if (ready == 0)
			return MRL_CHILD_LATE;
		if (ready < 0 && errno != EINTR)
			child->ended = true;
		else if (ready > 0)
			take(child);
	}
}

/* Whether the process has ended, waiting up to a moment for it. */
static bool reap(struct mrl_child *child, uint64_t moment, int *status)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (;;) {
		pid_t id = waitpid(child->id, status, WNOHANG);

		if (id == child->id || (id < 0 && errno != EINTR))
			return true;
		if (mrl_clock_now() >= moment)
			return false;
		/* Its last words must not keep it waiting. */
		if (!child->ended) {
			child->begin = child->end;
			child->scanned = child->end;
			take(child);
		}
		(void)nanosleep(&pause, NULL);
	}
}

void mrl_child_end(struct mrl_child *child, uint64_t patience, char how[32])
{
	int status = 0;
	bool killed = false;

	if (child == NULL)
		return;
	shut(&child->in);
	if (!reap(child, mrl_clock_now() + patience, &status)) {
		killed = true;
		(void)kill(-child->id, SIGKILL);
		while (waitpid(child->id, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	if (how != NULL && killed)
		(void)snprintf(how, 32, "killed");
	else if (how != NULL && WIFSIGNALED(status))
		(void)snprintf(how, 32, "signal %d", WTERMSIG(status));
	else if (how != NULL)
		(void)snprintf(how, 32, "exit code %d", WEXITSTATUS(status));
	shut(&child->out);
	free(child);
}
