/* What a file of the web client is, told from its name. Thread-safe. */
#ifndef MERELS_SERVER_MEDIA_H
#define MERELS_SERVER_MEDIA_H

#include <stdbool.h>

/* The Content-Type for a file of this name; "application/octet-stream" when its ending is not known. */
const char *mrl__media_type(const char *name);

/*
 * True when the name holds a hash of the content, as bundlers write it: "assets/app-X3K7QW2B.js". Such a file never
 * changes. The hash is the last part between a dash or dot and the ending: at least 8 letters or digits, with a digit
 * among them or no small letter, so that "board-geometry.js" is none.
 */
bool mrl__media_is_hashed(const char *name);

#endif
