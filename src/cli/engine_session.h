/*
 * One conversation in the engine protocol, as far as it is words: lines come in, the state changes, answers go out
 * through `say`, and what has to be done with the search is handed back as an order. No thread, no clock, no input, no
 * output of its own, so that it can be tested and fuzzed whole. docs/ENGINE.md has the protocol.
 *
 * Whatever a line holds, at most one `info string` comes of it when it is wrong, and then nothing has changed. A rule
 * set or folder without tables is taken with a note that it plays without them.
 */
#ifndef MERELS_CLI_ENGINE_SESSION_H
#define MERELS_CLI_ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/player.h>
#include <merels/rules.h>

#include "cli.h"

/* Longer lines are refused unread. A game of 100,000 turns fits. */
#define ENGINE_MAX_LINE ((size_t)1 << 20)

#define ENGINE_ANSWER_SIZE 4096

/* A turn of which so far only the beginning was played: its takes are asked for one at a time. */
struct engine_begun {
	bool is_begun;
	struct mrl_turn turn; /* with the takes that were named */
};

struct engine_session {
	struct mrl_rules *rules; /* owned */
	struct cli_game game;
	struct engine_begun begun;
	unsigned threads;
	unsigned megabytes;
	unsigned lines;
	unsigned level;
	bool atomic;  /* takes are moves of their own */
	bool endings; /* exact endings are asked by searches that time alone limits, without a table_path too */
	struct mrl_turn *only; /* owned: turns that the search may choose from */
	size_t only_count;
	size_t only_size;
	/* The turn that was chosen last, and where: its takes need no second thought. */
	bool has_chosen;
	struct mrl_position chosen_in;
	struct mrl_turn chosen;
	/* Gives the search other threads and memory; false, and nothing changed, when that cannot be had. */
	bool (*resize)(void *context, unsigned threads, unsigned megabytes);
	/*
	 * Opens the folder of exact tables for a rule set, which then are asked, or with NULL closes what was open.
	 * False with the reason when they cannot be had: then none are open. NULL: there are no tables.
	 */
	bool (*open_tables)(void *context, const char *folder, const struct mrl_rules *rules, struct mrl_error *error);
	char *table_path; /* owned: the folder that was asked for, or NULL */
	/* Sends one line, which has no end of line in it. */
	void (*say)(void *context, const char *line);
	void *context;
};

enum engine_action {
	ENGINE_NOTHING,
	ENGINE_GO,    /* search session->game with order->limits; answer with engine_say_info() and engine_say_best() */
	ENGINE_PERFT, /* count session->game to order->depth */
	ENGINE_STOP,
	ENGINE_PONDER_HIT,
	ENGINE_NEW_GAME,
	ENGINE_QUIT
};

struct engine_order {
	enum engine_action action;
	unsigned depth;
	struct mrl_player_limits limits; /* without callbacks */
};

/* False when there is no memory. `say`, `resize` and `context` are the caller's to set. */
MRL_MUST_USE bool engine_session_init(struct engine_session *session);
void engine_session_release(struct engine_session *session);

/* Does what a line without its end says. `busy`: a search is running, which must not be disturbed. */
struct engine_order engine_session_line(struct engine_session *session, const char *line, size_t length, bool busy);

/* Remembers what was answered to the last `go`. */
void engine_session_chosen(struct engine_session *session, const struct mrl_turn *turn);

/* ---- Answers (engine_answer.c) ------------------------------------------------------------------------------ */

/* Says `info string` and a message of printf's form. */
void engine_say_note(const struct engine_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says what an iteration found, one line for each line of play. */
void engine_say_info(const struct engine_session *session, const struct mrl_player_report *report);

/* Says `bestmove`, and what is expected then; `turns` is the best line. */
void engine_say_best(const struct engine_session *session, const struct mrl_turn *turns, unsigned count);

/* Says `bestmove (none)`. */
void engine_say_no_best(const struct engine_session *session);

/* ---- Between the parts -------------------------------------------------------------------------------------- */

/* What is left of a line; words are separated by white space. */
struct engine_words {
	const char *at;
	const char *end;
};

struct engine_word {
	const char *text;
	size_t length; /* 0: there is none */
};

struct engine_word engine_next_word(struct engine_words *words);
bool engine_word_is(struct engine_word word, const char *name);

/* A whole number from..to, which fills the word. */
bool engine_word_number(struct engine_word word, uint64_t from, uint64_t to, uint64_t *number);

/* A word for a message: at most 24 printable characters of it. */
#define ENGINE_QUOTE_SIZE 128
const char *engine_quote(struct engine_word word, char quoted[ENGINE_QUOTE_SIZE]);

/* The command `position`, from its second word. */
void engine_position(struct engine_session *session, struct engine_words words);

/* The command `setoption`, from its second word. */
void engine_set_option(struct engine_session *session, struct engine_words words);

/* Says the options and their defaults, for `uci`. */
void engine_say_options(const struct engine_session *session);

/* The command `go`, from its second word. */
struct engine_order engine_go(struct engine_session *session, struct engine_words words);

/* Whether the text is the beginning of legal turns that go on with a take; then it is what was begun. */
bool engine_read_begun(const struct mrl_game *game, const char *text, size_t length, struct engine_begun *begun);

/* Whether the turn goes on where the begun one stops. */
bool engine_continues(const struct engine_begun *begun, const struct mrl_turn *turn);

#endif
