/* An analysis to read. */
#include "analyze.h"

#include <merels/notation.h>

static void print_turns(const struct mrl_rules *rules, const struct analyze_line *line, unsigned from, unsigned most)
{
	for (unsigned i = from; i < line->length && i < most; i++) {
		char text[MRL_TURN_TEXT_SIZE];

		(void)mrl_turn_write(&rules->board, &line->turns[i], text);
		printf("%s%s", i > from ? " " : "", text);
	}
}

static void print_position(const struct analysis *analysis)
{
	const struct analyze_turn *turn = &analysis->turns[0];
	char position[MRL_POSITION_TEXT_SIZE];

	(void)mrl_position_write(analysis->rules, &turn->before, position);
	puts(position);
	if (turn->line_count == 0) {
		struct mrl_verdict verdict = mrl_position_verdict(analysis->rules, &turn->before);

		printf("decided: %s %s\n", mrl_outcome_text(verdict.outcome), mrl_reason_text(verdict.reason));
		return;
	}
	printf("depth %u, %llu nodes; scores are for White\n", turn->depth, (unsigned long long)turn->nodes);
	for (unsigned i = 0; i < turn->line_count; i++) {
		char score[ANALYZE_SCORE_SIZE];

		analyze_score_text(turn->lines[i].score, turn->before.side, score);
		printf("%2u. %10s  ", i + 1, score);
		print_turns(analysis->rules, &turn->lines[i], 0, MRL_MAX_DEPTH);
		puts("");
	}
}

static void print_turn(const struct analysis *analysis, const struct analyze_turn *turn)
{
	enum { LINE_SHOWN = 8 };
	size_t ply = turn->ply + analysis->record->start.side;
	char number[32];
	char turn_text[MRL_TURN_TEXT_SIZE];
	char text[MRL_TURN_TEXT_SIZE + 4];
	char score[ANALYZE_SCORE_SIZE];

	(void)snprintf(number, sizeof(number), "%zu%s", ply / 2 + 1, ply % 2 == 0 ? "." : "...");
	(void)mrl_turn_write(&analysis->rules->board, &turn->turn, turn_text);
	(void)snprintf(text, sizeof(text), "%s%s", turn_text, analyze_mark(turn->loss));
	analyze_score_text(turn->score, turn->before.side, score);
	printf("%6s %-12s %10s", number, text, score);
	if (turn->loss >= ANALYZE_INACCURACY) {
		char best[ANALYZE_SCORE_SIZE];

		analyze_score_text(turn->lines[0].score, turn->before.side, best);
		printf("  loses %.2f; best %s: ", (double)turn->loss / 100, best);
		print_turns(analysis->rules, &turn->lines[0], 0, LINE_SHOWN);
	} else if (mrl_turn_equal(&turn->turn, &turn->lines[0].turns[0])) {
		printf(turn->lines[0].length > 1 ? "  best; then " : "  best");
		print_turns(analysis->rules, &turn->lines[0], 1, LINE_SHOWN);
	} else {
		printf("  or ");
		print_turns(analysis->rules, &turn->lines[0], 0, LINE_SHOWN);
	}
	puts("");
}

static const char *ending(unsigned count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

static void print_sum(const struct analysis *analysis, unsigned side)
{
	struct analyze_sum sum = analyze_sum_of(analysis, side);

	printf("%s: %u turn%s, %.2f lost on average, %u inaccurac%s, %u mistake%s, %u blunder%s\n",
	       side == MRL_WHITE ? "White" : "Black", sum.turns, ending(sum.turns, "", "s"), sum.average_loss / 100,
	       sum.inaccuracies, ending(sum.inaccuracies, "y", "ies"), sum.mistakes, ending(sum.mistakes, "", "s"),
	       sum.blunders, ending(sum.blunders, "", "s"));
}

void analyze_print_text(const struct analysis *analysis)
{
	const struct mrl_record *record = analysis->record;
	char rules[MRL_RULES_NAME_SIZE];

	if (record == NULL) {
		print_position(analysis);
		return;
	}
	const char *white = mrl_record_tag(record, "White");
	const char *black = mrl_record_tag(record, "Black");

	mrl_rules_write(analysis->rules, rules);
	printf("%s - %s, %s: %s %s\n", white != NULL ? white : "White", black != NULL ? black : "Black", rules,
	       mrl_outcome_text(record->outcome), mrl_reason_text(record->reason));
	puts("scores and losses are in men, scores for White");
	for (size_t i = 0; i < analysis->count; i++)
		if (analysis->turns[i].played)
			print_turn(analysis, &analysis->turns[i]);
	print_sum(analysis, MRL_WHITE);
	print_sum(analysis, MRL_BLACK);
}
