/* merels legal: the legal turns of a position. */
#include <stdio.h>

#include "commands.h"
#include "turns.h"

static const struct cli_option options[] = {CLI_OPTION_RULES, CLI_OPTION_POSITION, {0}};

const struct cli_command cli_legal = {
    .name = "legal",
    .run = cmd_legal,
    .summary = "list the legal turns of a position",
    .usage = "[--rules RULES] [--position POSITION]",
    .about = "One turn a line, sorted by byte. A position in which the game is over has none:\n"
	     "then the one line is `decided: ` and the reason.",
    .options = options,
    .examples = "merels legal --rules six\n"
		"merels legal --rules nine --position \"W../B../.../....../.../.../... w 8,8\"",
};

static int list(const struct mrl_rules *rules, const struct mrl_position *position)
{
	struct mrl_verdict verdict = mrl_position_verdict(rules, position);
	struct cli_turns turns = {0};

	if (verdict.outcome != MRL_ONGOING) {
		printf("decided: %s\n", mrl_reason_text(verdict.reason));
		return CLI_GOOD;
	}
	if (!cli_turns_list(&turns, rules, position))
		return cli_no_memory(&cli_legal);
	for (size_t i = 0; i < turns.count; i++)
		puts(turns.turn[i].text);
	cli_turns_release(&turns);
	return CLI_GOOD;
}

int cmd_legal(int argc, char **argv)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct cli_parse parse = cli_parse_begin(&cli_legal, argc, argv);
	const char *rules_text = NULL;
	const char *position_text = NULL;
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == 'r')
			rules_text = parse.value;
		else
			position_text = parse.value;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_legal, "unexpected argument '%s'", parse.operands[0]);
	int code = cli_read_rules(&cli_legal, rules_text, &rules);

	if (code == CLI_GO_ON)
		code = cli_read_position(&cli_legal, &rules, position_text, &position);
	return code == CLI_GO_ON ? list(&rules, &position) : code;
}
