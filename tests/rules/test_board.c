/* Boards are what their lines say, and their symmetries form a group. */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include <merels/builtins.h>

static void boards_have_the_points_lines_and_mills_of_the_rules(void **state)
{
	static const struct {
		const char *name;
		unsigned points, mills, edges, symmetries;
	} expected[] = {{"grid9", 9, 6, 12, 8},    {"grid9x", 9, 8, 16, 8},    {"ring16", 16, 8, 20, 16},
			{"ring17", 17, 14, 24, 8}, {"ring24", 24, 16, 32, 16}, {"ring24x", 24, 20, 40, 16}};
	static struct mrl_board board;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		unsigned edges = 0;

		assert_string_equal(mrl_board_name(i), expected[i].name);
		assert_int_equal(mrl_board_init(&board, mrl_board_name(i), mrl_board_lines(i), NULL), MRL_OK);
		assert_int_equal(board.point_count, expected[i].points);
		assert_int_equal(board.mill_count, expected[i].mills);
		for (unsigned p = 0; p < board.point_count; p++)
			edges += mrl_popcount(board.neighbours[p]);
		assert_int_equal(edges, 2 * expected[i].edges);
		assert_int_equal(board.symmetry_count, expected[i].symmetries);
	}
	assert_null(mrl_board_name(6));
	assert_null(mrl_board_lines(6));
}

static void points_are_numbered_by_rank_and_file(void **state)
{
	static struct mrl_rules rules;
	static const char *const names[] = {"a1", "d1", "g1", "b2", "d2", "f2", "c3", "d3", "e3", "a4", "b4", "c4",
					    "e4", "f4", "g4", "c5", "d5", "e5", "b6", "d6", "f6", "a7", "d7", "g7"};

	(void)state;
	test_rules(&rules, "nine");
	for (unsigned p = 0; p < 24; p++) {
		char name[4];

		assert_int_equal(mrl_point_name(&rules.board, p, name), 2);
		assert_string_equal(name, names[p]);
		assert_int_equal(test_point(&rules, names[p]), p);
	}
	assert_int_equal(mrl_point_at(&rules.board, 3, 3), MRL_NO_POINT); /* d4 */
}

/* The plain definition, from the lines as text. */
static bool consecutive(const char *lines, const char *a, const char *b)
{
	char forth[8];
	char back[8];

	strcpy(forth, a);
	strcat(strcat(forth, " "), b);
	strcpy(back, b);
	strcat(strcat(back, " "), a);
	return strstr(lines, forth) != NULL || strstr(lines, back) != NULL;
}

static void neighbours_are_consecutive_on_a_line(void **state)
{
	static struct mrl_board board;

	(void)state;
	for (size_t i = 0; mrl_board_name(i) != NULL; i++) {
		assert_int_equal(mrl_board_init(&board, mrl_board_name(i), mrl_board_lines(i), NULL), MRL_OK);
		for (unsigned a = 0; a < board.point_count; a++)
			for (unsigned b = 0; b < board.point_count; b++) {
				char a_name[4];
				char b_name[4];

				mrl_point_name(&board, a, a_name);
				mrl_point_name(&board, b, b_name);
				assert_int_equal((board.neighbours[a] >> b) & 1,
						 consecutive(mrl_board_lines(i), a_name, b_name));
			}
	}
}

static void two_points_of_a_spoke_make_no_mill(void **state)
{
	static struct mrl_rules rules;

	(void)state;
	test_rules(&rules, "six");
	assert_int_equal(rules.board.partner_count[test_point(&rules, "c1")], 1);
	test_rules(&rules, "seven"); /* the cross: c1 c2 c3, c2 c3 c4, c3 c4 c5, and the same across */
	assert_int_equal(rules.board.partner_count[test_point(&rules, "c3")], 6);
}

static void symmetries_form_a_group_that_keeps_neighbours_and_mills(void **state)
{
	static struct mrl_board board;

	(void)state;
	for (size_t i = 0; mrl_board_name(i) != NULL; i++) {
		assert_int_equal(mrl_board_init(&board, mrl_board_name(i), mrl_board_lines(i), NULL), MRL_OK);
		for (unsigned p = 0; p < board.point_count; p++)
			assert_int_equal(board.symmetry[0][p], p);
		for (unsigned s = 0; s < board.symmetry_count; s++) {
			assert_int_equal(mrl_points_map(&board, s, board.all), board.all);
			for (unsigned p = 0; p < board.point_count; p++)
				assert_int_equal(mrl_points_map(&board, s, board.neighbours[p]),
						 board.neighbours[board.symmetry[s][p]]);
			for (unsigned m = 0; m < board.mill_count; m++) {
				mrl_points image = mrl_points_map(&board, s, board.mill[m]);

				assert_int_equal(mrl_points_in_mills(&board, image), image);
			}
			for (unsigned t = 0; t < board.symmetry_count; t++) {
				bool found = false;

				for (unsigned u = 0; u < board.symmetry_count && !found; u++) {
					found = true;
					for (unsigned p = 0; p < board.point_count && found; p++)
						found = board.symmetry[u][p] == board.symmetry[t][board.symmetry[s][p]];
				}
				assert_true(found);
			}
		}
	}
}

static void a_board_of_sixty_points_is_data_too(void **state)
{
	/* Five rings of twelve points, closed, with four spokes through all of them. */
	static struct mrl_board board;
	char lines[2048] = "";
	char name[8];

	(void)state;
	for (unsigned ring = 0; ring < 5; ring++)
		for (unsigned side = 0; side < 4; side++) {
			for (unsigned k = 0; k < 4; k++) {
				unsigned at = (side * 3 + k) % 12;

				(void)snprintf(name, sizeof name, "%c%u%s", (int)('a' + ring), at + 1,
					       k < 3 ? " " : "/");
				strcat(lines, name);
			}
		}
	strcat(lines, "a1 b1 c1 d1 e1/a4 b4 c4 d4 e4/a7 b7 c7 d7 e7/a10 b10 c10 d10 e10");
	assert_int_equal(mrl_board_init(&board, "rings", lines, NULL), MRL_OK);
	assert_int_equal(board.point_count, 60);
	assert_int_equal(board.rank_count, 12);
	assert_int_equal(board.mill_count, 5 * 8 + 4 * 3);
	assert_int_equal(mrl_point_name(&board, mrl_point_at(&board, 2, 11), name), 3);
	assert_string_equal(name, "c12");
	assert_int_equal(board.symmetry_count, 16);
}

static void a_bad_board_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *lines, *message;
		size_t column;
	} bad[] = {{"", "at least one line", 1},
		   {"a1 b1 c", "expected a point", 7},
		   {"a1 b1 a1", "twice", 7},
		   {"a1", "one point", 3},
		   {"a1/b1 c1", "one point", 3},
		   {"a1 b1,c1", "a space or a slash", 6},
		   {"A1 b1", "expected a point", 1},
		   {"a0 b1", "expected a point", 1},
		   {"a1 b65", "expected a point", 4},
		   {"a1 b1 ", "expected a point", 7},
		   {"a1 b1 c1 d1 e1 f1 g1 h1 i1 j1", "more than 9", 28}};
	static struct mrl_board board;
	struct mrl_error error;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(mrl_board_init(&board, "bad", bad[i].lines, &error), MRL_BOARD);
		if (strstr(error.message, bad[i].message) == NULL)
			fail_msg("\"%s\": %s", bad[i].lines, error.message);
		assert_int_equal(error.column, bad[i].column);
	}
}

static void a_board_past_a_limit_is_refused(void **state)
{
	static struct mrl_board board;
	struct mrl_error error;
	char lines[2048] = "";
	char name[16];

	(void)state;
	for (unsigned k = 0; k < 66; k++) {
		(void)snprintf(name, sizeof name, "%s%c%u",
			       k % 2 != 0 ? " "
			       : k > 0    ? "/"
					  : "",
			       (int)('a' + k / 33), k % 33 + 1);
		strcat(lines, name);
	}
	assert_int_equal(mrl_board_init(&board, "many", lines, &error), MRL_BOARD);
	assert_non_null(strstr(error.message, "64 points"));
	/* Seven mills through b2 */
	assert_int_equal(
	    mrl_board_init(&board, "star", "a1 b2 c3/a2 b2 c2/a3 b2 c1/b1 b2 b3/d1 b2 d2/e1 b2 e2/f1 b2 f2", &error),
	    MRL_BOARD);
	assert_non_null(strstr(error.message, "6 through one point"));
	/* Many equal twigs have more symmetries than there is room for. */
	assert_int_equal(mrl_board_init(&board, "twigs", "a1 a2/b1 b2/c1 c2/d1 d2/e1 e2/f1 f2", &error), MRL_BOARD);
	assert_non_null(strstr(error.message, "symmetries"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(boards_have_the_points_lines_and_mills_of_the_rules),
	    cmocka_unit_test(points_are_numbered_by_rank_and_file),
	    cmocka_unit_test(neighbours_are_consecutive_on_a_line),
	    cmocka_unit_test(two_points_of_a_spoke_make_no_mill),
	    cmocka_unit_test(symmetries_form_a_group_that_keeps_neighbours_and_mills),
	    cmocka_unit_test(a_board_of_sixty_points_is_data_too),
	    cmocka_unit_test(a_bad_board_is_refused_with_the_reason),
	    cmocka_unit_test(a_board_past_a_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
