#include "day.h"

#include <stdio.h>
#include <stdlib.h>

#include <merels/notation.h>

#include "day_game.h"

#define PEOPLE 240
#define LIVE 128
#define SEEKS 512
#define SLOTS 1024
#define TOPICS 8 /* fewer than there are rule sets */
#define RESTART_EVERY UINT64_C(10800000)

static const char *const rule_sets[] = {
    "three",
    "nine",
    "achi",
    "four",
    "five",
    "nine,fly=0,no-mill=50",
    "six",
    "seven",
    "morabaraba,three-men=6",
    "lasker",
    "tapatan",
    "six,take-count=per-mill,no-mill=20",
    "nine-holes",
    "three,no-mill=12,repetition=0",
};

static const char *const tempos[] = {"60000+0", "180000+2000", "5000+100", "300000+3000", "none", "1d"};

struct person {
	struct mrl_play_player player;
	struct mrl_rating rating;
	int32_t whites;
	bool connected;
	bool playing;
	uint64_t next; /* service time of the next thing the person does in the lobby */
};

struct day {
	uint64_t random;
	uint64_t time;
	uint64_t ids;
	uint64_t restart;
	size_t wanted;
	struct day_result *result;
	struct mrl_rules rules[COUNT(rule_sets)];
	char names[COUNT(rule_sets)][MRL_RULES_NAME_SIZE];
	struct person people[PEOPLE];
	struct day_game live[LIVE];
	size_t live_count;
	struct mrl_lobby lobby;
	struct mrl_lobby_seek seeks[SEEKS];
	struct mrl_lobby_person slots[SLOTS];
	struct mrl_lobby_topic topics[TOPICS];
	struct mrl_play_batch batch;
	struct mrl_play_batch first; /* of a rematch */
	struct mrl_play_answer answer;
};

static uint64_t below(struct day *day, uint64_t limit)
{
	day->random = day->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (day->random >> 33) % limit;
}

static struct mrl_play_now now_of(struct day *day)
{
	uint64_t bits = below(day, UINT64_C(1) << 31);

	return (struct mrl_play_now){day->time, (int64_t)day->time + INT64_C(1764530000000), bits};
}

/* ---- Games begin and end ------------------------------------------------------------------------------------ */

static void note(struct day *day, const struct day_game *game, bool started)
{
	const uint64_t persons[2] = {game->game.player[0].person, game->game.player[1].person};

	if (started)
		mrl_lobby_game_started(&day->lobby, day->names[game->rules], persons);
	else
		mrl_lobby_game_ended(&day->lobby, day->names[game->rules], persons);
}

/* Whoever sits there is shown as there when he is; a game that begins is the business of both from now on. */
static void begin(struct day *day, struct mrl_play_batch *batch, size_t rules, const size_t people[2])
{
	struct day_game *game = &day->live[day->live_count++];

	day_game_open(game, &day->rules[rules]);
	game->rules = rules;
	for (unsigned seat = 0; seat < 2; seat++) {
		game->people[seat] = people[seat];
		game->ratings[seat] = day->people[people[seat]].rating;
		day->people[people[seat]].playing = true;
	}
	day_game_keep(game, batch, day->result);
	for (unsigned seat = 0; seat < 2; seat++)
		mrl_play_presence(&game->game, seat, day->people[people[seat]].connected, false, day->time);
	day->people[people[game->game.white]].whites++;
	day->people[people[game->game.white ^ 1U]].whites--;
	game->next = day->time + below(day, 4000);
	note(day, game, true);
	day->result->games++;
}

static void create(struct day *day, const struct mrl_lobby_pairing *pairing)
{
	struct mrl_play_creation creation = {.game = ++day->ids,
					     .settings = pairing->owner.settings,
					     .owner = pairing->owner.player,
					     .friend_seat = pairing->friend_seat.player,
					     .id = ""};
	struct mrl_play_now now = now_of(day);
	size_t people[2] = {(size_t)creation.owner.person - 1, (size_t)creation.friend_seat.person - 1};
	size_t rules = 0;

	creation.settings.first = (uint8_t)pairing->first;
	while (strcmp(day->names[rules], creation.settings.rules) != 0)
		rules++;
	assert_int_equal(mrl_play_create(&creation, &now, &day->batch), MRL_CODE_OK);
	begin(day, &day->batch, rules, people);
}

static void press(struct day *day, struct day_game *game, unsigned seat, struct mrl_play_command command);

/* After the end: perhaps both want another one, and perhaps at once. */
static void end(struct day *day, size_t index)
{
	struct day_game *game = &day->live[index];
	bool again = below(day, 5) == 0 && day->result->games < day->wanted;

	for (unsigned seat = 0; seat < 2; seat++) {
		day->people[game->people[seat]].rating = game->ratings[seat];
		day->people[game->people[seat]].playing = false;
		day->people[game->people[seat]].next = day->time + below(day, 1000000);
	}
	note(day, game, false);
	for (unsigned seat = 0; again && seat < 2; seat++)
		press(day, game, seat,
		      (struct mrl_play_command){
			  .verb = MRL_PLAY_OFFER, .offer = MRL_PLAY_OFFER_REMATCH, .fresh = ++day->ids});
	day_game_check(game, false, day->time);
	if (game->game.next != 0) {
		struct mrl_play_now now = now_of(day);
		size_t people[2] = {game->people[0], game->people[1]};
		size_t rules = game->rules;

		assert_int_equal(mrl_play_create_rematch(&game->game, NULL, &now, &day->first), MRL_CODE_OK);
		day->result->rematches++;
		day_game_release(game);
		*game = day->live[--day->live_count];
		begin(day, &day->first, rules, people);
		return;
	}
	day_game_release(game);
	*game = day->live[--day->live_count];
}

/* ---- What players do ---------------------------------------------------------------------------------------- */

static bool legal_turn(struct day *day, const struct day_game *game, char text[MRL_TURN_TEXT_SIZE])
{
	const struct mrl_game *moves = &game->game.moves;
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(moves->rules, &moves->position, turns, MRL_TURNS_USUAL);

	if (count == 0 || moves->verdict.outcome != MRL_ONGOING)
		return false;
	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	mrl_turn_write(&moves->rules->board, &turns[below(day, count)], text);
	return true;
}

/* Gives a command with an id of its own; what was done is remembered, to be sent again. */
static void press(struct day *day, struct day_game *game, unsigned seat, struct mrl_play_command command)
{
	struct mrl_play_now now = now_of(day);
	char id[16];

	command.seat = (enum mrl_play_seat)seat;
	command.id_length = (size_t)snprintf(id, sizeof id, "c%llu", (unsigned long long)++day->ids);
	command.id = id;
	mrl_play_command(&game->game, &command, &now, &day->batch, &day->answer);
	assert_int_equal(day->answer.code == MRL_CODE_OK, day->answer.number != 0);
	if (day->answer.code != MRL_CODE_OK)
		day->result->refused++;
	if (day->answer.code == MRL_CODE_OK && !day->answer.repeated && seat < 2) {
		struct day_done *done = &game->done[seat];

		assert_int_equal(day->answer.number, game->game.number + 1);
		done->command = command;
		done->command.player = NULL; /* of a spectator only, and gone by then */
		memcpy(done->id, id, sizeof id);
		if (command.turn != NULL)
			snprintf(done->turn, sizeof done->turn, "%s", command.turn);
		done->number = day->answer.number;
	}
	day_game_keep(game, &day->batch, day->result);
}

/* Sends what was done once more: the answer is the same, and nothing happens. */
static void send_again(struct day *day, struct day_game *game, unsigned seat)
{
	struct day_done *done = &game->done[seat];
	struct mrl_play_now now = now_of(day);
	uint32_t before = game->game.number;

	if (done->number == 0)
		return;
	done->command.id = done->id;
	if (done->command.turn != NULL)
		done->command.turn = done->turn;
	mrl_play_command(&game->game, &done->command, &now, &day->batch, &day->answer);
	assert_int_equal(day->answer.code, MRL_CODE_OK);
	assert_true(day->answer.repeated);
	assert_int_equal(day->answer.number, done->number);
	assert_int_equal(day->batch.count, 0);
	assert_int_equal(game->game.number, before);
	day->result->repeats++;
}

static void make_turn(struct day *day, struct day_game *game)
{
	unsigned seat = mrl_play_seat_of_side(&game->game, (enum mrl_side)game->game.moves.position.side);
	char text[MRL_TURN_TEXT_SIZE];

	if (!legal_turn(day, game, text))
		return;
	press(day, game, seat,
	      (struct mrl_play_command){.verb = MRL_PLAY_PLAY,
					.ply = (uint32_t)game->game.moves.count,
					.turn = text,
					.turn_length = strlen(text),
					.lag = (uint32_t)below(day, 800)});
	assert_int_equal(day->answer.code, MRL_CODE_OK);
}

/* A turn for another position, and one out of turn: refused, whatever it is. */
static void make_wrong_turn(struct day *day, struct day_game *game)
{
	unsigned seat = mrl_play_seat_of_side(&game->game, (enum mrl_side)game->game.moves.position.side);
	char text[MRL_TURN_TEXT_SIZE];
	struct mrl_play_command command = {
	    .verb = MRL_PLAY_PLAY, .ply = (uint32_t)game->game.moves.count + 1, .turn = text};

	if (!legal_turn(day, game, text))
		return;
	command.turn_length = strlen(text);
	press(day, game, seat, command);
	assert_int_equal(day->answer.code, MRL_CODE_WRONG_PLY);
	command.ply--;
	press(day, game, seat ^ 1U, command);
	assert_int_equal(day->answer.code, MRL_CODE_NOT_YOUR_TURN);
}

static void say(struct day *day, struct day_game *game, unsigned seat)
{
	struct mrl_play_player guest = player_of(UINT64_C(90000) + below(day, 3), MRL_PLAY_GUEST);

	press(day, game, seat,
	      (struct mrl_play_command){.verb = MRL_PLAY_SAY,
					.room = seat < 2 ? MRL_PLAY_ROOM_PLAYERS : MRL_PLAY_ROOM_SPECTATORS,
					.text = "sch\xc3\xb6n, 100 %",
					.text_length = 13,
					.player = &guest});
}

static void offer(struct day *day, struct day_game *game, unsigned seat)
{
	press(day, game, seat,
	      (struct mrl_play_command){.verb = MRL_PLAY_OFFER, .offer = (uint8_t)below(day, 2), .fresh = ++day->ids});
}

/* Answers what is offered, or what is not. */
static void answer(struct day *day, struct day_game *game, unsigned seat, enum mrl_play_verb verb)
{
	uint8_t what = (uint8_t)below(day, 2);

	for (uint8_t i = 0; i < 2; i++) {
		if (game->game.offers[i] == MRL_PLAY_NOBODY)
			continue;
		what = i;
		seat = game->game.offers[i] ^ 1U;
	}
	press(day, game, seat, (struct mrl_play_command){.verb = verb, .offer = what, .fresh = ++day->ids});
}

static void flip_presence(struct day *day, struct day_game *game, unsigned seat)
{
	mrl_play_presence(&game->game, seat, !game->game.present[seat].connected, below(day, 3) == 0, day->time);
}

/* Something that one of the players, or somebody who looks on, does now. */
static void act(struct day *day, struct day_game *game)
{
	unsigned seat = (unsigned)below(day, 2);
	uint64_t dice = below(day, 100);

	game->next = day->time + (below(day, 40) == 0 ? below(day, 120000) : below(day, 4000));
	if (dice < 70)
		make_turn(day, game);
	else if (dice < 74)
		send_again(day, game, seat);
	else if (dice < 76)
		make_wrong_turn(day, game);
	else if (dice < 80)
		say(day, game, (unsigned)below(day, 3));
	else if (dice < 84)
		offer(day, game, seat);
	else if (dice < 87)
		answer(day, game, seat, MRL_PLAY_ACCEPT);
	else if (dice < 89)
		answer(day, game, seat, MRL_PLAY_DECLINE);
	else if (dice < 91)
		press(day, game, seat, (struct mrl_play_command){.verb = MRL_PLAY_ADD_TIME});
	else if (dice < 94)
		flip_presence(day, game, seat);
	else if (dice < 96)
		press(day, game, seat,
		      (struct mrl_play_command){.verb = dice == 94 ? MRL_PLAY_CLAIM_WIN : MRL_PLAY_CLAIM_DRAW});
	else if (dice == 96 && below(day, 2) == 0)
		press(day, game, seat, (struct mrl_play_command){.verb = MRL_PLAY_RESIGN});
	else if (dice == 97)
		press(day, game, seat, (struct mrl_play_command){.verb = MRL_PLAY_ABORT});
	else if (dice == 98)
		press(day, game, (unsigned)below(day, 3), (struct mrl_play_command){.verb = MRL_PLAY_LEAVE});
}

/* ---- What people do in the lobby ---------------------------------------------------------------------------- */

static void seek(struct day *day, struct person *person)
{
	struct mrl_lobby_seek seek = {.id = ++day->ids, .player = person->player, .rating = person->rating};
	const char *tempo = tempos[below(day, COUNT(tempos))];
	/* Most want one of the first few, so that people find each other. */
	size_t rules = below(day, 3) == 0 ? below(day, COUNT(rule_sets)) : below(day, 4);

	memcpy(seek.settings.rules, day->names[rules], sizeof seek.settings.rules);
	assert_true(mrl_play_tempo_read(tempo, strlen(tempo), &seek.settings.tempo));
	seek.pool = below(day, 2) == 0;
	seek.settings.rated = below(day, 2) == 0;
	seek.settings.first = (uint8_t)below(day, 3);
	seek.whites = person->whites;
	(void)mrl_lobby_seek(&day->lobby, &seek, day->time);
}

static void take(struct day *day, struct person *person)
{
	struct mrl_lobby_seek taker = {.player = person->player, .rating = person->rating};
	struct mrl_lobby_pairing pairing;
	size_t index = 0;
	const struct mrl_lobby_seek *seek = mrl_lobby_next(&day->lobby, &index);

	if (seek != NULL && day->live_count < LIVE &&
	    mrl_lobby_take(&day->lobby, seek->id, &taker, day->time, &pairing) == MRL_CODE_OK)
		create(day, &pairing);
}

static void visit(struct day *day, struct person *person)
{
	uint64_t dice = below(day, 10);

	person->next = day->time + 30000 + below(day, 420000);
	if (!person->connected) {
		person->connected = mrl_lobby_connect(&day->lobby, person->player.person, day->time);
	} else if (dice == 0) {
		mrl_lobby_disconnect(&day->lobby, person->player.person, below(day, 2) == 0, day->time);
		person->connected = false;
	} else if (person->playing || day->result->games >= day->wanted) {
		mrl_lobby_unseek_all(&day->lobby, person->player.person);
	} else if (dice < 6) {
		take(day, person);
	} else {
		seek(day, person);
	}
}

static void pair(struct day *day)
{
	struct mrl_lobby_pairing pairings[4];
	size_t room = day->live_count + COUNT(pairings) <= LIVE ? COUNT(pairings) : 0;
	size_t count = mrl_lobby_tick(&day->lobby, day->time, below(day, 1000), pairings, room);

	for (size_t i = 0; i < count; i++)
		create(day, &pairings[i]);
}

static void open_lobby(struct day *day)
{
	mrl_lobby_init(&day->lobby, day->seeks, SEEKS, day->slots, SLOTS, day->topics, TOPICS);
}

/* The server goes down and comes back: games from their lines, the lobby empty, everybody connects anew. */
static void restart(struct day *day)
{
	open_lobby(day);
	for (size_t i = 0; i < PEOPLE; i++)
		day->people[i].connected = false;
	for (size_t i = 0; i < day->live_count; i++) {
		day_game_check(&day->live[i], true, day->time);
		note(day, &day->live[i], true);
	}
	day->restart = day->time + RESTART_EVERY;
	day->result->restarts++;
}

/* Who plays is who is here and sits in a running game. */
static void check_counts(const struct day *day)
{
	uint32_t playing = 0;
	uint32_t online = 0;

	for (size_t i = 0; i < PEOPLE; i++) {
		playing += day->people[i].playing && day->people[i].connected;
		online += day->people[i].connected;
	}
	assert_int_equal(day->lobby.counts.games, day->live_count);
	assert_int_equal(day->lobby.counts.playing, playing);
	assert_int_equal(day->lobby.counts.online, online);
	assert_int_equal(day->lobby.counts.waiting, day->lobby.seek_count);
}

/* ---- The day ------------------------------------------------------------------------------------------------ */

/* The next thing that happens: somebody does something, or a timer is over. */
static void step(struct day *day)
{
	uint64_t soonest = mrl_lobby_deadline(&day->lobby);
	struct person *person = NULL;
	struct day_game *game = NULL;
	struct mrl_play_now now;

	for (size_t i = 0; i < PEOPLE; i++) {
		if (day->people[i].next < soonest) {
			person = &day->people[i];
			soonest = person->next;
		}
	}
	for (size_t i = 0; i < day->live_count; i++) {
		uint64_t deadline = mrl_play_deadline(&day->live[i].game);
		uint64_t next = day->live[i].next < deadline ? day->live[i].next : deadline;

		if (next < soonest) {
			game = &day->live[i];
			soonest = next;
		}
	}
	if (soonest > day->time)
		day->time = soonest;
	if (day->time >= day->restart) {
		restart(day);
	} else if (game != NULL) {
		now = now_of(day);
		if (mrl_play_tick(&game->game, &now, &day->batch) > 0)
			day_game_keep(game, &day->batch, day->result);
		else
			act(day, game);
		if (game->game.phase == MRL_PLAY_FINISHED)
			end(day, (size_t)(game - day->live));
	} else if (person != NULL) {
		visit(day, person);
	} else {
		pair(day);
	}
}

void day_live(uint64_t seed, size_t games, struct day_result *result)
{
	struct day *day = calloc(1, sizeof *day);
	size_t steps = 0;

	assert_non_null(day);
	memset(result, 0, sizeof *result);
	day->random = seed;
	day->time = 1000;
	day->ids = 100000;
	day->restart = day->time + RESTART_EVERY;
	day->wanted = games;
	day->result = result;
	for (size_t i = 0; i < COUNT(rule_sets); i++) {
		assert_int_equal(mrl_rules_parse(&day->rules[i], rule_sets[i], strlen(rule_sets[i]), NULL), MRL_OK);
		mrl_rules_write(&day->rules[i], day->names[i]);
	}
	for (size_t i = 0; i < PEOPLE; i++) {
		enum mrl_play_player_kind kind = i % 7 == 0 ? MRL_PLAY_BOT : MRL_PLAY_ACCOUNT;

		day->people[i].player = player_of(i + 1, i % 3 == 0 ? MRL_PLAY_GUEST : kind);
		day->people[i].rating = MRL_RATING_START;
		day->people[i].next = day->time + below(day, 30000);
	}
	open_lobby(day);
	while (result->games < games || day->live_count > 0) {
		step(day);
		if (++steps % 1000 == 0)
			check_counts(day);
	}
	check_counts(day);
	result->time = day->time;
	free(day);
}
