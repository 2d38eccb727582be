/* One request over a connection of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_internal.h"
#include "head.h"

struct request {
	struct mrl_client *client;
	mrl_client_answered *answered;
	void *user;
	uv_tcp_t tcp;
	uv_connect_t connect;
	uv_write_t write;
	char *said; /* head and body of the request; owned */
	size_t said_length;
	char *heard; /* of the answer so far; owned */
	size_t length;
	size_t room;
	struct mrl__head head;
	bool has_head;
	int refused; /* why the connection could not even be begun */
};

static void on_closed(uv_handle_t *handle)
{
	struct request *request = handle->data;

	request->client->busy--;
	free(request->said);
	free(request->heard);
	free(request);
}

static void finish(struct request *request, const struct mrl_client_answer *answer)
{
	request->answered(request->user, answer);
	uv_close((uv_handle_t *)&request->tcp, on_closed);
}

static void fail(struct request *request, const char *why)
{
	struct mrl_client_answer answer = {.body = why, .length = strlen(why)};

	finish(request, &answer);
}

static void succeed(struct request *request)
{
	const struct mrl__head *head = &request->head;
	struct mrl_client_answer answer = {.status = head->status, .body = request->heard + head->size};

	answer.length = head->has_length ? head->length : request->length - head->size;
	request->heard[head->size + answer.length] = '\0';
	memcpy(answer.cookie, head->cookie, sizeof(answer.cookie));
	finish(request, &answer);
}

static bool keep(struct request *request, const char *bytes, size_t count)
{
	if (request->length + count + 1 > request->room) {
		size_t room = 2 * (request->length + count) + 1;
		char *more = room <= 2 * (size_t)MRL_CLIENT_ANSWER_MOST ? realloc(request->heard, room) : NULL;

		if (more == NULL)
			return false;
		request->heard = more;
		request->room = room;
	}
	memcpy(request->heard + request->length, bytes, count);
	request->length += count;
	return true;
}

static void on_memory(uv_handle_t *handle, size_t wanted, uv_buf_t *memory)
{
	struct request *request = handle->data;

	(void)wanted;
	mrl__client_memory(request->client, memory);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *memory)
{
	struct request *request = stream->data;

	if (count < 0) {
		if (request->has_head && !request->head.has_length)
			succeed(request);
		else
			fail(request,
			     count == UV_EOF ? "the connection ended without an answer" : uv_strerror((int)count));
		return;
	}
	if (!keep(request, memory->base, (size_t)count)) {
		fail(request, "the answer is too long");
		return;
	}
	if (!request->has_head) {
		switch (mrl__head_read(request->heard, request->length, &request->head)) {
		case MRL__HEAD_MORE:
			return;
		case MRL__HEAD_BAD:
			fail(request, "the answer is no HTTP that this client knows");
			return;
		case MRL__HEAD_WHOLE:
			request->has_head = true;
		}
	}
	if (request->head.has_length && request->length - request->head.size >= request->head.length)
		succeed(request);
}

static void on_written(uv_write_t *write, int status)
{
	/* Whatever went wrong is seen by who reads. */
	(void)write;
	(void)status;
}

static void on_connected(uv_connect_t *connect, int status)
{
	struct request *request = connect->data;
	uv_buf_t said = uv_buf_init(request->said, (unsigned)request->said_length);

	if (status == 0)
		status = uv_write(&request->write, (uv_stream_t *)&request->tcp, &said, 1, on_written);
	if (status == 0)
		status = uv_read_start((uv_stream_t *)&request->tcp, on_memory, on_read);
	if (status != 0)
		fail(request, uv_strerror(status));
}

static bool say(struct request *request, const struct mrl_client_identity *identity, const char *path, const char *body)
{
	size_t body_length = body != NULL ? strlen(body) : 0;
	char head[MRL__REQUEST_MOST];
	int written = snprintf(head, sizeof(head), "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n",
			       body != NULL ? "POST" : "GET", path, request->client->host);

	if (written < 0 || (size_t)written >= sizeof(head) || !mrl__client_identify(request->client, identity, head))
		return false;

	size_t size = strlen(head) + body_length + 80;

	request->said = malloc(size);
	if (request->said == NULL)
		return false;
	if (body != NULL) {
		written =
		    snprintf(request->said, size, "%sContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
			     head, body_length, body);
	} else {
		written = snprintf(request->said, size, "%s\r\n", head);
	}
	request->said_length = (size_t)written;
	return written > 0 && (size_t)written < size;
}

/* The failure to connect is told from the loop, as everything else is. */
static void on_refused(uv_handle_t *handle)
{
	struct request *request = handle->data;
	const char *why = uv_strerror(request->refused);
	struct mrl_client_answer answer = {.body = why, .length = strlen(why)};

	request->answered(request->user, &answer);
	on_closed(handle);
}

bool mrl_client_ask(struct mrl_client *client, unsigned source, const struct mrl_client_identity *identity,
		    const char *path, const char *body, mrl_client_answered *answered, void *user)
{
	struct request *request = calloc(1, sizeof(*request));

	if (request == NULL)
		return false;
	request->client = client;
	request->answered = answered;
	request->user = user;
	request->tcp.data = request;
	request->connect.data = request;
	if (!say(request, identity, path, body)) {
		free(request->said);
		free(request);
		return false;
	}

	size_t busy = client->busy;

	request->refused = mrl__client_connect(client, source, &request->tcp, &request->connect, on_connected);
	if (request->refused != 0) {
		/* Without a handle there is nothing to close. */
		if (client->busy == busy) {
			free(request->said);
			free(request);
			return false;
		}
		uv_close((uv_handle_t *)&request->tcp, on_refused);
	}
	return true;
}
