/* What a request says in its headers, read from libwebsockets while it has them: until the answer is begun. */
#ifndef MERELS_SERVER_REQUEST_H
#define MERELS_SERVER_REQUEST_H

#include <stdbool.h>

#include <libwebsockets.h>

#include "exchange.h"
#include "reply.h"
#include "secret.h"

enum mrl__method mrl__request_method(struct lws *wsi);

/* Copies a header; "" when there is none or it is too long. */
void mrl__request_header(struct lws *wsi, enum lws_token_indexes token, char *to, int size);

/*
 * Whether a request has a body, or may have one whose end nobody can tell. Only what goes to the interface may;
 * anything else is answered, and its connection ended.
 */
bool mrl__request_has_body(struct lws *wsi);

/* The query, its pairs separated by &; false when it is too long. */
bool mrl__request_query(struct lws *wsi, char query[MRL__QUERY_SIZE]);

/* The secret of an Authorization header or of our cookie. False when there is an Authorization that is none of ours. */
bool mrl__request_secret(struct lws *wsi, unsigned char hash[MRL__HASH_SIZE], bool *has, bool *by_token);

/* Whether the request comes from a page of this server: its Origin has the host that the request was sent to. */
bool mrl__request_is_own(struct lws *wsi);

/* The length of the body of a POST; -1 when it is not said as it must be. */
long mrl__request_length(struct lws *wsi);

#endif
