/* Games: history, repetition, and the verdict after each turn. */
#include "rules_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

/* Men on the board and in hand; it never grows, and a position can only recur while it and the hands stay equal. */
static bool may_recur(const struct mrl_position *a, const struct mrl_position *b)
{
	return a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1] &&
	       mrl_popcount(a->men[0]) == mrl_popcount(b->men[0]) && mrl_popcount(a->men[1]) == mrl_popcount(b->men[1]);
}

unsigned mrl_game_occurrences(const struct mrl_game *game)
{
	const struct mrl_position *now = &game->position;
	unsigned occurrences = 1;

	for (size_t i = game->count; i-- > 0;) {
		const struct mrl_position *before = &game->plies[i].before;

		if (!may_recur(before, now))
			break;
		if (before->hash == now->hash && mrl_position_same(before, now))
			occurrences++;
	}
	return occurrences;
}

static void decide(struct mrl_game *game)
{
	game->verdict = mrl_position_verdict(game->rules, &game->position);
	if (game->verdict.outcome == MRL_ONGOING && game->rules->repetition != 0 &&
	    mrl_game_occurrences(game) >= game->rules->repetition)
		game->verdict = (struct mrl_verdict){MRL_DRAW, MRL_REASON_REPETITION};
}

void mrl_game_init(struct mrl_game *game, const struct mrl_rules *rules, const struct mrl_position *start,
		   struct mrl_ply *plies, size_t capacity)
{
	*game = (struct mrl_game){.rules = rules, .plies = plies, .capacity = capacity};
	if (start != NULL)
		game->position = *start;
	else
		mrl_position_start(rules, &game->position);
	game->position.hash = mrl_position_hash(rules, &game->position);
	decide(game);
}

void mrl_game_move(struct mrl_game *game, struct mrl_ply *plies, size_t capacity)
{
	game->plies = plies;
	game->capacity = capacity;
}

enum mrl_status mrl_game_play(struct mrl_game *game, const struct mrl_turn *turn, struct mrl_error *error)
{
	enum mrl_status status;
	struct mrl_text text;

	if (game->verdict.outcome != MRL_ONGOING) {
		text = mrl_error_open(error, MRL_DECIDED, 0, 0);
		mrl_text_add(&text, "the game is over: ");
		mrl_text_add(&text, mrl_outcome_text(game->verdict.outcome));
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, mrl_reason_text(game->verdict.reason));
		return MRL_DECIDED;
	}
	status = mrl_turn_check(game->rules, &game->position, turn, error);
	if (status != MRL_OK)
		return status;
	if (game->count == game->capacity) {
		text = mrl_error_open(error, MRL_SPACE, 0, 0);
		mrl_text_add(&text, "the history is full");
		return MRL_SPACE;
	}
	game->plies[game->count++] = (struct mrl_ply){game->position, *turn};
	mrl_apply(game->rules, &game->position, turn, NULL);
	decide(game);
	return MRL_OK;
}

struct mrl_verdict mrl_game_verdict_after(const struct mrl_game *game, const struct mrl_turn *turn)
{
	struct mrl_game after = *game;

	/* The present position is missing from the history, but with the other side to move it is not the new one. */
	mrl_apply(game->rules, &after.position, turn, NULL);
	decide(&after);
	return after.verdict;
}

bool mrl_game_back(struct mrl_game *game)
{
	if (game->count == 0)
		return false;
	game->position = game->plies[--game->count].before;
	game->verdict = (struct mrl_verdict){MRL_ONGOING, MRL_REASON_NONE}; /* a turn was played from here */
	return true;
}
