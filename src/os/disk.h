/*
 * Files that are read and written at any place, finished files put in place at once, and large memory.
 *
 * A file belongs to whoever opened it; mrl_disk_read() may be called on one file from several threads. Errors are
 * MRL_SYSTEM with a sentence that names the path. `error` may be NULL everywhere.
 */
#ifndef MERELS_OS_DISK_H
#define MERELS_OS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

struct mrl_disk_file;

enum mrl_disk_mode {
	MRL_DISK_READ,   /* must exist */
	MRL_DISK_CREATE, /* emptied when it exists */
	MRL_DISK_UPDATE  /* kept when it exists; read and write */
};

MRL_MUST_USE enum mrl_status mrl_disk_open(struct mrl_disk_file **file, const char *path, enum mrl_disk_mode mode,
					   struct mrl_error *error);

/* NULL is allowed. Does not sync. */
void mrl_disk_close(struct mrl_disk_file *file);

/* Bytes in the file. */
uint64_t mrl_disk_size(const struct mrl_disk_file *file);

/* All of data[0 .. bytes), or an error; a file that ends before is an error too. */
MRL_MUST_USE enum mrl_status mrl_disk_read(const struct mrl_disk_file *file, uint64_t offset, void *data, size_t bytes,
					   struct mrl_error *error);
MRL_MUST_USE enum mrl_status mrl_disk_write(struct mrl_disk_file *file, uint64_t offset, const void *data, size_t bytes,
					    struct mrl_error *error);

/*
 * Makes the file the opener's own until it is closed or the process ends. MRL_BUSY when another has it: the message
 * then says `busy`.
 */
MRL_MUST_USE enum mrl_status mrl_disk_lock(struct mrl_disk_file *file, const char *busy, struct mrl_error *error);

/* Cuts the file to this size. */
MRL_MUST_USE enum mrl_status mrl_disk_cut(struct mrl_disk_file *file, uint64_t size, struct mrl_error *error);

/* Returns when everything written has reached the disk. */
MRL_MUST_USE enum mrl_status mrl_disk_sync(struct mrl_disk_file *file, struct mrl_error *error);

/* Gives a file its final name in one step; when it has to `last`, after a power cut there is the old or the new one. */
MRL_MUST_USE enum mrl_status mrl_disk_rename(const char *from, const char *to, bool last, struct mrl_error *error);

/* Removes a file; none there is no error. Often nobody can do anything about a failure. */
enum mrl_status mrl_disk_remove(const char *path, struct mrl_error *error);

/* Removes a folder that is empty; false when it could not be. */
bool mrl_disk_remove_folder(const char *path);

bool mrl_disk_exists(const char *path);

/* Whether two paths lead to the same file, which exists. */
bool mrl_disk_same(const char *one, const char *other);

/* Makes a folder, and those above it, unless they exist. */
MRL_MUST_USE enum mrl_status mrl_disk_make_folder(const char *path, struct mrl_error *error);

/*
 * The first bytes of a file, which must have them, as memory shared with it: what is written there is in the file, also
 * when this process is killed, and on the disk after the sync. The memory is good until it is unmapped, also after the
 * file was closed.
 */
MRL_MUST_USE enum mrl_status mrl_disk_map(struct mrl_disk_file *file, size_t bytes, void **memory,
					  struct mrl_error *error);
void mrl_disk_unmap(void *memory, size_t bytes);
bool mrl_disk_sync_mapped(void *memory, size_t bytes);

/* Zeroed memory that takes real memory only where it is touched; NULL when the system gives none. */
void *mrl_pages_new(size_t bytes);
void mrl_pages_free(void *pages, size_t bytes);

/* The most memory this process has had in use, in bytes; and what the machine has. 0 when it cannot be told. */
uint64_t mrl_memory_peak(void);
uint64_t mrl_memory_installed(void);

#endif
