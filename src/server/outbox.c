#include "outbox.h"

#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>

enum { FIRST_SIZE = 8 };

struct mrl__message *mrl__message_new(const char *text, size_t length)
{
	struct mrl__message *message = malloc(sizeof(*message) + LWS_PRE + length);

	if (message == NULL)
		return NULL;
	message->references = 1;
	message->length = length;
	memcpy(message->bytes + LWS_PRE, text, length);
	return message;
}

void mrl__message_release(struct mrl__message *message)
{
	if (message != NULL && --message->references == 0)
		free(message);
}

static bool grow(struct mrl__outbox *outbox)
{
	uint16_t size = outbox->size == 0 ? FIRST_SIZE : (uint16_t)(2 * outbox->size);
	struct mrl__message **ring = calloc(size, sizeof(struct mrl__message *));

	if (ring == NULL)
		return false;
	for (uint16_t i = 0; i < outbox->count; i++)
		ring[i] = outbox->ring[(outbox->first + i) % outbox->size];
	free(outbox->ring);
	outbox->ring = ring;
	outbox->size = size;
	outbox->first = 0;
	return true;
}

bool mrl__outbox_put(struct mrl__outbox *outbox, struct mrl__message *message)
{
	/* One that is larger than all that may wait still gets through to who has nothing waiting. */
	if (outbox->count > 0 && outbox->bytes + message->length > MRL__OUTBOX_BYTES)
		return false;
	if (outbox->count == MRL__OUTBOX_MESSAGES || (outbox->count == outbox->size && !grow(outbox)))
		return false;
	outbox->ring[(outbox->first + outbox->count) % outbox->size] = message;
	outbox->count++;
	outbox->bytes += message->length;
	message->references++;
	return true;
}

struct mrl__message *mrl__outbox_take(struct mrl__outbox *outbox)
{
	if (outbox->count == 0)
		return NULL;
	struct mrl__message *message = outbox->ring[outbox->first];

	outbox->first = (uint16_t)((outbox->first + 1) % outbox->size);
	outbox->count--;
	outbox->bytes -= message->length;
	if (outbox->count == 0)
		mrl__outbox_release(outbox);
	return message;
}

void mrl__outbox_release(struct mrl__outbox *outbox)
{
	for (uint16_t i = 0; i < outbox->count; i++)
		mrl__message_release(outbox->ring[(outbox->first + i) % outbox->size]);
	free(outbox->ring);
	*outbox = (struct mrl__outbox){0};
}
