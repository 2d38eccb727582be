/*
 * Other programs that run beside this one until they are told to end: found, started, watched.
 *
 * A program that was started runs in a process group of its own, so an interrupt typed at the terminal does not reach
 * it, and the kernel tells it to end when this process ends, however that happens. It reads nothing, and what it says
 * goes to a file. All of this belongs to one thread, which must be the process's first: when a thread ends, the kernel
 * takes that for the end of whoever started the programs.
 */
#ifndef MERELS_OS_PROGRAM_H
#define MERELS_OS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

/* What a process can be told; the names are those of POSIX. */
enum mrl_signal { MRL_TERM, MRL_INT, MRL_QUIT, MRL_KILL, MRL_STOP, MRL_CONT, MRL_USR1 };

#define MRL_PROGRAM_PATH_SIZE 256

/*
 * Looks for a program in folders, whose names may be patterns as a shell has them (of several the last by name), then
 * in those of $PATH. `folders` is ended by NULL. False when it is nowhere.
 */
bool mrl_program_find(const char *name, const char *const *folders, char path[MRL_PROGRAM_PATH_SIZE]);

struct mrl_program {
	char *const *arguments;  /* ended by NULL; the first is its path */
	const char *folder;      /* where it runs; NULL: where we do */
	const char *output;      /* the file to which its words are added */
	const char *user;        /* as whom it runs; NULL: as we do. Another takes root's rights */
	enum mrl_signal at_last; /* what it is told when we end without having told it anything */
};

/* Starts it. MRL_SYSTEM with the reason when it cannot be. */
MRL_MUST_USE enum mrl_status mrl_program_start(const struct mrl_program *program, long *id, struct mrl_error *error);

/*
 * Whether a process that we started has ended; then it is forgotten, and `how` says how it was: "exit code 3",
 * "signal 9".
 */
bool mrl_program_ended(long id, char how[32]);

/* Tells a process, or with `group` it and what it has started itself. False when there is none, or it is not ours. */
bool mrl_program_tell(long id, bool group, enum mrl_signal signal);

/* Waits so many nanoseconds, or until a signal comes that this process catches. */
void mrl_program_pause(uint64_t nanoseconds);

/* Whether this process has root's rights; whether there is a user of this name. */
bool mrl_program_is_root(void);
bool mrl_program_user_exists(const char *user);

/*
 * Gives a folder to a user, who may then pass through the folder `above` it, which is ours. Takes root's rights.
 */
MRL_MUST_USE enum mrl_status mrl_program_give(const char *above, const char *folder, const char *user,
					      struct mrl_error *error);

#endif
