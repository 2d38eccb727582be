/*
 * Hashing and checking of passwords, on libuv's threads: each takes a while and 64 MB, so only few at a time, and only
 * so many wait. And the slow-down of failed logins by name. All functions are for the thread of the loop.
 */
#ifndef MERELS_SERVER_PASSWORDS_H
#define MERELS_SERVER_PASSWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "secret.h"

struct mrl__server;
struct mrl__password_job;

#define MRL__PASSWORD_NAMES 1024

/* A name (a hash of it) with failed logins. */
struct mrl__failures {
	uint64_t name;
	unsigned count;
	uint64_t try_again; /* ms */
};

struct mrl__passwords {
	struct mrl__password_job *first;
	struct mrl__password_job *last;
	size_t waiting;
	unsigned running;
	struct mrl__failures failures[MRL__PASSWORD_NAMES];
};

/*
 * `good`: it was hashed, or it is the password; false too when there was no memory. `hash` is of what was hashed.
 * Called on the loop.
 */
typedef void mrl__password_done(void *user, bool good, const char *hash);

/* Both return false, and call nothing, when too many wait. The password is copied, and wiped when it is done. */
bool mrl__passwords_hash(struct mrl__server *server, const char *password, mrl__password_done *done, void *user);
bool mrl__passwords_check(struct mrl__server *server, const char *password, const char *hash, mrl__password_done *done,
			  void *user);

/* How many seconds a login with this name must wait; 0: none. And what came of one. */
unsigned mrl__passwords_wait(const struct mrl__server *server, const char *name);
void mrl__passwords_tried(struct mrl__server *server, const char *name, bool good);

/* The same rule, for an address: when to try again after so many failures, in ms from now. */
uint64_t mrl__slow_down(unsigned failures);

#endif
