/* The computer as a player: a search with a time limit and a way to be interrupted. */
#ifndef MERELS_CLI_PLAY_COMPUTER_H
#define MERELS_CLI_PLAY_COMPUTER_H

#include <stdbool.h>

#include <merels/rules.h>
#include <merels/search.h>

struct play_computer {
	void *memory; /* owned */
	struct mrl_search *search;
	double seconds; /* for a turn */
};

/* False when there is no memory. */
MRL_MUST_USE bool play_computer_init(struct play_computer *computer, double seconds);
void play_computer_release(struct play_computer *computer);

/* Forgets what was learned, for a new game. */
void play_computer_clear(struct play_computer *computer);

/*
 * Finds a turn in a game that goes on. `poll` (may be NULL) is asked some fifty times a second; when it answers true
 * the search ends at once and the answer is MRL_STOPPED without a turn.
 */
MRL_MUST_USE enum mrl_status play_computer_think(struct play_computer *computer, const struct mrl_game *game,
						 bool (*poll)(void *context), void *context, struct mrl_turn *turn);

#endif
