/* Time in the lobby: offers of those who are away go, and those who want a game are paired. */
#include "lobby_internal.h"
#include "play_internal.h"

#define WINDOW_MAX 10000000 /* wider than any two ratings are apart */

int32_t mrl_lobby_window(uint64_t waited)
{
	uint64_t growth = waited < 3600000 ? waited * MRL_LOBBY_WINDOW_GROWTH / 1000 : WINDOW_MAX;

	return growth < WINDOW_MAX - MRL_LOBBY_WINDOW ? MRL_LOBBY_WINDOW + (int32_t)growth : WINDOW_MAX;
}

static int32_t window_of(const struct mrl_lobby_seek *seek, uint64_t time)
{
	return mrl_lobby_window(time > seek->since ? time - seek->since : 0);
}

static int32_t apart(const struct mrl_lobby_seek *a, const struct mrl_lobby_seek *b)
{
	int32_t difference = a->rating.rating - b->rating.rating;

	return difference < 0 ? -difference : difference;
}

/* Whether two in the pool want the same game, and each accepts the other. */
static bool fit(const struct mrl_lobby_seek *a, const struct mrl_lobby_seek *b, uint64_t time)
{
	return mrl_play_tempo_equal(&a->settings.tempo, &b->settings.tempo) && a->settings.rated == b->settings.rated &&
	       a->settings.phrases == b->settings.phrases && a->player.person != b->player.person &&
	       apart(a, b) <= window_of(a, time) && apart(a, b) <= window_of(b, time) &&
	       mrl__same_text(a->settings.rules, b->settings.rules);
}

/* The nearest that fits among those who came after `index`; of equally near ones the first to come. NULL: none. */
static struct mrl_lobby_seek *partner_of(const struct mrl_lobby *lobby, size_t index, uint64_t time)
{
	const struct mrl_lobby_seek *one = &lobby->seeks[index];
	struct mrl_lobby_seek *best = NULL;

	for (size_t i = index + 1; i < lobby->seek_count; i++) {
		struct mrl_lobby_seek *other = &lobby->seeks[i];

		if (other->pool && mrl__seek_alive(other) && (best == NULL || apart(one, other) < apart(one, best)) &&
		    fit(one, other, time))
			best = other;
	}
	return best;
}

/* Who had White more often gets Black. */
static enum mrl_play_first colours(const struct mrl_lobby_seek *owner, const struct mrl_lobby_seek *other, bool lot)
{
	if (owner->whites != other->whites)
		return owner->whites < other->whites ? MRL_PLAY_OWNER_FIRST : MRL_PLAY_FRIEND_FIRST;
	return lot ? MRL_PLAY_OWNER_FIRST : MRL_PLAY_FRIEND_FIRST;
}

static size_t pair(struct mrl_lobby *lobby, uint64_t time, uint64_t random, struct mrl_lobby_pairing *pairings,
		   size_t capacity)
{
	size_t count = 0;

	/* The oldest come first in the list, so whoever waits longest chooses first. */
	for (size_t i = 0; i < lobby->seek_count && count < capacity; i++) {
		const struct mrl_lobby_seek *one = &lobby->seeks[i];
		const struct mrl_lobby_seek *other;

		if (!one->pool || !mrl__seek_alive(one))
			continue;
		other = partner_of(lobby, i, time);
		if (other == NULL)
			continue;
		pairings[count].owner = *one;
		pairings[count].friend_seat = *other;
		pairings[count].first = colours(one, other, (random >> (count % 64) & 1) != 0);
		mrl__mark_seeks_of(lobby, pairings[count].owner.player.person);
		mrl__mark_seeks_of(lobby, pairings[count].friend_seat.player.person);
		count++;
	}
	return count;
}

uint64_t mrl_lobby_deadline(const struct mrl_lobby *lobby)
{
	uint64_t deadline = UINT64_MAX;
	size_t pool = 0;

	for (size_t i = 0; i < lobby->seek_count; i++) {
		const struct mrl_lobby_seek *seek = &lobby->seeks[i];

		if (seek->away_since != UINT64_MAX && seek->away_since + MRL_LOBBY_GRACE < deadline)
			deadline = seek->away_since + MRL_LOBBY_GRACE;
		pool += seek->pool && mrl__seek_alive(seek);
	}
	if (pool >= 2 && lobby->paired + MRL_LOBBY_PAIRING_PAUSE < deadline)
		deadline = lobby->paired + MRL_LOBBY_PAIRING_PAUSE;
	return deadline;
}

size_t mrl_lobby_tick(struct mrl_lobby *lobby, uint64_t time, uint64_t random, struct mrl_lobby_pairing *pairings,
		      size_t capacity)
{
	size_t count = 0;

	for (size_t i = 0; i < lobby->seek_count; i++) {
		struct mrl_lobby_seek *seek = &lobby->seeks[i];

		if (seek->away_since != UINT64_MAX && time >= seek->away_since + MRL_LOBBY_GRACE)
			seek->id = 0;
	}
	if (time >= lobby->paired + MRL_LOBBY_PAIRING_PAUSE || lobby->paired == 0) {
		count = pair(lobby, time, random, pairings, capacity);
		lobby->paired = time;
	}
	mrl__clear_marked(lobby);
	return count;
}
