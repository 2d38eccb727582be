/*
 * A day at a server, simulated: people come and go, offer games, are paired, play, talk, lose their connection, press
 * things twice, let their clocks run out; now and then the server is restarted. Everything comes from one seed, so a
 * day can be lived again.
 *
 * Every event is checked when it happens: numbers without a gap, clocks against a second reckoning, positions and
 * results against the rules played on the side. When a game is over it is built again from its lines and must be the
 * same.
 */
#ifndef MERELS_TEST_PLAY_DAY_H
#define MERELS_TEST_PLAY_DAY_H

#include "support.h"

#include <merels/lobby.h>

#define DAY_REASONS (MRL_REASON_ABORTED + 1)

struct day_result {
	size_t games;
	size_t turns;
	size_t events;
	size_t repeats;
	size_t takebacks;
	size_t rematches;
	size_t restarts;
	size_t refused;
	size_t by_reason[DAY_REASONS];
	uint64_t time;     /* service time that passed */
	uint64_t checksum; /* of all lines in the order they were kept */
};

/* Lives until so many games have been begun, and on until all are over. */
void day_live(uint64_t seed, size_t games, struct day_result *result);

#endif
