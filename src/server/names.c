#include "names.h"

#include <string.h>

#include "secret.h"

enum { NAME_LEAST = 2, PASSWORD_LEAST = 8 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

bool mrl__name_is_good(const char *name)
{
	size_t length = strlen(name);

	return length >= NAME_LEAST && length <= MRL__NAME_MOST && strchr(LETTERS, name[0]) != NULL &&
	       strspn(name, LETTERS "0123456789_-") == length;
}

bool mrl__password_is_good(const char *password)
{
	return strlen(password) >= PASSWORD_LEAST && strlen(password) <= MRL__PASSWORD_MOST;
}
