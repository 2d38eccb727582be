#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool mrl_process_file(char *file, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", file, size);

	if (length <= 0 || (size_t)length >= size)
		return false;
	file[length] = '\0';
	return true;
}

bool mrl_process_folder(char *folder, size_t size)
{
	if (!mrl_process_file(folder, size))
		return false;

	char *slash = strrchr(folder, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

void mrl_process_keep_private(void)
{
	(void)umask(077);
}

size_t mrl_process_allow_files(size_t wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 0;
	rlim_t allowed = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? (rlim_t)wanted : limit.rlim_max;

	if (limit.rlim_cur != allowed) {
		struct rlimit other = {.rlim_cur = allowed, .rlim_max = limit.rlim_max};

		if (setrlimit(RLIMIT_NOFILE, &other) != 0)
			allowed = limit.rlim_cur;
	}
	return (size_t)allowed;
}

uint64_t mrl_process_memory(long id)
{
	char path[64];
	unsigned long pages = 0;
	unsigned long resident = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/statm", id == 0 ? (long)getpid() : id);

	FILE *file = fopen(path, "r");

	if (file == NULL)
		return 0;
	if (fscanf(file, "%lu %lu", &pages, &resident) != 2)
		resident = 0;
	(void)fclose(file);
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t mrl_process_time(long id)
{
	clockid_t clock;
	struct timespec time;

	if (clock_getcpuclockid((pid_t)id, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

/* The parent of a process, or 0. */
static long parent_of(long id)
{
	char path[64];
	char line[1024];
	long parent = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", id);

	FILE *file = fopen(path, "r");

	if (file == NULL)
		return 0;
	/* The name is in brackets, and may have any character in it. */
	const char *at = fgets(line, sizeof(line), file) != NULL ? strrchr(line, ')') : NULL;

	(void)fclose(file);
	return at != NULL && sscanf(at, ") %*c %ld", &parent) == 1 ? parent : 0;
}

uint64_t mrl_process_children_time(long id)
{
	DIR *all = opendir("/proc");
	const struct dirent *entry = NULL;
	uint64_t time = 0;

	while (all != NULL && (entry = readdir(all)) != NULL) {
		long child = strtol(entry->d_name, NULL, 10);

		if (child > 0 && parent_of(child) == id)
			time += mrl_process_time(child);
	}
	if (all != NULL)
		(void)closedir(all);
	return time;
}

uint64_t mrl_process_waited(long id)
{
	char path[64];
	unsigned long long ran = 0;
	unsigned long long waited = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/schedstat", id == 0 ? (long)getpid() : id);

	FILE *file = fopen(path, "r");

	if (file == NULL)
		return 0;
	if (fscanf(file, "%llu %llu", &ran, &waited) != 2)
		waited = 0;
	(void)fclose(file);
	return waited;
}

long mrl_process_self(void)
{
	return (long)getpid();
}

uint64_t mrl_process_began(long id)
{
	enum { STATE = 0, BEGAN = 19 }; /* fields behind the name */
	char path[64];
	char line[1024];
	unsigned long long began = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", id);

	FILE *file = fopen(path, "r");

	if (file == NULL)
		return 0;
	/* The name is in brackets, and may have any character in it. */
	const char *at = fgets(line, sizeof(line), file) != NULL ? strrchr(line, ')') : NULL;

	(void)fclose(file);
	for (int field = STATE; at != NULL && field <= BEGAN; field++) {
		at = strchr(at + 1, ' ');
		if (at != NULL && field == STATE && (at[1] == 'Z' || at[1] == 'X'))
			return 0;
	}
	if (at == NULL || sscanf(at, " %llu", &began) != 1)
		return 0;
	return began;
}
