/* merels vectors: checks this program against files of known results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "turns.h"

static const struct cli_option options[] = {{0}};

const struct cli_command cli_vectors = {
    .name = "vectors",
    .run = cmd_vectors,
    .summary = "check this program against files of known results",
    .usage = "FILE...",
    .about = "A line is of one of three kinds, told by its fields; empty lines and lines that begin\n"
	     "with # are skipped:\n"
	     "\n"
	     "  RULES | N1 N2 N3 ...                        leaf turns at depth 1, 2, 3 ...\n"
	     "  RULES | POSITION | N1 N2 N3 | TURN TURN ... leaf turns and legal turns\n"
	     "  RULES TURN TURN ... | RESULT REASON | POSITION  a whole game\n"
	     "\n"
	     "Each line that does not hold is reported as FILE:LINE with what was expected and\n"
	     "what came out. The last line is `N passed, N failed`; the exit code is 1 if any failed.",
    .options = options,
    .operands = CLI_CHOOSE_FILES,
    .examples = "merels vectors tests/vectors/*.txt",
};

/* Bytes of a line; not 0-terminated. */
struct span {
	const char *data;
	size_t length;
};

/* What the lines are checked with, and where we are. */
struct checker {
	struct mrl_rules rules;
	struct span rules_name; /* that `rules` was made from */
	const char *file;
	size_t line;
	size_t passed;
	size_t failed;
	bool no_memory;
};

static void fail(const struct checker *checker, const char *what, struct span expected, const char *found,
		 size_t found_length)
{
	printf("%s:%zu: %s: expected %.*s, found %.*s\n", checker->file, checker->line, what, (int)expected.length,
	       expected.data, (int)found_length, found);
}

static void fail_error(const struct checker *checker, const char *what, const struct mrl_error *error)
{
	printf("%s:%zu: %s: %s\n", checker->file, checker->line, what, error->message);
}

static struct span trim(struct span span)
{
	while (span.length > 0 && (span.data[0] == ' ' || span.data[0] == '\t')) {
		span.data++;
		span.length--;
	}
	while (span.length > 0 && (span.data[span.length - 1] == ' ' || span.data[span.length - 1] == '\t' ||
				   span.data[span.length - 1] == '\r'))
		span.length--;
	return span;
}

/* Cuts the first part of `rest`, up to `stop` or the end, from it. */
static struct span cut(struct span *rest, char stop)
{
	const char *end = rest->length > 0 ? memchr(rest->data, stop, rest->length) : NULL;
	struct span part = {rest->data, end != NULL ? (size_t)(end - rest->data) : rest->length};
	size_t skip = part.length + (end != NULL);

	rest->data += skip;
	rest->length -= skip;
	return part;
}

/* The next word of `rest`; empty at the end. */
static struct span word(struct span *rest)
{
	*rest = trim(*rest);
	return cut(rest, ' ');
}

static bool equal(struct span span, const char *text)
{
	return strlen(text) == span.length && memcmp(span.data, text, span.length) == 0;
}

static bool take_rules(struct checker *checker, struct span name)
{
	struct mrl_error error = {0};

	if (checker->rules_name.length == name.length && name.length > 0 &&
	    memcmp(checker->rules_name.data, name.data, name.length) == 0)
		return true;
	checker->rules_name.length = 0;
	if (mrl_rules_parse(&checker->rules, name.data, name.length, &error) != MRL_OK) {
		fail_error(checker, "rules", &error);
		return false;
	}
	checker->rules_name = name;
	return true;
}

static bool take_position(const struct checker *checker, struct span text, struct mrl_position *position)
{
	struct mrl_error error = {0};

	if (mrl_position_read(&checker->rules, text.data, text.length, position, &error) == MRL_OK)
		return true;
	fail_error(checker, "position", &error);
	return false;
}

/* Each count of `counts` against the leaf turns at depth 1, 2, 3 ... */
static bool check_perft(const struct checker *checker, const struct mrl_position *position, struct span counts)
{
	bool good = true;
	unsigned depth = 0;

	for (struct span expected = word(&counts); expected.length > 0; expected = word(&counts)) {
		char what[32];
		char found[32];

		depth++;
		(void)snprintf(what, sizeof(what), "perft depth %u", depth);
		(void)snprintf(found, sizeof(found), "%" PRIu64, mrl_perft(&checker->rules, position, depth));
		if (!equal(expected, found)) {
			fail(checker, what, expected, found, strlen(found));
			good = false;
		}
	}
	if (depth == 0) {
		printf("%s:%zu: perft: expected counts, found nothing\n", checker->file, checker->line);
		return false;
	}
	return good;
}

static bool check_start(struct checker *checker, struct span fields[])
{
	struct mrl_position start;

	if (!take_rules(checker, fields[0]))
		return false;
	mrl_position_start(&checker->rules, &start);
	return check_perft(checker, &start, fields[1]);
}

/* The legal turns with one space between them; to be freed. */
static char *turns_text(const struct cli_turns *turns)
{
	char *text = malloc(turns->count * MRL_TURN_TEXT_SIZE + 1);
	size_t used = 0;

	if (text == NULL)
		return NULL;
	for (size_t i = 0; i < turns->count; i++) {
		size_t length = strlen(turns->turn[i].text);

		if (i > 0)
			text[used++] = ' ';
		memcpy(text + used, turns->turn[i].text, length);
		used += length;
	}
	text[used] = '\0';
	return text;
}

static bool check_turns(struct checker *checker, const struct mrl_position *position, struct span expected)
{
	struct cli_turns turns = {0};
	char *found = cli_turns_list(&turns, &checker->rules, position) ? turns_text(&turns) : NULL;
	bool good = found != NULL && equal(expected, found);

	if (found == NULL)
		checker->no_memory = true;
	else if (!good)
		fail(checker, "legal turns", expected, found, strlen(found));
	free(found);
	cli_turns_release(&turns);
	return good;
}

static bool check_position(struct checker *checker, struct span fields[])
{
	struct mrl_position position;

	if (!take_rules(checker, fields[0]) || !take_position(checker, fields[1], &position))
		return false;
	bool counts = check_perft(checker, &position, fields[2]);
	bool turns = check_turns(checker, &position, fields[3]);

	return counts && turns;
}

/* Plays the turns of a line, up to the first that cannot be played. */
static bool play_turns(struct checker *checker, struct cli_game *game, struct span turns)
{
	for (;;) {
		struct mrl_turn turn;
		struct mrl_error error = {0};
		size_t consumed = 0;
		enum mrl_status status = mrl_turn_next(&checker->rules, &game->game.position, turns.data, turns.length,
						       &consumed, &turn, &error);

		if (status == MRL_OK && turn.to == MRL_NO_POINT)
			return true;
		if (status == MRL_OK)
			status = cli_game_play(game, &turn, &error);
		if (status == MRL_SYSTEM)
			checker->no_memory = true;
		if (status != MRL_OK) {
			printf("%s:%zu: turn %zu: %s\n", checker->file, checker->line, game->game.count + 1,
			       error.message);
			return false;
		}
		turns.data += consumed;
		turns.length -= consumed;
	}
}

static bool check_end(const struct checker *checker, const struct mrl_game *game, struct span result,
		      struct span position)
{
	char text[MRL_POSITION_TEXT_SIZE];
	char verdict[32];
	bool good = true;

	(void)snprintf(verdict, sizeof(verdict), "%s %s", mrl_outcome_text(game->verdict.outcome),
		       mrl_reason_text(game->verdict.reason));
	if (!equal(result, verdict)) {
		fail(checker, "result", result, verdict, strlen(verdict));
		good = false;
	}
	(void)mrl_position_write(game->rules, &game->position, text);
	if (!equal(position, text)) {
		fail(checker, "final position", position, text, strlen(text));
		good = false;
	}
	return good;
}

static bool check_game(struct checker *checker, struct span fields[])
{
	struct span turns = fields[0];
	struct span name = word(&turns);
	struct cli_game game;

	if (!take_rules(checker, name))
		return false;
	cli_game_init(&game, &checker->rules, NULL);
	bool good = play_turns(checker, &game, turns) && check_end(checker, &game.game, fields[1], fields[2]);

	cli_game_release(&game);
	return good;
}

static void check_line(struct checker *checker, struct span line)
{
	struct span fields[4];
	size_t count = 0;
	bool good = false;

	line = trim(line);
	if (line.length == 0 || line.data[0] == '#')
		return;
	struct span rest = line;

	while (count < 4 && rest.length > 0)
		fields[count++] = trim(cut(&rest, '|'));
	if (rest.length > 0)
		count++;
	/* A line that ends in `|` has an empty last field. */
	if (count < 4 && line.data[line.length - 1] == '|')
		fields[count++] = (struct span){line.data + line.length, 0};
	switch (count) {
	case 2:
		good = check_start(checker, fields);
		break;
	case 3:
		good = check_game(checker, fields);
		break;
	case 4:
		good = check_position(checker, fields);
		break;
	default:
		printf("%s:%zu: expected 2, 3 or 4 fields with | between them, found %s\n", checker->file,
		       checker->line, count < 2 ? "1" : "more");
	}
	checker->passed += good;
	checker->failed += !good;
}

static int check_file(struct checker *checker, const char *path)
{
	char *data = NULL;
	size_t length = 0;
	int code = cli_read_file(&cli_vectors, path, &data, &length);

	if (code != CLI_GO_ON)
		return code;
	struct span rest = {data, length};

	checker->file = path;
	checker->line = 0;
	while (rest.length > 0 && !checker->no_memory) {
		checker->line++;
		check_line(checker, cut(&rest, '\n'));
	}
	/* The name that the rules were made from goes with the file. */
	checker->rules_name.length = 0;
	free(data);
	return CLI_GO_ON;
}

int cmd_vectors(int argc, char **argv)
{
	static struct checker checker;
	struct cli_parse parse = cli_parse_begin(&cli_vectors, argc, argv);

	while (cli_parse_next(&parse) != 0)
		continue;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count == 0)
		return cli_wrong_usage(&cli_vectors, "a file is missing");
	for (int i = 0; i < parse.operand_count; i++) {
		int code = check_file(&checker, parse.operands[i]);

		if (code != CLI_GO_ON)
			return code;
		if (checker.no_memory)
			return cli_no_memory(&cli_vectors);
	}
	printf("%zu passed, %zu failed\n", checker.passed, checker.failed);
	return checker.failed == 0 ? CLI_GOOD : CLI_NO;
}
