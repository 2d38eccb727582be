/* Whole files in memory. Thread-safe. */
#ifndef MERELS_OS_FILE_H
#define MERELS_OS_FILE_H

#include <stddef.h>

#include <merels/status.h>

/*
 * Reads the whole file `path`, or standard input if it is "-", of at most `most` bytes. `*data` gets memory that the
 * caller frees, with a 0 behind the last byte; `*length` the bytes without it. MRL_SYSTEM when the file cannot be
 * opened or read, is a directory, is longer than `most`, or there is no memory: `error` (may be NULL) then says so in
 * a sentence without the path. On failure nothing is allocated and `*data` is untouched.
 */
MRL_MUST_USE enum mrl_status mrl_file_read(const char *path, size_t most, char **data, size_t *length,
					   struct mrl_error *error);

#endif
