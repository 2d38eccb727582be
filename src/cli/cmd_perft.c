/* merels perft: counts the leaf turns of the game tree. */
#include <inttypes.h>
#include <stdio.h>

#include <os/clock.h>

#include "commands.h"
#include "turns.h"

enum { DIVIDE = 'D', MOST_DEPTH = 99 };

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    CLI_OPTION_POSITION,
    {"depth", 'd', "N", "plies to look ahead, 0 to 99", NULL},
    {"divide", DIVIDE, NULL, "first the count behind each turn, one a line", NULL},
    {0},
};

const struct cli_command cli_perft = {
    .name = "perft",
    .run = cmd_perft,
    .summary = "count the sequences of turns of a length",
    .usage = "--depth N [--rules RULES] [--position POSITION] [--divide]",
    .about = "Counts the turns at the last of N plies; a turn with its take is one ply. Positions\n"
	     "decided by mill, few-men, no-moves or full-board have no turns; the counters and\n"
	     "repetition are left out. How long it took is said on standard error.",
    .options = options,
    .examples = "merels perft --rules nine --depth 5\n"
		"merels perft --rules lasker --depth 3 --divide",
};

/* Prints the count behind each turn and adds them up. CLI_GO_ON, or an exit code. */
static int divide(const struct mrl_rules *rules, const struct mrl_position *position, unsigned depth, uint64_t *sum)
{
	struct cli_turns turns = {0};

	if (!cli_turns_list(&turns, rules, position))
		return cli_no_memory(&cli_perft);
	*sum = 0;
	for (size_t i = 0; i < turns.count; i++) {
		struct mrl_position next = *position;

		(void)mrl_apply(rules, &next, &turns.turn[i].turn, NULL);
		uint64_t count = mrl_perft(rules, &next, depth - 1);

		printf("%s: %" PRIu64 "\n", turns.turn[i].text, count);
		*sum += count;
	}
	cli_turns_release(&turns);
	return CLI_GO_ON;
}

static int count(const struct mrl_rules *rules, const struct mrl_position *position, unsigned depth, bool divided)
{
	uint64_t begin = mrl_clock_now();
	uint64_t nodes = 0;

	if (divided && depth > 0) {
		int code = divide(rules, position, depth, &nodes);

		if (code != CLI_GO_ON)
			return code;
	} else {
		nodes = mrl_perft(rules, position, depth);
	}
	double seconds = mrl_clock_since(begin);

	printf("depth %u: %" PRIu64 "\n", depth, nodes);
	(void)fflush(stdout);
	fprintf(stderr, "%" PRIu64 " nodes in %.3f s, %.0f turns per second\n", nodes, seconds,
		seconds > 0 ? (double)nodes / seconds : 0.0);
	return CLI_GOOD;
}

int cmd_perft(int argc, char **argv)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct cli_parse parse = cli_parse_begin(&cli_perft, argc, argv);
	const char *rules_text = NULL;
	const char *position_text = NULL;
	const char *depth_text = NULL;
	unsigned long depth = 0;
	bool divided = false;
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		switch (option) {
		case 'r':
			rules_text = parse.value;
			break;
		case 'p':
			position_text = parse.value;
			break;
		case 'd':
			depth_text = parse.value;
			break;
		default:
			divided = true;
		}
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_perft, "unexpected argument '%s'", parse.operands[0]);
	if (depth_text == NULL)
		return cli_wrong_usage(&cli_perft, "the option '--depth' is missing");
	int code = cli_read_number(&cli_perft, "depth", depth_text, 0, MOST_DEPTH, &depth);

	if (code == CLI_GO_ON)
		code = cli_read_rules(&cli_perft, rules_text, &rules);
	if (code == CLI_GO_ON)
		code = cli_read_position(&cli_perft, &rules, position_text, &position);
	return code == CLI_GO_ON ? count(&rules, &position, (unsigned)depth, divided) : code;
}
