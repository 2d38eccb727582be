/* Counting the leaves of the tree of turns, the last ply in bulk. */
#include "generate.h"

struct walk {
	const struct mrl_rules *rules;
	struct mrl_position *position;
	unsigned depth; /* plies below the visited turn */
	uint64_t leaves;
};

static uint64_t count(const struct mrl_rules *rules, struct mrl_position *position, unsigned depth);

static inline void descend(void *context, const struct mrl_turn *turn)
{
	struct walk *walk = context;
	struct mrl_undo undo;

	mrl_apply(walk->rules, walk->position, turn, &undo);
	walk->leaves += count(walk->rules, walk->position, walk->depth);
	mrl_undo(walk->rules, walk->position, turn, &undo);
}

static uint64_t count(const struct mrl_rules *rules, struct mrl_position *position, unsigned depth)
{
	struct walk walk = {rules, position, depth - 1, 0};

	if (depth == 1)
		return mrl_turn_count(rules, position);
	visit_turns(rules, position, descend, &walk);
	return walk.leaves;
}

uint64_t mrl_perft(const struct mrl_rules *rules, const struct mrl_position *position, unsigned depth)
{
	struct mrl_position copy = *position;

	return depth == 0 ? 1 : count(rules, &copy, depth);
}
