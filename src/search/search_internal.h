/* What the files of src/search share among themselves. */
#ifndef MERELS_SEARCH_INTERNAL_H
#define MERELS_SEARCH_INTERNAL_H

#include <merels/search.h>

/* Turns of all positions on the way from the root to the present one. */
#define POOL_TURNS 32768

/* Plies the search can be deep, quiescence included. */
#define MAX_PLY (MRL_MAX_DEPTH + 32)

#define KILLERS 2

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct entry {
	uint32_t key;
	int16_t score;
	uint8_t depth;
	uint8_t bound; /* an enum bound */
	struct mrl_turn turn;
};

/* A position on the way, for repetition. */
struct step {
	struct mrl_position position;
	unsigned reversible; /* plies back, on the way, that can have the same position */
};

struct scored_turn {
	struct mrl_turn turn;
	int32_t order;
};

struct mrl_search {
	const struct mrl_rules *rules;
	const struct mrl_game *game;
	const struct mrl_search_limits *limits;
	struct entry *table;
	size_t table_mask;
	uint64_t nodes;
	bool stopped;
	size_t pool_used;
	unsigned line_length[MAX_PLY + 1];
	struct mrl_turn line[MAX_PLY + 1][MRL_MAX_DEPTH];
	struct step way[MAX_PLY + 1];
	struct mrl_turn killers[MAX_PLY + 1][KILLERS];
	uint32_t history[2][MRL_MAX_POINTS + 1][MRL_MAX_POINTS];
	struct mrl_turn buffer[MRL_TURNS_USUAL];
	struct scored_turn pool[POOL_TURNS];
};

/* ---- memory.c: the transposition table ---- */

/* NULL when the table does not know the position. */
const struct entry *mrl__table_find(const struct mrl_search *search, uint64_t hash);
void mrl__table_store(struct mrl_search *search, uint64_t hash, int score, unsigned depth, enum bound bound,
		      const struct mrl_turn *turn);

/* A win's distance is counted from the root in the search, from the position in the table. */
int mrl__score_to_table(int score, unsigned ply);
int mrl__score_from_table(int score, unsigned ply);

/* ---- order.c ---- */

/* Writes the legal turns, scored for ordering, into the pool; `count` gets how many. The caller gives the room back. */
struct scored_turn *mrl__turns_ordered(struct mrl_search *search, unsigned ply, const struct mrl_turn *first,
				       size_t *count);

/* Moves the best of turns[at .. count) to `at`. */
void mrl__pick(struct scored_turn *turns, size_t at, size_t count);

/* Remembers a quiet turn that refuted its position. */
void mrl__remember(struct mrl_search *search, unsigned ply, unsigned depth, const struct mrl_turn *turn);

/* ---- evaluate.c ---- */

/* What an undecided position is worth to the side to move, in hundredths of a man. */
int mrl__evaluate(const struct mrl_rules *rules, const struct mrl_position *position);

#endif
