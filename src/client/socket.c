/*
 * A WebSocket: the handshake here, the frames by wslay, the bytes by libuv.
 *
 * wslay is asked only from three places: when bytes came, when a message is to be sent, when the socket is to be
 * closed. A callback of the caller may do the latter two while bytes are being read; then they are only queued, and
 * sent when reading is done. Ending the socket inside a callback is put off in the same way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <wslay/wslay.h>

#include "client_internal.h"
#include "head.h"

enum { KEY_BYTES = 16, KEY_SIZE = 25, ACCEPT_SIZE = 29, MOST_AT_ONCE = 16384 };

struct mrl_client_socket {
	struct mrl_client *client;
	const struct mrl_client_events *events;
	void *user;
	uv_tcp_t tcp;
	wslay_event_context_ptr frames; /* NULL until the handshake is over */
	const uint8_t *input;           /* bytes that wslay has not taken yet */
	size_t input_length;
	bool reading; /* inside on_read */
	bool dying;   /* the handle is being closed, or will be when reading is done */
	bool silent;  /* nothing is to be called any more */
	unsigned code;
	char why[128];
	struct greeting *greeting; /* during the handshake */
};

struct greeting {
	uv_connect_t connect;
	uv_write_t write;
	bool written; /* the system has taken it: the request above is free */
	char said[MRL__REQUEST_MOST];
	char accept[ACCEPT_SIZE];
	char heard[MRL__HEAD_MOST];
	size_t length;
};

/* Bytes that could not be sent at once. */
struct rest {
	uv_write_t write;
	char bytes[];
};

/* ---- The end ------------------------------------------------------------------------------------------------ */

static void on_closed(uv_handle_t *handle)
{
	struct mrl_client_socket *socket = handle->data;

	if (!socket->silent)
		socket->events->closed(socket->user, socket->code, socket->why);
	if (socket->frames != NULL)
		wslay_event_context_free(socket->frames);
	socket->client->busy--;
	free(socket->greeting);
	free(socket);
}

static void end(struct mrl_client_socket *socket)
{
	if (!socket->dying && socket->why[0] == '\0')
		(void)snprintf(socket->why, sizeof(socket->why), "closed");
	socket->dying = true;
	if (!socket->reading && !uv_is_closing((uv_handle_t *)&socket->tcp))
		uv_close((uv_handle_t *)&socket->tcp, on_closed);
}

static void end_because(struct mrl_client_socket *socket, unsigned code, const char *why)
{
	if (!socket->dying && socket->code == 0) {
		socket->code = code;
		(void)snprintf(socket->why, sizeof(socket->why), "%s", why);
	}
	end(socket);
}

/* ---- Sending ------------------------------------------------------------------------------------------------ */

static void on_rest_sent(uv_write_t *write, int status)
{
	(void)status;
	free(write->data);
}

static bool give(struct mrl_client_socket *socket, const char *bytes, size_t count)
{
	uv_buf_t whole = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)count);
	int sent = uv_try_write((uv_stream_t *)&socket->tcp, &whole, 1);

	if (sent < 0 && sent != UV_EAGAIN)
		return false;
	if (sent < 0)
		sent = 0;
	if ((size_t)sent == count)
		return true;

	size_t left = count - (size_t)sent;
	struct rest *rest = malloc(sizeof(*rest) + left);

	if (rest == NULL)
		return false;
	memcpy(rest->bytes, bytes + sent, left);
	rest->write.data = rest;

	uv_buf_t later = uv_buf_init(rest->bytes, (unsigned)left);

	if (uv_write(&rest->write, (uv_stream_t *)&socket->tcp, &later, 1, on_rest_sent) != 0) {
		free(rest);
		return false;
	}
	return true;
}

static ssize_t on_want_send(wslay_event_context_ptr frames, const uint8_t *bytes, size_t count, int flags, void *user)
{
	struct mrl_client_socket *socket = user;

	(void)flags;
	if (count > MOST_AT_ONCE)
		count = MOST_AT_ONCE;
	if (!give(socket, (const char *)bytes, count)) {
		wslay_event_set_error(frames, WSLAY_ERR_CALLBACK_FAILURE);
		return -1;
	}
	return (ssize_t)count;
}

static void flush(struct mrl_client_socket *socket)
{
	if (socket->reading || socket->dying)
		return;
	while (wslay_event_want_write(socket->frames)) {
		if (wslay_event_send(socket->frames) != 0) {
			end_because(socket, 1006, "the connection broke");
			return;
		}
	}
}

bool mrl_client_send(struct mrl_client_socket *socket, const char *text, size_t length)
{
	struct wslay_event_msg message = {WSLAY_TEXT_FRAME, (const uint8_t *)text, length};

	if (socket->frames == NULL || socket->dying || wslay_event_queue_msg(socket->frames, &message) != 0)
		return false;
	flush(socket);
	return true;
}

void mrl_client_close(struct mrl_client_socket *socket, unsigned code)
{
	if (socket->frames == NULL ||
	    (!socket->dying && wslay_event_queue_close(socket->frames, (uint16_t)code, NULL, 0) != 0)) {
		end_because(socket, code, "closed");
		return;
	}
	flush(socket);
}

void mrl_client_cut(struct mrl_client_socket *socket)
{
	socket->silent = true;
	end(socket);
}

/* ---- Receiving ---------------------------------------------------------------------------------------------- */

static ssize_t on_want_bytes(wslay_event_context_ptr frames, uint8_t *bytes, size_t count, int flags, void *user)
{
	struct mrl_client_socket *socket = user;

	(void)flags;
	if (socket->input_length == 0) {
		wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	if (count > socket->input_length)
		count = socket->input_length;
	memcpy(bytes, socket->input, count);
	socket->input += count;
	socket->input_length -= count;
	return (ssize_t)count;
}

static int on_want_mask(wslay_event_context_ptr frames, uint8_t *mask, size_t count, void *user)
{
	struct mrl_client_socket *socket = user;

	(void)frames;
	while (count > 0) {
		uint64_t bits = mrl__client_random(socket->client);
		size_t part = count < sizeof(bits) ? count : sizeof(bits);

		memcpy(mask, &bits, part);
		mask += part;
		count -= part;
	}
	return 0;
}

static void on_message(wslay_event_context_ptr frames, const struct wslay_event_on_msg_recv_arg *message, void *user)
{
	struct mrl_client_socket *socket = user;

	(void)frames;
	if (socket->silent || socket->dying)
		return;
	if (message->opcode == WSLAY_TEXT_FRAME) {
		socket->events->message(socket->user, (const char *)message->msg, message->msg_length);
	} else if (message->opcode == WSLAY_CONNECTION_CLOSE) {
		/* The reason follows the two bytes of the code. */
		size_t skip = message->msg_length < 2 ? message->msg_length : 2;

		socket->code = message->status_code != 0 ? message->status_code : 1005;
		(void)snprintf(socket->why, sizeof(socket->why), "%.*s", (int)(message->msg_length - skip),
			       (const char *)message->msg + skip);
	} else if (message->opcode == WSLAY_BINARY_FRAME) {
		end_because(socket, 1006, "a binary frame came");
	}
}

static const struct wslay_event_callbacks frame_callbacks = {
    .recv_callback = on_want_bytes,
    .send_callback = on_want_send,
    .genmask_callback = on_want_mask,
    .on_msg_recv_callback = on_message,
};

static void hear(struct mrl_client_socket *socket, const char *bytes, size_t count)
{
	socket->input = (const uint8_t *)bytes;
	socket->input_length = count;
	socket->reading = true;
	while (socket->input_length > 0 && !socket->dying && wslay_event_want_read(socket->frames)) {
		if (wslay_event_recv(socket->frames) != 0)
			end_because(socket, 1006, "frames that are none");
	}
	socket->reading = false;
	if (socket->dying) {
		end(socket);
		return;
	}
	flush(socket);
	/* Both sides have said goodbye; or what came was none, and wslay has said so and listens no more. */
	if (!socket->dying && !wslay_event_want_read(socket->frames) && !wslay_event_want_write(socket->frames))
		end_because(socket, 1006, "frames that are none");
}

/* ---- The handshake ------------------------------------------------------------------------------------------ */

/* What the server must answer to this key: RFC 6455, 4.2.2. */
static bool expect(const char *key, char accept[ACCEPT_SIZE])
{
	char text[KEY_SIZE + 40];
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned length = 0;
	int written = snprintf(text, sizeof(text), "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);

	return EVP_Digest(text, (size_t)written, digest, &length, EVP_sha1(), NULL) == 1 &&
	       EVP_EncodeBlock((unsigned char *)accept, digest, (int)length) == ACCEPT_SIZE - 1;
}

static bool greet(struct mrl_client_socket *socket, const struct mrl_client_identity *identity)
{
	struct greeting *greeting = socket->greeting;
	uint64_t random[2] = {mrl__client_random(socket->client), mrl__client_random(socket->client)};
	char key[KEY_SIZE];

	(void)EVP_EncodeBlock((unsigned char *)key, (const unsigned char *)random, KEY_BYTES);

	int written = snprintf(greeting->said, sizeof(greeting->said),
			       "GET /api/v1/socket HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
			       "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n",
			       socket->client->host, key);

	if (written < 0 || (size_t)written >= sizeof(greeting->said) || !expect(key, greeting->accept) ||
	    !mrl__client_identify(socket->client, identity, greeting->said))
		return false;

	size_t length = strlen(greeting->said);

	if (length + 2 >= sizeof(greeting->said))
		return false;
	memcpy(greeting->said + length, "\r\n", 3);
	return true;
}

/* The answer to the handshake; what follows it are frames already. */
static void welcome(struct mrl_client_socket *socket, const char *bytes, size_t count)
{
	struct greeting *greeting = socket->greeting;
	struct mrl__head head;
	char refused[32];

	if (count > sizeof(greeting->heard) - greeting->length) {
		end_because(socket, 0, "the answer is too long");
		return;
	}
	memcpy(greeting->heard + greeting->length, bytes, count);
	greeting->length += count;
	switch (mrl__head_read(greeting->heard, greeting->length, &head)) {
	case MRL__HEAD_MORE:
		return;
	case MRL__HEAD_BAD:
		end_because(socket, 0, "the answer is no HTTP that this client knows");
		return;
	case MRL__HEAD_WHOLE:
		break;
	}
	if (head.status != 101) {
		(void)snprintf(refused, sizeof(refused), "HTTP status %d", head.status);
		socket->why[0] = '\0';
		end_because(socket, 0, refused);
		return;
	}
	if (strcmp(head.accept, greeting->accept) != 0 ||
	    wslay_event_context_client_init(&socket->frames, &frame_callbacks, socket) != 0) {
		end_because(socket, 0, "the answer belongs to another handshake");
		return;
	}
	wslay_event_config_set_max_recv_msg_length(socket->frames, MRL_CLIENT_MESSAGE_MOST);
	hear(socket, greeting->heard + head.size, greeting->length - head.size);
	if (greeting->written) {
		socket->greeting = NULL;
		free(greeting);
	}
}

static void on_memory(uv_handle_t *handle, size_t wanted, uv_buf_t *memory)
{
	struct mrl_client_socket *socket = handle->data;

	(void)wanted;
	mrl__client_memory(socket->client, memory);
	if (socket->frames == NULL)
		memory->len = MRL__HEAD_MOST / 2;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *memory)
{
	struct mrl_client_socket *socket = stream->data;

	if (count < 0)
		end_because(socket, socket->frames != NULL ? 1006 : 0,
			    count == UV_EOF ? "the connection ended" : uv_strerror((int)count));
	else if (socket->frames == NULL)
		welcome(socket, memory->base, (size_t)count);
	else
		hear(socket, memory->base, (size_t)count);
}

static void on_written(uv_write_t *write, int status)
{
	struct greeting *greeting = write->data;

	greeting->written = status == 0;
}

static void on_connected(uv_connect_t *connect, int status)
{
	struct mrl_client_socket *socket = connect->data;
	struct greeting *greeting = socket->greeting;

	if (socket->dying)
		return;

	uv_buf_t said = uv_buf_init(greeting->said, (unsigned)strlen(greeting->said));

	if (status == 0)
		status = uv_write(&greeting->write, (uv_stream_t *)&socket->tcp, &said, 1, on_written);
	if (status == 0)
		status = uv_read_start((uv_stream_t *)&socket->tcp, on_memory, on_read);
	if (status != 0)
		end_because(socket, 0, uv_strerror(status));
}

struct mrl_client_socket *mrl_client_open(struct mrl_client *client, unsigned source,
					  const struct mrl_client_identity *identity,
					  const struct mrl_client_events *events, void *user)
{
	struct mrl_client_socket *socket = calloc(1, sizeof(*socket));
	struct greeting *greeting = calloc(1, sizeof(*greeting));
	size_t busy = client->busy;

	if (socket == NULL || greeting == NULL)
		goto failed;
	socket->client = client;
	socket->events = events;
	socket->user = user;
	socket->greeting = greeting;
	socket->tcp.data = socket;
	greeting->connect.data = socket;
	greeting->write.data = greeting;
	if (!greet(socket, identity))
		goto failed;

	int status = mrl__client_connect(client, source, &socket->tcp, &greeting->connect, on_connected);

	if (status != 0) {
		if (client->busy == busy)
			goto failed;
		end_because(socket, 0, uv_strerror(status));
	}
	return socket;
failed:
	free(greeting);
	free(socket);
	return NULL;
}
