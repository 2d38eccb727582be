#define _GNU_SOURCE
#include "between.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <os/thread.h>

enum { PAIRS = 32, LOOK_MS = 20, PAUSE_US = 300000 };

struct pair {
	int client; /* -1: free */
	int server;
};

struct between {
	char there[108];
	char here[108];
	int listening;
	struct pair pairs[PAIRS];
	atomic_int mood;
	atomic_uint cuts;
	atomic_bool ends;
	struct mrl_thread *thread;
};

static struct sockaddr_un address_of(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	return address;
}

static void cut(struct pair *pair)
{
	(void)close(pair->client);
	(void)close(pair->server);
	pair->client = -1;
}

static void take(struct between *between)
{
	struct sockaddr_un there = address_of(between->there);
	int client = accept4(between->listening, NULL, NULL, SOCK_CLOEXEC);
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (client >= 0 && server >= 0 && atomic_load(&between->mood) != BETWEEN_REFUSES &&
	    connect(server, (struct sockaddr *)&there, sizeof(there)) == 0) {
		for (unsigned i = 0; i < PAIRS; i++) {
			if (between->pairs[i].client < 0) {
				between->pairs[i] = (struct pair){client, server};
				return;
			}
		}
	}
	(void)close(client);
	(void)close(server);
}

/* Passes on what there is to be read; false at the end. */
static bool pass(int from, int to)
{
	char bytes[65536];
	ssize_t count = read(from, bytes, sizeof(bytes));

	for (ssize_t at = 0; at < count;) {
		ssize_t written = send(to, bytes + at, (size_t)(count - at), MSG_NOSIGNAL);

		if (written <= 0)
			return false;
		at += written;
	}
	return count > 0;
}

static void serve(struct between *between, struct pair *pair, bool client_speaks, bool server_speaks)
{
	int mood = atomic_load(&between->mood);

	if (mood == BETWEEN_REFUSES) {
		cut(pair);
	} else if (client_speaks && mood == BETWEEN_MUTES) {
		atomic_store(&between->mood, BETWEEN_PASSES);
		atomic_fetch_add(&between->cuts, 1);
		cut(pair);
	} else if (server_speaks && mood == BETWEEN_DEAFENS) {
		/* By now it has done all that it was told. */
		atomic_store(&between->mood, BETWEEN_PASSES);
		(void)usleep(PAUSE_US);
		atomic_fetch_add(&between->cuts, 1);
		cut(pair);
	} else if ((client_speaks && !pass(pair->client, pair->server)) ||
		   (server_speaks && !pass(pair->server, pair->client))) {
		cut(pair);
	}
}

static void run(void *of)
{
	struct between *between = of;

	while (!atomic_load(&between->ends)) {
		struct pollfd waits[1 + 2 * PAIRS];

		waits[0] = (struct pollfd){.fd = between->listening, .events = POLLIN};
		for (unsigned i = 0; i < PAIRS; i++) {
			const struct pair *pair = &between->pairs[i];
			bool used = pair->client >= 0;

			waits[1 + 2 * i] = (struct pollfd){.fd = pair->client, .events = POLLIN};
			waits[2 + 2 * i] = (struct pollfd){.fd = used ? pair->server : -1, .events = POLLIN};
		}
		if (poll(waits, 1 + 2 * PAIRS, LOOK_MS) < 0)
			continue;
		for (unsigned i = 0; i < PAIRS; i++) {
			bool client = waits[1 + 2 * i].revents != 0;
			bool server = waits[2 + 2 * i].revents != 0;

			if (between->pairs[i].client >= 0 &&
			    (client || server || atomic_load(&between->mood) == BETWEEN_REFUSES))
				serve(between, &between->pairs[i], client, server);
		}
		if (waits[0].revents != 0)
			take(between);
	}
}

struct between *between_start(const char *there, const char *here)
{
	struct between *between = calloc(1, sizeof(*between));

	if (between == NULL)
		return NULL;
	(void)snprintf(between->there, sizeof(between->there), "%.80s/.s.PGSQL.5432", there);
	(void)snprintf(between->here, sizeof(between->here), "%.80s/.s.PGSQL.5432", here);
	for (unsigned i = 0; i < PAIRS; i++)
		between->pairs[i].client = -1;
	struct sockaddr_un address = address_of(between->here);

	between->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(between->listening, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(between->listening, PAIRS) != 0) {
		free(between);
		return NULL;
	}
	between->thread = mrl_thread_start(run, between);
	return between;
}

void between_end(struct between *between)
{
	atomic_store(&between->ends, true);
	mrl_thread_join(between->thread);
	for (unsigned i = 0; i < PAIRS; i++) {
		if (between->pairs[i].client >= 0)
			cut(&between->pairs[i]);
	}
	(void)close(between->listening);
	(void)unlink(between->here);
	free(between);
}

void between_set(struct between *between, enum between_mood mood)
{
	atomic_store(&between->mood, (int)mood);
}

unsigned between_cuts(const struct between *between)
{
	return atomic_load(&between->cuts);
}
