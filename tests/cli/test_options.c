/* The nearest word, and games that grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"
#include "turns.h"

static const char *const words[] = {"play", "rules", "legal", "replay", "perft", "vectors"};

static const char *nearest(const char *word)
{
	return cli_nearest(word, words, sizeof(words) / sizeof(words[0]));
}

static void the_nearest_word_is_the_one_with_the_fewest_typing_errors(void **state)
{
	(void)state;
	assert_string_equal(nearest("plya"), "play");
	assert_string_equal(nearest("repaly"), "replay");
	assert_string_equal(nearest("rule"), "rules");
	assert_string_equal(nearest("rulesss"), "rules");
	assert_string_equal(nearest("perft"), "perft");
	assert_string_equal(nearest("ve"), "vectors");
}

static void a_word_like_none_has_no_nearest(void **state)
{
	(void)state;
	assert_null(nearest("xyzzy"));
	assert_null(nearest(""));
	assert_null(nearest("q"));
	assert_null(nearest("a word that is longer than any that could be meant"));
}

static void a_game_may_be_longer_than_any_memory_first_asked_for(void **state)
{
	(void)state;
	static struct mrl_rules rules;
	static const char text[] = "nine,repetition=0,no-mill=0";
	struct mrl_position start;
	struct cli_game game;
	struct mrl_turn turn;

	/* Both sides walk to and fro; no rule ends that. */
	static const char *const walk[] = {"a7-d7", "a1-d1", "d7-a7", "d1-a1"};

	assert_int_equal(mrl_rules_parse(&rules, text, strlen(text), NULL), MRL_OK);
	static const char position[] = "W.W/.W./.../W....B/.../.B./B.B w 0,0 0 0";

	assert_int_equal(mrl_position_read(&rules, position, strlen(position), &start, NULL), MRL_OK);
	cli_game_init(&game, &rules, &start);
	for (unsigned ply = 0; ply < 10000; ply++) {
		const char *word = walk[ply % 4];

		assert_int_equal(mrl_turn_read(&rules, &game.game.position, word, strlen(word), &turn, NULL), MRL_OK);
		assert_int_equal(cli_game_play(&game, &turn, NULL), MRL_OK);
	}
	assert_int_equal(game.game.count, 10000);
	assert_int_equal(game.game.verdict.outcome, MRL_ONGOING);
	while (mrl_game_back(&game.game))
		continue;
	assert_true(mrl_position_same(&game.game.position, &start));
	cli_game_release(&game);
}

static void legal_turns_are_sorted_by_byte_and_a_list_may_be_used_again(void **state)
{
	(void)state;
	static struct mrl_rules rules;
	struct mrl_position position;
	struct cli_turns turns = {0};

	assert_int_equal(mrl_rules_parse(&rules, "nine", 4, NULL), MRL_OK);
	mrl_position_start(&rules, &position);
	for (unsigned ply = 0; ply < 18; ply++) {
		assert_true(cli_turns_list(&turns, &rules, &position));
		assert_int_equal(turns.count, mrl_turn_count(&rules, &position));
		for (size_t i = 1; i < turns.count; i++)
			assert_true(strcmp(turns.turn[i - 1].text, turns.turn[i].text) < 0);
		(void)mrl_apply(&rules, &position, &turns.turn[turns.count / 2].turn, NULL);
	}
	cli_turns_release(&turns);
	assert_int_equal(turns.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_nearest_word_is_the_one_with_the_fewest_typing_errors),
	    cmocka_unit_test(a_word_like_none_has_no_nearest),
	    cmocka_unit_test(a_game_may_be_longer_than_any_memory_first_asked_for),
	    cmocka_unit_test(legal_turns_are_sorted_by_byte_and_a_list_may_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
