#define _GNU_SOURCE /* setgroups(), pipe2() */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "refuse.h"

static const int signals[] = {[MRL_TERM] = SIGTERM, [MRL_INT] = SIGINT,   [MRL_QUIT] = SIGQUIT, [MRL_KILL] = SIGKILL,
			      [MRL_STOP] = SIGSTOP, [MRL_CONT] = SIGCONT, [MRL_USR1] = SIGUSR1};

/* ---- Finding ------------------------------------------------------------------------------------------------ */

static bool is_program(const char *folder, size_t length, const char *name, char path[MRL_PROGRAM_PATH_SIZE])
{
	char found[MRL_PROGRAM_PATH_SIZE];
	int written = snprintf(found, sizeof(found), "%.*s/%s", (int)length, folder, name);
	struct stat about;

	if (written < 0 || (size_t)written >= sizeof(found) || stat(found, &about) != 0 || !S_ISREG(about.st_mode) ||
	    access(found, X_OK) != 0)
		return false;
	memcpy(path, found, (size_t)written + 1);
	return true;
}

static bool is_in_pattern(const char *pattern, const char *name, char path[MRL_PROGRAM_PATH_SIZE])
{
	glob_t folders;
	bool found = false;

	if (glob(pattern, 0, NULL, &folders) != 0)
		return false;
	for (size_t i = folders.gl_pathc; i > 0 && !found; i--)
		found = is_program(folders.gl_pathv[i - 1], strlen(folders.gl_pathv[i - 1]), name, path);
	globfree(&folders);
	return found;
}

bool mrl_program_find(const char *name, const char *const *folders, char path[MRL_PROGRAM_PATH_SIZE])
{
	for (; *folders != NULL; folders++) {
		if (is_in_pattern(*folders, name, path))
			return true;
	}
	for (const char *at = getenv("PATH"); at != NULL && *at != '\0';) {
		size_t length = strcspn(at, ":");

		if (length > 0 && is_program(at, length, name, path))
			return true;
		at += length + (at[length] == ':' ? 1 : 0);
	}
	return false;
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

/* All that the new process needs to know, gathered before there is one: afterwards little may be called. */
struct start {
	const struct mrl_program *program;
	pid_t parent;
	bool other; /* another user */
	uid_t user;
	gid_t group;
	int said;
};

/* In the new process: becomes the program. Returns only when that cannot be, and errno says why. */
static void become(const struct start *start)
{
	const struct mrl_program *program = start->program;
	sigset_t none;
	int nothing = open("/dev/null", O_RDONLY);

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(start->said, STDOUT_FILENO) < 0 ||
	    dup2(start->said, STDERR_FILENO) < 0 || setpgid(0, 0) != 0)
		return;
	if (start->other && (setgroups(1, &start->group) != 0 || setgid(start->group) != 0 || setuid(start->user) != 0))
		return;
	/* After the change of the user, which takes this wish back. We may have lost our parent before it. */
	if (prctl(PR_SET_PDEATHSIG, signals[program->at_last]) != 0)
		return;
	if (getppid() != start->parent)
		_exit(127);
	if (program->folder != NULL && chdir(program->folder) != 0)
		return;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)signal(signals[i], SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execv(program->arguments[0], program->arguments);
}

/* Starts it, and waits until it has become the program: `told` is then closed by the kernel. 0, or an error number. */
static int start_it(const struct start *start, const int told[2], long *id)
{
	int number = 0;
	ssize_t got = 0;
	pid_t child = fork();

	if (child < 0)
		return errno;
	if (child == 0) {
		become(start);
		number = errno;
		(void)!write(told[1], &number, sizeof(number));
		_exit(127);
	}
	(void)close(told[1]);
	do
		got = read(told[0], &number, sizeof(number));
	while (got < 0 && errno == EINTR);
	if (got == (ssize_t)sizeof(number)) {
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			continue;
		return number;
	}
	*id = (long)child;
	return 0;
}

enum mrl_status mrl_program_start(const struct mrl_program *program, long *id, struct mrl_error *error)
{
	struct start start = {.program = program, .parent = getpid(), .said = -1};
	const char *path = program->arguments[0];
	int told[2];

	if (program->user != NULL) {
		const struct passwd *user = getpwnam(program->user);

		if (user == NULL)
			return mrl__refuse(error, path, "it is to run as a user that there is not", program->user);
		start.other = true;
		start.user = user->pw_uid;
		start.group = user->pw_gid;
	}
	start.said = open(program->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (start.said < 0)
		return mrl__refuse(error, program->output, "cannot be written", mrl__reason(errno));
	if (pipe2(told, O_CLOEXEC) != 0) {
		(void)close(start.said);
		return mrl__refuse(error, path, "cannot be started", mrl__reason(errno));
	}

	int number = start_it(&start, told, id);

	(void)close(told[0]);
	(void)close(start.said);
	return number == 0 ? MRL_OK : mrl__refuse(error, path, "cannot be started", mrl__reason(number));
}

/* ---- Watching ----------------------------------------------------------------------------------------------- */

bool mrl_program_ended(long id, char how[32])
{
	int status = 0;
	pid_t ended = waitpid((pid_t)id, &status, WNOHANG);

	if (ended == 0 || (ended < 0 && errno != ECHILD))
		return false;
	if (ended < 0)
		(void)snprintf(how, 32, "nobody knows how");
	else if (WIFSIGNALED(status))
		(void)snprintf(how, 32, "signal %d", WTERMSIG(status));
	else
		(void)snprintf(how, 32, "exit code %d", WEXITSTATUS(status));
	return true;
}

bool mrl_program_tell(long id, bool group, enum mrl_signal signal)
{
	return id > 1 && kill((pid_t)(group ? -id : id), signals[signal]) == 0;
}

void mrl_program_pause(uint64_t nanoseconds)
{
	struct timespec pause = {.tv_sec = (time_t)(nanoseconds / 1000000000U),
				 .tv_nsec = (long)(nanoseconds % 1000000000U)};

	(void)nanosleep(&pause, NULL);
}

/* ---- Users -------------------------------------------------------------------------------------------------- */

bool mrl_program_is_root(void)
{
	return geteuid() == 0;
}

bool mrl_program_user_exists(const char *user)
{
	return getpwnam(user) != NULL;
}

enum mrl_status mrl_program_give(const char *above, const char *folder, const char *user, struct mrl_error *error)
{
	const struct passwd *to = getpwnam(user);

	if (to == NULL)
		return mrl__refuse(error, folder, "it is to be given to a user that there is not", user);
	if (chown(folder, to->pw_uid, to->pw_gid) != 0)
		return mrl__refuse(error, folder, "cannot be given to another user", mrl__reason(errno));
	if (chmod(above, S_IRWXU | S_IXGRP | S_IXOTH) != 0)
		return mrl__refuse(error, above, "cannot be opened to another user", mrl__reason(errno));
	return MRL_OK;
}
