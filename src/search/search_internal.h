/* What the files of src/search share among themselves. */
#ifndef MERELS_SEARCH_INTERNAL_H
#define MERELS_SEARCH_INTERNAL_H

#include "evaluate.h"
#include "table.h"

#include <merels/search.h>

/* Plies the search can be deep, quiescence included. */
#define MAX_PLY (MRL_MAX_DEPTH + 32)

/* Turns of all positions on the way from the root to the present one. */
#define POOL_TURNS 32768

#define KILLERS 2
#define HAND MRL_MAX_POINTS /* stands for `from` in tables when a man is placed */
#define INFINITE_SCORE 32000

/* A position on the way. */
struct step {
	struct mrl_position position;
	struct mrl_turn turn; /* that led to it */
	uint64_t key;         /* in the transposition table */
	unsigned symmetry;    /* that the key stands for, when symmetric positions share it */
	unsigned reversible;  /* plies back, on the way, that can have had the same position */
	int evaluation;
	mrl_points threats[2]; /* set with `evaluation`: where each side would close a mill */
};

struct ordered_turn {
	struct mrl_turn turn;
	int32_t order;
};

struct root_turn {
	struct mrl_turn turn;
	int score;
	unsigned length;
	struct mrl_turn line[MRL_MAX_DEPTH];
};

struct mrl_search {
	struct table own_table;
	struct table *table; /* its own, or that of the search it joined */
	const struct mrl_rules *rules;
	const struct mrl_game *game;
	const struct mrl_search_limits *limits;
	uint64_t disguise; /* part of every key: searches with another find nothing of this one's in the table */
	uint64_t nodes;
	uint64_t probes;
	bool stopped;
	bool distrusts_old; /* a repetition is near: what earlier searches found may no longer hold */
	bool makes_headway; /* where the game has been counts as a draw: one who is ahead has to go elsewhere */
	bool asks;          /* a table below the root */
	bool has_value;     /* a table has said what the root is worth, and which turns keep that */
	int value;          /* which then is this score */
	bool is_known;      /* tables say what every turn at the root is worth, and in how many plies */
	bool improved;      /* the root iteration that runs has found a best turn */
	unsigned selective_depth;
	struct evaluator evaluator;
	uint64_t evaluator_rule_set;
	uint8_t inverse[MRL_MAX_SYMMETRIES];
	uint8_t reductions[MRL_MAX_DEPTH + 1][64];
	struct step way[MAX_PLY + 2];
	unsigned line_length[MAX_PLY + 2];
	struct mrl_turn line[MAX_PLY + 2][MRL_MAX_DEPTH];
	struct mrl_turn killers[MAX_PLY + 2][KILLERS];
	struct mrl_turn replies[2][HAND + 1][MRL_MAX_POINTS]; /* what refuted a turn last time */
	int16_t history[2][HAND + 1][MRL_MAX_POINTS];
	size_t root_count;
	struct root_turn root[MRL_TURNS_USUAL];
	struct mrl_turn buffer[MRL_TURNS_USUAL];
	size_t pool_used;
	struct ordered_turn pool[POOL_TURNS];
};

/* ---- search.c ---- */

/* The value of way[ply] to its side to move, looking `depth` plies ahead, as far as alpha and beta want to know it. */
int mrl__look(struct mrl_search *search, unsigned ply, int depth, int alpha, int beta, bool expect_cut);

/* Counts a visited position and asks the limits; true when the search has to end. */
bool mrl__must_stop(struct mrl_search *search);

/* The score of a position that the rules or a table decide; false when they do not. */
bool mrl__decided(struct mrl_search *search, unsigned ply, int *score);

/* Follows a turn from way[ply] to way[ply + 1]. */
void mrl__enter(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn);

/* What is remembered of way[ply], whose key is set, in its own frame. */
bool mrl__recall(const struct mrl_search *search, unsigned ply, struct known *known);

/* The best line from `ply` is this turn and then the best line from the ply below. */
void mrl__extend_line(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn);

/* ---- exact.c ---- */

/* The score that a table has for way[ply]; false when it knows none, or none but what the root is worth anyway. */
bool mrl__ask_table(struct mrl_search *search, unsigned ply, int *score);

/*
 * Where a table knows the outcome of every root turn but no distance, only the best turns stay, and the search chooses
 * among them: it makes headway in a win, and sets problems in a draw.
 */
void mrl__keep_best(struct mrl_search *search);

/* ---- think.c ---- */

/* Readies a search: lists the root turns, and puts the first into the result so that there is always one. */
enum mrl_status mrl__begin(struct mrl_search *search, const struct mrl_game *game,
			   const struct mrl_search_limits *limits, struct mrl_search_result *result);

/* Forgets what earlier searches learned of the order of turns. */
void mrl__forget_order(struct mrl_search *search);

/* Makes one root turn the whole result. */
void mrl__publish(const struct mrl_search *search, size_t index, struct mrl_search_result *result);

/* ---- deadly.c ---- */

/*
 * Whether the next mill of the enemy, who threatens one, ends the game: any turn but one that closes a mill or goes
 * where the enemy would close one then loses in two plies. The threats of way[ply] are set.
 */
bool mrl__is_deadly(const struct mrl_search *search, unsigned ply);

/* Whether a mill that the side to move can close wins at once, or the enemy's next one cannot be helped; the score. */
bool mrl__next_mill_decides(const struct mrl_search *search, unsigned ply, int *score);

/*
 * Whether one side flies with its last men before many others, and the search began before that: what the threats do
 * not decide there is hardly ever decided.
 */
bool mrl__is_idle_hunt(const struct mrl_search *search, unsigned ply);

/* ---- quiesce.c ---- */

/* Goes on with turns that take a man until nothing hangs, so that an exchange is not judged half-way. */
int mrl__quiesce(struct mrl_search *search, unsigned ply, int alpha, int beta, unsigned plies_left);

/* ---- repetition.c ---- */

bool mrl__is_repetition(const struct mrl_search *search, unsigned ply);

/*
 * Whether the side to move slides with at least two men more than the other, whose next man lost lets him fly: such
 * endings are won, when they are, by long plans, and one who shuffles runs into a counter.
 */
bool mrl__wants_headway(const struct mrl_rules *rules, const struct mrl_position *root);

/* Whether some position of the game may be one occurrence short of a draw. */
bool mrl__repetition_is_near(const struct mrl_game *game);

/* Sets key and symmetry of way[ply]. */
void mrl__set_key(struct mrl_search *search, unsigned ply);

/* ---- order.c ---- */

/* Writes the legal turns, scored for ordering, into the pool. The caller gives the room back by pool_used. */
struct ordered_turn *mrl__turns_ordered(struct mrl_search *search, unsigned ply, const struct mrl_turn *first,
					size_t *count);

/* The same for the turns that take a man. */
struct ordered_turn *mrl__takes_ordered(struct mrl_search *search, unsigned ply, size_t *count);

/* Moves the best of turns[at .. count) to `at`. */
void mrl__pick(struct ordered_turn *turns, size_t at, size_t count);

/* A quiet turn refuted its position: remember it, and hold it against the `tried` that did not. */
void mrl__remember(struct mrl_search *search, unsigned ply, int depth, const struct ordered_turn *turns, size_t index);

static inline bool mrl__takes(const struct mrl_turn *turn)
{
	return turn->take[0] != MRL_NO_POINT;
}

static inline int mrl__lost_in(unsigned ply)
{
	return -(MRL_SCORE_WIN - (int)ply);
}

#endif
