#include "evaluate.h"

#include <merels/builtins.h>

#define LOW_BITS UINT64_C(0x5555555555555555)

/* Whether the rules are those of nine, whose exact values the network was trained on, but for counters and men. */
static bool plays_as_nine(const struct mrl_rules *rules)
{
	struct mrl_rules nine;

	if (mrl_rules_parse(&nine, "nine", 4, NULL) != MRL_OK)
		return false;
	nine.men = rules->men;
	nine.no_mill = rules->no_mill;
	nine.three_men = rules->three_men;
	nine.repetition = rules->repetition;
	return rules->men <= 9 && mrl_rules_equal(&nine, rules);
}

void mrl__evaluator_init(struct evaluator *evaluator, const struct mrl_rules *rules)
{
	const struct mrl_board *board = &rules->board;

	evaluator->rules = rules;
	evaluator->words = board->mill_count > 32 ? 2 : 1;
	evaluator->chunks = (board->point_count + 7U) / 8;
	evaluator->has_network = plays_as_nine(rules);
	evaluator->asks_network = evaluator->has_network;
	evaluator->from_hand = rules->men == 9;
	if (evaluator->has_network)
		mrl__network_eye_init(&evaluator->eye, board);
	mrl_fill(evaluator->counts, 0, sizeof evaluator->counts);
	for (unsigned chunk = 0; chunk < evaluator->chunks; chunk++)
		for (unsigned byte = 0; byte < 256; byte++)
			for (unsigned mill = 0; mill < board->mill_count; mill++) {
				uint64_t count = mrl_popcount(board->mill[mill] & (mrl_points)byte << 8 * chunk);

				evaluator->counts[chunk][byte][mill / 32] |= count << 2 * (mill % 32);
			}
}

/* A side's men on each mill, two bits a mill. */
static uint64_t count_on_mills(const struct evaluator *evaluator, mrl_points men, unsigned word)
{
	uint64_t counts = 0;

	for (unsigned chunk = 0; chunk < evaluator->chunks; chunk++)
		counts += evaluator->counts[chunk][men >> 8 * chunk & 0xff][word];
	return counts;
}

struct view {
	const struct mrl_board *board;
	mrl_points own;
	mrl_points enemies;
	mrl_points empty;
	bool places; /* the side, next time it is to move */
	bool flies;
	bool enemy_places;
	bool enemy_flies;
};

static void count_freedom(const struct view *view, int16_t *features)
{
	unsigned freedom = 0;
	unsigned shut_in = 0;
	unsigned junctions = 0;

	for (mrl_points men = view->own; men != 0; men &= men - 1) {
		mrl_points around = view->board->neighbours[mrl_lowest(men)];
		unsigned exits = mrl_popcount(around & view->empty);

		freedom += exits;
		shut_in += exits == 0;
		junctions += mrl_popcount(around);
	}
	features[FEATURE_JUNCTIONS] = (int16_t)junctions;
	if (view->flies)
		return;
	features[FEATURE_FREEDOM] = (int16_t)freedom;
	features[FEATURE_SHUT_IN] = (int16_t)shut_in;
}

/* Pairs whose third point is empty; returns the points that the next turn could close a mill on. */
static mrl_points count_pairs(const struct view *view, uint64_t pairs, unsigned first_mill, int16_t *features)
{
	mrl_points threats = 0;

	features[FEATURE_PAIRS] = (int16_t)(features[FEATURE_PAIRS] + (int)mrl_popcount(pairs));
	for (; pairs != 0; pairs &= pairs - 1) {
		mrl_points mill = view->board->mill[first_mill + mrl_lowest(pairs) / 2];
		mrl_points gap = mill & view->empty;
		mrl_points around = view->board->neighbours[mrl_lowest(gap)];
		mrl_points movers = view->own & ~mill;

		if (!view->places && (view->flies ? movers : movers & around) == 0)
			continue;
		threats |= gap;
		features[FEATURE_THREATS]++;
		if (!view->enemy_places && !view->enemy_flies && (view->enemies & around) == 0)
			features[FEATURE_SECURE]++;
	}
	return threats;
}

/* What closed mills can do next: open towards a free point, or swing into another mill. */
static void count_open_mills(const struct view *view, uint64_t closed, unsigned first_mill, int16_t *features)
{
	for (; closed != 0; closed &= closed - 1) {
		mrl_points mill = view->board->mill[first_mill + mrl_lowest(closed) / 2];
		bool openable = false;

		for (mrl_points men = mill; men != 0; men &= men - 1) {
			unsigned from = mrl_lowest(men);
			mrl_points exits = view->board->neighbours[from] & view->empty;
			mrl_points others = view->own & ~mrl_point_bit(from);

			openable |= exits != 0 && (view->board->neighbours[from] & view->enemies) == 0;
			for (; exits != 0; exits &= exits - 1)
				features[FEATURE_SWINGS] =
				    (int16_t)(features[FEATURE_SWINGS] +
					      (mrl_mills_closed(view->board, others, mrl_lowest(exits)) > 0));
		}
		features[FEATURE_OPENABLE] = (int16_t)(features[FEATURE_OPENABLE] + openable);
	}
}

/* What both sides are looked at with. */
struct both {
	const struct mrl_position *position;
	bool flies[2];
	uint64_t counts[2][MILL_WORDS]; /* men on each mill */
};

/* The features of one side but the last ones; returns its threats. */
static mrl_points count_side(const struct evaluator *evaluator, const struct both *both, unsigned side,
			     int16_t *features)
{
	const struct mrl_rules *rules = evaluator->rules;
	const struct mrl_position *position = both->position;
	struct view view = {.board = &rules->board,
			    .own = position->men[side],
			    .enemies = position->men[side ^ 1U],
			    .places = position->hand[side] > 0,
			    .flies = both->flies[side],
			    .enemy_places = position->hand[side ^ 1U] > 0,
			    .enemy_flies = both->flies[side ^ 1U]};
	unsigned men = mrl_popcount(view.own) + position->hand[side];
	mrl_points threats = 0;

	view.empty = rules->board.all & ~(view.own | view.enemies);
	features[FEATURE_ONE] = 1;
	features[FEATURE_MEN] = (int16_t)men;
	features[FEATURE_EDGE] = rules->fly != 0 && men == rules->fly + 1U;
	count_freedom(&view, features);
	for (unsigned word = 0; word < evaluator->words; word++) {
		uint64_t own = both->counts[side][word];
		uint64_t enemy = both->counts[side ^ 1U][word];
		uint64_t closed = own & own >> 1 & LOW_BITS;
		uint64_t two = ~own & own >> 1 & LOW_BITS;
		uint64_t enemy_any = (enemy | enemy >> 1) & LOW_BITS;

		features[FEATURE_MILLS] = (int16_t)(features[FEATURE_MILLS] + (int)mrl_popcount(closed));
		features[FEATURE_STOPPED] = (int16_t)(features[FEATURE_STOPPED] + (int)mrl_popcount(two & enemy_any));
		threats |= count_pairs(&view, two & ~enemy_any, word * 32, features);
		if (!view.places && !view.flies)
			count_open_mills(&view, closed, word * 32, features);
	}
	return threats;
}

static enum role sliding_role(const struct mrl_rules *rules, const struct mrl_position *position, unsigned side)
{
	unsigned men = mrl_popcount(position->men[side]);
	unsigned enemies = mrl_popcount(position->men[side ^ 1U]);

	if (men > 2U * rules->fly || enemies > 2U * rules->fly)
		return ROLE_SLIDING; /* always where nobody ever flies */
	if (men > enemies)
		return enemies == rules->fly + 1U ? ROLE_CORNERING : ROLE_ENDING;
	return men < enemies && men == rules->fly + 1U ? ROLE_CORNERED : ROLE_ENDING;
}

static enum role role_of(const struct mrl_rules *rules, const struct both *both, unsigned side)
{
	const struct mrl_position *position = both->position;

	if (position->hand[0] + position->hand[1] > 0)
		return ROLE_PLACING;
	if (both->flies[side])
		return both->flies[side ^ 1U] ? ROLE_FLYING : ROLE_FLEEING;
	return both->flies[side ^ 1U] ? ROLE_HUNTING : sliding_role(rules, position, side);
}

void mrl__features(const struct evaluator *evaluator, const struct mrl_position *position, struct features *features,
		   mrl_points threats[2])
{
	unsigned side = position->side;
	struct both both = {.position = position};
	mrl_points enemy_threats;

	mrl_fill(features->of, 0, sizeof features->of);
	for (unsigned each = 0; each < 2; each++) {
		both.flies[each] = mrl_may_fly(evaluator->rules, position, (enum mrl_side)each);
		for (unsigned word = 0; word < evaluator->words; word++)
			both.counts[each][word] = count_on_mills(evaluator, position->men[each], word);
	}
	features->role[0] = role_of(evaluator->rules, &both, side);
	features->role[1] = role_of(evaluator->rules, &both, side ^ 1U);
	threats[side] = count_side(evaluator, &both, side, features->of[0]);
	enemy_threats = threats[side ^ 1U] = count_side(evaluator, &both, side ^ 1U, features->of[1]);
	features->of[0][FEATURE_TURN] = 1;
	features->of[0][FEATURE_STRIKE] = threats[side] != 0;
	features->of[1][FEATURE_FORK] = (enemy_threats & (enemy_threats - 1)) != 0;
}

mrl_points mrl__threats(const struct evaluator *evaluator, mrl_points own, mrl_points enemies, bool slides)
{
	const struct mrl_board *board = &evaluator->rules->board;
	mrl_points threats = 0;

	for (unsigned word = 0; word < evaluator->words; word++) {
		uint64_t men = count_on_mills(evaluator, own, word);
		uint64_t others = count_on_mills(evaluator, enemies, word);
		uint64_t pairs = ~men & men >> 1 & ~others & ~(others >> 1) & LOW_BITS;

		for (; pairs != 0; pairs &= pairs - 1) {
			mrl_points mill = board->mill[word * 32 + mrl_lowest(pairs) / 2];
			mrl_points gap = mill & ~own;
			mrl_points movers = own & ~mill;

			if (!slides || (movers & board->neighbours[mrl_lowest(gap)]) != 0)
				threats |= gap;
		}
	}
	return threats;
}

static mrl_points threats_of(const struct evaluator *evaluator, const struct mrl_position *position, unsigned side)
{
	mrl_points own = position->men[side];
	bool places = position->hand[side] > 0;
	bool slides = !places && !mrl_may_fly(evaluator->rules, position, (enum mrl_side)side);

	if (!places && mrl_popcount(own) < 3)
		return 0; /* nobody left to come */
	return mrl__threats(evaluator, own, position->men[side ^ 1U], slides);
}

static int weigh(const struct evaluator *evaluator, const struct mrl_position *position, mrl_points threats[2])
{
	struct features features;
	int value = 0;

	mrl__features(evaluator, position, &features, threats);
	for (unsigned i = 0; i < FEATURES; i++)
		value += mrl__weights[features.role[0]][i] * features.of[0][i] -
			 mrl__weights[features.role[1]][i] * features.of[1][i];
	return value / WEIGHT_UNIT;
}

static int judge(const struct evaluator *evaluator, const struct mrl_position *position, mrl_points threats[2])
{
	struct network_view view;

	threats[0] = threats_of(evaluator, position, 0);
	threats[1] = threats_of(evaluator, position, 1);
	mrl__network_see(&evaluator->eye, position, &view);
	return mrl__network_judge(&mrl__network, &view);
}

/* Fewer men that slide than this are left to the features: their wins are rare, and the network knows only draws. */
#define FEW_SLIDING 10

static bool is_for_network(const struct evaluator *evaluator, const struct mrl_position *position)
{
	unsigned own = mrl_popcount(position->men[0]);
	unsigned enemies = mrl_popcount(position->men[1]);

	if (!evaluator->asks_network || position->hand[0] + position->hand[1] > 0)
		return evaluator->asks_network && evaluator->from_hand;
	return own + enemies >= FEW_SLIDING || own <= evaluator->rules->fly || enemies <= evaluator->rules->fly;
}

int mrl__evaluate(const struct evaluator *evaluator, const struct mrl_position *position, mrl_points threats[2])
{
	int value = is_for_network(evaluator, position) ? judge(evaluator, position, threats)
							: weigh(evaluator, position, threats);

	return value != 0 ? value : 1; /* 0 is a draw */
}
