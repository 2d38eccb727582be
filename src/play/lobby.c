/* Offers: made, withdrawn, taken. */
#include "lobby_internal.h"
#include "play_internal.h"

#include <merels/builtins.h>

void mrl_lobby_init(struct mrl_lobby *lobby, struct mrl_lobby_seek *seeks, size_t seek_capacity,
		    struct mrl_lobby_person *people, size_t people_capacity, struct mrl_lobby_topic *topics,
		    size_t topic_capacity)
{
	*lobby = (struct mrl_lobby){
	    .seeks = seeks,
	    .seek_capacity = seek_capacity,
	    .people = people,
	    .people_capacity = people_capacity,
	    .topics = topics,
	    .topic_capacity = topic_capacity,
	};
	mrl_fill(people, 0, people_capacity * sizeof *people);
}

bool mrl__seek_alive(const struct mrl_lobby_seek *seek)
{
	return seek->id != 0 && seek->away_since == UINT64_MAX;
}

size_t mrl__mark_seeks_of(struct mrl_lobby *lobby, uint64_t person)
{
	size_t marked = 0;

	for (size_t i = 0; i < lobby->seek_count; i++) {
		if (lobby->seeks[i].id == 0 || lobby->seeks[i].player.person != person)
			continue;
		lobby->seeks[i].id = 0;
		marked++;
	}
	return marked;
}

void mrl__clear_marked(struct mrl_lobby *lobby)
{
	size_t kept = 0;

	for (size_t i = 0; i < lobby->seek_count; i++) {
		if (lobby->seeks[i].id == 0) {
			mrl__topic_add(lobby, lobby->seeks[i].settings.rules, 0, -1);
			lobby->counts.waiting--;
			lobby->version++;
		} else {
			if (kept != i)
				lobby->seeks[kept] = lobby->seeks[i];
			kept++;
		}
	}
	lobby->seek_count = kept;
}

/* How many open offers this person has; *same_id: whether any offer has the id of this one. */
static size_t open_offers(const struct mrl_lobby *lobby, const struct mrl_lobby_seek *seek, bool *same_id)
{
	size_t count = 0;

	*same_id = false;
	for (size_t i = 0; i < lobby->seek_count; i++) {
		*same_id = *same_id || lobby->seeks[i].id == seek->id;
		count += lobby->seeks[i].player.person == seek->player.person && !lobby->seeks[i].pool;
	}
	return count;
}

/* A new entry in the pool takes the place of an old one. */
static void leave_pool(struct mrl_lobby *lobby, uint64_t person)
{
	for (size_t i = 0; i < lobby->seek_count; i++)
		if (lobby->seeks[i].pool && lobby->seeks[i].player.person == person)
			lobby->seeks[i].id = 0;
	mrl__clear_marked(lobby);
}

enum mrl_play_code mrl_lobby_seek(struct mrl_lobby *lobby, const struct mrl_lobby_seek *seek, uint64_t time)
{
	static const struct mrl_play_player nobody = {.kind = MRL_PLAY_EMPTY};
	enum mrl_play_code code = mrl__settings_check(&seek->settings, &seek->player, &nobody);
	struct mrl_lobby_seek *added;
	bool same_id;
	size_t offers;

	if (code != MRL_CODE_OK)
		return code;
	if (seek->player.kind == MRL_PLAY_COMPUTER)
		return MRL_CODE_BAD_PLAYER;
	offers = open_offers(lobby, seek, &same_id);
	if (seek->id == 0 || same_id || !mrl_rating_valid(&seek->rating))
		return MRL_CODE_BAD_SETTINGS;
	if (!mrl_lobby_connected(lobby, seek->player.person))
		return MRL_CODE_NOT_CONNECTED;
	if (!seek->pool && offers >= MRL_LOBBY_SEEKS_EACH)
		return MRL_CODE_SEEKING_ALREADY;
	if (seek->pool)
		leave_pool(lobby, seek->player.person);
	if (lobby->seek_count == lobby->seek_capacity)
		return MRL_CODE_LOBBY_FULL;
	added = &lobby->seeks[lobby->seek_count++];
	*added = *seek;
	added->since = time;
	added->away_since = UINT64_MAX;
	mrl__topic_add(lobby, seek->settings.rules, 0, 1);
	lobby->counts.waiting++;
	lobby->version++;
	return MRL_CODE_OK;
}

enum mrl_play_code mrl_lobby_unseek(struct mrl_lobby *lobby, uint64_t id, uint64_t person)
{
	for (size_t i = 0; id != 0 && i < lobby->seek_count; i++) {
		if (lobby->seeks[i].id != id || lobby->seeks[i].player.person != person)
			continue;
		lobby->seeks[i].id = 0;
		mrl__clear_marked(lobby);
		return MRL_CODE_OK;
	}
	return MRL_CODE_NO_SEEK;
}

size_t mrl_lobby_unseek_all(struct mrl_lobby *lobby, uint64_t person)
{
	size_t marked = person != 0 ? mrl__mark_seeks_of(lobby, person) : 0;

	if (marked > 0)
		mrl__clear_marked(lobby);
	return marked;
}

static bool welcome(const struct mrl_lobby_seek *seek, const struct mrl_rating *rating)
{
	if (seek->lowest == 0 && seek->highest == 0)
		return true;
	return rating->rating >= seek->lowest && rating->rating <= seek->highest;
}

enum mrl_play_code mrl_lobby_take(struct mrl_lobby *lobby, uint64_t id, const struct mrl_lobby_seek *taker,
				  uint64_t time, struct mrl_lobby_pairing *pairing)
{
	const struct mrl_lobby_seek *seek = NULL;
	enum mrl_play_code code;

	for (size_t i = 0; i < lobby->seek_count; i++)
		if (lobby->seeks[i].id == id && !lobby->seeks[i].pool)
			seek = &lobby->seeks[i];
	if (seek == NULL || !mrl__seek_alive(seek))
		return MRL_CODE_NO_SEEK;
	if (!mrl_play_player_valid(&taker->player))
		return MRL_CODE_BAD_PLAYER;
	if (!mrl_lobby_connected(lobby, taker->player.person))
		return MRL_CODE_NOT_CONNECTED;
	code = mrl__settings_check(&seek->settings, &seek->player, &taker->player);
	if (code != MRL_CODE_OK)
		return code;
	if (!welcome(seek, &taker->rating))
		return MRL_CODE_NOT_WELCOME;
	pairing->owner = *seek;
	pairing->friend_seat = *taker;
	pairing->friend_seat.settings = seek->settings;
	pairing->friend_seat.since = time;
	pairing->friend_seat.away_since = UINT64_MAX;
	pairing->first = (enum mrl_play_first)seek->settings.first;
	mrl__mark_seeks_of(lobby, pairing->owner.player.person);
	mrl__mark_seeks_of(lobby, pairing->friend_seat.player.person);
	mrl__clear_marked(lobby);
	return MRL_CODE_OK;
}

const struct mrl_lobby_seek *mrl_lobby_next(const struct mrl_lobby *lobby, size_t *index)
{
	while (*index < lobby->seek_count) {
		const struct mrl_lobby_seek *seek = &lobby->seeks[(*index)++];

		if (mrl__seek_alive(seek) && !seek->pool)
			return seek;
	}
	return NULL;
}
