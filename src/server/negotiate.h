/* What a client says it takes and what it has already, read from its headers. Thread-safe, no memory. */
#ifndef MERELS_SERVER_NEGOTIATE_H
#define MERELS_SERVER_NEGOTIATE_H

#include <stdbool.h>

#include "assets.h"

/*
 * The best form of the asset that an Accept-Encoding header allows ("" when there was none): Brotli before gzip before
 * none, as long as the client's weight for it is not 0. A client that refuses all there is gets it plain.
 */
enum mrl__coding mrl__negotiate_coding(const struct mrl__asset *asset, const char *accept);

/* The coding's name in Content-Encoding; NULL for none. */
const char *mrl__coding_name(enum mrl__coding coding);

/* True when an If-None-Match header ("" when there was none) names the tag, weakly or not, or is "*". */
bool mrl__negotiate_has(const char *if_none_match, const char *tag);

#endif
