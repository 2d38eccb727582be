#define _GNU_SOURCE /* accept4 */
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <merels/text.h>

#include "clock.h"

enum { LONGEST_HOST = 255, LONGEST_PORT = 5 };

struct place {
	char host[LONGEST_HOST + 1]; /* "" for every address */
	char port[LONGEST_PORT + 1];
};

static enum mrl_status not_a_place(const char *where, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_quote(&text, where, strlen(where));
	mrl_text_add(&text, " is no address to listen at; right would be 127.0.0.1:8080, [::1]:8080 or 8080");
	return MRL_SYNTAX;
}

/* Splits "HOST:PORT", "[HOST]:PORT" or "PORT". */
static enum mrl_status read_place(const char *where, struct place *place, struct mrl_error *error)
{
	const char *colon = strrchr(where, ':');
	const char *port = colon != NULL ? colon + 1 : where;
	const char *host = colon != NULL ? where : "127.0.0.1";
	size_t host_length = colon != NULL ? (size_t)(colon - where) : strlen(host);
	size_t port_length = strlen(port);
	unsigned long number = 0;

	if (port_length == 0 || port_length > LONGEST_PORT || strspn(port, "0123456789") != port_length)
		return not_a_place(where, error);
	for (size_t i = 0; i < port_length; i++)
		number = number * 10 + (unsigned long)(port[i] - '0');
	if (number > 65535)
		return not_a_place(where, error);
	if (host_length >= 2 && host[0] == '[' && host[host_length - 1] == ']') {
		host++;
		host_length -= 2;
		if (host_length == 0)
			return not_a_place(where, error);
	} else if (memchr(host, ':', host_length) != NULL) {
		return not_a_place(where, error);
	}
	if (host_length > LONGEST_HOST || memchr(host, ' ', host_length) != NULL)
		return not_a_place(where, error);
	memcpy(place->host, host, host_length);
	place->host[host_length] = '\0';
	memcpy(place->port, port, port_length + 1);
	return MRL_OK;
}

enum mrl_status mrl_socket_check(const char *where, struct mrl_error *error)
{
	struct place place;

	return read_place(where, &place, error);
}

static enum mrl_status refuse(const char *where, const char *why, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "cannot listen at ");
	mrl_text_add(&text, where);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

static const char *reason(int number)
{
	switch (number) {
	case EADDRINUSE:
		return "another program listens there already; stop it, or choose another port (0 is any free one)";
	case EACCES:
		return "permission denied; ports below 1024 are for the administrator, try a higher one";
	case EADDRNOTAVAIL:
		return "this machine does not have that address";
	default:
		return strerror(number);
	}
}

static int open_at(const struct addrinfo *at)
{
	const int on = 1;
	const int off = 0;
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	/* A restarted server finds its own old connections still dying at its port. */
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* "Every address" is every IPv4 address too. */
	if (at->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
		int number = errno;

		(void)close(fd);
		errno = number;
		return -1;
	}
	return fd;
}

static void name_of(int fd, char address[MRL_SOCKET_ADDRESS_SIZE])
{
	struct sockaddr_storage name;
	socklen_t length = sizeof(name);
	char host[MRL_SOCKET_ADDRESS_SIZE - 10] = "?";
	char port[LONGEST_PORT + 1] = "?";

	if (getsockname(fd, (struct sockaddr *)&name, &length) == 0)
		(void)getnameinfo((struct sockaddr *)&name, length, host, sizeof(host), port, sizeof(port),
				  NI_NUMERICHOST | NI_NUMERICSERV);
	bool colons = strchr(host, ':') != NULL;

	(void)snprintf(address, MRL_SOCKET_ADDRESS_SIZE, "%s%s%s:%s", colons ? "[" : "", host, colons ? "]" : "", port);
}

enum mrl_status mrl_socket_listen(const char *where, int *fd, char address[MRL_SOCKET_ADDRESS_SIZE],
				  struct mrl_error *error)
{
	const struct addrinfo wish = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	struct place place;
	enum mrl_status status = read_place(where, &place, error);

	if (status != MRL_OK)
		return status;
	int problem = getaddrinfo(place.host[0] != '\0' ? place.host : NULL, place.port, &wish, &found);

	if (problem != 0)
		return refuse(where, gai_strerror(problem), error);

	const struct addrinfo *at = found;

	/* The one socket that hears both families, where the system has it. */
	if (place.host[0] == '\0') {
		while (at->ai_next != NULL && at->ai_family != AF_INET6)
			at = at->ai_next;
	}
	int opened = open_at(at);

	if (opened < 0 && place.host[0] == '\0' && errno == EAFNOSUPPORT && at != found)
		opened = open_at(found);
	int number = errno;

	freeaddrinfo(found);
	if (opened < 0)
		return refuse(where, reason(number), error);
	if (address != NULL)
		name_of(opened, address);
	*fd = opened;
	return MRL_OK;
}

/* A connection to this port of 127.0.0.1 that does not block, or -1. */
static int dial(unsigned port)
{
	const struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	/* Within one machine the other end takes it at once, or never. */
	if (errno == EINPROGRESS) {
		struct pollfd wait = {.fd = fd, .events = POLLOUT};
		int reason = 0;
		socklen_t size = sizeof(reason);

		if (poll(&wait, 1, 100) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 &&
		    reason == 0)
			return fd;
	}
	(void)close(fd);
	return -1;
}

bool mrl_socket_answers(unsigned port)
{
	int fd = dial(port);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

bool mrl_socket_ask(unsigned port, const char *question, char *answer, size_t size, uint64_t moment)
{
	size_t length = 0;
	int fd = dial(port);

	/* It is short enough for the buffer of a new connection. */
	if (fd >= 0 && send(fd, question, strlen(question), MSG_NOSIGNAL) == (ssize_t)strlen(question)) {
		while (length + 1 < size && mrl_socket_wait(fd, true, false, moment)) {
			ssize_t got = recv(fd, answer + length, size - 1 - length, 0);

			if (got <= 0)
				break;
			length += (size_t)got;
		}
	}
	if (fd >= 0)
		(void)close(fd);
	answer[length] = '\0';
	return length > 0;
}

enum mrl_accept mrl_socket_accept(int listening, int *fd)
{
	const int on = 1;

	for (;;) {
		int taken = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (taken >= 0) {
			(void)setsockopt(taken, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			*fd = taken;
			return MRL_ACCEPT_ONE;
		}
		switch (errno) {
		case EAGAIN:
			return MRL_ACCEPT_NONE;
		case EINTR:
		case ECONNABORTED:
		case EPROTO:
		case ENETDOWN:
		case ENETUNREACH:
		case EHOSTDOWN:
		case EHOSTUNREACH:
		case ENOPROTOOPT:
			/* That one went away before it was taken; the next may be well. */
			break;
		default:
			return MRL_ACCEPT_FULL;
		}
	}
}

bool mrl_socket_has_input(int fd)
{
	char first;

	return recv(fd, &first, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

uint64_t mrl_socket_taken(int fd)
{
	struct tcp_info info = {0};
	socklen_t length = sizeof(info);
	int waiting = 0;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || ioctl(fd, FIONREAD, &waiting) != 0)
		return 0;
	return (uint64_t)info.tcpi_bytes_received - (uint64_t)waiting;
}

void mrl_socket_peer(int fd, char address[MRL_SOCKET_ADDRESS_SIZE])
{
	struct sockaddr_storage name;
	socklen_t length = sizeof(name);

	address[0] = '\0';
	if (getpeername(fd, (struct sockaddr *)&name, &length) != 0 ||
	    getnameinfo((struct sockaddr *)&name, length, address, MRL_SOCKET_ADDRESS_SIZE, NULL, 0, NI_NUMERICHOST) !=
		0)
		address[0] = '\0';
	/* An IPv4 address that came by a socket for both families. */
	if (strncmp(address, "::ffff:", 7) == 0 && strchr(address, '.') != NULL)
		memmove(address, address + 7, strlen(address + 7) + 1);
}

bool mrl_socket_wait(int fd, bool reading, bool writing, uint64_t moment)
{
	struct pollfd wait = {.fd = fd, .events = (short)((reading ? POLLIN : 0) | (writing ? POLLOUT : 0))};

	for (;;) {
		uint64_t now = mrl_clock_now();
		uint64_t left = moment <= now ? 0 : (moment - now + 999999) / 1000000;
		int ready = poll(&wait, 1, left > 1000000 ? 1000000 : (int)left);

		if (ready > 0)
			return true;
		if (left == 0 || (ready < 0 && errno != EINTR))
			return false;
	}
}

int mrl_socket_copy(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

void mrl_socket_close(int fd)
{
	(void)close(fd);
}
