/* A nats-server of a test: on a free port of 127.0.0.1, ended by its process id. Failures are cmocka's. */
#ifndef MERELS_TESTS_NATS_SERVER_H
#define MERELS_TESTS_NATS_SERVER_H

#include <sys/types.h>

struct nats_server {
	pid_t child;
	unsigned port;
	char folder[256]; /* its files */
	char place[64];   /* nats://127.0.0.1:PORT */
};

/* Makes its folder and finds a port for it, but does not start it. */
void nats_make(struct nats_server *server);

/* Starts it on its port, with further arguments (NULL: none, else NULL at the end), and waits until it listens. */
void nats_start(struct nats_server *server, const char *const arguments[]);

/* Kills it. It may be started again. */
void nats_kill(struct nats_server *server);

/* Kills it if it runs, and takes its folder away. */
void nats_release(struct nats_server *server);

#endif
