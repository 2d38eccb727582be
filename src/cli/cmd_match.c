/* merels match: plays engines against each other. */
#include <stdlib.h>
#include <string.h>

#include <os/thread.h>

#include "commands.h"
#include "match.h"

enum {
	EACH = 256,
	ADJUDICATE_DRAW,
	ADJUDICATE_WIN,
	MOST_PLIES,
	MARGIN,
	PATIENCE,
	OPENING_PLIES,
	OPENING_SCORE,
	OPENINGS,
	RECORDS,
	EVENT,
	SEED,
	SPRT,
	LOUD
};

static const struct cli_option options[] = {
    {"engine", 'e', "COMMAND [SETTING]...",
     "an engine, two or more; its settings follow as words:\n"
     "name=NAME, option.NAME=VALUE, tc=SECONDS+INCREMENT,\nmovetime=MILLISECONDS, nodes=N, depth=PLIES",
     NULL},
    {"each", EACH, "SETTING...", "settings of all engines that do not say otherwise", NULL},
    CLI_OPTION_RULES,
    {"rounds", 'n', "N", "openings that each two play, with both colours (default 100)", NULL},
    {"concurrency", 'j', "N", "games at a time (default: one for each processor)", NULL},
    {"pgn", RECORDS, "FILE", "append the records of the games as they end", CLI_CHOOSE_FILES},
    {"event", EVENT, "NAME", "tag Event of the records (default \"Match\")", NULL},
    {"openings", OPENINGS, "FILE",
     "a line for each opening: turns, or a position and\n"
     "perhaps `moves` and turns; # begins a comment",
     CLI_CHOOSE_FILES},
    {"opening-plies", OPENING_PLIES, "N", "random turns of an opening (default 6, in small games 2)", NULL},
    {"opening-score", OPENING_SCORE, "N",
     "how much better a side may be after it, in hundredths of\n"
     "a man (default 40)",
     NULL},
    {"seed", SEED, "N", "what the random openings come from (default 1)", NULL},
    {"sprt", SPRT, "ELO0,ELO1[,ALPHA,BETA]",
     "end when it is decided whether the first engine is ELO1\n"
     "or but ELO0 better (errors default 0.05,0.05)",
     NULL},
    {"adjudicate-draw", ADJUDICATE_DRAW, "PLIES,N,SCORE", "draw when after PLIES both see at most SCORE for N plies",
     NULL},
    {"adjudicate-win", ADJUDICATE_WIN, "N,SCORE", "end when both see at least SCORE for one side for N plies", NULL},
    {"max-plies", MOST_PLIES, "N", "draw after so many plies (default 2000; 0: never)", NULL},
    {"margin", MARGIN, "MILLISECONDS", "how late an answer may be (default 100)", NULL},
    {"patience", PATIENCE, "SECONDS", "the most for any answer (default 60)", NULL},
    {"loud", LOUD, NULL, "let the engines write to standard error", NULL},
    {0},
};

const struct cli_command cli_match = {
    .name = "match",
    .run = cmd_match,
    .summary = "play engines against each other and tell who is stronger",
    .usage = "--engine COMMAND [SETTING]... --engine COMMAND [SETTING]... [OPTION]...",
    .about = "Plays programs that speak the engine protocol, each opening with both colours, and\n"
	     "prints a table: for two engines the points, the difference in Elo and its 95 %\n"
	     "interval from pairs of games, for more a round robin. An engine that crashes, plays\n"
	     "an illegal turn or answers too late loses the game, is reported and started anew.\n"
	     "Takes may be part of the turn or moves of their own. An interrupt ends the match\n"
	     "with the table so far. Exit code 0: played to the end, with --sprt: ELO1 accepted;\n"
	     "1: not so, or an engine failed; 3: an engine could not be started.",
    .options = options,
    .examples = "merels match -e './old engine' name=old -e './new engine' name=new --each nodes=20000\n"
		"merels match -e 'merels engine' -e 'other' --each tc=10+0.1 --pgn games.txt\n"
		"merels match -e './old engine' -e './new engine' --each tc=2+0.02 --sprt 0,5 -n 20000",
};

struct reading {
	struct match_plan *plan;
	struct match_spec each;
};

/* ---- Engines, which are words in a row ---------------------------------------------------------------------- */

/* Takes --engine, -e and --each with their words out of the arguments; false after having reported. */
static bool take_engines(struct reading *reading, int *argc, char **argv)
{
	struct match_plan *plan = reading->plan;
	int kept = 1;

	for (int i = 1; i < *argc;) {
		bool engine = strcmp(argv[i], "--engine") == 0 || strcmp(argv[i], "-e") == 0;
		int used;

		if (!engine && strcmp(argv[i], "--each") != 0) {
			argv[kept++] = argv[i++];
			continue;
		}
		if (engine && plan->engine_count == MATCH_MAX_ENGINES) {
			(void)cli_wrong_usage(&cli_match, "at most %d engines", MATCH_MAX_ENGINES);
			return false;
		}
		if (engine)
			used = match_spec_read(&plan->engines[plan->engine_count++], *argc - i - 1, argv + i + 1);
		else
			used = match_spec_read_each(&reading->each, *argc - i - 1, argv + i + 1);
		if (used == 0)
			return false;
		i += 1 + used;
	}
	*argc = kept;
	argv[kept] = NULL;
	return true;
}

static bool name_is_taken(const struct match_plan *plan, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (strcmp(plan->engines[i].name, plan->engines[number].name) == 0)
			return true;
	return false;
}

/* Names for those that have none, limits, options of all. */
static bool complete_engines(struct reading *reading)
{
	struct match_plan *plan = reading->plan;

	if (plan->engine_count < 2) {
		(void)cli_wrong_usage(&cli_match, "name two engines at least");
		return false;
	}
	for (size_t i = 0; i < plan->engine_count; i++) {
		struct match_spec *spec = &plan->engines[i];
		const struct match_limits *limits = &spec->limits;

		if (!match_spec_complete(spec, &reading->each))
			return false;
		if (!limits->has_clock && limits->time == 0 && limits->nodes == 0 && limits->depth == 0) {
			(void)cli_wrong_usage(&cli_match,
					      "'%s' has no limit: tc=, movetime=, nodes= or depth=", spec->command);
			return false;
		}
		if (spec->name[0] == '\0')
			(void)snprintf(spec->name, sizeof(spec->name), "engine %zu", i + 1);
		if (name_is_taken(plan, i)) {
			(void)cli_wrong_usage(&cli_match, "two engines are named '%s'", spec->name);
			return false;
		}
	}
	return true;
}

/* ---- Other options ------------------------------------------------------------------------------------------ */

/* Numbers separated by commas, between `least` and `most` of them; returns how many, or 0. */
static unsigned read_numbers(const char *text, unsigned least, unsigned most, double *numbers)
{
	unsigned count = 0;

	for (;;) {
		char *end = NULL;

		if (count == most)
			return 0;
		numbers[count] = strtod(text, &end);
		if (end == text || !(numbers[count] > -1e9 && numbers[count] < 1e9))
			return 0;
		count++;
		if (*end == '\0')
			return count >= least ? count : 0;
		if (*end != ',')
			return 0;
		text = end + 1;
	}
}

static int read_sprt(struct match_plan *plan, const char *text)
{
	double number[4] = {0, 0, 0.05, 0.05};
	unsigned count = read_numbers(text, 2, 4, number);

	if ((count != 2 && count != 4) || number[0] >= number[1] || !(number[2] > 0 && number[2] < 0.5) ||
	    !(number[3] > 0 && number[3] < 0.5))
		return cli_wrong_usage(&cli_match,
				       "--sprt: '%s' is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 < ELO1 and "
				       "errors between 0 and 0.5",
				       text);
	plan->has_sprt = true;
	plan->sprt = (struct match_sprt){number[0], number[1], number[2], number[3]};
	return CLI_GO_ON;
}

static int read_adjudication(struct match_adjudication *rule, bool draw, const char *text)
{
	double number[3];
	unsigned wanted = draw ? 3 : 2;
	bool good = read_numbers(text, wanted, wanted, number) == wanted;

	for (unsigned i = 0; good && i < wanted; i++)
		good = number[i] >= 0 && number[i] <= 100000;
	if (!good)
		return cli_wrong_usage(&cli_match, "--adjudicate-%s: '%s' is not %s", draw ? "draw" : "win", text,
				       draw ? "PLIES,N,SCORE" : "N,SCORE");
	if (draw) {
		rule->draw_after = (unsigned)number[0];
		rule->draw_plies = (unsigned)number[1];
		rule->draw_score = (int)number[2];
	} else {
		rule->win_plies = (unsigned)number[0];
		rule->win_score = (int)number[1];
	}
	return CLI_GO_ON;
}

static int read_count(const char *name, const char *text, unsigned long from, unsigned long to, unsigned *number)
{
	unsigned long value = 0;
	int code = cli_read_number(&cli_match, name, text, from, to, &value);

	*number = (unsigned)value;
	return code;
}

static int read_milliseconds(const char *name, const char *text, unsigned long to, uint64_t unit, uint64_t *number)
{
	unsigned long value = 0;
	int code = cli_read_number(&cli_match, name, text, unit == 1 ? 0 : 1, to, &value);

	*number = value * unit;
	return code;
}

static int read_option(struct match_plan *plan, int option, const char *value, const char **rules)
{
	unsigned number = 0;
	uint64_t seed = 0;
	int code = CLI_GO_ON;

	switch (option) {
	case 'r':
		*rules = value;
		break;
	case 'n':
		return read_count("rounds", value, 1, 1000000, &plan->rounds);
	case 'j':
		return read_count("concurrency", value, 1, 256, &plan->concurrency);
	case RECORDS:
		plan->record_path = value;
		break;
	case EVENT:
		plan->event = value;
		break;
	case OPENINGS:
		plan->opening_path = value;
		break;
	case OPENING_PLIES:
		return read_count("opening-plies", value, 0, 100, &plan->opening_plies);
	case OPENING_SCORE:
		code = read_count("opening-score", value, 0, 100000, &number);
		plan->opening_score = (int)number;
		return code;
	case SEED:
		code = read_milliseconds("seed", value, 1000000000, 1, &seed);
		plan->seed = seed;
		return code;
	case SPRT:
		return read_sprt(plan, value);
	case ADJUDICATE_DRAW:
	case ADJUDICATE_WIN:
		return read_adjudication(&plan->adjudication, option == ADJUDICATE_DRAW, value);
	case MOST_PLIES:
		return read_count("max-plies", value, 0, 1000000, &plan->adjudication.most_plies);
	case MARGIN:
		return read_milliseconds("margin", value, 60000, 1, &plan->margin);
	case PATIENCE:
		return read_milliseconds("patience", value, 86400, 1000, &plan->patience);
	default:
		plan->quiet = false;
		break;
	}
	return code;
}

#define PLIES_UNSAID 1000

static int read_all(struct reading *reading, int argc, char **argv)
{
	struct match_plan *plan = reading->plan;
	const char *rules = NULL;

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			cli_help(&cli_match);
			return CLI_GOOD;
		}
	if (!take_engines(reading, &argc, argv))
		return CLI_USAGE;
	struct cli_parse parse = cli_parse_begin(&cli_match, argc, argv);
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == 'e' || option == EACH)
			return cli_wrong_usage(&cli_match, "write --engine and --each as words of their own");
		int code = read_option(plan, option, parse.value, &rules);

		if (code != CLI_GO_ON)
			return code;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_match, "unexpected argument '%s'", parse.operands[0]);
	if (!complete_engines(reading))
		return CLI_USAGE;
	if (plan->has_sprt && plan->engine_count != 2)
		return cli_wrong_usage(&cli_match, "--sprt is for two engines");
	int code = cli_read_rules(&cli_match, rules, &plan->rules);

	if (code != CLI_GO_ON)
		return code;
	mrl_rules_write(&plan->rules, plan->rules_text);
	if (plan->opening_plies == PLIES_UNSAID)
		plan->opening_plies = plan->rules.men >= 6 ? 6 : 2;
	return CLI_GO_ON;
}

int cmd_match(int argc, char **argv)
{
	static struct match_plan plan;
	struct reading reading = {.plan = &plan};

	plan.rounds = 100;
	plan.concurrency = mrl_thread_processors();
	plan.seed = 1;
	plan.margin = 100;
	plan.patience = 60000;
	plan.opening_plies = PLIES_UNSAID;
	plan.opening_score = 40;
	plan.event = "Match";
	plan.quiet = true;
	plan.adjudication.most_plies = 2000;
	int code = read_all(&reading, argc, argv);

	if (code == CLI_GO_ON)
		code = match_run(&plan);
	for (size_t i = 0; i < MATCH_MAX_ENGINES; i++)
		match_spec_release(&plan.engines[i]);
	match_spec_release(&reading.each);
	return code;
}
