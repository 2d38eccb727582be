#include "load_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <os/clock.h>

#include "load_event.h"

enum { FIRST_ROOM = 128, AHEAD = 8, LAG_SLACK = MRL_PLAY_LAG_TURN + 1, NODES_SLACK = 1000, MOST_TEXT = 4096 };

/* What is kept of an event, and of the game after it. */
struct note {
	uint64_t telling; /* hash of its text; 0: nobody was told it yet (or before the model began) */
	char *text;       /* with nodes, which have more ways to differ: the text itself; owned; else NULL */
	uint64_t turns;   /* hash of the turns on the board after it */
	uint64_t begun;   /* service time at which the clock of the side to move began to run */
	uint64_t heard;   /* our own, nanoseconds: when it was first told */
	uint32_t clock[2];
	uint32_t ply;
	struct load_deed deed;
	uint8_t phase;
	uint8_t offers[MRL_PLAY_OFFERS];
	bool clock_runs;
	uint8_t side; /* to move */
};

/* A snapshot, or an acknowledgement, of an event that nobody has been told yet. */
struct ahead {
	uint32_t n; /* 0: free */
	json_t *snapshot;
	struct load_deed deed;
};

struct load_model {
	struct load_stats *stats;
	char id[MRL_ID_TEXT_SIZE];
	struct mrl_play_game game;
	struct mrl_ply *plies;
	struct mrl_play_past *past;
	uint64_t *turns; /* turns[i]: hash of the first i turns */
	size_t ply_room;
	struct note *notes; /* notes[n - 1] */
	size_t note_room;
	uint32_t known;
	bool time_added;
	bool nodes;
	bool broken; /* an event did not fit: nothing more is judged */
	bool has_ratings;
	long before[2];
	long after[2];
	struct ahead ahead[AHEAD];
};

/* ---- Hashes ------------------------------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	/* FNV-1a, eight bytes at a time, with a stronger mix; equality is all that is asked of it. */
	const unsigned char *at = bytes;

	while (count > 0) {
		uint64_t word = 0;
		size_t part = count < sizeof(word) ? count : sizeof(word);

		memcpy(&word, at, part);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
		hash ^= hash >> 29;
		at += part;
		count -= part;
	}
	return hash;
}

/* Whether behind `at` stands a moment, in service time: then the number of bytes before its digits, else 0. */
static size_t is_moment(const char *at, const char *end)
{
	static const char *const keys[] = {"\"at\":", "\"until\":"};

	/* No text in a message can have such a key as it stands, for its quotes have a backslash there. */
	for (size_t i = 0; *at == '"' && i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t length = strlen(keys[i]);

		if ((size_t)(end - at) >= length && memcmp(at, keys[i], length) == 0)
			return length;
	}
	return 0;
}

/* Copies a text without its moments, which each node tells in its own time; returns the length. */
static size_t without_moments(const char *text, size_t length, char *to)
{
	const char *end = text + length;
	size_t count = 0;

	while (text < end) {
		size_t key = is_moment(text, end);

		if (key == 0) {
			to[count++] = *text++;
			continue;
		}
		memcpy(to + count, text, key);
		count += key;
		text += key;
		while (text < end && *text >= '0' && *text <= '9')
			text++;
	}
	return count;
}

/* With nodes, of what is the same at all of them. */
static uint64_t telling_of(const struct load_model *model, const char *text, size_t length)
{
	char same[MOST_TEXT];

	if (model->nodes && length <= sizeof(same)) {
		length = without_moments(text, length, same);
		text = same;
	}
	return hash_bytes(0xcbf29ce484222325U + length, text, length) | 1;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static bool make_room(struct load_model *model, size_t plies, size_t notes)
{
	if (plies >= model->ply_room) {
		size_t room = model->ply_room == 0 ? FIRST_ROOM : 2 * model->ply_room;
		struct mrl_ply *more = malloc(room * sizeof(*more));
		struct mrl_play_past *past = calloc(room, sizeof(*past));
		uint64_t *turns = realloc(model->turns, (room + 1) * sizeof(*turns));

		if (turns != NULL)
			model->turns = turns;
		if (more == NULL || past == NULL || turns == NULL) {
			free(more);
			free(past);
			return false;
		}
		if (model->ply_room > 0) {
			memcpy(more, model->plies, model->ply_room * sizeof(*more));
			memcpy(past, model->past, model->ply_room * sizeof(*past));
			mrl_play_move(&model->game, more, past, room);
		}
		free(model->plies);
		free(model->past);
		model->plies = more;
		model->past = past;
		model->ply_room = room;
	}
	if (notes > model->note_room) {
		size_t room = notes < FIRST_ROOM ? FIRST_ROOM : 2 * notes;
		struct note *more = realloc(model->notes, room * sizeof(*more));

		if (more == NULL)
			return false;
		memset(more + model->note_room, 0, (room - model->note_room) * sizeof(*more));
		model->notes = more;
		model->note_room = room;
	}
	return true;
}

void load_model_free(struct load_model *model)
{
	if (model == NULL)
		return;
	for (size_t i = 0; i < AHEAD; i++)
		json_decref(model->ahead[i].snapshot);
	for (size_t i = 0; i < model->note_room; i++)
		free(model->notes[i].text);
	free(model->plies);
	free(model->past);
	free(model->turns);
	free(model->notes);
	free(model);
}

/* ---- Events applied ----------------------------------------------------------------------------------------- */

static void keep_deed(struct load_deed *deed, const struct mrl_play_event *event)
{
	*deed = (struct load_deed){.kind = event->kind, .seat = event->seat};
	switch (event->kind) {
	case MRL_PLAY_TURN:
		deed->ply = event->turn.ply;
		(void)snprintf(deed->text, sizeof(deed->text), "%s", event->turn.text);
		break;
	case MRL_PLAY_OFFERED:
	case MRL_PLAY_DECLINED:
	case MRL_PLAY_LAPSED:
		deed->offer = event->offer;
		break;
	case MRL_PLAY_CHAT:
		(void)snprintf(deed->text, sizeof(deed->text), "%.47s", event->chat.text);
		break;
	default:
		break;
	}
}

/*
 * How long ago an event was told, in milliseconds. The times of nodes are made one only roughly, so what they say that
 * has passed is doubted only if it has not passed here either.
 */
static uint64_t since(const struct note *note)
{
	return (mrl_clock_now() - note->heard) / 1000000U;
}

static void check_clock_after_turn(struct load_model *model, const struct mrl_play_event *event)
{
	const struct mrl_play_game *game = &model->game;
	const struct mrl_play_turn *turn = &event->turn;
	unsigned side = game->moves.position.side;
	bool charged = turn->ply >= 2;
	uint64_t passed = event->time - game->begun;
	int64_t wanted = game->clock[side];

	if (game->tempo.kind != MRL_PLAY_FISCHER)
		return;
	if (charged)
		wanted += (int64_t)game->tempo.increment - (int64_t)turn->spent;
	if (wanted > MRL_PLAY_CLOCK_MAX)
		wanted = MRL_PLAY_CLOCK_MAX;
	if (turn->clock[side] != wanted || turn->clock[1 - side] != game->clock[1 - side])
		load_fault(model->stats, LOAD_FAULT_CLOCK,
			   "game %s, event %u: clocks %u and %u become %u and %u after a turn of %u ms", model->id,
			   event->number, game->clock[0], game->clock[1], turn->clock[0], turn->clock[1], turn->spent);
	/* What nobody played is charged to nobody: with nodes that may be any part of it. */
	bool wrong = model->nodes ? turn->spent > passed + NODES_SLACK &&
					turn->spent > since(&model->notes[game->number - 1]) + NODES_SLACK
				  : turn->spent > passed || turn->spent + LAG_SLACK < passed;

	if (charged && wrong)
		load_fault(model->stats, LOAD_FAULT_CLOCK, "game %s, event %u: %llu ms passed, %u were charged",
			   model->id, event->number, (unsigned long long)passed, turn->spent);
}

static void check_clock(struct load_model *model, const struct mrl_play_event *event)
{
	const struct mrl_play_game *game = &model->game;

	if (event->kind == MRL_PLAY_TURN)
		check_clock_after_turn(model, event);
	if (event->kind == MRL_PLAY_TIME)
		model->time_added = true;
	/* Both clocks are again what they were; unless time was given, which stays given. */
	if (event->kind == MRL_PLAY_TAKEBACK && !model->time_added && event->takeback.ply < game->moves.count &&
	    memcmp(event->takeback.clock, model->past[event->takeback.ply].clock, sizeof(game->clock)) != 0)
		load_fault(model->stats, LOAD_FAULT_CLOCK,
			   "game %s, event %u: a takeback to ply %u leaves the clocks at %u and %u, not %u and %u",
			   model->id, event->number, event->takeback.ply, event->takeback.clock[0],
			   event->takeback.clock[1], model->past[event->takeback.ply].clock[0],
			   model->past[event->takeback.ply].clock[1]);
}

static void note_game(struct load_model *model, const struct mrl_play_event *event)
{
	const struct mrl_play_game *game = &model->game;
	struct note *note = &model->notes[event->number - 1];

	if (event->kind == MRL_PLAY_TURN)
		model->turns[game->moves.count] =
		    hash_bytes(model->turns[game->moves.count - 1], event->turn.text, strlen(event->turn.text));
	note->turns = model->turns[game->moves.count];
	note->ply = (uint32_t)game->moves.count;
	note->phase = game->phase;
	note->begun = game->begun;
	note->heard = mrl_clock_now();
	note->side = game->moves.position.side;
	note->clock_runs = game->phase == MRL_PLAY_RUNNING && game->tempo.kind != MRL_PLAY_NO_CLOCK && note->ply >= 2;
	memcpy(note->clock, game->clock, sizeof(note->clock));
	memcpy(note->offers, game->offers, sizeof(note->offers));
	keep_deed(&note->deed, event);
}

static bool apply(struct load_model *model, const struct mrl_play_event *event)
{
	struct mrl_error error;

	if (!make_room(model, model->game.moves.count + 1, event->number)) {
		load_fault(model->stats, LOAD_FAULT_WRONG, "no memory for game %s", model->id);
		return false;
	}
	check_clock(model, event);
	if (mrl_play_apply(&model->game, event, &error) != MRL_OK) {
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s: %s", model->id, error.message);
		return false;
	}
	note_game(model, event);
	if (event->number > model->known)
		model->known = event->number;
	return true;
}

struct load_model *load_model_new(const struct mrl_rules *rules, json_t *snapshot, struct load_stats *stats, bool nodes)
{
	struct mrl_play_event events[3];
	struct load_model *model = calloc(1, sizeof(*model));
	uint32_t n = 0;
	uint32_t ply = 0;

	if (model == NULL)
		return NULL;
	model->stats = stats;
	model->nodes = nodes;

	const char *wrong = load_event_begin(snapshot, events);

	if (wrong == NULL && (!load_number(snapshot, "n", &n) || n != 3))
		wrong = "n (that of its beginning is 3)";
	if (wrong == NULL && (!load_number(snapshot, "ply", &ply) || ply != 0))
		wrong = "ply";
	if (wrong != NULL) {
		load_fault(stats, LOAD_FAULT_WRONG, "the snapshot of a new game has a bad or missing %s", wrong);
	} else if (make_room(model, 0, 3)) {
		mrl_id_write(events[0].created.game, model->id);
		model->turns[0] = 1;
		mrl_play_init(&model->game, rules, model->plies, model->past, model->ply_room);
		for (unsigned i = 0; i < 3; i++) {
			if (!apply(model, &events[i]))
				break;
			if (i == 2)
				return model;
		}
	}
	load_model_free(model);
	return NULL;
}

const char *load_model_id(const struct load_model *model)
{
	return model->id;
}

const struct mrl_play_game *load_model_game(const struct load_model *model)
{
	return &model->game;
}

const struct load_deed *load_model_deed(const struct load_model *model, uint32_t n)
{
	return &model->notes[n - 1].deed;
}

bool load_model_in_batch(const struct load_model *model)
{
	const struct mrl_play_game *game = &model->game;

	unsigned last = model->notes[game->number - 1].deed.kind;

	/* A turn makes all offers void, one event each. */
	if (game->phase != MRL_PLAY_RUNNING || (last != MRL_PLAY_TURN && last != MRL_PLAY_LAPSED))
		return false;
	return game->moves.verdict.outcome != MRL_ONGOING || game->offers[MRL_PLAY_OFFER_DRAW] != MRL_PLAY_NOBODY ||
	       game->offers[MRL_PLAY_OFFER_TAKEBACK] != MRL_PLAY_NOBODY;
}

uint32_t load_model_count(const struct load_model *model, unsigned kind)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < model->game.number; n++)
		count += model->notes[n].deed.kind == kind;
	return count;
}

uint32_t load_model_known(const struct load_model *model)
{
	return model->known;
}

uint32_t load_model_before_turn(const struct load_model *model)
{
	uint32_t n = model->game.number;

	while (n > 0 && (model->notes[n - 1].deed.kind != MRL_PLAY_TURN || model->notes[n - 1].telling == 0))
		n--;
	return n > 0 ? n - 1 : 0;
}

bool load_model_ratings(const struct load_model *model, long before[2], long after[2])
{
	memcpy(before, model->before, sizeof(model->before));
	memcpy(after, model->after, sizeof(model->after));
	return model->has_ratings;
}

/* ---- Snapshots ---------------------------------------------------------------------------------------------- */

static uint64_t hash_turns(json_t *turns, const struct load_model *model)
{
	uint64_t hash = model->turns[0];
	size_t i = 0;
	json_t *turn = NULL;

	json_array_foreach(turns, i, turn)
	{
		const char *text = json_string_value(turn);

		if (text != NULL)
			hash = hash_bytes(hash, text, strlen(text));
	}
	return hash;
}

/* What both clocks show at the snapshot's `now`: by the events, and by the snapshot. */
static void check_snapshot_clock(struct load_model *model, uint32_t n, const struct note *note, json_t *snapshot)
{
	json_t *json = json_object_get(snapshot, "clock");
	uint64_t now = 0;
	uint64_t at = 0;
	uint32_t clock[2];

	if (model->game.tempo.kind == MRL_PLAY_NO_CLOCK)
		return;
	if (!load_clocks(json, clock) || !load_moment(json, "at", &at) || !load_moment(snapshot, "now", &now) ||
	    at > now) {
		load_fault(model->stats, LOAD_FAULT_CLOCK, "game %s, snapshot %u: a clock with bad or negative numbers",
			   model->id, n);
		return;
	}

	int64_t told[2] = {clock[0], clock[1]};
	int64_t wanted[2] = {note->clock[0], note->clock[1]};

	int64_t least[2] = {note->clock[0], note->clock[1]}; /* with nodes */

	if (note->clock_runs) {
		told[note->side] -= (int64_t)(now - at);
		wanted[note->side] -= now > note->begun ? (int64_t)(now - note->begun) : 0;
		least[note->side] -= (int64_t)since(note);
	}
	for (unsigned side = 0; side < 2; side++) {
		/* A clock at its end shows 0 until the end is told. */
		if (wanted[side] < 0)
			wanted[side] = 0;
		if (told[side] < 0)
			told[side] = 0;
		if (least[side] > wanted[side])
			least[side] = wanted[side];
		if (told[side] != wanted[side] && !(model->nodes && told[side] + NODES_SLACK >= least[side] &&
						    told[side] <= (int64_t)note->clock[side] + NODES_SLACK))
			load_fault(model->stats, LOAD_FAULT_CLOCK,
				   "game %s, snapshot %u: %s has %lld ms; by the events it is %lld", model->id, n,
				   side == MRL_WHITE ? "White" : "Black", (long long)told[side],
				   (long long)wanted[side]);
	}
}

static void check_offers(struct load_model *model, uint32_t n, const struct note *note, json_t *snapshot)
{
	uint8_t offers[MRL_PLAY_OFFERS];
	size_t i = 0;
	json_t *value = NULL;

	memset(offers, MRL_PLAY_NOBODY, sizeof(offers));
	json_array_foreach(json_object_get(snapshot, "offers"), i, value)
	{
		const char *what = json_string_value(json_object_get(value, "what"));
		uint8_t offer = what != NULL ? load_offer(what) : MRL_PLAY_OFFERS;
		uint32_t seat = MRL_PLAY_NOBODY;

		if (offer < MRL_PLAY_OFFERS && load_number(value, "seat", &seat))
			offers[offer] = (uint8_t)seat;
	}
	if (memcmp(offers, note->offers, sizeof(offers)) != 0)
		load_fault(model->stats, LOAD_FAULT_LOST,
			   "game %s, snapshot %u: other offers stand than the events say", model->id, n);
}

/* Every line that is there must be one that was told; those of the last lines may be all. */
static void check_lines(struct load_model *model, uint32_t n, json_t *snapshot)
{
	size_t i = 0;
	json_t *line = NULL;

	json_array_foreach(json_object_get(snapshot, "lines"), i, line)
	{
		const char *text = json_string_value(json_object_get(line, "text"));
		uint32_t number = 0;

		if (text == NULL || !load_number(line, "n", &number) || number == 0 || number > n) {
			load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, snapshot %u: a bad line of chat",
				   model->id, n);
			continue;
		}

		const struct load_deed *deed = &model->notes[number - 1].deed;

		if (deed->kind != MRL_PLAY_CHAT || strncmp(deed->text, text, sizeof(deed->text) - 1) != 0)
			load_fault(model->stats, LOAD_FAULT_WRONG,
				   "game %s, snapshot %u: event %u is no line of chat with these words", model->id, n,
				   number);
	}
	/* The latest line of the players is always there. */
	for (uint32_t last = n; last > 0 && json_array_size(json_object_get(snapshot, "lines")) == 0 &&
				json_integer_value(json_object_get(snapshot, "you")) >= 0 &&
				!json_is_null(json_object_get(snapshot, "you"));
	     last--) {
		if (model->notes[last - 1].deed.kind == MRL_PLAY_CHAT && model->notes[last - 1].deed.seat < 2) {
			load_fault(model->stats, LOAD_FAULT_LOST, "game %s, snapshot %u: the chat is gone", model->id,
				   n);
			break;
		}
	}
}

static const char *phase_text(unsigned phase)
{
	return phase == MRL_PLAY_FINISHED ? "over" : phase == MRL_PLAY_RUNNING ? "playing" : "waiting";
}

static void compare_snapshot(struct load_model *model, uint32_t n, json_t *snapshot)
{
	const struct note *note = &model->notes[n - 1];
	const char *state = json_string_value(json_object_get(snapshot, "state"));
	json_t *turns = json_object_get(snapshot, "turns");
	uint32_t ply = 0;

	model->stats->snapshots++;
	if (!load_number(snapshot, "ply", &ply) || ply != json_array_size(turns) || ply != note->ply ||
	    hash_turns(turns, model) != note->turns) {
		load_fault(model->stats, ply < note->ply ? LOAD_FAULT_LOST : LOAD_FAULT_WRONG,
			   "game %s, snapshot %u: its %u turns are not the %u that were told", model->id, n, ply,
			   note->ply);
		return;
	}
	if (state == NULL || strcmp(state, phase_text(note->phase)) != 0)
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, snapshot %u: it is %s, by the events %s",
			   model->id, n, state != NULL ? state : "nothing", phase_text(note->phase));
	check_snapshot_clock(model, n, note, snapshot);
	check_offers(model, n, note, snapshot);
	check_lines(model, n, snapshot);
}

/* ---- What comes before its events --------------------------------------------------------------------------- */

static void compare_deed(struct load_model *model, uint32_t n, const struct load_deed *deed)
{
	/* What was acknowledged is the last event that a command made: its own, or one that followed from it. */
	for (uint32_t at = n; at > 0 && at + MRL_PLAY_BATCH > n; at--) {
		const struct load_deed *done = &model->notes[at - 1].deed;

		if (done->kind == deed->kind && (done->seat == deed->seat || deed->seat == LOAD_ANY_SEAT) &&
		    done->offer == deed->offer && done->ply == deed->ply && strcmp(done->text, deed->text) == 0)
			return;
	}
	load_fault(model->stats, LOAD_FAULT_LOST,
		   "game %s: a %s of seat %u was acknowledged as event %u, which is not it", model->id,
		   mrl_play_kind_text(deed->kind), deed->seat, n);
}

static void put_ahead(struct load_model *model, const struct ahead *what)
{
	for (size_t i = 0; i < AHEAD; i++) {
		if (model->ahead[i].n == 0) {
			model->ahead[i] = *what;
			json_incref(what->snapshot);
			return;
		}
	}
	/* More than this is not looked into. */
}

static void look_ahead(struct load_model *model)
{
	for (size_t i = 0; i < AHEAD; i++) {
		struct ahead *ahead = &model->ahead[i];

		if (ahead->n == 0 || ahead->n > model->game.number)
			continue;
		if (ahead->snapshot != NULL)
			compare_snapshot(model, ahead->n, ahead->snapshot);
		else
			compare_deed(model, ahead->n, &ahead->deed);
		json_decref(ahead->snapshot);
		*ahead = (struct ahead){0};
	}
}

void load_model_acknowledged(struct load_model *model, uint32_t n, const struct load_deed *deed)
{
	struct ahead ahead = {.n = n, .deed = *deed};

	if (n > model->known)
		model->known = n;
	if (model->broken)
		return;
	if (n == 0 || n <= model->game.number)
		compare_deed(model, n, deed);
	else
		put_ahead(model, &ahead);
}

void load_model_snapshot(struct load_model *model, struct load_receiver *receiver, json_t *snapshot)
{
	uint32_t n = 0;

	if (!load_number(snapshot, "n", &n) || n == 0) {
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s: a snapshot without a number", model->id);
		return;
	}
	if (n < receiver->known && !model->nodes)
		load_fault(model->stats, LOAD_FAULT_LOST,
			   "game %s: the server has %u events, and had told or acknowledged %u", model->id, n,
			   receiver->known);
	receiver->last = n;
	receiver->back = false;
	if (model->broken)
		return;
	if (n <= model->game.number) {
		compare_snapshot(model, n, snapshot);
	} else {
		struct ahead ahead = {.n = n, .snapshot = snapshot};

		put_ahead(model, &ahead);
	}
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

static void tell(struct load_news *news, const struct load_model *model, uint32_t n)
{
	const struct load_deed *deed = &model->notes[n - 1].deed;

	news->good = true;
	news->n = n;
	news->kind = deed->kind;
	news->seat = deed->seat;
	news->ply = deed->ply;
}

bool load_model_again(struct load_model *model, struct load_receiver *receiver, const char *text, size_t length,
		      struct load_news *news)
{
	uint32_t n = receiver->last + 1;

	if (n > model->game.number || model->notes[n - 1].telling != telling_of(model, text, length))
		return false;
	model->stats->events++;
	model->stats->compared++;
	receiver->last = n;
	receiver->back = false;
	*news = (struct load_news){0};
	tell(news, model, n);
	return true;
}

/* The number, in its place; false when the event is not to be looked at any further. */
static bool in_order(struct load_model *model, struct load_receiver *receiver, uint32_t n)
{
	if (n <= receiver->last) {
		load_fault(model->stats, LOAD_FAULT_DOUBLED, "game %s: event %u was told again, after %u", model->id, n,
			   receiver->last);
		return false;
	}
	/* The server sent it before it was asked; it comes again in its place. */
	if (n > receiver->last + 1 && receiver->back)
		return false;
	if (n > receiver->last + 1)
		load_fault(model->stats, LOAD_FAULT_LOST, "game %s: event %u follows %u", model->id, n, receiver->last);
	receiver->last = n;
	receiver->back = false;
	return true;
}

static void keep_ratings(struct load_model *model, json_t *event)
{
	json_t *list = json_object_get(event, "rating");

	model->has_ratings = json_array_size(list) == 2;
	for (size_t seat = 0; seat < 2 && model->has_ratings; seat++) {
		json_t *change = json_array_get(list, seat);

		model->before[seat] = (long)json_integer_value(json_object_get(change, "before"));
		model->after[seat] = (long)json_integer_value(json_object_get(change, "after"));
	}
}

static void apply_told(struct load_model *model, json_t *json, struct load_news *news)
{
	struct mrl_play_event event;
	const char *wrong = load_event_read(json, &model->game.tempo, &event);

	/* Times that have been made one only roughly may go back a little. */
	if (wrong == NULL && model->nodes && event.time < model->game.time)
		event.time = model->game.time;
	if (wrong != NULL)
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, event %u: bad or missing %s", model->id, news->n,
			   wrong);
	if (wrong != NULL || !apply(model, &event)) {
		model->broken = true;
		news->good = false;
		return;
	}
	if (event.kind == MRL_PLAY_RATED)
		keep_ratings(model, json);
	news->is_new = true;
	tell(news, model, news->n);
	look_ahead(model);
}

static void keep_text(const struct load_model *model, struct note *note, const char *text, size_t length)
{
	if (!model->nodes || note->text != NULL)
		return;
	note->text = malloc(length + 1);
	if (note->text != NULL)
		note->text[without_moments(text, length, note->text)] = '\0';
}

/* From where on they differ. */
static void complain_of_telling(struct load_model *model, uint32_t n, const char *text, size_t length)
{
	enum { BEFORE = 10, MOST = 70 };
	const char *old = model->notes[n - 1].text;
	char now[MOST_TEXT + 1];
	size_t same = 0;

	if (old == NULL || length > MOST_TEXT) {
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, event %u is told in two ways, now: %.*s",
			   model->id, n, (int)(length < 120 ? length : 120), text);
		return;
	}
	now[without_moments(text, length, now)] = '\0';
	while (now[same] != '\0' && now[same] == old[same])
		same++;
	same = same > BEFORE ? same - BEFORE : 0;
	load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, event %u is told in two ways: ...%.*s and ...%.*s",
		   model->id, n, MOST, old + same, MOST, now + same);
}

void load_model_event(struct load_model *model, struct load_receiver *receiver, const char *text, size_t length,
		      json_t *event, struct load_news *news)
{
	const char *kind = json_string_value(json_object_get(event, "kind"));

	*news = (struct load_news){.kind = MRL_PLAY_KINDS, .seat = MRL_PLAY_NOBODY};
	model->stats->events++;
	if (!load_number(event, "n", &news->n) || kind == NULL) {
		load_fault(model->stats, LOAD_FAULT_WRONG, "game %s: an event without a number", model->id);
		return;
	}
	if (!in_order(model, receiver, news->n))
		return;
	news->good = true;
	if (news->n > model->known)
		model->known = news->n;
	if (strcmp(kind, "hidden") == 0) {
		if (receiver->player)
			load_fault(model->stats, LOAD_FAULT_WRONG, "game %s, event %u: hidden from a player", model->id,
				   news->n);
		return;
	}
	if (model->broken)
		return;
	if (!make_room(model, model->game.moves.count, news->n))
		return;

	struct note *note = &model->notes[news->n - 1];
	uint64_t telling = telling_of(model, text, length);

	/* What happened before the model began has no telling to be compared with. */
	if (note->telling != 0 && note->telling != telling)
		complain_of_telling(model, news->n, text, length);
	else if (note->telling != 0)
		model->stats->compared++;
	note->telling = telling;
	keep_text(model, note, text, length);
	if (news->n == model->game.number + 1)
		apply_told(model, event, news);
	else if (news->n <= model->game.number)
		tell(news, model, news->n);
}
