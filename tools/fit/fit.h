/*
 * Fitting the evaluation: positions whose value exact tables know, games that the engine plays against itself, and
 * weights that predict both.
 *
 * A sample is one line of text: rule set, white men, black men (hexadecimal sets of points), hands, side to move, the
 * score of a search many times as deep as the one that played, what came of it for the side to move, and whether that
 * is exact (1) or the result of a game (0).
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
	unsigned exact;
};

/* Where samples come from. */
struct source {
	const char *rules;
	unsigned long nodes; /* of a turn */
	uint64_t seed;
	const char *table_rules; /* the rule set of the tables: the same, or the same with fewer men; NULL: no tables */
	const char *folder;      /* of the tables */
};

/* Plays games and writes samples; nonzero, after saying why, when something that it needs is not to be had. */
int generate(const struct source *source, unsigned long games, FILE *out);

/* Writes samples of random positions without hands that the tables know. */
int draw_endings(const struct source *source, unsigned long count, FILE *out);

/* Reads samples, fits, and writes the source of the weights; progress goes to stderr. */
int train(FILE *in, FILE *out);

#endif
