#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_ORIGIN = 300, MOST_COOKIES = 8193 }; /* no headers are longer in all */

enum mrl__method mrl__request_method(struct lws *wsi)
{
	if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0)
		return MRL__GET;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0)
		return MRL__HEAD;
	return MRL__OTHER_METHOD;
}

/* Copies a header; "" when there is none or it is too long. */
void mrl__request_header(struct lws *wsi, enum lws_token_indexes token, char *to, int size)
{
	if (lws_hdr_copy(wsi, to, size, token) < 0)
		to[0] = '\0';
}

/*
 * Whether a request has a body, or may have one whose end nobody can tell. Only what goes to the interface may;
 * anything else is answered, and its connection ended.
 */
bool mrl__request_has_body(struct lws *wsi)
{
	char length[8];

	if (mrl__request_method(wsi) == MRL__OTHER_METHOD ||
	    lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
		return true;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0)
		return false;
	mrl__request_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof(length));
	return strcmp(length, "0") != 0;
}

/* libwebsockets has decoded the pairs. */
bool mrl__request_query(struct lws *wsi, char query[MRL__QUERY_SIZE])
{
	size_t length = 0;

	query[0] = '\0';
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS) >= MRL__QUERY_SIZE)
		return false;
	for (int i = 0;; i++) {
		char pair[MRL__QUERY_SIZE];
		int size = lws_hdr_copy_fragment(wsi, pair, sizeof(pair), WSI_TOKEN_HTTP_URI_ARGS, i);

		if (size < 0)
			return true;
		/* An & inside of a value, which came as %26, would make two of it. */
		for (char *at = pair; *at != '\0'; at++)
			*at = *at == '&' ? ' ' : *at == '+' ? ' ' : *at;
		if (length + (size_t)size + 2 > MRL__QUERY_SIZE)
			return false;
		length +=
		    (size_t)snprintf(query + length, MRL__QUERY_SIZE - length, "%s%s", length > 0 ? "&" : "", pair);
	}
}

/* The secret of an Authorization header or of our cookie. False when there is an Authorization that is none of ours. */
bool mrl__request_secret(struct lws *wsi, unsigned char hash[MRL__HASH_SIZE], bool *has, bool *by_token)
{
	static const char bearer[] = "Bearer ";
	static const char name[] = "merels=";
	char text[MOST_COOKIES];

	*has = false;
	*by_token = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0;
	if (*by_token) {
		mrl__request_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, text, sizeof(text));
		*has = strncmp(text, bearer, sizeof(bearer) - 1) == 0 &&
		       mrl__secret_hash(text + sizeof(bearer) - 1, strlen(text + sizeof(bearer) - 1), hash);
		return *has;
	}
	mrl__request_header(wsi, WSI_TOKEN_HTTP_COOKIE, text, sizeof(text));
	for (const char *at = text; *at != '\0';) {
		size_t length = strcspn(at, "; ");

		if (length > sizeof(name) - 1 && strncmp(at, name, sizeof(name) - 1) == 0)
			*has = mrl__secret_hash(at + sizeof(name) - 1, length - (sizeof(name) - 1), hash);
		at += length;
		at += strspn(at, "; ");
	}
	return true;
}

/* Whether the request comes from a page of this server: its Origin has the host that the request was sent to. */
bool mrl__request_is_own(struct lws *wsi)
{
	char origin[MOST_ORIGIN];
	char host[MOST_ORIGIN];

	mrl__request_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof(origin));
	mrl__request_header(wsi, WSI_TOKEN_HOST, host, sizeof(host));
	const char *slashes = strstr(origin, "://");

	return slashes != NULL && host[0] != '\0' && strcasecmp(slashes + 3, host) == 0;
}

/* The length of the body of a POST; -1 when it is not said as it must be. */
long mrl__request_length(struct lws *wsi)
{
	char text[16];
	char *end = NULL;

	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
		return -1;
	mrl__request_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof(text));
	if (text[0] < '0' || text[0] > '9')
		return -1;
	long length = strtol(text, &end, 10);

	return *end == '\0' ? length : -1;
}
