#define _GNU_SOURCE /* madvise() */
#include "ram.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* The number behind `key` in a file of lines "key: number", or alone in a file when `key` is "". */
static uint64_t read_number(const char *path, const char *key, uint64_t unit)
{
	FILE *file = fopen(path, "r");
	char line[128];
	uint64_t number = UINT64_MAX;

	while (file != NULL && number == UINT64_MAX && fgets(line, sizeof(line), file) != NULL) {
		size_t length = strlen(key);
		uint64_t found;

		if (strncmp(line, key, length) == 0 && sscanf(line + length, "%" SCNu64, &found) == 1 &&
		    found <= UINT64_MAX / unit)
			number = found * unit;
	}
	if (file != NULL)
		(void)fclose(file);
	return number;
}

/* What a control group leaves: files that are held only for speed would make room. */
static uint64_t left_in_group(const char *most_path, const char *used_path, const char *parts_path)
{
	static const char *const held[] = {"inactive_file ", "active_file "};
	uint64_t most = read_number(most_path, "", 1);
	uint64_t used = read_number(used_path, "", 1);

	if (most == UINT64_MAX || used == UINT64_MAX)
		return UINT64_MAX;
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		uint64_t part = read_number(parts_path, held[i], 1);

		used -= part < used ? part : 0;
	}
	return most > used ? most - used : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t mrl_memory_available(void)
{
	uint64_t free = read_number("/proc/meminfo", "MemAvailable:", 1024);

	free = smaller(free, left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
					   "/sys/fs/cgroup/memory.stat"));
	return smaller(free, left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
					   "/sys/fs/cgroup/memory/memory.usage_in_bytes",
					   "/sys/fs/cgroup/memory/memory.stat"));
}

void mrl_memory_prefer_large_pages(void *memory, size_t bytes)
{
	(void)madvise(memory, bytes, MADV_HUGEPAGE);
}
