#define _POSIX_C_SOURCE 200809L
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <merels/text.h>

enum { DEEPEST = 16 };

struct walk {
	mrl_folder_visit *visit;
	void *user;
	struct mrl_error *error;
	size_t root_length; /* bytes of a path before the name below the folder */
};

bool mrl_folder_exists(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool mrl_folder_has(const char *path, const char *name)
{
	struct stat about;
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool found;

	if (folder < 0)
		return false;
	found = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
	close(folder);
	return found;
}

static enum mrl_status refuse(struct mrl_error *error, const char *path, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, path);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

static char *join(const char *folder, const char *name)
{
	size_t length = strlen(folder);
	size_t more = strlen(name);
	char *path = malloc(length + more + 2);

	if (path == NULL)
		return NULL;
	memcpy(path, folder, length);
	path[length] = '/';
	memcpy(path + length + 1, name, more + 1);
	return path;
}

static enum mrl_status walk_folder(const struct walk *walk, const char *folder, unsigned depth);

static enum mrl_status walk_entry(const struct walk *walk, const char *folder, const char *name, unsigned depth)
{
	struct stat about;
	enum mrl_status status = MRL_OK;
	char *path = join(folder, name);

	if (path == NULL)
		return refuse(walk->error, folder, "there is not enough memory");
	if (lstat(path, &about) != 0)
		status = refuse(walk->error, path, strerror(errno));
	else if (S_ISDIR(about.st_mode))
		status = walk_folder(walk, path, depth + 1);
	else if (S_ISREG(about.st_mode))
		status = walk->visit(walk->user, path, path + walk->root_length, walk->error);
	free(path);
	return status;
}

static enum mrl_status walk_folder(const struct walk *walk, const char *folder, unsigned depth)
{
	enum mrl_status status = MRL_OK;

	if (depth > DEEPEST)
		return refuse(walk->error, folder, "there are too many folders in one another");
	DIR *open = opendir(folder);

	if (open == NULL)
		return refuse(walk->error, folder, strerror(errno));
	while (status == MRL_OK) {
		errno = 0;
		struct dirent *entry = readdir(open);

		if (entry == NULL) {
			if (errno != 0)
				status = refuse(walk->error, folder, strerror(errno));
			break;
		}
		if (entry->d_name[0] != '.')
			status = walk_entry(walk, folder, entry->d_name, depth);
	}
	(void)closedir(open);
	return status;
}

enum mrl_status mrl_folder_walk(const char *path, mrl_folder_visit *visit, void *user, struct mrl_error *error)
{
	struct walk walk = {visit, user, error, strlen(path) + 1};

	return walk_folder(&walk, path, 0);
}
