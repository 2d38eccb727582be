/* The archive: games that are over, found, listed, told as records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "records.h"
#include "routes.h"
#include "rulebook.h"
#include "server_internal.h"
#include "snapshot.h"

/* Room for three numbers of any size, as a compiler sees it. */
enum { DAY_TEXT_SIZE = 40 };

enum { USUAL_PAGE = 50, MOST_PAGE = 100, MOST_DAYS = 400 };

#define DAY_MS (INT64_C(24) * 3600 * 1000)
#define RECORD_TYPE "application/vnd.merels-record; charset=utf-8"

static void bad_query(struct mrl__exchange *exchange, const char *text)
{
	mrl__answer_error(exchange, 400, "bad-field", text);
}

/* Days since 1970 of "2026-11-30"; false when it is none. */
static bool read_day(const char *text, int32_t *day)
{
	int year = 0;
	int month = 0;
	int date = 0;
	int end = 0;

	if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &date, &end) != 3 || text[end] != '\0' || year < 1970 ||
	    month < 1 || month > 12 || date < 1 || date > 31)
		return false;
	/* Days of the civil calendar, counted from March, so that the leap day is the last of a year. */
	int y = month <= 2 ? year - 1 : year;
	int m = month <= 2 ? month + 9 : month - 3;

	*day = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + date - 1 - 719468;
	return true;
}

static void write_day(char text[DAY_TEXT_SIZE], int32_t day)
{
	int32_t z = day + 719468;
	int32_t era = z / 146097;
	int32_t in_era = z - era * 146097;
	int32_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int32_t in_year = in_era - (365 * y + y / 4 - y / 100);
	int32_t m = (5 * in_year + 2) / 153;
	int32_t month = m < 10 ? m + 3 : m - 9;

	(void)snprintf(text, DAY_TEXT_SIZE, "%04d-%02d-%02d", (int)(y + era * 400 + (month <= 2)), (int)month,
		       (int)(in_year - (153 * m + 2) / 5 + 1));
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

struct search {
	struct mrl__exchange *exchange;
	struct mrl_store_search what;
	char rules[MRL_RULES_NAME_SIZE];
	char opening[256];
	char opponent[MRL__PARAMETER_SIZE];
	bool paged;
	struct mrl_store_key after;
	unsigned limit;
};

static void write_cursor(char text[64], const struct mrl_store_key *key)
{
	(void)snprintf(text, 64, "%lld.%llu", (long long)key->major, (unsigned long long)key->minor);
}

static bool read_cursor(const char *text, struct mrl_store_key *key)
{
	long long major = 0;
	unsigned long long minor = 0;
	int end = 0;

	if (sscanf(text, "%19lld.%20llu%n", &major, &minor, &end) != 2 || text[end] != '\0')
		return false;
	*key = (struct mrl_store_key){.major = major, .minor = minor};
	return true;
}

static void on_page(void *user, const struct mrl_store_answer *answer)
{
	struct search *search = user;
	struct mrl__exchange *exchange = search->exchange;
	char cursor[64];

	free(search);
	if (answer->status == MRL_STOPPED) {
		bad_query(exchange, "This search takes too long; ask for less, by a player or by dates.");
		return;
	}
	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open_list(json, "games");
	for (size_t i = 0; i < answer->game_count; i++)
		mrl__write_listed(json, &answer->games[i]);
	mrl__json_close_list(json);
	write_cursor(cursor, &answer->next);
	mrl__json_text(json, "next", answer->more ? cursor : NULL);
	mrl__answer(exchange, 200);
}

static void find(struct search *search)
{
	struct mrl__exchange *exchange = search->exchange;
	enum mrl_status status =
	    mrl_store_list_games(exchange->server->store, &search->what, false, search->paged ? &search->after : NULL,
				 search->limit, on_page, search);

	if (status != MRL_OK) {
		free(search);
		mrl__answer_status(exchange, status);
	}
}

static void on_opponent(void *user, const struct mrl_store_answer *answer)
{
	struct search *search = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(search->exchange, answer->status);
		free(search);
		return;
	}
	if (search->what.person == 0)
		search->what.person = answer->people[0].id;
	else
		search->what.opponent = answer->people[0].id;
	find(search);
}

static void ask_for_opponent(struct search *search)
{
	struct mrl__exchange *exchange = search->exchange;

	if (search->opponent[0] == '\0') {
		find(search);
		return;
	}
	enum mrl_status status = mrl_store_find_name(exchange->server->store, search->opponent, on_opponent, search);

	if (status != MRL_OK) {
		free(search);
		mrl__answer_status(exchange, status);
	}
}

static void on_searched_player(void *user, const struct mrl_store_answer *answer)
{
	struct search *search = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(search->exchange, answer->status);
		free(search);
		return;
	}
	search->what.person = answer->people[0].id;
	ask_for_opponent(search);
}

/* Reads the filters; NULL, or what is wrong with one. */
static const char *read_filters(struct search *search)
{
	static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
	const struct mrl__exchange *exchange = search->exchange;
	char text[256];
	int32_t day = 0;

	search->what.viewer = exchange->person.id;
	if (mrl__query(exchange, "rules", text, sizeof(text)) && !mrl__rules_canonical(text, search->rules, NULL))
		return "\"rules\" is no rule set.";
	search->what.rules = search->rules;
	if (mrl__query(exchange, "result", text, sizeof(text))) {
		for (unsigned i = 0; i < 3; i++) {
			if (strcmp(text, results[i]) == 0)
				search->what.result = (enum mrl_store_result)(MRL_STORE_RESULT_WHITE + i);
		}
		if (search->what.result == MRL_STORE_RESULT_ANY)
			return "\"result\" is one of 1-0, 0-1, 1/2-1/2.";
	}
	if (mrl__query(exchange, "from", text, sizeof(text))) {
		if (!read_day(text, &day))
			return "\"from\" is a day, 2026-11-30.";
		search->what.from = day * DAY_MS;
	}
	if (mrl__query(exchange, "to", text, sizeof(text))) {
		if (!read_day(text, &day))
			return "\"to\" is a day, 2026-11-30.";
		search->what.until = (day + 1) * DAY_MS;
	}
	if (mrl__query(exchange, "opening", search->opening, sizeof(search->opening)))
		search->what.opening = search->opening;
	search->limit = USUAL_PAGE;
	if (mrl__query(exchange, "limit", text, sizeof(text))) {
		char *end = NULL;
		long limit = strtol(text, &end, 10);

		if (*end != '\0' || limit < 1 || limit > MOST_PAGE)
			return "\"limit\" is a number from 1 to 100.";
		search->limit = (unsigned)limit;
	}
	if (mrl__query(exchange, "before", text, sizeof(text))) {
		search->paged = read_cursor(text, &search->after);
		if (!search->paged)
			return "\"before\" is the \"next\" of the page before.";
	}
	return NULL;
}

void mrl__api_games(struct mrl__exchange *exchange)
{
	struct search *search = calloc(1, sizeof(*search));
	char player[MRL__PARAMETER_SIZE];

	if (search == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	search->exchange = exchange;
	const char *wrong = read_filters(search);

	if (wrong != NULL) {
		free(search);
		bad_query(exchange, wrong);
		return;
	}
	(void)mrl__query(exchange, "opponent", search->opponent, sizeof(search->opponent));
	if (!mrl__query(exchange, "player", player, sizeof(player))) {
		ask_for_opponent(search);
		return;
	}
	enum mrl_status status = mrl_store_find_name(exchange->server->store, player, on_searched_player, search);

	if (status != MRL_OK) {
		free(search);
		mrl__answer_status(exchange, status);
	}
}

/* ---- Records ------------------------------------------------------------------------------------------------ */

static void on_recorded(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	const struct mrl_store_game *game = &answer->games[0];
	bool mine = exchange->person.id != 0 &&
		    (game->white.person == exchange->person.id || game->black.person == exchange->person.id);

	if (game->is_private && !mine) {
		mrl__answer_nothing(exchange);
		return;
	}
	char *text = mrl__record_text(&exchange->server->rulebook, game);

	if (text == NULL)
		mrl__answer_status(exchange, MRL_SPACE);
	else
		mrl__answer_text(exchange, RECORD_TYPE, text);
	free(text);
}

void mrl__api_record(struct mrl__exchange *exchange)
{
	uint64_t id = 0;
	enum mrl_status status = MRL_MISSING;

	if (mrl_id_read(exchange->parameter, strlen(exchange->parameter), &id))
		status = mrl_store_load_game(exchange->server->store, id, 1, on_recorded, exchange);
	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}

/* All games of a player, one after the other. */
struct stream {
	struct mrl__exchange *exchange;
	struct mrl_store_stream *stream; /* NULL: not begun, or ended */
	uint64_t person;
	bool any;
	bool giving; /* inside of on_game() */
	bool wanted; /* meanwhile the next was asked for */
};

static enum mrl_store_flow on_game(void *user, const struct mrl_store_game *game)
{
	struct stream *stream = user;
	struct mrl__exchange *exchange = stream->exchange;
	char *text = NULL;

	if (exchange->wsi == NULL)
		return MRL_STORE_STOP;
	text = mrl__record_text(&exchange->server->rulebook, game);
	if (text == NULL)
		return MRL_STORE_GO_ON;
	if (stream->any)
		mrl__json_append(&exchange->out, "\n", 1);
	stream->any = true;
	mrl__json_append(&exchange->out, text, strlen(text));
	free(text);
	/* The connection may take it at once, or turn out to be gone. */
	stream->giving = true;
	stream->wanted = false;
	mrl__answer_piece(exchange, false);
	stream->giving = false;
	if (exchange->wsi == NULL)
		return MRL_STORE_STOP;
	return stream->wanted ? MRL_STORE_GO_ON : MRL_STORE_PAUSE;
}

static void on_streamed(void *user, const struct mrl_store_answer *answer)
{
	struct stream *stream = user;
	struct mrl__exchange *exchange = stream->exchange;

	(void)answer;
	exchange->use = NULL;
	free(stream);
	mrl__answer_piece(exchange, true);
}

static void more(struct mrl__exchange *exchange)
{
	struct stream *stream = exchange->use;
	const struct mrl_store_search search = {.person = stream->person, .oldest_first = true};

	stream->wanted = true;
	if (stream->stream != NULL) {
		if (!stream->giving)
			mrl_store_resume(stream->stream);
		return;
	}
	if (mrl_store_stream_games(exchange->server->store, &search, on_game, on_streamed, stream, &stream->stream) ==
	    MRL_OK)
		return;
	exchange->use = NULL;
	free(stream);
	mrl__answer_piece(exchange, true);
}

/* Whoever wanted it has gone. */
static void dropped(void *use)
{
	struct stream *stream = use;

	if (stream == NULL)
		return;
	if (stream->stream != NULL) {
		if (!stream->giving)
			mrl_store_stop(stream->stream);
		return;
	}
	struct mrl__exchange *exchange = stream->exchange;

	exchange->use = NULL;
	exchange->ended = true;
	free(stream);
}

static void on_stream_player(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct stream *stream = NULL;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	/* Nobody is left to begin it for. */
	if (exchange->wsi == NULL || (stream = calloc(1, sizeof(*stream))) == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	*stream = (struct stream){.exchange = exchange, .person = answer->people[0].id};
	exchange->use = stream;
	mrl__answer_pieces(exchange, RECORD_TYPE, more, dropped);
}

void mrl__api_player_games(struct mrl__exchange *exchange)
{
	enum mrl_status status =
	    mrl_store_find_name(exchange->server->store, exchange->parameter, on_stream_player, exchange);

	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}

/* ---- Counts ------------------------------------------------------------------------------------------------- */

static void on_days(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	char day[DAY_TEXT_SIZE];

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open_list(json, "days");
	for (size_t i = 0; i < answer->count_count;) {
		int32_t present = answer->counts[i].day;

		write_day(day, present);
		mrl__json_open(json, NULL);
		mrl__json_text(json, "day", day);
		for (; i < answer->count_count && answer->counts[i].day == present; i++)
			mrl__json_signed(json, answer->counts[i].what, answer->counts[i].count);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__answer(exchange, 200);
}

void mrl__api_days(struct mrl__exchange *exchange)
{
	int32_t until = (int32_t)(mrl__wall_ms() / DAY_MS);
	int32_t from = until - 30;
	char text[32];

	if (mrl__query(exchange, "to", text, sizeof(text)) && !read_day(text, &until)) {
		bad_query(exchange, "\"to\" is a day, 2026-11-30.");
		return;
	}
	if (mrl__query(exchange, "from", text, sizeof(text)) && !read_day(text, &from)) {
		bad_query(exchange, "\"from\" is a day, 2026-11-30.");
		return;
	}
	if (until - from > MOST_DAYS)
		from = until - MOST_DAYS;
	enum mrl_status status = mrl_store_list_counts(exchange->server->store, from, until, on_days, exchange);

	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}
