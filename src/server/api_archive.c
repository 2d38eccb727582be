/* The archive: games that are over, found, listed, told as records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "days.h"
#include "exchange.h"
#include "records.h"
#include "routes.h"
#include "rulebook.h"
#include "server_internal.h"
#include "snapshot.h"
#include "summary.h"

enum { USUAL_PAGE = 50, MOST_PAGE = 100, MOST_DAYS = 400 };

#define DAY_MS (INT64_C(24) * 3600 * 1000)
#define RECORD_TYPE "application/vnd.merels-record; charset=utf-8"

static void bad_query(struct mrl__exchange *exchange, const char *text)
{
	mrl__answer_error(exchange, 400, "bad-field", text);
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

struct search {
	struct mrl__exchange *exchange;
	struct mrl_store_search what;
	char rules[MRL_RULES_NAME_SIZE];
	char opening[MRL__OPENING_TURNS * 24];
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
	const uint64_t asker = search->what.viewer;

	/* Games between two are the same from both ends, and one of them may see the private ones. */
	if (asker != 0 && search->what.opponent == asker) {
		search->what.opponent = search->what.person;
		search->what.person = asker;
	}
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

/* A day of the query, from its first moment or to its last; 0 when it is left out. NULL, or what is wrong. */
static const char *read_dates(const char *from, const char *to, struct mrl_store_search *what)
{
	int32_t day = 0;

	if (from[0] != '\0') {
		if (!mrl__day_read(from, &day))
			return "\"from\" is a day, 2026-11-30.";
		what->from = day * DAY_MS;
	}
	if (to[0] != '\0') {
		if (!mrl__day_read(to, &day))
			return "\"to\" is a day, 2026-11-30.";
		what->until = (day + 1) * DAY_MS;
	}
	return what->until != 0 && what->from >= what->until ? "\"from\" is after \"to\"." : NULL;
}

static const char *read_result(const char *text, enum mrl_store_result *result)
{
	static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};

	for (unsigned i = 0; i < 3; i++) {
		if (strcmp(text, results[i]) == 0)
			*result = (enum mrl_store_result)(MRL_STORE_RESULT_WHITE + i);
	}
	return text[0] != '\0' && *result == MRL_STORE_RESULT_ANY ? "\"result\" is one of 1-0, 0-1, 1/2-1/2." : NULL;
}

static const char *read_page(const char *limit, const char *before, struct search *search)
{
	char *end = NULL;
	long number = limit[0] != '\0' ? strtol(limit, &end, 10) : USUAL_PAGE;

	if ((end != NULL && *end != '\0') || number < 1 || number > MOST_PAGE)
		return "\"limit\" is a number from 1 to 100.";
	search->limit = (unsigned)number;
	search->paged = before[0] != '\0';
	if (search->paged && !read_cursor(before, &search->after))
		return "\"before\" is the \"next\" of the page before.";
	return NULL;
}

/* Reads the filters; false after having answered that one is wrong. */
static bool read_filters(struct search *search, char player[MRL__PARAMETER_SIZE])
{
	struct mrl__exchange *exchange = search->exchange;
	char rules[MRL_RULES_NAME_SIZE] = "";
	char result[16] = "";
	char from[16] = "";
	char to[16] = "";
	char limit[16] = "";
	char before[64] = "";
	char mine[8] = "";
	const struct mrl__parameter wanted[] = {
	    {"player", player, MRL__PARAMETER_SIZE},
	    {"opponent", search->opponent, sizeof(search->opponent)},
	    {"rules", rules, sizeof(rules)},
	    {"result", result, sizeof(result)},
	    {"from", from, sizeof(from)},
	    {"to", to, sizeof(to)},
	    {"opening", search->opening, sizeof(search->opening)},
	    {"limit", limit, sizeof(limit)},
	    {"before", before, sizeof(before)},
	    {"mine", mine, sizeof(mine)},
	};
	const char *wrong = NULL;

	if (!mrl__query(exchange, wanted, sizeof(wanted) / sizeof(wanted[0])))
		return false;
	search->what.viewer = exchange->person.id;
	search->what.rules = search->rules;
	search->what.opening = search->opening;
	if (rules[0] != '\0' && !mrl__rules_canonical(rules, search->rules, NULL))
		wrong = "\"rules\" is no rule set.";
	else if (mrl__opening_turns(search->opening) < 0)
		wrong = "\"opening\" is turns as records write them: d2 d6 d3-e3 g7xa1.";
	else if (mrl__opening_turns(search->opening) > MRL__OPENING_TURNS)
		wrong = "\"opening\" has at most 12 turns: the index of openings goes no further.";
	if (wrong == NULL)
		wrong = read_result(result, &search->what.result);
	if (wrong == NULL)
		wrong = read_dates(from, to, &search->what);
	if (wrong == NULL)
		wrong = read_page(limit, before, search);
	if (wrong == NULL && mine[0] != '\0' && (strcmp(mine, "1") != 0 || player[0] != '\0'))
		wrong = "\"mine\" is 1, and stands in the place of \"player\".";
	if (wrong != NULL) {
		bad_query(exchange, wrong);
		return false;
	}
	if (mine[0] != '\0')
		search->what.person = exchange->person.id;
	if (mine[0] == '\0' || exchange->person.id != 0)
		return true;
	mrl__answer_error(exchange, 401, "no-person", "Nobody's games are \"mine\" without a cookie or a token.");
	return false;
}

void mrl__api_games(struct mrl__exchange *exchange)
{
	struct search *search = calloc(1, sizeof(*search));
	char player[MRL__PARAMETER_SIZE] = "";

	if (search == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	search->exchange = exchange;
	if (!read_filters(search, player)) {
		free(search);
		return;
	}
	if (player[0] == '\0') {
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
	const struct mrl_store_search search = {
	    .person = stream->person, .viewer = exchange->person.id, .oldest_first = true};

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
	char day[MRL__DAY_TEXT_SIZE];

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open_list(json, "days");
	for (size_t i = 0; i < answer->count_count;) {
		int32_t present = answer->counts[i].day;

		mrl__day_write(day, present);
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
	char from_text[16] = "";
	char to_text[16] = "";
	const struct mrl__parameter wanted[] = {{"from", from_text, sizeof(from_text)},
						{"to", to_text, sizeof(to_text)}};

	if (!mrl__query(exchange, wanted, sizeof(wanted) / sizeof(wanted[0])))
		return;
	if (to_text[0] != '\0' && !mrl__day_read(to_text, &until)) {
		bad_query(exchange, "\"to\" is a day, 2026-11-30.");
		return;
	}
	int32_t from = until - 30;

	if (from_text[0] != '\0' && !mrl__day_read(from_text, &from)) {
		bad_query(exchange, "\"from\" is a day, 2026-11-30.");
		return;
	}
	if (from > until || until - from >= MOST_DAYS) {
		bad_query(exchange,
			  from > until ? "\"from\" is after \"to\"." : "At most 400 days are told at a time.");
		return;
	}
	enum mrl_status status = mrl_store_list_counts(exchange->server->store, from, until, on_days, exchange);

	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}
