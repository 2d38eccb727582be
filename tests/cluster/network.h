/*
 * A network for each node, as real as one machine can have it: a network namespace with three cables (veth) to this
 * machine, one for whoever comes, one to NATS, one to PostgreSQL, each of which can be pulled. Needs root and
 * iproute2. There is one at a time, of the names merels1 ...; belongs to the first thread.
 */
#ifndef MERELS_TESTS_NETWORK_H
#define MERELS_TESTS_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

enum network_cable { NETWORK_FRONT, NETWORK_BUS, NETWORK_STORE, NETWORK_CABLES };

enum { NETWORK_ADDRESS_SIZE = 32 };

/* False, after a word on stdout, when it cannot be made: then nothing is left. */
bool network_make(unsigned nodes);
void network_end(unsigned nodes);

/* The address at one end of a cable: the node's, or this machine's. */
void network_address(unsigned node, enum network_cable cable, bool at_node, char text[NETWORK_ADDRESS_SIZE]);

/* Pulls a cable out, as far as the node can tell: what is sent is lost, and nobody is told. Puts it back. */
void network_pull(unsigned node, enum network_cable cable, bool out);

/*
 * Writes a program into `folder` that is as `program`, merels, but runs a node (`serve --listen 127.0.0.1:PORT --node
 * n1`) in its network, where it listens at its front cable. Puts its path into `path`; false as above.
 */
bool network_wrap(const char *program, const char *folder, char *path, size_t size);

#endif
