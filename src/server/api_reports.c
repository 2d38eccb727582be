/*
 * Reports of a game or of a line of chat. A person makes so many a day, as the store knows them, and an address so
 * many, as long as the server runs. The id of a report follows from who reports what, so the store takes each once.
 */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "routes.h"
#include "server_internal.h"

enum { MOST_ABOUT = 500, OF_PERSON = 20, OF_ADDRESS = 40, DAY_S = 24 * 60 * 60 };

#define DAY_MS (INT64_C(1000) * DAY_S)

/* One that is being made; `use` of its exchange. */
struct mrl__reporting {
	struct mrl__reporting *next;
	struct mrl__reporting **link;
	uint64_t person;
	uint64_t game;
	uint64_t id;
	uint32_t event; /* 0: about the game */
	unsigned ahead; /* of the same person, being made when this one came: the store may not know them yet */
};

static struct mrl__reporting *begin(struct mrl__server *server, uint64_t person, uint64_t game, uint32_t event)
{
	struct mrl__reporting *reporting = malloc(sizeof(*reporting));

	if (reporting == NULL)
		return NULL;
	*reporting = (struct mrl__reporting){.next = server->reporting,
					     .link = &server->reporting,
					     .person = person,
					     .game = game,
					     .id = mrl__id_from((const uint64_t[3]){person, game, event}),
					     .event = event};
	for (const struct mrl__reporting *other = reporting->next; other != NULL; other = other->next)
		reporting->ahead += other->person == person;
	if (reporting->next != NULL)
		reporting->next->link = &reporting->next;
	server->reporting = reporting;
	return reporting;
}

static void end(struct mrl__exchange *exchange)
{
	struct mrl__reporting *reporting = exchange->use;

	*reporting->link = reporting->next;
	if (reporting->next != NULL)
		reporting->next->link = reporting->link;
	free(reporting);
	exchange->use = NULL;
}

static void fail(struct mrl__exchange *exchange, enum mrl_status status)
{
	end(exchange);
	mrl__answer_status(exchange, status);
}

static void asked(struct mrl__exchange *exchange, enum mrl_status status)
{
	if (status != MRL_OK)
		fail(exchange, status);
}

static void refuse(struct mrl__exchange *exchange, int64_t seconds, const char *text)
{
	end(exchange);
	exchange->retry_after = seconds < 1 ? 1 : seconds > DAY_S ? DAY_S : (unsigned)seconds;
	mrl__answer_error(exchange, 429, "too-many-reports", text);
}

/* ---- Of an address ------------------------------------------------------------------------------------------ */

/* Takes one of an address; false when it has none left today. */
static bool take(const struct mrl__server *server, struct mrl__address *address)
{
	uint64_t now = mrl__now_ms();

	if (now >= address->reports_until) {
		address->reports = 0;
		address->reports_until = now + (uint64_t)DAY_MS;
	}
	if (server->addresses.rate != 0 && address->reports >= OF_ADDRESS)
		return false;
	address->reports++;
	return true;
}

static void give_back(struct mrl__address *address)
{
	if (address->reports > 0)
		address->reports--;
}

/* ---- A report ----------------------------------------------------------------------------------------------- */

static void on_reported(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		give_back(exchange->address);
		/* It is there already. */
		fail(exchange, answer->status == MRL_CONFLICT ? MRL_OK : answer->status);
		return;
	}
	end(exchange);
	(void)mrl__answer_open(exchange);
	mrl__answer(exchange, 201);
}

static void keep(struct mrl__exchange *exchange, const struct mrl_store_report *report)
{
	struct mrl_store_change *change = NULL;

	if (!take(exchange->server, exchange->address)) {
		refuse(exchange, (int64_t)(exchange->address->reports_until - mrl__now_ms()) / 1000 + 1,
		       "There are too many reports from this address today.");
		return;
	}
	change = mrl_change_new();
	mrl_change_add_report(change, report);
	enum mrl_status status = mrl_store_submit(exchange->server->store, change, on_reported, exchange, NULL);

	if (status != MRL_OK) {
		give_back(exchange->address);
		fail(exchange, status);
	}
}

/* The game is here: the line of chat that is meant is copied, as it may be asked for long after. */
static void on_game(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	const struct mrl__reporting *reporting = exchange->use;
	const char *about = json_string_value(json_object_get(exchange->json, "about"));
	struct mrl_store_report report = {.id = reporting->id,
					  .reporter = exchange->person.id,
					  .event = reporting->event,
					  .text = "",
					  .note = about != NULL ? about : "",
					  .wall = mrl__wall_ms(),
					  .verdict = ""};
	struct mrl_play_event event;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	const struct mrl_store_game *game = &answer->games[0];

	report.game = game->id;
	report.reported = game->white.person == exchange->person.id ? game->black.person : game->white.person;
	for (size_t i = 0; i < game->event_count; i++) {
		if (game->events[i].number != report.event ||
		    mrl_play_event_read(game->events[i].text, strlen(game->events[i].text), &event, NULL) != MRL_OK ||
		    event.kind != MRL_PLAY_CHAT)
			continue;
		report.reported = event.chat.person;
		report.text = event.chat.phrase != 0 ? mrl_play_phrase(event.chat.phrase) : event.chat.text;
	}
	if (game->is_private && game->white.person != exchange->person.id &&
	    game->black.person != exchange->person.id) {
		fail(exchange, MRL_MISSING);
		return;
	}
	if (report.event != 0 && report.text[0] == '\0') {
		end(exchange);
		mrl__answer_error(exchange, 400, "bad-field", "\"event\" must be the number of a line of chat.");
		return;
	}
	keep(exchange, &report);
}

/* The newest reports of the person, as many as may be made in a day. */
static void on_own_reports(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	const struct mrl__reporting *reporting = exchange->use;
	int64_t since = mrl__wall_ms() - DAY_MS;
	int64_t oldest = since;
	unsigned made = reporting->ahead;

	if (answer->status != MRL_OK) {
		fail(exchange, answer->status);
		return;
	}
	for (size_t i = 0; i < answer->report_count; i++) {
		if (answer->reports[i].id == reporting->id) {
			fail(exchange, MRL_OK);
			return;
		}
		if (answer->reports[i].wall > since) {
			oldest = answer->reports[i].wall;
			made++;
		}
	}
	if (made >= OF_PERSON) {
		refuse(exchange, (oldest - since) / 1000 + 1, "You have made too many reports today.");
		return;
	}
	asked(exchange, mrl_store_load_game(exchange->server->store, reporting->game, 1, on_game, exchange));
}

void mrl__api_report(struct mrl__exchange *exchange)
{
	uint64_t game = 0;
	const char *about = mrl__field_text(&exchange->fields, "about", MOST_ABOUT, false);
	uint32_t event = (uint32_t)mrl__field_number(&exchange->fields, "event", 1, UINT32_MAX, 0);

	if (!mrl_id_read(exchange->parameter, strlen(exchange->parameter), &game)) {
		mrl__answer_nothing(exchange);
		return;
	}
	if (event == 0 && (about == NULL || about[strspn(about, " ")] == '\0'))
		mrl__field_wrong(&exchange->fields, "about",
				 "a text that says what the matter is, where there is no \"event\"");
	if (!mrl__fields_good(&exchange->fields)) {
		mrl__answer_wrong(exchange);
		return;
	}
	exchange->use = begin(exchange->server, exchange->person.id, game, event);
	if (exchange->use == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	asked(exchange, mrl_store_list_reports_by(exchange->server->store, exchange->person.id, NULL, OF_PERSON,
						  on_own_reports, exchange));
}
