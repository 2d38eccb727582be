#include "gone.h"

#include <stdlib.h>
#include <string.h>

#include "server_internal.h"

enum { ASKED_AT_A_TIME = 10000 };

static int compare(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a;
	uint64_t other = *(const uint64_t *)b;

	return one < other ? -1 : one > other;
}

bool mrl__gone_has(const struct mrl__server *server, uint64_t person)
{
	const struct mrl__gone *gone = &server->gone;

	return gone->count > 0 && person != 0 &&
	       bsearch(&person, gone->ids, gone->count, sizeof(*gone->ids), compare) != NULL;
}

/* Adds behind the others, out of order. Without memory the name is shown for longer, and a warning says so. */
static void append(struct mrl__server *server, uint64_t person)
{
	struct mrl__gone *gone = &server->gone;

	if (gone->count == gone->size) {
		size_t size = gone->size == 0 ? 64 : 2 * gone->size;
		uint64_t *moved = realloc(gone->ids, size * sizeof(*moved));

		if (moved == NULL) {
			mrl_log(&server->log, MRL_LOG_WARNING, "no memory to remember that somebody was deleted");
			return;
		}
		gone->ids = moved;
		gone->size = size;
	}
	gone->ids[gone->count++] = person;
}

static void sort(struct mrl__gone *gone)
{
	if (gone->count > 1)
		qsort(gone->ids, gone->count, sizeof(*gone->ids), compare);
}

void mrl__gone_add(struct mrl__server *server, uint64_t person)
{
	if (mrl__gone_has(server, person))
		return;
	append(server, person);
	sort(&server->gone);
}

static void ask(struct mrl__server *server, const struct mrl_store_key *after);

/* Nobody comes back, so what is known stays. */
static void on_deleted(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__server *server = user;
	struct mrl__gone *gone = &server->gone;
	size_t known = gone->count;

	gone->asking = false;
	if (answer->status != MRL_OK)
		return;
	for (size_t i = 0; i < answer->person_count; i++) {
		uint64_t person = answer->people[i].id;

		if (known == 0 || bsearch(&person, gone->ids, known, sizeof(*gone->ids), compare) == NULL)
			append(server, person);
	}
	if (gone->count > known)
		sort(gone);
	if (answer->more) {
		const struct mrl_store_key next = answer->next;

		ask(server, &next);
	}
}

static void ask(struct mrl__server *server, const struct mrl_store_key *after)
{
	server->gone.asking =
	    mrl_store_list_deleted(server->store, after, ASKED_AT_A_TIME, on_deleted, server) == MRL_OK;
}

void mrl__gone_refresh(struct mrl__server *server)
{
	if (!server->gone.asking)
		ask(server, NULL);
}

void mrl__gone_release(struct mrl__server *server)
{
	free(server->gone.ids);
	server->gone = (struct mrl__gone){0};
}
