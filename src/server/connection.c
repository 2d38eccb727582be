/*
 * A connection as libwebsockets tells of it, which parses requests, keeps connections alive and ends idle ones. Files
 * are answered by mrl__reply() at once; a request to the interface becomes an exchange, which answers when it can; a
 * WebSocket becomes a peer.
 */
#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "line.h"
#include "peer.h"
#include "request.h"
#include "routes.h"
#include "sending.h"
#include "server_internal.h"

enum {
	MOST_ACCEPT = 512, /* an Accept-Encoding longer than this counts as none */
	MOST_TAGS = 1024   /* as does an If-None-Match */
};

static const char socket_path[] = "/api/v1/socket";

static struct mrl__server *server_of(struct lws *wsi)
{
	return lws_context_user(lws_get_context(wsi));
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

static void decide(struct lws *wsi, const char *path, size_t length, bool upgrade, struct mrl__reply *reply)
{
	struct mrl__server *server = server_of(wsi);
	char accept[MOST_ACCEPT];
	char tags[MOST_TAGS];

	mrl__request_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accept, sizeof(accept));
	mrl__request_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, tags, sizeof(tags));
	const struct mrl__request request = {
	    .method = mrl__request_method(wsi),
	    .path = path,
	    .path_length = length,
	    .accept_encoding = accept,
	    .if_none_match = tags,
	    .has_body = mrl__request_has_body(wsi),
	    .upgrade = upgrade,
	};

	mrl__reply(&server->web->assets, &request, reply);
	mrl_log(&server->log, MRL_LOG_DEBUG, "%u %.*s", reply->status, (int)length, path);
}

static int on_file_request(struct lws *wsi, struct mrl__sending *sending, const char *path, size_t length)
{
	struct mrl__reply reply;

	decide(wsi, path, length, false, &reply);
	if (mrl__request_has_body(wsi))
		return mrl__send_and_end(wsi, &reply);
	return mrl__send_begin(wsi, sending, &reply, server_of(wsi)->stopping);
}

/* ---- The interface ------------------------------------------------------------------------------------------ */

/* An answer that needs nobody, and ends the connection, as a body may follow that nobody reads. */
static int refuse(struct lws *wsi, unsigned status, const char *code, const char *text, const char *allow)
{
	struct mrl__json json = {0};

	mrl__json_open(&json, NULL);
	mrl__json_open(&json, "error");
	mrl__json_text(&json, "code", code);
	mrl__json_text(&json, "text", text);
	mrl__json_close(&json);
	mrl__json_close(&json);
	const struct mrl__reply reply = {.status = status,
					 .type = "application/json",
					 .caching = "no-store",
					 .allow = allow,
					 .body = json.data,
					 .length = json.failed ? 0 : json.length,
					 .sends_body = mrl__request_method(wsi) != MRL__HEAD};
	int code_of_callback = mrl__send_and_end(wsi, &reply);

	mrl__json_release(&json);
	return code_of_callback;
}

/* What is wrong with the body that a POST announces: the callback's answer in `code`; false when nothing is. */
static bool refuse_body(struct lws *wsi, long length, int *code)
{
	static const char json[] = "application/json";
	char type[128];

	mrl__request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof(type));
	if (mrl__line_is_pipelined(wsi))
		*code =
		    refuse(wsi, 400, "pipelined", "A POST must wait for the answer to what was asked before.", NULL);
	else if (length < 0)
		*code = refuse(wsi, 411, "no-length", "A POST needs a Content-Length, which may be 0.", NULL);
	else if (length > MRL__BODY_MOST)
		*code = refuse(wsi, 413, "too-large", "A body has at most 16384 bytes.", NULL);
	else if (length > 0 && strncasecmp(type, json, sizeof(json) - 1) != 0)
		*code = refuse(wsi, 415, "not-json", "The body must have the Content-Type application/json.", NULL);
	else
		return false;
	return true;
}

/* The exchange has something to send: its answer, or the next piece of it. */
static int send_answer(struct lws *wsi, struct mrl__sending *sending)
{
	struct mrl__exchange *exchange = sending->exchange;

	if (sending->on) {
		if (!sending->last && sending->left == 0 && exchange->out.length > 0) {
			/* What was written is sent from where it is, and written over only when `more` is called. */
			return mrl__send_piece(wsi, sending, exchange->out.data, exchange->out.length, exchange->ended);
		}
		if (!sending->last && sending->left == 0 && exchange->ended)
			return mrl__send_piece(wsi, sending, NULL, 0, true);
		return sending->left > 0 || sending->last ? mrl__send_on(wsi, sending) : 0;
	}
	const struct mrl__reply reply = {.status = exchange->status,
					 .type = exchange->type,
					 .caching = "no-store",
					 .cookie = exchange->cookie[0] != '\0' ? exchange->cookie : NULL,
					 .retry_after = exchange->retry_after,
					 .body = exchange->out.data,
					 .length = exchange->out.length,
					 .sends_body = mrl__request_method(wsi) != MRL__HEAD,
					 .pieces = exchange->more != NULL};

	return mrl__send_begin(wsi, sending, &reply, server_of(wsi)->stopping);
}

/* The whole request is there. Returns what the callback is to return. */
static int run(struct lws *wsi, struct mrl__sending *sending)
{
	struct mrl__exchange *exchange = sending->exchange;

	exchange->at_once = true;
	mrl__exchange_run(exchange);
	exchange->at_once = false;
	if (exchange->answered)
		return send_answer(wsi, sending);
	/*
	 * What comes now is not read before the answer is out. libwebsockets 4.1 then sends nothing by itself either,
	 * so the answer is written as soon as it is there, without being asked.
	 */
	(void)lws_rx_flow_control(wsi, 0);
	return 0;
}

static int on_interface_request(struct lws *wsi, struct mrl__sending *sending, const char *path, size_t length)
{
	struct mrl__server *server = server_of(wsi);
	enum mrl__method method = mrl__request_method(wsi);
	bool post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0;
	char parameter[MRL__PARAMETER_SIZE] = "";
	char query[MRL__QUERY_SIZE];
	char address[64];
	bool other = false;
	int code = -1;

	mrl_log(&server->log, MRL_LOG_DEBUG, "%s %.*s", post ? "POST" : "GET", (int)length, path);
	if (method == MRL__OTHER_METHOD && !post)
		return refuse(wsi, 405, "method", "There is GET, HEAD and POST.", "GET, HEAD, POST");
	const struct mrl__route *route = mrl__route_find(path, length, post, parameter, &other);

	if (route == NULL && other)
		return refuse(wsi, 405, "method", post ? "Here one can only look." : "This is a POST.",
			      post ? "GET, HEAD" : "POST");
	if (route == NULL)
		return refuse(wsi, 404, "not-found", "There is no such request; docs/PROTOCOL.md has those there are.",
			      NULL);
	if (!post && mrl__request_has_body(wsi))
		return refuse(wsi, 400, "bad-request", "A request to look at something has no body.", NULL);
	long body = post ? mrl__request_length(wsi) : 0;

	if (post && refuse_body(wsi, body, &code))
		return code;
	if (!mrl__request_query(wsi, query))
		return refuse(wsi, 414, "too-large", "A query has at most 1023 bytes.", NULL);
	struct mrl__exchange *exchange = mrl__exchange_new(server, wsi, route);

	if (exchange == NULL)
		return -1;
	sending->exchange = exchange;
	memcpy(exchange->parameter, parameter, sizeof(parameter));
	memcpy(exchange->query, query, sizeof(query));
	mrl__line_address(wsi, server->settings->trust_proxy, address, sizeof(address), &exchange->secure);
	exchange->is_local =
	    mrl__address_in(address, "127.0.0.0/8,::1") || mrl__address_in(address, server->settings->trust_proxy);
	exchange->address = mrl__address_hold(&server->addresses, address);
	if (exchange->address == NULL)
		return -1;
	if (!mrl__request_secret(wsi, exchange->session, &exchange->has_session, &exchange->by_token))
		return refuse(wsi, 401, "no-person", "This is no bearer token.", NULL);
	if (post && !exchange->by_token && lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0 && !mrl__request_is_own(wsi))
		return refuse(wsi, 403, "foreign-origin", "This was asked from a page of another site.", NULL);
	if (post && exchange->has_session && !exchange->by_token && !mrl__request_is_own(wsi))
		return refuse(wsi, 403, "foreign-origin",
			      "A POST with a cookie needs an Origin, which must be this server's.", NULL);
	if (!post)
		return run(wsi, sending);
	exchange->body_size = (size_t)body;
	exchange->body = malloc((size_t)body + 1);
	if (exchange->body == NULL)
		return -1;
	/* libwebsockets gives a body as much time again for each piece of it. */
	mrl__exchange_await_body(exchange, server->settings->request_seconds * UINT64_C(1000));
	return 0;
}

void mrl__connection_tick(struct mrl__server *server)
{
	uint64_t now = mrl__now_ms();
	bool cut = false;

	while (server->first_body != NULL && server->first_body->body_until <= now) {
		struct mrl__exchange *exchange = server->first_body;

		mrl__exchange_has_body(exchange);
		exchange->late = true;
		lws_set_timeout(exchange->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
		cut = true;
	}
	if (cut)
		lws_cancel_service(server->context);
}

static int on_body(const struct mrl__sending *sending, const char *bytes, size_t length)
{
	struct mrl__exchange *exchange = sending->exchange;

	if (exchange == NULL || exchange->late || exchange->answered ||
	    exchange->body_size - exchange->body_length < length)
		return -1;
	if (length > 0)
		memcpy(exchange->body + exchange->body_length, bytes, length);
	exchange->body_length += length;
	return 0;
}

static int on_whole_body(struct lws *wsi, struct mrl__sending *sending)
{
	struct mrl__exchange *exchange = sending->exchange;

	/* It is told once more when something comes behind the body, to which nobody listens yet. */
	if (exchange == NULL || exchange->late || exchange->json != NULL || exchange->answered)
		return -1;
	mrl__exchange_has_body(exchange);
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
	return run(wsi, sending);
}

/* ---- Leaving HTTP ------------------------------------------------------------------------------------------- */

static bool is_at(const char *path, size_t length, const char *where)
{
	return strlen(where) == length && memcmp(path, where, length) == 0;
}

/* Somebody wants the socket: 0 lets libwebsockets go on with the handshake. */
static int on_socket_wanted(struct lws *wsi)
{
	struct mrl__server *server = server_of(wsi);
	struct mrl__line *line = mrl__line_of(wsi);
	unsigned char hash[MRL__HASH_SIZE];
	char address[64];
	char version[8];
	bool has = false;
	bool by_token = false;
	bool secure = false;

	if (line == NULL || line->peer != NULL)
		return -1;
	mrl__request_header(wsi, WSI_TOKEN_VERSION, version, sizeof(version));
	if (mrl__request_method(wsi) != MRL__GET || strcmp(version, "13") != 0 || mrl__request_has_body(wsi))
		return refuse(wsi, 400, "bad-request", "A WebSocket is opened by GET, with version 13.", NULL);
	if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0)
		return refuse(wsi, 400, "bad-request", "There is no subprotocol here; ask for none.", NULL);
	if (!server->playing || server->stopping)
		return refuse(wsi, 503, server->stopping ? "stopping" : "unavailable", "Try again in a moment.", NULL);
	if (!mrl__request_secret(wsi, hash, &has, &by_token))
		return refuse(wsi, 401, "no-person", "This is no bearer token.", NULL);
	if (!by_token && (has || lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0) && !mrl__request_is_own(wsi))
		return refuse(wsi, 403, "foreign-origin", "A socket must have an Origin that is this server's.", NULL);
	mrl__line_address(wsi, server->settings->trust_proxy, address, sizeof(address), &secure);
	struct mrl__peer *peer = mrl__peer_new(server, address, has ? hash : NULL, by_token);

	if (peer == NULL)
		return refuse(wsi, 429, "slow-down", "There are too many sockets from this address.", NULL);
	line->peer = peer;
	return 0;
}

/*
 * A request to leave HTTP. Who would rather speak HTTP/2 gets the page as if he had not said so. libwebsockets has no
 * way back from here to its usual course, so the connection ends with the answer.
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
	bool socket = strcasecmp(to, "websocket") == 0;

	if (socket && is_at(path, (size_t)length, socket_path))
		return on_socket_wanted(wsi);
	decide(wsi, path, (size_t)length, socket, &reply);
	return mrl__send_and_end(wsi, &reply);
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

/* ---- The life of a connection ------------------------------------------------------------------------------- */

static int on_request(struct lws *wsi, struct mrl__sending *sending, const char *path, size_t length)
{
	/* A second request, while the first waits for its answer. */
	if (sending->exchange != NULL)
		return -1;
	if (mrl__route_is_ours(path, length))
		return on_interface_request(wsi, sending, path, length);
	return on_file_request(wsi, sending, path, length);
}

static int on_writable(struct lws *wsi, struct mrl__sending *sending)
{
	if (sending == NULL)
		return 0;
	if (sending->exchange != NULL)
		return sending->exchange->answered ? send_answer(wsi, sending) : 0;
	return sending->on ? mrl__send_on(wsi, sending) : 0;
}

void mrl__connection_answer(struct lws *wsi)
{
	if (send_answer(wsi, lws_wsi_user(wsi)) == 0)
		return;
	/* To be ended, but not from here. */
	lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	lws_cancel_service(lws_get_context(wsi));
}

static struct mrl__peer *peer_of(struct lws *wsi)
{
	const struct mrl__line *line = mrl__line_had(wsi);

	return line != NULL ? line->peer : NULL;
}

static void on_destroyed(struct lws *wsi)
{
	struct mrl__peer *peer = peer_of(wsi);

	if (peer != NULL)
		mrl__peer_gone(peer);
	mrl__line_release(wsi);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct mrl__sending *sending = user;
	struct mrl__peer *peer = NULL;

	switch (reason) {
	case LWS_CALLBACK_HTTP:
		return on_request(wsi, sending, in, length);
	case LWS_CALLBACK_HTTP_BODY:
		return on_body(sending, in, length);
	case LWS_CALLBACK_HTTP_BODY_COMPLETION:
		return on_whole_body(wsi, sending);
	case LWS_CALLBACK_HTTP_WRITEABLE:
		return on_writable(wsi, sending);
	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
		return on_upgrade(wsi, in);
	case LWS_CALLBACK_RAW_RX:
		return on_noise(wsi);
	case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
	case LWS_CALLBACK_CLOSED_HTTP:
		mrl__send_stop(wsi, sending);
		return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		on_destroyed(wsi);
		return 0;
	case LWS_CALLBACK_ESTABLISHED:
		peer = peer_of(wsi);
		return peer != NULL ? mrl__peer_begin(peer, wsi) : -1;
	case LWS_CALLBACK_RECEIVE:
		peer = peer_of(wsi);
		return peer != NULL ? mrl__peer_receive(peer, in, length) : -1;
	case LWS_CALLBACK_RECEIVE_PONG:
		peer = peer_of(wsi);
		if (peer != NULL)
			mrl__peer_pong(peer, in, length);
		return 0;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		peer = peer_of(wsi);
		return peer != NULL ? mrl__peer_writable(peer) : 0;
	default:
		return 0;
	}
}

const struct lws_protocols mrl__protocols[] = {
    {.name = "http",
     .callback = on_event,
     .per_session_data_size = sizeof(struct mrl__sending),
     /* What a WebSocket reads at a time: each has memory for it. */
     .rx_buffer_size = 1024,
     .tx_packet_size = 2 * MRL__SEND_SIZE},
    {0},
};
