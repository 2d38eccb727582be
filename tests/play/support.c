#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include <merels/notation.h>

#define WALL INT64_C(1764530000000)
#define LINK UINT64_C(5)

void hash_of(uint64_t secret, uint8_t hash[MRL_PLAY_HASH_SIZE])
{
	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++)
		hash[i] = (uint8_t)((secret >> (i % 8) * 8) + i);
}

struct mrl_play_player player_of(uint64_t person, enum mrl_play_player_kind kind)
{
	struct mrl_play_player player = {.person = person, .kind = (uint8_t)kind};

	if (kind == MRL_PLAY_COMPUTER)
		player.level = 3;
	snprintf(player.name, sizeof player.name, "Player %llu", (unsigned long long)person);
	hash_of(person, player.secret);
	return player;
}

static struct mrl_play_now now_at(const struct table *table)
{
	return (struct mrl_play_now){table->time, WALL + (int64_t)table->time, table->random};
}

static void grow(struct mrl_play_game *game)
{
	size_t capacity = game->moves.capacity * 2 + 8;
	struct mrl_ply *plies = realloc(game->moves.plies, capacity * sizeof *plies);
	struct mrl_play_past *past = realloc(game->past, capacity * sizeof *past);

	assert_non_null(plies);
	assert_non_null(past);
	mrl_play_move(game, plies, past, capacity);
}

static void apply(struct mrl_play_game *game, const struct mrl_play_event *event)
{
	struct mrl_error error;
	enum mrl_status status = mrl_play_apply(game, event, &error);

	if (status == MRL_SPACE) {
		grow(game);
		status = mrl_play_apply(game, event, &error);
	}
	if (status != MRL_OK)
		fail_msg("%s", error.message);
}

static void forget(struct mrl_play_game *game)
{
	free(game->moves.plies);
	free(game->past);
}

/* The game as its lines tell it. */
static void build(const struct table *table, struct mrl_play_game *game)
{
	mrl_play_init(game, &table->rules, NULL, NULL, 0);
	for (size_t i = 0; i < table->line_count; i++) {
		struct mrl_play_event event;
		struct mrl_error error;

		if (mrl_play_event_read(table->lines[i], strlen(table->lines[i]), &event, &error) != MRL_OK)
			fail_msg("%s\n%s", table->lines[i], error.message);
		apply(game, &event);
	}
}

void table_keep(struct table *table, const struct mrl_play_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct mrl_play_event event;
		char *line;

		if (table->line_count == table->line_capacity) {
			table->line_capacity = table->line_capacity * 2 + 16;
			table->lines = realloc(table->lines, table->line_capacity * sizeof *table->lines);
			assert_non_null(table->lines);
		}
		line = table->lines[table->line_count++];
		mrl_play_event_write(&batch->events[i], line);
		assert_int_equal(mrl_play_event_read(line, strlen(line), &event, NULL), MRL_OK);
		assert_true(mrl_play_event_equal(&event, &batch->events[i]));
		apply(&table->game, &event);
		assert_int_equal(table->game.number, table->line_count);
	}
	if (batch->count > 0 && !table->quick) {
		struct mrl_play_game again;

		build(table, &again);
		assert_true(mrl_play_same(&table->game, &again));
		forget(&again);
	}
}

void table_open(struct table *table, const struct plan *plan)
{
	struct mrl_play_creation creation = {.game = GAME, .id = "make", .id_length = 4};
	const char *rules = plan->rules != NULL ? plan->rules : "nine";
	const char *tempo = plan->tempo != NULL ? plan->tempo : "none";
	enum mrl_play_player_kind kind = MRL_PLAY_ACCOUNT;
	struct mrl_play_now now;

	memset(table, 0, sizeof *table);
	table->time = 1000000;
	assert_int_equal(mrl_rules_parse(&table->rules, rules, strlen(rules), NULL), MRL_OK);
	mrl_play_init(&table->game, &table->rules, NULL, NULL, 0);
	mrl_rules_write(&table->rules, creation.settings.rules);
	assert_true(mrl_play_tempo_read(tempo, strlen(tempo), &creation.settings.tempo));
	creation.settings.rated = plan->rated;
	creation.settings.unlisted = plan->unlisted;
	creation.settings.phrases = plan->phrases;
	creation.settings.first = (uint8_t)plan->first;
	creation.owner = player_of(ANNA, kind);
	if (!plan->alone)
		creation.friend_seat = player_of(BELA, kind);
	hash_of(LINK, creation.link);
	now = now_at(table);
	assert_int_equal(mrl_play_create(&creation, &now, &table->batch), MRL_CODE_OK);
	table_keep(table, &table->batch);
	for (unsigned seat = 0; seat < 2; seat++)
		mrl_play_presence(&table->game, seat, true, false, table->time);
}

void table_release(struct table *table)
{
	forget(&table->game);
	free(table->lines);
}

void table_restart(struct table *table)
{
	struct mrl_play_game again;

	build(table, &again);
	assert_true(mrl_play_same(&table->game, &again));
	forget(&table->game);
	table->game = again;
	mrl_play_all_gone(&table->game, table->time);
}

void table_wait(struct table *table, uint64_t milliseconds)
{
	struct mrl_play_now now;

	table->time += milliseconds;
	now = now_at(table);
	mrl_play_tick(&table->game, &now, &table->batch);
	table_keep(table, &table->batch);
}

enum mrl_play_code table_give(struct table *table, struct mrl_play_command command)
{
	struct mrl_play_now now = now_at(table);
	char id[16];

	if (command.id == NULL) {
		command.id_length = (size_t)snprintf(id, sizeof id, "c%llu", (unsigned long long)++table->commands);
		command.id = id;
	}
	mrl_play_command(&table->game, &command, &now, &table->batch, &table->answer);
	table_keep(table, &table->batch);
	return table->answer.code;
}

enum mrl_play_code table_turn(struct table *table, const char *turn)
{
	const struct mrl_game *moves = &table->game.moves;

	return table_give(table, (struct mrl_play_command){
				     .verb = MRL_PLAY_PLAY,
				     .seat = mrl_play_seat_of_side(&table->game, (enum mrl_side)moves->position.side),
				     .ply = (uint32_t)moves->count,
				     .turn = turn,
				     .turn_length = strlen(turn)});
}

enum mrl_play_code table_do(struct table *table, enum mrl_play_seat seat, enum mrl_play_verb verb)
{
	return table_give(table, (struct mrl_play_command){.verb = verb, .seat = seat});
}

enum mrl_play_code table_offer(struct table *table, enum mrl_play_seat seat, enum mrl_play_verb verb,
			       enum mrl_play_offer offer)
{
	return table_give(table,
			  (struct mrl_play_command){
			      .verb = verb, .seat = seat, .offer = (uint8_t)offer, .fresh = 9000 + ++table->presses});
}

enum mrl_play_code table_say(struct table *table, enum mrl_play_seat seat, enum mrl_play_room room, const char *text)
{
	struct mrl_play_player guest = player_of(GUEST, MRL_PLAY_GUEST);

	return table_give(table, (struct mrl_play_command){.verb = MRL_PLAY_SAY,
							   .seat = seat,
							   .room = (uint8_t)room,
							   .text = text,
							   .text_length = strlen(text),
							   .player = &guest});
}

enum mrl_play_code table_join(struct table *table, uint64_t person, enum mrl_play_player_kind kind, uint64_t secret)
{
	struct mrl_play_player player = player_of(person, kind);
	uint8_t link[MRL_PLAY_HASH_SIZE];

	hash_of(secret, link);
	return table_give(table, (struct mrl_play_command){
				     .verb = MRL_PLAY_JOIN, .seat = MRL_PLAY_NOBODY, .player = &player, .link = link});
}

void table_play(struct table *table, const char *turns, uint64_t each)
{
	while (*turns != '\0') {
		char turn[MRL_TURN_TEXT_SIZE];
		size_t length = strcspn(turns, " ");

		assert_true(length < sizeof turn);
		memcpy(turn, turns, length);
		turn[length] = '\0';
		table->time += each;
		if (table_turn(table, turn) != MRL_CODE_OK)
			fail_msg("%s: %s", turn, table->answer.text);
		turns += length + (turns[length] == ' ');
	}
}

struct mrl_play_view table_view(const struct table *table, unsigned viewer)
{
	struct mrl_play_view view;

	mrl_play_view(&table->game, viewer, table->time, &view);
	return view;
}

bool table_happened(const struct table *table, size_t count, const enum mrl_play_kind *kinds)
{
	bool so = table->batch.count == count;

	for (size_t i = 0; so && i < count; i++)
		so = table->batch.events[i].kind == kinds[i];
	for (size_t i = 0; !so && i < table->batch.count; i++)
		print_message("happened: %s\n", mrl_play_kind_text(table->batch.events[i].kind));
	return so;
}

void assert_code(const struct table *table, enum mrl_play_code code)
{
	assert_string_equal(mrl_play_code_name(table->answer.code), mrl_play_code_name(code));
}

void assert_ended(const struct table *table, enum mrl_outcome outcome, enum mrl_reason reason)
{
	assert_int_equal(table->game.phase, MRL_PLAY_FINISHED);
	assert_string_equal(mrl_outcome_text(table->game.verdict.outcome), mrl_outcome_text(outcome));
	assert_string_equal(mrl_reason_text(table->game.verdict.reason), mrl_reason_text(reason));
	assert_true(mrl_play_deadline(&table->game) == UINT64_MAX);
}
