/* Who is here and who plays: persons in a hash table with linear probing, rule sets in a list, and the sums of both. */
#include "lobby_internal.h"
#include "play_internal.h"

#include <merels/builtins.h>

static size_t home_of(const struct mrl_lobby *lobby, uint64_t person)
{
	/* Ids are random; the multiplication is for those that are not, in tests. */
	return (size_t)(person * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (lobby->people_capacity - 1);
}

/* The slot of a person, or the empty one where it would be. NULL only when there are no slots at all. */
static struct mrl_lobby_person *slot_of(const struct mrl_lobby *lobby, uint64_t person)
{
	size_t at;

	if (lobby->people_capacity == 0)
		return NULL;
	at = home_of(lobby, person);
	while (lobby->people[at].person != 0 && lobby->people[at].person != person)
		at = (at + 1) & (lobby->people_capacity - 1);
	return &lobby->people[at];
}

/* The person's slot, taken if need be; NULL when the table is as full as it may get. */
static struct mrl_lobby_person *admit(struct mrl_lobby *lobby, uint64_t person)
{
	struct mrl_lobby_person *slot = person != 0 ? slot_of(lobby, person) : NULL;

	if (slot == NULL || slot->person == person)
		return slot;
	if (lobby->people_count + 1 > lobby->people_capacity / 4 * 3)
		return NULL;
	*slot = (struct mrl_lobby_person){.person = person};
	lobby->people_count++;
	return slot;
}

static struct mrl_lobby_person *known(const struct mrl_lobby *lobby, uint64_t person)
{
	struct mrl_lobby_person *slot = person != 0 ? slot_of(lobby, person) : NULL;

	return slot != NULL && slot->person == person ? slot : NULL;
}

/* Empties a slot of somebody who is neither here nor plays; those behind it that belong before it move up. */
static void forget(struct mrl_lobby *lobby, struct mrl_lobby_person *slot)
{
	size_t mask = lobby->people_capacity - 1;
	size_t hole = (size_t)(slot - lobby->people);

	if (slot->connections != 0 || slot->games != 0)
		return;
	for (size_t at = (hole + 1) & mask; lobby->people[at].person != 0; at = (at + 1) & mask) {
		size_t home = home_of(lobby, lobby->people[at].person);

		if (((at - home) & mask) >= ((at - hole) & mask)) {
			lobby->people[hole] = lobby->people[at];
			hole = at;
		}
	}
	lobby->people[hole].person = 0;
	lobby->people_count--;
}

bool mrl_lobby_connected(const struct mrl_lobby *lobby, uint64_t person)
{
	const struct mrl_lobby_person *slot = known(lobby, person);

	return slot != NULL && slot->connections > 0;
}

bool mrl_lobby_connect(struct mrl_lobby *lobby, uint64_t person, uint64_t time)
{
	struct mrl_lobby_person *slot = admit(lobby, person);

	if (slot == NULL)
		return false;
	if (slot->connections++ > 0)
		return true;
	lobby->counts.online++;
	lobby->counts.playing += slot->games > 0;
	lobby->version++;
	/* Whoever is back within the grace has his offers back, unless it is over and nobody has said so yet. */
	for (size_t i = 0; i < lobby->seek_count; i++) {
		struct mrl_lobby_seek *seek = &lobby->seeks[i];

		if (seek->player.person == person && seek->away_since != UINT64_MAX &&
		    time < seek->away_since + MRL_LOBBY_GRACE)
			seek->away_since = UINT64_MAX;
	}
	return true;
}

void mrl_lobby_disconnect(struct mrl_lobby *lobby, uint64_t person, bool closed_tab, uint64_t time)
{
	struct mrl_lobby_person *slot = known(lobby, person);

	if (slot == NULL || slot->connections == 0 || --slot->connections > 0)
		return;
	lobby->counts.online--;
	lobby->counts.playing -= slot->games > 0;
	lobby->version++;
	forget(lobby, slot);
	if (closed_tab) {
		mrl_lobby_unseek_all(lobby, person);
		return;
	}
	for (size_t i = 0; i < lobby->seek_count; i++)
		if (lobby->seeks[i].player.person == person && lobby->seeks[i].away_since == UINT64_MAX)
			lobby->seeks[i].away_since = time;
}

/* One more or less, never below 0. */
static uint32_t changed(uint32_t count, int by)
{
	if (by >= 0)
		return count + (uint32_t)by;
	return count > 0 ? count - 1 : 0;
}

void mrl__topic_add(struct mrl_lobby *lobby, const char *rules, int games, int waiting)
{
	struct mrl_lobby_topic *topic = NULL;

	for (size_t i = 0; i < lobby->topic_count && topic == NULL; i++)
		if (mrl__same_text(lobby->topics[i].rules, rules))
			topic = &lobby->topics[i];
	if (topic == NULL) {
		if (games < 0 || waiting < 0 || lobby->topic_count == lobby->topic_capacity)
			return;
		topic = &lobby->topics[lobby->topic_count++];
		*topic = (struct mrl_lobby_topic){.games = 0};
		mrl__copy_text(topic->rules, sizeof topic->rules, rules, mrl__length(rules, sizeof topic->rules - 1));
	}
	topic->games = changed(topic->games, games);
	topic->waiting = changed(topic->waiting, waiting);
	if (topic->games == 0 && topic->waiting == 0)
		*topic = lobby->topics[--lobby->topic_count];
}

void mrl_lobby_game_started(struct mrl_lobby *lobby, const char *rules, const uint64_t persons[2])
{
	for (unsigned i = 0; i < 2; i++) {
		struct mrl_lobby_person *slot = admit(lobby, persons[i]);

		mrl_lobby_unseek_all(lobby, persons[i]);
		if (slot != NULL && slot->games++ == 0)
			lobby->counts.playing += slot->connections > 0;
	}
	mrl__topic_add(lobby, rules, 1, 0);
	lobby->counts.games++;
	lobby->version++;
}

void mrl_lobby_game_ended(struct mrl_lobby *lobby, const char *rules, const uint64_t persons[2])
{
	for (unsigned i = 0; i < 2; i++) {
		struct mrl_lobby_person *slot = known(lobby, persons[i]);

		if (slot == NULL || slot->games == 0)
			continue;
		if (--slot->games == 0)
			lobby->counts.playing -= slot->connections > 0;
		forget(lobby, slot);
	}
	mrl__topic_add(lobby, rules, -1, 0);
	lobby->counts.games = changed(lobby->counts.games, -1);
	lobby->version++;
}
