/*
 * What a position is worth without looking ahead: a weighted sum of features, the weights depending on what a side is
 * doing.
 *
 * Every feature is a number for one side; a side is worth the sum of its features by the weights of its role, and the
 * position the difference of both sides, in hundredths of a man. The weights are in weights.c, written by tools/fit.
 * Where the network (network.h) knows the rules it judges instead.
 */
#ifndef MERELS_EVALUATE_H
#define MERELS_EVALUATE_H

#include <merels/rules.h>

#include "network.h"

/* X(name): the features of one side. */
#define FEATURE_TABLE(X)                                                                           \
	X(ONE)       /* 1: what a side's role is worth by itself */                                \
	X(MEN)       /* on the board and in hand */                                                \
	X(FREEDOM)   /* points its men may slide to, counted once for each man; 0 when it flies */ \
	X(SHUT_IN)   /* men that cannot slide anywhere; 0 when it flies */                         \
	X(MILLS)     /* closed mills */                                                            \
	X(PAIRS)     /* two men on a mill, the third point empty */                                \
	X(THREATS)   /* pairs that the next turn could close */                                    \
	X(SECURE)    /* threats that the enemy cannot block by one turn */                         \
	X(SWINGS)    /* men that leave a mill and close another by one slide */                    \
	X(OPENABLE)  /* mills that a man can leave to come back to, no enemy beside the gap */     \
	X(STOPPED)   /* two men on a mill, the third point the enemy's */                          \
	X(JUNCTIONS) /* neighbours of its men, empty or not: standing where lines meet */          \
	X(TURN)      /* 1 for the side to move */                                                  \
	X(STRIKE)    /* 1 for the side to move if it has a threat */                               \
	X(FORK)      /* 1 for the other side if it has two threats at different points */          \
	X(EDGE)      /* 1 when one take more makes the side fly */

enum feature {
#define FEATURE_ENUM(name) FEATURE_##name,
	FEATURE_TABLE(FEATURE_ENUM)
#undef FEATURE_ENUM
	    FEATURES
};

/* X(name): what a side is doing; each role has weights of its own. */
#define ROLE_TABLE(X)                                                                      \
	X(PLACING)   /* somebody has men in hand */                                        \
	X(SLIDING)   /* nobody has, and nobody flies */                                    \
	X(ENDING)    /* ... and each side has at most twice the men with which it flies */ \
	X(CORNERING) /* ... and one take more makes the enemy fly, who has fewer men */    \
	X(CORNERED)  /* ... and it is this enemy */                                        \
	X(HUNTING)   /* it slides, the enemy flies */                                      \
	X(FLEEING)   /* it flies, the enemy slides */                                      \
	X(FLYING)    /* both fly */

enum role {
#define ROLE_ENUM(name) ROLE_##name,
	ROLE_TABLE(ROLE_ENUM)
#undef ROLE_ENUM
	    ROLES
};

/* In parts of a hundredth of a man. */
#define WEIGHT_UNIT 16
extern const int16_t mrl__weights[ROLES][FEATURES];

#define MILL_WORDS 2
#define CHUNKS 8

/* For each byte of a set of points, how many of them each mill has: two bits a mill. */
struct evaluator {
	const struct mrl_rules *rules;
	unsigned words;  /* of 32 mills, that the board needs */
	unsigned chunks; /* of 8 points */
	uint64_t counts[CHUNKS][256][MILL_WORDS];
	bool has_network;  /* the network knows these rules, ... */
	bool from_hand;    /* ... placing included, ... */
	bool asks_network; /* ... and is to be asked */
	struct network_eye eye;
};

void mrl__evaluator_init(struct evaluator *evaluator, const struct mrl_rules *rules);

/* What a position shows: of the side to move, and of the other. */
struct features {
	enum role role[2];
	int16_t of[2][FEATURES];
};

/* `threats` gets, for each side, the points on which it would close a mill if it were to move. */
void mrl__features(const struct evaluator *evaluator, const struct mrl_position *position, struct features *features,
		   mrl_points threats[2]);

/* The points on which a side that slides, or one that places or flies with a man to spare, could close a mill. */
mrl_points mrl__threats(const struct evaluator *evaluator, mrl_points own, mrl_points enemies, bool slides);

int mrl__evaluate(const struct evaluator *evaluator, const struct mrl_position *position, mrl_points threats[2]);

#endif
