/*
 * A game online as a sequence: bytes become commands, time that passes, people who come and go, restarts. Whatever the
 * sequence, events are numbered without a gap and read back as they were written, clocks are never below zero and agree
 * with a second reckoning, a command that was done is answered the same when it comes again, and the game is what its
 * lines tell.
 *
 * The second line of the input is tempo and flags ("60000+2000 rated"); what follows are the steps, a letter and what
 * it takes each, see step().
 */
#include <merels/notation.h>
#include <merels/play.h>

#include "fuzz.h"

#define MAX_EVENTS 400
#define PLIES 256
#define CLOCK_LIMIT (14 * MRL_PLAY_DAY)

/* What the input is played on. */
static struct run {
	struct mrl_play_game game;
	struct mrl_ply plies[PLIES];
	struct mrl_play_past past[PLIES];
	struct mrl_ply plies_again[PLIES];
	struct mrl_play_past past_again[PLIES];
	char lines[MAX_EVENTS][MRL_PLAY_EVENT_TEXT_SIZE];
	struct mrl_play_batch batch;
	struct mrl_play_answer answer;
	uint64_t time;
	unsigned ids;
	struct mrl_play_command last; /* the last that was done, its id in last_id; verb CLOSE: none */
	char last_id[16];
	uint32_t last_number;
	uint32_t clock[2]; /* the second reckoning */
	uint32_t before[PLIES][2];
	uint64_t begun;
} run;

static struct mrl_play_player player_of(uint64_t person, unsigned kind)
{
	struct mrl_play_player player = {.person = person, .kind = (uint8_t)kind, .name = "Somebody"};

	if (kind == MRL_PLAY_COMPUTER)
		player.level = 5;
	memset(player.secret, (int)person, sizeof player.secret);
	return player;
}

static struct mrl_play_now now(void)
{
	return (struct mrl_play_now){run.time, -(int64_t)run.time, run.time};
}

/* ---- What must hold ----------------------------------------------------------------------------------------- */

static void reckon_turn(const struct mrl_play_event *event)
{
	const struct mrl_play_turn *made = &event->turn;
	unsigned side = run.game.moves.position.side;
	uint64_t passed = event->time - run.begun;

	MUST(made->ply == run.game.moves.count && made->ply < PLIES);
	memcpy(run.before[made->ply], run.clock, sizeof run.clock);
	if (run.game.tempo.kind == MRL_PLAY_FISCHER && made->ply >= 2) {
		MUST(passed < run.clock[side]);
		MUST(made->credit <= MRL_PLAY_LAG_TURN && made->spent + made->credit == passed);
		run.clock[side] += run.game.tempo.increment - made->spent;
		if (run.clock[side] > MRL_PLAY_CLOCK_MAX)
			run.clock[side] = MRL_PLAY_CLOCK_MAX;
	}
	MUST(made->clock[0] == run.clock[0] && made->clock[1] == run.clock[1]);
	run.begun = event->time;
}

static void reckon(const struct mrl_play_event *event)
{
	switch (event->kind) {
	case MRL_PLAY_STARTED:
		memcpy(run.clock, event->started.clock, sizeof run.clock);
		run.begun = event->time;
		break;
	case MRL_PLAY_TURN:
		reckon_turn(event);
		break;
	case MRL_PLAY_TAKEBACK:
		MUST(!run.game.rated && event->takeback.ply < run.game.moves.count);
		memcpy(run.clock, run.before[event->takeback.ply], sizeof run.clock);
		MUST(event->takeback.clock[0] == run.clock[0] && event->takeback.clock[1] == run.clock[1]);
		run.begun = event->time;
		break;
	case MRL_PLAY_TIME:
		run.clock[mrl_play_side_of(&run.game, event->seat) ^ 1U] += event->added.added;
		break;
	case MRL_PLAY_ENDED:
		MUST(event->ended.clock[0] <= CLOCK_LIMIT && event->ended.clock[1] <= CLOCK_LIMIT);
		if (event->ended.reason == MRL_REASON_TIME)
			MUST(event->ended.clock[run.game.moves.position.side] == 0);
		break;
	default:
		break;
	}
}

static void check_view(unsigned viewer)
{
	struct mrl_play_view view;

	mrl_play_view(&run.game, viewer, run.time, &view);
	MUST(view.number == run.game.number && view.ply == run.game.moves.count);
	for (unsigned side = 0; side < 2; side++)
		MUST(view.clock[side] <= CLOCK_LIMIT);
	MUST((view.may & MRL_PLAY_MAY_TURN) == 0 || (view.to_move == viewer && view.phase == MRL_PLAY_RUNNING));
	MUST(viewer < MRL_PLAY_NOBODY || view.may == 0);
}

/* The game is what its lines tell. */
static void check_lines(bool go_on)
{
	struct mrl_play_game again;

	mrl_play_init(&again, run.game.moves.rules, run.plies_again, run.past_again, PLIES);
	for (uint32_t i = 0; i < run.game.number; i++) {
		struct mrl_play_event event;

		MUST(mrl_play_event_read(run.lines[i], strlen(run.lines[i]), &event, NULL) == MRL_OK);
		MUST(mrl_play_apply(&again, &event, NULL) == MRL_OK);
	}
	MUST(mrl_play_same(&run.game, &again));
	if (!go_on)
		return;
	memcpy(run.plies, run.plies_again, sizeof run.plies);
	memcpy(run.past, run.past_again, sizeof run.past);
	run.game = again;
	mrl_play_move(&run.game, run.plies, run.past, PLIES);
	mrl_play_all_gone(&run.game, run.time);
}

static void keep(void)
{
	for (size_t i = 0; i < run.batch.count; i++) {
		const struct mrl_play_event *made = &run.batch.events[i];
		char *line = run.lines[run.game.number];
		size_t length = mrl_play_event_write(made, line);
		struct mrl_play_event event;

		MUST(made->number == run.game.number + 1 && length == strlen(line));
		MUST(mrl_play_event_read(line, length, &event, NULL) == MRL_OK);
		MUST(mrl_play_event_equal(made, &event));
		reckon(&event);
		MUST(mrl_play_apply(&run.game, &event, NULL) == MRL_OK);
	}
	if (run.batch.count > 0)
		check_view(run.game.number % 3);
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

static void pass_time(uint64_t milliseconds)
{
	struct mrl_play_now then;

	run.time += milliseconds;
	then = now();
	mrl_play_tick(&run.game, &then, &run.batch);
	keep();
	MUST(mrl_play_deadline(&run.game) > run.time);
}

static void give(struct mrl_play_command command)
{
	struct mrl_play_now then = now();
	char id[sizeof run.last_id];
	uint32_t before = run.game.number;

	command.id_length = (size_t)snprintf(id, sizeof id, "i%u", ++run.ids);
	command.id = id;
	mrl_play_command(&run.game, &command, &then, &run.batch, &run.answer);
	MUST(run.answer.code < MRL_CODES && run.answer.text[0] != '\0');
	MUST((run.answer.code == MRL_CODE_OK) == (run.answer.number != 0));
	if (run.answer.code == MRL_CODE_OK && !run.answer.repeated) {
		MUST(run.answer.number == before + 1 && run.batch.count > 0);
		memcpy(run.last_id, id, sizeof id);
		run.last = command;
		run.last_number = run.answer.number;
	}
	keep();
}

/* The same command once more. Its texts are gone, but they are not looked at: its id is known. */
static void give_again(void)
{
	struct mrl_play_now then = now();
	struct mrl_play_player friend_seat = run.game.player[MRL_PLAY_FRIEND];

	if (run.last_number == 0 || (run.last.verb == MRL_PLAY_SAY && run.last.seat == MRL_PLAY_NOBODY) ||
	    run.last.verb == MRL_PLAY_CLOSE)
		return;
	run.last.id = run.last_id;
	run.last.turn = NULL;
	run.last.text = NULL;
	run.last.player = &friend_seat;
	mrl_play_command(&run.game, &run.last, &then, &run.batch, &run.answer);
	MUST(run.answer.code == MRL_CODE_OK && run.answer.repeated && run.answer.number == run.last_number);
	keep();
}

static void play_legal(unsigned choice, unsigned lag)
{
	const struct mrl_game *moves = &run.game.moves;
	struct mrl_turn turns[MRL_TURNS_USUAL];
	char text[MRL_TURN_TEXT_SIZE];
	size_t count = mrl_turns(moves->rules, &moves->position, turns, MRL_TURNS_USUAL);

	if (count == 0 || run.game.phase != MRL_PLAY_RUNNING || moves->count >= PLIES)
		return;
	if (count > MRL_TURNS_USUAL)
		count = MRL_TURNS_USUAL;
	mrl_turn_write(&moves->rules->board, &turns[choice % count], text);
	give((struct mrl_play_command){.verb = MRL_PLAY_PLAY,
				       .seat = mrl_play_seat_of_side(&run.game, (enum mrl_side)moves->position.side),
				       .ply = (uint32_t)moves->count,
				       .turn = text,
				       .turn_length = strlen(text),
				       .lag = lag});
	MUST(run.answer.code == MRL_CODE_OK);
}

static void join(unsigned byte)
{
	struct mrl_play_player player = player_of(1 + byte % 4, 1 + byte / 4 % MRL_PLAY_COMPUTER);
	uint8_t link[MRL_PLAY_HASH_SIZE];

	memset(link, byte % 16 == 15 ? 8 : 9, sizeof link);
	give(
	    (struct mrl_play_command){.verb = MRL_PLAY_JOIN, .seat = MRL_PLAY_NOBODY, .player = &player, .link = link});
}

static void say(unsigned byte, struct fuzz_text text)
{
	struct mrl_play_player guest = player_of(byte / 4 % 8, MRL_PLAY_GUEST);

	give((struct mrl_play_command){.verb = MRL_PLAY_SAY,
				       .seat = (enum mrl_play_seat)(byte % 3),
				       .room = (uint8_t)(byte / 64 % 3),
				       .phrase = (uint8_t)(byte / 32 % 2 * byte),
				       .text = text.data,
				       .text_length = text.length,
				       .player = &guest});
}

static unsigned take_byte(struct fuzz_text *rest)
{
	if (rest->length == 0)
		return 0;
	rest->length--;
	return (unsigned char)*rest->data++;
}

/* One step: a letter, and the byte or the line that it takes. */
static void step(struct fuzz_text *rest)
{
	static const uint64_t waits[] = {1,     99,    500,     3000,         9999,
					 20000, 59999, 3600000, MRL_PLAY_DAY, MRL_PLAY_IDLE_LIMIT};
	unsigned letter = take_byte(rest);
	unsigned byte = letter == '!' || letter == 'k' ? 0 : take_byte(rest);
	enum mrl_play_seat seat = (enum mrl_play_seat)(byte % 2);
	uint8_t offer = (uint8_t)(byte / 2 % 4);
	struct fuzz_text text;

	switch (letter) {
	case 'p':
		play_legal(byte, byte * 3);
		break;
	case 't':
		text = fuzz_line(rest);
		if (run.game.moves.count < PLIES)
			give((struct mrl_play_command){.verb = MRL_PLAY_PLAY,
						       .seat = (enum mrl_play_seat)(byte % 3),
						       .ply = (uint32_t)run.game.moves.count - byte / 4 % 2,
						       .turn = text.data,
						       .turn_length = text.length});
		break;
	case 'w':
		pass_time(waits[byte % 10] + byte / 10);
		break;
	case 'o':
		give(
		    (struct mrl_play_command){.verb = MRL_PLAY_OFFER, .seat = seat, .offer = offer, .fresh = byte / 8});
		break;
	case 'a':
		give((struct mrl_play_command){
		    .verb = MRL_PLAY_ACCEPT, .seat = seat, .offer = offer, .fresh = byte / 8});
		break;
	case 'd':
		give((struct mrl_play_command){.verb = MRL_PLAY_DECLINE, .seat = seat, .offer = offer});
		break;
	case 'v':
		give((struct mrl_play_command){.verb = (enum mrl_play_verb)(byte / 4),
					       .seat = (enum mrl_play_seat)(byte % 4)});
		break;
	case 's':
		text = fuzz_line(rest);
		say(byte, text);
		break;
	case 'j':
		join(byte);
		break;
	case 'g':
		mrl_play_presence(&run.game, byte % 3, byte / 4 % 2 != 0, byte / 8 % 2 != 0, run.time);
		break;
	case '!':
		give_again();
		break;
	case 'k':
		check_lines(true);
		break;
	default:
		break;
	}
}

static bool has(struct fuzz_text line, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= line.length; i++)
		if (memcmp(line.data + i, word, length) == 0)
			return true;
	return false;
}

/* The game that the first two lines ask for; false when there is none. */
static bool begin(struct fuzz_text *rest)
{
	const struct mrl_rules *rules = fuzz_rules(rest);
	struct fuzz_text line = fuzz_line(rest);
	struct mrl_play_creation creation = {.game = 1, .id = "make", .id_length = 4};
	struct mrl_play_now then;
	size_t tempo = 0;

	while (tempo < line.length && line.data[tempo] != ' ')
		tempo++;
	if (!mrl_play_tempo_read(line.data, tempo, &creation.settings.tempo))
		return false;
	mrl_rules_write(rules, creation.settings.rules);
	creation.settings.rated = has(line, "rated");
	creation.settings.unlisted = has(line, "private");
	creation.settings.phrases = has(line, "phrases");
	creation.settings.first = has(line, "lots") ? MRL_PLAY_LOTS : MRL_PLAY_FRIEND_FIRST;
	creation.owner = player_of(1, MRL_PLAY_ACCOUNT);
	if (has(line, "two"))
		creation.friend_seat = player_of(2, has(line, "computer") ? MRL_PLAY_COMPUTER : MRL_PLAY_BOT);
	memset(creation.link, 9, sizeof creation.link);
	run.time = 1000;
	run.ids = 0;
	run.last_number = 0;
	mrl_play_init(&run.game, rules, run.plies, run.past, PLIES);
	then = now();
	if (mrl_play_create(&creation, &then, &run.batch) != MRL_CODE_OK)
		return false;
	keep();
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_text rest = {(const char *)data, size};

	if (!begin(&rest))
		return 0;
	while (rest.length > 0 && run.game.number + MRL_PLAY_BATCH < MAX_EVENTS)
		step(&rest);
	/* Time alone ends every game. */
	pass_time(MRL_PLAY_IDLE_LIMIT);
	MUST(run.game.phase == MRL_PLAY_FINISHED);
	check_lines(false);
	return 0;
}
