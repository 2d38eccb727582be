/*
 * The other end of docs/PROTOCOL.md: requests to a server and sockets with it, many of them on one libuv loop.
 *
 * A struct mrl_client stands for one server and owns what its connections share. It belongs, with all its connections,
 * to the thread that runs the loop. Everything a server sends is taken for hostile: sizes are capped, and nothing of it
 * is interpreted here beyond HTTP and WebSocket frames. Messages are text; what they say is the caller's business.
 *
 * No TLS: what speaks through this is on the same machine as the server, or behind the same proxy.
 */
#ifndef MERELS_CLIENT_H
#define MERELS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

struct uv_loop_s;

struct mrl_client;
struct mrl_client_socket;

/* Secrets are 43 characters. */
#define MRL_CLIENT_SECRET_SIZE 64

/* Who asks: a cookie, or a bearer token (which then counts alone), or neither. */
struct mrl_client_identity {
	char cookie[MRL_CLIENT_SECRET_SIZE]; /* the value of the cookie `merels`; "" if none */
	char token[MRL_CLIENT_SECRET_SIZE];  /* "" if none */
};

/*
 * A client of the server at `url`: "http://127.0.0.1:8080", "http://[::1]:8080/", "http://localhost". The name is
 * looked up now, which may take a while. `loop` must outlive it. MRL_SYNTAX for what is no such URL, MRL_SYSTEM when
 * the name is not known or there is no memory.
 */
MRL_MUST_USE enum mrl_status mrl_client_new(struct mrl_client **client, struct uv_loop_s *loop, const char *url,
					    struct mrl_error *error);

/* How many connections are open or not wholly closed yet. */
size_t mrl_client_busy(const struct mrl_client *client);

/* Only when mrl_client_busy() is 0. NULL is allowed. */
void mrl_client_free(struct mrl_client *client);

/* Whether the server is on this machine, by its address: only then may connections name a source. */
bool mrl_client_is_local(const struct mrl_client *client);

/* ---- Requests ----------------------------------------------------------------------------------------------- */

#define MRL_CLIENT_ANSWER_MOST (1U << 20)

struct mrl_client_answer {
	int status;       /* of HTTP; 0: no answer came, `body` then says why */
	const char *body; /* 0-terminated; the length does not count the 0 */
	size_t length;
	char cookie[MRL_CLIENT_SECRET_SIZE]; /* the value of `merels` that the answer set; "" if none */
};

typedef void mrl_client_answered(void *user, const struct mrl_client_answer *answer);

/*
 * Asks, over a connection of its own. `body` NULL: GET; else POST of this JSON text. `source` k > 0: from 127.0.0.k, so
 * that limits for an address can be tried. `answered` is called exactly once, later, from the loop; the answer is gone
 * when it returns. False when there is no memory for it: then it is never called.
 */
MRL_MUST_USE bool mrl_client_ask(struct mrl_client *client, unsigned source, const struct mrl_client_identity *identity,
				 const char *path, const char *body, mrl_client_answered *answered, void *user);

/* ---- Sockets ------------------------------------------------------------------------------------------------ */

/* A message from the server may be as long as this. */
#define MRL_CLIENT_MESSAGE_MOST (1U << 20)

/* Called from the loop. Any of them may send, or end the socket. */
struct mrl_client_events {
	/* A text message; its bytes are gone when this returns, and are not 0-terminated. */
	void (*message)(void *user, const char *text, size_t length);
	/*
	 * It is over: `code` of the close frame, 1006 when the connection just ended, or 0 when there never was a
	 * socket; `why` says more. Called once, unless mrl_client_cut() came before; the socket is gone when it
	 * returns.
	 */
	void (*closed)(void *user, unsigned code, const char *why);
};

/* Connects and asks for /api/v1/socket. NULL when there is no memory. What `events` points to must outlive it. */
struct mrl_client_socket *mrl_client_open(struct mrl_client *client, unsigned source,
					  const struct mrl_client_identity *identity,
					  const struct mrl_client_events *events, void *user);

/* Sends a text message; false when the socket is not open (any more), or there is no memory. */
bool mrl_client_send(struct mrl_client_socket *socket, const char *text, size_t length);

/* Says goodbye with this code; `closed` follows. */
void mrl_client_close(struct mrl_client_socket *socket, unsigned code);

/* Ends it at once, as a cable that is pulled; nothing is called any more. */
void mrl_client_cut(struct mrl_client_socket *socket);

#endif
