/*
 * The rule sets in use. A rule set is large and the same for many games, so each is computed once and shared while
 * somebody uses it. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_RULEBOOK_H
#define MERELS_SERVER_RULEBOOK_H

#include <stddef.h>

#include <merels/rules.h>

#define MRL__RULEBOOK_BUCKETS 256

struct mrl__rulebook_page;

struct mrl__rulebook {
	struct mrl__rulebook_page *buckets[MRL__RULEBOOK_BUCKETS];
	size_t count;
};

/*
 * The rule set of a text in canonical form, held by the caller until mrl__rulebook_drop(); NULL when the text is none
 * or there is no memory.
 */
const struct mrl_rules *mrl__rulebook_hold(struct mrl__rulebook *book, const char *canonical);
void mrl__rulebook_drop(struct mrl__rulebook *book, const struct mrl_rules *rules); /* NULL is allowed */

/* The canonical form of a rule set that is held. */
const char *mrl__rulebook_text(const struct mrl_rules *rules);

/* The canonical form of a text that somebody sent; false when it is no rule set: `error` says why. */
bool mrl__rules_canonical(const char *text, char canonical[MRL_RULES_NAME_SIZE], struct mrl_error *error);

#endif
