#include "library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *mrl_library_open(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

mrl_library_function *mrl_library_find(void *library, const char *name)
{
	void *found = dlsym(library, name);
	mrl_library_function *function = NULL;

	/* POSIX promises that a function's address fits, C has no cast for it. */
	_Static_assert(sizeof(found) == sizeof(function), "functions have other addresses than data here");
	memcpy(&function, &found, sizeof(function));
	return function;
}
