/*
 * A game at one screen: the game, who sits where, and the turn that is being put together point by point.
 *
 * Knows no rules: which points may be picked comes from the list of legal turns alone. The views show it and
 * pass on what was picked.
 */
#ifndef MERELS_CLI_PLAY_H
#define MERELS_CLI_PLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli.h"
#include "turns.h"
#include "words.h"

enum play_stage {
	PLAY_BEGIN, /* a point to place on, or a man to move */
	PLAY_TO,    /* where the man goes */
	PLAY_TAKE,  /* which man is taken */
	PLAY_OVER   /* the game is over */
};

struct play {
	const struct mrl_rules *rules;
	struct mrl_position start;
	struct cli_game game;
	struct cli_turns legal; /* of the present position; none when the game is over */
	bool computer[2];       /* by enum mrl_side */
	enum play_stage stage;
	struct mrl_turn draft; /* what was picked so far; MRL_NO_POINT where nothing was */
	unsigned takes;        /* takes in the draft */
	struct mrl_turn hint;  /* what the computer would play; no turn (to is MRL_NO_POINT) when it was not asked */
};

/* Starts a game from `start`. `rules` must outlive it. False when there is no memory. */
MRL_MUST_USE bool play_init(struct play *play, const struct mrl_rules *rules, const struct mrl_position *start,
			    const bool computer[2]);
void play_release(struct play *play);

/* A new game from the same start. False when there is no memory. */
MRL_MUST_USE bool play_restart(struct play *play);

/* Whether the computer is to move. */
bool play_computers_turn(const struct play *play);

/* To whom sentences are said: the one person playing, or people beside the board. */
enum words_reader play_reader(const struct play *play);

/* Whether a legal turn begins with what was picked so far. */
bool play_fits(const struct play *play, const struct mrl_turn *turn);

/* The points that may be picked now. */
mrl_points play_choices(const struct play *play);

/*
 * Picks a point: starts, goes on with or finishes the turn. Another own man in place of the one picked up takes its
 * place; the same one is put down again. MRL_ILLEGAL when the point means nothing now; MRL_SYSTEM for no memory.
 */
MRL_MUST_USE enum mrl_status play_pick(struct play *play, unsigned point);

/* Says why a point cannot be picked now: "d7 stands in a mill ...". */
void play_why_not(const struct play *play, unsigned point, struct mrl_text *text);

/* Forgets the turn in the making; false when there was none. */
bool play_cancel(struct play *play);

/* Shows a hint until the position changes. */
void play_show_hint(struct play *play, const struct mrl_turn *turn);

/* The points of the hint that are still to be picked: where a man stands or goes, and men to take. None without one. */
void play_hinted(const struct play *play, mrl_points *go, mrl_points *take);

/* Plays a whole turn; anything in the making is forgotten. Errors as mrl_game_play(), or MRL_SYSTEM. */
MRL_MUST_USE enum mrl_status play_turn(struct play *play, const struct mrl_turn *turn, struct mrl_error *error);

/* Takes back to before the last turn of a person, or the last turn when none plays. MRL_OK, or MRL_STOPPED: none. */
MRL_MUST_USE enum mrl_status play_back(struct play *play);

/* The position as it lies on the board, the turn in the making included; the side to move stays. */
void play_shown(const struct play *play, struct mrl_position *shown);

/* The last turn, or NULL. */
const struct mrl_ply *play_last(const struct play *play);

/* How many men a side has lost: not in hand and not on the board. */
unsigned play_lost(const struct play *play, const struct mrl_position *shown, unsigned side);

/* The one sentence that says what to do, or how the game ended. */
void play_sentence(const struct play *play, struct mrl_text *text);

/* "you", "computer", or "" when people play both sides. */
const char *play_seat(const struct play *play, unsigned side);

#endif
