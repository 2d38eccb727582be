/* The legal turns of a position, with their texts, in the order of the texts. */
#ifndef MERELS_CLI_TURNS_H
#define MERELS_CLI_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/notation.h>
#include <merels/rules.h>

struct cli_turn {
	char text[MRL_TURN_TEXT_SIZE];
	struct mrl_turn turn;
};

/* struct cli_turns t = {0} is empty and may be released. */
struct cli_turns {
	struct cli_turn *turn; /* owned; turn[0 .. count), sorted by byte */
	size_t count;
};

/* Lists the legal turns in place of what was in `turns`; false, and `turns` empty, when there is no memory. */
MRL_MUST_USE bool cli_turns_list(struct cli_turns *turns, const struct mrl_rules *rules,
				 const struct mrl_position *position);

void cli_turns_release(struct cli_turns *turns);

#endif
