/* Giving all games to other nodes before the process ends: see docs/NODES.md. */
#include "nodes.h"

#include "nodes_inside.h"
#include "room.h"
#include "server_internal.h"

enum { HANDED_AT_ONCE = 32, DRAIN_MOST_MS = 60000 };

bool mrl__nodes_draining(const struct mrl__server *server)
{
	return server->nodes != NULL && server->nodes->draining;
}

static bool has_other(const struct mrl__nodes *nodes)
{
	for (size_t i = 0; i < nodes->seen_count; i++) {
		if (nodes->seen[i].alive && !nodes->seen[i].draining && nodes->seen[i].id != nodes->id)
			return true;
	}
	return false;
}

static void begin_drain(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	nodes->drain_asked = 0;
	mrl_log(&server->log, MRL_LOG_INFO, "draining: the games go to other nodes");
	nodes->draining = true;
	mrl__lobby_leave(server);
	nodes->drain_until = mrl__now_ms() + DRAIN_MOST_MS;
	nodes->beat_at = 0;
}

void mrl__nodes_drain(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	if (nodes == NULL || nodes->draining)
		return;
	if (has_other(nodes)) {
		begin_drain(server);
		return;
	}
	/* One may have come since the last beat, or this node a moment ago: the next one says so. */
	nodes->drain_asked = mrl__now_ms();
	nodes->beat_at = 0;
}

void mrl__nodes_drain_or_not(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	if (nodes->drain_asked == 0 || nodes->beat_sent < nodes->drain_asked || nodes->stopping)
		return;
	if (has_other(nodes)) {
		begin_drain(server);
		return;
	}
	nodes->drain_asked = 0;
	mrl_log(&server->log, MRL_LOG_WARNING, "no other node is there to take the games: nothing is handed over");
}

/* One round goes through all rooms, some at each tick; a round that finds none is the last. */
void mrl__nodes_drain_tick(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	size_t handed = 0;
	size_t owned = 0;

	if (nodes->stopping)
		return;
	for (size_t i = 0; i < server->rooms.bucket_count && nodes->handing < HANDED_AT_ONCE; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			if (!room->owned)
				continue;
			owned++;
			if (nodes->handing < HANDED_AT_ONCE && mrl__owner_hand_over(room))
				handed++;
		}
	}
	nodes->drained += handed;
	if ((owned == 0 && nodes->handing == 0 && server->rooms.commits == 0) || mrl__now_ms() >= nodes->drain_until) {
		mrl_log(&server->log, MRL_LOG_INFO, "drained: %zu games were handed over", nodes->drained);
		mrl__server_stop(server);
	}
}
