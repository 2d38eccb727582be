/* merels replay: plays turns and says where they lead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

enum {
	FROM_STDIN = 's',
	LONGEST_WORD = 24 /* of a turn that is no turn, shown in a message */
};

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    CLI_OPTION_POSITION,
    {"stdin", FROM_STDIN, NULL, "after the arguments read turns from standard input; so does a last -", NULL},
    {0},
};

const struct cli_command cli_replay = {
    .name = "replay",
    .run = cmd_replay,
    .summary = "play turns and say where they lead",
    .usage = "[--rules RULES] [--position POSITION] [--stdin] TURN...",
    .about = "Prints the position after the turns and, on a second line, the result and why the\n"
	     "game ended (`0-1 few-men`), or `*` while it goes on. A take may stand as an argument\n"
	     "of its own. At a turn that the rules do not allow it stops with exit code 1, prints\n"
	     "no position, and says on standard error which turn that was and why.",
    .options = options,
    .examples = "merels replay --rules nine d6 f4 d2 b4 d7xb4\n"
		"merels replay --rules three c2 a3 c3 a1 c1\n"
		"merels replay --rules nine - < turns.txt",
};

/* The turns of one source: the arguments joined, or a file. */
struct source {
	const char *name; /* for an error, or NULL for the arguments */
	const char *text;
	size_t length;
};

/* The word at a column of the first line, for an error in the arguments. */
static void complain_word(const struct source *source, size_t number, const struct mrl_error *error)
{
	size_t begin = error->column > 0 ? error->column - 1 : source->length;

	if (begin > source->length)
		begin = source->length;
	while (begin > 0 && source->text[begin - 1] != ' ')
		begin--;
	int length = (int)strcspn(source->text + begin, " ");
	bool cut = length > LONGEST_WORD;

	if (length > 0)
		cli_complain(&cli_replay, "turn %zu, %.*s%s: %s", number, cut ? LONGEST_WORD : length,
			     source->text + begin, cut ? "..." : "", error->message);
	else
		cli_complain(&cli_replay, "turn %zu: %s", number, error->message);
}

static int complain(const struct source *source, size_t number, const struct mrl_error *error)
{
	if (error->status == MRL_SYSTEM) {
		cli_complain(&cli_replay, "%s", error->message);
		return CLI_SYSTEM;
	}
	if (source->name == NULL)
		complain_word(source, number, error);
	else if (error->column > 0)
		cli_complain(&cli_replay, "%s: line %zu, column %zu: turn %zu: %s", source->name, error->line,
			     error->column, number, error->message);
	else
		cli_complain(&cli_replay, "%s: turn %zu: %s", source->name, number, error->message);
	return CLI_NO;
}

/* The place in `text` that the line and column of an error found behind `begin` mean. */
static void move_error(const struct source *source, size_t begin, struct mrl_error *error)
{
	size_t line = 1;
	size_t line_begin = 0;

	if (error->column == 0)
		return;
	for (size_t i = 0; i < begin && i < source->length; i++) {
		if (source->text[i] == '\n') {
			line++;
			line_begin = i + 1;
		}
	}
	if (error->line <= 1)
		error->column += begin - line_begin;
	error->line = line + (error->line > 0 ? error->line - 1 : 0);
}

static int play_source(struct cli_game *game, const struct source *source)
{
	size_t at = 0;

	for (;;) {
		struct mrl_turn turn;
		struct mrl_error error = {0};
		size_t consumed = 0;
		enum mrl_status status = mrl_turn_next(game->game.rules, &game->game.position, source->text + at,
						       source->length - at, &consumed, &turn, &error);

		if (status == MRL_OK && turn.to == MRL_NO_POINT)
			return CLI_GO_ON;
		if (status == MRL_OK)
			status = cli_game_play(game, &turn, &error);
		if (status != MRL_OK) {
			move_error(source, at, &error);
			return complain(source, game->game.count + 1, &error);
		}
		at += consumed;
	}
}

/* The arguments with spaces between them; to be freed. NULL when there is no memory. */
static char *join(char **words, int count)
{
	size_t length = 1;

	for (int i = 0; i < count; i++)
		length += strlen(words[i]) + 1;
	char *text = malloc(length);
	size_t used = 0;

	if (text == NULL)
		return NULL;
	for (int i = 0; i < count; i++) {
		size_t word = strlen(words[i]);

		if (i > 0)
			text[used++] = ' ';
		memcpy(text + used, words[i], word);
		used += word;
	}
	text[used] = '\0';
	return text;
}

static int play_arguments(struct cli_game *game, char **words, int count)
{
	char *text = join(words, count);

	if (text == NULL)
		return cli_no_memory(&cli_replay);
	int code = play_source(game, &(struct source){NULL, text, strlen(text)});

	free(text);
	return code;
}

static int play_stdin(struct cli_game *game)
{
	char *text = NULL;
	size_t length = 0;
	int code = cli_read_file(&cli_replay, "-", &text, &length);

	if (code == CLI_GO_ON)
		code = play_source(game, &(struct source){"standard input", text, length});
	free(text);
	return code;
}

int cmd_replay(int argc, char **argv)
{
	static struct mrl_rules rules;
	struct mrl_position position;
	struct cli_parse parse = cli_parse_begin(&cli_replay, argc, argv);
	const char *rules_text = NULL;
	const char *position_text = NULL;
	bool from_stdin = false;
	int option;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == 'r')
			rules_text = parse.value;
		else if (option == 'p')
			position_text = parse.value;
		else
			from_stdin = true;
	}
	if (parse.finished)
		return parse.code;
	int count = parse.operand_count;

	if (count > 0 && strcmp(parse.operands[count - 1], "-") == 0) {
		from_stdin = true;
		count--;
	}
	int code = cli_read_rules(&cli_replay, rules_text, &rules);

	if (code == CLI_GO_ON)
		code = cli_read_position(&cli_replay, &rules, position_text, &position);
	if (code != CLI_GO_ON)
		return code;
	struct cli_game game;

	cli_game_init(&game, &rules, &position);
	code = play_arguments(&game, parse.operands, count);
	if (code == CLI_GO_ON && from_stdin)
		code = play_stdin(&game);
	if (code == CLI_GO_ON) {
		cli_print_end(&game.game);
		code = CLI_GOOD;
	}
	cli_game_release(&game);
	return code;
}
