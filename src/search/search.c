/* Principal-variation search: one position and what lies below it. */
#include "search_internal.h"

#include <merels/builtins.h>

#define NODES_BETWEEN_QUESTIONS 1024
#define QUIET_PLIES 8

/* Near the leaves a position so far above beta, with nothing hanging, will not fall below it; one mill may be all. */
#define CALM_DEPTH 6
#define CALM_MARGIN 50

/* And one so far below alpha will not be saved by a quiet turn. */
#define HOPELESS_DEPTH 3
#define HOPELESS_MARGIN 60
#define QUIET_ORDER (1 << 15)

/* What one side's last three men are left to that fly before hunters without threats. */
#define IDLE_DEPTH 2

#define PICKED_IN_ORDER 10

bool mrl__must_stop(struct mrl_search *search)
{
	const struct mrl_search_limits *limits = search->limits;
	uint64_t nodes = search->nodes + 1;

	mrl_store(&search->nodes, nodes);
	if (search->stopped)
		return true;
	if (limits->nodes != 0 && nodes >= limits->nodes)
		search->stopped = true;
	else if (nodes % NODES_BETWEEN_QUESTIONS == 0 && limits->stop != NULL && limits->stop(limits->context))
		search->stopped = true;
	return search->stopped;
}

void mrl__enter(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn)
{
	const struct step *from = &search->way[ply];
	struct step *to = &search->way[ply + 1];
	bool reversible = turn->from != MRL_NO_POINT && !mrl__takes(turn);

	to->position = from->position;
	to->turn = *turn;
	mrl_apply(search->rules, &to->position, turn, NULL);
	mrl_prefetch(mrl__table_address(search->table, to->position.hash ^ search->disguise)); /* mostly its key */
	to->reversible = reversible ? from->reversible + 1 : 0;
}

bool mrl__decided(struct mrl_search *search, unsigned ply, int *score)
{
	const struct mrl_position *position = &search->way[ply].position;
	struct mrl_verdict verdict = mrl_position_verdict(search->rules, position);
	enum mrl_outcome own_win = position->side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS;

	*score = 0;
	if (verdict.outcome == MRL_ONGOING) {
		if (ply == 0)
			return false;
		if (search->way[ply].reversible >= 4 || search->way[ply].reversible == ply)
			if (mrl__is_repetition(search, ply))
				return true;
		return search->asks && mrl__ask_table(search, ply, score);
	}
	if (verdict.outcome != MRL_DRAW)
		*score = verdict.outcome == own_win ? -mrl__lost_in(ply) : mrl__lost_in(ply);
	return true;
}

void mrl__extend_line(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn)
{
	unsigned below = search->line_length[ply + 1];

	if (below > MRL_MAX_DEPTH - 1)
		below = MRL_MAX_DEPTH - 1;
	search->line[ply][0] = *turn;
	for (unsigned i = 0; i < below; i++)
		search->line[ply][i + 1] = search->line[ply + 1][i];
	search->line_length[ply] = below + 1;
}

/* A win's distance is counted from the root in the search, from the position in the table. */
static int to_table(int score, unsigned ply)
{
	if (score > MRL_SCORE_DECIDED)
		return score + (int)ply;
	return score < -MRL_SCORE_DECIDED ? score - (int)ply : score;
}

static int from_table(int score, unsigned ply)
{
	if (score > MRL_SCORE_DECIDED)
		return score - (int)ply;
	return score < -MRL_SCORE_DECIDED ? score + (int)ply : score;
}

bool mrl__recall(const struct mrl_search *search, unsigned ply, struct known *known)
{
	const struct step *step = &search->way[ply];

	if (!mrl__table_find(search->table, step->key, known))
		return false;
	known->score = from_table(known->score, ply);
	if (step->symmetry != 0 && known->turn.to < search->rules->board.point_count)
		known->turn = mrl_turn_map(&search->rules->board, search->inverse[step->symmetry], &known->turn);
	return true;
}

static void note(struct mrl_search *search, unsigned ply, int depth, enum bound bound, int score,
		 const struct mrl_turn *turn)
{
	const struct step *step = &search->way[ply];
	struct known known = {.turn = *turn, .score = to_table(score, ply), .depth = (unsigned)depth, .bound = bound};

	if (step->symmetry != 0)
		known.turn = mrl_turn_map(&search->rules->board, step->symmetry, turn);
	mrl__table_store(search->table, step->key, &known);
}

static bool cuts(const struct mrl_search *search, const struct known *known, int depth, int alpha, int beta)
{
	if ((int)known->depth < depth || (known->old && search->distrusts_old))
		return false;
	return known->bound == BOUND_EXACT || (known->bound == BOUND_LOWER && known->score >= beta) ||
	       (known->bound == BOUND_UPPER && known->score <= alpha);
}

/* How much less deep a turn is looked at for coming late in the order. */
static int reduction(const struct mrl_search *search, int depth, size_t index, const struct mrl_turn *turn,
		     bool expect_cut, bool main_line)
{
	int reduced;

	if (depth < 2 || index < 2)
		return 0;
	reduced = search->reductions[depth < MRL_MAX_DEPTH ? depth : MRL_MAX_DEPTH][index < 63 ? index : 63];
	if (mrl__takes(turn))
		reduced = index < 4 ? 0 : reduced - 1;
	reduced += expect_cut - main_line;
	if (reduced < 0)
		return 0;
	return reduced < depth ? reduced : depth - 1;
}

/* Searches way[ply + 1], reduced and with a null window first, in full where it proves better. */
static int look_below(struct mrl_search *search, unsigned ply, int depth, int alpha, int beta, size_t index,
		      const struct mrl_turn *turn, bool expect_cut)
{
	bool main_line = beta - alpha > 1;
	int reduced;
	int score;

	if (index == 0)
		return -mrl__look(search, ply + 1, depth - 1, -beta, -alpha, main_line ? false : !expect_cut);
	reduced = reduction(search, depth, index, turn, expect_cut, main_line);
	score = -mrl__look(search, ply + 1, depth - 1 - reduced, -alpha - 1, -alpha, true);
	if (score > alpha && reduced > 0)
		score = -mrl__look(search, ply + 1, depth - 1, -alpha - 1, -alpha, !expect_cut);
	if (score > alpha && score < beta)
		score = -mrl__look(search, ply + 1, depth - 1, -beta, -alpha, false);
	return score;
}

/* Keeps the turns that take, and those to one of the points; returns how many there are. */
static size_t keep_answers(struct ordered_turn *turns, size_t count, mrl_points points)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (mrl__takes(&turns[i].turn) || (points & mrl_point_bit(turns[i].turn.to)) != 0)
			turns[kept++] = turns[i];
	return kept;
}

int mrl__look(struct mrl_search *search, unsigned ply, int depth, int alpha, int beta, bool expect_cut)
{
	struct step *step = &search->way[ply];
	struct known known;
	bool recalled;
	size_t pool = search->pool_used;
	size_t count;
	struct ordered_turn *turns;
	struct mrl_turn best_turn;
	int best;
	int old_alpha = alpha;
	bool main_line;
	bool threatened;
	bool forced;
	bool prune;

	if (depth <= 0 || ply >= MRL_MAX_DEPTH)
		return mrl__quiesce(search, ply, alpha, beta, QUIET_PLIES);
	search->line_length[ply] = 0;
	mrl__set_key(search, ply);
	mrl_prefetch(mrl__table_address(search->table, step->key));
	if (ply > search->selective_depth)
		search->selective_depth = ply;
	if (mrl__decided(search, ply, &best))
		return best;
	/* No line through here can beat a win, or be worse than a loss, already found nearer the root. */
	if (alpha < mrl__lost_in(ply))
		alpha = mrl__lost_in(ply);
	if (beta > -mrl__lost_in(ply + 1))
		beta = -mrl__lost_in(ply + 1);
	if (alpha >= beta)
		return alpha;
	recalled = mrl__recall(search, ply, &known);
	if (recalled && cuts(search, &known, depth, alpha, beta))
		return known.score;
	if (!recalled && depth >= 5)
		depth--; /* without a turn to try first a shallower search is better value */
	main_line = beta - alpha > 1;
	step->evaluation = mrl__evaluate(&search->evaluator, &step->position, step->threats);
	if (!main_line && mrl__next_mill_decides(search, ply, &best))
		return best;
	if (depth > IDLE_DEPTH && mrl__is_idle_hunt(search, ply))
		depth = IDLE_DEPTH;
	threatened = step->threats[step->position.side ^ 1U] != 0;
	forced = threatened && mrl__is_deadly(search, ply);
	if (!main_line && depth <= CALM_DEPTH && !threatened && !mrl__is_deadly(search, ply) &&
	    beta > -MRL_SCORE_DECIDED && step->evaluation - CALM_MARGIN * depth >= beta)
		return step->evaluation;
	prune = !main_line && !forced && depth <= HOPELESS_DEPTH && alpha > -MRL_SCORE_DECIDED &&
		step->evaluation + HOPELESS_MARGIN * (depth + 1) <= alpha;
	turns = mrl__turns_ordered(search, ply, recalled ? &known.turn : NULL, &count);
	if (mrl_unlikely(count == 0)) /* the pool is used up */
		return step->evaluation;
	best = -INFINITE_SCORE;
	best_turn = turns[0].turn;
	if (forced) {
		count = keep_answers(turns, count, step->threats[0] | step->threats[1]);
		best = mrl__lost_in(ply + 2); /* what all others come to */
		depth++;
	}
	for (size_t i = 0; i < count; i++) {
		int score;

		if (i < PICKED_IN_ORDER)
			mrl__pick(turns, i, count);
		if (prune && i > 0 && !mrl__takes(&turns[i].turn) && turns[i].order < QUIET_ORDER)
			continue;
		mrl__enter(search, ply, &turns[i].turn);
		if (mrl__must_stop(search))
			break;
		score = look_below(search, ply, depth, alpha, beta, i, &turns[i].turn, expect_cut);
		if (search->stopped)
			break;
		if (score > best) {
			best = score;
			best_turn = turns[i].turn;
		}
		if (score > alpha) {
			alpha = score;
			mrl__extend_line(search, ply, &turns[i].turn);
		}
		if (alpha >= beta) {
			mrl__remember(search, ply, depth, turns, i);
			break;
		}
	}
	search->pool_used = pool;
	if (!search->stopped)
		note(search, ply, depth,
		     best >= beta       ? BOUND_LOWER
		     : best > old_alpha ? BOUND_EXACT
					: BOUND_UPPER,
		     best, &best_turn);
	return best;
}
