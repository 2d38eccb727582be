/* A folder of a test's own, with the web client that the tests of the server serve. */
#ifndef MERELS_TESTS_FOLDER_H
#define MERELS_TESTS_FOLDER_H

#include <stddef.h>

#define FOLDER_SIZE 256

/* Makes an empty folder and says where. */
void folder_make(char path[FOLDER_SIZE]);

/* Writes a file in it, with the folders on the way. */
void folder_put(const char *path, const char *name, const void *bytes, size_t length);
void folder_put_text(const char *path, const char *name, const char *text);

/* Takes it away with all that is in it. */
void folder_remove(const char *path);

#endif
