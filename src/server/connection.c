/*
 * The HTTP side of a connection. libwebsockets parses requests, keeps connections alive and ends idle ones; here a
 * request is handed to mrl__reply() and its answer written, a piece each time the socket has room.
 */
#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reply.h"
#include "server_internal.h"

enum {
	SEND_SECONDS = 20,   /* a reader who takes nothing for this long is dropped */
	HEADERS_SIZE = 2048, /* all headers of an answer */
	MOST_ACCEPT = 512,   /* an Accept-Encoding longer than this counts as none */
	MOST_TAGS = 1024     /* as does an If-None-Match */
};

/* What is left to send of a reply. libwebsockets gives each request a fresh one, zeroed. */
struct sending {
	struct mrl__wait wait;
	const char *next;
	size_t left;
	bool close; /* afterwards */
};

static struct mrl__server *server_of(struct lws *wsi)
{
	return lws_context_user(lws_get_context(wsi));
}

/* ---- Reading a request -------------------------------------------------------------------------------------- */

static enum mrl__method method_of(struct lws *wsi)
{
	if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0)
		return MRL__GET;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0)
		return MRL__HEAD;
	return MRL__OTHER_METHOD;
}

/* Copies a header; "" when there is none or it is too long. */
static void copy_header(struct lws *wsi, enum lws_token_indexes token, char *to, int size)
{
	if (lws_hdr_copy(wsi, to, size, token) < 0)
		to[0] = '\0';
}

/*
 * Whether a request has a body, or may have one whose end nobody can tell. libwebsockets 4.1 loses its place when such
 * a request comes pipelined behind another, so none is let through: it is answered, and its connection ended.
 */
static bool has_body(struct lws *wsi)
{
	char length[8];

	if (method_of(wsi) == MRL__OTHER_METHOD || lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
		return true;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0)
		return false;
	copy_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof(length));
	return strcmp(length, "0") != 0;
}

/* ---- Writing a reply ---------------------------------------------------------------------------------------- */

struct headers {
	struct lws *wsi;
	unsigned char *start;
	unsigned char *at;
	unsigned char *end;
	bool good;
};

static void add(struct headers *headers, const char *name, const char *value)
{
	if (value != NULL &&
	    lws_add_http_header_by_name(headers->wsi, (const unsigned char *)name, (const unsigned char *)value,
					(int)strlen(value), &headers->at, headers->end) != 0)
		headers->good = false;
}

static void add_date(struct headers *headers)
{
	static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	time_t now = time(NULL);
	const struct tm *utc = gmtime(&now);
	char text[64];

	if (utc == NULL)
		return;
	(void)snprintf(text, sizeof(text), "%s, %02d %s %d %02d:%02d:%02d GMT", days[utc->tm_wday], utc->tm_mday,
		       months[utc->tm_mon], utc->tm_year + 1900, utc->tm_hour, utc->tm_min, utc->tm_sec);
	add(headers, "date:", text);
}

/* Sends the status and the headers; false when the connection is lost. */
static bool send_headers(struct lws *wsi, const struct mrl__reply *reply, bool close)
{
	unsigned char buffer[LWS_PRE + HEADERS_SIZE];
	struct headers headers = {wsi, buffer + LWS_PRE, buffer + LWS_PRE, buffer + sizeof(buffer), true};
	int flags = LWS_WRITE_HTTP_HEADERS;

	if (lws_add_http_header_status(wsi, reply->status, &headers.at, headers.end) != 0)
		return false;
	add_date(&headers);
	add(&headers, "content-type:", reply->type);
	add(&headers, "content-encoding:", reply->encoding);
	add(&headers, "etag:", reply->tag);
	add(&headers, "cache-control:", reply->caching);
	add(&headers, "vary:", reply->varies ? "accept-encoding" : NULL);
	add(&headers, "allow:", reply->allow);
	add(&headers, "connection:", close ? "close" : NULL);
	if (reply->status != 304 &&
	    lws_add_http_header_content_length(wsi, reply->length, &headers.at, headers.end) != 0)
		headers.good = false;
	if (!headers.good || lws_finalize_http_header(wsi, &headers.at, headers.end) != 0)
		return false;
	if (!reply->sends_body || reply->length == 0)
		flags |= LWS_WRITE_H2_STREAM_END;
	size_t length = (size_t)(headers.at - headers.start);

	return lws_write(wsi, headers.start, length, (enum lws_write_protocol)flags) == (int)length;
}

/* Hands the next piece to the socket; false when the connection is lost. */
static bool send_piece(struct lws *wsi, struct sending *sending)
{
	struct mrl__server *server = server_of(wsi);
	size_t length = sending->left < MRL__SEND_SIZE ? sending->left : MRL__SEND_SIZE;
	bool last = length == sending->left;

	memcpy(server->out + LWS_PRE, sending->next, length);
	if (lws_write(wsi, server->out + LWS_PRE, length, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
		return false;
	sending->next += length;
	sending->left -= length;
	return true;
}

/* The body is out, or will never be. */
static void stop_sending(struct lws *wsi, struct sending *sending)
{
	struct mrl__server *server = server_of(wsi);

	if (sending == NULL || sending->next == NULL)
		return;
	sending->next = NULL;
	mrl__waiting_remove(&sending->wait);
	server->busy--;
	if (server->busy == 0 && server->stopping)
		mrl__server_idle(server);
}

/* What a callback returns once all is sent: 0 keeps the connection, -1 ends it. */
static int finish(struct lws *wsi, bool close)
{
	return close || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

/*
 * Sends as much as the socket takes; called again when it takes more. Returns what the callback is to return. A reply
 * is through only when the socket would take yet more, so that the connection never waits where nobody looks.
 */
static int go_on(struct lws *wsi, struct sending *sending)
{
	if (sending->left > 0 && !send_piece(wsi, sending))
		return -1;
	if (sending->left > 0 || lws_partial_buffered(wsi) != 0 || lws_send_pipe_choked(wsi) != 0) {
		mrl__waiting_add(&server_of(wsi)->waiting, &sending->wait, wsi);
		lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SEND_SECONDS);
		(void)lws_callback_on_writable(wsi);
		return 0;
	}
	bool close = sending->close;

	stop_sending(wsi, sending);
	return finish(wsi, close);
}

/* ---- The life of a connection ------------------------------------------------------------------------------- */

static void decide(struct lws *wsi, const char *path, size_t length, bool upgrade, struct mrl__reply *reply)
{
	struct mrl__server *server = server_of(wsi);
	char accept[MOST_ACCEPT];
	char tags[MOST_TAGS];

	copy_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accept, sizeof(accept));
	copy_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, tags, sizeof(tags));
	const struct mrl__request request = {
	    .method = method_of(wsi),
	    .path = path,
	    .path_length = length,
	    .accept_encoding = accept,
	    .if_none_match = tags,
	    .has_body = has_body(wsi),
	    .upgrade = upgrade,
	};

	mrl__reply(&server->assets, &request, reply);
	mrl_log(&server->log, MRL_LOG_DEBUG, "%u %.*s", reply->status, (int)length, path);
}

/* Sends all of a reply at once, what the socket does not take being kept by libwebsockets, and ends the connection. */
static int answer_and_end(struct lws *wsi, const struct mrl__reply *reply)
{
	if (!send_headers(wsi, reply, true) || !reply->sends_body || reply->length == 0)
		return -1;
	unsigned char *whole = malloc(LWS_PRE + reply->length);

	if (whole != NULL) {
		memcpy(whole + LWS_PRE, reply->body, reply->length);
		(void)lws_write(wsi, whole + LWS_PRE, reply->length, LWS_WRITE_HTTP_FINAL);
		free(whole);
	}
	return -1;
}

static int on_request(struct lws *wsi, struct sending *sending, const char *path, size_t length)
{
	struct mrl__server *server = server_of(wsi);
	struct mrl__reply reply;

	decide(wsi, path, length, false, &reply);
	if (has_body(wsi))
		return answer_and_end(wsi, &reply);
	if (!send_headers(wsi, &reply, server->stopping))
		return -1;
	sending->next = reply.body;
	sending->left = reply.sends_body ? reply.length : 0;
	sending->close = server->stopping;
	server->busy++;
	return go_on(wsi, sending);
}

/*
 * A request to leave HTTP. There is nothing else here to go to yet: who wants a WebSocket finds none, and who would
 * rather speak HTTP/2 gets the page as if he had not said so. libwebsockets has no way back from here to its
 * usual course, so the connection ends with the answer.
 */
static int on_upgrade(struct lws *wsi, const char *to)
{
	struct mrl__reply reply;
	char *path = NULL;
	int length = 0;

	/* After an upgrade unknown to it libwebsockets has answered itself, and `to` is gone with the request. */
	if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) == 0 || lws_http_get_uri_and_method(wsi, &path, &length) < 0 ||
	    path == NULL)
		return -1;
	decide(wsi, path, (size_t)length, strcmp(to, "h2c") != 0, &reply);
	return answer_and_end(wsi, &reply);
}

/* What came is no HTTP, or a method nobody has heard of: one answer that fits both, and good bye. */
static int on_noise(struct lws *wsi)
{
	static const char answer[] = "HTTP/1.1 400 Bad Request\r\n"
				     "content-type: text/plain; charset=utf-8\r\n"
				     "content-length: 29\r\n"
				     "connection: close\r\n"
				     "\r\n"
				     "This server speaks HTTP/1.1.\n";
	unsigned char buffer[LWS_PRE + sizeof(answer)];

	memcpy(buffer + LWS_PRE, answer, sizeof(answer) - 1);
	(void)lws_write(wsi, buffer + LWS_PRE, sizeof(answer) - 1, LWS_WRITE_RAW);
	return -1;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct sending *sending = user;

	switch (reason) {
	case LWS_CALLBACK_HTTP:
		return on_request(wsi, sending, in, length);
	case LWS_CALLBACK_HTTP_WRITEABLE:
		return sending != NULL && sending->next != NULL ? go_on(wsi, sending) : 0;
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
		return on_upgrade(wsi, in);
	case LWS_CALLBACK_RAW_RX:
		return on_noise(wsi);
	case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
	case LWS_CALLBACK_CLOSED_HTTP:
		stop_sending(wsi, sending);
		return 0;
	default:
		return 0;
	}
}

const struct lws_protocols mrl__protocols[] = {
    {.name = "http",
     .callback = on_event,
     .per_session_data_size = sizeof(struct sending),
     .tx_packet_size = 2 * MRL__SEND_SIZE},
    {0},
};
