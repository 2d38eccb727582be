/* merels rules: which rule sets there are, or all about one. */
#include <stdio.h>
#include <string.h>

#include <os/terminal.h>

#include "commands.h"
#include "drawing.h"

static const struct cli_option options[] = {{0}};

const struct cli_command cli_rules = {
    .name = "rules",
    .run = cmd_rules,
    .summary = "list the rule sets, or show one in full",
    .usage = "[NAME[,KEY=VALUE]...]",
    .about = "Without a name, one line for each rule set: its name, its board, what it is. With one,\n"
	     "the board with its point names, and every parameter with its value and meaning; what\n"
	     "is not the default is marked with *. A rule set is written NAME[,KEY=VALUE]...\n"
	     "wherever one is asked for.",
    .options = options,
    .operands = CLI_CHOOSE_RULES,
    .examples = "merels rules\n"
		"merels rules nine\n"
		"merels rules nine,fly=0,no-mill=50",
};

enum { TEXT_WIDTH = 78 };

static void list_presets(void)
{
	for (size_t i = 0; mrl_preset(i) != NULL; i++) {
		const struct mrl_preset *preset = mrl_preset(i);

		printf("%-11s %-8s %s\n", preset->name, preset->board, preset->about);
	}
}

/* Prints `text` broken into lines that begin in the column where the first one does. */
static void print_wrapped(const char *text, size_t column)
{
	size_t width = TEXT_WIDTH - column;

	for (;;) {
		size_t length = strlen(text);

		if (length <= width) {
			puts(text);
			return;
		}
		length = width;
		while (length > 0 && text[length] != ' ')
			length--;
		if (length == 0)
			length = width;
		printf("%.*s\n%*s", (int)length, text, (int)column, "");
		text += length;
		while (*text == ' ')
			text++;
	}
}

/* The board, with each point's name where the point is. */
static void draw_board(const struct mrl_board *board)
{
	bool small = board->file_count <= 3;
	struct drawing drawing = {.board = board, .step_x = small ? 6 : 4, .step_y = small ? 3 : 2};
	bool utf8 = mrl_terminal_utf8();

	for (int y = 0; y < (int)drawing_height(&drawing); y++) {
		printf("    ");
		for (int x = 0; x < (int)drawing_width(&drawing); x++) {
			unsigned point = drawing_point_at(&drawing, x, y);
			char name[4];

			if (point == MRL_NO_POINT) {
				fputs(drawing_glyph(drawing_strokes_at(&drawing, 0, x, y), utf8), stdout);
				continue;
			}
			/* A name takes the place of as many characters as it has. */
			x += (int)mrl_point_name(board, point, name) - 1;
			fputs(name, stdout);
		}
		putchar('\n');
	}
}

/* Returns whether the value is not the default. */
static bool show_parameter(const struct mrl_parameter *parameter)
{
	bool differs = parameter->usual[0] != '\0' && strcmp(parameter->value, parameter->usual) != 0;
	char usual[32] = "";
	char value[48];

	if (differs)
		(void)snprintf(usual, sizeof(usual), " (%s)", parameter->usual);
	(void)snprintf(value, sizeof(value), "%s%s", parameter->value, usual);
	int width = printf("%c %-10s  %-14s  ", differs ? '*' : ' ', parameter->key, value);

	print_wrapped(parameter->meaning, width > 0 ? (size_t)width : 0);
	return differs;
}

static void show(const struct mrl_rules *rules)
{
	const struct mrl_board *board = &rules->board;
	const struct mrl_preset *preset = mrl_preset(rules->preset);
	struct mrl_parameter parameter;
	char name[MRL_RULES_NAME_SIZE];
	bool marked = false;

	mrl_rules_write(rules, name);
	if (strcmp(name, preset->name) == 0)
		printf("%s: %s\n\n", name, preset->about);
	else /* What is said of the preset need not hold any more. */
		printf("%s: as %s, but with %s.\n\n", name, preset->name, name + strlen(preset->name) + 1);
	printf("Board %s: %u points, %u lines, %u mills, %u symmetries\n\n", board->name, board->point_count,
	       board->line_count, board->mill_count, board->symmetry_count);
	draw_board(board);
	putchar('\n');
	for (size_t i = 0; mrl_rules_parameter(rules, i, &parameter); i++)
		marked = show_parameter(&parameter) || marked;
	if (marked)
		puts("\n* is not the default, which stands in parentheses");
}

int cmd_rules(int argc, char **argv)
{
	static struct mrl_rules rules;
	struct cli_parse parse = cli_parse_begin(&cli_rules, argc, argv);
	struct mrl_error error = {0};

	while (cli_parse_next(&parse) != 0)
		continue;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 1)
		return cli_wrong_usage(&cli_rules, "one rule set at a time, found '%s' as well", parse.operands[1]);
	if (parse.operand_count == 0) {
		list_presets();
		return CLI_GOOD;
	}
	const char *name = parse.operands[0];

	if (mrl_rules_parse(&rules, name, strlen(name), &error) != MRL_OK) {
		(void)cli_report(&cli_rules, name, true, &error);
		return CLI_USAGE;
	}
	show(&rules);
	return CLI_GOOD;
}
