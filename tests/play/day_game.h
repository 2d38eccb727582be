/* One game of the simulated day, with the second reckoning that it is checked against. */
#ifndef MERELS_TEST_PLAY_DAY_GAME_H
#define MERELS_TEST_PLAY_DAY_GAME_H

#include "day.h"

/* A command that was done, to be sent again. */
struct day_done {
	struct mrl_play_command command;
	char id[16];
	char turn[40];
	uint32_t number; /* 0: none */
};

struct day_game {
	struct mrl_play_game game;
	char **lines;
	size_t line_count;
	size_t line_capacity;
	uint64_t next; /* service time of the next thing that somebody does */
	struct day_done done[2];
	struct mrl_rating ratings[2]; /* of the seats, as they are now */
	size_t people[2];             /* indices of the persons on the seats */
	size_t rules;                 /* index of the rule set */
	struct mrl_game side;         /* the rules played on the side */
	uint32_t clock[2];            /* the second reckoning: clocks at the beginning of the turn */
	uint64_t begun;
	uint32_t (*before)[2]; /* the same for each turn that was made */
};

void day_game_open(struct day_game *game, const struct mrl_rules *rules);
void day_game_release(struct day_game *game);

/* Rates the batch where it has to be, checks, keeps and applies it; adds to the result. */
void day_game_keep(struct day_game *game, struct mrl_play_batch *batch, struct day_result *result);

/* The game is what its lines say; with `restart` it goes on from them, both seats gone. */
void day_game_check(struct day_game *game, bool restart, uint64_t time);

#endif
