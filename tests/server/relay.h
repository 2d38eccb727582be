/*
 * Certificates made on the spot, and a relay: whoever connects to it speaks plainly, and it speaks TLS to the server.
 * So clients that know nothing of TLS can be used. Failures are cmocka's.
 */
#ifndef MERELS_TESTS_RELAY_H
#define MERELS_TESTS_RELAY_H

#include <sys/types.h>

struct relay {
	pid_t child;
	unsigned port; /* where to connect to */
};

/* Writes a new key and a certificate of its own for this name into `folder`, as NAME.key and NAME.pem. */
void certificate_make(const char *folder, const char *name);

/* The common name of the certificate that the server at `port` of 127.0.0.1 shows to who connects now, or "". */
void certificate_shown(unsigned port, char name[64]);

void relay_start(struct relay *relay, unsigned to);
void relay_stop(struct relay *relay);

#endif
