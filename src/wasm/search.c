/* Exports of the computer player. The worker that calls them keeps the time: it asks with a budget of nodes. */
#include "session.h"
#include <merels/builtins.h>
#include <merels/search.h>

int32_t search_run(uint32_t depth, uint32_t nodes, uint32_t symmetry);
void search_forget(void);

#define SEARCH_MEMORY (16U << 20)

static struct block memory;
static struct block mapped_history;
static struct mrl_search *search;
static struct mrl_search_result result;

/* Forgets what was learned, for a new game. */
EXPORT("search_forget") void search_forget(void)
{
	if (search)
		mrl_search_clear(search);
}

/* The game as seen through a symmetry of the board; false when there is no memory for it. */
static bool map_game(unsigned symmetry, struct mrl_game *mapped)
{
	const struct mrl_game *game = &session.game;

	if (!block_grow(&mapped_history, (game->count + 1) * sizeof(struct mrl_ply)))
		return false;
	struct mrl_ply *plies = mapped_history.data;

	*mapped = *game;
	for (size_t i = 0; i < game->count; i++) {
		mrl_position_map(&session.rules, symmetry, &game->plies[i].before, &plies[i].before);
		plies[i].turn = mrl_turn_map(&session.rules.board, symmetry, &game->plies[i].turn);
	}
	mrl_position_map(&session.rules, symmetry, &game->position, &mapped->position);
	mrl_game_move(mapped, plies, mapped_history.size / sizeof(struct mrl_ply));
	return true;
}

/* Maps the result back: finds the symmetry that undoes the one it was found under. */
static void map_result_back(unsigned symmetry)
{
	const struct mrl_board *board = &session.rules.board;
	unsigned back = 0;

	for (unsigned s = 0; s < board->symmetry_count; s++) {
		bool identity = true;

		for (unsigned p = 0; p < board->point_count && identity; p++)
			identity = board->symmetry[s][board->symmetry[symmetry][p]] == p;
		if (identity)
			back = s;
	}
	for (unsigned i = 0; i < result.lines[0].length; i++)
		result.lines[0].turns[i] = mrl_turn_map(board, back, &result.lines[0].turns[i]);
}

static void write_result(struct mrl_text *text)
{
	write_key(text, "best");
	write_turn(text, &result.lines[0].turns[0]);
	write_key(text, "\nscore");
	mrl_text_signed(text, result.lines[0].score);
	write_key(text, "\ndepth");
	mrl_text_number(text, result.depth);
	write_key(text, "\nnodes");
	mrl_text_number(text, result.nodes);
	write_key(text, "\nline");
	for (unsigned i = 0; i < result.lines[0].length; i++) {
		if (i > 0)
			mrl_text_char(text, ' ');
		write_turn(text, &result.lines[0].turns[i]);
	}
}

/*
 * Searches the game's position to `depth` plies or for `nodes` nodes (0: no limit), the board seen through one of its
 * symmetries: a different one leads to other turns of the same worth, so that not every game is the same. What
 * was learned is kept for the next call under the same symmetry. The answer has best, score, depth, nodes and line.
 */
EXPORT("search_run") int32_t search_run(uint32_t depth, uint32_t nodes, uint32_t symmetry)
{
	struct mrl_search_limits limits = {.depth = depth, .nodes = nodes};
	struct mrl_game game;

	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, "no rule set has been chosen yet");
	if (!search) {
		if (!block_grow(&memory, SEARCH_MEMORY))
			return session_refuse_with(MRL_SPACE, "the browser has no memory left for the computer");
		search = mrl_search_init(memory.data, memory.size);
	}
	if (symmetry >= session.rules.board.symmetry_count)
		symmetry = 0;
	if (!search || !map_game(symmetry, &game))
		return session_refuse_with(MRL_SPACE, "the browser has no memory left for the computer");
	enum mrl_status status = mrl_search_run(search, &game, &limits, &result);

	if (status != MRL_OK && status != MRL_STOPPED)
		return session_refuse_with(status, mrl_status_text(status));
	map_result_back(symmetry);
	return session_answer(write_result);
}
