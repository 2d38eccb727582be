/* What the tests of src/rules share: random numbers with a printed seed, rule sets and turns by their text. */
#ifndef MERELS_TEST_RULES_SUPPORT_H
#define MERELS_TEST_RULES_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <merels/rules.h>

/* Every preset, and each parameter in a value that no preset has. NULL ends the list. */
extern const char *const rule_sets[];

/* The seed from MRL_SEED, else from the clock; printed, so that a failure can be run again. */
uint64_t test_seed(void);

/* The next of a sequence of random numbers (xorshift64*). */
uint64_t test_random(uint64_t *state);
unsigned test_below(uint64_t *state, unsigned limit);

/* Reads a rule set or fails the test. */
void test_rules(struct mrl_rules *rules, const char *text);

/* The point with this name or fails the test. */
unsigned test_point(const struct mrl_rules *rules, const char *name);
mrl_points test_points(const struct mrl_rules *rules, const char *names);

/* `d6`, `d6-d7`, `d6xa1`, without any check but the form. */
struct mrl_turn test_turn(const struct mrl_rules *rules, const char *text);

/* A position from the names of the points, spaces between them. */
struct mrl_position test_position(const struct mrl_rules *rules, const char *white, const char *black,
				  enum mrl_side side, unsigned white_hand, unsigned black_hand);

/* Plays turns, spaces between them; the first that fails fails the test. */
void test_play(struct mrl_game *game, const char *turns);

/* A position after up to `plies` random turns, undecided by its men if there is one on the way. */
struct mrl_position test_random_position(const struct mrl_rules *rules, uint64_t *state, unsigned plies);

#endif
