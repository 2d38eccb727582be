/*
 * What one instance of the module holds: one rule set and one game.
 *
 * A page that needs two games makes two instances. An instance is the process of this program, so its state is global,
 * like that of cli and server. Text goes in through `in` and comes out through `out`; both live in the instance's
 * memory and may move with every call, so the other side asks for their place each time.
 *
 * Every export that answers with text returns its length, or a negative enum mrl_status; then the text is the error's
 * message. web/src/core/core.ts is the other side.
 */
#ifndef MERELS_WASM_SESSION_H
#define MERELS_WASM_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include <merels/rules.h>
#include <merels/status.h>
#include <merels/text.h>

#define EXPORT(name) __attribute__((export_name(name)))

struct session {
	struct mrl_rules rules;
	struct mrl_game game; /* game.rules is NULL before rules_set() */
	struct mrl_error error;
	struct block in;
	struct block out;
	struct block history;
};

extern struct session session;

/* Writes into a text; called again with more room when it did not fit. */
typedef void text_writer(struct mrl_text *text);

/* Puts what `write` writes into `out` and returns its length. */
int32_t session_answer(text_writer *write);

/* Puts session.error's message into `out` and returns its status. */
int32_t session_refuse(void);

/* Opens session.error without a place and closes it with one sentence; returns as session_refuse(). */
int32_t session_refuse_with(enum mrl_status status, const char *sentence);

/* The first `length` bytes of `in`; `length` is cut to what is there. */
const char *session_text(size_t *length);

/* Plays a turn, making room for it first. */
enum mrl_status session_play(const struct mrl_turn *turn);

/* Writes `key`, a space, and leaves the value to the caller; values end with a new line. */
void write_key(struct mrl_text *text, const char *key);

/* Point names with spaces between them. */
void write_points(struct mrl_text *text, mrl_points points);

/* The mills of the board that stand whole in `men` and include `through`, separated by `/`. */
void write_mills(struct mrl_text *text, mrl_points men, mrl_points through);

/* The turn as text. */
void write_turn(struct mrl_text *text, const struct mrl_turn *turn);

#endif
