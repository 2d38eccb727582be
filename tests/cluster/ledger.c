#include "ledger.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/play.h>

#include "load_model.h"

enum { MOST_TOLD = 20 };

struct page {
	struct page *next;
	uint64_t game;
	char id[MRL_ID_TEXT_SIZE];
	bool over;
	uint32_t known; /* an event of this number was told or acknowledged */
	uint32_t count;
	struct load_deed deeds[]; /* of the events 1 .. count */
};

struct ledger {
	struct page *first;
};

/* What a comparison has found. */
struct result {
	uint64_t games;
	uint64_t events;
	uint64_t turns;
	uint64_t wrong;
};

struct ledger *ledger_new(void)
{
	struct ledger *ledger = calloc(1, sizeof(*ledger));

	if (ledger == NULL)
		abort();
	return ledger;
}

void ledger_free(struct ledger *ledger)
{
	while (ledger->first != NULL) {
		struct page *next = ledger->first->next;

		free(ledger->first);
		ledger->first = next;
	}
	free(ledger);
}

void ledger_keep(void *user, const struct load_model *model)
{
	struct ledger *ledger = user;
	const struct mrl_play_game *game = load_model_game(model);
	struct page *page = calloc(1, sizeof(*page) + game->number * sizeof(page->deeds[0]));

	if (page == NULL)
		abort();
	(void)snprintf(page->id, sizeof(page->id), "%s", load_model_id(model));
	if (!mrl_id_read(page->id, strlen(page->id), &page->game))
		abort();
	page->over = game->phase == MRL_PLAY_FINISHED;
	page->known = load_model_known(model);
	page->count = game->number;
	for (uint32_t n = 1; n <= page->count; n++)
		page->deeds[n - 1] = *load_model_deed(model, n);
	page->next = ledger->first;
	ledger->first = page;
}

/* ---- The comparison ----------------------------------------------------------------------------------------- */

static void complain(struct result *result, const struct page *page, uint32_t n, const char *what)
{
	if (result->wrong++ < MOST_TOLD)
		printf("database   WRONG: game %s, event %u: %s\n", page->id, n, what);
}

static bool has_words(const struct load_deed *deed, const char *words)
{
	return strncmp(deed->text, words, sizeof(deed->text) - 1) == 0;
}

static void compare_event(struct result *result, const struct page *page, uint32_t n, const char *text)
{
	struct mrl_play_event event;
	struct mrl_error error;

	if (mrl_play_event_read(text, strlen(text), &event, &error) != MRL_OK || event.number != n) {
		complain(result, page, n, "cannot be read");
		return;
	}
	result->events++;
	result->turns += event.kind == MRL_PLAY_TURN;
	if (n > page->count)
		return;

	const struct load_deed *deed = &page->deeds[n - 1];

	if (deed->kind != event.kind || deed->seat != event.seat)
		complain(result, page, n, "another event than was told");
	else if (event.kind == MRL_PLAY_TURN && (deed->ply != event.turn.ply || !has_words(deed, event.turn.text)))
		complain(result, page, n, "another turn than was told");
	else if (event.kind == MRL_PLAY_CHAT && !has_words(deed, event.chat.text))
		complain(result, page, n, "other words than were told");
}

static void compare_page(struct result *result, const struct page *page, PGconn *connection)
{
	char question[128];

	(void)snprintf(question, sizeof(question), "SELECT text FROM events WHERE game = %lld ORDER BY number",
		       (long long)page->game);

	PGresult *rows = PQexec(connection, question);
	uint32_t count = (uint32_t)PQntuples(rows);

	result->games++;
	if (count < page->known)
		complain(result, page, count + 1, "it was told or acknowledged, and is not there");
	if (count > page->known && page->over)
		complain(result, page, page->known + 1, "nobody was told of it");
	for (uint32_t n = 1; n <= count; n++)
		compare_event(result, page, n, PQgetvalue(rows, (int)n - 1, 0));
	PQclear(rows);
}

/* Whether the database has none of these; `sql` counts them. */
static bool has_no(PGconn *connection, const char *what, const char *sql)
{
	PGresult *rows = PQexec(connection, sql);
	bool answered = PQresultStatus(rows) == PGRES_TUPLES_OK;
	bool good = answered && strcmp(PQgetvalue(rows, 0, 0), "0") == 0;

	printf("database   %s %s\n", answered ? PQgetvalue(rows, 0, 0) : PQerrorMessage(connection), what);
	PQclear(rows);
	return good;
}

/* An event is its number, kind, T, date, seat and, when somebody wanted it, the id of his command. */
static bool is_sound(PGconn *connection)
{
	bool whole = has_no(connection, "games with a gap in their events",
			    "SELECT count(*) FROM (SELECT game FROM events GROUP BY game "
			    "HAVING count(*) <> max(number) OR min(number) <> 1) g");
	bool once = has_no(connection, "commands that were done twice",
			   "SELECT count(*) FROM (SELECT game FROM events WHERE split_part(text, ' ', 2) IN "
			   "('turn', 'offered', 'declined', 'takeback', 'time', 'chat') "
			   "GROUP BY game, split_part(text, ' ', 5), split_part(text, ' ', 6) HAVING count(*) > 1) g");

	return whole && once;
}

bool ledger_compare(const struct ledger *ledger, PGconn *connection)
{
	struct result result = {0};

	for (const struct page *page = ledger->first; page != NULL; page = page->next)
		compare_page(&result, page, connection);
	printf("database   %llu games with %llu events, %llu of them turns, compared with what was told: %llu wrong\n",
	       (unsigned long long)result.games, (unsigned long long)result.events, (unsigned long long)result.turns,
	       (unsigned long long)result.wrong);
	return is_sound(connection) && result.wrong == 0 && result.turns > 0;
}
