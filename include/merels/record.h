/*
 * Records of whole games, in the shape of PGN: tag pairs, numbered turns with comments and variations, the result.
 * docs/FORMATS.md has the form.
 *
 * Reading a text of several games:
 *
 *     struct mrl_record_reader reader;
 *     struct mrl_arena arena = mrl_arena_in(memory, size);
 *     struct mrl_record *record;
 *
 *     mrl_record_reader_init(&reader, text, length);
 *     while (mrl_record_more(&reader)) {
 *             arena.used = 0;
 *             switch (mrl_record_read(&reader, &arena, &record, &error)) {
 *             case MRL_OK:     ... record ...
 *             case MRL_SPACE:  ... larger memory, and once more: the reader stands where it stood ...
 *             default:         ... error; the reader stands at the next game ...
 *             }
 *     }
 *
 * A record lives whole in the arena of the caller: rule set, turns, strings; it does not point into the text. A record
 * that was read is sound: every turn of it, in variations too, is legal where it stands, nothing is played after the
 * end, and the result is not against the rules. There is no cap on the length of a game, a line, or a comment, nor on
 * the depth of variations: nothing here recurses. Nothing is allocated; no state; a reader, an arena and a record
 * belong to one thread at a time, a record that nobody changes may be read by many.
 */
#ifndef MERELS_RECORD_H
#define MERELS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/*
 * Memory that is given away from front to back. To empty it set `used` to 0, which ends the life of what is in it.
 * While a record is read, the far end holds the history of the game; 16 kB are the least that any record needs, and
 * about 200 bytes a turn suffice for the rest.
 */
struct mrl_arena {
	char *memory;
	size_t size;
	size_t used;
};

/* An empty arena in memory[0 .. size), which stays the caller's and need not be aligned; NULL is no memory. */
struct mrl_arena mrl_arena_in(void *memory, size_t size);

/* ---- Records ------------------------------------------------------------------------------------------------ */

/* All strings are 0-terminated UTF-8 without control characters. */

struct mrl_record_tag {
	const char *name;
	const char *value;
	struct mrl_record_tag *next;
};

/* Runs of white space in a comment are one space each; the text is never empty and holds no `}`. */
struct mrl_record_comment {
	const char *text;
	struct mrl_record_comment *next;
};

/* A numeric annotation, 0..255, as `$1` or `!`. */
struct mrl_record_nag {
	unsigned number;
	struct mrl_record_nag *next;
};

struct mrl_record_line;

#define MRL_NO_CLOCK UINT64_MAX

struct mrl_record_turn {
	struct mrl_turn turn;
	size_t ply;                         /* turns played before it, from the start of the record */
	struct mrl_record_turn *previous;   /* in its line; NULL for the first */
	struct mrl_record_turn *next;       /* in its line; NULL for the last */
	struct mrl_record_line *line;       /* that it stands in */
	struct mrl_record_line *variations; /* what could have been played in its place, first to last */
	struct mrl_record_comment *before;  /* at the start of a line, or behind the variations of the turn before */
	struct mrl_record_comment *after;   /* without [%clk] and [%eval], which are these: */
	uint64_t clock;                     /* of [%clk h:mm:ss], time left in milliseconds, or MRL_NO_CLOCK */
	const char *evaluation;             /* of [%eval ...], as written, or NULL */
	struct mrl_record_nag *nags;
};

/* A row of turns: the game as it was played, or a variation. Only the line of the game may have no turn. */
struct mrl_record_line {
	struct mrl_record_turn *first;
	struct mrl_record_turn *last;
	struct mrl_record_turn *replaces; /* the turn that the variation is played in place of; NULL: the game itself */
	struct mrl_record_line *next;     /* the next variation in place of the same turn */
};

struct mrl_record {
	const struct mrl_rules *rules; /* of the tag Rules; nine without */
	struct mrl_position start;
	bool set_up;              /* `start` is not the start of the rule set: there are the tags SetUp and Position */
	enum mrl_outcome outcome; /* the result as written */
	enum mrl_reason reason;   /* why: by the rules, or the tag Termination; MRL_REASON_NONE when nobody says */
	struct mrl_record_tag
	    *tags; /* the others, in the order of the text; Termination when it is no reason of ours */
	struct mrl_record_line line;         /* the game as it was played */
	size_t count;                        /* its turns */
	struct mrl_verdict verdict;          /* what the rules say after its last turn, repetition included */
	struct mrl_position final;           /* the position after its last turn */
	struct mrl_record_comment *comments; /* of a game without a turn */
};

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/*
 * Where the reading of a text stands. About 14 kB, for it remembers the rule set read last: to compute a board takes
 * longer than to read a game, and the games of a text mostly have the same.
 */
struct mrl_record_reader {
	const char *text; /* must outlive the reader */
	size_t length;
	size_t at; /* where the next game is looked for, with its line and column */
	size_t line;
	size_t column;
	size_t games;                         /* games passed so far, the bad ones included */
	char rules_text[MRL_RULES_NAME_SIZE]; /* that `rules` was read from; empty: none yet */
	struct mrl_rules rules;
};

void mrl_record_reader_init(struct mrl_record_reader *reader, const char *text, size_t length);

/* Moves on to the next game; false when there is none. A byte order mark at the start of the text is skipped. */
bool mrl_record_more(struct mrl_record_reader *reader);

/*
 * Reads the next game into the arena. MRL_SPACE when the arena is too small: the reader has not moved, call again with
 * a larger one. Any other failure names line and column in the whole text, and the reader stands at the game after the
 * bad one (the next tag section, or what follows the result). On failure the arena is as before and *record is NULL.
 * `error` may be NULL.
 */
MRL_MUST_USE enum mrl_status mrl_record_read(struct mrl_record_reader *reader, struct mrl_arena *arena,
					     struct mrl_record **record, struct mrl_error *error);

/* The value of a tag in `tags`, or NULL. Rules, Result and the like are members of the record. */
const char *mrl_record_tag(const struct mrl_record *record, const char *name);

/* ---- Making ------------------------------------------------------------------------------------------------- */

/*
 * The record of a game, with the verdict of its rules as the result, no tags, no comments. `game->rules` is copied.
 * MRL_SPACE when the arena is too small (it is then as before).
 */
MRL_MUST_USE enum mrl_status mrl_record_make(struct mrl_arena *arena, const struct mrl_game *game,
					     struct mrl_record **record);

/*
 * Sets a tag, anew or behind the others. MRL_NAME for a name that is none (letters, digits and _, a letter first) or
 * that is a member of the record (Result, Rules, SetUp, Position, FEN, and Termination when the reason is known),
 * MRL_SYNTAX for a value that is not UTF-8 or has control characters, MRL_SPACE.
 */
MRL_MUST_USE enum mrl_status mrl_record_set_tag(struct mrl_arena *arena, struct mrl_record *record, const char *name,
						const char *value, struct mrl_error *error);

/*
 * Sets a result that the rules do not give: resigned, on time, abandoned, agreed, aborted, or MRL_REASON_NONE.
 * MRL_RANGE with a message when the reason does not go with the outcome or the rules decided otherwise; the record is
 * then unchanged.
 */
MRL_MUST_USE enum mrl_status mrl_record_set_result(struct mrl_record *record, enum mrl_outcome outcome,
						   enum mrl_reason reason, struct mrl_error *error);

/* ---- Writing ------------------------------------------------------------------------------------------------ */

/*
 * Writes a record in the canonical form, which reads back equal: the tags in a fixed order, an empty line, the turns in
 * lines of at most 80 bytes (a longer single word or tag pair stands alone on its line), the result, a newline. Works
 * like snprintf: writes at most `size` bytes, the closing 0 included, and returns the bytes the whole has without it.
 * Between two records of a file belongs an empty line.
 */
size_t mrl_record_write(const struct mrl_record *record, char *text, size_t size);

#endif
