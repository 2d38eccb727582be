/*
 * What the subcommands of `merels` share: how a command describes itself, its options, its errors, its input.
 *
 * A command is one file cmd_<name>.c that defines
 *
 *     const struct cli_command cli_<name>      what --help, the completion and the option parser need to know
 *     int cmd_<name>(int argc, char **argv)    runs it; argv[0] is the command's name; returns an exit code
 *
 * and one line in the table of main.c. All of this runs on the main thread.
 *
 *     static const struct cli_option options[] = {CLI_OPTION_RULES, {"depth", 'd', "N", "plies to look ahead", NULL},
 * {0}}; const struct cli_command cli_perft = {.name = "perft", .run = cmd_perft, .options = options, ...};
 *
 *     int cmd_perft(int argc, char **argv)
 *     {
 *             struct cli_parse parse = cli_parse_begin(&cli_perft, argc, argv);
 *             int option;
 *
 *             while ((option = cli_parse_next(&parse)) != 0) {
 *                     if (option == 'r')
 *                             rules_text = parse.value;
 *             }
 *             if (parse.finished)
 *                     return parse.code;
 *             ... parse.operands[0 .. parse.operand_count) ...
 */
#ifndef MERELS_CLI_H
#define MERELS_CLI_H

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <merels/notation.h>
#include <merels/rules.h>

/* Exit codes, the same for every command; told by `merels --help`. */
enum cli_code {
	CLI_GOOD = 0,
	CLI_NO = 1,     /* the answer is no, or the content is bad: a turn, a position, a file's text */
	CLI_USAGE = 2,  /* unknown command or option, missing argument, a value that is none */
	CLI_SYSTEM = 3, /* a file that cannot be read, no memory, output that cannot be written */
	CLI_GO_ON = -1  /* no exit code: what was asked for went well */
};

/* ---- What a command says of itself -------------------------------------------------------------------------- */

/* Choices of an option or operand that are no fixed list of words. */
#define CLI_CHOOSE_RULES "@rules"
#define CLI_CHOOSE_FILES "@files"

struct cli_option {
	const char *name;     /* without the dashes; NULL ends a table */
	int id;               /* what cli_parse_next() returns; a letter is also the short option; others from 256 */
	const char *argument; /* the argument's name in the help; NULL: takes none */
	const char *about;    /* what it does, begun small, without a full stop; lines separated by \n */
	const char *choices;  /* for completion: words separated by spaces, or one of the above; NULL: nothing */
};

#define CLI_OPTION_RULES                                                                                 \
	{                                                                                                \
		"rules", 'r', "RULES", "rule set, as in `merels rules` (default nine)", CLI_CHOOSE_RULES \
	}
#define CLI_OPTION_POSITION                                                                                 \
	{                                                                                                   \
		"position", 'p', "POSITION", "position to start from (default the start of the game)", NULL \
	}

struct cli_command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary; /* one line for `merels --help`, begun small, without a full stop */
	const char *usage; /* what follows the name: "[OPTION]... TURN..."; several forms separated by \n, and one goes
			    * on in a line that begins with a space */
	const char *about; /* what it does, in sentences, lines of at most 78 characters; may be NULL */
	const struct cli_option *options; /* ended by {0}; --help is every command's and is not listed; may be NULL */
	const char *operands;             /* choices of the operands, for completion; NULL: nothing */
	const char *examples;             /* lines, each a command to type, without indentation */
};

/* The commands in the order of the help; NULL past the end. In main.c. */
const struct cli_command *cli_command(size_t index);

/* The command of this name, or NULL. */
const struct cli_command *cli_command_find(const char *name);

/* Prints a command's help on stdout. */
void cli_help(const struct cli_command *command);

/* The one of `count` words that is nearest to `word` in typing errors, or NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *words, size_t count);

/* ---- Options ------------------------------------------------------------------------------------------------ */

#define CLI_MAX_OPTIONS 32

struct cli_parse {
	const struct cli_command *command;
	int argc;
	char **argv;
	const char *value; /* the argument of the option just returned */
	char **operands;   /* after the end: what is no option, in order */
	int operand_count;
	bool finished; /* after the end: return `code`, for --help was answered or wrong usage reported */
	int code;
	struct option longs[CLI_MAX_OPTIONS + 2];
	char shorts[2 * CLI_MAX_OPTIONS + 4];
};

struct cli_parse cli_parse_begin(const struct cli_command *command, int argc, char **argv);

/* The id of the next option, or 0 at the end (options and operands may be mixed; `--` ends the options). */
int cli_parse_next(struct cli_parse *parse);

/* ---- Errors ------------------------------------------------------------------------------------------------- */

/*
 * Prints "merels NAME: " and the message on stderr, one line; control characters in it as \xNN. Here and in
 * cli_wrong_usage() `command` may be NULL: the program itself complains.
 */
void cli_complain(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As cli_complain, then how to get help; returns CLI_USAGE. */
int cli_wrong_usage(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Prints an error of the library: "merels NAME: WHERE: line 3, column 12: message" (no line when `one_line`, no place
 * when the error has none). Returns CLI_SYSTEM for MRL_SYSTEM and CLI_NO for anything else.
 */
int cli_report(const struct cli_command *command, const char *where, bool one_line, const struct mrl_error *error);

/* Says that there is no memory; returns CLI_SYSTEM. */
int cli_no_memory(const struct cli_command *command);

/* ---- Input -------------------------------------------------------------------------------------------------- */

/* Reads a rule set; NULL stands for the default, nine. CLI_GO_ON, or CLI_USAGE after having reported what was wrong. */
int cli_read_rules(const struct cli_command *command, const char *text, struct mrl_rules *rules);

/* Reads a position; NULL stands for the start. CLI_GO_ON, or CLI_NO after having reported what was wrong. */
int cli_read_position(const struct cli_command *command, const struct mrl_rules *rules, const char *text,
		      struct mrl_position *position);

/* Reads a whole number from..to for the option --`name`. CLI_GO_ON, or CLI_USAGE after having reported. */
int cli_read_number(const struct cli_command *command, const char *name, const char *text, unsigned long from,
		    unsigned long to, unsigned long *number);

/*
 * Reads a number of seconds, 0.01..`most`, for the option --`name`: digits with or without a point. CLI_GO_ON, or
 * CLI_USAGE after having reported.
 */
int cli_read_seconds(const struct cli_command *command, const char *name, const char *text, double most,
		     double *seconds);

/*
 * Reads a whole file, or stdin for "-", of at most CLI_MAX_FILE bytes. `*data` is to be freed by the caller and has a
 * 0 after its last byte. CLI_GO_ON, or CLI_SYSTEM after having reported.
 */
#define CLI_MAX_FILE ((size_t)256 << 20)
int cli_read_file(const struct cli_command *command, const char *path, char **data, size_t *length);

/* ---- Games -------------------------------------------------------------------------------------------------- */

/* A game whose history grows as it needs to; struct cli_game g = {0} may be released. */
struct cli_game {
	struct mrl_game game;
	struct mrl_ply *plies; /* owned */
};

/* Starts a game (`start` may be NULL); whatever was in `game` must have been released. */
void cli_game_init(struct cli_game *game, const struct mrl_rules *rules, const struct mrl_position *start);

/* As mrl_game_play(), but never MRL_SPACE: MRL_SYSTEM when there is no memory. */
MRL_MUST_USE enum mrl_status cli_game_play(struct cli_game *game, const struct mrl_turn *turn, struct mrl_error *error);

void cli_game_release(struct cli_game *game);

/* Prints the position, then the result and its reason (`0-1 few-men`) or `*` while the game goes on. */
void cli_print_end(const struct mrl_game *game);

#endif
