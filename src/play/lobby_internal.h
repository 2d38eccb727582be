/* What the files of the lobby share. */
#ifndef MERELS_PLAY_LOBBY_INTERNAL_H
#define MERELS_PLAY_LOBBY_INTERNAL_H

#include <merels/lobby.h>

/* One game or offer more (or less) of a rule set. */
void mrl__topic_add(struct mrl_lobby *lobby, const char *rules, int games, int waiting);

/*
 * An offer taken out in two steps, for several may go at once: marked (id 0), and all that are marked cleared away. The
 * counts change with the second step.
 */
size_t mrl__mark_seeks_of(struct mrl_lobby *lobby, uint64_t person);
void mrl__clear_marked(struct mrl_lobby *lobby);

/* Whether an offer can be taken now: its owner is there, and it is not marked. */
bool mrl__seek_alive(const struct mrl_lobby_seek *seek);

#endif
