/* Seats: whose they are, which side they play, who is there and who has been gone for how long. */
#include "play_internal.h"

#define GONE_LIVE 40000U      /* a live game waits at least so long, */
#define GONE_LIVE_MAX 180000U /* with long clocks up to so long */
#define GONE_NO_CLOCK 600000U /* and so long without clocks */
#define GONE_SHARE 10         /* of a side's whole time, in between */
#define GONE_CLOSED_TAB 4     /* who said goodbye is waited for a quarter of it */

enum mrl_play_seat mrl_play_seat_of_secret(const struct mrl_play_game *game, const uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	bool owner = mrl_play_hash_equal(game->player[MRL_PLAY_OWNER].secret, hash);
	bool friend_seat = mrl_play_hash_equal(game->player[MRL_PLAY_FRIEND].secret, hash);

	if (owner)
		return MRL_PLAY_OWNER;
	return friend_seat ? MRL_PLAY_FRIEND : MRL_PLAY_NOBODY;
}

enum mrl_play_seat mrl_play_seat_of_person(const struct mrl_play_game *game, uint64_t person)
{
	if (person == 0)
		return MRL_PLAY_NOBODY;
	if (game->player[MRL_PLAY_OWNER].person == person)
		return MRL_PLAY_OWNER;
	return game->player[MRL_PLAY_FRIEND].person == person ? MRL_PLAY_FRIEND : MRL_PLAY_NOBODY;
}

enum mrl_side mrl_play_side_of(const struct mrl_play_game *game, unsigned seat)
{
	return seat == game->white ? MRL_WHITE : MRL_BLACK;
}

enum mrl_play_seat mrl_play_seat_of_side(const struct mrl_play_game *game, enum mrl_side side)
{
	bool owner = (game->white == MRL_PLAY_OWNER) == (side == MRL_WHITE);

	return owner ? MRL_PLAY_OWNER : MRL_PLAY_FRIEND;
}

void mrl_play_presence(struct mrl_play_game *game, unsigned seat, bool connected, bool closed_tab, uint64_t time)
{
	struct mrl_play_present *present;

	if (seat >= MRL_PLAY_NOBODY)
		return;
	present = &game->present[seat];
	if (present->connected == connected) {
		/* Gone before, and now known to have left on purpose: counted from when it went. */
		present->closed_tab = !connected && (present->closed_tab || closed_tab);
		return;
	}
	*present = (struct mrl_play_present){connected, !connected && closed_tab, time};
}

void mrl_play_all_gone(struct mrl_play_game *game, uint64_t time)
{
	for (unsigned seat = 0; seat < MRL_PLAY_NOBODY; seat++)
		game->present[seat] = (struct mrl_play_present){.since = time};
}

/* How long one is waited for who is gone; 0: for as long as the clock allows. */
static uint64_t patience(const struct mrl_play_tempo *tempo, bool closed_tab)
{
	uint64_t limit = (tempo->base + 40 * (uint64_t)tempo->increment) / GONE_SHARE;

	switch (tempo->kind) {
	case MRL_PLAY_FISCHER:
		if (limit < GONE_LIVE)
			limit = GONE_LIVE;
		else if (limit > GONE_LIVE_MAX)
			limit = GONE_LIVE_MAX;
		break;
	case MRL_PLAY_NO_CLOCK:
		limit = GONE_NO_CLOCK;
		break;
	default:
		return 0; /* nobody sits there for days: the clock decides */
	}
	return closed_tab ? limit / GONE_CLOSED_TAB : limit;
}

uint64_t mrl_play_claim_time(const struct mrl_play_game *game, unsigned seat)
{
	const struct mrl_play_present *other;
	uint64_t limit;

	if (seat >= MRL_PLAY_NOBODY || game->phase != MRL_PLAY_RUNNING || game->moves.count < 2)
		return UINT64_MAX;
	other = &game->present[seat ^ 1U];
	limit = patience(&game->tempo, other->closed_tab);
	if (other->connected || limit == 0 || game->player[seat ^ 1U].kind == MRL_PLAY_COMPUTER)
		return UINT64_MAX;
	return other->since + limit;
}
