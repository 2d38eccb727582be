/*
 * Exports of the computer player. The worker that calls them keeps the time: the core has no clock, so the full search
 * goes on in slices of as many positions as it is given.
 */
#include "session.h"
#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/search.h>

int32_t search_level(uint32_t level, uint32_t seed);
int32_t search_begin(uint32_t length);
int32_t search_lines(uint32_t count);
int32_t search_slice(uint32_t nodes);
void search_forget(void);

#define SEARCH_MEMORY (16U << 20)

static const char no_memory[] = "the browser has no memory left for the computer";

/* What a search that goes on in slices has come to. */
struct slices {
	struct mrl_search_result best;
	size_t wanted_count; /* turns in `wanted`; 0: any turn will do */
	uint64_t nodes;      /* of all slices */
	unsigned lines;      /* how many are wanted; 0 is 1 */
	bool answered;       /* `best` has a turn */
	bool finished;       /* another slice would not change it */
};

static struct block memory;
static struct block wanted; /* turns to choose from */
static struct mrl_search *search;
static struct slices slices;
static struct mrl_search_result result; /* too large for the stack */

/* Forgets what was learned, for a new game. */
EXPORT("search_forget") void search_forget(void)
{
	if (search)
		mrl_search_clear(search);
}

/* Makes the search when it is first needed. 0, or the error is the answer. */
static int32_t ready(void)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, "no rule set has been chosen yet");
	if (!search && block_grow(&memory, SEARCH_MEMORY))
		search = mrl_search_init(memory.data, memory.size);
	if (!search)
		return session_refuse_with(MRL_SPACE, no_memory);
	return 0;
}

static void write_line(struct mrl_text *text, const struct mrl_search_line *line)
{
	for (unsigned i = 0; i < line->length; i++) {
		if (i > 0)
			mrl_text_char(text, ' ');
		write_turn(text, &line->turns[i]);
	}
}

static void write_best(struct mrl_text *text)
{
	const struct mrl_search_line *line = &slices.best.lines[0];

	write_key(text, "best");
	write_turn(text, &line->turns[0]);
	write_key(text, "\nscore");
	mrl_text_signed(text, line->score);
	write_key(text, "\ndepth");
	mrl_text_number(text, slices.best.depth);
	write_key(text, "\nnodes");
	mrl_text_number(text, slices.nodes);
	write_key(text, "\nfinished");
	mrl_text_number(text, slices.finished);
	write_key(text, "\nline");
	write_line(text, line);
	write_key(text, "\nlines");
	for (unsigned i = 0; i < slices.best.line_count; i++) {
		if (i > 0)
			mrl_text_char(text, '/');
		mrl_text_signed(text, slices.best.lines[i].score);
		mrl_text_char(text, ' ');
		write_line(text, &slices.best.lines[i]);
	}
}

/*
 * Chooses a turn in the game's position as a player of a level below the highest does; quick at any of them. With
 * another seed it may choose otherwise. The answer has best, score, depth, nodes, finished (1), line, and lines: all
 * that were looked at, best first, each a score and its turns, separated by `/`.
 */
EXPORT("search_level") int32_t search_level(uint32_t level, uint32_t seed)
{
	struct mrl_search_limits limits = {0};
	int32_t refused = ready();

	if (refused < 0)
		return refused;
	if (level < 1 || level >= MRL_LEVELS)
		return session_refuse_with(MRL_RANGE, "there is no such level below the highest");
	enum mrl_status status = mrl_level_run(search, &session.game, level, seed, &limits, &slices.best);

	if (status != MRL_OK && status != MRL_STOPPED)
		return session_refuse_with(status, mrl_status_text(status));
	slices.nodes = slices.best.nodes;
	slices.finished = true;
	return session_answer(write_best);
}

/* Reads turns into `wanted`. 0, or the error is the answer. */
static int32_t read_wanted(const char *text, size_t length)
{
	size_t at = 0;

	slices.wanted_count = 0;
	for (;;) {
		struct mrl_turn turn;
		size_t consumed = 0;
		enum mrl_status status = mrl_turn_next(&session.rules, &session.game.position, text + at, length - at,
						       &consumed, &turn, &session.error);

		if (status != MRL_OK)
			return session_refuse();
		if (turn.to == MRL_NO_POINT)
			return 0;
		if (!block_grow(&wanted, (slices.wanted_count + 1) * sizeof(turn)))
			return session_refuse_with(MRL_SPACE, no_memory);
		((struct mrl_turn *)wanted.data)[slices.wanted_count++] = turn;
		at += consumed;
	}
}

/*
 * Begins the full search of the game's position, among the turns written in `in` or, with length 0, among all. Answers
 * with nothing; search_slice() does the work, and meanwhile the game stays as it is.
 */
EXPORT("search_begin") int32_t search_begin(uint32_t length)
{
	size_t bytes = length;
	const char *text = session_text(&bytes);
	int32_t refused = ready();

	if (refused < 0)
		return refused;
	if (session.game.verdict.outcome != MRL_ONGOING)
		return session_refuse_with(MRL_DECIDED, "the game is over");
	slices = (struct slices){0};
	return read_wanted(text, bytes);
}

/* Asks for so many lines, best first, from the search that has been begun. */
EXPORT("search_lines") int32_t search_lines(uint32_t count)
{
	if (count < 1 || count > MRL_MAX_MULTI_PV)
		return session_refuse_with(MRL_RANGE, "a search has 1 to 16 lines");
	slices.lines = count;
	return 0;
}

static bool only_one_turn(void)
{
	if (slices.wanted_count > 0)
		return slices.wanted_count == 1;
	return mrl_turn_count(&session.rules, &session.game.position) == 1;
}

/* A slice goes through the first depths again, at next to no cost, as what they found is remembered. */
static void take_result(uint32_t nodes)
{
	slices.nodes += result.nodes;
	slices.finished = result.nodes < nodes;
	if (slices.answered && result.depth < slices.best.depth)
		return;
	slices.best = result;
	slices.answered = true;
}

/*
 * Goes on with the search for `nodes` positions (at least 1). The answer is as that of search_level(), of all slices
 * together; finished is 1 when going on would change nothing.
 */
EXPORT("search_slice") int32_t search_slice(uint32_t nodes)
{
	struct mrl_search_limits limits = {
	    .nodes = nodes > 0 ? nodes : 1,
	    .depth = only_one_turn() && slices.lines < 2 ? 1 : 0,
	    .lines = slices.lines,
	    .only = slices.wanted_count > 0 ? wanted.data : NULL,
	    .only_count = slices.wanted_count,
	};

	if (!search)
		return session_refuse_with(MRL_NAME, "no search has been begun");
	enum mrl_status status = mrl_search_run(search, &session.game, &limits, &result);

	if (status != MRL_OK && status != MRL_STOPPED)
		return session_refuse_with(status, mrl_status_text(status));
	take_result((uint32_t)limits.nodes);
	return session_answer(write_best);
}
