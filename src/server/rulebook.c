#include "rulebook.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mrl__rulebook_page {
	struct mrl_rules rules; /* first: a page is found by its rules */
	struct mrl__rulebook_page *next;
	unsigned users;
	char text[MRL_RULES_NAME_SIZE];
};

static size_t bucket_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (hash ^ hash >> 32) % MRL__RULEBOOK_BUCKETS;
}

const struct mrl_rules *mrl__rulebook_hold(struct mrl__rulebook *book, const char *canonical)
{
	size_t bucket = bucket_of(canonical);

	for (struct mrl__rulebook_page *at = book->buckets[bucket]; at != NULL; at = at->next) {
		if (strcmp(at->text, canonical) == 0) {
			at->users++;
			return &at->rules;
		}
	}
	struct mrl__rulebook_page *page = malloc(sizeof(*page));

	if (page == NULL)
		return NULL;
	if (strlen(canonical) >= sizeof(page->text) ||
	    mrl_rules_parse(&page->rules, canonical, strlen(canonical), NULL) != MRL_OK) {
		free(page);
		return NULL;
	}
	memcpy(page->text, canonical, strlen(canonical) + 1);
	page->users = 1;
	page->next = book->buckets[bucket];
	book->buckets[bucket] = page;
	book->count++;
	return &page->rules;
}

const char *mrl__rulebook_text(const struct mrl_rules *rules)
{
	return ((const struct mrl__rulebook_page *)(const void *)rules)->text;
}

void mrl__rulebook_drop(struct mrl__rulebook *book, const struct mrl_rules *rules)
{
	for (size_t i = 0; rules != NULL && i < MRL__RULEBOOK_BUCKETS; i++) {
		struct mrl__rulebook_page **link = &book->buckets[i];

		while (*link != NULL && &(*link)->rules != rules)
			link = &(*link)->next;
		if (*link == NULL)
			continue;
		struct mrl__rulebook_page *page = *link;

		if (--page->users == 0) {
			*link = page->next;
			book->count--;
			free(page);
		}
		return;
	}
}

bool mrl__rules_canonical(const char *text, char canonical[MRL_RULES_NAME_SIZE], struct mrl_error *error)
{
	/* To compute a board takes long, and most ask for the same. */
	static _Thread_local char last[MRL_RULES_NAME_SIZE];
	static _Thread_local char last_canonical[MRL_RULES_NAME_SIZE];

	if (last[0] != '\0' && strcmp(text, last) == 0) {
		memcpy(canonical, last_canonical, sizeof(last_canonical));
		return true;
	}
	/* 15 kB: too much for the stack of a callback. */
	struct mrl_rules *rules = malloc(sizeof(*rules));
	bool good = rules != NULL && mrl_rules_parse(rules, text, strlen(text), error) == MRL_OK;

	if (good) {
		mrl_rules_write(rules, canonical);
		if (strlen(text) < sizeof(last)) {
			memcpy(last, text, strlen(text) + 1);
			memcpy(last_canonical, canonical, sizeof(last_canonical));
		}
	}
	free(rules);
	return good;
}
