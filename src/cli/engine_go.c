/* The command `go`: limits, and which turns may be chosen. */
#include "engine_session.h"

#include <stdlib.h>

#include <merels/notation.h>

/* What `go` knows; the word is one of these or a fault. */
enum keyword {
	DEPTH,
	NODES,
	MOVETIME,
	WTIME,
	BTIME,
	WINC,
	BINC,
	MOVESTOGO,
	MATE,
	PERFT,
	INFINITE,
	PONDER,
	SEARCHMOVES,
	KEYWORDS
};

static const char *const keywords[KEYWORDS] = {"depth",    "nodes",  "movetime",   "wtime", "btime",
					       "winc",     "binc",   "movestogo",  "mate",  "perft",
					       "infinite", "ponder", "searchmoves"};

static enum keyword find(struct engine_word word)
{
	enum keyword keyword = 0;

	while (keyword < KEYWORDS && !engine_word_is(word, keywords[keyword]))
		keyword++;
	return keyword;
}

struct reading {
	struct engine_session *session;
	struct engine_words words;
	uint64_t number[KEYWORDS];
	bool has[KEYWORDS];
};

/* A number behind a keyword; a clock may have run below 0, which counts as 0. */
static bool read_number(struct reading *reading, enum keyword keyword)
{
	static const struct {
		uint64_t from;
		uint64_t to;
	} range[KEYWORDS] = {
	    [DEPTH] = {1, 1000},       [NODES] = {1, UINT64_MAX}, [MOVETIME] = {0, UINT32_MAX},
	    [WTIME] = {0, UINT64_MAX}, [BTIME] = {0, UINT64_MAX}, [WINC] = {0, UINT64_MAX},
	    [BINC] = {0, UINT64_MAX},  [MOVESTOGO] = {0, 100000}, [MATE] = {1, 1000},
	    [PERFT] = {1, 1000},
	};
	bool clock = keyword >= WTIME && keyword <= BINC;
	struct engine_word word = engine_next_word(&reading->words);
	char quoted[ENGINE_QUOTE_SIZE];

	if (clock && word.length > 1 && word.text[0] == '-') {
		struct engine_word digits = {word.text + 1, word.length - 1};

		reading->number[keyword] = 0;
		if (engine_word_number(digits, 0, UINT64_MAX, &(uint64_t){0}))
			return true;
	}
	if (engine_word_number(word, range[keyword].from, range[keyword].to, &reading->number[keyword]))
		return true;
	engine_say_note(reading->session, "go: expected a whole number of at least %u behind %s, found %s",
			(unsigned)range[keyword].from, keywords[keyword], engine_quote(word, quoted));
	return false;
}

static bool add_only(struct engine_session *session, const struct mrl_turn *turn)
{
	if (session->only_count == session->only_size) {
		size_t size = session->only_size == 0 ? 64 : 2 * session->only_size;
		struct mrl_turn *larger = realloc(session->only, size * sizeof(*larger));

		if (larger == NULL) {
			engine_say_note(session, "go: there is not enough memory");
			return false;
		}
		session->only = larger;
		session->only_size = size;
	}
	session->only[session->only_count++] = *turn;
	return true;
}

/* Turns up to the end of the line or the next keyword. */
static bool read_search_moves(struct reading *reading)
{
	struct engine_session *session = reading->session;
	struct engine_words *words = &reading->words;

	for (;;) {
		struct engine_words look = *words;
		struct engine_word word = engine_next_word(&look);
		struct mrl_error error = {0};
		struct mrl_turn turn;
		size_t consumed = 0;

		if (word.length == 0 || find(word) != KEYWORDS)
			return true;
		enum mrl_status status = mrl_turn_next(session->rules, &session->game.game.position, words->at,
						       (size_t)(words->end - words->at), &consumed, &turn, &error);

		if (status != MRL_OK) {
			engine_say_note(session, "go: searchmoves: %s", error.message);
			return false;
		}
		if (!add_only(session, &turn))
			return false;
		words->at += consumed;
	}
}

static bool read_words(struct reading *reading)
{
	for (;;) {
		struct engine_word word = engine_next_word(&reading->words);
		enum keyword keyword = find(word);
		char quoted[ENGINE_QUOTE_SIZE];

		if (word.length == 0)
			return true;
		if (keyword == KEYWORDS) {
			engine_say_note(reading->session, "go: unknown word %s", engine_quote(word, quoted));
			return false;
		}
		reading->has[keyword] = true;
		if (keyword == SEARCHMOVES && !read_search_moves(reading))
			return false;
		if (keyword < INFINITE && !read_number(reading, keyword))
			return false;
	}
}

/* The turns that go on from the begun one, in place of all others. */
static bool keep_begun(struct engine_session *session)
{
	const struct mrl_game *game = &session->game.game;
	size_t count = mrl_turns(game->rules, &game->position, NULL, 0);
	struct mrl_turn *turns = malloc((count + 1) * sizeof(*turns));
	bool good = turns != NULL;

	if (!good)
		engine_say_note(session, "go: there is not enough memory");
	else
		(void)mrl_turns(game->rules, &game->position, turns, count);
	session->only_count = 0;
	for (size_t i = 0; good && i < count; i++)
		if (engine_continues(&session->begun, &turns[i]))
			good = add_only(session, &turns[i]);
	free(turns);
	return good;
}

static void set_limits(const struct reading *reading, struct mrl_player_limits *limits)
{
	const struct engine_session *session = reading->session;
	bool white = session->game.game.position.side == MRL_WHITE;
	enum keyword time = white ? WTIME : BTIME;
	const uint64_t *number = reading->number;

	limits->depth = (unsigned)number[DEPTH];
	limits->nodes = number[NODES];
	limits->time = reading->has[MOVETIME] && number[MOVETIME] == 0 ? 1 : number[MOVETIME];
	limits->has_clock = reading->has[time];
	limits->clock = (struct mrl_player_clock){
	    .left = number[time], .increment = number[white ? WINC : BINC], .turns = (unsigned)number[MOVESTOGO]};
	limits->win = reading->has[MATE] ? 2 * (unsigned)number[MATE] - 1 : 0;
	limits->ponder = reading->has[PONDER];
	limits->infinite = reading->has[INFINITE] || (limits->depth == 0 && limits->nodes == 0 && limits->time == 0 &&
						      !limits->has_clock && limits->win == 0 && !limits->ponder);
	limits->lines = session->lines;
	limits->level = session->level;
	limits->only = session->only_count > 0 ? session->only : NULL;
	limits->only_count = session->only_count;
}

struct engine_order engine_go(struct engine_session *session, struct engine_words words)
{
	struct engine_order order = {.action = ENGINE_NOTHING};
	struct reading reading = {.session = session, .words = words};
	const struct mrl_game *game = &session->game.game;

	session->only_count = 0;
	if (!read_words(&reading))
		return order;
	if (reading.has[PERFT]) {
		order.action = ENGINE_PERFT;
		order.depth = (unsigned)reading.number[PERFT];
		return order;
	}
	if (game->verdict.outcome != MRL_ONGOING) {
		engine_say_note(session, "the game is over: %s %s", mrl_outcome_text(game->verdict.outcome),
				mrl_reason_text(game->verdict.reason));
		engine_say_no_best(session);
		return order;
	}
	if (session->begun.is_begun && session->has_chosen && mrl_position_same(&session->chosen_in, &game->position) &&
	    engine_continues(&session->begun, &session->chosen)) {
		engine_say_best(session, &session->chosen, 1);
		return order;
	}
	if (session->begun.is_begun && !keep_begun(session))
		return order;
	set_limits(&reading, &order.limits);
	order.action = ENGINE_GO;
	return order;
}
