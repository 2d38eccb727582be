/* Help, options and errors of a command, all from its one table. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include <merels/status.h>

enum { HELP_ID = 'h' };

/* ---- Help --------------------------------------------------------------------------------------------------- */

/* "-r, --rules RULES"; returns its width. */
static int option_form(const struct cli_option *option, char *form, size_t size)
{
	char letter[8] = "    ";

	if (option->id < 256)
		(void)snprintf(letter, sizeof(letter), "-%c, ", option->id);
	return snprintf(form, size, "%s--%s%s%s", letter, option->name, option->argument != NULL ? " " : "",
			option->argument != NULL ? option->argument : "");
}

/* Lines of `text`, the first behind `first` and the others behind `other`. */
static void print_lines(const char *first, const char *other, const char *text)
{
	const char *lead = first;

	while (*text != '\0') {
		size_t length = strcspn(text, "\n");

		printf("%s%.*s\n", lead, (int)length, text);
		text += length;
		if (*text == '\n')
			text++;
		lead = other;
	}
}

/* The forms of a command, each behind its name; a line that begins with a space goes on with the form before. */
static void print_usage(const struct cli_command *command)
{
	const char *lead = "Usage:";

	for (const char *text = command->usage; *text != '\0'; lead = "") {
		size_t length = strcspn(text, "\n");

		if (*text == ' ')
			printf("%*s%.*s\n", (int)(sizeof("Usage: merels") - 1 + strlen(command->name) + 1), "",
			       (int)length, text);
		else
			printf("%-6s merels %s %.*s\n", lead, command->name, (int)length, text);
		text += length;
		if (*text == '\n')
			text++;
	}
}

static void print_options(const struct cli_option *options)
{
	static const struct cli_option help = {"help", HELP_ID, NULL, "say this", NULL};
	char form[80];
	char lead[96];
	char blank[96];
	int widest = option_form(&help, form, sizeof(form));

	for (const struct cli_option *option = options; option != NULL && option->name != NULL; option++) {
		int width = option_form(option, form, sizeof(form));

		if (width > widest)
			widest = width;
	}
	(void)snprintf(blank, sizeof(blank), "%*s", widest + 4, "");
	puts("\nOptions:");
	for (const struct cli_option *option = options; option != NULL && option->name != NULL; option++) {
		(void)option_form(option, form, sizeof(form));
		(void)snprintf(lead, sizeof(lead), "  %-*s  ", widest, form);
		print_lines(lead, blank, option->about);
	}
	(void)option_form(&help, form, sizeof(form));
	printf("  %-*s  %s\n", widest, form, help.about);
}

void cli_help(const struct cli_command *command)
{
	print_usage(command);
	printf("\n%c%s.\n", command->summary[0] - 'a' + 'A', command->summary + 1);
	if (command->about != NULL)
		printf("\n%s\n", command->about);
	print_options(command->options);
	if (command->examples != NULL) {
		puts("\nExamples:");
		print_lines("  ", "  ", command->examples);
	}
}

/* ---- Nearest word ------------------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 31 };

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to insert, delete, replace or swap with the next, to get from one word to the other. */
static unsigned typing_errors(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned cost[LONGEST_WORD + 1][LONGEST_WORD + 1];

	for (size_t i = 0; i <= a_length; i++)
		cost[i][0] = (unsigned)i;
	for (size_t j = 0; j <= b_length; j++)
		cost[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			unsigned replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			cost[i][j] = smaller(replace, smaller(cost[i - 1][j], cost[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost[i][j] = smaller(cost[i][j], cost[i - 2][j - 2] + 1);
		}
	}
	return cost[a_length][b_length];
}

const char *cli_nearest(const char *word, const char *const *words, size_t count)
{
	size_t length = strlen(word);
	const char *nearest = NULL;
	unsigned fewest = 0;

	if (length == 0 || length > LONGEST_WORD)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(words[i]);

		if (other > LONGEST_WORD)
			continue;
		unsigned errors = typing_errors(word, length, words[i], other);

		/* Half the letters wrong is another word; the beginning of a word is always near it. */
		if (errors * 2 > other && !(length >= 2 && strncmp(word, words[i], length) == 0))
			continue;
		if (nearest == NULL || errors < fewest) {
			nearest = words[i];
			fewest = errors;
		}
	}
	return nearest;
}

/* ---- Options ------------------------------------------------------------------------------------------------ */

struct cli_parse cli_parse_begin(const struct cli_command *command, int argc, char **argv)
{
	struct cli_parse parse = {.command = command, .argc = argc, .argv = argv, .code = CLI_GO_ON};
	size_t count = 0;
	size_t letters = 0;

	parse.shorts[letters++] = ':';
	for (const struct cli_option *option = command->options; option != NULL && option->name != NULL; option++) {
		if (count == CLI_MAX_OPTIONS)
			break;
		parse.longs[count++] = (struct option){
		    option->name, option->argument != NULL ? required_argument : no_argument, NULL, option->id};
		if (option->id < 256) {
			parse.shorts[letters++] = (char)option->id;
			if (option->argument != NULL)
				parse.shorts[letters++] = ':';
		}
	}
	parse.longs[count] = (struct option){"help", no_argument, NULL, HELP_ID};
	parse.shorts[letters] = (char)HELP_ID;
	return parse;
}

/* What getopt_long() stumbled over: a long option as it was typed, or a letter. */
static int bad_option(struct cli_parse *parse, bool needs_argument)
{
	const char *typed = parse->argv[optind - 1];
	bool is_long = strncmp(typed, "--", 2) == 0 && typed[2] != '\0';

	if (needs_argument) {
		if (is_long)
			return cli_wrong_usage(parse->command, "the option '%s' needs an argument", typed);
		return cli_wrong_usage(parse->command, "the option '-%c' needs an argument", optopt);
	}
	if (optopt != 0 && !is_long)
		return cli_wrong_usage(parse->command, "unknown option '-%c'", optopt);
	if (optopt != 0)
		return cli_wrong_usage(parse->command, "the option '%.*s' takes no argument", (int)strcspn(typed, "="),
				       typed);

	const char *names[CLI_MAX_OPTIONS + 1];
	char name[LONGEST_WORD + 1];
	size_t count = 0;

	for (; parse->longs[count].name != NULL; count++)
		names[count] = parse->longs[count].name;
	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
	const char *nearest = cli_nearest(name, names, count);

	if (nearest != NULL)
		return cli_wrong_usage(parse->command, "unknown option '--%s', did you mean '--%s'?", name, nearest);
	return cli_wrong_usage(parse->command, "unknown option '--%s'", name);
}

int cli_parse_next(struct cli_parse *parse)
{
	if (parse->finished)
		return 0;
	opterr = 0;
	optopt = 0;
	int id = getopt_long(parse->argc, parse->argv, parse->shorts, parse->longs, NULL);

	switch (id) {
	case -1:
		parse->operands = parse->argv + optind;
		parse->operand_count = parse->argc - optind;
		return 0;
	case HELP_ID:
		cli_help(parse->command);
		parse->code = CLI_GOOD;
		break;
	case ':':
	case '?':
		parse->code = bad_option(parse, id == ':');
		break;
	default:
		parse->value = optarg;
		return id;
	}
	parse->finished = true;
	return 0;
}

/* ---- Errors ------------------------------------------------------------------------------------------------- */

/*
 * Prints "merels NAME: " and a message of one line. What people typed is in it, and their file names: a control
 * character of theirs is shown, not obeyed, and no line is longer than the longest path and the longest error together.
 */
__attribute__((format(printf, 2, 0))) static void complain_in_a_line(const struct cli_command *command,
								     const char *format, va_list arguments)
{
	char message[6144];
	int length = vsnprintf(message, sizeof(message), format, arguments);

	/* What was printed so far belongs before the complaint when both go to one place. */
	(void)fflush(stdout);
	fprintf(stderr, "merels%s%s: ", command != NULL ? " " : "", command != NULL ? command->name : "");
	for (const char *c = message; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			fprintf(stderr, "\\x%02x", (unsigned)*c);
		else
			fputc(*c, stderr);
	}
	fputs(length >= (int)sizeof(message) ? "...\n" : "\n", stderr);
}

void cli_complain(const struct cli_command *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain_in_a_line(command, format, arguments);
	va_end(arguments);
}

int cli_wrong_usage(const struct cli_command *command, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complain_in_a_line(command, format, arguments);
	va_end(arguments);
	fprintf(stderr, "Try 'merels%s%s --help'.\n", command != NULL ? " " : "", command != NULL ? command->name : "");
	return CLI_USAGE;
}

int cli_report(const struct cli_command *command, const char *where, bool one_line, const struct mrl_error *error)
{
	if (error->column == 0)
		cli_complain(command, "%s: %s", where, error->message);
	else if (one_line && error->line <= 1)
		cli_complain(command, "%s: column %zu: %s", where, error->column, error->message);
	else
		cli_complain(command, "%s: line %zu, column %zu: %s", where, error->line, error->column,
			     error->message);
	return error->status == MRL_SYSTEM ? CLI_SYSTEM : CLI_NO;
}

int cli_no_memory(const struct cli_command *command)
{
	cli_complain(command, "there is not enough memory");
	return CLI_SYSTEM;
}
