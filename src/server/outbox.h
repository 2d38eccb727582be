/*
 * Messages on their way to sockets. A message is made once and shared by everybody who gets it; an outbox is the
 * bounded queue of one socket. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_OUTBOX_H
#define MERELS_SERVER_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a reader may leave unread before he is dropped. */
#define MRL__OUTBOX_MESSAGES 512
#define MRL__OUTBOX_BYTES ((size_t)256 << 10)

struct mrl__message {
	unsigned references;
	size_t length;
	/*
	 * LWS_PRE bytes of room, in which libwebsockets puts the frame's header, and the text. The header is the same
	 * for everybody, so a message may be sent to many without a copy.
	 */
	unsigned char bytes[];
};

/* A message with one reference, the caller's; NULL when there is no memory. */
struct mrl__message *mrl__message_new(const char *text, size_t length);
void mrl__message_release(struct mrl__message *message); /* NULL is allowed */

/* A ring that takes no memory while it is empty. Zeroed: empty. */
struct mrl__outbox {
	struct mrl__message **ring;
	uint16_t size;
	uint16_t first;
	uint16_t count;
	size_t bytes;
};

/* Takes a reference of its own. False when it is full: the reader is too slow. */
bool mrl__outbox_put(struct mrl__outbox *outbox, struct mrl__message *message);

/* The first message, whose reference is now the caller's; NULL when there is none. */
struct mrl__message *mrl__outbox_take(struct mrl__outbox *outbox);

void mrl__outbox_release(struct mrl__outbox *outbox);

#endif
