/*
 * Runs a fuzzer's check on files, for builds without libFuzzer: replay PATH..., each a file or a folder of files. Ends
 * with `N passed, 0 failed`; an input that fails ends the process, after its name was printed.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static size_t passed;

static void replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0;
	size_t got;

	if (file == NULL) {
		perror(path);
		exit(2);
	}
	fprintf(stderr, "%s\n", path);
	do {
		data = realloc(data, size + 65536);
		MUST(data != NULL);
		got = fread(data + size, 1, 65536, file);
		size += got;
	} while (got > 0);
	(void)fclose(file);
	/* Exactly as large as the input, so that a sanitizer sees a read beyond it. */
	data = realloc(data, size > 0 ? size : 1);
	MUST(data != NULL);
	(void)LLVMFuzzerTestOneInput(data, size);
	free(data);
	passed++;
}

static void replay_folder(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;

	if (folder == NULL) {
		perror(path);
		exit(2);
	}
	while ((entry = readdir(folder)) != NULL) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		MUST((size_t)snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < sizeof name);
		replay_file(name);
	}
	(void)closedir(folder);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct stat about;

		if (stat(argv[i], &about) != 0)
			continue; /* no crasher was ever found */
		if (S_ISDIR(about.st_mode))
			replay_folder(argv[i]);
		else
			replay_file(argv[i]);
	}
	printf("%zu passed, 0 failed\n", passed);
	return passed > 0 ? 0 : 1;
}
