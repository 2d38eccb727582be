#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

bool mrl_process_folder(char *folder, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", folder, size);

	if (length <= 0 || (size_t)length >= size)
		return false;
	folder[length] = '\0';
	char *slash = strrchr(folder, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
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
