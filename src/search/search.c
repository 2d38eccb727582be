/* Iterative deepening alpha-beta with a transposition table, and quiescence over the closing of mills. */
#include "search_internal.h"

#include <merels/builtins.h>

#define INFINITE_SCORE 32000
#define NODES_BETWEEN_QUESTIONS 1024
#define QUIET_PLIES 6

static bool must_stop(struct mrl_search *search)
{
	const struct mrl_search_limits *limits = search->limits;

	if (search->stopped)
		return true;
	if (limits->nodes != 0 && search->nodes >= limits->nodes)
		search->stopped = true;
	else if (search->nodes % NODES_BETWEEN_QUESTIONS == 0 && limits->stop != NULL && limits->stop(limits->context))
		search->stopped = true;
	return search->stopped;
}

static int lost_in(unsigned ply)
{
	return -(MRL_SCORE_WIN - (int)ply);
}

/* Occurrences in the game before the search began of the position on the way, once the way has only quiet turns. */
static unsigned occurrences_in_game(const struct mrl_search *search, const struct mrl_position *position)
{
	const struct mrl_game *game = search->game;
	unsigned occurrences = 0;

	for (size_t i = game->count; i-- > 0;) {
		const struct mrl_position *before = &game->plies[i].before;

		if (before->hand[0] != position->hand[0] || before->hand[1] != position->hand[1] ||
		    mrl_popcount(before->men[0]) != mrl_popcount(position->men[0]) ||
		    mrl_popcount(before->men[1]) != mrl_popcount(position->men[1]))
			break;
		if (before->hash == position->hash)
			occurrences++;
	}
	return occurrences;
}

/*
 * Whether the position counts as a draw by repetition. Inside the search the second occurrence is one: if going round
 * once is best, so is going round again. An occurrence in the game proper counts as the rules count it.
 */
static bool is_repetition(const struct mrl_search *search, unsigned ply)
{
	const struct step *step = &search->way[ply];
	unsigned occurrences = 1;

	if (search->rules->repetition == 0)
		return false;
	for (unsigned back = 2; back <= step->reversible; back += 2) {
		if (search->way[ply - back].position.hash != step->position.hash)
			continue;
		if (back < ply)
			return true;
		occurrences++; /* the root, which the game has seen */
	}
	if (step->reversible == ply)
		occurrences += occurrences_in_game(search, &step->position);
	return occurrences >= search->rules->repetition;
}

/* Follows a turn one ply down the way. */
static void enter(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn)
{
	struct step *step = &search->way[ply + 1];
	bool reversible = turn->from != MRL_NO_POINT && turn->take[0] == MRL_NO_POINT;

	step->position = search->way[ply].position;
	mrl_apply(search->rules, &step->position, turn, NULL);
	step->reversible = reversible ? search->way[ply].reversible + 1 : 0;
	search->nodes++;
}

/* The score of a position that the rules decide; false when they do not. */
static bool decided(const struct mrl_search *search, unsigned ply, int *score)
{
	const struct mrl_position *position = &search->way[ply].position;
	struct mrl_verdict verdict = mrl_position_verdict(search->rules, position);
	enum mrl_outcome own_win = position->side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS;

	if (verdict.outcome == MRL_ONGOING) {
		*score = 0;
		return ply > 0 && is_repetition(search, ply);
	}
	*score = verdict.outcome == MRL_DRAW ? 0 : verdict.outcome == own_win ? -lost_in(ply) : lost_in(ply);
	return true;
}

/* Goes on with turns that take a man until nothing hangs, so that an exchange is not judged half-way. */
static int quiesce(struct mrl_search *search, unsigned ply, int alpha, int beta, unsigned plies_left)
{
	size_t pool = search->pool_used;
	size_t count;
	int best;
	struct scored_turn *turns;

	if (decided(search, ply, &best))
		return best;
	best = mrl__evaluate(search->rules, &search->way[ply].position);
	if (best >= beta || plies_left == 0 || ply >= MAX_PLY)
		return best;
	if (best > alpha)
		alpha = best;
	turns = mrl__turns_ordered(search, ply, NULL, &count);
	for (size_t i = 0; i < count && best < beta; i++) {
		int score;

		mrl__pick(turns, i, count);
		if (turns[i].turn.take[0] == MRL_NO_POINT)
			break; /* takes come first */
		enter(search, ply, &turns[i].turn);
		if (must_stop(search))
			break;
		score = -quiesce(search, ply + 1, -beta, -alpha, plies_left - 1);
		if (score > best)
			best = score;
		if (score > alpha)
			alpha = score;
	}
	search->pool_used = pool;
	return best;
}

static void extend_line(struct mrl_search *search, unsigned ply, const struct mrl_turn *turn)
{
	unsigned below = search->line_length[ply + 1];

	if (below > MRL_MAX_DEPTH - 1)
		below = MRL_MAX_DEPTH - 1;
	search->line[ply][0] = *turn;
	for (unsigned i = 0; i < below; i++)
		search->line[ply][i + 1] = search->line[ply + 1][i];
	search->line_length[ply] = below + 1;
}

static int look(struct mrl_search *search, unsigned ply, unsigned depth, int alpha, int beta)
{
	const struct mrl_position *position = &search->way[ply].position;
	const struct entry *known;
	struct mrl_turn first;
	struct mrl_turn best_turn;
	size_t pool = search->pool_used;
	size_t count;
	struct scored_turn *turns;
	int best = -INFINITE_SCORE;
	int old_alpha = alpha;

	search->line_length[ply] = 0;
	if (decided(search, ply, &best))
		return best;
	if (depth == 0 || ply >= MRL_MAX_DEPTH)
		return quiesce(search, ply, alpha, beta, QUIET_PLIES);
	known = mrl__table_find(search, position->hash);
	if (known != NULL) {
		int score = mrl__score_from_table(known->score, ply);

		if (ply > 0 && known->depth >= depth &&
		    (known->bound == BOUND_EXACT || (known->bound == BOUND_LOWER && score >= beta) ||
		     (known->bound == BOUND_UPPER && score <= alpha)))
			return score;
		first = known->turn;
	}
	best = -INFINITE_SCORE;
	turns = mrl__turns_ordered(search, ply, known != NULL ? &first : NULL, &count);
	if (mrl_unlikely(count == 0)) /* the pool is used up */
		return mrl__evaluate(search->rules, position);
	best_turn = turns[0].turn;
	for (size_t i = 0; i < count; i++) {
		int score;

		mrl__pick(turns, i, count);
		enter(search, ply, &turns[i].turn);
		if (must_stop(search))
			break;
		if (i > 0) {
			score = -look(search, ply + 1, depth - 1, -alpha - 1, -alpha);
			if (score > alpha && score < beta)
				score = -look(search, ply + 1, depth - 1, -beta, -alpha);
		} else {
			score = -look(search, ply + 1, depth - 1, -beta, -alpha);
		}
		if (search->stopped)
			break;
		if (score > best) {
			best = score;
			best_turn = turns[i].turn;
		}
		if (score > alpha) {
			alpha = score;
			extend_line(search, ply, &turns[i].turn);
		}
		if (alpha >= beta) {
			mrl__remember(search, ply, depth, &turns[i].turn);
			break;
		}
	}
	search->pool_used = pool;
	if (!search->stopped) {
		enum bound bound = best >= beta ? BOUND_LOWER : best > old_alpha ? BOUND_EXACT : BOUND_UPPER;

		mrl__table_store(search, position->hash, mrl__score_to_table(best, ply), depth, bound, &best_turn);
	}
	return best;
}

/* Takes over what an iteration found. One that was stopped is still good if its first turn was done. */
static void adopt(const struct mrl_search *search, int score, struct mrl_search_result *result)
{
	result->best = search->line[0][0];
	result->score = score;
	result->length = search->line_length[0];
	for (unsigned i = 0; i < result->length; i++)
		result->line[i] = search->line[0][i];
}

enum mrl_status mrl_search_run(struct mrl_search *search, const struct mrl_game *game,
			       const struct mrl_search_limits *limits, struct mrl_search_result *result)
{
	unsigned deepest = limits->depth != 0 && limits->depth < MRL_MAX_DEPTH ? limits->depth : MRL_MAX_DEPTH;

	mrl_fill(result, 0, sizeof *result);
	if (game->verdict.outcome != MRL_ONGOING)
		return MRL_DECIDED;
	search->rules = game->rules;
	search->game = game;
	search->limits = limits;
	search->nodes = 0;
	search->stopped = false;
	search->pool_used = 0;
	search->way[0] = (struct step){game->position, 0};
	(void)mrl_turns(game->rules, &game->position, &result->best, 1);
	for (unsigned depth = 1; depth <= deepest; depth++) {
		int score = look(search, 0, depth, -INFINITE_SCORE, INFINITE_SCORE);

		if (search->stopped)
			break;
		adopt(search, score, result);
		result->depth = depth;
		if (score > MRL_SCORE_DECIDED || score < -MRL_SCORE_DECIDED)
			break;
	}
	result->nodes = search->nodes;
	return result->depth > 0 ? MRL_OK : MRL_STOPPED;
}
