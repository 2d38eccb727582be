/* Every end of a game and every thing to do, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <merels/notation.h>

#include "words.h"

static struct mrl_rules rules;
static char buffer[WORDS_SIZE];

static struct mrl_position read_position(const char *rules_text, const char *text)
{
	struct mrl_position position;

	assert_int_equal(mrl_rules_parse(&rules, rules_text, strlen(rules_text), NULL), MRL_OK);
	mrl_position_start(&rules, &position);
	if (text != NULL)
		assert_int_equal(mrl_position_read(&rules, text, strlen(text), &position, NULL), MRL_OK);
	return position;
}

static const char *result(const struct mrl_position *position, enum mrl_outcome outcome, enum mrl_reason reason,
			  enum words_reader reader)
{
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	buffer[0] = '\0';
	words_result(&text, &rules, position, (struct mrl_verdict){outcome, reason}, reader);
	return buffer;
}

/* One end, as told beside the board, to the winner and to the loser. */
static void check_win(const struct mrl_position *position, enum mrl_outcome outcome, enum mrl_reason reason,
		      const char *beside, const char *winner, const char *loser)
{
	bool white = outcome == MRL_WHITE_WINS;

	assert_string_equal(result(position, outcome, reason, WORDS_BESIDE), beside);
	assert_string_equal(result(position, outcome, reason, white ? WORDS_WHITE : WORDS_BLACK), winner);
	assert_string_equal(result(position, outcome, reason, white ? WORDS_BLACK : WORDS_WHITE), loser);
}

static void every_win_says_why_and_who(void **state)
{
	(void)state;
	struct mrl_position position = read_position("nine", "W../W../.../.W..../B../.../B.. b 0,0 0 0");

	check_win(&position, MRL_WHITE_WINS, MRL_REASON_MILL, "White closed a mill. White won.",
		  "You closed a mill. You won.", "White closed a mill. You lost.");
	check_win(&position, MRL_WHITE_WINS, MRL_REASON_FEW_MEN, "Black has only two men left. White won.",
		  "Black has only two men left. You won.", "You have only two men left. You lost.");
	check_win(&position, MRL_WHITE_WINS, MRL_REASON_NO_MOVES, "Black is shut in. White won.",
		  "Black is shut in. You won.", "You are shut in. You lost.");
	check_win(&position, MRL_WHITE_WINS, MRL_REASON_RESIGN, "Black resigned. White won.",
		  "Black resigned. You won.", "You resigned. You lost.");
	check_win(&position, MRL_WHITE_WINS, MRL_REASON_TIME, "Black ran out of time. White won.",
		  "Black ran out of time. You won.", "You ran out of time. You lost.");
	check_win(&position, MRL_BLACK_WINS, MRL_REASON_ABANDONED, "White left the game. Black won.",
		  "White left the game. You won.", "You left the game. You lost.");
	position = read_position("nine", "W../W../.../.W..../B../.../... b 0,0 0 0");
	check_win(&position, MRL_WHITE_WINS, MRL_REASON_FEW_MEN, "Black has only one man left. White won.",
		  "Black has only one man left. You won.", "You have only one man left. You lost.");
}

static void every_draw_says_why(void **state)
{
	(void)state;
	struct mrl_position position = read_position("morabaraba,no-mill=50", NULL);

	for (int reader = WORDS_WHITE; reader <= WORDS_BESIDE; reader++) {
		enum words_reader who = (enum words_reader)reader;

		assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_FULL_BOARD, who),
				    "The board is full. A draw.");
		assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_NO_MILL, who),
				    "50 turns in a row without a placement or a mill. A draw.");
		assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_THREE_MEN, who),
				    "20 turns in a row with three men and nothing taken. A draw.");
		assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_REPETITION, who),
				    "The same position came up for the third time. A draw.");
		assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_AGREEMENT, who), "Both agreed. A draw.");
		assert_string_equal(result(&position, MRL_ONGOING, MRL_REASON_NONE, who), "");
	}
	position = read_position("nine,stuck=draw,repetition=5", NULL);
	assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_NO_MOVES, WORDS_BESIDE),
			    "White is shut in. A draw.");
	assert_string_equal(result(&position, MRL_DRAW, MRL_REASON_REPETITION, WORDS_BESIDE),
			    "The same position came up 5 times. A draw.");
}

static const char *begin(const char *rules_text, const char *position_text, enum words_reader reader)
{
	struct mrl_position position = read_position(rules_text, position_text);
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	words_begin(&text, &rules, &position, reader);
	return buffer;
}

static void what_to_do_follows_from_hand_and_rules(void **state)
{
	(void)state;
	static const char three_men[] = "W.W/.W./.../...B.B/.B./.../B.. w 0,0 0 0";

	assert_string_equal(begin("nine", NULL, WORDS_BESIDE), "White: place a man.");
	assert_string_equal(begin("nine", NULL, WORDS_WHITE), "Your turn: place a man.");
	assert_string_equal(begin("nine", NULL, WORDS_BLACK), "White: place a man.");
	assert_string_equal(begin("lasker", NULL, WORDS_WHITE), "Your turn: place a man, or move one along a line.");
	assert_string_equal(begin("nine", three_men, WORDS_WHITE), "Your turn: move a man to any empty point.");
	assert_string_equal(begin("nine,fly=0", three_men, WORDS_BESIDE), "White: move a man along a line.");
}

static const char *counter(const char *rules_text, const char *position_text)
{
	struct mrl_position position = read_position(rules_text, position_text);
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	buffer[0] = '\0';
	words_counter(&text, &rules, &position);
	return buffer;
}

static void the_last_ten_turns_of_a_counter_are_counted_down(void **state)
{
	(void)state;

	assert_string_equal(counter("nine", NULL), "");
	assert_string_equal(counter("nine", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 89 0"), "");
	assert_string_equal(counter("nine", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 90 0"),
			    "10 more turns without a mill: a draw.");
	assert_string_equal(counter("nine", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 99 0"),
			    "1 more turn without a mill: a draw.");
	assert_string_equal(counter("nine,no-mill=0", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 99 0"), "");
	assert_string_equal(counter("nine,no-mill=5", NULL), "");
	assert_string_equal(counter("morabaraba", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 15 15"),
			    "5 more turns with nothing taken: a draw.");
	assert_string_equal(counter("morabaraba,no-mill=17", "W.W/.W./.../...B.B/.B./.../B.. w 0,0 15 15"),
			    "2 more turns without a mill: a draw.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_win_says_why_and_who),
	    cmocka_unit_test(every_draw_says_why),
	    cmocka_unit_test(what_to_do_follows_from_hand_and_rules),
	    cmocka_unit_test(the_last_ten_turns_of_a_counter_are_counted_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
