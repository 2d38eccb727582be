#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "messages.h"
#include "server_internal.h"

enum {
	CREDIT_RATE = 20,  /* messages a second on the long run */
	CREDIT_BURST = 80, /* and at once: a hello of 64 games is among them */
	SLOW_SECONDS = 2   /* how long the last words to a slow reader may take */
};

static struct mrl__address *admit(struct mrl__server *server, const char *text)
{
	struct mrl__address *address = mrl__address_hold(&server->addresses, text);
	unsigned most = server->addresses.most_sockets;

	if (address != NULL && most != 0 && address->sockets >= most) {
		mrl__address_drop(&server->addresses, address);
		return NULL;
	}
	return address;
}

struct mrl__peer *mrl__peer_new(struct mrl__server *server, const char *address, const unsigned char *session,
				bool by_token)
{
	struct mrl__address *admitted = admit(server, address);
	struct mrl__peer *peer = admitted != NULL ? calloc(1, sizeof(*peer)) : NULL;

	if (peer == NULL) {
		mrl__address_drop(&server->addresses, admitted);
		return NULL;
	}
	peer->server = server;
	peer->references = 1;
	peer->address = admitted;
	peer->address->sockets++;
	peer->by_token = by_token;
	if (session != NULL) {
		peer->has_session = true;
		memcpy(peer->session, session, MRL__HASH_SIZE);
	}
	return peer;
}

void mrl__peer_hold(struct mrl__peer *peer)
{
	peer->references++;
}

void mrl__peer_drop(struct mrl__peer *peer)
{
	if (--peer->references > 0)
		return;
	free(peer->in);
	mrl__mutes_release(&peer->mutes);
	free(peer->ids);
	free(peer);
}

bool mrl__peer_is_here(const struct mrl__peer *peer)
{
	return peer->wsi != NULL && !peer->closing;
}

/* ---- Coming and going --------------------------------------------------------------------------------------- */

int mrl__peer_begin(struct mrl__peer *peer, struct lws *wsi)
{
	peer->wsi = wsi;
	/* libwebsockets 4.1 has all its timeouts in one sorted list, in which each new one is looked for from the
	 * start. */
	lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
	peer->heard = peer->server->peers.attention.clock;
	peer->mask_known = lws_is_ssl(wsi) != 0;
	peer->taken = mrl_socket_taken(lws_get_socket_fd(wsi));
	peer->server->metrics.sockets_opened++;
	mrl__peers_add(&peer->server->peers, peer);
	/* Nothing is read before it is known who it is. */
	(void)lws_rx_flow_control(wsi, 0);
	mrl__peers_introduce(peer);
	return 0;
}

void mrl__peer_gone(struct mrl__peer *peer)
{
	struct mrl__server *server = peer->server;

	if (peer->wsi != NULL) {
		peer->wsi = NULL;
		mrl__peers_remove(&server->peers, peer);
		mrl__rooms_peer_gone(peer);
		mrl__desk_peer_gone(peer);
	}
	mrl__outbox_release(&peer->out);
	peer->address->sockets--;
	mrl__address_drop(&server->addresses, peer->address);
	peer->address = NULL;
	mrl__peer_drop(peer);
}

void mrl__peer_close(struct mrl__peer *peer, unsigned code, const char *reason)
{
	if (!mrl__peer_is_here(peer))
		return;
	peer->closing = true;
	peer->close_code = (uint16_t)code;
	peer->close_reason = reason;
	/* Whoever reads gets the reason; whoever does not is cut off. */
	lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, SLOW_SECONDS);
	mrl__peers_close_later(peer);
}

bool mrl__peer_end(struct mrl__peer *peer)
{
	unsigned char reason[64];
	size_t length = strlen(peer->close_reason);

	if (peer->wsi == NULL)
		return true;
	if (peer->out.count > 0 || lws_partial_buffered(peer->wsi) != 0)
		return false;
	/* libwebsockets takes bytes that may be changed, and does not. */
	memcpy(reason, peer->close_reason, length);
	lws_close_reason(peer->wsi, (enum lws_close_status)peer->close_code, reason, length);
	lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
	return true;
}

/* ---- Sending ------------------------------------------------------------------------------------------------ */

/* Hands one message to libwebsockets, which keeps what the socket does not take. False when the connection is lost. */
static bool write_out(struct mrl__peer *peer, struct mrl__message *message)
{
	struct mrl__metrics *metrics = &peer->server->metrics;

	metrics->messages_out++;
	metrics->bytes_out += message->length;
	return lws_write(peer->wsi, message->bytes + LWS_PRE, message->length, LWS_WRITE_TEXT) >= 0;
}

/* The connection is lost; libwebsockets is to notice by itself, not while it is in use. */
static void lose(struct mrl__peer *peer)
{
	peer->closing = true;
	lws_set_timeout(peer->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	lws_cancel_service(peer->server->context);
}

void mrl__peer_send(struct mrl__peer *peer, struct mrl__message *message, bool now)
{
	if (!mrl__peer_is_here(peer) || message == NULL)
		return;
	/* What the socket does not take is kept by libwebsockets, and what comes then waits here. */
	if (now && peer->out.count == 0 && lws_partial_buffered(peer->wsi) == 0) {
		if (!write_out(peer, message))
			lose(peer);
		return;
	}
	if (mrl__outbox_put(&peer->out, message)) {
		(void)lws_callback_on_writable(peer->wsi);
		return;
	}
	peer->server->metrics.dropped_slow++;
	mrl__outbox_release(&peer->out);
	mrl__peer_close(peer, MRL__CLOSE_LIMIT, "slow");
}

void mrl__peer_send_json(struct mrl__peer *peer, const struct mrl__json *json)
{
	struct mrl__message *message = json->failed ? NULL : mrl__message_new(json->data, json->length);

	if (message == NULL)
		mrl__peer_close(peer, MRL__CLOSE_FAULT, "memory");
	else
		mrl__peer_send(peer, message, true);
	mrl__message_release(message);
}

void mrl__peer_refuse(struct mrl__peer *peer, const char *id, const char *game, const char *code, const char *text)
{
	struct mrl__json *json = &peer->server->json;

	peer->server->metrics.refused++;
	mrl__json_reset(json);
	mrl__json_open(json, NULL);
	mrl__json_text(json, "t", "no");
	if (game != NULL)
		mrl__json_text(json, "game", game);
	if (id != NULL)
		mrl__json_text(json, "id", id);
	mrl__json_text(json, "code", code);
	mrl__json_text(json, "text", text);
	mrl__json_close(json);
	mrl__peer_send_json(peer, json);
}

int mrl__peer_writable(struct mrl__peer *peer)
{
	if (peer->wsi == NULL)
		return -1;
	if (peer->ping_wanted && !peer->closing) {
		/* libwebsockets does not tell of an answer without a payload. */
		unsigned char ping[LWS_PRE + 1] = {0};

		peer->ping_wanted = false;
		peer->pinged = mrl__now_ms();
		if (lws_write(peer->wsi, ping + LWS_PRE, 1, LWS_WRITE_PING) < 0)
			return -1;
	}
	while (peer->out.count > 0 && lws_partial_buffered(peer->wsi) == 0) {
		struct mrl__message *message = mrl__outbox_take(&peer->out);
		bool sent = write_out(peer, message);

		mrl__message_release(message);
		if (!sent)
			return -1;
	}
	if (peer->out.count > 0)
		(void)lws_callback_on_writable(peer->wsi);
	return 0;
}

/* ---- Receiving ---------------------------------------------------------------------------------------------- */

bool mrl__peer_pay(struct mrl__peer *peer, unsigned cost)
{
	struct mrl__server *server = peer->server;
	uint64_t now = mrl__now_ms();
	unsigned rate = server->addresses.rate == 0 ? 0 : CREDIT_RATE;

	if (mrl__credits_take(&peer->credits, now, cost, rate, CREDIT_BURST) &&
	    mrl__address_pay(&server->addresses, peer->address, now, cost))
		return true;
	server->metrics.dropped_rate++;
	mrl__peer_close(peer, MRL__CLOSE_LIMIT, "rate");
	return false;
}

static uint64_t hash_of(const char *id)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *at = id; *at != '\0'; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	return hash;
}

void mrl__peer_forget(struct mrl__peer *peer, const char *id)
{
	uint64_t hash = hash_of(id);

	for (unsigned i = 0; i < peer->id_count && i < MRL__IDS_REMEMBERED; i++) {
		if (peer->ids[i] == hash)
			peer->ids[i] = 0;
	}
}

bool mrl__peer_remembers(struct mrl__peer *peer, const char *id)
{
	uint64_t hash = hash_of(id);

	for (unsigned i = 0; i < peer->id_count && i < MRL__IDS_REMEMBERED; i++) {
		if (peer->ids[i] == hash)
			return true;
	}
	if (peer->ids == NULL)
		peer->ids = calloc(MRL__IDS_REMEMBERED, sizeof(*peer->ids));
	if (peer->ids != NULL)
		peer->ids[peer->id_count++ % MRL__IDS_REMEMBERED] = hash;
	return false;
}

/* Adds a piece to the message that is coming; false when it is too large. */
static bool gather(struct mrl__peer *peer, const char *bytes, size_t length)
{
	if (length > MRL__MESSAGE_MOST - peer->in_length)
		return false;
	char *moved = realloc(peer->in, peer->in_length + length + 1);

	if (moved == NULL)
		return false;
	memcpy(moved + peer->in_length, bytes, length);
	peer->in = moved;
	peer->in_length += length;
	return true;
}

/*
 * libwebsockets 4.1 reads frames that are not masked, and does not tell. A mask is four bytes, so from a frame that was
 * read alone it is seen; and who masks does it always, so the first will do. What cannot be told counts as masked: a
 * frame that came with another, or through TLS.
 */
static bool is_unmasked(struct mrl__peer *peer, size_t length)
{
	uint64_t taken = 0;

	if (peer->mask_known)
		return false;
	taken = mrl_socket_taken(lws_get_socket_fd(peer->wsi));
	bool unmasked = taken - peer->taken == length + (length > 125 ? 4 : 2);

	peer->taken = taken;
	return unmasked;
}

int mrl__peer_receive(struct mrl__peer *peer, const char *bytes, size_t length)
{
	bool whole = lws_is_final_fragment(peer->wsi) != 0 && lws_remaining_packet_payload(peer->wsi) == 0;

	peer->heard = peer->server->peers.attention.clock;
	peer->asked = 0;
	if (peer->closing)
		return 0;
	bool unmasked = whole && peer->in_length == 0 && is_unmasked(peer, length);

	peer->mask_known = true;
	if (unmasked) {
		mrl__peer_close(peer, MRL__CLOSE_PROTOCOL, "not masked");
		return 0;
	}
	if (lws_frame_is_binary(peer->wsi) != 0) {
		mrl__peer_close(peer, MRL__CLOSE_BINARY, "text only");
		return 0;
	}
	if (whole && peer->in_length == 0 && length <= MRL__MESSAGE_MOST) {
		mrl__message_received(peer, bytes, length);
		return 0;
	}
	if (!gather(peer, bytes, length)) {
		mrl__peer_close(peer, MRL__CLOSE_LARGE, "too large");
		return 0;
	}
	if (!whole)
		return 0;
	char *message = peer->in;

	length = peer->in_length;
	peer->in = NULL;
	peer->in_length = 0;
	mrl__message_received(peer, message, length);
	free(message);
	return 0;
}

void mrl__peer_ping(struct mrl__peer *peer)
{
	if (!mrl__peer_is_here(peer))
		return;
	peer->ping_wanted = true;
	if (peer->asked == 0)
		peer->asked = peer->server->peers.second;
	(void)lws_callback_on_writable(peer->wsi);
}

void mrl__peer_pong(struct mrl__peer *peer, const void *payload, size_t length)
{
	uint64_t now = mrl__now_ms();

	(void)payload;
	peer->heard = peer->server->peers.attention.clock;
	peer->asked = 0;
	if (is_unmasked(peer, length)) {
		mrl__peer_close(peer, MRL__CLOSE_PROTOCOL, "not masked");
		return;
	}
	if (peer->pinged == 0)
		return;
	uint32_t lag = (uint32_t)((now - peer->pinged) / 2);

	peer->lag = peer->lag == 0 ? lag : (3 * peer->lag + lag) / 4;
	peer->pinged = 0;
}
