/*
 * Positions for the network, in twelve bytes each: seen from the side to move, with what exact tables say of them. Only
 * for boards of at most 24 points.
 */
#ifndef MERELS_FIT_POSITIONS_H
#define MERELS_FIT_POSITIONS_H

#include <stdint.h>
#include <stdio.h>

struct labelled {
	uint32_t own; /* men of the side to move */
	uint32_t enemies;
	uint8_t own_hand;
	uint8_t enemy_hand;
	uint8_t result; /* for the side to move: LOST, DRAWN or WON */
	uint8_t plies;  /* until then, 254 for more; UNKNOWN_PLIES when not known, or drawn */
};

#define UNKNOWN_PLIES 255

enum { LOST, DRAWN, WON };

struct position_source {
	const char *rules;
	const char *folder;         /* exact tables of the rule set, values will do */
	const char *endings_rules;  /* the rule set with fewer men, ... */
	const char *endings_folder; /* ... and its tables with distances */
	unsigned long count;        /* of games, or of endings */
	unsigned long nodes;        /* of a turn */
	uint64_t seed;
	unsigned long drawn; /* of drawn positions one in so many; then with positions around those that are decided */
	unsigned men[2];     /* of endings: these numbers, either of them to move; 0: any, each as likely as another */
};

/*
 * Plays games of the engine against itself from random openings, and writes the positions that a few random turns lead
 * to from each position of the game: such as a search looks at. Nonzero, after saying why, when something is not to be
 * had.
 */
int play_for_positions(const struct position_source *source, FILE *out);

/* Writes random positions without hands. */
int draw_positions(const struct position_source *source, FILE *out);

/*
 * Plays won endings, the engine against tables that hold out as long as they can, and writes the positions that a few
 * random turns lead to from each position.
 */
int chase_for_positions(const struct position_source *source, FILE *out);

#endif
