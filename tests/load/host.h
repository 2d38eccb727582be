/*
 * A server that a test starts, kills, starts again, and whose disk it takes away: for programs that put it under load.
 * Failures end the program with a word.
 */
#ifndef MERELS_TESTS_HOST_H
#define MERELS_TESTS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct host {
	const char *program; /* merels */
	char folder[128];    /* of this test, with the data and the web client in it */
	char data[160];
	bool mounted; /* the data are on a file system of their own */
	unsigned port;
	pid_t child; /* 0: none */
	char url[64];
};

/* Makes a folder and chooses a free port; nothing runs yet. */
void host_make(struct host *host, const char *program);

/* Puts the data on a file system of so many bytes; false when this user or system cannot do that. */
bool host_mount(struct host *host, size_t bytes);

/* Starts the server and waits until it listens. */
void host_start(struct host *host);

/* kill -9, and nothing of the process is left when it returns. */
void host_kill(struct host *host);

/* SIGTERM; returns the exit code. */
int host_stop(struct host *host);

/* Fills the file system of the data to the last block; makes room again. */
void host_fill(const struct host *host);
void host_empty(const struct host *host);

/* From now on no file of the server may grow beyond `bytes`; 0: none of the files there are may grow; SIZE_MAX: all
 * may. */
void host_limit_files(const struct host *host, size_t bytes);

/* Resident memory in bytes and open files of the running server. */
size_t host_memory(const struct host *host);
size_t host_files(const struct host *host);

/* Kills what runs and removes the folder; with `keep` it stays, and is named. */
void host_end(struct host *host, bool keep);

#endif
