/* The root: deepening, aspiration, several lines, and the search's memory. */
#include "search_internal.h"

#include <merels/builtins.h>

#define LEAST_TABLE ((size_t)64 * 1024)
#define FIRST_WINDOW 24
#define LINE_OF_CACHE 64

static size_t round_up(size_t size)
{
	return (size + LINE_OF_CACHE - 1) / LINE_OF_CACHE * LINE_OF_CACHE;
}

size_t mrl_search_minimum(void)
{
	return round_up(sizeof(struct mrl_search)) + LEAST_TABLE;
}

size_t mrl_search_join_size(void)
{
	return sizeof(struct mrl_search);
}

/* log2 in 1/16, by the position of the highest bit and the four below; good enough to shape a table. */
static unsigned log16(unsigned number)
{
	unsigned whole = 0;

	while (number >> (whole + 1) != 0)
		whole++;
	return 16 * whole + ((number << 4 >> whole) & 15U);
}

static void init(struct mrl_search *search)
{
	mrl_fill(search, 0, sizeof *search);
	for (unsigned depth = 1; depth <= MRL_MAX_DEPTH; depth++)
		for (unsigned index = 1; index < 64; index++)
			search->reductions[depth][index] = (uint8_t)(log16(depth) * log16(index) / (16 * 36));
}

struct mrl_search *mrl_search_init(void *memory, size_t size)
{
	struct mrl_search *search = memory;

	if (size < mrl_search_minimum())
		return NULL;
	init(search);
	search->table = &search->own_table;
	mrl__table_init(&search->own_table, (char *)memory + round_up(sizeof *search), size - round_up(sizeof *search));
	return search;
}

struct mrl_search *mrl_search_join(void *memory, size_t size, struct mrl_search *leader)
{
	struct mrl_search *search = memory;

	if (size < mrl_search_join_size())
		return NULL;
	init(search);
	search->table = leader->table;
	return search;
}

void mrl__forget_order(struct mrl_search *search)
{
	mrl_fill(search->history, 0, sizeof search->history);
	mrl_fill(search->killers, 0, sizeof search->killers);
	mrl_fill(search->replies, 0, sizeof search->replies);
}

void mrl_search_clear(struct mrl_search *search)
{
	mrl__table_clear(search->table);
	mrl__forget_order(search);
}

uint64_t mrl_search_nodes(const struct mrl_search *search)
{
	return mrl_load(&search->nodes);
}

/* A number that tells rule sets apart; never 0. */
static uint64_t fingerprint(const struct mrl_rules *rules)
{
	char name[MRL_RULES_NAME_SIZE];
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	mrl_rules_write(rules, name);
	for (const char *c = name; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return hash | 1;
}

/* Makes the search fit a rule set, and forgets what was learned under another. */
static void adopt_rules(struct mrl_search *search, const struct mrl_rules *rules)
{
	const struct mrl_board *board = &rules->board;
	uint64_t rule_set = fingerprint(rules);

	search->rules = rules;
	search->evaluator.rules = rules;
	search->evaluator.asks_network = search->evaluator.has_network;
	if (search->table == &search->own_table && search->table->rule_set != rule_set) {
		mrl__table_clear(search->table);
		search->table->rule_set = rule_set;
	}
	if (search->evaluator_rule_set == rule_set)
		return;
	search->evaluator_rule_set = rule_set;
	mrl__evaluator_init(&search->evaluator, rules);
	mrl__forget_order(search);
	for (unsigned s = 0; s < board->symmetry_count; s++)
		for (unsigned t = 0; t < board->symmetry_count; t++) {
			unsigned point = 0;

			while (point < board->point_count && board->symmetry[t][board->symmetry[s][point]] == point)
				point++;
			if (point == board->point_count)
				search->inverse[s] = (uint8_t)t;
		}
}

int mrl_search_evaluate(struct mrl_search *search, const struct mrl_rules *rules, const struct mrl_position *position)
{
	mrl_points threats[2];

	if (mrl_men_verdict(rules, position).outcome != MRL_ONGOING)
		return 0;
	adopt_rules(search, rules);
	return mrl__evaluate(&search->evaluator, position, threats);
}

static bool wanted(const struct mrl_search_limits *limits, const struct mrl_turn *turn)
{
	if (limits->only == NULL)
		return true;
	for (size_t i = 0; i < limits->only_count; i++)
		if (mrl_turn_equal(&limits->only[i], turn))
			return true;
	return false;
}

static void list_root(struct mrl_search *search)
{
	size_t count;
	struct ordered_turn *turns = mrl__turns_ordered(search, 0, NULL, &count);

	search->root_count = 0;
	for (size_t i = 0; i < count; i++) {
		mrl__pick(turns, i, count);
		if (!wanted(search->limits, &turns[i].turn))
			continue;
		search->root[search->root_count].turn = turns[i].turn;
		search->root[search->root_count].score = -INFINITE_SCORE;
		search->root[search->root_count].length = 1;
		search->root[search->root_count++].line[0] = turns[i].turn;
	}
	search->pool_used = 0;
}

/* Moves a root turn up to `place`, the others keeping their order. */
static void promote(struct mrl_search *search, size_t index, size_t place)
{
	struct root_turn turn = search->root[index];

	for (; index > place; index--)
		search->root[index] = search->root[index - 1];
	search->root[place] = turn;
}

/* Searches root turns from `first` on within a window; the best one found comes to `first`. */
static int search_root(struct mrl_search *search, size_t first, int depth, int alpha, int beta)
{
	int best = -INFINITE_SCORE;

	search->improved = false;
	for (size_t i = first; i < search->root_count; i++) {
		struct root_turn *root = &search->root[i];
		int score;

		mrl__enter(search, 0, &root->turn);
		if (mrl__must_stop(search))
			break;
		if (i == first) {
			score = -mrl__look(search, 1, depth - 1, -beta, -alpha, false);
		} else {
			score = -mrl__look(search, 1, depth - 1, -alpha - 1, -alpha, true);
			if (score > alpha && score < beta)
				score = -mrl__look(search, 1, depth - 1, -beta, -alpha, false);
		}
		if (search->stopped)
			break;
		root->score = i == first || score > alpha ? score : -INFINITE_SCORE;
		if (score > best)
			best = score;
		if (score > alpha) {
			alpha = score;
			mrl__extend_line(search, 0, &root->turn);
			root->length = search->line_length[0];
			mrl_copy(root->line, search->line[0], root->length * sizeof root->line[0]);
			promote(search, i, first);
			search->improved = true;
		}
		if (alpha >= beta)
			break;
	}
	return best;
}

/* Finds the best of the root turns from `first` on, with a window around what it was worth before. */
static void search_line(struct mrl_search *search, size_t first, int depth)
{
	int guess = search->root[first].score;
	int window = FIRST_WINDOW;
	int alpha = -INFINITE_SCORE;
	int beta = INFINITE_SCORE;

	if (depth >= 5 && guess > -MRL_SCORE_DECIDED && guess < MRL_SCORE_DECIDED) {
		alpha = guess - window;
		beta = guess + window;
	}
	for (;;) {
		int score = search_root(search, first, depth, alpha, beta);

		if (search->stopped || (score > alpha && score < beta))
			return;
		window *= 4;
		if (score <= alpha)
			alpha = window > 400 ? -INFINITE_SCORE : score - window;
		else
			beta = window > 400 ? INFINITE_SCORE : score + window;
	}
}

/*
 * A line ends where the search was cut short by what it remembered; what it remembers is how the line goes on. Stops
 * where that is no more than a bound the side to move may improve on.
 */
static void lengthen(struct mrl_search *search, struct root_turn *root, unsigned depth)
{
	unsigned ply = 0;
	int score;

	for (;; ply++) {
		struct known known;

		if (ply > 0 && mrl__decided(search, ply, &score))
			break;
		if (ply == root->length) {
			mrl__set_key(search, ply);
			if (ply >= depth || !mrl__recall(search, ply, &known) || known.bound == BOUND_UPPER ||
			    mrl_turn_check(search->rules, &search->way[ply].position, &known.turn, NULL) != MRL_OK)
				break;
			root->line[root->length++] = known.turn;
		}
		mrl__enter(search, ply, &root->line[ply]);
	}
}

static void publish(const struct mrl_search *search, unsigned depth, unsigned lines, struct mrl_search_result *result)
{
	result->depth = depth;
	result->line_count = lines;
	for (unsigned i = 0; i < lines; i++) {
		const struct root_turn *root = &search->root[i];

		result->lines[i].score = root->score;
		if (search->has_value && root->score < MRL_SCORE_DECIDED && root->score > -MRL_SCORE_DECIDED)
			result->lines[i].score = search->value;
		result->lines[i].length = root->length;
		mrl_copy(result->lines[i].turns, root->line, root->length * sizeof root->line[0]);
	}
}

static void publish_counts(const struct mrl_search *search, struct mrl_search_result *result)
{
	result->selective_depth = search->selective_depth;
	result->nodes = search->nodes;
	result->probes = search->probes;
	result->full = mrl__table_full(search->table);
}

static bool is_certain(const struct mrl_search *search, const struct mrl_search_result *result, unsigned depth)
{
	if (search->is_known)
		return true;
	for (unsigned i = 0; i < result->line_count; i++) {
		int score = result->lines[i].score;
		int distance = MRL_SCORE_WIN - (score < 0 ? -score : score);

		/* Reductions may hide a nearer win: certain only when the depth has passed the distance. */
		if (distance > MRL_SCORE_WIN - MRL_SCORE_DECIDED || distance > (int)depth)
			return false;
	}
	return true;
}

enum mrl_status mrl__begin(struct mrl_search *search, const struct mrl_game *game,
			   const struct mrl_search_limits *limits, struct mrl_search_result *result)
{
	mrl_fill(result, 0, sizeof *result);
	if (game->verdict.outcome != MRL_ONGOING)
		return MRL_DECIDED;
	adopt_rules(search, game->rules);
	search->game = game;
	search->limits = limits;
	mrl_store(&search->nodes, 0);
	search->probes = 0;
	search->selective_depth = 0;
	search->stopped = false;
	search->distrusts_old = mrl__repetition_is_near(game);
	search->makes_headway = mrl__wants_headway(game->rules, &game->position);
	search->pool_used = 0;
	if (limits->worker == 0)
		search->table->generation = (search->table->generation + 1) & 63;
	search->way[0] = (struct step){.position = game->position};
	mrl_fill(search->killers, 0, sizeof search->killers);
	mrl__set_key(search, 0);
	(void)mrl__evaluate(&search->evaluator, &game->position, search->way[0].threats);
	list_root(search);
	if (search->root_count == 0)
		return MRL_ILLEGAL; /* none of the turns asked for is legal */
	mrl__keep_best(search);
	publish(search, 0, 1, result);
	result->lines[0].score = 0;
	return MRL_OK;
}

void mrl__publish(const struct mrl_search *search, size_t index, struct mrl_search_result *result)
{
	const struct root_turn *root = &search->root[index];

	result->line_count = 1;
	result->lines[0].score = root->score;
	result->lines[0].length = 1;
	result->lines[0].turns[0] = root->turn;
	publish_counts(search, result);
}

enum mrl_status mrl_search_run(struct mrl_search *search, const struct mrl_game *game,
			       const struct mrl_search_limits *limits, struct mrl_search_result *result)
{
	unsigned deepest = limits->depth != 0 && limits->depth < MRL_MAX_DEPTH ? limits->depth : MRL_MAX_DEPTH - 1;
	unsigned lines = limits->lines == 0 ? 1 : limits->lines;
	enum mrl_status status;

	search->disguise = 0;
	status = mrl__begin(search, game, limits, result);
	if (status != MRL_OK)
		return status;
	if (lines > MRL_MAX_MULTI_PV)
		lines = MRL_MAX_MULTI_PV;
	if (lines > search->root_count)
		lines = (unsigned)search->root_count;
	for (unsigned depth = 1; depth <= deepest; depth++) {
		unsigned done = 0;

		/* Workers run ahead by one on every other depth, so that they do not all do the same. */
		unsigned real = depth + (limits->worker & 1U & depth);

		while (done < lines && !search->stopped) {
			search_line(search, done, (int)real);
			if (search->stopped)
				break;
			/* A line that was looked at later may have turned out better. */
			for (unsigned place = 0; place < done; place++)
				if (search->root[place].score < search->root[done].score)
					promote(search, done, place);
			done++;
		}
		/* A stopped iteration is good for a best turn that it changed, when there is but one line. */
		if (search->stopped) {
			if (depth > 1 && lines == 1 && search->improved)
				publish(search, result->depth, 1, result);
			break;
		}
		for (unsigned i = 0; i < lines; i++)
			lengthen(search, &search->root[i], depth);
		publish(search, depth, lines, result);
		publish_counts(search, result);
		if (limits->report != NULL)
			limits->report(limits->context, result);
		if (!limits->keep_going && is_certain(search, result, depth))
			break;
	}
	publish_counts(search, result);
	return result->depth > 0 ? MRL_OK : MRL_STOPPED;
}
