#define _POSIX_C_SOURCE 200809L
#include "refuse.h"

#include <errno.h>
#include <string.h>

#include <merels/text.h>

enum mrl_status mrl__refuse(struct mrl_error *error, const char *path, const char *what, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	if (path != NULL) {
		mrl_text_add(&text, path);
		mrl_text_add(&text, ": ");
	}
	mrl_text_add(&text, what);
	if (why != NULL) {
		mrl_text_add(&text, ": ");
		mrl_text_add(&text, why);
	}
	return MRL_SYSTEM;
}

const char *mrl__reason(int number)
{
	switch (number) {
	case ENOSPC:
		return "the disk is full";
	case EACCES:
		return "permission denied";
	case ENOENT:
		return "there is no such file";
	case EISDIR:
		return "it is a directory, not a file";
	default:
		return strerror(number);
	}
}
