/*
 * Analysis: what each turn of a game was worth, and what would have been best.
 *
 * Scores are those of the search: hundredths of a man for the side to move, beyond +-MRL_SCORE_DECIDED a win or a loss
 * with its distance. What people see, and a record, has scores for White.
 */
#ifndef MERELS_CLI_ANALYZE_H
#define MERELS_CLI_ANALYZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <merels/player.h>
#include <merels/record.h>

#include "cli.h"

/* No score counts for more when a loss is reckoned: who is five men ahead has won, by whichever way. */
#define ANALYZE_WIN_WORTH 500

/* From how much lost, in hundredths of a man, a turn is called what. */
#define ANALYZE_INACCURACY 50
#define ANALYZE_MISTAKE 100
#define ANALYZE_BLUNDER 300

struct analyze_line {
	int score;
	unsigned length;
	struct mrl_turn turns[MRL_MAX_DEPTH];
};

/* A position that was looked at, and the turn that was played in it, if any. */
struct analyze_turn {
	struct mrl_position before;
	size_t ply;
	bool played; /* `turn`, `score` and `loss` hold */
	struct mrl_turn turn;
	int score; /* of the turn */
	int loss;  /* against the best, never negative */
	unsigned depth;
	uint64_t nodes;
	unsigned line_count;
	struct analyze_line *lines; /* owned; best first */
};

struct analysis {
	const struct mrl_rules *rules;
	const struct mrl_record *record; /* NULL: a single position */
	struct analyze_turn *turns;      /* owned */
	size_t count;
};

/* What a side did in a game. */
struct analyze_sum {
	unsigned turns;
	unsigned inaccuracies;
	unsigned mistakes;
	unsigned blunders;
	double average_loss; /* hundredths of a man a turn */
};

struct analyze_sum analyze_sum_of(const struct analysis *analysis, unsigned side);

/* Looks at the position of a game; false when there is no memory, or it is decided (then line_count is 0). */
MRL_MUST_USE bool analyze_position(struct analysis *analysis, struct mrl_player *player, const struct mrl_game *game,
				   const struct mrl_player_limits *limits);

/* Looks at every turn of a record's game. `progress` (may be NULL) is told each turn. False: no memory. */
MRL_MUST_USE bool analyze_record(struct analysis *analysis, struct mrl_player *player, const struct mrl_record *record,
				 const struct mrl_player_limits *limits, void (*progress)(size_t at, size_t count));

void analyze_release(struct analysis *analysis);

/* "+0.35", "win in 7" for White; "?" and the like, or "". */
#define ANALYZE_SCORE_SIZE 24
void analyze_score_text(int score, unsigned side, char text[ANALYZE_SCORE_SIZE]);
const char *analyze_mark(int loss);

/* ---- Forms of the result; each returns false when there is no memory ---------------------------------------- */

void analyze_print_text(const struct analysis *analysis);

/* JSON is one array that is begun, gets an object for each game or position, and is printed whole at the end. */
struct analyze_json;
struct analyze_json *analyze_json_new(void);
MRL_MUST_USE bool analyze_json_add(struct analyze_json *json, const struct analysis *analysis);

/* Adds what tables say to the object that was added last; exact[i] belongs to analysis->turns[i]. */
struct analyze_exact;
MRL_MUST_USE bool analyze_json_exact(struct analyze_json *json, const struct analysis *analysis,
				     const struct analyze_exact *exact);

MRL_MUST_USE bool analyze_json_print(const struct analyze_json *json);
void analyze_json_free(struct analyze_json *json);

/* Prints the record with scores, marks, and the better line where something was lost. Changes the record meanwhile. */
MRL_MUST_USE bool analyze_print_record(const struct analysis *analysis, struct mrl_record *record);

#endif
