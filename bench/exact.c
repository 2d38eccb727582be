#include "exact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/* Unpacked blocks of tables that are kept, and the search's table: room for the nodes of the longest search. */
#define TABLE_CACHE ((size_t)256 << 20)
#define SEARCH_TABLE ((size_t)16 << 20)

enum exact_opened exact_open(struct exact *exact, const char *folder, const char *rules)
{
	char path[PATH_SIZE];
	char name[MRL_RULES_NAME_SIZE];
	struct mrl_error error = {0};
	size_t size = mrl_search_minimum() + SEARCH_TABLE;

	exact->tables = NULL;
	exact->own_tables = NULL;
	exact->memory = NULL;
	if (mrl_rules_parse(&exact->rules, rules, strlen(rules), &error) != MRL_OK) {
		printf("%s: skipped: %s\n", rules, error.message);
		return EXACT_SKIPPED;
	}
	mrl_rules_write(&exact->rules, name);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (mrl_tables_open(&exact->tables, path, &exact->rules, TABLE_CACHE, &error) != MRL_OK) {
		printf("%s: skipped, for its tables cannot be had: %s\n", name, error.message);
		return EXACT_SKIPPED;
	}
	exact->memory = malloc(size);
	if (exact->memory == NULL) {
		exact_close(exact);
		return EXACT_NO_MEMORY;
	}
	exact->search = mrl_search_init(exact->memory, size);
	return EXACT_OPEN;
}

void exact_close(struct exact *exact)
{
	mrl_tables_close(exact->tables);
	mrl_tables_close(exact->own_tables);
	free(exact->memory);
	exact->tables = NULL;
	exact->own_tables = NULL;
	exact->memory = NULL;
}

bool exact_open_own(struct exact *exact, const char *folder)
{
	struct mrl_error error = {0};

	if (mrl_tables_open(&exact->own_tables, folder, &exact->rules, TABLE_CACHE, &error) == MRL_OK)
		return true;
	printf("skipped: %s\n", error.message);
	return false;
}

bool exact_value(const struct exact *exact, const struct mrl_position *position, struct mrl_exact *value)
{
	struct mrl_verdict verdict = mrl_men_verdict(&exact->rules, position);
	enum mrl_outcome own_win = position->side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS;
	struct mrl_table_value found;

	*value = (struct mrl_exact){0};
	if (verdict.outcome != MRL_ONGOING) {
		value->value = verdict.outcome == MRL_DRAW ? 0 : verdict.outcome == own_win ? 1 : -1;
		return true;
	}
	if (mrl_tables_probe(exact->tables, position, &found, NULL) != MRL_OK)
		return false;
	value->value = found.result == MRL_TABLE_WIN ? 1 : found.result == MRL_TABLE_LOSS ? -1 : 0;
	value->distance = found.plies == MRL_TABLE_NO_PLIES ? -1 : (int)found.plies;
	return true;
}

bool exact_turn_value(const struct exact *exact, const struct mrl_position *position, const struct mrl_turn *turn,
		      struct mrl_exact *value)
{
	struct mrl_position after = *position;

	(void)mrl_apply(&exact->rules, &after, turn, NULL);
	if (!exact_value(exact, &after, value))
		return false;
	value->value = -value->value;
	value->distance += value->distance >= 0;
	return true;
}

unsigned exact_random(uint64_t *state, size_t limit)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)(((z ^ (z >> 31)) >> 33) % limit);
}
