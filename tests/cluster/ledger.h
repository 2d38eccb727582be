/*
 * A ledger: what was told of each game of a load, kept beyond the game to be compared with the database itself.
 *
 * What the nodes say of a game at its end may come from what they remember. The database is what is left when all of
 * them are gone, so it is asked without them.
 */
#ifndef MERELS_TESTS_LEDGER_H
#define MERELS_TESTS_LEDGER_H

#include <stdbool.h>

#include <libpq-fe.h>

struct ledger;
struct load_model;

struct ledger *ledger_new(void);
void ledger_free(struct ledger *ledger);

/* For struct load_plan: `ledger` is one; keeps what was told and acknowledged of a game. */
void ledger_keep(void *ledger, const struct load_model *model);

/*
 * Whether the database has every game as it was told: each event once, in its place, of the same kind and seat, turns
 * and lines of chat with the same words, nothing between them; nothing behind the end of a game that was over; and
 * whether no game at all has a gap, and none a command that was done twice. Says on stdout what was compared, and what
 * is wrong.
 */
bool ledger_compare(const struct ledger *ledger, PGconn *connection);

#endif
