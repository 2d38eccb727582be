/* Where NATS is: a list of addresses. */
#ifndef MERELS_BUS_PLACE_H
#define MERELS_BUS_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Cuts a checked place, a copy that is the caller's, into its addresses: urls[0..count), `most` at most. Returns the
 * count.
 */
size_t place_split(char *place, const char **urls, size_t most);

/* Whether one of the addresses wants TLS. */
bool place_wants_tls(const char *place);

enum { PLACE_MOST = 64 };

#endif
