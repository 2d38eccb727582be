#include "day_game.h"

#include <stdlib.h>

#include <merels/notation.h>

static void grow(struct mrl_play_game *game)
{
	size_t capacity = game->moves.capacity * 2 + 32;
	struct mrl_ply *plies = realloc(game->moves.plies, capacity * sizeof *plies);
	struct mrl_play_past *past = realloc(game->past, capacity * sizeof *past);

	assert_non_null(plies);
	assert_non_null(past);
	mrl_play_move(game, plies, past, capacity);
}

void day_game_open(struct day_game *game, const struct mrl_rules *rules)
{
	memset(game, 0, sizeof *game);
	mrl_play_init(&game->game, rules, NULL, NULL, 0);
	mrl_game_init(&game->side, rules, NULL, NULL, 0);
}

void day_game_release(struct day_game *game)
{
	for (size_t i = 0; i < game->line_count; i++)
		free(game->lines[i]);
	free(game->lines);
	free(game->game.moves.plies);
	free(game->game.past);
	free(game->side.plies);
	free(game->before);
	memset(game, 0, sizeof *game);
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

/* Plays the turn on the side and reckons its clock. */
static void check_turn(struct day_game *game, const struct mrl_play_event *event)
{
	const struct mrl_play_turn *made = &event->turn;
	const struct mrl_play_tempo *tempo = &game->game.tempo;
	unsigned side = game->side.position.side;
	uint64_t passed = event->time - game->begun;
	struct mrl_turn turn;

	assert_int_equal(made->ply, game->side.count);
	if (game->side.count == game->side.capacity) {
		size_t capacity = game->side.capacity * 2 + 32;
		struct mrl_ply *plies = realloc(game->side.plies, capacity * sizeof *plies);

		assert_non_null(plies);
		mrl_game_move(&game->side, plies, capacity);
		game->before = realloc(game->before, capacity * sizeof *game->before);
		assert_non_null(game->before);
	}
	memcpy(game->before[game->side.count], game->clock, sizeof game->clock);
	if (tempo->kind == MRL_PLAY_FISCHER && game->side.count >= 2) {
		assert_true(passed < game->clock[side]); /* the flag had not fallen */
		assert_true(made->credit <= MRL_PLAY_LAG_TURN && made->credit <= passed);
		assert_true(made->spent + made->credit == passed);
		game->clock[side] -= made->spent;
		game->clock[side] += tempo->increment;
		if (game->clock[side] > MRL_PLAY_CLOCK_MAX)
			game->clock[side] = MRL_PLAY_CLOCK_MAX;
	} else {
		assert_int_equal(made->credit, 0);
	}
	assert_int_equal(made->clock[0], game->clock[0]);
	assert_int_equal(made->clock[1], game->clock[1]);
	assert_int_equal(
	    mrl_turn_read(game->side.rules, &game->side.position, made->text, strlen(made->text), &turn, NULL), MRL_OK);
	assert_int_equal(mrl_game_play(&game->side, &turn, NULL), MRL_OK);
	game->begun = event->time;
}

static void check_takeback(struct day_game *game, const struct mrl_play_event *event)
{
	assert_false(game->game.rated);
	assert_true(event->takeback.ply < game->side.count);
	while (game->side.count > event->takeback.ply)
		assert_true(mrl_game_back(&game->side));
	memcpy(game->clock, game->before[event->takeback.ply], sizeof game->clock);
	assert_int_equal(event->takeback.clock[0], game->clock[0]);
	assert_int_equal(event->takeback.clock[1], game->clock[1]);
	game->begun = event->time;
}

static void check_end(const struct day_game *game, const struct mrl_play_event *event)
{
	const struct mrl_play_ended *ended = &event->ended;
	unsigned side = game->side.position.side;

	assert_true(ended->clock[0] <= MRL_PLAY_CLOCK_MAX && ended->clock[1] <= MRL_PLAY_CLOCK_MAX);
	if (ended->reason <= MRL_REASON_REPETITION) {
		/* The rules ended it, and played on the side they say the same. */
		assert_int_equal(game->side.verdict.outcome, ended->outcome);
		assert_int_equal(game->side.verdict.reason, ended->reason);
		return;
	}
	assert_int_equal(game->side.verdict.outcome, MRL_ONGOING);
	if (ended->reason == MRL_REASON_TIME) {
		assert_true(event->time == game->begun + game->clock[side]);
		assert_int_equal(ended->clock[side], 0);
		assert_int_equal(ended->clock[side ^ 1U], game->clock[side ^ 1U]);
		assert_int_equal(ended->outcome, side == MRL_WHITE ? MRL_BLACK_WINS : MRL_WHITE_WINS);
	}
	if (ended->reason == MRL_REASON_ABORTED && ended->cause == MRL_PLAY_CAUSE_FIRST_TURN)
		assert_true(game->side.count < 2);
}

static void check(struct day_game *game, const struct mrl_play_event *event, struct day_result *result)
{
	result->events++;
	switch (event->kind) {
	case MRL_PLAY_STARTED:
		memcpy(game->clock, event->started.clock, sizeof game->clock);
		game->begun = event->time;
		break;
	case MRL_PLAY_TURN:
		check_turn(game, event);
		result->turns++;
		break;
	case MRL_PLAY_TAKEBACK:
		check_takeback(game, event);
		result->takebacks++;
		break;
	case MRL_PLAY_TIME:
		game->clock[mrl_play_side_of(&game->game, event->seat) ^ 1U] += event->added.added;
		break;
	case MRL_PLAY_ENDED:
		check_end(game, event);
		result->by_reason[event->ended.reason]++;
		break;
	case MRL_PLAY_RATED:
		for (unsigned seat = 0; seat < 2; seat++) {
			assert_int_equal(event->rated.before[seat].rating, game->ratings[seat].rating);
			assert_true(mrl_rating_valid(&event->rated.after[seat]));
			game->ratings[seat] = event->rated.after[seat];
		}
		break;
	default:
		break;
	}
}

static void keep_line(struct day_game *game, const char *line, size_t length, struct day_result *result)
{
	char *copy = malloc(length + 1);

	if (game->line_count == game->line_capacity) {
		game->line_capacity = game->line_capacity * 2 + 32;
		game->lines = realloc(game->lines, game->line_capacity * sizeof *game->lines);
	}
	assert_non_null(copy);
	assert_non_null(game->lines);
	memcpy(copy, line, length + 1);
	game->lines[game->line_count++] = copy;
	for (size_t i = 0; i < length; i++)
		result->checksum = (result->checksum ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
}

void day_game_keep(struct day_game *game, struct mrl_play_batch *batch, struct day_result *result)
{
	bool rates = mrl_play_rates(&game->game, batch);

	assert_int_equal(mrl_play_rate(&game->game, batch, game->ratings), rates);
	for (size_t i = 0; i < batch->count; i++) {
		char line[MRL_PLAY_EVENT_TEXT_SIZE];
		size_t length = mrl_play_event_write(&batch->events[i], line);
		struct mrl_play_event event;

		assert_int_equal(mrl_play_event_read(line, length, &event, NULL), MRL_OK);
		assert_int_equal(event.number, game->line_count + 1);
		check(game, &event, result);
		keep_line(game, line, length, result);
		apply(&game->game, &event);
	}
	if (game->game.phase == MRL_PLAY_FINISHED && game->game.rated)
		assert_int_equal(game->game.was_rated, game->game.verdict.reason != MRL_REASON_ABORTED);
}

void day_game_check(struct day_game *game, bool restart, uint64_t time)
{
	struct mrl_play_game again;

	assert_true(mrl_position_same(&game->game.moves.position, &game->side.position));
	mrl_play_init(&again, game->game.moves.rules, NULL, NULL, 0);
	for (size_t i = 0; i < game->line_count; i++) {
		struct mrl_play_event event;

		assert_int_equal(mrl_play_event_read(game->lines[i], strlen(game->lines[i]), &event, NULL), MRL_OK);
		apply(&again, &event);
	}
	assert_true(mrl_play_same(&game->game, &again));
	if (restart) {
		struct mrl_play_game old = game->game;

		game->game = again;
		again = old;
		mrl_play_all_gone(&game->game, time);
	}
	free(again.moves.plies);
	free(again.past);
}
