/* What a match tells: progress, what goes wrong, the records, the table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/record.h>
#include <os/clock.h>
#include <os/terminal.h>

#include "commands.h"
#include "match.h"

#define SECOND UINT64_C(1000000000)

/* ---- Records ------------------------------------------------------------------------------------------------ */

bool match_show_begin(struct match_show *show, const struct match_plan *plan)
{
	*show = (struct match_show){.plan = plan, .live = mrl_terminal_errors()};
	if (plan->record_path == NULL)
		return true;
	show->records = fopen(plan->record_path, "a");
	if (show->records != NULL)
		return true;
	cli_complain(&cli_match, "%s: cannot be written", plan->record_path);
	return false;
}

void match_show_end(struct match_show *show)
{
	if (show->records != NULL)
		(void)fclose(show->records);
	show->records = NULL;
}

static void write_time_control(const struct match_plan *plan, size_t white, size_t black, char *text, size_t size)
{
	const struct match_limits *a = &plan->engines[white].limits;
	const struct match_limits *b = &plan->engines[black].limits;

	if (a->has_clock && b->has_clock && a->base == b->base && a->increment == b->increment)
		(void)snprintf(text, size, "%g+%g", (double)a->base / 1000, (double)a->increment / 1000);
	else
		(void)snprintf(text, size, "-");
}

/* The tags; false when there is no room. */
static bool set_tags(const struct match_show *show, struct mrl_arena *arena, struct mrl_record *record, uint64_t number,
		     size_t white, size_t black, const struct match_result *result)
{
	const struct match_plan *plan = show->plan;
	char date[16] = "????.??.??";
	char round[32];
	char control[64];
	time_t now = time(NULL);
	struct tm *day = localtime(&now);

	if (day != NULL)
		(void)strftime(date, sizeof(date), "%Y.%m.%d", day);
	(void)snprintf(round, sizeof(round), "%llu.%llu", (unsigned long long)(number / 2 + 1),
		       (unsigned long long)(number % 2 + 1));
	write_time_control(plan, white, black, control, sizeof(control));
	bool named_end = result->reason == MRL_REASON_NONE && result->termination[0] != '\0';
	const char *const tags[][2] = {{"Event", plan->event},
				       {"Site", "?"},
				       {"Date", date},
				       {"Round", round},
				       {"White", plan->engines[white].name},
				       {"Black", plan->engines[black].name},
				       {"TimeControl", control},
				       {named_end ? "Termination" : NULL, result->termination}};

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i][0] != NULL && mrl_record_set_tag(arena, record, tags[i][0], tags[i][1], NULL) == MRL_SPACE)
			return false;
	return true;
}

/* What stands beside the turns, in memory of the caller that outlives the record. */
struct remark {
	struct mrl_record_comment comment;
	char text[64];
};

static void add_notes(struct mrl_record *record, const struct match_result *result, struct remark *remarks)
{
	for (struct mrl_record_turn *turn = record->line.first; turn != NULL; turn = turn->next) {
		struct remark *remark = &remarks[turn->ply];

		if (turn->ply + 1 == result->opening_plies) {
			(void)snprintf(remark->text, sizeof(remark->text), "end of the opening");
		} else if (turn->ply >= result->opening_plies &&
			   turn->ply - result->opening_plies < result->note_count) {
			const struct match_note *note = &result->notes[turn->ply - result->opening_plies];

			if (note->score[0] != '\0')
				turn->evaluation = note->score;
			if (note->has_clock)
				turn->clock = note->clock;
			(void)snprintf(remark->text, sizeof(remark->text), "depth %u, %.3f s", note->depth,
				       (double)note->elapsed / 1e9);
		} else {
			continue;
		}
		remark->comment.text = remark->text;
		turn->after = &remark->comment;
	}
}

/* The text of a finished game, to be freed; NULL when there is no memory. */
static char *record_text(const struct match_show *show, uint64_t number, size_t white, size_t black,
			 const struct match_result *result)
{
	const struct mrl_game *game = &result->opening.game.game;
	struct remark *remarks = calloc(game->count + 1, sizeof(*remarks));
	char *text = NULL;

	for (size_t size = 65536 + 512 * game->count; text == NULL && remarks != NULL && size < (size_t)1 << 30;
	     size *= 2) {
		void *memory = malloc(size);

		if (memory == NULL)
			break;
		struct mrl_arena arena = mrl_arena_in(memory, size);
		struct mrl_record *record;

		if (mrl_record_make(&arena, game, &record) == MRL_OK &&
		    set_tags(show, &arena, record, number, white, black, result)) {
			if (game->verdict.outcome == MRL_ONGOING)
				(void)!mrl_record_set_result(record, result->outcome, result->reason, NULL);
			add_notes(record, result, remarks);
			size_t length = mrl_record_write(record, NULL, 0);

			text = malloc(length + 1);
			if (text == NULL)
				size = (size_t)1 << 30;
			else
				(void)mrl_record_write(record, text, length + 1);
		}
		free(memory);
	}
	free(remarks);
	return text;
}

/* Behind the records that are there already; each is written whole at once, so an end in between leaves whole games. */
static bool write_record(struct match_show *show, uint64_t number, size_t white, size_t black,
			 const struct match_result *result)
{
	char *text = record_text(show, number, white, black, result);

	if (text == NULL) {
		(void)cli_no_memory(&cli_match);
		return false;
	}
	bool good = fprintf(show->records, "%s\n", text) > 0 && fflush(show->records) == 0;

	free(text);
	if (!good)
		cli_complain(&cli_match, "%s: cannot be written", show->plan->record_path);
	return good;
}

/* ---- Progress ----------------------------------------------------------------------------------------------- */

static void write_elo(const struct match_elo *elo, char *text, size_t size)
{
	if (isfinite(elo->elo) && isfinite(elo->error))
		(void)snprintf(text, size, "%+.1f +- %.1f", elo->elo, elo->error);
	else if (isfinite(elo->elo))
		(void)snprintf(text, size, "%+.1f", elo->elo);
	else
		(void)snprintf(text, size, "%cinf", elo->elo > 0 ? '+' : '-');
}

static void write_left(const struct match_totals *totals, char *text, size_t size)
{
	double passed = mrl_clock_since(totals->begin);
	double left =
	    totals->games == 0 ? 0 : passed / (double)totals->games * (double)(totals->wanted - totals->games);
	unsigned long seconds = (unsigned long)(left + 0.5);

	(void)snprintf(text, size, "%lu:%02lu:%02lu left", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* One line on how far the match is, without its end. */
static void write_progress(const struct match_show *show, const struct match_totals *totals, char *line, size_t size)
{
	const struct match_plan *plan = show->plan;
	char left[48];
	int used;

	write_left(totals, left, sizeof(left));
	used = snprintf(line, size, "%llu/%llu games", (unsigned long long)totals->games,
			(unsigned long long)totals->wanted);
	if (plan->engine_count == 2) {
		const struct match_tally *tally = &totals->results[1];
		struct match_elo elo = match_elo(tally);
		char text[48];

		write_elo(&elo, text, sizeof(text));
		used += snprintf(line + used, size - (size_t)used, "  +%llu =%llu -%llu  Elo %s",
				 (unsigned long long)tally->wins, (unsigned long long)tally->draws,
				 (unsigned long long)tally->losses, text);
		if (plan->has_sprt)
			used += snprintf(line + used, size - (size_t)used, "  LLR %.2f (%.2f, %.2f)",
					 match_sprt_ratio(&plan->sprt, tally->pairs), match_sprt_lower(&plan->sprt),
					 match_sprt_upper(&plan->sprt));
	}
	(void)snprintf(line + used, size - (size_t)used, "  %s", left);
}

/* A line that stays, above the one that is overwritten. */
static void say(const struct match_show *show, const char *line)
{
	if (show->live)
		fprintf(stderr, "\r\033[K%s\n", line);
	else
		fprintf(stderr, "%s\n", line);
}

bool match_show_game(struct match_show *show, const struct match_totals *totals, uint64_t number, size_t white,
		     size_t black, const struct match_result *result)
{
	uint64_t now = mrl_clock_now();
	char line[512];

	if (result->failed) {
		(void)snprintf(line, sizeof(line), "game %llu lost: %s", (unsigned long long)(number + 1),
			       result->termination);
		say(show, line);
	}
	bool last = totals->games == totals->wanted;
	/* Not a terminal: a line each ten seconds, and each tenth part. */
	uint64_t step = totals->wanted / 10 + 1;
	bool due = show->live ? now >= show->next : now >= show->next || totals->games >= show->told + step;

	if (due || last) {
		write_progress(show, totals, line, sizeof(line));
		if (show->live)
			fprintf(stderr, "\r\033[K%s", line);
		else
			fprintf(stderr, "%s\n", line);
		(void)fflush(stderr);
		show->next = now + (show->live ? SECOND / 5 : 10 * SECOND);
		show->told = totals->games;
	}
	return show->records == NULL || write_record(show, number, white, black, result);
}

/* ---- Table -------------------------------------------------------------------------------------------------- */

static double share(const struct match_tally *tally)
{
	uint64_t games = match_tally_games(tally);

	return games == 0 ? 0.5 : ((double)tally->wins + (double)tally->draws / 2) / (double)games;
}

static void show_two(const struct match_plan *plan, const struct match_totals *totals)
{
	const struct match_tally *tally = &totals->results[1];
	struct match_elo elo = match_elo(tally);
	char text[48];

	write_elo(&elo, text, sizeof(text));
	printf("%s against %s, %s: %llu games\n", plan->engines[0].name, plan->engines[1].name, plan->rules_text,
	       (unsigned long long)match_tally_games(tally));
	printf("  won %llu, drawn %llu, lost %llu: %.1f %% of the points\n", (unsigned long long)tally->wins,
	       (unsigned long long)tally->draws, (unsigned long long)tally->losses, 100 * share(tally));
	printf("  pairs by points (0, 1/2, 1, 3/2, 2): %llu %llu %llu %llu %llu\n", (unsigned long long)tally->pairs[0],
	       (unsigned long long)tally->pairs[1], (unsigned long long)tally->pairs[2],
	       (unsigned long long)tally->pairs[3], (unsigned long long)tally->pairs[4]);
	printf("  Elo %s (95 %%), likelihood of superiority %.1f %%\n", text, 100 * elo.superiority);
	if (!plan->has_sprt)
		return;
	printf("  SPRT of %g against %g Elo: LLR %.2f in (%.2f, %.2f), %s\n", plan->sprt.elo0, plan->sprt.elo1,
	       match_sprt_ratio(&plan->sprt, tally->pairs), match_sprt_lower(&plan->sprt),
	       match_sprt_upper(&plan->sprt),
	       totals->decision == MATCH_ELO1   ? "the upper value is accepted"
	       : totals->decision == MATCH_ELO0 ? "the lower value is accepted"
						: "nothing is decided");
}

static void show_many(const struct match_plan *plan, const struct match_totals *totals)
{
	double elo[MATCH_MAX_ENGINES];
	double error[MATCH_MAX_ENGINES];
	size_t order[MATCH_MAX_ENGINES];
	size_t count = plan->engine_count;
	int widest = 6;

	match_ratings(count, totals->results, elo, error);
	for (size_t i = 0; i < count; i++) {
		size_t at = i;

		for (; at > 0 && elo[order[at - 1]] < elo[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
		if ((int)strlen(plan->engines[i].name) > widest)
			widest = (int)strlen(plan->engines[i].name);
	}
	printf("%-*s     Elo    +-  games    won  drawn   lost      %%\n", widest, "engine");
	for (size_t row = 0; row < count; row++) {
		size_t i = order[row];
		struct match_tally sum = {0};

		for (size_t j = 0; j < count; j++) {
			sum.wins += totals->results[i * count + j].wins;
			sum.draws += totals->results[i * count + j].draws;
			sum.losses += totals->results[i * count + j].losses;
		}
		printf("%-*s  %+6.0f  %4.0f  %5llu  %5llu  %5llu  %5llu  %5.1f\n", widest, plan->engines[i].name,
		       elo[i], isfinite(error[i]) ? error[i] : 9999, (unsigned long long)match_tally_games(&sum),
		       (unsigned long long)sum.wins, (unsigned long long)sum.draws, (unsigned long long)sum.losses,
		       100 * share(&sum));
	}
	puts("\nPoints of the row against the column, in %:");
	printf("%-*s", widest, "");
	for (size_t column = 0; column < count; column++)
		printf("  %5zu", column + 1);
	puts("");
	for (size_t row = 0; row < count; row++) {
		printf("%-*s", widest, plan->engines[order[row]].name);
		for (size_t column = 0; column < count; column++) {
			const struct match_tally *tally = &totals->results[order[row] * count + order[column]];

			if (match_tally_games(tally) == 0)
				printf("      .");
			else
				printf("  %5.1f", 100 * share(tally));
		}
		puts("");
	}
}

void match_show_table(const struct match_show *show, const struct match_totals *totals)
{
	const struct match_plan *plan = show->plan;
	double seconds = mrl_clock_since(totals->begin);

	if (show->live)
		fprintf(stderr, "\r\033[K");
	if (totals->interrupted)
		puts("interrupted; so far:");
	if (plan->engine_count == 2)
		show_two(plan, totals);
	else
		show_many(plan, totals);
	for (size_t i = 0; i < plan->engine_count; i++)
		if (totals->failures[i] > 0)
			printf("%s lost %u games by a crash, an illegal turn or on time\n", plan->engines[i].name,
			       totals->failures[i]);
	printf("%llu games, %llu turns in %.0f s\n", (unsigned long long)totals->games,
	       (unsigned long long)totals->turns, seconds);
}
