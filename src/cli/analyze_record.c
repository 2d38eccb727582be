/* An analysis as an annotated record: scores, marks, and the better line as a variation. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 8 };

/* What is added to one turn of the record, in memory that outlives its being written. */
struct addition {
	char score[16];
	char words[64];
	struct mrl_record_comment comment;
	struct mrl_record_nag nag;
	struct mrl_record_line line;
	struct mrl_record_turn turns[LINE_SHOWN];
};

/* As in [%eval]: men for White, or # and the plies to White's win, negative for Black's. */
static void write_eval(int score, unsigned side, char text[16])
{
	int white = side == MRL_WHITE ? score : -score;

	if (white > MRL_SCORE_DECIDED)
		(void)snprintf(text, 16, "#%d", MRL_SCORE_WIN - white);
	else if (white < -MRL_SCORE_DECIDED)
		(void)snprintf(text, 16, "#-%d", MRL_SCORE_WIN + white);
	else
		(void)snprintf(text, 16, "%.2f", (double)white / 100);
}

static unsigned nag_of(int loss)
{
	/* The numbers that PGN gives to ?!, ? and ??. */
	if (loss >= ANALYZE_BLUNDER)
		return 4;
	return loss >= ANALYZE_MISTAKE ? 2 : 6;
}

static void add_comment(struct mrl_record_turn *turn, struct addition *addition)
{
	struct mrl_record_comment **end = &turn->after;

	while (*end != NULL)
		end = &(*end)->next;
	addition->comment.text = addition->words;
	*end = &addition->comment;
}

static void add_nag(struct mrl_record_turn *turn, struct addition *addition, unsigned number)
{
	struct mrl_record_nag **end = &turn->nags;

	for (; *end != NULL; end = &(*end)->next)
		if ((*end)->number == number)
			return;
	addition->nag.number = number;
	*end = &addition->nag;
}

/* The best line, as far as it can be played, behind the variations that are there already. */
static void add_variation(struct mrl_record_turn *turn, const struct analyze_line *best, struct cli_game *game,
			  struct addition *addition)
{
	struct mrl_record_line **end = &turn->variations;
	size_t before = game->game.count;
	unsigned count = 0;

	for (; count < best->length && count < LINE_SHOWN; count++) {
		struct mrl_record_turn *added = &addition->turns[count];

		if (cli_game_play(game, &best->turns[count], NULL) != MRL_OK)
			break;
		added->turn = best->turns[count];
		added->ply = turn->ply + count;
		added->line = &addition->line;
		added->clock = MRL_NO_CLOCK;
		added->previous = count > 0 ? added - 1 : NULL;
		if (count > 0)
			added[-1].next = added;
	}
	while (game->game.count > before)
		(void)mrl_game_back(&game->game);
	if (count == 0)
		return;
	addition->line.first = &addition->turns[0];
	addition->line.last = &addition->turns[count - 1];
	addition->line.replaces = turn;
	while (*end != NULL)
		end = &(*end)->next;
	*end = &addition->line;
}

static void annotate(struct mrl_record_turn *turn, const struct analyze_turn *looked, struct cli_game *game,
		     struct addition *addition)
{
	write_eval(looked->score, looked->before.side, addition->score);
	turn->evaluation = addition->score;
	if (looked->loss < ANALYZE_INACCURACY)
		return;
	(void)snprintf(addition->words, sizeof(addition->words), "loses %.2f at depth %u", (double)looked->loss / 100,
		       looked->depth);
	add_comment(turn, addition);
	add_nag(turn, addition, nag_of(looked->loss));
	add_variation(turn, &looked->lines[0], game, addition);
}

bool analyze_print_record(const struct analysis *analysis, struct mrl_record *record)
{
	struct addition *additions = calloc(analysis->count + 1, sizeof(*additions));
	struct mrl_record_turn *turn = record->line.first;
	struct cli_game game;
	char *text = NULL;

	if (additions == NULL)
		return false;
	cli_game_init(&game, record->rules, &record->start);
	for (size_t i = 0; i < analysis->count && turn != NULL; i++) {
		if (analysis->turns[i].played)
			annotate(turn, &analysis->turns[i], &game, &additions[i]);
		(void)!cli_game_play(&game, &turn->turn, NULL);
		turn = turn->next;
	}
	cli_game_release(&game);
	size_t length = mrl_record_write(record, NULL, 0);

	text = malloc(length + 1);
	if (text != NULL) {
		(void)mrl_record_write(record, text, length + 1);
		(void)fputs(text, stdout);
	}
	free(text);
	free(additions);
	return text != NULL;
}
