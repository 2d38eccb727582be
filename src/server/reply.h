/*
 * What is answered to a request, decided without a socket: the one place that knows which URLs there are. Thread-safe,
 * no memory: a reply points into the assets and into constants.
 */
#ifndef MERELS_SERVER_REPLY_H
#define MERELS_SERVER_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "assets.h"

enum mrl__method { MRL__GET, MRL__HEAD, MRL__OTHER_METHOD };

struct mrl__request {
	enum mrl__method method;
	const char *path; /* decoded, without the query; not ended by a 0 */
	size_t path_length;
	const char *accept_encoding; /* the header, or "" */
	const char *if_none_match;   /* the header, or "" */
	bool has_body;
	bool upgrade; /* wants to leave HTTP for something else */
};

struct mrl__reply {
	unsigned status;
	const char *type;     /* Content-Type; NULL when there is no body to describe */
	const char *encoding; /* Content-Encoding; NULL for none */
	const char *tag;      /* ETag; NULL for none */
	const char *caching;  /* Cache-Control */
	const char *allow;    /* Allow; NULL for none */
	const char *cookie;   /* Set-Cookie; NULL for none */
	unsigned retry_after; /* Retry-After in seconds; 0 for none */
	bool varies;          /* another Accept-Encoding may get another answer */
	const char *body;     /* what Content-Length counts */
	size_t length;
	bool is_part;    /* of a page, and never one by itself: goes without the headers of pages */
	bool sends_body; /* false: only the headers go out */
	bool pieces;     /* the body comes piece by piece, and nobody knows how long it will be */
};

/* Fills in the reply. */
void mrl__reply(const struct mrl__assets *assets, const struct mrl__request *request, struct mrl__reply *reply);

#endif
