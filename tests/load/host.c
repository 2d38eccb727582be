#include "host.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(3);
}

/* The port is free now, and stays ours in so far as nobody else asks for just this one. */
static unsigned free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &length) != 0)
		die("no free port");
	close(fd);
	return ntohs(address.sin_port);
}

void host_make(struct host *host, const char *program)
{
	const char *above = getenv("TMPDIR");
	char path[256];

	*host = (struct host){.program = program};
	snprintf(host->folder, sizeof(host->folder), "%s/merels-host-XXXXXX", above != NULL ? above : "/tmp");
	if (mkdtemp(host->folder) == NULL)
		die(host->folder);
	snprintf(host->data, sizeof(host->data), "%s/data", host->folder);
	snprintf(path, sizeof(path), "%s/web", host->folder);
	if (mkdir(host->data, 0700) != 0 || mkdir(path, 0700) != 0)
		die(path);
	snprintf(path, sizeof(path), "%s/web/index.html", host->folder);

	FILE *page = fopen(path, "w");

	if (page == NULL || fputs("<!doctype html><title>Merels</title>\n", page) < 0 || fclose(page) != 0)
		die(path);
	host->port = free_port();
	snprintf(host->url, sizeof(host->url), "http://127.0.0.1:%u", host->port);
}

bool host_mount(struct host *host, size_t bytes)
{
	char options[64];

	snprintf(options, sizeof(options), "size=%zu,mode=0700", bytes);
	host->mounted = mount("none", host->data, "tmpfs", 0, options) == 0;
	return host->mounted;
}

static _Noreturn void run(const struct host *host, int out)
{
	char listen[64];
	char web[256];
	char log[256];

	snprintf(listen, sizeof(listen), "127.0.0.1:%u", host->port);
	snprintf(web, sizeof(web), "%s/web", host->folder);
	snprintf(log, sizeof(log), "%s/log", host->folder);

	int err = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* A file that may not grow is told by the write, as a full disk is, and not by a signal. */
	(void)signal(SIGXFSZ, SIG_IGN);
	/* What the thread sanitizer finds must end it: the end of one that is killed tells nothing. */
	(void)setenv("TSAN_OPTIONS", "halt_on_error=1", 0);
	if (err >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
		(void)execl(host->program, host->program, "serve", "--listen", listen, "--data", host->data, "--web",
			    web, "--address-rate", "0", "--address-sockets", "0", "--log-level", "info", (char *)NULL);
	_exit(127);
}

void host_start(struct host *host)
{
	int out[2];
	char c = '\0';

	if (pipe2(out, O_CLOEXEC) != 0)
		die("pipe");
	host->child = fork();
	if (host->child < 0)
		die("fork");
	if (host->child == 0)
		run(host, out[1]);
	close(out[1]);

	/* The line with its address. */
	struct pollfd wait = {.fd = out[0], .events = POLLIN};

	if (poll(&wait, 1, PATIENCE_MS) != 1 || read(out[0], &c, 1) != 1) {
		fprintf(stderr, "the server did not start; see %s/log\n", host->folder);
		exit(3);
	}
	close(out[0]);
}

static int wait_for(struct host *host)
{
	int status = 0;

	if (waitpid(host->child, &status, 0) != host->child)
		die("waitpid");
	host->child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void host_kill(struct host *host)
{
	(void)kill(host->child, SIGKILL);

	int code = wait_for(host);

	/* A server that ended by itself is no server that was killed. */
	if (code != 128 + SIGKILL) {
		fprintf(stderr, "the server ended by itself, with %d; see %s/log\n", code, host->folder);
		exit(3);
	}
}

int host_stop(struct host *host)
{
	(void)kill(host->child, SIGTERM);
	return wait_for(host);
}

void host_fill(const struct host *host)
{
	static char block[4096];
	char path[256];

	snprintf(path, sizeof(path), "%s/filler", host->data);

	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (fd < 0)
		die(path);
	while (write(fd, block, sizeof(block)) > 0)
		;
	close(fd);
}

void host_empty(const struct host *host)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/filler", host->data);
	(void)unlink(path);
}

void host_limit_files(const struct host *host, size_t bytes)
{
	struct rlimit limit = {.rlim_cur = bytes == SIZE_MAX ? RLIM_INFINITY : bytes, .rlim_max = RLIM_INFINITY};

	if (prlimit(host->child, RLIMIT_FSIZE, &limit, NULL) != 0)
		die("prlimit");
}

size_t host_memory(const struct host *host)
{
	char path[64];
	size_t pages = 0;
	size_t resident = 0;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)host->child);

	FILE *file = fopen(path, "r");

	if (file == NULL)
		return 0;
	if (fscanf(file, "%zu %zu", &pages, &resident) != 2)
		resident = 0;
	fclose(file);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

size_t host_files(const struct host *host)
{
	char path[64];
	size_t count = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)host->child);

	DIR *folder = opendir(path);

	while (folder != NULL && readdir(folder) != NULL)
		count++;
	if (folder != NULL)
		closedir(folder);
	return count > 2 ? count - 2 : 0;
}

/* The folder has folders of one level with files in them, all made by this test. */
static void remove_folder(const char *path, int deep)
{
	DIR *folder = opendir(path);
	struct dirent *entry = NULL;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char below[1024];
		int length = snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (length < 0 || (size_t)length >= sizeof(below))
			continue;
		if (unlink(below) != 0 && deep > 0)
			remove_folder(below, deep - 1);
	}
	if (folder != NULL)
		closedir(folder);
	(void)rmdir(path);
}

void host_end(struct host *host, bool keep)
{
	if (host->child != 0)
		host_kill(host);
	if (host->mounted)
		(void)umount(host->data);
	if (keep)
		fprintf(stderr, "left for you to look at: %s\n", host->folder);
	else
		remove_folder(host->folder, 3);
}
