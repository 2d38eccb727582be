/* What this process is. */
#ifndef MERELS_OS_PROCESS_H
#define MERELS_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder of the running program's file, without a slash at the end; false when it cannot be told or does not fit.
 */
bool mrl_process_folder(char *folder, size_t size);

/* The running program's file itself, likewise. */
bool mrl_process_file(char *file, size_t size);

/*
 * Lets the process have up to `wanted` open files, or as many as it may have without more rights; returns how many
 * those are. Not to be called from two threads at a time.
 */
size_t mrl_process_allow_files(size_t wanted);

/* Files and folders that this process makes from now on are its user's alone. */
void mrl_process_keep_private(void);

/*
 * Of any process of this machine (0: this one): bytes of memory in use; nanoseconds of processor time used by all its
 * threads; nanoseconds that its first thread was ready to run and had to wait for a processor. 0 when that cannot be
 * told.
 */
uint64_t mrl_process_memory(long id);
uint64_t mrl_process_time(long id);
uint64_t mrl_process_waited(long id);

/* As mrl_process_time(), of those processes that one has started itself and that run now; not of theirs. */
uint64_t mrl_process_children_time(long id);

/*
 * When a process of this machine was begun, in ticks since the machine was; with its number this names it for good, for
 * numbers are used again. 0 when there is none of this number, or it has ended.
 */
uint64_t mrl_process_began(long id);

/* The number of this process. */
long mrl_process_self(void);

#endif
