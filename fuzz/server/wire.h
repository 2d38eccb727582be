/*
 * libwebsockets as the server knows it, without a network: every function of it that src/server calls is here, and what
 * would come from a socket comes from a fuzzer. A call that is not here does not link.
 *
 * A connection is freed in the very moment in which libwebsockets would, so that a sanitizer sees who holds on to it.
 */
#ifndef MERELS_FUZZ_WIRE_H
#define MERELS_FUZZ_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libwebsockets.h>

struct wire_owner;

/* Who is at the other end. */
struct wire_owner {
	void (*text)(struct wire_owner *owner, const char *text, size_t length); /* a message of a WebSocket */
	void (*gone)(struct wire_owner *owner); /* the connection is freed now, see its code */
	unsigned code;                          /* what a WebSocket was closed with; 0: without a closing frame */
	struct lws *wsi;                        /* NULL: there is no connection */
};

struct wire_request {
	const char *method; /* "GET", "HEAD", "POST", or another */
	const char *path;   /* without the query */
	const char *query;  /* as it was sent, without the question mark */
	const char *host;
	const char *origin; /* NULL: none */
	const char *cookie; /* the same */
	const char *authorization;
	const char *forwarded;
	const char *type;
	const char *body; /* NULL: no Content-Length */
	size_t body_length;
};

/* What came back of a request: the head, and the body without the marks of chunks. */
struct wire_answer {
	unsigned status; /* 0: none, the connection was cut */
	char head[4096];
	char *body; /* owned, 0-terminated; NULL when nothing came */
	size_t length;
	bool complete;
	struct lws *wsi; /* while there is a connection */
};

/* The one context; `user` is the server. `fd` is what every connection says it has. */
void wire_open(void *user, int fd);
struct lws_context *wire_context(void);
void wire_close(void);

/* Begins a request, which may be answered at once or when wire_serve() was called. Its texts must live as long. */
void wire_ask(const struct wire_request *request, struct wire_answer *answer);
/* The client goes away, answered or not. NULL is allowed. */
void wire_hang_up(struct lws *wsi);

/* Opens a WebSocket: false when it was refused, `answer` then says how. */
bool wire_socket(const struct wire_request *request, struct wire_owner *owner, struct wire_answer *answer);

/* A frame, or a part of one. `rest`: bytes of the frame that are still to come. */
void wire_frame(struct lws *wsi, const char *bytes, size_t length, size_t rest, bool final, bool binary);
/* Every reader answers pings, as browsers do by themselves; but for those that are mute, whose other end is gone. */
void wire_pongs(void);
void wire_mute(struct lws *wsi, bool mute);
/* A reader who takes nothing, or everything again. */
void wire_choke(struct lws *wsi, bool choked);
/* Whether the server wants to hear anything at the moment. */
bool wire_listens(const struct lws *wsi);

/* What libwebsockets does between two events: who asked for it may write, timeouts are looked at. True: it did
 * anything. */
bool wire_serve(uint64_t now);

#endif
