/*
 * The computer at the board: plays at its level, and tells what it would play in a person's place. At the highest
 * level, and for hints, it asks exact tables where there are any.
 */
#ifndef MERELS_CLI_PLAY_COMPUTER_H
#define MERELS_CLI_PLAY_COMPUTER_H

#include <stdbool.h>

#include <merels/player.h>
#include <os/thread.h>

#include "play.h"
#include "tables_player.h"

struct play_computer {
	struct mrl_player *player;   /* owned */
	struct mrl_monitor *monitor; /* owned; for those who wait for `finished` */
	unsigned level;
	unsigned milliseconds; /* for a turn, at the highest level */
	const struct tables_player *tables;
	struct mrl_error trouble; /* why tables could not be asked; no message when they always could */
	bool finished;
	enum mrl_status status;
	struct mrl_turn turn;
};

/* Sizes as in mrl_player_new(). False when there is no memory. */
MRL_MUST_USE bool play_computer_init(struct play_computer *computer, unsigned threads, unsigned megabytes);
void play_computer_release(struct play_computer *computer);

/* Forgets what was learned, for a new game. */
void play_computer_clear(struct play_computer *computer);

/*
 * Finds a turn in a game that goes on. `poll` (may be NULL) is asked some fifty times a second by the thread that
 * calls; when it answers true the search ends at once and the answer is MRL_STOPPED without a turn.
 */
MRL_MUST_USE enum mrl_status play_computer_think(struct play_computer *computer, const struct play *play,
						 bool (*poll)(void *context), void *context, struct mrl_turn *turn);

/* The same for a hint: with all its strength for a second, and going on with the turn in the making if there is one. */
MRL_MUST_USE enum mrl_status play_computer_hint(struct play_computer *computer, const struct play *play,
						bool (*poll)(void *context), void *context, struct mrl_turn *turn);

#endif
