/* What is written reads back the same, for positions, turns and records of random games. */
#include "notation_support.h"
#include "record_equal.h"

#include <merels/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAMES 12
#define PLIES 400

static uint64_t seed;

static int set_up(void **state)
{
	(void)state;
	seed = test_seed();
	return 0;
}

static void check_position(const struct mrl_rules *rules, const struct mrl_position *position)
{
	for (enum mrl_position_format format = MRL_FORMAT_MERELS; format <= MRL_FORMAT_MFEN; format++) {
		char text[MRL_POSITION_TEXT_SIZE];
		struct mrl_position read;
		struct mrl_error error;
		enum mrl_status status = mrl_position_write_as(rules, position, format, text, &error);

		if (format == MRL_FORMAT_MERELS)
			assert_int_equal(status, MRL_OK);
		if (status == MRL_UNSUPPORTED) {
			/* For a reason: another board, a counter there is no field for, a finished draw in MFEN. */
			assert_true(rules->board.point_count != 24 || position->three_men > 0 ||
				    (format == MRL_FORMAT_MFEN &&
				     mrl_position_verdict(rules, position).outcome != MRL_ONGOING));
			continue;
		}
		assert_int_equal(status, MRL_OK);
		assert_int_equal(mrl_position_format(text, strlen(text)), format);
		read = position_of(rules, text);
		assert_true(mrl_position_same(&read, position));
		assert_int_equal(read.no_mill, position->no_mill);
		assert_int_equal(read.three_men, position->three_men);
		assert_int_equal(read.hash, position->hash);
	}
}

static void check_reads_as(const struct mrl_rules *rules, const struct mrl_position *position, const char *text,
			   const struct mrl_turn *turn)
{
	size_t length = strlen(text);
	struct mrl_turn read;
	struct mrl_error error;
	size_t consumed = 0;

	if (mrl_turn_read(rules, position, guarded(text, length), length, &read, &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
	assert_true(mrl_turn_equal(&read, turn));
	if (mrl_turn_next(rules, position, guarded(text, length), length, &consumed, &read, &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
	assert_int_equal(consumed, length);
	assert_true(mrl_turn_equal(&read, turn));
}

/* Every spelling of a turn reads as that turn. */
static void check_turn(const struct mrl_rules *rules, const struct mrl_position *position, const struct mrl_turn *turn)
{
	char text[MRL_TURN_TEXT_SIZE];
	char other[2 * MRL_TURN_TEXT_SIZE] = "";
	struct mrl_text out = mrl_text_in(other, sizeof other);

	mrl_turn_write(&rules->board, turn, text);
	check_reads_as(rules, position, text, turn);
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == 'x')
			mrl_text_add(&out, " \t\n");
		mrl_text_char(&out, (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c));
	}
	check_reads_as(rules, position, other, turn);
}

/* A text is read exactly when what it says is legal. */
static void check_any_turn(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	struct mrl_turn turn;
	struct mrl_turn read;
	char text[MRL_TURN_TEXT_SIZE];
	bool point_alone;
	bool legal;

	memset(&turn, MRL_NO_POINT, sizeof turn);
	turn.to = (uint8_t)test_below(random, rules->board.point_count);
	if (test_below(random, 4) > 0)
		turn.from = (uint8_t)test_below(random, rules->board.point_count);
	if (test_below(random, 4) == 0)
		turn.take[0] = (uint8_t)test_below(random, rules->board.point_count);
	point_alone = turn.from == MRL_NO_POINT && position->hand[position->side] == 0;
	legal = !point_alone && mrl_turn_check(rules, position, &turn, NULL) == MRL_OK;
	mrl_turn_write(&rules->board, &turn, text);
	assert_int_equal(mrl_turn_read(rules, position, text, strlen(text), &read, NULL) == MRL_OK, legal);
}

static struct mrl_turn random_turn(const struct mrl_rules *rules, const struct mrl_position *position, uint64_t *random)
{
	static struct mrl_turn turns[100000];
	size_t count = mrl_turns(rules, position, turns, sizeof turns / sizeof turns[0]);

	assert_in_range(count, 1, sizeof turns / sizeof turns[0]);
	return turns[test_below(random, (unsigned)count)];
}

static void positions_and_turns_of_random_games_read_back(void **state)
{
	struct mrl_rules rules;
	uint64_t random = seed;

	(void)state;
	for (size_t set = 0; rule_sets[set] != NULL; set++) {
		test_rules(&rules, rule_sets[set]);
		for (unsigned game_number = 0; game_number < GAMES; game_number++) {
			static struct mrl_ply plies[PLIES];
			struct mrl_game game;

			mrl_game_init(&game, &rules, NULL, plies, PLIES);
			check_position(&rules, &game.position);
			while (game.verdict.outcome == MRL_ONGOING && game.count < PLIES) {
				struct mrl_turn turn = random_turn(&rules, &game.position, &random);

				check_turn(&rules, &game.position, &turn);
				for (unsigned i = 0; i < 4; i++)
					check_any_turn(&rules, &game.position, &random);
				assert_int_equal(mrl_game_play(&game, &turn, NULL), MRL_OK);
				check_position(&rules, &game.position);
			}
		}
	}
}

static void check_record(const struct mrl_record *record)
{
	char *text = strcpy(malloc(strlen(text_of(record)) + 1), text_of(record));
	struct mrl_record *again = record_of(text, strlen(text));
	const char *difference = record_difference(record, again);

	if (difference != NULL)
		fail_msg("%s is not as it was:\n%s", difference, text);
	assert_string_equal(text_of(again), text);
	free(text);
}

static void records_of_random_games_read_back(void **state)
{
	static char memory[1 << 20];
	struct mrl_rules rules;
	uint64_t random = seed;

	(void)state;
	for (size_t set = 0; rule_sets[set] != NULL; set++) {
		test_rules(&rules, rule_sets[set]);
		for (unsigned game_number = 0; game_number < GAMES; game_number++) {
			static struct mrl_ply plies[PLIES];
			struct mrl_arena arena = mrl_arena_in(memory, sizeof memory);
			struct mrl_position start = test_random_position(&rules, &random, test_below(&random, 30));
			struct mrl_record *record;
			struct mrl_game game;

			mrl_game_init(&game, &rules, test_below(&random, 2) ? &start : NULL, plies, PLIES);
			while (game.verdict.outcome == MRL_ONGOING && game.count < PLIES) {
				struct mrl_turn turn = random_turn(&rules, &game.position, &random);

				assert_int_equal(mrl_game_play(&game, &turn, NULL), MRL_OK);
			}
			assert_int_equal(mrl_record_make(&arena, &game, &record), MRL_OK);
			check_record(record);
		}
	}
}

/* ---- Records with everything in them ------------------------------------------------------------------------ */

struct scribbler {
	struct mrl_text out;
	uint64_t random;
};

static void space(struct scribbler *s)
{
	static const char *const spaces[] = {" ", "\n", "\r\n", "  ", "\t", " \n\n "};

	mrl_text_add(&s->out, spaces[test_below(&s->random, 6)]);
}

/* Comments and marks; a clock time only where the turn is new, for it may have but one. */
static void notes(struct scribbler *s, bool behind_turn)
{
	static const char *const marks[] = {"!", "?", "!!", "??", "!?", "?!", "$7", "$255"};
	static const char *const words[] = {"a",    "long-winded", "(not", "a)",       "[%cal",
					    "Ga1]", "1-0",         "$1",   "\xc3\xa4", "."};

	if (test_below(&s->random, 4) == 0)
		mrl_text_add(&s->out, marks[test_below(&s->random, 8)]);
	space(s);
	for (unsigned count = test_below(&s->random, 6); count > 3; count--) {
		mrl_text_char(&s->out, '{');
		for (unsigned i = test_below(&s->random, 30); i > 0; i--) {
			space(s);
			mrl_text_add(&s->out, words[test_below(&s->random, 10)]);
		}
		mrl_text_char(&s->out, '}');
		space(s);
	}
	if (behind_turn && test_below(&s->random, 8) == 0)
		mrl_text_add(&s->out, "{[%clk 0:01:02.5]and[%eval -0.5]} ");
	if (test_below(&s->random, 16) == 0)
		mrl_text_add(&s->out, "; to the end } of the line\n");
}

static void scribble_turn(struct scribbler *s, const struct mrl_board *board, const struct mrl_turn *turn)
{
	char text[MRL_TURN_TEXT_SIZE];

	if (test_below(&s->random, 4) == 0) {
		mrl_text_number(&s->out, test_below(&s->random, 200));
		mrl_text_add(&s->out, test_below(&s->random, 2) ? ". " : "...");
	}
	mrl_turn_write(board, turn, text);
	mrl_text_add(&s->out, text);
	notes(s, true);
}

/* Plays on at random for some turns, each with variations now and then; takes them all back again. */
static void scribble_line(struct scribbler *s, struct mrl_game *game, unsigned plies, unsigned depth)
{
	size_t start = game->count;

	while (game->count < start + plies && game->verdict.outcome == MRL_ONGOING) {
		struct mrl_turn turn = random_turn(game->rules, &game->position, &s->random);

		scribble_turn(s, &game->rules->board, &turn);
		while (depth > 0 && test_below(&s->random, 5) == 0) {
			mrl_text_char(&s->out, '(');
			space(s);
			scribble_line(s, game, 1 + test_below(&s->random, 6), depth - 1);
			mrl_text_char(&s->out, ')');
			notes(s, false);
		}
		assert_int_equal(mrl_game_play(game, &turn, NULL), MRL_OK);
	}
	if (depth < 3)
		while (game->count > start)
			(void)mrl_game_back(game);
}

static void records_with_comments_and_variations_read_back(void **state)
{
	static char text[1 << 22];
	struct mrl_rules rules;
	struct scribbler s = {.random = seed};

	(void)state;
	for (size_t set = 0; rule_sets[set] != NULL; set++) {
		test_rules(&rules, rule_sets[set]);
		for (unsigned game_number = 0; game_number < GAMES; game_number++) {
			static struct mrl_ply plies[PLIES];
			char name[MRL_RULES_NAME_SIZE];
			struct mrl_game game;

			s.out = mrl_text_in(text, sizeof text);
			mrl_rules_write(&rules, name);
			mrl_text_add(&s.out, "[Rules \"");
			mrl_text_add(&s.out, name);
			mrl_text_add(&s.out, "\"]\n[Event \"a \\\"b\\\"\"]\n");
			mrl_text_add(&s.out, "{first} ");
			mrl_game_init(&game, &rules, NULL, plies, PLIES);
			scribble_line(&s, &game, 60, 3);
			mrl_text_add(&s.out, mrl_outcome_text(game.verdict.outcome));
			assert_true(s.out.length < s.out.size);
			check_record(record_of(text, s.out.length));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(positions_and_turns_of_random_games_read_back),
	    cmocka_unit_test(records_of_random_games_read_back),
	    cmocka_unit_test(records_with_comments_and_variations_read_back),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
