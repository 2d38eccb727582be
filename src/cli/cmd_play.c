/* merels play: a game at this terminal. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <os/terminal.h>

#include "commands.h"
#include "play_views.h"

enum { WHITE = 'w', BLACK = 'b', TIME = 't', LEVEL = 'l', THREADS = 256, HASH, PLAIN, TABLES };

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    CLI_OPTION_POSITION,
    {"white", WHITE, "WHO", "who plays White: human (default) or computer", "human computer"},
    {"black", BLACK, "WHO", "who plays Black: human, or computer (default, if White is human)", "human computer"},
    {"level", LEVEL, "LEVEL",
     "how well the computer plays, 1 (a child) to 10 (default 4), or\nperfect: by exact tables",
     "1 2 3 4 5 6 7 8 9 10 perfect"},
    {"time", TIME, "SECONDS", "how long level 10 thinks about a turn, 0.01 to 3600 (default 1)", NULL},
    {"threads", THREADS, "N", "threads for level 10 and hints (default 1)", NULL},
    {"hash", HASH, "MB", "memory for what the computer has learned (default 64)", NULL},
    {"tables", TABLES, "FOLDER", "exact tables for level 10 and hints (default: your own)", CLI_CHOOSE_FILES},
    {"plain", PLAIN, NULL, "lines of text instead of a screen, as when the output is no terminal", NULL},
    {0},
};

const struct cli_command cli_play = {
    .name = "play",
    .run = cmd_play,
    .summary = "play a game in the terminal",
    .usage = "[OPTION]...",
    .about = "Against the computer, or two people at one screen. The arrow keys walk along the\n"
	     "lines of the board, Enter or the mouse picks a point, h gives a hint, ? lists all keys.\n"
	     "Below level 10 the computer thinks but an instant, and may play otherwise each time;\n"
	     "only the highest level looks as far ahead as the time allows, and asks exact tables\n"
	     "(`merels tables`) where there are any; those of rule sets as small as seven are built\n"
	     "beside the game in some seconds, and of larger ones those of endings. With\n"
	     "--level perfect it plays by tables alone: the shortest win, the longest resistance, and\n"
	     "in a draw what is hardest for you. In plain form\n"
	     "turns are read from standard input (`d6`, `d6-d7`, `d6xa1`; `help` lists the other\n"
	     "commands), so that a whole game can come from a file; at its end the position is\n"
	     "printed and the result as `merels replay` prints it.",
    .options = options,
    .examples = "merels play\n"
		"merels play --rules morabaraba --black human\n"
		"merels play --level 1\n"
		"merels play --white computer --level 10 --time 5\n"
		"merels play --rules six --level perfect\n"
		"echo d6 f4 d2 | merels play --plain --black human",
};

struct settings {
	const char *rules;
	const char *position;
	bool computer[2];
	bool black_named;
	unsigned long level;
	bool perfect;
	const char *tables;
	unsigned long threads;
	unsigned long megabytes;
	double seconds;
	bool plain;
};

static int read_who(const char *name, const char *text, bool *computer)
{
	if (strcmp(text, "human") != 0 && strcmp(text, "computer") != 0)
		return cli_wrong_usage(&cli_play, "--%s: '%s' is neither human nor computer", name, text);
	*computer = text[0] == 'c';
	return CLI_GO_ON;
}

/* Reads one option. CLI_GO_ON, or an exit code. */
static int read_option(struct settings *settings, int option, const char *value)
{
	switch (option) {
	case 'r':
		settings->rules = value;
		return CLI_GO_ON;
	case 'p':
		settings->position = value;
		return CLI_GO_ON;
	case WHITE:
		return read_who("white", value, &settings->computer[MRL_WHITE]);
	case BLACK:
		settings->black_named = true;
		return read_who("black", value, &settings->computer[MRL_BLACK]);
	case TIME:
		return cli_read_seconds(&cli_play, "time", value, 3600, &settings->seconds);
	case TABLES:
		settings->tables = value;
		return CLI_GO_ON;
	case LEVEL:
		settings->perfect = strcmp(value, "perfect") == 0;
		settings->level = MRL_LEVELS;
		if (settings->perfect)
			return CLI_GO_ON;
		return cli_read_number(&cli_play, "level", value, 1, MRL_LEVELS, &settings->level);
	case THREADS:
		return cli_read_number(&cli_play, "threads", value, 1, MRL_PLAYER_MAX_THREADS, &settings->threads);
	case HASH:
		return cli_read_number(&cli_play, "hash", value, 1, MRL_PLAYER_MAX_MEGABYTES, &settings->megabytes);
	default:
		settings->plain = true;
		return CLI_GO_ON;
	}
}

/* Why there are no tables, and how to get them. */
static int refuse_perfect(const struct mrl_rules *rules, enum mrl_keeper_state state, const struct mrl_error *error)
{
	char name[MRL_RULES_NAME_SIZE];

	mrl_rules_write(rules, name);
	if (state == MRL_KEEPER_NONE)
		cli_complain(&cli_play,
			     "--level perfect: there are no exact tables of %s; `merels tables build --rules %s` makes "
			     "them, which may take long, and --level 10 plays without",
			     name, name);
	else
		cli_complain(&cli_play, "--level perfect: %s; --level 10 plays without tables", error->message);
	return CLI_NO;
}

/* Tables for those who ask them; whoever wants to play perfectly waits until they are there. */
static int open_tables(const struct settings *settings, const struct mrl_rules *rules, struct tables_player *tables)
{
	struct mrl_error error = {0};
	enum mrl_keeper_state state;

	if (settings->tables != NULL) {
		if (tables_player_open(tables, settings->tables, rules, &error) == MRL_OK)
			return CLI_GO_ON;
		cli_complain(&cli_play, "--tables: %s", error.message);
		return error.status == MRL_SYSTEM ? CLI_SYSTEM : CLI_NO;
	}
	if (settings->level < MRL_LEVELS)
		return CLI_GO_ON;
	if (tables_player_keep(tables, rules, (struct mrl_keeper_wish){.no_endings = settings->perfect}, &error) !=
	    MRL_OK)
		return cli_no_memory(&cli_play);
	state = mrl_table_keeper_state(tables->keeper, &error);
	if (state == MRL_KEEPER_BUILDING && settings->perfect) {
		fputs("Building the exact tables, once; this takes some seconds ...\n", stderr);
		state = mrl_table_keeper_wait(tables->keeper, UINT_MAX, &error);
	}
	if (settings->perfect && state != MRL_KEEPER_READY)
		return refuse_perfect(rules, state, &error);
	if (state == MRL_KEEPER_FAILED) {
		cli_complain(&cli_play, "it plays without exact tables: %s", error.message);
		tables_player_close(tables);
	}
	return CLI_GO_ON;
}

/* What went wrong with tables beside the game. */
static void warn(const struct tables_player *tables, const struct play_computer *computer)
{
	struct mrl_error error = computer->trouble;

	if (tables->keeper != NULL && error.message[0] == '\0' &&
	    mrl_table_keeper_state(tables->keeper, &error) != MRL_KEEPER_FAILED)
		error.message[0] = '\0';
	if (error.message[0] != '\0')
		cli_complain(&cli_play, "it played without exact tables: %s", error.message);
}

static int play(const struct settings *settings, const struct mrl_rules *rules, const struct mrl_position *start)
{
	struct play game;
	struct play_computer computer;
	struct tables_player tables = {0};
	int code = open_tables(settings, rules, &tables);

	if (code != CLI_GO_ON) {
		tables_player_close(&tables);
		return code;
	}
	if (!play_computer_init(&computer, (unsigned)settings->threads, (unsigned)settings->megabytes) ||
	    !play_init(&game, rules, start, settings->computer)) {
		play_computer_release(&computer);
		tables_player_close(&tables);
		return cli_no_memory(&cli_play);
	}
	computer.level = (unsigned)settings->level;
	computer.tables = &tables;
	computer.milliseconds = (unsigned)(settings->seconds * 1000);
	if (settings->plain || !mrl_terminal_interactive())
		code = play_plain(&game, &computer);
	else
		code = play_screen(&game, &computer);
	if (code == CLI_GOOD)
		cli_print_end(&game.game.game);
	warn(&tables, &computer);
	play_release(&game);
	play_computer_release(&computer);
	tables_player_close(&tables);
	return code;
}

int cmd_play(int argc, char **argv)
{
	static struct mrl_rules rules;
	struct mrl_position start;
	struct settings settings = {.level = 4, .seconds = 1, .threads = 1, .megabytes = 64};
	struct cli_parse parse = cli_parse_begin(&cli_play, argc, argv);
	int code = CLI_GO_ON;
	int option;

	while (code == CLI_GO_ON && (option = cli_parse_next(&parse)) != 0)
		code = read_option(&settings, option, parse.value);
	if (code != CLI_GO_ON)
		return code;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_play, "unexpected argument '%s'", parse.operands[0]);
	if (!settings.black_named)
		settings.computer[MRL_BLACK] = !settings.computer[MRL_WHITE];
	code = cli_read_rules(&cli_play, settings.rules, &rules);
	if (code == CLI_GO_ON)
		code = cli_read_position(&cli_play, &rules, settings.position, &start);
	return code == CLI_GO_ON ? play(&settings, &rules, &start) : code;
}
