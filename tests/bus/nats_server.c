#define _DEFAULT_SOURCE /* mkdtemp(), prctl() */
#include "nats_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
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
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <merels/status.h>
#include <os/disk.h>
#include <os/folder.h>

enum { MOST_ARGUMENTS = 16, TRIES = 3000 };

static unsigned free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	(void)close(fd);
	return ntohs(address.sin_port);
}

void nats_make(struct nats_server *server)
{
	const char *above = getenv("TMPDIR");

	*server = (struct nats_server){.port = free_port()};
	(void)snprintf(server->folder, sizeof(server->folder), "%.200s/merels-nats-XXXXXX",
		       above != NULL ? above : "/tmp");
	assert_non_null(mkdtemp(server->folder));
	(void)snprintf(server->place, sizeof(server->place), "nats://127.0.0.1:%u", server->port);
}

static void run(const struct nats_server *server, const char *const arguments[])
{
	char port[16];
	char log[300];
	const char *argv[MOST_ARGUMENTS] = {"nats-server", "-a", "127.0.0.1", "-p", port, "-l", log};
	char *changeable[MOST_ARGUMENTS] = {NULL};
	size_t count = 7;

	(void)snprintf(port, sizeof(port), "%u", server->port);
	(void)snprintf(log, sizeof(log), "%s/log", server->folder);
	while (arguments != NULL && *arguments != NULL && count + 1 < MOST_ARGUMENTS)
		argv[count++] = *arguments++;
	memcpy(changeable, argv, sizeof(argv));
	/* A test that fails leaves no server behind. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)execvp("nats-server", changeable);
	/* Where Debian has it, which is not on everybody's path. */
	(void)execv("/usr/sbin/nats-server", changeable);
	_exit(127);
}

/* It greets whoever connects. */
static bool answers(const struct nats_server *server)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_port = htons((uint16_t)server->port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char greeting[5] = "";
	bool good = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		    recv(fd, greeting, 4, MSG_WAITALL) == 4 && strcmp(greeting, "INFO") == 0;

	(void)close(fd);
	return good;
}

void nats_start(struct nats_server *server, const char *const arguments[])
{
	server->child = fork();
	assert_true(server->child >= 0);
	if (server->child == 0)
		run(server, arguments);
	for (unsigned i = 0; i < TRIES && !answers(server); i++) {
		int status = 0;

		if (waitpid(server->child, &status, WNOHANG) == server->child) {
			server->child = 0;
			fail_msg("nats-server ended with %d (127: Debian's package nats-server is not installed); its "
				 "log is in %s",
				 WEXITSTATUS(status), server->folder);
		}
		(void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	assert_true(answers(server));
}

void nats_kill(struct nats_server *server)
{
	assert_true(server->child > 0);
	(void)kill(server->child, SIGKILL);
	assert_int_equal(waitpid(server->child, NULL, 0), server->child);
	server->child = 0;
}

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

void nats_release(struct nats_server *server)
{
	if (server->child > 0)
		nats_kill(server);
	if (mrl_folder_walk(server->folder, remove_file, NULL, NULL) == MRL_OK)
		(void)mrl_disk_remove_folder(server->folder);
}
