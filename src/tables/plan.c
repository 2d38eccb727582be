#include "plan.h"

struct walk {
	struct plan *plan;
	unsigned takes; /* the most men one turn can take */
	bool grown;     /* a sector was reached that had not been before */
};

unsigned plan_most_mills(const struct mrl_rules *rules)
{
	unsigned most = 0;

	for (unsigned p = 0; p < rules->board.point_count; p++)
		if (rules->board.partner_count[p] > most)
			most = rules->board.partner_count[p];
	return most;
}

/*
 * A sector that has been reached. One whose side to move has lost for want of men is no sector: nothing is played
 * there.
 */
static void reach(struct walk *walk, int own, int enemy, unsigned own_hand, unsigned enemy_hand)
{
	struct plan *plan = walk->plan;
	struct plan_layer *layer;

	if (own < 0 || enemy < 0 || (unsigned)own + own_hand < 3)
		return;
	layer = &plan->layers[own_hand][enemy_hand];
	if ((layer->owns[enemy] >> own & 1U) != 0)
		return;
	layer->used = true;
	layer->owns[enemy] |= UINT32_C(1) << own;
	plan->sector_count++;
	plan->largest = (unsigned)own > plan->largest ? (unsigned)own : plan->largest;
	plan->largest = (unsigned)enemy > plan->largest ? (unsigned)enemy : plan->largest;
	walk->grown = true;
}

/* Where turns lead that leave `own` men of the mover on the board. */
static void reach_after(struct walk *walk, unsigned own, unsigned enemy, unsigned own_hand, unsigned enemy_hand)
{
	reach(walk, (int)enemy, (int)own, enemy_hand, own_hand);
	for (unsigned taken = 1; own >= 3 && taken <= walk->takes; taken++)
		reach(walk, (int)enemy - (int)taken, (int)own, enemy_hand, own_hand);
}

/* All that one turn reaches from the sectors of a layer. */
static void reach_from(struct walk *walk, unsigned own_hand, unsigned enemy_hand)
{
	const struct plan_layer *layer = &walk->plan->layers[own_hand][enemy_hand];

	for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++) {
		for (uint32_t owns = layer->owns[enemy]; owns != 0; owns &= owns - 1) {
			unsigned own = mrl_lowest(owns);

			if (own + enemy >= walk->plan->rules->board.point_count)
				continue;
			if (layer->places)
				reach_after(walk, own + 1U, enemy, own_hand - 1U, enemy_hand);
			if (layer->moves && own > 0)
				reach_after(walk, own, enemy, own_hand, enemy_hand);
		}
	}
}

static void add_groups(struct plan *plan)
{
	for (unsigned total = 0; total <= 2U * MRL_MAX_MEN; total++) {
		for (unsigned less = 0; 2 * less <= total; less++) {
			unsigned more = total - less;

			if (more > MRL_MAX_MEN || (!plan->layers[less][more].used && !plan->layers[more][less].used))
				continue;
			plan->groups[plan->group_count].hand[0] = (uint8_t)less;
			plan->groups[plan->group_count].hand[1] = (uint8_t)more;
			plan->group_count++;
		}
	}
}

/* The plan without any sector. */
static struct walk begin_walk(struct plan *plan, const struct mrl_rules *rules)
{
	struct walk walk = {.plan = plan};

	*plan = (struct plan){.rules = rules};
	for (unsigned own = 0; own <= MRL_MAX_MEN; own++) {
		for (unsigned enemy = 0; enemy <= MRL_MAX_MEN; enemy++) {
			struct plan_layer *layer = &plan->layers[own][enemy];

			layer->own_hand = (uint8_t)own;
			layer->enemy_hand = (uint8_t)enemy;
			layer->places = own > 0;
			layer->moves = own == 0 || rules->move_early;
		}
	}
	walk.takes = rules->mill_wins ? 0 : rules->take_per_mill ? plan_most_mills(rules) : 1;
	return walk;
}

/* All that can come of the sectors there are. */
static void finish_walk(struct walk *walk)
{
	struct plan *plan = walk->plan;

	do {
		walk->grown = false;
		for (unsigned own = MRL_MAX_MEN + 1; own-- > 0;)
			for (unsigned enemy = MRL_MAX_MEN + 1; enemy-- > 0;)
				if (plan->layers[own][enemy].used)
					reach_from(walk, own, enemy);
	} while (walk->grown);
	add_groups(plan);
}

void plan_init(struct plan *plan, const struct mrl_rules *rules)
{
	struct walk walk = begin_walk(plan, rules);

	reach(&walk, 0, 0, rules->men, rules->men);
	finish_walk(&walk);
}

void plan_init_endings(struct plan *plan, const struct mrl_rules *rules, unsigned men, unsigned against)
{
	struct walk walk = begin_walk(plan, rules);

	plan->endings = true;
	reach(&walk, (int)men, (int)against, 0, 0);
	reach(&walk, (int)against, (int)men, 0, 0);
	finish_walk(&walk);
}

bool plan_has(const struct plan *plan, struct sector sector)
{
	return sector.own_hand <= MRL_MAX_MEN && sector.enemy_hand <= MRL_MAX_MEN && sector.own <= SETS_MAX_POINTS &&
	       sector.enemy <= SETS_MAX_POINTS &&
	       (plan->layers[sector.own_hand][sector.enemy_hand].owns[sector.enemy] >> sector.own & 1U) != 0;
}

bool plan_may_leave_out(const struct plan *plan, struct sector sector)
{
	if (sector.own_hand == 0 && sector.enemy_hand == 0)
		return sector.own < sector.enemy;
	return sector.own_hand == sector.enemy_hand && !plan->rules->move_early;
}

bool plan_sector(const struct plan *plan, uint32_t index, struct sector *sector)
{
	for (uint32_t group = 0; group < plan->group_count; group++) {
		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned own_hand = plan->groups[group].hand[turn];
			unsigned enemy_hand = plan->groups[group].hand[turn ^ 1U];
			const struct plan_layer *layer = &plan->layers[own_hand][enemy_hand];

			if (turn == 1 && own_hand == enemy_hand)
				break;
			for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++) {
				unsigned here = mrl_popcount(layer->owns[enemy]);
				uint32_t owns = layer->owns[enemy];

				if (index >= here) {
					index -= here;
					continue;
				}
				while (index-- > 0)
					owns &= owns - 1;
				*sector = (struct sector){(uint8_t)mrl_lowest(owns), (uint8_t)enemy, (uint8_t)own_hand,
							  (uint8_t)enemy_hand};
				return true;
			}
		}
	}
	return false;
}
