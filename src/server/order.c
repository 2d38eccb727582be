#include "order.h"

#include <stdlib.h>

#include "peer.h"

struct mrl__order *mrl__order_new(enum mrl__order_kind kind, struct mrl__peer *peer, struct mrl__exchange *exchange)
{
	struct mrl__order *order = calloc(1, sizeof(*order));

	if (order == NULL)
		return NULL;
	order->kind = kind;
	order->peer = peer;
	order->exchange = exchange;
	order->command.id = order->id;
	order->command.turn = order->turn;
	order->command.text = order->text;
	order->command.player = &order->player;
	order->command.link = order->link;
	if (peer != NULL)
		mrl__peer_hold(peer);
	return order;
}

void mrl__order_free(struct mrl__order *order)
{
	if (order->peer != NULL)
		mrl__peer_drop(order->peer);
	mrl__mutes_release(&order->mutes);
	free(order->far);
	free(order);
}
