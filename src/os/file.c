#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <merels/text.h>

#include "refuse.h"

static enum mrl_status read_all(int fd, size_t most, char **data, size_t *length, struct mrl_error *error)
{
	/* One byte for the 0, and one more so that a file of just `most` bytes shows its end. */
	size_t size = 0;
	size_t used = 0;
	char *buffer = NULL;

	for (;;) {
		if (size - used < 2) {
			size_t larger = size == 0 ? 65536 : 2 * size;

			if (larger > most + 2)
				larger = most + 2;
			char *moved = realloc(buffer, larger);

			if (moved == NULL) {
				free(buffer);
				return mrl__refuse(error, NULL, "cannot be read", "there is not enough memory");
			}
			buffer = moved;
			size = larger;
		}
		ssize_t got = read(fd, buffer + used, size - used - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int number = errno;

			free(buffer);
			return mrl__refuse(error, NULL, "cannot be read", mrl__reason(number));
		}
		if (got == 0)
			break;
		used += (size_t)got;
		if (used > most) {
			free(buffer);
			struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

			mrl_text_add(&text, "is longer than the ");
			mrl_text_number(&text, most);
			mrl_text_add(&text, " bytes that are read");
			return MRL_SYSTEM;
		}
	}
	buffer[used] = '\0';
	*data = buffer;
	*length = used;
	return MRL_OK;
}

enum mrl_status mrl_file_read(const char *path, size_t most, char **data, size_t *length, struct mrl_error *error)
{
	if (strcmp(path, "-") == 0)
		return read_all(STDIN_FILENO, most, data, length, error);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return mrl__refuse(error, NULL, "cannot be opened", mrl__reason(errno));
	enum mrl_status status = read_all(fd, most, data, length, error);

	(void)close(fd);
	return status;
}
