/* What the files of the client share. */
#ifndef MERELS_CLIENT_INTERNAL_H
#define MERELS_CLIENT_INTERNAL_H

#include <uv.h>

#include <merels/client.h>

#define MRL__REQUEST_MOST 1024 /* bytes of the head of a request */

struct mrl_client {
	uv_loop_t *loop;
	size_t busy;
	struct sockaddr_storage address;
	char host[128];   /* what the Host header says: as in the URL, IPv6 in brackets */
	char read[65536]; /* what is read goes here first; callbacks see it at once, so one is enough */
	uint64_t random;  /* state of the masks' generator, seeded by the system */
};

/* Connects `tcp`, which it initialises; closing it is the caller's. `connect->data` and `tcp->data` are the caller's.
 */
int mrl__client_connect(struct mrl_client *client, unsigned source, uv_tcp_t *tcp, uv_connect_t *connect,
			uv_connect_cb connected);

/* libuv's callback for memory to read into; the handle's loop has one client, found through `data` of the handle. */
void mrl__client_memory(struct mrl_client *client, uv_buf_t *memory);

/* Appends the headers that say who asks; text is 0-terminated and has MRL__REQUEST_MOST bytes. False: no room. */
bool mrl__client_identify(const struct mrl_client *client, const struct mrl_client_identity *identity, char *text);

/* Next random bits for masks: unpredictable enough for a client that relays nobody's data. */
uint64_t mrl__client_random(struct mrl_client *client);

#endif
