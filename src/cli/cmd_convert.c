/* merels convert: positions between the formats of this game's programs, records into other forms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "records.h"

enum { TO = 't' };

static const struct cli_option options[] = {
    {"to", TO, "FORM",
     "merels, sanmill or mfen for positions (default merels);\n"
     "record or games for records",
     "merels sanmill mfen record games"},
    {"rules", 'r', "RULES", "rule set of the positions, as in `merels rules` (default nine)", CLI_CHOOSE_RULES},
    {0},
};

const struct cli_command cli_convert = {
    .name = "convert",
    .run = cmd_convert,
    .summary = "convert positions and records between formats",
    .usage = "[--to merels|sanmill|mfen] [--rules RULES] [POSITION...]\n"
	     "--to record|games [FILE...]",
    .about = "Positions are read in any of the three formats, told by their shape: our own,\n"
	     "Sanmill's FEN, and MFEN/1.0 of the Mill Interchange Format. Each is an argument, or,\n"
	     "without arguments, a line of standard input. One line comes out for each.\n"
	     "\n"
	     "Records are read from files (none, or `-`: standard input). `record` writes them in\n"
	     "the canonical form, `games` as lines `RULES TURN... | RESULT REASON | POSITION`, which\n"
	     "is what `merels vectors` reads.\n"
	     "\n"
	     "What cannot be read or said is reported, the rest is converted, and the exit code is 1.",
    .options = options,
    .operands = CLI_CHOOSE_FILES,
    .examples = "merels convert --to mfen \".../.../.../....../.../.../... w 9,9\"\n"
		"merels convert \"********/********/******** w p p 0 9 0 9 0 0 0 1\"\n"
		"merels convert --to record games.pgn > tidy.pgn",
};

enum form { FORM_RECORD = MRL_FORMAT_MFEN + 1, FORM_GAMES, FORMS };

static const char *const form_names[FORMS] = {
    [MRL_FORMAT_MERELS] = "merels", [MRL_FORMAT_SANMILL] = "sanmill", [MRL_FORMAT_MFEN] = "mfen",
    [FORM_RECORD] = "record",       [FORM_GAMES] = "games",
};

static int read_form(const char *text, unsigned *form)
{
	const char *nearest;

	for (*form = 0; *form < FORMS; ++*form)
		if (strcmp(text, form_names[*form]) == 0)
			return CLI_GO_ON;
	nearest = cli_nearest(text, form_names, FORMS);
	if (nearest != NULL)
		return cli_wrong_usage(&cli_convert, "--to: unknown form '%s', did you mean '%s'?", text, nearest);
	return cli_wrong_usage(&cli_convert, "--to: unknown form '%s'; there are merels, sanmill, mfen, record, games",
			       text);
}

/* ---- Positions ---------------------------------------------------------------------------------------------- */

/* Prints the position in the form, or reports why not. */
static int convert_position(const struct mrl_rules *rules, unsigned form, const char *where, size_t line,
			    const char *text, size_t length)
{
	struct mrl_position position;
	struct mrl_error error = {0};
	char out[MRL_POSITION_TEXT_SIZE];

	if (mrl_position_read(rules, text, length, &position, &error) == MRL_OK &&
	    mrl_position_write_as(rules, &position, (enum mrl_position_format)form, out, &error) == MRL_OK) {
		puts(out);
		return CLI_GOOD;
	}
	/* A position that cannot be written has no place in the text; say at least the line. */
	if (line > 0) {
		error.line = line;
		error.column = error.column > 0 ? error.column : 1;
	}
	return cli_report(&cli_convert, where, line == 0, &error);
}

static int convert_lines(const struct mrl_rules *rules, unsigned form)
{
	char *text = NULL;
	size_t length = 0;
	int code = cli_read_file(&cli_convert, "-", &text, &length);
	size_t number = 0;

	if (code != CLI_GO_ON)
		return code;
	code = CLI_GOOD;
	for (size_t at = 0; at < length;) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', length - at);
		size_t size = end != NULL ? (size_t)(end - line) : length - at;

		number++;
		at += size + 1;
		if (size == 0 || line[0] == '#' || strspn(line, " \t\r\n") >= size)
			continue;
		if (convert_position(rules, form, "standard input", number, line, size) != CLI_GOOD)
			code = CLI_NO;
	}
	free(text);
	return code;
}

static int convert_positions(const struct cli_parse *parse, const char *rules_text, unsigned form)
{
	static struct mrl_rules rules;
	int code = cli_read_rules(&cli_convert, rules_text, &rules);

	if (code != CLI_GO_ON)
		return code;
	if (parse->operand_count == 0)
		return convert_lines(&rules, form);
	code = CLI_GOOD;
	for (int i = 0; i < parse->operand_count; i++)
		if (convert_position(&rules, form, parse->operand_count > 1 ? parse->operands[i] : "position", 0,
				     parse->operands[i], strlen(parse->operands[i])) != CLI_GOOD)
			code = CLI_NO;
	return code;
}

/* ---- Records ------------------------------------------------------------------------------------------------ */

static int print_record(const struct mrl_record *record, bool first)
{
	size_t length = mrl_record_write(record, NULL, 0);
	char *text = malloc(length + 1);

	if (text == NULL)
		return cli_no_memory(&cli_convert);
	(void)mrl_record_write(record, text, length + 1);
	if (!first)
		putchar('\n');
	fputs(text, stdout);
	free(text);
	return CLI_GOOD;
}

static void print_game(const struct mrl_record *record)
{
	char rules[MRL_RULES_NAME_SIZE];
	char turn[MRL_TURN_TEXT_SIZE];
	char position[MRL_POSITION_TEXT_SIZE];

	mrl_rules_write(record->rules, rules);
	fputs(rules, stdout);
	for (const struct mrl_record_turn *t = record->line.first; t != NULL; t = t->next) {
		(void)mrl_turn_write(&record->rules->board, &t->turn, turn);
		printf(" %s", turn);
	}
	(void)mrl_position_write(record->rules, &record->final, position);
	printf(" | %s %s | %s\n", mrl_outcome_text(record->verdict.outcome), mrl_reason_text(record->verdict.reason),
	       position);
}

/* Converts the records of one text; *count counts those printed, over all texts. */
static int convert_text(const char *name, struct cli_records *records, unsigned form, size_t *count)
{
	int code = CLI_GOOD;

	for (;;) {
		struct mrl_record *record = NULL;
		struct mrl_error error = {0};
		size_t game = records->reader.games + 1;
		enum mrl_status status = cli_records_next(records, &record, &error);

		if (status == MRL_SYSTEM)
			return cli_no_memory(&cli_convert);
		if (status != MRL_OK) {
			code = cli_report(&cli_convert, name, false, &error);
			continue;
		}
		if (record == NULL)
			return code;
		if (form == FORM_GAMES && record->set_up) {
			cli_complain(&cli_convert,
				     "%s: game %zu starts from a position of its own, which this form cannot say", name,
				     game);
			code = CLI_NO;
			continue;
		}
		if (form == FORM_GAMES)
			print_game(record);
		else if (print_record(record, *count == 0) != CLI_GOOD)
			return CLI_SYSTEM;
		++*count;
	}
}

/* A file that cannot be read does not keep the others from being converted; the worst exit code counts. */
static int convert_records(const struct cli_parse *parse, unsigned form)
{
	struct cli_records records = {0};
	size_t count = 0;
	int worst = CLI_GOOD;
	bool no_memory = false;

	for (int i = 0; i < (parse->operand_count > 0 ? parse->operand_count : 1) && !no_memory; i++) {
		const char *path = parse->operand_count > 0 ? parse->operands[i] : "-";
		char *text = NULL;
		size_t length = 0;
		int code = cli_read_file(&cli_convert, path, &text, &length);

		if (code == CLI_GO_ON) {
			cli_records_begin(&records, text, length);
			code = convert_text(strcmp(path, "-") == 0 ? "standard input" : path, &records, form, &count);
			no_memory = code == CLI_SYSTEM;
			free(text);
		}
		if (code > worst)
			worst = code;
	}
	cli_records_release(&records);
	return worst;
}

int cmd_convert(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_convert, argc, argv);
	const char *rules_text = NULL;
	const char *to = "merels";
	unsigned form = 0;
	int option;
	int code;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == TO)
			to = parse.value;
		else
			rules_text = parse.value;
	}
	if (parse.finished)
		return parse.code;
	code = read_form(to, &form);
	if (code != CLI_GO_ON)
		return code;
	if (form < FORM_RECORD)
		return convert_positions(&parse, rules_text, form);
	if (rules_text != NULL)
		return cli_wrong_usage(&cli_convert, "--rules is for positions; a record names its own rule set");
	return convert_records(&parse, form);
}
