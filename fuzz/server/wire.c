#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "connection.h"
#include "fuzz.h"

enum { BUFFERED = 4096 }; /* a choked reader's connection takes so much, and the library keeps one message more */

struct lws {
	struct lws *next;
	struct lws **link;
	struct wire_owner *owner; /* of a WebSocket, once it is open */
	struct wire_answer *answer;
	struct wire_request request;
	char *path;
	void *user;
	void *opaque;
	uint64_t deadline; /* 0: none */
	unsigned depth;    /* callbacks under way */
	unsigned code;
	size_t rest;
	size_t unread; /* bytes, by a choked reader */
	bool final;
	bool binary;
	bool wants_to_write;
	bool deaf;
	bool choked;
	bool mute;
	bool pinged;
	bool partial;
	bool to_kill;
	bool completed;
	bool socket;
};

struct lws_context {
	void *user;
	int fd;
	uint64_t now;
	struct lws *first;
};

static struct lws_context context;

void wire_open(void *user, int fd)
{
	context = (struct lws_context){.user = user, .fd = fd, .now = context.now};
}

struct lws_context *wire_context(void)
{
	return &context;
}

/* ---- A connection ------------------------------------------------------------------------------------------- */

static struct lws *make(const struct wire_request *request, struct wire_answer *answer)
{
	struct lws *wsi = calloc(1, sizeof(*wsi));

	MUST(wsi != NULL);
	wsi->user = calloc(1, mrl__protocols[0].per_session_data_size);
	wsi->path = strdup(request->path);
	MUST(wsi->user != NULL && wsi->path != NULL);
	wsi->request = *request;
	wsi->request.path = wsi->path;
	wsi->answer = answer;
	answer->wsi = wsi;
	wsi->link = &context.first;
	wsi->next = context.first;
	if (wsi->next != NULL)
		wsi->next->link = &wsi->next;
	context.first = wsi;
	return wsi;
}

static int tell(struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t length)
{
	wsi->depth++;
	int code = mrl__protocols[0].callback(wsi, reason, wsi->user, in, length);

	wsi->depth--;
	return code;
}

/* Not from inside a callback of its own: libwebsockets would go on with what is freed. */
static void end(struct lws *wsi)
{
	MUST(wsi->depth == 0);
	*wsi->link = wsi->next;
	if (wsi->next != NULL)
		wsi->next->link = wsi->link;
	(void)tell(wsi, wsi->socket ? LWS_CALLBACK_CLOSED : LWS_CALLBACK_CLOSED_HTTP, NULL, 0);
	(void)tell(wsi, LWS_CALLBACK_WSI_DESTROY, NULL, 0);
	MUST(wsi->opaque == NULL);
	if (wsi->owner != NULL) {
		wsi->owner->code = wsi->code;
		wsi->owner->wsi = NULL;
		wsi->owner->gone(wsi->owner);
	}
	if (wsi->answer != NULL)
		wsi->answer->wsi = NULL;
	free(wsi->user);
	free(wsi->path);
	free(wsi);
}

/* Tells, and ends the connection when that is the answer. False: it is gone. */
static bool tell_or_end(struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t length)
{
	if (tell(wsi, reason, in, length) == 0 && !wsi->to_kill)
		return true;
	end(wsi);
	return false;
}

void wire_close(void)
{
	while (context.first != NULL)
		end(context.first);
}

void wire_hang_up(struct lws *wsi)
{
	if (wsi != NULL)
		end(wsi);
}

static bool is_there(const struct lws *wsi)
{
	for (const struct lws *at = context.first; at != NULL; at = at->next)
		if (at == wsi)
			return true;
	return false;
}

void wire_ask(const struct wire_request *request, struct wire_answer *answer)
{
	struct lws *wsi = make(request, answer);
	bool get = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;

	if (!tell_or_end(wsi, LWS_CALLBACK_HTTP, wsi->path, strlen(wsi->path)))
		return;
	if (get || request->body == NULL)
		return;
	/* In two pieces, as a network would have it; each a copy of its own size. */
	for (size_t at = 0, piece = request->body_length / 2; at < request->body_length;) {
		char *bytes = malloc(piece > 0 ? piece : 1);

		MUST(bytes != NULL);
		memcpy(bytes, request->body + at, piece);
		bool goes_on = piece == 0 || tell_or_end(wsi, LWS_CALLBACK_HTTP_BODY, bytes, piece);

		free(bytes);
		if (!goes_on)
			return;
		at += piece;
		piece = request->body_length - at;
	}
	(void)tell_or_end(wsi, LWS_CALLBACK_HTTP_BODY_COMPLETION, NULL, 0);
}

bool wire_socket(const struct wire_request *request, struct wire_owner *owner, struct wire_answer *answer)
{
	static char websocket[] = "websocket";
	struct lws *wsi = make(request, answer);

	wsi->socket = true;
	if (!tell_or_end(wsi, LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, websocket, sizeof(websocket) - 1))
		return false;
	answer->wsi = NULL;
	wsi->answer = NULL;
	wsi->owner = owner;
	owner->wsi = wsi;
	owner->code = 0;
	return tell_or_end(wsi, LWS_CALLBACK_ESTABLISHED, NULL, 0);
}

void wire_frame(struct lws *wsi, const char *bytes, size_t length, size_t rest, bool final, bool binary)
{
	/* Of its own size, so that a sanitizer sees a step beyond it. */
	char *copy = malloc(length > 0 ? length : 1);

	MUST(copy != NULL);
	if (length > 0)
		memcpy(copy, bytes, length);
	wsi->rest = rest;
	wsi->final = final;
	wsi->binary = binary;
	(void)tell_or_end(wsi, LWS_CALLBACK_RECEIVE, copy, length);
	free(copy);
}

void wire_pongs(void)
{
	char payload[] = "x";
	struct lws *next = NULL;

	for (struct lws *wsi = context.first; wsi != NULL; wsi = next) {
		next = wsi->next;
		if (wsi->owner != NULL && wsi->pinged && !wsi->mute && !wsi->to_kill) {
			wsi->pinged = false;
			MUST(tell(wsi, LWS_CALLBACK_RECEIVE_PONG, payload, 1) == 0);
		}
	}
}

void wire_mute(struct lws *wsi, bool mute)
{
	wsi->mute = mute;
}

void wire_choke(struct lws *wsi, bool choked)
{
	wsi->choked = choked;
	wsi->partial = wsi->partial && choked;
}

bool wire_listens(const struct lws *wsi)
{
	return !wsi->deaf;
}

/* One thing; false when there is nothing to do. */
static bool serve_one(void)
{
	for (struct lws *wsi = context.first; wsi != NULL; wsi = wsi->next) {
		if (wsi->to_kill || wsi->completed || (wsi->deadline != 0 && wsi->deadline <= context.now)) {
			end(wsi);
			return true;
		}
		if (wsi->wants_to_write && !wsi->choked) {
			wsi->wants_to_write = false;
			(void)tell_or_end(
			    wsi, wsi->socket ? LWS_CALLBACK_SERVER_WRITEABLE : LWS_CALLBACK_HTTP_WRITEABLE, NULL, 0);
			return true;
		}
	}
	return false;
}

bool wire_serve(uint64_t now)
{
	bool any = false;

	context.now = now;
	while (serve_one())
		any = true;
	return any;
}

/* ---- What a request says ------------------------------------------------------------------------------------ */

static const char *header(const struct lws *wsi, enum lws_token_indexes token, char length[24])
{
	const struct wire_request *request = &wsi->request;

	switch (token) {
	case WSI_TOKEN_GET_URI:
		return strcmp(request->method, "GET") == 0 ? request->path : NULL;
	case WSI_TOKEN_HEAD_URI:
		return strcmp(request->method, "HEAD") == 0 ? request->path : NULL;
	case WSI_TOKEN_POST_URI:
		return strcmp(request->method, "POST") == 0 ? request->path : NULL;
	case WSI_TOKEN_HTTP_URI_ARGS:
		return request->query;
	case WSI_TOKEN_HOST:
		return request->host;
	case WSI_TOKEN_ORIGIN:
		return request->origin;
	case WSI_TOKEN_HTTP_COOKIE:
		return request->cookie;
	case WSI_TOKEN_HTTP_AUTHORIZATION:
		return request->authorization;
	case WSI_TOKEN_X_FORWARDED_FOR:
		return request->forwarded;
	case WSI_TOKEN_HTTP_CONTENT_TYPE:
		return request->type;
	case WSI_TOKEN_HTTP_CONTENT_LENGTH:
		if (request->body == NULL)
			return NULL;
		(void)snprintf(length, 24, "%zu", request->body_length);
		return length;
	case WSI_TOKEN_VERSION:
		return wsi->socket ? "13" : NULL;
	case WSI_TOKEN_UPGRADE:
		return wsi->socket ? "websocket" : NULL;
	default:
		return NULL;
	}
}

int lws_hdr_total_length(struct lws *wsi, enum lws_token_indexes h)
{
	char length[24];
	const char *text = header(wsi, h, length);

	return text != NULL ? (int)strlen(text) : 0;
}

static int copy(const char *text, size_t length, char *dest, int len)
{
	if (len <= 0 || length >= (size_t)len)
		return -1;
	memcpy(dest, text, length);
	dest[length] = '\0';
	return (int)length;
}

int lws_hdr_copy(struct lws *wsi, char *dest, int len, enum lws_token_indexes h)
{
	char length[24];
	const char *text = header(wsi, h, length);

	/* As the library: an empty text when there is none. */
	return text != NULL ? copy(text, strlen(text), dest, len) : copy("", 0, dest, len);
}

static unsigned digit(char c)
{
	return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
	       : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
	       : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
				      : 16;
}

/* A pair of the query, decoded as the library does; %00 never gets so far. */
int lws_hdr_copy_fragment(struct lws *wsi, char *dest, int len, enum lws_token_indexes h, int frag_idx)
{
	char text[2048];
	char length[24];
	size_t size = 0;
	const char *at = header(wsi, h, length);

	if (at == NULL || at[0] == '\0')
		return -1;
	for (; frag_idx > 0; frag_idx--) {
		at = strchr(at, '&');
		if (at == NULL)
			return -1;
		at++;
	}
	for (; *at != '\0' && *at != '&' && size < sizeof(text) - 1; at++) {
		bool coded = at[0] == '%' && digit(at[1]) < 16 && digit(at[2]) < 16 && (at[1] != '0' || at[2] != '0');

		text[size++] = coded ? (char)(digit(at[1]) * 16 + digit(at[2])) : *at;
		at += coded ? 2 : 0;
	}
	return copy(text, size, dest, len);
}

int lws_hdr_custom_copy(struct lws *wsi, char *dst, int len, const char *name, int nlen)
{
	(void)wsi;
	(void)dst;
	(void)len;
	(void)name;
	(void)nlen;
	return -1;
}

int lws_http_get_uri_and_method(struct lws *wsi, char **puri_ptr, int *puri_len)
{
	*puri_ptr = wsi->path;
	*puri_len = (int)strlen(wsi->path);
	return 0;
}

/* ---- What is answered --------------------------------------------------------------------------------------- */

static int add(unsigned char **p, const unsigned char *end_of_room, const char *text, size_t length)
{
	if ((size_t)(end_of_room - *p) <= length)
		return 1;
	memcpy(*p, text, length);
	*p += length;
	return 0;
}

int lws_add_http_header_status(struct lws *wsi, unsigned int code, unsigned char **p, unsigned char *end_of_room)
{
	char text[32];

	(void)wsi;
	return add(p, end_of_room, text, (size_t)snprintf(text, sizeof(text), "HTTP/1.1 %u X\r\n", code & 0xffff));
}

int lws_add_http_header_by_name(struct lws *wsi, const unsigned char *name, const unsigned char *value, int length,
				unsigned char **p, unsigned char *end_of_room)
{
	(void)wsi;
	/* What ends a header must never come from outside. */
	MUST(memchr(value, '\n', (size_t)length) == NULL && memchr(value, '\r', (size_t)length) == NULL);
	return add(p, end_of_room, (const char *)name, strlen((const char *)name)) != 0 ||
	       add(p, end_of_room, (const char *)value, (size_t)length) != 0 || add(p, end_of_room, "\r\n", 2) != 0;
}

int lws_add_http_header_content_length(struct lws *wsi, lws_filepos_t content_length, unsigned char **p,
				       unsigned char *end_of_room)
{
	char text[64];

	(void)wsi;
	return add(p, end_of_room, text,
		   (size_t)snprintf(text, sizeof(text), "content-length:%llu\r\n", (unsigned long long)content_length));
}

int lws_finalize_http_header(struct lws *wsi, unsigned char **p, unsigned char *end_of_room)
{
	(void)wsi;
	return add(p, end_of_room, "\r\n", 2);
}

static void add_body(struct wire_answer *answer, const char *bytes, size_t length)
{
	char *moved = realloc(answer->body, answer->length + length + 1);

	MUST(moved != NULL);
	memcpy(moved + answer->length, bytes, length);
	answer->body = moved;
	answer->length += length;
	answer->body[answer->length] = '\0';
}

/* The server writes whole chunks. */
static void add_chunks(struct wire_answer *answer, const char *bytes, size_t length)
{
	while (length > 0) {
		char *digits_end = NULL;
		size_t size = strtoul(bytes, &digits_end, 16);
		size_t before = (size_t)(digits_end - bytes) + 2;

		MUST(before > 2 && digits_end[0] == '\r' && digits_end[1] == '\n' && before + size + 2 <= length);
		add_body(answer, bytes + before, size);
		answer->complete = size == 0;
		bytes += before + size + 2;
		length -= before + size + 2;
	}
}

static void answer_write(struct lws *wsi, const char *bytes, size_t length, bool head)
{
	struct wire_answer *answer = wsi->answer;

	if (!head && strstr(answer->head, "\r\ntransfer-encoding:chunked") != NULL) {
		add_chunks(answer, bytes, length);
		return;
	}
	if (!head) {
		add_body(answer, bytes, length);
		return;
	}
	MUST(answer->status == 0 && length < sizeof(answer->head));
	memcpy(answer->head, bytes, length);
	answer->head[length] = '\0';
	answer->status = (unsigned)strtoul(answer->head + 9, NULL, 10);
}

int lws_write(struct lws *wsi, unsigned char *buf, size_t len, enum lws_write_protocol protocol)
{
	unsigned kind = (unsigned)protocol & 0x1f;

	MUST(!wsi->partial);
	wsi->unread = wsi->choked ? wsi->unread + len : 0;
	wsi->partial = wsi->unread > BUFFERED;
	wsi->pinged = wsi->pinged || kind == LWS_WRITE_PING;
	if (kind == LWS_WRITE_PING || kind == LWS_WRITE_RAW)
		return (int)len;
	if (kind == LWS_WRITE_TEXT && wsi->owner != NULL)
		wsi->owner->text(wsi->owner, (const char *)buf, len);
	else
		answer_write(wsi, (const char *)buf, len, kind == LWS_WRITE_HTTP_HEADERS);
	return (int)len;
}

int lws_http_transaction_completed(struct lws *wsi)
{
	wsi->answer->complete = true;
	wsi->completed = true;
	return 0;
}

void lws_close_reason(struct lws *wsi, enum lws_close_status status, unsigned char *buf, size_t len)
{
	(void)buf;
	MUST(len <= 123);
	wsi->code = (unsigned)status;
}

void lws_set_timeout(struct lws *wsi, enum pending_timeout reason, int secs)
{
	if (secs == LWS_TO_KILL_SYNC)
		end(wsi);
	else if (secs == LWS_TO_KILL_ASYNC)
		wsi->to_kill = true;
	else
		wsi->deadline = reason == NO_PENDING_TIMEOUT ? 0 : context.now + (uint64_t)secs * 1000;
}

int lws_callback_on_writable(struct lws *wsi)
{
	MUST(is_there(wsi));
	wsi->wants_to_write = true;
	return 1;
}

int lws_rx_flow_control(struct lws *wsi, int enable)
{
	wsi->deaf = (enable & 1) == 0;
	return 0;
}

int lws_partial_buffered(struct lws *wsi)
{
	return wsi->partial;
}

int lws_send_pipe_choked(struct lws *wsi)
{
	return wsi->choked;
}

int lws_is_final_fragment(struct lws *wsi)
{
	return wsi->final;
}

int lws_frame_is_binary(struct lws *wsi)
{
	return wsi->binary;
}

size_t lws_remaining_packet_payload(struct lws *wsi)
{
	return wsi->rest;
}

/* ---- What belongs to what ----------------------------------------------------------------------------------- */

void *lws_context_user(struct lws_context *of)
{
	return of->user;
}

struct lws_context *lws_get_context(const struct lws *wsi)
{
	(void)wsi;
	return &context;
}

void lws_cancel_service(struct lws_context *of)
{
	(void)of;
}

void *lws_wsi_user(struct lws *wsi)
{
	return wsi->user;
}

void *lws_get_opaque_user_data(const struct lws *wsi)
{
	return wsi->opaque;
}

void lws_set_opaque_user_data(struct lws *wsi, void *data)
{
	wsi->opaque = data;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
	(void)wsi;
	return context.fd;
}

int lws_is_ssl(struct lws *wsi)
{
	(void)wsi;
	return 0;
}
