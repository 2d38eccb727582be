#include "names.h"

#include <string.h>
#include <strings.h>

#include "secret.h"

enum { NAME_LEAST = 2, PASSWORD_LEAST = 8 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

bool mrl__name_is_good(const char *name)
{
	size_t length = strlen(name);

	return length >= NAME_LEAST && length <= MRL__NAME_MOST && strchr(LETTERS, name[0]) != NULL &&
	       strspn(name, LETTERS "0123456789_-") == length;
}

bool mrl__name_is_reserved(const char *name)
{
	static const char *const names[] = {"deleted", "guest", "computer", "merels"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

bool mrl__password_is_good(const char *password)
{
	return strlen(password) >= PASSWORD_LEAST && strlen(password) <= MRL__PASSWORD_MOST;
}
