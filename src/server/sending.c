#include "sending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <os/socket.h>

#include "connection.h"
#include "line.h"
#include "server_internal.h"

enum {
	SEND_SECONDS = 20,   /* a reader who takes nothing for this long is dropped */
	HEADERS_SIZE = 2048, /* all headers of an answer */
	CHUNK_ROOM = 24      /* what stands around a chunk */
};

static struct mrl__server *server_of(struct lws *wsi)
{
	return lws_context_user(lws_get_context(wsi));
}

/* ---- Headers ------------------------------------------------------------------------------------------------ */

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

static void add_retry(struct headers *headers, unsigned seconds)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", seconds);
	add(headers, "retry-after:", seconds > 0 ? text : NULL);
}

/* Sends the status and the headers; false when the connection is lost. */
static bool send_headers(struct lws *wsi, const struct mrl__reply *reply, bool close)
{
	unsigned char buffer[LWS_PRE + HEADERS_SIZE];
	struct headers headers = {wsi, buffer + LWS_PRE, buffer + LWS_PRE, buffer + sizeof(buffer), true};
	int flags = LWS_WRITE_HTTP_HEADERS;

	if (lws_add_http_header_status(wsi, reply->status, &headers.at, headers.end) != 0)
		return false;
	/* Of a request to become a WebSocket libwebsockets has not noted the version; clients of those want this one.
	 */
	if (memcmp(headers.start, "HTTP/1.0", 8) == 0)
		headers.start[7] = '1';
	if (!reply->is_part)
		for (const struct lws_protocol_vhost_options *each = &mrl__document_header; each != NULL;
		     each = each->next)
			add(&headers, each->name, each->value);
	add_date(&headers);
	add(&headers, "content-type:", reply->type);
	add(&headers, "content-encoding:", reply->encoding);
	add(&headers, "etag:", reply->tag);
	add(&headers, "cache-control:", reply->caching);
	add(&headers, "vary:", reply->varies ? "accept-encoding" : NULL);
	add(&headers, "allow:", reply->allow);
	add(&headers, "set-cookie:", reply->cookie);
	add_retry(&headers, reply->retry_after);
	add(&headers, "connection:", close ? "close" : NULL);
	if (reply->pieces)
		add(&headers, "transfer-encoding:", "chunked");
	else if (reply->status != 304 &&
		 lws_add_http_header_content_length(wsi, reply->length, &headers.at, headers.end) != 0)
		headers.good = false;
	if (!headers.good || lws_finalize_http_header(wsi, &headers.at, headers.end) != 0)
		return false;
	if (!reply->sends_body || (reply->length == 0 && !reply->pieces))
		flags |= LWS_WRITE_H2_STREAM_END;
	size_t length = (size_t)(headers.at - headers.start);

	return lws_write(wsi, headers.start, length, (enum lws_write_protocol)flags) == (int)length;
}

/* ---- The body ----------------------------------------------------------------------------------------------- */

/* Hands what is next to the socket; false when the connection is lost. */
static bool hand_out(struct lws *wsi, struct mrl__sending *sending)
{
	unsigned char *out = server_of(wsi)->out + LWS_PRE;
	size_t room = MRL__SEND_SIZE - (sending->chunked ? CHUNK_ROOM : 0);
	size_t length = sending->left < room ? sending->left : room;
	bool last = length == sending->left && sending->last;
	size_t at = 0;

	if (sending->chunked && length > 0)
		at = (size_t)snprintf((char *)out, CHUNK_ROOM, "%zx\r\n", length);
	if (length > 0)
		memcpy(out + at, sending->next, length);
	at += length;
	if (sending->chunked && length > 0) {
		memcpy(out + at, "\r\n", 2);
		at += 2;
	}
	if (sending->chunked && last) {
		memcpy(out + at, "0\r\n\r\n", 5);
		at += 5;
	}
	if (at > 0 && lws_write(wsi, out, at, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
		return false;
	if (length > 0)
		sending->next += length;
	sending->left -= length;
	if (last)
		sending->chunked = false;
	return true;
}

void mrl__send_stop(struct lws *wsi, struct mrl__sending *sending)
{
	struct mrl__server *server = server_of(wsi);

	if (sending == NULL)
		return;
	struct mrl__exchange *exchange = sending->exchange;
	bool file = sending->on && exchange == NULL;

	mrl__waiting_remove(&sending->wait);
	sending->on = false;
	sending->exchange = NULL;
	if (exchange != NULL)
		mrl__exchange_leave(exchange);
	if (file) {
		mrl__web_drop(sending->web);
		sending->web = NULL;
		mrl__server_less_busy(server);
	}
}

int mrl__send_on(struct lws *wsi, struct mrl__sending *sending)
{
	if ((sending->left > 0 || (sending->chunked && sending->last)) && !hand_out(wsi, sending))
		return -1;
	if (sending->left > 0 || lws_partial_buffered(wsi) != 0 || lws_send_pipe_choked(wsi) != 0) {
		/*
		 * A reply is through only when the socket would take yet more, so that the connection never waits where
		 * nobody looks.
		 */
		(void)lws_rx_flow_control(wsi, 1);
		mrl__waiting_add(&server_of(wsi)->waiting, &sending->wait, wsi);
		lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SEND_SECONDS);
		(void)lws_callback_on_writable(wsi);
		return 0;
	}
	if (!sending->last) {
		/* Waits for the next piece, not for the reader. */
		mrl__waiting_remove(&sending->wait);
		lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
		mrl__json_reset(&sending->exchange->out);
		sending->exchange->more(sending->exchange);
		return 0;
	}
	bool close = sending->close;

	if (sending->exchange != NULL)
		(void)lws_rx_flow_control(wsi, 1);
	mrl__send_stop(wsi, sending);
	mrl__line_request_over(wsi);
	return close || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

int mrl__send_begin(struct lws *wsi, struct mrl__sending *sending, const struct mrl__reply *reply, bool close)
{
	if (!send_headers(wsi, reply, close))
		return -1;
	sending->next = reply->body;
	sending->left = reply->sends_body ? reply->length : 0;
	sending->close = close;
	sending->chunked = reply->pieces && reply->sends_body;
	sending->last = !reply->pieces || !reply->sends_body;
	sending->on = true;
	if (sending->exchange == NULL) {
		server_of(wsi)->busy++;
		sending->web = server_of(wsi)->web;
		mrl__web_hold(sending->web);
	}
	return mrl__send_on(wsi, sending);
}

int mrl__send_piece(struct lws *wsi, struct mrl__sending *sending, const char *piece, size_t length, bool last)
{
	sending->next = piece;
	sending->left = length;
	sending->last = last;
	return mrl__send_on(wsi, sending);
}

int mrl__send_and_end(struct lws *wsi, const struct mrl__reply *reply)
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
