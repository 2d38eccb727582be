/*
 * Texts: positions and turns, read and written. Records of whole games are in record.h.
 *
 * Readers take `length` bytes that need not be 0-terminated and may hold anything, a NUL byte included. On failure the
 * output is untouched and `error` (which may be NULL) names line, column, what was found and what was expected.
 * Writers put a closing 0 and return the characters before it. No allocation, no state, thread-safe.
 */
#ifndef MERELS_NOTATION_H
#define MERELS_NOTATION_H

#include <stddef.h>

#include <merels/rules.h>
#include <merels/status.h>

/* ---- Positions ---------------------------------------------------------------------------------------------- */

/* Room for a position in any of the formats, the closing 0 included. */
#define MRL_POSITION_TEXT_SIZE 512

enum mrl_position_format {
	MRL_FORMAT_MERELS,  /* five fields, docs/FORMATS.md; every board */
	MRL_FORMAT_SANMILL, /* Sanmill's FEN; ring24 and ring24x */
	MRL_FORMAT_MFEN     /* MFEN/1.0 of the Mill Interchange Format; ring24 and ring24x */
};

/* The format that a text has the shape of; a text of no shape counts as our own. */
enum mrl_position_format mrl_position_format(const char *text, size_t length);

/*
 * Reads a position in any of the formats and checks that it can occur under the rule set (mrl_position_check). The
 * hash is set. MRL_SYNTAX, MRL_RANGE, MRL_POSITION, or MRL_UNSUPPORTED when the format does not fit the board.
 */
MRL_MUST_USE enum mrl_status mrl_position_read(const struct mrl_rules *rules, const char *text, size_t length,
					       struct mrl_position *position, struct mrl_error *error);

/* Writes a position in our own format. */
size_t mrl_position_write(const struct mrl_rules *rules, const struct mrl_position *position,
			  char text[MRL_POSITION_TEXT_SIZE]);

/* Writes a position in a chosen format; MRL_UNSUPPORTED when it cannot say this board. */
MRL_MUST_USE enum mrl_status mrl_position_write_as(const struct mrl_rules *rules, const struct mrl_position *position,
						   enum mrl_position_format format, char text[MRL_POSITION_TEXT_SIZE],
						   struct mrl_error *error);

/* ---- Turns -------------------------------------------------------------------------------------------------- */

/* Room for the longest turn, "a10-b10xa10..." with six takes, the closing 0 included. */
#define MRL_TURN_TEXT_SIZE 40

/* Writes a turn: `d6`, `d6-d7`, `d6xa1`, `d6-d7xa1xg7`. */
size_t mrl_turn_write(const struct mrl_board *board, const struct mrl_turn *turn, char text[MRL_TURN_TEXT_SIZE]);

/*
 * Reads the one turn that fills the whole text, in any lenient form: case is free, takes may stand apart ("d6 xa1").
 * The turn is legal in `position` when this returns MRL_OK. MRL_SYNTAX for what is no turn, MRL_ILLEGAL with the reason
 * from the rules, MRL_DECIDED. A point alone ("a4") places; where the side has to move a man it is never accepted:
 * MRL_AMBIGUOUS naming the moves when several men can go there, else MRL_ILLEGAL saying how it is written.
 */
MRL_MUST_USE enum mrl_status mrl_turn_read(const struct mrl_rules *rules, const struct mrl_position *position,
					   const char *text, size_t length, struct mrl_turn *turn,
					   struct mrl_error *error);

/*
 * Reads the first turn of a text of several, white space between them, and any takes that stand apart behind it.
 * `consumed` gets the bytes read; at the end of the text it is the length and the answer is MRL_OK with turn->to
 * MRL_NO_POINT.
 */
MRL_MUST_USE enum mrl_status mrl_turn_next(const struct mrl_rules *rules, const struct mrl_position *position,
					   const char *text, size_t length, size_t *consumed, struct mrl_turn *turn,
					   struct mrl_error *error);

#endif
