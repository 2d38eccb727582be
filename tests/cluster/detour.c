#include "detour.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

enum { BLOCK = 64 * 1024, MOST_WAITING = 512 * 1024 };

union stream {
	uv_handle_t handle;
	uv_stream_t stream;
	uv_tcp_t tcp;
	uv_pipe_t pipe;
};

/* Where one listens or connects: a socket's path, or a port of an address. */
struct place {
	bool is_path;
	char path[128];
	struct sockaddr_in address;
};

struct link;

/* One end of a connection: what is read from it is written to the other. */
struct end {
	union stream it;
	struct link *link;
	struct end *other;
	bool reads;
};

struct link {
	struct detour *detour;
	struct end ends[2]; /* who came; where it leads */
	uv_connect_t connect;
	bool connected;
	bool closing;
	unsigned open; /* handles */
	struct link *next;
	struct link *before;
};

struct detour {
	struct detours *detours;
	union stream listener;
	struct place from;
	struct place to;
	_Atomic int wanted; /* an enum detour_state */
	int state;
	bool waits; /* somebody has come and was not taken */
	struct link *links;
	struct detour *next;
};

struct detours {
	uv_loop_t loop;
	uv_thread_t thread;
	uv_async_t changed;
	_Atomic bool ending;
	bool runs;
	struct detour *first;
};

struct piece {
	uv_write_t write;
	struct end *from;
	char bytes[];
};

static _Noreturn void die(const char *what, int code)
{
	fprintf(stderr, "%s: %s\n", what, uv_strerror(code));
	exit(3);
}

static void expect(int code, const char *what)
{
	if (code != 0)
		die(what, code);
}

/* ---- A connection ------------------------------------------------------------------------------------------- */

static void on_closed(uv_handle_t *handle)
{
	struct end *end = handle->data;
	struct link *link = end->link;

	if (--link->open > 0)
		return;
	if (link->before != NULL)
		link->before->next = link->next;
	else
		link->detour->links = link->next;
	if (link->next != NULL)
		link->next->before = link->before;
	free(link);
}

static void break_link(struct link *link)
{
	if (link->closing)
		return;
	link->closing = true;
	for (size_t i = 0; i < 2; i++)
		uv_close(&link->ends[i].it.handle, on_closed);
}

static void on_memory(uv_handle_t *handle, size_t wanted, uv_buf_t *memory)
{
	struct piece *piece = malloc(sizeof(*piece) + BLOCK);

	(void)handle;
	(void)wanted;
	*memory = uv_buf_init(piece != NULL ? piece->bytes : NULL, piece != NULL ? BLOCK : 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *memory);

static void read_on(struct end *end)
{
	struct link *link = end->link;
	bool may = link->connected && !link->closing && link->detour->state == DETOUR_OPEN &&
		   end->other->it.stream.write_queue_size < MOST_WAITING;

	if (may && !end->reads)
		expect(uv_read_start(&end->it.stream, on_memory, on_read), "a detour reads");
	else if (!may && end->reads)
		(void)uv_read_stop(&end->it.stream);
	end->reads = may;
}

static void on_written(uv_write_t *write, int status)
{
	struct piece *piece = write->data;
	struct end *from = piece->from;

	free(piece);
	if (status != 0 && status != UV_ECANCELED)
		break_link(from->link);
	else if (!from->link->closing)
		read_on(from);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *memory)
{
	struct end *end = stream->data;
	struct piece *piece =
	    memory->base != NULL ? (struct piece *)(void *)(memory->base - offsetof(struct piece, bytes)) : NULL;

	if (count <= 0) {
		free(piece);
		/* Who has nothing more to say to these servers has gone. */
		if (count < 0)
			break_link(end->link);
		return;
	}

	uv_buf_t buffer = uv_buf_init(piece->bytes, (unsigned)count);

	piece->from = end;
	piece->write.data = piece;
	if (uv_write(&piece->write, &end->other->it.stream, &buffer, 1, on_written) != 0) {
		free(piece);
		break_link(end->link);
		return;
	}
	read_on(end);
}

static void on_connected(uv_connect_t *connect, int status)
{
	struct link *link = connect->data;

	if (status != 0) {
		break_link(link);
		return;
	}
	link->connected = true;
	read_on(&link->ends[0]);
	read_on(&link->ends[1]);
}

static void make_stream(struct detours *detours, const struct place *place, union stream *stream)
{
	if (place->is_path)
		expect(uv_pipe_init(&detours->loop, &stream->pipe, 0), "a detour");
	else
		expect(uv_tcp_init(&detours->loop, &stream->tcp), "a detour");
}

static void take(struct detour *detour)
{
	struct link *link = calloc(1, sizeof(*link));

	if (link == NULL)
		die("a detour", UV_ENOMEM);
	link->detour = detour;
	link->next = detour->links;
	if (link->next != NULL)
		link->next->before = link;
	detour->links = link;
	for (size_t i = 0; i < 2; i++) {
		struct end *end = &link->ends[i];

		end->link = link;
		end->other = &link->ends[1 - i];
		make_stream(detour->detours, i == 0 ? &detour->from : &detour->to, &end->it);
		end->it.handle.data = end;
		link->open++;
	}
	link->connect.data = link;
	if (uv_accept(&detour->listener.stream, &link->ends[0].it.stream) != 0 || detour->state == DETOUR_CUT) {
		break_link(link);
		return;
	}
	if (!detour->from.is_path)
		(void)uv_tcp_nodelay(&link->ends[0].it.tcp, 1);
	if (detour->to.is_path) {
		uv_pipe_connect(&link->connect, &link->ends[1].it.pipe, detour->to.path, on_connected);
		return;
	}
	(void)uv_tcp_nodelay(&link->ends[1].it.tcp, 1);
	if (uv_tcp_connect(&link->connect, &link->ends[1].it.tcp, (const struct sockaddr *)&detour->to.address,
			   on_connected) != 0)
		break_link(link);
}

static void on_somebody(uv_stream_t *listener, int status)
{
	struct detour *detour = listener->data;

	if (status != 0)
		return;
	detour->waits = true;
	if (detour->state != DETOUR_HANGS) {
		detour->waits = false;
		take(detour);
	}
}

/* ---- What is wanted ----------------------------------------------------------------------------------------- */

static void change(struct detour *detour)
{
	int wanted = atomic_load(&detour->wanted);
	struct link *next = NULL;

	if (wanted == detour->state)
		return;
	detour->state = wanted;
	for (struct link *link = detour->links; link != NULL; link = next) {
		next = link->next;
		if (wanted == DETOUR_CUT) {
			break_link(link);
		} else if (!link->closing) {
			read_on(&link->ends[0]);
			read_on(&link->ends[1]);
		}
	}
	if (wanted != DETOUR_HANGS && detour->waits) {
		detour->waits = false;
		take(detour);
	}
}

static void close_any(uv_handle_t *handle, void *user)
{
	(void)user;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

static void on_change(uv_async_t *changed)
{
	struct detours *detours = changed->data;

	for (struct detour *detour = detours->first; detour != NULL; detour = detour->next) {
		change(detour);
		for (struct link *link = detour->links; atomic_load(&detours->ending) && link != NULL;
		     link = link->next)
			break_link(link);
	}
	if (atomic_load(&detours->ending))
		uv_walk(&detours->loop, close_any, NULL);
}

void detour_put(struct detour *detour, enum detour_state state)
{
	atomic_store(&detour->wanted, (int)state);
	(void)uv_async_send(&detour->detours->changed);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

struct detours *detours_new(void)
{
	struct detours *detours = calloc(1, sizeof(*detours));

	if (detours == NULL)
		die("detours", UV_ENOMEM);
	expect(uv_loop_init(&detours->loop), "detours");
	expect(uv_async_init(&detours->loop, &detours->changed, on_change), "detours");
	detours->changed.data = detours;
	return detours;
}

static void read_place(const char *text, struct place *place)
{
	char host[32] = "";
	unsigned port = 0;

	*place = (struct place){.is_path = text[0] == '/', .address = {.sin_family = AF_INET}};
	if (place->is_path) {
		(void)snprintf(place->path, sizeof(place->path), "%s", text);
		return;
	}
	if (sscanf(text, "%31[0-9.]:%u", host, &port) != 2 || inet_pton(AF_INET, host, &place->address.sin_addr) != 1)
		die(text, UV_EINVAL);
	place->address.sin_port = htons((uint16_t)port);
}

static void listen_at(struct detour *detour, const char *where)
{
	struct place *place = &detour->from;
	int length = sizeof(place->address);

	if (place->is_path)
		expect(uv_pipe_bind(&detour->listener.pipe, place->path), where);
	else
		expect(uv_tcp_bind(&detour->listener.tcp, (const struct sockaddr *)&place->address, 0), where);
	expect(uv_listen(&detour->listener.stream, 64, on_somebody), where);
	if (!place->is_path)
		expect(uv_tcp_getsockname(&detour->listener.tcp, (struct sockaddr *)&place->address, &length), where);
}

struct detour *detour_add(struct detours *detours, const char *from, const char *to)
{
	struct detour *detour = calloc(1, sizeof(*detour));

	if (detour == NULL)
		die("a detour", UV_ENOMEM);
	detour->detours = detours;
	detour->next = detours->first;
	detours->first = detour;
	read_place(from, &detour->from);
	read_place(to, &detour->to);
	make_stream(detours, &detour->from, &detour->listener);
	detour->listener.handle.data = detour;
	listen_at(detour, from);
	return detour;
}

unsigned detour_port(const struct detour *detour)
{
	return ntohs(detour->from.address.sin_port);
}

static void run(void *argument)
{
	struct detours *detours = argument;

	(void)uv_run(&detours->loop, UV_RUN_DEFAULT);
}

void detours_run(struct detours *detours)
{
	detours->runs = true;
	expect(uv_thread_create(&detours->thread, run, detours), "detours");
}

void detours_free(struct detours *detours)
{
	if (detours == NULL)
		return;
	atomic_store(&detours->ending, true);
	(void)uv_async_send(&detours->changed);
	if (detours->runs)
		(void)uv_thread_join(&detours->thread);
	else
		(void)uv_run(&detours->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&detours->loop);
	while (detours->first != NULL) {
		struct detour *next = detours->first->next;

		free(detours->first);
		detours->first = next;
	}
	free(detours);
}
