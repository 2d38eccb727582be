/* A game at one screen, picked point by point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "play.h"

static struct mrl_rules rules;
static const bool people[2] = {false, false};

static void start(struct play *play, const char *name, const char *position_text)
{
	struct mrl_position position;

	assert_int_equal(mrl_rules_parse(&rules, name, strlen(name), NULL), MRL_OK);
	mrl_position_start(&rules, &position);
	if (position_text != NULL)
		assert_int_equal(mrl_position_read(&rules, position_text, strlen(position_text), &position, NULL),
				 MRL_OK);
	assert_true(play_init(play, &rules, &position, people));
}

static unsigned point(const char *name)
{
	return mrl_point_at(&rules.board, (unsigned)(name[0] - 'a'), (unsigned)(name[1] - '1'));
}

static void pick(struct play *play, const char *names)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "%s", names);
	for (char *name = strtok(text, " "); name != NULL; name = strtok(NULL, " ")) {
		assert_true((play_choices(play) & mrl_point_bit(point(name))) != 0);
		assert_int_equal(play_pick(play, point(name)), MRL_OK);
	}
}

static const char *sentence(const struct play *play)
{
	static char buffer[WORDS_SIZE];
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	play_sentence(play, &text);
	return buffer;
}

/* ---- The vectors, picked point by point --------------------------------------------------------------------- */

/* Plays a turn as a person does: every point of it is offered and picked in its order. */
static void pick_turn(struct play *play, const char *text)
{
	struct mrl_turn turn;

	assert_int_equal(mrl_turn_read(&rules, &play->game.game.position, text, strlen(text), &turn, NULL), MRL_OK);
	unsigned points[2 + MRL_MAX_MILLS_OF_POINT];
	unsigned count = 0;

	if (turn.from != MRL_NO_POINT)
		points[count++] = turn.from;
	points[count++] = turn.to;
	for (unsigned i = 0; i < mrl_turn_takes(&turn); i++)
		points[count++] = turn.take[i];
	size_t plies = play->game.game.count;

	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(play->game.game.count, plies);
		assert_true((play_choices(play) & mrl_point_bit(points[i])) != 0);
		assert_int_equal(play_pick(play, points[i]), MRL_OK);
	}
	assert_int_equal(play->game.game.count, plies + 1);
}

static void every_game_of_the_vectors_ends_the_same_when_picked_point_by_point(void **state)
{
	(void)state;
	FILE *file = fopen(VECTORS "/games.txt", "r");
	static char line[65536];
	unsigned games = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		char *result = strstr(line, " | ");

		if (line[0] == '#' || result == NULL)
			continue;
		char *position = strstr(result + 3, " | ");
		struct play play;
		char end[64];
		char text[MRL_POSITION_TEXT_SIZE];

		assert_non_null(position);
		*result = '\0';
		*position = '\0';
		position[strcspn(position + 3, "\n") + 3] = '\0';
		start(&play, strtok(line, " "), NULL);
		for (char *turn = strtok(NULL, " "); turn != NULL; turn = strtok(NULL, " "))
			pick_turn(&play, turn);
		assert_int_equal(play.stage, PLAY_OVER);
		assert_true(play_choices(&play) == 0);
		(void)snprintf(end, sizeof(end), "%s %s", mrl_outcome_text(play.game.game.verdict.outcome),
			       mrl_reason_text(play.game.game.verdict.reason));
		assert_string_equal(end, result + 3);
		(void)mrl_position_write(&rules, &play.game.game.position, text);
		assert_string_equal(text, position + 3);
		play_release(&play);
		games++;
	}
	assert_true(ferror(file) == 0 && fclose(file) == 0);
	assert_true(games > 1000);
}

/* ---- Picking ------------------------------------------------------------------------------------------------ */

static void a_take_is_chosen_on_the_board_and_finishes_the_turn(void **state)
{
	(void)state;
	struct play play;

	start(&play, "nine", NULL);
	pick(&play, "d6 f4 d2 b4 d7 d1");
	pick(&play, "d5");
	assert_int_equal(play.stage, PLAY_TAKE);
	assert_int_equal(play.game.game.count, 6);
	assert_string_equal(sentence(&play), "White closed d5 d6 d7. Take a black man.");
	assert_true(play_choices(&play) ==
		    (mrl_point_bit(point("f4")) | mrl_point_bit(point("b4")) | mrl_point_bit(point("d1"))));
	struct mrl_position shown;

	play_shown(&play, &shown);
	assert_true((shown.men[MRL_WHITE] & mrl_point_bit(point("d5"))) != 0);
	assert_int_equal(shown.hand[MRL_WHITE], 5);
	assert_int_equal(play_lost(&play, &shown, MRL_BLACK), 0);
	pick(&play, "b4");
	assert_int_equal(play.game.game.count, 7);
	assert_int_equal(play.stage, PLAY_BEGIN);
	play_shown(&play, &shown);
	assert_int_equal(play_lost(&play, &shown, MRL_BLACK), 1);
	play_release(&play);
}

static void men_in_mills_are_named_when_they_may_not_be_taken(void **state)
{
	(void)state;
	struct play play;

	start(&play, "nine", "B../.W./.W./B...../BB./W../B.B w 3,3 0 0");
	pick(&play, "d7");
	assert_string_equal(sentence(&play), "White closed d5 d6 d7. Take a black man: the marked ones may be taken, "
					     "the men on a1 a4 a7 stand in a mill.");
	play_release(&play);
	start(&play, "nine", NULL);
	pick(&play, "b6 a7 d6 d7 a1 g7 a1");
	pick(&play, "f6");
	assert_string_equal(sentence(&play),
			    "White closed b6 d6 f6. Take a black man: all stand in mills, so any may be taken.");
	play_release(&play);
}

static void with_a_take_for_each_mill_they_are_chosen_one_after_the_other(void **state)
{
	(void)state;
	struct play play;

	start(&play, "nine,take-count=per-mill", NULL);
	pick(&play, "g4 a7 f2 c5 f6 d2 e4 d5 f4");
	assert_string_equal(sentence(&play), "White closed e4 f4 g4 and f2 f4 f6. Take a black man.");
	pick(&play, "a7");
	assert_int_equal(play.stage, PLAY_TAKE);
	assert_string_equal(sentence(&play), "White closed e4 f4 g4 and f2 f4 f6. Take another black man.");
	assert_true((play_choices(&play) & mrl_point_bit(point("a7"))) == 0);
	pick(&play, "c5");
	assert_int_equal(play.stage, PLAY_BEGIN);
	assert_int_equal(play.game.game.count, 9);
	play_release(&play);
}

static const char moving[] = "W.W/.W./.../W....B/.../.B./B.B w 0,0 0 0";

static void another_man_may_be_picked_up_and_the_same_put_down(void **state)
{
	(void)state;
	struct play play;

	start(&play, "nine", moving);
	pick(&play, "a7");
	assert_int_equal(play.stage, PLAY_TO);
	assert_string_equal(sentence(&play), "White: move the man on a7 to a marked point.");
	assert_int_equal(play_pick(&play, point("g7")), MRL_OK);
	assert_int_equal(play.draft.from, point("g7"));
	assert_int_equal(play_pick(&play, point("g7")), MRL_OK);
	assert_int_equal(play.stage, PLAY_BEGIN);
	assert_false(play_cancel(&play));
	pick(&play, "a7");
	assert_true(play_cancel(&play));
	assert_int_equal(play.stage, PLAY_BEGIN);
	play_release(&play);
}

static void what_may_not_be_picked_changes_nothing_and_says_why(void **state)
{
	(void)state;
	struct play play;
	char buffer[WORDS_SIZE];
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	start(&play, "nine,fly=0", moving);
	assert_int_equal(play_pick(&play, point("g4")), MRL_ILLEGAL);
	assert_int_equal(play_pick(&play, MRL_NO_POINT), MRL_ILLEGAL);
	assert_int_equal(play.stage, PLAY_BEGIN);
	pick(&play, "a7");
	assert_int_equal(play_pick(&play, point("c3")), MRL_ILLEGAL);
	assert_int_equal(play.draft.from, point("a7"));
	play_why_not(&play, point("c3"), &text);
	assert_non_null(strstr(buffer, "c3"));
	play_release(&play);
	/* A man that cannot move is no choice, and the one that was picked up stays so. */
	start(&play, "nine,fly=0", "WWW/.../.../W...../.B./.../BB. w 0,0 0 0");
	pick(&play, "g7");
	assert_int_equal(play_pick(&play, point("a7")), MRL_ILLEGAL);
	assert_int_equal(play.stage, PLAY_TO);
	assert_int_equal(play.draft.from, point("g7"));
	assert_true(play_cancel(&play));
	text = mrl_text_in(buffer, sizeof(buffer));
	play_why_not(&play, point("a7"), &text);
	assert_string_equal(buffer, "This man is shut in.");
	play_release(&play);
}

static void every_point_that_may_not_be_picked_gets_a_reason(void **state)
{
	(void)state;
	static const char *const positions[] = {NULL, moving, "B../.W./.W./B...../BB./W../B.B w 3,3 0 0"};

	for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
		struct play play;

		start(&play, "nine", positions[i]);
		for (unsigned p = 0; p < rules.board.point_count; p++) {
			char buffer[WORDS_SIZE] = "";
			struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

			if (play_choices(&play) & mrl_point_bit(p))
				continue;
			play_why_not(&play, p, &text);
			assert_true(strlen(buffer) > 8);
		}
		play_release(&play);
	}
}

/* ---- Taking back -------------------------------------------------------------------------------------------- */

static void back_goes_one_turn_between_people_and_to_the_person_against_the_computer(void **state)
{
	(void)state;
	struct play play;

	start(&play, "nine", NULL);
	assert_int_equal(play_back(&play), MRL_STOPPED);
	pick(&play, "d6 f4 d2");
	assert_int_equal(play_back(&play), MRL_OK);
	assert_int_equal(play.game.game.count, 2);
	pick(&play, "d2 b4");
	play.computer[MRL_BLACK] = true;
	assert_int_equal(play_back(&play), MRL_OK);
	assert_int_equal(play.game.game.count, 2);
	assert_int_equal(play.game.game.position.side, MRL_WHITE);
	pick(&play, "d2");
	assert_true(play_computers_turn(&play));
	assert_int_equal(play_back(&play), MRL_OK);
	assert_int_equal(play.game.game.count, 2);
	play_release(&play);
}

static void a_game_that_is_over_can_be_taken_back_and_begun_again(void **state)
{
	(void)state;
	struct play play;

	start(&play, "three", NULL);
	pick(&play, "c2 a3 c3 a1 c1");
	assert_int_equal(play.stage, PLAY_OVER);
	assert_int_equal(play_pick(&play, point("b1")), MRL_ILLEGAL);
	assert_int_equal(play_back(&play), MRL_OK);
	assert_int_equal(play.stage, PLAY_BEGIN);
	assert_true(play_restart(&play));
	assert_int_equal(play.game.game.count, 0);
	assert_true(mrl_position_same(&play.game.game.position, &play.start));
	play_release(&play);
}

static void a_hint_shows_what_is_still_to_be_picked_of_it(void **state)
{
	(void)state;
	struct play play;
	struct mrl_turn turn;
	mrl_points go;
	mrl_points take;
	mrl_points d6;
	mrl_points d7;
	mrl_points g4;

	start(&play, "nine", "W.W/.W./.../.....B/.../BB./... w 0,0 0 0");
	d6 = mrl_point_bit(point("d6"));
	d7 = mrl_point_bit(point("d7"));
	g4 = mrl_point_bit(point("g4"));
	play_hinted(&play, &go, &take);
	assert_true(go == 0 && take == 0);
	assert_int_equal(mrl_turn_read(&rules, &play.start, "d6-d7xg4", 8, &turn, NULL), MRL_OK);
	play_show_hint(&play, &turn);
	play_hinted(&play, &go, &take);
	assert_true(go == (d6 | d7) && take == g4);
	pick(&play, "a7");
	play_hinted(&play, &go, &take);
	assert_true(go == 0 && take == 0);
	assert_true(play_cancel(&play));
	pick(&play, "d6");
	play_hinted(&play, &go, &take);
	assert_true(go == d7 && take == g4);
	pick(&play, "d7");
	play_hinted(&play, &go, &take);
	assert_true(go == 0 && take == g4);
	pick(&play, "g4");
	play_hinted(&play, &go, &take);
	assert_true(go == 0 && take == 0);
	play_release(&play);
}

static void the_one_person_who_plays_is_you(void **state)
{
	(void)state;
	struct play play;

	start(&play, "three", NULL);
	assert_string_equal(play_seat(&play, MRL_WHITE), "");
	assert_string_equal(sentence(&play), "White: place a man.");
	play.computer[MRL_BLACK] = true;
	assert_string_equal(play_seat(&play, MRL_WHITE), "you");
	assert_string_equal(play_seat(&play, MRL_BLACK), "computer");
	assert_string_equal(sentence(&play), "Your turn: place a man.");
	pick(&play, "c2");
	assert_string_equal(sentence(&play), "The computer is thinking.");
	play.computer[MRL_BLACK] = false;
	pick(&play, "a3 c3 a1 c1");
	play.computer[MRL_BLACK] = true;
	assert_string_equal(sentence(&play), "You closed a mill. You won.");
	play.computer[MRL_BLACK] = false;
	play.computer[MRL_WHITE] = true;
	assert_string_equal(sentence(&play), "White closed a mill. You lost.");
	play_release(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_game_of_the_vectors_ends_the_same_when_picked_point_by_point),
	    cmocka_unit_test(a_take_is_chosen_on_the_board_and_finishes_the_turn),
	    cmocka_unit_test(men_in_mills_are_named_when_they_may_not_be_taken),
	    cmocka_unit_test(with_a_take_for_each_mill_they_are_chosen_one_after_the_other),
	    cmocka_unit_test(another_man_may_be_picked_up_and_the_same_put_down),
	    cmocka_unit_test(what_may_not_be_picked_changes_nothing_and_says_why),
	    cmocka_unit_test(every_point_that_may_not_be_picked_gets_a_reason),
	    cmocka_unit_test(back_goes_one_turn_between_people_and_to_the_person_against_the_computer),
	    cmocka_unit_test(a_game_that_is_over_can_be_taken_back_and_begun_again),
	    cmocka_unit_test(a_hint_shows_what_is_still_to_be_picked_of_it),
	    cmocka_unit_test(the_one_person_who_plays_is_you),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
