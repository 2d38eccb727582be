#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const rule_sets[] = {"three",
				 "tapatan",
				 "nine-holes",
				 "achi",
				 "four",
				 "five",
				 "six",
				 "seven",
				 "nine",
				 "lasker",
				 "eleven",
				 "twelve",
				 "morabaraba",
				 "nine,fly=0",
				 "nine,take=any",
				 "nine,take=free-only",
				 "nine,take-count=per-mill",
				 "nine,stuck=draw",
				 "nine,mill=win",
				 "nine,move-early=on,fly=4,three-men=12",
				 "seven,take-count=per-mill,fly=5",
				 "twelve,take-count=per-mill,take=free-only,full-board=stuck",
				 "four,men=5,take-count=per-mill,take=any",
				 "seven,men=24,fly=24,move-early=on",
				 "lasker,take-count=per-mill,take=any",
				 NULL};

uint64_t test_seed(void)
{
	const char *given = getenv("MRL_SEED");
	uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);

	printf("seed: MRL_SEED=%llu\n", (unsigned long long)seed);
	return seed * 2 + 1;
}

uint64_t test_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

unsigned test_below(uint64_t *state, unsigned limit)
{
	return (unsigned)((test_random(state) >> 33) % limit);
}

void test_rules(struct mrl_rules *rules, const char *text)
{
	struct mrl_error error;

	if (mrl_rules_parse(rules, text, strlen(text), &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
}

static unsigned read_point(const struct mrl_rules *rules, const char **text)
{
	char *end;
	unsigned file = (unsigned)(**text - 'a');
	unsigned rank = (unsigned)strtoul(*text + 1, &end, 10) - 1;
	unsigned point = mrl_point_at(&rules->board, file, rank);

	if (point == MRL_NO_POINT)
		fail_msg("no point %s", *text);
	*text = end;
	return point;
}

unsigned test_point(const struct mrl_rules *rules, const char *name)
{
	return read_point(rules, &name);
}

mrl_points test_points(const struct mrl_rules *rules, const char *names)
{
	mrl_points points = 0;

	while (*names != '\0') {
		if (*names == ' ')
			names++;
		else
			points |= mrl_point_bit(read_point(rules, &names));
	}
	return points;
}

static struct mrl_turn read_turn(const struct mrl_rules *rules, const char **text)
{
	struct mrl_turn turn;
	unsigned takes = 0;

	memset(&turn, MRL_NO_POINT, sizeof turn);
	turn.to = (uint8_t)read_point(rules, text);
	if (**text == '-') {
		++*text;
		turn.from = turn.to;
		turn.to = (uint8_t)read_point(rules, text);
	}
	while (**text == 'x') {
		++*text;
		turn.take[takes++] = (uint8_t)read_point(rules, text);
	}
	return turn;
}

struct mrl_turn test_turn(const struct mrl_rules *rules, const char *text)
{
	return read_turn(rules, &text);
}

struct mrl_position test_position(const struct mrl_rules *rules, const char *white, const char *black,
				  enum mrl_side side, unsigned white_hand, unsigned black_hand)
{
	struct mrl_position position = {.men = {test_points(rules, white), test_points(rules, black)},
					.hand = {(uint8_t)white_hand, (uint8_t)black_hand},
					.side = (uint8_t)side};

	position.hash = mrl_position_hash(rules, &position);
	return position;
}

void test_play(struct mrl_game *game, const char *turns)
{
	while (*turns != '\0') {
		struct mrl_error error;
		const char *start = turns;
		struct mrl_verdict verdict;
		struct mrl_turn turn;

		if (*turns == ' ') {
			turns++;
			continue;
		}
		turn = read_turn(game->rules, &turns);
		if (game->verdict.outcome == MRL_ONGOING &&
		    mrl_turn_check(game->rules, &game->position, &turn, &error) != MRL_OK)
			fail_msg("%s: %s", start, error.message);
		verdict = mrl_game_verdict_after(game, &turn);
		if (mrl_game_play(game, &turn, &error) != MRL_OK)
			fail_msg("%s: %s", start, error.message);
		/* Asked before and asked after, every game of every test says the same. */
		assert_int_equal(verdict.outcome, game->verdict.outcome);
		assert_int_equal(verdict.reason, game->verdict.reason);
	}
}

struct mrl_position test_random_position(const struct mrl_rules *rules, uint64_t *state, unsigned plies)
{
	struct mrl_position position;
	struct mrl_turn turns[MRL_TURNS_USUAL];

	mrl_position_start(rules, &position);
	for (unsigned ply = test_below(state, plies + 1); ply > 0; ply--) {
		size_t count = mrl_turns(rules, &position, turns, MRL_TURNS_USUAL);
		struct mrl_position next = position;

		if (count > MRL_TURNS_USUAL)
			count = MRL_TURNS_USUAL;
		if (count == 0)
			break;
		mrl_apply(rules, &next, &turns[test_below(state, (unsigned)count)], NULL);
		position = next;
	}
	return position;
}
