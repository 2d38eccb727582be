#define _XOPEN_SOURCE 700
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refuse.h"

enum { OPEN_FOLDERS = 16 };

enum mrl_status mrl_scratch_make(const char *name, char *path, size_t size, struct mrl_error *error)
{
	const char *above = getenv("TMPDIR");
	int length = snprintf(path, size, "%s/%s-XXXXXX", above != NULL && *above != '\0' ? above : "/tmp", name);

	if (length < 0 || (size_t)length >= size)
		return mrl__refuse(error, above, "the name of this folder for temporary files is too long", NULL);
	if (mkdtemp(path) == NULL)
		return mrl__refuse(error, path, "no such folder can be made", mrl__reason(errno));
	return MRL_OK;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about;
	(void)kind;
	(void)place;
	/* What cannot be removed does not keep the rest. */
	(void)remove(path);
	return 0;
}

bool mrl_scratch_remove(const char *path)
{
	struct stat about;

	(void)nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	return lstat(path, &about) != 0;
}

enum mrl_status mrl_scratch_whole(const char *folder, char *path, size_t size, struct mrl_error *error)
{
	char *whole = realpath(folder, NULL);

	if (whole == NULL)
		return mrl__refuse(error, folder, "cannot be found", mrl__reason(errno));

	size_t length = strlen(whole);

	if (length < size)
		memcpy(path, whole, length + 1);
	free(whole);
	return length < size ? MRL_OK : mrl__refuse(error, folder, "its whole path is too long", NULL);
}
