/* Shared libraries that are loaded only when somebody needs them: what nobody uses costs nothing. Thread-safe. */
#ifndef MERELS_OS_LIBRARY_H
#define MERELS_OS_LIBRARY_H

/* Loads a library by its name ("libpq.so.5"), or finds it loaded; it stays until the process ends. NULL when it cannot
 * be had. */
void *mrl_library_open(const char *name);

/* Any function: the caller knows its type. */
typedef void mrl_library_function(void);

/* NULL when the library has none of this name. */
mrl_library_function *mrl_library_find(void *library, const char *name);

#endif
