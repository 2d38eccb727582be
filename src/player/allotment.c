/* How much of the clock a turn gets. */
#include <merels/player.h>

/* The time an answer may need to reach whoever holds the clock. */
#define RESERVE 20

/* A game of nine lasts some 30 to 60 turns of each side; those to come are never fewer than this. */
#define TURNS_TO_COME 24

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct mrl_player_allotment mrl_player_allot(const struct mrl_player_clock *clock)
{
	/* Beyond a year nothing changes, and sums stay far from the end of the type. */
	const uint64_t year = UINT64_C(31536000000);
	uint64_t left = smaller(clock->left, year);
	uint64_t increment = smaller(clock->increment, year);
	uint64_t turns = clock->turns == 0 || clock->turns > TURNS_TO_COME ? TURNS_TO_COME : clock->turns;
	uint64_t usable = left > 2 * RESERVE ? left - RESERVE : left / 2;

	/* An iteration takes about twice as long as the one before, so one that begins near `soft` ends near twice
	 * that.
	 */
	uint64_t fair = usable / turns + increment * 3 / 4;
	struct mrl_player_allotment allotment = {.soft = smaller(fair * 6 / 10, usable), .hard = fair * 3};

	/* With more than one turn to come, none may use up nearly everything. */
	allotment.hard = smaller(allotment.hard, turns > 1 ? usable * 4 / 10 + smaller(increment, usable / 2) : usable);
	if (allotment.hard == 0)
		allotment.hard = 1;
	allotment.soft = smaller(allotment.soft, allotment.hard);
	return allotment;
}
