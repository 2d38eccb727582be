/* What the files of the record reader, maker and writer share. */
#ifndef MERELS_NOTATION_RECORD_INTERNAL_H
#define MERELS_NOTATION_RECORD_INTERNAL_H

#include <merels/record.h>

#include "scan.h"

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* Bytes from the arena, aligned for any object of this room and all 0; NULL when it has no more. */
void *mrl__take(struct mrl_arena *arena, size_t bytes);

/* A copy with a closing 0, or NULL. */
char *mrl__take_string(struct mrl_arena *arena, const char *bytes, size_t length);

/* ---- Tags --------------------------------------------------------------------------------------------------- */

/*
 * Tags with a meaning, in the order in which they are written. Those from MRL__TAG_RESULT on are members of the record,
 * the others are kept as they are.
 */
enum mrl__tag {
	MRL__TAG_EVENT,
	MRL__TAG_SITE,
	MRL__TAG_DATE,
	MRL__TAG_ROUND,
	MRL__TAG_WHITE,
	MRL__TAG_BLACK,
	MRL__TAG_TIME_CONTROL,
	MRL__TAG_RESULT,
	MRL__TAG_RULES,
	MRL__TAG_TERMINATION,
	MRL__TAG_SET_UP,
	MRL__TAG_POSITION,
	MRL__TAG_FEN,
	MRL__TAGS
};

extern const char *const mrl__tag_names[MRL__TAGS];

/* The tag of this name, or MRL__TAGS. */
enum mrl__tag mrl__tag_find(const char *name);

/* The reason that Termination names, or MRL_REASON_NONE for any other text. */
enum mrl_reason mrl__reason_find(const char *text);

bool mrl__strings_equal(const char *a, const char *b);

/*
 * Whether a result goes with what the rules say; if not, appends why. `reason` is MRL_REASON_NONE when nobody says.
 */
bool mrl__result_fits(struct mrl_verdict verdict, enum mrl_outcome outcome, enum mrl_reason reason,
		      struct mrl_text *why);

/* Takes a tag out of the list; it need not be there. */
void mrl__drop_tag(struct mrl_record *record, const char *name);

/* ---- Reading ------------------------------------------------------------------------------------------------ */

struct mrl__comments {
	struct mrl_record_comment *first;
	struct mrl_record_comment *last;
};

/* The ends of the lists of the turn read last, so that a long list is not walked for each thing added to it. */
struct mrl__tails {
	struct mrl_record_comment *after;
	struct mrl_record_nag *nag;
	struct mrl_record_line *variation;
};

/* A tag's value and where in the text it begins. */
struct mrl__tag_value {
	const char *text; /* NULL: there is no such tag */
	size_t place;
};

/* A variation that is open, and what is to be taken up again behind it. */
struct mrl__frame {
	struct mrl__frame *outer;
	struct mrl_record_turn *replaced;
	struct mrl__comments pending; /* comments behind the variations of `replaced` */
	struct mrl__tails tails;      /* of `replaced` */
	size_t place;                 /* of its ( */
};

struct mrl__reading {
	struct mrl__scan scan;
	struct mrl_record_reader *reader;
	struct mrl_arena work; /* its end moves down as the history of `game` grows there */
	struct mrl_error *error;
	struct mrl_record *record;
	struct mrl_record_tag *last_tag;
	struct mrl__tag_value value[MRL__TAGS];
	struct mrl_game game; /* stands behind `last` */
	struct mrl_record_line *line;
	struct mrl_record_turn *last; /* of `line` */
	struct mrl__tails tails;      /* of `last` */
	struct mrl__comments pending; /* wait for the turn that they stand before */
	struct mrl__frame *frames;    /* the innermost first */
	struct mrl__frame *spare;
	bool in_tags;
	bool at_end; /* the result is behind us */
};

/* Reports that the arena is too small. */
enum mrl_status mrl__no_space(struct mrl__reading *reading);

/* Opens an error at an offset of the text. */
struct mrl_text mrl__reading_fail(struct mrl__reading *reading, size_t at, enum mrl_status status);

/* "expected ...; found ...", with status MRL_SYNTAX. */
enum mrl_status mrl__reading_expected(struct mrl__reading *reading, size_t at, const char *what);

/* Reads the tag section, and what it means: rule set, start, a game at its start. */
enum mrl_status mrl__read_tags(struct mrl__reading *reading);
enum mrl_status mrl__use_tags(struct mrl__reading *reading);

/* Reads the `{...}` or `;...` comment, the `$n`, or the `!` and `?` at the scan. */
enum mrl_status mrl__read_comment(struct mrl__reading *reading);
enum mrl_status mrl__read_nag(struct mrl__reading *reading);

/* The line ends here: comments that wait for a turn belong to the last one, or to the record. */
enum mrl_status mrl__settle_comments(struct mrl__reading *reading);

#endif
