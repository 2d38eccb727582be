/*
 * What people are told in words: how a game ended, what is to do. Free of libc and of any front end, so that every
 * front end can say it the same way. Sentences are English, end with a full stop, and hold no control character.
 */
#ifndef MERELS_CLI_WORDS_H
#define MERELS_CLI_WORDS_H

#include <stdbool.h>

#include <merels/rules.h>
#include <merels/text.h>

/* Who reads: somebody who plays a side ("You won.") or somebody beside the board ("White won."). */
enum words_reader { WORDS_WHITE = MRL_WHITE, WORDS_BLACK = MRL_BLACK, WORDS_BESIDE };

/* Room for any of the sentences, the closing 0 included. */
#define WORDS_SIZE 512

/* "White" or "Black". */
const char *words_side(unsigned side);

/*
 * Why a game ended and who won: "Black is shut in. You won." `position` is the last one. Nothing while it goes on.
 */
void words_result(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		  struct mrl_verdict verdict, enum words_reader reader);

/* What the side to move does next: "Your turn: place a man." The game must go on. */
void words_begin(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		 enum words_reader reader);

/* Where the man that was picked up may go: "Your turn: move the man on d6 to a marked point." */
void words_move(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		unsigned from, enum words_reader reader);

/*
 * Which man is taken: "You closed d5 d6 d7. Take a black man: the marked ones may be taken, the men on a1 a4 a7 stand
 * in a mill." `position` is the one on the board, with the man that closed mills on `point` and the side that takes
 * still to move; `taken` men have left already.
 */
void words_take(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position,
		unsigned point, unsigned taken, mrl_points choices, enum words_reader reader);

/*
 * What a hint says: "Hint: move the man on d6 to d7 and take the man on a1." Only the takes from the `taken`-th on when
 * the man is already where it goes (`down`).
 */
void words_hint(struct mrl_text *text, const struct mrl_board *board, const struct mrl_turn *turn, bool down,
		unsigned taken);

/* How near a counter is to a draw, when at most ten turns are left: "7 more turns without a mill: a draw." */
void words_counter(struct mrl_text *text, const struct mrl_rules *rules, const struct mrl_position *position);

#endif
