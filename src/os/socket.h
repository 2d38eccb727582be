/* Sockets that wait for connections over TCP. Thread-safe. */
#ifndef MERELS_OS_SOCKET_H
#define MERELS_OS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

/*
 * Opens a socket that listens at `where` and does not block: "127.0.0.1:8080", "[::1]:8080", "localhost:8080",
 * ":8080" (every address), "8080" (127.0.0.1). Port 0 is any free one. `*fd` is the caller's to close; `address`
 * (which may be NULL) gets where it really listens, in the first two forms. MRL_SYNTAX when `where` is none of these,
 * MRL_SYSTEM when the system refuses; `error` (may be NULL) says which, why and what to do.
 */
#define MRL_SOCKET_ADDRESS_SIZE 64
MRL_MUST_USE enum mrl_status mrl_socket_listen(const char *where, int *fd, char address[MRL_SOCKET_ADDRESS_SIZE],
					       struct mrl_error *error);

/* MRL_SYNTAX when `where` is no address as above, with the reason in `error`. Looks nothing up. */
MRL_MUST_USE enum mrl_status mrl_socket_check(const char *where, struct mrl_error *error);

/*
 * Whether somebody listens at this port of 127.0.0.1: connects, and goes away again without a word.
 */
bool mrl_socket_answers(unsigned port);

/*
 * Connects to this port of 127.0.0.1, sends `question`, and puts what comes back into answer[0 .. size), 0-terminated,
 * until the other end closes, the place is full, or the moment of mrl_clock_now() has come. False when nothing came.
 */
bool mrl_socket_ask(unsigned port, const char *question, char *answer, size_t size, uint64_t moment);

enum mrl_accept {
	MRL_ACCEPT_ONE,  /* here is a connection */
	MRL_ACCEPT_NONE, /* nobody waits */
	MRL_ACCEPT_FULL  /* somebody waits, but this process or the system has no place: try again later */
};

/* Takes one waiting connection: `*fd` does not block, sends at once what it is given, and is the caller's to close. */
enum mrl_accept mrl_socket_accept(int listening, int *fd);

/* True when there is something to be read from a connection, its end included. Reads nothing. */
bool mrl_socket_has_input(int fd);

/*
 * How many bytes have been read from a connection so far: what came, less what waits. 0 when the system does not say.
 */
uint64_t mrl_socket_taken(int fd);

/* The address at the other end ("203.0.113.7", "2001:db8::1", without a port), or "" when it cannot be told. */
void mrl_socket_peer(int fd, char address[MRL_SOCKET_ADDRESS_SIZE]);

/*
 * Waits until there is something to be read (`reading`) or room to write (`writing`), an end or an error included;
 * false when the moment of mrl_clock_now() came first. An fd of -1 has neither: then it only waits.
 */
bool mrl_socket_wait(int fd, bool reading, bool writing, uint64_t moment);

/* Another descriptor of the same connection, the caller's to close; -1 when there is none to be had. */
int mrl_socket_copy(int fd);

void mrl_socket_close(int fd);

#endif
