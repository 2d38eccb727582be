/* What the turns of a game were worth. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

/* ---- One position ------------------------------------------------------------------------------------------- */

/* A win counts like a lead that wins anyway, so that the way to it does not count. */
static int worth(int score)
{
	if (score > ANALYZE_WIN_WORTH)
		return ANALYZE_WIN_WORTH;
	return score < -ANALYZE_WIN_WORTH ? -ANALYZE_WIN_WORTH : score;
}

static bool keep_lines(struct analyze_turn *turn, const struct mrl_player_report *report)
{
	const struct mrl_search_result *result = &report->result;

	turn->depth = result->depth;
	turn->nodes = report->nodes;
	turn->lines = malloc(result->line_count * sizeof(*turn->lines));
	if (turn->lines == NULL)
		return false;
	turn->line_count = result->line_count;
	for (unsigned i = 0; i < result->line_count; i++) {
		turn->lines[i].score = result->lines[i].score;
		turn->lines[i].length = result->lines[i].length;
		memcpy(turn->lines[i].turns, result->lines[i].turns, sizeof(turn->lines[i].turns));
	}
	return true;
}

/* The score of the turn that was played: one of the lines, or looked at alone to the depth of the best. */
static int score_played(struct mrl_player *player, const struct mrl_game *game, const struct mrl_player_limits *limits,
			const struct analyze_turn *turn, struct mrl_player_report *report)
{
	for (unsigned i = 0; i < turn->line_count; i++)
		if (mrl_turn_equal(&turn->lines[i].turns[0], &turn->turn))
			return turn->lines[i].score;
	struct mrl_player_limits alone = *limits;

	alone.lines = 1;
	alone.only = &turn->turn;
	alone.only_count = 1;
	if (turn->depth > 0)
		alone.depth = turn->depth;
	if (mrl_player_think(player, game, &alone, report) != MRL_OK)
		return turn->lines[0].score;
	return report->result.lines[0].score;
}

/* False when there is no memory. `played` may be NULL. */
static bool look(struct analyze_turn *turn, struct mrl_player *player, const struct mrl_game *game,
		 const struct mrl_player_limits *limits, const struct mrl_turn *played)
{
	struct mrl_player_report *report = malloc(sizeof(*report));
	bool good = report != NULL;

	*turn = (struct analyze_turn){.before = game->position, .ply = game->count};
	if (good && game->verdict.outcome == MRL_ONGOING) {
		enum mrl_status status = mrl_player_think(player, game, limits, report);

		good = (status == MRL_OK || status == MRL_STOPPED) && keep_lines(turn, report);
	}
	if (good && played != NULL && turn->line_count > 0) {
		turn->played = true;
		turn->turn = *played;
		turn->score = score_played(player, game, limits, turn, report);
		turn->loss = worth(turn->lines[0].score) - worth(turn->score);
		if (turn->loss < 0)
			turn->loss = 0;
	}
	free(report);
	return good;
}

bool analyze_position(struct analysis *analysis, struct mrl_player *player, const struct mrl_game *game,
		      const struct mrl_player_limits *limits)
{
	*analysis = (struct analysis){.rules = game->rules};
	analysis->turns = malloc(sizeof(*analysis->turns));
	if (analysis->turns == NULL)
		return false;
	analysis->count = 1;
	return look(&analysis->turns[0], player, game, limits, NULL);
}

/* ---- A game ------------------------------------------------------------------------------------------------- */

bool analyze_record(struct analysis *analysis, struct mrl_player *player, const struct mrl_record *record,
		    const struct mrl_player_limits *limits, void (*progress)(size_t at, size_t count))
{
	struct cli_game game;
	bool good = true;

	*analysis = (struct analysis){.rules = record->rules, .record = record};
	analysis->turns = calloc(record->count + 1, sizeof(*analysis->turns));
	if (analysis->turns == NULL)
		return false;
	mrl_player_clear(player);
	cli_game_init(&game, record->rules, &record->start);
	for (const struct mrl_record_turn *turn = record->line.first; good && turn != NULL; turn = turn->next) {
		if (progress != NULL)
			progress(analysis->count, record->count);
		good = look(&analysis->turns[analysis->count++], player, &game.game, limits, &turn->turn) &&
		       cli_game_play(&game, &turn->turn, NULL) == MRL_OK;
	}
	cli_game_release(&game);
	return good;
}

void analyze_release(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->count; i++)
		free(analysis->turns[i].lines);
	free(analysis->turns);
	*analysis = (struct analysis){0};
}

/* ---- What to call it ---------------------------------------------------------------------------------------- */

const char *analyze_mark(int loss)
{
	if (loss >= ANALYZE_BLUNDER)
		return "??";
	if (loss >= ANALYZE_MISTAKE)
		return "?";
	return loss >= ANALYZE_INACCURACY ? "?!" : "";
}

void analyze_score_text(int score, unsigned side, char text[ANALYZE_SCORE_SIZE])
{
	int white = side == MRL_WHITE ? score : -score;

	if (white > MRL_SCORE_DECIDED)
		(void)snprintf(text, ANALYZE_SCORE_SIZE, "win in %d", MRL_SCORE_WIN - white);
	else if (white < -MRL_SCORE_DECIDED)
		(void)snprintf(text, ANALYZE_SCORE_SIZE, "loss in %d", MRL_SCORE_WIN + white);
	else if (white > MRL_SCORE_KNOWN || white < -MRL_SCORE_KNOWN)
		(void)snprintf(text, ANALYZE_SCORE_SIZE, white > 0 ? "win" : "loss");
	else
		(void)snprintf(text, ANALYZE_SCORE_SIZE, "%+.2f", (double)white / 100);
}

struct analyze_sum analyze_sum_of(const struct analysis *analysis, unsigned side)
{
	struct analyze_sum sum = {0};
	double loss = 0;

	for (size_t i = 0; i < analysis->count; i++) {
		const struct analyze_turn *turn = &analysis->turns[i];

		if (!turn->played || turn->before.side != side)
			continue;
		sum.turns++;
		loss += turn->loss;
		if (turn->loss >= ANALYZE_BLUNDER)
			sum.blunders++;
		else if (turn->loss >= ANALYZE_MISTAKE)
			sum.mistakes++;
		else if (turn->loss >= ANALYZE_INACCURACY)
			sum.inaccuracies++;
	}
	sum.average_loss = sum.turns > 0 ? loss / sum.turns : 0;
	return sum;
}
