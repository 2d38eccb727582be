/* Written by tools/fit; see docs/ENGINE.md. */
#include "evaluate.h"

const int16_t mrl__weights[PHASES][FEATURES] = {
    [PHASE_PLACING] = {[FEATURE_MEN] = 90,
		       [FEATURE_FREEDOM] = 3,
		       [FEATURE_SHUT_IN] = -8,
		       [FEATURE_MILLS] = 12,
		       [FEATURE_PAIRS] = 10,
		       [FEATURE_JUNCTIONS] = 3,
		       [FEATURE_STRIKE] = 40,
		       [FEATURE_FORK] = 40},
    [PHASE_MOVING] = {[FEATURE_MEN] = 100,
		      [FEATURE_FREEDOM] = 4,
		      [FEATURE_SHUT_IN] = -6,
		      [FEATURE_MILLS] = 12,
		      [FEATURE_PAIRS] = 8,
		      [FEATURE_THREATS] = 15,
		      [FEATURE_SWINGS] = 60,
		      [FEATURE_OPENABLE] = 12,
		      [FEATURE_STRIKE] = 40,
		      [FEATURE_FORK] = 40},
    [PHASE_FLYING] = {[FEATURE_MEN] = 120,
		      [FEATURE_MILLS] = 10,
		      [FEATURE_PAIRS] = 20,
		      [FEATURE_THREATS] = 20,
		      [FEATURE_STRIKE] = 60,
		      [FEATURE_FORK] = 60},
};
