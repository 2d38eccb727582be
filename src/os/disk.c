#define _GNU_SOURCE /* madvise(), MAP_ANONYMOUS */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "refuse.h"

struct mrl_disk_file {
	int fd;
	char path[]; /* for messages */
};

enum mrl_status mrl_disk_open(struct mrl_disk_file **file, const char *path, enum mrl_disk_mode mode,
			      struct mrl_error *error)
{
	static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT | O_TRUNC, O_RDWR | O_CREAT};
	size_t length = strlen(path) + 1;
	struct mrl_disk_file *made = malloc(sizeof(*made) + length);

	if (made == NULL)
		return mrl__refuse(error, path, "there is not enough memory", NULL);
	memcpy(made->path, path, length);
	made->fd = open(path, flags[mode] | O_CLOEXEC | O_NOCTTY, 0666);
	if (made->fd < 0) {
		int number = errno;

		free(made);
		return mrl__refuse(error, path, mode == MRL_DISK_READ ? "cannot be opened" : "cannot be written",
				   mrl__reason(number));
	}
	*file = made;
	return MRL_OK;
}

void mrl_disk_close(struct mrl_disk_file *file)
{
	if (file == NULL)
		return;
	(void)close(file->fd);
	free(file);
}

uint64_t mrl_disk_size(const struct mrl_disk_file *file)
{
	struct stat about;

	return fstat(file->fd, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
}

enum mrl_status mrl_disk_read(const struct mrl_disk_file *file, uint64_t offset, void *data, size_t bytes,
			      struct mrl_error *error)
{
	char *to = data;

	while (bytes > 0) {
		ssize_t got = pread(file->fd, to, bytes, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return mrl__refuse(error, file->path, "cannot be read", mrl__reason(errno));
		if (got == 0)
			return mrl__refuse(error, file->path, "is shorter than it should be", NULL);
		to += got;
		offset += (uint64_t)got;
		bytes -= (size_t)got;
	}
	return MRL_OK;
}

enum mrl_status mrl_disk_write(struct mrl_disk_file *file, uint64_t offset, const void *data, size_t bytes,
			       struct mrl_error *error)
{
	const char *from = data;

	while (bytes > 0) {
		ssize_t done = pwrite(file->fd, from, bytes, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return mrl__refuse(error, file->path, "cannot be written",
					   mrl__reason(done < 0 ? errno : ENOSPC));
		from += done;
		offset += (uint64_t)done;
		bytes -= (size_t)done;
	}
	return MRL_OK;
}

enum mrl_status mrl_disk_lock(struct mrl_disk_file *file, const char *busy, struct mrl_error *error)
{
	if (flock(file->fd, LOCK_EX | LOCK_NB) == 0)
		return MRL_OK;
	if (errno != EWOULDBLOCK)
		return mrl__refuse(error, file->path, "cannot be locked", mrl__reason(errno));
	(void)mrl__refuse(error, file->path, busy, NULL);
	if (error != NULL)
		error->status = MRL_BUSY;
	return MRL_BUSY;
}

enum mrl_status mrl_disk_cut(struct mrl_disk_file *file, uint64_t size, struct mrl_error *error)
{
	return ftruncate(file->fd, (off_t)size) == 0
		   ? MRL_OK
		   : mrl__refuse(error, file->path, "cannot be shortened", mrl__reason(errno));
}

enum mrl_status mrl_disk_sync(struct mrl_disk_file *file, struct mrl_error *error)
{
	return fsync(file->fd) == 0 ? MRL_OK : mrl__refuse(error, file->path, "cannot be written", mrl__reason(errno));
}

/* A new name is safe only when the folder itself has reached the disk. */
static void sync_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));

	if (folder == NULL)
		return;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		(void)fsync(fd);
		(void)close(fd);
	}
	free(folder);
}

enum mrl_status mrl_disk_rename(const char *from, const char *to, bool last, struct mrl_error *error)
{
	if (rename(from, to) != 0)
		return mrl__refuse(error, to, "cannot be put in place", mrl__reason(errno));
	if (last)
		sync_folder_of(to);
	return MRL_OK;
}

enum mrl_status mrl_disk_remove(const char *path, struct mrl_error *error)
{
	return unlink(path) == 0 || errno == ENOENT ? MRL_OK
						    : mrl__refuse(error, path, "cannot be removed", mrl__reason(errno));
}

bool mrl_disk_remove_folder(const char *path)
{
	return rmdir(path) == 0;
}

bool mrl_disk_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

bool mrl_disk_same(const char *one, const char *other)
{
	struct stat first;
	struct stat second;

	return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

static enum mrl_status make_one(const char *path, struct mrl_error *error)
{
	struct stat about;
	int number = mkdir(path, 0777) == 0 ? 0 : errno;

	if (number == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
		return MRL_OK;
	return mrl__refuse(error, path, "the folder cannot be made",
			   number == EEXIST ? "it is a file" : mrl__reason(number));
}

enum mrl_status mrl_disk_make_folder(const char *path, struct mrl_error *error)
{
	char *part = strdup(path);
	enum mrl_status status = MRL_OK;

	if (part == NULL)
		return mrl__refuse(error, path, "there is not enough memory", NULL);
	for (char *slash = strchr(part + 1, '/'); status == MRL_OK && slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		status = make_one(part, error);
		*slash = '/';
	}
	if (status == MRL_OK)
		status = make_one(part, error);
	free(part);
	return status;
}

enum mrl_status mrl_disk_map(struct mrl_disk_file *file, size_t bytes, void **memory, struct mrl_error *error)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);

	if (mapped == MAP_FAILED)
		return mrl__refuse(error, file->path, "cannot be mapped", mrl__reason(errno));
	*memory = mapped;
	return MRL_OK;
}

void mrl_disk_unmap(void *memory, size_t bytes)
{
	(void)munmap(memory, bytes);
}

bool mrl_disk_sync_mapped(void *memory, size_t bytes)
{
	return msync(memory, bytes, MS_SYNC) == 0;
}

void *mrl_pages_new(size_t bytes)
{
	void *pages = mmap(NULL, bytes == 0 ? 1 : bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
	/* Tables are read all over the place: large pages save most of the translation misses. */
	if (bytes >= (size_t)64 << 20)
		(void)madvise(pages, bytes, MADV_HUGEPAGE);
	return pages;
}

void mrl_pages_free(void *pages, size_t bytes)
{
	if (pages != NULL)
		(void)munmap(pages, bytes == 0 ? 1 : bytes);
}

uint64_t mrl_memory_peak(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

uint64_t mrl_memory_installed(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	long size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
