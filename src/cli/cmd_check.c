/* merels check: reads files of records and reports every error in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "records.h"

static const struct cli_option options[] = {{0}};

const struct cli_command cli_check = {
    .name = "check",
    .run = cmd_check,
    .summary = "check files of game records",
    .usage = "FILE...",
    .about = "Reads every game of every file (`-` is standard input): its tags, its turns by the\n"
	     "rules that the tag Rules names (nine without), comments and variations, and whether\n"
	     "the result agrees with the rules. Each bad game is reported once, as\n"
	     "FILE:LINE:COLUMN: and what is wrong there. The last line counts the games; the exit\n"
	     "code is 1 if any of them is bad. docs/FORMATS.md has the form of a record.",
    .options = options,
    .operands = CLI_CHOOSE_FILES,
    .examples = "merels check games.pgn\n"
		"merels convert --to record games.pgn | merels check -",
};

struct counts {
	size_t good;
	size_t bad;
};

static enum mrl_status check_text(const char *name, const char *text, size_t length, struct cli_records *records,
				  struct counts *counts)
{
	size_t before = counts->good + counts->bad;
	struct mrl_record *record = NULL;
	struct mrl_error error = {0};
	enum mrl_status status;

	cli_records_begin(records, text, length);
	for (;;) {
		status = cli_records_next(records, &record, &error);
		if (status == MRL_SYSTEM)
			return status;
		if (status != MRL_OK) {
			printf("%s:%zu:%zu: %s\n", name, error.line, error.column, error.message);
			counts->bad++;
		} else if (record != NULL) {
			counts->good++;
		} else {
			break;
		}
	}
	if (counts->good + counts->bad == before) {
		printf("%s:1:1: there is no game in this file\n", name);
		counts->bad++;
	}
	return MRL_OK;
}

static void print_summary(const struct counts *counts)
{
	size_t all = counts->good + counts->bad;

	printf("%zu %s: %zu good, %zu bad\n", all, all == 1 ? "game" : "games", counts->good, counts->bad);
}

int cmd_check(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_check, argc, argv);
	struct cli_records records = {0};
	struct counts counts = {0, 0};
	enum mrl_status status = MRL_OK;
	int code = CLI_GOOD;

	while (cli_parse_next(&parse) != 0)
		;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count == 0)
		return cli_wrong_usage(&cli_check, "a file is missing (- is standard input)");
	for (int i = 0; i < parse.operand_count && status == MRL_OK; i++) {
		const char *path = parse.operands[i];
		char *text = NULL;
		size_t length = 0;
		int read = cli_read_file(&cli_check, path, &text, &length);

		/* A file that cannot be read does not keep the others from being checked. */
		if (read != CLI_GO_ON) {
			code = read;
			continue;
		}
		status = check_text(strcmp(path, "-") == 0 ? "standard input" : path, text, length, &records, &counts);
		free(text);
	}
	cli_records_release(&records);
	if (status != MRL_OK)
		return cli_no_memory(&cli_check);
	print_summary(&counts);
	return code != CLI_GOOD ? code : counts.bad > 0 ? CLI_NO : CLI_GOOD;
}
