/*
 * Another program, started by this one, that is talked to in lines.
 *
 * A child belongs to one thread at a time. Its standard input and output are pipes to us; what it says on standard
 * error goes where ours goes, or nowhere. It runs in a process group of its own, so an interrupt typed at the terminal
 * does not reach it, and killing it takes along what it has started itself.
 */
#ifndef MERELS_OS_CHILD_H
#define MERELS_OS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

struct mrl_child;

enum mrl_child_answer {
	MRL_CHILD_LINE,  /* here is a line */
	MRL_CHILD_LATE,  /* the moment has come before a whole line */
	MRL_CHILD_ENDED, /* it has closed its output, which it mostly does by ending */
	MRL_CHILD_FLOOD  /* a line longer than it may be; it is dropped, and so is what follows of it */
};

/*
 * Starts arguments[0] (looked for as a shell does), in `folder` unless that is NULL. MRL_SYSTEM with the reason when it
 * cannot be run.
 */
MRL_MUST_USE enum mrl_status mrl_child_start(struct mrl_child **child, char *const *arguments, const char *folder,
					     bool quiet, struct mrl_error *error);

/*
 * Sends bytes. False when the child no longer reads: it has ended, or has left its input unread up to the moment
 * (of mrl_clock_now()). What it says meanwhile is kept, so that both cannot wait for each other.
 */
bool mrl_child_send(struct mrl_child *child, const char *bytes, size_t count, uint64_t moment);

/*
 * The next line, without its end, 0-terminated, good until the next call. Lines have less than 64 kB; a 0 byte in a
 * line becomes a space.
 */
enum mrl_child_answer mrl_child_read(struct mrl_child *child, uint64_t moment, const char **line);

/* The number of its process. */
long mrl_child_id(const struct mrl_child *child);

/*
 * Closes its input, gives it up to `patience` nanoseconds to end, then kills it; frees it. In `how` (may be NULL) it is
 * told how the child ended: "exit code 3", "signal 11", "killed". NULL is allowed.
 */
void mrl_child_end(struct mrl_child *child, uint64_t patience, char how[32]);

#endif
