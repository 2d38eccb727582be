/* What the readers and writers of the three position formats share. */
#ifndef MERELS_NOTATION_FORMATS_H
#define MERELS_NOTATION_FORMATS_H

#include <merels/rules.h>

#include "scan.h"

/*
 * Each reads a position from the scan, which stands on the first byte that is no white space, up to the end of the
 * text. They look at the form alone; whether the position can occur and the hash are for mrl_position_read().
 */
enum mrl_status mrl__merels_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				 struct mrl_error *error);
enum mrl_status mrl__sanmill_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
				  struct mrl_error *error);
enum mrl_status mrl__mfen_read(const struct mrl_rules *rules, struct mrl__scan *scan, struct mrl_position *position,
			       struct mrl_error *error);

/* Each appends the position, or says why its format cannot. */
enum mrl_status mrl__sanmill_write(const struct mrl_rules *rules, const struct mrl_position *position,
				   struct mrl_text *text, struct mrl_error *error);
enum mrl_status mrl__mfen_write(const struct mrl_rules *rules, const struct mrl_position *position,
				struct mrl_text *text, struct mrl_error *error);

/* "White", "Black". */
const char *mrl__side(unsigned side);

/* Fails unless nothing but white space is left. */
enum mrl_status mrl__no_more(struct mrl__scan *scan, struct mrl_error *error);

/* Reads the counter `name` that fills a word, 0..65535. */
enum mrl_status mrl__counter(const struct mrl__scan *scan, struct mrl__word word, const char *name, uint16_t *counter,
			     struct mrl_error *error);

/* Men on the board beyond those the board has points for: a fault of its own, whatever else is wrong. */
enum mrl_status mrl__not_too_many(const struct mrl__scan *scan, struct mrl__word word, const char *men,
				  const struct mrl_board *board, struct mrl_error *error);

/* ---- Foreign formats: boards of three rings of eight points ------------------------------------------------- */

/* Whether the board has exactly the 24 points of the three squares. */
bool mrl__has_rings(const struct mrl_board *board);

/* Point k of a ring (0 outer, 1 middle, 2 inner), clockwise from the upper left corner. The board must have rings. */
unsigned mrl__ring_point(const struct mrl_board *board, unsigned ring, unsigned k);

/* MRL_UNSUPPORTED, named after the format, unless the board has rings. */
enum mrl_status mrl__need_rings(const struct mrl__scan *scan, const struct mrl_board *board, const char *format,
				struct mrl_error *error);

/* MRL_UNSUPPORTED when the position has a three-men counter, which no foreign format has a field for. */
enum mrl_status mrl__need_no_three_men(const struct mrl_position *position, const char *format,
				       struct mrl_error *error);

/*
 * The least number of plies after which the position can stand: placements, and turns since the last of them. Foreign
 * formats want a number here that a position does not have.
 */
unsigned mrl__least_plies(const struct mrl_rules *rules, const struct mrl_position *position);

#endif
