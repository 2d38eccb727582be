/*
 * Fitting the evaluation: games that the engine plays against itself, and weights that predict their scores.
 *
 * A sample is one line of text: rule set, white men, black men (hexadecimal sets of points), hands, side to move, the
 * score of a search many times as deep as the one that played, and the result of the game for the side to move.
 */
#ifndef MERELS_FIT_H
#define MERELS_FIT_H

#include <stdint.h>
#include <stdio.h>

struct sample {
	char rules[64];
	uint64_t men[2];
	unsigned hand[2];
	unsigned side;
	int score;     /* hundredths of a man, for the side to move */
	double result; /* 1 won, 0.5 drawn, 0 lost */
};

/* Plays games and writes samples; false when the rule set or the memory is not to be had. */
int generate(const char *rules, unsigned long games, unsigned long nodes, uint64_t seed, FILE *out);

/* Reads samples, fits, and writes the source of the weights; progress goes to stderr. */
int train(FILE *in, FILE *out);

#endif
