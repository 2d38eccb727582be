/*
 * `five`, as far as it can be reached: published are the number of positions and the longest line among them. The
 * tables hold more positions than that, for not every arrangement of a sector comes of a game.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Positions as 64-bit keys in an open table; 0 is no key, for the start has hands. */
struct seen {
	uint64_t *slots;
	size_t mask;
	uint64_t *list; /* in the order of discovery */
	size_t count;
};

enum { SLOT_BITS = 26, MOST_POSITIONS = 20000000 };

static uint64_t key_of(const struct mrl_position *position)
{
	return position->men[0] | position->men[1] << 16 | (uint64_t)position->hand[0] << 32 |
	       (uint64_t)position->hand[1] << 40 | (uint64_t)position->side << 48 | (uint64_t)1 << 63;
}

static struct mrl_position position_of(uint64_t key)
{
	return (struct mrl_position){.men = {key & 0xffffU, key >> 16 & 0xffffU},
				     .hand = {key >> 32 & 0xffU, key >> 40 & 0xffU},
				     .side = key >> 48 & 1U};
}

static void see(struct seen *seen, uint64_t key)
{
	size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));

	while (seen->slots[slot] != 0) {
		if (seen->slots[slot] == key)
			return;
		slot = (slot + 1) & seen->mask;
	}
	assert_true(seen->count < MOST_POSITIONS);
	seen->slots[slot] = key;
	seen->list[seen->count++] = key;
}

static void see_successors(struct seen *seen, const struct mrl_rules *rules, uint64_t key)
{
	struct mrl_position position = position_of(key);
	struct mrl_turn turns[MRL_TURNS_USUAL];
	size_t count = mrl_turns(rules, &position, turns, MRL_TURNS_USUAL);

	for (size_t i = 0; i < count; i++) {
		struct mrl_position next = position;

		(void)mrl_apply(rules, &next, &turns[i], NULL);
		see(seen, key_of(&next));
	}
}

static void five_has_its_known_number_of_positions_and_longest_line(void **state)
{
	static struct mrl_rules rules;
	struct seen seen = {.mask = ((size_t)1 << SLOT_BITS) - 1};
	struct mrl_position start;
	struct mrl_tables *tables;
	char folder[FOLDER_SIZE];
	unsigned longest = 0;
	size_t over = 0;

	(void)state;
	test_rules(&rules, "five");
	test_folder(folder);
	test_build(&rules, folder, MRL_TABLE_DISTANCE, 2);
	tables = test_open(&rules, folder);
	seen.slots = calloc(seen.mask + 1, sizeof(uint64_t));
	seen.list = malloc(MOST_POSITIONS * sizeof(uint64_t));
	assert_true(seen.slots != NULL && seen.list != NULL);
	mrl_position_start(&rules, &start);
	see(&seen, key_of(&start));
	for (size_t i = 0; i < seen.count; i++)
		see_successors(&seen, &rules, seen.list[i]);
	for (size_t i = 0; i < seen.count; i++) {
		struct mrl_position position = position_of(seen.list[i]);
		struct mrl_table_value value;

		/* Positions in which the game is over are not in the number. */
		over += mrl_men_verdict(&rules, &position).outcome != MRL_ONGOING;
		assert_int_equal(mrl_tables_probe(tables, &position, &value, NULL), MRL_OK);
		if (value.result != MRL_TABLE_DRAW && value.plies > longest)
			longest = value.plies;
	}
	printf("%zu positions, %zu of them over, the longest line %u plies\n", seen.count, over, longest);
	assert_int_equal(seen.count - over, 17759101);
	assert_int_equal(longest, 74);
	free(seen.slots);
	free(seen.list);
	mrl_tables_close(tables);
	test_remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(five_has_its_known_number_of_positions_and_longest_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
