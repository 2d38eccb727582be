#include "turns.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct cli_turn *first = a;
	const struct cli_turn *second = b;

	return strcmp(first->text, second->text);
}

bool cli_turns_list(struct cli_turns *turns, const struct mrl_rules *rules, const struct mrl_position *position)
{
	size_t count = mrl_turns(rules, position, NULL, 0);

	cli_turns_release(turns);
	if (count == 0)
		return true;
	struct mrl_turn *plain = malloc(count * sizeof(*plain));

	turns->turn = malloc(count * sizeof(*turns->turn));
	if (plain == NULL || turns->turn == NULL) {
		free(plain);
		cli_turns_release(turns);
		return false;
	}
	(void)mrl_turns(rules, position, plain, count);
	for (size_t i = 0; i < count; i++) {
		turns->turn[i].turn = plain[i];
		(void)mrl_turn_write(&rules->board, &plain[i], turns->turn[i].text);
	}
	free(plain);
	turns->count = count;
	qsort(turns->turn, count, sizeof(*turns->turn), compare);
	return true;
}

void cli_turns_release(struct cli_turns *turns)
{
	free(turns->turn);
	*turns = (struct cli_turns){NULL, 0};
}
