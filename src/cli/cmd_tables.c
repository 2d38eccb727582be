/* merels tables: builds exact tables, verifies, counts and asks them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/table.h>
#include <os/clock.h>
#include <os/interrupt.h>
#include <os/thread.h>

#include "commands.h"
#include "tables_player.h"
#include "tables_progress.h"
#include "tables_report.h"
#include "turns.h"

enum { DIRECTORY = 256, METRIC, THREADS, MEMORY, SAMPLE, SEED, FORMAT, HALF, ENDINGS };

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    {"dir", DIRECTORY, "FOLDER",
     "where the tables are, or are to be (default: your cache folder's\nmerels/tables/RULES)", CLI_CHOOSE_FILES},
    {"endings", ENDINGS, "MEN",
     "build: only endings without men in hand, as 6-4: at most 6 men\nagainst 4, either way round; else those of your "
     "cache folder",
     NULL},
    {"metric", METRIC, "METRIC",
     "build: value (win, draw or loss; the default), or distance:\nalso how many plies away", "value distance"},
    {"half", HALF, NULL, "build: leave out what a probe finds one turn on; half the size,\nand slower there", NULL},
    {"threads", THREADS, "N", "build: how many, 1 to 256 (default: one for each processor)", NULL},
    {"memory", MEMORY, "GIGABYTES", "build: the most to use (default: three quarters of what there is)", NULL},
    {"sample", SAMPLE, "N", "verify: N positions drawn at random instead of all", NULL},
    {"seed", SEED, "SEED", "verify: the seed they are drawn with (default: 1)", NULL},
    {"format", FORMAT, "FORMAT", "stats: text (the default), csv or json", "text csv json"},
    CLI_OPTION_POSITION,
    {0},
};

const struct cli_command cli_tables = {
    .name = "tables",
    .run = cmd_tables,
    .summary = "build exact tables of a rule set, verify, count and ask them",
    .usage = "build [--rules RULES] [--dir FOLDER] [--endings MEN] [--metric METRIC] [--half]\n       [--threads N] "
	     "[--memory GIGABYTES]\n"
	     "verify [--rules RULES] [--dir FOLDER] [--endings MEN]\n       [--sample N [--seed SEED]]\n"
	     "stats [--rules RULES] [--dir FOLDER] [--endings MEN] [--format FORMAT]\n"
	     "probe [--rules RULES] [--dir FOLDER] [--endings MEN] [--position POSITION]",
    .about = "build solves the rule set: the value of every position that can occur. It may be\n"
	     "stopped at any moment and goes on where it was when it is started again.\n"
	     "verify derives values anew from the positions one turn on, by the plain rules.\n"
	     "stats counts positions, wins, draws and losses of each sector and of all, and tells\n"
	     "the value of the start and of each first turn. probe tells those of one position, and\n"
	     "with distances how the game goes on to its end.\n"
	     "build --endings solves no more than endings, with distances: of nine 6-4 takes some\n"
	     "ten seconds. The other commands see by the folder what it holds.\n"
	     "Values hold with unlimited patience: the counters and repetition are left out.\n"
	     "Without --dir the tables are kept where the other commands look for them:\n"
	     "$XDG_CACHE_HOME/merels/tables/RULES, or ~/.cache/merels/tables/RULES; endings in\n"
	     "the folder endings/RULES beside them.",
    .options = options,
    .operands = "build verify stats probe",
    .examples = "merels tables build --rules six --dir tables/six --metric distance\n"
		"merels tables stats --rules six --dir tables/six --format csv\n"
		"merels tables build --rules nine --endings 6-4 --dir tables/nine-6-4\n"
		"merels tables verify --rules nine --dir tables/nine --sample 1000000",
};

struct arguments {
	const char *rules;
	const char *folder;
	const char *metric;
	const char *threads;
	const char *memory;
	const char *sample;
	const char *seed;
	const char *format;
	const char *position;
	const char *endings;
	bool half;
};

/* Blocks kept while asking: 256 MB. */
#define CACHE_BYTES ((size_t)256 << 20)

/* ---- build -------------------------------------------------------------------------------------------------- */

static int report(const struct mrl_error *error)
{
	cli_complain(&cli_tables, "%s", error->message);
	switch (error->status) {
	case MRL_SYSTEM:
	case MRL_SPACE:
	case MRL_BUSY:
		return CLI_SYSTEM;
	default:
		return CLI_NO;
	}
}

static int build(const struct mrl_rules *rules, const struct arguments *arguments, struct mrl_endings endings)
{
	struct mrl_table_build options_of_build = {.folder = arguments->folder,
						   .endings = endings,
						   .metric = endings.men > 0 ? MRL_TABLE_DISTANCE : MRL_TABLE_VALUE,
						   .half = arguments->half};
	struct tables_progress progress = tables_progress_begin();
	unsigned long threads = mrl_thread_processors();
	struct mrl_error error = {0};
	enum mrl_status status;
	int code = CLI_GO_ON;

	if (arguments->metric != NULL && strcmp(arguments->metric, "distance") == 0)
		options_of_build.metric = MRL_TABLE_DISTANCE;
	else if (arguments->metric != NULL && strcmp(arguments->metric, "value") == 0)
		options_of_build.metric = MRL_TABLE_VALUE;
	else if (arguments->metric != NULL)
		return cli_wrong_usage(&cli_tables, "--metric: '%s' is neither value nor distance", arguments->metric);
	if (arguments->threads != NULL)
		code = cli_read_number(&cli_tables, "threads", arguments->threads, 1, 256, &threads);
	if (code == CLI_GO_ON && arguments->memory != NULL) {
		unsigned long gigabytes = 0;

		code = cli_read_number(&cli_tables, "memory", arguments->memory, 1, 65536, &gigabytes);
		options_of_build.memory = (uint64_t)gigabytes << 30;
	}
	if (code != CLI_GO_ON)
		return code;
	options_of_build.threads = threads > 256 ? 256 : (unsigned)threads;
	options_of_build.watch = tables_progress_show;
	options_of_build.context = &progress;
	mrl_interrupt_catch();
	status = mrl_table_build(rules, &options_of_build, &error);
	tables_progress_end(&progress, status == MRL_OK);
	if (status == MRL_STOPPED) {
		cli_complain(&cli_tables, "stopped; the same command goes on from here");
		return CLI_NO;
	}
	return status == MRL_OK ? CLI_GOOD : report(&error);
}

/* ---- verify ------------------------------------------------------------------------------------------------- */

static void print_value(const struct mrl_table_value *value)
{
	char text[TABLES_VALUE_SIZE];

	tables_value_text(value, text);
	fputs(text, stdout);
}

static bool interrupted(void *context, uint64_t checked)
{
	(void)context;
	(void)checked;
	return mrl_interrupted();
}

static void print_wrong(const struct mrl_rules *rules, const struct mrl_table_check *check)
{
	char text[MRL_POSITION_TEXT_SIZE];

	mrl_position_write(rules, &check->position, text);
	printf("wrong: %" PRIu64 " positions, the first is %s: the table says ", check->wrong, text);
	print_value(&check->stored);
	fputs(", its turns say ", stdout);
	print_value(&check->derived);
	putchar('\n');
}

static int verify_all(struct mrl_tables *tables, const struct mrl_rules *rules)
{
	uint64_t checked = 0;
	uint64_t wrong = 0;

	for (size_t i = 0; i < mrl_tables_sectors(tables); i++) {
		struct mrl_table_check check;
		struct mrl_error error = {0};
		enum mrl_status status = mrl_tables_verify(tables, i, &check, interrupted, NULL, &error);

		if (status == MRL_STOPPED) {
			cli_complain(&cli_tables, "stopped");
			return CLI_NO;
		}
		if (status != MRL_OK)
			return report(&error);
		if (check.wrong > 0)
			print_wrong(rules, &check);
		checked += check.checked;
		wrong += check.wrong;
	}
	printf("%" PRIu64 " positions verified, %" PRIu64 " wrong\n", checked, wrong);
	return wrong == 0 ? CLI_GOOD : CLI_NO;
}

static int verify(struct mrl_tables *tables, const struct mrl_rules *rules, const struct arguments *arguments)
{
	unsigned long samples = 0;
	unsigned long seed = 1;
	struct mrl_table_check check;
	struct mrl_error error = {0};
	enum mrl_status status;
	int code = CLI_GO_ON;

	if (arguments->sample == NULL)
		return verify_all(tables, rules);
	code = cli_read_number(&cli_tables, "sample", arguments->sample, 1, 1000000000000, &samples);
	if (code == CLI_GO_ON && arguments->seed != NULL)
		code = cli_read_number(&cli_tables, "seed", arguments->seed, 0, UINT32_MAX, &seed);
	if (code != CLI_GO_ON)
		return code;
	status = mrl_tables_verify_sample(tables, samples, seed, &check, interrupted, NULL, &error);
	if (status != MRL_OK && status != MRL_STOPPED)
		return report(&error);
	if (check.wrong > 0)
		print_wrong(rules, &check);
	printf("%" PRIu64 " positions verified, %" PRIu64 " wrong, seed %lu\n", check.checked, check.wrong, seed);
	return check.wrong == 0 && status == MRL_OK ? CLI_GOOD : CLI_NO;
}

/* ---- stats, probe ------------------------------------------------------------------------------------------- */

static int stats(struct mrl_tables *tables, const struct mrl_rules *rules, const struct arguments *arguments)
{
	enum tables_format format = TABLES_TEXT;
	struct mrl_error error = {0};
	enum mrl_status status;

	if (arguments->format != NULL && strcmp(arguments->format, "csv") == 0)
		format = TABLES_CSV;
	else if (arguments->format != NULL && strcmp(arguments->format, "json") == 0)
		format = TABLES_JSON;
	else if (arguments->format != NULL && strcmp(arguments->format, "text") != 0)
		return cli_wrong_usage(&cli_tables, "--format: '%s' is none of text, csv, json", arguments->format);
	status = tables_report(tables, rules, format, &error);
	return status == MRL_OK ? CLI_GOOD : report(&error);
}

/* The turn that is best, by value and then by text; false when the game is over or a table cannot be read. */
static bool best_turn(struct mrl_tables *tables, const struct mrl_rules *rules, const struct mrl_position *position,
		      const struct mrl_table_value *value, struct cli_turn *best)
{
	struct cli_turns turns = {0};
	bool found = false;

	if (!cli_turns_list(&turns, rules, position))
		return false;
	for (size_t i = 0; i < turns.count && !found; i++) {
		struct mrl_table_value turn;

		if (tables_turn_value(tables, rules, position, &turns.turn[i].turn, &turn, NULL) != MRL_OK)
			break;
		found = turn.result == value->result && turn.plies == value->plies;
		if (found)
			*best = turns.turn[i];
	}
	cli_turns_release(&turns);
	return found;
}

/* The rest of a decided game, both sides playing as well as they can. */
static void print_line(struct mrl_tables *tables, const struct mrl_rules *rules, struct mrl_position position,
		       struct mrl_table_value value)
{
	struct cli_turn best;

	if (value.result == MRL_TABLE_DRAW || value.plies == MRL_TABLE_NO_PLIES || value.plies == 0)
		return;
	fputs("line:", stdout);
	while (value.plies > 0 && best_turn(tables, rules, &position, &value, &best)) {
		printf(" %s", best.text);
		(void)mrl_apply(rules, &position, &best.turn, NULL);
		if (mrl_tables_probe(tables, &position, &value, NULL) != MRL_OK)
			break;
	}
	putchar('\n');
}

static int probe(struct mrl_tables *tables, const struct mrl_rules *rules, const struct arguments *arguments)
{
	struct mrl_position position;
	struct mrl_table_value value;
	struct mrl_table_value of_turn;
	struct mrl_error error = {0};
	struct cli_turns turns = {0};
	int code = cli_read_position(&cli_tables, rules, arguments->position, &position);

	if (code != CLI_GO_ON)
		return code;
	if (mrl_tables_probe(tables, &position, &value, &error) != MRL_OK)
		return report(&error);
	fputs("position: ", stdout);
	print_value(&value);
	putchar('\n');
	if (!cli_turns_list(&turns, rules, &position))
		return cli_no_memory(&cli_tables);
	code = CLI_GOOD;
	for (size_t i = 0; i < turns.count && code == CLI_GOOD; i++) {
		if (tables_turn_value(tables, rules, &position, &turns.turn[i].turn, &of_turn, &error) != MRL_OK) {
			code = report(&error);
			break;
		}
		printf("%s: ", turns.turn[i].text);
		print_value(&of_turn);
		putchar('\n');
	}
	cli_turns_release(&turns);
	if (code == CLI_GOOD)
		print_line(tables, rules, position, value);
	return code;
}

/* Whether the folder holds what was asked for, where anything was. */
static bool holds(const struct mrl_tables *tables, struct mrl_endings wanted)
{
	struct mrl_endings there = mrl_tables_endings(tables);

	return wanted.men == 0 || (wanted.men == there.men && wanted.against == there.against) ||
	       (wanted.men == there.against && wanted.against == there.men);
}

static int ask(const struct mrl_rules *rules, const char *what, const struct arguments *arguments,
	       struct mrl_endings endings)
{
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};
	int code;

	if (mrl_tables_open(&tables, arguments->folder, rules, CACHE_BYTES, &error) != MRL_OK)
		return report(&error);
	if (!holds(tables, endings)) {
		cli_complain(&cli_tables, "%s: does not hold the endings of %u men against %u", arguments->folder,
			     endings.men, endings.against);
		code = CLI_NO;
	} else if (strcmp(what, "verify") == 0)
		code = verify(tables, rules, arguments);
	else if (strcmp(what, "stats") == 0)
		code = stats(tables, rules, arguments);
	else
		code = probe(tables, rules, arguments);
	mrl_tables_close(tables);
	return code;
}

/* ---- The command -------------------------------------------------------------------------------------------- */

static void take_option(struct arguments *arguments, int option, const char *value)
{
	const char **places[] = {&arguments->folder, &arguments->metric, &arguments->threads, &arguments->memory,
				 &arguments->sample, &arguments->seed,   &arguments->format};

	if (option == 'r')
		arguments->rules = value;
	else if (option == 'p')
		arguments->position = value;
	else if (option == HALF)
		arguments->half = true;
	else if (option == ENDINGS)
		arguments->endings = value;
	else
		*places[option - DIRECTORY] = value;
}

/* Men against men, as 6-4. */
static int read_endings(const char *text, struct mrl_endings *endings)
{
	char end;

	/* A number may not begin with a sign or a blank. */
	bool digits = strspn(text, "0123456789-") == strlen(text) && text[0] != '-' && strstr(text, "--") == NULL;

	if (digits && sscanf(text, "%2u-%2u%c", &endings->men, &endings->against, &end) == 2 && endings->men > 0 &&
	    endings->against > 0)
		return CLI_GO_ON;
	return cli_wrong_usage(&cli_tables, "--endings: '%s' is not men against men, such as 6-4", text);
}

/* The tables' folder, if none is said. */
static int find_folder(const struct mrl_rules *rules, struct arguments *arguments, struct mrl_endings endings,
		       char own_folder[MRL_TABLE_FOLDER_SIZE])
{
	struct mrl_error error = {0};

	if (arguments->folder != NULL)
		return CLI_GO_ON;
	if ((endings.men > 0 ? mrl_tables_home_endings : mrl_tables_home)(rules, own_folder, &error) != MRL_OK)
		return cli_wrong_usage(&cli_tables, "%s; say where with --dir", error.message);
	arguments->folder = own_folder;
	return CLI_GO_ON;
}

int cmd_tables(int argc, char **argv)
{
	static const char *const words[] = {"build", "verify", "stats", "probe"};
	static struct mrl_rules rules;
	struct cli_parse parse = cli_parse_begin(&cli_tables, argc, argv);
	struct arguments arguments = {0};
	char own_folder[MRL_TABLE_FOLDER_SIZE];
	struct mrl_endings endings = {0};
	const char *what = NULL;
	int option;
	int code;

	while ((option = cli_parse_next(&parse)) != 0)
		take_option(&arguments, option, parse.value);
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 1)
		return cli_wrong_usage(&cli_tables, "say one thing to do: build, verify, stats or probe");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(parse.operands[0], words[i]) == 0)
			what = words[i];
	if (what == NULL)
		return cli_wrong_usage(&cli_tables, "'%s' is none of build, verify, stats, probe", parse.operands[0]);
	code = cli_read_rules(&cli_tables, arguments.rules, &rules);
	if (code != CLI_GO_ON)
		return code;
	if (arguments.endings != NULL)
		code = read_endings(arguments.endings, &endings);
	if (code == CLI_GO_ON)
		code = find_folder(&rules, &arguments, endings, own_folder);
	if (code != CLI_GO_ON)
		return code;
	return strcmp(what, "build") == 0 ? build(&rules, &arguments, endings) : ask(&rules, what, &arguments, endings);
}
