/*
 * The lobby as a sequence: people come and go, offer games, take them, wait to be paired, begin and end games. Whatever
 * the sequence, the sums are those of a plain recount, an offer lives as long as its owner, nobody is paired twice or
 * with somebody who does not fit, and whoever fits is paired.
 *
 * The input is steps, a letter and the bytes it takes, see step(). Persons are 1 to 8.
 */
#include <merels/lobby.h>

#include "fuzz.h"

enum { PERSONS = 8, SEEKS = 12, SLOTS = 8, TOPICS = 4, GAMES = 16, PAIRINGS = 3 };

static const char *const rule_sets[] = {"nine", "six", "three"};

static struct run {
	struct mrl_lobby lobby;
	struct mrl_lobby_seek seeks[SEEKS];
	struct mrl_lobby_person people[SLOTS];
	struct mrl_lobby_topic topics[TOPICS];
	uint64_t time;
	uint64_t ids;
	/* The plain recount. */
	unsigned connections[PERSONS + 1];
	unsigned plays[PERSONS + 1];
	struct {
		const char *rules;
		uint64_t persons[2];
	} games[GAMES];
	unsigned game_count;
} run;

/* ---- What must hold ----------------------------------------------------------------------------------------- */

static void check_counts(void)
{
	const struct mrl_lobby_counts *counts = &run.lobby.counts;
	unsigned online = 0;
	unsigned playing = 0;
	unsigned known = 0;

	for (uint64_t person = 1; person <= PERSONS; person++) {
		online += run.connections[person] > 0;
		playing += run.plays[person] > 0 && run.connections[person] > 0;
		known += run.connections[person] > 0 || run.plays[person] > 0;
		MUST(mrl_lobby_connected(&run.lobby, person) == (run.connections[person] > 0));
	}
	MUST(counts->online == online && counts->playing == playing && counts->games == run.game_count);
	MUST(counts->waiting == run.lobby.seek_count && run.lobby.people_count == known);
	for (size_t i = 0; i < 3; i++) {
		unsigned games = 0;
		unsigned waiting = 0;
		const struct mrl_lobby_topic *topic = NULL;

		for (size_t g = 0; g < run.game_count; g++)
			games += run.games[g].rules == rule_sets[i];
		for (size_t s = 0; s < run.lobby.seek_count; s++)
			waiting += strcmp(run.seeks[s].settings.rules, rule_sets[i]) == 0;
		for (size_t t = 0; t < run.lobby.topic_count; t++)
			if (strcmp(run.topics[t].rules, rule_sets[i]) == 0)
				topic = &run.topics[t];
		MUST((topic == NULL) == (games == 0 && waiting == 0));
		MUST(topic == NULL || (topic->games == games && topic->waiting == waiting));
	}
}

static void check_seeks(void)
{
	size_t shown = 0;
	size_t index = 0;

	for (size_t i = 0; i < run.lobby.seek_count; i++) {
		const struct mrl_lobby_seek *seek = &run.seeks[i];
		unsigned open = 0;
		unsigned pool = 0;
		bool here = run.connections[seek->player.person] > 0;

		MUST(seek->id != 0 && seek->since <= run.time && (i == 0 || run.seeks[i - 1].since <= seek->since));
		/* One who came back too late has no offer any more, though nobody has cleared it away. */
		MUST(here || seek->away_since <= run.time);
		shown += !seek->pool && seek->away_since == UINT64_MAX;
		for (size_t other = 0; other < run.lobby.seek_count; other++) {
			MUST(other == i || run.seeks[other].id != seek->id);
			if (run.seeks[other].player.person == seek->player.person) {
				open += !run.seeks[other].pool;
				pool += run.seeks[other].pool;
			}
		}
		MUST(open <= MRL_LOBBY_SEEKS_EACH && pool <= 1);
	}
	for (const struct mrl_lobby_seek *seek; (seek = mrl_lobby_next(&run.lobby, &index)) != NULL; shown--)
		MUST(!seek->pool && mrl_lobby_connected(&run.lobby, seek->player.person));
	MUST(shown == 0);
}

static bool has_seek(uint64_t person)
{
	for (size_t i = 0; i < run.lobby.seek_count; i++)
		if (run.seeks[i].player.person == person)
			return true;
	return false;
}

static bool would_fit(const struct mrl_lobby_seek *a, const struct mrl_lobby_seek *b)
{
	int32_t apart = a->rating.rating > b->rating.rating ? a->rating.rating - b->rating.rating
							    : b->rating.rating - a->rating.rating;

	return a->pool && b->pool && a->player.person != b->player.person && a->away_since == UINT64_MAX &&
	       b->away_since == UINT64_MAX && strcmp(a->settings.rules, b->settings.rules) == 0 &&
	       mrl_play_tempo_equal(&a->settings.tempo, &b->settings.tempo) && a->settings.rated == b->settings.rated &&
	       a->settings.phrases == b->settings.phrases && apart <= mrl_lobby_window(run.time - a->since) &&
	       apart <= mrl_lobby_window(run.time - b->since);
}

/* `paired`: it was time for a round of pairing. */
static void check_nobody_is_left(bool paired)
{
	for (size_t i = 0; i < run.lobby.seek_count; i++) {
		MUST(run.seeks[i].away_since == UINT64_MAX || run.time < run.seeks[i].away_since + MRL_LOBBY_GRACE);
		for (size_t other = i + 1; paired && other < run.lobby.seek_count; other++)
			MUST(!would_fit(&run.seeks[i], &run.seeks[other]));
	}
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* As the server does: the game of two who were paired begins. */
static void begin_game(const struct mrl_lobby_pairing *pairing)
{
	uint64_t persons[2] = {pairing->owner.player.person, pairing->friend_seat.player.person};

	MUST(persons[0] != persons[1] && !has_seek(persons[0]) && !has_seek(persons[1]));
	MUST(pairing->first <= MRL_PLAY_LOTS);
	if (run.game_count == GAMES)
		return;
	for (size_t i = 0; i < 3; i++)
		if (strcmp(rule_sets[i], pairing->owner.settings.rules) == 0)
			run.games[run.game_count].rules = rule_sets[i];
	/* A table that is full knows of no more people; who is paired is in it. */
	for (size_t i = 0; i < 2; i++) {
		run.games[run.game_count].persons[i] = persons[i];
		run.plays[persons[i]]++;
	}
	mrl_lobby_game_started(&run.lobby, run.games[run.game_count++].rules, persons);
}

static void end_game(unsigned which)
{
	if (run.game_count == 0)
		return;
	which %= run.game_count;
	mrl_lobby_game_ended(&run.lobby, run.games[which].rules, run.games[which].persons);
	for (size_t i = 0; i < 2; i++)
		run.plays[run.games[which].persons[i]]--;
	run.games[which] = run.games[--run.game_count];
}

static struct mrl_lobby_seek seek_of(uint64_t person, unsigned byte, unsigned rating)
{
	struct mrl_lobby_seek seek = {.id = ++run.ids, .pool = byte % 2 != 0};

	seek.player = (struct mrl_play_player){
	    .person = person, .kind = byte / 2 % 4 == 3 ? MRL_PLAY_GUEST : MRL_PLAY_ACCOUNT, .name = "Somebody"};
	memcpy(seek.settings.rules, rule_sets[byte / 8 % 3], strlen(rule_sets[byte / 8 % 3]) + 1);
	MUST(mrl_play_tempo_read("60000+0", 7, &seek.settings.tempo));
	seek.settings.rated = byte / 32 % 2 != 0;
	seek.settings.first = MRL_PLAY_LOTS;
	seek.rating = MRL_RATING_START;
	seek.rating.rating = 1000000 + (int32_t)rating * 4000;
	seek.whites = (int32_t)(rating % 3);
	if (byte / 64 % 4 == 3) {
		seek.lowest = seek.rating.rating - 100000;
		seek.highest = seek.rating.rating + 100000;
	}
	return seek;
}

static void offer(uint64_t person, unsigned byte, unsigned rating)
{
	struct mrl_lobby_seek seek = seek_of(person, byte, rating);
	size_t before = run.lobby.seek_count;
	enum mrl_play_code code = mrl_lobby_seek(&run.lobby, &seek, run.time);

	if (code == MRL_CODE_OK) {
		MUST(run.connections[person] > 0 && has_seek(person));
		MUST(!seek.settings.rated || seek.player.kind != MRL_PLAY_GUEST);
	} else {
		/* An entry in the pool may have been given up for one that found no place. */
		MUST(run.lobby.seek_count == before || (seek.pool && code == MRL_CODE_LOBBY_FULL));
	}
	if (run.connections[person] == 0)
		MUST(code != MRL_CODE_OK);
}

static void take(uint64_t person, unsigned which, unsigned rating)
{
	struct mrl_lobby_seek taker = seek_of(person, which, rating);
	struct mrl_lobby_pairing pairing;
	struct mrl_lobby_seek wanted = {0};

	if (run.lobby.seek_count > 0)
		wanted = run.seeks[which % run.lobby.seek_count];
	if (mrl_lobby_take(&run.lobby, wanted.id, &taker, run.time, &pairing) != MRL_CODE_OK)
		return;
	MUST(!wanted.pool && wanted.away_since == UINT64_MAX && run.connections[person] > 0);
	MUST(wanted.lowest == 0 || (taker.rating.rating >= wanted.lowest && taker.rating.rating <= wanted.highest));
	MUST(pairing.owner.id == wanted.id && pairing.friend_seat.player.person == person);
	begin_game(&pairing);
}

static void unseek(uint64_t person, unsigned which)
{
	struct mrl_lobby_seek wanted = {0};

	if (run.lobby.seek_count > 0)
		wanted = run.seeks[which % run.lobby.seek_count];
	MUST((mrl_lobby_unseek(&run.lobby, wanted.id, person) == MRL_CODE_OK) ==
	     (wanted.id != 0 && wanted.player.person == person));
}

static void tick(unsigned byte)
{
	static const uint64_t waits[] = {0, 1, 500, 999, 1000, 3000, 9999, 10000, 60000, 4000000};
	struct mrl_lobby_pairing pairings[PAIRINGS];

	run.time += waits[byte % 10];
	bool paired = run.lobby.paired == 0 || run.time - run.lobby.paired >= MRL_LOBBY_PAIRING_PAUSE;
	size_t count = mrl_lobby_tick(&run.lobby, run.time, byte / 10, pairings, PAIRINGS);

	MUST(count <= PAIRINGS);
	for (size_t i = 0; i < count; i++) {
		MUST(would_fit(&pairings[i].owner, &pairings[i].friend_seat));
		for (size_t other = 0; other < i; other++) {
			MUST(pairings[other].owner.player.person != pairings[i].owner.player.person);
			MUST(pairings[other].friend_seat.player.person != pairings[i].owner.player.person);
			MUST(pairings[other].owner.player.person != pairings[i].friend_seat.player.person);
			MUST(pairings[other].friend_seat.player.person != pairings[i].friend_seat.player.person);
		}
	}
	for (size_t i = 0; i < count; i++)
		begin_game(&pairings[i]);
	if (count < PAIRINGS)
		check_nobody_is_left(paired);
	MUST(mrl_lobby_deadline(&run.lobby) > run.time);
}

static unsigned take_byte(struct fuzz_text *rest)
{
	if (rest->length == 0)
		return 0;
	rest->length--;
	return (unsigned char)*rest->data++;
}

/* One step: a letter, whose it is, and what it takes. */
static void step(struct fuzz_text *rest)
{
	unsigned letter = take_byte(rest);
	uint64_t person = take_byte(rest) % PERSONS + 1;
	unsigned byte = 0;

	switch (letter) {
	case 'c':
		if (mrl_lobby_connect(&run.lobby, person, run.time))
			run.connections[person]++;
		break;
	case 'd':
	case 'x':
		mrl_lobby_disconnect(&run.lobby, person, letter == 'x', run.time);
		if (run.connections[person] > 0 && --run.connections[person] == 0)
			MUST(letter != 'x' || !has_seek(person));
		break;
	case 's':
		byte = take_byte(rest);
		offer(person, byte, take_byte(rest));
		break;
	case 't':
		byte = take_byte(rest);
		take(person, byte, take_byte(rest));
		break;
	case 'u':
		unseek(person, take_byte(rest));
		break;
	case 'e':
		end_game(take_byte(rest));
		break;
	case 'w':
		tick(take_byte(rest));
		break;
	default:
		break;
	}
	check_counts();
	check_seeks();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_text rest = {(const char *)data, size};

	memset(&run, 0, sizeof(run));
	run.time = 1000;
	mrl_lobby_init(&run.lobby, run.seeks, SEEKS, run.people, SLOTS, run.topics, TOPICS);
	while (rest.length > 0)
		step(&rest);
	while (run.game_count > 0)
		end_game(0);
	check_counts();
	return 0;
}
