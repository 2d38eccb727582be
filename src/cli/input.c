/* What commands read: rule sets, positions, numbers, files, and the games they play on. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <os/file.h>

int cli_read_rules(const struct cli_command *command, const char *text, struct mrl_rules *rules)
{
	struct mrl_error error = {0};

	if (text == NULL)
		text = "nine";
	if (mrl_rules_parse(rules, text, strlen(text), &error) == MRL_OK)
		return CLI_GO_ON;
	(void)cli_report(command, "--rules", true, &error);
	return CLI_USAGE;
}

int cli_read_position(const struct cli_command *command, const struct mrl_rules *rules, const char *text,
		      struct mrl_position *position)
{
	struct mrl_error error = {0};

	if (text == NULL) {
		mrl_position_start(rules, position);
		return CLI_GO_ON;
	}
	if (mrl_position_read(rules, text, strlen(text), position, &error) == MRL_OK)
		return CLI_GO_ON;
	return cli_report(command, "--position", true, &error);
}

int cli_read_number(const struct cli_command *command, const char *name, const char *text, unsigned long from,
		    unsigned long to, unsigned long *number)
{
	char *end = NULL;

	errno = 0;
	unsigned long value = strtoul(text, &end, 10);

	/* strtoul() takes a sign and leading white space, which no number here has. */
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < from || value > to)
		return cli_wrong_usage(command, "--%s: '%s' is no whole number from %lu to %lu", name, text, from, to);
	*number = value;
	return CLI_GO_ON;
}

int cli_read_seconds(const struct cli_command *command, const char *name, const char *text, double most,
		     double *seconds)
{
	char *end = NULL;
	double value = strtod(text, &end);

	/* strtod() takes hexadecimal digits, powers and infinities as well. */
	if (text[strspn(text, "0123456789.")] != '\0' || *end != '\0' || !(value >= 0.01 && value <= most))
		return cli_wrong_usage(command, "--%s: '%s' is no number of seconds from 0.01 to %g", name, text, most);
	*seconds = value;
	return CLI_GO_ON;
}

int cli_read_file(const struct cli_command *command, const char *path, char **data, size_t *length)
{
	struct mrl_error error = {0};

	if (mrl_file_read(path, CLI_MAX_FILE, data, length, &error) == MRL_OK)
		return CLI_GO_ON;
	return cli_report(command, strcmp(path, "-") == 0 ? "standard input" : path, true, &error);
}

void cli_game_init(struct cli_game *game, const struct mrl_rules *rules, const struct mrl_position *start)
{
	game->plies = NULL;
	mrl_game_init(&game->game, rules, start, NULL, 0);
}

enum mrl_status cli_game_play(struct cli_game *game, const struct mrl_turn *turn, struct mrl_error *error)
{
	enum mrl_status status = mrl_game_play(&game->game, turn, error);

	if (status != MRL_SPACE)
		return status;
	size_t capacity = game->game.capacity < 64 ? 64 : 2 * game->game.capacity;
	struct mrl_ply *plies = realloc(game->plies, capacity * sizeof(*plies));

	if (plies == NULL) {
		if (error != NULL) {
			*error = (struct mrl_error){.status = MRL_SYSTEM};
			strcpy(error->message, "there is not enough memory for a longer game");
		}
		return MRL_SYSTEM;
	}
	game->plies = plies;
	mrl_game_move(&game->game, plies, capacity);
	return mrl_game_play(&game->game, turn, error);
}

void cli_game_release(struct cli_game *game)
{
	free(game->plies);
	game->plies = NULL;
	game->game.plies = NULL;
	game->game.count = 0;
	game->game.capacity = 0;
}

void cli_print_end(const struct mrl_game *game)
{
	char text[MRL_POSITION_TEXT_SIZE];

	(void)mrl_position_write(game->rules, &game->position, text);
	puts(text);
	if (game->verdict.outcome == MRL_ONGOING)
		puts("*");
	else
		printf("%s %s\n", mrl_outcome_text(game->verdict.outcome), mrl_reason_text(game->verdict.reason));
}
