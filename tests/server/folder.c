#include "folder.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

void folder_make(char path[FOLDER_SIZE])
{
	const char *parent = getenv("TMPDIR");

	(void)snprintf(path, FOLDER_SIZE, "%s/merels-test-XXXXXX", parent != NULL ? parent : "/tmp");
	assert_non_null(mkdtemp(path));
}

void folder_put(const char *path, const char *name, const void *bytes, size_t length)
{
	char full[2 * FOLDER_SIZE];

	(void)snprintf(full, sizeof(full), "%s/%s", path, name);
	for (char *slash = strchr(full + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(full, 0700);
		*slash = '/';
	}
	FILE *file = fopen(full, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

void folder_put_text(const char *path, const char *name, const char *text)
{
	folder_put(path, name, text, strlen(text));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
	(void)about;
	(void)kind;
	(void)where;
	return remove(path);
}

void folder_remove(const char *path)
{
	assert_int_equal(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}
