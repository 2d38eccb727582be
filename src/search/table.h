/*
 * The transposition table: what earlier visits to a position found.
 *
 * Buckets of four entries, one cache line. Threads share it without locks: an entry is two words, the second of which
 * is stored xored with the first, so that an entry torn by two writers has the wrong key and is not found.
 */
#ifndef MERELS_TABLE_ENTRIES_H
#define MERELS_TABLE_ENTRIES_H

#include <merels/rules.h>

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct table_entry {
	uint64_t turn;
	uint64_t rest; /* key 32, score 16, depth 8, generation 6 and bound 2; xored with `turn` */
};

#define BUCKET_ENTRIES 4

struct bucket {
	struct table_entry entry[BUCKET_ENTRIES];
};

struct table {
	struct bucket *buckets;
	size_t mask;
	unsigned generation; /* of the search that is running, 0..63 */
	uint64_t rule_set;   /* fingerprint of the rule set its entries belong to; 0 for none */
};

/* What is known of a position. */
struct known {
	struct mrl_turn turn;
	int score;
	unsigned depth;
	enum bound bound;
};

/* Lays a table over memory[0 .. bytes); at least one bucket. */
void mrl__table_init(struct table *table, void *memory, size_t bytes);
void mrl__table_clear(struct table *table);
bool mrl__table_find(const struct table *table, uint64_t key, struct known *known);
void mrl__table_store(struct table *table, uint64_t key, const struct known *known);
const void *mrl__table_address(const struct table *table, uint64_t key);

/* Entries written by the present generation, in thousandths, from a sample. */
unsigned mrl__table_full(const struct table *table);

#endif
