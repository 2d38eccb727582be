/* What lists show of a game, as the store keeps it: put together from a game and the events that come next. */
#ifndef MERELS_SERVER_SUMMARY_H
#define MERELS_SERVER_SUMMARY_H

#include <merels/play.h>
#include <merels/store.h>

#define MRL__OPENING_TURNS 12

/* `game` points into the rest. */
struct mrl__summary {
	struct mrl_store_game game;
	char rules[MRL_RULES_NAME_SIZE];
	char opening[MRL__OPENING_TURNS * 24];
	struct mrl_play_player player[2];
	uint8_t white;
};

/* Of a game that is just being made. */
void mrl__summary_new(struct mrl__summary *summary, uint64_t id, const struct mrl_play_settings *settings,
		      const struct mrl_play_player *owner, int64_t wall);

/* Of a game, which started at `started` (Unix ms; 0: not yet), as it will be after the events of a batch. */
void mrl__summary_of(struct mrl__summary *summary, const struct mrl_play_game *game, int64_t started,
		     const struct mrl_play_batch *batch);

/* One more event. */
void mrl__summary_event(struct mrl__summary *summary, const struct mrl_play_event *event);

/* How many turns these are as they are written, of whatever rules ("d2 d6xa1 d2-d3"); -1 when it is something else. */
int mrl__opening_turns(const char *text);

#endif
