/*
 * The rules of the morris family: boards, rule sets, positions, turns, games.
 *
 * A rule set is data: a board (points and lines) and a few parameters, docs/RULES.md has them all. Nothing here
 * asks which game it is. The library never allocates, does no input or output and keeps no state: every
 * structure is a value that the caller owns, functions that take `const` change nothing, and values may be shared
 * between threads as long as nobody writes them.
 *
 *     struct mrl_rules rules;
 *     struct mrl_position position;
 *     struct mrl_turn turns[MRL_TURNS_USUAL];
 *
 *     if (mrl_rules_parse(&rules, "nine", 4, NULL) == MRL_OK) {
 *             mrl_position_start(&rules, &position);
 *             size_t count = mrl_turns(&rules, &position, turns, MRL_TURNS_USUAL);
 *     }
 */
#ifndef MERELS_RULES_H
#define MERELS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>

/* ---- Points and boards -------------------------------------------------------------------------------------- */

#define MRL_MAX_POINTS 64
#define MRL_MAX_LINES 48
#define MRL_MAX_LINE_POINTS 9
#define MRL_MAX_MILLS 64
#define MRL_MAX_NEIGHBOURS 8
#define MRL_MAX_MILLS_OF_POINT 6
#define MRL_MAX_SYMMETRIES 96
#define MRL_NO_POINT 255

/* A set of points: bit p stands for point p. */
typedef uint64_t mrl_points;

static inline mrl_points mrl_point_bit(unsigned point)
{
	return (mrl_points)1 << point;
}

/* Where a point is drawn: file 0 is `a`, rank 0 is `1`. Points are numbered by rank, then by file: a1, d1, g1, b2 ...
 */
struct mrl_place {
	uint8_t file;
	uint8_t rank;
};

struct mrl_line {
	uint8_t length;
	uint8_t point[MRL_MAX_LINE_POINTS];
};

/*
 * A board, computed whole from its lines by mrl_board_init(). Two points are neighbours when they are consecutive
 * on a line; any three consecutive points of a line are a mill.
 *
 * A symmetry is a permutation of the points that maps neighbours to neighbours and mills to mills:
 * symmetry[s][p] is where s takes p. Symmetry 0 is the identity; the others are in ascending order of their images.
 */
struct mrl_board {
	const char *name; /* static storage */
	uint8_t point_count;
	uint8_t file_count;
	uint8_t rank_count;
	uint8_t line_count;
	uint8_t mill_count;
	uint8_t symmetry_count;
	mrl_points all;
	mrl_points neighbours[MRL_MAX_POINTS];
	mrl_points mill[MRL_MAX_MILLS];
	/* For each point its mills, without the point itself: partners[p][0 .. partner_count[p]). */
	uint8_t partner_count[MRL_MAX_POINTS];
	mrl_points partners[MRL_MAX_POINTS][MRL_MAX_MILLS_OF_POINT];
	struct mrl_place place[MRL_MAX_POINTS];
	struct mrl_line line[MRL_MAX_LINES];
	uint8_t symmetry[MRL_MAX_SYMMETRIES][MRL_MAX_POINTS];
};

/*
 * Computes a board from its lines, written as point names: the points of a line are separated by spaces, lines by
 * `/`, for example "a1 b1 c1/a1 a2 a3". `name` must outlive the board. MRL_BOARD with a message when a limit above is
 * passed, a point is named twice on one line, or a name is not a letter and a number from 1 to 64.
 */
MRL_MUST_USE enum mrl_status mrl_board_init(struct mrl_board *board, const char *name, const char *lines,
					    struct mrl_error *error);

/* The boards that come with the program, by number; NULL past the end. The lines are in mrl_board_init()'s form. */
const char *mrl_board_name(size_t index);
const char *mrl_board_lines(size_t index);

/* Writes a point's name and a closing 0; returns the characters written. `name` has room for at least 4. */
size_t mrl_point_name(const struct mrl_board *board, unsigned point, char name[4]);

/* The point drawn at this file and rank (both from 0), or MRL_NO_POINT. */
unsigned mrl_point_at(const struct mrl_board *board, unsigned file, unsigned rank);

/* The image of a set under symmetry s. */
mrl_points mrl_points_map(const struct mrl_board *board, unsigned s, mrl_points points);

/* The points of `men` that stand in a complete mill of `men`. */
mrl_points mrl_points_in_mills(const struct mrl_board *board, mrl_points men);

/* How many mills a man on `point` completes together with the men in `others` (whether or not `others` has `point`). */
unsigned mrl_mills_closed(const struct mrl_board *board, mrl_points others, unsigned point);

/* ---- Rule sets ---------------------------------------------------------------------------------------------- */

enum mrl_take { MRL_TAKE_FREE_FIRST, MRL_TAKE_ANY, MRL_TAKE_FREE_ONLY };

#define MRL_MAX_MEN 24
#define MRL_MAX_COUNTER 9999
#define MRL_RULES_NAME_SIZE 192

enum mrl_side { MRL_WHITE = 0, MRL_BLACK = 1 };

static inline enum mrl_side mrl_other(enum mrl_side side)
{
	return side == MRL_WHITE ? MRL_BLACK : MRL_WHITE;
}

/*
 * A rule set. Filled by mrl_rules_parse(); read-only afterwards. About 15 kB: share one by
 * pointer, do not copy it about.
 */
struct mrl_rules {
	struct mrl_board board;
	uint8_t preset;        /* index of the preset it was made from */
	uint8_t men;           /* men each side starts with, 3..24 */
	uint8_t fly;           /* a side with none in hand and at most so many on the board flies; 0: never */
	bool move_early;       /* with men in hand a turn may slide instead of place */
	bool mill_wins;        /* closing a mill wins instead of taking */
	enum mrl_take take;    /* which men may be taken */
	bool take_per_mill;    /* one man for each mill closed, instead of one */
	bool stuck_draws;      /* a side without a legal turn: a draw, not a loss */
	bool full_board_draws; /* the same when no point is empty */
	uint16_t repetition;   /* occurrences of a position that draw; 0: never, else 3..9999 */
	uint16_t no_mill;      /* plies without placement or mill that draw; 0: never, at most 9999 */
	uint16_t three_men;    /* plies with three men and no placement or take that draw; 0: never, at most 9999 */
	uint64_t man_key[2][MRL_MAX_POINTS]; /* parts of the incremental hash */
	uint64_t hand_key[2][MRL_MAX_MEN + 1];
	uint64_t side_key;
};

struct mrl_preset {
	const char *name;
	const char *board;
	const char *about; /* one sentence for a person who chooses */
};

/* The presets in the order of docs/RULES.md; NULL past the end. Static storage. */
const struct mrl_preset *mrl_preset(size_t index);

/*
 * Reads the written form `name[,key=value]...`, exactly `length` bytes. MRL_NAME for an unknown name or key, MRL_RANGE
 * for an unknown value, MRL_SYNTAX for the rest; the message says which and what would be right. The columns of
 * the error count in this text. On failure `rules` is unspecified. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_rules_parse(struct mrl_rules *rules, const char *text, size_t length,
					     struct mrl_error *error);

/* Writes the canonical form: the preset's name, then the keys that differ from it, in the table's order. */
void mrl_rules_write(const struct mrl_rules *rules, char name[MRL_RULES_NAME_SIZE]);

/* True when both play the same game: board and every parameter equal. */
bool mrl_rules_equal(const struct mrl_rules *a, const struct mrl_rules *b);

/* The parameters by number, in the table's order: key, present value as written, meaning. False past the end. */
struct mrl_parameter {
	const char *key;
	const char *values;  /* what may be written, for a message */
	const char *meaning; /* static storage, as `key` and `values` */
	char value[16];
	char usual[16];    /* the default, docs/RULES.md; "" when there is none */
	bool preset_value; /* the value is the preset's own */
};
bool mrl_rules_parameter(const struct mrl_rules *rules, size_t index, struct mrl_parameter *parameter);

/* ---- Positions ---------------------------------------------------------------------------------------------- */

/*
 * A position with its counters. `hash` covers men, hands and the side to move (not the counters), is kept up by
 * mrl_apply() and mrl_undo(), and equals mrl_position_hash() at any time. Two positions are the same for
 * repetition when men, hands and side agree.
 */
struct mrl_position {
	mrl_points men[2]; /* by enum mrl_side */
	uint64_t hash;
	uint8_t hand[2];
	uint8_t side;       /* to move, an enum mrl_side */
	uint16_t no_mill;   /* plies since a placement or a closed mill; stops at 65535 */
	uint16_t three_men; /* plies with three men, see docs/RULES.md; 0 without that rule; stops at 65535 */
};

/* The start of the game. */
void mrl_position_start(const struct mrl_rules *rules, struct mrl_position *position);

/* The hash from scratch. */
uint64_t mrl_position_hash(const struct mrl_rules *rules, const struct mrl_position *position);

/*
 * Whether a position set up by hand can occur under the rule set: men on points of the board, no point with two men,
 * no side with more men than it started with, hands that fit the side to move. MRL_POSITION with the reason if not.
 * A decided position is not an impossible one. Does not look at `hash`. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_position_check(const struct mrl_rules *rules, const struct mrl_position *position,
						struct mrl_error *error);

/* Same men, hands and side to move. */
bool mrl_position_same(const struct mrl_position *a, const struct mrl_position *b);

/* The position under symmetry s of the board, hash recomputed. */
void mrl_position_map(const struct mrl_rules *rules, unsigned s, const struct mrl_position *from,
		      struct mrl_position *to);

/* Whether this side may fly now. */
bool mrl_may_fly(const struct mrl_rules *rules, const struct mrl_position *position, enum mrl_side side);

/* ---- Turns -------------------------------------------------------------------------------------------------- */

/*
 * One turn, its takes included. `from` is MRL_NO_POINT for a placement; `take` holds the taken men in the order
 * taken, filled up with MRL_NO_POINT. Two turns are equal when all their bytes are.
 */
struct mrl_turn {
	uint8_t from;
	uint8_t to;
	uint8_t take[MRL_MAX_MILLS_OF_POINT];
};

bool mrl_turn_equal(const struct mrl_turn *a, const struct mrl_turn *b);

/* How many men the turn takes. */
unsigned mrl_turn_takes(const struct mrl_turn *turn);

/* The turn under symmetry s of the board. */
struct mrl_turn mrl_turn_map(const struct mrl_board *board, unsigned s, const struct mrl_turn *turn);

/* Enough for every legal turn of every position of the presets; more are possible with take-count=per-mill. */
#define MRL_TURNS_USUAL 1024

/*
 * Writes the legal turns of a position, at most `capacity`, and returns how many there are, which may be more. A
 * position decided by its men (mrl_position_verdict) has none; counters and repetition are ignored here. The order
 * is fixed but not sorted. `turns` may be NULL when `capacity` is 0.
 */
size_t mrl_turns(const struct mrl_rules *rules, const struct mrl_position *position, struct mrl_turn *turns,
		 size_t capacity);

/* The number of legal turns, counted without writing them out. */
uint64_t mrl_turn_count(const struct mrl_rules *rules, const struct mrl_position *position);

/* Which of these enemy men may be taken by a turn that closed a mill; none when `take` allows none. */
mrl_points mrl_takeable(const struct mrl_rules *rules, mrl_points enemies);

/*
 * Whether a turn is legal: MRL_OK, MRL_DECIDED, or MRL_ILLEGAL with the reason in words ("b6 is not next to a7 ...").
 * Safe for turns of any content. `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_turn_check(const struct mrl_rules *rules, const struct mrl_position *position,
					    const struct mrl_turn *turn, struct mrl_error *error);

/* What mrl_apply() cannot recompute when a turn is taken back. */
struct mrl_undo {
	uint64_t hash;
	uint16_t no_mill;
	uint16_t three_men;
};

/*
 * Makes a legal turn. Legality is the caller's business (mrl_turns, mrl_turn_check). Returns how many mills the turn
 * closed. `undo` may be NULL.
 */
unsigned mrl_apply(const struct mrl_rules *rules, struct mrl_position *position, const struct mrl_turn *turn,
		   struct mrl_undo *undo);

/* Takes back the turn that was applied last, with the undo it gave. Every field is as before. */
void mrl_undo(const struct mrl_rules *rules, struct mrl_position *position, const struct mrl_turn *turn,
	      const struct mrl_undo *undo);

/* Leaf turns `depth` plies deep; decided positions have none, counters and repetition are ignored. depth 0: 1. */
uint64_t mrl_perft(const struct mrl_rules *rules, const struct mrl_position *position, unsigned depth);

/* ---- How a game ends ---------------------------------------------------------------------------------------- */

enum mrl_outcome { MRL_ONGOING, MRL_WHITE_WINS, MRL_BLACK_WINS, MRL_DRAW };

/* X(name, text): why a game ended. The last five are for games between people; the rules never give them. */
#define MRL_REASON_TABLE(X)         \
	X(NONE, "*")                \
	X(MILL, "mill")             \
	X(FEW_MEN, "few-men")       \
	X(FULL_BOARD, "full-board") \
	X(NO_MOVES, "no-moves")     \
	X(NO_MILL, "no-mill")       \
	X(THREE_MEN, "three-men")   \
	X(REPETITION, "repetition") \
	X(RESIGN, "resign")         \
	X(TIME, "time")             \
	X(ABANDONED, "abandoned")   \
	X(AGREEMENT, "agreement")   \
	X(ABORTED, "aborted")

enum mrl_reason {
#define MRL_REASON_ENUM(name, text) MRL_REASON_##name,
	MRL_REASON_TABLE(MRL_REASON_ENUM)
#undef MRL_REASON_ENUM
};

struct mrl_verdict {
	enum mrl_outcome outcome;
	enum mrl_reason reason;
};

/* "*", "1-0", "0-1", "1/2-1/2". */
const char *mrl_outcome_text(enum mrl_outcome outcome);

/* "few-men" and so on; "*" for none. */
const char *mrl_reason_text(enum mrl_reason reason);

/* What the men alone decide: mill, few-men, no-moves, full-board. The side to move is the one that may be lost. */
struct mrl_verdict mrl_men_verdict(const struct mrl_rules *rules, const struct mrl_position *position);

/* As mrl_men_verdict, then the counters no-mill and three-men. Repetition needs a game. */
struct mrl_verdict mrl_position_verdict(const struct mrl_rules *rules, const struct mrl_position *position);

/* ---- Games -------------------------------------------------------------------------------------------------- */

/* A turn and the position it was played in. */
struct mrl_ply {
	struct mrl_position before;
	struct mrl_turn turn;
};

/*
 * A game with its history. The history lives in the caller's memory, which may be replaced by a larger one at any
 * time with mrl_game_move(); there is no cap on a game's length.
 */
struct mrl_game {
	const struct mrl_rules *rules; /* must outlive the game */
	struct mrl_position position;
	struct mrl_verdict verdict;
	struct mrl_ply *plies; /* plies[0 .. count) */
	size_t count;
	size_t capacity;
};

/* Starts a game, from `start` or, if that is NULL, the start of the rule set. `start` must have passed the check. */
void mrl_game_init(struct mrl_game *game, const struct mrl_rules *rules, const struct mrl_position *start,
		   struct mrl_ply *plies, size_t capacity);

/* The history is now in other memory, to which the caller has copied plies[0 .. count); capacity >= count. */
void mrl_game_move(struct mrl_game *game, struct mrl_ply *plies, size_t capacity);

/*
 * Plays a turn and decides whether the game is over. MRL_ILLEGAL with the reason; MRL_DECIDED when the game is over;
 * MRL_SPACE when the history is full (grow it and call again). On failure nothing has changed.
 */
MRL_MUST_USE enum mrl_status mrl_game_play(struct mrl_game *game, const struct mrl_turn *turn, struct mrl_error *error);

/* What the verdict would be after a legal turn, which is not played. */
struct mrl_verdict mrl_game_verdict_after(const struct mrl_game *game, const struct mrl_turn *turn);

/* Takes back the last turn; false when there is none. */
bool mrl_game_back(struct mrl_game *game);

/* How many times the present position has occurred in the game, itself included. */
unsigned mrl_game_occurrences(const struct mrl_game *game);

#endif
